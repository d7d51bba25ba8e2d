//! Property tests of model–attention disaggregation (Lamina): attention on memory devices, all other operators on
//! compute devices.

use model_core::apart::{Partition, QEarly};
use model_core::calibration::MessageCosts;
use model_core::hardware::catalog as accelerators;
use model_core::inputs::{Inputs, Number};
use model_core::lamina::bandwidth::minimum_bandwidth;
use model_core::lamina::memory::{batch_capacity, shortages};
use model_core::lamina::search::{TriedDegree, candidate, search};
use model_core::lamina::timeline::{SplitLane as Lane, timeline};
use model_core::lamina::traffic::links;
use model_core::lamina::{Split, SplitSetup, evaluate, slo};
use model_core::permalink;
use model_core::trace;
use model_core::units::Seconds;

use ridgepoint_tests::check::{at_most, same};

use super::{Case, law};

const CASES: u32 = 1500;

/// Returns inputs for Lamina that are based on the case's scenario, with random accelerators, device counts and
/// schedule.
fn inputs(case: &Case) -> Inputs {
    let mut inputs = case.inputs;
    let draw = |index: usize, of: u32| case.draws[index] % of;
    let rows = accelerators::CATALOG;
    inputs.memory_gpu = &rows[draw(0, rows.len() as u32) as usize];
    if draw(1, 3) > 0 {
        inputs.compute_gpu = Some(&rows[draw(1, 1000) as usize % rows.len()]);
    }
    inputs.partition =
        [None, Some(Partition::Heads), Some(Partition::Requests)][draw(2, 3) as usize];
    inputs.q_early = QEarly::ALL[draw(2, 7) as usize % 2];
    let batches = draw(3, 5) + 1;
    let each = 1 << (draw(3, 31) % 5);
    for (number, value) in [
        (Number::Batches, f64::from(batches)),
        (
            Number::ComputeGpus,
            f64::from(batches.saturating_sub(1).max(1) * each),
        ),
        (Number::MemoryGpus, f64::from(1_u32 << (draw(0, 97) % 6))),
        (Number::Net, [50.0, 0.5, 1e4][draw(1, 17) as usize % 3]),
        (
            Number::NetMicros,
            [33.0, 0.0, 1000.0][draw(2, 19) as usize % 3],
        ),
    ] {
        inputs.state(number, Some(value));
    }
    inputs
}

fn evaluated(setup: &SplitSetup) -> Split {
    evaluate(setup).expect("ordinary inputs have finite results")
}

/// Tries `test` on the valid Lamina deployments among all cases; requires that there are many of them.
fn split_law(test: impl Fn(&Inputs, &SplitSetup, &Split)) {
    let tried = std::cell::Cell::new(0);
    law(CASES, |case| {
        let inputs = inputs(case);
        if let Ok(setup) = SplitSetup::of(&inputs) {
            tried.set(tried.get() + 1);
            test(&inputs, &setup, &evaluated(&setup));
        }
    });
    assert!(tried.get() > CASES / 4, "{} of {CASES}", tried.get());
}

#[test]
fn a_split_is_the_sum_of_its_parts() {
    split_law(|inputs, setup, split| {
        let times = &split.times;
        let sum = times.model + times.attention + times.network() - split.hidden + split.waiting;
        assert!(
            same(sum.get(), split.step.get()),
            "{sum:?} {:?}",
            split.step
        );
        for busy in [split.model_busy, split.attention_busy, split.network_busy] {
            assert!(
                at_most(busy.get(), split.step.get()),
                "busy beyond the step"
            );
        }
        let parts = [
            split.hidden,
            split.waiting,
            times.key_value,
            times.collectives,
        ];
        for part in parts {
            assert!(part >= Seconds::ZERO, "{part:?}");
        }
        assert!(at_most(times.key_value.get(), times.model.get()));
        assert!(same(split.tokens, setup.batch() * split.tokens_per_user));
        // The permalink reads back as the same deployment.
        let link = permalink::write_inputs(inputs);
        let again = permalink::read(&link);
        assert!(again.notes.is_empty(), "{link}: {:?}", again.notes);
        assert_eq!(again.current, inputs.normalized(), "{link}");
        assert_eq!(SplitSetup::of(&again.current).ok(), Some(*setup), "{link}");
    });
}

#[test]
fn more_memory_devices_are_no_slower() {
    split_law(|inputs, setup, split| {
        let more = inputs.with(Number::MemoryGpus, f64::from(setup.memory_gpus * 2));
        if let Ok(more) = SplitSetup::of(&more) {
            let more = evaluated(&more);
            assert!(
                at_most(more.times.attention.get(), split.times.attention.get()),
                "{:?} → {:?}",
                split.times.attention,
                more.times.attention
            );
        }
    });
}

