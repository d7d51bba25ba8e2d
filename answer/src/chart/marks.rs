//! Marks that several charts use: curves that end at the memory limit, limit lines, marks of the pinned scenario, and
//! labeled bars.

use super::frame::{Plot, tick_label};
use super::ink::Ink;
use crate::picture::geometry::{Hatch, Point, Rect, point, rect, segments};
use crate::picture::label::{Label, Toward::*};
use crate::picture::naming::Thing;
use crate::picture::pen::{Pen, Stroke, hair, stroke};
use crate::picture::text::{Align, Words};
use crate::theme::{Colour, Role, RoleColours, Series, Theme};
use crate::words::format;

/// The stroke of the part of a curve that fits in memory; beyond the memory limit, the curve is dotted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveStroke {
    pub ink: Ink,
    pub width_px: f64,
    /// Lengths of dashes and gaps; `None` for a solid curve.
    pub dash: Option<(f64, f64)>,
}

impl CurveStroke {
    pub const fn solid(ink: Ink, width_px: f64) -> Self {
        let dash = None;
        Self {
            ink,
            width_px,
            dash,
        }
    }

    /// Returns the stroke for curves of the pinned scenario.
    pub const fn pinned() -> Self {
        let dash = Some((4.0, 3.0));
        Self {
            dash,
            ..Self::solid(Ink::Faint, 1.3)
        }
    }
}

/// Returns the colors of a limit line and of its name. They belong to the role (such as attention) that sets the limit;
/// without a role, both are the text color.
pub fn inks(theme: &Theme, role: Option<Role>) -> (Colour, Colour) {
    role.map_or((theme.ink_1, theme.ink_1), |role| {
        let colours = theme.role(role);
        (colours.line, colours.text)
    })
}

/// Draws a curve clipped to an area. Labels avoid the curve.
pub fn curve(pen: &mut Pen<'_>, area: &Rect, points: &[(Point, bool)], line: CurveStroke) -> Thing {
    let thing = pen.thing(&[]);
    let colour = line.ink.line(pen.theme);
    let all: Vec<Point> = points.iter().map(|(at, _)| *at).collect();
    let end = points.iter().position(|(_, fits)| !fits);
    // The dotted part starts at the last point that fits in memory.
    let beyond = end.and_then(|end| all.get(end.saturating_sub(1)..));
    for piece in area.cut(beyond.unwrap_or_default()) {
        pen.dotted(&piece, 4.5, (line.width_px * 0.61).min(1.1), colour);
        pen.part_of(thing, &piece);
    }
    let ink = stroke(colour, line.width_px);
    for piece in area.cut(&all[..end.unwrap_or(all.len())]) {
        match line.dash {
            Some(dash) => pen.dashed(&piece, dash, ink),
            None => pen.polyline(&piece, ink),
        }
        pen.part_of(thing, &piece);
    }
    thing
}

/// Draws a limit as a line with teeth on the infeasible side. On a line from left to right, the teeth point up if
/// `up` is true, else down. Labels avoid the line and its teeth.
pub fn limit(pen: &mut Pen<'_>, line: &[Point], up: bool, width_px: f64) {
    let ink = pen.theme.ink_1;
    pen.polyline(line, stroke(ink, width_px));
    let sign = if up { -1.0 } else { 1.0 };
    let mut walked = TOOTH_EVERY_PX / 2.0;
    let mut tips = Vec::new();
    for (from, to) in segments(line) {
        let length = from.distance(to);
        let (dx, dy) = ((to.x - from.x) / length, (to.y - from.y) / length);
        while walked < length {
            let foot = from.along(to, walked);
            // Since y points down on the canvas, a negative sign means up on a line to the right.
            let tip = point(foot.x - sign * dy * TOOTH_PX, foot.y + sign * dx * TOOTH_PX);
            pen.polyline(&[foot, tip], hair(ink));
            tips.push(tip);
            walked += TOOTH_EVERY_PX;
        }
        walked -= length.max(0.0);
    }
    pen.avoid(line);
    pen.avoid(&tips);
}

const TOOTH_PX: f64 = 5.0;
const TOOTH_EVERY_PX: f64 = 9.0;

/// Draws a line that labels avoid.
pub fn rule(pen: &mut Pen<'_>, [from, to]: [Point; 2], ink: Stroke) {
    pen.line(from, to, ink);
    pen.avoid(&[from, to]);
}

/// Draws an open circle. Labels stay at least `keep` px away from its center.
pub fn stop(pen: &mut Pen<'_>, at: Point, radius: f64, ink: Stroke, keep: f64) {
    pen.open_point(at, radius, ink);
    pen.reserve(Rect::about(at, keep));
}

/// Draws the two wings at the tip of an arrow: `back` is their length along the arrow, and `half` is half the width
/// of the tip.
pub fn arrow_head(
    pen: &mut Pen<'_>,
    from: Point,
    tip: Point,
    (back, half): (f64, f64),
    ink: Stroke,
) {
    let foot = tip.along(from, back);
    let (dx, dy) = (
        (tip.y - foot.y) / back * half,
        (foot.x - tip.x) / back * half,
    );
    let wing = |sign: f64| point(foot.x + sign * dx, foot.y + sign * dy);
    pen.polyline(&[wing(1.0), tip, wing(-1.0)], ink);
}

