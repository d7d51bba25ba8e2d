//! Colors and markers of data series: accelerators, parallelism strategies, precisions, deployments.

use super::Colour;

/// A data series, which has a color and a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Series {
    /// The user’s scenario, with a circle as its marker.
    Own,
    /// The second series, with a square as its marker.
    Second,
    /// The third series, with a diamond as its marker.
    Third,
    /// The fourth series, with a triangle as its marker.
    Fourth,
    /// The fifth series, with a downward-pointing triangle as its marker.
    Fifth,
    /// The sixth series, with a cross as its marker.
    Sixth,
}

impl Series {
    /// All series.
    pub const ALL: [Self; 6] = [
        Self::Own,
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
    ];

    /// Returns the name of the series in CSS properties.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "series-own",
            Self::Second => "series-second",
            Self::Third => "series-third",
            Self::Fourth => "series-fourth",
            Self::Fifth => "series-fifth",
            Self::Sixth => "series-sixth",
        }
    }

    /// Returns the series of the `n`-th curve other than the user's, and a flag that is true if an earlier curve has
    /// the same series.
    pub const fn other(n: usize) -> (Self, bool) {
        let others = Self::ALL.len() - 1;
        (Self::ALL[1 + n % others], n >= others)
    }

    /// Returns the corners of the marker's outline around a point; empty for a circle. `reach` is the marker's
    /// approximate radius.
    pub fn marker(self, (x, y): (f64, f64), reach: f64) -> Vec<(f64, f64)> {
        let at = |corners: &[(f64, f64)]| {
            let place = |(dx, dy): &(f64, f64)| (x + dx * reach, y + dy * reach);
            corners.iter().map(place).collect()
        };
        match self {
            Self::Own => Vec::new(),
            Self::Second => at(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
            Self::Third => at(&[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)]),
            Self::Fourth => at(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
            Self::Fifth => at(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]),
            Self::Sixth => at(&[
                (-0.4, -1.1),
                (0.4, -1.1),
                (0.4, -0.4),
                (1.1, -0.4),
                (1.1, 0.4),
                (0.4, 0.4),
                (0.4, 1.1),
                (-0.4, 1.1),
                (-0.4, 0.4),
                (-1.1, 0.4),
                (-1.1, -0.4),
                (-0.4, -0.4),
            ]),
        }
    }
}

/// The colors of one data series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesColours {
    /// Color of lines and markers.
    pub line: Colour,
    /// Color of text on the page.
    pub text: Colour,
}

const fn series(line: u32, text: u32) -> SeriesColours {
    SeriesColours {
        line: Colour::opaque(line),
        text: Colour::opaque(text),
    }
}

/// Colors of the series in the light scheme, in the order of [`Series::ALL`].
pub const LIGHT: [SeriesColours; Series::ALL.len()] = [
    series(0x14181D, 0x14181D),
    series(0x45586F, 0x45586F),
    series(0x8A6F57, 0x8A6F57),
    series(0x7D8FA3, 0x5F7286),
    series(0x5D5347, 0x5D5347),
    series(0x93897C, 0x6F665A),
];

/// Colors of the series in the dark scheme, in the order of [`Series::ALL`].
pub const DARK: [SeriesColours; Series::ALL.len()] = [
    series(0xECEFF2, 0xECEFF2),
    series(0x8FA6BF, 0x8FA6BF),
    series(0xC9A887, 0xC9A887),
    series(0x6C8197, 0x8CA0B5),
    series(0xA39686, 0xA39686),
    series(0x7E766C, 0xA0978C),
];
