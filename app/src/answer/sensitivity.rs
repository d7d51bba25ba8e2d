//! Data of "What to buy?": what twice and half of each resource come to, in words and numbers.

use model_core::scenario::refusal::Refusal;
use model_core::scenario::restate::restate;
use model_core::scenario::{Inputs, Scenario};
use model_core::sensitivity::{
    Change, Compared, Effect, Obstacle, Resource, Sensitivity, changed, sensitivities,
};

use super::advice::Levers;
use super::{Evaluated, compare, problems};
use crate::charts::sensitivity::NOTHING;
use crate::charts::{SensitivityData, SensitivityRow, Swing, SwingOutcome};
use crate::format;

/// A row per resource that exists here, the most worth having first; of what is there `after` a step that costs nothing, where
/// that leads, as of the pinned scenario.
pub fn data(case: &Evaluated, after: bool, pinned: Option<&Evaluated>) -> SensitivityData {
    let theirs = pinned
        .map(|pinned| {
            let after = super::after(&Levers::of(&pinned.inputs));
            let pinned = after.as_ref().unwrap_or(pinned);
            sensitivities(&pinned.scenario, &pinned.evaluation)
        })
        .unwrap_or_default();
    let compared = Compared::of(&case.scenario, &case.evaluation);
    let rows = sensitivities(&case.scenario, &case.evaluation)
        .iter()
        .map(|row| {
            let ghost = theirs.iter().find(|other| other.resource == row.resource);
            let swing = |change| swing(case, row, change, ghost);
            SensitivityRow {
                name: name(row.resource).into(),
                now: amount(&case.scenario, row.resource),
                twice: swing(Change::Twice),
                half: swing(Change::Half),
                less_is_better: row.resource.less_is_better(),
            }
        })
        .collect();
    let mut data = SensitivityData {
        rows,
        fits: case.evaluation.memory.fits(),
        pinned: pinned.map(|pinned| {
            compare::difference(&case.inputs, &pinned.inputs).unwrap_or_else(|| "the same".into())
        }),
        source: match (after, compared.at_largest) {
            (false, true) => {
                "one resource changed, each time the largest batch that fits and meets the SLO"
            }
            (false, false) => "one resource changed, all else as it is, evaluated again",
            (true, true) => {
                "one resource changed on top of the headline's free step, each time the largest batch that fits and meets the SLO"
            }
            (true, false) => {
                "one resource changed on top of the headline's free step, evaluated again"
            }
        }
        .into(),
        finding: String::new(),
    };
    data.finding = finding(&data, after, case.at_largest());
    data
}

/// The scenario that a change stands for: twice before half, row by row, those that the chart folds included.
pub fn opened(inputs: &Inputs, index: usize) -> Option<Inputs> {
    let case = Evaluated::new(inputs).ok()?;
    let case = super::after(&Levers::of(inputs)).unwrap_or(case);
    let rows = sensitivities(&case.scenario, &case.evaluation);
    let resource = rows.get(index / 2)?.resource;
    let change = Change::ALL[index % 2];
    let other = changed(&case.scenario, resource, change.factor()).ok()?;
    restate(&case.inputs, &other)
}

fn name(resource: Resource) -> &'static str {
    match resource {
        Resource::Compute => "FLOP/s",
        Resource::Hbm => "HBM",
        Resource::Capacity => "Capacity",
        Resource::ScaleUp => "Scale-up",
        Resource::ScaleOut => "Scale-out",
        Resource::Domain => "Domain",
        Resource::Balance => "Balance β",
        Resource::Redundant => "Redundant",
        Resource::Latency => "Start-up latency",
        Resource::Overhead => "Overhead",
    }
}

/// How much of a resource a scenario has.
fn amount(scenario: &Scenario, resource: Resource) -> String {
    let cluster = &scenario.cluster;
    match resource {
        Resource::Compute => {
            let peak = cluster.peaks.of(scenario.precision.attention_format);
            peak.map_or_else(String::new, |peak| {
                format::teraflop_per_s(peak.get()).to_string()
            })
        }
        Resource::Hbm => format::bandwidth(cluster.hbm.get()).to_string(),
        Resource::ScaleUp => format::bandwidth(cluster.scale_up.get()).to_string(),
        Resource::ScaleOut => format::bandwidth(cluster.scale_out.get()).to_string(),
        Resource::Capacity => format!("{} GiB", format::printed(cluster.capacity.as_gib())),
        Resource::Domain if cluster.domain == 1 => "1 GPU".into(),
        Resource::Domain => format!("{} GPUs", format::count(f64::from(cluster.domain))),
        Resource::Balance => format::printed(scenario.plan.beta()),
        Resource::Redundant => format!("{} copies", scenario.plan.spec().redundant),
        Resource::Latency => {
            let calibration = &scenario.calibration;
            let fixed = calibration.messages.across.start + calibration.starts.operator;
            format!("{} µs", format::printed(fixed.as_micros()))
        }
        Resource::Overhead => {
            let layer = scenario.calibration.layer_overhead;
            format!("{} µs per layer", format::printed(layer.as_micros()))
        }
    }
}

