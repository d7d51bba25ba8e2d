//! Property tests of the limits on batch and context: the map, the curves and the growth in GPUs agree with plain
//! evaluation.

use model_core::cost::memory::{batch_capacity, memory};
use model_core::evaluate::evaluate;
use model_core::inputs::Number;
use model_core::limits::curves::{at_context, greatest_advantage};
use model_core::limits::growth::{gpu_counts, growth, on_gpus};
use model_core::limits::instances::{BreakEven, Instances, best};
use model_core::limits::{batch_for_slo, best_batch, limits, map};
use model_core::plan::Overlap;
use model_core::scenario::Scenario;
use model_core::units::BytesPerSecond;

use super::{CASES, law};

fn contexts() -> Vec<f64> {
    (8..=18).map(|power| f64::from(1_u32 << power)).collect()
}

#[test]
fn map_cells_are_evaluations() {
    law(CASES / 20, |case| {
        let mut scenario = case.scenario();
        let (contexts, batches) = ([1000.0, 8192.0, 100_000.0], [1.0, 72.0, 5000.0]);
        let cells = map::map(&scenario, &contexts, &batches);
        assert_eq!(cells.len(), 9);
        for (index, cell) in cells.into_iter().enumerate() {
            let cell = cell.expect("ordinary inputs have finite results");
            scenario.workload.batch = batches[index / 3];
            scenario.workload.context = contexts[index % 3];
            let evaluation = evaluate(&scenario).expect("finite");
            assert_eq!((cell.context, cell.batch), {
                let workload = &scenario.workload;
                (workload.context, workload.batch)
            });
            assert_eq!(cell.tpot_s.to_bits(), evaluation.tpot.get().to_bits());
            assert_eq!(cell.fits, evaluation.memory.fits());
            let slo = scenario.workload.slo.unwrap_or(0.0);
            assert_eq!(cell.meets_slo, evaluation.tokens_per_user >= slo);
        }
    });
}

#[test]
fn curves_bound_feasible_batches() {
    law(CASES / 4, |case| {
        let mut scenario = case.scenario();
        scenario.workload.slo = Some(1.0 + f64::from(case.draws[0] % 200));
        let context = contexts()[case.draws[1] as usize % 11];
        let limit = at_context(&scenario, context);
        scenario.workload.context = context;
        let dp = f64::from(scenario.plan.spec().dp);
        let fits = |batch: f64| memory(&scenario, batch).fits();
        assert!(limit.b_cap == 0.0 || fits(limit.b_cap));
        assert!(limit.b_cap >= 1e12 || !fits(limit.b_cap + dp));
        let meets = |batch: f64| {
            map::cell(&scenario, context, batch)
                .expect("finite")
                .meets_slo
        };
        let edge = limit.meets_slo.expect("there is an SLO");
        assert!(edge == 0.0 || meets(edge));
        assert!(edge >= 1e11 || !meets(edge + 1.0));
        // No real step is faster than the bound.
        assert!(edge <= limit.b_slo.expect("there is an SLO"));
        assert_eq!(
            limit.b_slo,
            Some(batch_for_slo(
                &scenario,
                scenario.workload.slo.unwrap_or(0.0)
            ))
        );
        // The recommended batch is the smaller limit, or 0 if that is fewer sequences than micro-batches.
        let both = limit.b_cap.min(edge).min(Number::Batch.spec().most);
        let least = scenario.plan.micro_batches();
        let wanted = if both < least { 0.0 } else { both };
        let best = best_batch(&scenario);
        assert!(best == 0.0 || best.fract() == 0.0 && fits(best) && meets(best));
        // HOP-B can be faster with more requests.
        if scenario.plan.spec().overlap != Overlap::HopB {
            assert_eq!(best.to_bits(), wanted.to_bits());
        }
    });
}

