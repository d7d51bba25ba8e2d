//! Replicas found by an earlier search. They are reused to answer other demands or input values without a new search.

use super::aggregated::AggregatedReplica;
use super::decode::DecodeReplica;
use super::miss::Miss;
use super::traffic::without_demand;
use crate::inputs::{Inputs, Number};
use crate::plan::PlanSpec;

/// The decode replica and the aggregated replica that best serve a demand.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct KnownReplicas {
    /// Inputs for which these replicas were searched.
    pub of: Inputs,
    /// The best decode replica, or the reason why no decode replica is feasible.
    pub decode: Result<KnownReplica, Miss>,
    /// The best aggregated replica, or the reason why no aggregated replica is feasible.
    pub aggregated: Result<KnownReplica, Miss>,
}

/// A replica found by a search, reduced to the values that the search determines.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct KnownReplica {
    /// Number of GPUs of the replica found.
    pub gpus: u32,
    /// Sharding and schedule of the replica found.
    pub spec: PlanSpec,
    /// Concurrent sequences of the replica found (its batch).
    pub batch: f64,
    /// True if no measured run has a plan of this type.
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
    /// Returns true if these replicas can be reused for `inputs`. This holds if `inputs` sets a sharding factor, so
    /// that no plan is searched. It also holds if `inputs` differs from the searched inputs only in numbers and in the
    /// demand.
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
