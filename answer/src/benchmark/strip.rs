//! Small plots inside table cells, with values on a logarithmic axis.

use model_core::math::ln;

/// The marks in one table cell, at positions between 0 (start of the axis) and 1 (end).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Strip {
    /// Start and end of each band, as positions from 0 to 1.
    pub ranges: Vec<[f64; 2]>,
    /// Position of the vertical line, from 0 to 1.
    pub tick: Option<f64>,
    /// Position of each point, from 0 to 1.
    pub dots: Vec<f64>,
}

/// Factor by which the axis extends beyond the smallest and the largest value.
const MARGIN: f64 = 1.15;
/// Maximum number of axis ticks.
const TICKS: usize = 5;

/// Returns a function from a value to its position on a logarithmic axis that spans all `values`. Also returns the
/// ticks: 1, 2 and 5 in every decade, thinned out to fit.
pub fn log_strip(
    values: &[f64],
    words: &dyn Fn(f64) -> String,
) -> (impl Fn(f64) -> f64 + use<>, Vec<(f64, String)>) {
    let positive = values.iter().copied();
    let positive = positive.filter(|value| value.is_finite() && *value > 0.0);
    let (low, high) = positive.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let (low, high) = match low <= high {
        true => (low / MARGIN, high * MARGIN),
        false => (0.5, 2.0),
    };
    let place = move |value: f64| (ln(value / low) / ln(high / low)).clamp(0.0, 1.0);
    let decades = (-6..9).map(|power| libm::pow(10.0, f64::from(power)));
    let all: Vec<f64> = decades
        .flat_map(|decade| [1.0, 2.0, 5.0].map(|digit| digit * decade))
        .filter(|value| (low..=high).contains(value))
        .collect();
    let every = all.len().div_ceil(TICKS).max(1);
    let ticks = all.iter().step_by(every);
    let ticks = ticks.map(|value| (place(*value), words(*value))).collect();
    (place, ticks)
}
