//! Diagnosis of measured vs. computed times, as `ridgepoint` prints it.

use crate::diagnosis::{self, Diagnosis, Shape, Side, Suspect, Term};
use crate::fields::fields;
use crate::inputs::Inputs;
use crate::measured::Residuals;

fields! {
    /// Diagnosis of a permalink's measurements: a comparison with the computed times, before any correction.
    DiagnosisFields(diagnosis: &Diagnosis) {
        verdict: Option<&'static str> = diagnosis.verdict.map(Side::id),
        off: Vec<f64> = diagnosis.points.iter().map(|point| point.off).collect(),
        band_s: Vec<Option<[f64; 2]>> = diagnosis.points.iter().map(|point| point.band).collect(),
        terms: Vec<SuspectFields> = diagnosis.suspects.iter().map(SuspectFields::of).collect(),
        top: Vec<&'static str> = diagnosis.top.iter().copied().map(Term::id).collect(),
        #[serde(skip_serializing_if = "Option::is_none")]
        shape: Option<ShapeFields> = diagnosis.shape.as_ref().map(ShapeFields::of),
        next: &'static str = diagnosis.next.id(),
    }
}

fields! {
    /// A term of the computed time, and how well scaling this term alone would explain the measured times.
    SuspectFields(suspect: &Suspect) {
        term: &'static str = suspect.term.id(),
        factors: Vec<f64> = suspect.factors.clone(),
        possible: bool = suspect.impossible.is_none(),
        factor: f64 = suspect.factor,
        rms: f64 = suspect.rms,
        score: f64 = suspect.score,
    }
}

fields! {
    /// Amount by which measured step times exceed computed ones, and its growth with batch and context.
    ShapeFields(shape: &Shape) {
        excess_s: Vec<f64> = shape.excess.clone(),
        fixed_s: f64 = shape.fixed,
        #[serde(skip_serializing_if = "Option::is_none")]
        per_sequence_s: Option<f64> = shape.per_sequence,
        #[serde(skip_serializing_if = "Option::is_none")]
        per_token_s: Option<f64> = shape.per_token,
        mostly: &'static str = shape.mostly.id(),
    }
}

/// Returns the diagnosis of a scenario's measurements; `None` if the scenario has no valid measurement.
pub(super) fn fields(inputs: &Inputs, residuals: &Residuals) -> Option<DiagnosisFields> {
    if inputs.measured.is_empty() {
        return None;
    }
    let (diagnosis, _) = diagnosis::diagnosed(inputs, residuals, &[])?;
    Some(DiagnosisFields::of(&diagnosis))
}
