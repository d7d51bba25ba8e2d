//! Values with the line that states them, and parsing of numbers as benchmarks print them.

/// A value, and the line of the cleaned text that states it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct At<T> {
    /// The stated value.
    pub value: T,
    /// Line of the cleaned text, counted from 0.
    pub line: u32,
}

impl<T> At<T> {
    /// Creates a value that a line states.
    pub const fn new(value: T, line: u32) -> Self {
        Self { value, line }
    }

    /// Applies a function to the value, and leaves the line unchanged.
    pub fn map<U>(self, to: impl FnOnce(T) -> U) -> At<U> {
        At {
            value: to(self.value),
            line: self.line,
        }
    }
}

/// A number that a text may or may not state.
pub type Said = Option<At<f64>>;

/// Bounds on nonzero measurements: at least the first, and below the second. Within this range, products and
/// quotients of several numbers stay finite.
const RANGE: [f64; 2] = [1e-9, 1e15];

/// Returns the number if its size is plausible for a measurement.
pub fn sensible(value: f64) -> Option<f64> {
    let [least, most] = RANGE;
    let zero = value.abs() < f64::MIN_POSITIVE;
    (zero || (least..most).contains(&value)).then_some(value)
}

/// Parses the number that a word states: `1,834.18`, `4.1E+08`, `82.0%` as 82. Returns `None` for `inf`, `nan`, and
/// negative or too large numbers.
pub fn number(word: &str) -> Option<f64> {
    let word = word.trim().trim_matches(['"', '\'']);
    let word = word.trim_end_matches(['%', ',', ';']);
    if !word.starts_with(|mark: char| mark.is_ascii_digit() || mark == '.') {
        return None;
    }
    let value: f64 = match word.contains(',') {
        true => word.replace(',', "").parse().ok()?,
        false => word.parse().ok()?,
    };
    sensible(value)
}

/// Parses the number at the start of a text, whatever unit follows: `39.53 tok/s`, `24.9ms`.
pub fn leading(text: &str) -> Option<f64> {
    let text = text.trim_start();
    let mut end = 0;
    let mut before = ' ';
    for (at, mark) in text.char_indices() {
        let exponent = matches!(mark, 'e' | 'E')
            && before.is_ascii_digit()
            && text[at + 1..]
                .starts_with(|next: char| next.is_ascii_digit() || "+-".contains(next));
        let sign = matches!(mark, '+' | '-') && matches!(before, 'e' | 'E');
        if !(mark.is_ascii_digit() || matches!(mark, '.' | ',') || exponent || sign) {
            break;
        }
        end = at + 1;
        before = mark;
    }
    number(text[..end].trim_end_matches(['.', ',']))
}

/// Parses the number that follows `words` in the text.
pub fn after(text: &str, words: &str) -> Option<f64> {
    let start = text.find(words)? + words.len();
    leading(text.get(start..)?)
}

/// Returns the factor that converts a unit of time to seconds; 1 for any other unit.
pub fn factor(unit: &str) -> f64 {
    match unit.trim() {
        "ms" => 1e-3,
        "us" | "µs" => 1e-6,
        "ns" => 1e-9,
        _ => 1.0,
    }
}

/// Rounds a value to four significant digits, as in the permalink key `measured`.
pub fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn numbers_are_as_tools_print_them() {
        assert_eq!(number("\"1,834.18\""), Some(1834.18));
        assert_eq!(number("4.1823E+08"), Some(418_230_000.0));
        for none in ["inf", "nan", "-1", "", "1e99", "x1", "--", "٣", "1.2.3"] {
            assert_eq!(number(none), None, "{none}");
        }
        assert_eq!(leading(" 39.53 tok/s"), Some(39.53));
        assert_eq!(leading("24.9ms, x"), Some(24.9));
        assert_eq!(leading("1e3 x"), Some(1000.0));
        assert_eq!(leading("2 eggs"), Some(2.0));
        assert_eq!(leading("é"), None);
        assert_eq!(after("#queue-req: 50", "#queue-req:"), Some(50.0));
        assert!((four_digits(0.063_257_1) - 0.063_26).abs() < 1e-12);
    }
}
