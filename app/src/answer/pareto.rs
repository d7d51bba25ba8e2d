//! Data of "Is the batch right?": throughput against interactivity as the batch grows.

use super::{Evaluated, compare, sharding};
use crate::charts::{OperatingPoint, ParetoData, PinnedPareto};
use crate::format;
use model_core::evaluate::with_batch;
use model_core::limits::{LEVEL, NoBatch};
use model_core::order::sort_numbers;

/// Points of the curve; they lie closer at small batches, where it bends.
const POINTS: i32 = 96;

/// The curve from one sequence to past the capacity, the knee, and the pinned curve.
pub fn data(case: &Evaluated, pinned: Option<&Evaluated>) -> ParetoData {
    let curve = curve(case);
    let mut data = ParetoData {
        now: case.point(&case.evaluation, case.batch_per_gpu()),
        marks_batch_per_gpu: marks(),
        plan: sharding::words(case.scenario.plan.spec(), &case.scenario.arch),
        slo_tokens_per_s_per_user: case.scenario.workload.slo,
        capacity_batch_per_gpu: case.capacity_per_gpu(),
        knee: knee(case),
        pinned: pinned.map(|pinned| PinnedPareto {
            label: compare::difference(&case.inputs, &pinned.inputs)
                .unwrap_or_else(|| "the same".into()),
            curve: self::curve(pinned),
            now: pinned.point(&pinned.evaluation, pinned.batch_per_gpu()),
        }),
        curve,
        // Added by the view that shows them.
        measured: Vec::new(),
        source: "batch ÷ step over users and GPUs, [A] eqs 50–51".into(),
        finding: String::new(),
    };
    data.finding = match (case.largest, case.scenario.workload.slo) {
        (Err(NoBatch::Slo), Some(slo)) if case.evaluation.memory.fits() => {
            format!("No batch reaches {} tok/s", format::printed(slo))
        }
        (Err(NoBatch::Memory), _) => run_at_once(case).unwrap_or_else(|| finding(&data)),
        _ => finding(&data),
    };
    data
}

/// "Room for 64 of the 128 run at once", where memory holds some sequences and no batch works.
pub(super) fn run_at_once(case: &Evaluated) -> Option<String> {
    let (room, least) = (case.limits.b_cap, case.scenario.plan.micro_batches());
    let words = format!(
        "Room for {} of the {} run at once",
        format::count(room),
        format::count(least)
    );
    (room >= 1.0 && room < least).then_some(words)
}

/// The end of the curve in sequences per GPU: past the batch and the capacity.
pub fn end(case: &Evaluated) -> f64 {
    let capacity = case.capacity_per_gpu().unwrap_or(0.0);
    (1.15 * capacity).max(1.05 * case.batch_per_gpu())
}

/// From one sequence in all to past the largest batch that fits, geometrically spaced, in whole sequences; the capacity
/// itself is a point, so that the line changes where it should.
fn curve(case: &Evaluated) -> Vec<OperatingPoint> {
    let end = end(case).max(2.0 / case.gpus());
    let last = (case.gpus() * end).ceil();
    let ratio = model_core::math::pow(last, 1.0 / f64::from(POINTS - 1));
    let mut batches = Vec::with_capacity(POINTS as usize + 4);
    let mut batch: f64 = 1.0;
    for _ in 0..POINTS {
        batches.push(batch.round().min(last));
        batch *= ratio;
    }
    batches.extend(Some(case.limits.b_cap).filter(|room| *room > 0.0));
    batches.push(case.scenario.workload.batch);
    batches.extend(case.largest.map(|largest| largest.batch));
    let crossing = case
        .crossing(end)
        .map(|batch| (case.gpus() * batch).round());
    batches.extend(crossing.filter(|batch| *batch >= 1.0));
    sort_numbers(&mut batches);
    batches.dedup();
    let at = |batch: f64| with_batch(&case.scenario, batch).ok();
    batches
        .into_iter()
        .filter_map(|batch| Some(case.curve_point(&at(batch)?, batch)))
        .collect()
}

/// The smallest batch within half a percent of the best throughput.
fn knee(case: &Evaluated) -> Option<OperatingPoint> {
    let batch = case.per_gpu(case.less_than_largest()?);
    Some(case.point(&case.at(batch)?, batch))
}

/// 1, 2, 3, 4, 6, 8 … sequences per GPU: powers of two and the halves between them.
fn marks() -> Vec<f64> {
    let mut marks = vec![1.0];
    let mut power = 2.0;
    while power < 65_536.0 {
        marks.push(power);
        marks.push(power * 1.5);
        power *= 2.0;
    }
    marks
}

/// The finding, next to the question.
fn finding(data: &ParetoData) -> String {
    let now = &data.now;
    if !now.draws() || data.drawn().is_empty() {
        return "Nothing to compare".to_owned();
    }
    let Some(most) = data.capacity_batch_per_gpu else {
        return "No batch fits in memory".to_owned();
    };
    if !now.fits {
        let all = (most * now.gpus).round();
        return match most.fract() == 0.0 {
            true => format!("Does not fit: {} per GPU is the most", format::batch(most)),
            false => format!(
                "Does not fit: {} sequences are the most",
                format::count(all)
            ),
        };
    }
    let slo = data.slo_tokens_per_s_per_user;
    let works = |point: &OperatingPoint| point.fits && data.meets_slo(point) != Some(false);
    if data.meets_slo(now) == Some(false) {
        return match slo {
            Some(slo) if !data.drawn().iter().any(works) => {
                format!("No batch reaches {} tok/s", format::printed(slo))
            }
            _ => "Too slow for the SLO as it is: a smaller batch".to_owned(),
        };
    }
    if let Some(knee) = data.knee.filter(|knee| now.batch > knee.batch) {
        return match now.per_gpu < LEVEL * knee.per_gpu {
            true => format!("Beyond {} throughput falls", knee.batch_words()),
            false => format!("Beyond {} only latency grows", knee.batch_words()),
        };
    }
    let last = data.drawn().into_iter().rfind(works);
    let most = data.knee.or(last);
    let Some(last) = most.filter(|last| last.per_gpu > now.per_gpu * 1.005) else {
        return "As large as pays".to_owned();
    };
    let factor = format::factor(last.per_gpu / now.per_gpu);
    match slo {
        Some(_) => format!("Memory and SLO have room for {factor}"),
        None => format!("Memory has room for {factor} the throughput"),
    }
}
