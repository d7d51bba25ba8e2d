//! Charts that no plot describes: they draw themselves and share everything else.

use super::hits::{Hits, Pointed, Tooltip, rulers};
use crate::picture::pen::Pen;
use crate::picture::table::Table;
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// Draws a chart from its own marks.
pub trait Painter: Same + Debug + Send + Sync + 'static {
    /// Draws over the whole canvas, in CSS px; returns what can be pointed at.
    fn draw(&self, pen: &mut Pen<'_>) -> Hits;

    /// Draws what shows that a hit is pointed at.
    fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        if let Some(at) = rulers(pen, pointed) {
            pen.rimmed_point(at, 4.2, pen.theme.ink_1);
        }
    }

    /// The tooltip of a hit, of a chart whose hits are no rows.
    fn tooltip(&self, _hit: usize) -> Option<Tooltip> {
        None
    }

    /// Its table when it is asked for, of a chart whose rows are many.
    fn table(&self) -> Option<Table> {
        None
    }
}

/// A painter and the rows of its hits, in order.
#[derive(Clone, Debug)]
pub struct Own {
    painter: Arc<dyn Painter>,
    rows: Option<Vec<usize>>,
}

impl Own {
    /// A painter whose hits are these rows.
    pub fn new(painter: impl Painter, rows: impl IntoIterator<Item = usize>) -> Self {
        Self {
            painter: Arc::new(painter),
            rows: Some(rows.into_iter().collect()),
        }
    }

    /// A painter that makes its own tooltips.
    pub fn of<P: Painter>(painter: &Arc<P>) -> Self {
        Self {
            painter: Arc::clone(painter) as Arc<dyn Painter>,
            rows: None,
        }
    }

    /// The row of a hit.
    pub fn row(&self, hit: usize) -> Option<usize> {
        self.rows.as_ref()?.get(hit).copied()
    }

    /// The hit of a row.
    pub fn hit(&self, row: usize) -> Option<usize> {
        self.rows.as_ref()?.iter().position(|of| *of == row)
    }

    /// The painter.
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

/// Comparison of values of any kind.
pub trait Same: Any {
    /// Compares two values; those of different kinds differ.
    fn same(&self, other: &dyn Any) -> bool;
    /// The value as anything, to compare.
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
