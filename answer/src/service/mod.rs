//! The Service view: the replicas and GPUs that are needed to serve whole requests.

mod figures;
mod headline;
mod levers;
pub mod pays;
pub mod pools;
pub mod request;
mod run;
mod stairs;

use super::{FigureCell, Sentence};
use crate::chart::Chart;
pub use headline::{limit, of_prefill, replica_as_set};
pub use levers::strip as lever_strip;
use model_core::inputs::{Inputs, Number};
use model_core::permalink::FigureId;
use model_core::refusal::Refusal;
use model_core::service::stairs::{Stair, Stairs};
use model_core::service::{Demand, Planner, Service};
pub use run::{EngineCommands, PoolCommand};
use std::sync::Arc;
use worker::replicas::ReplicasAnswer;

/// Content of the Service view.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServiceAnswer {
    /// Sentence about the state of the current scenario.
    pub headline: Sentence,
    /// Sentence about the state of the pinned scenario; begins with "A:".
    pub pinned: Option<Sentence>,
    /// `None` if a replica meets the limits. Otherwise, holds the one limit to relax and the value that a replica
    /// meets, or `Some(None)` if relaxing one limit does not suffice.
    pub missed: Option<Option<(Number, f64)>>,
    /// Figures and charts; `None` if the inputs are invalid.
    pub shown: Option<ServiceShown>,
}

/// Figures, charts and start commands of a service whose inputs are valid.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceShown {
    /// The six key figures: GPUs, two costs, TTFT, interactivity and utilization.
    pub figures: [FigureCell; 6],
    /// The chart "How many GPUs?"
    pub stairs: Arc<Chart>,
    /// The chart "Where does request latency come from?"
    pub request: Arc<Chart>,
    /// The chart "Which pool is the bottleneck?"
    pub binds: Arc<Chart>,
    /// Start commands of the replicas, for each serving engine.
    pub runs: Vec<EngineCommands>,
    /// Mean prompt and output length, in tokens.
    pub lengths: (f64, f64),
    /// Cost of disaggregated pools ÷ cost of aggregated replicas, if both are feasible.
    pub over: Option<f64>,
}

impl ServiceAnswer {
    /// Returns a chart of the view by its identifier.
    pub fn figure(&self, id: FigureId) -> Option<Arc<Chart>> {
        let shown = self.shown.as_ref()?;
        Some(match id {
            FigureId::Stairs => Arc::clone(&shown.stairs),
            FigureId::Binds => Arc::clone(&shown.binds),
            FigureId::Request => Arc::clone(&shown.request),
            _ => return None,
        })
    }
}

/// Replicas found by the most recent search, for the current and for the pinned scenario.
#[derive(Debug, Clone, Default)]
pub struct FoundReplicas {
    now: Option<ReplicasAnswer>,
    pinned: Option<Planner>,
    /// GPU counts of the pinned scenario at rising request rates: its inputs, the first rate, and the steps.
    pinned_stairs: Option<(Inputs, f64, Vec<Stair>)>,
}

impl FoundReplicas {
    /// Stores the replicas that the worker has found.
    pub fn take(&mut self, found: &ReplicasAnswer) {
        if self.now.as_ref() != Some(found) {
            self.now = Some(found.clone());
        }
    }

