//! Runs other programs with visible progress.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::failure::{Failure, Result};
use crate::tally::Tally;

/// Interval between two progress reports; a longer silence would look like a hang.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// One run of a program, with its purpose, usual duration and advice on failure.
#[derive(Debug)]
pub struct Task {
    command: Command,
    doing: String,
    usually: String,
    advice: String,
    lasts: bool,
}

impl Task {
    /// Creates a task; `doing` describes the task to the user, for example "building the page".
    pub fn new(program: impl AsRef<OsStr>, doing: impl Into<String>) -> Self {
        let command = Command::new(program);
        Self {
            command,
            doing: doing.into(),
            usually: String::new(),
            advice: String::new(),
            lasts: false,
        }
    }

    /// Sets the usual duration on an ordinary machine, shown in progress reports.
    pub fn usually(mut self, time: impl Into<String>) -> Self {
        self.usually = time.into();
        self
    }

    /// Turns progress reports off; for a program that runs until it is stopped and that prints progress itself.
    pub fn lasting(mut self) -> Self {
        self.lasts = true;
        self
    }

    /// Sets the advice shown if the task fails.
    pub fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = advice.into();
        self
    }

    /// Adds arguments separated by spaces; no argument may contain a space.
    pub fn args(mut self, words: &str) -> Self {
        self.command.args(words.split_whitespace());
        self
    }

    /// Adds one argument, which may contain any characters.
    pub fn arg(mut self, word: impl AsRef<OsStr>) -> Self {
        self.command.arg(word);
        self
    }

    /// Adds one argument to a task in place, without moving it.
    pub fn add(&mut self, word: impl AsRef<OsStr>) -> &mut Self {
        self.command.arg(word);
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Removes an environment variable.
    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Sets the folder in which the program runs.
    pub fn folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Runs the program and passes its output through.
    pub fn run(self) -> Result<()> {
        self.execute(&mut |_| true)
    }

    /// Runs the program, and shows the program's error output only if it fails.
    pub fn run_silently(mut self) -> Result<()> {
        let output = match self.command.stdin(Stdio::null()).output() {
            Ok(output) => output,
            Err(cause) => return Err(self.could_not_start(cause)),
        };
        if output.status.success() {
            return Ok(());
        }
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        Err(Failure::Exit {
            doing: self.doing,
            status: output.status,
            advice: self.advice,
        })
    }

    /// Runs the program and passes each line of stdout to `reader`, which returns true if the line is to be printed.
    pub fn run_reading(mut self, mut reader: impl FnMut(&str) -> bool) -> Result<()> {
        self.command.stdout(Stdio::piped());
        self.execute(&mut reader)
    }

    /// Runs a test program and counts its tests.
    pub fn run_tests(self, tally: &mut Tally) -> Result<()> {
        self.run_reading(|line| {
            tally.read(line);
            true
        })
    }

    fn execute(mut self, reader: &mut dyn FnMut(&str) -> bool) -> Result<()> {
        let mut child = match self.command.stdin(Stdio::null()).spawn() {
            Ok(child) => child,
            Err(cause) => return Err(self.could_not_start(cause)),
        };
        let heartbeat =
            (!self.lasts).then(|| Heartbeat::start(self.doing.clone(), self.usually.clone()));
        if let Some(stdout) = child.stdout.take() {
            let mut lines = BufReader::new(stdout);
            let mut bytes = Vec::new();
            // Bytes rather than `lines()`: a test may print what is not UTF-8.
            while matches!(lines.read_until(b'\n', &mut bytes), Ok(read) if read > 0) {
                let line = String::from_utf8_lossy(&bytes);
                if reader(line.trim_end()) {
                    print!("{line}");
                }
                bytes.clear();
            }
        }
        let status = child.wait();
        if let Some(heartbeat) = heartbeat {
            heartbeat.stop();
        }
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Failure::Exit {
                doing: self.doing,
                status,
                advice: self.advice,
            }),
            Err(cause) => Err(self.could_not_start(cause)),
        }
    }

    fn could_not_start(self, cause: io::Error) -> Failure {
        let program = self.command.get_program().to_string_lossy().into_owned();
        Failure::Start {
            program,
            cause,
            advice: self.advice,
        }
    }
}

/// A thread that reports progress at regular intervals.
#[derive(Debug)]
struct Heartbeat {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Heartbeat {
    fn start(doing: String, usually: String) -> Self {
        let (stop, stopped) = mpsc::channel();
        let began = Instant::now();
        let thread = thread::spawn(move || {
            while stopped.recv_timeout(HEARTBEAT) == Err(RecvTimeoutError::Timeout) {
                let so_far = duration(began.elapsed());
                if usually.is_empty() {
                    eprintln!("  … still {doing}, {so_far} so far");
                } else {
                    eprintln!("  … still {doing}, {so_far} so far (usually {usually})");
                }
            }
        });
        Self { stop, thread }
    }

    fn stop(self) {
        // Both fail only if the thread has already ended.
        drop(self.stop);
        self.thread.join().ok();
    }
}

/// Returns the standard output of a program; `None` if the program is missing or fails.
///
/// Used for queries such as `--version`, where a failure simply means that there is no answer.
pub fn answer(program: impl AsRef<OsStr>, words: &str) -> Option<String> {
    let output = Command::new(program)
        .args(words.split_whitespace())
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// Formats a duration in short form, such as `4.2 s` or `2 min 05 s`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        return format!("{:.1} s", time.as_secs_f64());
    }
    format!("{} min {:02} s", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_like_speech() {
        assert_eq!(duration(Duration::from_millis(4_230)), "4.2 s");
        assert_eq!(duration(Duration::from_secs(125)), "2 min 05 s");
    }

    #[test]
    fn missing_program_has_no_answer() {
        assert_eq!(answer("ridgepoint-no-such-program", "--version"), None);
    }
}
