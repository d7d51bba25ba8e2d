//! Service of whole requests: prefill, decode and aggregated replicas for a rate of requests.
//!
//! A [`Planner`] searches replicas for requests of some lengths; it answers a [`Demand`] (rate, limits, prices) with a
//! [`Service`] without searching again. Each pool is chosen by itself: the fewest GPUs that serve the rate at the
//! planned utilization and within the limits.

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

/// The service of a link. Errors: broken rules that no plan repairs.
pub fn service(inputs: &Inputs) -> Result<Service, Vec<Refusal>> {
    Ok(Planner::new(inputs)?.answer(&Demand::of(inputs)))
}
