//! Limits on the map of context and batch: memory, the SLO and compute saturation, with their labels.

use super::{Field, FullLine, MapData};
use crate::chart::surface::on_chip;
use crate::charts::prelude::*;

/// Extra width of the background-colored casing that separates a line from the colors under it.
const CASING_PX: f64 = 2.0;

/// Returns the plot position of a (context, batch) pair, clamped to the plot.
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

/// Fills and hatches the out-of-memory area of the map, where no data is shown.
pub fn out_of_memory(pen: &mut Pen<'_>, plot: &Plot, field: &Field) {
    if field.capacity.len() < 2 {
        return;
    }
    let [left, right, ..] = plot.area.corners();
    let edge = field.capacity.iter().map(|pair| clamped(plot, *pair));
    let region: Vec<Point> = edge.chain([right, left]).collect();
    marks::unfit(pen, &region);
}

/// Marks the limit lines of the map as occupied, so that labels avoid them.
pub fn avoid(pen: &mut Pen<'_>, plot: &Plot, data: &MapData) {
    let field = &data.field;
    let full = field.full.iter().map(|full| &full.line);
    let pinned = data.pinned.iter().map(|pinned| &pinned.capacity);
    let bounds = full
        .chain(pinned)
        .chain([&field.capacity])
        .chain(&field.kept);
    for part in bounds.flat_map(|line| inside(plot, line)) {
        pen.avoid(&part);
    }
}

/// Draws the lines of compute saturation, the memory limit and the SLO limit. The pinned scenario's memory limit is
/// dashed.
pub fn draw(pen: &mut Pen<'_>, plot: &Plot, data: &MapData) {
    let paper = pen.theme.background;
    for full in &data.field.full {
        for part in inside(plot, &full.line) {
            let colour = pen.theme.role(full.role).line;
            pen.polyline(&part, stroke(paper, 1.5 + CASING_PX));
            pen.polyline(&part, stroke(colour, 1.5));
        }
    }
    if let Some(pinned) = &data.pinned {
        for part in inside(plot, &pinned.capacity) {
            pen.polyline(&part, stroke(paper.with_alpha(0.7), 1.3 + CASING_PX));
            pen.dashed(&part, (4.0, 3.0), stroke(pen.theme.ink_2, 1.3));
        }
        if plot.holds(pinned.now) {
            marks::ghost(pen, plot.at(pinned.now.0, pinned.now.1));
        }
    }
    for part in inside(plot, &data.field.capacity) {
        pen.polyline(&part, stroke(pen.theme.ink_1, 1.6));
    }
    for kept in &data.field.kept {
        for part in inside(plot, kept) {
            marks::limit(pen, &part, true, 1.7);
        }
    }
}

/// Returns the pieces of a line that are within the map.
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

/// Returns the y-position at which a line crosses the vertical at `x`; `None` if there is no crossing well inside the
/// map.
fn crossing_at(plot: &Plot, line: &[(f64, f64)], x: f64) -> Option<f64> {
    let within = plot.area.grown(-2.0);
    let parts = inside(plot, line);
    let mut heights = parts.iter().filter_map(|part| height_at(part, x));
    heights.find(|y| (within.top..within.bottom).contains(y))
}

/// Labels every limit: memory and saturation inside the out-of-memory area, and the SLO below its line.
pub fn label(pen: &mut Pen<'_>, plot: &Plot, data: &MapData, arrow: Option<(Point, Point)>) {
    name_full(pen, plot, data, arrow);
    name_kept(pen, plot, data);
    name_memory(pen, plot, data);
    name_pinned(pen, plot, data);
}

/// Writes "experts saturate at 6,597" where the saturation line ends at the memory limit.
fn name_full(pen: &mut Pen<'_>, plot: &Plot, data: &MapData, arrow: Option<(Point, Point)>) {
    for full in &data.field.full {
        let (Some(end), Some(begin)) = (full.line.last(), full.line.first()) else {
            continue;
        };
        let (end, begin) = (clamped(plot, *end), clamped(plot, *begin));
        let [name, brief] = [full.name, full.role.name()]
            .map(|name| Words::note(name, pen.theme.role(full.role).text).bold());
        let batch = format!(" at {}", format::sequences(full.batch));
        let [long, brief] = [name.clone(), brief].map(|of| of.and(&batch, pen.theme.ink_2));
        let wordings = [vec![long], vec![brief], vec![name]];
        // Labels avoid the arrow from the current point to the largest batch.
        let arrow: Vec<(Point, Point)> = arrow.into_iter().collect();
        // The last position to try depends on whether another saturation line ends below this one.
        let below = |of: &FullLine| {
            of.line
                .last()
                .is_some_and(|at| clamped(plot, *at).y > end.y)
        };
        let off = match data.field.full.iter().any(below) {
            true => E(12, -15),
            false => E(32, 15),
        };
        let beside = [E(9, 0), E(20, 0), E(36, 0), off].map(|side| side.of(end));
        let within = plot.area.grown(-3.0);
        let ground = pen.theme.unfit;
        if let Some(chip) = on_chip(pen, &wordings, &beside, &arrow, (within, ground)) {
            let foot = point(chip.left - 4.0, chip.centre().y);
            pen.line(end, foot, hair(pen.theme.role(full.role).line));
            continue;
        }
        // If there is no room beside the end of the line, write the name along the line.
        Label::blocks(wordings)
            .near(end, &[NW(6, 3)])
            .near(point(begin.x, end.y), &[NE(6, 3), SE(6, 3)])
            .near(end, &[SW(6, 3)])
            .write_over(pen, within);
    }
}

