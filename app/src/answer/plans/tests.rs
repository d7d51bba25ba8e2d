//! What is said of a search, from the worker's own answers.

use super::*;
use worker::{Answer, Job, Request};

/// Runs a link's search to its end, as the worker does.
fn searched(link: &str) -> Searched {
    let request = Request::Search { link: link.into() };
    let mut job = Job::new(&request);
    job.advance(|| false);
    let Some(Answer::Search(answer)) = Answer::read(&request, &job.answer(0.1)) else {
        panic!("no answer to {link}");
    };
    let text = link;
    let (link, candidates) = lay_out(text);
    assert!(link.notes.is_empty(), "{:?}", link.notes);
    Searched::new(text, link, Arc::new(candidates), answer, Stage::Done)
}

fn told(link: &str) -> PlansAnswer {
    let searched = searched(link);
    searched.say(&permalink::read(link).current)
}

const R1: &str = "v=1&model=deepseek-r1&gpu=gb200&gpus=64&batch=4096&context=1M&beta=1&redundant=0&precision=fp4&overlap=none&calibration=helix&alpha_us=11.5&search_gpus=1,2,4,8,16,32,64&search_batch=4096&batch_steps=1";

#[test]
fn the_best_and_the_cheapest_plan_are_told_with_their_margins() {
    let searched = searched("v=1&slo=20&search_gpus=32,64,72");
    let said = searched.say(&searched.link.current);
    let text = said.verdict.plain_text();
    assert!(
        text.starts_with("Your 72 H100 keep 20 tok/s per user with "),
        "{text}"
    );
    let [best, cheapest] = said.awards.as_slice() else {
        panic!("{:?}", said.awards);
    };
    assert_eq!(
        (best.title, cheapest.title),
        ("Best under my SLO", "Cheapest under my SLO")
    );
    assert!(best.runner.is_some() && said.trouble.is_none());
    assert!(
        said.counts.contains("fit and meet the SLO"),
        "{}",
        said.counts
    );
    let inputs = best.inputs;
    let evaluation =
        model_core::evaluate::evaluate(&inputs.scenario().expect("possible")).expect("finite");
    assert_eq!(format::si(evaluation.tokens_per_gpu), best.value);
    assert!(evaluation.tokens_per_user >= 20.0);
}

/// What the headline calls best is beaten by nothing on its page: not by a plan that was found, nor by now.
#[test]
fn nothing_on_the_page_beats_what_is_called_best() {
    const ENGINEER: &str =
        "v=1&calibration=aleph-alpha-2025&model=deepseek-r1&gpu=h200&gpus=32&context=6000&slo=30";
    for (more, start) in [
        (
            "&overlap=none&batch=1223&search_gpus=32",
            "Your 32 H200 keep 30 tok/s per user as they are, at batch 1,223: ",
        ),
        (
            "&batch=96&search_gpus=32",
            "Your 32 H200 keep 30 tok/s per user with DP 32 · EP 32, no overlap, batch 1,223: ",
        ),
        (
            "&batch=96&search_gpus=16,32,64",
            "Your 32 H200 keep 30 tok/s per user with ",
        ),
    ] {
        let link = format!("{ENGINEER}{more}");
        let searched = searched(&link);
        let now = permalink::read(&link).current;
        let said = searched.say(&now);
        let text = said.verdict.plain_text();
        assert!(text.starts_with(start), "{text}");
        let own = said.own.as_ref().expect("32 GPUs have a plan");
        let chart = searched.chart(&now);
        let (_, best) = chart.best.expect("there is one");
        let award = said.awards[0].inputs.scenario().expect("possible");
        let award = model_core::evaluate::evaluate(&award).expect("finite");
        assert!(
            (award.tokens_per_gpu / best - 1.0).abs() < 1e-9,
            "the ring is the award"
        );
        for (hit, (_, point)) in chart.hits().enumerate() {
            if point.point.per_user < 30.0 {
                continue;
            }
            assert!(point.point.per_gpu <= best * (1.0 + 1e-9));
            let index = searched.candidate(hit).expect("a candidate");
            let (_, inputs) = searched.candidates.inputs(index).expect("a plan");
            let mine = inputs.get(Number::Gpus) == now.get(Number::Gpus);
            let most = own.evaluation.tokens_per_gpu * (1.0 + 1e-9);
            assert!(!mine || point.point.per_gpu <= most, "{link}");
        }
        let present = chart.now.expect("possible");
        let works = present.point.fits && present.point.per_user >= 30.0;
        assert!(!works || present.point.per_gpu <= own.evaluation.tokens_per_gpu * (1.0 + 1e-9));
    }
}

