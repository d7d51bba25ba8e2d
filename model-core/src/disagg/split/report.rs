//! The fields of a split in results: see `docs/links.md`.

use serde::Serialize;

use super::alternative::{Homogeneous, homogeneous};
use super::bandwidth::minimum_bandwidth;
use super::memory::{SideMemory, shortages};
use super::search::{Candidate, budget, search};
use super::{Refusal, Setup, Side, Split, evaluate};
use crate::scenario::{Inputs, Number};

/// A split, as a result prints it.
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct SplitAnswer {
    pub ok: bool,
    pub mode: &'static str,
    pub compute_gpu: &'static str,
    pub memory_gpu: &'static str,
    pub compute_gpus: u32,
    pub memory_gpus: u32,
    pub batches: u32,
    pub replicas: u32,
    pub trace: Option<&'static str>,
    pub batch: f64,
    pub batch_capacity: f64,
    pub context: f64,
    pub step_s: f64,
    pub tpot_s: f64,
    pub tok_s_user: f64,
    pub tok_s: f64,
    pub usd_per_hour: Option<f64>,
    pub tok_per_usd: Option<f64>,
    pub breakdown_s: BreakdownSeconds,
    pub busy_s: BusySeconds,
    pub bound: &'static str,
    pub balance: f64,
    pub traffic_bytes: f64,
    pub min_bandwidth: f64,
    pub memory_bytes: BothSides,
    pub fits: bool,
    pub does_not_fit: Vec<String>,
    pub homogeneous: Option<HomogeneousFields>,
    pub budget_usd_per_hour: Option<f64>,
    pub fastest: Option<CandidateFields>,
    pub cheapest: Option<CandidateFields>,
    pub notes: Vec<String>,
}

/// Where a step of one batch goes: model + attention + network − hidden + waiting.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct BreakdownSeconds {
    pub model: f64,
    pub attention: f64,
    pub network: f64,
    pub hidden: f64,
    pub waiting: f64,
}

/// What the devices of each kind work in a step.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct BusySeconds {
    pub model: f64,
    pub attention: f64,
    pub network: f64,
}

/// Memory of a device of either side.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct BothSides {
    pub compute: SideBytes,
    pub memory: SideBytes,
}

/// Memory of one device.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct SideBytes {
    pub weights: f64,
    pub kv_cache: f64,
    pub activations: f64,
    pub total: f64,
    pub usable: f64,
}

/// The homogeneous cluster of equal price.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct HomogeneousFields {
    pub gpus: u32,
    pub dp: u32,
    pub tp: u32,
    pub batch: f64,
    pub step_s: f64,
    pub tok_s_user: f64,
    pub tok_s: f64,
    pub usd_per_hour: f64,
    pub tok_per_usd: f64,
    pub overlap: &'static str,
    pub batch_gain: Option<f64>,
    pub tok_s_gain: Option<f64>,
}

/// A degree of parallelism under the budget.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct CandidateFields {
    pub compute_gpus: u32,
    pub memory_gpus: u32,
    pub batch: f64,
    pub tok_s: f64,
    pub tok_s_user: f64,
    pub usd_per_hour: f64,
    pub tok_per_usd: f64,
}

