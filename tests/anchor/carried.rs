//! Tests which corrections by measurements carry over to other deployments, and that lists compare plans under equal
//! corrections.

use model_core::anchor::{Carry, NotCarried, anchored_pair, carry};
use model_core::correction::Correction;
use model_core::evaluate::{evaluate, first_token};
use model_core::inputs::{Inputs, Mode, Number};
use model_core::levers::{Change, LeverGroup, Levers, colocated};
use model_core::permalink::{self, read};
use model_core::report::{Reporter, report};
use model_core::search::{Candidates, Search};
use model_core::service::service;
use serde_json::Value;

const LINK: &str = "v=3&model=deepseek-v3&gpu=h200&gpus=16&dp=16&tp=1&ep=16&ffn_tp=1&batch=512&context=4096\
    &overlap=none&measured=40ms@512,25ms@64";

fn inputs(link: &str) -> Inputs {
    read(link).current
}

fn correction(inputs: &Inputs) -> Correction {
    inputs.scenario().expect("valid").correction
}

fn other(keys: &str) -> Inputs {
    inputs(&format!(
        "{}&{keys}",
        LINK.split("&measured").next().unwrap_or(LINK)
    ))
}

#[test]
fn the_rule() {
    let from = inputs(LINK);
    for (keys, expected) in [
        ("", Carry::Whole),
        (
            "batch=64&context=9000&price=9&slo=5&beta=1&redundant=16",
            Carry::Whole,
        ),
        (
            "serving=aggregated&prompt=4000&output=500&hit=0.5",
            Carry::Whole,
        ),
        ("overlap=two-batch", Carry::Half),
        ("ep=8&ffn_tp=2", Carry::Half),
        ("gpus=32&dp=32&ep=32", Carry::Half),
        ("mtp=1", Carry::Half),
        ("precision=bf16", Carry::Half),
        ("model=kimi-k2", Carry::None(NotCarried::Model("Kimi K2"))),
        ("gpu=h100", Carry::None(NotCarried::Accelerator("H100"))),
        ("hbm_x=2", Carry::None(NotCarried::Accelerator("H200"))),
        ("calibration=ideal", Carry::None(NotCarried::Calibration)),
        ("mode=ratio", Carry::None(NotCarried::Mode)),
        ("dp=3", Carry::None(NotCarried::Refused)),
    ] {
        let found = carry(&from, &other(keys));
        match (found, expected) {
            (Carry::None(one), Carry::None(wanted)) => assert_eq!(
                std::mem::discriminant(&one),
                std::mem::discriminant(&wanted),
                "{keys}: {one}"
            ),
            _ => assert_eq!(found, expected, "{keys}"),
        }
    }
}

#[test]
fn a_pinned_scenario_takes_the_measurements_of_the_other() {
    let whole = correction(&inputs(LINK));
    assert!(!whole.is_none());
    let pinned = |keys: &str| {
        let own = LINK.split("&measured").next().unwrap_or(LINK);
        let keys = format!("{own}&{keys}")
            .replace('&', "&a.")
            .replacen("v=", "a.v=", 1);
        correction(&read(&format!("{LINK}&{keys}")).pinned.expect("pinned"))
    };
    assert_eq!(pinned("batch=64"), whole);
    assert_eq!(pinned("overlap=two-batch"), whole.halved());
    assert_eq!(pinned("gpu=h100"), Correction::NONE);
    assert_eq!(pinned("anchor=off"), Correction::NONE);
    assert_ne!(pinned("measured=90ms"), whole);
    // Measurements of the pinned scenario correct the current one.
    let text = LINK.replace('&', "&a.").replacen("v=", "v=3&a.v=", 1);
    let own = LINK.split("&measured").next().unwrap_or(LINK);
    let link = format!("{text}&{}", own.replacen("v=3&", "", 1));
    assert_eq!(correction(&read(&link).current), whole);
    let half = format!("{link}&ep=8&ffn_tp=2");
    let told = serde_json::to_value(report(&half)).expect("JSON");
    assert_eq!(told["anchored"]["half"], Value::Bool(true));
    assert_eq!(told["anchored"]["points"].as_array().map(Vec::len), Some(2));
    let elsewhere = serde_json::to_value(report(&format!("{link}&gpu=h100"))).expect("JSON");
    assert!(elsewhere.get("anchored").is_none());
    let notes = elsewhere["notes"].to_string();
    assert!(notes.contains("a.measured: not carried to"), "{notes}");
}

