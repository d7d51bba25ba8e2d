//! Charts whose marks, when clicked, open the derivation of their number.

use crate::chart::Chart;
use model_core::account::{Explained, Quantity};
use std::sync::Arc;

/// A chart, and the number whose derivation each of its rows opens.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningChart {
    /// The chart itself.
    pub chart: Arc<Chart>,
    /// Number whose derivation each chart row opens, if any.
    rows: Vec<Option<Quantity>>,
}

impl OpeningChart {
    /// Creates a chart whose rows open the derivations of these numbers.
    pub fn new(chart: Chart, rows: Vec<Option<Quantity>>) -> Self {
        let chart = Arc::new(chart);
        Self { chart, rows }
    }

    /// Returns the number whose derivation a click on mark `hit` of the chart opens.
    pub fn opens(&self, hit: usize) -> Option<Explained> {
        let row = self.chart.row(hit)?;
        self.rows.get(row).copied()?.map(Explained::Quantity)
    }
}
