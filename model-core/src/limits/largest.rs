//! The largest batch that works: what every recommendation of a batch is.

use super::MOST;
use crate::cost::memory::batch_capacity;
use crate::evaluate::with_batch;
use crate::scenario::{Number, Scenario};

/// The largest batch that works, and what keeps it from growing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Largest {
    /// Whole sequences of the whole deployment.
    pub batch: f64,
    /// What a larger one runs into.
    pub stop: Stop,
}

/// What keeps a batch from growing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The memory is full.
    Memory,
    /// One sequence more would miss the SLO.
    Slo,
    /// Nothing before the largest batch that can be stated.
    Nothing,
}

/// Why no batch works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBatch {
    /// Not even one sequence in every micro-batch fits the memory.
    Memory,
    /// What fits is too slow, one sequence in every micro-batch already.
    Slo,
}

/// The largest whole batch that fits the memory and meets the SLO, if there is one, as evaluated.
///
/// It has at least one sequence in every micro-batch that the plan runs at once
/// ([`crate::plan::Plan::micro_batches`]); loads are means, so beyond that it need not divide. The
/// fullest group holds the mean rounded up, which is why the memory's own limit is a multiple of dp.
///
/// A larger batch is as a rule never faster for a user, but schedules that hide more behind more
/// requests are exceptions: doublings are tried from above, and bisection starts at the first that
/// works. Errors: why there is none.
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

/// The largest batch that works; 0 when none does.
pub fn best_batch(scenario: &Scenario) -> f64 {
    largest(scenario).map_or(0.0, |largest| largest.batch)
}

/// The largest whole batch whose step, as evaluated, meets `slo` tokens/s/user, whether or not it fits
/// the memory; 0 when none does.
///
/// Where [`super::batch_for_slo`] bounds any possible step, this is the edge of the scenario's own.
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
    with_batch(scenario, batch).is_ok_and(|evaluation| evaluation.tokens_per_user >= slo)
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
