//! What bounds the map: veils over what is out of reach, the limits with their names, the pinned ghost.

use super::{Field, LimitLine, MapData, Missed};
use crate::charts::prelude::*;

/// The casing that parts a line from the colours under it.
const CASING_PX: f64 = 2.2;

/// A pair's place, at the plot's edge when it lies beyond.
fn clamped(plot: &Plot, (context, batch): (f64, f64)) -> Point {
    let y = if batch <= plot.y.low() {
        plot.area.bottom
    } else if batch >= plot.y.high() {
        plot.area.top
    } else {
        plot.y_at(batch)
    };
    point(plot.x_at(context.clamp(plot.x.low(), plot.x.high())), y)
}

/// From where to where a context's batches fit but miss the SLO.
fn span(plot: &Plot, missed: &Missed) -> (Point, Point) {
    let low = clamped(plot, (missed.context, missed.above.min(missed.to)));
    (low, clamped(plot, (missed.context, missed.to)))
}

/// Veils what does not fit, hatches what misses the SLO between its edge and the memory's: each region has one hatch.
pub fn out_of_reach(pen: &mut Pen<'_>, plot: &Plot, field: &Field) {
    if field.missed.len() > 1 {
        let lower = field.missed.iter().map(|missed| span(plot, missed).0);
        let upper = field.missed.iter().rev().map(|missed| span(plot, missed).1);
        let region: Vec<Point> = lower.chain(upper).collect();
        let hair = stroke(pen.theme.ink_3.with_alpha(0.6), size::HAIRLINE_PX);
        pen.hatch(&region, 7.0, Hatch::Rising, hair);
    }
    if field.capacity.len() > 1 {
        let Rect {
            left, right, top, ..
        } = plot.area;
        let edge = field.capacity.iter().map(|pair| clamped(plot, *pair));
        let region: Vec<Point> = edge.chain([point(right, top), point(left, top)]).collect();
        marks::veil(pen, &region, 7.0);
    }
}

/// Draws every limit, and the pinned scenario's memory as a ghost.
pub fn draw(pen: &mut Pen<'_>, plot: &Plot, data: &MapData) {
    let paper = pen.theme.background;
    if let Some(pinned) = &data.pinned {
        for part in inside(plot, &pinned.capacity) {
            pen.polyline(&part, stroke(paper.with_alpha(0.7), 1.3 + CASING_PX));
            pen.dashed(&part, (4.0, 3.0), stroke(pen.theme.ink_2, 1.3));
        }
        let (context, batch) = pinned.now;
        if plot.x.holds(context) && plot.y.holds(batch) {
            marks::ghost(pen, plot.at(context, batch));
        }
    }
    for limit in &data.field.limits {
        let (colour, _) = marks::inks(pen.theme, limit.role);
        for part in inside(plot, &limit.line) {
            pen.polyline(&part, stroke(paper.with_alpha(0.8), 1.6 + CASING_PX));
            pen.polyline(&part, stroke(colour, 1.6));
            pen.avoid(&part);
        }
    }
}

/// The stretches of a line on the plane.
fn inside(plot: &Plot, line: &[(f64, f64)]) -> Vec<Vec<Point>> {
    let mut parts: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    let beyond = |batch: f64| batch > plot.y.high() || batch < plot.y.low();
    for (a, b) in line.iter().zip(line.iter().skip(1)) {
        let (from, to) = (clamped(plot, *a), clamped(plot, *b));
        let along_edge = beyond(a.1) && beyond(b.1) && (from.y - to.y).abs() < 1e-6;
        match parts.last_mut().filter(|_| open) {
            _ if along_edge => {}
            Some(part) => part.push(to),
            None => parts.push(vec![from, to]),
        }
        open = !along_edge;
    }
    parts
}

