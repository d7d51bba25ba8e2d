//! Converts measurements in a scenario's inputs to observed points. The computed times of these points do not include
//! the correction derived from the same measurements.

use crate::anchor::scenario_of;
use crate::bench::{Note, Reading, Value};
use crate::cost::collective::Message;
use crate::evaluate::{Evaluation, evaluate, pace_with_batch};
use crate::hardware::NetworkLink;
use crate::inputs::{Inputs, Mode, Number};
use crate::measured::{Band, Residuals};
use crate::scenario::Scenario;
use crate::workload::Engine;

use super::load::batch_for;
use super::ranges::Evidence;
use super::suspects::Observed;
use super::terms::Terms;
use super::verdict::{Diagnosis, diagnose};

/// Scale-up bandwidth, in GB/s per direction, at or below which the link is assumed to be PCIe.
const PCIE: f64 = 64.0;

/// Diagnoses the measurements of `inputs`, using the `known` evidence and the evidence in the inputs. Also returns the
/// error band of the last valid point, which the page describes. Returns `None` if there is no valid measurement of a
/// colocated deployment.
pub fn diagnosed(
    inputs: &Inputs,
    residuals: &Residuals,
    known: &[Evidence],
) -> Option<(Diagnosis, Option<Band>)> {
    if inputs.mode != Mode::Colocated {
        return None;
    }
    let plain = inputs.with_anchored(None);
    let (mut points, mut bands) = (Vec::new(), Vec::new());
    let mut found = evidence(&plain);
    for point in inputs.measured.points() {
        let Ok(scenario) = scenario_of(&plain, &point) else {
            continue;
        };
        let Ok(evaluation) = evaluate(&scenario) else {
            continue;
        };
        let measured = point.time.seconds().get();
        points.push(observed(&scenario, &evaluation, measured));
        bands.push(residuals.band(&plain, &scenario, &evaluation));
        let across = |message: &Message| message.link == NetworkLink::ScaleOut;
        let across = evaluation.messages(&scenario).iter().any(across);
        if across && !found.contains(&Evidence::TpAcrossDomains) {
            found.push(Evidence::TpAcrossDomains);
        }
    }
    found.extend(known);
    let factors: Vec<Option<[f64; 2]>> = bands
        .iter()
        .map(|band| band.as_ref().map(|band| [band.low, band.high]))
        .collect();
    let diagnosis = diagnose(&points, &factors, &found)?;
    Some((diagnosis, bands.pop().flatten()))
}

fn observed(scenario: &Scenario, evaluation: &Evaluation, measured: f64) -> Observed {
    let workload = &scenario.workload;
    let spec = scenario.plan.spec();
    Observed {
        measured,
        terms: Terms::read(scenario, evaluation),
        batch: workload.batch,
        context: workload.context,
        yielded: workload.speculation.yielded(),
        drafts: f64::from(workload.speculation.depth),
        beta: scenario.plan.spec().beta,
        ep: f64::from(spec.ep),
    }
}

/// Returns the evidence about a deployment that a scenario's inputs contain.
pub fn evidence(inputs: &Inputs) -> Vec<Evidence> {
    let stated = [Number::Acceptance, Number::AcceptLength, Number::AcceptRate];
    let stated = stated.iter().any(|number| inputs.stated(*number).is_some());
    let drafts = inputs.get(Number::SpeculationDepth).unwrap_or(0.0) > 0.0;
    let gpus = inputs.get(Number::Gpus).unwrap_or(1.0);
    let link = inputs.get(Number::ScaleUp).unwrap_or(f64::INFINITY);
    let flagged = [
        (gpus > 1.0 && link <= PCIE, Evidence::Pcie),
        (drafts && stated, Evidence::AcceptanceStated),
        (drafts && !stated, Evidence::AcceptanceAssumed),
        (inputs.engine == Engine::Decode, Evidence::DecodeOnly),
    ];
    let known = flagged.into_iter().filter(|(is, _)| *is);
    known.map(|(_, evidence)| evidence).collect()
}

/// Returns the evidence about a deployment that a pasted benchmark contains.
pub fn evidence_of(reading: &Reading) -> Vec<Evidence> {
    let number = |key: &str| match reading.fact(key)?.value {
        Value::Number(_, value) => Some(value),
        _ => None,
    };
    let each = number("batch").map(|batch| batch / number("dp").unwrap_or(1.0));
    let drafts = |note: &Note| matches!(note, Note::DraftsUnknown | Note::Drafter(_));
    let plain =
        reading.commanded && reading.fact("mtp").is_none() && !reading.notes.iter().any(drafts);
    let noted = reading.notes.iter().filter_map(|note| match note {
        Note::GraphOff => Some(Evidence::GraphOff),
        Note::GraphMax(most) => (each? > *most).then_some(Evidence::GraphOff),
        Note::P2pOff => Some(Evidence::P2pOff),
        Note::HostBound { .. } => Some(Evidence::HostBound),
        Note::PrefillMixed => Some(Evidence::PrefillMixed),
        Note::DtypeUnknown => Some(Evidence::DtypeUnknown),
        _ => None,
    });
    noted.chain(plain.then_some(Evidence::NoDrafts)).collect()
}

/// Spacing of batches on a computed curve: each batch exceeds the previous one by 1/`STEPS` of its size, rounded up.
const STEPS: f64 = 4.0;

/// Returns the number of concurrent sequences per replica at which the deployment produces `tokens` per second. The
/// number is read from the computed curve up to `most` sequences; `None` if no batch reaches that throughput.
pub fn running_batch(scenario: &Scenario, tokens: f64, most: f64) -> Option<f64> {
    let mut curve = Vec::new();
    let mut batch = 1.0_f64;
    while curve.len() < 200 {
        let at = batch.min(most).max(1.0);
        curve.push((at, pace_with_batch(scenario, at).ok()?.tpot.get()));
        if batch >= most {
            break;
        }
        batch += (batch / STEPS).ceil();
    }
    batch_for(&curve, tokens / f64::from(scenario.replicas))
}
