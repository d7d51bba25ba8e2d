//! Measured runs laid over a chart of operating points: diamonds, since they are not plans of the chart.

use crate::charts::prelude::*;

/// A measured system of the same model and accelerator.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredMark {
    /// Its batch and GPUs: `256 per GPU on 72 H100`.
    pub name: String,
    /// The run as published.
    pub run: String,
    pub point: OperatingPoint,
    /// Tokens per second and GPU that the model predicts for the run's own settings.
    pub predicted_per_gpu: f64,
    /// Its cost at the scenario's price, if there is one.
    pub dollars_per_mtok: Option<f64>,
    /// Differences from the scenario: `batch 18,432 → 4,096`.
    pub differs: Vec<String>,
    pub source: String,
}

impl MeasuredMark {
    /// Its name, run and source, for tables.
    pub fn words(&self) -> String {
        format!("{}, {}: {}", self.name, self.run, self.source)
    }
}

/// Adds a measured system to a chart, named where there is room.
pub fn dot(xy: &mut Xy, mark: &MeasuredMark, at: At) {
    let [measured, predicted] = [mark.point.per_gpu, mark.predicted_per_gpu].map(format::si);
    let both = format!("measured {measured}, predicted {predicted} with its settings");
    let named = format!("{}: {both}", mark.name);
    let says = [named, both, format!("measured {measured}")];
    xy.dot(at, DotInk::Diamond(Ink::Soft))
        .says(says.map(|text| Words::note(text, Ink::Soft)));
}

pub fn tooltip(mark: &MeasuredMark) -> Tooltip {
    // From the scenario to the run.
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

/// Differences that a tooltip has room for.
const MOST: usize = 5;
