//! Shortens parts of a permalink so that notes can quote them.

/// Maximum number of characters of an unknown key or value that a note quotes.
const QUOTED: usize = 40;

/// Returns the beginning of `text`, without control characters, as quoted in notes.
pub(super) fn quote(text: &str) -> String {
    let mut short: String = text
        .chars()
        .filter(|c| !c.is_control())
        .take(QUOTED)
        .collect();
    if text.chars().count() > QUOTED {
        short.push('…');
    }
    short
}
