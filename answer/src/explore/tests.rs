//! Tests of the Explore view on scenarios given as permalinks.

use super::*;
use crate::picture::table::Cell;
use crate::words::headline::{Limit, Remedy};
use model_core::bottleneck::Resource;
use model_core::levers::{Effect, Levers};
use model_core::permalink;
use model_core::plan::Overlap;

/// Permalink of the default deployment with the efficiency factors of paper [A].
const PAPER: &str = "v=1&calibration=aleph-alpha-2025";

fn say(link: &str) -> FirstScreen {
    let link = permalink::read(link);
    match answer(&link.current, link.pinned.as_ref()) {
        Outcome::Possible(answer) => *answer,
        Outcome::Impossible(problems) => panic!("{problems:?}"),
    }
}

fn timelines(link: &str) -> Timelines {
    let link = permalink::read(link);
    below(&link.current, link.pinned.as_ref())
        .unwrap()
        .timelines
}

#[test]
fn default_figures() {
    let values = say("v=1").figures.map(|cell| cell.value);
    assert_eq!(values, ["118", "2.18k", "$0.255", "59.0"]);
    // With [A]'s factors, kernel launches and overlap cost nothing.
    let paper = say(PAPER).figures.map(|cell| cell.value);
    assert_eq!(paper[..2], ["79.8", "3.21k"]);
}

#[test]
fn headline_states() {
    let state = |link: &str| say(link).headline;
    let Headline::Limited {
        limit,
        span_s,
        idle_s,
        ..
    } = state("v=1")
    else {
        panic!("communication fills the step");
    };
    assert_eq!(limit.resource, Resource::ScaleOut);
    assert!(limit.share > 0.7 && (span_s - 0.1176).abs() < 1e-3);
    assert!(idle_s.is_some_and(|idle| (idle - 0.0651).abs() < 1e-3));
    let Headline::DoesNotFit { batch, fits, .. } = state("v=1&batch=60000&context=64k") else {
        panic!("60,000 do not fit");
    };
    assert_eq!((batch, fits), (60_000.0, Some(864.0)));
    let Headline::MissesSlo { rate, remedy, .. } = state("v=1&slo=20") else {
        panic!("8.5 of 20");
    };
    let meets = |remedy| matches!(remedy, Some(Remedy::Batch(batch)) if batch > 1000.0);
    assert!((rate[0] - 8.507).abs() < 1e-3 && meets(remedy));
    assert!(matches!(
        state("v=1&slo=1000"),
        Headline::MissesSlo { remedy: None, .. }
    ));
    let compared = state("v=1&scale_out=100&a.v=1");
    assert!(matches!(compared, Headline::Compared { throughput, .. } if throughput > 1.8));
    let Headline::Limited { limit, most_in, .. } =
        state("v=1&batch=512&context=128k&overlap=none&gpu=h200")
    else {
        panic!("attention takes most");
    };
    assert_eq!(
        (limit.resource, most_in),
        (Resource::Compute, Some("attention"))
    );
}

/// Checks that the shares in the headline refer to the whole time from one step to the next, including prefill of
/// other requests.
#[test]
fn headline_shares_are_of_the_whole() {
    for link in [
        "v=1&overlap=none",
        "v=1&overlap=none&batch=512&serving=aggregated&prompt=2000&output=500&mtp=1",
        "v=1&gpu=gb200&gpus=48&batch=4800",
    ] {
        let answer = say(link);
        let (span, all) = match answer.headline {
            Headline::NoBottleneck { span_s, limits } => (span_s, limits),
            Headline::Limited { span_s, limit, .. } => (span_s, vec![limit]),
            other => panic!("{other:?}"),
        };
        assert!(
            all.iter().map(|limit| limit.share).sum::<f64>() <= 1.0 + 1e-9,
            "{link}"
        );
        let case = Evaluated::new(&permalink::read(link).current).unwrap();
        let yielded = case.scenario.workload.speculation.yielded();
        let tpot = case.evaluation.tpot.get();
        assert!((span / (tpot * yielded) - 1.0).abs() < 1e-12, "{link}");
    }
}

