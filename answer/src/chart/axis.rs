//! Axes of a plot, and how a number is written.

use super::frame::{self, Plot, room};
use crate::picture::pen::Pen;
use crate::picture::scale::{Scale, multiples, nice_step};
use crate::words::format;
use std::borrow::Cow;

/// Format of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Digits {
    /// `8.51`
    Sig3,
    /// `1.40k`
    #[default]
    Si,
    /// `18,432`
    Count,
    /// Sequences: `256`, `0.5`
    Batch,
    /// As a source prints it.
    Printed,
    /// `$332`
    Dollars,
    /// `36%`, of a percentage.
    Percent,
    /// `1.44×`
    Factor,
    /// Context: `64k`
    Tokens,
    /// `79.8 ms`, of milliseconds.
    Duration,
    /// `1.1 MiB`, of mebibytes.
    Mebi,
}

impl Digits {
    /// The number in words.
    pub fn words(self, value: f64) -> String {
        match self {
            Self::Sig3 => format::sig3(value),
            Self::Si => format::si(value),
            Self::Count => format::count(value),
            Self::Batch => format::batch(value),
            Self::Printed => format::printed(value),
            Self::Dollars => format::dollars(value),
            Self::Percent => format::share(value / 100.0),
            Self::Factor => format::factor(value),
            Self::Tokens => format::tokens(value),
            Self::Duration => format::duration(value / 1e3).to_string(),
            Self::Mebi => format::mebi(value * 1_048_576.0),
        }
    }
}

/// Ticks of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ticks {
    /// As many as have room.
    #[default]
    Si,
    /// Powers of four, in tokens.
    Tokens,
    /// Multiples of a step, or of a power of two of it where there is less room; finer on an axis that has few.
    Every(f64),
    /// None, half and all.
    Shares,
}

/// An axis of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its name with unit and "log".
    pub name: Cow<'static, str>,
    pub scale: Scale,
    /// Format of a hit's value on it.
    pub digits: Digits,
    pub ticks: Ticks,
    /// A value in bold that comes before the ticks, in words.
    pub bold: Option<(f64, String)>,
}

impl Axis {
    /// A linear axis between two values.
    pub fn linear(name: impl Into<Cow<'static, str>>, low: f64, high: f64) -> Self {
        Self::new(name, Scale::linear(low, high))
    }

    /// A logarithmic axis between two positive values.
    pub fn log(name: impl Into<Cow<'static, str>>, low: f64, high: f64) -> Self {
        Self::new(name, Scale::log(low, high))
    }

    /// An axis of a scale.
    pub fn new(name: impl Into<Cow<'static, str>>, scale: Scale) -> Self {
        Self {
            name: name.into(),
            scale,
            digits: Digits::default(),
            ticks: Ticks::default(),
            bold: None,
        }
    }

    /// The same with other ticks.
    #[must_use]
    pub fn ticked(self, ticks: Ticks) -> Self {
        Self { ticks, ..self }
    }

    /// Values of its ticks, up to `most` where a scale allows, and the format of their labels.
    fn ticks(&self, most: usize) -> (Vec<f64>, fn(f64) -> String) {
        let (low, high) = (self.scale.low(), self.scale.high());
        match self.ticks {
            Ticks::Si => (self.scale.ticks(most), format::si_tick),
            Ticks::Tokens => {
                let powers = (4..=10).map(|power| f64::from(1_u32 << (2 * power)));
                let held = powers.filter(|at| self.scale.holds(*at));
                (held.collect(), format::tokens)
            }
            Ticks::Every(step) => {
                let span = high - low;
                let few = span < 2.0 * step;
                let mut step = if few {
                    nice_step(span, most).max(1.0)
                } else {
                    step
                };
                while span / step > most as f64 {
                    step *= 2.0;
                }
                (multiples(low, high, step), format::count)
            }
            Ticks::Shares => (vec![0.0, 0.5, 1.0], format::share),
        }
    }

    /// Draws it below a plot.
    pub fn draw_below(&self, pen: &mut Pen<'_>, plot: &Plot, name: &str) {
        let (ticks, words) = self.ticks(room(plot.area.width(), 44.0));
        let axis = frame::Axis::of(pen, ticks, words, name);
        let mut axis = axis.first(pen, self.bold.clone());
        if self.ticks != Ticks::Tokens {
            axis.minor = self.scale.minor_ticks();
        }
        frame::x_axis(pen, plot, &axis);
    }

    /// Draws it left of a plot: ticks at least this many px between, its name on a baseline above.
    pub fn draw_left(
        &self,
        pen: &mut Pen<'_>,
        plot: &Plot,
        apart_px: f64,
        (name, at): (&str, f64),
    ) {
        let (ticks, words) = self.ticks(room(plot.area.height(), apart_px));
        let axis = frame::Axis::of(pen, ticks, words, name);
        frame::y_axis(pen, plot, &axis.first(pen, self.bold.clone()), at);
    }

    /// The same with its values written in other digits.
    #[must_use]
    pub fn written(self, digits: Digits) -> Self {
        Self { digits, ..self }
    }
}
