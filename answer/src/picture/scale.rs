//! Scales that map values to positions and positions to values, with ticks.

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use std::ops::Range;

/// A linear or logarithmic scale over a range of values, its domain. As a coordinate of the plotters library, it maps
/// values to the units of a drawing surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    spacing: Spacing,
    low: f64,
    high: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Spacing {
    Linear,
    Log,
}

/// Smallest span of a linear domain, relative to the low end, so that a single point still gets an axis.
const LEAST_SPAN: f64 = 1e-9;

impl Scale {
    /// Creates a linear scale from `low` to `high`. A domain of zero width is widened.
    pub fn linear(low: f64, high: f64) -> Self {
        let least = low.abs().max(1e-12) * LEAST_SPAN;
        Self {
            spacing: Spacing::Linear,
            low,
            high: high.max(low + least),
        }
    }

    /// Creates a logarithmic scale from `low` to `high`, both positive. A domain of zero width is widened.
    pub fn log(low: f64, high: f64) -> Self {
        let low = low.max(f64::MIN_POSITIVE);
        Self {
            spacing: Spacing::Log,
            low,
            high: high.max(low * 1.001),
        }
    }

    pub fn low(&self) -> f64 {
        self.low
    }

    pub fn high(&self) -> f64 {
        self.high
    }

    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Returns the position of a value on the scale as a fraction: 0 at the low end, 1 at the high end.
    pub fn fraction(&self, value: f64) -> f64 {
        match self.spacing {
            Spacing::Linear => (value - self.low) / (self.high - self.low),
            Spacing::Log => {
                let value = value.max(f64::MIN_POSITIVE);
                libm::log10(value / self.low) / libm::log10(self.high / self.low)
            }
        }
    }

    /// Returns the value at a fraction: the inverse of [`Self::fraction`].
    pub fn value(&self, fraction: f64) -> f64 {
        match self.spacing {
            Spacing::Linear => self.low + fraction * (self.high - self.low),
            Spacing::Log => self.low * libm::pow(self.high / self.low, fraction),
        }
    }

    /// Returns at most about `most` labeled ticks. On a linear scale, they are multiples of 1, 2 or 5 times a power
    /// of ten. On a logarithmic scale, they are 1, 2 and 5 in each decade, or only powers of ten if there is little
    /// room.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        match self.spacing {
            Spacing::Linear => linear_ticks(self.low, self.high, most),
            Spacing::Log => log_ticks(self.low, self.high, most),
        }
    }

    /// Returns the short unlabeled ticks: 1 to 9 in each decade of a logarithmic scale. Returns none on a linear
    /// scale or over more than six decades.
    pub fn minor_ticks(&self) -> Vec<f64> {
        match self.spacing {
            Spacing::Linear => Vec::new(),
            Spacing::Log if libm::log10(self.high / self.low) > 6.0 => Vec::new(),
            Spacing::Log => decades(self.low, self.high)
                .flat_map(|decade| (1..10).map(move |digit| decade * f64::from(digit)))
                .filter(|tick| self.holds(*tick))
                .collect(),
        }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let (start, end) = (f64::from(limit.0), f64::from(limit.1));
        (start + self.fraction(*value) * (end - start)).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<f64> {
        self.ticks(hint.max_num_points())
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

pub fn positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

/// Returns the minimum and maximum of the given nonnegative values.
pub fn extent(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let none = (f64::INFINITY, 0.0_f64);
    let wider = |(low, high): (f64, f64), value| (low.min(value), high.max(value));
    values.into_iter().fold(none, wider)
}

/// Returns the step of a linear axis that divides `span` into at most `most` parts: 1, 2 or 5 times a power of ten.
pub fn nice_step(span: f64, most: usize) -> f64 {
    ceil_125(span / most.max(1) as f64 * 0.999_999)
}

/// Returns the step of a batch axis that divides `span` into at most `most` parts. The step is a power of two from 1
/// up. If a step of 0.5 or less suffices, it is that of [`nice_step`].
pub fn binary_step(span: f64, most: usize) -> f64 {
    let rough = span / most.max(1) as f64;
    if rough <= 0.5 {
        return nice_step(span, most);
    }
    libm::pow(2.0, libm::ceil(libm::log2(rough)))
}

/// Returns the multiples of `step` from `low` to `high`, at most 100.
pub fn multiples(low: f64, high: f64, step: f64) -> Vec<f64> {
    if !(step > 0.0 && step.is_finite() && high >= low) {
        return Vec::new();
    }
    let first = libm::ceil(low / step - 1e-9);
    let number = (libm::floor(high / step + 1e-9) - first + 1.0).clamp(0.0, 100.0) as usize;
    (0..number).map(|i| (first + i as f64) * step).collect()
}

fn linear_ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    multiples(low, high, nice_step(high - low, most))
}

fn log_ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    let spread = libm::log10(high / low);
    let (digits, every): (&[f64], i32) = match spread * 3.0 <= most as f64 + 1.0 {
        true => (&[1.0, 2.0, 5.0], 1),
        false => (
            &[1.0],
            libm::ceil(spread / most.max(1) as f64).max(1.0) as i32,
        ),
    };
    exponents(low, high)
        .filter(|exponent| exponent.rem_euclid(every) == 0)
        .flat_map(|exponent| {
            digits
                .iter()
                .map(move |digit| digit * power_of_ten(exponent))
        })
        .filter(|tick| *tick >= low * (1.0 - 1e-9) && *tick <= high * (1.0 + 1e-9))
        .collect()
}

