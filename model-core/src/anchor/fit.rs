//! The fit of a deployment to its measurements.

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

/// Measurements of a deployment, computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// Measurements that count, in the order stated.
    pub points: Vec<FittedPoint>,
    /// Measurements that do not: their scenario is invalid.
    pub dropped: Vec<RefusedPoint>,
    /// Time to first token, where aggregated prefill is modeled.
    pub ttft: Option<FittedTtft>,
    /// The correction; none with `anchor=off`.
    pub correction: Correction,
}

/// A measurement, computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedPoint {
    /// The measurement.
    pub point: MeasuredPoint,
    /// Its batch and mean context.
    pub load: MeasuredLoad,
    /// Computed parts of its time per output token.
    pub parts: Parts,
    /// Time per output token as corrected: every kernel and collective again, so that an all-reduce may change its kernel.
    pub after: Seconds,
    /// True if its batch fits in memory: requests do not queue.
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

    /// Measured time per output token.
    pub fn measured(&self) -> Seconds {
        self.point.time.seconds()
    }
}

/// A measurement whose scenario is invalid.
#[derive(Debug, Clone, PartialEq)]
pub struct RefusedPoint {
    /// Its number in the list of readable ones, from 1.
    pub number: usize,
    /// The measurement.
    pub point: MeasuredPoint,
    /// The broken rules.
    pub reasons: Vec<Refusal>,
}

/// A measured time to first token, computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedTtft {
    /// Tokens of the prompt.
    pub prompt: f64,
    /// Computed prefill time, T_p.
    pub computed: Seconds,
    /// Measured time.
    pub measured: Seconds,
    /// Seconds added to every aggregated prefill, h.
    pub added_s: f64,
}

impl Fit {
    /// Root mean square of ln(measured/corrected).
    pub fn spread(&self) -> f64 {
        let off = |one: &FittedPoint| math::ln(one.measured() / one.after);
        let squares: f64 = self.points.iter().map(|one| off(one) * off(one)).sum();
        (squares / (self.points.len().max(1) as f64)).sqrt()
    }
}

/// Range of a factor that calls for no check.
const USUAL: [f64; 2] = [0.5, 2.5];
/// Root mean square of ln(measured/corrected) above which measurements are not of one deployment.
const AGREEING: f64 = 0.10;

impl Fit {
    /// Factors that call for a check, each with the name of its part.
    pub fn unusual(&self) -> impl Iterator<Item = (&'static str, f64)> + use<> {
        let Correction {
            fixed,
            variable,
            prefill,
            ..
        } = self.correction;
        let all = [
            ("fixed times", fixed),
            ("traffic and arithmetic", variable),
            ("prefill of other requests", prefill),
        ];
        all.into_iter()
            .filter(|(_, factor)| !(USUAL[0]..=USUAL[1]).contains(factor))
    }

    /// True if the measurements differ by more than one deployment explains.
    pub fn disagrees(&self) -> bool {
        self.spread() > AGREEING
    }
}

/// The measurements of inputs, computed; `None` without any that count.
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

/// The inputs with the correction that their measurements give, computed once for everything derived from them.
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

/// The scenario of a measurement of the deployment `plain`: what the point leaves out is the deployment's.
///
/// Errors: the broken rules.
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

/// The scenario of a measurement and its computed parts.
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

/// h = max(TTFT − T_p, −0.7 T_p), at the prompt of the measurement.
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
