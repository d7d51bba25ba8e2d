//! Answers for links, each state and each number of GPUs.

use super::*;
use model_core::permalink::{View, read};
use model_core::preset::{PRESETS, Preset};
use model_core::service::levers::ServiceLevers;
use worker::service::ServiceLeversAnswer;

fn said(link: &str) -> String {
    let inputs = read(link).current;
    let said = Found::default().answer(&inputs, None).headline.plain_text();
    let words = said.split_whitespace().count();
    assert!(words <= 18, "{words} words: {said}");
    said
}

#[test]
fn every_state_has_a_sentence() {
    for (link, begins) in [
        ("v=2&gpu=h200&rate=50&pools=aggregated", ""),
        ("v=2&gpu=h200&rate=50&pools=disaggregated", ""),
        ("v=2&gpu=h200", ""),
        ("v=2&gpu=h200&rate=50&ttft=0.001", "First token missed: "),
        ("v=2&gpu=h200&rate=50&slo=100000", "Too slow: "),
        (
            "v=2&gpu=l40s&model=deepseek-r1&prompt=16M&precision=bf16",
            "Nothing fits: ",
        ),
        ("v=2&gpu=h200&gpus=72&dp=7&rate=5", "Impossible: "),
    ] {
        let said = said(link);
        println!("{said}");
        assert!(said.starts_with(begins), "{link}: {said}");
    }
}

#[test]
fn every_preset_is_answered() {
    let of_view = |preset: &&Preset| preset.view() == View::Service;
    let presets = PRESETS.iter().filter(of_view);
    for preset in presets.clone() {
        let link = preset.opened();
        assert!(link.notes.is_empty(), "{:?}", link.notes);
        let said = said(preset.link);
        println!("{said}");
        assert!(said.contains(" serve "), "{}: {said}", preset.id);
    }
    assert_eq!(presets.count(), 4);
}

#[test]
fn a_drag_of_the_rate_searches_nothing_anew_and_answers_the_same() {
    let mut kept = Found::default();
    for rate in [1, 5, 50, 500] {
        let inputs = read(&format!("v=2&gpu=h200&rate={rate}&ttft=2&slo=25")).current;
        let fresh = Found::default().answer(&inputs, None);
        assert_eq!(kept.answer(&inputs, None), fresh, "{rate}");
        assert!(fresh.shown.is_some());
    }
}

#[test]
fn numbers_that_move_are_answered_at_once_by_the_replicas_found_last() {
    let mut kept = Found::default();
    let link = |prompt| format!("v=2&gpu=h200&rate=50&ttft=2&slo=25&prompt={prompt}");
    let inputs = |prompt| read(&link(prompt)).current;
    assert_eq!(kept.at_once(&inputs(4000), None), None);
    let first = kept.answer(&inputs(4000), None);
    assert_eq!(kept.at_once(&inputs(4000), None), None);
    for prompt in [4001, 4100, 6000] {
        let quick = kept.at_once(&inputs(prompt), None).expect("an answer");
        let exact = Found::default().answer(&inputs(prompt), None);
        println!(
            "{}\n{}",
            quick.headline.plain_text(),
            exact.headline.plain_text()
        );
        // A token more needs the same replicas.
        if prompt == 4001 {
            assert_eq!(quick.headline, exact.headline);
        }
        assert!(quick.shown.is_some());
    }
    // Nothing is kept of what was passed over.
    assert_eq!(kept.answer(&inputs(4000), None), first);
    let other = read("v=2&gpu=h100&rate=50&ttft=2&slo=25&prompt=4000").current;
    assert_eq!(kept.at_once(&other, None), None);
}

#[test]
fn levers_are_named_and_lead_to_services() {
    for preset in PRESETS
        .iter()
        .filter(|preset| preset.view() == View::Service)
    {
        let inputs = preset.opened().current.normalized();
        let strip = lever_strip(
            &ServiceLeversAnswer::of(&ServiceLevers::of(&inputs)),
            &inputs,
        );
        println!("{}", strip.basis);
        for row in &strip.first {
            println!("  {} {} – {}", row.name, row.gives, row.help);
            assert!(
                !row.name.is_empty() && row.name.chars().count() <= 40,
                "{}",
                row.name
            );
            let answer = Found::default().answer(&row.inputs, None);
            assert!(answer.shown.is_some(), "{}: {}", preset.id, row.name);
        }
        assert!(!strip.first.is_empty(), "{}", preset.id);
    }
}
