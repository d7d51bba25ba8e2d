//! Property tests of the timeline of a layer, by comparison with the step.

use model_core::evaluate::Evaluation;
use model_core::plan::Overlap;
use model_core::scenario::Scenario;
use model_core::timeline::{Lane, Timeline, layer_of, pipeline};
use model_core::units::Seconds;

use ridgepoint_tests::check::at_most;

use super::{CASES, Case, evaluated, law};

fn layers(case: &Case) -> (Scenario, Evaluation, Vec<(u32, Timeline)>) {
    let scenario = case.scenario();
    let evaluation = evaluated(&scenario);
    let lines = scenario
        .arch
        .groups()
        .iter()
        .map(|group| (group.count, layer_of(&scenario, &evaluation, group)))
        .collect();
    (scenario, evaluation, lines)
}

/// Checks that the intervals in a lane of the timeline are in order, do not overlap, and are within the layer.
#[test]
fn lanes_do_one_thing_at_a_time() {
    law(CASES, |case| {
        let (scenario, evaluation, mut lines) = layers(case);
        if scenario.plan.spec().pp > 1 {
            lines.push((1, pipeline(&scenario, &evaluation)));
        }
        for (_, line) in &lines {
            let dust = line.span * 1e-9;
            for lane in line.lanes() {
                let mut at = Seconds::ZERO;
                for interval in line.lane(lane) {
                    assert!(interval.start >= at - dust, "{interval:?} in {line:?}");
                    assert!(interval.end <= line.span + dust, "{interval:?} in {line:?}");
                    assert!(interval.batch < line.drawn, "{interval:?}");
                    at = interval.end;
                }
                let idle: Seconds = line.gaps(lane).iter().map(|(from, to)| *to - *from).sum();
                let whole = idle + line.busy(lane);
                assert!(
                    (whole / line.span - 1.0).abs() < 1e-6,
                    "{lane:?} of {line:?}"
                );
            }
        }
    });
}

/// Checks that the times of all layers and the output head add up to the step time. The sum is exact if nothing
/// overlaps across layers. Under two-batch overlap, the sum is at least the step time, which is the maximum of total
/// compute and total communication.
#[test]
fn layers_add_up_to_the_step() {
    law(CASES, |case| {
        if case.has_drafter() {
            return;
        }
        let (scenario, evaluation, lines) = layers(case);
        let mut sum = (evaluation.breakdown.head + evaluation.breakdown.host).get();
        for (layers, line) in &lines {
            sum += line.span.get() * f64::from(*layers);
        }
        let step = evaluation.step.get();
        if scenario.plan.spec().overlap == Overlap::TwoBatch {
            assert!(at_most(step, sum), "{step} > {sum}");
        } else {
            assert!((sum / step - 1.0).abs() < 1e-9, "{sum} ≠ {step}");
        }
    });
}

/// Checks under every schedule that the compute and communication in the timelines of all layers add up to those in
/// the step's breakdown.
#[test]
fn lanes_agree_with_breakdown() {
    law(CASES, |case| {
        if case.has_drafter() {
            return;
        }
        let (_, evaluation, lines) = layers(case);
        let total = |lane| -> f64 {
            lines
                .iter()
                .map(|(layers, line)| line.busy(lane).get() * f64::from(*layers))
                .sum()
        };
        let breakdown = &evaluation.breakdown;
        let compute = breakdown.compute() - breakdown.head + breakdown.overhead - breakdown.host;
        // Times are differences, so their rounding error is relative to the step time.
        let dust = evaluation.step.get() * 1e-9;
        for (lane, counted) in [
            (Lane::Compute, compute),
            (Lane::Network, breakdown.messages),
        ] {
            let (drawn, counted) = (total(lane), counted.get());
            assert!(
                (drawn - counted).abs() <= dust,
                "{lane:?}: {drawn} ≠ {counted}"
            );
        }
    });
}
