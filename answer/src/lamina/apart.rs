//! "Colocated or disaggregated?": Lamina vs. a colocated cluster of about the same price. If prices are known, the
//! chart compares throughput per dollar.

use model_core::cost::memory::batch_capacity;
use model_core::evaluate::with_batch;
use model_core::lamina::evaluate as evaluate_split;
use model_core::lamina::memory::batch_capacity as split_capacity;
use model_core::math;

use super::SplitCase;
use crate::apart::{self, Reached, Side, SidePoint, finding};
use crate::case::operating_point;
use crate::chart::Chart;
use crate::charts::OperatingPoint;
use crate::words::format;

const POINTS: i32 = 40;

/// Draws the curves of the colocated and the Lamina deployment, and those of the pinned scenario.
pub fn chart(case: &SplitCase, pinned: Option<&SplitCase>) -> Chart {
    let [colocated, lamina] = case.compared();
    let unpriced = case.setup.dollars_per_hour().is_none();
    let both = |case: &SplitCase| -> Vec<Side> {
        let sides = [colocated_cluster(case), split(case)];
        sides.into_iter().flatten().collect()
    };
    let (sides, pinned) = (both(case), pinned.map_or_else(Vec::new, both));
    let factor = lamina.zip(colocated);
    let factor = factor.map(|(lamina, other)| format::factor(lamina / other));
    Chart {
        finding: match unpriced {
            true => "No prices: Lamina only".into(),
            false => finding(
                case.users,
                colocated.zip(case.other).map(|(rate, other)| Reached {
                    rate,
                    batch: other.scenario.workload.batch,
                }),
                lamina.map(|rate| Reached {
                    rate,
                    batch: case.setup.batch(),
                }),
                "Lamina",
            ),
        },
        source: format!(
            "at about equal price, context {}{}, [L] 6.1",
            format::count(case.setup.context()),
            if case.prompts {
                ", disaggregated prefill"
            } else {
                ""
            }
        )
        .into(),
        empty: "neither deployment fits".into(),
        ..apart::chart(&sides, &pinned, !unpriced, factor)
    }
}

/// Returns `POINTS` numbers from 1 to `last`, geometrically spaced.
fn spread(last: f64) -> Vec<f64> {
    let ratio = math::pow(last.max(1.0), 1.0 / f64::from(POINTS - 1));
    let mut at = 1.0;
    (0..POINTS)
        .map(|_| {
            let now = f64::min(at, last.max(1.0));
            at *= ratio;
            now
        })
        .collect()
}

/// Returns the colocated cluster that costs about as much as the Lamina deployment, evaluated at a range of batch
/// sizes.
fn colocated_cluster(case: &SplitCase) -> Option<Side> {
    let other = case.other.as_ref()?;
    let scenario = &other.scenario;
    let most = batch_capacity(scenario);
    let gpus = f64::from(scenario.cluster.gpus);
    let at = |batch: f64| {
        let evaluation = with_batch(scenario, batch).ok()?;
        Some(SidePoint {
            point: OperatingPoint {
                fits: batch <= most,
                ..operating_point(&evaluation, batch, gpus)
            },
            tokens_per_dollar: Some(evaluation.tokens * 3600.0 / other.dollars_per_hour),
            name: "".into(),
        })
    };
    let now = at(scenario.workload.batch).filter(|_| case.compared()[0].is_some());
    Some(Side {
        colocated: true,
        label: "colocated",
        name: case.other_name()?,
        points: spread(most).into_iter().filter_map(at).collect(),
        shown: now.is_some(),
        now,
        present: false,
        stops: Vec::new(),
    })
}

fn split(case: &SplitCase) -> Option<Side> {
    let setup = &case.setup;
    let most = split_capacity(setup);
    let gpus = f64::from(setup.compute_gpus + setup.memory_gpus);
    let at = |batch: f64| {
        let split = evaluate_split(&setup.with_batch(batch)).ok()?;
        Some(SidePoint {
            point: OperatingPoint {
                batch,
                gpus,
                tpot_s: 1.0 / split.tokens_per_user,
                per_user: split.tokens_per_user,
                per_gpu: split.tokens / gpus,
                fits: split.fits(),
            },
            tokens_per_dollar: split.tokens_per_dollar,
            name: "".into(),
        })
    };
    Some(Side {
        colocated: false,
        label: "Lamina",
        name: case.name(),
        points: spread(most).into_iter().filter_map(at).collect(),
        now: at(setup.batch()).filter(|now| now.point.fits),
        shown: case.compared()[0].is_none(),
        present: true,
        stops: Vec::new(),
    })
}
