//! GPU counts of disaggregated pools and of aggregated replicas, as the request rate grows.

use super::answer::Service;
use super::planner::Planner;
use super::traffic::Demand;
use crate::math::{log10, pow};

/// Number of equal logarithmic steps in the computed range of request rates, which spans two decades.
const STEPS: usize = 96;

/// GPU counts of disaggregated pools and aggregated replicas at one request rate; `None` if infeasible.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Stair {
    /// Request rate, in requests per second.
    pub rate: f64,
    /// Total GPUs of the prefill pool and the decode pool.
    pub pools: Option<f64>,
    /// Total GPUs of the aggregated replicas.
    pub aggregated: Option<f64>,
}

impl Stair {
    /// Returns the GPU counts of a service at its request rate.
    pub fn of(service: &Service) -> Self {
        let pools = service.disaggregated.as_ref().ok();
        let together = service.aggregated.as_ref().ok();
        Self {
            rate: service.demand.rate.unwrap_or(0.0),
            pools: pools.and_then(|pools| Some(pools.loaded?.gpus() as f64)),
            aggregated: together.and_then(|together| Some(together.loaded?.pool.gpus as f64)),
        }
    }
}

/// GPU counts at request rates around that of a service, computed step by step.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Stairs {
    /// The lowest request rate computed, a power of ten.
    pub first: f64,
    /// The demand for requests, without a request rate.
    pub demand: Demand,
    /// The GPU counts computed so far, by ascending request rate.
    pub found: Vec<Stair>,
}

impl Stairs {
    /// Returns the range of request rates around that of a service, with no points computed yet. `None` if the demand
    /// has no request rate and no alternative is feasible.
    pub fn around(service: &Service) -> Option<Self> {
        let replica = || {
            let pools = service.disaggregated.as_ref().ok();
            let together = service.aggregated.as_ref().ok();
            let pools = pools.map(|pools| pools.decode.rate);
            pools.or_else(|| Some(together?.replica.rate))
        };
        let rate = service.demand.rate.or_else(replica)?;
        Some(Self {
            first: pow(10.0, log10(rate / 5.0).floor()),
            demand: Demand {
                rate: None,
                ..service.demand
            },
            found: Vec::new(),
        })
    }

    /// Computes the GPU counts at the next request rate; returns false when all are computed.
    pub fn step(&mut self, planner: &mut Planner) -> bool {
        let share = self.found.len() as f64 / STEPS as f64;
        let rate = Some(self.first * pow(100.0, share));
        let service = planner.answer(&Demand {
            rate,
            ..self.demand
        });
        self.found.push(Stair::of(&service));
        !self.is_complete()
    }

    /// Returns true if the GPU counts at all request rates are computed.
    pub fn is_complete(&self) -> bool {
        self.found.len() > STEPS
    }
}
