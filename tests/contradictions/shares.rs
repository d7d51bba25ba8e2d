//! Tests over all presets and random permalinks that the limiting resource, the levers and the roofline agree.

use answer::charts::{OperatorBound, RooflineData};
use answer::sizing;
use model_core::bottleneck::{Bottleneck, Resource};
use model_core::cost::roofline::Bound;
use model_core::evaluate::{Evaluation, evaluate};
use model_core::inputs::Inputs;
use model_core::levers::{Change, HardwarePart, Lever, Levers, best_plans, colocated};
use model_core::permalink::write_inputs;
use model_core::preset::PRESETS;
use model_core::scenario::Scenario;
use ridgepoint_tests::space;

const RANDOM: u64 = 300;

/// Returns the scenarios of all presets and of random permalinks.
fn all() -> Vec<Inputs> {
    let presets = PRESETS.iter().map(|preset| preset.opened().current);
    let random = (0..RANDOM).map(|seed| space::inputs(&mut space::seeded(seed)).normalized());
    presets.chain(random).collect()
}

fn evaluated(inputs: &Inputs) -> Option<(Scenario, Evaluation)> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    Some((scenario, evaluation))
}

/// Checks that the shares of all resources sum to one and are not negative, and that their total time is TPOT × tokens
/// per step.
#[test]
fn shares_sum_to_one() {
    for inputs in all() {
        let Some((scenario, evaluation)) = evaluated(&inputs) else {
            continue;
        };
        let found = Bottleneck::of(&scenario, &evaluation);
        let sum: f64 = Resource::ALL.map(|of| found.share(of)).iter().sum();
        let link = write_inputs(&inputs);
        assert!((sum - 1.0).abs() < 1e-9, "{link}: {sum}");
        assert!(
            Resource::ALL.iter().all(|of| found.share(*of) >= -1e-9),
            "{link}"
        );
        let span = evaluation.tpot.get() * scenario.workload.speculation.yielded();
        let off = found.span().get() / span - 1.0;
        assert!(off.abs() < 1e-9, "{link}: {off}");
    }
}

/// Checks that compute has a share of the step only if an operator is compute-bound; draft tokens and per-block
/// rooflines are exempt. The roofline counts the memory-bound operators. In over 95% of charts, every operator's point
/// is in the shaded region of its bound.
#[test]
fn the_roofline_counts_what_limits() {
    let (mut charts, mut apart) = (0, 0);
    for inputs in all() {
        let Some((scenario, evaluation)) = evaluated(&inputs) else {
            continue;
        };
        let link = write_inputs(&inputs);
        let found = Bottleneck::of(&scenario, &evaluation);
        let computes = evaluation
            .timed(&scenario)
            .any(|timed| timed.bound == Bound::Compute);
        let by_block = scenario.calibration.fold == model_core::calibration::Fold::Block;
        if !computes && !by_block && scenario.workload.speculation.depth == 0 {
            assert!(found.share(Resource::Compute) <= 0.0, "{link}");
        }
        let roofline = sizing(&inputs, None, &[])
            .expect("a valid scenario")
            .roofline;
        let operators = &roofline.operators;
        let memory = |bound: OperatorBound| bound == OperatorBound::Memory;
        let drawn = operators.iter().filter(|of| memory(of.bound)).count();
        let bound = evaluation
            .timed(&scenario)
            .filter(|timed| timed.bound == Bound::Memory);
        assert_eq!(drawn, bound.count(), "{link}");
        if operators.len() > 1 {
            let said = format!("{drawn} of {} operators", operators.len());
            assert!(roofline.finding().starts_with(&said), "{link}");
        }
        charts += 1;
        apart += usize::from(misplaced(&roofline) > 0);
    }
    assert!(charts > 300 && apart * 20 < charts, "{apart} of {charts}");
}

/// Returns the number of operators whose roofline point is outside the shaded region of their bound. This happens if
/// kernels of the same format have different rates.
fn misplaced(chart: &RooflineData) -> usize {
    let operators = chart.operators.iter();
    let outside = operators.filter(|of| {
        let at = of.position.intensity_flop_per_byte;
        let bound = chart.roofs.peaks[of.peak].bound_flop_per_byte;
        at > 0.0 && (of.bound == OperatorBound::Memory) != (at < bound)
    });
    outside.count()
}

/// Returns the resource improved by a better hardware part or by balanced experts; `None` for other changes.
fn resource(change: Change) -> Option<Resource> {
    Some(match change {
        Change::Part(HardwarePart::Hbm) => Resource::Hbm,
        Change::Part(HardwarePart::Peak) => Resource::Compute,
        Change::Part(HardwarePart::ScaleUp) => Resource::ScaleUp,
        Change::Part(HardwarePart::ScaleOut) => Resource::ScaleOut,
        Change::Part(HardwarePart::Alpha) => Resource::Latency,
        Change::Part(HardwarePart::Overhead) => Resource::Launches,
        Change::Beta => Resource::Balance,
        _ => return None,
    })
}

/// Returns a resource's share of the step. The share of other requests' prefill is added, because prefill uses every
/// hardware part.
///
/// The result is the maximum over the current plan and the best plan, because hardware changes are compared with the
/// best plan.
fn share(inputs: &Inputs, levers: &Levers, resource: Resource) -> f64 {
    let base = levers.base;
    let floor = base.tokens_per_gpu.unwrap_or(0.0);
    let best = best_plans(inputs, floor, &[base.users])[0].map(|best| best.inputs);
    let both = [Some(*inputs), best].into_iter().flatten();
    let shares = both.filter_map(|inputs| {
        let (scenario, evaluation) = evaluated(&inputs)?;
        let found = Bottleneck::of(&scenario, &evaluation);
        Some(found.share(resource) + found.share(Resource::Prefill))
    });
    shares.fold(0.0, f64::max)
}

/// Checks that a lever gains at most 3% if its resource limits less than 5% of the step. A lever for the resource with
/// the largest share is listed if the hardware has a part for that resource.
#[test]
fn levers_are_of_what_limits() {
    for inputs in all() {
        let now = colocated(&inputs);
        let levers = Levers::of(&inputs);
        let link = write_inputs(&inputs);
        for lever in &levers.all {
            let Some(resource) = resource(lever.change) else {
                continue;
            };
            let gains = lever.factor.is_some_and(|factor| factor > 1.03);
            let share = share(&now, &levers, resource);
            assert!(
                !gains || share >= 0.05,
                "{link}: {:?} {share}",
                lever.change
            );
        }
        let Some((scenario, evaluation)) = evaluated(&now) else {
            continue;
        };
        let largest = Bottleneck::of(&scenario, &evaluation).largest();
        let of = |lever: &Lever| resource(lever.change) == Some(largest);
        let part = HardwarePart::ALL
            .into_iter()
            .find(|part| resource(Change::Part(*part)) == Some(largest));
        let has = part.is_some_and(|part| part.applied(&now, true).is_some());
        if has && levers.best.is_some() {
            assert!(levers.all.iter().any(of), "{link}: {largest:?}");
        }
    }
}
