//! Property tests of monotonicity: more hardware is never slower, and more work is never cheaper.

use model_core::calibration::MessageCost;
use model_core::evaluate::{Evaluation, fastest_from, pace_with_batch};
use model_core::inputs::Number;
use model_core::plan::Overlap;
use model_core::scenario::Scenario;

use ridgepoint_tests::check::at_most;

use super::{CASES, Case, evaluated, law};

const FACTORS: [f64; 4] = [1.001, 1.5, 2.0, 100.0];

fn factor(case: &Case) -> f64 {
    FACTORS[case.draws[0] as usize % FACTORS.len()]
}

/// Removes latencies and overheads from a scenario, so that only hardware rates limit its speed.
fn without_fixed_times(scenario: &mut Scenario) {
    let calibration = &mut scenario.calibration;
    *calibration = calibration.scaled(0.0, 0.0);
    scenario.workload.prompts.host = None;
}

/// Evaluates a case before and after a change, and checks that the change makes the step no slower; returns both
/// evaluations.
fn never_slower(case: &Case, change: impl Fn(&mut Scenario)) -> (Evaluation, Evaluation) {
    let before = case.scenario();
    let mut after = before;
    change(&mut after);
    let (before, after) = (evaluated(&before), evaluated(&after));
    assert!(
        at_most(after.step.get(), before.step.get()),
        "{:?} → {:?}",
        before.step,
        after.step
    );
    (before, after)
}

#[test]
fn more_memory_bandwidth_is_never_slower() {
    law(CASES, |case| {
        let factor = factor(case);
        never_slower(case, |s| s.cluster.hbm = s.cluster.hbm * factor);
    });
}

#[test]
fn faster_links_are_never_slower() {
    law(CASES, |case| {
        let factor = factor(case);
        never_slower(case, |s| s.cluster.scale_up = s.cluster.scale_up * factor);
        never_slower(case, |s| s.cluster.scale_out = s.cluster.scale_out * factor);
    });
}

#[test]
fn more_arithmetic_is_never_slower() {
    law(CASES, |case| {
        let factor = factor(case);
        never_slower(case, |s| {
            let peaks = &mut s.cluster.peaks;
            for peak in [&mut peaks.bf16, &mut peaks.fp8, &mut peaks.fp4] {
                *peak = peak.map(|peak| peak * factor);
            }
        });
    });
}

#[test]
fn better_balance_is_never_slower() {
    law(CASES, |case| {
        let beta = f64::from(case.draws[0] % 1000 + 1) / 1000.0;
        let at = |beta| {
            let inputs = case.inputs.with(Number::Beta, beta);
            evaluated(&inputs.scenario().expect("β breaks no rule"))
                .step
                .get()
        };
        let better = (beta * 1.5).min(1.0);
        assert!(at_most(at(better), at(beta)), "β {beta} → {better}");
        assert!(at_most(at(1.0), at(beta)), "β {beta} → 1");
    });
}

#[test]
fn smaller_inefficiencies_are_never_slower() {
    law(CASES, |case| {
        never_slower(case, |s| {
            let calibration = &mut s.calibration;
            match case.draws[1] % 11 {
                0 => calibration.memory = 1.0,
                1 => calibration.attention = 1.0,
                2 => calibration.ffn = 1.0,
                3 => {
                    calibration.messages = calibration.messages.map(|cost| MessageCost {
                        factor: 1.0,
                        ..cost
                    });
                }
                4 => calibration.messages = calibration.messages.with_starts_scaled(0.5),
                5 => calibration.starts = calibration.starts.scaled(0.5),
                6 => calibration.projections = 1.0,
                7 => calibration.tile_rows = 0.0,
                8 => calibration.core_tokens = 0.0,
                9 => calibration.contention = 1.0,
                _ => {
                    calibration.layer_overhead = calibration.layer_overhead / 2.0;
                    calibration.host = calibration.host / 2.0;
                }
            }
        });
    });
}

#[test]
fn more_context_is_never_faster_or_smaller() {
    law(CASES, |case| {
        let shorter = case.scenario();
        let mut longer = shorter;
        longer.workload.context = longer.workload.context * factor(case) + 1.0;
        let (shorter, longer) = (evaluated(&shorter), evaluated(&longer));
        assert!(at_most(shorter.step.get(), longer.step.get()), "step");
        assert!(shorter.memory.total() < longer.memory.total(), "memory");
    });
}

