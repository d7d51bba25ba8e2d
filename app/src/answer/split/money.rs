//! Data of "What does the budget buy?": degrees of parallelism under a budget.

use model_core::disagg::decision::SAME;
use model_core::disagg::split::alternative::best_of_size;
use model_core::disagg::split::search::{Candidate, SearchedDegrees, search, sizes};
use model_core::inputs::Number;
use model_core::order::sort_by;

use super::SplitCase;
use crate::charts::split::{Degree, DegreesData};
use crate::format;

const UNPRICED: &str = "no source prices both accelerators: set both prices";

/// The search over (a, b) under the budget and somewhat beyond it, with clusters of one accelerator.
pub fn degrees(case: &SplitCase) -> DegreesData {
    let setup = &case.setup;
    let found = case.budget.map_or_else(SearchedDegrees::default, |budget| {
        search(&case.at_speed, budget * super::BEYOND_BUDGET)
    });
    let mut degrees: Vec<Degree> = found
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
        finding: degrees_finding(case, &found),
        degrees,
        budget: case.budget,
        equal_price: case.inputs.stated(Number::Budget).is_none(),
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
            let (scenario, evaluation) = best_of_size(&case.at_speed, &case.setup, gpus)?;
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

/// The cluster that the headline compares Lamina with.
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

/// "30 H100 for $332/h serve more", "16 + 32 is best for $332/h".
fn degrees_finding(case: &SplitCase, found: &SearchedDegrees) -> String {
    let Some(budget) = case.budget else {
        return "No price for both sides".into();
    };
    let affordable = found
        .candidates
        .iter()
        .filter(|found| found.dollars_per_hour <= budget * (1.0 + 1e-9));
    let value = |found: &&Candidate| found.tokens_per_dollar;
    let best = affordable.reduce(|most, next| {
        if value(&next) > value(&most) {
            next
        } else {
            most
        }
    });
    let hourly = format::dollars(budget);
    let other = case.other.as_ref().map(|other| {
        let reached = other.tokens_per_dollar();
        (other.scenario.cluster.gpus, reached)
    });
    match (best, other) {
        (None, _) => format!("None keeps {} tok/s per user", format::sig3(case.users)),
        (Some(best), Some((gpus, reached))) if value(&best) * SAME < reached => {
            format!("{gpus} {} for {hourly}/h serve more", case.compute_name())
        }
        (Some(best), _) => format!(
            "{} + {} is best for {hourly}/h",
            best.compute_gpus, best.memory_gpus
        ),
    }
}
