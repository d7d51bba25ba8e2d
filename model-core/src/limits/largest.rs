//! Finds the largest feasible batch.

use super::MOST;
use crate::cost::memory::batch_capacity;
use crate::evaluate::{pace_with_batch, with_batch};
use crate::inputs::{Inputs, Number};
use crate::math::bisect;
use crate::plan::Overlap;
use crate::scenario::Scenario;
use crate::workload::Serving;

/// Largest feasible batch, and the limit that a larger batch would exceed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Largest {
    /// Whole number of sequences of the entire deployment.
    pub batch: f64,
    /// Limit that a larger batch would exceed.
    pub stop: Stop,
}

/// Limits that can stop a batch from growing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Memory is full.
    Memory,
    /// One more sequence would miss the SLO.
    Slo,
    /// No limit applies up to the largest batch that the permalink key allows.
    Nothing,
}

/// Reasons why no batch is feasible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBatch {
    /// The memory cannot hold even one sequence per micro-batch.
    Memory,
    /// Even one sequence per micro-batch misses the SLO.
    Slo,
}

/// Returns the largest whole batch that fits in memory and meets the SLO, as evaluated.
///
/// The batch has at least one sequence in every micro-batch that the plan runs at once
/// ([`crate::plan::Plan::micro_batches`]). Above that, the batch need not divide evenly, because loads are means.
/// The most loaded group holds the mean rounded up, so the memory limit is a multiple of dp.
///
/// A larger batch is never faster for a user, so [`growing_edge`] finds the limit. The exception is HOP-B, which
/// overlaps more time when there are more requests. With HOP-B, powers of two are tried in descending order, and
/// bisection starts at the first feasible one. The error gives the reason why no batch is feasible.
pub fn largest(scenario: &Scenario) -> Result<Largest, NoBatch> {
    let least = scenario.plan.micro_batches();
    let stated = Number::Batch.spec().most;
    let room = batch_capacity(scenario);
    if room < least || least > stated {
        return Err(NoBatch::Memory);
    }
    let most = room.min(stated);
    let stop = if room <= stated {
        Stop::Memory
    } else {
        Stop::Nothing
    };
    let Some(slo) = scenario.workload.slo else {
        return Ok(Largest { batch: most, stop });
    };
    if scenario.plan.spec().overlap != Overlap::HopB {
        let timed = |batch: f64| {
            let pace = pace_with_batch(scenario, batch).ok();
            pace.map_or((false, f64::INFINITY), |pace| {
                (pace.tokens_per_user >= slo, pace.tpot.get())
            })
        };
        let batch = growing_edge(least, most, 1.0 / slo, timed).ok_or(NoBatch::Slo)?;
        let stop = if batch < most { Stop::Slo } else { stop };
        return Ok(Largest { batch, stop });
    }
    let meets = |batch: f64| meets(scenario, slo, batch);
    if meets(most) {
        return Ok(Largest { batch: most, stop });
    }
    let mut high = most;
    let mut low = highest_power(most, least);
    while !meets(low) {
        if low <= least {
            return Err(NoBatch::Slo);
        }
        high = low;
        low = highest_power(low, least);
    }
    let [batch, _] = bisect(low, high, meets);
    Ok(Largest {
        batch,
        stop: Stop::Slo,
    })
}

/// Returns the inputs with half of the largest batch that fits, if their batch is out of memory. If their batch fits,
/// or if no batch fits, returns them unchanged.
#[must_use]
pub fn with_room(inputs: &Inputs) -> Inputs {
    let half = || {
        let scenario = inputs.scenario().ok()?;
        let room = batch_capacity(&scenario);
        let least = scenario.plan.micro_batches();
        let over = scenario.workload.batch > room && room >= least;
        over.then(|| (room / 2.0).floor().max(least))
    };
    half().map_or(*inputs, |batch| inputs.with(Number::Batch, batch))
}

/// Returns the feasible whole batch with the highest throughput.
///
/// For decode only, it is the largest feasible batch. With aggregated prefill, sequences in a group wait for each
/// other's prompts, so a smaller batch may serve more. Successive doublings of the smallest batch are tried, then
/// batches near the best one. The second stage is skipped if twice the best throughput is below `known` tokens per
/// second. The error gives the reason why no batch is feasible.
pub fn fullest(scenario: &Scenario, known: f64) -> Result<f64, NoBatch> {
    let edge = largest(scenario)?.batch;
    if scenario.workload.serving == Serving::Decode {
        return Ok(edge);
    }
    let rate = |batch: f64| {
        let found = with_batch(scenario, batch).ok().filter(|found| {
            let slo = scenario.workload.slo;
            found.memory.fits() && slo.is_none_or(|slo| found.tokens_per_user >= slo)
        });
        found.map_or(0.0, |found| found.tokens)
    };
    let least = f64::min(scenario.plan.micro_batches(), edge);
    let mut best = (edge, rate(edge));
    let mut take = |batch: f64| {
        let found = rate(batch);
        if found > best.1 {
            best = (batch, found);
        }
        (found, best)
    };
    let mut batch = least;
    while batch < edge {
        take(batch);
        batch *= 2.0;
    }
    let (_, (near, most)) = take(least);
    if 2.0 * most < known {
        return Ok(near);
    }
    let (mut low, mut high) = (
        (near / 2.0).floor().max(least),
        (2.0 * near).min(edge).floor(),
    );
    while high - low > (low / 256.0).max(2.0) {
        let third = ((high - low) / 3.0).floor();
        if take(low + third).0 >= take(high - third).0 {
            high -= third;
        } else {
            low += third;
        }
    }
    let (_, (batch, _)) = take(low + ((high - low) / 2.0).floor());
    Ok(batch)
}

