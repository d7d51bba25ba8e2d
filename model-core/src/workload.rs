//! The workload of a deployment.

use crate::named::named;
use crate::units::Seconds;

/// A steady-state decode load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Workload {
    /// Sequences running at once in the whole deployment, B.
    pub batch: f64,
    /// Mean tokens of context per sequence, S.
    pub context: f64,
    /// Speculative decoding.
    pub speculation: Speculation,
    /// SLO: least tok/s/user.
    pub slo: Option<f64>,
    /// Decode only, or with aggregated prefill.
    pub serving: Serving,
    /// Prompts in prefill passes.
    pub prompts: Prompts,
}

/// Prompts in prefill passes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prompts {
    /// Share of a prompt that is in the prefix cache, h.
    pub hit: f64,
    /// Tokens of a prefill pass in an attention group, C.
    pub chunk: f64,
    /// True if either is set.
    pub stated: bool,
    /// Host time per layer of a pass with aggregated prefill; `None` if unset.
    pub host: Option<Seconds>,
}

/// Decode only, or with aggregated prefill.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Serving {
    /// Decode only: prefill is disaggregated.
    Decode,
    /// Aggregated prefill: the engine also prefills the prompts of its sequences.
    Aggregated(Lengths),
}

named! {
    /// Serving mode as a link states it.
    pub enum Engine {
        /// Decode only (disaggregated prefill).
        Decode = "decode",
        /// Aggregated prefill.
        Aggregated = "aggregated",
    }
}

named! {
    /// Pools of GPUs that serve whole requests.
    pub enum Pools {
        /// Every replica prefills and decodes.
        Aggregated = "aggregated",
        /// A prefill pool and a decode pool.
        Disaggregated = "disaggregated",
        /// The cheaper of both.
        Best = "best",
    }
}

/// Mean lengths of a request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lengths {
    /// Tokens of the prompt (ISL).
    pub prompt: f64,
    /// Tokens of the output (OSL).
    pub output: f64,
}

/// Speculative decoding with a multi-token-prediction head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speculation {
    /// Draft tokens per step (MTP), δ; 0 for plain decoding.
    pub depth: u32,
    /// Acceptance rate of a draft token, p.
    pub acceptance: f64,
}

impl Speculation {
    /// Tokens a sequence carries through a step: 1 + δ.
    pub fn carried(&self) -> f64 {
        1.0 + f64::from(self.depth)
    }

    /// Acceptance rate of a draft token at which `depth` drafts yield `length` tokens per step.
    pub fn acceptance_of(depth: u32, length: f64) -> f64 {
        let yielded = |acceptance| Self { depth, acceptance }.yielded();
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if yielded(middle) < length {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    /// Acceptance length, expected tokens per step: y = 1 + p + … + p^δ.
    pub fn yielded(&self) -> f64 {
        let mut sum = 1.0;
        let mut term = 1.0;
        for _ in 0..self.depth {
            term *= self.acceptance;
            sum += term;
        }
        sum
    }
}
