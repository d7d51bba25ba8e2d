//! Ends of the axes of the frontiers.

use super::{PlanValue, PlansData};
use crate::charts::prelude::*;

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
        PlanValue::PerGpu => greatest,
        PlanValue::Dollars => greatest.min(least * DEAR),
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
