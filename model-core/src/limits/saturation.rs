//! Finds the batches that saturate compute, as evaluated.

use crate::cost::roofline::Bound;
use crate::evaluate::{Timed, with_batch};
use crate::inputs::Number;
use crate::math::bisect;
use crate::ops::OperatorRole;
use crate::scenario::Scenario;

/// Batches at and above which attention and FFN are compute-bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saturation {
    /// Batch at and above which the largest projection of attention is compute-bound.
    pub attention: Option<f64>,
    /// Batch at and above which the experts, or the weight matrices of a dense FFN, are compute-bound.
    pub ffn: Option<f64>,
}

/// Returns the smallest whole batches at and above which the largest operators of attention and of the FFN are
/// compute-bound. The scenario's schedule and calibration apply.
///
/// [B]'s B_attn and B_moe ([`super::Limits`]) are the counterparts for a single batch at full speed, if only weights
/// are read. Splitting into two half batches, slower memory, and activation traffic shift the result. A field is `None`
/// if no batch in the range of the permalink key saturates compute.
pub fn saturation(scenario: &Scenario) -> Saturation {
    let roles = |role: OperatorRole| role.layers(&scenario.arch) > 0;
    let ffn = if roles(OperatorRole::Experts) {
        OperatorRole::Experts
    } else {
        OperatorRole::Dense
    };
    Saturation {
        attention: saturates(scenario, OperatorRole::Attention),
        ffn: saturates(scenario, ffn),
    }
}

fn saturates(scenario: &Scenario, role: OperatorRole) -> Option<f64> {
    let saturated = |batch: f64| {
        let Ok(evaluation) = with_batch(scenario, batch) else {
            return false;
        };
        let weights = |timed: &Timed| timed.operator.weights.get();
        let heaviest = evaluation
            .timed(scenario)
            .filter(|timed| timed.operator.kind.role() == role)
            .reduce(|most, next| {
                if weights(&next) > weights(&most) {
                    next
                } else {
                    most
                }
            });
        heaviest.is_some_and(|timed| timed.bound == Bound::Compute)
    };
    // A few rows that do not fill a tile are compute-bound too, so saturation has to hold for every larger batch.
    let most = Number::Batch.spec().most;
    let (mut from, mut batch) = (None, 1.0);
    let mut before = false;
    while batch <= most {
        let now = saturated(batch);
        if now && !before {
            from = Some(batch);
        }
        before = now;
        batch *= 2.0;
    }
    let high = from.filter(|_| before)?;
    let [_, first] = bisect((high / 2.0).floor(), high, |batch| !saturated(batch));
    Some(first)
}
