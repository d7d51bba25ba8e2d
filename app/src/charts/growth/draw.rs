//! The bars of memory per GPU.

use super::{GIB, GrowthBar, GrowthData, part_name};
use crate::charts::prelude::*;

/// How far above the capacity bars are shown; taller ones are cut and say how tall they are.
const HEADROOM: f64 = 1.45;
/// Room for the names of the parts.
const NAMES_PX: f64 = 56.0;
/// Of a bar's pitch.
const BAR_SHARE: f64 = 0.66;

/// Draws the chart; hits are the bars.
pub fn draw(pen: &mut Pen<'_>, data: &GrowthData) -> Hits {
    let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    let area = Rect {
        right: (area.right - NAMES_PX).max(area.left + 1.0),
        ..area
    };
    if !data.draws() {
        nothing_to_show(pen, &area, "no number of GPUs has a plan");
        return Hits::default();
    }
    let most = data.usable_bytes / GIB * HEADROOM;
    let count = data.bars.len() as f64;
    let plot = Plot::new(area, Scale::linear(0.0, count), Scale::linear(0.0, most));

    y_ticks(pen, &plot);
    let boxes: Vec<Rect> = (0..data.bars.len())
        .map(|index| bar_box(&plot, index))
        .collect();
    for (bar, at) in data.bars.iter().zip(&boxes) {
        draw_bar(pen, &plot, bar, *at);
    }
    veil(pen, &plot, data, &boxes);
    pen.seam();
    x_labels(pen, &plot, data, &boxes);
    capacity(pen, &plot, data);
    cut_labels(pen, &plot, data, &boxes);
    part_labels(pen, &plot, data, &boxes);

    let column = |index: usize| bar_column(&plot, index);
    let hits = Hits::boxes((0..data.bars.len()).map(column)).on(&plot);
    let start = data.bars.iter().position(|bar| bar.gpus >= data.now_gpus);
    hits.starting_at(start.unwrap_or(0))
}

/// What a bar has of the width.
fn bar_column(plot: &Plot, index: usize) -> Rect {
    let pitch = plot.area.width() / plot.x.high();
    let left = plot.area.left + pitch * index as f64;
    Rect {
        left,
        right: left + pitch,
        ..plot.area
    }
}

/// Outlines a bar that is pointed at, and says its number below.
pub fn glow(pen: &mut Pen<'_>, data: &GrowthData, index: usize, plot: &Plot) {
    let Some(bar) = data.bars.get(index) else {
        return;
    };
    let at = bar_box(plot, index);
    let top = plot.y_at((bar.total_bytes() / GIB).min(plot.y.high()));
    let outline = rect(at.left, top, at.right, at.bottom).grown(1.5);
    pen.outline(outline, stroke(pen.theme.ink_1, 1.5));
    pen.seam();
    let (x, y) = (at.centre().x, plot.area.bottom + 11.5);
    axis_box(pen, &format::count(bar.gpus), x, y);
}

fn bar_box(plot: &Plot, index: usize) -> Rect {
    let (from, to) = (plot.x_at(index as f64), plot.x_at(index as f64 + 1.0));
    let gap = (to - from) * (1.0 - BAR_SHARE) / 2.0;
    rect(from + gap, plot.area.top, to - gap, plot.area.bottom)
}

fn y_ticks(pen: &mut Pen<'_>, plot: &Plot) {
    let ink = pen.theme.ink_3;
    let ticks = plot.y.ticks((plot.area.height() / 30.0).max(2.0) as usize);
    let ticks = ticks
        .into_iter()
        .map(|value| (value, Words::tick(format::si_tick(value), ink)))
        .collect();
    y_axis(
        pen,
        plot,
        &Axis {
            ticks,
            minor: Vec::new(),
            name: "GiB per GPU",
        },
        10.0,
    );
}

fn draw_bar(pen: &mut Pen<'_>, plot: &Plot, bar: &GrowthBar, at: Rect) {
    let mut below = 0.0;
    for (role, bytes) in bar.parts.iter().filter(|(_, bytes)| *bytes > 0.0) {
        let above = (below + bytes / GIB).min(plot.y.high());
        let part = rect(at.left, plot.y_at(above), at.right, plot.y_at(below));
        let colours = pen.theme.role(*role);
        let (fill, line, dark) = (colours.fill, colours.line, pen.theme.dark);
        pen.fill_rect(part, fill);
        if part.height() > 3.0 {
            if dark {
                pen.fill_rect(
                    Rect {
                        bottom: part.top + size::EDGE_PX,
                        ..part
                    },
                    line,
                );
            } else {
                // A seam between neighbours.
                let seam = pen.theme.background;
                pen.fill_rect(
                    Rect {
                        bottom: part.top + 1.0,
                        ..part
                    },
                    seam,
                );
            }
        }
        below = above;
        if below >= plot.y.high() {
            break;
        }
    }
}

