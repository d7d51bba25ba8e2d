//! Charts of which some marks open the account of their number.

use crate::chart::Chart;
use model_core::account::{Explained, Quantity};
use std::sync::Arc;

/// A chart with the number that each of its rows opens.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningChart {
    /// The chart.
    pub chart: Arc<Chart>,
    /// By row.
    rows: Vec<Option<Quantity>>,
}

impl OpeningChart {
    /// A chart whose rows open these numbers.
    pub fn new(chart: Chart, rows: Vec<Option<Quantity>>) -> Self {
        let chart = Arc::new(chart);
        Self { chart, rows }
    }

    /// The number that a hit opens.
    pub fn opens(&self, hit: usize) -> Option<Explained> {
        let row = self.chart.row(hit)?;
        self.rows.get(row).copied()?.map(Explained::Quantity)
    }
}
