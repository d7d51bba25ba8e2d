//! Controls line breaks in text: none between a value and its unit, and none within a fact.

/// Inserts non-breaking spaces between values and units: "24.5 ms", "100 GB/s".
pub fn glued(text: &str) -> String {
    const UNITS: [&str; 6] = ["ms", "GB/s", "TB/s", "GiB", "per", "GPUs"];
    let mut glued = String::with_capacity(text.len() + 8);
    let mut digit = false;
    for (at, letter) in text.char_indices() {
        let before_unit = || UNITS.iter().any(|unit| text[at + 1..].starts_with(unit));
        match letter {
            ' ' if digit && before_unit() => glued.push('\u{a0}'),
            _ => glued.push(letter),
        }
        digit = letter.is_ascii_digit();
    }
    glued.replace("per GPU", "per\u{a0}GPU")
}

/// Allows line breaks only between the facts of a summary. Each fact is then either entirely on the first line or cut
/// off.
pub fn whole_facts(summary: &str) -> String {
    let joined = ["-", "/"]
        .into_iter()
        .fold(summary.to_owned(), |text, mark| {
            text.replace(mark, &format!("{mark}\u{2060}"))
        });
    let kept = joined.replace(' ', "\u{a0}");
    kept.replace(",\u{a0}", "\u{200b},\u{a0}")
        .replace("\u{a0}·", "\u{200b}\u{a0}·")
}

#[cfg(test)]
mod tests {
    use super::{glued, whole_facts};

    #[test]
    fn values_keep_their_units() {
        assert_eq!(glued("for 24.5 ms of it"), "for 24.5\u{a0}ms of it");
        assert_eq!(glued("to 100 GB/s gives "), "to 100\u{a0}GB/s gives ");
        assert_eq!(glued("415 per GPU"), "415\u{a0}per\u{a0}GPU");
    }

    #[test]
    fn lines_break_between_facts_alone() {
        let kept = whole_facts("H100, 3.35 TB/s · two-batch");
        let facts: Vec<&str> = kept.split('\u{200b}').collect();
        assert_eq!(facts.len(), 3, "{facts:?}");
        assert!(!kept.contains(' ') && kept.contains("two-\u{2060}batch"));
    }
}
