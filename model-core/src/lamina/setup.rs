//! A checked Lamina deployment, with each of its two sides represented as a scenario.

use crate::apart::{Partition, QEarly};
use crate::scenario::Scenario;
use crate::trace::Trace;
use crate::units::{BytesPerSecond, Seconds};

/// Complete and valid Lamina deployment, small enough to be copied in a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitSetup {
    /// Scenario of one model replica on its compute devices; its batch is that of the whole deployment.
    pub compute: Scenario,
    /// Scenario of all memory devices; its batch is that of the whole deployment.
    pub memory: Scenario,
    /// Number of compute devices of all replicas, `a`.
    pub compute_gpus: u32,
    /// Number of memory devices, `b`.
    pub memory_gpus: u32,
    /// Number of micro-batches in flight, j.
    pub batches: u32,
    /// Number of model replicas: 1 for a single micro-batch, otherwise j − 1.
    pub replicas: u32,
    /// Partition of attention across the memory devices: by heads or by requests.
    pub partition: Partition,
    /// Setting for sending queries early, before keys and values.
    pub q_early: QEarly,
    /// Network bandwidth per device between the two sides, in one direction.
    pub net: BytesPerSecond,
    /// Network round-trip time between the two sides.
    pub round_trip: Seconds,
    /// Network time allowed as a fraction of the computation time: α of [L] 3.1.
    pub slow_down: f64,
    /// Price of one compute device in US dollars per hour, if known.
    pub compute_price: Option<f64>,
    /// Price of one memory device in US dollars per hour, if known.
    pub memory_price: Option<f64>,
    /// Trace whose request lengths are served; `None` if the scenario's batch and context are used.
    pub trace: Option<&'static Trace>,
    /// Number of sequences requested; [`Self::batch`] is smaller if fewer sequences meet the SLO.
    pub asked: f64,
}

impl SplitSetup {
    /// Returns the total number of sequences over all micro-batches.
    pub const fn batch(&self) -> f64 {
        self.compute.workload.batch
    }

    /// Returns the number of sequences in one micro-batch.
    pub fn batch_each(&self) -> f64 {
        self.batch() / f64::from(self.batches)
    }

    /// Returns the mean context length per sequence, in tokens.
    pub const fn context(&self) -> f64 {
        self.compute.workload.context
    }

    /// Returns the same deployment with another batch.
    #[must_use]
    pub const fn with_batch(mut self, batch: f64) -> Self {
        self.compute.workload.batch = batch;
        self.memory.workload.batch = batch;
        self.asked = batch;
        self
    }

    /// Returns the same deployment with another mean context length.
    #[must_use]
    pub const fn with_context(mut self, context: f64) -> Self {
        self.compute.workload.context = context;
        self.memory.workload.context = context;
        self
    }

    /// Returns the number of compute devices per replica.
    pub const fn replica_gpus(&self) -> u32 {
        self.compute.cluster.gpus
    }

    /// Returns the price of all devices in US dollars per hour; `None` if either price is unknown.
    pub fn dollars_per_hour(&self) -> Option<f64> {
        let compute = self.compute_price? * f64::from(self.compute_gpus);
        let memory = self.memory_price? * f64::from(self.memory_gpus);
        Some(compute + memory)
    }
}
