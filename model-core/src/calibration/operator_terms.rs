//! Costs of single operators, by number format and KV-cache width, for calibrations with separate terms for each
//! operator.

use crate::units::Seconds;

/// Cost of a GEMM.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProductCost {
    /// Fixed launch latency of a GEMM.
    pub start: Seconds,
    /// Inefficiency factor ε of GEMM compute.
    pub compute: f64,
    /// Inefficiency factor ε of GEMM memory traffic.
    pub memory: f64,
}

/// Cost of the attention kernel in decode, without the compute factor. All GQA kernels share one compute factor, and
/// so do all MLA kernels of one number format.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoreCost {
    /// Fixed latency of the attention kernel.
    pub start: Seconds,
    /// Inefficiency factor ε of KV reads.
    pub memory: f64,
    /// Number s₀ of padding tokens added to each sequence in the attention kernel's time.
    pub added_tokens: f64,
}

/// Cost of routed experts in one fused kernel, which also sorts the tokens. Weights are read during the GEMMs;
/// activations are moved before and after the GEMMs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FusedExperts {
    /// Fixed latency of the fused MoE kernel.
    pub start: Seconds,
    /// Inefficiency factor ε of compute in the fused MoE kernel.
    pub compute: f64,
    /// Inefficiency factor ε of weight reads in the fused MoE kernel.
    pub memory: f64,
    /// Activation bytes that the fused MoE kernel moves per token and expert, per element of the experts' input and
    /// output width (hidden or latent). Symbol: a.
    pub activation_bytes: f64,
}

/// Costs of all operators that have separate terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OperatorTerms {
    /// GEMM costs, in the order of [`crate::precision::Format`].
    pub gemms: [ProductCost; 3],
    /// Fixed latency of the kernels that mix residual streams: the sum over the two sites of a layer (attention and
    /// FFN).
    pub residual_start: Seconds,
    /// Costs of the fused MoE kernel in four formats: BF16, FP8, FP8 arithmetic on weights narrower than FP8, and
    /// FP4.
    pub experts: [FusedExperts; 4],
    /// Inefficiency factor ε of the activation traffic of fused experts.
    pub expert_activations: f64,
    /// Inefficiency factor ε of compute in GQA kernels.
    pub grouped_compute: f64,
    /// Costs of the GQA kernel with 2-byte and with 1-byte KV cache.
    pub grouped: [CoreCost; 2],
    /// Costs of the MLA, sparse MLA and compressed-attention kernels with 2-byte and with 1-byte KV cache.
    pub latent: [CoreCost; 2],
    /// Inefficiency factors ε of compute in MLA and compressed-attention kernels: first in BF16 (and FP4), then in
    /// FP8.
    pub latent_compute: [f64; 2],
    /// Inefficiency factor ε of compute when the indexer scores tokens.
    pub index_score: f64,
    /// Inefficiency factor ε of memory traffic in the indexer's top-k selection.
    pub top_k: f64,
    /// Inefficiency factor ε of memory traffic in recurrent layers.
    pub recurrence: f64,
    /// The sparse-attention kernel in prefill: its fixed latency and its inefficiency factor ε of BF16 compute.
    pub sparse_prefill: (Seconds, f64),
    /// Heads per tile of the sparse-attention kernel in prefill.
    pub head_tile: f64,
    /// True if the accelerator's ratio of compute to bandwidth is so low that none of the measured kernels is
    /// representative.
    pub little_compute: bool,
}

impl OperatorTerms {
    pub(super) fn set_memory(&mut self, factor: f64) {
        for product in &mut self.gemms {
            product.memory = factor;
        }
        for core in self.grouped.iter_mut().chain(&mut self.latent) {
            core.memory = factor;
        }
        for experts in &mut self.experts {
            experts.memory = factor;
        }
        self.expert_activations = factor;
        self.top_k = factor;
        self.recurrence = factor;
    }

    /// Replaces the compute factors of attention kernels and of the indexer.
    pub(super) fn set_attention(&mut self, factor: f64) {
        self.grouped_compute = factor;
        self.latent_compute = [factor; 2];
        self.index_score = factor;
        self.sparse_prefill.1 = factor;
    }

    /// Replaces the compute factors of GEMMs and experts.
    pub(super) fn set_products(&mut self, factor: f64) {
        for product in &mut self.gemms {
            product.compute = factor;
        }
        for experts in &mut self.experts {
            experts.compute = factor;
        }
    }

    pub(super) fn set_gemm_start(&mut self, start: Seconds) {
        for product in &mut self.gemms {
            product.start = start;
        }
    }

    pub(super) fn scale_starts(&mut self, factor: f64) {
        for product in &mut self.gemms {
            product.start = product.start * factor;
        }
        for core in self.grouped.iter_mut().chain(&mut self.latent) {
            core.start = core.start * factor;
        }
        for experts in &mut self.experts {
            experts.start = experts.start * factor;
        }
        self.residual_start = self.residual_start * factor;
        self.sparse_prefill.0 = self.sparse_prefill.0 * factor;
    }

    pub(super) fn scale_factors(&mut self, factor: f64) {
        for product in &mut self.gemms {
            product.compute *= factor;
            product.memory *= factor;
        }
        for core in self.grouped.iter_mut().chain(&mut self.latent) {
            core.memory *= factor;
        }
        for experts in &mut self.experts {
            experts.compute *= factor;
            experts.memory *= factor;
        }
        for compute in &mut self.latent_compute {
            *compute *= factor;
        }
        for other in [
            &mut self.expert_activations,
            &mut self.grouped_compute,
            &mut self.index_score,
            &mut self.top_k,
            &mut self.recurrence,
            &mut self.sparse_prefill.1,
        ] {
            *other *= factor;
        }
    }

    /// Caps the compute factors of fused experts at that of GEMMs, and those of MLA kernels at that of the
    /// `kernels-2026` attention kernel. The tabulated kernels wait for memory, so their compute efficiencies do not
    /// apply to accelerators with a low compute-to-bandwidth ratio. No kernel was measured on these accelerators.
    pub(super) fn for_little_compute(&mut self, products: f64, core: f64) {
        self.little_compute = true;
        for experts in &mut self.experts {
            experts.compute = experts.compute.min(products);
        }
        for compute in &mut self.latent_compute {
            *compute = compute.min(core);
        }
    }
}
