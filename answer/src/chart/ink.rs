//! Colors of marks and text, named by their meaning; the theme maps each to an actual color.

use crate::picture::text;
use crate::theme::{Colour, Role, Series, Theme};

/// A line of text whose colors the theme has not resolved yet.
pub type Words = text::Words<Ink>;

/// The color of a mark or of text, named by its meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ink {
    /// The current scenario, and other marks or text to be emphasized.
    Strong,
    /// Notes and other secondary text.
    Soft,
    /// Axes, and parts of curves that are out of memory.
    Faint,
    /// Values that are better than the reference, and the plan in the headline.
    Accent,
    /// Values that are worse than the reference, and scenarios that are out of memory.
    Bad,
    /// The color of a role, such as attention or communication.
    Role(Role),
    /// The color of a data series.
    Series(Series),
    /// The color of a data series that is faded because another one is highlighted.
    Behind(Series),
}

impl Ink {
    /// Returns the color for a line or a point.
    pub fn line(self, theme: &Theme) -> Colour {
        match self {
            Self::Role(role) => theme.role(role).line,
            Self::Series(series) => theme.series(series).line,
            Self::Behind(series) => theme.series(series).line.with_alpha(0.4),
            other => other.text(theme),
        }
    }

    /// Returns the color for text on the page background.
    pub fn text(self, theme: &Theme) -> Colour {
        match self {
            Self::Strong => theme.ink_1,
            Self::Soft => theme.ink_2,
            Self::Faint => theme.ink_3,
            Self::Accent => theme.accent,
            Self::Bad => theme.bad,
            Self::Role(role) => theme.role(role).text,
            Self::Series(series) | Self::Behind(series) => theme.series(series).text,
        }
    }

    /// Returns the color of the current scenario, which depends on whether it fits in memory.
    pub const fn of_now(fits: bool) -> Self {
        if fits { Self::Strong } else { Self::Bad }
    }
}
