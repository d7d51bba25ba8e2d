//! Charts that are not made of plots: they draw themselves, and share tooltips, tables and hits with other charts.

use super::hits::{Hits, Pointed, Tooltip, rulers};
use crate::picture::pen::Pen;
use crate::picture::table::Table;
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// Draws a chart that is not made of plots.
pub trait Painter: Same + Debug + Send + Sync + 'static {
    /// Draws over the whole canvas, in CSS px; returns the hits.
    fn draw(&self, pen: &mut Pen<'_>) -> Hits;

    /// Highlights the hit under the pointer.
    fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        if let Some(at) = rulers(pen, pointed) {
            pen.rimmed_point(at, 4.2, pen.theme.ink_1);
        }
    }

    /// Returns the tooltip of a hit, for a chart whose hits are not table rows.
    fn tooltip(&self, _hit: usize) -> Option<Tooltip> {
        None
    }

    /// Returns the table on demand, for a chart with many rows.
    fn table(&self) -> Option<Table> {
        None
    }
}

/// A painter, with the table row of each hit in order.
#[derive(Clone, Debug)]
pub struct Own {
    painter: Arc<dyn Painter>,
    rows: Option<Vec<usize>>,
}

impl Own {
    /// Creates the entry for a painter whose hits are these table rows.
    pub fn new(painter: impl Painter, rows: impl IntoIterator<Item = usize>) -> Self {
        Self {
            painter: Arc::new(painter),
            rows: Some(rows.into_iter().collect()),
        }
    }

    /// Creates the entry for a painter that provides its tooltips itself.
    pub fn of<P: Painter>(painter: &Arc<P>) -> Self {
        Self {
            painter: Arc::clone(painter) as Arc<dyn Painter>,
            rows: None,
        }
    }

    /// Returns the table row of a hit.
    pub fn row(&self, hit: usize) -> Option<usize> {
        self.rows.as_ref()?.get(hit).copied()
    }

    /// Returns the hit of a table row.
    pub fn hit(&self, row: usize) -> Option<usize> {
        self.rows.as_ref()?.iter().position(|of| *of == row)
    }

    /// Returns the painter.
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

/// Comparison of values of arbitrary types.
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
