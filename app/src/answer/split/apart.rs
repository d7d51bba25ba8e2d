//! Data of "Colocated or disaggregated?": a cluster of about the same price, so that throughput is per dollar where
//! prices are known.

use model_core::cost::memory::batch_capacity;
use model_core::disagg::split::evaluate as evaluate_split;
use model_core::disagg::split::memory::batch_capacity as split_capacity;
use model_core::evaluate::with_batch;
use model_core::math;

use super::SplitCase;
use crate::answer::apart::finding;
use crate::answer::operating_point;
use crate::charts::OperatingPoint;
use crate::charts::apart::{self as chart, ApartCurve, ApartData, ApartPoint, DeploymentKind};
use crate::format;

/// Points of a curve.
const POINTS: i32 = 40;

/// Colocated and Lamina.
pub fn data(case: &SplitCase) -> ApartData {
    let [colocated, lamina] = case.compared();
    let unpriced = case.setup.dollars_per_hour().is_none();
    let curves = [colocated_cluster(case), split(case)];
    ApartData {
        finding: match unpriced {
            true => "No price: Lamina alone".into(),
            false => finding(case.users, colocated, lamina, "Lamina"),
        },
        nothing: "neither fits".into(),
        per_dollar: !unpriced,
        factor: { lamina.zip(colocated) }.map(|(lamina, other)| format::factor(lamina / other)),
        source: format!(
            "about the same price, context {}{}, [L] 6.1",
            format::count(case.setup.context()),
            if case.prompts {
                ", disaggregated prefill"
            } else {
                ""
            }
        ),
        curves: curves.into_iter().flatten().collect(),
    }
}

/// `POINTS` numbers from 1 to `last`, in equal factors.
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

/// The cluster of about the split's price over its batch.
fn colocated_cluster(case: &SplitCase) -> Option<ApartCurve> {
    let other = case.other.as_ref()?;
    let scenario = &other.scenario;
    let most = batch_capacity(scenario);
    let gpus = f64::from(scenario.cluster.gpus);
    let at = |batch: f64| {
        let evaluation = with_batch(scenario, batch).ok()?;
        Some(ApartPoint {
            point: OperatingPoint {
                fits: batch <= most,
                ..operating_point(&evaluation, batch, gpus)
            },
            tokens_per_dollar: Some(evaluation.tokens * 3600.0 / other.dollars_per_hour),
            way: chart::WayKind::Only,
        })
    };
    let now = at(scenario.workload.batch).filter(|_| case.compared()[0].is_some());
    Some(ApartCurve {
        mark: DeploymentKind::Colocated,
        label: "colocated".into(),
        name: case.other_name()?,
        points: spread(most).into_iter().filter_map(at).collect(),
        now,
        shown: now.is_some(),
        present: false,
        stops: Vec::new(),
    })
}

fn split(case: &SplitCase) -> Option<ApartCurve> {
    let setup = &case.setup;
    let most = split_capacity(setup);
    let gpus = f64::from(setup.compute_gpus + setup.memory_gpus);
    let at = |batch: f64| {
        let split = evaluate_split(&setup.with_batch(batch)).ok()?;
        Some(ApartPoint {
            point: OperatingPoint {
                batch,
                gpus,
                tpot_s: 1.0 / split.tokens_per_user,
                per_user: split.tokens_per_user,
                per_gpu: split.tokens / gpus,
                fits: split.fits(),
            },
            tokens_per_dollar: split.tokens_per_dollar,
            way: chart::WayKind::Only,
        })
    };
    Some(ApartCurve {
        mark: DeploymentKind::Split,
        label: "Lamina".into(),
        name: case.name(),
        points: spread(most).into_iter().filter_map(at).collect(),
        now: at(setup.batch()).filter(|now| now.point.fits),
        shown: case.compared()[0].is_none(),
        present: true,
        stops: Vec::new(),
    })
}
