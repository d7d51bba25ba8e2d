//! The roofline chart's marks.

use super::labels::{self, Mark};
use super::roofs;
use super::{RooflineData, RooflinePosition, Roofs, TERA};

use crate::charts::frame::{Axis, Plot, axis_box, nothing_to_show, plot_area, x_axis, y_axis};
use crate::charts::geometry::{Rect, point};
use crate::charts::hits::{Hits, Reach};
use crate::charts::scale::{Scale, floor_125};
use crate::charts::sketch::{Sketch, stroke};
use crate::charts::surface::{DrawError, Surface};
use crate::charts::text::{Align, Words};
use crate::format;
use crate::theme::{Colour, Role, Theme, size};

/// Draws the chart; hits are the plotted operators by intensity.
pub fn draw<S: Surface>(
    surface: &mut S,
    data: &RooflineData,
    theme: &Theme,
    focus: Option<usize>,
) -> Result<Hits, DrawError<S>> {
    let mut sketch = Sketch::new(surface, theme);
    let area = plot_area(&sketch.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    if !data.roofs.usable() {
        nothing_to_show(&mut sketch, &area, "no accelerator to compare with");
        sketch.finish()?;
        return Ok(Hits::default());
    }
    let plot = Plot::new(area, x_scale(data), y_scale(data));
    let marks = marks(data, &plot, theme);
    let hits = Hits::new(
        marks
            .iter()
            .map(|mark| Reach::Point {
                x_px: mark.at.x,
                y_px: mark.at.y,
            })
            .collect(),
    );
    let focused = focus.and_then(|index| marks.get(index));

    draw_axes(
        &mut sketch,
        &plot,
        focused.map(|mark| (mark.at.x, mark.intensity)),
    );
    roofs::shade(&mut sketch, &plot, &data.roofs);
    if let Some(pinned) = &data.pinned_roofs {
        roofs::draw_pinned_roofs(&mut sketch, &plot, pinned);
    }
    roofs::draw_roofs(&mut sketch, &plot, &data.roofs);
    ghosts(&mut sketch, &marks);
    if let Some(mark) = focused {
        ruler(&mut sketch, &plot, mark);
    }

    for mark in &marks {
        sketch.reserve(Rect::about(mark.at, mark.radius + 1.5));
    }
    roofs::name_peaks(&mut sketch, &plot, &data.roofs);
    let segments = roofs::roof_segments(&plot, &data.roofs);
    let ridges = roofs::ridge_lines(&plot, &data.roofs);
    let leaders = labels::write(&mut sketch, &plot, &marks, &segments, &ridges);
    roofs::name_bandwidth(&mut sketch, &plot, &data.roofs, &leaders);
    let lines = [segments, ridges.clone(), leaders].concat();
    roofs::name_ridges(&mut sketch, &plot, &data.roofs, &lines);
    roofs::name_regions(&mut sketch, &plot, &ridges);
    if marks.is_empty() {
        nothing_to_show(&mut sketch, &area, "no operators");
    }

    for mark in &marks {
        draw_point(
            &mut sketch,
            mark,
            focused.is_some_and(|other| std::ptr::eq(other, mark)),
        );
    }
    sketch.finish()?;
    Ok(hits)
}

/// Every position the axes must hold.
fn positions(data: &RooflineData) -> impl Iterator<Item = RooflinePosition> + '_ {
    data.operators
        .iter()
        .flat_map(|operator| [Some(operator.position), operator.pinned])
        .flatten()
        .filter(RooflinePosition::plots)
}

fn all_roofs(data: &RooflineData) -> impl Iterator<Item = &Roofs> + '_ {
    [Some(&data.roofs), data.pinned_roofs.as_ref()]
        .into_iter()
        .flatten()
        .filter(|roofs| roofs.usable())
}

fn ridges(data: &RooflineData) -> impl Iterator<Item = f64> + '_ {
    all_roofs(data).flat_map(|roofs| {
        roofs
            .peaks
            .iter()
            .map(|peak| roofs.ridge_flop_per_byte(peak))
    })
}

fn x_scale(data: &RooflineData) -> Scale {
    let intensities = || positions(data).map(|position| position.intensity_flop_per_byte);
    let low = intensities()
        .map(|x| x / 2.5)
        .chain(ridges(data).map(|x| x / 10.0))
        .fold(f64::INFINITY, f64::min);
    let high = intensities()
        .map(|x| x * 2.0)
        .chain(ridges(data).map(|x| x * 5.0))
        .fold(0.0, f64::max);
    Scale::log(floor_125(low), high)
}

fn y_scale(data: &RooflineData) -> Scale {
    let left = x_scale(data).low();
    let achieved = || positions(data).map(|position| position.achieved_flop_per_s / TERA);
    let peaks =
        || all_roofs(data).flat_map(|roofs| roofs.peaks.iter().map(|peak| peak.flop_per_s / TERA));
    let starts = all_roofs(data).map(|roofs| {
        let lowest = roofs
            .peaks
            .iter()
            .map(|peak| peak.flop_per_s)
            .fold(f64::INFINITY, f64::min);
        (left * roofs.hbm_bytes_per_s).min(lowest) / TERA
    });
    let low = achieved()
        .map(|y| y * 0.8)
        .chain(starts)
        .fold(f64::INFINITY, f64::min);
    let high = achieved().chain(peaks()).fold(0.0, f64::max);
    Scale::log(floor_125(low), high * 1.4)
}

