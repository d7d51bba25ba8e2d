//! Tests each turning point (an input value at which a verdict changes) by evaluating both sides.

use model_core::inputs::{Inputs, Number};
use model_core::math::ln;
use model_core::permalink::read;
use model_core::service::{Demand, Planner};
use model_core::turning::{Contest, Link, Turned, Turns, overlapped_from, verdict};
use ridgepoint_tests::law::law;
use ridgepoint_tests::space::{inputs, seeded};
use std::sync::atomic::{AtomicU32, Ordering};

const PAIRS: u64 = 2000;

/// Checks that the verdicts on the two sides of a turning point differ. For an integer input, the sides are
/// neighboring values, or as near as the search resolves.
fn confirmed(contest: &Contest, found: &Turned, now: model_core::turning::Side) {
    let Some(turn) = found.turn else { return };
    let there = |value| verdict(&contest.at(&found.axis, value).expect("a value in range"));
    let key = found.axis.number.spec().key;
    let before = there(turn.before).expect("feasible");
    let after = there(turn.at).expect("feasible");
    assert_eq!(before, now, "{key} {turn:?}");
    assert_ne!(after, now, "{key} {turn:?}");
    let range = found.axis.range;
    assert!((range.least..=range.most).contains(&turn.at), "{key}");
    let apart = (turn.at - turn.before).abs();
    match range.whole {
        true => assert!(apart <= (range.fine * turn.at).max(1.0), "{key} {turn:?}"),
        // The search resolves four digits.
        false => assert!(
            ln(turn.at / turn.before).abs() < 1.1e-3 + range.fine,
            "{key} {turn:?}"
        ),
    }
}

fn searched(contest: &Contest) -> u32 {
    let turns = Turns::of(contest);
    let Some(now) = turns.now else { return 0 };
    for found in &turns.found {
        confirmed(contest, found, now);
    }
    turns.found.iter().filter(|of| of.turn.is_some()).count() as u32
}

/// Checks turning points between a random scenario and a variant of it with another accelerator and price.
#[test]
fn both_sides_of_a_turning_point_confirm_it() {
    let turned = AtomicU32::new(0);
    law(
        PAIRS,
        |number| inputs(&mut seeded(number)),
        |first| {
            let mut draws = seeded(first.get(Number::Batch).unwrap_or(1.0) as u64 + 77);
            let other = inputs(&mut draws);
            let mut second = *first;
            second.gpu = other.gpu;
            for number in Number::ALL {
                if number.describes(model_core::inputs::NumberOf::CustomGpu) {
                    second.state(number, other.stated(number));
                }
            }
            let prices = [2.0, 2.5].map(|price| price + f64::from(draws.next().unwrap_or(0) % 5));
            let first = first.with(Number::Price, prices[0]);
            let second = second.with(Number::Price, prices[1]);
            let found = searched(&Contest::Scenarios(first, second));
            turned.fetch_add(found, Ordering::Relaxed);
        },
    );
    let turned = turned.into_inner();
    assert!(turned > 500, "{turned} turning points");
}

#[test]
fn services_and_deployments_turn() {
    let of = |link: &str| read(link).current;
    let service =
        of("v=2&model=qwen3-235b-a22b&gpu=h200&rate=50&slo=25&prompt=3k&output=800&price=2.3");
    let other =
        of("v=2&model=qwen3-235b-a22b&gpu=gb200&rate=50&slo=25&prompt=3k&output=800&price=5");
    let contests = [
        Contest::Pools(service),
        Contest::Services(service, other),
        Contest::Afd {
            inputs: of("v=2&slo=25&view=disagg"),
            throughput: 1.0,
            interactivity: 1.0,
        },
        Contest::replicas(&of("v=2&gpus=24&replicas=3&batch=4096")).expect("replicas"),
        Contest::Lamina(of(
            "v=3&gpus=72&batch=9216&context=2000&mode=split&view=disagg",
        )),
    ];
    let mut turned = 0;
    for contest in contests {
        let began = std::time::Instant::now();
        turned += searched(&contest);
        println!("{:?} in {:?}", Turns::of(&contest).found, began.elapsed());
    }
    assert!(turned >= 2, "{turned}");
}

/// Checks that the quick verdict on a service selects the same alternative at the same cost as the full answer,
/// although it considers fewer replicas.
#[test]
fn the_cheapest_is_that_of_the_answer() {
    for link in [
        "v=3&view=service&gpu=h200&prompt=4000&output=1000&hit=0.3&ttft=2&slo=25",
        "v=3&view=service&gpu=gb200&prompt=32000&output=500&ttft=3&slo=30",
        "v=3&view=service&model=qwen3-30b-a3b&gpu=h100&slo=25&prefill_gpu=h200&price_prefill=7",
        "v=3&view=service&model=llama-3.1-8b&gpu=h100&slo=25&pools=aggregated",
        "v=3&view=service&model=llama-3.1-8b&gpu=h100&slo=25&ttft=0.05",
    ] {
        let inputs = read(link).current;
        for rate in [0.3, 1.0, 3.0, 7.0, 20.0, 50.0, 333.0, 2000.0] {
            let of = |inputs: &Inputs| (Planner::new(inputs).expect("valid"), Demand::of(inputs));
            let (mut planner, demand) = of(&inputs.with(Number::Rate, rate));
            let all = planner.answer(&demand);
            let found = planner.clone().cheapest(&demand);
            let fresh = of(&inputs.with(Number::Rate, rate)).0.cheapest(&demand);
            for one in [found, fresh] {
                assert_eq!(one.choice, all.choice, "{link} at {rate}");
                assert_eq!(
                    one.requests_per_cost(),
                    all.requests_per_cost(),
                    "{link} at {rate}"
                );
            }
        }
    }
}

/// Checks the bandwidth from which all communication is overlapped: below it, some communication is exposed.
#[test]
fn overlapped_from_a_bandwidth_on() {
    let mut seen = 0;
    for number in 0..300 {
        let inputs = inputs(&mut seeded(number));
        let Some(Link {
            number,
            from: Some(from),
            ..
        }) = overlapped_from(&inputs)
        else {
            continue;
        };
        seen += 1;
        let exposed = |inputs: Inputs| {
            let scenario = inputs.scenario().expect("valid");
            let of = model_core::evaluate::evaluate(&scenario)
                .expect("finite")
                .breakdown;
            (of.messages - of.hidden).get() / of.step().get()
        };
        let at = |value: f64| exposed(inputs.with(number, value));
        assert!(at(from * 1.001) <= 2e-9, "{from}");
        assert!(at(from * 0.99) > 0.0 || from <= inputs.get(number).expect("set") / 1000.0);
    }
    assert!(seen > 20, "{seen}");
}
