//! Measured runs overlaid on a chart of operating points. They are drawn as diamonds, because they are not plans from
//! that chart.

use crate::charts::prelude::*;

/// A measured system with the same model and accelerator as the scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredMark {
    /// Batch and GPUs of the run: `256 per GPU on 72 H100`.
    pub name: String,
    /// Description of the run, as published.
    pub run: String,
    pub point: OperatingPoint,
    /// Throughput in tok/s/GPU that Ridgepoint predicts for the settings of the run.
    pub predicted_per_gpu: f64,
    /// Cost of the run at the scenario's price; `None` without a price.
    pub dollars_per_mtok: Option<f64>,
    /// Differences of the run from the scenario, such as `batch 18,432 → 4,096`.
    pub differs: Vec<String>,
    pub source: String,
}

impl MeasuredMark {
    /// Returns name, run and source as one text, for tables.
    pub fn words(&self) -> String {
        format!("{}, {}: {}", self.name, self.run, self.source)
    }
}

/// Adds a measured system to a chart, labeled if there is room.
pub fn dot(xy: &mut Xy, mark: &MeasuredMark, at: At) {
    let [measured, predicted] = [mark.point.per_gpu, mark.predicted_per_gpu].map(format::si);
    let both = format!("measured {measured}, predicted {predicted} with the run’s settings");
    let named = format!("{}: {both}", mark.name);
    let says = [named, both, format!("measured {measured}")];
    xy.dot(at, DotInk::Diamond(Ink::Soft))
        .says(says.map(|text| Words::note(text, Ink::Soft)));
}

pub fn tooltip(mark: &MeasuredMark) -> Tooltip {
    let few = mark.differs.iter().take(MOST);
    let more = mark.differs.len().saturating_sub(MOST);
    Tooltip::new(format!("measured: {}", mark.name), &mark.run, &mark.source)
        .across(format::sig3(mark.point.per_user))
        .row("throughput", points::per_gpu(mark.point.per_gpu))
        .row("interactivity", points::per_user(mark.point.per_user))
        .row("batch", mark.point.batch_words())
        .row(
            "predicted with its settings",
            format::si(mark.predicted_per_gpu),
        )
        .rows(few.map(|what| TipRow::plain("differs", "").note(what)))
        .rows((more > 0).then(|| TipRow::plain(format!("and {more} more"), "")))
}

/// Maximum number of differences in a tooltip.
const MOST: usize = 5;
