//! Texts of the slider that sets a number: name, unit, symbol and help.

/// Texts of the slider that sets a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlWords {
    /// Label of the slider: "Scale-out".
    pub name: &'static str,
    /// Short name for a button or a sentence: "EP", "GPUs".
    pub short: &'static str,
    /// Qualifier after the name, in lighter type: "per GPU, one way".
    pub whose: &'static str,
    /// Unit after the value: "GB/s".
    pub unit: &'static str,
    /// Symbol that the papers use, and its index: ("W", "out").
    pub symbol: (&'static str, &'static str),
    /// Help text: meaning and effect, in one or two sentences.
    pub help: &'static str,
    /// Source of the slider's number or of its default: a paper, a vendor, a log.
    pub source: &'static str,
}

/// Builds [`ControlWords`] from its fields, in declaration order.
pub const fn words(
    name: &'static str,
    short: &'static str,
    whose: &'static str,
    unit: &'static str,
    symbol: (&'static str, &'static str),
    help: &'static str,
    source: &'static str,
) -> ControlWords {
    ControlWords {
        name,
        short,
        whose,
        unit,
        symbol,
        help,
        source,
    }
}
