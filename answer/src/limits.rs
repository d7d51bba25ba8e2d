//! Answers of Limits: the largest batch and context, and the fewest GPUs.

mod context;
mod figures;
mod growth;
mod map;

use super::{Evaluated, FigureCell, Sentence};
use crate::chart::Chart;
use crate::states::{reach, trouble};
pub use map::{Plane, Resolution, field, map_data};

use model_core::inputs::Inputs;
use model_core::permalink::FigureId;
use std::sync::Arc;

/// Headline and figures.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitsAnswer {
    /// The largest batch.
    pub headline: Sentence,
    /// The limits and the current batch.
    pub figures: [FigureCell; 6],
    /// The current batch fits in memory.
    pub fits: bool,
}

/// The charts that follow the current point.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitsCharts {
    /// "Which GPU count fits?"
    pub growth: Arc<Chart>,
    /// "What does context cost?"
    pub context: Arc<Chart>,
}

impl LimitsCharts {
    /// A chart of it by its identifier.
    pub fn figure(&self, id: FigureId) -> Option<Arc<Chart>> {
        Some(match id {
            FigureId::Growth => Arc::clone(&self.growth),
            FigureId::Context => Arc::clone(&self.context),
            _ => return None,
        })
    }
}

/// Headline and figures; `None` for an invalid scenario.
pub fn limits_answer(inputs: &Inputs, pinned: Option<&Inputs>) -> Option<LimitsAnswer> {
    let case = Evaluated::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Evaluated::new(pinned).ok());
    let pinned = pinned.as_ref();
    let headline = trouble(&case).unwrap_or_else(|| reach(&case));
    Some(LimitsAnswer {
        headline: headline.sentence(),
        figures: figures::cells(&case, pinned),
        fits: case.evaluation.memory.fits(),
    })
}

/// Memory over GPUs, and what context costs, `against` a model of the catalog; `None` for an invalid scenario.
pub fn limits_charts(
    inputs: &Inputs,
    pinned: Option<&Inputs>,
    against: Option<&str>,
) -> Option<LimitsCharts> {
    let case = Evaluated::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Evaluated::new(pinned).ok());
    Some(LimitsCharts {
        growth: Arc::new(growth::chart(&case)),
        context: Arc::new(context::chart(&case, pinned.as_ref(), against)),
    })
}

#[cfg(test)]
mod tests;
