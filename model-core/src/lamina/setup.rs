//! A checked split: both sides as scenarios.

use crate::apart::{Partition, QEarly};
use crate::scenario::Scenario;
use crate::trace::Trace;
use crate::units::{BytesPerSecond, Seconds};

/// A complete and valid split; small enough to copy in a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitSetup {
    /// One model replica on its compute devices, with the total batch.
    pub compute: Scenario,
    /// All memory devices; its batch is the whole deployment's.
    pub memory: Scenario,
    /// Compute devices of all replicas, a.
    pub compute_gpus: u32,
    /// Memory devices, b.
    pub memory_gpus: u32,
    /// Micro-batches in flight, j.
    pub batches: u32,
    /// Replicas of the model: 1 for a single micro-batch, else j − 1.
    pub replicas: u32,
    /// Division of attention over the memory devices.
    pub partition: Partition,
    /// Queries sent ahead of keys and values.
    pub q_early: QEarly,
    /// Bandwidth of each device between the sides, one direction.
    pub net: BytesPerSecond,
    /// Round trip between the sides.
    pub round_trip: Seconds,
    /// Share of the computation time that the network may add, α of [L] 3.1.
    pub slow_down: f64,
    /// US dollars per hour of a compute device, if known.
    pub compute_price: Option<f64>,
    /// US dollars per hour of a memory device, if known.
    pub memory_price: Option<f64>,
    /// The trace whose lengths are served; `None` for the scenario's batch and context.
    pub trace: Option<&'static Trace>,
    /// Stated sequences; [`Self::batch`] is less where fewer meet the SLO.
    pub asked: f64,
}

impl SplitSetup {
    /// Total sequences, over all micro-batches.
    pub const fn batch(&self) -> f64 {
        self.compute.workload.batch
    }

    /// Sequences of one micro-batch.
    pub fn batch_each(&self) -> f64 {
        self.batch() / f64::from(self.batches)
    }

    /// Mean tokens of context of a sequence.
    pub const fn context(&self) -> f64 {
        self.compute.workload.context
    }

    /// The same split at another batch.
    #[must_use]
    pub const fn with_batch(mut self, batch: f64) -> Self {
        self.compute.workload.batch = batch;
        self.memory.workload.batch = batch;
        self.asked = batch;
        self
    }

    /// The same deployment at another mean context.
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

    /// US dollars per hour of all devices, if both prices are known.
    pub fn dollars_per_hour(&self) -> Option<f64> {
        let compute = self.compute_price? * f64::from(self.compute_gpus);
        let memory = self.memory_price? * f64::from(self.memory_gpus);
        Some(compute + memory)
    }
}