#[test]
fn a_better_network_is_never_slower() {
    split_law(|inputs, _, split| {
        let get = |number| inputs.get(number).expect("it has a default");
        let faster = inputs.with(Number::Net, get(Number::Net) * 2.0);
        let sooner = inputs.with(Number::NetMicros, get(Number::NetMicros) / 2.0);
        for better in [faster, sooner] {
            let better = evaluated(&SplitSetup::of(&better).expect("it breaks no rule"));
            assert!(at_most(better.step.get(), split.step.get()));
        }
    });
}

#[test]
fn more_split_work_is_never_faster() {
    split_law(|_, setup, split| {
        let longer = evaluated(&setup.with_context(setup.context() * 1.5));
        let larger = evaluated(&setup.with_batch(setup.batch() * 1.5));
        for more in [longer, larger] {
            assert!(at_most(split.step.get(), more.step.get()));
            assert!(at_most(more.capacity, split.capacity));
        }
    });
}

/// Checks that sending queries early never slows the step. It overlaps at most the projection of keys and values, the
/// sending of queries, keys and values, and the network latency.
#[test]
fn queries_ahead_never_cost() {
    split_law(|_, setup, _| {
        let with = |q_early| evaluated(&SplitSetup { q_early, ..*setup });
        let (on, off) = (with(QEarly::On), with(QEarly::Off));
        assert!(at_most(on.step.get(), off.step.get()));
        assert_eq!(off.hidden, Seconds::ZERO);
        let times = &on.times;
        let most = times.key_value + times.send_query + times.send_key_value;
        assert!(at_most(on.hidden.get(), most.get() + times.latency.get()));
    });
}

/// Checks the reported minimum network bandwidth: with it, communication takes exactly the allowed share of time. For
/// this, fixed network latencies are set to zero.
#[test]
fn least_bandwidth_uses_allowed_share() {
    split_law(|_, setup, _| {
        let mut least = *setup;
        let calibration = &mut least.compute.calibration;
        calibration.messages = MessageCosts::uniform(Seconds::ZERO, 1.0);
        least.round_trip = Seconds::ZERO;
        least.net = minimum_bandwidth(&least).expect("a finite bandwidth");
        let times = evaluated(&least).times;
        let allowed = (times.model + times.attention) * setup.slow_down;
        let network = times.network();
        assert!(
            (network / allowed - 1.0).abs() < 1e-9,
            "{network:?} {allowed:?} over {} links",
            links(setup)
        );
    });
}

#[test]
fn the_capacity_fits_and_one_more_does_not() {
    split_law(|_, setup, _| {
        let most = batch_capacity(setup);
        if most >= 1.0 {
            assert!(shortages(&setup.with_batch(most)).is_empty());
        }
        if most < 1e11 {
            assert!(!shortages(&setup.with_batch(most + 1.0)).is_empty());
        }
    });
}

/// Checks that in steady state two micro-batches never use a device at the same time, and that each micro-batch
/// finishes a layer within one round.
#[test]
fn no_two_batches_meet_on_a_device() {
    split_law(|_, setup, split| {
        let line = timeline(setup, split, 4);
        let dust = line.round.get() * 1e-9;
        let mut lanes: Vec<_> = (0..setup.replicas).map(Lane::Replica).collect();
        lanes.push(Lane::Memory);
        for lane in lanes {
            let mut on: Vec<_> = line
                .intervals
                .iter()
                .filter(|interval| interval.lane == lane)
                .collect();
            on.sort_by(|a, b| a.start.get().total_cmp(&b.start.get()));
            for pair in on.windows(2) {
                assert!(
                    pair[0].end.get() <= pair[1].start.get() + dust,
                    "{lane:?}: {:?} meets {:?}",
                    pair[0],
                    pair[1]
                );
            }
        }
        // A layer of a micro-batch ends before the micro-batch's next layer begins.
        for interval in &line.intervals {
            let begin = line.round * (f64::from(interval.batch) / f64::from(setup.batches))
                + line.round * f64::from(interval.layer);
            assert!(interval.start.get() + dust >= begin.get());
            assert!(
                interval.end.get() <= (begin + line.round).get() + dust,
                "{interval:?}"
            );
        }
        // Devices are as busy in a round as in the step.
        let layers = f64::from(setup.compute.arch.mixer_layers());
        let memory: Seconds = line
            .intervals
            .iter()
            .filter(|interval| interval.lane == Lane::Memory && interval.layer == 1)
            .map(|interval| interval.end - interval.start)
            .sum();
        let busy = split.attention_busy / layers;
        assert!((memory - busy).get().abs() <= dust, "{memory:?} {busy:?}");
    });
}

