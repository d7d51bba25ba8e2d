//! "Does it fit?": what a GPU's memory holds.

use super::{DrawError, Figure, Hits, Surface, Table, Tooltip};
use crate::theme::{Role, Theme};

/// The memory chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryData {
    /// What is stored, in the order of the bar: weights first, then what grows with the batch.
    pub parts: Vec<MemoryPart>,
    /// The accelerator's memory.
    pub capacity_bytes: f64,
    /// What is set aside of it.
    pub reserve_bytes: f64,
    /// The accelerator's name, at the capacity: `H100`.
    pub accelerator: String,
    /// Sequences per GPU now.
    pub batch_per_gpu: f64,
    /// The most that fit; `None` when even one does not.
    pub capacity_batch_per_gpu: Option<f64>,
    /// The pinned scenario.
    pub pinned: Option<PinnedMemory>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// One part of the memory.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryPart {
    /// What it belongs to; weights are bracketed together.
    pub role: Role,
    /// Its name: `embedding, head`.
    pub name: String,
    /// Its size.
    pub bytes: f64,
    /// Why it is that large: `replicated on all 72 GPUs`.
    pub note: String,
}

/// The pinned scenario's memory.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedMemory {
    /// All it stores.
    pub total_bytes: f64,
    /// Its accelerator's memory.
    pub capacity_bytes: f64,
}

impl Figure for MemoryData {
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
        118.0
    }
}
