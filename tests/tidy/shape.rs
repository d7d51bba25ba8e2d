//! Tests of the form of the source files.

use super::source::{files, none};

const FOLDERS: [&str; 9] = [
    "answer",
    "guide",
    "model-core",
    "papers",
    "ridgepoint",
    "app",
    "worker",
    "tests",
    "xtask",
];

#[test]
fn every_file_has_a_heading() {
    let found: Vec<String> = FOLDERS
        .iter()
        .flat_map(|folder| files(folder, ".rs"))
        .filter(|file| !file.text.trim_start().starts_with("//!"))
        .map(|file| file.path)
        .collect();
    none("a file begins with a line of `//!`", &found);
}

#[test]
fn no_doc_comment_begins_with_a_question() {
    const QUESTIONS: [&str; 5] = ["What", "Whether", "How", "Where", "Why"];
    let mut found = Vec::new();
    for file in FOLDERS.iter().flat_map(|folder| files(folder, ".rs")) {
        let mut is_inside = false;
        for (number, line) in file.text.lines().enumerate() {
            let line = line.trim_start();
            let text = line.strip_prefix("///").or(line.strip_prefix("//!"));
            let first = text.and_then(|text| text.split_whitespace().next());
            if !is_inside && first.is_some_and(|word| QUESTIONS.contains(&word)) {
                found.push(format!("{}:{}: {line}", file.path, number + 1));
            }
            is_inside = text.is_some();
        }
    }
    none("a doc comment begins with a question", &found);
}

/// Checks that no file contains a path that exists only on one developer's machine.
#[test]
fn no_file_names_a_machine() {
    // In pieces, so that this file has none.
    let homes = [
        ["/ho", "me/"],
        ["/ro", "ot/"],
        ["/Us", "ers/"],
        ["/wo", "rk/"],
    ]
    .map(|p| p.concat());
    let mut found = Vec::new();
    for ending in [".rs", ".toml", ".md", ".css", ".js", ".html"] {
        for file in files("", ending) {
            for (number, line) in file.text.lines().enumerate() {
                let named = homes.iter().any(|home| {
                    line.match_indices(home.as_str()).any(|(at, _)| {
                        // Not the end of an address or of a relative path.
                        let before = line[..at].chars().last();
                        before.is_none_or(|letter| !letter.is_alphanumeric() && letter != '.')
                    })
                });
                if named {
                    found.push(format!("{}:{}: {}", file.path, number + 1, line.trim()));
                }
            }
        }
    }
    none("a path of a machine", &found);
}
