//! The Pareto chart's marks.

use super::labels::{draw_knee, marks, now_label, out_of_memory, pinned_label, slo_label, verdict};
use super::{ParetoData, ParetoPoint, PinnedPareto, worth_drawing};
use crate::charts::prelude::*;

/// Lines that labels keep clear of.
pub(super) type Segments<'a> = &'a [(Point, Point)];

/// Draws the chart; hits are the points of the curve. The keyboard starts at now.
pub fn draw(pen: &mut Pen<'_>, data: &ParetoData) -> Hits {
    let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    let curve = data.drawn();
    let plot = Plot::new(area, x_scale(data, &curve), y_scale(data, &curve));
    let at = |p: &ParetoPoint| plot.at(p.tokens_per_s_per_user, p.tokens_per_s_per_gpu);

    si_axes(pen, &plot, "tokens/s per GPU", "tokens/s per user");
    let slo = data
        .slo_tokens_per_s_per_user
        .filter(|least| *least > 0.0 && plot.x.holds(*least));
    if let Some(least) = slo {
        slo_region(pen, &plot, least);
    }
    if let Some(pinned) = &data.pinned {
        ghost_curve(pen, &plot, pinned);
    }
    draw_curve(pen, &curve, at);
    pen.seam();
    if data.now.draws() {
        pen.reserve(Rect::about(at(&data.now), 9.5));
    }
    let mut lines: Vec<(Point, Point)> = curve
        .iter()
        .map(at)
        .zip(curve.iter().skip(1).map(at))
        .collect();
    lines.extend(arrow(pen, &plot, data));
    now_label(pen, &plot, data, &lines);
    pinned_label(pen, &plot, data, &lines);
    if let Some(least) = slo {
        slo_label(pen, &plot, least);
    }
    let on_axes = |p: &ParetoPoint| {
        p.draws() && plot.x.holds(p.tokens_per_s_per_user) && plot.y.holds(p.tokens_per_s_per_gpu)
    };
    if let Some(knee) = data.knee.as_ref().filter(|knee| on_axes(&knee.point)) {
        draw_knee(pen, &plot, data, knee, &lines);
    }
    out_of_memory(pen, &plot, data, &curve, &lines);
    marks(pen, &plot, data, &curve, &lines);
    if curve.is_empty() {
        nothing_to_show(pen, &area, "no batch can be evaluated");
    }
    if data.now.draws() {
        pen.now(at(&data.now), data.now.fits);
    }

    let start = curve
        .iter()
        .position(|p| p.batch_per_gpu >= data.now.batch_per_gpu)
        .unwrap_or(0);
    Hits::points(curve.iter().map(at))
        .on(&plot)
        .starting_at(start)
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

fn slo_region(pen: &mut Pen<'_>, plot: &Plot, least: f64) {
    let Rect {
        left, top, bottom, ..
    } = plot.area;
    let x = plot.x_at(least);
    let missed = rect(left, top, x, bottom);
    pen.hatch(
        &missed.corners(),
        9.0,
        Hatch::Rising,
        stroke(pen.theme.line, size::HAIRLINE_PX),
    );
    pen.line(
        point(x, top),
        point(x, bottom),
        stroke(pen.theme.ink_2, 1.2),
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

fn draw_curve(pen: &mut Pen<'_>, curve: &[ParetoPoint], at: impl Fn(&ParetoPoint) -> Point) {
    let ink = pen.theme.ink_1;
    let (fits, beyond) = split(curve);
    let line = |points: &[ParetoPoint]| points.iter().map(&at).collect::<Vec<Point>>();
    if beyond.len() > 1 {
        pen.dotted(&line(beyond), 4.5, 1.1, ink);
    }
    pen.polyline(&line(fits), stroke(ink, size::CURVE_PX));
}

fn ghost_curve(pen: &mut Pen<'_>, plot: &Plot, pinned: &PinnedPareto) {
    let drawn = worth_drawing(&pinned.curve, &pinned.now);
    let (fits, beyond) = split(&drawn);
    let line = |points: &[ParetoPoint]| -> Vec<Point> {
        points
            .iter()
            .map(|p| plot.at(p.tokens_per_s_per_user, p.tokens_per_s_per_gpu))
            .collect()
    };
    let grey = pen.theme.ink_3;
    if beyond.len() > 1 {
        pen.dotted(&line(beyond), 4.0, 0.8, grey);
    }
    pen.dashed(&line(fits), (4.0, 3.0), stroke(grey, 1.3));
}

/// The arrow from now to the pinned point; returns its line.
fn arrow(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData) -> Option<(Point, Point)> {
    let pinned = data
        .pinned
        .as_ref()
        .filter(|pinned| pinned.now.draws() && data.now.draws())?;
    let place = |p: &ParetoPoint| plot.at(p.tokens_per_s_per_user, p.tokens_per_s_per_gpu);
    let (from, to) = (place(&data.now), place(&pinned.now));
    let (grey, background) = (pen.theme.ink_3, pen.theme.background);
    pen.disc(to, 6.0, background);
    pen.dashed_ring(to, 5.5, stroke(grey, 1.3));
    pen.reserve(Rect::about(to, 6.5));
    if from.distance(to) < 34.0 {
        return None;
    }
    let (_, colour) = verdict(pen.theme, data);
    let (start, tip) = (from.along(to, 12.0), to.along(from, 8.5));
    pen.polyline(&[start, tip], stroke(colour, 1.5));
    let back = tip.along(from, 9.0);
    let (dx, dy) = ((tip.y - back.y) * 0.38, (back.x - tip.x) * 0.38);
    let barbs = [
        point(back.x + dx, back.y + dy),
        tip,
        point(back.x - dx, back.y - dy),
    ];
    pen.polyline(&barbs, stroke(colour, 1.5));
    Some((start, tip))
}
