//! Styled lines of text, and spots where blocks of lines may be placed.

use super::geometry::{Point, Rect, rect};

use crate::theme::{Colour, size};

/// One line of text in one size; its runs may differ in weight and color. `I` is a color, or an ink to which a theme
/// assigns a color later.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words<I = Colour> {
    pub runs: Vec<TextRun<I>>,
    pub size_px: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TextRun<I = Colour> {
    /// Text of the run, including the spaces around it.
    pub text: String,
    pub colour: I,
    pub bold: bool,
}

impl<I: Copy> Words<I> {
    pub fn sized(size_px: f64) -> Self {
        Self {
            runs: Vec::new(),
            size_px,
        }
    }

    pub fn label(text: impl Into<String>, colour: I) -> Self {
        Self::sized(size::LABEL_PX).and(text, colour)
    }

    pub fn note(text: impl Into<String>, colour: I) -> Self {
        Self::sized(size::ANNOTATION_PX).and(text, colour)
    }

    /// Creates a line of text for a tick or an axis name.
    pub fn tick(text: impl Into<String>, colour: I) -> Self {
        Self::sized(size::TICK_PX).and(text, colour)
    }

    /// Appends a run of text in regular weight.
    #[must_use]
    pub fn and(self, text: impl Into<String>, colour: I) -> Self {
        self.run(text, colour, false)
    }

    /// Appends a run of text in semibold.
    #[must_use]
    pub fn and_bold(self, text: impl Into<String>, colour: I) -> Self {
        self.run(text, colour, true)
    }

    #[must_use]
    pub fn bold(mut self) -> Self {
        for run in &mut self.runs {
            run.bold = true;
        }
        self
    }

    /// Returns this line with a comma and the text of another line appended, in the style of this line's last run.
    #[must_use]
    pub fn listing(&self, other: &Self) -> Self {
        let Some(last) = self.runs.last() else {
            return other.clone();
        };
        let texts = other.runs.iter().map(|run| run.text.as_str());
        let text = format!(", {}", texts.collect::<String>());
        self.clone().run(text, last.colour, last.bold)
    }

    fn run(mut self, text: impl Into<String>, colour: I, bold: bool) -> Self {
        self.runs.push(TextRun {
            text: text.into(),
            colour,
            bold,
        });
        self
    }

    /// Returns this line of text with each run's ink replaced by the result of `ink`.
    pub fn inked<J>(&self, ink: impl Fn(I) -> J) -> Words<J> {
        let run = |run: &TextRun<I>| TextRun {
            text: run.text.clone(),
            colour: ink(run.colour),
            bold: run.bold,
        };
        Words {
            runs: self.runs.iter().map(run).collect(),
            size_px: self.size_px,
        }
    }
}

impl Words {
    /// Returns the box of a line of text that is `width` px wide.
    pub fn bounds(&self, baseline: Point, align: Align, width: f64) -> Rect {
        let left = align.left(baseline.x, width);
        rect(
            left,
            baseline.y - ASCENT * self.size_px,
            left + width,
            baseline.y + DESCENT * self.size_px,
        )
    }

    /// Returns the baseline at which the capital letters and digits are vertically centered on `y`.
    pub fn baseline_about(&self, y: f64) -> f64 {
        y + HALF_CAPITAL * self.size_px
    }
}

/// Height above the baseline, as a fraction of the type size, that covers the capitals of every common sans serif
/// font.
pub const ASCENT: f64 = 0.76;
const DESCENT: f64 = 0.21;
const HALF_CAPITAL: f64 = 0.364;

/// Horizontal alignment of a text relative to the point where it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Start,
    Middle,
    End,
}

impl Align {
    /// Returns the left edge of a box that is `width` px wide and aligned at `x`.
    pub fn left(self, x: f64, width: f64) -> f64 {
        match self {
            Self::Start => x,
            Self::Middle => x - width / 2.0,
            Self::End => x - width,
        }
    }
}

/// Vertical position of a block of lines relative to its spot's point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The bottom edge of the block is at the spot's point.
    Above,
    /// The middle of the block is at the spot's point.
    Level,
    /// The top edge of the block is at the spot's point.
    Below,
}

/// A spot where a block of text lines may be placed: a point, and the block's position relative to it.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub at: Point,
    /// Horizontal alignment of the block relative to the spot's point, and of the lines within the block.
    pub align: Align,
    pub side: Side,
}

pub const fn spot(at: Point, align: Align, side: Side) -> Spot {
    Spot { at, align, side }
}

impl Spot {
    pub fn bounds(&self, width: f64, height: f64) -> Rect {
        let left = self.align.left(self.at.x, width);
        let top = match self.side {
            Side::Above => self.at.y - height,
            Side::Level => self.at.y - height / 2.0,
            Side::Below => self.at.y,
        };
        rect(left, top, left + width, top + height)
    }

    /// Returns this spot moved `by` px farther away from the labeled point.
    #[must_use]
    pub fn further(&self, by: f64) -> Self {
        let across = match self.align {
            Align::Start => by,
            Align::Middle => 0.0,
            Align::End => -by,
        };
        let down = match self.side {
            Side::Above => -by,
            Side::Level => 0.0,
            Side::Below => by,
        };
        let at = Point {
            x: self.at.x + across,
            y: self.at.y + down,
        };
        Self { at, ..*self }
    }
}
