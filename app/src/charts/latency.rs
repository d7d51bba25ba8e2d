//! "Where does a step go?": one step as lanes, and steps over the batch.

use super::{DrawError, Figure, Hits, Surface, Table, Tooltip};
use crate::theme::Theme;

/// The latency chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct LatencyData {
    /// The step as it is now.
    pub now: StepSample,
    /// Whether the schedule lets compute and messages run at the same time: two lanes, else one.
    pub overlaps: bool,
    /// Steps over the batch, batches ascending from about 0 to the end of the axis.
    pub samples: Vec<StepSample>,
    /// The batch at which messages take as long as compute.
    pub crossing_batch_per_gpu: Option<f64>,
    /// The largest batch that fits in memory; `None` when even one sequence does not.
    pub capacity_batch_per_gpu: Option<f64>,
    /// GPUs in all: the tooltip says the batch per GPU and in all.
    pub gpus: f64,
    /// The pinned scenario.
    pub pinned: Option<PinnedStep>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// A step at one batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSample {
    /// Sequences per GPU.
    pub batch_per_gpu: f64,
    /// Its times.
    pub step: Step,
}

/// The times of one step, all layers. What hides follows from the sums: compute + messages − step, out of the shorter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// Attention.
    pub attention_s: f64,
    /// Dense feed-forward layers.
    pub dense_s: f64,
    /// Experts, with router and shared experts.
    pub experts_s: f64,
    /// Output head.
    pub head_s: f64,
    /// Messages over the scale-out network.
    pub scale_out_s: f64,
    /// Messages inside a scale-up domain.
    pub scale_up_s: f64,
    /// The whole step.
    pub step_s: f64,
}

/// The pinned scenario's steps.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedStep {
    /// Its step.
    pub now: StepSample,
    /// (batch per GPU, step in seconds), batches ascending.
    pub envelope: Vec<(f64, f64)>,
}

impl Figure for LatencyData {
    fn draw<S: Surface>(
        &self,
        _surface: &mut S,
        _theme: &Theme,
        _focus: Option<usize>,
    ) -> Result<Hits, DrawError<S>> {
        Ok(Hits::default())
    }

    fn finding(&self) -> String {
        String::new()
    }

    fn table(&self) -> Table {
        Table::default()
    }

    fn tooltip(&self, _index: usize) -> Option<Tooltip> {
        None
    }

    fn height_px(_width_px: f64) -> f64 {
        268.0
    }
}
