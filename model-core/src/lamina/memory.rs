//! Memory of compute and memory devices in a Lamina deployment, and the largest batch that fits on both.

use super::SplitSide;
use super::refusal::Shortage;
use super::setup::SplitSetup;
use crate::arch::Mixer;
use crate::cost::memory::memory;
use crate::ops::{LatentForm, Load, Operator, Operators, Place};
use crate::scenario::Scenario;
use crate::units::Bytes;

/// Memory of one device on one side of a Lamina deployment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SideMemory {
    /// The side of the deployment.
    pub side: SplitSide,
    /// Weights of the side's operators; on the compute side, including the embedding.
    pub weights: Bytes,
    /// KV cache of all micro-batches; zero on the compute side.
    pub cache: Bytes,
    /// Largest activations of one micro-batch.
    pub activations: Bytes,
    /// Usable memory: capacity × (1 − reserve).
    pub usable: Bytes,
}

impl SideMemory {
    /// Returns the total memory use: weights, KV cache and activations.
    pub fn total(&self) -> Bytes {
        self.weights + self.cache + self.activations
    }

    /// Returns true if the total memory use does not exceed the usable memory.
    pub fn fits(&self) -> bool {
        self.total() <= self.usable
    }
}

/// Returns the memory of one device of `side`.
///
/// Source: [L] 3.1: weights are on the compute devices, the KV cache of all micro-batches on the memory devices.
pub fn side_memory(setup: &SplitSetup, side: SplitSide) -> SideMemory {
    let scenario = match side {
        SplitSide::Compute => &setup.compute,
        SplitSide::Memory => &setup.memory,
    };
    let (weights, usable) = weights_of(scenario, side);
    let all = memory(scenario, setup.batch());
    let cache = match side {
        SplitSide::Compute => Bytes::ZERO,
        SplitSide::Memory => all.kv_cache,
    };
    SideMemory {
        side,
        weights,
        cache,
        activations: activations(scenario, side, setup.batch_each()),
        usable,
    }
}

/// Returns the weights on one device of a side, and the device's usable memory.
pub fn weights_of(scenario: &Scenario, side: SplitSide) -> (Bytes, Bytes) {
    let all = memory(scenario, 1.0);
    let weights = match side {
        SplitSide::Compute => all.weights(),
        SplitSide::Memory => {
            let mut held = Bytes::ZERO;
            for_each_part(scenario, side, 1.0, |place, operators| {
                let one: Bytes = operators.map(|operator| operator.weights).sum();
                held += one * f64::from(place.layers(&scenario.arch));
            });
            held
        }
    };
    (weights, all.usable)
}

/// Calls `each` for every part of the model, with the part's operators on one side for `batch` sequences.
fn for_each_part(
    scenario: &Scenario,
    side: SplitSide,
    batch: f64,
    mut each: impl FnMut(Place, &mut dyn Iterator<Item = &Operator>),
) {
    let load = Load::decode(batch, &scenario.plan, &scenario.workload);
    let subject = scenario.subject();
    let mut list = Operators::EMPTY;
    for place in Place::all(&scenario.arch) {
        subject.fill(&mut list, place, &load);
        let of_side =
            |operator: &&Operator| operator.kind.needs_cache() == (side == SplitSide::Memory);
        each(place, &mut list.as_slice().iter().filter(of_side));
    }
}

/// Returns the operators of a side for `batch` sequences, grouped by part of the model.
pub fn operators(scenario: &Scenario, side: SplitSide, batch: f64) -> Vec<(Place, Operators)> {
    let load = Load::decode(batch, &scenario.plan, &scenario.workload);
    let subject = scenario.subject();
    let of_side = |place: Place| {
        let operators = subject.operators(place, &load);
        (
            place,
            operators.only(|kind| kind.needs_cache() == (side == SplitSide::Memory)),
        )
    };
    Place::all(&scenario.arch).map(of_side).collect()
}

/// Returns the largest activations of a micro-batch on one device. On the memory devices, these are the decompressed
/// keys and values if MLA is not absorbed.
fn activations(scenario: &Scenario, side: SplitSide, batch: f64) -> Bytes {
    let mut mixers = scenario.arch.mixers().iter();
    let latent = mixers.any(|part| matches!(part.shape, Mixer::Latent(_)));
    if side == SplitSide::Memory && latent && scenario.kernel.latent == LatentForm::Plain {
        return memory(scenario, batch).activations;
    }
    let mut largest = Bytes::ZERO;
    for_each_part(scenario, side, batch, |_, operators| {
        for operator in operators {
            largest = largest.max(operator.activations);
        }
    });
    largest
}

/// Returns the sides that lack memory, with their shortages.
pub fn shortages(setup: &SplitSetup) -> Vec<Shortage> {
    [SplitSide::Compute, SplitSide::Memory]
        .into_iter()
        .map(|side| side_memory(setup, side))
        .filter(|memory| !memory.fits())
        .map(|memory| Shortage {
            side: memory.side,
            needed: memory.total(),
            usable: memory.usable,
        })
        .collect()
}

/// Returns the max number of whole sequences, over all micro-batches, that both sides hold; 0 if the weights do not
/// fit.
///
/// All memory except the weights is proportional to the batch.
pub fn batch_capacity(setup: &SplitSetup) -> f64 {
    // Max batch considered.
    const MOST: f64 = 1e12;
    let one = setup.with_batch(1.0);
    let room = [SplitSide::Compute, SplitSide::Memory]
        .into_iter()
        .map(|side| {
            let memory = side_memory(&one, side);
            let each = memory.cache + memory.activations;
            (memory.usable - memory.weights) / each
        })
        .fold(MOST, f64::min);
    let mut batch = room.floor().max(0.0);
    // The quotient may be off by rounding, so check the sum of the memory.
    let fits = |batch: f64| shortages(&setup.with_batch(batch)).is_empty();
    if batch > 0.0 && !fits(batch) {
        batch -= 1.0;
    } else if batch < MOST && room >= 0.0 && fits(batch + 1.0) {
        batch += 1.0;
    }
    batch
}
