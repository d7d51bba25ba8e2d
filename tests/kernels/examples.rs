//! Compares step time, breakdown and TPOT of random scenarios, under each kernel calibration, with independently
//! computed values. Also tests aggregated prefill.

use std::collections::BTreeMap;

use model_core::plan::Overlap;
use serde::Deserialize;

use crate::curve::{agrees, whole};

#[derive(Deserialize)]
struct File {
    example: Vec<Example>,
}

#[derive(Deserialize)]
struct Example {
    kind: String,
    link: String,
    step_s: f64,
    tpot_s: f64,
    breakdown_s: BTreeMap<String, f64>,
    prompt: Option<u32>,
    output: Option<u32>,
    prefill_s: Option<f64>,
    tpot_ends_s: Option<[f64; 2]>,
    tpot_aggregated_s: Option<f64>,
}

fn examples() -> Vec<Example> {
    let file: File =
        toml::from_str(include_str!("../golden/kernels-2026/examples.toml")).expect("it is TOML");
    assert_eq!(file.example.len(), 20);
    file.example
}

fn by_operator() -> Vec<Example> {
    let text = include_str!("../golden/kernels-2026-11/examples.toml");
    let file: File = toml::from_str(text).expect("it is TOML");
    assert_eq!(file.example.len(), 13);
    file.example
}

fn with_an_engine() -> Vec<Example> {
    let text = include_str!("../golden/kernels-2026-12/examples.toml");
    let file: File = toml::from_str(text).expect("it is TOML");
    assert_eq!(file.example.len(), 55);
    file.example
}

#[test]
fn steps_and_their_parts_agree() {
    let by_operator = by_operator().into_iter().chain(with_an_engine());
    for example in examples().into_iter().chain(by_operator) {
        let name = format!("{}: {}", example.kind, example.link);
        let (scenario, found) = whole(&example.link);
        agrees(&name, "step", found.step.get(), example.step_s);
        agrees(&name, "tpot", found.tpot.get(), example.tpot_s);
        let parts = found.breakdown;
        // With HOP-B, earlier files contain only communication that the attention kernel does not overlap.
        let told = example
            .breakdown_s
            .get("hidden")
            .is_some_and(|hidden| *hidden > 0.0);
        let (messages, hidden) = if scenario.plan.spec().overlap == Overlap::HopB && !told {
            (parts.messages - parts.hidden, 0.0)
        } else {
            (parts.messages, parts.hidden.get())
        };
        let parts = [
            ("attention", parts.attention.get()),
            ("dense_ffn", parts.dense.get()),
            ("moe", parts.experts.get()),
            ("head", parts.head.get()),
            ("messages", messages.get()),
            ("overhead", parts.overhead.get()),
            ("hidden", hidden),
        ];
        assert_eq!(parts.len(), example.breakdown_s.len(), "{name}");
        for (part, found) in parts {
            let Some(expected) = example.breakdown_s.get(part) else {
                panic!("{name}: no {part}");
            };
            agrees(&name, part, found, *expected);
        }
    }
}

#[test]
fn prefills_in_the_same_engine_agree() {
    let mut found = 0;
    for example in examples() {
        let (Some(prompt), Some(output)) = (example.prompt, example.output) else {
            continue;
        };
        let (Some(prefill), Some(tpot)) = (example.prefill_s, example.tpot_aggregated_s) else {
            panic!("{}: no prefill", example.link);
        };
        let link = format!(
            "{}&prompt={prompt}&output={output}&serving=aggregated",
            example.link
        );
        let (_, evaluation) = whole(&link);
        let each = evaluation
            .prefills
            .map_or(0.0, |prefills| prefills.each.get());
        agrees(&link, "prefill", each, prefill);
        agrees(&link, "tpot", evaluation.tpot.get(), tpot);
        found += 1;
    }
    assert_eq!(found, 2);
}

/// Checks aggregated prefill under `kernels-2026-12`: the prefill time, and TPOT at both extremes (all ranks prefill
/// simultaneously, or each at a different time).
#[test]
fn prompts_and_their_ends_agree() {
    let mut found = 0;
    for example in with_an_engine() {
        let (Some(prefill), Some(ends)) = (example.prefill_s, example.tpot_ends_s) else {
            continue;
        };
        let (scenario, evaluation) = whole(&example.link);
        let prefills = evaluation.prefills.expect("prompts are read beside decode");
        agrees(&example.link, "prefill", prefills.each.get(), prefill);
        let found_ends = evaluation.prefill_ends(&scenario).expect("it has ends");
        for (end, expected) in found_ends.ranks.into_iter().zip(ends) {
            agrees(&example.link, "tpot end", end.get(), expected);
        }
        found += 1;
    }
    assert_eq!(found, 14);
}
