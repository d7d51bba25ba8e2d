//! Input and output of the native program.

use std::env;
use std::fs;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::process::ExitCode;

use crate::command::{Command, Work};
use crate::program::Program;

/// Exit code for an invalid command line, or for input that cannot be read.
const WRONG: u8 = 2;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let words = env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let ended = Command::parse(words)
        .map_err(|why| format!("{why}\nTry `ridgepoint --help`."))
        .and_then(run);
    match ended {
        Ok(code) => code.into(),
        Err(why) => {
            eprintln!("ridgepoint: {why}");
            WRONG.into()
        }
    }
}

fn run(command: Command) -> Result<u8, String> {
    match command {
        Command::Print(text) => {
            print(&(text + "\n"))?;
            Ok(0)
        }
        Command::Read(file) => {
            print(&Program::read(&paste(file.as_deref())?)?)?;
            Ok(0)
        }
        Command::Links(work, links) => answer(work, links),
    }
}

/// Answers the given permalinks. If none are given, answers permalinks from standard input.
fn answer(work: Work, links: Vec<String>) -> Result<u8, String> {
    let mut program = Program::default();
    if !links.is_empty() {
        for link in links {
            one(&mut program, work, &link)?;
        }
        return Ok(program.code());
    }
    let mut input = io::stdin().lock();
    if input.is_terminal() {
        return Err("no link given, and none from a pipe\nTry `ridgepoint --help`.".to_owned());
    }
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes).map_err(unread)? > 0 {
        one(&mut program, work, &String::from_utf8_lossy(&bytes))?;
        bytes.clear();
    }
    Ok(program.code())
}

fn one(program: &mut Program, work: Work, link: &str) -> Result<(), String> {
    match program.answer(work, link) {
        Ok(answer) => print(&answer),
        Err(why) => {
            eprintln!("ridgepoint: {why}");
            Ok(())
        }
    }
}

fn paste(file: Option<&str>) -> Result<String, String> {
    let mut bytes = Vec::new();
    match file {
        Some(file) => bytes = fs::read(file).map_err(|why| format!("{file}: {why}"))?,
        None => drop(io::stdin().lock().read_to_end(&mut bytes).map_err(unread)?),
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn unread(why: io::Error) -> String {
    format!("the pipe cannot be read: {why}")
}

/// Prints an answer immediately, so that a program that reads the output can wait for it. Ends the process if the
/// output is closed.
fn print(text: &str) -> Result<(), String> {
    let mut output = io::stdout().lock();
    match output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
    {
        Err(why) if why.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(why) => Err(format!("the answer cannot be written: {why}")),
        Ok(()) => Ok(()),
    }
}
