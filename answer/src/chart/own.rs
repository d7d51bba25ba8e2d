//! Charts that draw themselves instead of consisting of plots. They have tooltips, tables and hover targets like
//! other charts.

use super::hits::{Hits, Pointed, Tooltip, rulers};
use crate::picture::pen::Pen;
use crate::picture::table::Table;
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// Draws a chart that does not consist of plots.
pub trait Painter: Same + Debug + Send + Sync + 'static {
    /// Draws the chart over the whole canvas, in CSS px; returns its hover targets.
    fn draw(&self, pen: &mut Pen<'_>) -> Hits;

    /// Highlights the hover target under the pointer.
    fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        if let Some(at) = rulers(pen, pointed) {
            pen.rimmed_point(at, 4.2, pen.theme.ink_1);
        }
    }

    /// Returns the tooltip of a hover target, for a chart whose hover targets are not table rows.
    fn tooltip(&self, _hit: usize) -> Option<Tooltip> {
        None
    }

    /// Returns the table on demand, for a chart with many rows.
    fn table(&self) -> Option<Table> {
        None
    }
}

/// A painter (custom drawing code for a chart), with the table row of each hover target in order.
#[derive(Clone, Debug)]
pub struct Own {
    painter: Arc<dyn Painter>,
    rows: Option<Vec<usize>>,
}

impl Own {
    /// Wraps a painter whose hover targets belong to these table rows.
    pub fn new(painter: impl Painter, rows: impl IntoIterator<Item = usize>) -> Self {
        Self {
            painter: Arc::new(painter),
            rows: Some(rows.into_iter().collect()),
        }
    }

    /// Wraps a painter that provides its tooltips itself.
    pub fn of<P: Painter>(painter: &Arc<P>) -> Self {
        Self {
            painter: Arc::clone(painter) as Arc<dyn Painter>,
            rows: None,
        }
    }

    /// Returns the table row of a hover target.
    pub fn row(&self, hit: usize) -> Option<usize> {
        self.rows.as_ref()?.get(hit).copied()
    }

    /// Returns the hover target of a table row.
    pub fn hit(&self, row: usize) -> Option<usize> {
        self.rows.as_ref()?.iter().position(|of| *of == row)
    }

    /// Returns the painter, which draws the chart.
    pub fn painter(&self) -> &dyn Painter {
        &*self.painter
    }
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        let same = || self.painter.same(other.painter.any());
        self.rows == other.rows && (Arc::ptr_eq(&self.painter, &other.painter) || same())
    }
}

/// Equality comparison of values whose types may differ.
pub trait Same: Any {
    /// Compares two values; values of different types are unequal.
    fn same(&self, other: &dyn Any) -> bool;
    /// Returns the value as `Any`, for comparison.
    fn any(&self) -> &dyn Any;
}

impl<T: PartialEq + Any> Same for T {
    fn same(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<T>().is_some_and(|other| self == other)
    }

    fn any(&self) -> &dyn Any {
        self
    }
}
