//! The finding, a sentence next to the chart's question: which line leads in which range of interactivity.

use super::frontiers::{Shown, worth};
use crate::order::sort_by;
use crate::words::format;

/// Returns the finding about the lines that are not turned off.
pub fn finding(shown: &Shown<'_>) -> String {
    let lines = &shown.of.lines;
    let drawn = || (0..lines.len()).filter(|line| shown.drawn(*line).next().is_some());
    if drawn().next().is_none() {
        return match lines.iter().any(|line| shown.hides(line)) {
            true => "All lines are hidden".to_owned(),
            false => "No plan to plot".to_owned(),
        };
    }
    if let Some(slo) = shown.of.slo
        && drawn().all(|line| lines[line].best.is_none())
    {
        return format!("No plan reaches {} tok/s/user", format::printed(slo));
    }
    let leaders = leaders(shown, f64::INFINITY);
    let (Some(first), Some(last)) = (leaders.first(), leaders.last()) else {
        return "No plan to plot".to_owned();
    };
    match leaders.as_slice() {
        [(only, _)] if drawn().count() == 1 => {
            let fastest = shown.hits().map(|(_, _, plan, _)| plan.point.per_user);
            let fastest = format::sig3(fastest.fold(0.0, f64::max));
            format!("{}, up to {fastest} tok/s/user", short(shown, *only))
        }
        [(only, _)] => {
            let lead = format!("{} leads throughout", short(shown, *only));
            match second(shown, *only) {
                Some(second) => format!("{lead}; second: {}", short(shown, second)),
                None => lead,
            }
        }
        [(one, until), (other, _)] => {
            let (one, until, other) = (
                short(shown, *one),
                format::sig3(*until),
                short(shown, *other),
            );
            format!("{one} leads up to {until} tok/s/user, then {other}")
        }
        _ => {
            let (most, fastest) = (short(shown, first.0), short(shown, last.0));
            match most == fastest {
                true => format!("{most} leads in tok/s/GPU and tok/s/user"),
                false => format!("{most} leads in tok/s/GPU, {fastest} in tok/s/user"),
            }
        }
    }
}

/// Returns the lines that lead at or above the SLO, in order of ascending interactivity, each with the highest
/// interactivity at which it leads.
fn leaders(shown: &Shown<'_>, end: f64) -> Vec<(usize, f64)> {
    let from = shown.of.slo.unwrap_or(0.0);
    let within = |speed: f64| speed >= from && speed <= end;
    let mut hits: Vec<(f64, usize, f64)> = shown
        .hits()
        .map(|(line, _, plan, value)| (plan.point.per_user, line, worth(shown.of.per, value)))
        .filter(|(speed, ..)| *speed >= from)
        .collect();
    // Go from the fastest plan down and compare the best plan so far of each line.
    sort_by(&mut hits, |one, other| other.0.total_cmp(&one.0));
    let mut best = vec![f64::NEG_INFINITY; shown.of.lines.len()];
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

/// Returns the second-best line at the SLO. A line whose best plan equals the best line's is skipped.
fn second(shown: &Shown<'_>, first: usize) -> Option<usize> {
    let from = shown.of.slo.unwrap_or(0.0);
    let others = (0..shown.of.lines.len()).filter(|line| *line != first);
    let at = |line: usize| best_from(shown, line, from);
    let lead = at(first);
    let worth = others
        .filter_map(|line| Some((line, at(line)?)))
        .filter(|(_, worth)| lead.is_none_or(|lead| worth < &(lead - lead.abs() * 1e-9)));
    let best = worth.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(index, _)| index)
}

/// Returns the figure of merit of a line's best plan at an interactivity of `speed` or more.
fn best_from(shown: &Shown<'_>, line: usize, speed: f64) -> Option<f64> {
    let fast = shown.drawn(line);
    let fast = fast.filter(|(_, _, plan, _)| plan.point.per_user >= speed);
    let worth = fast.map(|(.., value)| worth(shown.of.per, value));
    worth.reduce(f64::max)
}

fn short(shown: &Shown<'_>, line: usize) -> &'static str {
    { shown.of.lines.get(line) }.map_or("", |line| line.key.names().1)
}
