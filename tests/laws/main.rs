//! Property tests over the whole space of scenarios.
//!
//! Cases come from a fixed seed, so every run is identical. A failure prints the permalink of the simplest scenario
//! that shows it.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

mod bands;
mod brute_force;
mod compare;
mod growth;
mod limits;
mod needs;
mod overlap;
mod prefill;
mod ratio;
mod ratio_cases;
mod sharding;
mod split;
mod split_cases;
mod timeline;
mod work;

use std::fmt;

use model_core::evaluate::{Evaluation, evaluate};
use model_core::inputs::Inputs;
use model_core::permalink;
use model_core::scenario::Scenario;
use proptest::prelude::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use ridgepoint_tests::check::check;
use ridgepoint_tests::space;

/// Number of cases for most properties; all properties take a few seconds in an unoptimized build.
const CASES: u32 = 2000;

/// A random scenario, with additional random draws for the tested property. `Debug` prints the scenario's permalink and
/// the draws.
#[derive(Clone)]
struct Case {
    inputs: Inputs,
    draws: Vec<u32>,
}

impl fmt::Debug for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let link = permalink::write_inputs(&self.inputs);
        write!(out, "{link} with draws {:?}", self.draws)
    }
}

impl Case {
    fn scenario(&self) -> Scenario {
        self.inputs
            .scenario()
            .expect("the space holds possible scenarios only")
    }
}

impl Case {
    /// Returns true if the step includes the passes of a drafter, which are missing from the model's operator lists.
    fn has_drafter(&self) -> bool {
        let scenario = self.scenario();
        scenario.calibration.drafter && scenario.workload.speculation.depth > 0
    }

    /// Returns true if calibration constants depend on format, cache width and ridge point, so that more hardware may
    /// be slower.
    fn is_by_operator(&self) -> bool {
        self.scenario().calibration.operators.is_some()
    }
}

/// Number of additional random draws in a case, for the tested property to use.
const DRAWS: usize = 4;

fn cases() -> impl Strategy<Value = Case> {
    proptest::collection::vec(proptest::num::u32::ANY, space::CHOICES + DRAWS).prop_map(|numbers| {
        let (draws, choices) = numbers.split_at(DRAWS);
        let mut choices = choices.iter().copied();
        Case {
            inputs: space::inputs(&mut choices),
            draws: draws.to_vec(),
        }
    })
}

/// Tries the property `law` on `count` cases; panics with the simplest case that violates the property.
fn law(count: u32, law: impl Fn(&Case)) {
    let config = Config {
        cases: count,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome = TestRunner::new_with_rng(config, rng).run(&cases(), |case| {
        law(&case);
        Ok::<(), TestCaseError>(())
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, case)) => panic!("{reason}\n  at {case:?}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

fn evaluated(scenario: &Scenario) -> Evaluation {
    evaluate(scenario).expect("ordinary inputs have finite results")
}

#[test]
fn every_scenario_is_sound() {
    law(2 * CASES, |case| {
        check(&case.inputs);
    });
}

#[test]
fn the_space_reaches_every_alternative() {
    let mut seen = std::collections::BTreeSet::new();
    law(2 * CASES, |_| {});
    for seed in 0..2000 {
        let inputs = space::inputs(&mut space::seeded(seed));
        let scenario = inputs.scenario().expect("a possible scenario");
        let evaluation = evaluated(&scenario);
        let operators = evaluation.timed(&scenario);
        seen.extend(operators.map(|timed| timed.operator.kind.id().to_owned()));
        let messages = evaluation.messages(&scenario).into_iter();
        seen.extend(messages.map(|message| format!("{:?} {:?}", message.collective, message.link)));
        seen.insert(format!("{:?}", scenario.plan.spec().overlap));
        seen.insert(format!("fits {}", evaluation.memory.fits()));
        assert!(scenario.cluster.gpus <= space::MOST_GPUS);
    }
    // 35 operators, 7 collectives on 2 links, 3 schedules, fitting or not.
    assert_eq!(seen.len(), 35 + 14 + 3 + 2, "{seen:?}");
}
