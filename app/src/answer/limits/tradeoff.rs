//! Data of "What does batch buy?": throughput against latency over the batch.

use model_core::evaluate::with_batch;
use model_core::limits::Stop;
use model_core::limits::saturation::saturation;
use model_core::math::pow;
use model_core::order::sort_numbers;

use crate::answer::pareto::run_at_once;
use crate::answer::{Evaluated, operating_point};
use crate::charts::{OperatingPoint, PinnedTrade, TradeKind, TradeMark, TradeoffData};
use crate::format;
use crate::theme::Role;

/// Points of the curve.
const POINTS: i32 = 72;

/// The curve with its limits, and the pinned one's.
pub fn data(case: &Evaluated, pinned: Option<&Evaluated>) -> TradeoffData {
    let mut data = TradeoffData {
        curve: curve(case),
        now: operating_point(&case.evaluation, case.scenario.workload.batch, case.gpus()),
        marks: marks(case),
        ticks: ticks(case),
        slo_tpot_s: case.scenario.workload.slo.map(|slo| 1.0 / slo),
        full: full(case),
        pinned: pinned.map(|pinned| PinnedTrade {
            curve: curve(pinned),
            full: full(pinned),
        }),
        source: "batch ÷ step over GPUs, limits as evaluated".into(),
        finding: String::new(),
    };
    data.finding = run_at_once(case).unwrap_or_else(|| finding(&data));
    data
}

fn at(case: &Evaluated, batch: f64) -> Option<OperatingPoint> {
    let evaluation = with_batch(&case.scenario, batch).ok()?;
    Some(case.curve_point(&evaluation, batch))
}

fn full(case: &Evaluated) -> Option<OperatingPoint> {
    (case.limits.b_cap >= 1.0)
        .then(|| at(case, case.limits.b_cap))
        .flatten()
}

/// Every limit with its name, those that coincide together.
fn named(case: &Evaluated) -> Vec<(String, Option<Role>, TradeKind, f64)> {
    let full = saturation(&case.scenario);
    let ffn = match case.limits.b_moe {
        Some(_) => ("experts saturate", Role::Experts),
        None => ("feed-forward saturates", Role::Dense),
    };
    let slo = case.scenario.workload.slo;
    let keeps = slo
        .zip(case.largest.ok())
        .filter(|(_, largest)| largest.stop == Stop::Slo)
        .map(|(slo, largest)| {
            let name = format!("keeps {} tok/s", format::printed(slo));
            (name, None, TradeKind::Slo, largest.batch)
        });
    let mut all = vec![(
        "memory is full".to_owned(),
        None,
        TradeKind::Memory,
        case.limits.b_cap,
    )];
    all.extend(keeps);
    let role = |name: &str, role, batch: Option<f64>| {
        batch.map(|batch| (name.to_owned(), Some(role), TradeKind::Saturation, batch))
    };
    all.extend(role("attention saturates", Role::Attention, full.attention));
    all.extend(role(ffn.0, ffn.1, full.ffn));
    let mut named: Vec<(String, Option<Role>, TradeKind, f64)> = Vec::new();
    for (name, role, kind, batch) in all.into_iter().filter(|(.., batch)| *batch >= 1.0) {
        match named
            .iter_mut()
            .find(|(.., other)| (*other / batch - 1.0).abs() < 1e-9)
        {
            Some((together, theirs, ..)) => {
                *together = format!("{together}, {name}");
                *theirs = None;
            }
            None => named.push((name, role, kind, batch)),
        }
    }
    named
}

/// From one sequence per GPU to what fits; where nothing does, to twice the batch.
fn span(case: &Evaluated) -> (f64, f64) {
    let now = case.scenario.workload.batch;
    let most = case.limits.b_cap;
    let first = case.gpus().min(now).min(most.max(1.0));
    let last = if most >= 1.0 { most } else { 2.0 * now };
    (first, last.max(first + 1.0))
}

fn marks(case: &Evaluated) -> Vec<TradeMark> {
    let (first, last) = span(case);
    named(case)
        .into_iter()
        .filter(|(.., batch)| (first..=last).contains(batch))
        .filter_map(|(symbol, role, kind, batch)| {
            Some(TradeMark {
                symbol,
                role,
                kind,
                point: at(case, batch)?,
            })
        })
        .collect()
}

/// Batches along the curve: its first, and powers of two.
fn ticks(case: &Evaluated) -> Vec<OperatingPoint> {
    let (first, last) = span(case);
    let powers = (0..24).map(|power| f64::from(1_u32 << power));
    let inner = powers.filter(|batch| *batch > first && *batch < last);
    std::iter::once(first)
        .chain(inner)
        .filter_map(|batch| at(case, batch))
        .filter(|point| point.fits)
        .collect()
}

/// Geometrically spaced from one sequence per GPU to what fits, in whole sequences; the limits are
/// points, so that the line changes where it should.
fn curve(case: &Evaluated) -> Vec<OperatingPoint> {
    let now = case.scenario.workload.batch;
    let (first, end) = span(case);
    let mut batches: Vec<f64> = (0..POINTS)
        .map(|index| first * pow(end / first, f64::from(index) / f64::from(POINTS - 1)))
        .map(f64::round)
        .collect();
    batches.extend([end, now]);
    batches.extend(case.largest.ok().map(|largest| largest.batch));
    batches.retain(|batch| (first..=end).contains(batch));
    sort_numbers(&mut batches);
    batches.dedup();
    batches
        .into_iter()
        .filter_map(|batch| at(case, batch))
        .collect()
}

/// What the chart shows, in a few words.
fn finding(data: &TradeoffData) -> String {
    let now = &data.now;
    if data.drawn().is_empty() || !(now.draws() && now.batch > 0.0 && now.per_gpu > 0.0) {
        return "Nothing to compare".to_owned();
    }
    let Some(full) = data.full() else {
        return "No batch fits in memory".to_owned();
    };
    if let Some(theirs) = data.full_pinned() {
        let each = |of: &OperatingPoint| of.batch / of.gpus;
        let batch = format::factor(each(full) / each(theirs));
        let throughput = format::factor(full.per_gpu / theirs.per_gpu);
        return match full.gpus.to_bits() == theirs.gpus.to_bits() {
            true => format!("Full: {batch} A's batch, {throughput} tok/s"),
            false => format!("Full, per GPU: {batch} A's batch, {throughput} tok/s"),
        };
    }
    if !now.fits {
        let most = format::sequences(full.batch);
        return format!("Does not fit: {most} is the most");
    }
    if full.batch <= now.batch {
        return "As large as fits".to_owned();
    }
    let throughput = format::factor(full.per_gpu / now.per_gpu);
    let slo = |mark: &&TradeMark| mark.kind == TradeKind::Slo;
    if let Some(edge) = data.marks.iter().find(slo)
        && edge.point.batch < full.batch
    {
        return format!("Full: {throughput} throughput, past the SLO");
    }
    let latency = format::factor(full.tpot_s / now.tpot_s);
    format!("Full: {throughput} throughput, {latency} latency")
}
