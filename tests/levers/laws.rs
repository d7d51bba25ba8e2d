//! Property tests of levers: their permalinks, batches, combinations, fixpoint, and hardware changes.

use model_core::evaluate::{evaluate, with_batch};
use model_core::inputs::{Inputs, Number};
use model_core::levers::{
    Change, Effect, LISTED, Lever, LeverGroup, Levers, is_feasible, min_user_rate,
};
use model_core::limits::largest;
use model_core::permalink::{read, write_inputs};

use super::{law, scenario, scenarios};

/// Tolerance factor on throughput: a combination of levers may serve 1% less than a single one. This includes the
/// half percent by which a batch may miss its optimum.
const ASIDE: f64 = 0.99;

fn served(lever: &Lever) -> f64 {
    lever.served().expect("it runs")
}

/// Checks that the largest batch that meets an SLO has the schedule under which it was found. This matters because
/// the default schedule depends on the batch.
#[test]
fn a_batch_has_the_schedule_it_was_found_under() {
    let own = "gpu=custom&peak_bf16=750&peak_fp8=1500&hbm=6000&capacity=192&gpus=64&domain=16&scale_up=400";
    let now = read(&format!("v=3&{own}&slo=25")).current;
    let list = Levers::of(&now);
    let fits = |lever: &&Lever| matches!(lever.change, Change::Batch | Change::FitBatch);
    let batch = list.all.iter().find(fits);
    let batch = batch.expect("a smaller batch meets the SLO").inputs;
    assert_eq!(batch.schedule(), now.schedule());
    let scenario = batch.scenario().expect("possible");
    let evaluation = evaluate(&scenario).expect("finite");
    assert!(is_feasible(&scenario, &evaluation) && evaluation.tokens_per_user >= 25.0);
    let larger = with_batch(&scenario, scenario.workload.batch * 1.01).expect("finite");
    assert!(larger.tokens_per_user < 25.0);
}

/// Law 1 of levers: evaluating a lever's permalink gives the lever's numbers bit for bit, and a feasible result if
/// the lever is marked feasible.
#[test]
fn links_give_their_numbers() {
    law(scenarios(), scenario, |inputs| {
        let users = min_user_rate(inputs);
        for lever in &Levers::of(inputs).all {
            let again = read(&write_inputs(&lever.inputs)).current;
            assert_eq!(again, lever.inputs.normalized(), "{:?}", lever.change);
            let (scenario, evaluation) = lever.evaluation().expect("it runs");
            let fresh = evaluate(&again.scenario().expect("possible")).expect("finite");
            assert_eq!(fresh, evaluation);
            let only_runs = lever.effect == Effect::Runs && lever.change.group() == LeverGroup::Fit;
            if !only_runs {
                let kept = evaluation.tokens_per_user >= users * (1.0 - 1e-12);
                assert!(
                    kept || lever.change.group() == LeverGroup::Fit,
                    "{:?}",
                    lever.change
                );
                assert!(is_feasible(&scenario, &evaluation), "{:?}", lever.change);
            }
            let all = |inputs: &Inputs| {
                inputs.get(Number::Gpus).unwrap() * inputs.get(Number::Replicas).unwrap()
            };
            if lever.change.group() == LeverGroup::Settings {
                assert_eq!(
                    all(inputs).to_bits(),
                    all(&lever.inputs).to_bits(),
                    "all GPUs stay in use"
                );
            }
        }
    });
}

/// Law 2 of levers: the batch of a lever serves the most. No other batch that fits in memory and reaches the
/// interactivity u* serves over half a percent more.
#[test]
fn batches_serve_the_most() {
    law(scenarios() / 4, scenario, |inputs| {
        let users = min_user_rate(inputs);
        let levers = Levers::of(inputs);
        for lever in levers
            .all
            .iter()
            .filter(|lever| lever.change.group() != LeverGroup::Fit)
        {
            let (mut scenario, evaluation) = lever.evaluation().expect("it runs");
            scenario.workload.slo = (users > 0.0).then_some(users);
            let edge = largest(&scenario).map_or(0.0, |largest| largest.batch);
            let least = scenario.plan.micro_batches();
            let mut batch = least;
            while batch <= edge {
                let other = with_batch(&scenario, batch.floor()).expect("finite");
                let works = is_feasible(
                    &model_core::scenario::Scenario {
                        workload: model_core::workload::Workload {
                            batch: batch.floor(),
                            ..scenario.workload
                        },
                        ..scenario
                    },
                    &other,
                );
                let more = other.tokens_per_gpu / evaluation.tokens_per_gpu;
                assert!(
                    !works || more <= 1.00501,
                    "{:?} {more} at {batch}",
                    lever.change
                );
                batch = (batch * 1.21).floor().max(batch + 1.0);
            }
        }
    });
}

/// Law 3 of levers, tested without brute force: a combined lever, with or without assumptions, serves at least 99% of
/// the throughput of each lever that it combines.
#[test]
fn all_is_best_of_unassumed() {
    law(scenarios(), scenario, |inputs| {
        let levers = Levers::of(inputs);
        for (all, assumed) in [(Change::All, false), (Change::AllAssumed, true)] {
            let Some(all) = levers.all.iter().find(|lever| lever.change == all) else {
                continue;
            };
            assert_eq!(all.change.assumed(), assumed);
            let combined = |lever: &&Lever| all.change.combines(lever.change);
            let others = levers.all.iter().filter(combined);
            for other in others {
                assert!(served(all) >= ASIDE * served(other), "{:?}", other.change);
            }
        }
    });
}

/// Law 4 of levers: after the best setting is applied, no other setting gains more than 4% (2% if the best is the
/// combination of all settings). The advice therefore never goes in circles.
#[test]
fn best_setting_is_a_fixpoint() {
    law(scenarios(), scenario, |inputs| {
        let levers = Levers::of(inputs);
        let settings = levers.all.iter().filter(|lever| {
            let setting = lever.change.group() == LeverGroup::Settings;
            setting && levers.is_listed(lever)
        });
        let best = settings.reduce(|one, other| {
            let combined = other.change == Change::AllAssumed;
            if combined || served(other) > served(one) && one.change != Change::AllAssumed {
                other
            } else {
                one
            }
        });
        let Some(best) = best else {
            return;
        };
        // A combination is listed only if it gains at least 2% over the best single setting.
        let most = match best.change {
            Change::AllAssumed => LISTED,
            _ => LISTED * LISTED,
        };
        for left in &Levers::of(&best.inputs).all {
            let setting =
                left.change.group() != LeverGroup::Hardware && !left.change.only_in_table();
            if setting {
                let factor = left.factor.expect("there is a base");
                assert!(
                    factor < most,
                    "after {:?} {} comes {:?} {factor} {}",
                    best.change,
                    write_inputs(&best.inputs),
                    left.change,
                    write_inputs(&left.inputs),
                );
            }
        }
    });
}

/// Law 6 of levers: with a better hardware part, throughput is at least that of the current hardware's best plan. A
/// hardware part is not credited with a gain that comes from a setting.
#[test]
fn better_parts_are_no_worse() {
    law(scenarios(), scenario, |inputs| {
        let levers = Levers::of(inputs);
        let best = levers.best;
        for lever in levers
            .all
            .iter()
            .filter(|lever| lever.change.group() == LeverGroup::Hardware)
        {
            let Some(factor) = lever.factor else { continue };
            assert!(factor >= 0.995, "{:?} {factor}", lever.change);
            let ratio = served(lever) / best.expect("a best plan");
            assert!((ratio / factor - 1.0).abs() < 1e-9, "{:?}", lever.change);
        }
    });
}
