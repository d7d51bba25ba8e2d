//! Terms of a calibration: the rule for combining operator times (fold), kernel latencies, collective costs, and
//! overheads.

use super::engine_terms::EngineTerms;
use super::operator_terms::OperatorTerms;
use crate::hardware::Coverage;
use crate::named::named;
use crate::ops::popularity::Popularity;
use crate::units::Seconds;

named! {
    /// Rule that combines the times of a block's operators into the block's time.
    pub enum Fold {
        /// Each operator takes the longer of its memory time and its compute time; operators run in sequence. Source:
        /// [B].
        Operator = "operator",
        /// A whole block takes the longer of its total memory time and its total compute time. Source: [A] eqs 46–47.
        Block = "block",
    }
}

/// Fixed latencies of kernels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Starts {
    /// Fixed latency of every operator, including KV-cache writes.
    pub operator: Seconds,
    /// Launch latency τ_g of one GEMM kernel; gated FFNs launch two.
    pub gemm: Seconds,
    /// Fixed latency of the attention kernel, τ_a.
    pub core: Seconds,
    /// Fixed latency of all routed-expert kernels of a layer, τ_x.
    pub experts: Seconds,
}

impl Starts {
    /// Returns a fixed latency for every operator, without separate kernel latencies.
    pub const fn uniform(operator: Seconds) -> Self {
        Self {
            operator,
            gemm: Seconds::ZERO,
            core: Seconds::ZERO,
            experts: Seconds::ZERO,
        }
    }

    /// Multiplies all latencies by `factor`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            operator: self.operator * factor,
            gemm: self.gemm * factor,
            core: self.core * factor,
            experts: self.experts * factor,
        }
    }

    /// Returns true if any latency is not zero.
    pub fn any(&self) -> bool {
        (self.operator + self.gemm + self.core + self.experts) > Seconds::ZERO
    }
}

/// Cost of a collective: its latency, and a factor that multiplies its transfer time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MessageCost {
    /// Latency of a collective until the first byte moves, α.
    pub start: Seconds,
    /// Factor ε that multiplies the transfer time of a collective.
    pub factor: f64,
}

/// Costs of collectives: one for each type of collective within a scale-up domain, and one for any collective across
/// domains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MessageCosts {
    /// Cost of an all-reduce within a scale-up domain.
    pub all_reduce: MessageCost,
    /// Cost of a second all-reduce kernel for large payloads within a scale-up domain, used where it is faster; `None`
    /// if one kernel serves all sizes.
    pub bulk_all_reduce: Option<MessageCost>,
    /// Cost of an all-gather within a scale-up domain.
    pub all_gather: MessageCost,
    /// Cost of a dispatch, a combine or a Helix exchange within a scale-up domain; each of them has the latency α.
    pub all_to_all: MessageCost,
    /// Cost of any collective across scale-up domains.
    pub across: MessageCost,
}

impl MessageCosts {
    /// Returns costs that are the same for every collective.
    pub const fn uniform(start: Seconds, factor: f64) -> Self {
        let cost = MessageCost { start, factor };
        Self {
            all_reduce: cost,
            bulk_all_reduce: None,
            all_gather: cost,
            all_to_all: cost,
            across: cost,
        }
    }

    /// Applies `change` to the cost of every collective.
    #[must_use]
    pub fn map(self, change: impl Fn(MessageCost) -> MessageCost) -> Self {
        Self {
            all_reduce: change(self.all_reduce),
            bulk_all_reduce: self.bulk_all_reduce.map(&change),
            all_gather: change(self.all_gather),
            all_to_all: change(self.all_to_all),
            across: change(self.across),
        }
    }

    /// Multiplies the latency of every collective by `factor`.
    #[must_use]
    pub fn with_starts_scaled(self, factor: f64) -> Self {
        self.map(|cost| MessageCost {
            start: cost.start * factor,
            ..cost
        })
    }

    /// Returns the four costs that every calibration has: those of all-reduce, all-gather, all-to-all, and
    /// collectives across domains.
    pub const fn all(&self) -> [MessageCost; 4] {
        [
            self.all_reduce,
            self.all_gather,
            self.all_to_all,
            self.across,
        ]
    }
}

/// Method for computing prefill time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrefillCount {
    /// Applies the operators of decode to the whole prompt. Source: [A] eqs 1–24.
    Equations,
    /// Adds up the kernels that engines run for prefill, with the calibration's efficiencies. Not used if a permalink
    /// sets the cached share or the chunk size of prompts.
    Kernels,
    /// Always computes the forward passes of a prefill replica, with the efficiencies of prefill.
    Passes,
}

