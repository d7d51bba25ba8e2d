//! Charts with marks that, when clicked, open the derivation of a number.

use crate::chart::Chart;
use model_core::account::{Explained, Quantity};
use std::sync::Arc;

/// A chart with a number for each of its rows; a click on a row's mark opens the number's derivation.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningChart {
    /// The chart itself.
    pub chart: Arc<Chart>,
    /// Number that each chart row explains, if any.
    rows: Vec<Option<Quantity>>,
}

impl OpeningChart {
    /// Creates a chart; `rows` are the numbers that its rows explain.
    pub fn new(chart: Chart, rows: Vec<Option<Quantity>>) -> Self {
        let chart = Arc::new(chart);
        Self { chart, rows }
    }

    /// Returns the number that a click on mark `hit` of the chart explains, if any.
    pub fn opens(&self, hit: usize) -> Option<Explained> {
        let row = self.chart.row(hit)?;
        self.rows.get(row).copied()?.map(Explained::Quantity)
    }
}
