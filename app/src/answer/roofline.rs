//! Data of "Compute or memory?": operators against the roofs of their formats.

use model_core::cost::roofline::Bound as Side;
use model_core::evaluate::Timed;
use model_core::ops::{Kind, OperatorRole};
use model_core::precision::Format;

use super::{Evaluated, names, threshold};
use crate::charts::{OperatorBound, OperatorPoint, Peak, RooflineData, RooflinePosition, Roofs};

/// Every operator of the step, and the roofs of the formats in use.
pub fn data(case: &Evaluated, pinned: Option<&Evaluated>) -> RooflineData {
    let passes = case.scenario.plan.passes();
    let total: f64 = case
        .evaluation
        .timed(&case.scenario)
        .map(|timed| timed.time.get() * f64::from(timed.layers) * passes)
        .sum();
    let operators = case
        .evaluation
        .timed(&case.scenario)
        .map(|timed| {
            let kind = timed.operator.kind;
            let time = timed.time.get() * f64::from(timed.layers) * passes;
            OperatorPoint {
                name: names::operator_name(case, &timed),
                role: names::role(kind.role()),
                peak: peak_index(case, kind.role()),
                position: position(&timed),
                bound: match timed.bound {
                    Side::Memory => OperatorBound::Memory,
                    Side::Compute => OperatorBound::Compute,
                },
                time_s: time,
                share_of_step: time / total,
                reads_kv: timed.operator.kv.get() > 0.5 * timed.operator.bytes().get(),
                ridge_batch_per_gpu: ridge_batch(case, &timed),
                pinned: pinned.and_then(|pinned| {
                    // Of the same mixer if it has that, else of its first.
                    let name = names::operator_name(case, &timed);
                    let theirs = || pinned.evaluation.timed(&pinned.scenario);
                    let alike = |other: &Timed| other.operator.kind == kind;
                    theirs()
                        .find(|other| alike(other) && names::operator_name(pinned, other) == name)
                        .or_else(|| theirs().find(alike))
                        .map(|timed| position(&timed))
                }),
            }
        })
        .collect();
    let now = roofs(case);
    RooflineData {
        operators,
        pinned_roofs: pinned.map(roofs).filter(|theirs| *theirs != now),
        roofs: now,
        source: "max(FLOP ÷ peak, bytes ÷ bandwidth) with the calibration's factors, [A] 3.5"
            .into(),
    }
}

fn formats(case: &Evaluated) -> Vec<Format> {
    let precision = &case.scenario.precision;
    let mut formats = vec![precision.attention_format];
    if precision.ffn_format != precision.attention_format {
        formats.push(precision.ffn_format);
    }
    formats
}

fn roofs(case: &Evaluated) -> Roofs {
    let cluster = &case.scenario.cluster;
    let peak = |format: Format| {
        Some(Peak {
            format: format.id().to_ascii_uppercase(),
            flop_per_s: cluster.peaks.of(format)?.get(),
        })
    };
    Roofs {
        hbm_bytes_per_s: cluster.hbm.get(),
        peaks: formats(case).into_iter().filter_map(peak).collect(),
    }
}

fn peak_index(case: &Evaluated, part: OperatorRole) -> usize {
    match part {
        OperatorRole::Attention | OperatorRole::Head => 0,
        OperatorRole::Dense | OperatorRole::Experts => formats(case).len() - 1,
    }
}

fn position(timed: &Timed) -> RooflinePosition {
    RooflinePosition {
        intensity_flop_per_byte: timed.intensity,
        achieved_flop_per_s: (timed.operator.flop / timed.time).get(),
    }
}

/// The batch per GPU at which an operator's intensity reaches the ridge point of its format.
///
/// All but the experts' weights are the same at every batch and the rest is proportional to it, so
/// F b/(W + A b) = RP gives b; experts are also loaded one by one, so theirs is searched.
fn ridge_batch(case: &Evaluated, timed: &Timed) -> Option<f64> {
    let part = timed.operator.kind.role();
    let limits = &case.limits;
    let ridge = match part {
        OperatorRole::Attention | OperatorRole::Head => limits.ridge_attention,
        OperatorRole::Dense | OperatorRole::Experts => limits.ridge_ffn,
    };
    let now = case.batch_per_gpu();
    if timed.operator.kind == Kind::Experts {
        return threshold(1e-3, 1e6, |batch| {
            case.at(batch).is_some_and(|evaluation| {
                let mut operators = evaluation.timed(&case.scenario);
                operators
                    .find(|other| other.operator.kind == Kind::Experts)
                    .is_some_and(|experts| experts.intensity >= ridge)
            })
        });
    }
    let moving = (timed.operator.kv + timed.operator.activations).get() / now;
    let excess = timed.operator.flop.get() / now - ridge * moving;
    let batch = ridge * timed.operator.weights.get() / excess;
    (excess > 0.0 && batch > 0.0).then_some(batch)
}
