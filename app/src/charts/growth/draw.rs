//! The bars of memory per GPU.

use super::{GIB, GrowthBar, GrowthData, part_name};

use crate::charts::frame::{Axis, Plot, nothing_to_show, plot_area, tick_label, y_axis};
use crate::charts::geometry::{Hatch, Rect, point, rect};
use crate::charts::hits::{Hits, Reach};
use crate::charts::scale::Scale;
use crate::charts::sketch::{Sketch, stroke};
use crate::charts::surface::{DrawError, Surface};
use crate::charts::text::{Align, Side, Words, spot};
use crate::format;
use crate::theme::{Role, Theme, size};

/// How far above the capacity bars are shown; taller ones are cut and say how tall they are.
const HEADROOM: f64 = 1.45;
/// Room for the names of the parts.
const NAMES_PX: f64 = 56.0;
/// Of a bar's pitch.
const BAR_SHARE: f64 = 0.66;

/// Draws the chart; hits are the bars.
pub fn draw<S: Surface>(
    surface: &mut S,
    data: &GrowthData,
    theme: &Theme,
    focus: Option<usize>,
) -> Result<Hits, DrawError<S>> {
    let mut sketch = Sketch::new(surface, theme);
    let area = plot_area(&sketch.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    let area = Rect {
        right: (area.right - NAMES_PX).max(area.left + 1.0),
        ..area
    };
    if !data.draws() {
        nothing_to_show(&mut sketch, &area, "no number of GPUs has a plan");
        sketch.finish()?;
        return Ok(Hits::default());
    }
    let most = data.usable_bytes / GIB * HEADROOM;
    let count = data.bars.len() as f64;
    let plot = Plot::new(area, Scale::linear(0.0, count), Scale::linear(0.0, most));

    y_ticks(&mut sketch, &plot);
    let boxes: Vec<Rect> = (0..data.bars.len())
        .map(|index| bar_box(&plot, index))
        .collect();
    for (index, (bar, at)) in data.bars.iter().zip(&boxes).enumerate() {
        draw_bar(&mut sketch, &plot, bar, *at);
        if focus == Some(index) {
            let ink = sketch.theme.ink_1;
            let top = plot.y_at((bar.total_bytes() / GIB).min(most));
            sketch.outline(
                rect(at.left, top, at.right, area.bottom).grown(1.5),
                stroke(ink, 1.5),
            );
        }
    }
    veil(&mut sketch, &plot, data, &boxes);
    x_labels(&mut sketch, &plot, data, &boxes, focus);
    capacity(&mut sketch, &plot, data);
    cut_labels(&mut sketch, &plot, data, &boxes);
    part_labels(&mut sketch, &plot, data, &boxes);
    sketch.finish()?;

    let pitch = area.width() / count;
    let reaches = (0..data.bars.len())
        .map(|index| {
            let left = area.left + pitch * index as f64;
            Reach::Box {
                left_px: left,
                top_px: area.top,
                right_px: left + pitch,
                bottom_px: area.bottom,
            }
        })
        .collect();
    let start = data.bars.iter().position(|bar| bar.gpus >= data.now_gpus);
    Ok(Hits::new(reaches).starting_at(start.unwrap_or(0)))
}

fn bar_box(plot: &Plot, index: usize) -> Rect {
    let (from, to) = (plot.x_at(index as f64), plot.x_at(index as f64 + 1.0));
    let gap = (to - from) * (1.0 - BAR_SHARE) / 2.0;
    rect(from + gap, plot.area.top, to - gap, plot.area.bottom)
}

fn y_ticks<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot) {
    let ink = sketch.theme.ink_3;
    let ticks = plot.y.ticks((plot.area.height() / 30.0).max(2.0) as usize);
    let ticks = ticks
        .into_iter()
        .map(|value| (value, Words::tick(format::si_tick(value), ink)))
        .collect();
    y_axis(
        sketch,
        plot,
        &Axis {
            ticks,
            minor: Vec::new(),
            name: "GiB per GPU",
        },
        10.0,
    );
}

