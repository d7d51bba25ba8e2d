//! The roofline chart's marks.

use super::labels::{self, Mark};
use super::roofs;
use super::{RooflineData, RooflinePosition, Roofs, TERA};
use crate::charts::prelude::*;

/// Draws the chart; hits are the plotted operators by intensity.
pub fn draw(pen: &mut Pen<'_>, data: &RooflineData) -> Hits {
    let theme = pen.theme;
    let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    if !data.roofs.usable() {
        nothing_to_show(pen, &area, "no accelerator to compare with");
        return Hits::default();
    }
    let plot = Plot::new(area, x_scale(data), y_scale(data));
    let marks = marks(data, &plot, theme);
    let hits = Hits::points(marks.iter().map(|mark| mark.at)).on(&plot);

    draw_axes(pen, &plot);
    roofs::shade(pen, &plot, &data.roofs);
    if let Some(pinned) = &data.pinned_roofs {
        roofs::draw_pinned_roofs(pen, &plot, pinned);
    }
    roofs::draw_roofs(pen, &plot, &data.roofs);
    ghosts(pen, &marks);
    pen.seam();

    for mark in &marks {
        pen.reserve(Rect::about(mark.at, mark.radius + 1.5));
    }
    roofs::name_peaks(pen, &plot, &data.roofs);
    let segments = roofs::roof_segments(&plot, &data.roofs);
    let ridges = roofs::ridge_lines(&plot, &data.roofs);
    let leaders = labels::write(pen, &plot, &marks, &segments, &ridges);
    roofs::name_bandwidth(pen, &plot, &data.roofs, &leaders);
    let lines = [segments, ridges.clone(), leaders].concat();
    roofs::name_ridges(pen, &plot, &data.roofs, &lines);
    roofs::name_regions(pen, &plot, &ridges);
    if marks.is_empty() {
        nothing_to_show(pen, &area, "no operators");
    }

    for mark in &marks {
        draw_point(pen, mark);
    }
    hits
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

fn draw_axes(pen: &mut Pen<'_>, plot: &Plot) {
    let ink = pen.theme.ink_3;
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
    y_axis(pen, plot, &y, 10.0);
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
    x_axis(pen, plot, &x);
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

fn ghosts(pen: &mut Pen<'_>, marks: &[Mark]) {
    let style = stroke(pen.theme.ink_3, size::HAIRLINE_PX);
    for mark in marks {
        let Some(ghost) = mark.ghost.filter(|ghost| ghost.distance(mark.at) > 3.0) else {
            continue;
        };
        pen.dashed(&[ghost.along(mark.at, 4.0), mark.at], (3.0, 2.5), style);
        pen.dashed_ring(ghost, 3.8, stroke(pen.theme.ink_3, 1.2));
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
        let words = Words::label("A", pen.theme.ink_2).bold();
        let at = point(ghost.x + away * 7.0, words.baseline_about(ghost.y));
        pen.write_if_free(&words, at, align, Some(pen.theme.background));
    }
}

fn draw_point(pen: &mut Pen<'_>, mark: &Mark) {
    pen.rimmed_point(mark.at, mark.radius, mark.colour);
    if let Some(rim) = mark.rim {
        pen.ring(mark.at, mark.radius - 0.4, stroke(rim, 1.0));
    }
    if let Some(kv) = mark.kv_ring {
        pen.ring(mark.at, mark.radius + 1.3, stroke(kv, 2.0));
    }
}
