//! Charts: pure functions from plain data to marks on a surface.
//!
//! A chart never calls the model and never reads meaning out of a name: the page fills the data structs, whose
//! fields carry their units. The same drawing code paints a canvas in the app and an SVG in tests and exports;
//! `canvas` is the only file here that knows the browser.

pub mod apart;
pub mod canvas;
#[cfg(test)]
mod fixtures;
mod frame;
mod geometry;
pub mod growth;
pub mod hits;
pub mod instances;
pub mod latency;
pub mod map;
pub mod memory;
mod metrics;
pub mod pareto;
pub mod plans;
pub mod ratio;
#[cfg(test)]
mod recorder;
pub mod roofline;
mod scale;
pub mod sensitivity;
mod sketch;
pub mod split;
pub mod steps;
pub mod surface;
pub mod svg;
pub mod table;
#[cfg(test)]
mod tests;
mod text;
pub mod timeline;
pub mod tradeoff;
pub mod waits;

pub use apart::{ApartCurve, ApartData, ApartPoint};
pub use growth::{GrowthBar, GrowthData};
pub use hits::{Handle, Hits, TipRow, Tooltip};
pub use instances::{InstanceCurve, InstancePoint, InstancesData, WinsFrom};
pub use latency::{LatencyData, PinnedStep, Step, StepSample};
pub use map::{Field, LimitLine, MapData, MapPoint, Metric, Missed, PinnedMap};
pub use memory::{MemoryData, MemoryPart, PinnedMemory};
pub use pareto::{Knee, ParetoData, ParetoPoint, PinnedPareto};
pub use plans::PlansData;
pub use ratio::{RatioData, RatioMark, RatioPoint, RegimeSpan, SimulatedPoint};
pub use roofline::{Bound, OperatorPoint, Peak, RooflineData, RooflinePosition, Roofs};
pub use sensitivity::{SensitivityData, SensitivityRow, Swing, SwingOutcome};
pub use steps::{Barrier, StepBar, StepLane, StepsData};
pub use surface::{DrawError, Surface};
pub use table::{Cell, Column, Table};
pub use timeline::{PinnedTimeline, TimelineData, TimelineLane, TimelineMark};
pub use tradeoff::{PinnedTrade, TradeMark, TradePoint, TradeoffData};
pub use waits::WaitsData;

use crate::theme::Theme;

/// What every chart offers.
pub trait Figure: Send + Sync + 'static {
    /// Draws the chart over the whole surface, in CSS px taken from the surface's size.
    ///
    /// `focus` is the hit under the pointer or reached by keyboard: its ruler and highlight are drawn.
    fn draw<S: Surface>(
        &self,
        surface: &mut S,
        theme: &Theme,
        focus: Option<usize>,
    ) -> Result<Hits, DrawError<S>>;

    /// What the chart shows, in a few words: the second half of its title.
    fn finding(&self) -> String;

    /// The chart as text: "as table", CSV, screen readers.
    fn table(&self) -> Table;

    /// What hit `index` says. Indices are those of the [`Hits`] that `draw` returned for the same data.
    fn tooltip(&self, index: usize) -> Option<Tooltip>;

    /// The height in CSS px that suits a width, the same for all data so that nothing shifts.
    fn height_px(width_px: f64) -> f64;
}

/// The height of a plot that keeps its proportions on a wide screen and stays readable on a phone.
fn chart_height_px(width_px: f64) -> f64 {
    (width_px * 0.42).clamp(268.0, 440.0)
}
