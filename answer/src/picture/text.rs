//! Styled lines of text, and spots for blocks of lines.

use super::geometry::{Point, Rect, rect};

use crate::theme::{Colour, size};

/// One line of text in one size, in which words may be bold or lighter than others; `I` is a color, or an
/// ink that a theme colors later.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words<I = Colour> {
    /// The stretches of one color and weight.
    pub runs: Vec<TextRun<I>>,
    pub size_px: f64,
}

/// Words of one color and weight.
#[derive(Clone, Debug, PartialEq)]
pub struct TextRun<I = Colour> {
    /// The words, with the spaces around them.
    pub text: String,
    pub colour: I,
    pub bold: bool,
}

impl<I: Copy> Words<I> {
    /// An empty line of a size.
    pub fn sized(size_px: f64) -> Self {
        Self {
            runs: Vec::new(),
            size_px,
        }
    }

    /// The label of a mark.
    pub fn label(text: impl Into<String>, colour: I) -> Self {
        Self::sized(size::LABEL_PX).and(text, colour)
    }

    /// An annotation.
    pub fn note(text: impl Into<String>, colour: I) -> Self {
        Self::sized(size::ANNOTATION_PX).and(text, colour)
    }

    /// A tick or an axis name.
    pub fn tick(text: impl Into<String>, colour: I) -> Self {
        Self::sized(size::TICK_PX).and(text, colour)
    }

    /// Appends a run in regular type.
    #[must_use]
    pub fn and(self, text: impl Into<String>, colour: I) -> Self {
        self.run(text, colour, false)
    }

    /// Appends a run in semibold.
    #[must_use]
    pub fn and_bold(self, text: impl Into<String>, colour: I) -> Self {
        self.run(text, colour, true)
    }

    /// The same line, every run in semibold.
    #[must_use]
    pub fn bold(mut self) -> Self {
        for run in &mut self.runs {
            run.bold = true;
        }
        self
    }

    /// This line, a comma, and the words of another one, set as this one ends.
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

    /// The same line in other inks.
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
    /// The box of the line when it is `width` wide.
    pub fn bounds(&self, baseline: Point, align: Align, width: f64) -> Rect {
        let left = align.left(baseline.x, width);
        rect(
            left,
            baseline.y - ASCENT * self.size_px,
            left + width,
            baseline.y + DESCENT * self.size_px,
        )
    }

    /// The baseline that centers capitals and figures on `y`.
    pub fn baseline_about(&self, y: f64) -> f64 {
        y + HALF_CAPITAL * self.size_px
    }
}

/// Of the type size, above and below the baseline: capitals and descenders of every common sans serif.
pub const ASCENT: f64 = 0.76;
const DESCENT: f64 = 0.21;
const HALF_CAPITAL: f64 = 0.364;

/// Horizontal alignment of a text at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Start,
    Middle,
    End,
}

impl Align {
    /// The left edge of something `width` wide that is aligned at `x`.
    pub fn left(self, x: f64, width: f64) -> f64 {
        match self {
            Self::Start => x,
            Self::Middle => x - width / 2.0,
            Self::End => x - width,
        }
    }
}

/// Vertical side of a place on which a block stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Its bottom is there.
    Above,
    /// Its middle is there.
    Level,
    /// Its top is there.
    Below,
}

/// A place a block of lines may take.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub at: Point,
    /// Alignment of the block and its lines.
    pub align: Align,
    pub side: Side,
}

/// A place for a block.
pub const fn spot(at: Point, align: Align, side: Side) -> Spot {
    Spot { at, align, side }
}

impl Spot {
    /// The box of a block of that size here.
    pub fn bounds(&self, width: f64, height: f64) -> Rect {
        let left = self.align.left(self.at.x, width);
        let top = match self.side {
            Side::Above => self.at.y - height,
            Side::Level => self.at.y - height / 2.0,
            Side::Below => self.at.y,
        };
        rect(left, top, left + width, top + height)
    }

    /// The same, `by` px further off to its own side.
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
