//! Alternatives to scenarios whose alternatives are known.

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::*;
use crate::limits::{Stop, best_batch};
use crate::permalink::{read, write_inputs};
use crate::plan::Overlap;
use crate::precision::NamedPrecision;

fn free(link: &str) -> Option<Free> {
    worth_naming(&read(link).current)
}

fn link_of(link: &str) -> String {
    free(link).map_or_else(String::new, |free| write_inputs(&free.inputs))
}

const ENGINEER: &str =
    "v=1&calibration=aleph-alpha-2025&model=deepseek-r1&gpu=h200&gpus=32&context=6000&slo=30";

/// Two half batches read every weight twice: under this SLO that costs nine tenths of the throughput.
#[test]
fn the_schedule_is_a_lever_and_the_batch_goes_with_it() {
    let found = free(&format!("{ENGINEER}&batch=96")).unwrap();
    assert!(found.gain.unwrap() > 12.0, "{:?}", found.gain);
    assert!(found.changed.schedule && found.changed.batch && !found.changed.sharding);
    assert_eq!(found.inputs.overlap, Overlap::Sequential);
    assert!((found.scenario.workload.batch - 1223.0).abs() < 1e-9);
    let again = found.inputs.scenario().unwrap();
    assert_eq!(again, found.scenario);
    assert_eq!(best_batch(&again).to_bits(), 1223_f64.to_bits());
    assert_eq!(largest(&again).map(|largest| largest.stop), Ok(Stop::Slo));
    assert!(
        worth_naming(&found.inputs).is_none(),
        "and then there is nothing left"
    );
}

/// Drafting rests on an acceptance: it is a lever of its own, offered where the model comes with a head for it.
#[test]
fn one_drafted_token_is_a_lever_of_models_that_come_with_a_head() {
    let link = "v=1&gpu=h200&overlap=none&gpus=32&batch=1136&context=6000&slo=30&model=";
    let of = |model: &str| {
        let levers = Levers::of(&read(&format!("{link}{model}")).current);
        levers.rest.filter(|free| free.changed.draft)
    };
    let found = of("deepseek-r1").unwrap();
    assert!(found.changed.draft && found.changed.schedule && found.changed.batch);
    assert_eq!(found.scenario.workload.speculation.depth, 1);
    let now = evaluate(
        &read(&format!("{link}deepseek-r1"))
            .current
            .scenario()
            .unwrap(),
    )
    .unwrap();
    let gain = found.gain.unwrap();
    assert!((found.evaluation.tokens / now.tokens / gain - 1.0).abs() < 1e-12);
    assert!((2.0..2.02).contains(&gain), "{gain}");
    // Whoever drafts already has it, and a model without a head cannot.
    assert!(of("deepseek-r1&mtp=1").is_none());
    assert!(!drafts(&read("v=1&model=kimi-k2").current.model));
    assert!(of("kimi-k2").is_none() && of("llama-3.1-405b&ep=1").is_none());
}

/// Without an SLO users stay as fast as they are: of the better schedule as many sequences as that allows, and no more.
#[test]
fn without_an_slo_users_stay_as_fast() {
    let inputs = read("v=1&gpu=gb200&gpus=48&batch=36864&overlap=none").current;
    let found = worth_naming(&inputs).unwrap();
    assert_eq!(
        write_inputs(&found.inputs),
        "v=1&gpu=gb200&gpus=48&batch=44394"
    );
    let now = evaluate(&inputs.scenario().unwrap()).unwrap();
    let speed = |batch: f64| with_batch(&found.scenario, batch).unwrap().tokens_per_user;
    assert!(speed(44_394.0) >= now.tokens_per_user && speed(44_395.0) < now.tokens_per_user);
    let gain = found.gain.unwrap();
    assert!((gain * now.tokens / found.evaluation.tokens - 1.0).abs() < 1e-12);
    // As if that speed were asked for.
    let mut asked = inputs;
    assert!(asked.state(Number::Slo, Some(now.tokens_per_user)));
    assert_eq!(worth_naming(&asked).unwrap().evaluation, found.evaluation);
    assert_eq!(link_of("v=1"), "");
}

#[test]
fn what_does_not_fit_or_cannot_be_sharded_is_given_a_plan() {
    let dense = free("v=1&model=llama-3-70b&gpu=l40s&gpus=64&precision=bf16&batch=512").unwrap();
    assert_eq!(dense.gain, None);
    let spec = *dense.scenario.plan.spec();
    assert!(spec.tp * spec.pp > 1, "{spec:?}");
    assert!(evaluate(&dense.scenario).unwrap().memory.fits());
    assert_eq!(link_of("v=1&ep=64"), "v=1");
    // One GPU holds no plan of it, but there is a number that does.
    assert_eq!(free("v=1&gpus=1"), None);
    let enough = fewest_gpus(&read("v=1&gpus=1").current).unwrap();
    assert_eq!(enough.get(Number::Gpus), Some(49.0));
}

#[test]
fn the_released_format_is_a_lever_for_those_who_widened_it() {
    let wide = free("v=1&precision=bf16&gpus=72&batch=9216").unwrap();
    assert!(wide.changed.precision, "{}", write_inputs(&wide.inputs));
    assert_eq!(wide.inputs.precision, NamedPrecision::DeepseekFp8);
    let narrowed = |link: &str| read(link).current.narrowed();
    assert!(narrowed("v=1&model=llama-3-70b&precision=bf16").is_none());
    assert!(narrowed("v=1").is_none(), "eight bits are what it has");
}
