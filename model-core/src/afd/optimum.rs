//! Maximizes a function of one variable by grid search and golden-section search.

use crate::math;

/// Grid points per doubling of the argument.
const STEPS: f64 = 4.0;
/// Number of golden-section steps around a grid point; they narrow the interval by a factor of 0.618⁶⁰ = 3·10⁻¹³.
const SECTIONS: u32 = 60;

/// Returns the argument between `low` and `high`, both above zero, that maximizes `value`.
///
/// Assumes that `value` grows at most proportionally to its argument, and has at most one peak between two adjacent
/// grid points.
pub fn greatest(value: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let step = math::pow(2.0, 1.0 / STEPS);
    let mut grid = vec![(low, value(low))];
    let mut at = low * step;
    // Skip a grid point within rounding of `high`: either of the two may have the larger value and mask a peak before
    // them.
    while at < high * (1.0 - 1e-9) && grid.len() < 2000 {
        grid.push((at, value(at)));
        at *= step;
    }
    grid.push((high, value(high)));
    let mut best = grid
        .iter()
        .copied()
        .fold((low, f64::NEG_INFINITY), |most, next| {
            if next.1 > most.1 { next } else { most }
        });
    let worth = best.1 / (step * step);
    for index in 0..grid.len() {
        let before = grid[index.saturating_sub(1)];
        let after = grid[(index + 1).min(grid.len() - 1)];
        let (_, here) = grid[index];
        if here >= worth && here >= before.1 && here >= after.1 {
            let found = section(&value, before.0, after.0);
            if found.1 > best.1 {
                best = found;
            }
        }
    }
    best.0
}

/// Finds the peak of `value` between two arguments by golden-section search; returns the peak's argument and value.
fn section(value: impl Fn(f64) -> f64, low: f64, high: f64) -> (f64, f64) {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (low, high);
    let inner = |low: f64, high: f64| {
        let width = GOLDEN * (high - low);
        (high - width, low + width)
    };
    let (left, right) = inner(low, high);
    let (mut left, mut right) = ((left, value(left)), (right, value(right)));
    for _ in 0..SECTIONS {
        if left.1 >= right.1 {
            high = right.0;
            right = left;
            let at = inner(low, high).0;
            left = (at, value(at));
        } else {
            low = left.0;
            left = right;
            let at = inner(low, high).1;
            right = (at, value(at));
        }
    }
    if left.1 >= right.1 { left } else { right }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_and_kinks_are_found() {
        for place in [0.013, 0.5, 1.0, 7.77, 4096.0, 9e5] {
            let smooth = greatest(|x| x / (x * x + place * place), 1e-3, 1e7);
            assert!((smooth / place - 1.0).abs() < 1e-6, "{smooth} for {place}");
            let kink = greatest(|x| x.min(place * place / x), 1e-3, 1e7);
            assert!((kink / place - 1.0).abs() < 1e-12, "{kink} for {place}");
        }
        // The last grid point differs from the end only by rounding, and its value is lower by as much.
        let rounded = |x: f64| if x < 128.0 { 1.0 } else { 1.0 + 1e-14 };
        let value = |x: f64| x / (x * x + 127.9 * 127.9) * rounded(x);
        let found = greatest(value, 1.0 / 16_384.0, 128.0);
        assert!((found / 127.9 - 1.0).abs() < 1e-6, "{found}");
        // The higher of two peaks, and a peak at an end.
        let two = |x: f64| {
            x.min(4.0 / x)
                .max((x / 50.0).min(50.0 * 1.05 * 1.05 * 4.0 / x))
        };
        let found = greatest(two, 1e-3, 1e6);
        assert!(found > 50.0, "{found}");
        assert!((greatest(|x| x, 0.1, 3.3) - 3.3).abs() < 1e-12);
        assert!((greatest(|x| 1.0 / x, 0.1, 3.3) - 0.1).abs() < 1e-12);
    }
}