#[test]
fn headline_templates() {
    use crate::theme::Role;
    let limit = |resource, share| Limit {
        resource,
        role: Role::Attention,
        share,
    };
    for (headline, said) in [
        (
            Headline::DoesNotFit {
                batch: 60_000.0,
                gib: [3600.0, 80.0],
                fits: Some(864.0),
                slo: None,
            },
            "Out of memory: 60,000 sequences need 3,600 of 80 GiB; at most 864 fit.",
        ),
        (
            Headline::DoesNotFit {
                batch: 60_000.0,
                gib: [3600.0, 80.0],
                fits: None,
                slo: Some(25.0),
            },
            "Out of memory: batch 60,000 needs 3,600 of 80 GiB; no batch meets the SLO.",
        ),
        (
            Headline::MissesSlo {
                rate: [8.507, 40.0],
                limit: limit(Resource::ScaleOut, 0.61),
                remedy: Some(Remedy::Batch(3024.0)),
            },
            "Misses the SLO: 8.51 of 40 tok/s/user; scale-out links limit 61%. Batch ≤ 3,024 meets it.",
        ),
        (
            Headline::MissesSlo {
                rate: [8.507, 40.0],
                limit: limit(Resource::Prefill, 0.61),
                remedy: Some(Remedy::Overlap(Overlap::Sequential)),
            },
            "Misses the SLO: 8.51 of 40 tok/s/user; prefill of other requests limits 61%. Overlap off meets it.",
        ),
        (
            Headline::Limited {
                limit: limit(Resource::Hbm, 0.61),
                next: None,
                most_in: Some("the experts"),
                span_s: 0.04,
                idle_s: None,
            },
            "HBM bandwidth limits 61% of the 40.0 ms step, most in the experts.",
        ),
        (
            Headline::Limited {
                limit: limit(Resource::ScaleOut, 0.52),
                next: Some(limit(Resource::Balance, 0.45)),
                most_in: None,
                span_s: 0.168,
                idle_s: Some(0.1),
            },
            "Scale-out links limit 52% and expert imbalance 45% of 168 ms.",
        ),
        (
            Headline::NoBottleneck {
                span_s: 0.04,
                limits: vec![limit(Resource::Hbm, 0.34), limit(Resource::Latency, 0.28)],
            },
            "No single bottleneck in 40.0 ms: HBM bandwidth 34%, collective latency 28%.",
        ),
        (
            Headline::Compared {
                pinned: Some("Kimi K2".to_owned()),
                throughput: 1.36,
                users: 0.9,
                fits: true,
            },
            "1.36× tok/s/GPU at 10% less interactivity vs. A (Kimi K2).",
        ),
    ] {
        assert_eq!(headline.sentence().plain_text(), said);
    }
}

#[test]
fn pinned_figures_name_the_direction() {
    let answer = say("v=1&a.scale_out=100");
    let changes = answer
        .figures
        .map(|cell| cell.versus.map(|versus| versus.change));
    let [time, gpus, ..] = changes;
    assert_eq!(time.as_deref(), Some("86% more"));
    assert_eq!(gpus.as_deref(), Some("46% less"));
    let link = permalink::read("v=1&a.scale_out=100");
    let sizing = sizing(&link.current, link.pinned.as_ref(), &[]).unwrap();
    let plots = format!("{:?}", sizing.pareto.plots);
    assert!(plots.contains("100 GB/s scale-out"), "{plots}");
}

#[test]
fn refusals_name_their_control() {
    let link = permalink::read("v=1&ep=64");
    let Outcome::Impossible(problems) = answer(&link.current, None) else {
        panic!("64 expert groups cannot fill 72 GPUs");
    };
    assert_eq!(problems[0].key, "ep");
    assert_eq!(problems[0].facts, "64 × 1 × 1 = 64, not 72");
    assert!(
        problems[0]
            .remedies
            .iter()
            .any(|(number, repaired)| repaired.get(*number) == Some(72.0))
    );
}

#[test]
fn timeline_names_operators() {
    let timelines = timelines("v=1");
    assert_eq!(timelines.choices().len(), 2);
    let of = |layer| Arc::clone(&timelines.pick(layer).unwrap().chart);
    let moe = of(None);
    assert_eq!(moe.finding, "An MoE layer takes 2.03 ms, compute idle 58%");
    let table = moe.rows.table();
    let text = |row: &[Cell], column: usize| row[column].shown();
    let lane = |name: &'static str| table.rows.iter().filter(move |row| text(row, 0) == name);
    assert_eq!(text(lane("compute").next().unwrap(), 1), "q_down");
    let busy = lane("compute").filter(|row| text(row, 1) != "idle");
    assert!(busy.clone().any(|row| text(row, 1) == "overhead"));
    let mut operators = busy.filter(|row| text(row, 1) != "overhead");
    assert!(operators.all(|row| text(row, 7).ends_with("-bound")));
    assert!(lane("comm.").all(|row| text(row, 7) == "over scale-out"));
    let dense = of(Some(permalink::TimelineLayer::Dense));
    assert!(
        dense.finding.ends_with("without communication"),
        "{}",
        dense.finding
    );
    // Without a pipeline the first layer is shown.
    assert_eq!(of(Some(permalink::TimelineLayer::Pipeline)), moe);
}

