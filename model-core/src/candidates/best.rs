//! A candidate at its best.

use crate::evaluate::evaluate;
use crate::inputs::Inputs;
use crate::plan::PlanSpec;
use crate::service::{Service, ServiceState};
use crate::units::Seconds;
use crate::workload::Pools;

/// A candidate at its best.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CandidateBest {
    /// Total GPUs.
    pub gpus: f64,
    /// Replicas.
    pub made_of: MadeOf,
    /// US dollars per million output tokens, prefill included where there is a request rate; `None` without a price.
    pub dollars_per_mtok: Option<f64>,
    /// Mean time to first token; `None` without a request rate.
    pub first_token: Option<Seconds>,
    /// Time per output token.
    pub tpot: Seconds,
    /// Joules per output token of all GPUs at board power; `None` where the power is not known.
    pub joules: Option<f64>,
    /// GPUs available; `None` for any count.
    pub available: Option<u32>,
}

/// Replicas of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum MadeOf {
    /// Decode replicas, or replicas with aggregated prefill: count, GPUs of each, sharding.
    Plan(f64, u32, PlanSpec),
    /// Aggregated replicas under a request rate: count, GPUs of each.
    Aggregated(u64, u32),
    /// Prefill replicas and decode replicas: count, GPUs of each.
    Pools((u64, u32), (u64, u32)),
}

/// The reason why a candidate is infeasible.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum CandidateMiss {
    /// A broken rule, such as a format that the accelerator lacks.
    Refused,
    /// No plan fits in memory or meets the SLO.
    NoPlan,
    /// No replica fits in memory.
    Memory,
    /// The fastest plan, in tok/s/user, misses the SLO.
    Slow(f64),
    /// The minimum time to first token misses its limit.
    FirstToken(Seconds),
    /// A budget, but no price.
    NoPrice,
    /// The budget is less than the price of one GPU.
    Budget,
}

impl CandidateBest {
    /// True if no more GPUs are needed than are available.
    pub fn is_available(&self) -> bool {
        self.available
            .is_none_or(|gpus| self.gpus <= f64::from(gpus))
    }

    /// A service under a request rate.
    pub fn of_service(
        service: &Service,
        inputs: &Inputs,
        available: Option<u32>,
    ) -> Result<Self, CandidateMiss> {
        let served = || Some((service.gpus()?, service.first_token()?, service.tpot()?));
        let Some((gpus, first_token, tpot)) = served() else {
            return Err(miss(service.state()));
        };
        let (made_of, watts) = made_of(service, inputs).ok_or(CandidateMiss::NoPlan)?;
        let tokens = service.demand.rate.unwrap_or(0.0) * service.requests.output;
        let per_token = 1e6 / service.requests.output;
        Ok(Self {
            gpus: gpus as f64,
            made_of,
            dollars_per_mtok: service.cost().map(|cost| cost.per_request * per_token),
            first_token: Some(first_token.total()),
            tpot,
            joules: watts.map(|watts| watts / tokens),
            available,
        })
    }

    /// The plan that inputs state, evaluated.
    pub fn of_plan(inputs: &Inputs, available: Option<u32>) -> Option<Self> {
        let scenario = inputs.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        let (count, each) = (f64::from(scenario.replicas), scenario.cluster.gpus);
        Some(Self {
            gpus: count * f64::from(each),
            made_of: MadeOf::Plan(count, each, *scenario.plan.spec()),
            dollars_per_mtok: evaluation.dollars_per_mtok,
            first_token: None,
            tpot: evaluation.tpot,
            joules: evaluation.joules_per_token,
            available,
        })
    }
}

/// Replicas of the chosen pools, and their board power in watts.
fn made_of(service: &Service, inputs: &Inputs) -> Option<(MadeOf, Option<f64>)> {
    let own = inputs.accelerator().board_watts;
    let gpus = |gpus: u64, watts: Option<f64>| Some(watts? * gpus as f64);
    if let (Some(Pools::Aggregated), Ok(one)) = (service.choice, &service.aggregated) {
        let pool = one.loaded?.pool;
        let made_of = MadeOf::Aggregated(pool.replicas, one.replica.gpus);
        return Some((made_of, gpus(pool.gpus, own)));
    }
    let pools = service.disaggregated.as_ref().ok()?;
    let loaded = pools.loaded?;
    let prefill = match inputs.prefill_gpu {
        Some(entry) => entry.accelerator.board_watts,
        None => own,
    };
    let watts = gpus(loaded.prefill.gpus, prefill).zip(gpus(loaded.decode.gpus, own));
    let made_of = MadeOf::Pools(
        (loaded.prefill.replicas, pools.prefill.gpus),
        (loaded.decode.replicas, pools.decode.gpus),
    );
    Some((made_of, watts.map(|(one, other)| one + other)))
}

fn miss(state: ServiceState) -> CandidateMiss {
    match state {
        ServiceState::FirstTokenMissed { soonest, .. } => CandidateMiss::FirstToken(soonest),
        ServiceState::TooSlow { fastest, .. } => CandidateMiss::Slow(fastest),
        ServiceState::NothingFits => CandidateMiss::Memory,
        ServiceState::Refused => CandidateMiss::Refused,
        ServiceState::Aggregated { .. }
        | ServiceState::Disaggregated { .. }
        | ServiceState::Matched { .. } => CandidateMiss::NoPlan,
    }
}
