//! The lines across the map: the limits with their names, contours of the metric, the pinned ghost.

use super::cells::clamped;
use super::{ColourRange, LimitLine, MapData, MapPoint};
use crate::charts::prelude::*;

/// The casing that parts a line from the colours under it.
const CASING_PX: f64 = 2.2;

/// Draws every limit, and the pinned scenario's memory as a ghost.
pub(super) fn draw_limits(pen: &mut Pen<'_>, plot: &Plot, data: &MapData) {
    if let Some(pinned) = &data.pinned {
        let (grey, background) = (pen.theme.ink_2, pen.theme.background);
        for part in inside(plot, &pinned.capacity) {
            pen.polyline(&part, stroke(background.with_alpha(0.7), 1.3 + CASING_PX));
            pen.dashed(&part, (4.0, 3.0), stroke(grey, 1.3));
        }
        let (context, batch) = pinned.now;
        if plot.x.holds(context) && plot.y.holds(batch) {
            let at = plot.at(context, batch);
            pen.disc(at, 6.0, background);
            pen.dashed_ring(at, 5.5, stroke(grey, 1.3));
            pen.reserve(Rect::about(at, 6.5));
        }
    }
    for limit in &data.field.limits {
        let (colour, width) = style(pen, limit);
        let casing = pen.theme.background.with_alpha(0.8);
        for part in inside(plot, &limit.line) {
            pen.polyline(&part, stroke(casing, width + CASING_PX));
            pen.polyline(&part, stroke(colour, width));
        }
    }
}

fn style(pen: &Pen<'_>, limit: &LimitLine) -> (Colour, f64) {
    match limit.role {
        Some(role) => (pen.theme.role(role).line, 1.6),
        None => (pen.theme.ink_1, 1.6),
    }
}

/// The stretches of a line on the plane.
fn inside(plot: &Plot, line: &[(f64, f64)]) -> Vec<Vec<Point>> {
    let mut parts: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    for pair in line.windows(2) {
        let [a, b] = pair else { continue };
        let beyond = |batch: f64| batch > plot.y.high() || batch < plot.y.low();
        let (from, to) = (clamped(plot, *a), clamped(plot, *b));
        if beyond(a.1) && beyond(b.1) && (from.y - to.y).abs() < 1e-6 {
            open = false;
            continue;
        }
        match parts.last_mut().filter(|_| open) {
            Some(part) => part.push(to),
            None => parts.push(vec![from, to]),
        }
        open = true;
    }
    parts
}

/// Names every limit beside its line.
pub(super) fn label_limits(pen: &mut Pen<'_>, plot: &Plot, data: &MapData) {
    let background = pen.theme.background;
    let lines: Vec<(Point, Point)> = data
        .field
        .limits
        .iter()
        .flat_map(|limit| inside(plot, &limit.line))
        .flat_map(|part| {
            let pairs = part.windows(2).map(|pair| (pair[0], pair[1]));
            pairs.collect::<Vec<_>>()
        })
        .collect();
    for limit in &data.field.limits {
        let ink = match limit.role {
            Some(role) => pen.theme.role(role).text,
            None => pen.theme.ink_1,
        };
        let symbol = || Words::note(limit.symbol.clone(), ink).bold();
        let wordings = [
            vec![
                Words::sized(size::ANNOTATION_PX)
                    .and_bold(limit.symbol.clone(), ink)
                    .and(format!(" {}", limit.meaning), ink),
            ],
            vec![symbol()],
        ];
        let spots = along(plot, limit);
        let placed = pen.place(&wordings, &spots, &plot.area, &lines, Some(background));
        if placed.is_none() {
            pen.place(&wordings[1..], &spots, &plot.area, &[], Some(background));
        }
    }
    if let Some(pinned) = &data.pinned {
        let ghost = LimitLine {
            meaning: "",
            symbol: "A".to_owned(),
            role: None,
            line: pinned.capacity.clone(),
        };
        let ink = pen.theme.ink_1;
        let wordings = [
            vec![
                Words::sized(size::ANNOTATION_PX)
                    .and_bold("A", ink)
                    .and(" memory is full", ink),
            ],
            vec![Words::note("A", ink).bold()],
        ];
        let spots = along(plot, &ghost);
        pen.place(&wordings, &spots, &plot.area, &lines, Some(background));
    }
}

