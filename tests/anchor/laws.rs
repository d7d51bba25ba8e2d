//! Property tests of corrections by measurements, on random scenarios.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use model_core::anchor::{Fit, Parts, anchored, factors, fit};
use model_core::correction::Correction;
use model_core::cost::memory::batch_capacity;
use model_core::evaluate::{evaluate, pace_with_batch};
use model_core::inputs::{Inputs, MeasuredLoad, Measurements, Mode, Number};
use model_core::limits::limits;
use model_core::math;
use model_core::measurement::{
    MeasuredLengths, MeasuredPoint, MeasuredTime, MeasuredTtft, TimeUnit,
};
use model_core::permalink::{read, write_inputs};
use model_core::scenario::Scenario;
use model_core::units::Seconds;
use ridgepoint_tests::law::{law, tried};
use ridgepoint_tests::space;

const CASES: u64 = 10_000;

/// Returns a number in 0..1, derived from a seed and a name.
fn share(seed: u64, name: &str) -> f64 {
    let mut hasher = DefaultHasher::new();
    (seed, name).hash(&mut hasher);
    (hasher.finish() >> 11) as f64 / (1_u64 << 53) as f64
}

fn near(found: f64, expected: f64, within: f64) {
    let off = (found - expected).abs();
    assert!(off <= within * expected.abs(), "{found}, not {expected}");
}

/// Returns a random scenario with one to eight measurements, each at a random multiple of the computed time. In 30%
/// of cases, TTFT is measured too.
fn measured(seed: u64) -> Inputs {
    let inputs = space::inputs(&mut space::seeded(seed)).in_mode(Mode::Colocated);
    let scenario = inputs.scenario().expect("valid");
    let tpot = evaluate(&scenario).expect("finite").tpot.get();
    let count = 1 + (8.0 * share(seed, "count")) as usize;
    let points = (0..count).filter_map(|at| {
        let of = |name: &str| share(seed, &format!("{name} {at}"));
        let times = 0.3 * (12.0 * of("time")).sqrt().exp2();
        let mut point = MeasuredPoint::new(MeasuredTime::new(tpot * times, TimeUnit::Seconds)?);
        if of("loaded") < 0.8 {
            point.batch = Some(
                (1.0 + scenario.workload.batch * 2.0 * of("batch"))
                    .min(Number::Batch.spec().most)
                    .floor(),
            );
            point.lengths = match of("lengths") {
                few if few < 0.3 => None,
                few if few < 0.6 => Some(MeasuredLengths::Context(
                    (2.0 + 9e4 * of("context")).floor(),
                )),
                _ => Some(MeasuredLengths::Request {
                    prompt: (1.0 + 3e4 * of("prompt")).floor(),
                    output: (1.0 + 3e3 * of("output")).floor(),
                }),
            };
        }
        Some(point)
    });
    let mut inputs = inputs;
    inputs.measured = Measurements::of(points);
    if share(seed, "ttft") < 0.3 {
        let time = MeasuredTime::new(tpot * 200.0 * share(seed, "late"), TimeUnit::Seconds);
        inputs.measured.ttft = time.map(|time| MeasuredTtft {
            time,
            prompt: Some((1.0 + 2e4 * share(seed, "first")).floor()),
        });
    }
    anchored(&inputs)
}

fn times(fit: &Fit) -> Vec<(Parts, Seconds)> {
    let time = |one: &model_core::anchor::FittedPoint| (one.parts, one.measured());
    fit.points.iter().map(time).collect()
}

fn plain(inputs: &Inputs) -> Scenario {
    inputs.with_anchored(None).scenario().expect("valid")
}

/// Checks that measurements equal to the computed times give no correction, and that an empty correction does not
/// change a single bit.
#[test]
fn computed_times_change_nothing() {
    law(tried(CASES), measured, |inputs| {
        let Some(fit) = fit(inputs) else { return };
        let exact: Vec<(Parts, Seconds)> = times(&fit)
            .iter()
            .map(|(parts, _)| (*parts, parts.total()))
            .collect();
        let logarithms = factors::logarithms(&exact, false);
        assert!(
            logarithms.iter().all(|one| one.abs() < 1e-12),
            "{logarithms:?}"
        );
        let scenario = plain(inputs);
        assert_eq!(
            scenario.calibration.corrected(1.0, 1.0),
            scenario.calibration
        );
        assert!(scenario.correction.is_none());
    });
}

