//! The workload of a deployment: batch, context, SLO and serving mode.

use crate::named::named;
use crate::units::Seconds;

/// A steady-state decode workload.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Workload {
    /// Concurrent sequences per replica (the batch), B.
    pub batch: f64,
    /// Mean tokens of context per sequence, S.
    pub context: f64,
    /// Draft tokens and acceptance rate of speculative decoding.
    pub speculation: Speculation,
    /// SLO: minimum interactivity in tok/s/user.
    pub slo: Option<f64>,
    /// Serving mode: decode only, or with aggregated prefill.
    pub serving: Serving,
    /// Prefill settings of prompts: prefix cache hit rate, chunk size and host time.
    pub prompts: Prompts,
}

/// Settings that determine how prompts are prefilled: cached share, chunk size and host time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prompts {
    /// Prefix cache hit rate: the cached share of a prompt, h.
    pub hit: f64,
    /// Max tokens per prefill pass and attention group, C.
    pub chunk: f64,
    /// True if the user sets the prefix cache hit rate or the chunk size.
    pub stated: bool,
    /// CPU time per layer of a prefill pass that runs between decode steps (aggregated prefill); `None` if unset.
    pub host: Option<Seconds>,
}

/// Serving mode: decode only, or with aggregated prefill.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Serving {
    /// Decode only: prefill runs on other GPUs.
    Decode,
    /// Aggregated prefill: the engine prefills the prompts of its sequences, too. Holds the mean request lengths.
    Aggregated(Lengths),
}

named! {
    /// Serving mode, as permalinks specify it: decode only, or with aggregated prefill.
    pub enum Engine {
        /// Decode only; prefill runs on separate GPUs.
        Decode = "decode",
        /// Aggregated prefill: prefill and decode run on the same GPUs.
        Aggregated = "aggregated",
    }
}

named! {
    /// Alternatives for serving whole requests: aggregated replicas or disaggregated pools.
    pub enum Pools {
        /// Aggregated replicas: every replica does both prefill and decode.
        Aggregated = "aggregated",
        /// Disaggregated: a prefill pool and a separate decode pool.
        Disaggregated = "disaggregated",
        /// Whichever of aggregated and disaggregated serving is cheaper.
        Best = "best",
    }
}

/// Mean prompt and output lengths of a request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lengths {
    /// Mean prompt tokens (ISL).
    pub prompt: f64,
    /// Mean output tokens (OSL).
    pub output: f64,
}

/// Speculative decoding: draft tokens from an MTP (multi-token prediction) head, and their acceptance rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speculation {
    /// Draft tokens per step (MTP), δ; 0 without speculative decoding.
    pub depth: u32,
    /// Acceptance rate of draft tokens, p.
    pub acceptance: f64,
}

impl Speculation {
    /// Returns the number of tokens per sequence that a step processes: 1 + δ for δ draft tokens.
    pub fn carried(&self) -> f64 {
        1.0 + f64::from(self.depth)
    }

    /// Returns the acceptance rate at which `depth` draft tokens give an acceptance length of `length` tokens per
    /// step.
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

    /// Returns the acceptance length: the expected number of tokens that a step yields per sequence, y = 1 + p + … +
    /// p^δ.
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
