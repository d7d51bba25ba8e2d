//! The summary of a scenario's measurements: how they correct computed times, and how the correction changes TPOT.

use crate::around::Around;
use crate::around::measurements;
use crate::words::format;
use model_core::anchor::{Fit, anchored, fit};
use model_core::correction::Correction;
use model_core::evaluate::evaluate;
use model_core::inputs::{Anchoring, Inputs};

/// Summary of a scenario's measurements, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnchoredLine {
    /// First sentence, such as "Anchored to 2 of your measurements."
    pub lead: String,
    /// The correction and its effect, such as "Fixed times × 0.90, … Was 18.7 ms, now 28.0 ms (25.1 – 31.2)."
    pub change: Option<String>,
    /// Checks of the measurements, and the next measurement to take.
    pub advice: Vec<String>,
    /// True if the measurements are used to correct computed times.
    pub on: bool,
}

/// Returns the summary; `None` if the scenario has no measurements or none of them is used.
pub fn anchored_line(inputs: &Inputs) -> Option<AnchoredLine> {
    let found = fit(inputs)?;
    let on = inputs.anchor == Anchoring::On;
    let count = found.points.len() + usize::from(found.ttft.is_some());
    let measurements = measurements(count);
    let lead = match on {
        true => format!("Anchored to {measurements}."),
        false => format!("Compared with {measurements}; computed times are not corrected."),
    };
    Some(AnchoredLine {
        lead,
        change: on.then(|| change(inputs, &found)).flatten(),
        advice: advice(&found, on),
        on,
    })
}

fn change(inputs: &Inputs, fit: &Fit) -> Option<String> {
    let mut off = *inputs;
    off.anchor = Anchoring::Off;
    let before = evaluate(&anchored(&off).scenario().ok()?).ok()?;
    let with = anchored(inputs);
    let scenario = with.scenario().ok()?;
    let now = evaluate(&scenario).ok()?;
    let band = Around::of(&with, &scenario, &now).map_or_else(String::new, |band| {
        let range = band.time(now.tpot.as_millis(), format::figure);
        format!(" ({})", range.text)
    });
    Some(format!(
        "{}. Was {}, now {}{band}.",
        factors(&fit.correction),
        format::millis(before.tpot.get()),
        format::millis(now.tpot.get()),
    ))
}

fn factors(correction: &Correction) -> String {
    let of = |name: &str, factor: f64| format!("{name} × {}", format::sig3(factor));
    let mut parts = vec![
        of("Fixed times", correction.fixed),
        of("traffic and compute", correction.variable),
    ];
    if (correction.prefill - 1.0).abs() > 5e-4 {
        parts.push(of("prefill of other requests", correction.prefill));
    }
    if correction.prefill_added_s.abs() > 5e-7 {
        let sign = if correction.prefill_added_s < 0.0 {
            "−"
        } else {
            "+"
        };
        let added = format::millis(correction.prefill_added_s.abs());
        parts.push(format!("prefill {sign} {added}"));
    }
    parts.join(", ")
}

fn advice(fit: &Fit, on: bool) -> Vec<String> {
    let mut advice: Vec<String> = fit
        .dropped
        .iter()
        .map(|dropped| {
            let why = dropped.reasons.first();
            let why = why.map_or_else(String::new, |why| format!(": {why}"));
            format!("Measurement {} is not used{why}.", dropped.number)
        })
        .collect();
    for point in fit.points.iter().filter(|point| !point.fits) {
        advice.push(format!(
            "{} sequences do not fit in memory, so requests queue; measure with a smaller batch.",
            format::count(point.load.batch)
        ));
    }
    if !on {
        return advice;
    }
    if fit.points.len() == 1 {
        advice.push(
            "A second point at another batch reduces the error (from 12% to 8% in published series); best are your \
                smallest and largest batch."
                .to_owned(),
        );
    }
    if fit.disagrees() {
        advice.push(
            "Your measurements differ more than those of one deployment can: did all have the same lengths, drafts \
                and parallelism?"
                .to_owned(),
        );
    }
    advice.extend(fit.unusual().map(|(name, factor)| {
        format!(
            "{} are {} vs. computed: check parallelism, drafts, and whether requests queue.",
            format::capital(name),
            format::percent_change(factor, 1.0)
        )
    }));
    advice
}
