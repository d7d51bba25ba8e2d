//! Tests twenty-one permalinks whose corrected results were computed independently of this code.

use model_core::anchor::{self, Carry, Parts};
use model_core::evaluate::evaluate;
use model_core::inputs::{Inputs, Strength};
use model_core::math;
use model_core::measured::{Residuals, Runs};
use model_core::permalink;
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    calibration: String,
    examples: Vec<Example>,
}

#[derive(Deserialize)]
struct Example {
    kind: String,
    link: String,
    points: Vec<Point>,
    dropped: Vec<String>,
    factors: Factors,
    measured_ttft: Option<Ttft>,
    asked: Asked,
}

#[derive(Deserialize)]
struct Point {
    link: String,
    fixed_s: f64,
    variable_s: f64,
    prefill_s: f64,
    computed_s: f64,
    measured_s: f64,
    after_s: f64,
}

#[derive(Deserialize)]
struct Factors {
    fixed: f64,
    variable: f64,
    prefill: f64,
}

#[derive(Deserialize)]
struct Ttft {
    prompt: f64,
    prefill_s: f64,
    ttft_s: f64,
    added_s: f64,
}

#[derive(Deserialize)]
struct Asked {
    link: Option<String>,
    #[serde(default)]
    half: bool,
    fixed_s: f64,
    variable_s: f64,
    prefill_s: f64,
    tpot_before_s: f64,
    tpot_s: f64,
    band: Option<Ends>,
}

#[derive(Deserialize)]
struct Ends {
    low_s: f64,
    high_s: f64,
    width: f64,
}

fn agrees(what: &str, found: f64, expected: f64) {
    let off = (found - expected).abs();
    assert!(
        off <= 1e-9 * expected.abs(),
        "{what}: {found}, not {expected}"
    );
}

fn parts_agree(name: &str, parts: &Parts, expected: [f64; 3]) {
    let total = parts.total().get();
    for (part, (found, expected)) in parts.as_array().into_iter().zip(expected).enumerate() {
        let off = (found - expected).abs();
        assert!(
            off <= 1e-9 * total,
            "{name}, part {part}: {found}, not {expected}"
        );
    }
}

#[test]
fn examples_agree() {
    let text = include_str!("../golden/anchor/examples.json");
    let file: File = serde_json::from_str(text).expect("it is JSON");
    assert_eq!(
        (file.calibration.as_str(), file.examples.len()),
        ("kernels-2026-11", 21)
    );
    let runs = Runs::built_in();
    for example in &file.examples {
        agrees_with(example, &runs);
    }
}

fn agrees_with(example: &Example, runs: &Runs) {
    let name = &example.kind;
    let link = permalink::read(&example.link);
    let inputs = link.current;
    let unread: Vec<&str> = link.unread.iter().map(|part| part.text.as_str()).collect();
    assert_eq!(unread, example.dropped, "{name}");
    let fit = anchor::fit(&inputs).expect("it has measurements");
    assert_eq!(fit.points.len(), example.points.len(), "{name}");
    for (found, expected) in fit.points.iter().zip(&example.points) {
        let Point {
            fixed_s,
            variable_s,
            prefill_s,
            ..
        } = *expected;
        parts_agree(name, &found.parts, [fixed_s, variable_s, prefill_s]);
        agrees(name, found.parts.total().get(), expected.computed_s);
        agrees(name, found.measured().get(), expected.measured_s);
        agrees(name, found.after.get(), expected.after_s);
        let alone = permalink::read(&expected.link).current.scenario();
        let alone = alone.expect("a valid point");
        agrees(name, found.load.batch, alone.workload.batch);
        agrees(name, found.load.context, alone.workload.context);
    }
    agrees(name, fit.correction.fixed, example.factors.fixed);
    agrees(name, fit.correction.variable, example.factors.variable);
    agrees(name, fit.correction.prefill, example.factors.prefill);
    assert_eq!(fit.ttft.is_some(), example.measured_ttft.is_some());
    if let (Some(found), Some(expected)) = (fit.ttft, &example.measured_ttft) {
        agrees(name, found.prompt, expected.prompt);
        agrees(name, found.computed.get(), expected.prefill_s);
        agrees(name, found.measured.get(), expected.ttft_s);
        agrees(name, found.added_s, expected.added_s);
    }
    asked_agrees(name, &inputs, &example.asked, runs);
}

fn asked_agrees(name: &str, inputs: &Inputs, asked: &Asked, runs: &Runs) {
    let inputs = match &asked.link {
        None => *inputs,
        Some(link) => {
            let other = permalink::read(link).current;
            assert_eq!(anchor::carry(inputs, &other), Carry::Half, "{name}");
            let (_, other) = anchor::anchored_pair(inputs, Some(&other));
            other.expect("a second scenario")
        }
    };
    let strength = inputs.anchored().expect("it is corrected").strength();
    assert_eq!(strength == Strength::Half, asked.half, "{name}");
    let scenario = inputs.scenario().expect("a valid scenario");
    let mut before = scenario.uncorrected();
    before.correction = scenario.correction.without_factors();
    let parts = Parts::of(&before).expect("a valid scenario");
    let expected = [asked.fixed_s, asked.variable_s, asked.prefill_s];
    parts_agree(name, &parts, expected);
    agrees(name, parts.total().get(), asked.tpot_before_s);
    let found = evaluate(&scenario).expect("a valid scenario");
    agrees(name, found.tpot.get(), asked.tpot_s);
    let residuals = Residuals::of(inputs.calibration, runs);
    let band = residuals.band(&inputs, &scenario, &found);
    match &asked.band {
        Some(ends) => {
            let band = band.expect("a band");
            assert_eq!(band.region, None);
            agrees(name, band.low * found.tpot.get(), ends.low_s);
            agrees(name, band.high * found.tpot.get(), ends.high_s);
            agrees(name, math::ln(band.high), ends.width);
        }
        None => assert!(band.is_none_or(|band| band.region.is_some())),
    }
}
