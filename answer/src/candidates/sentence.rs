//! The result of the comparison as a sentence: the cheapest candidate, and the request rates at which another one is
//! cheaper.

use super::CandidateLine;
use crate::words::format;
use crate::words::sentence::{Sentence, Tone};
use model_core::candidates::{CandidatesFound, RatePoint, Turn, Turns};
use model_core::inputs::{Inputs, Number};

/// Factor within which two turning points (request rates at which the cheapest candidate changes) are treated as one.
const ONE: f64 = 1.02;
/// Maximum length of a chart's finding (its one-line result), in characters.
const LONGEST: usize = 60;
/// Costs that differ by less than this fraction are treated as equal.
const SAME: f64 = 0.005;

/// The result of the comparison as a sentence: its first clause and its continuation.
pub struct Finding {
    first: String,
    rest: String,
    /// Shorter continuation, for use where there is little room.
    brief: String,
}

impl Finding {
    fn of(first: impl Into<String>, rest: impl Into<String>) -> Self {
        Self {
            first: first.into(),
            rest: rest.into(),
            brief: String::new(),
        }
    }

    /// Returns the sentence as the headline of a view.
    pub fn headline(&self) -> Sentence {
        Sentence::default()
            .then(Tone::Strong, format::capital(&self.first))
            .say(format!("{}.", self.rest))
    }

    /// Returns the sentence as the one-line result of a chart, shortened if it is too long.
    pub fn short(&self) -> String {
        let whole = format!("{}{}", self.first, self.rest);
        match whole.chars().count() <= LONGEST {
            true => whole,
            false => format!("{}{}", self.first, self.brief),
        }
    }
}

/// Describes the cheapest candidate and, if a request rate is set, the rates at which it is the cheapest.
pub fn finding(
    found: &CandidatesFound,
    rows: &[CandidateLine],
    names: &[String],
    now: &Inputs,
) -> Finding {
    let feasible = || rows.iter().filter(|row| !row.misses);
    let priced: Vec<&CandidateLine> = feasible().filter(|row| row.dollars.is_some()).collect();
    match priced.as_slice() {
        [] if feasible().next().is_none() => Finding::of("no candidate is feasible", ""),
        [] => Finding::of("set prices to compare costs", ""),
        [only] => Finding::of(
            format!("only {} is feasible and has a price", only.name),
            "",
        ),
        [first, second, ..] => {
            let cheap = if priced.len() > 2 {
                "cheapest"
            } else {
                "cheaper"
            };
            let turned = now
                .get(Number::Rate)
                .and_then(|_| turned(found, &first.name, cheap, names));
            turned.unwrap_or_else(|| {
                let less = |than: &CandidateLine| {
                    let less = 1.0 - first.dollars.unwrap_or(0.0) / than.dollars.unwrap_or(1.0);
                    (less >= SAME).then(|| format::share(less))
                };
                let Some(next) = less(second) else {
                    let start = format!("{} costs the same", first.name);
                    return Finding::of(start, format!(" as {}", second.name));
                };
                let mine = |row: &&&CandidateLine| row.inputs.gpu == now.gpu;
                let own = { priced.iter().skip(2) }.find(mine);
                let own =
                    own.and_then(|own| Some(format!("{} less than {}, ", less(own)?, own.name)));
                let cost = first.dollars.map_or_else(String::new, format::dollars);
                let next = format!("{next} less than {}", second.name);
                let start = format!("{} is {cheap}", first.name);
                let rest = format!(", {cost}/M: {}{next}", own.unwrap_or_default());
                Finding {
                    brief: format!(": {next}"),
                    ..Finding::of(start, rest)
                }
            })
        }
    }
}

/// Describes the request rates at which the cheapest candidate changes; `None` before any rate has been tried.
fn turned(found: &CandidatesFound, first: &str, cheap: &str, names: &[String]) -> Option<Finding> {
    let (from, to) = found.curve.first().zip(found.curve.last())?;
    let [lower, higher] = found.turns;
    let rate = |rate: f64| format::figure(rate);
    if let Some(near) = higher.nearest {
        let beyond = match lasting(&higher, &near, names) {
            Beyond::At(name) => format!(", {name} beyond"),
            Beyond::From(name, later) => format!(
                ", {name} from {} on; in between, rounding to whole replicas decides",
                rate(later)
            ),
            Beyond::Open => "; beyond, rounding to whole replicas decides".to_owned(),
        };
        let until = rate(near.until);
        // The cheapest candidate may also change at a lower rate.
        let range = lower.nearest.map_or_else(
            || format!("up to {until}"),
            |below| format!("from {} to {until}", rate(below.until)),
        );
        return Some(at_rates(first, cheap, &format!("{range} req/s"), &beyond));
    }
    if let Some(near) = lower.nearest {
        let below = match lasting(&lower, &near, names) {
            Beyond::At(name) => format!(", {name} below"),
            Beyond::From(..) | Beyond::Open => {
                "; below, rounding to whole replicas decides".to_owned()
            }
        };
        let until = rate(near.until);
        return Some(at_rates(
            first,
            cheap,
            &format!("from {until} req/s on"),
            &below,
        ));
    }
    let whole = |point: &RatePoint| rate(point.rate);
    let range = format!("from {} to {} req/s", whole(from), whole(to));
    Some(at_rates(first, cheap, &range, ""))
}

/// Builds a sentence such as "H200 is cheaper at every rate tried from 4.14 to 58.6 req/s, GB200 beyond".
fn at_rates(first: &str, cheap: &str, range: &str, beyond: &str) -> Finding {
    Finding {
        brief: format!(" {range}"),
        ..Finding::of(
            format!("{first} is {cheap}"),
            format!(" at every rate tried {range}{beyond}"),
        )
    }
}

/// The cheapest candidate on the other side of a turning point (a request rate at which the cheapest candidate
/// changes).
enum Beyond<'a> {
    /// Another candidate is the cheapest immediately beyond the turning point.
    At(&'a str),
    /// Another candidate is the cheapest beyond this rate, which is farther than the turning point.
    From(&'a str, f64),
    /// No single candidate remains the cheapest beyond the turning point.
    Open,
}

fn lasting<'a>(turns: &Turns, near: &Turn, names: &'a [String]) -> Beyond<'a> {
    let lasting = turns
        .lasting
        .and_then(|turn| Some((turn, names.get(turn.to?)?)));
    match lasting {
        Some((turn, name)) => match (turn.rate / near.rate).max(near.rate / turn.rate) <= ONE {
            true => Beyond::At(name),
            false => Beyond::From(name, turn.rate),
        },
        None => Beyond::Open,
    }
}
