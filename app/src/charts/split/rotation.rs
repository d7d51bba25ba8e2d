//! "Who waits for whom?": batches in rotation over replicas, network and memory devices.

use crate::charts::prelude::*;
/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct RotationData {
    /// From the top.
    pub lanes: Vec<Lane>,
    /// By lane and begin; those that reach out of the window are cut.
    pub bars: Vec<Bar>,
    /// How long the window is, in seconds.
    pub window_s: f64,
    /// The chart's finding.
    pub finding: String,
    /// Where the values come from.
    pub source: String,
}

/// A row of the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// `replica 1`.
    pub name: String,
    /// On a narrow chart: `R1`.
    pub short: String,
    /// Share of the time that it works.
    pub busy: f64,
}

/// A stretch of work.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its lane.
    pub lane: usize,
    /// Its colour.
    pub role: Role,
    /// Which batch, from 0: A, B, C.
    pub batch: u32,
    /// `slice of the model`.
    pub what: &'static str,
    /// Which layer of those drawn, from 1.
    pub layer: u32,
    /// Seconds from the window's begin; may lie before it.
    pub start_s: f64,
    /// Seconds from the window's begin; may lie after its end.
    pub end_s: f64,
}

/// The name of a batch: A, B … P.
pub fn batch_name(batch: u32) -> String {
    char::from_u32('A' as u32 + batch % 26)
        .unwrap_or('A')
        .to_string()
}

impl RotationData {
    /// Bars inside the window, cut to it, in the order of hits.
    fn drawn(&self) -> Vec<(&Bar, f64, f64)> {
        self.bars
            .iter()
            .map(|bar| (bar, bar.start_s.max(0.0), bar.end_s.min(self.window_s)))
            .filter(|(bar, start, end)| {
                bar.lane < self.lanes.len()
                    && start.is_finite()
                    && end.is_finite()
                    && end - start > self.window_s * 1e-6
            })
            .collect()
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
            nothing_to_show(pen, &area, "no step to show");
            return Hits::default();
        }
        let scale = if self.window_s < 2e-3 { 1e6 } else { 1e3 };
        let plot = Plot::new(
            area,
            Scale::linear(0.0, self.window_s * scale),
            Scale::linear(0.0, 1.0),
        );
        axis(pen, &plot, scale);
        let pitch = (area.height() - 6.0) / (self.lanes.len() as f64).max(LEAST_LANES);
        let bar_px = (pitch * 0.66).min(34.0);
        let lane_box = |lane: usize| {
            let top = area.top + lane as f64 * pitch + (pitch - bar_px) / 2.0;
            rect(area.left, top, area.right, top + bar_px)
        };
        for (index, lane) in self.lanes.iter().enumerate() {
            let row = lane_box(index);
            lane_name(pen, lane, &row, narrow);
            let idle = stroke(pen.theme.strong, size::HAIRLINE_PX);
            pen.dashed_outline(row, idle);
        }
        let mut boxes = Vec::new();
        for (bar, start, end) in &drawn {
            let row = lane_box(bar.lane);
            let (left, right) = (plot.x_at(start * scale), plot.x_at(end * scale));
            let place = rect(left, row.top, right, row.bottom);
            draw_bar(pen, bar, place);
            boxes.push(place);
        }
        Hits::boxes(boxes)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let rows = self.drawn().into_iter().map(|(bar, _, _)| {
            vec![
                Cell::from(
                    self.lanes
                        .get(bar.lane)
                        .map_or("", |lane| lane.name.as_str()),
                ),
                Cell::from(batch_name(bar.batch)),
                f64::from(bar.layer).into(),
                Cell::from(bar.what),
                (bar.start_s * 1e6).into(),
                (bar.end_s * 1e6).into(),
            ]
        });
        Table {
            columns: vec![
                Column::new("lane", ""),
                Column::new("batch", ""),
                Column::new("layer", ""),
                Column::new("work", ""),
                Column::new("begin", "µs"),
                Column::new("end", "µs"),
            ],
            rows: rows.collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let drawn = self.drawn();
        let (bar, _, _) = drawn.get(index)?;
        let lane = self.lanes.get(bar.lane)?;
        Some(Tooltip {
            title: format!("Batch {}", batch_name(bar.batch)),
            aside: format!("layer {}", bar.layer),
            rows: vec![
                TipRow::of(
                    bar.role,
                    bar.what,
                    "",
                    format::duration(bar.end_s - bar.start_s).to_string(),
                ),
                TipRow::plain(
                    lane.name.clone(),
                    format!("busy {}", format::share(lane.busy)),
                ),
            ],
            source: self.source.clone(),
        })
    }

    fn height_px(_width_px: f64) -> f64 {
        HEIGHT_PX
    }
}

fn axis(pen: &mut Pen<'_>, plot: &Plot, scale: f64) {
    let ink = pen.theme.ink_3;
    let ticks = plot.x.ticks((plot.area.width() / 56.0).max(2.0) as usize);
    let ticks = ticks
        .into_iter()
        .map(|value| (value, Words::tick(format::si_tick(value), ink)))
        .collect();
    x_axis(
        pen,
        plot,
        &Axis {
            ticks,
            minor: Vec::new(),
            name: if scale > 1e4 { "µs" } else { "ms" },
        },
    );
}

fn lane_name(pen: &mut Pen<'_>, lane: &Lane, row: &Rect, narrow: bool) {
    let (ink, grey) = (pen.theme.ink_2, pen.theme.ink_3);
    let name = if narrow {
        lane.short.as_str()
    } else {
        lane.name.as_str()
    };
    let words = Words::tick(name, ink);
    let busy = Words::tick(format!("{} busy", format::share(lane.busy)), grey);
    let middle = row.centre().y;
    let two_lines = !narrow && row.height() > 21.0;
    let baseline = if two_lines {
        middle - 2.0
    } else {
        words.baseline_about(middle)
    };
    pen.write_if_free(&words, point(0.0, baseline), Align::Start, None);
    if two_lines {
        pen.write_if_free(&busy, point(0.0, middle + 11.0), Align::Start, None);
    }
}

fn draw_bar(pen: &mut Pen<'_>, bar: &Bar, place: Rect) {
    let colours = *pen.theme.role(bar.role);
    let paper = pen.theme.background;
    pen.fill_rect(place, colours.fill);
    if pen.theme.dark {
        let edge = rect(
            place.left,
            place.top,
            place.right,
            place.top + size::EDGE_PX,
        );
        pen.fill_rect(edge, colours.line);
    }
    pen.line(
        point(place.right, place.top),
        point(place.right, place.bottom),
        stroke(paper, size::HAIRLINE_PX),
    );
    let words = Words::label(batch_name(bar.batch), colours.on_fill).bold();
    if pen.width(&words) + 4.0 < place.width() {
        let centre = place.centre();
        let at = point(centre.x, words.baseline_about(centre.y));
        pen.write_if_free(&words, at, Align::Middle, None);
    }
}
