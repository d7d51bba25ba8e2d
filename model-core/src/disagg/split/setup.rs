//! From inputs to a checked split: the two sides as scenarios of their own.

use super::Side;
use super::defaults::replicas;
use super::refusal::Refusal;
use super::sides::{compute_inputs, memory_inputs};
use crate::apart::{Partition, QEarly};
use crate::arch::{Arch, Mixer};
use crate::scenario::{Inputs, Number, Scenario};
use crate::trace::Trace;
use crate::units::{BytesPerSecond, Seconds};

/// A complete and valid split; small enough to copy in a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setup {
    /// One replica of the model on its compute devices; its batch is the whole deployment's.
    pub compute: Scenario,
    /// All memory devices; its batch is the whole deployment's.
    pub memory: Scenario,
    /// Compute devices of all replicas, a.
    pub compute_gpus: u32,
    /// Memory devices, b.
    pub memory_gpus: u32,
    /// Batches in flight, j.
    pub batches: u32,
    /// Replicas of the model: 1 for a batch alone, else j − 1.
    pub replicas: u32,
    /// How the memory devices divide attention.
    pub partition: Partition,
    /// Whether queries are sent ahead.
    pub q_early: QEarly,
    /// Bandwidth of each device between the sides, one direction.
    pub net: BytesPerSecond,
    /// Round trip between the sides.
    pub round_trip: Seconds,
    /// Share of the computation that the network may add, α of [L] 3.1.
    pub slow_down: f64,
    /// US dollars per hour of a compute device, where a price is known.
    pub compute_price: Option<f64>,
    /// US dollars per hour of a memory device, where a price is known.
    pub memory_price: Option<f64>,
    /// The trace that is served; `None` for the scenario's own batch and context.
    pub trace: Option<&'static Trace>,
    /// Sequences that are asked for: [`Self::batch`] is fewer where no more of them keep the SLO.
    pub asked: f64,
}

impl Setup {
    /// Completes and checks the split of `inputs`; every broken rule is reported.
    ///
    /// With a trace, the context is its mean ([`Trace::mean_context`]) and the batch what memory
    /// holds of it; without one, both are the scenario's.
    pub fn of(inputs: &Inputs) -> Result<Self, Vec<Refusal>> {
        let whole = |number| inputs.get(number).unwrap_or(1.0) as u32;
        let compute_gpus = whole(Number::ComputeGpus);
        let memory_gpus = whole(Number::MemoryGpus);
        let batches = whole(Number::Batches);
        let replicas = replicas(inputs);
        let partition = inputs
            .partition
            .unwrap_or(Partition::default_of(inputs.model.arch()));
        let mut broken = uncut(inputs.model.arch());
        if !broken.is_empty() {
            return Err(broken);
        }
        if !compute_gpus.is_multiple_of(replicas) {
            broken.push(Refusal::Replicas {
                gpus: compute_gpus,
                replicas,
            });
        }
        let each = (compute_gpus / replicas).max(1);
        let mut side = |side: Side, inputs: Inputs| {
            inputs
                .scenario()
                .map_err(|rules| {
                    broken.extend(rules.into_iter().map(|rule| Refusal::Plan { side, rule }));
                })
                .ok()
        };
        let compute = side(Side::Compute, compute_inputs(inputs, each));
        let memory = side(Side::Memory, memory_inputs(inputs, memory_gpus, partition));
        let (Some(compute), Some(memory)) = (compute, memory) else {
            return Err(broken);
        };
        if !broken.is_empty() {
            return Err(broken);
        }
        let mut setup = Self {
            compute,
            memory,
            compute_gpus,
            memory_gpus,
            batches,
            replicas,
            partition,
            q_early: inputs.q_early,
            net: BytesPerSecond::from_gb(inputs.get(Number::Net).unwrap_or(50.0)),
            round_trip: Seconds::from_micros(inputs.get(Number::NetMicros).unwrap_or(0.0)),
            slow_down: inputs.get(Number::SlowDown).unwrap_or(0.2),
            compute_price: inputs.get(Number::ComputePrice),
            memory_price: inputs.get(Number::MemoryPrice),
            trace: inputs.trace,
            asked: compute.workload.batch,
        };
        if let Some(trace) = inputs.trace {
            setup = setup.with_context(trace.mean_context());
            let room = super::memory::batch_capacity(&setup);
            let least = f64::from(batches);
            if room < least {
                let shortages = super::memory::shortages(&setup.with_batch(least));
                return Err(shortages.into_iter().map(Refusal::NoRoom).collect());
            }
            setup = setup.with_batch(room);
        } else if setup.batch() < f64::from(batches) {
            return Err(vec![Refusal::Sequences {
                batch: setup.batch(),
                batches,
            }]);
        }
        Ok(setup)
    }

    /// Sequences of the whole deployment, all batches together.
    pub const fn batch(&self) -> f64 {
        self.compute.workload.batch
    }

    /// Sequences of one batch in flight.
    pub fn batch_each(&self) -> f64 {
        self.batch() / f64::from(self.batches)
    }

    /// Mean tokens of context of a sequence.
    pub const fn context(&self) -> f64 {
        self.compute.workload.context
    }

    /// The same split with another number of sequences.
    #[must_use]
    pub const fn with_batch(mut self, batch: f64) -> Self {
        self.compute.workload.batch = batch;
        self.memory.workload.batch = batch;
        self.asked = batch;
        self
    }

    /// The same split with another mean context.
    #[must_use]
    pub const fn with_context(mut self, context: f64) -> Self {
        self.compute.workload.context = context;
        self.memory.workload.context = context;
        self
    }

    /// Compute devices of one replica.
    pub const fn replica_gpus(&self) -> u32 {
        self.compute.cluster.gpus
    }

    /// US dollars per hour of all devices, where both prices are known.
    pub fn dollars_per_hour(&self) -> Option<f64> {
        let compute = self.compute_price? * f64::from(self.compute_gpus);
        let memory = self.memory_price? * f64::from(self.memory_gpus);
        Some(compute + memory)
    }
}

/// Mixers that no cut between model and attention is defined for.
fn uncut(arch: &Arch) -> Vec<Refusal> {
    let mut found = Vec::new();
    for part in arch.mixers() {
        let defined = match part.shape {
            Mixer::Grouped(shape) => shape.index().is_none(),
            Mixer::Latent(shape) => shape.index.is_none(),
            _ => false,
        };
        let refusal = Refusal::Mixer {
            mixer: part.shape.id(),
        };
        if !defined && !found.contains(&refusal) {
            found.push(refusal);
        }
    }
    found
}
