//! Computes S(s), the highest throughput of a plan over all batches, and the baseline of the levers.

use crate::cost::memory::batch_capacity;
use crate::evaluate::{Evaluation, Pace, evaluate, fastest_from, pace_with_batch, with_batch};
use crate::inputs::{Inputs, Number};
use crate::limits::{Largest, largest};
use crate::math::bisect;
use crate::scenario::Scenario;
use crate::workload::Serving;

/// Maximum ratio of a plan's highest throughput to the throughput at the batch shown. The smallest batch within this
/// ratio is shown.
const LEVEL: f64 = 1.005;
/// For aggregated prefill: maximum ratio of any batch's throughput to the best throughput found.
const PRECISE: f64 = 1.002;
/// For aggregated prefill: maximum ratio of the best throughput found to that of the batch shown. Multiplied by
/// [`PRECISE`], it stays within [`LEVEL`].
const LEVEL_OF_FOUND: f64 = 1.0029;

/// Factor that allows for rounding in tok/s/user.
const ROUNDED: f64 = 1.0 - 1e-12;

/// Batch of a plan, and its throughput.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Served {
    /// Whole number of sequences of one replica.
    pub batch: f64,
    /// Throughput in tok/s/GPU.
    pub tokens_per_gpu: f64,
}

/// Returns the scenario of the inputs and its evaluation, if the scenario fits and meets its SLO.
pub fn now_that_works(inputs: &Inputs) -> Option<(Scenario, Evaluation)> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    let slo = scenario.workload.slo;
    let meets = slo.is_none_or(|slo| evaluation.tokens_per_user >= slo);
    (evaluation.memory.fits() && meets).then_some((scenario, evaluation))
}

/// Returns u*: the minimum tok/s/user that every lever must meet.
///
/// This is the SLO if there is one. Otherwise, it is the current rate if the scenario fits. Otherwise, it is the rate
/// at the plan's largest batch that fits, or 0 if none fits.
pub fn min_user_rate(inputs: &Inputs) -> f64 {
    if let Some(slo) = inputs.get(Number::Slo) {
        return slo;
    }
    if let Some((_, now)) = now_that_works(inputs) {
        return ROUNDED * now.tokens_per_user;
    }
    let fits = inputs.scenario().ok().and_then(|scenario| {
        let batch = largest(&scenario).ok()?.batch;
        pace_with_batch(&scenario, batch).ok()
    });
    fits.map_or(0.0, |pace| ROUNDED * pace.tokens_per_user)
}

/// Returns the scenario with `users` tok/s/user as its SLO.
pub fn keeping(scenario: &Scenario, users: f64) -> Scenario {
    let mut kept = *scenario;
    kept.workload.slo = (users > 0.0).then_some(users);
    kept
}

/// Returns the highest throughput of a plan, without searching for the smallest batch within [`LEVEL`] of it.
///
/// `known`: a plan with less throughput per GPU may be skipped. Returns `None` if no batch fits and meets `users`, or
/// if the plan serves less than `known`.
pub fn most(scenario: &Scenario, users: f64, known: f64) -> Option<Served> {
    most_keeping(&keeping(scenario, users), known)
}

/// Like [`most`], for a scenario whose SLO already is the required interactivity.
pub fn most_keeping(kept: &Scenario, known: f64) -> Option<Served> {
    if kept.workload.serving != Serving::Decode {
        return aggregated(kept, known).map(|(best, _)| best);
    }
    let users = kept.workload.slo.unwrap_or(0.0);
    // `wanted` is the batch that gives `known` at exactly `users`. Smaller batches serve less than `known`, so this
    // batch or a larger one must be fast enough.
    let wanted = known * f64::from(kept.cluster.gpus) / users;
    let too_slow = |batch| fastest_from(kept, batch).is_ok_and(|fastest| fastest < users);
    if wanted >= 1.0 && too_slow(wanted) {
        return None;
    }
    let room = batch_capacity(kept).min(Number::Batch.spec().most);
    if room < kept.plan.micro_batches() {
        return None;
    }
    let full = pace_with_batch(kept, room).ok()?;
    if full.tokens_per_user >= users {
        return reaching(room, &full, known);
    }
    let batch = largest(kept).ok()?.batch;
    reaching(batch, &pace_with_batch(kept, batch).ok()?, known)
}

fn reaching(batch: f64, pace: &Pace, known: f64) -> Option<Served> {
    (pace.tokens_per_gpu >= known).then_some(Served {
        batch,
        tokens_per_gpu: pace.tokens_per_gpu,
    })
}

