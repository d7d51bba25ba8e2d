//! Searches the degrees of parallelism (`a` compute devices, `b` memory devices) within a budget.

use super::alternative::homogeneous;
use super::memory::batch_capacity;
use super::refusal::SplitRefusal;
use super::setup::SplitSetup;
use super::slo;
use super::step::evaluate;
use crate::inputs::split::replicas;
use crate::inputs::{Inputs, Number};

/// Degree of parallelism (`a`, `b`) with its evaluated performance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Number of compute devices, `a`.
    pub compute_gpus: u32,
    /// Number of memory devices, `b`.
    pub memory_gpus: u32,
    /// Price of all devices in US dollars per hour.
    pub dollars_per_hour: f64,
    /// Concurrent sequences of the whole deployment.
    pub batch: f64,
    /// Throughput of the whole deployment in tokens per second.
    pub tokens: f64,
    /// Tokens per second for one user.
    pub tokens_per_user: f64,
    /// Output tokens per US dollar.
    pub tokens_per_dollar: f64,
}

/// Results of a search over degrees of parallelism.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchedDegrees {
    /// Feasible candidates, sorted by the number of compute devices, then by the number of memory devices.
    pub candidates: Vec<Candidate>,
    /// Number of candidates that break a rule or miss the SLO.
    pub refused: usize,
    /// Number of candidates whose memory cannot hold the model and one sequence per micro-batch.
    pub out_of_memory: usize,
}

impl SearchedDegrees {
    /// Returns the candidate with the most tokens per second.
    pub fn fastest(&self) -> Option<&Candidate> {
        self.most(|candidate| candidate.tokens)
    }

    /// Returns the candidate with the most tokens per dollar.
    pub fn cheapest(&self) -> Option<&Candidate> {
        self.most(|candidate| candidate.tokens_per_dollar)
    }

    /// Returns the candidate for which `of` is highest. Among equal candidates, the first one wins, which has the
    /// fewest compute devices.
    fn most(&self, of: impl Fn(&Candidate) -> f64) -> Option<&Candidate> {
        self.candidates
            .iter()
            .reduce(|most, next| if of(next) > of(most) { next } else { most })
    }
}

/// Returns the active budget in US dollars per hour. This is the user's budget if there is one. Otherwise, it is the
/// price of the homogeneous alternative or of the Lamina deployment, whichever is higher. `None` if the user sets no
/// budget and a device price is unknown.
pub fn budget(inputs: &Inputs, setup: &SplitSetup) -> Option<f64> {
    inputs.get(Number::Budget).or_else(|| {
        let own = setup.dollars_per_hour()?;
        Some(homogeneous(inputs, setup).map_or(own, |other| other.dollars_per_hour.max(own)))
    })
}

/// Evaluates every degree of parallelism (`a`, `b`) from [`sizes`] that costs at most `budget` US dollars per hour.
/// `a` must be divisible by the number of replicas. The result is empty if a price is unknown.
///
/// If the inputs have a trace, each candidate serves the largest batch that fits and meets the SLO. Otherwise, it
/// serves the scenario's batch, or as much of it as fits and meets the SLO.
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

/// Outcome of evaluating one degree of parallelism.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TriedDegree {
    /// The candidate is feasible.
    Works(Candidate),
    /// The memory cannot hold the model and one sequence per micro-batch.
    OutOfMemory,
    /// The candidate breaks a rule, misses the SLO, or has no known price.
    Refused,
}

/// Evaluates the degree of parallelism in `inputs`, at the stated batch or as much of it as fits and meets the SLO.
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

/// Returns the device counts to try, up to `most`. These are 1 to 16, then multiples of 8 up to 64, then powers of
/// two and the midpoints between them.
pub fn sizes(most: u32) -> impl Iterator<Item = u32> {
    let fine = 1..=16;
    let nodes = (24..=64).step_by(8);
    let racks = (5..=10).flat_map(|power| [3 << power, 4 << power]);
    fine.chain(nodes)
        .chain(racks)
        .take_while(move |size| *size <= most)
}

/// Returns the number of devices that `sum` dollars per hour can rent.
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
