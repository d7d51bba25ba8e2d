//! Limits view: the largest batch and context, and the fewest GPUs.

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

/// Headline and key figures of the Limits view.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitsAnswer {
    /// Headline on the largest batch.
    pub headline: Sentence,
    /// Key figures: the current batch, the limits of the batch, and the cost.
    pub figures: [FigureCell; 6],
    /// True if the current scenario's batch fits in memory.
    pub fits: bool,
}

/// Charts of the Limits view that depend on the current batch and context.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitsCharts {
    /// Chart "Which GPU count fits?"
    pub growth: Arc<Chart>,
    /// Chart "What does context cost?"
    pub context: Arc<Chart>,
}

impl LimitsCharts {
    /// Returns the chart of GPU counts or of context cost; `None` for any other identifier.
    pub fn figure(&self, id: FigureId) -> Option<Arc<Chart>> {
        Some(match id {
            FigureId::Growth => Arc::clone(&self.growth),
            FigureId::Context => Arc::clone(&self.context),
            _ => return None,
        })
    }
}

/// Computes the headline and the key figures of the Limits view; `None` if the scenario is invalid.
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

/// Draws memory use vs. GPU count, and the cost of context. If the catalog model `against` is given, the cost of
/// context is compared with that model. Returns `None` if the scenario is invalid.
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
