//! Degrees of parallelism (a, b) within a budget.

use super::alternative::homogeneous;
use super::memory::batch_capacity;
use super::refusal::SplitRefusal;
use super::setup::SplitSetup;
use super::slo;
use super::step::evaluate;
use crate::inputs::split::replicas;
use crate::inputs::{Inputs, Number};

/// A degree of parallelism with its evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Compute devices, a.
    pub compute_gpus: u32,
    /// Memory devices, b.
    pub memory_gpus: u32,
    /// US dollars per hour.
    pub dollars_per_hour: f64,
    /// Sequences served at once.
    pub batch: f64,
    /// Tokens per second.
    pub tokens: f64,
    /// Tokens per second of one user.
    pub tokens_per_user: f64,
    /// Tokens per US dollar.
    pub tokens_per_dollar: f64,
}

/// Results of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchedDegrees {
    /// Feasible candidates, by compute devices, then memory devices.
    pub candidates: Vec<Candidate>,
    /// Number of candidates that break a rule or miss the SLO.
    pub refused: usize,
    /// Number of candidates whose memory does not hold the model and one sequence.
    pub out_of_memory: usize,
}

impl SearchedDegrees {
    /// The candidate with the most tokens per second.
    pub fn fastest(&self) -> Option<&Candidate> {
        self.most(|candidate| candidate.tokens)
    }

    /// The candidate with the most tokens per dollar.
    pub fn cheapest(&self) -> Option<&Candidate> {
        self.most(|candidate| candidate.tokens_per_dollar)
    }

    /// Ties go to the first, with fewer devices.
    fn most(&self, of: impl Fn(&Candidate) -> f64) -> Option<&Candidate> {
        self.candidates
            .iter()
            .reduce(|most, next| if of(next) > of(most) { next } else { most })
    }
}

/// The active budget in dollars per hour: the stated one, else the price of the homogeneous alternative or of the
/// split itself, whichever is more; `None` if no price is known.
pub fn budget(inputs: &Inputs, setup: &SplitSetup) -> Option<f64> {
    inputs.get(Number::Budget).or_else(|| {
        let own = setup.dollars_per_hour()?;
        Some(homogeneous(inputs, setup).map_or(own, |other| other.dollars_per_hour.max(own)))
    })
}

/// Evaluates every (a, b) of [`sizes`] that costs at most `budget` dollars per hour.
///
/// With a trace each serves the largest batch that fits; else the scenario's batch, or as much of it as fits.
pub fn search(inputs: &Inputs, budget: f64) -> SearchedDegrees {
    let mut found = SearchedDegrees::default();
    let prices = (
        inputs.get(Number::ComputePrice),
        inputs.get(Number::MemoryPrice),
    );
    let (Some(compute_price), Some(memory_price)) = prices else {
        return found;
    };
    let replicas = replicas(inputs);
    for compute in sizes(affordable(budget, compute_price)) {
        if !compute.is_multiple_of(replicas) {
            continue;
        }
        let left = budget - compute_price * f64::from(compute);
        for memory in sizes(affordable(left, memory_price)) {
            let asked = inputs
                .with(Number::ComputeGpus, f64::from(compute))
                .with(Number::MemoryGpus, f64::from(memory));
            match candidate(&asked) {
                TriedDegree::Works(candidate) => found.candidates.push(candidate),
                TriedDegree::OutOfMemory => found.out_of_memory += 1,
                TriedDegree::Refused => found.refused += 1,
            }
        }
    }
    found
}

/// Outcome of a degree of parallelism.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TriedDegree {
    /// Feasible.
    Works(Candidate),
    /// Memory does not hold the model and one sequence.
    OutOfMemory,
    /// It breaks a rule, misses the SLO, or has no price.
    Refused,
}

/// Evaluates the degree of parallelism that `inputs` state, at the batch it can serve.
pub fn candidate(inputs: &Inputs) -> TriedDegree {
    let setup = match slo::setup(inputs) {
        Ok(setup) => setup,
        Err(rules) => {
            let room = |rule: &SplitRefusal| matches!(rule, SplitRefusal::NoRoom(_));
            return if rules.iter().all(room) {
                TriedDegree::OutOfMemory
            } else {
                TriedDegree::Refused
            };
        }
    };
    let room = batch_capacity(&setup);
    if room < f64::from(setup.batches) {
        return TriedDegree::OutOfMemory;
    }
    let setup = setup.with_batch(setup.batch().min(room));
    let Ok(split) = evaluate(&setup) else {
        return TriedDegree::Refused;
    };
    if !slo::keeps(setup.compute.workload.slo, split.tokens_per_user) {
        return TriedDegree::Refused;
    }
    match (setup.dollars_per_hour(), split.tokens_per_dollar) {
        (Some(dollars_per_hour), Some(tokens_per_dollar)) => TriedDegree::Works(Candidate {
            compute_gpus: setup.compute_gpus,
            memory_gpus: setup.memory_gpus,
            dollars_per_hour,
            batch: setup.batch(),
            tokens: split.tokens,
            tokens_per_user: split.tokens_per_user,
            tokens_per_dollar,
        }),
        _ => TriedDegree::Refused,
    }
}

/// Numbers of devices to try, up to `most`: 1 to 16, then whole nodes of 8 to 64, then powers of two and the halves
/// between.
pub fn sizes(most: u32) -> impl Iterator<Item = u32> {
    let fine = 1..=16;
    let nodes = (24..=64).step_by(8);
    let racks = (5..=10).flat_map(|power| [3 << power, 4 << power]);
    fine.chain(nodes)
        .chain(racks)
        .take_while(move |size| *size <= most)
}

/// Number of devices that a sum buys.
fn affordable(sum: f64, price: f64) -> u32 {
    // Tolerance for rounding.
    const DUST: f64 = 1e-9;
    let most = Number::MemoryGpus.spec().most;
    if price > 0.0 {
        (sum / price + DUST).floor().clamp(0.0, most) as u32
    } else {
        most as u32
    }
}
