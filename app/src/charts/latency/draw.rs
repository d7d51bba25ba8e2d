//! The latency chart: lanes above, steps over the batch below.

use super::{LatencyData, areas, lanes};

use crate::charts::frame::{nothing_to_show, plot_area};
use crate::charts::geometry::{Rect, rect};
use crate::charts::hits::Hits;
use crate::charts::sketch::Sketch;
use crate::charts::surface::{DrawError, Surface};
use crate::theme::{Theme, size};

/// Where the lower plot begins.
const PLOT_TOP_PX: f64 = 97.0;

/// Draws the chart; hits are the samples over the batch, then the parts of the lanes. The keyboard starts at now.
pub fn draw<S: Surface>(
    surface: &mut S,
    data: &LatencyData,
    theme: &Theme,
    focus: Option<usize>,
) -> Result<Hits, DrawError<S>> {
    let mut sketch = Sketch::new(surface, theme);
    let left = size::MARGIN_LANES_PX;
    let plot = plot_area(&sketch.canvas, left, PLOT_TOP_PX);
    let lane_area: Rect = rect(left, 0.0, plot.right, PLOT_TOP_PX - 14.0);
    let samples = data.drawn();
    let mut reaches = Vec::new();
    if samples.len() > 1 {
        reaches = areas::draw(&mut sketch, plot, data, &samples, focus);
    } else {
        nothing_to_show(&mut sketch, &plot, "no batch to compare with");
    }
    let start = samples
        .iter()
        .position(|sample| sample.batch_per_gpu >= data.now.batch_per_gpu)
        .unwrap_or(0);
    if data.now.step.draws() {
        let focused = focus.and_then(|index| index.checked_sub(samples.len()));
        reaches.extend(lanes::draw(&mut sketch, lane_area, data, focused));
    } else {
        nothing_to_show(&mut sketch, &lane_area, "no step to show");
    }
    sketch.finish()?;
    Ok(Hits::new(reaches).starting_at(start))
}