/// Fraction of the best throughput that a smaller batch must reach to be offered instead.
pub const LEVEL: f64 = 0.995;
/// Factor by which users must be faster with a smaller batch for it to be offered.
pub const FASTER: f64 = 1.25;

/// Returns the smallest batch that serves nearly as much as `batch` ([`LEVEL`]), if users are clearly faster with it
/// ([`FASTER`]). Otherwise, returns `batch` itself.
pub fn enough(scenario: &Scenario, batch: f64) -> f64 {
    let Ok(most) = with_batch(scenario, batch) else {
        return batch;
    };
    let slo = scenario.workload.slo.unwrap_or(0.0);
    let serves = |batch: f64| {
        with_batch(scenario, batch).is_ok_and(|found| {
            let level = found.tokens >= LEVEL * most.tokens && found.memory.fits();
            level && found.tokens_per_user >= slo.max(FASTER * most.tokens_per_user)
        })
    };
    let least = scenario.plan.micro_batches().max(1.0);
    let mut high = (batch / FASTER).floor();
    if high < least || !serves(high) {
        return batch;
    }
    let mut low = high;
    while low > least && serves(low) {
        high = low;
        low = (low / 2.0).floor().max(least);
    }
    let [before, first] = bisect(low, high, |batch| !serves(batch));
    if serves(before) { before } else { first }
}

/// Returns the largest feasible batch; 0 if no batch is feasible.
pub fn best_batch(scenario: &Scenario) -> f64 {
    largest(scenario).map_or(0.0, |largest| largest.batch)
}

/// Returns the largest whole batch whose step meets `slo` tok/s/user as evaluated, whether or not it fits in memory; 0
/// if no batch meets it.
///
/// [`super::batch_for_slo`] is a bound for the best possible step; this is the limit with the scenario's schedule and
/// calibration.
pub fn batch_meeting_slo(scenario: &Scenario, slo: f64) -> f64 {
    let meets = |batch: f64| meets(scenario, slo, batch);
    // Consecutive doublings that may miss the SLO before the search stops; some schedules are slow only at small
    // batches.
    const BEYOND: u32 = 6;
    let (mut batch, mut late) = (1.0, 0);
    let mut found = None;
    while late < BEYOND && batch <= MOST {
        if meets(batch) {
            found = Some(batch);
            late = 0;
        } else {
            late += 1;
        }
        batch *= 2.0;
    }
    match found {
        None => 0.0,
        Some(low) if low * 2.0 > MOST => low,
        Some(low) => bisect(low, low * 2.0, meets)[0],
    }
}

fn meets(scenario: &Scenario, slo: f64, batch: f64) -> bool {
    pace_with_batch(scenario, batch).is_ok_and(|pace| pace.tokens_per_user >= slo)
}

/// Returns the largest whole batch from `least` to `most` whose step takes at most `target` seconds. Time must grow
/// with the batch. `None` if no batch is fast enough. `at` returns whether a batch meets the target, and the batch's
/// step time.
///
/// Step time is nearly piecewise linear in the batch, so linear interpolation between two batches gets close to the
/// limit. Every third iteration is a bisection, which limits the extra iterations that a bend in the curve causes.
pub fn growing_edge(
    least: f64,
    most: f64,
    target: f64,
    mut at: impl FnMut(f64) -> (bool, f64),
) -> Option<f64> {
    let (meets, mut slow) = at(most);
    if meets {
        return Some(most);
    }
    let (meets, mut fast) = at(least);
    if !meets {
        return None;
    }
    let (mut low, mut high) = (least, most);
    let mut turn = 0;
    while high - low > 1.0 {
        turn += 1;
        let share = (target - fast) / (slow - fast);
        let guess = match turn % 3 {
            0 => f64::midpoint(low, high),
            _ if share.is_finite() => low + share * (high - low),
            _ => f64::midpoint(low, high),
        };
        let batch = guess.floor().clamp(low + 1.0, (high - 1.0).max(low + 1.0));
        let (meets, takes) = at(batch);
        if meets {
            (low, fast) = (batch, takes);
        } else {
            (high, slow) = (batch, takes);
        }
    }
    Some(low)
}

/// Returns the largest power of two below `batch`, but at least `least`.
fn highest_power(batch: f64, least: f64) -> f64 {
    let mut power = 1.0;
    while power * 2.0 < batch {
        power *= 2.0;
    }
    f64::max(power, least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permalink::read;

    /// If the SLO limits the largest feasible batch, one more sequence misses it. If no batch is feasible, the
    /// smallest batch exceeds the limit given as the reason.
    #[test]
    fn the_edge_is_the_last_batch_that_meets() {
        for link in [
            "v=1",
            "v=1&overlap=none",
            "v=1&gpu=gb200&gpus=48",
            "v=1&calibration=aleph-alpha-2025",
            "v=1&model=llama-3.1-405b&ep=1&tp=8",
            "v=1&serving=aggregated&prompt=2000&output=500",
            "v=1&gpus=8&context=200",
        ] {
            let mut scenario = read(link).current.scenario().unwrap();
            for slo in [0.5, 3.0, 12.5, 17.0, 31.0, 60.0, 200.0] {
                scenario.workload.slo = Some(slo);
                let least = scenario.plan.micro_batches();
                match largest(&scenario) {
                    Ok(Largest { batch, stop }) => {
                        assert!(meets(&scenario, slo, batch), "{link} {slo}");
                        let next = meets(&scenario, slo, batch + 1.0);
                        assert!(stop != Stop::Slo || !next, "{link} {slo} {batch}");
                    }
                    Err(NoBatch::Slo) => assert!(!meets(&scenario, slo, least), "{link} {slo}"),
                    Err(NoBatch::Memory) => {
                        assert!(batch_capacity(&scenario) < least, "{link} {slo}");
                    }
                }
            }
        }
    }
}
