//! Form of the source files.

use super::source::{files, none};

/// Folders with Rust sources.
const FOLDERS: [&str; 6] = ["model-core", "papers", "app", "worker", "tests", "xtask"];

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

/// A path on one machine has no meaning on another.
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
