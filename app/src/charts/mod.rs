//! Charts: pure functions from plain data to a picture.
//!
//! A chart never calls the model and never reads meaning out of a name: the page fills the data structs, whose
//! fields carry their units. A chart records its marks once, in a [`crate::picture`]; canvas, SVG, hover and tests
//! replay them.

#![allow(
    missing_docs,
    reason = "a field whose name and unit say all needs no sentence"
)]

pub mod apart;

pub mod context;
pub mod curve;
mod frame;
pub mod growth;
pub mod hits;
pub mod instances;
pub mod lanes;
pub mod latency;
pub mod levers;
pub mod map;
pub mod marks;
pub mod measured;
pub mod memory;
pub mod overlay;
pub mod pareto;
pub mod pays;
pub mod plans;
pub mod points;
pub mod pools;
mod prelude;
pub mod ratio;
pub mod request;
pub mod roofline;
pub mod split;
pub mod stairs;
pub mod steps;
mod surface;
#[cfg(test)]
mod tests;
pub mod timeline;
pub mod waterfall;
mod xy;

pub use {
    apart::*, context::*, curve::*, growth::*, hits::*, instances::*, latency::*, levers::*, map::*,
};
pub use {measured::*, memory::*, overlay::*, pareto::*, pays::*, plans::*, points::*, ratio::*};
pub use {pools::*, request::*, roofline::*, stairs::*, steps::*, timeline::*, waterfall::*};

use crate::picture::pen::Pen;
use crate::picture::table::Table;
use crate::picture::{Measure, Picture};
use crate::theme::Theme;
use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;

/// A chart.
pub trait Figure: Same + Send + Sync + 'static {
    /// Draws the chart over the whole canvas, in CSS px; returns what can be pointed at.
    fn draw(&self, pen: &mut Pen<'_>) -> Hits;

    /// The chart's result in a few words: the second half of its title.
    fn finding(&self) -> String;

    /// The chart as text: "as table", CSV, screen readers.
    fn table(&self) -> Table;

    /// The tooltip of hit `index`. Indices are those of the [`Hits`] that `draw` returned for the same data.
    fn tooltip(&self, index: usize) -> Option<Tooltip>;

    /// Draws what shows that a hit is pointed at: rulers under the picture's words and, over them, a point.
    fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        if let Some(at) = rulers(pen, pointed) {
            let ink = pen.theme.ink_1;
            pen.rimmed_point(at, 4.2, ink);
        }
    }

    /// The height in CSS px that suits a width, the same for all data so that nothing shifts.
    fn height_px(width_px: f64) -> f64
    where
        Self: Sized,
    {
        chart_height_px(width_px)
    }
}

/// The data of a chart of any kind.
#[derive(Clone)]
pub struct AnyFigure {
    data: Arc<dyn Figure>,
    /// [`Figure::height_px`] of its kind.
    pub height_px: fn(f64) -> f64,
}

impl AnyFigure {
    /// Shares the data of a chart.
    pub fn of<F: Figure>(data: &Arc<F>) -> Self {
        let height_px = F::height_px;
        let data = Arc::clone(data) as Arc<dyn Figure>;
        Self { data, height_px }
    }
}

impl Deref for AnyFigure {
    type Target = dyn Figure;

    fn deref(&self) -> &Self::Target {
        self.data.as_ref()
    }
}

impl PartialEq for AnyFigure {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.data, &other.data) || self.data.same(other.data.any())
    }
}

/// Comparison of figures of any kind.
pub trait Same: Any {
    /// Compares the data of two figures; those of different kinds differ.
    fn same(&self, other: &dyn Any) -> bool;
    /// The figure as anything, to compare.
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

/// Draws a figure on a picture of a size in CSS px.
pub fn record(
    figure: &dyn Figure,
    theme: &Theme,
    measure: &dyn Measure,
    size_px: (f64, f64),
) -> (Picture, Hits) {
    let mut pen = Pen::new(size_px, theme, measure);
    let hits = figure.draw(&mut pen);
    (pen.finish(), hits)
}

/// Draws what lights up when a hit of a figure is pointed at.
pub fn record_glow(
    figure: &dyn Figure,
    pointed: Pointed<'_>,
    theme: &Theme,
    measure: &dyn Measure,
    size_px: (f64, f64),
) -> Picture {
    let mut pen = Pen::new(size_px, theme, measure);
    figure.glow(pointed, &mut pen);
    pen.finish()
}

/// The height of a plot that keeps its proportions on a wide screen and stays readable on a phone.
pub fn chart_height_px(width_px: f64) -> f64 {
    (width_px * 0.42).clamp(268.0, 440.0)
}
