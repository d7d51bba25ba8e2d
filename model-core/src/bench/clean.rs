//! Cleans a pasted text: removes colors and process-name prefixes, joins continued lines, and returns a list of
//! lines.

use std::borrow::Cow;

use crate::startup_log::MOST_BYTES;

/// Max number of lines read from a paste, enough for a result file of 500 rows.
const MOST_LINES: usize = 20_000;

/// A line of the cleaned text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Text of the line.
    pub text: String,
    /// First line of the paste that this line came from, counted from 0.
    pub first: u32,
    /// Last line of the paste that this line came from, counted from 0.
    pub last: u32,
}

/// A pasted text after cleaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Lines of the cleaned text.
    pub lines: Vec<Line>,
    /// True if the paste was truncated because it was longer than [`MOST_BYTES`] or 20,000 lines.
    pub cut: bool,
}

/// Cleans at most the first [`MOST_BYTES`] bytes and 20,000 lines of a paste; drops a line that the byte limit cuts.
/// Removes byte order marks, ANSI colors and prefixes such as `(APIServer pid=4131)`; joins lines that end in `\`
/// with the next line.
pub fn clean(paste: &str) -> Text {
    let (kept, cut) = capped(paste);
    let mut lines: Vec<Line> = Vec::new();
    let mut continues = false;
    let mut raws = (0..).zip(kept.lines());
    for (number, raw) in raws.by_ref().take(MOST_LINES) {
        let plain = without_colors(raw.trim_start_matches('\u{feff}'));
        let line = without_prefix(plain.trim_end());
        let (line, open) = match line.strip_suffix('\\') {
            Some(line) => (line.trim_end(), true),
            None => (line, false),
        };
        match lines.last_mut().filter(|_| continues) {
            Some(before) => {
                before.text.push(' ');
                before.text.push_str(line.trim_start());
                before.last = number;
            }
            None => lines.push(Line {
                text: line.to_owned(),
                first: number,
                last: number,
            }),
        }
        continues = open;
    }
    let cut = cut || raws.next().is_some();
    Text { lines, cut }
}

/// Returns the part of the paste that is read, and true if the paste was cut. A cut is made at a line end, so that no
/// number is split.
fn capped(paste: &str) -> (&str, bool) {
    if paste.len() <= MOST_BYTES {
        return (paste, false);
    }
    let end = (0..=MOST_BYTES)
        .rev()
        .find(|at| paste.is_char_boundary(*at));
    let head = &paste[..end.unwrap_or(0)];
    let whole = head.rfind('\n').map_or(head, |at| &head[..at]);
    (whole, true)
}

/// Removes terminal escape sequences and all control characters except tabs.
fn without_colors(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|mark| mark.is_control() && mark != '\t') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut marks = text.chars().peekable();
    while let Some(mark) = marks.next() {
        match mark {
            '\u{1b}' if marks.peek() == Some(&'[') => {
                marks.next();
                for next in marks.by_ref() {
                    if ('@'..='~').contains(&next) {
                        break;
                    }
                }
            }
            '\t' => plain.push(mark),
            _ if mark.is_control() => {}
            _ => plain.push(mark),
        }
    }
    Cow::Owned(plain)
}

/// Removes up to two prefixes that name the process or container that printed the line.
fn without_prefix(text: &str) -> &str {
    let process = |text: &'_ str| {
        let inside = text.strip_prefix('(')?;
        let end = inside.find(')')?;
        inside.get(..end)?.contains(" pid=").then_some(end + 2)
    };
    let container = |text: &'_ str| {
        let end = text.find(" | ")?;
        let name = text.get(..end)?.trim_end();
        let of_name = |mark: char| mark.is_ascii_alphanumeric() || "-_.".contains(mark);
        let is_name = name.ends_with(|mark: char| mark.is_ascii_digit()) && name.contains('-');
        (is_name && name.chars().all(of_name)).then_some(end + 3)
    };
    let mut rest = text;
    for _ in 0..2 {
        let end = process(rest).or_else(|| container(rest));
        rest = end.and_then(|end| rest.get(end..)).unwrap_or(rest);
        if end.is_some() {
            rest = rest.trim_start();
        }
    }
    rest
}

#[cfg(test)]
mod tests {

    use super::*;

    fn lines(paste: &str) -> Vec<String> {
        clean(paste)
            .lines
            .into_iter()
            .map(|line| line.text)
            .collect()
    }

    #[test]
    fn decoration_goes_and_continued_lines_join() {
        let paste = "\u{feff}\u{1b}[32m(APIServer pid=41) INFO x\u{1b}[0m\r\nvllm-1  | a\r\n$ run \\\n  --tp 8 \\\n  -q\n| a | b |";
        assert_eq!(
            lines(paste),
            ["INFO x", "a", "$ run --tp 8 -q", "| a | b |"]
        );
        let joined = &clean(paste).lines[2];
        assert_eq!((joined.first, joined.last), (2, 4));
    }

    #[test]
    fn long_text_is_cut_at_a_line() {
        let line = "é".repeat(300_000) + "\n";
        let text = clean(&line.repeat(4));
        assert!(text.cut);
        assert_eq!(text.lines.len(), 1);
        assert!(!clean("a\nb").cut);
    }
}
