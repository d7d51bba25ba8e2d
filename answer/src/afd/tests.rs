//! Tests of the mode *AFD ratio*, on scenarios given as permalinks.

use super::*;
use crate::words::format;
use crate::words::sentence::Tone;
use model_core::afd::decision::{Winner, winner};
use model_core::levers::Base;
use model_core::permalink::read;

fn view(link: &str) -> RatioView {
    ratio_view(&read(link).current, None).unwrap_or_else(|problems| panic!("{link}: {problems:?}"))
}

/// Returns the value in a table column of the A:F ratio chart, at the current A:F ratio.
fn now(view: &RatioView, column: &str) -> f64 {
    let chart = &view.ratio;
    chart.rows.number(column, chart.start.unwrap()).unwrap()
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
    ];
    let sentences = [
        "Colocated wins at ≥ 8.51 tok/s/user: AFD 32 : 40 serves 25% less.",
        "Colocated wins: 655 tok/s/GPU; AFD is out of memory.",
        "Misses the SLO at any batch: 8.51 of 400 tok/s/user; scale-out links limit 74%.",
        "Out of memory: 18,432 sequences need 792 of 80 GiB; no batch fits.",
        "Best A:F ratio 9.32 : 1: attention and FFN each take 298 µs per step.",
    ];
    assert_eq!(links.map(said), sentences);
    let comparison = AfdComparison {
        mode: Disaggregation::Afd,
        deployed: "AFD 37 : 35".into(),
        users: 30.0,
        colocated: Some(1000.0),
        disaggregated: Some(1250.0),
        fits: true,
        simulated: false,
    };
    let says = |of: AfdComparison| Headline::Disaggregated(of).sentence().plain_text();
    assert_eq!(
        says(comparison.clone()),
        "AFD wins at ≥ 30.0 tok/s/user: AFD 37 : 35 serves 1.25×."
    );
    assert_eq!(
        says(AfdComparison {
            colocated: None,
            ..comparison.clone()
        }),
        "Only AFD 37 : 35 reaches 30.0 tok/s/user: 1.25k tok/s/GPU."
    );
    assert_eq!(
        says(AfdComparison {
            colocated: None,
            disaggregated: None,
            ..comparison.clone()
        }),
        "Neither colocated nor AFD 37 : 35 reaches 30.0 tok/s/user."
    );
    assert_eq!(
        says(AfdComparison {
            disaggregated: None,
            simulated: true,
            ..comparison.clone()
        }),
        "Only colocated reaches 30.0 tok/s/user: 1.00k tok/s/GPU (simulated)."
    );
}

/// Checks that headline, figures and both charts show the same two throughputs, at the interactivity that the table
/// of levers also uses.
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
        let rows = &view.apart.rows;
        for ((cell, name), rate) in view.figures.iter().zip(["colocated", "AFD"]).zip(rates) {
            let value = rate.map_or_else(|| format::NONE.to_owned(), format::figure);
            assert_eq!(cell.value, value, "{link}: {}", cell.name);
            let Some(rate) = rate else { continue };
            // The first row of each deployment is its operating point.
            let own = (0..rows.len()).find(|row| rows.title(*row) == Some(name));
            assert_eq!(
                rows.number("throughput", own.unwrap()),
                Some(rate),
                "{link}"
            );
        }
        if let Some(rate) = of.disaggregated {
            let drawn = now(&view, "throughput");
            assert_eq!(drawn.to_bits(), rate.to_bits(), "{link}");
            assert!(view.bundles.iter().any(|row| row.shown), "{link}");
        }
        let help = matches!(view.figures[1].state, Some((_, Tone::Help)));
        let pays = rates[1]
            .zip(rates[0])
            .is_some_and(|(afd, colocated)| winner(afd / colocated) == Winner::Disaggregated);
        assert_eq!(help, pays, "{link}");
    }
}

/// Checks that one period of the timeline is the TPOT of the current A:F ratio.
#[test]
fn timeline_is_the_derived_step() {
    for link in LINKS.into_iter().chain(["v=1&latencies=table2"]) {
        let view = view(link);
        // Rows 0 to 2 are attention of the first batch, the second batch, and the first batch again.
        let period = view.steps.chart.rows.number("begins", 2).unwrap();
        let tpot = now(&view, "TPOT");
        let same = (period / tpot - 1.0).abs() < 1e-9;
        assert!(same, "{link}: {period} {tpot}");
    }
}

#[test]
fn what_does_not_fit_draws_no_division() {
    let view = view("v=1&gpu=gb200&gpus=32&slots=60000&context=32k");
    assert!(!view.divided && view.bundles.is_empty() && view.steps.chart.rows.is_empty());
    assert_eq!(view.figures[3].value, format::NONE);
    assert!(view.steps.chart.finding.chars().count() <= 60);
}