/// Places beside a line, from its right end to its left.
fn along(plot: &Plot, limit: &LimitLine) -> Vec<Spot> {
    let shares = [0.97, 0.03, 0.8, 0.2, 0.65, 0.35, 0.5, 0.9, 0.1];
    let level = limit
        .line
        .iter()
        .all(|(_, batch)| (batch - limit.line[0].1).abs() < 1e-9 * batch.abs());
    let mut spots = Vec::with_capacity(4 * shares.len());
    for share in shares {
        let x = plot.area.left + share * plot.area.width();
        let Some(at) = place_at(plot, limit, x) else {
            continue;
        };
        let align = if share > 0.5 {
            Align::End
        } else {
            Align::Start
        };
        if level {
            spots.push(spot(point(x, at.y - 3.0), align, Side::Above));
            spots.push(spot(point(x, at.y + 3.0), align, Side::Below));
        } else {
            // A falling line leaves room above its right and below its left.
            spots.push(spot(point(at.x - 6.0, at.y + 2.0), Align::End, Side::Below));
            spots.push(spot(
                point(at.x + 6.0, at.y - 2.0),
                Align::Start,
                Side::Above,
            ));
            spots.push(spot(
                point(at.x - 10.0, at.y + 9.0),
                Align::End,
                Side::Below,
            ));
            spots.push(spot(
                point(at.x + 10.0, at.y - 9.0),
                Align::Start,
                Side::Above,
            ));
        }
    }
    spots
}

/// Where a line crosses an upright at `x`, if it does so well within the plane.
fn place_at(plot: &Plot, limit: &LimitLine, x: f64) -> Option<Point> {
    let within = plot.area.grown(-2.0);
    let crossing = |pair: &[Point]| {
        let [a, b] = pair else { return None };
        let span = b.x - a.x;
        let share = if span > 0.0 { (x - a.x) / span } else { 0.0 };
        let at = a.towards(*b, share);
        let here = a.x <= x && x <= b.x && (within.top..within.bottom).contains(&at.y);
        here.then_some(at)
    };
    inside(plot, &limit.line)
        .iter()
        .find_map(|part| part.windows(2).find_map(crossing))
}

/// Lines of equal values at the legend's ticks.
pub(super) fn contours(pen: &mut Pen<'_>, plot: &Plot, data: &MapData, range: ColourRange) {
    let scale = Scale::log(range.low, range.high);
    let ink = pen.theme.ink_1.with_alpha(0.28);
    let heights = heights(plot, data);
    for level in scale.ticks(12) {
        for (from, to) in crossings(&heights, data.field.columns, libm::log(level)) {
            pen.polyline(&[from, to], stroke(ink, size::HAIRLINE_PX));
        }
    }
}

/// Places of the grid's points and the logarithm of the metric there, in which it is nearly a plane.
fn heights(plot: &Plot, data: &MapData) -> Vec<Option<(Point, f64)>> {
    let height = |point: &Option<MapPoint>| {
        let point = point.as_ref()?;
        let value = data.metric.of(point);
        let good = value > 0.0 && value.is_finite();
        good.then(|| (plot.at(point.context, point.batch), libm::log(value)))
    };
    data.field.points.iter().map(height).collect()
}

/// Segments along which the height is `level` (marching squares).
fn crossings(heights: &[Option<(Point, f64)>], columns: usize, level: f64) -> Vec<(Point, Point)> {
    let mut segments = Vec::new();
    let rows = heights.chunks_exact(columns.max(1));
    for (below, above) in rows.clone().zip(rows.skip(1)) {
        for (low, high) in below.windows(2).zip(above.windows(2)) {
            let ([Some(a), Some(b)], [Some(d), Some(c)]) = (low, high) else {
                continue;
            };
            let mut cuts = [None; 4];
            let mut count = 0;
            for ((p, from), (q, to)) in [(a, b), (b, c), (c, d), (d, a)] {
                if (*from <= level) != (*to <= level) {
                    cuts[count] = Some(p.towards(*q, (level - from) / (to - from)));
                    count += 1;
                }
            }
            for pair in cuts.chunks_exact(2) {
                if let [Some(from), Some(to)] = pair {
                    segments.push((*from, *to));
                }
            }
        }
    }
    segments
}
