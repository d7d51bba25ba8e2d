//! Service of whole requests: prefill, decode and aggregated replicas that serve a request rate.
//!
//! A [`Planner`] searches replicas for requests of given lengths. It answers each [`Demand`] (rate, limits, prices)
//! with a [`Service`], without another search. Each pool is chosen separately. It has the fewest GPUs that serve the
//! rate within the limits, at no more than the planned utilization.

pub mod aggregated;
pub mod answer;
pub mod chosen;
pub mod decode;
pub mod flags;
pub mod known;
pub mod levers;
pub mod limit;
pub mod miss;
pub mod pays;
pub mod planner;
pub mod prefill;
pub mod queue;
pub mod recipes;
pub mod stairs;
pub mod traffic;

pub use answer::{Service, ServiceState};
pub use planner::Planner;
pub use traffic::{Demand, Requests};

use crate::inputs::Inputs;
use crate::refusal::Refusal;

/// Returns the service of whole requests for these inputs. If no plan can make the inputs valid, the error lists the
/// broken rules.
pub fn service(inputs: &Inputs) -> Result<Service, Vec<Refusal>> {
    Ok(Planner::new(inputs)?.answer(&Demand::of(inputs)))
}
