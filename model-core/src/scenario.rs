//! A scenario: the complete, valid input of one evaluation, small enough to be copied in sweeps.

use crate::arch::Arch;
use crate::calibration::Calibration;
use crate::correction::Correction;
use crate::engine_memory::MemoryModel;
use crate::hardware::Cluster;
use crate::ops::{Kernel, PromptForm, Subject};
use crate::plan::Plan;
use crate::precision::Precision;
use crate::workload::Workload;

/// The complete, checked input of one evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scenario {
    /// Shape of the scenario's model: its layers and their dimensions.
    pub arch: Arch,
    /// GPUs and interconnects.
    pub cluster: Cluster,
    /// Batch, context, speculative decoding and SLO.
    pub workload: Workload,
    /// Precision: bytes per element, and compute formats.
    pub precision: Precision,
    /// Plan: sharding and schedule.
    pub plan: Plan,
    /// Attention kernels in use.
    pub kernel: Kernel,
    /// Inefficiencies and latencies of the engine, with [`Self::correction`] already applied.
    pub calibration: Calibration,
    /// Correction from measurements: already applied to [`Self::calibration`], and applied to aggregated prefill
    /// later.
    pub correction: Correction,
    /// Number of identical replicas, each with `cluster.gpus` GPUs and `workload.batch` sequences.
    pub replicas: u32,
    /// Fraction of GPU memory that is set aside (reserved), 0–0.9.
    pub reserve: f64,
    /// Memory model: with or without engine memory.
    pub memory_model: MemoryModel,
    /// Price in US dollars per GPU-hour, if known.
    pub dollars_per_hour: Option<f64>,
    /// Board power of a GPU in watts, if known.
    pub board_watts: Option<f64>,
}

impl Scenario {
    /// Returns the scenario with the correction from measurements undone. Prefill is computed with this uncorrected
    /// scenario.
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

    /// Returns the bytes per weight of the output head. It is at least two under a calibration that models engines,
    /// if the accelerator has a BF16 peak.
    const fn head_bytes(&self) -> f64 {
        let stated = self.precision.attention_weights;
        match (self.calibration.engine, self.cluster.peaks.bf16) {
            (Some(_), Some(_)) => stated.max(2.0),
            _ => stated,
        }
    }

    /// Returns the parts of the scenario from which operators are built.
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
