//! The timeline chart: lanes, their marks and bubbles, and the time below.

use super::labels::label_lane;
use super::{TimelineData, TimelineMark};
use crate::charts::prelude::*;

/// The switch between layers stands above.
const TOP_PX: f64 = 18.0;

/// Above the bars of the first lane and of the second: names without room in their bars.
const ABOVE_PX: [f64; 2] = [40.0, 10.0];

/// Below a bar of two lanes: half batches and the pinned scenario.
const BELOW_PX: f64 = 24.0;

/// The highest bars of two lanes and of many.
const MOST_BAR_PX: [f64; 2] = [72.0, 26.0];

/// Pinned stretches, under their lane.
const GHOST_PX: f64 = 6.0;

/// From moments to places, and where lanes stand.
pub struct Lanes {
    /// The area of all lanes.
    pub area: Rect,
    px_per_s: f64,
    number: usize,
    bar: f64,
}

impl Lanes {
    /// The place of a moment.
    pub fn at(&self, time_s: f64) -> f64 {
        self.area.left + time_s * self.px_per_s
    }

    /// The box of a mark.
    pub fn of(&self, lane: usize, mark: &TimelineMark) -> Rect {
        let (top, bottom) = self.edges(lane);
        rect(self.at(mark.start_s), top, self.at(mark.end_s), bottom)
    }

    /// The edges of a lane's bars.
    pub fn edges(&self, lane: usize) -> (f64, f64) {
        let top = if self.number <= ABOVE_PX.len() {
            let above: f64 = ABOVE_PX.iter().take(lane + 1).sum();
            self.area.top + above + (self.bar + BELOW_PX) * lane as f64
        } else {
            let pitch = self.area.height() / self.number as f64;
            self.area.top + pitch * lane as f64 + (pitch - self.bar) / 2.0
        };
        (top, top + self.bar)
    }
}

/// Draws the chart; hits are the marks lane by lane.
pub fn draw(pen: &mut Pen<'_>, data: &TimelineData) -> Hits {
    let theme = pen.theme;
    let canvas = pen.canvas;
    if !data.draws() {
        nothing_to_show(pen, &canvas, "no layer to show");
        return Hits::default();
    }
    let lanes = lanes(pen, data);
    let marks: Vec<(usize, &TimelineMark)> = data.marks().collect();
    for (lane, mark) in &marks {
        fill_mark(pen, mark, lanes.of(*lane, mark), 0);
    }
    pen.seam();
    ghosts(pen, data, &lanes);
    axis(pen, data, &lanes);
    for (index, lane) in data.lanes.iter().enumerate() {
        let (top, bottom) = lanes.edges(index);
        let name = Words::label(lane.name.clone(), theme.ink_1);
        let baseline = name.baseline_about((top + bottom) / 2.0);
        let place = point(lanes.area.left - 7.0, baseline);
        pen.write_if_free(&name, place, Align::End, None);
    }
    swap(pen, data, &lanes);
    for index in 0..data.lanes.len() {
        label_lane(pen, data, &lanes, index);
    }
    Hits::boxes(marks.iter().map(|(lane, mark)| lanes.of(*lane, mark)))
}

/// Outlines a mark; of a pipeline, darkens all of its micro-batch instead of the first one.
pub fn glow(pen: &mut Pen<'_>, data: &TimelineData, index: usize, hits: &Hits) {
    let Some((_, focused)) = data.marks().nth(index) else {
        return;
    };
    for (place, (_, mark)) in data.marks().enumerate() {
        let other = mark.batch == 0 || mark.batch == focused.batch;
        if let (None, true, Some(Reach::Box(bounds))) = (mark.role, other, hits.reach(place)) {
            fill_mark(pen, mark, bounds, focused.batch);
        }
    }
    hits::rulers(pen, hits, index, None);
}

fn lanes(pen: &Pen<'_>, data: &TimelineData) -> Lanes {
    let canvas = pen.canvas;
    let names = data
        .lanes
        .iter()
        .map(|lane| pen.width(&Words::label(lane.name.clone(), pen.theme.ink_1)))
        .fold(0.0, f64::max);
    let left = (names + 9.0).max(36.0).min(canvas.width() * 0.4);
    let right = (canvas.right - size::MARGIN_RIGHT_PX).max(left + 20.0);
    let bottom = (canvas.bottom - size::MARGIN_BOTTOM_PX).max(TOP_PX + 20.0);
    let number = data.lanes.len().max(1);
    let area = rect(left, TOP_PX, right, bottom);
    let pitch = area.height() / number as f64;
    let bar = if number <= ABOVE_PX.len() {
        let kept: f64 = ABOVE_PX.iter().take(number).sum();
        (pitch - kept / number as f64 - BELOW_PX).min(MOST_BAR_PX[0])
    } else {
        (pitch - 3.0).min(MOST_BAR_PX[1])
    };
    let bar = bar.max(2.0);
    let longest = data
        .span_s
        .max(data.pinned.as_ref().map_or(0.0, |pinned| pinned.span_s));
    Lanes {
        area,
        px_per_s: (area.width() - 1.0) / longest,
        number,
        bar,
    }
}

