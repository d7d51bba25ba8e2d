//! Axis ranges of the frontier chart.

use super::frontiers::{Shown, value, worth};
use crate::chart::{Axis, Digits};
use crate::picture::scale::{Scale, extent, nice_step};
use model_core::permalink::Per;

/// The linear x-axis ends where the best line has fallen to this fraction of its maximum.
const SUNK: f64 = 0.06;
/// On the cost axis, costs above this multiple of the lowest cost are clipped.
const DEAR: f64 = 8.0;
/// Maximum ratio of the upper to the lower end of a logarithmic axis; plans farther out are of no interest.
const MOST_SPREAD: f64 = 1e4;
/// The x-axis extends to this multiple of the SLO, even if no plan reaches the SLO.
const PAST_SLO: f64 = 1.25;
/// The SLO extends the x-axis to at most this multiple of the highest interactivity of any plan.
const PAST_DATA: f64 = 2.0;

/// Returns the x- and y-axis, scaled to the plans of interest.
pub fn axes(shown: &Shown<'_>) -> [Axis; 2] {
    let (x, y) = scales(shown);
    let log = if shown.of.log { ", log" } else { "" };
    let unit = match shown.of.per {
        Per::Gpu => "tok/s/GPU",
        Per::Dollar => "$/M tok",
    };
    [
        Axis::new(format!("tok/s/user{log}"), x).written(Digits::Sig3),
        Axis::new(format!("{unit}{log}"), y),
    ]
}

/// Returns the x and the y scale; requires at least one plan.
fn scales(shown: &Shown<'_>) -> (Scale, Scale) {
    let (data, per) = (shown.of, shown.of.per);
    let all = { shown.hits() }.map(|(_, _, plan, value)| (plan.point.per_user, value));
    let all: Vec<(f64, f64)> = all.collect();
    let slo = data.slo;
    let speeds = || all.iter().map(|(speed, _)| *speed);
    let (_, fastest) = extent(speeds());
    if data.log {
        let near = |speed: &f64| *speed > fastest / MOST_SPREAD && *speed < fastest * 30.0;
        let x = log(speeds().chain(slo.filter(near)));
        return (x, log(all.iter().map(|(_, value)| *value)));
    }
    let worth = |value: f64| worth(per, value);
    let (_, most) = extent(all.iter().map(|(_, value)| worth(*value)));
    let high = all.iter().filter(|(_, value)| worth(*value) >= SUNK * most);
    let (_, reach) = extent(high.map(|(speed, _)| *speed));
    // An SLO far beyond every plan is drawn as an arrow at the frame instead.
    let past = slo.map(|least| least * PAST_SLO);
    let past = past.filter(|past| *past <= PAST_DATA * fastest);
    let end = reach.max(past.unwrap_or(0.0));
    let step = nice_step(end, 6) / 2.0;
    let end = (end / step - 1e-9).ceil() * step;
    let here = all.iter().filter(|(speed, _)| *speed <= end);
    let (least, greatest) = extent(here.map(|(_, value)| *value));
    let top = match per {
        Per::Gpu => greatest,
        Per::Dollar => greatest.min(least * DEAR),
    };
    // Include the current plan if that extends the y-axis by at most half.
    let now = data.now.as_ref().and_then(|now| {
        let value = value(per, &now.point, now.dollars)?;
        (now.point.per_user <= end && value <= 1.5 * top).then_some(value)
    });
    let top = top.max(now.unwrap_or(0.0)) * 1.1;
    (Scale::linear(0.0, end), Scale::linear(0.0, top))
}

/// Creates a logarithmic scale over all values within four decades of the largest one.
fn log(values: impl Iterator<Item = f64>) -> Scale {
    let (low, high) = extent(values);
    let low = (low / 1.25).max(high / MOST_SPREAD);
    Scale::log(low, (high * 1.35).max(low * 2.0))
}
