//! The finding beside the chart's question: the leading line at each speed.

use crate::charts::{PlanLine, PlanPoint, PlanValue, PlansData};
use crate::format;
use crate::order::sort_by;

/// The finding over the lines that are not hidden.
pub fn finding(data: &PlansData) -> String {
    let shown = || data.lines.iter().filter(|line| !line.hidden);
    let drawn = || shown().filter(|line| line.drawn(data.value).next().is_some());
    if drawn().next().is_none() {
        return match data.lines.iter().any(|line| line.hidden) {
            true => "Every line is hidden".to_owned(),
            false => "No plan to draw".to_owned(),
        };
    }
    if let Some(slo) = data.slo_tokens_per_s_per_user
        && drawn().all(|line| line.best.is_none())
    {
        return format!("No plan reaches {} tok/s", format::printed(slo));
    }
    let leaders = leaders(data, f64::INFINITY);
    let (Some(first), Some(last)) = (leaders.first(), leaders.last()) else {
        return "No plan to draw".to_owned();
    };
    match leaders.as_slice() {
        [(only, _)] if drawn().count() == 1 => {
            let fastest = data.hits().map(|(_, p, _)| p.point.per_user);
            let fastest = format::sig3(fastest.fold(0.0, f64::max));
            format!("{}, up to {fastest} tok/s per user", short(data, *only))
        }
        [(only, _)] => {
            let lead = format!("{} leads at every speed", short(data, *only));
            match second(data, *only) {
                Some(second) => format!("{lead}; next {}", short(data, second)),
                None => lead,
            }
        }
        [(one, until), (other, _)] => {
            let (one, until, other) =
                (short(data, *one), format::sig3(*until), short(data, *other));
            format!("{one} leads up to {until} tok/s, then {other}")
        }
        _ => {
            let (most, fastest) = (short(data, first.0), short(data, last.0));
            match most == fastest {
                true => format!("{most} serves most and is fastest"),
                false => format!("{most} serves most, {fastest} is fastest"),
            }
        }
    }
}

/// Leading lines for users at the SLO or faster, slow users first, each with the speed it leads up to.
fn leaders(data: &PlansData, end: f64) -> Vec<(usize, f64)> {
    let from = data.slo_tokens_per_s_per_user.unwrap_or(0.0);
    let within = |speed: f64| speed >= from && speed <= end;
    let mut hits: Vec<(f64, usize, f64)> = data
        .hits()
        .map(|(line, point, value)| (point.point.per_user, line, data.value.worth(value)))
        .filter(|(speed, ..)| *speed >= from)
        .collect();
    // From the fastest down, each line counts with its best so far.
    sort_by(&mut hits, |one, other| other.0.total_cmp(&one.0));
    let mut best = vec![f64::NEG_INFINITY; data.lines.len()];
    let mut leaders: Vec<(usize, f64)> = Vec::new();
    for (speed, line, worth) in hits {
        if let Some(known) = best.get_mut(line) {
            *known = known.max(worth);
        }
        let leader =
            (0..best.len()).reduce(|most, next| if best[next] > best[most] { next } else { most });
        match (leader, leaders.last()) {
            (Some(leader), Some((last, _))) if leader == *last => {}
            (Some(leader), _) if within(speed) => leaders.push((leader, speed)),
            _ => {}
        }
    }
    leaders.reverse();
    leaders
}

/// The second-best line at the SLO.
fn second(data: &PlansData, first: usize) -> Option<usize> {
    let from = data.slo_tokens_per_s_per_user.unwrap_or(0.0);
    let lines = data.lines.iter().enumerate();
    let others = lines.filter(|(index, _)| *index != first);
    let at = |line: &PlanLine| Some(data.value.worth(at_least(line, from, data.value)?));
    // A line with the same plan is no second.
    let lead = data.lines.get(first).and_then(at);
    let worth = others
        .filter_map(|(index, line)| Some((index, at(line)?)))
        .filter(|(_, worth)| lead.is_none_or(|lead| worth < &(lead - lead.abs() * 1e-9)));
    let best = worth.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(index, _)| index)
}

/// The line's best value for users at `speed` or faster.
fn at_least(line: &PlanLine, speed: f64, of: PlanValue) -> Option<f64> {
    let fast = |(point, _): &(&PlanPoint, f64)| point.point.per_user >= speed;
    let values = line.drawn(of).filter(fast).map(|(_, value)| value);
    values.reduce(|best, next| match of.worth(next) > of.worth(best) {
        true => next,
        false => best,
    })
}

fn short(data: &PlansData, line: usize) -> &str {
    data.lines.get(line).map_or("", |line| line.short.as_str())
}
