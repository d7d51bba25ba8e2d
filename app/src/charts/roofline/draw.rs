//! The roofline chart's marks.

use super::labels::{self, Mark};
use super::{Peak, RooflineData, RooflinePosition, Roofs, TERA};
use crate::charts::frame::{Axis, Plot, axis_box, nothing_to_show, plot_area, x_axis, y_axis};
use crate::charts::geometry::{Point, Rect, point};
use crate::charts::hits::{Hits, Reach};
use crate::charts::scale::{Scale, floor_125};
use crate::charts::sketch::{Sketch, stroke};
use crate::charts::surface::{DrawError, Surface};
use crate::charts::text::{Align, Side, Words, spot};
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
    shade(&mut sketch, &plot, &data.roofs);
    if let Some(pinned) = &data.pinned_roofs {
        draw_pinned_roofs(&mut sketch, &plot, pinned);
    }
    draw_roofs(&mut sketch, &plot, &data.roofs);
    ghosts(&mut sketch, &marks);
    if let Some(mark) = focused {
        ruler(&mut sketch, &plot, mark);
    }

    for mark in &marks {
        sketch.reserve(Rect::about(mark.at, mark.radius + 1.5));
    }
    name_peaks(&mut sketch, &plot, &data.roofs);
    let segments = roof_segments(&plot, &data.roofs);
    let ridges = ridge_lines(&plot, &data.roofs);
    let leaders = labels::write(&mut sketch, &plot, &marks, &segments, &ridges);
    name_bandwidth(&mut sketch, &plot, &data.roofs, &leaders);
    let lines = [segments, ridges.clone(), leaders].concat();
    name_ridges(&mut sketch, &plot, &data.roofs, &lines);
    name_regions(&mut sketch, &plot, &ridges);
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

/// The corners of a roof: from the left edge up to the ridge and level to the right edge.
fn roof_line(plot: &Plot, roofs: &Roofs, peak: &Peak) -> [Point; 3] {
    let left = plot.x.low();
    let start = (left * roofs.hbm_bytes_per_s).min(peak.flop_per_s);
    let ridge = roofs.ridge_flop_per_byte(peak).max(left);
    let top = peak.flop_per_s / TERA;
    [
        plot.at(left, start / TERA),
        plot.at(ridge, top),
        plot.at(plot.x.high(), top),
    ]
}

/// The peaks from the lowest to the highest.
fn ascending(roofs: &Roofs) -> Vec<&Peak> {
    let mut peaks: Vec<&Peak> = roofs.peaks.iter().collect();
    peaks.sort_by(|a, b| a.flop_per_s.total_cmp(&b.flop_per_s));
    peaks
}

fn roof_segments(plot: &Plot, roofs: &Roofs) -> Vec<(Point, Point)> {
    ascending(roofs)
        .into_iter()
        .flat_map(|peak| {
            let [start, ridge, end] = roof_line(plot, roofs, peak);
            [(start, ridge), (ridge, end)]
        })
        .collect()
}

fn ridge_lines(plot: &Plot, roofs: &Roofs) -> Vec<(Point, Point)> {
    ascending(roofs)
        .into_iter()
        .map(|peak| {
            let [_, ridge, _] = roof_line(plot, roofs, peak);
            (ridge, point(ridge.x, plot.area.bottom))
        })
        .collect()
}

fn shade<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, roofs: &Roofs) {
    if let Some(peak) = ascending(roofs).first() {
        let [start, ridge, _] = roof_line(plot, roofs, peak);
        let floor = |p: Point| point(p.x, plot.area.bottom);
        sketch.fill(
            &[start, ridge, floor(ridge), floor(start)],
            sketch.theme.shade,
        );
    }
}

fn draw_roofs<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, roofs: &Roofs) {
    let (ink, dots) = (sketch.theme.ink_1, sketch.theme.ink_2);
    for (ridge, foot) in ridge_lines(plot, roofs) {
        sketch.dashed_rule(ridge, foot, (1.5, 3.0), stroke(dots, size::HAIRLINE_PX));
    }
    for peak in ascending(roofs) {
        sketch.polyline(&roof_line(plot, roofs, peak), stroke(ink, size::ROOF_PX));
    }
}

fn draw_pinned_roofs<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, roofs: &Roofs) {
    if !roofs.usable() {
        return;
    }
    let ink = sketch.theme.ink_3;
    for peak in ascending(roofs) {
        sketch.dashed(
            &roof_line(plot, roofs, peak),
            (4.0, 3.0),
            stroke(ink, size::HAIRLINE_PX),
        );
    }
}

