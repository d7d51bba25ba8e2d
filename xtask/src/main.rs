//! The project's commands: `cargo xtask serve | test | dist | guide | package | audit | reproduce | shots |
//! bench | soak | fuzz | accuracy`.

mod accuracy;
mod audit;
mod bench;
mod browser;
mod budget;
mod dist;
mod entry;
mod failure;
mod files;
mod fuzz;
mod guide;
mod lint;
mod offline;
mod package;
mod page;
mod parity;
mod process;
mod program;
mod project;
mod reproduce;
mod serve;
mod shots;
mod soak;
mod steps;
mod tally;
mod test;
mod tools;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use failure::{Failure, Result};
use fuzz::Cases;
use project::Project;
use test::Choice;
use tools::Trunk;

const USAGE: &str = "\
Usage: cargo xtask <command>

  serve [--dev] [--port N] [--open]
                              build the page and serve it on 127.0.0.1 (8080, or the next free port);
                              --dev: build it for work, with the guide, and again whenever a source is saved; it
                              reloads itself
  test [--fast] [--only STEP] formatting, clippy, all tests, native ≡ wasm, the browser
                              (--fast leaves the browser out; STEP is one of formatting,
                              tests, wasm, parity, package, browser; clippy reads what they compile)
  dist                        build the page into dist/, ready for any static host and sub-path; says what a
                              first visit downloads and fails above budget.toml
  guide [--out DIR]           the guide alone, into dist/guide/ or DIR, in seconds
  package                     the npm package, into target/package/
  audit                       licences, duplicates, sources and advisories of all dependencies, and a bill of materials
  reproduce                   the page built twice from this commit, in other folders: the same bytes?
  shots [--url-query Q] [--out DIR]
                              pictures of the built page: desktop and phone, light and dark
  bench                       how fast the model is, every view follows a slider and a pointer, the page
                              loads, and a search in the page; compare the ratios within one run
  soak [--minutes N]          a browser that uses everything for N minutes (30), and what the page weighs: fails if
                              that changes by more than 5 % after the first two
  fuzz [--only TARGET] [--cases N] [--minutes N]
                              mutated links, config.json files and scenarios: no crash, no figure that is not finite
                              (TARGET is one of link, config, arch, evaluation, paste, own, levers, service, simulator,
                              split)
  accuracy [--write]          errors against measured systems under each calibration, and without each
                              term (--write: into the documents that hold them)

What is missing (wasm target, Binaryen; for --dev Trunk, for tests Chromium) is installed first.
RIDGEPOINT_ADDRESS is the address of the page, for the picture that other sites show of a link to it.
RIDGEPOINT_TOOLS names the folder for tools; CHROME and CHROMEDRIVER name a browser and its driver, FIREFOX another engine.";

fn main() -> ExitCode {
    if lint::is_rustc() {
        return lint::rustc(env::args_os().skip(1));
    }
    match parse(env::args().skip(1)).and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Told) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("\nerror: {failure}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Command {
    Help,
    Serve {
        dev: bool,
        port: Option<u16>,
        open: bool,
    },
    Test(Choice),
    Dist,
    Guide {
        out: Option<String>,
    },
    Package,
    Audit,
    Reproduce,
    Shots {
        query: String,
        out: Option<String>,
    },
    Bench,
    Soak {
        minutes: String,
    },
    Fuzz(Cases),
    Accuracy {
        write: bool,
    },
}

fn run(command: Command) -> Result<()> {
    if command == Command::Help {
        println!("{USAGE}");
        return Ok(());
    }
    let project = Project::find()?;
    match command {
        Command::Help => Ok(()),
        Command::Serve {
            dev: true,
            port,
            open,
        } => serve::develop(&project, &Trunk::set_up(&project)?, port, open),
        Command::Serve { port, open, .. } => {
            let dist = dist::build(&project, &tools::set_up()?, program::PAGE)?;
            serve::serve(&dist, port, open)
        }
        Command::Test(choice) => test::test(project, &choice),
        Command::Dist => {
            let dist = dist::build(&project, &tools::set_up()?, program::PAGE)?;
            budget::check(&project, &dist)
        }
        Command::Guide { out } => guide::write(
            &project,
            &out.map_or_else(|| project.dist().join("guide"), PathBuf::from),
        ),
        Command::Package => package::build(&project, &tools::set_up()?, program::PACKAGE).map(drop),
        Command::Audit => audit::audit(&project),
        Command::Reproduce => reproduce::reproduce(&project),
        Command::Shots { query, out } => shots::shots(&project, &query, out),
        Command::Bench => bench::bench(&project),
        Command::Soak { minutes } => soak::soak(&project, &minutes),
        Command::Fuzz(cases) => fuzz::fuzz(&project, &cases),
        Command::Accuracy { write } => accuracy::accuracy(&project, write),
    }
}

