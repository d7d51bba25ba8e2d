//! Searches for the replicas of a service in steps.

use crate::steps::Steps;
use model_core::inputs::Inputs;
use model_core::service::known::KnownReplicas;
use model_core::service::limit::{Crossover, crossover};
use model_core::service::stairs::Stairs;
use model_core::service::{Demand, Planner};
use serde::{Deserialize, Serialize};

/// A running search for replicas.
#[derive(Debug)]
pub struct ReplicasJob {
    inputs: Inputs,
    planner: Option<Planner>,
    found: Option<ReplicasAnswer>,
}

impl ReplicasJob {
    /// Starts a search for the replicas of a service.
    pub fn new(inputs: &Inputs) -> Self {
        Self {
            inputs: *inputs,
            planner: Planner::new(inputs).ok(),
            found: None,
        }
    }
}

impl Steps for ReplicasJob {
    type Answer = ReplicasAnswer;

    /// Searches the replicas in the first step. Later steps compute results for other demands, such as other request
    /// rates.
    fn step(&mut self) -> bool {
        let Some(planner) = &mut self.planner else {
            return false;
        };
        let demand = Demand::of(&self.inputs);
        let Some(found) = &mut self.found else {
            let known = planner.known(&demand);
            let stairs = Stairs::around(&planner.answer(&demand));
            self.found = Some(ReplicasAnswer {
                known,
                stairs,
                limit: None,
            });
            return true;
        };
        let more = found
            .stairs
            .as_mut()
            .is_some_and(|stairs| stairs.step(planner));
        if !more {
            found.limit = crossover(planner, &demand);
        }
        more
    }

    fn answer(&self, _: bool, _: f64) -> Option<ReplicasAnswer> {
        self.found.clone()
    }
}

/// The replicas for a demand, and results that also depend on other demands (such as other request rates).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplicasAnswer {
    /// The best replicas found.
    pub known: KnownReplicas,
    /// Number of GPUs vs. request rate, as far as computed.
    pub stairs: Option<Stairs>,
    /// TTFT limit at which the cheaper alternative changes; computed last.
    pub limit: Option<Crossover>,
}

#[cfg(test)]
mod tests {
    use crate::job::whole;
    use crate::message::Request;
    use model_core::permalink;

    #[test]
    fn broken_rules_have_no_answer() {
        let link = permalink::read("v=2&model=qwen3-30b-a3b&gpu=h200&output=0.5");
        assert_eq!(whole(&Request::Replicas(link.current)), None);
    }
}
