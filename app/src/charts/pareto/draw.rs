//! The Pareto chart's marks.

use super::labels::{draw_knee, marks, now_label, out_of_memory, pinned_label, slo_label, verdict};
use super::{ParetoData, ParetoPoint, PinnedPareto, worth_drawing};

use crate::charts::frame::{Axis, Plot, axis_box, nothing_to_show, plot_area, x_axis, y_axis};
use crate::charts::geometry::{Hatch, Point, Rect, point, rect};
use crate::charts::hits::{Hits, Reach};
use crate::charts::scale::Scale;
use crate::charts::sketch::{Sketch, stroke};
use crate::charts::surface::{DrawError, Surface};
use crate::charts::text::Words;
use crate::format;
use crate::theme::{Theme, size};

/// Lines that labels keep clear of.
pub(super) type Segments<'a> = &'a [(Point, Point)];

/// Draws the chart; hits are the points of the curve. The keyboard starts at now.
pub fn draw<S: Surface>(
    surface: &mut S,
    data: &ParetoData,
    theme: &Theme,
    focus: Option<usize>,
) -> Result<Hits, DrawError<S>> {
    let mut sketch = Sketch::new(surface, theme);
    let area = plot_area(&sketch.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    let curve = data.drawn();
    let plot = Plot::new(area, x_scale(data, &curve), y_scale(data, &curve));
    let at = |p: &ParetoPoint| plot.at(p.tokens_per_s_per_user, p.tokens_per_s_per_gpu);
    let focused = focus.and_then(|index| curve.get(index));

    draw_axes(&mut sketch, &plot, focused);
    let slo = data
        .slo_tokens_per_s_per_user
        .filter(|least| *least > 0.0 && plot.x.holds(*least));
    if let Some(least) = slo {
        slo_region(&mut sketch, &plot, least);
    }
    if let Some(pinned) = &data.pinned {
        ghost_curve(&mut sketch, &plot, pinned);
    }
    draw_curve(&mut sketch, &curve, at);
    if let Some(sample) = focused {
        ruler(&mut sketch, &plot, at(sample));
    }
    if data.now.draws() {
        sketch.reserve(Rect::about(at(&data.now), 9.5));
    }
    let mut lines: Vec<(Point, Point)> = curve
        .iter()
        .map(at)
        .zip(curve.iter().skip(1).map(at))
        .collect();
    lines.extend(arrow(&mut sketch, &plot, data));
    now_label(&mut sketch, &plot, data, &lines);
    pinned_label(&mut sketch, &plot, data, &lines);
    if let Some(least) = slo {
        slo_label(&mut sketch, &plot, least);
    }
    let on_axes = |p: &ParetoPoint| {
        p.draws() && plot.x.holds(p.tokens_per_s_per_user) && plot.y.holds(p.tokens_per_s_per_gpu)
    };
    if let Some(knee) = data.knee.as_ref().filter(|knee| on_axes(&knee.point)) {
        draw_knee(&mut sketch, &plot, data, knee, &lines);
    }
    out_of_memory(&mut sketch, &plot, data, &curve, &lines);
    marks(&mut sketch, &plot, data, &curve, &lines);
    if curve.is_empty() {
        nothing_to_show(&mut sketch, &area, "no batch can be evaluated");
    }
    if let Some(sample) = focused {
        let ink = sketch.theme.ink_1;
        sketch.rimmed_point(at(sample), 4.2, ink);
    }
    if data.now.draws() {
        draw_now(&mut sketch, at(&data.now), data.now.fits);
    }
    sketch.finish()?;

    let reaches = curve
        .iter()
        .map(at)
        .map(|p| Reach::Point {
            x_px: p.x,
            y_px: p.y,
        })
        .collect();
    let start = curve
        .iter()
        .position(|p| p.batch_per_gpu >= data.now.batch_per_gpu)
        .unwrap_or(0);
    Ok(Hits::new(reaches).starting_at(start))
}

/// Every point the axes must hold.
fn all_points<'a>(
    data: &'a ParetoData,
    curve: &'a [ParetoPoint],
) -> impl Iterator<Item = ParetoPoint> + 'a {
    let pinned = data.pinned.iter().flat_map(|pinned| {
        worth_drawing(&pinned.curve, &pinned.now)
            .into_iter()
            .chain([pinned.now])
    });
    curve
        .iter()
        .copied()
        .chain([data.now])
        .chain(pinned)
        .filter(ParetoPoint::draws)
}

fn x_scale(data: &ParetoData, curve: &[ParetoPoint]) -> Scale {
    let fastest = all_points(data, curve)
        .map(|p| p.tokens_per_s_per_user)
        .fold(0.0, f64::max);
    Scale::linear(0.0, fastest * 1.07)
}

/// The flat top of a curve leaves room above it for its labels.
const HEADROOM: f64 = 1.25;

fn y_scale(data: &ParetoData, curve: &[ParetoPoint]) -> Scale {
    let highest = all_points(data, curve)
        .map(|p| p.tokens_per_s_per_gpu)
        .fold(0.0, f64::max);
    Scale::linear(
        0.0,
        if highest > 0.0 {
            highest * HEADROOM
        } else {
            1.0
        },
    )
}

