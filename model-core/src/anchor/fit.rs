//! Fits corrections of a deployment's computed times to its measurements.

use super::factors;
use super::parts::Parts;
use crate::correction::{Correction, LEAST_PREFILL};
use crate::cost::memory::memory;
use crate::evaluate::{pace_with_batch, prefill_is_modelled, prefill_time};
use crate::inputs::{Anchored, Anchoring, Inputs, MeasuredLoad, Mode, Number};
use crate::math;
use crate::measurement::{MeasuredLengths, MeasuredPoint};
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::units::Seconds;

/// The fit of a deployment: its measurements, computed times and correction.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// Measurements used in the fit, in the order entered.
    pub points: Vec<FittedPoint>,
    /// Measurements left out of the fit because their scenario is invalid.
    pub dropped: Vec<RefusedPoint>,
    /// Measured TTFT, if aggregated prefill is modeled.
    pub ttft: Option<FittedTtft>,
    /// Fitted correction; the identity (no change) if `anchor=off`.
    pub correction: Correction,
}

/// A measurement with its computed time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedPoint {
    /// The measurement as the user entered it.
    pub point: MeasuredPoint,
    /// Batch and mean context at which TPOT was measured.
    pub load: MeasuredLoad,
    /// Computed parts of TPOT, before correction.
    pub parts: Parts,
    /// TPOT after correction. Every kernel and collective is recomputed, so an all-reduce may switch to another
    /// algorithm.
    pub after: Seconds,
    /// True if the measured batch fits in memory, so that requests do not queue.
    pub fits: bool,
}

impl FittedPoint {
    fn of(point: MeasuredPoint, scenario: &Scenario, parts: Parts, correction: Correction) -> Self {
        let batch = scenario.workload.batch;
        let Correction {
            fixed, variable, ..
        } = correction;
        let after = Scenario {
            calibration: scenario.calibration.corrected(fixed, variable),
            correction,
            ..*scenario
        };
        let after = pace_with_batch(&after, batch);
        Self {
            point,
            load: MeasuredLoad {
                batch,
                context: scenario.workload.context,
            },
            parts,
            after: after.map_or_else(|_| parts.corrected(&correction), |pace| pace.tpot),
            fits: memory(scenario, batch).fits(),
        }
    }

    /// Returns the measured TPOT.
    pub fn measured(&self) -> Seconds {
        self.point.time.seconds()
    }
}

/// A measurement whose scenario is invalid.
#[derive(Debug, Clone, PartialEq)]
pub struct RefusedPoint {
    /// Position among the measurements that could be parsed, starting at 1.
    pub number: usize,
    /// The measurement as the user entered it.
    pub point: MeasuredPoint,
    /// Rules that the measurement's scenario breaks.
    pub reasons: Vec<Refusal>,
}

/// A measured TTFT with its computed time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedTtft {
    /// Prompt length in tokens.
    pub prompt: f64,
    /// Computed prefill time of the prompt, T_p.
    pub computed: Seconds,
    /// Measured TTFT.
    pub measured: Seconds,
    /// Time h that the correction adds to every aggregated prefill, in seconds.
    pub added_s: f64,
}

impl Fit {
    /// Returns the root mean square of ln(measured/corrected).
    pub fn spread(&self) -> f64 {
        let off = |one: &FittedPoint| math::ln(one.measured() / one.after);
        let squares: f64 = self.points.iter().map(|one| off(one) * off(one)).sum();
        (squares / (self.points.len().max(1) as f64)).sqrt()
    }
}

/// Range of correction factors that the user need not check.
const USUAL: [f64; 2] = [0.5, 2.5];
/// Root mean square of ln(measured/corrected) above which the measurements do not seem to come from a single
/// deployment.
const AGREEING: f64 = 0.10;

impl Fit {
    /// Returns the correction factors outside the usual range, each with the name of its part of TPOT, for the user
    /// to check.
    pub fn unusual(&self) -> impl Iterator<Item = (&'static str, f64)> + use<> {
        let Correction {
            fixed,
            variable,
            prefill,
            ..
        } = self.correction;
        let all = [
            ("fixed times", fixed),
            ("traffic and compute", variable),
            ("prefill of other requests", prefill),
        ];
        all.into_iter()
            .filter(|(_, factor)| !(USUAL[0]..=USUAL[1]).contains(factor))
    }

