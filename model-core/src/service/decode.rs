//! Replicas of the decode pool.

use super::miss::Miss;
use super::queue::replicas_for;
use super::traffic::{Demand, Requests};
use crate::evaluate::{evaluate, pace_with_batch};
use crate::inputs::{Inputs, Number};
use crate::levers::{Plans, Served, best_plan, is_feasible, served};
use crate::plan::PlanSpec;
use crate::scenario::Scenario;
use crate::units::Seconds;

/// A replica of the decode pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecodeReplica {
    /// Inputs of the decode replica, its plan and batch included.
    pub inputs: Inputs,
    /// Number of GPUs of the decode replica.
    pub gpus: u32,
    /// Sharding and schedule of the decode replica.
    pub spec: PlanSpec,
    /// Concurrent sequences of the decode replica (its batch).
    pub batch: f64,
    /// Time per output token of the decode replica.
    pub tpot: Seconds,
    /// Throughput of the decode replica, in tokens per second.
    pub tokens: f64,
    /// Max requests per second of the decode replica, μ_d = tok/s ÷ o, where o is the number of output tokens per
    /// request.
    pub rate: f64,
    /// True if no measured run has a plan of this type.
    pub extrapolated: bool,
}

impl DecodeReplica {
    /// Returns the number of decode replicas that serve the demand.
    pub fn replicas(&self, rate: f64, demand: &Demand) -> f64 {
        replicas_for(rate, self.rate, demand.utilisation)
    }

    /// Returns the decode replica that the inputs describe. The error is the reason why this replica is infeasible:
    /// broken rules, out of memory, or below the required tok/s/user. A batch below the plan's minimum counts as out
    /// of memory.
    pub fn of(inputs: &Inputs, requests: &Requests) -> Result<Self, Miss> {
        let scenario = inputs.scenario()?;
        let found = evaluate(&scenario).map_err(|refusal| vec![refusal])?;
        if !found.memory.fits() || scenario.workload.batch < scenario.plan.micro_batches() {
            return Err(Miss::NothingFits);
        }
        if !is_feasible(&scenario, &found) {
            return Err(Miss::Slow {
                fastest: found.tokens_per_user,
            });
        }
        Ok(Self {
            inputs: *inputs,
            gpus: scenario.cluster.gpus,
            spec: *scenario.plan.spec(),
            batch: scenario.workload.batch,
            tpot: found.tpot,
            tokens: found.tokens,
            rate: found.tokens / requests.output,
            extrapolated: false,
        })
    }
}

/// Returns the decode replica with the plan that the inputs set. Its batch is the one set in the inputs, or else the
/// smallest batch within 0.5% of the highest throughput.
pub fn stated(inputs: &Inputs, requests: &Requests) -> Result<DecodeReplica, Miss> {
    if inputs.stated(Number::Batch).is_some() {
        return DecodeReplica::of(inputs, requests);
    }
    let scenario = inputs.scenario()?;
    match served(&scenario, requests.users) {
        Some(Served { batch, .. }) => {
            DecodeReplica::of(&inputs.with(Number::Batch, batch), requests)
        }
        None => Err(slow(&[scenario])),
    }
}

/// Returns decode replicas with the best plan on the GPU count of `inputs`. The first replica has the smallest batch
/// within 0.5% of the highest throughput. The second one, returned only if its batch is larger, has the highest
/// throughput.
pub fn best(inputs: &Inputs, requests: &Requests, plans: &mut Plans) -> Vec<DecodeReplica> {
    let Some(best) = best_plan(inputs, requests.users, plans) else {
        return Vec::new();
    };
    let with = |batch: f64| {
        let inputs = best.inputs.with(Number::Batch, batch);
        let replica = DecodeReplica::of(&inputs, requests).ok()?;
        Some(DecodeReplica {
            extrapolated: best.extrapolated,
            ..replica
        })
    };
    let mut found: Vec<DecodeReplica> = with(best.served.batch).into_iter().collect();
    if best.most.batch > best.served.batch {
        found.extend(with(best.most.batch));
    }
    found
}

/// Returns the reason why no plan has a feasible batch: all plans are out of memory, or even the fastest one misses
/// the required tok/s/user.
pub fn slow(scenarios: &[Scenario]) -> Miss {
    let fastest = scenarios.iter().filter_map(|scenario| {
        let least = scenario.plan.micro_batches();
        let room = crate::cost::memory::batch_capacity(scenario) >= least;
        let pace = pace_with_batch(scenario, least).ok().filter(|_| room)?;
        Some(pace.tokens_per_user)
    });
    let fastest = fastest.fold(0.0, f64::max);
    match fastest > 0.0 {
        true => Miss::Slow { fastest },
        false => Miss::NothingFits,
    }
}