fn name_peaks<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, roofs: &Roofs) {
    for peak in ascending(roofs).into_iter().rev() {
        let [_, _, end] = roof_line(plot, roofs, peak);
        let words = Words::label(
            format!(
                "{} {}",
                peak.format,
                format::printed(peak.flop_per_s / TERA)
            ),
            sketch.theme.ink_2,
        );
        let spots = [
            spot(point(end.x, end.y - 2.0), Align::End, Side::Above),
            spot(point(end.x, end.y + 3.0), Align::End, Side::Below),
        ];
        sketch.place(
            &[vec![words]],
            &spots,
            &sketch.canvas.clone(),
            &[],
            Some(sketch.theme.background),
        );
    }
}

/// The bandwidth along the slope, where it is free.
fn name_bandwidth<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    roofs: &Roofs,
    leaders: &[(Point, Point)],
) {
    let Some(peak) = ascending(roofs).last().copied() else {
        return;
    };
    let [start, ridge, _] = roof_line(plot, roofs, peak);
    let words = Words::note(
        format!("HBM {}", format::bandwidth(roofs.hbm_bytes_per_s)),
        sketch.theme.ink_2,
    );
    let (length, slope) = (sketch.width(&words), start.distance(ridge));
    let (dx, dy) = (
        (ridge.x - start.x) / slope.max(1.0),
        (ridge.y - start.y) / slope.max(1.0),
    );
    // The baseline runs parallel to the roof, a little above it.
    let above = |p: Point| point(p.x + dy * 5.0, p.y - dx * 5.0);
    let boxes = |from: f64| {
        let steps = (length / 6.0).ceil() as usize + 1;
        let middle = move |i: usize| start.along(ridge, from + i as f64 * 6.0);
        (0..steps).map(move |i| {
            let m = middle(i);
            Rect::about(point(m.x + dy * 9.5, m.y - dx * 9.5), 4.0)
        })
    };
    let mut from = 4.0_f64.max((slope - length) * 0.04);
    while from + length < slope {
        let clear = |part: &Rect| leaders.iter().all(|(a, b)| part.clip(*a, *b).is_none());
        if boxes(from).all(|part| sketch.is_free(&part) && clear(&part)) {
            let degrees = libm::atan2(dy, dx).to_degrees();
            sketch.write_turned(
                &words,
                above(start.along(ridge, from)),
                degrees,
                Some(sketch.theme.background),
            );
            boxes(from).for_each(|part| sketch.reserve(part));
            return;
        }
        from += 4.0;
    }
}

fn name_ridges<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    roofs: &Roofs,
    lines: &[(Point, Point)],
) {
    let (grey, ink, background) = (
        sketch.theme.ink_2,
        sketch.theme.ink_1,
        sketch.theme.background,
    );
    let ridges = ridge_lines(plot, roofs);
    for (peak, (top, foot)) in ascending(roofs).into_iter().zip(ridges).rev() {
        let value = Words::note(format::sig3(roofs.ridge_flop_per_byte(peak)), ink).bold();
        let unit = || Words::note("FLOP/B", grey);
        let full = if roofs.peaks.len() > 1 {
            format!("{} ridge", peak.format)
        } else {
            "ridge".to_owned()
        };
        let wordings = [
            vec![Words::note(full, grey), value.clone(), unit()],
            vec![Words::note("ridge", grey), value.clone(), unit()],
            vec![Words::note("ridge", grey), value],
        ];
        for (away, align) in [(5.0, Align::Start), (-5.0, Align::End)] {
            let spots = [0.32, 0.45, 0.22, 0.58, 0.12, 0.7, 0.8].map(|share| {
                spot(
                    point(top.x + away, top.y + (foot.y - top.y) * share),
                    align,
                    Side::Below,
                )
            });
            if sketch
                .place(&wordings, &spots, &plot.area, lines, Some(background))
                .is_some()
            {
                break;
            }
        }
    }
}

fn name_regions<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, ridges: &[(Point, Point)]) {
    let (Some((_, first)), Some((_, last))) = (ridges.first(), ridges.last()) else {
        return;
    };
    let grey = sketch.theme.ink_2;
    let y = plot.area.bottom - 4.0;
    for (word, at, align) in [
        ("memory-bound", point(first.x - 6.0, y), Align::End),
        ("compute-bound", point(last.x + 6.0, y), Align::Start),
    ] {
        let wordings = [vec![Words::label(word, grey)]];
        sketch.place(
            &wordings,
            &[spot(at, align, Side::Above)],
            &plot.area,
            ridges,
            None,
        );
    }
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
