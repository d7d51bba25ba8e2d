//! "Best under my SLO", "Cheapest under my SLO": plans in words, with their margins.

use super::Searched;
use crate::format;
use model_core::scenario::Number;
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
    /// The candidate, for opening it.
    pub index: usize,
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

/// The best plan, and the cheapest where a price is known.
pub fn awards(searched: &Searched) -> Vec<Award> {
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
    best.into_iter().chain(cheapest).collect()
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
        index: first.index,
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
