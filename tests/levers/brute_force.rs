//! Tests law 3 of the levers by brute force. The best combination of levers is compared with every plan × replicas ×
//! batch × precision, on clusters of up to 16 GPUs.

use model_core::evaluate::with_batch;
use model_core::inputs::{Inputs, Number};
use model_core::levers::{Change, LeverGroup, Levers, is_feasible, min_user_rate};
use model_core::plan::{Overlap, Plan, PlanSpec};
use model_core::scenario::Scenario;

use ridgepoint_tests::space::every_plan;

use super::{law, scenario, scenarios};

/// Returns random scenario `number`, on at most 16 GPUs. A scenario on more GPUs is reduced and gets the default
/// sharding.
fn small(number: u64) -> Inputs {
    let mut inputs = scenario(number);
    if inputs.get(Number::Gpus).unwrap() > 16.0 {
        inputs.unshard();
        inputs.state(
            Number::Gpus,
            Some([8.0, 16.0, 12.0, 1.0, 4.0][number as usize % 5]),
        );
    }
    inputs.normalized()
}

/// Returns the highest throughput per GPU at an interactivity of at least `users`; successive batches differ by 3%.
fn most(scenario: &Scenario, users: f64) -> f64 {
    let mut best: f64 = 0.0;
    let mut batch = scenario.plan.micro_batches();
    while batch <= 1e7 {
        let mut at = *scenario;
        at.workload.batch = batch.floor();
        at.workload.slo = (users > 0.0).then_some(users);
        let Ok(found) = with_batch(&at, at.workload.batch) else {
            break;
        };
        if is_feasible(&at, &found) {
            best = best.max(found.tokens_per_gpu);
        }
        if !found.memory.fits() {
            break;
        }
        batch = (batch * 1.03).floor().max(batch + 1.0);
    }
    best
}

/// Returns true if the search tries the plan, that is, if `plans` contains it. The search skips pipelines of
/// data-parallel groups, HOP-B inside a pipeline, and TP larger than both the scale-up domain and the host.
fn is_searched(spec: &PlanSpec, plans: &[Plan]) -> bool {
    plans.iter().any(|plan| plan.spec() == spec)
}

#[test]
fn all_equals_brute_force() {
    law(scenarios() / 5, small, |inputs| {
        let users = min_user_rate(inputs);
        let levers = Levers::of(inputs);
        let now = levers.base.tokens_per_gpu.unwrap_or(0.0);
        let unassumed = levers.all.iter().filter(|lever| {
            lever.change.group() == LeverGroup::Settings && !lever.change.assumed()
        });
        let best = unassumed
            .map(|lever| lever.served().expect("it runs"))
            .fold(now, f64::max);
        let total = inputs.get(Number::Gpus).unwrap() * inputs.get(Number::Replicas).unwrap();
        let own = inputs.get(Number::Replicas).unwrap();
        let mut bases = vec![*inputs];
        for count in 1..=total as u32 {
            let count = f64::from(count);
            let each = total / count;
            let whole = total % count == 0.0 && (each % 8.0 == 0.0 || count <= 1.0);
            if whole && count.to_bits() != own.to_bits() {
                let mut divided = inputs
                    .with(Number::Replicas, count)
                    .with(Number::Gpus, each);
                divided.unshard();
                bases.push(divided);
            }
        }
        let narrowed: Vec<Inputs> = bases.iter().filter_map(Inputs::narrowed).collect();
        bases.extend(narrowed);
        let (mut measured, mut other) = (0.0_f64, 0.0_f64);
        for base in &bases {
            let mut open = *base;
            open.unshard();
            let Ok(scenario) = base.scenario().or_else(|_| open.scenario()) else {
                continue;
            };
            let searched = model_core::levers::plans(&scenario);
            let schedules = Overlap::ALL.into_iter();
            let plans =
                schedules.flat_map(|overlap| every_plan(&scenario, scenario.cluster.gpus, overlap));
            for plan in plans {
                if !is_searched(plan.spec(), &searched) {
                    continue;
                }
                let served = most(&Scenario { plan, ..scenario }, users);
                let spec = plan.spec();
                let claims = scenario.calibration.coverage.family().is_some();
                match claims && (spec.pp > 1 || spec.kvp > 1) {
                    true => other = other.max(served),
                    false => measured = measured.max(served),
                }
            }
        }
        // Extrapolated kinds of plans count only if they gain over 5%; 1% more is left for batches that differ.
        let expected = if other > 1.06 * measured {
            other
        } else {
            measured
        };
        assert!(best >= 0.984 * expected, "{best} of {expected}");
        assert!(
            best <= measured.max(other).max(now) * 1.035,
            "{best} of {measured} and {other}"
        );
        let all = levers.all.iter().find(|lever| lever.change == Change::All);
        if let Some(all) = all {
            let served = all.served().expect("it runs");
            assert!(served >= 0.99 * best);
        }
    });
}
