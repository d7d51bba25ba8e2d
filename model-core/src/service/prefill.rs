//! Replicas of a prefill pool.

use super::queue::{fewest, replicas_for, wait};
use super::traffic::{Demand, Requests};
use crate::cost::memory::{pass_memory, sequence_bytes};
use crate::hardware::NetworkLink;
use crate::inputs::Inputs;
use crate::ops::Load;
use crate::plan::PlanSpec;
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::schedule::prefill::{Replica, replica, replica_plan};
use crate::units::Seconds;

/// A prefill replica.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrefillReplica {
    /// GPUs, G_p = dp·tp.
    pub gpus: u32,
    /// Tensor parallelism of attention.
    pub tp: u32,
    /// Sharding, with experts over all GPUs; passes take the shorter schedule.
    pub spec: PlanSpec,
    /// Passes, and req/s.
    pub passes: Replica,
    /// A prompt's cache on its way to decode.
    pub transfer: Seconds,
    /// True if weights, a pass and the caches of its prompts fit the memory.
    pub fits: bool,
}

/// Time to first token by its parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstToken {
    /// Mean wait for a place, half a running pass or step included.
    pub wait: Seconds,
    /// Prefill.
    pub prefill: Seconds,
    /// KV transfer; with aggregated prefill, the step with the prompt.
    pub rest: Seconds,
}

impl FirstToken {
    /// Sum of the parts.
    pub fn total(&self) -> Seconds {
        self.wait + self.prefill + self.rest
    }
}

impl PrefillReplica {
    /// Requests per second, μ_p.
    pub const fn rate(&self) -> f64 {
        self.passes.rate
    }

    /// Data-parallel attention groups.
    pub fn groups(&self) -> f64 {
        f64::from(self.gpus / self.tp)
    }

    /// The times on which its queue depends.
    pub fn turn(&self) -> PrefillTurn {
        PrefillTurn {
            pass: self.passes.pass.time(),
            chunks: self.passes.prompt.chunks,
            groups: self.groups(),
            together: self.passes.together,
            rate: self.rate(),
            prefill: self.passes.first_token(),
            transfer: self.transfer,
        }
    }

    /// Time to first token of an idle pool.
    pub fn alone(&self) -> Seconds {
        self.turn().alone()
    }

    /// [`PrefillTurn::first_token`].
    pub fn first_token(&self, rate: f64, replicas: f64) -> Option<FirstToken> {
        self.turn().first_token(rate, replicas)
    }

    /// [`PrefillTurn::replicas`].
    pub fn replicas(&self, rate: f64, demand: &Demand) -> Option<f64> {
        self.turn().replicas(rate, demand)
    }
}

/// Times of a prefill replica on which its queue depends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrefillTurn {
    /// A pass of m prompts, t_p.
    pub pass: Seconds,
    /// Passes of a prompt, J.
    pub chunks: f64,
    /// Data-parallel attention groups, dp.
    pub groups: f64,
    /// Prompts of a pass in an attention group, m.
    pub together: f64,
    /// Requests per second, μ_p = dp·m/(J t_p).
    pub rate: f64,
    /// Prefill of a prompt without queueing.
    pub prefill: Seconds,
    /// KV transfer of a prompt.
    pub transfer: Seconds,
}

impl PrefillTurn {
    /// Time to first token of an idle pool.
    pub fn alone(&self) -> Seconds {
        self.prefill + self.transfer
    }

    /// Mean time to first token of `replicas` under `rate` req/s: the wait for one of q = R_p dp m places
    /// and half a running pass, the prompt's own passes, the transfer. `None` if the replicas are too few.
    pub fn first_token(&self, rate: f64, replicas: f64) -> Option<FirstToken> {
        let utilisation = rate / (replicas * self.rate);
        let places = replicas * self.groups * self.together;
        let queued = wait(self.pass * self.chunks, places, utilisation)?;
        Some(FirstToken {
            wait: queued + self.pass * (utilisation / 2.0),
            prefill: self.prefill,
            rest: self.transfer,
        })
    }

    /// Replicas for the demand; `None` if no number of them meets the limit.
    pub fn replicas(&self, rate: f64, demand: &Demand) -> Option<f64> {
        if demand
            .first_token
            .is_some_and(|limit| limit <= self.alone())
        {
            return None;
        }
        let least = replicas_for(rate, self.rate, demand.utilisation);
        fewest(least, |replicas| {
            let first = self.first_token(rate, replicas);
            demand.meets(first.map(|first| first.total()))
        })
    }
}

/// Replicas to choose from: of each size, with every tensor parallelism that divides it or with `tp`.
///
/// `base`: the prefill pool's inputs on one GPU. Errors: broken rules of a stated replica.
pub fn candidates(
    base: &Inputs,
    sizes: &[u32],
    tp: Option<u32>,
    requests: &Requests,
) -> Result<Vec<PrefillReplica>, Vec<Refusal>> {
    let scenario = base.scenario()?;
    let mut found = Vec::new();
    let mut refused = Vec::new();
    for &gpus in sizes {
        let every = (1..=gpus).filter(|tp| gpus.is_multiple_of(*tp));
        let ways = match tp {
            Some(tp) => vec![tp],
            None => every.collect(),
        };
        for tp in ways {
            match replica_plan(&scenario, gpus, tp) {
                Ok(plan) => {
                    let mut scenario = scenario;
                    scenario.cluster.gpus = gpus;
                    scenario.plan = plan;
                    found.extend(of_scenario(&scenario, requests, gpus, tp));
                }
                Err(rules) => refused = rules,
            }
        }
    }
    if found.is_empty() && !refused.is_empty() {
        return Err(refused);
    }
    Ok(found)
}

/// The replica of a scenario; `None` if a time is not finite.
fn of_scenario(
    scenario: &Scenario,
    requests: &Requests,
    gpus: u32,
    tp: u32,
) -> Option<PrefillReplica> {
    let passes = replica(scenario, requests.prompt)?;
    let transfer = transfer(scenario, requests, tp);
    let load = Load::chunk(&passes.prompt, passes.together, true, &scenario.plan);
    let times = [passes.rate, passes.first_token().get(), transfer.get()];
    let finite = times.iter().all(|time| time.is_finite()) && passes.rate > 0.0;
    finite.then(|| PrefillReplica {
        gpus,
        tp,
        spec: *scenario.plan.spec(),
        passes,
        transfer,
        fits: pass_memory(scenario, &load).fits(),
    })
}

/// Transfer of a prompt's cache and states to decode, by all GPUs of its attention group: α_o + bytes/(tp σ_o W_out).
pub fn transfer(scenario: &Scenario, requests: &Requests, tp: u32) -> Seconds {
    let mut whole = *scenario;
    whole.workload.context = requests.prompt;
    let bytes = sequence_bytes(&whole).total;
    let across = scenario.calibration.messages.across;
    let bandwidth = scenario.cluster.bandwidth(NetworkLink::ScaleOut);
    across.start + bytes / bandwidth * (across.factor / f64::from(tp))
}
