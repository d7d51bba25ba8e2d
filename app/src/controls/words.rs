//! The words around a number: what it is called, whose it is, and what it means.

/// The words around a number's control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// Beside the slider: "Scale-out".
    pub name: &'static str,
    /// In a button or a sentence: "EP", "GPUs".
    pub short: &'static str,
    /// Whose it is and which way, lighter: "per GPU, one way".
    pub whose: &'static str,
    /// After the value: "GB/s".
    pub unit: &'static str,
    /// The papers' symbol and its index: ("W", "out").
    pub symbol: (&'static str, &'static str),
    /// What it means and does.
    pub help: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

/// The words of a row.
pub const fn words(
    name: &'static str,
    short: &'static str,
    whose: &'static str,
    unit: &'static str,
    symbol: (&'static str, &'static str),
    help: &'static str,
    source: &'static str,
) -> Words {
    Words {
        name,
        short,
        whose,
        unit,
        symbol,
        help,
        source,
    }
}