#[test]
fn longer_context_no_larger_batch() {
    law(CASES / 10, |case| {
        let mut scenario = case.scenario();
        // Where HOP-B divides fixed times among requests a larger batch can be faster (see `growth`).
        if scenario.plan.spec().overlap == Overlap::HopB {
            return;
        }
        scenario.workload.slo = Some(1.0 + f64::from(case.draws[0] % 200));
        let mut last = at_context(&scenario, 128.0);
        for context in contexts() {
            let next = at_context(&scenario, context);
            assert!(next.b_cap <= last.b_cap && next.b_slo <= last.b_slo);
            assert!(next.meets_slo <= last.meets_slo);
            last = next;
        }
    });
}

#[test]
fn greatest_advantage_is_reached() {
    law(CASES / 20, |case| {
        let scenario = case.scenario();
        let mut other = scenario;
        other.cluster.hbm = other.cluster.hbm / 2.0;
        let full = |scenario: &Scenario, context: f64| {
            let mut at = *scenario;
            at.workload.context = context;
            at.workload.batch = at_context(&at, context).b_cap;
            (at.workload.batch >= 1.0).then(|| evaluate(&at).expect("finite").tokens_per_gpu)
        };
        let most = contexts()
            .into_iter()
            .filter_map(|context| Some(full(&scenario, context)? / full(&other, context)?))
            .fold(0.0, f64::max);
        let found = greatest_advantage(&scenario, &other, &contexts());
        assert_eq!(
            found.map_or(0.0, |found| found.throughput).to_bits(),
            most.to_bits()
        );
    });
}

#[test]
fn more_gpus_keep_a_plan() {
    law(CASES / 4, |case| {
        let Ok(doubled) = on_gpus(&case.inputs, case.scenario().cluster.gpus * 2) else {
            return;
        };
        assert_eq!(doubled.cluster.gpus, case.scenario().cluster.gpus * 2);
        for grown in growth(&case.inputs, &gpu_counts(case.scenario().cluster.gpus, 256)) {
            let scenario = on_gpus(&case.inputs, grown.gpus).expect("it was possible");
            assert_eq!(grown.memory, memory(&scenario, scenario.workload.batch));
            if grown.gpus == case.scenario().cluster.gpus {
                assert_eq!(scenario, case.scenario(), "nothing is given up for nothing");
            }
        }
    });
}

/// Checks that the largest batch that fits in memory is exact to the last sequence, given that each attention rank
/// has a whole number of sequences.
#[test]
fn batch_fits_within_capacity() {
    law(CASES / 5, |case| {
        let scenario = case.inputs.scenario().expect("the space is possible");
        let cap = batch_capacity(&scenario);
        let dp = f64::from(scenario.plan.spec().dp);
        let share = f64::from(case.draws[1] % 1000) / 1000.0;
        for batch in [
            scenario.workload.batch,
            (cap * (0.5 + share)).ceil().max(1.0),
            cap.max(1.0),
            cap + 1.0,
            cap + (dp * share).floor() + 1.0,
        ] {
            let fits = memory(&scenario, batch).fits();
            assert_eq!(fits, batch <= cap, "{batch} of {cap}");
        }
    });
}

#[test]
fn large_deployment_breaks_even() {
    law(CASES / 20, |case| {
        // Under an SLO, the batch and throughput jump as the link bandwidth changes.
        let Ok(pair) = Instances::new(&case.inputs.without(Number::Slo)) else {
            return;
        };
        let (small, large) = (&pair.small, &pair.large);
        assert_eq!(large.cluster.gpus, small.cluster.gpus * pair.count);
        assert!(limits(large).is_some());
        let with = |gigabytes: f64| {
            let other = pair.large_joined_by(BytesPerSecond::from_gb(gigabytes));
            best(&other).map_or(0.0, |best| best.tokens_per_gpu)
        };
        let least = best(small).map_or(0.0, |best| best.tokens_per_gpu) * (1.0 - 1e-9);
        match pair.break_even() {
            BreakEven::At(link) => {
                assert!(with(link.as_gb()) >= least);
                assert!(with(link.as_gb() / 1.01) < least);
            }
            BreakEven::Never => assert!(with(1e6) < least),
            BreakEven::Always => assert!(with(0.01) >= least),
        }
    });
}
