//! Reads launch commands: the program, its flags split into shell words, and environment variables.

use super::flags::is_switch;
use super::launch::{Launch, Server};
use super::names;
use super::said::At;

/// Programs that start an engine, each with its engine; the Boolean is true if a positional argument names the model.
const PROGRAMS: [(&str, Server, bool); 8] = [
    ("vllm serve", Server::Vllm, true),
    ("vllm.entrypoints.openai.api_server", Server::Vllm, false),
    ("vllm.entrypoints.api_server", Server::Vllm, false),
    ("vllm/vllm-openai", Server::Vllm, false),
    ("sglang.launch_server", Server::Sglang, false),
    ("sglang serve", Server::Sglang, true),
    ("trtllm-serve", Server::Trtllm, true),
    ("tensorrt_llm.commands.serve", Server::Trtllm, true),
];

const MOST_WORDS: usize = 500;

/// Reads the launch command on a line; returns `None` if the line does not launch a known program.
pub fn read(text: &str, line: u32) -> Option<Launch> {
    if !text.contains('/') && !text.contains(" -") {
        return None;
    }
    let (start, (program, server, names_model)) = PROGRAMS
        .iter()
        .filter_map(|row| Some((text.find(row.0)?, *row)))
        .min_by_key(|(start, _)| *start)?;
    let tail = text.get(start + program.len()..)?;
    // A sentence that only mentions a program has no flags after it.
    let words = words(tail);
    let asks = words
        .iter()
        .any(|word| word.starts_with('-') && word.len() > 1);
    let path = words.first().is_some_and(|word| word.contains('/'));
    let starts = asks || names_model && path;
    if !starts {
        return None;
    }
    let mut launch = Launch {
        server: Some(server),
        program: Some(At::new((), line)),
        ..Launch::default()
    };
    for word in text.get(..start)?.split_whitespace() {
        if let Some(("NCCL_P2P_DISABLE", "1")) = word.split_once('=') {
            launch.p2p_off = Some(At::new(true, line));
        }
    }
    take_words(&mut launch, server, names_model, &words, line);
    Some(launch)
}

fn take_words(launch: &mut Launch, server: Server, names_model: bool, words: &[String], line: u32) {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        if matches!(word.as_str(), "&" | "&&" | ";" | "|" | ">" | "2>&1") {
            break;
        }
        if !is_flag(word) {
            if names_model && launch.model.is_none() && names_a_model(word) {
                launch.model = Some(At::new(names::model(word), line));
            }
            continue;
        }
        let (name, inline) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        let next = words.get(at).filter(|next| !is_flag(next));
        let value = match inline {
            Some(value) => value,
            None if is_switch(server, name) => "true".to_owned(),
            None => {
                at += usize::from(next.is_some());
                next.cloned().unwrap_or_else(|| "true".to_owned())
            }
        };
        if !launch.take(server, name, &value, line) {
            launch
                .unread
                .push(At::new(name.chars().take(60).collect(), line));
        }
    }
}

fn names_a_model(word: &str) -> bool {
    word.contains('/') || names::model(word).entry.is_some()
}

/// True for a flag such as `-tp` or `--tp`, but not for a number such as `-1`.
fn is_flag(word: &str) -> bool {
    let bare = word.trim_start_matches('-');
    word.starts_with('-') && bare.starts_with(|mark: char| mark.is_ascii_alphabetic())
}

/// Splits text into words as a shell does; quoted text becomes one word without its quotes.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut open: Option<char> = None;
    let mut started = false;
    for mark in text.chars() {
        match open {
            Some(quote) if mark == quote => open = None,
            Some(_) => word.push(mark),
            None if matches!(mark, '\'' | '"') => {
                open = Some(mark);
                started = true;
            }
            None if mark.is_whitespace() || mark == '`' => {
                if started {
                    words.push(std::mem::take(&mut word));
                    started = false;
                }
                if words.len() > MOST_WORDS {
                    return words;
                }
            }
            None => {
                word.push(mark);
                started = true;
            }
        }
    }
    if started {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn words_are_a_shell_s() {
        let text = "  -tp 4 --x='{\"a\": 1}' \"two words\" '' `";
        assert_eq!(words(text), ["-tp", "4", "--x={\"a\": 1}", "two words", ""]);
    }

    #[test]
    fn sentences_are_no_commands() {
        assert!(read("we use vllm serve in production", 0).is_none());
        assert!(read("then `vllm serve` crashed - twice", 0).is_none());
        assert!(read("$ vllm serve a/b", 0).is_some());
        assert!(read("docker run vllm/vllm-openai:v1 --model a/b -tp 2", 0).is_some());
    }
}
