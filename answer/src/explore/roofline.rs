//! Data of "Compute or memory?": operators vs. the roofline of each compute format.

use model_core::cost::roofline::Bound as Side;
use model_core::evaluate::Timed;
use model_core::ops::{Kind, OperatorRole};
use model_core::precision::Format;
use model_core::units::Seconds;

use crate::case::{Evaluated, threshold};
use crate::charts::{OperatorBound, OperatorPoint, Peak, RooflineData, RooflinePosition, Roofs};
use crate::words::names;

/// Returns every operator of the step, and the rooflines of the formats in use.
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
                name: names::operator_name(&case.scenario.arch, &timed),
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
                    // Use the operator of the same attention type if the pinned LLM has it, else its first operator
                    // of this kind.
                    let name = names::operator_name(&case.scenario.arch, &timed);
                    let theirs = || pinned.evaluation.timed(&pinned.scenario);
                    let alike = |other: &Timed| other.operator.kind == kind;
                    theirs()
                        .find(|other| {
                            alike(other)
                                && names::operator_name(&pinned.scenario.arch, other) == name
                        })
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
        source: "max(FLOP ÷ peak, bytes ÷ bandwidth), calibrated, [A] 3.5".into(),
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
    let peak = |(place, format): (usize, Format)| {
        let flop_per_s = cluster.peaks.of(format)?.get();
        Some(Peak {
            format: format.id().to_ascii_uppercase(),
            flop_per_s,
            bound_flop_per_byte: compute_bound_from(case, place)
                .unwrap_or(flop_per_s / cluster.hbm.get()),
        })
    };
    Roofs {
        hbm_bytes_per_s: cluster.hbm.get(),
        peaks: formats(case)
            .into_iter()
            .enumerate()
            .filter_map(peak)
            .collect(),
    }
}

/// Returns the calibrated intensity above which operators that use this compute peak are compute-bound. This is the
/// ridge point of the longest-running operator, clamped so that memory-bound operators are below it and compute-bound
/// ones are above.
fn compute_bound_from(case: &Evaluated, peak: usize) -> Option<f64> {
    let rates = &case.evaluation.rates;
    let (mut most, mut from) = (Seconds::ZERO, None);
    let (mut low, mut high) = (0.0_f64, f64::INFINITY);
    for timed in case.evaluation.timed(&case.scenario) {
        let rows = rates.rows(&timed.operator);
        let role = timed.operator.kind.role();
        if peak_index(case, role) != peak || timed.intensity <= 0.0 || rows <= Seconds::ZERO {
            continue;
        }
        let time = timed.time * f64::from(timed.layers);
        if time > most {
            let ridge = timed.intensity * (rates.memory(&timed.operator) / rows);
            (most, from) = (time, Some(ridge));
        }
        match timed.bound {
            Side::Memory => low = low.max(timed.intensity * ASIDE),
            Side::Compute => high = high.min(timed.intensity / ASIDE),
        }
    }
    from.map(|ridge| ridge.max(low).min(high))
}

/// Minimum factor by which an operator's intensity differs from the boundary between memory-bound and compute-bound.
const ASIDE: f64 = 1.05;

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

/// Returns the batch per GPU at which an operator's intensity reaches the ridge point `RP` of its format.
///
/// An operator's weight bytes `W` do not depend on the batch `b`; its FLOPs `F·b` and its other bytes `A·b` are
/// proportional to `b`. The batch therefore follows from `F·b/(W + A·b) = RP`. Experts are the exception: their
/// weight reads grow with the batch, so their batch is searched numerically.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model_core::limits::limits;
    use model_core::permalink;

    use super::*;
    use crate::words::format;

    /// Checks that ridge points are labeled with their format and "at peak" or "as achieved". The ridge point at peak
    /// must match the limits.
    #[test]
    fn ridge_points_have_names() {
        for link in ["v=3", "v=3&model=llama-3.1-8b&gpu=h200&gpus=1"] {
            let case = Evaluated::new(&permalink::read(link).current).unwrap();
            let limits = limits(&case.scenario).unwrap();
            let data = Arc::new(data(&case, None));
            let chart = data.chart();
            let mut named = 0;
            for hit in 0..data.operators.len() {
                let Some(tip) = chart.tooltip(hit) else {
                    continue;
                };
                let row = |what: &str| tip.rows.iter().find(|row| row.label.ends_with(what));
                let peak = row("ridge point at peak").unwrap();
                let achieved = row("ridge point as achieved").unwrap();
                let format = peak.label.split(' ').next().unwrap();
                assert!(achieved.label.starts_with(format), "{link}");
                let of_limits = [limits.ridge_attention, limits.ridge_ffn]
                    .map(|ridge| format!("{} FLOP/B", format::sig3(ridge)));
                assert!(of_limits.contains(&peak.value), "{link}: {}", peak.value);
                named += 1;
            }
            assert!(named > 3, "{link}");
        }
    }
}
