//! Data of "What does batch buy?": throughput against latency over the batch.

use model_core::evaluate::with_batch;
use model_core::limits::Limits;
use model_core::math::pow;

use crate::answer::Case;
use crate::charts::{PinnedTrade, TradeMark, TradePoint, TradeoffData};
use crate::theme::Role;

/// Points of the curve.
const POINTS: i32 = 72;
/// A limit that is further away than this many times everything else is not worth an axis.
const FAR: f64 = 16.0;

/// The curve with its limits, and the pinned one's.
pub fn data(case: &Case, pinned: Option<&Case>) -> TradeoffData {
    TradeoffData {
        curve: curve(case),
        now: TradePoint {
            batch: case.scenario.workload.batch,
            tpot_s: case.evaluation.tpot.get(),
            tokens_per_s_per_gpu: case.evaluation.tokens_per_gpu,
            fits: case.evaluation.memory.fits(),
        },
        marks: marks(case),
        slo_tpot_s: case.scenario.workload.slo.map(|slo| 1.0 / slo),
        full: full(case),
        gpus: case.gpus(),
        pinned: pinned.map(|pinned| PinnedTrade {
            curve: curve(pinned),
            full: full(pinned),
        }),
        source: "batch ÷ step over GPUs; limits from [B] eqs 10–13".into(),
    }
}

fn at(case: &Case, batch: f64) -> Option<TradePoint> {
    let evaluation = with_batch(&case.scenario, batch).ok()?;
    Some(TradePoint {
        batch,
        tpot_s: evaluation.tpot.get(),
        tokens_per_s_per_gpu: evaluation.tokens_per_gpu,
        fits: evaluation.memory.fits(),
    })
}

fn full(case: &Case) -> Option<TradePoint> {
    (case.limits.b_cap >= 1.0)
        .then(|| at(case, case.limits.b_cap))
        .flatten()
}

/// Every limit with its symbol, those that coincide together.
fn named(limits: &Limits) -> Vec<(String, Option<Role>, f64)> {
    let mut all = vec![("B_cap", None, limits.b_cap)];
    all.extend(limits.b_slo.map(|batch| ("B_SLO", None, batch)));
    all.push(("B_attn", Some(Role::Attention), limits.b_attn));
    all.extend(
        limits
            .b_moe
            .map(|batch| ("B_MoE", Some(Role::Experts), batch)),
    );
    let mut named: Vec<(String, Option<Role>, f64)> = Vec::new();
    for (symbol, role, batch) in all.into_iter().filter(|(_, _, batch)| *batch >= 1.0) {
        match named
            .iter_mut()
            .find(|(_, _, other)| (*other / batch - 1.0).abs() < 1e-9)
        {
            Some((together, theirs, _)) => {
                *together = format!("{together} = {symbol}");
                *theirs = None;
            }
            None => named.push((symbol.to_owned(), role, batch)),
        }
    }
    named
}

fn end(case: &Case) -> f64 {
    let limits = &case.limits;
    let near = limits
        .b_cap
        .max(case.scenario.workload.batch)
        .max(case.gpus());
    named(limits)
        .into_iter()
        .map(|(_, _, batch)| batch)
        .filter(|batch| *batch <= FAR * near)
        .fold(near, f64::max)
        * 1.3
}

fn marks(case: &Case) -> Vec<TradeMark> {
    let last = end(case);
    named(&case.limits)
        .into_iter()
        .filter(|(_, _, batch)| *batch <= last)
        .filter_map(|(symbol, role, batch)| {
            Some(TradeMark {
                symbol,
                role,
                point: at(case, batch)?,
            })
        })
        .collect()
}

/// Geometrically spaced from one sequence to past the limits; the capacity is a point, so that the
/// line changes where it should.
fn curve(case: &Case) -> Vec<TradePoint> {
    let end = end(case).max(2.0);
    let mut batches: Vec<f64> = (0..POINTS)
        .map(|index| pow(end, f64::from(index) / f64::from(POINTS - 1)))
        .collect();
    batches.extend([case.limits.b_cap, case.scenario.workload.batch]);
    batches.retain(|batch| (1.0..=end).contains(batch));
    batches.sort_by(f64::total_cmp);
    batches.dedup();
    batches
        .into_iter()
        .filter_map(|batch| at(case, batch))
        .collect()
}