/// Checks lists of alternatives to a measured scenario: every entry has half of the measured correction, including the
/// entry for the current scenario. A plan search over several accelerators applies no correction.
#[test]
fn lists_compare_like_with_like() {
    let now = inputs(LINK);
    let half = correction(&now).halved();
    assert_eq!(correction(&colocated(&now)), half);
    let levers = Levers::of(&now);
    assert!(levers.all.len() > 4);
    for lever in &levers.all {
        assert_eq!(correction(&lever.inputs), half, "{:?}", lever.change);
    }
    let base = evaluate(&now.like_others().scenario().expect("valid")).expect("finite");
    assert_eq!(levers.base.tokens_per_gpu, Some(base.tokens_per_gpu));
    let settings = levers.all.iter().filter(|lever| {
        lever.change.group() == LeverGroup::Settings && lever.change != Change::Replicas
    });
    for lever in settings {
        let factor = lever.factor.expect("the base is feasible");
        let again = evaluate(&lever.inputs.scenario().expect("valid")).expect("finite");
        assert!((factor - again.tokens_per_gpu / base.tokens_per_gpu).abs() < 1e-12);
    }
    // A search over one accelerator applies half of the correction; over several, none.
    let own = Candidates::new(&now, &Search::default());
    assert!(own.bases().iter().all(|base| correction(base) == half));
    let gpus = ["h200", "b300"].map(|id| inputs(&format!("v=3&gpu={id}")).gpu);
    let several = Search {
        accelerators: gpus.to_vec(),
        ..Search::default()
    };
    let several = Candidates::new(&now, &several);
    assert!(
        several
            .bases()
            .iter()
            .all(|base| correction(base).is_none())
    );
    assert!(!permalink::write_inputs(&now.like_others()).contains("measured"));
}

#[test]
fn services_have_half_unless_everything_is_stated() {
    let now = inputs(&format!("{LINK}&rate=1&prompt=4000&output=500"));
    let whole = correction(&now);
    let stated = service(&now).expect("valid");
    let decode = stated.disaggregated.expect("feasible").decode;
    assert_eq!(correction(&decode.inputs), whole);
    let open = now.without(Number::Batch);
    let decode = service(&open)
        .expect("valid")
        .disaggregated
        .expect("feasible")
        .decode;
    assert_eq!(correction(&decode.inputs), whole.halved());
}

/// Checks that measurements of a colocated deployment do not correct AFD, Lamina or a separate prefill pool. With
/// aggregated serving, they do correct TTFT.
#[test]
fn other_engines_have_none() {
    let now = inputs(LINK);
    for mode in [Mode::Ratio, Mode::Simulate, Mode::Split] {
        assert!(correction(&now.in_mode(mode)).is_none());
    }
    let unmeasured = now.unmeasured();
    let ttft = |inputs: &Inputs| {
        let scenario = inputs.scenario().expect("valid");
        first_token(inputs, &scenario).expect("modeled").get()
    };
    let off = (ttft(&now) / ttft(&unmeasured) - 1.0).abs();
    assert!(off < 1e-12, "prefill is disaggregated: {off}");
    let engine = |link: &str| {
        let inputs = inputs(&format!("{link}&serving=aggregated&prompt=4000&output=500"));
        (ttft(&inputs), correction(&inputs).prefill)
    };
    let (corrected, factor) = engine(LINK);
    let (plain, _) = engine(LINK.split("&measured").next().unwrap_or(LINK));
    assert!((corrected / plain - factor).abs() < 1e-9 && (factor - 1.0).abs() > 0.01);
}

/// Checks that with `anchor=off` the result is compared with the measurements but not corrected by them.
#[test]
fn measurements_may_only_compare() {
    let off = serde_json::to_value(Reporter::default().report(&format!("{LINK}&anchor=off")));
    let off = off.expect("JSON");
    let none = LINK.split("&measured").next().unwrap_or(LINK);
    let none = serde_json::to_value(report(none)).expect("JSON");
    assert_eq!(off["tpot_s"], none["tpot_s"]);
    assert_eq!(off["error_band"], none["error_band"]);
    assert_eq!(off["anchored"]["factors"]["fixed"], Value::from(1.0));
    let point = &off["anchored"]["points"][0];
    assert_eq!(point["computed_s"], point["after_s"]);
    let (pair, _) = anchored_pair(&inputs(&format!("{LINK}&anchor=off")), None);
    assert!(pair.anchored().is_none());
}
