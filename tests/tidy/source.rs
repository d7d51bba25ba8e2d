//! Access to the files of the project, for tests that check their text.

use std::fs;
use std::path::{Path, PathBuf};

/// A file of the checkout.
pub struct File {
    /// Path from the root of the checkout, separated by `/`.
    pub path: String,
    /// Complete text of the file.
    pub text: String,
}

/// Skipped folders: build output and third-party code.
const SKIPPED: [&str; 4] = ["target", "dist", "node_modules", ".git"];

/// Returns the root of the checkout.
pub fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("tests lie in the checkout")
        .to_owned()
}

/// Returns the text of a file in the checkout.
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns every text file with this ending under a folder of the checkout, sorted by path.
pub fn files(folder: &str, ending: &str) -> Vec<File> {
    let mut found = Vec::new();
    collect(&root().join(folder), ending, &mut found);
    found.sort_by(|left: &File, right: &File| left.path.cmp(&right.path));
    assert!(!found.is_empty(), "no {ending} in {folder}");
    found
}

fn collect(folder: &Path, ending: &str, found: &mut Vec<File>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if path.is_dir() {
            if !SKIPPED.contains(&name.as_ref()) {
                collect(&path, ending, found);
            }
        } else if name.ends_with(ending) {
            // Skip files that are not text.
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            let inside = path.strip_prefix(root()).expect("under the root");
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            found.push(File {
                path: parts.join("/"),
                text,
            });
        }
    }
}

impl File {
    /// Returns the numbered lines of code, without comments and tests.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let all_tests = self.path.contains("/tests/") || self.path.ends_with("/tests.rs");
        let end = match self.text.find("\n#[cfg(test)]\nmod tests {") {
            _ if all_tests => 0,
            Some(begin) => begin,
            None => self.text.len(),
        };
        self.text[..end]
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
            .map(|(index, line)| (index + 1, line))
    }

    /// Returns every line of code that contains one of `words`, preceded by `path:line`.
    pub fn lines_with(&self, words: &[&str]) -> Vec<String> {
        self.code()
            .filter(|(_, line)| words.iter().any(|word| line.contains(word)))
            .map(|(number, line)| format!("{}:{number}: {}", self.path, line.trim()))
            .collect()
    }
}

/// Returns the lines of code under a folder that contain one of `words`, except in the files `except`. Also returns
/// each exception that is not needed.
pub fn offenders(folder: &str, words: &[&str], except: &[&str]) -> Vec<String> {
    let files = files(folder, ".rs");
    let excused = |file: &&File| except.contains(&file.path.as_str());
    let idle = except.iter().filter(|path| {
        let file = files.iter().find(|file| file.path == **path);
        file.is_none_or(|file| file.lines_with(words).is_empty())
    });
    files
        .iter()
        .filter(|file| !excused(file))
        .flat_map(|file| file.lines_with(words))
        .chain(idle.map(|path| format!("{path} is excused and needs no excuse")))
        .collect()
}

/// Fails with one line per offender, if there is any.
pub fn none(rule: &str, offenders: &[String]) {
    assert!(offenders.is_empty(), "{rule}\n  {}", offenders.join("\n  "));
}

#[test]
fn an_idle_excuse_is_an_offence() {
    let idle = ["tests/tidy/gone.rs", "tests/tidy/main.rs"];
    let found = offenders("tests/tidy", &["§"], &idle);
    assert!(
        idle.iter()
            .all(|path| found.iter().any(|line| line.starts_with(path))),
        "{found:?}"
    );
}

#[test]
fn searches_leave_out_comments_and_tests() {
    let file = |path: &str| {
        File {
        path: path.to_owned(),
        text: "//! About std::time.\nuse std::time::Instant;\n// std::time\n    let x = 1.0_f64.ln();\n\
               \n#[cfg(test)]\nmod tests {\n    use std::time::Duration;\n}\n"
            .to_owned(),
    }
    };
    let program = file("model-core/src/clock.rs");
    assert_eq!(
        program.lines_with(&["std::time"]),
        ["model-core/src/clock.rs:2: use std::time::Instant;"]
    );
    assert_eq!(program.lines_with(&[".ln("]).len(), 1);
    for tests in [
        "answer/src/charts/tests/clock.rs",
        "answer/src/charts/tests.rs",
    ] {
        assert!(file(tests).lines_with(&["std::time"]).is_empty());
    }
}
