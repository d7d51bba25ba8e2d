//! Answers of Service: the replicas that whole requests need.

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

/// Content of the view.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServiceAnswer {
    /// The state of the demand.
    pub headline: Sentence,
    /// That of the pinned scenario: "A: …".
    pub pinned: Option<Sentence>,
    /// No replica meets the limits; the limit that one would meet, if one of them alone is in the way.
    pub missed: Option<Option<(Number, f64)>>,
    /// Metrics and charts; `None` for invalid inputs.
    pub shown: Option<ServiceShown>,
}

/// Figures and charts of a service.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceShown {
    /// GPUs, costs, time to first token, interactivity and utilization.
    pub figures: [FigureCell; 6],
    /// "How many GPUs?"
    pub stairs: Arc<Chart>,
    /// "Where does request latency come from?"
    pub request: Arc<Chart>,
    /// "Which pool is the bottleneck?"
    pub binds: Arc<Chart>,
    /// Commands of each engine.
    pub runs: Vec<EngineCommands>,
    /// Prompt and output.
    pub lengths: (f64, f64),
    /// Cost of pools over that of aggregated replicas, where both serve.
    pub over: Option<f64>,
}

impl ServiceAnswer {
    /// A chart of it by its identifier.
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

/// Replicas found for the last request, current and pinned.
#[derive(Debug, Clone, Default)]
pub struct FoundReplicas {
    now: Option<ReplicasAnswer>,
    pinned: Option<Planner>,
    /// GPUs of the pinned scenario over the rates from a first one on.
    pinned_stairs: Option<(Inputs, f64, Vec<Stair>)>,
}

impl FoundReplicas {
    /// Takes the worker's answer.
    pub fn take(&mut self, found: &ReplicasAnswer) {
        if self.now.as_ref() != Some(found) {
            self.now = Some(found.clone());
        }
    }

    /// The answer for `inputs` by the replicas found last, compared with `pinned` if it can be served; `None` where
    /// they are of other numbers, unless these are `moving` and served by them.
    ///
    /// Of another model or accelerator they say nothing: then the page searches by itself, a few milliseconds once.
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

    /// GPUs of the pinned scenario over the same rates, computed once.
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

    /// GPUs over the rate: the worker's while only the rate moves within its decade, else those of the replicas found
    /// last.
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

/// The service of a scenario, from the cached planner or a new one.
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
