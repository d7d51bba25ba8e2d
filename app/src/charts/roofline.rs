//! "Compute or memory?": every operator against the roof of its format.

use super::{DrawError, Figure, Hits, Surface, Table, Tooltip};
use crate::theme::{Role, Theme};

/// The roofline chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct RooflineData {
    /// The accelerator's roofs.
    pub roofs: Roofs,
    /// The operators of a step, in the model's order.
    pub operators: Vec<OperatorPoint>,
    /// The pinned scenario's roofs, when they differ.
    pub pinned_roofs: Option<Roofs>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// What an accelerator can do at most.
#[derive(Clone, Debug, PartialEq)]
pub struct Roofs {
    /// HBM bandwidth.
    pub hbm_bytes_per_s: f64,
    /// Peaks of the formats in use, at most a few.
    pub peaks: Vec<Peak>,
}

/// The peak of one arithmetic format.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// Its name: `FP8`.
    pub format: String,
    /// Dense arithmetic.
    pub flop_per_s: f64,
}

/// Which of its two times an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Moving bytes.
    Memory,
    /// Arithmetic.
    Compute,
}

/// A place on the roofline chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RooflinePosition {
    /// FLOP per byte moved from or to HBM; 0 for an operator that only moves bytes.
    pub intensity_flop_per_byte: f64,
    /// FLOP over the operator's own time.
    pub achieved_flop_per_s: f64,
}

/// One operator.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorPoint {
    /// Its name, shown as it is.
    pub name: String,
    /// What it belongs to.
    pub role: Role,
    /// The roof that applies, an index into [`Roofs::peaks`].
    pub peak: usize,
    /// Where it stands.
    pub position: RooflinePosition,
    /// What its time is made of.
    pub bound: Bound,
    /// Its time in a step, all layers.
    pub time_s: f64,
    /// Its share of the compute of a step, 0 to 1.
    pub share_of_step: f64,
    /// Whether most of its bytes are KV cache: ringed in the cache's colour.
    pub reads_kv: bool,
    /// The batch at which it reaches its ridge, sequences per GPU; `None` when no batch does.
    pub ridge_batch_per_gpu: Option<f64>,
    /// The same operator in the pinned scenario.
    pub pinned: Option<RooflinePosition>,
}

impl Figure for RooflineData {
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