    /// True if the measurements differ from the fit more than those of a single deployment would.
    pub fn disagrees(&self) -> bool {
        self.spread() > AGREEING
    }
}

/// Computes and fits all measurements in the inputs; `None` if no measurement is usable.
pub fn fit(inputs: &Inputs) -> Option<Fit> {
    if inputs.measured.is_empty() {
        return None;
    }
    let plain = inputs
        .with_anchored(None)
        .in_mode(Mode::Colocated)
        .settled();
    let ttft = fitted_ttft(&plain);
    let off = inputs.anchor == Anchoring::Off;
    let added = match ttft {
        Some(ttft) if !off => ttft.added_s,
        _ => 0.0,
    };
    let before = Correction {
        prefill_added_s: added,
        ..Correction::NONE
    };
    let (mut found, mut dropped) = (Vec::new(), Vec::new());
    for (at, point) in inputs.measured.points().enumerate() {
        match computed(&plain, before, &point) {
            Ok((scenario, parts)) => found.push((point, scenario, parts)),
            Err(reasons) => dropped.push(RefusedPoint {
                number: at + 1,
                point,
                reasons,
            }),
        }
    }
    if found.is_empty() && ttft.is_none() {
        return None;
    }
    let times = found
        .iter()
        .map(|(point, _, parts)| (*parts, point.time.seconds()));
    let correction = match off {
        true => Correction::NONE,
        false => factors::correction(&times.collect::<Vec<_>>(), before, ttft.is_some()),
    };
    let fitted = |(point, scenario, parts)| FittedPoint::of(point, &scenario, parts, correction);
    Some(Fit {
        points: found.into_iter().map(fitted).collect(),
        dropped,
        ttft,
        correction,
    })
}

/// Returns the inputs with the correction that their measurements give. The correction is computed once; everything
/// derived from the inputs uses it.
#[must_use]
pub fn anchored(inputs: &Inputs) -> Inputs {
    let found = match inputs.anchor {
        Anchoring::On => fit(inputs),
        Anchoring::Off => None,
    };
    let anchored = found.map(|fit| {
        let loads = fit.points.iter().map(|one| one.load);
        Anchored::new(inputs, fit.correction, loads)
    });
    inputs.with_anchored(anchored)
}

/// Returns the scenario of a measurement. Values that the measurement omits come from the scenario `plain`.
///
/// Errors: the rules that the measurement's scenario breaks.
pub fn scenario_of(plain: &Inputs, point: &MeasuredPoint) -> Result<Scenario, Vec<Refusal>> {
    let mut inputs = *plain;
    if let Some(batch) = point.batch {
        inputs.state(Number::Batch, Some(batch));
    }
    match point.lengths {
        None => {}
        Some(MeasuredLengths::Context(context)) => {
            inputs.state(Number::Context, Some(context));
        }
        Some(MeasuredLengths::Request { prompt, output }) => {
            inputs.state(Number::Context, None);
            inputs.state(Number::MeanPrompt, Some(prompt));
            inputs.state(Number::MeanOutput, Some(output));
        }
    }
    inputs.scenario()
}

fn computed(
    plain: &Inputs,
    before: Correction,
    point: &MeasuredPoint,
) -> Result<(Scenario, Parts), Vec<Refusal>> {
    let mut scenario = scenario_of(plain, point)?;
    scenario.correction = before;
    let parts = Parts::of(&scenario).map_err(|refusal| vec![refusal])?;
    Ok((scenario, parts))
}

/// Fits the time added to every aggregated prefill, h = max(TTFT − T_p, −0.7 T_p). T_p is the computed prefill time
/// at the measurement's prompt length.
fn fitted_ttft(plain: &Inputs) -> Option<FittedTtft> {
    let stated = plain.measured.ttft?;
    let scenario = plain.scenario().ok()?;
    prefill_is_modelled(&scenario.plan).ok()?;
    let prompt = stated
        .prompt
        .or(plain.stated(Number::MeanPrompt))
        .unwrap_or(scenario.workload.context);
    let computed = prefill_time(&scenario, prompt).ok()?;
    let measured = stated.time.seconds();
    let least = (LEAST_PREFILL - 1.0) * computed.get();
    Some(FittedTtft {
        prompt,
        computed,
        measured,
        added_s: (measured.get() - computed.get()).max(least),
    })
}