/// What of the bars lies beyond the capacity.
fn veil(pen: &mut Pen<'_>, plot: &Plot, data: &GrowthData, boxes: &[Rect]) {
    let line = plot.y_at(data.usable_bytes / GIB);
    for (bar, at) in data.bars.iter().zip(boxes) {
        let top = plot.y_at((bar.total_bytes() / GIB).min(plot.y.high()));
        if top < line - 0.5 {
            let over = rect(at.left, top, at.right, line);
            let (veil, hatch) = (pen.theme.veil, pen.theme.ink_3);
            pen.fill_rect(over, veil);
            pen.hatch(
                &over.corners(),
                6.0,
                Hatch::Falling,
                stroke(hatch, size::HAIRLINE_PX),
            );
        }
    }
}

fn x_labels(pen: &mut Pen<'_>, plot: &Plot, data: &GrowthData, boxes: &[Rect]) {
    let Rect {
        left,
        right,
        bottom,
        ..
    } = plot.area;
    let (ink, grey, strong) = (pen.theme.ink_1, pen.theme.ink_3, pen.theme.strong);
    pen.line(
        point(left, bottom),
        point(right, bottom),
        stroke(strong, size::HAIRLINE_PX),
    );
    let name = Words::tick("GPUs in all", grey);
    pen.write_if_free(&name, point(right, bottom + 29.5), Align::End, None);
    let now = data
        .bars
        .iter()
        .position(|bar| bar.gpus.total_cmp(&data.now_gpus).is_eq());
    let order = now.into_iter().chain(0..boxes.len());
    let mut written = vec![false; boxes.len()];
    for index in order {
        let (Some(at), Some(bar)) = (boxes.get(index), data.bars.get(index)) else {
            continue;
        };
        if std::mem::replace(&mut written[index], true) {
            continue;
        }
        let text = format::count(bar.gpus);
        let words = if Some(index) == now {
            Words::tick(text, ink).bold()
        } else {
            Words::tick(text, grey)
        };
        tick_label(pen, &words, at.centre().x, bottom + 15.0);
    }
    if let Some(at) = now.and_then(|index| boxes.get(index)) {
        let words = Words::tick("now", ink).bold();
        let half = pen.width(&words) / 2.0;
        let x = at.centre().x.min(pen.canvas.right - half);
        pen.write_if_free(&words, point(x, bottom + 29.5), Align::Middle, None);
    }
}

fn capacity(pen: &mut Pen<'_>, plot: &Plot, data: &GrowthData) {
    let y = plot.y_at(data.usable_bytes / GIB);
    let (ink, background) = (pen.theme.ink_1, pen.theme.background);
    let Rect { left, right, .. } = plot.area;
    pen.line(point(left, y), point(right, y), stroke(ink, 1.5));
    let gib = format!("{} GiB", format::printed(data.usable_bytes / GIB));
    let wordings = [
        vec![Words::label(format!("{} {gib}", data.accelerator), ink).bold()],
        vec![Words::label(gib, ink).bold()],
    ];
    let spots = [spot(point(right - 2.0, y - 3.0), Align::End, Side::Above)];
    pen.place(&wordings, &spots, &plot.area, &[], Some(background));
}

/// How tall a bar is that the plot cuts.
fn cut_labels(pen: &mut Pen<'_>, plot: &Plot, data: &GrowthData, boxes: &[Rect]) {
    let (ink, background) = (pen.theme.ink_2, pen.theme.background);
    for (bar, at) in data.bars.iter().zip(boxes) {
        let total = bar.total_bytes() / GIB;
        if total <= plot.y.high() {
            continue;
        }
        let words = Words::tick(format::si(total), ink);
        let half = pen.width(&words) / 2.0;
        let x = at
            .centre()
            .x
            .clamp(half, (pen.canvas.right - half).max(half));
        let baseline = point(x, plot.area.top + 12.0);
        let bounds = words.bounds(baseline, Align::Middle, 2.0 * half);
        if pen.is_free_by(&bounds, 6.0) {
            pen.write(&words, baseline, Align::Middle, Some(background));
        }
    }
}

/// Names of the parts in a column beside the last bar, with elbow leaders.
fn part_labels(pen: &mut Pen<'_>, plot: &Plot, data: &GrowthData, boxes: &[Rect]) {
    let Some((bar, at)) = data.bars.last().zip(boxes.last()) else {
        return;
    };
    let mut below = 0.0;
    let mut last = plot.area.bottom + 2.0;
    let right = plot.area.right;
    for (role, bytes) in &bar.parts {
        let (low, high) = (below, (below + bytes / GIB).min(plot.y.high()));
        below = high;
        if *role == Role::Activations || *bytes <= 0.0 {
            continue;
        }
        let ink = pen.theme.role(*role).text;
        let words = Words::note(short_name(*role), ink);
        let middle = plot.y_at((low + high) / 2.0);
        let y = middle.min(last - size::LABEL_PITCH_PX);
        let baseline = point(right + 8.0, words.baseline_about(y));
        if y < plot.area.top
            || pen
                .write_if_free(&words, baseline, Align::Start, None)
                .is_none()
        {
            continue;
        }
        last = y;
        let elbow = [
            point(at.right + 1.0, middle),
            point(at.right + 4.0, middle),
            point(right + 2.0, y),
            point(right + 5.0, y),
        ];
        let style = stroke(pen.theme.strong, size::HAIRLINE_PX);
        pen.polyline(&elbow, style);
    }
}

/// A part's name where there is little room.
fn short_name(role: Role) -> &'static str {
    match role {
        Role::Head => "head",
        other => part_name(other),
    }
}
