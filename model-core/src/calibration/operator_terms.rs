//! Costs of single operators, by format and width of the cache, for calibrations with terms per kernel.

use crate::units::Seconds;

/// Cost of a GEMM.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProductCost {
    /// Fixed start time.
    pub start: Seconds,
    /// ε of compute.
    pub compute: f64,
    /// ε of memory traffic.
    pub memory: f64,
}

/// Cost of the attention kernel in decode; its factor on compute is that of all grouped or all latent cores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoreCost {
    /// Fixed start time.
    pub start: Seconds,
    /// ε of cache reads.
    pub memory: f64,
    /// Tokens of context added to each sequence, s₀.
    pub added_tokens: f64,
}

/// Cost of routed experts that one fused kernel sorts tokens for: their weights are read during the GEMMs, the
/// tokens' activations before and after them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FusedExperts {
    /// Fixed start time.
    pub start: Seconds,
    /// ε of compute.
    pub compute: f64,
    /// ε of reads of weights.
    pub memory: f64,
    /// Bytes moved per token, expert and element of the experts' width, a.
    pub activation_bytes: f64,
}

/// Costs by operator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OperatorTerms {
    /// GEMMs, in the order of [`crate::precision::Format`].
    pub gemms: [ProductCost; 3],
    /// Start of the maps between streams of the residual, both sites of a layer.
    pub residual_start: Seconds,
    /// Fused experts in BF16, FP8, FP8 arithmetic on narrower weights, and FP4.
    pub experts: [FusedExperts; 4],
    /// ε of the traffic of fused experts' activations.
    pub expert_activations: f64,
    /// ε of compute of grouped cores.
    pub grouped_compute: f64,
    /// GQA kernels with 2-byte and 1-byte KV.
    pub grouped: [CoreCost; 2],
    /// Latent, sparse latent and compressed cores over a cache of two bytes, and of one.
    pub latent: [CoreCost; 2],
    /// ε of compute of those in BF16 (and FP4), and in FP8.
    pub latent_compute: [f64; 2],
    /// ε of compute of index scores.
    pub index_score: f64,
    /// ε of memory traffic of the selection.
    pub top_k: f64,
    /// ε of memory traffic of a recurrence.
    pub recurrence: f64,
    /// Start and ε of compute, in BF16, of attention to selected rows in prefill.
    pub sparse_prefill: (Seconds, f64),
    /// Heads of a tile of that kernel.
    pub head_tile: f64,
    /// True if the accelerator has a low compute-to-bandwidth ratio, for which no kernel was measured.
    pub little_compute: bool,
}

impl OperatorTerms {
    /// Replaces every factor on memory traffic.
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

    /// Replaces the compute factors of attention kernels and indexer.
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

    /// Replaces the GEMM launch latencies.
    pub(super) fn set_gemm_start(&mut self, start: Seconds) {
        for product in &mut self.gemms {
            product.start = start;
        }
    }

    /// Multiplies every start by `factor`.
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

    /// Multiplies every factor on compute and on memory traffic.
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

    /// Lowers the factors on compute of fused experts and latent cores to those of GEMMs and of `kernels-2026`'s core:
    /// no kernel was measured at a low compute-to-bandwidth ratio, and the tables' shares are those of kernels
    /// that wait for memory.
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
