//! Property tests of xAyF units: AFD deployments with x attention ranks and y FFN ranks.

use model_core::afd::bundle::Bundle;
use model_core::afd::decision::Decision;
use model_core::afd::latency::{Exchange, Latencies, LatencyLine as Line};
use model_core::afd::lengths::LengthModel;
use model_core::afd::own::AfdUnit;
use model_core::afd::ratio::RatioPoint as Point;
use model_core::afd::simulate::{Setup, Simulation};
use model_core::apart::Scatter;
use model_core::levers::{Base, plans, served};
use model_core::permalink;
use model_core::units::Seconds;

use ridgepoint_tests::check::same;

use super::{CASES, law};

/// Returns a random number of at least `least`, spread over four decades.
fn spread(draw: u32, least: f64) -> f64 {
    least * model_core::math::pow(10.0, f64::from(draw % 4001) / 1000.0)
}

/// Returns an xAyF unit with random entered latencies and a random workload; all times are in seconds.
pub fn entered(draws: &[u32]) -> Bundle {
    let mut bundle = permalink::read("v=1&mode=ratio&latencies=table2")
        .current
        .bundle()
        .expect("the paper's own bundle");
    let line = |draw: u32, slope: f64, intercept: f64| Line {
        slope: Seconds::new(spread(draw, slope)),
        intercept: Seconds::new(spread(draw / 4001, intercept)),
    };
    let exchange = Exchange {
        attention: line(draws[2], 1e-9, 1e-6),
        ffn: Line::ZERO,
    };
    bundle.latencies = Latencies {
        attention: line(draws[0], 1e-10, 1e-6),
        ffn: line(draws[1], 1e-8, 1e-6),
        weights: Line::ZERO,
        near: exchange,
        far: exchange,
        domain: None,
    };
    bundle.slots = 1.0 + f64::from(draws[3] % 512);
    let prompt = f64::from(draws[3] / 512 % 3000);
    let output = f64::from(draws[3] / 1_536_000 % 2000);
    bundle.lengths = LengthModel::of(Scatter::Geometric, prompt, output);
    bundle
}

/// Checks that more attention ranks are not slower if the number of sequences is fixed, because each rank then has
/// fewer sequences.
#[test]
fn more_attention_ranks_are_no_slower() {
    law(CASES / 4, |case| {
        let bundle = case
            .inputs
            .bundle()
            .expect("a possible scenario has its bundle");
        let context = bundle.lengths.context().max(1.0);
        let sequences = f64::from(1 + case.draws[0] % 4096);
        let time = |instances: f64| {
            let slots = sequences / instances;
            bundle
                .halves
                .attention_time(slots, slots * context)
                .expect("a possible scenario has its peaks")
        };
        let mut before = time(1.0);
        for instances in [2.0, 3.0, 7.0, 64.0] {
            let after = time(instances);
            assert!(
                after <= before * (1.0 + 1e-12),
                "{instances}: {after:?} > {before:?}"
            );
            before = after;
        }
    });
}

pub fn best_is_best(bundle: &Bundle) {
    let answer = bundle.answer();
    let (best, most) = (answer.best, answer.best_in_flight);
    let reaches = |other: Point| {
        assert!(
            other.per_weight_in_flight <= most.per_weight_in_flight * (1.0 + 1e-12),
            "{} reaches more than {}",
            other.ratio,
            most.ratio
        );
        assert!(other.per_weight_in_flight <= other.per_weight * (1.0 + 1e-12));
    };
    reaches(best);
    for factor in [0.5, 0.9, 0.99, 0.9999, 1.0001, 1.01, 1.1, 2.0] {
        reaches(bundle.at(most.ratio * factor));
        let other = bundle.at(best.ratio * factor);
        assert!(
            other.per_weight <= best.per_weight * (1.0 + 1e-12),
            "{} beats {}",
            other.ratio,
            best.ratio
        );
    }
    for exponent in -40..=60 {
        let other = bundle.at(model_core::math::pow(10.0, f64::from(exponent) / 20.0));
        reaches(other);
        assert!(
            other.per_weight <= best.per_weight * (1.0 + 1e-12),
            "{} beats {}",
            other.ratio,
            best.ratio
        );
    }
}

