//! "Idle time": batches in rotation over replicas, network and memory devices.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct RotationData {
    pub lanes: Vec<RotationLane>,
    /// By lane and begin; those that reach out of the window are cut.
    pub bars: Vec<RotationBar>,
    pub window_s: f64,
    pub finding: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RotationLane {
    pub name: String,
    /// On a narrow chart: `R1`.
    pub short: String,
    /// Share of the time that it works.
    pub busy: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RotationBar {
    pub lane: usize,
    pub role: Role,
    pub batch: u32,
    pub what: &'static str,
    /// Which layer of those drawn, from 1.
    pub layer: u32,
    /// From the window's begin; may lie before it.
    pub start_s: f64,
    /// From the window's begin; may lie after its end.
    pub end_s: f64,
}

/// The name of a batch: 1, 2 … 16.
pub fn batch_name(batch: u32) -> String {
    (batch + 1).to_string()
}

impl RotationData {
    /// Bars inside the window with their lanes, cut to it, in the order of hits.
    fn drawn<'a>(&'a self) -> Vec<(&'a RotationLane, &'a RotationBar, f64, f64)> {
        let cut = |bar: &'a RotationBar| {
            let (start, end) = (bar.start_s.max(0.0), bar.end_s.min(self.window_s));
            let shows = (end - start).is_finite() && end - start > self.window_s * 1e-6;
            shows.then_some((self.lanes.get(bar.lane)?, bar, start, end))
        };
        self.bars.iter().filter_map(cut).collect()
    }
}

/// The chart is as high with one lane as with six, so that nothing shifts below it.
const LEAST_LANES: f64 = 4.0;
const HEIGHT_PX: f64 = 268.0;

impl Figure for RotationData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let narrow = pen.canvas.width() < 430.0;
        let left = if narrow { 44.0 } else { 92.0 };
        let area = plot_area(&pen.canvas, left, 8.0);
        let drawn = self.drawn();
        if drawn.is_empty() || self.window_s <= 0.0 {
            return nothing_to_show(pen, &area, "no step to show");
        }
        let window = Scale::linear(0.0, self.window_s);
        let plot = Plot::new(area, window, Scale::linear(0.0, 1.0));
        lanes::time_axis(pen, &plot, lanes::unit(self.window_s), "", 56.0, Vec::new());
        let pitch = (area.height() - 6.0) / (self.lanes.len() as f64).max(LEAST_LANES);
        let bar_px = (pitch * 0.66).min(34.0);
        let row = |lane: usize| {
            let top = area.top + lane as f64 * pitch + (pitch - bar_px) / 2.0;
            rect(area.left, top, area.right, top + bar_px)
        };
        for (index, lane) in self.lanes.iter().enumerate() {
            lane_name(pen, lane, &row(index), narrow);
            marks::idle(pen, row(index), 0.0);
        }
        let mut boxes = Vec::new();
        for (_, bar, start, end) in drawn {
            let place = row(bar.lane).across(plot.x_at(start), plot.x_at(end));
            lanes::stretch(pen, place, bar.role, 0.0);
            let ink = pen.theme.role(bar.role).on_fill;
            let name = Words::label(batch_name(bar.batch), ink).bold();
            marks::inside(pen, &place.grown(2.0), [name], Align::Middle, None);
            boxes.push(place);
        }
        Hits::boxes(boxes)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        Table::of(self.drawn())
            .col("lane", "", |(lane, ..)| lane.name.clone())
            .col("batch", "", |(_, bar, ..)| batch_name(bar.batch))
            .col("layer", "", |(_, bar, ..)| f64::from(bar.layer))
            .col("work", "", |(_, bar, ..)| bar.what)
            .col("begin", "µs", |(_, bar, ..)| bar.start_s * 1e6)
            .col("end", "µs", |(_, bar, ..)| bar.end_s * 1e6)
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (lane, bar, ..) = *self.drawn().get(index)?;
        let title = format!("Batch {}", batch_name(bar.batch));
        let time = format::duration(bar.end_s - bar.start_s);
        let tip = Tooltip::new(title, format!("layer {}", bar.layer), &self.source)
            .part(bar.role, bar.what, time)
            .row(&lane.name, format!("busy {}", format::share(lane.busy)));
        Some(tip)
    }

    fn height_px(_width_px: f64) -> f64 {
        HEIGHT_PX
    }
}

/// A lane's name at the left edge, over how busy it is where there is room.
fn lane_name(pen: &mut Pen<'_>, lane: &RotationLane, row: &Rect, narrow: bool) {
    let name = if narrow { &lane.short } else { &lane.name };
    let name = Words::tick(name.as_str(), pen.theme.ink_2);
    let middle = row.centre().y;
    if narrow || row.height() <= 21.0 {
        let at = point(0.0, middle);
        pen.write_about(&name, at, Align::Start, None);
        return;
    }
    let busy = format!("{} busy", format::share(lane.busy));
    let busy = Words::tick(busy, pen.theme.ink_3);
    for (words, baseline) in [(name, middle - 2.0), (busy, middle + 11.0)] {
        pen.write_if_free(&words, point(0.0, baseline), Align::Start, None);
    }
}