/// Checks that no device is idle if attention takes t_a = t_m/(j−1) and the network takes no time, with t_m the
/// compute devices' time and j the number of micro-batches.
#[test]
fn a_balanced_pipeline_has_no_bubbles() {
    for batches in 2..=5 {
        let link = format!(
            "v=1&model=llama-3-70b&precision=bf16&calibration=lamina&batches={batches}&compute_gpus={}&net_us=0&net=1e9&batch=400",
            2 * (batches - 1)
        );
        let inputs = permalink::read(&link).current;
        // The context at which attention takes 1/(j−1) of the model's time, by bisection.
        let (mut short, mut long) = (1.0, 1e6);
        for _ in 0..200 {
            let middle = f64::midpoint(short, long);
            let setup = SplitSetup::of(&inputs)
                .expect("possible")
                .with_context(middle);
            if evaluated(&setup).balance() < 1.0 {
                short = middle;
            } else {
                long = middle;
            }
        }
        let setup = SplitSetup::of(&inputs)
            .expect("possible")
            .with_context(short);
        let split = evaluated(&SplitSetup {
            q_early: QEarly::Off,
            ..setup
        });
        for busy in [split.model_busy, split.attention_busy] {
            assert!(
                (busy / split.step - 1.0).abs() < 1e-4,
                "{batches}: {split:?}"
            );
        }
    }
}

/// Compares the search for the best Lamina deployment with an evaluation of every pair of device counts, one by one.
#[test]
fn the_search_is_brute_force_itself() {
    for (link, budget) in [
        (
            "v=1&model=llama-3-70b&precision=bf16&calibration=lamina&trace=kimi-ta",
            120.0,
        ),
        (
            "v=1&model=llama-33b&precision=bf16&calibration=lamina&trace=azure-conv&batches=3",
            90.0,
        ),
        (
            "v=1&model=deepseek-v3&batch=4096&compute_gpu=h200&memory_gpu=mi300x",
            40.0,
        ),
    ] {
        let inputs = permalink::read(link).current;
        let found = search(&inputs, budget);
        let price = |number| inputs.get(number).expect("both have a price");
        let (compute, memory) = (price(Number::ComputePrice), price(Number::MemoryPrice));
        let (mut works, mut best, mut cheapest) = (0, 0.0_f64, 0.0_f64);
        for a in 1..=200_u32 {
            for b in 1..=200_u32 {
                let tried = |n: u32| match n {
                    0..=16 => true,
                    17..=64 => n.is_multiple_of(8),
                    _ => [96, 128, 192].contains(&n),
                };
                let cost = f64::from(a) * compute + f64::from(b) * memory;
                if cost > budget + 1e-9 || !tried(a) || !tried(b) {
                    continue;
                }
                let asked = inputs
                    .with(Number::ComputeGpus, f64::from(a))
                    .with(Number::MemoryGpus, f64::from(b));
                if let TriedDegree::Works(candidate) = candidate(&asked) {
                    assert!(same(candidate.dollars_per_hour, cost));
                    works += 1;
                    best = best.max(candidate.tokens);
                    cheapest = cheapest.max(candidate.tokens_per_dollar);
                }
            }
        }
        assert!(works > 3, "{link}: {works}");
        assert_eq!(found.candidates.len(), works, "{link}");
        let most = found.fastest().expect("one is").tokens;
        assert_eq!(most.to_bits(), best.to_bits(), "{link}");
        let most = found.cheapest().expect("one is").tokens_per_dollar;
        assert_eq!(most.to_bits(), cheapest.to_bits(), "{link}");
    }
}

/// Checks that a request trace is served with the largest batch that fits in memory at the trace's mean lengths.
#[test]
fn a_trace_is_served_as_memory_allows() {
    for trace in trace::TRACES {
        let inputs = permalink::read(&format!(
            "v=1&model=llama-3-70b&precision=bf16&memory_gpus=8&trace={}",
            trace.id
        ))
        .current;
        let setup = SplitSetup::of(&inputs).expect("it fits");
        let split = evaluated(&setup);
        assert!(split.fits());
        assert!(same(setup.batch(), split.capacity));
        assert!(same(setup.context(), trace.prompt + trace.output / 2.0));
        assert!(!evaluated(&setup.with_batch(setup.batch() + 1.0)).fits());
    }
}

/// Checks that at a target interactivity a Lamina deployment has the largest batch that fits in memory and reaches
/// the target.
#[test]
fn a_split_serves_all_that_a_speed_allows() {
    split_law(|inputs, _, _| {
        for users in [0.0, 5.0, 30.0] {
            let setup = slo::served(inputs, users).expect("it breaks no rule");
            let works = |setup: &SplitSetup| {
                let split = evaluated(setup);
                split.fits() && slo::keeps(Some(users), split.tokens_per_user)
            };
            if works(&setup) && setup.batch() < Number::Batch.spec().most {
                assert!(!works(&setup.with_batch(setup.batch() + 1.0)));
            }
        }
    });
}
