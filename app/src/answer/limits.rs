//! What the Limits view says: how far the batch can go, what stops it, what lifts that.

mod figures;
mod growth;
mod instances;
mod map;
mod tradeoff;
mod verdict;

use super::{Case, FigureCell, GainRow, Sentence};
use crate::charts::{GrowthData, InstancesData, TradeoffData};
pub use map::{Plane, Resolution, field, map_data};

use model_core::limits::batch_meeting_slo;
use model_core::limits::lift::{Lifted, lifts};
use model_core::scenario::Inputs;
use std::sync::Arc;

/// The words and numbers above the charts.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitsAnswer {
    /// Which limit stops the batch, and what lifts it.
    pub verdict: Sentence,
    /// What each change makes of the largest batch, in a fixed order; empty when there is none.
    pub lifts: Vec<GainRow>,
    /// The limits and the current batch.
    pub figures: [FigureCell; 6],
    /// The largest batch that works, where the current one does not and another does.
    pub better_batch: Option<f64>,
}

/// The charts that follow the current point.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitsCharts {
    /// "What does batch buy?"
    pub tradeoff: Arc<TradeoffData>,
    /// "How many GPUs?"
    pub growth: Arc<GrowthData>,
}

/// How far the batch can go.
struct Reach {
    /// The largest batch that fits and meets the SLO.
    batch: f64,
    /// The largest batch that meets the SLO, if there is one.
    meets_slo: Option<f64>,
    /// What changes make of it.
    lifted: Vec<Lifted>,
}

impl Reach {
    fn of(case: &Case) -> Self {
        let slo = case.scenario.workload.slo;
        let meets_slo = slo.map(|slo| batch_meeting_slo(&case.scenario, slo));
        Self {
            batch: case.limits.b_cap.min(meets_slo.unwrap_or(f64::INFINITY)),
            meets_slo,
            lifted: lifts(&case.inputs, &case.scenario),
        }
    }
}

impl Reach {
    /// The largest whole number of sequences per group that works, if the current batch does not.
    fn better(&self, case: &Case) -> Option<f64> {
        let groups = f64::from(case.scenario.plan.spec().dp);
        let batch = (self.batch / groups).floor() * groups;
        let batch = if batch < 1.0 { self.batch } else { batch };
        (case.scenario.workload.batch > self.batch && batch >= 1.0).then_some(batch)
    }
}

/// Words and figures; `None` for an impossible scenario.
pub fn limits_answer(inputs: &Inputs, pinned: Option<&Inputs>) -> Option<LimitsAnswer> {
    let case = Case::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Case::new(pinned).ok());
    let reach = Reach::of(&case);
    Some(LimitsAnswer {
        verdict: verdict::sentence(&case, &reach),
        lifts: verdict::rows(&case, &reach),
        figures: figures::cells(&case, &reach, pinned.as_ref()),
        better_batch: reach.better(&case),
    })
}

/// Throughput against latency, and memory over GPUs; `None` for an impossible scenario.
pub fn limits_charts(inputs: &Inputs, pinned: Option<&Inputs>) -> Option<LimitsCharts> {
    let case = Case::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Case::new(pinned).ok());
    Some(LimitsCharts {
        tradeoff: Arc::new(tradeoff::data(&case, pinned.as_ref())),
        growth: Arc::new(growth::data(&case)),
    })
}

/// One large deployment against many small ones; `None` for an impossible scenario.
pub fn instances_data(inputs: &Inputs) -> Option<Arc<InstancesData>> {
    instances::data(inputs).map(Arc::new)
}

#[cfg(test)]
mod tests;
