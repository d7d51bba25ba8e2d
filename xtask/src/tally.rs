//! Counts tests from the output of test programs.

use std::fmt;
use std::ops::AddAssign;

/// Numbers of passed and failed tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests that passed.
    pub passed: u32,
    /// Tests that failed.
    pub failed: u32,
}

impl Tally {
    /// Adds the counts of a test result line; other lines are ignored.
    ///
    /// The test harnesses of Rust and wasm-bindgen print the same line:
    /// `test result: ok. 12 passed; 0 failed; 0 ignored; …`.
    pub fn read(&mut self, line: &str) {
        let Some((_, counts)) = line.split_once("test result: ") else {
            return;
        };
        self.passed += count(counts, " passed").unwrap_or_default();
        self.failed += count(counts, " failed").unwrap_or_default();
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// Returns the number in front of a word: `12` for `passed` in `ok. 12 passed; …`.
fn count(counts: &str, word: &str) -> Option<u32> {
    counts
        .split_once(word)?
        .0
        .split_whitespace()
        .last()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(lines: &[&str]) -> Tally {
        let mut tally = Tally::default();
        lines.iter().for_each(|line| tally.read(line));
        tally
    }

    #[test]
    fn result_lines_of_both_harnesses() {
        let lines = [
            "running 13 tests",
            "test a ... ok",
            "test result: FAILED. 12 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.1s",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.00s",
            "the test result is that 9 passed; 9 failed",
        ];
        assert_eq!(
            tally(&lines),
            Tally {
                passed: 15,
                failed: 1
            }
        );
    }

    #[test]
    fn a_coloured_line_counts_too() {
        let line = "test result: \u{1b}[32mok\u{1b}[0m. 7 passed; 0 failed; 0 ignored";
        assert_eq!(
            tally(&[line]),
            Tally {
                passed: 7,
                failed: 0
            }
        );
    }
}
