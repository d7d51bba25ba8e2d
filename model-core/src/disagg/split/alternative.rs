//! The same money spent on one kind of accelerator.

use super::Setup;
use super::setup::compute_source;
use crate::cost::memory::batch_capacity;
use crate::evaluate::{Evaluation, evaluate};
use crate::scenario::{Inputs, Number, Scenario};
use crate::units::Seconds;

/// A cluster of the compute side's accelerator that costs as much as a split, or just more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Homogeneous {
    /// The cluster with its plan and the batch it holds.
    pub scenario: Scenario,
    /// What it comes to.
    pub evaluation: Evaluation,
    /// US dollars per hour of all of it.
    pub dollars_per_hour: f64,
}

impl Homogeneous {
    /// Tokens per US dollar.
    pub fn tokens_per_dollar(&self) -> f64 {
        self.evaluation.tokens * 3600.0 / self.dollars_per_hour
    }

    /// Attention's own time of a step, projections apart: what a split would move away.
    pub fn attention(&self) -> Seconds {
        let one: Seconds = self
            .evaluation
            .timed(&self.scenario)
            .filter(|timed| timed.operator.kind.needs_cache())
            .map(|timed| timed.time * f64::from(timed.layers))
            .sum();
        (one * self.scenario.plan.passes()).min(self.evaluation.breakdown.attention)
    }
}

/// The homogeneous cluster of equal price: the fewest accelerators that cost at least as much as the
/// split, in the sharding with the most throughput, at the split's batch or as much of it as fits.
/// With a trace, each serves what its memory holds.
///
/// `None` where a price is not known, or no such cluster of up to twice the size holds the model.
///
/// Source: [L] 6.1, Table 5 (2 or 4 × H100 for a split of 20.32 or 40.64 dollars per hour).
pub fn homogeneous(inputs: &Inputs, setup: &Setup) -> Option<Homogeneous> {
    let price = setup.compute_price.filter(|price| *price > 0.0)?;
    // A whole number of accelerators must not become one more by its last bit.
    const DUST: f64 = 1e-9;
    let fewest = (setup.dollars_per_hour()? / price - DUST).ceil().max(1.0);
    let most = (2.0 * fewest + 8.0).min(Number::Gpus.spec().most);
    (fewest as u32..=most as u32).find_map(|gpus| {
        let (scenario, evaluation) = best_of_size(inputs, setup, gpus)?;
        Some(Homogeneous {
            scenario,
            evaluation,
            dollars_per_hour: price * f64::from(gpus),
        })
    })
}

/// The sharding of `gpus` accelerators with the most throughput among those that hold the model.
pub fn best_of_size(inputs: &Inputs, setup: &Setup, gpus: u32) -> Option<(Scenario, Evaluation)> {
    let heads = inputs.model.arch().attention.heads();
    (1..=gpus)
        .filter(|tp| gpus.is_multiple_of(*tp) && heads.is_multiple_of(*tp))
        .filter_map(|tp| {
            let mut scenario = sharded(inputs, gpus, tp).scenario().ok()?;
            scenario.workload.context = setup.context();
            let room = batch_capacity(&scenario);
            let asked = match setup.trace {
                Some(_) => f64::INFINITY,
                None => setup.batch(),
            };
            scenario.workload.batch = room.min(asked);
            if room < 1.0 {
                return None;
            }
            let evaluation = evaluate(&scenario).ok()?;
            Some((scenario, evaluation))
        })
        .reduce(|most, next| {
            if next.1.tokens > most.1.tokens {
                next
            } else {
                most
            }
        })
}

/// Attention over `tp` GPUs, the feed-forward as it is by default.
fn sharded(inputs: &Inputs, gpus: u32, tp: u32) -> Inputs {
    let mut other = compute_source(inputs);
    for number in [
        Number::Dp,
        Number::Kvp,
        Number::FfnTp,
        Number::Ep,
        Number::Pp,
    ] {
        other.state(number, None);
    }
    other.state(Number::Gpus, Some(f64::from(gpus)));
    other.state(Number::Tp, Some(f64::from(tp)));
    other
}