#[test]
fn no_ratio_beats_the_best() {
    law(CASES, |case| best_is_best(&entered(&case.draws)));
    law(CASES / 4, |case| {
        best_is_best(
            &case
                .inputs
                .bundle()
                .expect("a possible scenario has its bundle"),
        );
    });
}

/// Checks that with entered latencies the best A:F ratio is that of Theorem 4.4 of [R]: the largest of the attention,
/// communication and peak ratios.
#[test]
fn best_ratio_agrees_with_theorem() {
    law(CASES, |case| {
        let bundle = entered(&case.draws);
        let answer = bundle.answer();
        let theorem = answer
            .r_attention
            .max(answer.r_communication)
            .max(answer.r_peak);
        // Throughput is flat at a peak: two neighbors may give the same to the last bit.
        let there = bundle.at(theorem).per_weight;
        assert!((there / answer.best.per_weight - 1.0).abs() < 1e-12);
        assert!(
            (answer.best.ratio / theorem - 1.0).abs() < 1e-6,
            "{answer:?}"
        );
    });
}

/// Checks that the simulation agrees with the closed form if all requests are equal. In this case no rank straggles;
/// only filling and draining the pipeline differ, by at most three rounds. Cases whose bottleneck changes as caches
/// grow are left out, because the mean of the maximum exceeds the maximum of means.
#[test]
fn equal_requests_meet_closed_form() {
    const OUTPUT: f64 = 50.0;
    let regimes = std::cell::RefCell::new(std::collections::BTreeMap::new());
    law(CASES / 10, |case| {
        let mut bundle = entered(&case.draws);
        bundle.slots = 1.0 + f64::from(case.draws[3] % 8);
        let prompt = f64::from(case.draws[0] % 3000);
        bundle.lengths = LengthModel::of(Scatter::Fixed, prompt, OUTPUT);
        // The measured eight tenths of the requests are 16 generations of both micro-batches.
        bundle.requests = 40 * bundle.slots as u32;
        let ratio = f64::from(1 + case.draws[1] % 12);
        let point = bundle.at(ratio);
        let paced = |tokens: f64| {
            let attention = bundle.latencies.attention.at(bundle.slots * tokens);
            let others = point.messages + point.ffn;
            let twice = attention.max(point.messages).max(point.ffn) * 2.0;
            (
                attention > point.messages.max(point.ffn),
                twice > attention + others,
            )
        };
        if paced(prompt) != paced(prompt + OUTPUT) {
            return;
        }
        let outcome = Simulation::run(bundle.setup(ratio)).expect("it ends");
        let once = point.attention + point.messages + point.ffn;
        let expected = point.per_instance_in_flight;
        let tolerance = 3.0 * (once / (point.tpot * (16.0 * (OUTPUT + 1.0))));
        let gain = outcome.per_instance / expected - 1.0;
        assert!(
            gain.abs() <= tolerance,
            "{gain} beyond {tolerance}, {point:?}"
        );
        assert!((outcome.straggling - 1.0).abs() < 1e-9);
        assert!(outcome.idle_attention > -1e-9 && outcome.idle_ffn > -1e-9);
        *regimes.borrow_mut().entry(point.regime.id()).or_insert(0) += 1;
    });
    let regimes = regimes.borrow();
    assert_eq!(regimes.len(), 3, "{regimes:?}");
    assert!(regimes.values().sum::<u32>() > CASES / 20, "{regimes:?}");
}