/// Terms of prefill passes: compute slowdown factors (≥ 1) by number format, padding keys per token, and collective
/// costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PromptTerms {
    /// Slowdown factors ε of GEMMs in BF16, FP8 and FP4.
    pub gemms: [f64; 3],
    /// Slowdown factors ε of routed experts in BF16, FP8 and FP4.
    pub experts: [f64; 3],
    /// Slowdown factors ε of the attention kernel, in BF16 and in FP8.
    pub cores: [f64; 2],
    /// Number s₀' of padding keys per token in the attention kernel, in BF16 and in FP8.
    pub core_tokens: [f64; 2],
    /// Fixed latency of the GQA attention kernel in prefill.
    pub core_start: Seconds,
    /// Fixed latency of the MLA or compressed-attention kernel in prefill.
    pub latent_start: Seconds,
    /// Costs of collectives in prefill.
    pub messages: MessageCosts,
    /// Fraction ω of the GPU's SMs that communication uses in prefill.
    pub held: f64,
}

/// A calibration: fixed times, inefficiency factors (≥ 1) that multiply ideal times, and the rule for combining
/// operator times (fold). The factors were fitted for this rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// Rule that combines the times of a block's operators.
    pub fold: Fold,
    /// Inefficiency factor ε of memory traffic.
    pub memory: f64,
    /// Inefficiency factor ε of compute in the attention kernel.
    pub attention: f64,
    /// Inefficiency factor ε of compute in the GEMMs of attention and in the output head.
    pub projections: f64,
    /// Inefficiency factor ε of compute in the FFN.
    pub ffn: f64,
    /// Fixed latencies of kernels.
    pub starts: Starts,
    /// Rows per GEMM tile: a GEMM with fewer rows takes as long as one full tile. 0 disables tiling.
    pub tile_rows: f64,
    /// Padding tokens per sequence, s₀, which lengthen the context in the attention kernel's time.
    pub core_tokens: f64,
    /// Popularity of experts: the distribution of routed tokens over the experts.
    pub popularity: Popularity,
    /// Costs of collectives.
    pub messages: MessageCosts,
    /// Factor κ by which communication slows down while it overlaps with compute.
    pub contention: f64,
    /// Framework overhead per layer and forward pass, o_L.
    pub layer_overhead: Seconds,
    /// CPU overhead o_H per step, never overlapped. Excludes the time that each sampled token adds.
    pub host: Seconds,
    /// Engine overhead around kernels, in addition to `layer_overhead` and `host`; `None` if those two cover all
    /// overhead.
    pub engine: Option<EngineTerms>,
    /// Method for computing prefill time.
    pub prefill: PrefillCount,
    /// Terms of prefill passes; `None` if prefill uses the terms of decode.
    pub prompts: Option<PromptTerms>,
    /// Separate costs for each operator; `None` if all kernels of a class have the same costs.
    pub operators: Option<OperatorTerms>,
    /// True if two costs of speculative decoding are modeled: separate forward passes of the drafter, and a separate
    /// tile for the sparse selection of each verified token.
    pub drafter: bool,
    /// Extent to which kernel measurements apply to the scenario's accelerator.
    pub coverage: Coverage,
}

impl Calibration {
    /// Multiplies collective latencies by `latency`; multiplies kernel latencies, framework overhead and CPU overhead
    /// by `overhead`.
    #[must_use]
    pub fn scaled(self, latency: f64, overhead: f64) -> Self {
        Self {
            messages: self.messages.with_starts_scaled(latency),
            starts: self.starts.scaled(overhead),
            prompts: self.prompts.map(|prompts| PromptTerms {
                core_start: prompts.core_start * overhead,
                latent_start: prompts.latent_start * overhead,
                messages: prompts.messages.with_starts_scaled(latency),
                ..prompts
            }),
            operators: self.operators.map(|mut terms| {
                terms.scale_starts(overhead);
                terms
            }),
            layer_overhead: self.layer_overhead * overhead,
            host: self.host * overhead,
            engine: self.engine.map(|engine| engine.scaled(overhead)),
            ..self
        }
    }

    /// Returns the CPU overhead of a step in which an attention group samples `tokens` tokens.
    pub fn step_overhead(&self, tokens: f64) -> Seconds {
        match &self.engine {
            Some(engine) => self.host + engine.sampled * tokens,
            None => self.host,
        }
    }

    /// Returns the calibration with the collective costs of prefill.
    #[must_use]
    pub fn in_prefill(mut self) -> Self {
        if let Some(prompts) = &self.prompts {
            self.messages = prompts.messages;
        }
        self
    }

    /// Adapts the calibration to an accelerator with a low compute-to-bandwidth ratio, for which the measured kernels
    /// are not representative.
    #[must_use]
    pub fn for_little_compute(mut self) -> Self {
        let (products, core) = (self.ffn, self.attention);
        if let Some(terms) = &mut self.operators {
            terms.for_little_compute(products, core);
        }
        self
    }

    /// Returns the calibration at full HBM bandwidth without avoidable times. Bytes, compute, communication and a
    /// fixed time per operator remain. Fused experts move only the token states that enter and leave them; any
    /// further bytes count as avoidable.
    #[must_use]
    pub fn without_avoidable(self) -> Self {
        Self {
            memory: 1.0,
            starts: Starts::uniform(self.starts.operator),
            core_tokens: 0.0,
            contention: 1.0,
            layer_overhead: Seconds::ZERO,
            host: Seconds::ZERO,
            engine: self.engine.map(EngineTerms::without_times),
            operators: None,
            ..self
        }
    }
}
