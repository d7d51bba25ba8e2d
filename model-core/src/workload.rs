//! The workload of a deployment.

use crate::named::named;

/// A steady decode load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Workload {
    /// Sequences running at once over the whole deployment, B.
    pub batch: f64,
    /// Mean tokens of context per sequence, S.
    pub context: f64,
    /// Speculative decoding.
    pub speculation: Speculation,
    /// Least tokens per second and user that is acceptable.
    pub slo: Option<f64>,
    /// Work of the engine besides decoding.
    pub serving: Serving,
}

/// Work of an engine besides decoding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Serving {
    /// None: prefill is disaggregated.
    Decode,
    /// Aggregated prefill: it reads the prompts of the sequences it decodes.
    Aggregated(Lengths),
}

named! {
    /// Disaggregated or aggregated prefill, as a link states it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Engine {
        /// Decode alone.
        Decode = "decode",
        /// Prefills in the same engine.
        Aggregated = "aggregated",
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
