//! Computes the levers (suggested changes) of a service in time slices.

use crate::steps::Steps;
use model_core::levers::Lever;
use model_core::service::Service;
use model_core::service::levers::{LeverWork, ServiceLevers};
use serde::{Deserialize, Serialize};

impl Steps for LeverWork {
    type Answer = ServiceLeversAnswer;

    fn step(&mut self) -> bool {
        Self::step(self)
    }

    fn answer(&self, _: bool, _: f64) -> Option<ServiceLeversAnswer> {
        Some(ServiceLeversAnswer::of(&self.found))
    }
}

/// A lever and the metrics of the service after applying it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServedLever {
    /// The suggested change.
    pub lever: Lever,
    /// Requests per second that a budget of one dollar per hour serves, or that one GPU serves if no price is known.
    pub worth: Option<f64>,
    /// True if the gain is large enough for the lever to be listed.
    pub listed: bool,
    /// Number of replicas that the lever saves, if the new replicas have the same size as the current ones.
    pub fewer: Option<u64>,
    /// Metrics of the service after applying the lever.
    pub then: ServedFigures,
}

/// Metrics of a service; a value is `None` if there is no rate, no price, or no replica that meets the limits.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct ServedFigures {
    /// Number of GPUs needed.
    pub gpus: Option<f64>,
    /// Cost in US dollars per million output tokens.
    pub per_million_output: Option<f64>,
    /// Time to first token, in seconds.
    pub ttft_s: Option<f64>,
    /// Time per output token, in seconds.
    pub tpot_s: Option<f64>,
}

impl ServedFigures {
    fn of(service: &Service) -> Self {
        Self {
            gpus: service.gpus().map(|gpus| gpus as f64),
            per_million_output: service.cost().map(|cost| cost.per_million_output),
            ttft_s: service.first_token().map(|first| first.total().get()),
            tpot_s: service.tpot().map(|tpot| tpot.get()),
        }
    }
}

/// The levers of a service computed so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServiceLeversAnswer {
    /// Requests per second that one dollar per hour buys in the current service; without a price, requests per second
    /// per GPU. `None` if no replica meets the limits.
    pub base: Option<f64>,
    /// Metrics of the current service.
    pub now: ServedFigures,
    /// All levers found so far.
    pub all: Vec<ServedLever>,
}

impl ServiceLeversAnswer {
    /// Creates the worker's answer from the levers found so far.
    pub fn of(levers: &ServiceLevers) -> Self {
        let each = levers.all.iter().map(|one| ServedLever {
            lever: one.lever,
            worth: one.service.requests_per_cost(),
            listed: levers.is_listed(one),
            fewer: one.fewer,
            then: ServedFigures::of(&one.service),
        });
        Self {
            base: levers.base,
            now: levers
                .now
                .as_ref()
                .map_or_else(ServedFigures::default, ServedFigures::of),
            all: each.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::whole;
    use crate::message::{Answer, Request};
    use model_core::permalink;

    #[test]
    fn the_list_is_complete() {
        let link = "v=1&model=qwen3-235b-a22b&gpu=h200&rate=50&slo=25&ttft=2&gpus=8";
        let inputs = permalink::read(link).current;
        let found = ServiceLevers::of(&inputs);
        assert!(!found.all.is_empty());
        let answer = whole(&Request::ServiceLevers(inputs));
        let all = ServiceLeversAnswer::of(&found);
        assert_eq!(answer, Some(Answer::ServiceLevers(all)));
    }
}
