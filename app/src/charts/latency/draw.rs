//! The latency chart: lanes above, steps over the batch below.

use super::{LatencyData, areas, lanes};
use crate::charts::prelude::*;

/// Where the lower plot begins.
const PLOT_TOP_PX: f64 = 97.0;

/// Draws the chart; hits are the samples over the batch, then the parts of the lanes. The keyboard starts at now.
pub fn draw(pen: &mut Pen<'_>, data: &LatencyData) -> Hits {
    let left = size::MARGIN_LANES_PX;
    let plot = plot_area(&pen.canvas, left, PLOT_TOP_PX);
    let lane_area: Rect = rect(left, 0.0, plot.right, PLOT_TOP_PX - 14.0);
    let samples = data.drawn();
    let mut hits = Hits::default();
    let mut reaches = Vec::new();
    if samples.len() > 1 {
        let (rulers, plot) = areas::draw(pen, plot, data, &samples);
        (reaches, hits) = (rulers, hits.on(&plot));
    } else {
        nothing_to_show(pen, &plot, "no batch to compare with");
    }
    let start = samples
        .iter()
        .position(|sample| sample.batch_per_gpu >= data.now.batch_per_gpu)
        .unwrap_or(0);
    if data.now.step.draws() {
        reaches.extend(lanes::draw(pen, lane_area, data));
    } else {
        nothing_to_show(pen, &lane_area, "no step to show");
    }
    hits.reaching(reaches).starting_at(start)
}
