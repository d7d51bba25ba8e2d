//! Reasons why a demand cannot be served, as values.

use crate::inputs::{Inputs, Number};
use crate::refusal::Refusal;
use crate::units::Seconds;

/// A reason why replicas of a kind cannot serve the demand.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Miss {
    /// Broken rules, of stated replicas alone: a search, whose results are sent, has none.
    Refused(#[serde(skip)] Vec<Refusal>),
    /// No replica fits the memory.
    NothingFits,
    /// No replica is fast enough for users.
    Slow {
        /// Tokens per second and user of the fastest.
        fastest: f64,
    },
    /// No number of replicas meets the limit of the time to first token.
    FirstToken {
        /// The minimum TTFT, of idle replicas.
        soonest: Seconds,
    },
}

impl From<Vec<Refusal>> for Miss {
    fn from(refusals: Vec<Refusal>) -> Self {
        Self::Refused(refusals)
    }
}

/// Replicas by their work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplicaWork {
    /// Prefill only.
    Prefill,
    /// Decode only.
    Decode,
    /// Both.
    Aggregated,
}

impl ReplicaWork {
    /// Identifier in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Prefill => "prefill",
            Self::Decode => "decode",
            Self::Aggregated => "aggregated",
        }
    }
}

impl ReplicaWork {
    /// The link key that caused a refusal of replicas of this work.
    pub fn key(self, refusal: &Refusal, inputs: &Inputs) -> &'static str {
        if self != Self::Prefill {
            return refusal.key(inputs);
        }
        match refusal {
            Refusal::NoPeak { .. } if inputs.prefill_gpu.is_some() => "prefill_gpu",
            Refusal::ExpertGroups { .. } => Number::PrefillGpus.spec().key,
            Refusal::AttentionProduct { .. }
            | Refusal::Heads { .. }
            | Refusal::MixerHeads { .. }
            | Refusal::OutputGroups { .. }
            | Refusal::FfnGroup { .. } => Number::PrefillTp.spec().key,
            _ => refusal.key(inputs),
        }
    }
}

/// A miss, and whose it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Missed {
    /// Work of the replicas that miss.
    pub work: ReplicaWork,
    /// The reason.
    pub miss: Miss,
}
