//! One step as lanes: compute and messages side by side when they overlap, else one after the other.

use super::LatencyData;
use super::parts::{Part, parts};
use crate::charts::prelude::*;

const LANE_HEIGHT_PX: f64 = 18.0;
const LANES_TOP_PX: f64 = 21.0;
const LANE_GAP_PX: f64 = 4.0;
/// The single lane of a schedule without overlap stands as high as the two together.
const SINGLE_HEIGHT_PX: f64 = 26.0;
/// Between callouts above the lanes.
const CALLOUT_GAP_PX: f64 = 8.0;

/// Draws the lanes; returns their reaches in the order of [`parts`].
pub fn draw(pen: &mut Pen<'_>, area: Rect, data: &LatencyData) -> Hits {
    let step_s = data.now.step.step_s;
    let pinned_s = data.pinned.as_ref().map(|pinned| pinned.now.step.step_s);
    let pinned_s = pinned_s.filter(|time| time.is_finite() && *time > 0.0);
    let ends = step_words(pen.theme, area.width(), step_s);
    let (widest, _) = pen.block_size(&ends);
    let room = widest + 8.0;
    let longest_s = step_s.max(pinned_s.unwrap_or(0.0));
    let right = (area.right + size::MARGIN_RIGHT_PX - room).max(area.left + 20.0);
    let row = |lane: usize| {
        let (top, bottom) = lane_edges(data.overlaps, lane);
        rect(area.left, top, right, bottom)
    };
    let time = Scale::linear(0.0, longest_s);
    let plot = Plot::new(row(0), time, Scale::linear(0.0, 1.0));
    let parts = parts(data);
    let place = |part: &Part<'_>| {
        let end = plot.x_at(part.start_s + part.time_s);
        row(part.lane).across(plot.x_at(part.start_s), end)
    };
    let boxes: Vec<Rect> = parts.iter().map(place).collect();
    for (part, area) in parts.iter().zip(&boxes) {
        let hidden_px = plot.x_at(part.hidden_s) - plot.area.left;
        lanes::stretch(pen, *area, part.role, hidden_px);
    }
    let bottom = row(usize::from(data.overlaps)).bottom;
    axis(pen, &plot, bottom, (step_s, pinned_s));
    let end = plot.x_at(step_s);
    let ink = stroke(pen.theme.ink_1, size::ROOF_PX);
    let (head, foot) = (point(end, LANES_TOP_PX - 5.0), point(end, bottom + 5.0));
    pen.line(head, foot, ink);
    for (lane, words) in ends.iter().enumerate() {
        let (top, bottom) = lane_edges(true, lane);
        let baseline = words.baseline_about((top + bottom) / 2.0);
        pen.write(words, point(end + 7.0, baseline), Align::Start, None);
    }
    let names: &[&str] = match data.overlaps {
        true => &["compute", "messages"],
        false => &["in turn"],
    };
    for (lane, name) in names.iter().enumerate() {
        lanes::name(pen, &row(lane), &Words::label(*name, pen.theme.ink_1));
    }
    label_parts(pen, area.right, &parts, &boxes);
    Hits::boxes(boxes)
}

fn lane_edges(overlaps: bool, lane: usize) -> (f64, f64) {
    if overlaps {
        let top = LANES_TOP_PX + lane as f64 * (LANE_HEIGHT_PX + LANE_GAP_PX);
        return (top, top + LANE_HEIGHT_PX);
    }
    let middle = LANES_TOP_PX + LANE_HEIGHT_PX + LANE_GAP_PX / 2.0;
    let half = SINGLE_HEIGHT_PX / 2.0;
    (middle - half, middle + half)
}

/// "step" and its time at the end of the lanes.
fn step_words(theme: &Theme, width: f64, step_s: f64) -> [Words; 2] {
    let bold = |text: String| Words::label(text, theme.ink_1).bold();
    let mut time = bold(format::sig3(step_s * 1e3));
    if width > 340.0 {
        time = time.and(" ms", theme.ink_3);
    }
    [bold("step".to_owned()), time]
}

