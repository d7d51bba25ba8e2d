//! Answers of Service: the replicas that whole requests need.

mod figures;
mod headline;

use super::{FigureCell, Sentence};
use model_core::inputs::Inputs;
use model_core::refusal::Refusal;
use model_core::service::{Demand, Planner, Service};

/// Everything that the view says.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceAnswer {
    /// The state of the demand.
    pub headline: Sentence,
    /// GPUs, costs, time to first token, user speed and utilisation; none where nothing can be searched.
    pub figures: Option<[FigureCell; 6]>,
}

/// Replicas found for the requests asked last, now and pinned: another demand needs no search.
#[derive(Debug, Clone, Default)]
pub struct Found {
    now: Option<Planner>,
    pinned: Option<Planner>,
}

impl Found {
    /// The answer for `inputs`, compared with `pinned` if it can be served.
    pub fn answer(&mut self, inputs: &Inputs, pinned: Option<&Inputs>) -> ServiceAnswer {
        let now = match served(&mut self.now, inputs) {
            Ok(now) => now,
            Err(refusals) => {
                return ServiceAnswer {
                    headline: headline::impossible(&refusals),
                    figures: None,
                };
            }
        };
        let then = pinned.and_then(|pinned| served(&mut self.pinned, pinned).ok());
        ServiceAnswer {
            headline: headline::sentence(&now, inputs),
            figures: Some(figures::cells(&now, then.as_ref(), inputs)),
        }
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