fn decades(low: f64, high: f64) -> impl Iterator<Item = f64> {
    exponents(low, high).map(power_of_ten)
}

fn exponents(low: f64, high: f64) -> impl Iterator<Item = i32> {
    let first = libm::floor(libm::log10(low) + 1e-12) as i32;
    let last = libm::floor(libm::log10(high) + 1e-12) as i32;
    first..=last
}

fn power_of_ten(exponent: i32) -> f64 {
    libm::pow(10.0, f64::from(exponent))
}

/// Returns 1, 2 and 5 in the decade of a positive value, and the first round number of the next decade.
fn round_numbers(value: f64) -> [f64; 4] {
    let decade = power_of_ten(libm::floor(libm::log10(value) + 1e-12) as i32);
    [1.0, 2.0, 5.0, 10.0].map(|digit| digit * decade)
}

/// Returns the largest number at or below a positive value that is 1, 2 or 5 times a power of ten.
pub fn floor_125(value: f64) -> f64 {
    let numbers = round_numbers(value);
    let below = numbers
        .iter()
        .rfind(|number| **number <= value * (1.0 + 1e-12));
    *below.unwrap_or(&numbers[0])
}

/// Returns the smallest number at or above a positive value that is 1, 2 or 5 times a power of ten.
pub fn ceil_125(value: f64) -> f64 {
    let numbers = round_numbers(value);
    let above = numbers
        .iter()
        .find(|number| **number >= value * (1.0 - 1e-12));
    *above.unwrap_or(&numbers[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-12)
    }

    #[test]
    fn scales_are_pairs_of_inverse_functions() {
        for scale in [
            Scale::linear(-3.0, 17.0),
            Scale::linear(0.0, 1e15),
            Scale::log(20.0, 3000.0),
            Scale::log(1e-6, 1e9),
        ] {
            for i in 0..=40 {
                let fraction = f64::from(i) / 40.0;
                assert!(close(scale.fraction(scale.value(fraction)), fraction));
                let value = scale.value(fraction);
                assert!(close(scale.value(scale.fraction(value)), value));
            }
        }
    }

    #[test]
    fn ticks_are_one_two_five() {
        assert_eq!(
            Scale::log(20.0, 3000.0).ticks(9),
            [20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0]
        );
        assert_eq!(Scale::log(0.01, 1e6).ticks(9).len(), 9);
        assert_eq!(
            Scale::linear(0.0, 164.0).ticks(5),
            [0.0, 50.0, 100.0, 150.0]
        );
        assert_eq!(
            Scale::linear(0.0, 80.0).ticks(5),
            [0.0, 20.0, 40.0, 60.0, 80.0]
        );
        assert_eq!(multiples(0.0, 512.0, binary_step(512.0, 8)).len(), 9);
        assert_eq!(Scale::log(20.0, 100.0).minor_ticks().len(), 9);
        assert!(
            close(floor_125(73.0), 50.0)
                && close(floor_125(0.21), 0.2)
                && close(floor_125(1000.0), 1000.0)
        );
        assert!(
            close(ceil_125(73.0), 100.0)
                && close(ceil_125(0.21), 0.5)
                && close(ceil_125(1000.0), 1000.0)
        );
    }

    #[test]
    fn a_domain_without_extent_still_has_a_scale() {
        for scale in [
            Scale::linear(5.0, 5.0),
            Scale::linear(0.0, 0.0),
            Scale::log(7.0, 7.0),
            Scale::log(0.0, 0.0),
        ] {
            assert!(scale.fraction(scale.low()).is_finite());
            assert!(scale.ticks(5).iter().all(|tick| tick.is_finite()));
        }
    }
}
