//! Quotes of a link in notes.

/// Characters of a foreign key or value that a note repeats.
const QUOTED: usize = 40;

/// The beginning of `text`, without control characters.
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