#[test]
fn hits_of_the_chart_are_candidates() {
    let searched = searched(R1);
    let chart = searched.chart(&searched.link.current);
    for (hit, (_, point)) in chart.hits().enumerate() {
        let index = searched.candidate(hit).expect("a candidate for each hit");
        let inputs = searched.opened(index).expect("a plan");
        let evaluation =
            model_core::evaluate::evaluate(&inputs.scenario().expect("possible")).expect("finite");
        assert!((evaluation.tokens_per_gpu - point.point.per_gpu).abs() < 1e-9);
        assert_eq!(inputs.get(Number::Batch), Some(point.point.batch));
    }
    assert_eq!(searched.candidate(chart.hits().count()), None);
}

/// docs/papers.md prints the same figures.
#[test]
fn the_gains_of_paper_h_are_told() {
    let said = told(R1);
    let text = said.gains[0].plain_text();
    assert!(
        text.starts_with("Helix + HOP-B over the best baseline: 1.56×"),
        "{text}"
    );
    assert!(
        text.contains("36.3×") && text.contains("with 32 sequences against 1"),
        "{text}"
    );
    let llama = R1
        .replace("deepseek-r1", "llama-3.1-405b")
        .replace("&beta=1&redundant=0", "");
    let text = told(&llama).gains[0].plain_text();
    assert!(
        text.contains("1.03×") && text.contains("4.12×") && text.contains("4 sequences against 1"),
        "{text}"
    );
}

/// Every way out leads out, and the reason is the rule that excluded most.
#[test]
fn a_search_that_finds_nothing_says_why_and_what_would_help() {
    for (link, words, least_ways) in [
        (
            "v=1&context=16M&search_gpus=8&families=dp-ep",
            "do not fit the memory",
            1,
        ),
        (
            "v=1&slo=100000&search_gpus=8,16",
            "No plan meets the SLO.",
            1,
        ),
        ("v=1&families=none", "No plan family is chosen", 1),
        ("v=1&families=medha", "no plan to search", 1),
        (
            "v=1&families=tp&search_gpus=6,12",
            "split the query heads unevenly",
            2,
        ),
        ("v=1&precision=fp4", "need a format", 2),
        (
            "v=1&search_gpus=64&families=dp-ep&search_batch=8",
            "fewer sequences than groups",
            1,
        ),
    ] {
        let searched = searched(link);
        let said = searched.say(&searched.link.current);
        let trouble = said
            .trouble
            .unwrap_or_else(|| panic!("{link} finds something"));
        let text = trouble.sentence.plain_text();
        assert!(text.contains(words), "{link}: {text}");
        assert_eq!(said.verdict, trouble.sentence);
        assert!(
            trouble.ways.len() >= least_ways,
            "{link}: {:?}",
            trouble.ways
        );
        for way in &trouble.ways {
            let mut changed = searched.link.clone();
            way.edit.make(&mut changed);
            let text = permalink::write(&changed);
            assert!(
                self::searched(&text).answer.found.fitting > 0,
                "{link}: {way:?}"
            );
        }
    }
}

#[test]
fn a_search_under_way_is_no_trouble_yet() {
    let mut searched = searched("v=1&context=16M&search_gpus=8&families=dp-ep");
    searched.stage = Stage::Running;
    let said = searched.say(&searched.link.current);
    assert!(said.trouble.is_none() && said.awards.is_empty());
}

#[test]
fn a_search_is_asked_again_only_for_what_decides_it() {
    let ask = |text: &str| asked(&permalink::read(text));
    let plain = ask("v=1&gpus=64");
    for same in [
        "v=1&gpus=64&batch=4096",
        "v=1&gpus=64&tp=8&ep=64",
        "v=1&gpus=64&view=plans&theme=dark&a.gpus=8",
        "v=1&search_gpus=8,16,32,64,128,256,512",
    ] {
        assert_eq!(ask(same), plain, "{same}");
    }
    for other in [
        "v=1&gpus=72",
        "v=1&gpus=64&context=4k",
        "v=1&gpus=64&slo=20",
        "v=1&gpus=64&families=tp",
        "v=1&gpus=64&overlap=none",
    ] {
        assert_ne!(ask(other), plain, "{other}");
    }
    let (link, _) = lay_out(&plain);
    assert!(link.notes.is_empty());
    assert_eq!(asked(&link), plain);
}
