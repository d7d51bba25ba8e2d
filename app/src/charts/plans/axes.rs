//! Axes and lines of the frontiers: the axes' ends, the lines cut at the frame, the markers.

use super::{PlansData, Value};
use crate::charts::prelude::*;

/// Room above the plot for the rule's words, and right of it.
const TOP_PX: f64 = 30.0;
const RIGHT_PX: f64 = 14.0;
const BOTTOM_PX: f64 = 38.0;

pub fn area(pen: &Pen<'_>) -> Rect {
    let (left, top) = (size::MARGIN_LEFT_PX, TOP_PX);
    let right = (pen.canvas.right - RIGHT_PX).max(left + 1.0);
    let bottom = (pen.canvas.bottom - BOTTOM_PX).max(top + 1.0);
    rect(left, top, right, bottom)
}

/// The share of its height to which the best line has sunk where the linear axis ends.
const SUNK: f64 = 0.06;
/// Costs more than so many times the least lie beyond the frame.
const DEAR: f64 = 8.0;
/// More decades say nothing about the plans worth having.
const MOST_SPREAD: f64 = 1e4;
/// Beyond the SLO there is something to see, even where no plan gets there.
const PAST_SLO: f64 = 1.25;
/// The axis is not stretched further beyond the fastest plan than this.
const PAST_DATA: f64 = 2.0;

/// A plot that holds what is worth looking at.
pub fn plot(data: &PlansData, area: Rect) -> Plot {
    let hits = data.hits();
    let all = hits.map(|(_, plan, value)| (plan.point.per_user, value));
    let all: Vec<(f64, f64)> = all.collect();
    let slo = data.slo_tokens_per_s_per_user;
    if all.is_empty() {
        let end = slo.map_or(100.0, |least| least * PAST_SLO);
        return Plot::new(area, Scale::linear(0.0, end), Scale::linear(0.0, 1.0));
    }
    let speeds = || all.iter().map(|(speed, _)| *speed);
    let (_, fastest) = extent(speeds());
    if data.log {
        let near = |speed: &f64| *speed > fastest / MOST_SPREAD && *speed < fastest * 30.0;
        let x = log(speeds().chain(slo.filter(near)));
        return Plot::new(area, x, log(all.iter().map(|(_, value)| *value)));
    }
    let worth = |value: f64| data.value.worth(value);
    let (_, most) = extent(all.iter().map(|(_, value)| worth(*value)));
    let high = all.iter().filter(|(_, value)| worth(*value) >= SUNK * most);
    let (_, reach) = extent(high.map(|(speed, _)| *speed));
    // An SLO far beyond every plan is an arrow at the frame instead.
    let past = slo.map(|least| least * PAST_SLO);
    let past = past.filter(|past| *past <= PAST_DATA * fastest);
    let end = reach.max(past.unwrap_or(0.0));
    let step = nice_step(end, 6) / 2.0;
    let end = (end / step - 1e-9).ceil() * step;
    let here = all.iter().filter(|(speed, _)| *speed <= end);
    let (least, greatest) = extent(here.map(|(_, value)| *value));
    let top = match data.value {
        Value::PerGpu => greatest,
        Value::Dollars => greatest.min(least * DEAR),
    };
    // Now is inside where that costs little.
    let now = data.now.as_ref().and_then(|now| {
        let value = data.value.of(&now.point, now.dollars_per_mtok)?;
        (now.point.per_user <= end && value <= 1.5 * top).then_some(value)
    });
    let top = top.max(now.unwrap_or(0.0)) * 1.1;
    Plot::new(area, Scale::linear(0.0, end), Scale::linear(0.0, top))
}

/// A logarithmic scale that holds all values within some decades of the greatest.
fn log(values: impl Iterator<Item = f64>) -> Scale {
    let (low, high) = extent(values);
    let low = (low / 1.25).max(high / MOST_SPREAD);
    Scale::log(low, (high * 1.35).max(low * 2.0))
}

/// A frontier, cut where it leaves the frame.
pub fn line(pen: &mut Pen<'_>, plot: &Plot, data: &PlansData, index: usize) -> Thing {
    let (line, thing) = (&data.lines[index], pen.thing(&[]));
    let colour = pen.theme.series(line.series).line;
    let (colour, width) = match data.lit {
        Some(lit) if lit == index => (colour, 2.4),
        Some(_) => (colour.with_alpha(0.4), width(line.series)),
        None => (colour, width(line.series)),
    };
    for piece in plot.area.cut(&line.through(plot, data.value)) {
        if line.dashed {
            pen.dashed(&piece, (6.0, 3.0), stroke(colour, width));
        } else {
            pen.polyline(&piece, stroke(colour, width));
        }
        pen.part_of(thing, &piece);
    }
    thing
}

fn width(series: Series) -> f64 {
    if series == Series::Own { 2.2 } else { 1.7 }
}

/// A series' marker about a place: open, or filled.
pub fn marker(pen: &mut Pen<'_>, at: Point, series: Series, reach: f64, filled: bool) {
    let colour = pen.theme.series(series).line;
    marker_in(pen, at, series, reach, colour, filled);
}

pub fn marker_in(
    pen: &mut Pen<'_>,
    at: Point,
    series: Series,
    reach: f64,
    colour: Colour,
    filled: bool,
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
