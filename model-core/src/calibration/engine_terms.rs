//! Engine overhead around kernels, for calibrations that model this overhead with separate terms.

use crate::units::Seconds;

/// Engine overhead beyond the fixed overhead of each layer and each step.
///
/// A calibration with these terms also models four engine behaviors. Attention GEMMs run in FP8 if the weights are FP8
/// or narrower. The output head runs in BF16. Prefill uses fused experts if every GPU holds every token. Data-parallel
/// groups do not prefill at the same time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EngineTerms {
    /// Additional fixed time o_q of a half layer (attention or FFN) whose GEMMs run in FP8 or FP4.
    pub quantized: Seconds,
    /// Additional fixed time of an FFN half layer with experts, o_x.
    pub experts: Seconds,
    /// Bytes that a half layer moves per token and hidden element. Every GPU of an attention group moves the first
    /// number; the second is divided among the GPUs of the group.
    pub moved: [f64; 2],
    /// Additional bytes, per token and hidden element, of a half layer whose GEMMs run in FP8 or FP4. Each of the g
    /// GPUs of an attention group moves this amount times 1 + 1/g.
    pub quantized_moved: f64,
    /// Inefficiency factor ε of the engine's memory traffic.
    pub memory: f64,
    /// Engine overhead per sampled token in a step.
    pub sampled: Seconds,
    /// True if the scenario's accelerator is the one on which the terms were measured.
    pub on_measured_part: bool,
}

impl EngineTerms {
    /// Returns the bytes that one of the `gpus` GPUs in an attention group moves in a half layer, per token and
    /// hidden element.
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

    /// Returns the terms with all overhead times set to zero; the modeled engine behaviors (such as FP8 attention
    /// GEMMs) remain.
    #[must_use]
    pub(super) fn without_times(self) -> Self {
        Self {
            moved: [0.0; 2],
            quantized_moved: 0.0,
            ..self.scaled(0.0)
        }
    }
}
