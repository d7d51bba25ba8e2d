//! Tests of the Lamina mode; scenarios are given as permalinks.

use super::*;
use crate::Tone;
use model_core::permalink;

const L70: &str =
    "v=1&mode=split&model=llama-3-70b&precision=bf16&overlap=none&calibration=lamina&reserve=0.1";

fn outcome(link: &str) -> SplitOutcome {
    split_answer(&permalink::read(link).current, None)
}

fn say(link: &str) -> SplitAnswer {
    match outcome(link) {
        SplitOutcome::Possible(answer) => *answer,
        SplitOutcome::Impossible(problems) => panic!("{link}: {problems:?}"),
    }
}

const LINKS: [&str; 8] = [
    "v=1&mode=split",
    "v=1&mode=split&slo=40",
    "v=1&mode=split&slo=4",
    "v=1&mode=split&gpu=h200",
    "v=1&mode=split&context=1&batch=2&net=1e9&net_us=0",
    "v=1&mode=split&model=gpt-oss-120b&gpu=h100&gpus=8&batch=128&context=8k",
    "v=1&mode=split&model=llama-3-70b&precision=bf16&calibration=lamina&gpus=4&slo=12&trace=kimi-conv",
    "v=1&mode=split&model=deepseek-r1&gpus=72&serving=aggregated&prompt=1k&output=500",
];

#[test]
fn one_sentence_per_state() {
    let links = [
        "v=1&mode=split",
        "v=1&mode=split&slo=40",
        "v=1&mode=split&slo=400",
        "v=1&mode=split&gpu=h200",
        "v=1&mode=split&model=llama-3-70b&precision=bf16&calibration=lamina&gpus=4&slo=12&trace=kimi-conv",
    ];
    let sentences = [
        "Colocated wins at ≥ 8.51 tok/s/user: 16 × H100 + 32 × H20 serves 61% less per $.",
        "Only colocated reaches 40.0 tok/s/user: 128k tok/$.",
        "Misses the SLO at any batch: 8.51 of 400 tok/s/user; scale-out links limit 74%.",
        "No prices set: 8 × H200 + 16 × H20 serves 16.6k tok/s.",
        "Lamina wins at ≥ 12.0 tok/s/user: 2 × H100 + 4 × H20 serves 1.34× per $.",
    ];
    let said = links.map(|link| say(link).headline.sentence().plain_text());
    assert_eq!(said, sentences);
    let SplitOutcome::Impossible(problems) = outcome(&format!("{L70}&memory_gpus=5")) else {
        panic!("five divide no 64 heads");
    };
    let said = impossible(&problems[0]).sentence().plain_text();
    assert_eq!(
        said,
        "Invalid plan: memory devices must divide the query heads."
    );
}

/// Checks that headline, chart and colors show the same comparison: tokens per dollar of both deployments at u*.
#[test]
fn one_comparison_everywhere() {
    for link in LINKS {
        let answer = say(link);
        let Headline::Disaggregated(of) = &answer.headline else {
            assert_eq!(answer.prices, None, "{link}");
            continue;
        };
        let rows = &answer.apart.rows;
        for (name, rate) in ["colocated", "Lamina"]
            .into_iter()
            .zip([of.colocated, of.disaggregated])
        {
            let Some(rate) = rate else { continue };
            // The first row of a deployment is its operating point.
            let own = (0..rows.len())
                .find(|row| rows.title(*row) == Some(name))
                .unwrap();
            let value = rows.number("tokens per dollar", own).unwrap();
            assert!((value / rate - 1.0).abs() < 1e-9, "{link}");
            let users = rows.number("interactivity", own).unwrap();
            assert!(users >= of.users * (1.0 - 1e-9), "{link}");
        }
        let both = of.disaggregated.zip(of.colocated);
        let pays = both.is_some_and(|(lamina, other)| lamina >= 1.03 * other);
        let cells = answer.rows.iter().flat_map(|row| &row.cells);
        assert_eq!(
            cells.filter(|cell| cell.tone == Tone::Help).count(),
            usize::from(pays),
            "{link}"
        );
        assert_eq!(
            answer.rows.iter().any(|row| row.id == "against"),
            both.is_some(),
            "{link}"
        );
    }
}

#[test]
fn an_impossible_split_offers_what_works() {
    for (link, key) in [
        (format!("{L70}&memory_gpus=5"), "memory_gpus"),
        (format!("{L70}&batches=3&compute_gpus=3"), "batches"),
        (
            format!("{L70}&compute_gpus=1&trace=azure-conv"),
            "compute_gpus",
        ),
        ("v=1&model=deepseek-v3.2&mode=split".to_owned(), ""),
    ] {
        let SplitOutcome::Impossible(problems) = outcome(&link) else {
            panic!("{link} is possible");
        };
        assert!(key.is_empty() || problems[0].key == key, "{problems:?}");
        assert!(!problems[0].choices.is_empty(), "{problems:?}");
        for choice in &problems[0].choices {
            let works = match choice.inputs.mode {
                model_core::inputs::Mode::Split => {
                    matches!(
                        split_answer(&choice.inputs, None),
                        SplitOutcome::Possible(_)
                    )
                }
                _ => choice.inputs.bundle().is_ok(),
            };
            assert!(works, "{choice:?}");
        }
    }
}

#[test]
fn parts_make_the_step() {
    for link in LINKS {
        let inputs = permalink::read(link).current;
        let case = SplitCase::new(&inputs).ok().unwrap();
        let [own, other] = time::sides(&case).map(|side| Some(side?.step_s()));
        assert!(
            (own.unwrap() / case.split.step.get() - 1.0).abs() < 1e-9,
            "{link}"
        );
        if let Some(of) = &case.other {
            let step_s = of.evaluation.step.get();
            assert!((other.unwrap() / step_s - 1.0).abs() < 1e-9, "{link}");
        }
    }
}

#[test]
fn no_common_price_no_comparison() {
    let answer = say("v=1&mode=split&gpu=h200&batch=1000");
    assert!(answer.prices.is_none());
    let [row] = answer.rows.as_slice() else {
        panic!("nothing to compare with: {:?}", answer.rows);
    };
    assert_eq!((row.id, row.cells[2].value.as_str()), ("split", "–"));
}

#[test]
fn findings_fit_a_title() {
    for link in LINKS.into_iter().chain([
        "v=1&mode=split&context=16M&batch=10M",
        "v=1&mode=split&batches=16&net=0.001",
    ]) {
        let answer = say(link);
        for finding in [
            answer.time.chart.finding.clone(),
            answer.bandwidth.finding.clone(),
            degrees(&permalink::read(link).current)
                .expect("possible")
                .finding,
            answer.rotation.chart.finding.clone(),
            answer.apart.finding.clone(),
        ] {
            assert!(finding.chars().count() <= 60, "{link}: {finding}");
        }
    }
}

#[test]
fn accelerators_are_named_in_a_word() {
    assert_eq!(short_name("H20 96 GB"), "H20");
    assert_eq!(short_name("TPU v6e"), "TPU v6e");
    assert_eq!(short_name("MI300X"), "MI300X");
    assert_eq!(short_name("GeForce RTX 4090"), "RTX 4090");
    assert_eq!(short_name("Apple M4 Max, 40 GPU cores"), "M4 Max");
    assert_eq!(short_name("H100 PCIe"), "H100 PCIe");
}
