//! Draws one step as bars in lanes: compute and communication in parallel if they overlap, otherwise one after the
//! other in a single lane.

use super::parts::{Stretch, parts};
use super::{LatencyData, PinnedStep};
use crate::charts::prelude::*;

const LANE_HEIGHT_PX: f64 = 19.0;
const LANES_TOP_PX: f64 = 21.0;
const LANE_GAP_PX: f64 = 2.0;
/// Height in px of the single lane that is drawn if the schedule has no overlap.
const SINGLE_HEIGHT_PX: f64 = 30.0;
/// Top and bottom in px of the row of limiting resources, below the lanes.
const LIMITS_PX: [f64; 2] = [64.0, 79.0];

/// Draws the lanes and the row of limiting resources. Returns their hover targets, first those of [`parts`].
pub fn draw(pen: &mut Pen<'_>, area: Rect, data: &LatencyData) -> Hits {
    let step_s = data.now.step.step_s;
    let pinned = data.pinned.as_ref().map(|of| (of, of.now.step.step_s));
    let pinned = pinned.filter(|(_, time)| time.is_finite() && *time > 0.0);
    let pinned_s = pinned.map(|(_, time)| time);
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
    let place = |part: &Stretch<'_>| {
        let end = plot.x_at(part.start_s + part.time_s);
        row(part.lane).across(plot.x_at(part.start_s), end)
    };
    let boxes: Vec<Rect> = parts.iter().map(place).collect();
    for (part, area) in parts.iter().zip(&boxes) {
        let hidden_px = plot.x_at(part.hidden_s) - plot.area.left;
        lanes::stretch(pen, *area, part.role, hidden_px);
    }
    let [top, bottom] = LIMITS_PX;
    let limited = limits(
        pen,
        &Plot {
            area: rect(area.left, top, right, bottom),
            ..plot
        },
        data,
    );
    axis(pen, &plot, bottom, pinned);
    if let Some((_, time)) = pinned.filter(|(of, _)| of.previewed) {
        let (left, right) = (area.left, plot.x_at(time));
        let (top, bottom) = (LANES_TOP_PX - 4.0, bottom + 4.0);
        let corners = [
            (left, top),
            (right, top),
            (right, bottom),
            (left, bottom),
            (left, top),
        ];
        pen.polyline(
            &corners.map(|(x, y)| point(x, y)),
            stroke(pen.theme.ink_2, 1.5),
        );
    }
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
        true => &["compute", "comm."],
        false => &["sequential"],
    };
    for (lane, name) in names.iter().enumerate() {
        lanes::name(pen, &row(lane), &Words::label(*name, pen.theme.ink_1));
    }
    // With a single lane, leader lines end before the label of the step.
    let edge = if data.overlaps {
        area.right + size::MARGIN_RIGHT_PX
    } else {
        end - 2.0
    };
    label_parts(pen, (edge, LABELED * step_s), &parts, &boxes);
    Hits::boxes(boxes.into_iter().chain(limited))
}

/// Draws a bar for the whole step, divided by limiting resource, the largest share first. Returns the areas of its
/// segments.
fn limits(pen: &mut Pen<'_>, plot: &Plot, data: &LatencyData) -> Vec<Rect> {
    let (fill, ink) = (pen.theme.line, pen.theme.ink_1);
    lanes::name(pen, &plot.area, &Words::label("limited by", ink));
    let mut clock = 0.0;
    let mut boxes = Vec::new();
    for of in &data.limits {
        let (from, to) = (clock, clock + of.share * data.now.step.step_s);
        let area = plot.area.across(plot.x_at(from), plot.x_at(to));
        // Leave a gap of 1 px on the right.
        let shown = area.across(area.left, (area.right - 1.0).max(area.left));
        pen.fill_rect(shown, fill);
        let share = format::share(of.share);
        let words = |name| Words::note(format!("{name} {share}"), ink);
        marks::inside(pen, &shown, of.names.map(words), Align::Middle, None);
        boxes.push(area);
        clock = to;
    }
    boxes
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

/// Returns "step" and the step time, to be written at the end of the lanes.
fn step_words(theme: &Theme, width: f64, step_s: f64) -> [Words; 2] {
    let bold = |text: String| Words::label(text, theme.ink_1).bold();
    let mut time = bold(format::sig3(step_s * 1e3));
    if width > 340.0 {
        time = time.and(" ms", theme.ink_3);
    }
    [bold("step".to_owned()), time]
}

/// Draws a vertical line at the start of the lanes, the time axis below them, and a mark at the end of the pinned step.
fn axis(pen: &mut Pen<'_>, plot: &Plot, bottom: f64, pinned: Option<(&PinnedStep, f64)>) {
    let hair = hair(pen.theme.strong);
    let Rect { left, .. } = plot.area;
    let (head, foot) = (point(left, LANES_TOP_PX - 4.0), point(left, bottom + 4.0));
    pen.line(head, foot, hair);
    let bottom = bottom + 3.0;
    if let Some((of, time)) = pinned {
        marks::ghost_tick(pen, of.name(), plot.x_at(time), bottom, bottom + 16.0);
    }
    let area = plot.area.down(plot.area.top, bottom);
    let plot = Plot { area, ..*plot };
    let apart = 48.0_f64.max(area.width() / 5.0);
    lanes::time_axis(pen, &plot, (1e3, "ms"), "", apart, Vec::new());
}

/// Smallest share of the step for which a part is labeled outside its bar. A smaller part whose label does not fit
/// inside is named only in the tooltip.
const LABELED: f64 = 0.02;

/// Writes labels inside the bars that have room for them. Labels of other large parts in the first lane go into a row
/// above the bars.
fn label_parts(
    pen: &mut Pen<'_>,
    (right, least_s): (f64, f64),
    parts: &[Stretch<'_>],
    boxes: &[Rect],
) {
    let mut outside = Vec::new();
    for (part, area) in parts.iter().zip(boxes) {
        // Only the first lane has free space above its bars.
        let outside_too = part.role != Role::Idle && part.lane == 0 && part.time_s >= least_s;
        if !label_inside(pen, part, area) && outside_too {
            let text = format!("{} {}", part.label, format::sig3(part.time_s * 1e3));
            outside.push((part.time_s, Words::note(text, pen.theme.ink_2), *area));
        }
    }
    call_out(pen, (0.0, right), LANES_TOP_PX, outside);
}

fn label_inside(pen: &mut Pen<'_>, part: &Stretch<'_>, area: &Rect) -> bool {
    let (ink, rim) = lanes::inks(pen.theme, part.role);
    let value = format::sig3(part.time_s * 1e3);
    let mut wordings = vec![format!("{} {value}", part.name)];
    if part.label != part.name {
        wordings.push(format!("{} {value}", part.label));
    }
    // Write the number alone only if the bar's color identifies the part. It does not for thin parts, or if there are
    // several attention types.
    let told_by_colour = match part.role {
        Role::Dense | Role::Head | Role::Overhead | Role::Prompts => false,
        Role::Attention => part.name == part.role.name(),
        _ => true,
    };
    if part.name == Role::Attention.name() {
        wordings.push(format!("attn {value}"));
    }
    if told_by_colour {
        wordings.push(value);
    }
    let words = || wordings.iter().map(|text| Words::label(text.as_str(), ink));
    // Labels in the communication lane are left-aligned if they fit.
    let aligned = part.role == Role::Messages && part.lane == 1;
    let row = area.across(area.left + 3.0, area.right - 5.0);
    aligned && marks::inside(pen, &row, words(), Align::Start, Some(rim))
        || marks::inside(pen, area, words(), Align::Middle, Some(rim))
}
