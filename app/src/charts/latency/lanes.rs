//! One step as lanes: compute and messages side by side when they overlap, else one after the other.

use super::LatencyData;
use super::parts::{Part, parts};
use crate::charts::prelude::*;

const LANE_HEIGHT_PX: f64 = 18.0;

const LANES_TOP_PX: f64 = 21.0;

const LANE_GAP_PX: f64 = 4.0;

/// The single lane of a schedule without overlap stands as high as the two together.
const SINGLE_HEIGHT_PX: f64 = 26.0;

/// Draws the lanes; returns their reaches in the order of [`parts`].
pub fn draw(pen: &mut Pen<'_>, area: Rect, data: &LatencyData) -> Vec<Reach> {
    let step = &data.now.step;
    let pinned_s = data
        .pinned
        .as_ref()
        .map(|pinned| pinned.now.step.step_s)
        .filter(|time| time.is_finite() && *time > 0.0);
    let ends = step_words(pen, area.width(), step.step_s);
    let room = ends
        .iter()
        .map(|words| pen.width(words))
        .fold(0.0, f64::max)
        + 8.0;
    let longest = step.step_s.max(pinned_s.unwrap_or(0.0));
    let right = (area.right + size::MARGIN_RIGHT_PX - room).max(area.left + 20.0);
    let scale = (right - area.left) / longest;
    let at = |time: f64| area.left + time * scale;
    let parts = parts(data);
    let boxes: Vec<Rect> = parts
        .iter()
        .map(|part| {
            let (top, bottom) = lane_edges(data.overlaps, part.lane);
            rect(
                at(part.start_s),
                top,
                at(part.start_s + part.time_s),
                bottom,
            )
        })
        .collect();

    for (part, bounds) in parts.iter().zip(&boxes) {
        fill_part(pen, part, *bounds, scale);
    }
    let bottom = lane_edges(data.overlaps, usize::from(data.overlaps)).1;
    let end = at(step.step_s);
    axis(
        pen,
        area,
        (end, at(longest)),
        bottom,
        pinned_s.map(|time| (time, at(time))),
        scale,
    );
    bracket(pen, end, bottom, &ends);
    name_lanes(pen, area.left, data.overlaps);
    label_parts(pen, area, &parts, &boxes);
    boxes.into_iter().map(Reach::Box).collect()
}

fn lane_edges(overlaps: bool, lane: usize) -> (f64, f64) {
    if overlaps {
        let top = LANES_TOP_PX + lane as f64 * (LANE_HEIGHT_PX + LANE_GAP_PX);
        (top, top + LANE_HEIGHT_PX)
    } else {
        let middle = LANES_TOP_PX + LANE_HEIGHT_PX + LANE_GAP_PX / 2.0;
        (
            middle - SINGLE_HEIGHT_PX / 2.0,
            middle + SINGLE_HEIGHT_PX / 2.0,
        )
    }
}

fn fill_part(pen: &mut Pen<'_>, part: &Part, bounds: Rect, scale: f64) {
    let theme = pen.theme;
    if part.role == Role::Idle {
        pen.dashed_outline(
            rect(bounds.left + 1.5, bounds.top, bounds.right, bounds.bottom),
            stroke(theme.strong, 1.0),
        );
        return;
    }
    // A seam of background keeps neighbours apart even where their colours are close.
    let seam = if bounds.width() > 3.0 { 0.75 } else { 0.0 };
    let filled = rect(
        bounds.left,
        bounds.top,
        (bounds.right - seam).max(bounds.left + 0.6),
        bounds.bottom,
    );
    let colours = *theme.role(part.role);
    pen.fill_rect(filled, colours.fill);
    if part.hidden_s > 0.0 {
        let hidden = Rect {
            right: filled.right.min(filled.left + part.hidden_s * scale),
            ..filled
        };
        pen.hatch(
            &hidden.corners(),
            7.0,
            Hatch::Rising,
            stroke(theme.hidden, 1.5),
        );
    }
    if theme.dark {
        pen.fill_rect(
            Rect {
                bottom: filled.top + size::EDGE_PX,
                ..filled
            },
            colours.line,
        );
    }
}

/// "step" and its time at the end of the lanes.
fn step_words(pen: &Pen<'_>, width: f64, step_s: f64) -> [Words; 2] {
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
    let time = Words::sized(size::LABEL_PX).and_bold(format::sig3(step_s * 1e3), ink);
    let time = if width > 340.0 {
        time.and(" ms", grey)
    } else {
        time
    };
    [Words::sized(size::LABEL_PX).and_bold("step", ink), time]
}

fn bracket(pen: &mut Pen<'_>, x: f64, bottom: f64, ends: &[Words; 2]) {
    let ink = pen.theme.ink_1;
    pen.line(
        point(x, LANES_TOP_PX - 5.0),
        point(x, bottom + 5.0),
        stroke(ink, size::ROOF_PX),
    );
    for (words, lane) in ends.iter().zip([0, 1]) {
        let (top, bottom) = lane_edges(true, lane);
        let at = point(x + 7.0, words.baseline_about((top + bottom) / 2.0));
        pen.write(words, at, Align::Start, None);
    }
}