/// The fields of the split that `inputs` state, or every rule it breaks.
pub fn answer(inputs: &Inputs, mut notes: Vec<String>) -> Result<SplitAnswer, Vec<Refusal>> {
    let all = inputs;
    // Links mean what they state: the batch is served, whatever its users get.
    let inputs = &all.without(Number::Slo);
    let setup = Setup::of(inputs)?;
    let split = evaluate(&setup).map_err(|refusal| vec![refusal])?;
    notes.extend(crate::disagg::notes::of_split(all));
    if !split.fits() {
        notes.push(
            "batch_gain and tok_s_gain are null: the split does not fit, see does_not_fit".into(),
        );
    }
    let minimum = minimum_bandwidth(&setup).ok_or_else(|| vec![Refusal::NotFinite])?;
    let other = homogeneous(inputs, &setup);
    let budget = budget(inputs, &setup);
    let found = budget.map(|budget| search(inputs, budget));
    let candidate = |of: Option<&Candidate>| of.map(candidate_fields);
    let Split { times, memory, .. } = &split;
    Ok(SplitAnswer {
        ok: true,
        mode: "split",
        compute_gpu: inputs.compute_gpu.map_or(inputs.gpu.id(), |entry| entry.id),
        memory_gpu: inputs.memory_gpu.id,
        compute_gpus: setup.compute_gpus,
        memory_gpus: setup.memory_gpus,
        batches: setup.batches,
        replicas: setup.replicas,
        trace: setup.trace.map(|trace| trace.id),
        batch: setup.batch(),
        batch_capacity: split.capacity,
        context: setup.context(),
        step_s: split.step.get(),
        tpot_s: split.tpot.get(),
        tok_s_user: split.tokens_per_user,
        tok_s: split.tokens,
        usd_per_hour: setup.dollars_per_hour(),
        tok_per_usd: split.tokens_per_dollar,
        breakdown_s: BreakdownSeconds {
            model: times.model.get(),
            attention: times.attention.get(),
            network: times.network().get(),
            hidden: split.hidden.get(),
            waiting: split.waiting.get(),
        },
        busy_s: BusySeconds {
            model: split.model_busy.get(),
            attention: split.attention_busy.get(),
            network: split.network_busy.get(),
        },
        bound: split.bound.id(),
        balance: split.balance(),
        traffic_bytes: split.traffic.total().get(),
        min_bandwidth: minimum.get(),
        memory_bytes: BothSides {
            compute: side(&memory[Side::Compute as usize]),
            memory: side(&memory[Side::Memory as usize]),
        },
        fits: split.fits(),
        does_not_fit: shortages(&setup)
            .iter()
            .map(|shortage| {
                let (rule, facts) = shortage.words();
                format!("{rule}: {facts}")
            })
            .collect(),
        homogeneous: other.map(|other| homogeneous_fields(&other, &setup, &split)),
        budget_usd_per_hour: budget,
        fastest: candidate(found.as_ref().and_then(|found| found.fastest())),
        cheapest: candidate(found.as_ref().and_then(|found| found.cheapest())),
        notes,
    })
}

fn side(memory: &SideMemory) -> SideBytes {
    SideBytes {
        weights: memory.weights.get(),
        kv_cache: memory.cache.get(),
        activations: memory.activations.get(),
        total: memory.total().get(),
        usable: memory.usable.get(),
    }
}

fn homogeneous_fields(other: &Homogeneous, setup: &Setup, split: &Split) -> HomogeneousFields {
    let spec = other.scenario.plan.spec();
    let batch = other.scenario.workload.batch;
    let gains = other.gains(setup, split);
    HomogeneousFields {
        gpus: other.scenario.cluster.gpus,
        dp: spec.dp,
        tp: spec.tp,
        batch,
        step_s: other.evaluation.step.get(),
        tok_s_user: other.evaluation.tokens_per_user,
        tok_s: other.evaluation.tokens,
        usd_per_hour: other.dollars_per_hour,
        tok_per_usd: other.tokens_per_dollar(),
        overlap: spec.overlap.id(),
        batch_gain: gains.map(|gains| gains.batch),
        tok_s_gain: gains.map(|gains| gains.tokens),
    }
}

fn candidate_fields(candidate: &Candidate) -> CandidateFields {
    CandidateFields {
        compute_gpus: candidate.compute_gpus,
        memory_gpus: candidate.memory_gpus,
        batch: candidate.batch,
        tok_s: candidate.tokens,
        tok_s_user: candidate.tokens_per_user,
        usd_per_hour: candidate.dollars_per_hour,
        tok_per_usd: candidate.tokens_per_dollar,
    }
}
