//! The best configuration of a candidate accelerator.

use crate::evaluate::evaluate;
use crate::inputs::Inputs;
use crate::plan::PlanSpec;
use crate::service::{Service, ServiceState};
use crate::units::Seconds;
use crate::workload::Pools;

/// The best configuration of a candidate accelerator, with its cost and latency.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CandidateBest {
    /// Total number of GPUs in the configuration.
    pub gpus: f64,
    /// The replicas that make up the configuration.
    pub made_of: MadeOf,
    /// US dollars per million output tokens; `None` if the price of a GPU is unknown. With a request rate, prefill is
    /// included.
    pub dollars_per_mtok: Option<f64>,
    /// Mean TTFT; `None` if the scenario has no request rate.
    pub first_token: Option<Seconds>,
    /// Time per output token of the configuration (TPOT).
    pub tpot: Seconds,
    /// Energy per output token in joules, summed over all GPUs at board power; `None` if the board power is unknown.
    pub joules: Option<f64>,
    /// Number of GPUs available; `None` if unlimited.
    pub available: Option<u32>,
}

/// Number and size of the replicas in a candidate's best configuration.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum MadeOf {
    /// Decode replicas, or replicas with aggregated prefill: number of replicas, GPUs per replica, parallelism.
    Plan(f64, u32, PlanSpec),
    /// Aggregated replicas that serve a request rate: number of replicas, GPUs per replica.
    Aggregated(u64, u32),
    /// Prefill replicas, then decode replicas; for each pool, the number of replicas and the GPUs per replica.
    Pools((u64, u32), (u64, u32)),
}

/// The reason why a candidate is infeasible.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum CandidateMiss {
    /// The candidate breaks a rule; for example, the accelerator does not support a number format.
    Refused,
    /// No plan fits in memory or meets the SLO.
    NoPlan,
    /// No replica fits in memory.
    Memory,
    /// Even the fastest plan misses the SLO; the value is the plan's tok/s/user.
    Slow(f64),
    /// Even the minimum TTFT exceeds the TTFT limit; the value is this minimum.
    FirstToken(Seconds),
    /// A budget is set, but the price of a GPU is not known.
    NoPrice,
    /// The budget is less than the price of one GPU.
    Budget,
}

impl CandidateBest {
    /// Returns true if the configuration needs no more GPUs than are available.
    pub fn is_available(&self) -> bool {
        self.available
            .is_none_or(|gpus| self.gpus <= f64::from(gpus))
    }

    /// Returns the configuration of a service that handles a request rate, or the reason why it is infeasible.
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

    /// Evaluates the plan that `inputs` set; returns `None` if the evaluation fails.
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

/// Returns the replicas of the pools that a service chose, and the board power of all their GPUs in watts.
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