fn axis(
    pen: &mut Pen<'_>,
    area: Rect,
    (end, longest): (f64, f64),
    bottom: f64,
    pinned: Option<(f64, f64)>,
    scale: f64,
) {
    let theme = pen.theme;
    let hair = stroke(theme.strong, size::HAIRLINE_PX);
    pen.line(
        point(area.left, LANES_TOP_PX - 4.0),
        point(area.left, bottom + 4.0),
        hair,
    );
    let bottom = lane_edges(true, 1).1.max(bottom);
    if let Some((_, x)) = pinned {
        let (top, half) = (bottom + 2.0, 3.8);
        let triangle = [
            point(x, top),
            point(x + half, top + 6.0),
            point(x - half, top + 6.0),
            point(x, top),
        ];
        pen.polyline(&triangle, stroke(theme.ink_2, 1.0));
        let words = Words::tick("A", theme.ink_1).bold();
        pen.reserve(rect(x - 5.0, bottom, x + 5.0, bottom + 8.0));
        tick_label(pen, &words, x, bottom + 18.0);
    }
    let baseline = bottom + 15.5;
    let most = ((longest - area.left) / 48.0).clamp(1.0, 5.0) as usize;
    let step = nice_step((longest - area.left) / scale * 1e3, most);
    pen.write_if_free(
        &Words::tick("0 ms", theme.ink_3),
        point(area.left, baseline),
        Align::Start,
        None,
    );
    for i in 1..=most + 1 {
        let ms = step * i as f64;
        let x = area.left + ms / 1e3 * scale;
        if x > longest + 0.5 {
            break;
        }
        if (x - end).abs() > 2.0 {
            pen.line(point(x, bottom + 1.0), point(x, bottom + 4.0), hair);
        }
        tick_label(
            pen,
            &Words::tick(format::printed(ms), theme.ink_3),
            x,
            baseline,
        );
    }
}

fn name_lanes(pen: &mut Pen<'_>, left: f64, overlaps: bool) {
    let names: &[&str] = if overlaps {
        &["compute", "messages"]
    } else {
        &["in turn"]
    };
    for (lane, name) in names.iter().enumerate() {
        let (top, bottom) = lane_edges(overlaps, lane);
        let words = Words::label(*name, pen.theme.ink_1);
        pen.write_if_free(
            &words,
            point(left - 7.0, words.baseline_about((top + bottom) / 2.0)),
            Align::End,
            None,
        );
    }
}

/// Labels inside the parts that have the room; the others in a row above, nudged apart, the smallest dropped first.
fn label_parts(pen: &mut Pen<'_>, area: Rect, parts: &[Part], boxes: &[Rect]) {
    let mut outside = Vec::new();
    for (part, bounds) in parts.iter().zip(boxes) {
        if !label_inside(pen, part, bounds) && part.role != Role::Idle {
            outside.push((part, bounds));
        }
    }
    // A part of the second lane has no free edge above it.
    outside.retain(|(part, _)| part.lane == 0);
    while !outside.is_empty() && !callouts(pen, area, &outside) {
        let least = outside
            .iter()
            .enumerate()
            .min_by(|(_, a), (_, b)| a.0.time_s.total_cmp(&b.0.time_s));
        let Some((index, _)) = least else { return };
        outside.remove(index);
    }
}

fn label_inside(pen: &mut Pen<'_>, part: &Part, bounds: &Rect) -> bool {
    let colours = *pen.theme.role(part.role);
    let value = format::sig3(part.time_s * 1e3);
    let mut wordings = vec![format!("{} {value}", part.name)];
    if part.label != part.name {
        wordings.push(format!("{} {value}", part.label));
    }
    if !matches!(part.role, Role::Dense | Role::Head | Role::Overhead) {
        wordings.push(value);
    }
    let messages = part.role == Role::Messages && part.lane == 1;
    let halo = if part.role == Role::Idle {
        pen.theme.background
    } else {
        colours.fill
    };
    for text in wordings {
        let words = Words::label(text, colours.on_fill);
        let baseline = words.baseline_about(bounds.centre().y);
        if pen.width(&words) + 8.0 <= bounds.width() {
            let (x, align) = if messages {
                (bounds.left + 8.0, Align::Start)
            } else {
                (bounds.centre().x, Align::Middle)
            };
            if pen.width(&words) + 16.0 > bounds.width() {
                pen.write(
                    &words,
                    point(bounds.centre().x, baseline),
                    Align::Middle,
                    Some(halo),
                );
            } else {
                pen.write(&words, point(x, baseline), align, Some(halo));
            }
            return true;
        }
    }
    false
}

fn callouts(pen: &mut Pen<'_>, area: Rect, parts: &[(&Part, &Rect)]) -> bool {
    const GAP: f64 = 8.0;
    let grey = pen.theme.ink_2;
    let words: Vec<Words> = parts
        .iter()
        .map(|(part, _)| {
            Words::note(
                format!("{} {}", part.label, format::sig3(part.time_s * 1e3)),
                grey,
            )
        })
        .collect();
    let widths: Vec<f64> = words.iter().map(|words| pen.width(words)).collect();
    // From the left each as near to its part as its neighbour allows, then back from the right edge.
    let mut lefts: Vec<f64> = Vec::with_capacity(parts.len());
    let mut free = 0.0_f64;
    for ((_, bounds), width) in parts.iter().zip(&widths) {
        let left = (bounds.centre().x - width / 2.0).max(free);
        lefts.push(left);
        free = left + width + GAP;
    }
    let mut limit = area.right + size::MARGIN_RIGHT_PX;
    for (left, width) in lefts.iter_mut().zip(&widths).rev() {
        *left = left.min(limit - width);
        limit = *left - GAP;
    }
    if lefts.first().is_some_and(|left| *left < 0.0) {
        return false;
    }
    for (((_, bounds), words), (left, width)) in
        parts.iter().zip(&words).zip(lefts.iter().zip(&widths))
    {
        let x = bounds.centre().x;
        let foot = bounds.top - 0.5;
        let under = x.clamp(left + 3.0, left + width - 3.0);
        pen.polyline(
            &[point(under, LANES_TOP_PX - 5.5), point(x, foot)],
            stroke(pen.theme.ink_3, 0.8),
        );
        pen.write(words, point(*left, LANES_TOP_PX - 8.0), Align::Start, None);
    }
    true
}
