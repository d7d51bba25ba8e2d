//! Chart data of what money buys: degrees of parallelism under a budget, traces at equal price.

use model_core::disagg::split::alternative::{best_of_size, homogeneous};
use model_core::disagg::split::search::sizes;
use model_core::disagg::split::{evaluate, slo};
use model_core::order::sort_by;
use model_core::scenario::Number;
use model_core::trace;

use super::SplitCase;
use crate::answer::ratio::decision::SAME;
use crate::charts::split::{Degree, DegreesData, Served, TraceBars, TracesData};
use crate::format;

const UNPRICED: &str = "no source prices both accelerators: set both prices";

/// The search over (a, b) under the budget and somewhat beyond it, with clusters of one accelerator.
pub fn degrees(case: &SplitCase, per_dollar: bool) -> DegreesData {
    let setup = &case.setup;
    let mut degrees: Vec<Degree> = case
        .found
        .candidates
        .iter()
        .map(|found| Degree {
            label: format!("{} + {}", found.compute_gpus, found.memory_gpus),
            name: case.named(found.compute_gpus, found.memory_gpus),
            split: Some((found.compute_gpus, found.memory_gpus)),
            now: found.compute_gpus == setup.compute_gpus && found.memory_gpus == setup.memory_gpus,
            compared: false,
            dollars_per_hour: found.dollars_per_hour,
            batch: found.batch,
            tokens_per_s: found.tokens,
            tokens_per_s_per_user: found.tokens_per_user,
            tokens_per_dollar: found.tokens_per_dollar,
        })
        .collect();
    degrees.extend(clusters(case));
    degrees.extend(compared(case));
    sort_by(&mut degrees, |a, b| {
        a.dollars_per_hour.total_cmp(&b.dollars_per_hour)
    });
    DegreesData {
        finding: degrees_finding(case, per_dollar),
        degrees,
        budget: case.budget,
        equal_price: case.inputs.stated(Number::Budget).is_none(),
        per_dollar,
        nothing: if case.budget.is_none() {
            UNPRICED.into()
        } else {
            "nothing under the budget holds the model".into()
        },
        source: "every (a, b) evaluated, [L] Figure 11".into(),
    }
}

/// Clusters of the compute accelerator within the drawn prices.
fn clusters(case: &SplitCase) -> Vec<Degree> {
    let (Some(budget), Some(price)) = (case.budget, case.setup.compute_price) else {
        return Vec::new();
    };
    if price <= 0.0 {
        return Vec::new();
    }
    let most = (budget * super::BEYOND_BUDGET / price).min(4096.0) as u32;
    sizes(most)
        .filter(|gpus| *gpus <= 8 || gpus.is_multiple_of((most / 24).max(1)))
        .filter(|gpus| {
            let other = case.other.as_ref();
            other.is_none_or(|other| other.scenario.cluster.gpus != *gpus)
        })
        .filter_map(|gpus| {
            let (scenario, evaluation) = best_of_size(&case.inputs, &case.setup, gpus)?;
            let dollars_per_hour = price * f64::from(gpus);
            Some(Degree {
                label: gpus.to_string(),
                name: format!("{gpus} × {}", case.compute_name()),
                split: None,
                now: false,
                compared: false,
                dollars_per_hour,
                batch: scenario.workload.batch,
                tokens_per_s: evaluation.tokens,
                tokens_per_s_per_user: evaluation.tokens_per_user,
                tokens_per_dollar: evaluation.tokens * 3600.0 / dollars_per_hour,
            })
        })
        .collect()
}

/// The cluster that the verdict compares the split with.
fn compared(case: &SplitCase) -> Option<Degree> {
    let other = case.other.as_ref()?;
    let gpus = other.scenario.cluster.gpus;
    Some(Degree {
        label: gpus.to_string(),
        name: format!("{gpus} × {}", case.compute_name()),
        split: None,
        now: false,
        compared: true,
        dollars_per_hour: other.dollars_per_hour,
        batch: other.scenario.workload.batch,
        tokens_per_s: other.evaluation.tokens,
        tokens_per_s_per_user: other.evaluation.tokens_per_user,
        tokens_per_dollar: other.tokens_per_dollar(),
    })
}

