//! The largest batch that works.

use super::MOST;
use crate::cost::memory::batch_capacity;
use crate::evaluate::{pace_with_batch, with_batch};
use crate::plan::Overlap;
use crate::scenario::{Number, Scenario};
use crate::workload::Serving;

/// The largest batch that works, and what keeps it from growing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Largest {
    /// Whole sequences of the whole deployment.
    pub batch: f64,
    /// The limit that a larger one runs into.
    pub stop: Stop,
}

/// Limits that keep a batch from growing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The memory is full.
    Memory,
    /// One sequence more would miss the SLO.
    Slo,
    /// Nothing before the largest batch that can be stated.
    Nothing,
}

/// Reasons why no batch works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBatch {
    /// Not even one sequence in every micro-batch fits the memory.
    Memory,
    /// Batches that fit are too slow, one sequence in every micro-batch already.
    Slo,
}

/// The largest whole batch that fits the memory and meets the SLO, if there is one, as evaluated.
///
/// It has at least one sequence in every micro-batch that the plan runs at once
/// ([`crate::plan::Plan::micro_batches`]); loads are means, so beyond that it need not divide. The
/// fullest group holds the mean rounded up, which is why the memory's own limit is a multiple of dp.
///
/// A larger batch is never faster for a user, and the edge is where its line is expected ([`growing_edge`]). Only a
/// schedule that hides more behind more requests is an exception: doublings are tried from above, and bisection starts
/// at the first that works. Errors: why there is none.
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
        let batch = growing_edge(scenario, slo, least, most).ok_or(NoBatch::Slo)?;
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
    let batch = edge(low, high, meets);
    Ok(Largest {
        batch,
        stop: Stop::Slo,
    })
}

/// The whole batch that serves most of those that work.
///
/// Of decoding alone it is the largest. Where prompts are read in the same engine every sequence beyond one in each group
/// waits for its neighbours' prompts, so that fewer may serve more: doublings of one in each group are tried, and
/// the neighbourhood of the best, unless twice as much is less than `known` tokens per second.
/// Errors: why no batch works.
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

/// Of batches that serve at least this share of what the best of them does, the fastest for users is offered,
pub const LEVEL: f64 = 0.995;
/// if it is at least this many times as fast as the best.
pub const FASTER: f64 = 1.25;

/// The batch to offer instead of `batch`: where the throughput is flat the least that serves nearly as much ([`LEVEL`])
/// with users clearly faster ([`FASTER`]), else `batch` itself.
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
    while high - low > 1.0 {
        let middle = ((low + high) / 2.0).floor();
        if serves(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    if serves(low) { low } else { high }
}

/// The largest batch that works; 0 when none does.
pub fn best_batch(scenario: &Scenario) -> f64 {
    largest(scenario).map_or(0.0, |largest| largest.batch)
}

/// The largest whole batch whose step, as evaluated, meets `slo` tokens/s/user, whether or not it fits
/// the memory; 0 when none does.
///
/// [`super::batch_for_slo`] bounds any possible step; this is the edge of the scenario's own.
pub fn batch_meeting_slo(scenario: &Scenario, slo: f64) -> f64 {
    let meets = |batch: f64| meets(scenario, slo, batch);
    // Doublings up to the first that is too slow, and a few more for what is only slow early on.
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
        Some(low) => edge(low, low * 2.0, meets),
    }
}

fn meets(scenario: &Scenario, slo: f64, batch: f64) -> bool {
    pace_with_batch(scenario, batch).is_ok_and(|pace| pace.tokens_per_user >= slo)
}

/// The largest whole batch from `least` to `most` that meets `slo`, where time grows with the batch; `None` where none does.
///
/// A step is as good as a few straight lines over the batch, so that the place between two batches where a line through
/// their times meets the SLO is near the edge; every third batch is halfway, so that a bend costs no more than bisection.
fn growing_edge(scenario: &Scenario, slo: f64, least: f64, most: f64) -> Option<f64> {
    let target = 1.0 / slo;
    let at = |batch: f64| {
        let pace = pace_with_batch(scenario, batch).ok();
        pace.map_or((false, f64::INFINITY), |pace| {
            (pace.tokens_per_user >= slo, pace.tpot.get())
        })
    };
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

/// The largest whole number from `low`, which meets, to `high`, which does not, after which one does not.
fn edge(mut low: f64, mut high: f64, meets: impl Fn(f64) -> bool) -> f64 {
    while high - low > 1.0 {
        let middle = ((low + high) / 2.0).floor();
        if meets(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The largest power of two below `batch`, at least `least`.
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

    /// Wherever it looks, the batch is the one after which users get less.
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