#[test]
fn attention_by_kind_of_mixer() {
    let kinds = |link: &str| -> Vec<String> {
        let data = say(link).latency;
        let sum: f64 = data.attention.iter().map(|(_, share)| share).sum();
        assert!(data.attention.is_empty() || (sum - 1.0).abs() < 1e-12);
        data.attention
            .iter()
            .map(|(name, _)| name.clone())
            .collect()
    };
    assert!(kinds("v=1").is_empty());
    let hybrid = "v=1&model=qwen3.5-397b-a17b&gpus=16&batch=16";
    assert_eq!(kinds(hybrid), ["gated delta", "full"]);
    let sparse = "v=1&model=deepseek-v3.2&context=128k";
    assert_eq!(kinds(sparse), ["sparse 2048", "index"]);
}

#[test]
fn timelines_of_all_layer_kinds() {
    let choices = |link: &str| -> Vec<String> {
        let all = timelines(link).choices();
        all.into_iter()
            .map(|(layer, name, often)| format!("{}: {name}, {often}", layer.id()))
            .collect()
    };
    assert_eq!(
        choices("v=1&model=qwen3.5-397b-a17b&gpus=16&batch=16"),
        [
            "moe: MoE layer, gated delta, 45 of 60 layers",
            "group-2: MoE layer, full, 15 of 60 layers",
        ]
    );
    assert_eq!(choices("v=1").len(), 2);
    let says = |link: &str| {
        let read = permalink::read(link);
        let picked = timelines(link).pick(read.shown.layer).unwrap().what.clone();
        (picked, read.notes.is_empty())
    };
    let link = "v=1&model=qwen3.5-397b-a17b&gpus=16&batch=16&layer=";
    let chosen = |layer: &str| says(&format!("{link}{layer}"));
    assert_eq!(chosen("group-2"), ("MoE layer, full".into(), true));
    // An unknown group falls back to the first layer; an invalid one is noted.
    assert_eq!(chosen("group-9"), ("MoE layer, gated delta".into(), true));
    assert_eq!(chosen("group-0"), ("MoE layer, gated delta".into(), false));
}

/// Checks that operators, the timeline and the layer summary name the attention type if the LLM has several.
#[test]
fn mixers_are_named() {
    let link = permalink::read("v=1&model=gpt-oss-120b&gpus=8&batch=64&redundant=0");
    let answer = sizing(&link.current, None, &[]).unwrap();
    let names = answer.roofline.operators.iter().map(|of| of.name.as_str());
    let names: Vec<&str> = names.filter(|name| name.starts_with("attention")).collect();
    assert_eq!(names, ["attention, window 128", "attention, full"]);
    assert_eq!(
        crate::words::names::layers(link.current.model.arch()),
        "18 × window 128, 18 × full"
    );
    let line = timelines("v=1&model=gpt-oss-120b&gpus=8&batch=64&redundant=0");
    let line = line.pick(None).unwrap();
    assert_eq!(
        (line.what.as_str(), line.often.as_str()),
        ("MoE layer, window 128", "18 of 36 layers")
    );
    // If the LLM has a single attention type, names omit it.
    let plain = sizing(&permalink::read("v=1").current, None, &[]).unwrap();
    assert!(
        plain
            .roofline
            .operators
            .iter()
            .all(|of| !of.name.contains(','))
    );
    assert_eq!(timelines("v=1").pick(None).unwrap().what, "MoE layer");
}

#[test]
fn cache_notes_by_kind() {
    for (model, words) in [
        (
            "deepseek-v3.2",
            "B per token incl. 8,052\u{a0}B indexer keys",
        ),
        ("gpt-oss-120b", "MiB windows"),
        ("qwen3.5-397b-a17b", "MiB states"),
    ] {
        let link = permalink::read(&format!("v=1&model={model}&batch=720"));
        let sizing = sizing(&link.current, None, &[]).unwrap();
        let cache = sizing
            .memory
            .parts
            .iter()
            .find(|part| part.name == "KV cache");
        let note = &cache.unwrap().note;
        assert!(note.contains(words), "{model}: {note}");
    }
}

/// Checks that a lever's preview shows the same gain as the table of levers if measurements correct the times. Both
/// evaluations use half of the correction, before and after the change.
#[test]
fn a_preview_has_the_factor_of_its_lever() {
    let now = permalink::read("v=3&gpu=h200&gpus=16&batch=256&measured=62ms@256").current;
    let mut seen = 0;
    for lever in Levers::of(&now).all {
        let Some(factor) = lever.factor_now.filter(|_| lever.effect == Effect::Serves) else {
            continue;
        };
        let [one, other] = alike(&now, &lever.inputs).unwrap();
        let gain = other.evaluation.tokens_per_gpu / one.evaluation.tokens_per_gpu;
        assert!(
            (gain / factor - 1.0).abs() < 0.01,
            "{:?}: {gain}, {factor}",
            lever.change
        );
        seen += 1;
    }
    assert!(seen > 3, "{seen} levers");
}
