//! The command line: its options and permalinks. It is identical in the native program and under Node.

use model_core::account::{Explained, Quantity};

/// Text printed by `--help`.
pub const HELP: &str = "\
Usage: ridgepoint [OPTIONS] [LINK]...
       ridgepoint --read [FILE]

Evaluates Ridgepoint links: what limits an LLM deployment, and what would help. Prints a line of JSON for
each link, in seconds, bytes and rates per second. Without LINK, links are read from a pipe, one per line.

  ridgepoint '?v=3&model=deepseek-v3&gpu=h200&gpus=16'
  ridgepoint --explain tpot --text '?v=3&model=gpt-oss-120b&gpu=h100'
  ridgepoint --no-levers < links.txt > results.jsonl

Quote links: they contain `&` and `?`. Keys and fields are listed in docs/links.md.

Options:
  --no-levers         without the list of what would help: ten times as fast
  --search            the plans of each link and their frontier, as in the Plans view
  --explain NUMBER    where a number comes from, such as tpot, tok_s_gpu, memory or ttft
      --text          as indented text
      --markdown      as a nested list
  --read [FILE]       turns a pasted benchmark, of FILE or a pipe, into a link
  -h, --help          prints this
  -V, --version       prints the version

Exit code: 0 if every link has an answer; 1 if a scenario is invalid (`\"ok\": false`) or has no such number, or
if no plan of a search fits; 2 if the command line is wrong or input cannot be read.";

/// A parsed command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Prints a text, such as the help.
    Print(String),
    /// Answers these permalinks. If the list is empty, answers permalinks from standard input.
    Links(Work, Vec<String>),
    /// Reads a pasted benchmark from a file, or from standard input.
    Read(Option<String>),
}

/// Type of answer that is computed for a permalink.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Result of the scenario, with or without levers (suggested changes).
    Evaluate {
        /// True if the list of changes that would help is included.
        levers: bool,
    },
    /// The plans found by a search.
    Search,
    /// The derivation of a number.
    Explain(Explained, Form),
}

/// Output format of a derivation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One line of JSON.
    Json,
    /// Indented text.
    Text,
    /// A nested Markdown list.
    Markdown,
}

impl Command {
    /// Parses the arguments after the program's name. Errors: the mistake, described for the user.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut words = words.into_iter();
        let mut options = Options::default();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-h" | "--help" => return Ok(Self::Print(HELP.to_owned())),
                "-V" | "--version" => {
                    let version = concat!("ridgepoint ", env!("CARGO_PKG_VERSION"));
                    return Ok(Self::Print(version.to_owned()));
                }
                "--no-levers" | "--search" | "--read" => options.choose(&word, None)?,
                "--explain" => {
                    let number = words.next().ok_or_else(|| {
                        format!("--explain needs the name of a number: {}", numbers())
                    })?;
                    let found = Explained::of_id(&number);
                    let found = found.ok_or_else(|| {
                        format!("there is no number `{number}`; choose one of {}", numbers())
                    })?;
                    options.choose(&word, Some(found))?;
                }
                "--text" => options.form = Some(Form::Text),
                "--markdown" => options.form = Some(Form::Markdown),
                _ if word.starts_with('-') => {
                    return Err(format!("there is no option `{word}`"));
                }
                _ => options.rest.push(word),
            }
        }
        options.command()
    }
}

#[derive(Default)]
struct Options {
    /// The option that selected the type of answer, if any.
    chosen: Option<String>,
    explained: Option<Explained>,
    form: Option<Form>,
    /// Remaining arguments: permalinks, or the file to read.
    rest: Vec<String>,
}

impl Options {
    fn choose(&mut self, option: &str, explained: Option<Explained>) -> Result<(), String> {
        match self.chosen.replace(option.to_owned()) {
            Some(before) => Err(format!("use {before} or {option}, not both")),
            None => {
                self.explained = explained;
                Ok(())
            }
        }
    }

    fn command(self) -> Result<Command, String> {
        if self.form.is_some() && self.explained.is_none() {
            return Err("--text and --markdown need --explain".to_owned());
        }
        let work = match (self.chosen.as_deref(), self.explained) {
            (Some("--read"), _) => {
                let mut files = self.rest.into_iter();
                let file = files.next();
                return match files.next() {
                    Some(_) => Err("--read takes one file".to_owned()),
                    None => Ok(Command::Read(file)),
                };
            }
            (_, Some(explained)) => Work::Explain(explained, self.form.unwrap_or(Form::Json)),
            (Some("--search"), _) => Work::Search,
            (option, _) => Work::Evaluate {
                levers: option.is_none(),
            },
        };
        // A permalink without a key would mean all defaults, so it is more likely a mistake.
        match self.rest.iter().find(|link| !link.contains('=')) {
            Some(link) => Err(format!(
                "`{link}` is not a link: it has no key, as in '?v=3&model=deepseek-v3'"
            )),
            None => Ok(Command::Links(work, self.rest)),
        }
    }
}

/// Returns a list of the numbers that `--explain` accepts.
fn numbers() -> String {
    let mut text = String::new();
    for quantity in Quantity::ALL {
        text.push_str(quantity.id());
        text.push_str(", ");
    }
    text + "operator-1, operator-2…"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Command, String> {
        Command::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_choose_the_work() {
        let link = || vec!["?v=3&gpus=8".to_owned()];
        let evaluate = |levers| Work::Evaluate { levers };
        let tpot = Explained::Quantity(Quantity::Tpot);
        for (line, expected) in [
            ("", Command::Links(evaluate(true), Vec::new())),
            ("?v=3&gpus=8", Command::Links(evaluate(true), link())),
            (
                "--no-levers ?v=3&gpus=8",
                Command::Links(evaluate(false), link()),
            ),
            ("?v=3&gpus=8 --search", Command::Links(Work::Search, link())),
            (
                "--explain tpot ?v=3&gpus=8 --text",
                Command::Links(Work::Explain(tpot, Form::Text), link()),
            ),
            ("--read", Command::Read(None)),
            ("--read log.txt", Command::Read(Some("log.txt".to_owned()))),
            ("--help --serach", Command::Print(HELP.to_owned())),
        ] {
            assert_eq!(parse(line), Ok(expected), "{line}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (line, said) in [
            ("--serach", "no option `--serach`"),
            ("hello", "`hello` is not a link"),
            ("--explain", "name of a number: tpot"),
            ("--explain tpto ?v=3", "no number `tpto`"),
            ("--search --no-levers ?v=3", "--search or --no-levers"),
            ("--text ?v=3", "need --explain"),
            ("--read a b", "one file"),
        ] {
            let why = parse(line).unwrap_err();
            assert!(why.contains(said), "{line}: {why}");
        }
    }
}