fn draw_bar<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, bar: &GrowthBar, at: Rect) {
    let mut below = 0.0;
    for (role, bytes) in bar.parts.iter().filter(|(_, bytes)| *bytes > 0.0) {
        let above = (below + bytes / GIB).min(plot.y.high());
        let part = rect(at.left, plot.y_at(above), at.right, plot.y_at(below));
        let colours = sketch.theme.role(*role);
        let (fill, line, dark) = (colours.fill, colours.line, sketch.theme.dark);
        sketch.fill_rect(part, fill);
        if part.height() > 3.0 {
            if dark {
                sketch.fill_rect(
                    Rect {
                        bottom: part.top + size::EDGE_PX,
                        ..part
                    },
                    line,
                );
            } else {
                // A seam between neighbours.
                let seam = sketch.theme.background;
                sketch.fill_rect(
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
fn veil<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, data: &GrowthData, boxes: &[Rect]) {
    let line = plot.y_at(data.usable_bytes / GIB);
    for (bar, at) in data.bars.iter().zip(boxes) {
        let top = plot.y_at((bar.total_bytes() / GIB).min(plot.y.high()));
        if top < line - 0.5 {
            let over = rect(at.left, top, at.right, line);
            let (veil, hatch) = (sketch.theme.veil, sketch.theme.ink_3);
            sketch.fill_rect(over, veil);
            sketch.hatch(
                &over.corners(),
                6.0,
                Hatch::Falling,
                stroke(hatch, size::HAIRLINE_PX),
            );
        }
    }
}

fn x_labels<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &GrowthData,
    boxes: &[Rect],
    focus: Option<usize>,
) {
    let Rect {
        left,
        right,
        bottom,
        ..
    } = plot.area;
    let (ink, grey, strong) = (sketch.theme.ink_1, sketch.theme.ink_3, sketch.theme.strong);
    sketch.line(
        point(left, bottom),
        point(right, bottom),
        stroke(strong, size::HAIRLINE_PX),
    );
    let name = Words::tick("GPUs in all", grey);
    sketch.write_if_free(&name, point(right, bottom + 29.5), Align::End, None);
    let now = data
        .bars
        .iter()
        .position(|bar| bar.gpus.total_cmp(&data.now_gpus).is_eq());
    let order = focus.into_iter().chain(now).chain(0..boxes.len());
    let mut written = vec![false; boxes.len()];
    for index in order {
        let (Some(at), Some(bar)) = (boxes.get(index), data.bars.get(index)) else {
            continue;
        };
        if std::mem::replace(&mut written[index], true) {
            continue;
        }
        let text = format::count(bar.gpus);
        let words = if Some(index) == now || Some(index) == focus {
            Words::tick(text, ink).bold()
        } else {
            Words::tick(text, grey)
        };
        tick_label(sketch, &words, at.centre().x, bottom + 15.0);
    }
    if let Some(at) = now.and_then(|index| boxes.get(index)) {
        let words = Words::tick("now", ink).bold();
        let half = sketch.width(&words) / 2.0;
        let x = at.centre().x.min(sketch.canvas.right - half);
        sketch.write_if_free(&words, point(x, bottom + 29.5), Align::Middle, None);
    }
}

fn capacity<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, data: &GrowthData) {
    let y = plot.y_at(data.usable_bytes / GIB);
    let (ink, background) = (sketch.theme.ink_1, sketch.theme.background);
    let Rect { left, right, .. } = plot.area;
    sketch.line(point(left, y), point(right, y), stroke(ink, 1.5));
    let gib = format!("{} GiB", format::printed(data.usable_bytes / GIB));
    let wordings = [
        vec![Words::label(format!("{} {gib}", data.accelerator), ink).bold()],
        vec![Words::label(gib, ink).bold()],
    ];
    let spots = [spot(point(right - 2.0, y - 3.0), Align::End, Side::Above)];
    sketch.place(&wordings, &spots, &plot.area, &[], Some(background));
}

/// How tall a bar is that the plot cuts.
fn cut_labels<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &GrowthData,
    boxes: &[Rect],
) {
    let (ink, background) = (sketch.theme.ink_2, sketch.theme.background);
    for (bar, at) in data.bars.iter().zip(boxes) {
        let total = bar.total_bytes() / GIB;
        if total <= plot.y.high() {
            continue;
        }
        let words = Words::tick(format::si(total), ink);
        let half = sketch.width(&words) / 2.0;
        let x = at
            .centre()
            .x
            .clamp(half, (sketch.canvas.right - half).max(half));
        let baseline = point(x, plot.area.top + 12.0);
        let bounds = words.bounds(baseline, Align::Middle, 2.0 * half);
        if sketch.is_free_by(&bounds, 6.0) {
            sketch.write(&words, baseline, Align::Middle, Some(background));
        }
    }
}

/// Names of the parts in a column beside the last bar, with elbow leaders.
fn part_labels<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &GrowthData,
    boxes: &[Rect],
) {
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
        let ink = sketch.theme.role(*role).text;
        let words = Words::note(short_name(*role), ink);
        let middle = plot.y_at((low + high) / 2.0);
        let y = middle.min(last - size::LABEL_PITCH_PX);
        let baseline = point(right + 8.0, words.baseline_about(y));
        if y < plot.area.top
            || sketch
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
        let pen = stroke(sketch.theme.strong, size::HAIRLINE_PX);
        sketch.polyline(&elbow, pen);
    }
}

/// A part's name where there is little room.
fn short_name(role: Role) -> &'static str {
    match role {
        Role::Head => "head",
        other => part_name(other),
    }
}
