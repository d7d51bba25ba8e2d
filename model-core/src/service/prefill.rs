//! Replicas of the prefill pool.

use super::queue::{fewest, replicas_for, wait};
use super::traffic::{Demand, Requests};
use crate::cost::memory::{pass_memory, sequence_bytes};
use crate::hardware::NetworkLink;
use crate::inputs::Inputs;
use crate::math::divisors;
use crate::ops::Load;
use crate::plan::PlanSpec;
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::schedule::prefill::{Replica, replica, replica_plan};
use crate::units::Seconds;

/// A replica of the prefill pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrefillReplica {
    /// Number of GPUs of the prefill replica, G_p = dp·tp.
    pub gpus: u32,
    /// Degree of tensor parallelism of attention in the prefill replica.
    pub tp: u32,
    /// Sharding of the prefill replica, with experts over all GPUs. Each pass uses the faster schedule.
    pub spec: PlanSpec,
    /// Prefill passes of the replica, and the resulting request rate.
    pub passes: Replica,
    /// Time to transfer the KV cache of one prompt to the decode pool.
    pub transfer: Seconds,
    /// True if the weights, one prefill pass, and the KV caches of the prompts in that pass fit in memory.
    pub fits: bool,
}

/// Parts of TTFT: queueing, prefill, and the time after prefill.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstToken {
    /// Mean queueing time until prefill starts. Includes the wait for a running pass or step to end, which is half its
    /// duration on average.
    pub wait: Seconds,
    /// Time of the prompt's prefill.
    pub prefill: Seconds,
    /// Time after prefill until the token is available. This is the KV transfer or, with aggregated prefill, the step
    /// that produces the token.
    pub rest: Seconds,
}

impl FirstToken {
    /// Returns the total TTFT: queueing, prefill, and the time after prefill.
    pub fn total(&self) -> Seconds {
        self.wait + self.prefill + self.rest
    }
}

impl PrefillReplica {
    /// Returns the max requests per second of the prefill replica, μ_p.
    pub const fn rate(&self) -> f64 {
        self.passes.rate
    }

    /// Returns the number of data-parallel attention groups of the prefill replica.
    pub fn groups(&self) -> f64 {
        f64::from(self.gpus / self.tp)
    }

    /// Returns the times and rates that determine the queueing of this prefill replica.
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

    /// Returns the TTFT if the prefill pool is idle.
    pub fn alone(&self) -> Seconds {
        self.turn().alone()
    }

    /// Returns the mean TTFT of `replicas` prefill replicas at `rate` req/s; see [`PrefillTurn::first_token`].
    pub fn first_token(&self, rate: f64, replicas: f64) -> Option<FirstToken> {
        self.turn().first_token(rate, replicas)
    }

    /// Returns the number of prefill replicas that serve the demand; see [`PrefillTurn::replicas`].
    pub fn replicas(&self, rate: f64, demand: &Demand) -> Option<f64> {
        self.turn().replicas(rate, demand)
    }
}

/// Times and rates of a prefill replica that determine its queueing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrefillTurn {
    /// Time of a prefill pass with m prompts per attention group, t_p.
    pub pass: Seconds,
    /// Number of passes per prompt, one for each chunk, J.
    pub chunks: f64,
    /// Number of data-parallel attention groups in the prefill replica, dp.
    pub groups: f64,
    /// Prompts per pass and attention group, m.
    pub together: f64,
    /// Max requests per second of the prefill replica, μ_p = dp·m/(J t_p).
    pub rate: f64,
    /// Prefill time of one prompt without queueing.
    pub prefill: Seconds,
    /// Time to transfer one prompt's KV cache to the decode pool.
    pub transfer: Seconds,
}

impl PrefillTurn {
    /// Returns the TTFT if the prefill pool is idle.
    pub fn alone(&self) -> Seconds {
        self.prefill + self.transfer
    }

    /// Returns the mean TTFT of `replicas` replicas (R_p) at `rate` req/s. TTFT is the sum of queueing, the wait for
    /// the running pass, the prompt's passes, and the KV transfer. Prompts queue for one of q = R_p dp m slots; the
    /// wait for the running pass is half a pass times utilization. `None` if the replicas cannot sustain the rate.
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

    /// Returns the number of prefill replicas that serve the demand; `None` if no number meets the TTFT limit.
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

/// Returns the candidate prefill replicas of each size. They have tensor parallelism `tp` if it is set; otherwise,
/// every degree that divides the size is tried.
///
/// `base`: the prefill pool's inputs on one GPU. Errors: broken rules, if no candidate is valid.
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
        let ways = match tp {
            Some(tp) => vec![tp],
            None => divisors(gpus).collect(),
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

/// Returns the prefill replica of a scenario. `None` if one of its times is not finite, or if the accelerator has no
/// peak for a format in use.
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

/// Returns the time to transfer one prompt's KV cache and states to the decode pool. All GPUs of the prompt's
/// attention group send in parallel: α_o + bytes/(tp σ_o W_out). Here α_o, σ_o and W_out are scale-out latency,
/// efficiency and bandwidth.
pub fn transfer(scenario: &Scenario, requests: &Requests, tp: u32) -> Seconds {
    let mut whole = *scenario;
    whole.workload.context = requests.prompt;
    let bytes = sequence_bytes(&whole).total;
    let across = scenario.calibration.messages.across;
    let bandwidth = scenario.cluster.bandwidth(NetworkLink::ScaleOut);
    across.start + bytes / bandwidth * (across.factor / f64::from(tp))
}