/// Checks that a larger batch never shortens the step. HOP-B divides the whole exchange, including its latency, among
/// the requests ([H] 2.1.3). With fixed times, a second request could therefore shorten the step, so fixed times are
/// removed if HOP-B is used.
#[test]
fn larger_batch_never_shorter_step() {
    law(CASES, |case| {
        let mut smaller = case.scenario();
        if smaller.plan.spec().overlap == Overlap::HopB {
            without_fixed_times(&mut smaller);
        }
        let mut larger = smaller;
        larger.workload.batch = larger.workload.batch * factor(case) + 1.0;
        let (smaller, larger) = (evaluated(&smaller), evaluated(&larger));
        assert!(at_most(smaller.step.get(), larger.step.get()), "step");
        assert!(smaller.memory.total() < larger.memory.total(), "memory");
    });
}

/// Checks the bound on interactivity by which searches discard a plan. No larger batch exceeds the bound, even under
/// schedules that overlap more as the batch grows.
#[test]
fn no_larger_batch_is_faster_than_its_bound() {
    law(CASES, |case| {
        let mut inputs = case.inputs;
        inputs.overlap = Some(Overlap::ALL[case.draws[1] as usize % Overlap::ALL.len()]);
        let Ok(scenario) = inputs.scenario() else {
            return;
        };
        let batch = scenario.workload.batch;
        let fastest = fastest_from(&scenario, batch).expect("finite");
        for grown in [0.0, 1.0, batch, 10.0 * batch, 1000.0 * batch] {
            let pace = pace_with_batch(&scenario, batch + grown).expect("finite");
            assert!(at_most(pace.tokens_per_user, fastest), "{grown} more");
        }
    });
}

#[test]
fn wider_elements_cost_more() {
    law(CASES, |case| {
        if case.is_by_operator() {
            return;
        }
        let narrow = case.scenario();
        let mut wide = narrow;
        let precision = &mut wide.precision;
        let bytes = match case.draws[1] % 6 {
            0 => &mut precision.attention_weights,
            1 => &mut precision.ffn_weights,
            2 => &mut precision.kv,
            3 => &mut precision.activations,
            4 => &mut precision.dispatch,
            _ => &mut precision.combine,
        };
        *bytes *= factor(case);
        let (narrow, wide) = (evaluated(&narrow), evaluated(&wide));
        assert!(at_most(narrow.step.get(), wide.step.get()), "step");
        assert!(
            at_most(narrow.memory.total().get(), wide.memory.total().get()),
            "memory"
        );
    });
}

/// Checks that doubling every hardware rate exactly halves the step time, to the last bit, if latencies and overheads
/// are removed.
#[test]
fn twice_the_hardware_takes_half_the_time() {
    law(CASES, |case| {
        let mut once = case.scenario();
        // An SLO would change the batch.
        once.workload.slo = None;
        without_fixed_times(&mut once);
        let mut twice = once;
        let cluster = &mut twice.cluster;
        cluster.peaks = cluster.peaks.scaled(2.0);
        cluster.hbm = cluster.hbm * 2.0;
        cluster.scale_up = cluster.scale_up * 2.0;
        cluster.scale_out = cluster.scale_out * 2.0;
        let (once, twice) = (evaluated(&once), evaluated(&twice));
        let halved = once.step.get() / 2.0;
        assert_eq!(
            halved.to_bits(),
            twice.step.get().to_bits(),
            "{halved} {:?}",
            twice.step
        );
    });
}

/// Checks that a higher acceptance rate never lowers throughput and leaves the step time unchanged.
#[test]
fn more_acceptance_never_costs_throughput() {
    law(CASES, |case| {
        let lower = case.scenario();
        let mut higher = lower;
        higher.workload.speculation.acceptance = 1.0;
        let (lower, higher) = (evaluated(&lower), evaluated(&higher));
        assert_eq!(lower.step, higher.step);
        assert!(at_most(lower.tokens, higher.tokens));
    });
}
