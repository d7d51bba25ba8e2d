//! The correction fitted to the user's measurements, as `ridgepoint` prints it.

use crate::anchor::{Carry, Fit, FittedPoint, carry, fit};
use crate::correction::Correction;
use crate::evaluate::evaluate;
use crate::fields::fields;
use crate::inputs::{Anchoring, Inputs, Strength};
use crate::permalink::{Link, write_point};
use crate::scenario::Scenario;
use crate::units::Seconds;

fields! {
    /// The correction fitted to the user's measurements, and these measurements.
    AnchoredFields(fit: &Fit, dropped: Vec<String>, half: bool, before: Option<Seconds>) {
        points: Vec<AnchoredPoint> = fit.points.iter().map(AnchoredPoint::of).collect(),
        dropped: Vec<String> = dropped,
        factors: FactorFields = FactorFields::of(&fit.correction),
        half: bool = half,
        #[serde(skip_serializing_if = "Option::is_none")]
        ttft_added_s: Option<f64> = fit.ttft.map(|ttft| ttft.added_s),
        tpot_before_s: Option<f64> = before.map(Seconds::get),
    }
}

fields! {
    /// A measured point: the time per output token as computed without the correction, as measured, and as computed
    /// with it.
    AnchoredPoint(point: &FittedPoint) {
        computed_s: f64 = point.parts.total().get(),
        measured_s: f64 = point.measured().get(),
        after_s: f64 = point.after.get(),
    }
}

fields! {
    /// Factors of the full correction, even if only half of it is applied.
    FactorFields(correction: &Correction) {
        fixed: f64 = correction.fixed,
        variable: f64 = correction.variable,
        prefill: f64 = correction.prefill,
    }
}

/// Returns the correction fitted to the measurements that apply to the permalink's scenario; `None` if there is no
/// such measurement. Adds notes on the measurements.
pub(super) fn fields(
    link: &Link,
    scenario: &Scenario,
    notes: &mut Vec<String>,
) -> Option<AnchoredFields> {
    let inputs = &link.current;
    let own = !inputs.measured.is_empty();
    let source = match (own, inputs.anchored(), &link.pinned) {
        (true, ..) => inputs,
        (false, Some(_), Some(pinned)) => pinned,
        (false, None, Some(pinned)) => {
            notes.extend(not_carried(inputs, pinned));
            return None;
        }
        (false, _, None) => return None,
    };
    let found = fit(source);
    if let Some(fit) = &found {
        let first = link
            .unread
            .iter()
            .map(|part| part.text.clone())
            .filter(|_| own);
        let refused = fit.dropped.iter().map(|one| write_point(&one.point));
        let dropped = first.chain(refused).collect();
        let half = inputs
            .anchored()
            .is_some_and(|anchored| anchored.strength() == Strength::Half);
        notes.extend(notes_on(source, fit));
        let before = before(scenario);
        return Some(AnchoredFields::of(fit, dropped, half, before));
    }
    None
}

/// Returns the time per output token computed without the correction factors.
fn before(scenario: &Scenario) -> Option<Seconds> {
    let plain = Scenario {
        correction: scenario.correction.without_factors(),
        ..scenario.uncorrected()
    };
    evaluate(&plain).ok().map(|found| found.tpot)
}

/// Returns a note with the reason if the pinned scenario's measurements do not apply to the current scenario.
fn not_carried(inputs: &Inputs, pinned: &Inputs) -> Option<String> {
    let asked = pinned.anchored().is_some() && inputs.anchor == Anchoring::On;
    match carry(pinned, inputs) {
        Carry::None(why) if asked => Some(format!("a.measured: {why}")),
        _ => None,
    }
}

fn notes_on(source: &Inputs, fit: &Fit) -> Vec<String> {
    let mut notes = Vec::new();
    for refused in &fit.dropped {
        let point = write_point(&refused.point);
        let reasons: Vec<String> = refused.reasons.iter().map(ToString::to_string).collect();
        notes.push(format!(
            "measured point {}, “{point}”, is ignored: {}",
            refused.number,
            reasons.join("; ")
        ));
    }
    for one in fit.points.iter().filter(|one| !one.fits) {
        let point = write_point(&one.point);
        notes.push(format!(
            "measured point “{point}” does not fit in memory: requests queue, so measure with fewer sequences"
        ));
    }
    if source.measured.ttft.is_some() && fit.ttft.is_none() {
        notes.push("measured_ttft is ignored: prefill requires pp = kvp = 1".to_owned());
    }
    if source.anchor == Anchoring::Off {
        return notes;
    }
    for (name, factor) in fit.unusual() {
        notes.push(format!(
            "measurements imply {name} × {factor:.2}; check plan, draft tokens, and whether requests queue"
        ));
    }
    if fit.disagrees() {
        notes.push(
            "measured points differ by more than a single deployment can explain: check that they have the same \
                plan, lengths and draft tokens"
                .to_owned(),
        );
    }
    notes.push("levers and searched plans use half of the correction from measurements".to_owned());
    notes
}