fn swing(
    case: &Evaluated,
    row: &Sensitivity,
    change: Change,
    ghost: Option<&Sensitivity>,
) -> Swing {
    let resource = row.resource;
    let other = changed(&case.scenario, resource, change.factor()).ok();
    let then = other
        .as_ref()
        .map_or_else(String::new, |other| amount(other, resource));
    let times = match change {
        Change::Twice => "×2",
        Change::Half => "×½",
    };
    // Twice β would be more than there is: it stops at 1, and says so.
    let stopped =
        resource == Resource::Balance && change == Change::Twice && case.scenario.plan.beta() > 0.5;
    Swing {
        change: if stopped { "to 1".into() } else { times.into() },
        details: details(case, resource, row.of(change), other.as_ref()),
        then,
        outcome: outcome(case, resource, row.of(change)),
        pinned: ghost.and_then(|ghost| ghost.of(change).throughput()),
    }
}

fn outcome(case: &Evaluated, resource: Resource, effect: Effect) -> SwingOutcome {
    match effect {
        Effect::Throughput(ratio) => SwingOutcome::Ratio(ratio),
        Effect::Obstacle(Obstacle::Bound) => SwingOutcome::Bound(match resource {
            Resource::Balance => "balanced already".into(),
            _ => "none less".into(),
        }),
        Effect::Obstacle(Obstacle::Impossible(refusal)) => {
            SwingOutcome::Lost(format!("impossible: {}", facts(case, &refusal)))
        }
        Effect::Obstacle(Obstacle::NoRoom) => {
            SwingOutcome::Lost("out of memory: no sequence fits".into())
        }
        Effect::Obstacle(Obstacle::MissesSlo) => {
            SwingOutcome::Lost("no batch meets the SLO".into())
        }
        Effect::OutOfMemory { excess } => SwingOutcome::Lost(format!(
            "out of memory: needs {} of it",
            format::factor(excess)
        )),
    }
}

fn facts(case: &Evaluated, refusal: &Refusal) -> String {
    problems::problems(&case.inputs, &[*refusal])
        .into_iter()
        .next()
        .map_or_else(String::new, |problem| problem.facts)
}

/// What else there is to say of a change.
fn details(
    case: &Evaluated,
    resource: Resource,
    effect: Effect,
    other: Option<&Scenario>,
) -> Vec<(String, String)> {
    let mut details = Vec::new();
    let compared = Compared::of(&case.scenario, &case.evaluation);
    if let Effect::Throughput(ratio) = effect {
        let now = compared.evaluation.tokens_per_gpu;
        let then = format!("{} → {}", format::si(now), format::si(now * ratio));
        details.push(("tok/s per GPU".to_owned(), then));
    }
    if let Some(other) = other.filter(|_| compared.at_largest || resource == Resource::Capacity) {
        let (now, then) = (compared.scenario.workload.batch, other.workload.batch);
        let name = if compared.at_largest {
            "largest batch that meets the SLO"
        } else if then.to_bits() == now.to_bits() {
            "memory is not full: the batch stays"
        } else {
            "batch, as much as fits"
        };
        let text = format!("{} → {}", format::count(now), format::count(then));
        details.push((name.to_owned(), text));
    }
    match (resource, other) {
        (Resource::Balance, Some(_)) => {
            details.push((
                "β is mean over greatest load, at most 1".to_owned(),
                String::new(),
            ));
        }
        (Resource::Redundant, Some(_)) => {
            details.push((
                "β as it is: what copies buy is set there".to_owned(),
                String::new(),
            ));
        }
        (Resource::Latency, Some(_)) => {
            details.push(("of every collective and operator".to_owned(), String::new()));
        }
        _ => {}
    }
    details
}

/// What the chart shows, in a few words.
fn finding(data: &SensitivityData, after: bool, at_largest: bool) -> String {
    let Some(first) = data.rows.first() else {
        return "Nothing to change".to_owned();
    };
    let lead = match (after, at_largest, data.fits) {
        (true, ..) => "After the free step ",
        (false, true, _) => "At the largest batch ",
        (false, false, false) => return "Does not fit; these are if it did".to_owned(),
        (false, false, true) => "",
    };
    let (swing, gain) = best(first);
    if gain < 1.0 + NOTHING {
        return match (after, at_largest) {
            (true, _) => "After the free step nothing here alone would help",
            (false, true) => "Nothing here lifts the largest batch",
            (false, false) => "Nothing here alone would help",
        }
        .to_owned();
    }
    let named = |row: &SensitivityRow, swing: &Swing| format!("{} {}", row.name, swing.change);
    let said = named(first, swing);
    let said = match lead.is_empty() {
        true => said,
        false => format::lower(&said),
    };
    let said = format!("{lead}{said} gives {}", format::factor(gain));
    // Rows are in the order of their swings, which may be losses.
    let rest = { data.rows.iter().skip(1) }.map(|row| (row, best(row).1));
    let more = match rest.reduce(|most, next| if next.1 > most.1 { next } else { most }) {
        Some((row, next)) if next >= 1.05 => {
            let (name, factor) = (format::lower(&row.name), format::factor(next));
            format!(", then {name} {factor}")
        }
        Some((_, next)) if next >= 1.0 + NOTHING => {
            format!(", the rest up to {}", format::factor(next))
        }
        _ => ", nothing else helps".to_owned(),
    };
    let whole = format!("{said}{more}");
    let long = whole.chars().count() > LONGEST;
    if long { said } else { whole }
}

/// The change that gains more, and what it gains.
fn best(row: &SensitivityRow) -> (&Swing, f64) {
    let gain = |swing: &Swing| swing.ratio().unwrap_or(1.0);
    let (twice, half) = (gain(&row.twice), gain(&row.half));
    match half > twice {
        true => (&row.half, half),
        false => (&row.twice, twice),
    }
}

/// Of a finding, in letters: what a title has room for.
const LONGEST: usize = 50;
