//! Charts as plain values: table rows, plots with their marks, and texts. The picture, hover targets, tooltips, table
//! and keyboard navigation are derived from these values.
//!
//! Nothing in this module depends on Ridgepoint's performance model, on actual colors, or on a screen.

#![allow(
    missing_docs,
    reason = "a field whose name and unit say everything needs no comment"
)]

pub mod axis;
pub mod frame;
pub mod hits;
pub mod ink;
pub mod lanes;
pub mod marks;
pub mod own;
mod plots;
pub(crate) mod prelude;
pub mod rows;
pub(crate) mod surface;
pub mod xy;

pub use axis::{Axis, Digits, Ticks};
pub use ink::{Ink, Words};
pub use own::{Own, Painter};
pub use rows::Rows;
pub use xy::{At, DotInk, RuleInk, Xy};

use crate::picture::pen::Pen;
use crate::picture::table::Table;
use crate::picture::{Measure, Picture};
use crate::theme::{Theme, size};
use hits::{Hits, Pointed, Tooltip};
use std::borrow::Cow;
use std::sync::Arc;

/// A chart as one value, from which the picture, hover targets, table and export are derived.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The chart's result in a few words, shown as the second half of its title.
    pub finding: String,
    /// Source of the values, a formula or a publication, shown at the end of the tooltip.
    pub source: Cow<'static, str>,
    /// The chart's numbers, for the table, the CSV and the tooltips.
    pub rows: Rows,
    /// The plots; empty if there is nothing to plot.
    pub plots: Vec<Xy>,
    /// Custom drawing code (a painter) that replaces the plots.
    pub own: Option<Own>,
    /// Message shown if there are no plots.
    pub empty: Cow<'static, str>,
    /// Table row at which keyboard navigation starts.
    pub start: Option<usize>,
    pub shape: Shape,
    /// Fraction of the chart's height for the upper plot, if two plots share one horizontal axis.
    pub upper: Option<f64>,
    /// Extra margins in CSS px: left of the plots for wide tick labels, and right of them for names.
    pub beside_px: [f64; 2],
}

/// Minimum width in CSS px at which two plots are drawn side by side.
const BESIDE_FROM_PX: f64 = 720.0;
/// Vertical gap in CSS px between two plots that share one horizontal axis.
pub const SHARED_BETWEEN_PX: f64 = 22.0;

/// Height of a chart as a function of its width.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Shape {
    #[default]
    Wide,
    /// Height for two plots, stacked or side by side.
    Pair,
    /// A fixed height in CSS px on screens narrower than `to`; otherwise a fraction of the width, within limits.
    Phone {
        to: f64,
        px: f64,
        of: f64,
        between: [f64; 2],
    },
    /// Height of a nearly square chart, at most about twice that of a wide chart.
    Plane,
    /// A fraction of the width, within limits in CSS px.
    Share { of: f64, px: [f64; 2] },
    /// The same height in CSS px at any chart width.
    Px(f64),
}

impl Shape {
    /// Returns the height in CSS px for a width.
    pub const fn height_px(self, width_px: f64) -> f64 {
        match self {
            Self::Wide => (width_px * 0.42).clamp(268.0, 440.0),
            Self::Pair => {
                let margins = size::MARGIN_LEFT_PX + size::MARGIN_RIGHT_PX;
                match width_px >= BESIDE_FROM_PX + margins {
                    true => Self::Wide.height_px(width_px / 2.0),
                    false => Self::Wide.height_px(width_px) + 40.0,
                }
            }
            Self::Plane => (2.0 * Self::Wide.height_px(width_px) + 20.0).min(width_px * 1.2),
            Self::Phone { to, px, .. } if width_px < to => px,
            Self::Phone {
                of,
                between: [least, most],
                ..
            }
            | Self::Share {
                of,
                px: [least, most],
            } => (width_px * of).clamp(least, most),
            Self::Px(height) => height,
        }
    }
}

impl Chart {
    /// Creates a chart that consists of a painter (custom drawing code), which also provides the tooltips and the
    /// table.
    pub fn painted<P: Painter>(painter: &Arc<P>, finding: String, shape: Shape) -> Arc<Self> {
        Arc::new(Self {
            finding,
            own: Some(Own::of(painter)),
            shape,
            ..Self::default()
        })
    }

    /// Returns the chart as a table, for the page and for CSV.
    pub fn table(&self) -> Table {
        let painted = self.own.as_ref().and_then(|own| own.painter().table());
        painted.unwrap_or_else(|| self.rows.table())
    }

    /// Returns the position of each hover target and its plot, in keyboard order. Each table row has at most one
    /// target in each plot.
    pub fn hits(&self) -> Vec<(&Xy, At)> {
        let plots = self.plots.iter();
        plots
            .flat_map(|plot| plot.hits().into_iter().map(move |at| (plot, at)))
            .collect()
    }

    /// Returns the table row that belongs to a hover target.
    pub fn row(&self, hit: usize) -> Option<usize> {
        match &self.own {
            Some(own) => own.row(hit),
            None => self.hits().get(hit)?.1.row,
        }
    }

    /// Returns the tooltip of a hover target.
    pub fn tooltip(&self, hit: usize) -> Option<Tooltip> {
        if let Some(own) = &self.own {
            return match own.row(hit) {
                Some(row) => self.rows.tooltip(row, &self.source),
                None => own.painter().tooltip(hit),
            };
        }
        let (plot, at) = *self.hits().get(hit)?;
        let across = plot.x.digits.words(at.x);
        let tip = self.rows.tooltip(at.row?, &self.source)?;
        Some(tip.across(across))
    }

    /// Draws the chart over the whole canvas; returns its hover targets.
    pub fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let Some(own) = &self.own else {
            return plots::draw(self, pen);
        };
        let hits = own.painter().draw(pen);
        match self.start.and_then(|row| own.hit(row)) {
            None => hits,
            start => hits.starting_at(start),
        }
    }

    /// Highlights the hover target under the pointer: draws rulers, and a point or the marker of its data series.
    pub fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        match &self.own {
            Some(own) => own.painter().glow(pointed, pen),
            None => plots::glow(self, pointed, pen),
        }
    }
}

/// Draws a chart at a given size in CSS px; returns the picture and the hover targets.
pub fn record(
    chart: &Chart,
    theme: &Theme,
    measure: &dyn Measure,
    size_px: (f64, f64),
) -> (Picture, Hits) {
    let mut pen = Pen::new(size_px, theme, measure);
    let hits = chart.draw(&mut pen);
    (pen.finish(), hits)
}

/// Draws the highlight of the hover target under the pointer, as a picture of the chart's size.
pub fn record_glow(
    chart: &Chart,
    pointed: Pointed<'_>,
    theme: &Theme,
    measure: &dyn Measure,
    size_px: (f64, f64),
) -> Picture {
    let mut pen = Pen::new(size_px, theme, measure);
    chart.glow(pointed, &mut pen);
    pen.finish()
}
