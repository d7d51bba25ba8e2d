//! Fits correction factors for the parts of TPOT to measured times.
//!
//! The logs of the factors, θ = (θ_F, θ_V, θ_P), minimize Σ_i (ln(m_i/T_i))²/0.05² + θᵀC⁻¹θ. Here m_i are the measured
//! times, and T_i = Σ_k q_ik e^θ_k are the corrected times, with computed parts q_ik. The prior covariance C = 0.5² J +
//! diag(0.25², 0.25², 0.5²) allows one factor common to all parts, and a separate factor for each part. The solution is
//! found by Gauss–Newton steps that change no log by more than 1.

use super::parts::Parts;
use crate::correction::Correction;
use crate::math;
use crate::units::Seconds;

/// Standard deviation of the log of a measured time.
const NOISE: f64 = 0.05;
/// Prior standard deviation of the log of the factor common to all parts of TPOT.
const COMMON: f64 = 0.5;
/// Prior standard deviations of the logs of the separate factors. Order: fixed time, variable time, prefill.
const OWN: [f64; 3] = [0.25, 0.25, 0.5];
/// Maximum number of Gauss–Newton steps.
const STEPS: usize = 60;
/// Convergence threshold: the fit stops when no log factor changes by more than this.
const CONVERGED: f64 = 1e-12;

type Vector = [f64; 3];
type Matrix = [Vector; 3];

/// Returns the correction fitted to the measurements. If `prefill_known` is true, a measured TTFT already corrects
/// prefill, so the fit gives prefill no factor.
pub(super) fn correction(
    points: &[(Parts, Seconds)],
    before: Correction,
    prefill_known: bool,
) -> Correction {
    let [fixed, variable, prefill] = logarithms(points, prefill_known).map(math::exp);
    Correction {
        fixed,
        variable,
        prefill,
        ..before
    }
}

/// Returns θ, the logs of the correction factors, fitted to measured times and the computed parts of TPOT. θ_P
/// (prefill) is zero if `prefill_known`.
pub fn logarithms(points: &[(Parts, Seconds)], prefill_known: bool) -> Vector {
    let prior = prior(if prefill_known { 2 } else { 3 });
    let mut theta = [0.0; 3];
    for _ in 0..STEPS {
        let next = step(points, &prior, prefill_known, &theta);
        let change: Vector = std::array::from_fn(|k| next[k] - theta[k]);
        let most = change
            .iter()
            .fold(0.0, |most: f64, one| most.max(one.abs()));
        let share = (1.0 / most).min(1.0);
        for (one, change) in theta.iter_mut().zip(change) {
            *one += share * change;
        }
        if most < CONVERGED {
            break;
        }
    }
    theta
}

/// Returns the inverse C⁻¹ of the prior covariance for the first `count` factors, by the Sherman–Morrison formula.
/// The logs of the remaining factors are held at zero.
fn prior(count: usize) -> Matrix {
    let own = |k: usize| 1.0 / (OWN[k] * OWN[k]);
    let common = COMMON * COMMON;
    let sum: f64 = (0..count).map(own).sum();
    let shared = common / (1.0 + common * sum);
    std::array::from_fn(|row| {
        std::array::from_fn(|column| match (row == column, row.max(column) < count) {
            (true, true) => own(row) - shared * own(row) * own(row),
            (false, true) => -shared * own(row) * own(column),
            (diagonal, false) => f64::from(u8::from(diagonal)),
        })
    })
}

/// Returns the next Gauss–Newton θ: (GᵀG/0.05² + C⁻¹)⁻¹ Gᵀr/0.05² with G_ik = q_ik e^θ_k/T_i and r_i = ln(m_i/T_i) +
/// Σ_k G_ik θ_k.
fn step(
    points: &[(Parts, Seconds)],
    prior: &Matrix,
    prefill_known: bool,
    theta: &Vector,
) -> Vector {
    let (mut matrix, mut right) = (*prior, [0.0; 3]);
    let weight = 1.0 / (NOISE * NOISE);
    for (parts, measured) in points {
        let parts = parts.as_array();
        let mut times: Vector = std::array::from_fn(|k| parts[k] * math::exp(theta[k]));
        let total: f64 = times.iter().sum();
        if prefill_known {
            times[2] = 0.0;
        }
        let slopes = times.map(|time| time / total);
        let along: f64 = slopes
            .iter()
            .zip(theta)
            .map(|(slope, one)| slope * one)
            .sum();
        let off = math::ln(measured.get() / total) + along;
        for row in 0..3 {
            right[row] += weight * slopes[row] * off;
            for column in 0..3 {
                matrix[row][column] += weight * slopes[row] * slopes[column];
            }
        }
    }
    solved(matrix, right)
}

/// Solves a symmetric positive definite linear system by elimination.
fn solved(mut matrix: Matrix, mut right: Vector) -> Vector {
    for pivot in 0..3 {
        for row in pivot + 1..3 {
            let above = matrix[pivot];
            let factor = matrix[row][pivot] / above[pivot];
            for (value, above) in matrix[row].iter_mut().zip(above) {
                *value -= factor * above;
            }
            right[row] -= factor * right[pivot];
        }
    }
    let mut found = [0.0; 3];
    for row in (0..3).rev() {
        let known: f64 = (row + 1..3).map(|k| matrix[row][k] * found[k]).sum();
        found[row] = (right[row] - known) / matrix[row][row];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(parts: [f64; 3], measured: f64) -> (Parts, Seconds) {
        let [fixed, variable, prefill] = parts.map(Seconds::new);
        let parts = Parts {
            fixed,
            variable,
            prefill,
        };
        (parts, Seconds::new(measured))
    }

    #[test]
    fn prior_is_the_inverse_of_the_covariance() {
        let covariance = |row: usize, column: usize| {
            let own = if row == column {
                OWN[row] * OWN[row]
            } else {
                0.0
            };
            COMMON * COMMON + own
        };
        for count in [2, 3] {
            let inverse = prior(count);
            let product = |row: usize, column: usize| -> f64 {
                let line = inverse.iter().take(count).enumerate();
                line.map(|(k, of)| covariance(row, k) * of[column]).sum()
            };
            for (row, column) in (0..count).flat_map(|row| (0..count).map(move |at| (row, at))) {
                let unit = f64::from(u8::from(row == column));
                let found = product(row, column);
                assert!((found - unit).abs() < 1e-12, "{row} {column}: {found}");
            }
        }
    }

    #[test]
    fn computed_times_change_nothing() {
        let exact = point([0.25, 0.5, 0.25], 1.0);
        let zero = [0.0_f64.to_bits(); 3];
        let bits = |points: &[(Parts, Seconds)]| logarithms(points, false).map(f64::to_bits);
        assert_eq!(bits(&[exact, exact]), zero);
        assert_eq!(bits(&[]), zero);
    }

    #[test]
    fn known_prefill_has_no_factor() {
        let [fixed, variable, prefill] = logarithms(&[point([1.0, 2.0, 1.0], 6.0)], true);
        assert!(fixed > 0.0 && variable > 0.0);
        assert_eq!(prefill.to_bits(), 0.0_f64.to_bits());
    }
}
