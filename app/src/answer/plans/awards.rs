//! "Best under my SLO", "Cheapest under my SLO": plans in words, with their margins.

use super::{Own, Searched};
use crate::format;
use model_core::scenario::{Inputs, Number};
use model_core::search::Podium;
use model_core::sweep::Point;

/// A plan that wins something.
#[derive(Debug, Clone, PartialEq)]
pub struct Award {
    /// "Best under my SLO".
    pub title: &'static str,
    /// "DP + EP on 128 H100".
    pub plan: String,
    /// "DP 128 · EP 128 · batch 36,864".
    pub detail: String,
    /// What it wins with: "3.21k".
    pub value: String,
    /// Its unit: "tok/s per GPU".
    pub unit: &'static str,
    /// The rest of its figures.
    pub others: String,
    /// The inputs, for opening it.
    pub inputs: Inputs,
    /// The best of another sharding, and how far behind it is.
    pub runner: Option<Runner>,
}

/// The best of another sharding.
#[derive(Debug, Clone, PartialEq)]
pub struct Runner {
    /// "1.35× the runner-up", "3.0% cheaper than the runner-up".
    pub margin: String,
    /// "TP × PP on 64 H100, TP 8 · PP 8 · batch 4,096".
    pub plan: String,
    /// The candidate, for opening it.
    pub index: usize,
}

/// The best plan, and the cheapest where a price is known; one's own GPUs compete to the whole sequence.
pub fn awards(searched: &Searched, own: Option<&Own>) -> Vec<Award> {
    let found = &searched.answer.found;
    let slo = searched.link.current.get(Number::Slo).is_some();
    let best = award(searched, &found.best, |best, second| {
        let ratio = second.map(|second| best.tokens_per_gpu / second.tokens_per_gpu);
        Told {
            title: if slo {
                "Best under my SLO"
            } else {
                "Most throughput"
            },
            value: format::si(best.tokens_per_gpu),
            unit: "tok/s per GPU",
            others: [
                Some(per_user(best)),
                best.dollars_per_mtok
                    .map(|dollars| format!("{} per M tokens", format::dollars(dollars))),
            ],
            margin: ratio.map(ahead),
        }
    });
    let cheapest = award(searched, &found.cheapest, |best, second| {
        let dollars = |point: &Point| point.dollars_per_mtok.unwrap_or(f64::NAN);
        let ratio = second.map(|second| dollars(best) / dollars(second));
        Told {
            title: if slo {
                "Cheapest under my SLO"
            } else {
                "Cheapest"
            },
            value: format::dollars(dollars(best)),
            unit: "per M tokens",
            others: [
                Some(per_user(best)),
                Some(format!("{} tok/s per GPU", format::si(best.tokens_per_gpu))),
            ],
            margin: ratio.map(cheaper),
        }
    });
    let evaluation = own.map(|own| own.evaluation);
    let beaten = |award: &Option<Award>, ahead: bool| ahead || award.is_none();
    let mut awards = Vec::new();
    let first = found.best.first.map_or(0.0, |best| best.tokens_per_gpu);
    let ahead = evaluation.is_some_and(|own| own.tokens_per_gpu > first);
    awards.extend(match own {
        Some(own) if beaten(&best, ahead) => Some(of_own(own, slo, Value::Throughput)),
        _ => best,
    });
    let least = found.cheapest.first.and_then(|best| best.dollars_per_mtok);
    let price = evaluation.and_then(|own| own.dollars_per_mtok);
    let ahead = price.is_some_and(|price| least.is_none_or(|least| price < least));
    awards.extend(match own {
        Some(own) if ahead => Some(of_own(own, slo, Value::Price)),
        _ => cheapest,
    });
    awards
}

/// What an award is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Throughput,
    Price,
}

/// One's own GPUs, where nothing that was found beats them.
fn of_own(own: &Own, slo: bool, value: Value) -> Award {
    let Own {
        inputs, evaluation, ..
    } = own;
    let per_user = format!(
        "{} tok/s per user",
        format::sig3(evaluation.tokens_per_user)
    );
    let rate = format::si(evaluation.tokens_per_gpu);
    let price = evaluation
        .dollars_per_mtok
        .map_or_else(|| format::NONE.to_owned(), format::dollars);
    let (title, value, unit, other) = match value {
        Value::Throughput => (
            if slo {
                "Best under my SLO"
            } else {
                "Most throughput"
            },
            rate,
            "tok/s per GPU",
            format!("{price} per M tokens"),
        ),
        Value::Price => (
            if slo {
                "Cheapest under my SLO"
            } else {
                "Cheapest"
            },
            price,
            "per M tokens",
            format!("{rate} tok/s per GPU"),
        ),
    };
    Award {
        title,
        plan: format!("Your {}", own.gpus()),
        detail: own.detail(),
        value,
        unit,
        others: format!("{per_user} · {other}"),
        inputs: *inputs,
        runner: None,
    }
}

/// What is said of a winner.
struct Told {
    title: &'static str,
    value: String,
    unit: &'static str,
    others: [Option<String>; 2],
    margin: Option<String>,
}

fn award(
    searched: &Searched,
    podium: &Podium,
    tell: impl Fn(&Point, Option<&Point>) -> Told,
) -> Option<Award> {
    let first = podium.first.as_ref()?;
    let inputs = searched.opened(first.index)?;
    let told = tell(first, podium.second.as_ref());
    let plan = searched.plan(first);
    let runner = podium
        .second
        .as_ref()
        .zip(told.margin)
        .map(|(second, margin)| {
            let plan = searched.plan(second);
            Runner {
                margin,
                plan: format!("{}, {}", plan.short(), plan.detail()),
                index: second.index,
            }
        });
    Some(Award {
        title: told.title,
        plan: plan.short(),
        detail: plan.detail(),
        value: told.value,
        unit: told.unit,
        others: told
            .others
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" · "),
        inputs,
        runner,
    })
}

fn per_user(point: &Point) -> String {
    format!("{} tok/s per user", format::sig3(point.tokens_per_user))
}

/// "1.35× the runner-up"; close by, where three digits around one say little, "3.1% ahead of it".
fn ahead(ratio: f64) -> String {
    let more = ratio - 1.0;
    if more < 0.0005 {
        "level with the runner-up".to_owned()
    } else if more < 0.1 {
        format!("{}% ahead of the runner-up", format::tenths(more * 100.0))
    } else {
        format!("{} the runner-up", format::factor(ratio))
    }
}

/// "3.0% cheaper than the runner-up".
fn cheaper(ratio: f64) -> String {
    let less = 1.0 - ratio;
    if less < 0.0005 {
        "as cheap as the runner-up".to_owned()
    } else if less < 0.1 {
        format!(
            "{}% cheaper than the runner-up",
            format::tenths(less * 100.0)
        )
    } else {
        format!("{} cheaper than the runner-up", format::share(less))
    }
}