/// "No split reaches 30 H100 at $332/h", "16 + 32 is the best split for $332/h".
fn degrees_finding(case: &SplitCase, per_dollar: bool) -> String {
    let Some(budget) = case.budget else {
        return "No price for both sides".into();
    };
    let affordable = case
        .found
        .candidates
        .iter()
        .filter(|found| found.dollars_per_hour <= budget * (1.0 + 1e-9));
    let value = |found: &&model_core::disagg::split::search::Candidate| {
        if per_dollar {
            found.tokens_per_dollar
        } else {
            found.tokens
        }
    };
    let best = affordable.reduce(|most, next| {
        if value(&next) > value(&most) {
            next
        } else {
            most
        }
    });
    let hourly = format::dollars(budget);
    let other = case.other.as_ref().map(|other| {
        let reached = if per_dollar {
            other.tokens_per_dollar()
        } else {
            other.evaluation.tokens
        };
        (other.scenario.cluster.gpus, reached)
    });
    match (best, other) {
        (None, _) if case.inputs.get(Number::Slo).is_some() => {
            format!("No split for {hourly}/h keeps the SLO")
        }
        (None, _) => format!("No split fits {hourly}/h"),
        (Some(best), Some((gpus, reached))) if value(&best) * SAME < reached => {
            format!(
                "No split reaches {gpus} {} at {hourly}/h",
                case.compute_name()
            )
        }
        (Some(best), _) => format!(
            "{} + {} is the best split for {hourly}/h",
            best.compute_gpus, best.memory_gpus
        ),
    }
}

/// Every trace on the split and on a cluster of about its price, each as full as it gets.
pub fn served(case: &SplitCase) -> Vec<TraceBars> {
    trace::TRACES
        .iter()
        .map(|trace| {
            let mut inputs = case.inputs;
            inputs.trace = Some(trace);
            let setup = slo::setup(&inputs).ok();
            let keeps = |users: f64| slo::keeps(inputs.get(Number::Slo), users);
            let split = setup.and_then(|setup| {
                let split = evaluate(&setup).ok()?;
                if !keeps(split.tokens_per_user) {
                    return None;
                }
                Some(Served {
                    batch: setup.batch(),
                    tokens_per_s: split.tokens,
                    tokens_per_s_per_user: split.tokens_per_user,
                    dollars_per_hour: setup.dollars_per_hour(),
                })
            });
            let cluster = setup.and_then(|setup| homogeneous(&inputs, &setup));
            // That not even one sequence is fast enough is the SLO's doing, not memory's.
            let patient = inputs.without(Number::Slo);
            let roomy = |setup| cluster.is_some() || homogeneous(&patient, &setup).is_some();
            let missing =
                [setup.is_some(), setup.is_some_and(roomy)].map(|possible| match possible {
                    true => "too slow",
                    false => "no room",
                });
            let other = cluster
                .filter(|other| keeps(other.evaluation.tokens_per_user))
                .map(|other| Served {
                    batch: other.scenario.workload.batch,
                    tokens_per_s: other.evaluation.tokens,
                    tokens_per_s_per_user: other.evaluation.tokens_per_user,
                    dollars_per_hour: Some(other.dollars_per_hour),
                });
            TraceBars {
                name: trace.name.into(),
                short: trace.short,
                context: trace.mean_context(),
                split,
                other,
                missing,
            }
        })
        .collect()
}

/// "+57% to +155%": the least and the most that the split has over the other; `None` where there is nothing to compare.
fn gained(traces: &[TraceBars]) -> Option<String> {
    let gains = || traces.iter().filter_map(TraceBars::gain);
    let [least, most] = [gains().reduce(f64::min)?, gains().reduce(f64::max)?]
        .map(|gain| format::percent_change(gain, 1.0));
    Some(format!("{least} to {most}"))
}

/// The traces at about equal price.
pub fn traces(case: &SplitCase, traces: Vec<TraceBars>, per_dollar: bool) -> TracesData {
    // Prices are about the same, not the same: per dollar they are compared exactly.
    // How full they are is what tells them from the stated batch.
    let full = match case.inputs.get(Number::Slo) {
        Some(_) => "within the SLO",
        None => "memory full",
    };
    let finding = match gained(&traces) {
        Some(gained) => format!("{}: {gained}", format::capital(full)),
        None => {
            let rates = traces
                .iter()
                .filter_map(|trace| Some(trace.split?.tokens_per_s));
            let least = rates.clone().reduce(f64::min);
            match least.zip(rates.reduce(f64::max)) {
                Some((least, most)) => {
                    format!("Split: {} to {} tok/s", format::si(least), format::si(most))
                }
                None if traces.iter().any(|trace| trace.missing[0] == "too slow") => {
                    "The split is too slow for all of them".to_owned()
                }
                None => "No room for any of them".to_owned(),
            }
        }
    };
    // Prices are about the same, not the same: what is drawn is what is compared.
    let priced = case.setup.dollars_per_hour().is_some() && case.other.is_some();
    let per_dollar = per_dollar && case.setup.dollars_per_hour().is_some() || priced;
    // The stated batch plays no part here.
    let what = if per_dollar {
        "tokens per dollar"
    } else {
        "tokens/s"
    };
    TracesData {
        compared: case.other.is_some() || traces.iter().any(|trace| trace.other.is_some()),
        traces,
        per_dollar,
        axis: format!("{what}, {full}"),
        split: case.name(),
        other: case
            .other_name()
            .unwrap_or_else(|| format!("{} only", case.compute_name())),
        finding,
        nothing: "no request of these traces fits".into(),
        source: "each serves what its memory holds, [L] 6.1, Table 4".into(),
    }
}
