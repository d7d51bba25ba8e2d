//! Answers of Service: the replicas that whole requests need.

mod charts;
mod figures;
mod headline;
mod levers;
mod pays;
mod run;

use super::{FigureCell, Sentence};
use crate::charts::{AnyFigure, PoolsData, RequestData, Stair, StairsData};
pub use headline::of_prefill;
pub use levers::strip as lever_strip;
use model_core::inputs::Inputs;
use model_core::permalink::FigureId;
use model_core::plan::PlanSpec;
use model_core::refusal::Refusal;
use model_core::service::limit::crossover;
use model_core::service::{Demand, Planner, Service};
pub use pays::pays_data;
pub use run::{PoolCommand, Run};
use std::sync::Arc;

/// Everything that the view says.
#[derive(Debug, Clone, PartialEq)]
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
    pub runs: Vec<Run>,
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

/// Replicas found for the requests asked last, now and pinned: another demand needs no search.
#[derive(Debug, Clone, Default)]
pub struct Found {
    now: Option<Planner>,
    pinned: Option<Planner>,
    /// The service that the planner answered last.
    last: Option<Service>,
    /// GPUs over the rate, with the demand and the first rate that they are of.
    stairs: Option<(Demand, f64, Vec<Stair>)>,
    /// The ratio of pools over prompt ÷ output, with the replicas that it is of.
    ratios: Option<(Pair, Vec<(f64, f64)>)>,
}

/// GPUs and plans of a prefill and a decode replica.
type Pair = ((u32, u32), (u32, PlanSpec));

impl Found {
    /// The answer for `inputs`, compared with `pinned` if it can be served.
    pub fn answer(&mut self, inputs: &Inputs, pinned: Option<&Inputs>) -> ServiceAnswer {
        if !self.now.as_ref().is_some_and(|now| now.serves(inputs)) {
            self.stairs = None;
            self.ratios = None;
        }
        let now = match served(&mut self.now, inputs) {
            Ok(now) => now,
            Err(refusals) => {
                self.last = None;
                return ServiceAnswer {
                    headline: headline::impossible(&refusals),
                    shown: None,
                };
            }
        };
        self.last = Some(now.clone());
        let steps = self.stairs(&now);
        let ratios = self.ratios(&now);
        self.shown(&now, inputs, pinned, (steps, ratios))
    }

    /// An answer at once while numbers move: that of the replicas found last. `None` where these do not serve, or where
    /// nothing has to be searched.
    pub fn at_once(&mut self, inputs: &Inputs, pinned: Option<&Inputs>) -> Option<ServiceAnswer> {
        let planner = self.now.as_ref().filter(|now| !now.serves(inputs))?;
        let mut near = planner.near(inputs, self.last.as_ref()?)?;
        let demand = Demand::of(inputs);
        let now = near.answer(&demand);
        now.choice?;
        let first = charts::first_rate(&now)?;
        let steps = charts::stairs(&mut near, &demand, first);
        let ratios = self.ratios.clone().map_or_else(Vec::new, |(_, line)| line);
        Some(self.shown(&now, inputs, pinned, (steps, ratios)))
    }

    fn shown(
        &mut self,
        now: &Service,
        inputs: &Inputs,
        pinned: Option<&Inputs>,
        (steps, ratios): (Vec<Stair>, Vec<(f64, f64)>),
    ) -> ServiceAnswer {
        let then = pinned.and_then(|pinned| served(&mut self.pinned, pinned).ok());
        ServiceAnswer {
            headline: headline::sentence(now, inputs),
            shown: Some(ServiceShown {
                figures: figures::cells(now, then.as_ref(), inputs),
                stairs: Arc::new(charts::stairs_data(steps, now)),
                request: Arc::new(charts::request_data(now)),
                binds: Arc::new(charts::pools_data(now, ratios)),
                runs: run::runs(now, inputs),
                lengths: (now.requests.prompt, now.requests.output),
                over: now.pools_over_aggregated(),
            }),
        }
    }

    /// The limit of the first token at which the cheaper way changes, where replicas are found for `inputs`.
    pub fn limit(&mut self, inputs: &Inputs) -> Option<Sentence> {
        let planner = self.now.as_mut().filter(|now| now.serves(inputs))?;
        let found = crossover(planner, &Demand::of(inputs))?;
        Some(headline::limit(&found))
    }

    /// Ratios of the pools over prompt ÷ output; the same while these have the same replicas.
    fn ratios(&mut self, now: &Service) -> Vec<(f64, f64)> {
        let (Some(planner), Ok(pools)) = (&self.now, &now.disaggregated) else {
            return Vec::new();
        };
        let (prefill, decode) = (&pools.prefill, &pools.decode);
        let pair = ((prefill.gpus, prefill.tp), (decode.gpus, decode.spec));
        let known = self.ratios.take().filter(|(of, _)| *of == pair);
        let found = known.unwrap_or_else(|| (pair, charts::ratios(planner, now)));
        self.ratios.insert(found).1.clone()
    }

    /// GPUs over the rate; the same while only the rate moves within its decade.
    fn stairs(&mut self, now: &Service) -> Vec<Stair> {
        let (Some(planner), Some(first)) = (&mut self.now, charts::first_rate(now)) else {
            return Vec::new();
        };
        let demand = Demand {
            rate: None,
            ..now.demand
        };
        if let Some((of, from, steps)) = &self.stairs
            && *of == demand
            && from.total_cmp(&first).is_eq()
        {
            return steps.clone();
        }
        let steps = charts::stairs(planner, &demand, first);
        self.stairs = Some((demand, first, steps.clone()));
        steps
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

#[cfg(test)]
mod tests;
