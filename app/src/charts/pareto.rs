//! "Is the batch right?": throughput per GPU against speed per user as the batch grows.

use super::{DrawError, Figure, Hits, Surface, Table, Tooltip};
use crate::theme::Theme;

/// The Pareto chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoData {
    /// Operating points from the smallest batch to beyond the largest that fits, batches ascending.
    pub curve: Vec<ParetoPoint>,
    /// The scenario's own point.
    pub now: ParetoPoint,
    /// Batches to mark and label on the curve, sequences per GPU: 32, 64, 96 … Those outside the curve are left out.
    pub marks_batch_per_gpu: Vec<f64>,
    /// The plan, under the current point: `DP 72 · EP 72`.
    pub plan: String,
    /// GPUs in all: the tooltip says the batch per GPU and in all.
    pub gpus: f64,
    /// The least speed a user accepts.
    pub slo_tokens_per_s_per_user: Option<f64>,
    /// The largest batch that fits in memory; `None` when even one sequence does not.
    pub capacity_batch_per_gpu: Option<f64>,
    /// Where a larger batch stops paying.
    pub knee: Option<Knee>,
    /// The pinned scenario.
    pub pinned: Option<PinnedPareto>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// One operating point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParetoPoint {
    /// Sequences per GPU.
    pub batch_per_gpu: f64,
    /// Speed for one user.
    pub tokens_per_s_per_user: f64,
    /// Throughput of one GPU.
    pub tokens_per_s_per_gpu: f64,
    /// Whether it fits in memory.
    pub fits: bool,
}

/// The batch beyond which throughput hardly grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knee {
    /// Where it stands.
    pub point: ParetoPoint,
    /// Whether throughput is flat beyond it (else it only grows less).
    pub flat_beyond: bool,
}

/// The pinned scenario's curve.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedPareto {
    /// How it differs: `100 GB/s scale-out`.
    pub label: String,
    /// Its curve, batches ascending.
    pub curve: Vec<ParetoPoint>,
    /// Its own point.
    pub now: ParetoPoint,
}

impl Figure for ParetoData {
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