/// Checks that the order of measurements does not matter. A single measurement moves the time toward the measured
/// value, never past it.
#[test]
fn measurements_pull_towards_themselves_in_any_order() {
    law(tried(CASES), measured, |inputs| {
        let Some(fit) = fit(inputs) else { return };
        let mut points = times(&fit);
        let forward = factors::logarithms(&points, false);
        points.reverse();
        for (one, other) in forward.iter().zip(factors::logarithms(&points, false)) {
            assert!((one - other).abs() < 1e-9, "{forward:?}");
        }
        for (parts, measured) in points {
            let [fixed, variable, prefill] =
                factors::logarithms(&[(parts, measured)], false).map(math::exp);
            let correction = Correction {
                fixed,
                variable,
                prefill,
                ..Correction::NONE
            };
            let before = parts.total();
            let moved = math::ln(parts.corrected(&correction) / before);
            let wanted = math::ln(measured / before);
            assert!(
                moved * wanted > 0.0 && moved.abs() < wanted.abs(),
                "{moved} of {wanted}"
            );
        }
    });
}

/// Checks the corrected time per token, TPOT = e^θ_V S(e^(θ_F − θ_V))/y + P e^θ_P.
///
/// θ_F, θ_V and θ_P are the log corrections of fixed, variable and prefill time. S(x) is the step time with fixed times
/// multiplied by x; y is the number of tokens per step; P is the prefill time per token. If all three factors are
/// equal, TPOT scales by that factor.
#[test]
fn corrected_times_are_those_of_scaled_parts() {
    law(tried(CASES), measured, |inputs| {
        let Ok(scenario) = inputs.scenario() else {
            return;
        };
        let (mut before, correction) = (plain(inputs), scenario.correction);
        if correction.is_none() {
            return;
        }
        before.correction = correction.without_factors();
        let batch = before.workload.batch;
        let yielded = before.workload.speculation.yielded();
        let found = evaluate(&scenario).expect("finite");
        let mut scaled = before;
        let ratio = correction.fixed / correction.variable;
        scaled.calibration = before.calibration.scaled(ratio, ratio);
        let own = pace_with_batch(&scaled, batch).expect("finite").step / yielded;
        let whole = pace_with_batch(&before, batch).expect("finite");
        let prefill = whole.tpot - whole.step / yielded;
        let expected = own * correction.variable + prefill * correction.prefill;
        near(found.tpot.get(), expected.get(), 1e-9);
        near(found.breakdown.step().get(), found.step.get(), 1e-12);

        let factor = correction.variable;
        let alike = Scenario {
            calibration: before.calibration.corrected(factor, factor),
            correction: Correction {
                fixed: factor,
                variable: factor,
                prefill: factor,
                ..before.correction
            },
            ..before
        };
        let alike = evaluate(&alike).expect("finite");
        near(alike.tpot.get(), factor * whole.tpot.get(), 1e-9);
    });
}

/// Checks that corrections do not change bytes, batch capacity or memory fit, and that removing the measurements from
/// a permalink removes the correction.
#[test]
fn corrections_are_about_time_alone() {
    law(tried(CASES), measured, |inputs| {
        let Ok(scenario) = inputs.scenario() else {
            return;
        };
        let before = plain(inputs);
        let memory = |of: &Scenario| evaluate(of).expect("finite").memory;
        assert_eq!(memory(&scenario), memory(&before));
        let capacity = |of: &Scenario| batch_capacity(of).to_bits();
        assert_eq!(capacity(&scenario), capacity(&before));
        assert_eq!(
            limits(&scenario).map(|of| of.b_rp.to_bits()),
            limits(&before).map(|of| of.b_rp.to_bits())
        );
        let bare = inputs.unmeasured();
        assert_eq!(bare.scenario().expect("valid"), before);
        let back = read(&write_inputs(&bare)).current;
        assert!(back.anchored().is_none() && back.measured.is_empty());
    });
}

/// Checks that a permalink preserves the measurements, and that the error band does not widen with a second and third
/// measurement.
#[test]
fn links_and_bands_of_measurements() {
    law(tried(CASES), measured, |inputs| {
        let inputs = anchored(&inputs.normalized());
        let back = read(&write_inputs(&inputs)).current;
        assert_eq!(back.measured, inputs.measured);
        let correction = |of: &Inputs| of.anchored().map(|anchored| anchored.whole());
        assert_eq!(correction(&back), correction(&inputs));
        let scenario = plain(&inputs);
        let at = MeasuredLoad {
            batch: scenario.workload.batch,
            context: scenario.workload.context,
        };
        let mut narrowest = f64::INFINITY;
        for count in 1..=3 {
            let mut fewer = inputs;
            fewer.measured = Measurements::of(inputs.measured.points().take(count));
            let fewer = anchored(&fewer);
            let width = fewer
                .anchored()
                .and_then(|anchored| anchored.half_width(at));
            let Some(width) = width else { continue };
            assert!(
                width <= narrowest * (1.0 + 1e-12),
                "{width} after {narrowest}"
            );
            narrowest = width;
        }
        let half = inputs.like_others();
        assert!(
            half.anchored()
                .is_none_or(|one| one.half_width(at).is_none())
        );
        assert_eq!(half.get(Number::Batch), inputs.get(Number::Batch));
    });
}
