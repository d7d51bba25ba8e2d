//! Engine overhead around kernels, for calibrations with separate terms.

use crate::units::Seconds;

/// Overhead of an engine beyond the common start of a layer and of a step.
///
/// A calibration with these terms also has what engines do: GEMMs of attention in FP8 where its weights are
/// that narrow, a head in BF16, fused experts in prefill where every GPU has every token, and data-parallel groups
/// that do not prefill at the same time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EngineTerms {
    /// Start that a half layer has more where its products run in FP8 or FP4, o_q.
    pub quantized: Seconds,
    /// Start that a half layer has more with experts, o_x.
    pub experts: Seconds,
    /// Bytes moved per token and hidden element of a half layer: on every GPU of an attention group, and divided
    /// among them.
    pub moved: [f64; 2],
    /// Bytes more of a half layer whose products run in FP8 or FP4, as much on every GPU as divided among them.
    pub quantized_moved: f64,
    /// ε of that traffic.
    pub memory: f64,
    /// Overhead of a step per sampled token.
    pub sampled: Seconds,
    /// True on the accelerator that they were measured on.
    pub on_measured_part: bool,
}

impl EngineTerms {
    /// Bytes per token and hidden element of a half layer on one of `gpus` GPUs of an attention group.
    pub const fn bytes(&self, quantized: bool, gpus: f64) -> f64 {
        let [whole, divided] = self.moved;
        let more = if quantized { self.quantized_moved } else { 0.0 };
        whole + divided / gpus + more * (1.0 + 1.0 / gpus)
    }

    /// Multiplies every fixed time by `factor`.
    #[must_use]
    pub(super) fn scaled(self, factor: f64) -> Self {
        Self {
            quantized: self.quantized * factor,
            experts: self.experts * factor,
            sampled: self.sampled * factor,
            ..self
        }
    }

    /// The terms without separate times; what engines do remains.
    #[must_use]
    pub(super) fn without_times(self) -> Self {
        Self {
            moved: [0.0; 2],
            quantized_moved: 0.0,
            ..self.scaled(0.0)
        }
    }
}
