//! Property tests of error bands: each band contains the estimate to which it belongs.

use model_core::calibration::NamedCalibration;
use model_core::inputs::Number;
use model_core::measured::Residuals;

use ridgepoint_tests::check::at_most;

use super::{CASES, Case, evaluated, law};

/// Returns the case under `kernels-2026-12`, the calibration that models engines. Overrides of calibration constants
/// are removed, because a scenario with overrides has no error band.
fn named(case: &Case) -> Case {
    let mut case = case.clone();
    case.inputs.calibration = NamedCalibration::Kernels202612;
    for number in [
        Number::MemoryFactor,
        Number::AttentionFactor,
        Number::FfnFactor,
        Number::NetworkFactor,
        Number::LatencyMicros,
        Number::OverheadMicros,
        Number::LayerMicros,
        Number::HostMicros,
        Number::LatencyScale,
        Number::OverheadScale,
    ] {
        case.inputs.state(number, None);
    }
    case
}

/// Checks that an error band contains its estimate, and TPOT at both extremes (all ranks prefill simultaneously, or
/// each at a different time). If the host time of prompts is not set, the band also contains TPOT with prompts
/// outside CUDA graphs.
#[test]
fn a_band_holds_its_own_estimate() {
    let residuals = Residuals::of(
        NamedCalibration::Kernels202612,
        &ridgepoint_tests::runs::RUNS,
    );
    law(CASES, |case| {
        let case = named(case);
        let scenario = case.scenario();
        let evaluation = evaluated(&scenario);
        let band = residuals
            .band(&case.inputs, &scenario, &evaluation)
            .expect("no number is overridden");
        let tpot = evaluation.tpot.get();
        let holds = |time: f64| at_most(band.low * tpot, time) && at_most(time, band.high * tpot);
        assert!(holds(tpot), "{band:?}");
        assert_eq!(band.bias, None);
        if let Some(ends) = evaluation.prefill_ends(&scenario) {
            let [together, apart] = ends.ranks;
            assert!(holds(together.get()) && holds(apart.get()), "{band:?}");
            let stated = case.inputs.stated(Number::PrefillMicros).is_some();
            assert_eq!(ends.eager.is_none(), stated);
            if let Some([tpot, most]) = ends.eager {
                assert!(holds(tpot.get()) && holds(most.get()), "{band:?}");
            }
        }
    });
}

/// Checks that host time per prompt layer adds exactly that time per layer to a prefill and never lowers TPOT. It has
/// no effect on an engine that only decodes.
#[test]
fn host_time_of_prefill_is_added() {
    law(CASES, |case| {
        let case = named(case);
        let at = |micros: f64| {
            let inputs = case.inputs.with(Number::PrefillMicros, micros);
            evaluated(&inputs.scenario().expect("it breaks no rule"))
        };
        let (without, with) = (at(0.0), at(1350.0));
        assert_eq!(without.step, with.step);
        match (without.prefills, with.prefills) {
            (Some(none), Some(some)) => {
                let host = 1350e-6 * case.scenario().arch.whole_layers();
                let added = some.each.get() - none.each.get();
                assert!((added / host - 1.0).abs() < 1e-6, "{added} ≠ {host}");
                assert!(at_most(without.tpot.get(), with.tpot.get()));
            }
            _ => assert_eq!(without.tpot, with.tpot),
        }
    });
}
