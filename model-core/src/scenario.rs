//! A scenario: what an evaluation is made of, complete, valid and small enough to copy in a sweep.

use crate::arch::Arch;
use crate::calibration::Calibration;
use crate::hardware::Cluster;
use crate::ops::{Kernel, PromptForm, Subject};
use crate::plan::Plan;
use crate::precision::Precision;
use crate::workload::Workload;

/// Everything an evaluation needs, complete and checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scenario {
    /// The model's shape.
    pub arch: Arch,
    /// GPUs and links.
    pub cluster: Cluster,
    /// Batch, context, speculation, SLO.
    pub workload: Workload,
    /// Bytes and formats.
    pub precision: Precision,
    /// The sharding.
    pub plan: Plan,
    /// Kernels of attention.
    pub kernel: Kernel,
    /// Inefficiencies and latencies.
    pub calibration: Calibration,
    /// Equal replicas, each of `cluster.gpus` GPUs with `workload.batch` sequences.
    pub replicas: u32,
    /// Share of memory kept free, 0 … 0.9.
    pub reserve: f64,
    /// Price in US dollars per GPU-hour, if known.
    pub dollars_per_hour: Option<f64>,
    /// Board power of a GPU in watts, if known.
    pub board_watts: Option<f64>,
}

impl Scenario {
    /// The subject of its operators.
    pub const fn subject(&self) -> Subject<'_> {
        Subject {
            arch: &self.arch,
            plan: &self.plan,
            precision: &self.precision,
            kernel: self.kernel,
            popularity: &self.calibration.popularity,
            prompts: PromptForm::Equations,
            drafts_share_tiles: !self.calibration.drafter,
        }
    }
}
