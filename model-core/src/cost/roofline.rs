//! Roofline time of an operator: the larger of compute and memory traffic.

use crate::calibration::{Calibration, Starts};
use crate::hardware::Cluster;
use crate::ops::{KernelClass, Kind, Operator, Role};
use crate::precision::Precision;
use crate::units::{Bytes, BytesPerSecond, FlopPerSecond, Seconds};

/// Rates of a GPU by kind of kernel, inefficiency included, and kernel start times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    core: FlopPerSecond,
    projections: FlopPerSecond,
    ffn: FlopPerSecond,
    memory: BytesPerSecond,
    starts: Starts,
    tile_rows: f64,
    core_tokens: f64,
}

/// The roof that bounds an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Memory-bound.
    Memory,
    /// Compute-bound.
    Compute,
}

impl Bound {
    /// Identifier in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Compute => "compute",
        }
    }
}

impl Rates {
    /// Rates under a calibration; `None` when the accelerator has no peak for a format in use.
    pub fn new(
        cluster: &Cluster,
        precision: &Precision,
        calibration: &Calibration,
    ) -> Option<Self> {
        let attention = cluster.peaks.of(precision.attention_format)?;
        Some(Self {
            core: attention / calibration.attention,
            projections: attention / calibration.projections,
            ffn: cluster.peaks.of(precision.ffn_format)? / calibration.ffn,
            memory: cluster.hbm / calibration.memory,
            starts: calibration.starts,
            tile_rows: calibration.tile_rows,
            core_tokens: calibration.core_tokens,
        })
    }

    /// π·FLOP·ε_c/peak in the format and kernel of the operator, with π = max(1, tile/rows): a partly filled tile
    /// takes as long as a full one.
    pub fn compute(&self, operator: &Operator) -> Seconds {
        let rate = match operator.kind.role() {
            Role::Dense | Role::Experts => self.ffn,
            Role::Attention | Role::Head => match operator.kind.kernel_class() {
                KernelClass::Core | KernelClass::Other => self.core,
                _ => self.projections,
            },
        };
        let padding = (self.tile_rows / operator.rows).max(1.0);
        let flop = operator.flop + operator.per_context_token.flop * self.core_tokens;
        flop * padding / rate
    }

    /// bytes·ε_m/bandwidth over weights, KV and activations.
    pub fn memory(&self, operator: &Operator) -> Seconds {
        self.moving(operator.bytes() + operator.per_context_token.kv * self.core_tokens)
    }

    /// bytes·ε_m/bandwidth.
    pub fn moving(&self, bytes: Bytes) -> Seconds {
        bytes / self.memory
    }

    /// Fixed start time of one operator.
    pub fn start(&self, kind: Kind) -> Seconds {
        self.starts.of(kind)
    }

    /// max(π·FLOP·ε_c/peak, bytes·ε_m/bandwidth) + start.
    ///
    /// Source: roofline model as in [A] eqs 46–47, [B] III.
    pub fn time(&self, operator: &Operator) -> Seconds {
        self.compute(operator).max(self.memory(operator)) + self.start(operator.kind)
    }

    /// The bound of [`Self::time`].
    pub fn bound(&self, operator: &Operator) -> Bound {
        if self.compute(operator) > self.memory(operator) {
            Bound::Compute
        } else {
            Bound::Memory
        }
    }
}