/// A bar of its role; a dashed outline where nothing happens; a stage's cell, darker for the
/// micro-batch `dark`.
fn fill_mark(pen: &mut Pen<'_>, mark: &TimelineMark, bounds: Rect, dark: u32) {
    let theme = pen.theme;
    let seam = if bounds.width() > 3.0 { 0.75 } else { 0.0 };
    let filled = Rect {
        right: (bounds.right - seam).max(bounds.left + 0.6),
        ..bounds
    };
    match mark.role {
        Some(Role::Idle) => {
            let inner = rect(bounds.left + 1.0, bounds.top, bounds.right, bounds.bottom);
            pen.dashed_outline(inner, stroke(theme.strong, 1.0));
        }
        Some(role) => {
            let colours = *theme.role(role);
            pen.fill_rect(filled, colours.fill);
            if theme.dark {
                let edge = Rect {
                    bottom: filled.top + size::EDGE_PX,
                    ..filled
                };
                pen.fill_rect(edge, colours.line);
            }
        }
        None => {
            pen.fill_rect(
                filled,
                if mark.batch == dark {
                    theme.strong
                } else {
                    theme.grid
                },
            );
            pen.outline(filled, stroke(theme.strong, 1.0));
        }
    }
}

/// The pinned scenario: when its lanes are busy, and when it is done.
fn ghosts(pen: &mut Pen<'_>, data: &TimelineData, lanes: &Lanes) {
    let theme = pen.theme;
    let Some(pinned) = data
        .pinned
        .as_ref()
        .filter(|pinned| pinned.span_s.is_finite() && pinned.span_s > 0.0)
    else {
        return;
    };
    for (lane, busy) in pinned.busy.iter().enumerate().take(data.lanes.len()) {
        let (_, bottom) = lanes.edges(lane);
        for (start, end) in busy {
            let ghost = rect(
                lanes.at(*start),
                bottom + 2.0,
                lanes.at(*end),
                bottom + 2.0 + GHOST_PX,
            );
            pen.dashed_outline(ghost, stroke(theme.ink_3, 1.0));
        }
    }
    let x = lanes.at(pinned.span_s);
    let (top, half) = (lanes.area.bottom + 2.0, 3.8);
    let triangle = [
        point(x, top),
        point(x + half, top + 6.0),
        point(x - half, top + 6.0),
        point(x, top),
    ];
    pen.polyline(&triangle, stroke(theme.ink_2, 1.0));
    pen.reserve(rect(x - 5.0, top, x + 5.0, top + 7.0));
    tick_label(
        pen,
        &Words::tick("A", theme.ink_1).bold(),
        x,
        lanes.area.bottom + 18.0,
    );
}

/// The time axis, and the end of the layer.
fn axis(pen: &mut Pen<'_>, data: &TimelineData, lanes: &Lanes) {
    let theme = pen.theme;
    let area = lanes.area;
    let hair = stroke(theme.strong, size::HAIRLINE_PX);
    pen.line(
        point(area.left, area.bottom),
        point(area.right, area.bottom),
        hair,
    );
    pen.line(
        point(area.left, lanes.edges(0).0 - 4.0),
        point(area.left, area.bottom),
        hair,
    );
    let end = lanes.at(data.span_s);
    pen.line(
        point(end, lanes.edges(0).0 - 6.0),
        point(end, area.bottom + 4.0),
        stroke(theme.ink_1, size::ROOF_PX),
    );
    // A layer takes microseconds; a round of a pipeline takes thousands of them.
    let (per_s, unit) = if data.span_s < 0.01 {
        (1e6, "µs")
    } else {
        (1e3, "ms")
    };
    tick_label(
        pen,
        &Words::tick(format::figure(data.span_s * per_s), theme.ink_1).bold(),
        end,
        area.bottom + 15.0,
    );
    let longest = (area.right - area.left) / lanes.px_per_s * per_s;
    let most = (area.width() / 76.0).clamp(2.0, 6.0) as usize;
    for tick in multiples(0.0, longest, nice_step(longest, most)) {
        let x = lanes.at(tick / per_s);
        pen.line(point(x, area.bottom), point(x, area.bottom + 4.0), hair);
        tick_label(
            pen,
            &Words::tick(format::si_tick(tick), theme.ink_3),
            x,
            area.bottom + 15.0,
        );
    }
    let name = Words::tick(unit, theme.ink_3);
    pen.write_if_free(
        &name,
        point(area.right, area.bottom + 29.5),
        Align::End,
        None,
    );
    let note = Words::tick(data.note.clone(), theme.ink_3);
    if !data.note.is_empty() {
        pen.write_if_free(
            &note,
            point(area.left, area.bottom + 29.5),
            Align::Start,
            None,
        );
    }
}

/// The moment half batches change places, and which is where.
fn swap(pen: &mut Pen<'_>, data: &TimelineData, lanes: &Lanes) {
    let Some(swap) = data.swap_s else { return };
    let theme = pen.theme;
    let x = lanes.at(swap);
    pen.dashed_rule(
        point(x, lanes.edges(0).0 - 6.0),
        point(x, lanes.area.bottom),
        (2.0, 3.0),
        stroke(theme.ink_3, 1.0),
    );
    for (index, lane) in data.lanes.iter().enumerate() {
        let (_, bottom) = lanes.edges(index);
        for (from, to) in [(0.0, swap), (swap, data.span_s)] {
            let within = |mark: &&TimelineMark| {
                !mark.is_idle()
                    && mark.start_s >= from - swap * 1e-9
                    && mark.end_s <= to * (1.0 + 1e-9)
            };
            let Some(mark) = lane.marks.iter().find(within) else {
                continue;
            };
            let words = Words::tick(mark.portion.clone(), theme.ink_3);
            let room = lanes.at(to) - lanes.at(from) - 8.0;
            let ghost = if data.pinned.is_some() {
                GHOST_PX + 3.0
            } else {
                0.0
            };
            if pen.width(&words) <= room {
                let place = point(lanes.at(from) + 4.0, bottom + 12.0 + ghost);
                pen.write_if_free(&words, place, Align::Start, None);
            }
        }
    }
}