fn draw_axes<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, focus: Option<(f64, f64)>) {
    let ink = sketch.theme.ink_3;
    if let Some((x, intensity)) = focus {
        axis_box(sketch, &format::sig3(intensity), x, plot.area.bottom + 11.5);
    }
    let worded = |value: f64| (value, Words::tick(format::printed(value), ink));
    let y = Axis {
        ticks: plot
            .y
            .ticks((plot.area.height() / 24.0) as usize)
            .into_iter()
            .map(worded)
            .collect(),
        minor: Vec::new(),
        name: "TFLOP/s per GPU, log",
    };
    y_axis(sketch, plot, &y, 10.0);
    let x = Axis {
        ticks: plot
            .x
            .ticks((plot.area.width() / 34.0) as usize)
            .into_iter()
            .map(worded)
            .collect(),
        minor: plot.x.minor_ticks(),
        name: "FLOP per byte from HBM, log",
    };
    x_axis(sketch, plot, &x);
}

fn marks(data: &RooflineData, plot: &Plot, theme: &Theme) -> Vec<Mark> {
    let plotted = data.plotted();
    let shares = || {
        plotted
            .iter()
            .filter_map(|index| data.operators.get(*index))
            .map(|o| o.share_of_step)
    };
    let largest = shares().fold(0.0, f64::max);
    let mut marks: Vec<Mark> = plotted
        .iter()
        .filter_map(|index| data.operators.get(*index))
        .map(|operator| {
            let RooflinePosition {
                intensity_flop_per_byte,
                achieved_flop_per_s,
            } = operator.position;
            let important = operator.share_of_step >= (largest * 0.4).max(0.05);
            let at = |p: RooflinePosition| {
                plot.at(p.intensity_flop_per_byte, p.achieved_flop_per_s / TERA)
            };
            let of_peak = data.peak_of(operator).filter(|_| important).map(|peak| {
                format!(
                    ", {} of {}",
                    format::share(achieved_flop_per_s / peak.flop_per_s),
                    peak.format
                )
            });
            Mark {
                at: at(operator.position),
                ghost: operator.pinned.filter(RooflinePosition::plots).map(at),
                radius: if important { 5.0 } else { 4.0 },
                important,
                share: operator.share_of_step,
                colour: theme.role(operator.role).line,
                rim: (operator.role == Role::Head).then_some(theme.role(operator.role).text),
                kv_ring: operator.reads_kv.then_some(theme.role(Role::Kv).line),
                name: operator.name.clone(),
                value: format::sig3(intensity_flop_per_byte),
                of_peak: of_peak.unwrap_or_default(),
                ridge_batch: operator.ridge_batch_per_gpu.filter(|_| important),
                intensity: intensity_flop_per_byte,
            }
        })
        .collect();
    keep_first_ridge_batch(&mut marks);
    marks
}

/// Only the operator with the largest share has room for its ridge batch.
fn keep_first_ridge_batch(marks: &mut [Mark]) {
    let largest = marks.iter().map(|mark| mark.share).fold(0.0, f64::max);
    for mark in marks {
        mark.ridge_batch = mark.ridge_batch.filter(|_| mark.share >= largest);
    }
}

fn ghosts<S: Surface>(sketch: &mut Sketch<'_, S>, marks: &[Mark]) {
    let pen = stroke(sketch.theme.ink_3, size::HAIRLINE_PX);
    for mark in marks {
        let Some(ghost) = mark.ghost.filter(|ghost| ghost.distance(mark.at) > 3.0) else {
            continue;
        };
        sketch.dashed(&[ghost.along(mark.at, 4.0), mark.at], (3.0, 2.5), pen);
        sketch.dashed_ring(ghost, 3.8, stroke(sketch.theme.ink_3, 1.2));
    }
    let named = marks
        .iter()
        .filter(|mark| {
            mark.ghost
                .is_some_and(|ghost| ghost.distance(mark.at) > 14.0)
        })
        .max_by(|a, b| a.share.total_cmp(&b.share));
    if let Some((mark, ghost)) = named.and_then(|mark| Some((mark, mark.ghost?))) {
        let away = if ghost.x < mark.at.x { -1.0 } else { 1.0 };
        let align = if away < 0.0 { Align::End } else { Align::Start };
        let words = Words::label("A", sketch.theme.ink_2).bold();
        let at = point(ghost.x + away * 7.0, words.baseline_about(ghost.y));
        sketch.write_if_free(&words, at, align, Some(sketch.theme.background));
    }
}

fn draw_point<S: Surface>(sketch: &mut Sketch<'_, S>, mark: &Mark, focused: bool) {
    sketch.rimmed_point(mark.at, mark.radius, mark.colour);
    if let Some(rim) = mark.rim {
        sketch.ring(mark.at, mark.radius - 0.4, stroke(rim, 1.0));
    }
    if let Some(kv) = mark.kv_ring {
        sketch.ring(mark.at, mark.radius + 1.3, stroke(kv, 2.0));
    }
    if focused {
        let ink: Colour = sketch.theme.ink_1;
        sketch.ring(mark.at, mark.radius + 3.5, stroke(ink, 1.3));
    }
}

fn ruler<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, mark: &Mark) {
    let pen = stroke(sketch.theme.ink_2, size::HAIRLINE_PX);
    sketch.dashed_rule(mark.at, point(mark.at.x, plot.area.bottom), (1.5, 2.5), pen);
    sketch.dashed_rule(point(plot.area.left, mark.at.y), mark.at, (1.5, 2.5), pen);
}
