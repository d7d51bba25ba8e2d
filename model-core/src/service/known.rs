//! Found replicas, which answer other demands or numbers without a search.

use super::aggregated::AggregatedReplica;
use super::decode::DecodeReplica;
use super::miss::Miss;
use super::traffic::without_demand;
use crate::inputs::{Inputs, Number};
use crate::plan::PlanSpec;

/// The decode and the aggregated replica that serve a demand best.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct KnownReplicas {
    /// The inputs that they were searched for.
    pub of: Inputs,
    /// The decode replica.
    pub decode: Result<KnownReplica, Miss>,
    /// The aggregated replica.
    pub aggregated: Result<KnownReplica, Miss>,
}

/// A replica, as far as a search finds it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct KnownReplica {
    /// GPUs.
    pub gpus: u32,
    /// Sharding and schedule.
    pub spec: PlanSpec,
    /// Sequences at once.
    pub batch: f64,
    /// True for a plan type that was never measured.
    pub extrapolated: bool,
}

impl From<&DecodeReplica> for KnownReplica {
    fn from(one: &DecodeReplica) -> Self {
        Self {
            gpus: one.gpus,
            spec: one.spec,
            batch: one.batch,
            extrapolated: one.extrapolated,
        }
    }
}

impl From<&AggregatedReplica> for KnownReplica {
    fn from(one: &AggregatedReplica) -> Self {
        Self {
            gpus: one.gpus,
            spec: one.spec,
            batch: one.batch,
            extrapolated: false,
        }
    }
}

impl KnownReplicas {
    /// True if the replicas are valid for `inputs`: only numbers differ, or nothing is searched.
    pub fn is_near(&self, inputs: &Inputs) -> bool {
        let inputs = inputs.normalized();
        let state = |mut to: Inputs, number| {
            to.state(number, inputs.stated(number));
            to
        };
        let numbers = Number::ALL.into_iter().fold(self.of, state);
        inputs.is_planned() || without_demand(&numbers) == without_demand(&inputs)
    }
}
