//! Inks by their meaning; the theme gives each its color.

use crate::picture::text;
use crate::theme::{Colour, Role, Series, Theme};

/// A line of words in inks that no theme has colored yet.
pub type Words = text::Words<Ink>;

/// The color of a mark or of words, by its meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ink {
    /// The scenario, and what matters most.
    Strong,
    /// Notes.
    Soft,
    /// Axes, and what is out of memory.
    Faint,
    /// Better, and the plan of the headline.
    Accent,
    /// Worse, out of memory.
    Bad,
    /// A part of the model.
    Role(Role),
    /// A data series.
    Series(Series),
    /// A data series behind the one that is pointed at.
    Behind(Series),
}

impl Ink {
    /// Its color as a line or a point.
    pub fn line(self, theme: &Theme) -> Colour {
        match self {
            Self::Role(role) => theme.role(role).line,
            Self::Series(series) => theme.series(series).line,
            Self::Behind(series) => theme.series(series).line.with_alpha(0.4),
            other => other.text(theme),
        }
    }

    /// Its color as words on the page.
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

    /// Ink of the scenario, which fits in memory or not.
    pub const fn of_now(fits: bool) -> Self {
        if fits { Self::Strong } else { Self::Bad }
    }
}
