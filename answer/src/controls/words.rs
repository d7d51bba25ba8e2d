//! Labels of a number's control: name, unit, symbol, help.

/// Labels of a number's control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlWords {
    /// Label of the slider: "Scale-out".
    pub name: &'static str,
    /// In a button or a sentence: "EP", "GPUs".
    pub short: &'static str,
    /// Qualifier in lighter type: "per GPU, one way".
    pub whose: &'static str,
    /// After the value: "GB/s".
    pub unit: &'static str,
    /// The papers' symbol and its index: ("W", "out").
    pub symbol: (&'static str, &'static str),
    /// Meaning and effect, in one or two sentences.
    pub help: &'static str,
    /// Source.
    pub source: &'static str,
}

/// [`ControlWords`] from its fields, in their order.
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
