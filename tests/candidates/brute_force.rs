//! Tests the comparison of candidates by brute force: every replica size, plan, batch and service (pools of replicas)
//! is evaluated one by one.

use model_core::candidates::{Candidate, CandidateBest, CandidateRow, Limit};
use model_core::evaluate::evaluate;
use model_core::inputs::{Gpu, Inputs, Number};
use model_core::levers::{is_feasible, plans};
use model_core::limits::largest;
use model_core::permalink::{Link, read};
use model_core::scenario::Scenario;
use model_core::service::service;
use ridgepoint_tests::law::tried;
use ridgepoint_tests::space::seeded;

use super::compared;

/// Relative difference below which two costs count as equal; it covers rounding error.
const NEAR: f64 = 1e-9;

/// Returns the permalink of random demand number `number`; every third demand has a request rate.
fn demand(number: u64) -> Link {
    let mut draws = seeded(number.wrapping_mul(0x9e37_79b9).wrapping_add(11));
    let mut one_of = |texts: &[&str]| {
        let draw = draws.next().unwrap_or(0) as usize;
        texts[draw % texts.len()].to_owned()
    };
    let rate = match number.is_multiple_of(3) {
        true => one_of(&["rate=2", "rate=30", "rate=300"]),
        false => one_of(&["gpus=8", "gpus=16", "gpus=24", "gpus=72"]),
    };
    let parts = [
        rate,
        one_of(&[
            "model=qwen3-30b-a3b",
            "model=gpt-oss-120b",
            "model=llama-3.1-8b",
            "model=qwen3-235b-a22b",
            "model=deepseek-v3",
        ]),
        one_of(&["gpu=h200", "gpu=h100", "gpu=mi300x"]),
        one_of(&["slo=20", "slo=40", "slo=100", "mtp=0"]),
        one_of(&["prompt=3k&output=800", "context=4k", "context=16k"]),
        one_of(&["prices=h200:2.3,gb200:5", "prices=b200:1", "price=3"]),
        one_of(&[
            "candidates=h200,gb200",
            "candidates=h100:16,b200:8",
            "candidates=h200:32,h200:24:bf16,mi300x",
            "candidates=b200,h100",
        ]),
    ];
    read(&format!("v=3&{}", parts.join("&")))
}

/// Returns the scenario of a candidate: the permalink's scenario with the candidate's accelerator and precision, and
/// with default sharding and batch.
fn of_keys(candidate: &Candidate, link: &Link) -> Inputs {
    let mut there = link.current;
    if let (Gpu::Catalog(entry), true) = (candidate.gpu, candidate.gpu != there.gpu) {
        there.choose_gpu(entry);
    }
    if let Some(precision) = candidate.precision {
        there = there.with_precision(precision);
    }
    there.unshard();
    there.without(Number::Batch)
}

/// Returns the lowest cost, in US dollars per million tokens, of any feasible plan on `gpus` GPUs in equal replicas.
/// A replica has 1, 2, 4, a multiple of 8, or all GPUs. Each plan has the largest batch that its limits allow.
fn cheapest_plan(base: &Inputs, gpus: u32) -> Option<f64> {
    let sizes = (1..=gpus).filter(|size| gpus.is_multiple_of(*size));
    let sizes = sizes.filter(|size| size % 8 == 0 || [1, 2, 4, gpus].contains(size));
    let mut least: Option<f64> = None;
    for size in sizes {
        let there = base
            .with(Number::Gpus, f64::from(size))
            .with(Number::Replicas, f64::from(gpus / size));
        let Ok(scenario) = there.scenario() else {
            continue;
        };
        for plan in plans(&scenario) {
            let mut tried = Scenario { plan, ..scenario };
            let Ok(edge) = largest(&tried) else { continue };
            tried.workload.batch = edge.batch;
            let Ok(found) = evaluate(&tried) else {
                continue;
            };
            if is_feasible(&tried, &found)
                && let Some(cost) = found.dollars_per_mtok
            {
                least = Some(least.map_or(cost, |least| least.min(cost)));
            }
        }
    }
    least
}

fn best(row: &CandidateRow) -> Option<&CandidateBest> {
    row.found.as_ref().ok()
}

#[test]
fn every_candidate_is_at_its_best() {
    let (mut plans, mut services) = (0, 0);
    for number in 0..tried(100) {
        let link = demand(number);
        let (candidates, found) = compared(&link);
        assert_eq!(found.rows.len(), candidates.len());
        for row in &found.rows {
            let candidate = &candidates[row.place];
            let base = of_keys(candidate, &link);
            let text = format!("{number}: {candidate:?}");
            if link.current.get(Number::Rate).is_some() {
                let served = service(&base.without(Number::Gpus)).expect("it can be planned");
                assert_eq!(
                    best(row).map(|best| best.gpus),
                    served.gpus().map(|of| of as f64)
                );
                let per_token = 1e6 / served.requests.output;
                let cost = served.cost().map(|cost| cost.per_request * per_token);
                assert_eq!(
                    best(row).and_then(|best| best.dollars_per_mtok),
                    cost,
                    "{text}"
                );
                services += usize::from(cost.is_some());
                continue;
            }
            let gpus = match candidate.limit {
                Some(Limit::Gpus(gpus)) => gpus,
                _ => link.current.get(Number::Gpus).expect("a count") as u32,
            };
            let brute = cheapest_plan(&base, gpus);
            let said = best(row).and_then(|best| best.dollars_per_mtok);
            match (said, brute) {
                (Some(said), Some(brute)) => {
                    plans += 1;
                    assert!(
                        (said / brute - 1.0).abs() < NEAR,
                        "{text}: {said} of {brute}"
                    );
                }
                (said, brute) => assert_eq!(said, brute, "{text}"),
            }
        }
        let costs = found.rows.iter().filter_map(|row| {
            best(row)
                .filter(|best| best.is_available())?
                .dollars_per_mtok
        });
        let costs: Vec<f64> = costs.collect();
        assert!(costs.is_sorted(), "{number}: {costs:?}");
    }
    assert!(
        plans > 20 && services > 10,
        "{plans} plans, {services} services"
    );
}

/// Checks turning points in the request rate: services computed separately on both sides of a turning point have
/// different cheapest candidates.
#[test]
fn turns_are_where_services_say_so() {
    let mut turned = 0;
    for number in (0..3 * tried(24)).step_by(3) {
        let link = demand(number);
        let (candidates, found) = compared(&link);
        let cheapest = |rate: f64| {
            let costs = candidates
                .iter()
                .enumerate()
                .filter_map(|(place, candidate)| {
                    let base = of_keys(candidate, &link).without(Number::Gpus);
                    let served = service(&base.with(Number::Rate, rate)).ok()?;
                    let cost = served.cost()?.per_request;
                    let price = base.get(Number::Price);
                    let available = candidate.available(price).ok()?;
                    let gpus = served.gpus()?;
                    available
                        .is_none_or(|most| gpus <= u64::from(most))
                        .then_some((place, cost))
                });
            let least = costs.reduce(|one, other| if other.1 < one.1 { other } else { one });
            least.map(|(place, _)| place)
        };
        for turns in found.turns {
            for turn in [turns.nearest, turns.lasting].into_iter().flatten() {
                turned += 1;
                assert_eq!(cheapest(turn.rate), turn.to, "{number} at {}", turn.rate);
                assert_ne!(cheapest(turn.until), turn.to, "{number} at {}", turn.until);
                let apart = (turn.rate / turn.until).max(turn.until / turn.rate);
                assert!(apart < 1.006, "{number}: {apart}");
            }
        }
    }
    assert!(turned > 3, "{turned}");
}