/// Returns S: the smallest batch within 0.5% of the highest throughput.
pub fn served(scenario: &Scenario, users: f64) -> Option<Served> {
    let kept = keeping(scenario, users);
    if kept.workload.serving != Serving::Decode {
        return aggregated(&kept, 0.0).map(|(_, least)| least);
    }
    least_of(&kept, most(&kept, users, 0.0)?)
}

/// Returns the smallest batch within [`LEVEL`] of `most`, the known highest throughput of a plan.
pub fn least(scenario: &Scenario, users: f64, most: Served) -> Option<Served> {
    let kept = keeping(scenario, users);
    match kept.workload.serving {
        Serving::Decode => least_of(&kept, most),
        Serving::Aggregated(_) => aggregated(&kept, 0.0).map(|(_, least)| least),
    }
}

/// Returns the smallest batch within [`LEVEL`] of the highest throughput, for decode only, where throughput grows
/// with the batch.
fn least_of(scenario: &Scenario, most: Served) -> Option<Served> {
    let slo = scenario.workload.slo.unwrap_or(0.0);
    let serves = |batch: f64| {
        pace_with_batch(scenario, batch).is_ok_and(|pace| {
            pace.tokens_per_gpu * LEVEL >= most.tokens_per_gpu && pace.tokens_per_user >= slo
        })
    };
    let (low, mut high) = (scenario.plan.micro_batches().min(most.batch), most.batch);
    if serves(low) {
        high = low;
    }
    let [_, high] = bisect(low, high, |batch| !serves(batch));
    let pace = pace_with_batch(scenario, high).ok()?;
    Some(Served {
        batch: high,
        tokens_per_gpu: pace.tokens_per_gpu,
    })
}

/// For aggregated prefill: returns the best batch, and the smallest batch that has at least the share
/// [`LEVEL_OF_FOUND`] of its throughput.
fn aggregated(scenario: &Scenario, known: f64) -> Option<(Served, Served)> {
    let Largest { batch: edge, .. } = largest(scenario).ok()?;
    let gpus = f64::from(scenario.cluster.gpus);
    let users = |batch: f64| {
        pace_with_batch(scenario, batch)
            .ok()
            .map(|pace| pace.tokens_per_user)
    };
    let least = scenario.plan.micro_batches().min(edge);
    let (most, least) = peak((least, edge), gpus, known, users)?;
    let exact = |of: Served| {
        let found = with_batch(scenario, of.batch).ok()?;
        Some(Served {
            tokens_per_gpu: found.tokens_per_gpu,
            ..of
        })
    };
    (most.tokens_per_gpu >= known).then_some((most, exact(least)?))
}

/// Returns the batch with the highest throughput from `least` to `edge`, and the smallest batch that has at least the
/// share [`LEVEL_OF_FOUND`] of this throughput. The highest throughput is accurate within [`PRECISE`], unless it is
/// below `known`. `users` returns the tok/s/user at a batch.
///
/// With aggregated prefill, throughput has several peaks, but tok/s/user never increases with the batch. So no batch
/// from `low` to `high` can serve more than `high` sequences at the tok/s/user of `low`. Intervals that cannot beat
/// the best batch found are skipped.
pub fn peak(
    (least, edge): (f64, f64),
    gpus: f64,
    known: f64,
    mut users: impl FnMut(f64) -> Option<f64>,
) -> Option<(Served, Served)> {
    let served = |batch: f64, users: f64| Served {
        batch,
        tokens_per_gpu: batch * users / gpus,
    };
    let (at_least, at_edge) = (users(least)?, users(edge)?);
    let mut tried = vec![served(least, at_least), served(edge, at_edge)];
    let mut best = known
        .max(tried[0].tokens_per_gpu)
        .max(tried[1].tokens_per_gpu);
    let mut open = vec![(least, edge, at_least)];
    while let Some((low, high, fastest)) = open.pop() {
        if high - low <= 1.0 || high * fastest / gpus <= best * PRECISE {
            continue;
        }
        let middle = (low * high).sqrt().floor().clamp(low + 1.0, high - 1.0);
        let at_middle = users(middle)?;
        tried.push(served(middle, at_middle));
        best = best.max(middle * at_middle / gpus);
        open.push((low, middle, fastest));
        open.push((middle, high, at_middle));
    }
    let most = tried.iter().copied().reduce(|most, next| {
        match next.tokens_per_gpu > most.tokens_per_gpu {
            true => next,
            false => most,
        }
    })?;
    let enough = |served: &&Served| served.tokens_per_gpu * LEVEL_OF_FOUND >= most.tokens_per_gpu;
    let least = tried.iter().filter(enough).copied().reduce(|least, next| {
        match next.batch < least.batch {
            true => next,
            false => least,
        }
    })?;
    Some((most, least))
}
