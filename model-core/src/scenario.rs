//! A scenario: the complete, valid input of an evaluation, small enough to copy in a sweep.

use crate::arch::Arch;
use crate::calibration::Calibration;
use crate::correction::Correction;
use crate::engine_memory::MemoryModel;
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
    /// The plan.
    pub plan: Plan,
    /// Kernels of attention.
    pub kernel: Kernel,
    /// Inefficiencies and latencies, corrected.
    pub calibration: Calibration,
    /// The correction that [`Self::calibration`] has, and that aggregated prefill gets.
    pub correction: Correction,
    /// Equal replicas, each of `cluster.gpus` GPUs with `workload.batch` sequences.
    pub replicas: u32,
    /// Fraction of memory reserved, 0–0.9.
    pub reserve: f64,
    /// The memory model.
    pub memory_model: MemoryModel,
    /// Price in US dollars per GPU-hour, if known.
    pub dollars_per_hour: Option<f64>,
    /// Board power of a GPU in watts, if known.
    pub board_watts: Option<f64>,
}

impl Scenario {
    /// The scenario without its correction, which prefill is computed with.
    #[must_use]
    pub fn uncorrected(&self) -> Self {
        if self.correction.is_none() {
            return *self;
        }
        let Correction {
            fixed, variable, ..
        } = self.correction;
        Self {
            calibration: self.calibration.corrected(1.0 / fixed, 1.0 / variable),
            correction: Correction::NONE,
            ..*self
        }
    }

    /// Bytes per weight of the head: engines leave it in 16 bits.
    const fn head_bytes(&self) -> f64 {
        let stated = self.precision.attention_weights;
        match (self.calibration.engine, self.cluster.peaks.bf16) {
            (Some(_), Some(_)) => stated.max(2.0),
            _ => stated,
        }
    }

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
            head_bytes: self.head_bytes(),
            fuses_prompts: self.calibration.engine.is_some(),
        }
    }
}
