//! Tests of closed forms and searches by comparison with plain enumeration.

use model_core::calibration::Fold;
use model_core::cost::memory::{batch_capacity, memory};
use model_core::evaluate::with_batch;
use model_core::inputs::remedy::remedies;
use model_core::inputs::{Inputs, Number};
use model_core::limits::batch_for_slo;
use model_core::ops::popularity::Popularity;
use model_core::plan::Overlap;
use model_core::scenario::Scenario;
use model_core::units::Bytes;

use ridgepoint_tests::space;

use super::{CASES, law};

/// Maximum number of batches to enumerate; in tests of memory, batches are multiples of `dp` sequences.
const BATCHES: u32 = 200;

#[test]
fn the_largest_batch_that_fits_is_found() {
    law(CASES, |case| {
        let mut scenario = case.scenario();
        let dp = f64::from(scenario.plan.spec().dp);
        // A capacity at which some number of groups up to BATCHES just fits, or just does not.
        let edge = memory(&scenario, f64::from(case.draws[0] % BATCHES) * dp).total();
        let nudge = [1.0, 0.999_999, 1.000_001][case.draws[1] as usize % 3];
        scenario.cluster.capacity = edge * nudge / (1.0 - scenario.reserve);
        let fitting = (1..=BATCHES + 1)
            .map(|groups| f64::from(groups) * dp)
            .filter(|batch| memory(&scenario, *batch).fits())
            .fold(0.0, f64::max);
        assert_eq!(
            batch_capacity(&scenario).to_bits(),
            fitting.to_bits(),
            "{fitting}"
        );
    });
}

#[test]
fn weights_that_do_not_fit_leave_no_batch() {
    law(CASES, |case| {
        let mut scenario = case.scenario();
        scenario.cluster.capacity = Bytes::new(1.0);
        assert_eq!(batch_capacity(&scenario).to_bits(), 0);
    });
}

/// Returns the lower bound of the step time of [B] eq 12. Every byte moves at full HBM bandwidth, every operator has
/// its start time, and communication has no contention.
fn least_step(scenario: &Scenario, batch: f64) -> f64 {
    let mut alone = *scenario;
    alone.calibration.contention = 1.0;
    let evaluation = with_batch(&alone, batch).expect("finite");
    let memory: f64 = evaluation
        .timed(scenario)
        .map(|timed| {
            let bytes = timed.operator.bytes().get() / scenario.cluster.hbm.get();
            (bytes + scenario.calibration.starts.operator.get()) * f64::from(timed.layers)
        })
        .sum();
    let messages: f64 = evaluation
        .messages(&alone)
        .iter()
        .map(|message| message.time.get() * f64::from(message.layers))
        .sum();
    match scenario.plan.spec().overlap {
        Overlap::TwoBatch => 2.0 * memory.max(messages),
        _ => memory + messages,
    }
}

#[test]
fn largest_batch_meeting_slo() {
    law(CASES / 2, |case| {
        if case.has_drafter() {
            return;
        }
        let mut scenario = case.scenario();
        if scenario.plan.spec().overlap == Overlap::HopB {
            return;
        }
        scenario.calibration.fold = Fold::Operator;
        let gained = scenario.workload.speculation.yielded();
        // Halfway between two batches, so that rounding decides nothing.
        let edge = f64::from(case.draws[0] % BATCHES);
        let limit = least_step(&scenario, edge + 0.5);
        let meeting = (1..=BATCHES + 1)
            .map(f64::from)
            .filter(|batch| least_step(&scenario, *batch) <= limit)
            .fold(0.0, f64::max);
        let found = batch_for_slo(&scenario, gained / limit);
        if least_step(&scenario, edge + 1.0) > limit * (1.0 + 1e-9) {
            assert_eq!(found.to_bits(), meeting.to_bits(), "{found} ≠ {meeting}");
        } else {
            // Where the step time is flat, several batches have the same rate.
            assert!(found >= meeting, "{found} < {meeting}");
        }
    });
}

/// Checks the expected number of distinct experts, E[U] of [A] 3.1.2, by enumerating every draw of two of four
/// experts by two tokens.
#[test]
fn expected_experts_of_every_draw() {
    let draws: Vec<u32> = (0..16_u32).filter(|set| set.count_ones() == 2).collect();
    let mut used = 0;
    for first in &draws {
        for second in &draws {
            used += (first | second).count_ones();
        }
    }
    let mean = f64::from(used) / (draws.len() * draws.len()) as f64;
    assert!(
        (Popularity::UNIFORM.experts_active(4.0, 2.0, 2.0) - mean).abs() < 1e-12,
        "{mean}"
    );
}

/// Changes one sharding number of a valid scenario and removes some others. Returns the inputs if the scenario is now
/// invalid, otherwise `None`.
fn broken(inputs: &Inputs, draws: &[u32]) -> Option<Inputs> {
    let numbers = [
        Number::Gpus,
        Number::Ep,
        Number::Tp,
        Number::Kvp,
        Number::Dp,
        Number::Pp,
        Number::FfnTp,
    ];
    let number = numbers[draws[0] as usize % numbers.len()];
    let mut changed = inputs.with(number, f64::from(draws[1] % space::MOST_GPUS + 1));
    for (bit, number) in numbers.iter().enumerate().skip(1) {
        if draws[2] >> bit & 1 == 1 {
            changed = changed.without(*number);
        }
    }
    changed.scenario().is_err().then_some(changed)
}

#[test]
fn remedies_work_and_are_nearest() {
    law(CASES / 4, |case| {
        let Some(broken) = broken(&case.inputs, &case.draws) else {
            return;
        };
        let refusals = broken.scenario().expect_err("it was broken");
        for refusal in &refusals {
            let offered = remedies(&broken, refusal, usize::MAX);
            for (index, remedy) in offered.iter().enumerate() {
                assert!(remedy.1.scenario().is_ok(), "{remedy:?} does not help");
                assert!(!offered[..index].contains(remedy), "{remedy:?} twice");
            }
            for number in Number::find(refusal.key(&broken))
                .into_iter()
                .chain([Number::Gpus])
            {
                none_nearer(&broken, number, &offered);
            }
            assert!(remedies(&broken, refusal, 2).len() <= 2);
        }
    });
}

/// Checks that, in both directions, the valid value nearest to an invalid number is offered as a replacement.
fn none_nearer(broken: &Inputs, number: Number, offered: &[(Number, Inputs)]) {
    let Some(present) = broken.get(number) else {
        return;
    };
    let possible =
        |value: f64| number.allows(value) && broken.with(number, value).scenario().is_ok();
    for direction in [-1.0, 1.0] {
        let nearest = (1..=600)
            .map(|step| present + direction * f64::from(step))
            .find(|value| possible(*value));
        let found = offered.iter().any(|remedy| {
            remedy.0 == number
                && remedy.1.stated(number).is_some()
                && remedy.1.stated(number) == nearest
        });
        assert!(
            nearest.is_none() || found,
            "{number:?} = {nearest:?} is nearer: {offered:?}"
        );
    }
}