/// Where the lanes begin, and the time below them from "0 ms" on.
fn axis(pen: &mut Pen<'_>, plot: &Plot, bottom: f64, (step_s, pinned_s): (f64, Option<f64>)) {
    let grey = pen.theme.ink_3;
    let hair = hair(pen.theme.strong);
    let Rect { left, right, .. } = plot.area;
    let (head, foot) = (point(left, LANES_TOP_PX - 4.0), point(left, bottom + 4.0));
    pen.line(head, foot, hair);
    let bottom = lane_edges(true, 1).1.max(bottom);
    if let Some(pinned_s) = pinned_s {
        marks::ghost_tick(pen, plot.x_at(pinned_s), bottom + 2.0, bottom + 18.0);
    }
    let baseline = bottom + 15.5;
    let zero = Words::tick("0 ms", grey);
    pen.write_if_free(&zero, point(left, baseline), Align::Start, None);
    let most = ((right - left) / 48.0).clamp(1.0, 5.0) as usize;
    let longest = plot.x.high() * 1e3;
    let step = nice_step(longest, most);
    for ms in multiples(step, longest, step) {
        let x = plot.x_at(ms / 1e3);
        if (x - plot.x_at(step_s)).abs() > 2.0 {
            pen.line(point(x, bottom + 1.0), point(x, bottom + 4.0), hair);
        }
        let words = Words::tick(format::printed(ms), grey);
        tick_label(pen, &words, x, baseline);
    }
}

/// Labels inside the parts that have the room; the others in a row above, nudged apart, the smallest dropped first.
fn label_parts(pen: &mut Pen<'_>, right: f64, parts: &[Part<'_>], boxes: &[Rect]) {
    let mut outside = Vec::new();
    for (part, area) in parts.iter().zip(boxes) {
        // A part of the second lane has no free edge above it.
        if !label_inside(pen, part, area) && part.role != Role::Idle && part.lane == 0 {
            outside.push((part, area));
        }
    }
    while !outside.is_empty() && !callouts(pen, right, &outside) {
        let times = outside.iter().enumerate();
        let least = times.min_by(|(_, (a, _)), (_, (b, _))| a.time_s.total_cmp(&b.time_s));
        if let Some((index, _)) = least {
            outside.remove(index);
        }
    }
}

fn label_inside(pen: &mut Pen<'_>, part: &Part<'_>, area: &Rect) -> bool {
    let (ink, rim) = lanes::inks(pen.theme, part.role);
    let value = format::sig3(part.time_s * 1e3);
    let mut wordings = vec![format!("{} {value}", part.name)];
    if part.label != part.name {
        wordings.push(format!("{} {value}", part.label));
    }
    // A number alone would not say which of the thin parts it is, nor which kind of attention.
    let told_by_colour = match part.role {
        Role::Dense | Role::Head | Role::Overhead | Role::Prompts => false,
        Role::Attention => part.name == part.role.name(),
        _ => true,
    };
    if told_by_colour {
        wordings.push(value);
    }
    let words = || wordings.iter().map(|text| Words::label(text.as_str(), ink));
    // Messages begin together, so that their names stand in line.
    let aligned = part.role == Role::Messages && part.lane == 1;
    let row = area.across(area.left + 3.0, area.right - 5.0);
    aligned && marks::inside(pen, &row, words(), Align::Start, Some(rim))
        || marks::inside(pen, area, words(), Align::Middle, Some(rim))
}

/// Names above the first lane with leaders to their parts; `false` where they have no room.
fn callouts(pen: &mut Pen<'_>, right: f64, parts: &[(&Part<'_>, &Rect)]) -> bool {
    let words = |part: &Part<'_>| {
        let text = format!("{} {}", part.label, format::sig3(part.time_s * 1e3));
        Words::note(text, pen.theme.ink_2)
    };
    // From the left each as near to its part as its neighbour allows, then back from the right edge.
    let mut free = 0.0_f64;
    let mut placed = Vec::with_capacity(parts.len());
    for (part, area) in parts {
        let words = words(part);
        let width = pen.width(&words);
        let left = (area.centre().x - width / 2.0).max(free);
        free = left + width + CALLOUT_GAP_PX;
        placed.push((words, left, width, point(area.centre().x, area.top - 0.5)));
    }
    let mut limit = right + size::MARGIN_RIGHT_PX;
    for (_, left, width, _) in placed.iter_mut().rev() {
        *left = left.min(limit - *width);
        limit = *left - CALLOUT_GAP_PX;
    }
    if placed.first().is_some_and(|(_, left, ..)| *left < 0.0) {
        return false;
    }
    for (words, left, width, foot) in &placed {
        let under = foot.x.max(left + 3.0).min(left + width - 3.0);
        let leader = [point(under, LANES_TOP_PX - 5.5), *foot];
        pen.polyline(&leader, stroke(pen.theme.ink_3, 0.8));
        pen.write(words, point(*left, LANES_TOP_PX - 8.0), Align::Start, None);
    }
    true
}