#[test]
fn simulation_in_pieces() {
    let setup = |seed: &str| -> Setup {
        let link =
            format!("v=1&latencies=table2&requests=600&slots=32&lengths=azure-conv&seed={seed}");
        permalink::read(&link)
            .current
            .bundle()
            .expect("a possible bundle")
            .setup(3.0)
    };
    let whole = Simulation::run(setup("5")).expect("it ends");
    let mut pieces = Simulation::new(setup("5"));
    let mut last = 0.0;
    while !pieces.advance(7) {
        assert!(pieces.outcome().is_none());
        assert!(pieces.progress() >= last);
        last = pieces.progress();
    }
    assert_eq!(pieces.outcome(), Some(whole.clone()));
    assert_ne!(Simulation::run(setup("6")), Some(whole));
}

/// Checks for every scenario that each closed-form result of an xAyF unit is within its range.
#[test]
fn unit_results_are_in_range() {
    law(CASES, |case| {
        let bundle = case
            .inputs
            .bundle()
            .expect("a possible scenario has its bundle");
        let answer = bundle.answer();
        for point in [answer.best, answer.limit, bundle.at(1.0), bundle.at(77.7)] {
            assert!(point.ratio > 0.0 && point.ratio.is_finite());
            assert!(point.cycle >= point.attention.max(point.messages).max(point.ffn));
            assert!(point.tpot >= point.cycle * 2.0);
            assert!((0.0..=1.0).contains(&point.idle_attention), "{point:?}");
            assert!((0.0..=1.0).contains(&point.idle_ffn), "{point:?}");
            assert!(point.per_weight.is_finite() && point.per_weight > 0.0);
        }
        assert!(answer.token_load <= answer.token_load_limit * (1.0 + 1e-12));
        for topology in bundle.topologies() {
            assert!(
                topology.loss >= -1e-9 && topology.loss <= 1.0,
                "{topology:?}"
            );
            assert!(
                topology.loss_in_flight >= -1e-9 && topology.loss_in_flight <= 1.0,
                "{topology:?}"
            );
        }
        assert!(bundle.attention_memory().total().get().is_finite());
        assert!(
            bundle
                .ffn_memory(answer.best.ratio)
                .total()
                .get()
                .is_finite()
        );
    });
}

/// Checks that AFD and the colocated deployment are both compared at their best. At the compared interactivity u*, no
/// A:F split serves more than the best one. No plan that the search for levers tries serves over 3% more than the
/// colocated deployment.
#[test]
fn both_sides_are_at_their_best() {
    let compared = std::cell::Cell::new(0);
    law(CASES / 20, |case| {
        let Some(decision) = Decision::of(&case.inputs) else {
            return;
        };
        let users = Base::of(&case.inputs).users;
        assert!(same(decision.users, users));
        if let (Some(best), Some(afd)) = (decision.best, decision.afd) {
            let most = best.point.per_weight_in_flight;
            assert!(afd.per_gpu <= most * (1.0 + 1e-12));
            let fast = |parts: &&AfdUnit| parts.users() >= users;
            let divisions = decision.divisions.iter().filter(fast);
            assert!(
                divisions
                    .map(|parts| parts.point.per_weight_in_flight)
                    .all(|rate| rate <= most * (1.0 + 1e-12))
            );
        }
        let Some(colocated) = decision.colocated else {
            return;
        };
        assert!(colocated.users >= users * (1.0 - 2e-9));
        let lengths = case.inputs.bundle().expect("it is compared").lengths;
        let mut scenario = case.inputs.decoding().scenario().expect("it is compared");
        scenario.workload.context = lengths.context();
        for plan in plans(&scenario) {
            // The search uses these extrapolated kinds of plans only for a large gain.
            if plan.spec().pp > 1 || plan.spec().kvp > 1 {
                continue;
            }
            scenario.plan = plan;
            if let Some(there) = served(&scenario, users) {
                assert!(there.tokens_per_gpu <= 1.03 * colocated.per_gpu, "{plan:?}");
                compared.set(compared.get() + 1);
            }
        }
    });
    assert!(compared.get() > CASES / 20, "{compared:?}");
}
