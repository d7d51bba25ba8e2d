//! Answers of Limits: the largest batch and context, and the fewest GPUs.

mod context;
mod figures;
mod growth;
mod map;
mod presets;

use super::headline::{reach, trouble};
use super::{Evaluated, FigureCell, Sentence};
use crate::charts::{AnyFigure, ContextData, GrowthData};
pub use map::{Plane, Resolution, field, map_data};

use model_core::inputs::Inputs;
use model_core::permalink::FigureId;
use std::sync::Arc;

/// Headline and figures.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitsAnswer {
    /// The largest batch, or a preset's answer.
    pub headline: Sentence,
    /// The limits and the current batch.
    pub figures: [FigureCell; 6],
    /// The current batch fits in memory.
    pub fits: bool,
}

/// The charts that follow the current point.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitsCharts {
    /// "How many GPUs?"
    pub growth: Arc<GrowthData>,
    /// "What does context cost?"
    pub context: Arc<ContextData>,
}

impl LimitsCharts {
    /// A chart of it by its identifier.
    pub fn figure(&self, id: FigureId) -> Option<AnyFigure> {
        Some(match id {
            FigureId::Growth => AnyFigure::of(&self.growth),
            FigureId::Context => AnyFigure::of(&self.context),
            _ => return None,
        })
    }
}

/// Headline and figures; `None` for an impossible scenario.
pub fn limits_answer(inputs: &Inputs, pinned: Option<&Inputs>) -> Option<LimitsAnswer> {
    let case = Evaluated::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Evaluated::new(pinned).ok());
    let pinned = pinned.as_ref();
    let headline = trouble(&case)
        .or_else(|| presets::answer(&case, pinned))
        .unwrap_or_else(|| reach(&case));
    Some(LimitsAnswer {
        headline: headline.sentence(),
        figures: figures::cells(&case, pinned),
        fits: case.evaluation.memory.fits(),
    })
}

/// Memory over GPUs, and what context costs, `against` a model of the catalogue; `None` for an impossible scenario.
pub fn limits_charts(
    inputs: &Inputs,
    pinned: Option<&Inputs>,
    against: Option<&str>,
) -> Option<LimitsCharts> {
    let case = Evaluated::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Evaluated::new(pinned).ok());
    Some(LimitsCharts {
        growth: Arc::new(growth::data(&case)),
        context: Arc::new(context::data(&case, pinned.as_ref(), against)),
    })
}

#[cfg(test)]
mod tests;