/// Names every limit beside its line.
pub fn label(pen: &mut Pen<'_>, plot: &Plot, data: &MapData) {
    let named = |pen: &mut Pen<'_>, symbol: &str, meaning: &str, ink, line: &[(f64, f64)]| {
        let symbol = Words::note(symbol, ink).bold();
        let full = symbol.clone().and(format!(" {meaning}"), ink);
        let spots = along(plot, line);
        let short = Label::lines([symbol.clone()]).at(spots.clone()).on_lines();
        let label = Label::lines([full, symbol]).at(spots);
        label.write_in(pen, plot.area).is_some() || short.write_in(pen, plot.area).is_some()
    };
    for limit in &data.field.limits {
        let LimitLine {
            meaning,
            symbol,
            role,
            line,
        } = limit;
        let (_, ink) = marks::inks(pen.theme, *role);
        named(pen, symbol, meaning, ink, line);
    }
    if let Some(pinned) = &data.pinned {
        let ink = pen.theme.ink_1;
        named(pen, "A", "memory is full", ink, &pinned.capacity);
    }
}

/// Places beside a line, from its right end to its left.
fn along(plot: &Plot, line: &[(f64, f64)]) -> Vec<Spot> {
    let level = |(_, batch): &(f64, f64)| (batch - line[0].1).abs() < 1e-9 * batch.abs();
    let level = line.iter().all(level);
    let beside = |share: f64| -> Option<Vec<Spot>> {
        let x = plot.area.left + share * plot.area.width();
        let y = height_at(plot, line, x)?;
        let near = |dx: f64, dy: f64, align| {
            let side = if dy < 0.0 { Side::Above } else { Side::Below };
            spot(point(x + dx, y + dy), align, side)
        };
        Some(if level {
            let align = if share > 0.5 {
                Align::End
            } else {
                Align::Start
            };
            vec![near(0.0, -3.0, align), near(0.0, 3.0, align)]
        } else {
            // A falling line leaves room above its right and below its left.
            vec![
                near(-6.0, 2.0, Align::End),
                near(6.0, -2.0, Align::Start),
                near(-10.0, 9.0, Align::End),
                near(10.0, -9.0, Align::Start),
            ]
        })
    };
    let shares = [0.97, 0.03, 0.8, 0.2, 0.65, 0.35, 0.5, 0.9, 0.1];
    shares.into_iter().filter_map(beside).flatten().collect()
}

/// Where a line crosses an upright at `x`, if it does so well within the plane.
fn height_at(plot: &Plot, line: &[(f64, f64)], x: f64) -> Option<f64> {
    let within = plot.area.grown(-2.0);
    let crossing = |(a, b): (&Point, &Point)| {
        let span = b.x - a.x;
        let share = if span > 0.0 { (x - a.x) / span } else { 0.0 };
        let y = a.towards(*b, share).y;
        (a.x <= x && x <= b.x && (within.top..within.bottom).contains(&y)).then_some(y)
    };
    let parts = inside(plot, line);
    let mut pairs = parts
        .iter()
        .flat_map(|part| part.iter().zip(part.iter().skip(1)));
    pairs.find_map(crossing)
}

/// Says what the veil and the hatch mean, where there is room.
pub fn label_regions(pen: &mut Pen<'_>, plot: &Plot, field: &Field) {
    let ink = pen.theme.ink_2;
    let Rect {
        left, top, right, ..
    } = plot.area;
    let mut edge = field.capacity.iter().map(|pair| clamped(plot, *pair));
    let over = edge.find(|at| at.x >= right - 100.0);
    if !field.is_full() && over.is_some_and(|at| at.y > top + 24.0) {
        let below = |y: f64| spot(point(right - 8.0, top + y), Align::End, Side::Below);
        Label::lines([Words::note("out of memory", ink)])
            .at([below(5.0), below(24.0)])
            .on_lines()
            .write_in(pen, plot.area);
    }
    let middles = field.missed.iter().filter_map(|missed| {
        let (low, high) = span(plot, missed);
        let room = low.y - high.y > 20.0 && low.x > left + 30.0;
        room.then(|| low.towards(high, 0.5))
    });
    let spots =
        middles.flat_map(|at| [Align::Middle, Align::End].map(|a| spot(at, a, Side::Level)));
    Label::lines([Words::note("misses SLO", ink)])
        .at(spots)
        .on_lines()
        .write_in(pen, plot.area);
}