fn draw_axes<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, focused: Option<&ParetoPoint>) {
    let ink = sketch.theme.ink_3;
    if let Some(sample) = focused {
        let speed = sample.tokens_per_s_per_user;
        axis_box(
            sketch,
            &format::sig3(speed),
            plot.x_at(speed),
            plot.area.bottom + 11.5,
        );
    }
    let words = |value: f64| (value, Words::tick(format::si_tick(value), ink));
    let ticks =
        |scale: &Scale, length: f64, pitch: f64| scale.ticks((length / pitch).max(2.0) as usize);
    let y = ticks(&plot.y, plot.area.height(), 26.0)
        .into_iter()
        .map(words)
        .collect();
    y_axis(
        sketch,
        plot,
        &Axis {
            ticks: y,
            minor: Vec::new(),
            name: "tokens/s per GPU",
        },
        10.0,
    );
    let x = ticks(&plot.x, plot.area.width(), 44.0)
        .into_iter()
        .map(words)
        .collect();
    x_axis(
        sketch,
        plot,
        &Axis {
            ticks: x,
            minor: Vec::new(),
            name: "tokens/s per user",
        },
    );
}

fn slo_region<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, least: f64) {
    let Rect {
        left, top, bottom, ..
    } = plot.area;
    let x = plot.x_at(least);
    let missed = rect(left, top, x, bottom);
    sketch.hatch(
        &missed.corners(),
        9.0,
        Hatch::Rising,
        stroke(sketch.theme.line, size::HAIRLINE_PX),
    );
    sketch.line(
        point(x, top),
        point(x, bottom),
        stroke(sketch.theme.ink_2, 1.2),
    );
}

/// Splits a curve into what fits, solid, and what does not, which begins where the other ends.
pub(super) fn split(curve: &[ParetoPoint]) -> (&[ParetoPoint], &[ParetoPoint]) {
    let end = curve
        .iter()
        .position(|point| !point.fits)
        .unwrap_or(curve.len());
    (
        curve.get(..end).unwrap_or_default(),
        curve.get(end.saturating_sub(1)..).unwrap_or_default(),
    )
}

fn draw_curve<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    curve: &[ParetoPoint],
    at: impl Fn(&ParetoPoint) -> Point,
) {
    let ink = sketch.theme.ink_1;
    let (fits, beyond) = split(curve);
    let line = |points: &[ParetoPoint]| points.iter().map(&at).collect::<Vec<Point>>();
    if beyond.len() > 1 {
        sketch.dotted(&line(beyond), 4.5, 1.1, ink);
    }
    sketch.polyline(&line(fits), stroke(ink, size::CURVE_PX));
}

fn ghost_curve<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, pinned: &PinnedPareto) {
    let drawn = worth_drawing(&pinned.curve, &pinned.now);
    let (fits, beyond) = split(&drawn);
    let line = |points: &[ParetoPoint]| -> Vec<Point> {
        points
            .iter()
            .map(|p| plot.at(p.tokens_per_s_per_user, p.tokens_per_s_per_gpu))
            .collect()
    };
    let grey = sketch.theme.ink_3;
    if beyond.len() > 1 {
        sketch.dotted(&line(beyond), 4.0, 0.8, grey);
    }
    sketch.dashed(&line(fits), (4.0, 3.0), stroke(grey, 1.3));
}

/// The arrow from now to the pinned point; returns its line.
fn arrow<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &ParetoData,
) -> Option<(Point, Point)> {
    let pinned = data
        .pinned
        .as_ref()
        .filter(|pinned| pinned.now.draws() && data.now.draws())?;
    let place = |p: &ParetoPoint| plot.at(p.tokens_per_s_per_user, p.tokens_per_s_per_gpu);
    let (from, to) = (place(&data.now), place(&pinned.now));
    let (grey, background) = (sketch.theme.ink_3, sketch.theme.background);
    sketch.disc(to, 6.0, background);
    sketch.dashed_ring(to, 5.5, stroke(grey, 1.3));
    sketch.reserve(Rect::about(to, 6.5));
    if from.distance(to) < 34.0 {
        return None;
    }
    let (_, colour) = verdict(sketch.theme, data);
    let (start, tip) = (from.along(to, 12.0), to.along(from, 8.5));
    sketch.polyline(&[start, tip], stroke(colour, 1.5));
    let back = tip.along(from, 9.0);
    let (dx, dy) = ((tip.y - back.y) * 0.38, (back.x - tip.x) * 0.38);
    let barbs = [
        point(back.x + dx, back.y + dy),
        tip,
        point(back.x - dx, back.y - dy),
    ];
    sketch.polyline(&barbs, stroke(colour, 1.5));
    Some((start, tip))
}

fn draw_now<S: Surface>(sketch: &mut Sketch<'_, S>, at: Point, fits: bool) {
    let (ink, background) = (
        if fits {
            sketch.theme.ink_1
        } else {
            sketch.theme.bad
        },
        sketch.theme.background,
    );
    sketch.disc(at, 8.6, background);
    sketch.ring(at, 7.8, stroke(ink, 1.4));
    if fits {
        sketch.disc(at, 4.0, ink);
    } else {
        sketch.ring(at, 3.4, stroke(ink, 1.4));
    }
}

fn ruler<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, at: Point) {
    let pen = stroke(sketch.theme.ink_2, size::HAIRLINE_PX);
    sketch.dashed_rule(at, point(at.x, plot.area.bottom), (1.5, 2.5), pen);
    sketch.dashed_rule(point(plot.area.left, at.y), at, (1.5, 2.5), pen);
}
