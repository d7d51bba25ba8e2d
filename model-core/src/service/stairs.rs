//! GPUs of both alternatives over the rate of requests.

use super::answer::Service;
use super::planner::Planner;
use super::traffic::Demand;
use crate::math::{log10, pow};

/// Steps of the rate, equally many in each of two decades.
const STEPS: usize = 96;

/// GPUs at a rate; `None` if infeasible.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Stair {
    /// Requests per second.
    pub rate: f64,
    /// GPUs of both pools.
    pub pools: Option<f64>,
    /// GPUs of aggregated replicas.
    pub aggregated: Option<f64>,
}

impl Stair {
    /// The point of a service.
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

/// The stairs around the rate of a service, computed step by step.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Stairs {
    /// The first rate, a whole decade.
    pub first: f64,
    /// The demand but for its rate.
    pub demand: Demand,
    /// The stairs so far, rates ascending.
    pub found: Vec<Stair>,
}

impl Stairs {
    /// Stairs without computed points; `None` if infeasible.
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

    /// Computes the next stair; false once all are.
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

    /// True once all are computed.
    pub fn is_complete(&self) -> bool {
        self.found.len() > STEPS
    }
}
