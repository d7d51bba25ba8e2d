//! JSON fields that describe an evaluated Lamina deployment; `docs/links.md` documents them.

use super::SplitSide;
use super::alternative::{Homogeneous, SplitGains, homogeneous};
use super::bandwidth::minimum_bandwidth;
use super::memory::{SideMemory, shortages};
use super::refusal::SplitRefusal;
use super::search::{Candidate, budget, search};
use super::setup::SplitSetup;
use super::step::{Split, evaluate};
use crate::fields::fields;
use crate::inputs::{Inputs, Number};
use crate::shape::Valid;
use crate::units::BytesPerSecond;

fields! {
    /// Result of evaluating a Lamina deployment.
    SplitAnswer(
        inputs: &Inputs,
        setup: &SplitSetup,
        split: &Split,
        min_bandwidth: BytesPerSecond,
        homogeneous: Option<&Homogeneous>,
        budget: Option<f64>,
        notes: Vec<String>,
    ) {
        ok: Valid<true> = Valid::IS,
        mode: &'static str = "split",
        compute_gpu: &'static str = inputs.compute_gpu.map_or(inputs.gpu.id(), |entry| entry.id),
        memory_gpu: &'static str = inputs.memory_gpu.id,
        compute_gpus: u32 = setup.compute_gpus,
        memory_gpus: u32 = setup.memory_gpus,
        batches: u32 = setup.batches,
        replicas: u32 = setup.replicas,
        trace: Option<&'static str> = setup.trace.map(|trace| trace.id),
        batch: f64 = setup.batch(),
        batch_capacity: f64 = split.capacity,
        context: f64 = setup.context(),
        step_s: f64 = split.step.get(),
        tpot_s: f64 = split.tpot.get(),
        tok_s_user: f64 = split.tokens_per_user,
        tok_s: f64 = split.tokens,
        usd_per_hour: Option<f64> = setup.dollars_per_hour(),
        tok_per_usd: Option<f64> = split.tokens_per_dollar,
        breakdown_s: SplitBreakdown = SplitBreakdown::of(split),
        busy_s: BusySeconds = BusySeconds::of(split),
        bound: &'static str = split.bound.id(),
        balance: f64 = split.balance(),
        traffic_bytes: f64 = split.traffic.total().get(),
        min_bandwidth: f64 = min_bandwidth.get(),
        memory_bytes: SplitMemory = SplitMemory::of(&split.memory),
        fits: bool = split.fits(),
        does_not_fit: Vec<String> = shortages(setup).iter().map(|shortage| {
            let (rule, facts) = shortage.words();
            format!("{rule}: {facts}")
        }).collect(),
        homogeneous: Option<HomogeneousFields> =
            homogeneous.map(|other| HomogeneousFields::of(other, other.gains(setup, split))),
        budget_usd_per_hour: Option<f64> = budget,
        fastest: Option<SplitCandidate> = None,
        cheapest: Option<SplitCandidate> = None,
        notes: Vec<String> = notes,
    }
}

fields! {
    /// Step time of one micro-batch, split into parts: model + attention + network − overlapped + waiting.
    SplitBreakdown(split: &Split) {
        model: f64 = split.times.model.get(),
        attention: f64 = split.times.attention.get(),
        network: f64 = split.times.network().get(),
        hidden: f64 = split.hidden.get(),
        waiting: f64 = split.waiting.get(),
    }
}

fields! {
    /// Busy time of each resource in one step: the compute devices, the memory devices, and the network links.
    BusySeconds(split: &Split) {
        model: f64 = split.model_busy.get(),
        attention: f64 = split.attention_busy.get(),
        network: f64 = split.network_busy.get(),
    }
}

fields! {
    /// Memory use of one compute device and of one memory device.
    SplitMemory(memory: &[SideMemory; 2]) {
        compute: SideBytes = SideBytes::of(&memory[SplitSide::Compute as usize]),
        memory: SideBytes = SideBytes::of(&memory[SplitSide::Memory as usize]),
    }
}

fields! {
    /// Memory use of one device, in bytes.
    SideBytes(memory: &SideMemory) {
        weights: f64 = memory.weights.get(),
        kv_cache: f64 = memory.cache.get(),
        activations: f64 = memory.activations.get(),
        total: f64 = memory.total().get(),
        usable: f64 = memory.usable.get(),
    }
}

fields! {
    /// Homogeneous cluster of about the same price as the Lamina deployment.
    HomogeneousFields(other: &Homogeneous, gains: Option<SplitGains>) {
        gpus: u32 = other.scenario.cluster.gpus,
        dp: u32 = other.scenario.plan.spec().dp,
        tp: u32 = other.scenario.plan.spec().tp,
        batch: f64 = other.scenario.workload.batch,
        step_s: f64 = other.evaluation.step.get(),
        tok_s_user: f64 = other.evaluation.tokens_per_user,
        tok_s: f64 = other.evaluation.tokens,
        usd_per_hour: f64 = other.dollars_per_hour,
        tok_per_usd: f64 = other.tokens_per_dollar(),
        overlap: &'static str = other.scenario.plan.spec().overlap.id(),
        batch_gain: Option<f64> = gains.map(|gains| gains.batch),
        tok_s_gain: Option<f64> = gains.map(|gains| gains.tokens),
    }
}

fields! {
    /// Degree of parallelism (device counts of both sides) that fits within the budget.
    SplitCandidate(candidate: &Candidate) {
        compute_gpus: u32 = candidate.compute_gpus,
        memory_gpus: u32 = candidate.memory_gpus,
        batch: f64 = candidate.batch,
        tok_s: f64 = candidate.tokens,
        tok_s_user: f64 = candidate.tokens_per_user,
        usd_per_hour: f64 = candidate.dollars_per_hour,
        tok_per_usd: f64 = candidate.tokens_per_dollar,
    }
}

/// Evaluates the Lamina deployment of `inputs`, without regard to an SLO, and returns its JSON fields. If rules are
/// broken, the error lists all of them.
pub fn answer(inputs: &Inputs, mut notes: Vec<String>) -> Result<SplitAnswer, Vec<SplitRefusal>> {
    let all = inputs;
    // The stated batch is served, whether or not it meets the SLO.
    let inputs = &all.without(Number::Slo);
    let setup = SplitSetup::of(inputs)?;
    let split = evaluate(&setup).map_err(|refusal| vec![refusal])?;
    notes.extend(crate::afd::notes::of_split(all));
    if !split.fits() {
        notes.push(
            "batch_gain and tok_s_gain are null because the deployment does not fit: see does_not_fit"
                .into(),
        );
    }
    let minimum = minimum_bandwidth(&setup).ok_or_else(|| vec![SplitRefusal::NotFinite])?;
    let other = homogeneous(inputs, &setup);
    let budget = budget(inputs, &setup);
    let found = budget.map(|budget| search(inputs, budget));
    Ok(SplitAnswer {
        fastest: found
            .as_ref()
            .and_then(|found| found.fastest())
            .map(SplitCandidate::of),
        cheapest: found
            .as_ref()
            .and_then(|found| found.cheapest())
            .map(SplitCandidate::of),
        ..SplitAnswer::of(
            inputs,
            &setup,
            &split,
            minimum,
            other.as_ref(),
            budget,
            notes,
        )
    })
}
