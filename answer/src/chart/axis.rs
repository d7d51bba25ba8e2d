//! Axes of a plot, and the formats of their numbers.

use super::frame::{self, Plot, room};
use crate::picture::pen::Pen;
use crate::picture::scale::{Scale, multiples, nice_step};
use crate::words::format;
use std::borrow::Cow;

/// Format of a number on an axis or in a tooltip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Digits {
    /// Three significant digits: `8.51`
    Sig3,
    /// SI prefix: `1.40k`
    #[default]
    Si,
    /// All digits: `18,432`
    Count,
    /// Number of sequences: `256`, `0.5`
    Batch,
    /// Up to four digits without trailing zeros, as in publications: `989.5`, `8`
    Printed,
    /// US dollars: `$332`
    Dollars,
    /// Percentage: `36%` for the value 36.
    Percent,
    /// Factor: `1.44×`
    Factor,
    /// Context in tokens: `64k`
    Tokens,
    /// Duration: `79.8 ms` for a value in milliseconds.
    Duration,
    /// Memory: `1.1 MiB` for a value in mebibytes.
    Mebi,
}

impl Digits {
    /// Formats a number in this format.
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

/// Rule that selects the ticks of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ticks {
    /// As many ticks as fit, with SI prefixes.
    #[default]
    Si,
    /// Ticks at powers of four, in tokens.
    Tokens,
    /// Ticks at multiples of a step. If they do not fit, the step is doubled until they do; if they are too few, a
    /// finer step is used.
    Every(f64),
    /// Ticks at 0%, 50% and 100%.
    Shares,
}

/// An axis of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Name of the axis, with its unit and "log" if it is logarithmic.
    pub name: Cow<'static, str>,
    pub scale: Scale,
    /// Format of the selected value, shown in a box on this axis.
    pub digits: Digits,
    pub ticks: Ticks,
    /// A value with its label in bold, which takes precedence over the ticks.
    pub bold: Option<(f64, String)>,
}

impl Axis {
    /// Creates a linear axis between two values.
    pub fn linear(name: impl Into<Cow<'static, str>>, low: f64, high: f64) -> Self {
        Self::new(name, Scale::linear(low, high))
    }

    /// Creates a logarithmic axis between two positive values.
    pub fn log(name: impl Into<Cow<'static, str>>, low: f64, high: f64) -> Self {
        Self::new(name, Scale::log(low, high))
    }

    /// Creates an axis with this scale, and with default ticks and number format.
    pub fn new(name: impl Into<Cow<'static, str>>, scale: Scale) -> Self {
        Self {
            name: name.into(),
            scale,
            digits: Digits::default(),
            ticks: Ticks::default(),
            bold: None,
        }
    }

    /// Returns this axis with other ticks.
    #[must_use]
    pub fn ticked(self, ticks: Ticks) -> Self {
        Self { ticks, ..self }
    }

    /// Returns the tick values (at most `most`, if the scale allows it) and a function that formats their labels.
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

    /// Draws the axis below a plot.
    pub fn draw_below(&self, pen: &mut Pen<'_>, plot: &Plot, name: &str) {
        let (ticks, words) = self.ticks(room(plot.area.width(), 44.0));
        let axis = frame::Axis::of(pen, ticks, words, name);
        let mut axis = axis.first(pen, self.bold.clone());
        if self.ticks != Ticks::Tokens {
            axis.minor = self.scale.minor_ticks();
        }
        frame::x_axis(pen, plot, &axis);
    }

    /// Draws the axis left of a plot, with ticks at least `apart_px` from each other. The name is above the plot, at
    /// the given baseline.
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

    /// Returns this axis with another number format.
    #[must_use]
    pub fn written(self, digits: Digits) -> Self {
        Self { digits, ..self }
    }
}
