//! Reasons why a demand to serve whole requests cannot be met.

use crate::inputs::{Inputs, Number};
use crate::refusal::Refusal;
use crate::units::Seconds;

/// The reason why replicas (prefill, decode or aggregated) cannot serve the demand.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Miss {
    /// The rules broken by the replica that the inputs set. Searched replicas break none, so serialized search
    /// results leave this list out.
    Refused(#[serde(skip)] Vec<Refusal>),
    /// No replica fits in memory.
    NothingFits,
    /// No replica reaches the required tok/s/user.
    Slow {
        /// Interactivity of the fastest replica, in tok/s/user.
        fastest: f64,
    },
    /// No number of replicas meets the TTFT limit.
    FirstToken {
        /// Minimum TTFT that any replica reaches when idle.
        soonest: Seconds,
    },
}

impl From<Vec<Refusal>> for Miss {
    fn from(refusals: Vec<Refusal>) -> Self {
        Self::Refused(refusals)
    }
}

/// The type of work that a replica does: prefill, decode or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplicaWork {
    /// The replica does only prefill.
    Prefill,
    /// The replica does only decode.
    Decode,
    /// The replica does prefill and decode on the same GPUs.
    Aggregated,
}

impl ReplicaWork {
    /// Returns the identifier of this type of work in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Prefill => "prefill",
            Self::Decode => "decode",
            Self::Aggregated => "aggregated",
        }
    }
}

impl ReplicaWork {
    /// Returns the permalink key that caused a refusal of replicas with this type of work.
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

/// The reason why a demand cannot be served, and the replicas that cannot serve it.
#[derive(Debug, Clone, PartialEq)]
pub struct Missed {
    /// Type of work (prefill, decode or both) of the replicas that cannot serve the demand.
    pub work: ReplicaWork,
    /// The reason why these replicas cannot serve the demand.
    pub miss: Miss,
}
