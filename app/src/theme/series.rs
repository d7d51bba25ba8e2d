//! Curves that are no role: plan families, deployments side by side.

use super::Colour;

/// A curve among several of a kind, which is no role: plan families, deployments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Series {
    /// The plainest.
    Plain,
    /// A first kind.
    First,
    /// A second kind.
    Second,
    /// A third kind.
    Third,
}

impl Series {
    /// Every series.
    pub const ALL: [Self; 4] = [Self::Plain, Self::First, Self::Second, Self::Third];

    /// The name among the CSS properties.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "series-plain",
            Self::First => "series-first",
            Self::Second => "series-second",
            Self::Third => "series-third",
        }
    }
}

/// One series' colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesColours {
    /// As a line or a dot.
    pub line: Colour,
    /// As text on the page.
    pub text: Colour,
}

const fn series(line: u32, text: u32) -> SeriesColours {
    SeriesColours {
        line: Colour::opaque(line),
        text: Colour::opaque(text),
    }
}

/// The light scheme's series, in the order of [`Series::ALL`].
pub const LIGHT: [SeriesColours; Series::ALL.len()] = [
    series(0x6A7480, 0x545E69),
    series(0xC2335F, 0xB02C55),
    series(0x3C9A50, 0x2A7038),
    series(0x5B3FC4, 0x5238B5),
];

/// The dark scheme's series, in the same order.
pub const DARK: [SeriesColours; Series::ALL.len()] = [
    series(0x97A3AF, 0xAEB8C2),
    series(0xF0648C, 0xF58AA8),
    series(0x6CC47C, 0x86D394),
    series(0x9F8BFF, 0xB4A5FF),
];
