//! What the Limits view says: how far the batch can go, what stops it, what lifts that.

mod context;
mod figures;
pub(super) mod growth;
mod map;
mod tradeoff;
mod verdict;

use super::advice::{self, Levers};
use super::{Evaluated, FigureCell, GainRow, Offer, Sentence, after, asked};
use crate::charts::{ContextData, GrowthData, TradeoffData};
pub use map::{Plane, Resolution, field, map_data};

use model_core::advice::fewest_gpus;
use model_core::limits::lift::{Lifted, Price, lifts, served};
use model_core::limits::saturation::{Saturation, saturation};
use model_core::scenario::{Inputs, Number};
use std::sync::Arc;

/// The words and numbers above the charts.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitsAnswer {
    /// Which limit stops the batch, and what lifts it.
    pub verdict: Sentence,
    /// What each change makes of the throughput of the largest batch, in a fixed order, those that cost nothing first; empty
    /// when there is none.
    pub lifts: Vec<GainRow>,
    /// How many of them cost nothing.
    pub free: usize,
    /// Whether what is bought is counted on top of what costs nothing and leads.
    pub after: bool,
    /// The limits and the current batch.
    pub figures: [FigureCell; 6],
    /// The largest batch that works, where the current one does not and another does.
    pub better_batch: Option<f64>,
    /// Whether the current batch fits in memory.
    pub fits: bool,
    /// What to do, one click each.
    pub offers: Vec<Offer>,
}

/// The charts that follow the current point.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitsCharts {
    /// "What does batch buy?"
    pub tradeoff: Arc<TradeoffData>,
    /// "How many GPUs?"
    pub growth: Arc<GrowthData>,
    /// "What does context cost?"
    pub context: Arc<ContextData>,
}

/// How far the batch can go.
struct Reach {
    /// The largest batch that fits and meets the SLO; 0 when none does.
    batch: f64,
    /// Where the arithmetic is full.
    saturation: Saturation,
    /// What it serves.
    tokens: f64,
    /// What changes that cost nothing, or of the workload, make of that, each by itself.
    lifted: Vec<Lifted>,
    /// Better uses of the same GPUs.
    levers: Levers,
    /// What the largest batch serves after the one that leads, where one does; else as much.
    after: f64,
    /// Whether one does.
    is_after: bool,
    /// What is bought makes of that.
    bought: Vec<Lifted>,
    /// The fewest GPUs that make the scenario work, where none of its batches does.
    gpus: Option<f64>,
}

impl Reach {
    fn of(case: &Evaluated) -> Self {
        let none = case.largest.is_err();
        let fewest = || fewest_gpus(&case.inputs)?.get(Number::Gpus);
        let levers = Levers::at_limit(&case.inputs);
        // Without an SLO what costs nothing keeps users' speed, and may help no batch that is the largest.
        let slo = case.scenario.workload.slo.is_some();
        let after = after(&levers).filter(|_| slo);
        let base = after.as_ref().unwrap_or(case);
        let most = |case: &Evaluated| case.largest.map_or(0.0, |largest| largest.batch);
        let unbought = [Price::Free, Price::Workload];
        Self {
            gpus: none.then(fewest).flatten(),
            batch: most(case),
            tokens: served(&case.scenario, most(case)),
            saturation: saturation(&case.scenario),
            lifted: lifts(&case.inputs, &case.scenario, &unbought),
            is_after: after.is_some(),
            after: served(&base.scenario, most(base)),
            bought: lifts(&base.inputs, &base.scenario, &[Price::Bought]),
            levers,
        }
    }
}

/// Words and figures; `None` for an impossible scenario.
pub fn limits_answer(inputs: &Inputs, pinned: Option<&Inputs>) -> Option<LimitsAnswer> {
    let case = Evaluated::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Evaluated::new(pinned).ok());
    let reach = Reach::of(&case);
    let (free, bought) = verdict::rows(&case, &reach);
    let asked = asked::in_limits(&case, pinned.as_ref());
    // A preset's whole answer tells of no batch.
    let told = asked.as_ref().is_none_or(|(_, whole)| !whole);
    let (verdict, levers) = verdict::sentence(&case, &reach, asked);
    let mut offers = advice::offers(&case, &levers);
    offers.extend(advice::as_much(&case, &offers).filter(|_| told));
    Some(LimitsAnswer {
        verdict,
        free: free.len(),
        after: reach.is_after,
        lifts: free.into_iter().chain(bought).collect(),
        figures: figures::cells(&case, &reach, pinned.as_ref()),
        better_batch: case.better_batch(),
        fits: case.evaluation.memory.fits(),
        offers,
    })
}

/// Throughput against latency, memory over GPUs, and what context costs, `against` a model of the catalogue; `None`
/// for an impossible scenario.
pub fn limits_charts(
    inputs: &Inputs,
    pinned: Option<&Inputs>,
    against: Option<&str>,
) -> Option<LimitsCharts> {
    let case = Evaluated::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Evaluated::new(pinned).ok());
    Some(LimitsCharts {
        tradeoff: Arc::new(tradeoff::data(&case, pinned.as_ref())),
        growth: Arc::new(growth::data(&case)),
        context: Arc::new(context::data(&case, pinned.as_ref(), against)),
    })
}

#[cfg(test)]
mod tests;
