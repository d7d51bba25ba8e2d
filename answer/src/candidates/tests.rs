//! Tests of the sentences and rows about candidates.

use super::*;
use model_core::candidates::CandidatesInProgress;
use model_core::permalink;

fn told(link: &str) -> CandidatesAnswer {
    let link = permalink::read(link);
    assert!(link.notes.is_empty(), "{:?}", link.notes);
    let (inputs, search, candidates) = asked(&link);
    let mut work = CandidatesInProgress::new(&inputs, &search, &candidates);
    while work.step() {}
    CandidatesAnswer::of(&work.found, &candidates, &link.current)
}

const QWEN: &str = "v=3&model=qwen3-235b-a22b&gpu=h200&slo=25&prompt=3k&output=800";

#[test]
fn findings_of_each_state() {
    let of = |rest: &str| told(&format!("{QWEN}{rest}")).headline.plain_text();
    let turned = of("&rate=50&prices=h200:2.3,gb200:5&candidates=h200,gb200");
    // GB200 is also cheaper at some lower rates, because replicas are whole.
    assert!(
        turned.starts_with("H200 is cheaper at every rate tried from "),
        "{turned}"
    );
    assert!(turned.contains("GB200"), "{turned}");
    let alone = of("&rate=50&candidates=h200");
    assert_eq!(alone, "Only H200 is feasible and has a price.");
    let none = told("v=3&model=qwen3-30b-a3b&slo=99999&rate=5&candidates=h200,b200");
    assert_eq!(none.headline.plain_text(), "No candidate is feasible.");
    assert!(
        none.rows
            .iter()
            .all(|row| row.misses && row.detail.starts_with("max "))
    );
    let plans = of("&gpus=16&candidates=h200,b200");
    assert!(
        plans.contains(" less than ") || plans.contains(" costs the same"),
        "{plans}"
    );
}

#[test]
fn limits_and_names() {
    let said = told(&format!("{QWEN}&rate=500&candidates=h200,h200:64,b200:$20"));
    let names: Vec<&str> = said.rows.iter().map(|row| row.name.as_str()).collect();
    assert!(
        names.contains(&"H200 ≤ 64 GPUs") && names.contains(&"B200"),
        "{names:?}"
    );
    let short = said.rows.iter().filter(|row| row.misses);
    assert!({ short }.all(|row| row.detail.contains("available")));
    let poor = told(&format!("{QWEN}&candidates=b200:$1"));
    assert_eq!(poor.rows[0].detail, "budget below the price of one GPU");
    assert_eq!(poor.rows[0].dollars, None);
}

/// Checks that a verdict holds at every rate of the range it names. Since replicas are whole, cost is a step function
/// of the rate. GB200 is cheaper only from 58.8 to 61.8 req/s, a range narrower than a step of the scan.
#[test]
fn a_range_holds_no_rate_with_another_verdict() {
    let at = |rate: f64| {
        let link =
            format!("{QWEN}&rate={rate}&ttft=2&prices=h200:2.3,gb200:5&candidates=h200,gb200");
        let (inputs, search, candidates) = asked(&permalink::read(&link));
        let mut work = CandidatesInProgress::new(&inputs, &search, &candidates);
        while work.step() {}
        work.found
    };
    let cheapest = |rate: f64| at(rate).rows[0].place;
    let until = at(50.0).turns[1].nearest.expect("it turns").until;
    assert!(until < 60.0 && cheapest(60.0) != cheapest(50.0), "{until}");
    for part in 1..8 {
        let rate = 50.0 + (until - 50.0) * f64::from(part) / 8.0;
        assert_eq!(cheapest(rate), cheapest(50.0), "{rate}");
    }
}