/// Draws the marker of a data series centered on a point, open or filled.
pub fn series(
    pen: &mut Pen<'_>,
    at: Point,
    series: Series,
    reach: f64,
    (colour, filled): (Colour, bool),
) {
    let inside = if filled { colour } else { pen.theme.background };
    let corners = series.marker((at.x, at.y), reach).into_iter();
    let mut corners: Vec<Point> = corners.map(|(x, y)| point(x, y)).collect();
    let edge = stroke(colour, 1.6);
    let Some(first) = corners.first().copied() else {
        pen.disc(at, reach, inside);
        return pen.ring(at, reach, edge);
    };
    pen.fill(&corners, inside);
    corners.push(first);
    pen.polyline(&corners, edge);
}

/// Draws the operating point of the pinned scenario.
pub fn ghost(pen: &mut Pen<'_>, at: Point) {
    pen.disc(at, 6.0, pen.theme.background);
    pen.dashed_ring(at, 5.5, stroke(pen.theme.ink_1, 1.4));
    pen.reserve(Rect::about(at, 6.5));
}

/// Writes the letter "A" at the operating point of the pinned scenario.
pub fn name_ghost(pen: &mut Pen<'_>, at: Point, within: Rect) {
    Label::lines([Words::note("A", pen.theme.ink_1).bold()])
        .around(at, 9.0)
        .write_in(pen, within);
}

/// Writes "A continues to 3.2k ↑" where the pinned curve leaves the plot. Returns `None` if the curve is inside, or if
/// the label does not fit.
pub fn goes_on(pen: &mut Pen<'_>, plot: &Plot, name: &str, curve: Vec<(f64, f64)>) -> Option<Rect> {
    let above = |(_, y): &(f64, f64)| *y > plot.y.high();
    let first = curve.iter().find(|at| above(at) || at.0 > plot.x.high())?;
    let (values, arrow) = (curve.iter(), if above(first) { "↑" } else { "→" });
    let values = values.map(|(x, y)| if above(first) { *y } else { *x });
    let most = format::si(values.fold(0.0, f64::max));
    let line: Vec<Point> = curve.iter().map(|(x, y)| plot.at(*x, *y)).collect();
    let beyond = plot.at(first.0, first.1);
    let ends = plot.area.cut(&line).into_iter().flatten();
    let end = ends.min_by(|a, b| a.distance(beyond).total_cmp(&b.distance(beyond)));
    let end = end.unwrap_or(plot.area.nearest(beyond));
    let a = Words::note(name, pen.theme.ink_1).bold();
    let words = [format!(" continues to {most} {arrow}"), format!(" {arrow}")];
    Label::lines(words.map(|text| a.clone().and(text, pen.theme.ink_2)))
        .near(end, &[SE(8, 6), SW(8, 6), SE(8, 22), SW(8, 22), SW(8, 40)])
        .write_over(pen, plot.area)
}

/// Draws a triangle on an axis, with a name below: "A" for the pinned scenario, "after" for a previewed change.
pub fn ghost_tick(pen: &mut Pen<'_>, name: &str, x: f64, top: f64, baseline: f64) {
    let triangle = [(0.0, 0.0), (3.8, 6.0), (-3.8, 6.0), (0.0, 0.0)];
    let triangle = triangle.map(|(dx, dy)| point(x + dx, top + dy));
    pen.polyline(&triangle, stroke(pen.theme.ink_2, 1.0));
    pen.reserve(rect(x - 5.0, top, x + 5.0, top + 7.0));
    let words = Words::tick(name, pen.theme.ink_1).bold();
    tick_label(pen, &words, x, baseline);
}

/// Fills and hatches an area in which nothing fits in memory; no data is drawn there.
pub fn unfit(pen: &mut Pen<'_>, corners: &[Point]) {
    pen.fill(corners, pen.theme.unfit);
    let hair = hair(pen.theme.unfit_hatch);
    pen.hatch(corners, 7.0, Hatch::Falling, hair);
}

/// Draws a translucent hatched veil over the out-of-memory area.
pub fn veil(pen: &mut Pen<'_>, corners: &[Point], spacing: f64) {
    pen.fill(corners, pen.theme.veil);
    let hair = hair(pen.theme.veil_hatch);
    pen.hatch(corners, spacing, Hatch::Falling, hair);
}

/// Draws a bar in the colors of a role, with a gap before the next bar and, in the dark theme, a top edge. Returns
/// the filled area.
pub fn bar(pen: &mut Pen<'_>, area: Rect, colours: &RoleColours) -> Rect {
    let seam = if area.width() > 3.0 { 0.75 } else { 0.0 };
    let right = (area.right - seam).max(area.left + 0.6);
    let filled = Rect { right, ..area };
    pen.bar(filled, colours);
    filled
}

/// Draws idle time or free memory as a dashed outline, `seam` px after the previous bar.
pub fn idle(pen: &mut Pen<'_>, area: Rect, seam: f64) {
    let left = area.left + seam;
    let hair = hair(pen.theme.strong);
    pen.dashed_outline(Rect { left, ..area }, hair);
}

/// Writes the first of several wordings that fits inside a bar without covering other text. Returns `false` if none
/// fits.
pub fn inside(
    pen: &mut Pen<'_>,
    area: &Rect,
    wordings: impl IntoIterator<Item = Words>,
    align: Align,
    halo: Option<Colour>,
) -> bool {
    for words in wordings {
        if pen.width(&words) + 8.0 > area.width() {
            continue;
        }
        let x = match align {
            Align::Start => area.left + 5.0,
            Align::Middle => area.centre().x,
            Align::End => area.right - 5.0,
        };
        let baseline = point(x, words.baseline_about(area.centre().y));
        if pen.is_free(&words.bounds(baseline, align, pen.width(&words))) {
            pen.write(&words, baseline, align, halo);
            return true;
        }
    }
    false
}