fn count(text: &str) -> Result<u64> {
    let wrong = |_| Failure::Usage(format!("`{text}` is not a whole number"));
    text.parse().map_err(wrong)
}

fn parse(words: impl IntoIterator<Item = String>) -> Result<Command> {
    let mut words = words.into_iter();
    let name = words.next().unwrap_or_else(|| "help".to_owned());
    let mut command = match name.as_str() {
        "help" | "--help" | "-h" => Command::Help,
        "serve" => Command::Serve {
            dev: false,
            port: None,
            open: false,
        },
        "test" => Command::Test(Choice::default()),
        "dist" => Command::Dist,
        "guide" => Command::Guide { out: None },
        "package" => Command::Package,
        "audit" => Command::Audit,
        "reproduce" => Command::Reproduce,
        "bench" => Command::Bench,
        "soak" => Command::Soak {
            minutes: "30".to_owned(),
        },
        "fuzz" => Command::Fuzz(Cases::default()),
        "accuracy" => Command::Accuracy { write: false },
        "shots" => Command::Shots {
            query: String::new(),
            out: None,
        },
        _ => {
            return Err(Failure::Usage(format!(
                "there is no command `{name}`\n\n{USAGE}"
            )));
        }
    };
    while let Some(option) = words.next() {
        let mut value = || {
            words
                .next()
                .ok_or_else(|| Failure::Usage(format!("`{option}` wants a value\n\n{USAGE}")))
        };
        match (option.as_str(), &mut command) {
            ("--help" | "-h", _) => return Ok(Command::Help),
            ("--dev", Command::Serve { dev, .. }) => *dev = true,
            ("--open", Command::Serve { open, .. }) => *open = true,
            ("--port", Command::Serve { port, .. }) => {
                let text = value()?;
                *port = Some(text.parse().map_err(|_| {
                    Failure::Usage(format!("`{text}` is not a port: 1 to 65535, or 0 for any"))
                })?);
            }
            ("--fast", Command::Test(choice)) => choice.fast = true,
            ("--only", Command::Test(choice)) => choice.only = Some(value()?),
            ("--only", Command::Fuzz(cases)) => cases.only = Some(value()?),
            ("--cases", Command::Fuzz(cases)) => cases.cases = Some(count(&value()?)?),
            ("--minutes", Command::Fuzz(cases)) => cases.minutes = Some(count(&value()?)?),
            ("--minutes", Command::Soak { minutes }) => *minutes = value()?,
            ("--write", Command::Accuracy { write }) => *write = true,
            ("--url-query", Command::Shots { query, .. }) => *query = value()?,
            ("--out", Command::Shots { out, .. } | Command::Guide { out }) => *out = Some(value()?),
            _ => {
                let what = format!("`{name}` has no option `{option}`\n\n{USAGE}");
                return Err(Failure::Usage(what));
            }
        }
    }
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Result<Command> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn the_documented_lines_are_understood() {
        assert_eq!(command("").unwrap(), Command::Help);
        assert_eq!(
            command("serve").unwrap(),
            Command::Serve {
                dev: false,
                port: None,
                open: false
            }
        );
        assert_eq!(
            command("serve --dev --port 9000 --open").unwrap(),
            Command::Serve {
                dev: true,
                port: Some(9000),
                open: true
            }
        );
        assert_eq!(
            command("test --fast").unwrap(),
            Command::Test(Choice {
                fast: true,
                only: None
            })
        );
        assert_eq!(
            command("accuracy --write").unwrap(),
            Command::Accuracy { write: true }
        );
        assert_eq!(command("test --help").unwrap(), Command::Help);
    }

    #[test]
    fn mistakes_are_named() {
        for (line, said) in [
            ("sevre", "no command `sevre`"),
            ("test --port 1", "`test` has no option `--port`"),
            ("dist --dev", "`dist` has no option `--dev`"),
            ("serve --port", "wants a value"),
            ("serve --port 99999", "is not a port"),
        ] {
            let failure = command(line).unwrap_err().to_string();
            assert!(failure.contains(said), "{line}: {failure}");
        }
    }
}