/// Writes "≥ 30 tok/s/user, ≤ 33.3 ms" below the left end of the SLO limit.
fn name_kept(pen: &mut Pen<'_>, plot: &Plot, data: &MapData) {
    let Some(slo) = data.slo_tokens_per_s_per_user else {
        return;
    };
    let title = format!("≥ {} tok/s/user", format::printed(slo));
    let title = Words::label(title, pen.theme.ink_1).bold();
    let short = Words::label("meets the SLO", pen.theme.ink_1).bold();
    let detail = format!("≤ {} ms", format::sig3(1e3 / slo));
    let detail = Words::note(detail, pen.theme.ink_2);
    let below = |share: f64| {
        let x = plot.area.left + share * plot.area.width();
        let mut kept = data.field.kept.iter();
        let y = kept.find_map(|kept| {
            let there = crossing_at(plot, kept, x + 150.0).unwrap_or(0.0);
            Some(crossing_at(plot, kept, x)?.max(there))
        })?;
        Some(SE(0, 7).of(point(x, y)))
    };
    let spots = [0.02, 0.1, 0.2, 0.3, 0.4].into_iter().filter_map(below);
    Label::blocks([vec![title.clone(), detail], vec![title], vec![short]])
        .at(spots)
        .write_over(pen, plot.area);
}

/// Writes "memory full, max 8,416 sequences at 6,000 tokens", with a leader line from the memory limit.
fn name_memory(pen: &mut Pen<'_>, plot: &Plot, data: &MapData) {
    let field = &data.field;
    if field.is_full() {
        return;
    }
    let Rect { top, right, .. } = plot.area;
    let ink = pen.theme.ink_1;
    let title = Words::label("memory full", ink).bold();
    let held = match data.capacity_now {
        most if most < 1.0 => "0 sequences".to_owned(),
        most if most < 2.0 => "1 sequence".to_owned(),
        most => format!("{} sequences", format::sequences(most)),
    };
    let at = super::tokens(data.now.context);
    let detail = Words::note(format!("max {held} at {at}"), pen.theme.ink_2);
    let wordings = [vec![title.clone(), detail], vec![title]];
    // The label starts from the memory limit near the top, where there is space to its right.
    let points = field.capacity.iter().map(|pair| clamped(plot, *pair));
    let points: Vec<Point> = points.collect();
    let border = |y: f64| {
        let mut pairs = points.iter().zip(points.iter().skip(1));
        let (from, to) = pairs.find(|(from, to)| from.y <= y && to.y > y)?;
        let span = to.y - from.y;
        let share = if span > 0.0 { (y - from.y) / span } else { 0.0 };
        Some(from.towards(*to, share))
    };
    let within = plot.area.grown(-4.0);
    for share in [0.06, 0.12, 0.2, 0.3, 0.42] {
        let Some(at) = border(top + share * plot.area.height()) else {
            continue;
        };
        let ground = (within, pen.theme.unfit);
        if on_chip(pen, &wordings, &[E(21, 0).of(at)], &[], ground).is_some() {
            pen.line(at, point(at.x + 15.0, at.y), hair(ink));
            break;
        }
    }
    let veiled = points.iter().find(|at| at.x >= right - 100.0);
    if veiled.is_some_and(|at| at.y > top + 24.0) {
        let words = [vec![Words::note("out of memory", pen.theme.ink_2)]];
        let spots = [SW(8, 7), SW(8, 26)].map(|side| side.of(point(right, top)));
        on_chip(pen, &words, &spots, &[], (within, pen.theme.unfit));
    }
}

fn name_pinned(pen: &mut Pen<'_>, plot: &Plot, data: &MapData) {
    let Some(pinned) = &data.pinned else { return };
    let ink = pen.theme.ink_1;
    let name = Words::note("A", ink).bold();
    if plot.holds(pinned.now) {
        marks::name_ghost(pen, plot.at(pinned.now.0, pinned.now.1), plot.area);
    }
    let long = name.clone().and(" memory full", ink);
    let beside = |share: f64| {
        let x = plot.area.left + share * plot.area.width();
        let at = point(x, crossing_at(plot, &pinned.capacity, x)?);
        Some([SW(6, 2), NE(6, 2)].map(|side| side.of(at)))
    };
    let shares = [0.3, 0.2, 0.45, 0.6, 0.1, 0.75, 0.9];
    let spots = shares.into_iter().filter_map(beside).flatten();
    Label::lines([long, name])
        .at(spots)
        .write_over(pen, plot.area);
}
