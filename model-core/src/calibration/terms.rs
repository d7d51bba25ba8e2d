//! Terms of a calibration: fold, start times, costs of collectives, overheads.

use super::engine_terms::EngineTerms;
use super::operator_terms::OperatorTerms;
use crate::hardware::Coverage;
use crate::named::named;
use crate::ops::popularity::Popularity;
use crate::units::Seconds;

named! {
    /// Fold of the times of a block's operators.
    pub enum Fold {
        /// Each operator takes the longer of its memory and compute time; operators run in sequence. Source: [B].
        Operator = "operator",
        /// A whole block takes the longer of its memory and compute time. Source: [A] eqs 46–47.
        Block = "block",
    }
}

/// Fixed start times of kernels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Starts {
    /// Start of every operator, cache writes included.
    pub operator: Seconds,
    /// Start of one GEMM kernel, τ_g; gated FFNs launch two.
    pub gemm: Seconds,
    /// Start of the attention kernel, τ_a.
    pub core: Seconds,
    /// Latency of all routed-expert kernels, τ_x.
    pub experts: Seconds,
}

impl Starts {
    /// The same start time for every operator.
    pub const fn uniform(operator: Seconds) -> Self {
        Self {
            operator,
            gemm: Seconds::ZERO,
            core: Seconds::ZERO,
            experts: Seconds::ZERO,
        }
    }

    /// All starts times `factor`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            operator: self.operator * factor,
            gemm: self.gemm * factor,
            core: self.core * factor,
            experts: self.experts * factor,
        }
    }

    /// True if some start time is not zero.
    pub fn any(&self) -> bool {
        (self.operator + self.gemm + self.core + self.experts) > Seconds::ZERO
    }
}

/// Cost of a collective: latency, and a factor on its bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MessageCost {
    /// Latency until the first byte moves, α.
    pub start: Seconds,
    /// ε on the time of its bytes.
    pub factor: f64,
}

/// Costs of collectives within a domain by kind, and across domains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MessageCosts {
    /// All-reduce within a domain.
    pub all_reduce: MessageCost,
    /// All-reduce of many bytes within a domain, used where it is faster; `None` for one kernel at any size.
    pub bulk_all_reduce: Option<MessageCost>,
    /// All-gather within a domain.
    pub all_gather: MessageCost,
    /// Dispatch, combine and Helix's exchange within a domain; α of each.
    pub all_to_all: MessageCost,
    /// Any collective across domains.
    pub across: MessageCost,
}

impl MessageCosts {
    /// The same cost for every collective.
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

    /// Applies `change` to every cost.
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

    /// Multiplies every latency by `factor`.
    #[must_use]
    pub fn with_starts_scaled(self, factor: f64) -> Self {
        self.map(|cost| MessageCost {
            start: cost.start * factor,
            ..cost
        })
    }

    /// The four costs.
    pub const fn all(&self) -> [MessageCost; 4] {
        [
            self.all_reduce,
            self.all_gather,
            self.all_to_all,
            self.across,
        ]
    }
}

/// Operators that prefill is counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrefillCount {
    /// Decode's operators over the prompt. Source: [A] eqs 1–24.
    Equations,
    /// The kernels that engines run for prefill with the calibration's shares, unless a link states how prompts
    /// are served.
    Kernels,
    /// Passes of a prefill replica with the shares of prefill, always.
    Passes,
}

/// Terms of prefill passes: factors (≥ 1) on compute by format, keys added per token, and costs of collectives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PromptTerms {
    /// ε of GEMMs, in the order of [`crate::precision::Format`].
    pub gemms: [f64; 3],
    /// ε of routed experts, in the same order.
    pub experts: [f64; 3],
    /// ε of the attention kernel in BF16 and FP8.
    pub cores: [f64; 2],
    /// Keys that each token adds in the core, in BF16 and FP8, s₀'.
    pub core_tokens: [f64; 2],
    /// Start of a grouped core.
    pub core_start: Seconds,
    /// Start of a latent or compressed core.
    pub latent_start: Seconds,
    /// Costs of collectives.
    pub messages: MessageCosts,
    /// Share of the SMs that communication holds, ω.
    pub held: f64,
}

/// Inefficiency factors (≥ 1, multiplied onto ideal times), fixed times, and the fold they were made for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// Fold of a block's times.
    pub fold: Fold,
    /// ε of memory traffic.
    pub memory: f64,
    /// ε of compute in the attention kernel.
    pub attention: f64,
    /// ε of compute in attention's GEMMs and the head.
    pub projections: f64,
    /// ε of compute in the FFN.
    pub ffn: f64,
    /// Start times of kernels.
    pub starts: Starts,
    /// Rows of a tile: a GEMM of fewer rows takes as long; 0 for none.
    pub tile_rows: f64,
    /// Tokens of context added to a sequence's own in the time of the attention kernel, s₀.
    pub core_tokens: f64,
    /// Popularity of experts.
    pub popularity: Popularity,
    /// Costs of collectives.
    pub messages: MessageCosts,
    /// Contention: factor on communication during compute, κ.
    pub contention: f64,
    /// Framework overhead per layer and pass, o_L.
    pub layer_overhead: Seconds,
    /// CPU overhead per step, never overlapped, o_H; without what each sampled token adds.
    pub host: Seconds,
    /// Engine overhead around kernels beyond those two; `None` if o_L covers it.
    pub engine: Option<EngineTerms>,
    /// Operators that prefill is counted by.
    pub prefill: PrefillCount,
    /// Terms of prefill passes; `None` if they are the terms of decode.
    pub prompts: Option<PromptTerms>,
    /// Costs by operator; `None` if kernels of a class share theirs.
    pub operators: Option<OperatorTerms>,
    /// True if drafted tokens are computed by a drafter's own passes, and each verified token's selection fills
    /// its own tile.
    pub drafter: bool,
    /// Measured kernels that the accelerator has.
    pub coverage: Coverage,
}

impl Calibration {
    /// Multiplies latencies of collectives by `latency`; start times of kernels, framework and CPU overhead by
    /// `overhead`.
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

    /// CPU overhead of a step that samples `tokens` in an attention group.
    pub fn step_overhead(&self, tokens: f64) -> Seconds {
        match &self.engine {
            Some(engine) => self.host + engine.sampled * tokens,
            None => self.host,
        }
    }

    /// The calibration with prefill's costs of collectives.
    #[must_use]
    pub fn in_prefill(mut self) -> Self {
        if let Some(prompts) = &self.prompts {
            self.messages = prompts.messages;
        }
        self
    }

    /// The calibration on an accelerator with a low compute-to-bandwidth ratio, whose kernels are not those of the
    /// tables.
    #[must_use]
    pub fn for_little_compute(mut self) -> Self {
        let (products, core) = (self.ffn, self.attention);
        if let Some(terms) = &mut self.operators {
            terms.for_little_compute(products, core);
        }
        self
    }

    /// The calibration at full bandwidth without avoidable times: bytes, compute and communication remain, and so
    /// does a fixed time of every operator. What fused experts move beyond their boundary counts as avoidable.
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