    /// Returns the answer for `inputs` with the most recently found replicas, compared with `pinned` if that scenario
    /// can be served. Returns `None` if these replicas were found for other inputs. While a slider is `moving`, they
    /// are used nevertheless if they can serve `inputs`.
    ///
    /// Replicas found for another model or accelerator cannot be used. The page then runs one search without the
    /// worker, which takes a few milliseconds.
    pub fn answer(
        &mut self,
        inputs: &Inputs,
        pinned: Option<&Inputs>,
        moving: bool,
    ) -> Option<ServiceAnswer> {
        let demand = Demand::of(inputs);
        let impossible = |refusals: Vec<Refusal>| ServiceAnswer {
            headline: headline::impossible(&refusals),
            pinned: None,
            shown: None,
            missed: None,
        };
        if !self
            .now
            .as_ref()
            .is_some_and(|now| now.known.is_near(inputs))
        {
            let known = match Planner::new(inputs) {
                Ok(mut planner) => planner.known(&demand),
                Err(refusals) => return Some(impossible(refusals)),
            };
            self.take(&ReplicasAnswer {
                known,
                stairs: None,
                limit: None,
            });
        }
        let now = self.now.as_ref()?;
        let mut planner = match Planner::of(inputs, &now.known) {
            Ok(planner) => planner,
            Err(refusals) => return Some(impossible(refusals)),
        };
        let service = planner.answer(&demand);
        let own = now.known.of == inputs.normalized() || inputs.is_planned();
        if !own && (!moving || service.choice.is_none()) {
            return None;
        }
        let steps = self.stairs(&mut planner, &service);
        let then = pinned.and_then(|pinned| served(&mut self.pinned, pinned).ok());
        let theirs = then.as_ref().zip(pinned).and_then(|(then, pinned)| {
            let first = Stairs::around(&service)?.first;
            Some((self.stairs_of_pinned(pinned, then, first)?, then.clone()))
        });
        Some(ServiceAnswer {
            headline: headline::sentence(&service, inputs),
            missed: service.choice.is_none().then(|| headline::remedy(&service)),
            pinned: pinned.zip(then.as_ref()).map(|(inputs, then)| {
                Sentence::marked("**A**: ").and(headline::sentence(then, inputs))
            }),
            shown: Some(ServiceShown {
                figures: figures::cells(&service, then.as_ref(), inputs),
                stairs: Arc::new(stairs::chart(&steps, &service, theirs.as_ref())),
                request: Arc::new(request::chart(&service)),
                binds: Arc::new(pools::chart(&planner, &service)),
                runs: run::runs(&service, inputs),
                lengths: (service.requests.prompt, service.requests.output),
                over: service.pools_over_aggregated(),
            }),
        })
    }

    /// Returns the GPU counts of the pinned scenario at the current scenario's request rates. The result is cached.
    fn stairs_of_pinned(
        &mut self,
        inputs: &Inputs,
        service: &Service,
        first: f64,
    ) -> Option<Vec<Stair>> {
        let known = self.pinned_stairs.take();
        let same = known.filter(|(of, from, _)| of == inputs && from.total_cmp(&first).is_eq());
        let found = match same {
            Some((.., found)) => found,
            None => {
                let planner = self.pinned.as_mut()?;
                let mut stairs = Stairs {
                    first,
                    ..Stairs::around(service)?
                };
                while stairs.step(planner) {}
                stairs.found
            }
        };
        self.pinned_stairs = Some((*inputs, first, found.clone()));
        Some(found)
    }

    /// Returns the GPU counts at rising request rates. If only the rate changes, and only within its decade, the
    /// worker's result is used. Otherwise, the counts are computed from the most recently found replicas.
    fn stairs(&self, planner: &mut Planner, service: &Service) -> Vec<Stair> {
        let Some(mut stairs) = Stairs::around(service) else {
            return Vec::new();
        };
        let found = self
            .now
            .as_ref()
            .filter(|now| planner.serves(&now.known.of));
        let found = found.and_then(|now| now.stairs.as_ref());
        let same = |found: &&Stairs| {
            found.is_complete()
                && found.demand == stairs.demand
                && found.first.total_cmp(&stairs.first).is_eq()
        };
        if let Some(found) = found.filter(same) {
            return found.found.clone();
        }
        while stairs.step(planner) {}
        stairs.found
    }
}

/// Returns the service of a scenario. Uses the cached planner if it serves these inputs, else a new one.
fn served(kept: &mut Option<Planner>, inputs: &Inputs) -> Result<Service, Vec<Refusal>> {
    let demand = Demand::of(inputs);
    if let Some(planner) = kept.as_mut().filter(|planner| planner.serves(inputs)) {
        return Ok(planner.answer(&demand));
    }
    let planner = kept.insert(Planner::new(inputs)?);
    Ok(planner.answer(&demand))
}

#[cfg(test)]
mod tests;
