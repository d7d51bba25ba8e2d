//! Answers of Service: the replicas that whole requests need.

mod charts;
mod figures;
mod headline;
mod levers;
mod run;

use super::{FigureCell, Sentence};
use crate::charts::{AnyFigure, PoolsData, RequestData, Stair, StairsData};
pub use levers::strip as lever_strip;
use model_core::inputs::Inputs;
use model_core::permalink::FigureId;
use model_core::refusal::Refusal;
use model_core::service::{Demand, Planner, Service};
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
}

impl Found {
    /// The answer for `inputs`, compared with `pinned` if it can be served.
    pub fn answer(&mut self, inputs: &Inputs, pinned: Option<&Inputs>) -> ServiceAnswer {
        if !self.now.as_ref().is_some_and(|now| now.serves(inputs)) {
            self.stairs = None;
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
        self.shown(&now, inputs, pinned, steps)
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
        Some(self.shown(&now, inputs, pinned, steps))
    }

    fn shown(
        &mut self,
        now: &Service,
        inputs: &Inputs,
        pinned: Option<&Inputs>,
        steps: Vec<Stair>,
    ) -> ServiceAnswer {
        let then = pinned.and_then(|pinned| served(&mut self.pinned, pinned).ok());
        ServiceAnswer {
            headline: headline::sentence(now, inputs),
            shown: Some(ServiceShown {
                figures: figures::cells(now, then.as_ref(), inputs),
                stairs: Arc::new(charts::stairs_data(steps, now)),
                request: Arc::new(charts::request_data(now)),
                binds: Arc::new(charts::pools_data(now)),
                runs: run::runs(now, inputs),
            }),
        }
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
