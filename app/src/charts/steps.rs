//! "What happens in a step?": a few simulated steps of a bundle, and the barrier at which all wait for the slowest.

use crate::charts::prelude::*;

/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct StepsData {
    /// Attention instances, messages out, feed-forward, messages back, from top to bottom.
    pub lanes: Vec<StepLane>,
    /// When all attention instances of a step are done, and which lane was the last.
    pub barriers: Vec<Barrier>,
    /// The time that is shown, from zero.
    pub span_s: f64,
    /// The chart's finding.
    pub finding: String,
    /// Why there is nothing to show, where there is nothing.
    pub nothing: String,
    /// Where the values come from.
    pub source: String,
}

/// A lane of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct StepLane {
    /// `A 17`, `out`, `FFN`, `back`.
    pub name: String,
    /// In full: `attention instance 17`.
    pub full_name: String,
    /// Its colour.
    pub role: Role,
    /// When it works, in order.
    pub bars: Vec<StepBar>,
}

/// Work on one batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepBar {
    /// From the beginning of the picture.
    pub start_s: f64,
    /// From the beginning of the picture.
    pub end_s: f64,
    /// Which of the two batches: 0 or 1.
    pub batch: usize,
    /// Whether the others wait for it.
    pub last: bool,
}

/// The end of attention in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Barrier {
    /// From the beginning of the picture.
    pub at_s: f64,
}

/// Strength of the second batch's fill.
const SECOND: f64 = 0.5;
/// Gap between lanes.
const GAP_PX: f64 = 5.0;

impl StepsData {
    fn bars(&self) -> impl Iterator<Item = (&StepLane, &StepBar)> {
        let lanes = self.lanes.iter();
        lanes.flat_map(|lane| lane.bars.iter().map(move |bar| (lane, bar)))
    }

    fn draws(&self) -> bool {
        self.span_s.is_finite() && self.span_s > 0.0 && !self.lanes.is_empty()
    }
}

impl Figure for StepsData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let theme = pen.theme;
        let area = plot_area(&pen.canvas, size::MARGIN_LANES_PX, size::MARGIN_TOP_PX);
        if !self.draws() {
            return nothing_to_show(pen, &area, &self.nothing);
        }
        let time = Scale::linear(0.0, self.span_s);
        let plot = Plot::new(area, time, Scale::linear(0.0, 1.0));
        lanes::time_axis(pen, &plot, lanes::unit(self.span_s), 60.0, Vec::new());
        let pitch = area.height() / self.lanes.len() as f64;
        let mut boxes = Vec::new();
        for (index, lane) in self.lanes.iter().enumerate() {
            let top = area.top + index as f64 * pitch + GAP_PX / 2.0;
            let row = area.down(top, top + pitch - GAP_PX);
            lanes::name(pen, &row, &Words::note(lane.name.as_str(), theme.ink_2));
            idle(pen, &plot, &row, lane);
            for bar in &lane.bars {
                boxes.push(draw_bar(pen, &plot, &row, lane.role, bar));
            }
        }
        let attention = |lane: &&StepLane| lane.role == Role::Attention;
        let foot = area.top + pitch * self.lanes.iter().filter(attention).count() as f64;
        let words = Words::note("barrier", theme.ink_1);
        let half = pen.width(&words) / 2.0;
        for (index, barrier) in self.barriers.iter().enumerate() {
            let x = plot.x_at(barrier.at_s).clamp(area.left, area.right);
            let ink = stroke(theme.ink_1, size::ROOF_PX);
            pen.line(point(x, area.top - 4.0), point(x, foot), ink);
            if index == 0 {
                let x = x.max(area.left + half).min(area.right - half);
                pen.write_if_free(&words, point(x, area.top - 8.0), Align::Middle, None);
            }
        }
        Hits::boxes(boxes)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let row = |(lane, bar): (&StepLane, &StepBar)| {
            vec![
                lane.full_name.as_str().into(),
                (bar.batch as f64 + 1.0).into(),
                (bar.start_s * 1e3).into(),
                ((bar.end_s - bar.start_s) * 1e3).into(),
                if bar.last { "yes" } else { "" }.into(),
            ]
        };
        Table {
            columns: vec![
                Column::new("what", ""),
                Column::new("batch", ""),
                Column::new("begins", "ms"),
                Column::new("takes", "ms"),
                Column::new("the others wait for it", ""),
            ],
            rows: self.bars().map(row).collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (lane, bar) = self.bars().nth(index)?;
        let time = |seconds: f64| format::duration(seconds).to_string();
        let mut rows = vec![
            TipRow::of(lane.role, "takes", "", time(bar.end_s - bar.start_s)),
            TipRow::plain("begins at", time(bar.start_s)),
        ];
        if bar.last {
            rows.push(TipRow::plain("the others", "wait for it"));
        }
        Some(Tooltip {
            title: lane.full_name.clone(),
            aside: format!("batch {}", bar.batch + 1),
            rows,
            source: self.source.clone(),
        })
    }
}

/// Dashed where a lane has nothing to do between its first and its last bar.
fn idle(pen: &mut Pen<'_>, plot: &Plot, row: &Rect, lane: &StepLane) {
    let hair = stroke(pen.theme.role(Role::Idle).line, size::HAIRLINE_PX);
    for (before, after) in lane.bars.iter().zip(lane.bars.iter().skip(1)) {
        let (left, right) = (plot.x_at(before.end_s), plot.x_at(after.start_s));
        if right - left > 3.0 {
            let waiting = rect(left + 1.0, row.top, right - 1.0, row.bottom);
            pen.dashed_outline(waiting, hair);
        }
    }
}

fn draw_bar(pen: &mut Pen<'_>, plot: &Plot, row: &Rect, role: Role, bar: &StepBar) -> Rect {
    let theme = pen.theme;
    let within = |time: f64| plot.x_at(time).clamp(plot.area.left, plot.area.right);
    let (left, right) = (within(bar.start_s), within(bar.end_s));
    // A seam between neighbours.
    let area = rect(left, row.top, (right - 0.8).max(left + 0.5), row.bottom);
    let colours = theme.role(role);
    let (fill, ink) = if bar.batch == 0 {
        (colours.fill, colours.on_fill)
    } else {
        (colours.fill.with_alpha(SECOND), theme.ink_1)
    };
    let bottom = area.top + size::EDGE_PX;
    pen.fill_rect(area, fill);
    pen.fill_rect(Rect { bottom, ..area }, colours.line);
    if bar.last {
        pen.outline(area, stroke(theme.ink_1, 1.5));
    }
    if area.height() >= 12.0 {
        let number = Words::tick((bar.batch + 1).to_string(), ink);
        let below = area.down(area.top + 2.0, area.bottom);
        marks::inside(pen, &below, [number], Align::Middle, None);
    }
    area
}
