//! Answers of Service: the replicas that whole requests need.

mod charts;
mod figures;
mod headline;
mod levers;
mod pays;
mod run;

use super::{FigureCell, Sentence};
use crate::charts::{AnyFigure, PoolsData, RequestData, StairsData};
pub use headline::{limit, of_prefill};
pub use levers::strip as lever_strip;
use model_core::inputs::Inputs;
use model_core::permalink::FigureId;
use model_core::refusal::Refusal;
use model_core::service::stairs::{Stair, Stairs};
use model_core::service::{Demand, Planner, Service};
pub use pays::pays_data;
pub use run::{EngineCommands, PoolCommand};
use std::sync::Arc;
use worker::replicas::ReplicasAnswer;

/// Everything that the view says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServiceAnswer {
    /// The state of the demand.
    pub headline: Sentence,
    /// Figures and charts; none where nothing can be searched.
    pub shown: Option<ServiceShown>,
}

/// Figures and charts of a service.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceShown {
    /// GPUs, costs, time to first token, user speed and utilisation.
    pub figures: [FigureCell; 6],
    /// "How many GPUs?"
    pub stairs: Arc<StairsData>,
    /// "Where does a request's time go?"
    pub request: Arc<RequestData>,
    /// "Which pool binds?"
    pub binds: Arc<PoolsData>,
    /// Commands of each engine.
    pub runs: Vec<EngineCommands>,
    /// Prompt and output.
    pub lengths: (f64, f64),
    /// Cost of pools over that of aggregated replicas, where both serve.
    pub over: Option<f64>,
}

impl ServiceAnswer {
    /// A chart of it by its identifier.
    pub fn figure(&self, id: FigureId) -> Option<AnyFigure> {
        let shown = self.shown.as_ref()?;
        Some(match id {
            FigureId::Stairs => AnyFigure::of(&shown.stairs),
            FigureId::Binds => AnyFigure::of(&shown.binds),
            FigureId::Request => AnyFigure::of(&shown.request),
            _ => return None,
        })
    }
}

/// Replicas found for the requests asked last, now and pinned.
#[derive(Debug, Clone, Default)]
pub struct FoundReplicas {
    now: Option<ReplicasAnswer>,
    pinned: Option<Planner>,
}

impl FoundReplicas {
    /// Takes what the worker found.
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
            shown: None,
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
        let ratios = charts::ratios(&planner, &service);
        let then = pinned.and_then(|pinned| served(&mut self.pinned, pinned).ok());
        Some(ServiceAnswer {
            headline: headline::sentence(&service, inputs),
            shown: Some(ServiceShown {
                figures: figures::cells(&service, then.as_ref(), inputs),
                stairs: Arc::new(charts::stairs_data(&steps, &service)),
                request: Arc::new(charts::request_data(&service)),
                binds: Arc::new(charts::pools_data(&service, ratios)),
                runs: run::runs(&service, inputs),
                lengths: (service.requests.prompt, service.requests.output),
                over: service.pools_over_aggregated(),
            }),
        })
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

/// The service of a scenario, by the planner that is kept or another one.
fn served(kept: &mut Option<Planner>, inputs: &Inputs) -> Result<Service, Vec<Refusal>> {
    let demand = Demand::of(inputs);
    if let Some(planner) = kept.as_mut().filter(|planner| planner.serves(inputs)) {
        return Ok(planner.answer(&demand));
    }
    let planner = kept.insert(Planner::new(inputs)?);
    Ok(planner.answer(&demand))
}

/// The answer to a link, all of which the worker found.
#[cfg(test)]
pub fn serve(link: &str) -> ServiceAnswer {
    use model_core::permalink::{read, write_inputs};
    use worker::{Answer, Job, Request};
    let read = read(link);
    let link = write_inputs(&read.current);
    let request = Request::Replicas { link };
    let mut job = Job::new(&request);
    job.advance(|| false);
    let mut found = FoundReplicas::default();
    if let Some(Answer::Replicas(replicas)) = Answer::read(&request, &job.answer(0.1)) {
        found.take(&replicas);
    }
    let answer = found.answer(&read.current, read.pinned.as_ref(), false);
    answer.expect("its own replicas serve it")
}

#[cfg(test)]
mod tests;
