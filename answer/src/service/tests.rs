//! Tests of the Service view: its answers to permalinks, in each state of a service and for various GPU counts.

use super::*;
use model_core::permalink::{View, read, write_inputs};
use model_core::preset::{PRESETS, Preset};
use model_core::service::levers::ServiceLevers;
use model_core::service::limit::Crossover;
use model_core::units::Seconds;
use model_core::workload::Pools;
use worker::service::ServiceLeversAnswer;

fn said(link: &str) -> String {
    let said = serve(link).headline.plain_text();
    let words = said.split_whitespace().count();
    assert!(words <= 18, "{words} words: {said}");
    said
}

#[test]
fn every_state_has_a_sentence() {
    for (link, sentence) in [
        (
            "v=2&gpu=h200&rate=50&pools=aggregated",
            "48 H200 serve 50 req/s as 3 replicas.",
        ),
        (
            "v=2&gpu=h200&rate=50&pools=disaggregated",
            "64 H200 serve 50 req/s as 4P2D.",
        ),
        (
            "v=2&gpu=h200&model=qwen3-30b-a3b&rate=0.1&pools=aggregated",
            "1 H200 serves 0.1 req/s as 1 replica.",
        ),
        (
            "v=2&gpu=h20&prefill_gpu=h100&rate=1000",
            "528 H100 + 1,792 H20 serve 1,000 req/s, 55% fewer than aggregated.",
        ),
        (
            "v=2&gpu=h200&pools=disaggregated",
            "5P2D on H200 is balanced.",
        ),
        (
            "v=1&model=mixtral-8x22b&gpu=ascend-950pr&precision=fp4&fmt_attn=fp8&overlap=none&kernel=unfused&calibration=ideal&gpus=8&domain=5&scale_out=10000&batch=512&context=1&w_ffn=0.5625&kv=1&ep=2&host_us=6100&node_limit=1000&slo=20&hit=0",
            "Aggregated: 8 Ascend 950PR serve 16.3 req/s; disaggregated costs 1% more.",
        ),
        (
            "v=2&gpu=h200",
            "5P2D on H200 costs 2% less than aggregated.",
        ),
        (
            "v=2&gpu=h200&rate=50&ttft=0.001",
            "TTFT limit missed: 73.4 ms at best, limit 1.00 ms. More replicas do not help.",
        ),
        (
            "v=2&gpu=h200&rate=50&slo=100000",
            "Too slow: the fastest replica reaches 124 of 100,000 tok/s/user.",
        ),
        (
            "v=2&gpu=l40s&model=deepseek-r1&prompt=16M&precision=bf16",
            "Nothing fits: no replica has room for DeepSeek-R1 plus one request.",
        ),
        (
            "v=2&gpu=h200&gpus=72&dp=7&rate=5",
            "Invalid plan: dp × tp × kvp × pp must equal gpus.",
        ),
    ] {
        assert_eq!(said(link).replace('\u{a0}', " "), sentence, "{link}");
    }
}

/// Checks that the sentence names the replica set by the user if that replica fails, since a search might find one that
/// works.
#[test]
fn a_set_replica_is_named() {
    let plan =
        "v=3&model=qwen3-235b-a22b&gpu=h200&gpus=16&batch=1176&tp=4&slo=25&prompt=3000&output=800";
    for (link, sentence, set) in [
        (
            format!("{plan}&rate=50"),
            "56 H200 serve 50 req/s as 6P2D; aggregated on this plan is infeasible.",
            Some("Replica as set: 16 GPUs, DP 4 · TP 4 · EP 16, batch 1,176."),
        ),
        (
            format!("{plan}&rate=50&pools=aggregated"),
            "Too slow: the fastest replica on this plan reaches 10.5 of 25 tok/s/user.",
            Some("Replica as set: 16 GPUs, DP 4 · TP 4 · EP 16, batch 1,176."),
        ),
        (
            "v=3&gpu=h200&model=qwen3-235b-a22b&gpus=2&rate=50".to_owned(),
            "Nothing fits: no replica on 2 GPUs has room for Qwen3-235B-A22B plus one request.",
            Some("Replica as set: 2 GPUs."),
        ),
        (
            "v=3&gpu=h200&model=qwen3-235b-a22b&rate=0.1&pools=aggregated".to_owned(),
            "4 H200 serve 0.1 req/s as 1 replica.",
            None,
        ),
    ] {
        assert_eq!(said(&link).replace('\u{a0}', " "), sentence, "{link}");
        let words = replica_as_set(&read(&link).current);
        assert_eq!(
            words.map(|words| words.replace('\u{a0}', " ")).as_deref(),
            set,
            "{link}"
        );
        // A search of all replicas has no set replica to name.
        let all = model_core::service::levers::searched(&read(&link).current);
        assert_eq!(replica_as_set(&all), None);
    }
}

#[test]
fn limit_of_the_first_token_is_rounded_up() {
    let said = limit(&Crossover {
        lenient: Pools::Aggregated,
        soonest: Seconds::new(0.0734),
        down_to: Some(Seconds::new(0.3231)),
    });
    assert_eq!(
        said.plain_text().replace('\u{a0}', " "),
        "At a TTFT limit of 324 ms or more, aggregated costs no more; below that, down to 73.4 ms, disaggregated is cheaper."
    );
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
    assert_eq!(presets.count(), 3);
}

#[test]
fn moved_numbers_are_answered_by_the_replicas_found_last() {
    let link = |rest: &str| format!("v=2&gpu=h200&rate=50&ttft=2&slo=25{rest}");
    let inputs = |rest: &str| read(&link(rest)).current;
    let mut kept = FoundReplicas::default();
    let mut quick = |rest: &str| kept.answer(&inputs(rest), None, true).expect("an answer");
    let first = quick("");
    for near in [
        "&prompt=4001",
        "&prompt=4100",
        "&prompt=6000",
        "&rate=5",
        "&rate=500",
    ] {
        let (quick, exact) = (quick(near), serve(&link(near)));
        let [said, own] = [&quick, &exact].map(|answer| answer.headline.plain_text());
        println!("{said}\n{own}");
        // One more token needs the same replicas.
        assert!(near != "&prompt=4001" || said == own);
        assert!(quick.shown.is_some());
    }
    // The answers in between have no effect: the first answer comes back.
    assert_eq!(quick(""), first);
    // Another accelerator starts a new search.
    let other = serve(&link("&gpu=h100"));
    assert_eq!(quick("&gpu=h100").headline, other.headline);
    for (rest, moving) in [("&gpu=h100&ttft=0.001", true), ("&gpu=h100&rate=60", false)] {
        assert_eq!(kept.answer(&inputs(rest), None, moving), None);
    }
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
            let answer = serve(&write_inputs(&row.inputs));
            assert!(answer.shown.is_some(), "{}: {}", preset.id, row.name);
        }
        assert!(!strip.first.is_empty(), "{}", preset.id);
    }
}

/// Returns the answer for a permalink; all replicas are found by the worker.
fn serve(link: &str) -> ServiceAnswer {
    let read = read(link);
    crate::render::figures::serve(&read).expect("served by its own replicas")
}
