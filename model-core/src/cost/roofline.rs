//! The time of an operator: the larger of its arithmetic and its memory traffic.

use super::calibration::Calibration;
use crate::hardware::Cluster;
use crate::ops::{Operator, Role};
use crate::precision::Precision;
use crate::units::{Bytes, BytesPerSecond, Flop, FlopPerSecond, Seconds};

/// What a GPU does per second in each half of a layer, inefficiency included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    attention: FlopPerSecond,
    ffn: FlopPerSecond,
    memory: BytesPerSecond,
    overhead: Seconds,
}

/// Which roof an operator is under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Its bytes take longer.
    Memory,
    /// Its arithmetic takes longer.
    Compute,
}

impl Bound {
    /// The identifier in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Compute => "compute",
        }
    }
}

impl Rates {
    /// `None` when the accelerator has no peak for a format in use.
    pub fn new(
        cluster: &Cluster,
        precision: &Precision,
        calibration: &Calibration,
    ) -> Option<Self> {
        Some(Self {
            attention: cluster.peaks.of(precision.attention_format)? / calibration.attention,
            ffn: cluster.peaks.of(precision.ffn_format)? / calibration.ffn,
            memory: cluster.hbm / calibration.memory,
            overhead: calibration.overhead,
        })
    }

    /// FLOP·ε_c/peak of the format this part of the model computes in.
    pub fn compute(&self, role: Role, flop: Flop) -> Seconds {
        match role {
            Role::Attention | Role::Head => flop / self.attention,
            Role::Dense | Role::Experts => flop / self.ffn,
        }
    }

    /// bytes·ε_m/bandwidth.
    pub fn memory(&self, bytes: Bytes) -> Seconds {
        bytes / self.memory
    }

    /// Fixed time of one operator.
    pub const fn overhead(&self) -> Seconds {
        self.overhead
    }

    /// max(FLOP·ε_c/peak, bytes·ε_m/bandwidth) + overhead, over weights, KV and activations.
    ///
    /// Source: roofline model as in [A] eqs 46–47, [B] III.
    pub fn time(&self, operator: &Operator) -> Seconds {
        let compute = self.compute(operator.kind.role(), operator.flop);
        compute.max(self.memory(operator.bytes())) + self.overhead
    }

    /// Which of the two sets [`Self::time`].
    pub fn bound(&self, operator: &Operator) -> Bound {
        let compute = self.compute(operator.kind.role(), operator.flop);
        if compute > self.memory(operator.bytes()) {
            Bound::Compute
        } else {
            Bound::Memory
        }
    }
}
