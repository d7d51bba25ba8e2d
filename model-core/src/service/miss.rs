//! Reasons why a demand cannot be served.

use crate::inputs::{Inputs, Number};
use crate::refusal::Refusal;
use crate::units::Seconds;

/// The reason why prefill, decode or aggregated replicas cannot serve the demand.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Miss {
    /// Rules that the replica set by the inputs breaks. Searched replicas break none, so serialized search results
    /// leave this list out.
    Refused(#[serde(skip)] Vec<Refusal>),
    /// No replica fits in memory.
    NothingFits,
    /// No replica reaches the required tok/s/user.
    Slow {
        /// Interactivity of the fastest replica, tok/s/user.
        fastest: f64,
    },
    /// No number of replicas meets the TTFT limit.
    FirstToken {
        /// Minimum TTFT, reached by idle replicas.
        soonest: Seconds,
    },
}

impl From<Vec<Refusal>> for Miss {
    fn from(refusals: Vec<Refusal>) -> Self {
        Self::Refused(refusals)
    }
}

/// The work that a replica does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplicaWork {
    /// Prefill only.
    Prefill,
    /// Decode only.
    Decode,
    /// Prefill and decode on the same GPUs.
    Aggregated,
}

impl ReplicaWork {
    /// Returns the identifier of this work in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Prefill => "prefill",
            Self::Decode => "decode",
            Self::Aggregated => "aggregated",
        }
    }
}

impl ReplicaWork {
    /// Returns the permalink key that caused a refusal of replicas that do this work.
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

/// The reason why a demand cannot be served, and the replicas it concerns.
#[derive(Debug, Clone, PartialEq)]
pub struct Missed {
    /// Work of the replicas that cannot serve the demand.
    pub work: ReplicaWork,
    /// The reason why they cannot serve it.
    pub miss: Miss,
}
