//! The mode AFD ratio, from links.

use super::*;
use crate::charts::Figure;
use model_core::disagg::decision::{Winner, winner};
use model_core::levers::Base;
use model_core::permalink::read;

fn view(link: &str) -> RatioView {
    ratio_view(&read(link).current, None).unwrap_or_else(|problems| panic!("{link}: {problems:?}"))
}

fn said(link: &str) -> String {
    view(link).headline.sentence().plain_text()
}

const LINKS: [&str; 8] = [
    "v=1",
    "v=1&slo=40",
    "v=1&slo=20",
    "v=1&gpu=gb200&gpus=72",
    "v=1&batch=60000&context=64k",
    "v=1&r=4",
    "v=1&slots=16",
    "v=1&model=deepseek-r1&gpu=h200&gpus=16&batch=512&prompt=4k&output=1k&serving=aggregated",
];

#[test]
fn one_sentence_per_state() {
    let links = [
        "v=1",
        "v=1&model=llama-3-70b&gpu=h100&gpus=8&batch=128&context=8k&slo=25",
        "v=1&slo=400",
        "v=1&gpus=4",
        "v=1&latencies=table2",
        "v=1&mode=ratio&latencies=table2&prompt=500&view=disagg",
    ];
    let sentences = [
        "Colocated serves more: 2.18k tok/s/GPU; AFD 32 : 40 gives 0.753×.",
        "Colocated serves more: 655 tok/s/GPU; AFD does not fit.",
        "Misses the SLO: 8.51 of 400 tok/s per user. No batch meets it.",
        "Does not fit: 18,432 sequences need 792 of 80 GiB; none fits.",
        "Best ratio 9.32 : 1: attention and FFN each take 298 µs of a step.",
        "Yes: 17.3 : 1 instead of 9.32 : 1.",
    ];
    assert_eq!(links.map(said), sentences);
    let comparison = AfdComparison {
        mode: Disaggregation::Afd,
        deployed: "AFD 37 : 35".into(),
        users: 30.0,
        colocated: Some(1000.0),
        disaggregated: Some(1250.0),
        fits: true,
    };
    let says = |of: AfdComparison| Headline::Disaggregated(of).sentence().plain_text();
    assert_eq!(
        says(comparison.clone()),
        "AFD pays: colocated 1.00k tok/s/GPU; AFD 37 : 35 gives 1.25×."
    );
    assert_eq!(
        says(AfdComparison {
            colocated: None,
            ..comparison.clone()
        }),
        "Only AFD 37 : 35 reaches 30.0 tok/s per user: 1.25k tok/s/GPU."
    );
    assert_eq!(
        says(AfdComparison {
            colocated: None,
            disaggregated: None,
            ..comparison
        }),
        "Neither colocated nor AFD 37 : 35 reaches 30.0 tok/s per user."
    );
}

/// Headline, figures, both charts and the table hold the same two numbers, at the levers' user speed.
#[test]
fn one_comparison_everywhere() {
    for link in LINKS {
        let inputs = read(link).current;
        let view = view(link);
        let Headline::Disaggregated(of) = &view.headline else {
            panic!("{link}: {:?}", view.headline);
        };
        assert_eq!(
            of.users.to_bits(),
            Base::of(&inputs).users.to_bits(),
            "{link}"
        );
        let rates = [of.colocated, of.disaggregated];
        for ((cell, curve), rate) in view.figures.iter().zip(&view.apart.curves).zip(rates) {
            let value = rate.map_or_else(|| format::NONE.to_owned(), format::figure);
            assert_eq!(cell.value, value, "{link}: {}", cell.name);
            assert_eq!(curve.now.map(|now| now.point.per_gpu), rate, "{link}");
        }
        if let Some(rate) = of.disaggregated {
            assert_eq!(view.ratio.now.rate.to_bits(), rate.to_bits(), "{link}");
            assert!(view.bundles.iter().any(|row| row.shown), "{link}");
        }
        let help = matches!(view.figures[1].state, Some((_, Tone::Help)));
        let pays = rates[1]
            .zip(rates[0])
            .is_some_and(|(afd, colocated)| winner(afd / colocated) == Winner::Disaggregated);
        assert_eq!(help, pays, "{link}");
    }
}

/// A period of the timeline is the time per output token of the figures, whatever a simulation adds.
#[test]
fn timeline_is_the_derived_step() {
    for link in LINKS.into_iter().chain(["v=1&latencies=table2"]) {
        let view = view(link);
        let period = view.steps.periods_s[0];
        assert!(
            (period / view.ratio.now.tpot_s - 1.0).abs() < 1e-9,
            "{link}: {period} {}",
            view.ratio.now.tpot_s
        );
    }
}

#[test]
fn what_does_not_fit_draws_no_division() {
    let view = view("v=1&gpu=gb200&gpus=32&slots=60000&context=32k");
    assert!(!view.divided && view.bundles.is_empty() && view.steps.lanes.is_empty());
    assert_eq!(view.figures[3].value, format::NONE);
    assert!(view.steps.finding().chars().count() <= 60);
}
