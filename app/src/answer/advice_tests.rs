//! Advice is the best that there is, said alike in every view.

use model_core::permalink;
use model_core::scenario::Number;

use super::ratio::ratio_view;
use super::{Evaluated, Offer, Outcome, answer, limits};
use crate::charts::Figure;

/// What the page recommends is the best that there is on these GPUs, and says what it is measured by.
#[test]
fn what_is_recommended_is_the_best() {
    let link = |link: &str| permalink::read(link).current;
    let explore = |at: &str| match answer(&link(at), None) {
        Outcome::Possible(answer) => *answer,
        Outcome::Impossible(_) => panic!("{at} is possible"),
    };
    let labels = |offers: &[Offer]| -> Vec<String> {
        offers.iter().map(|offer| offer.label.clone()).collect()
    };
    let limits = |at: &str| limits::limits_answer(&link(at), None).expect("possible");

    // Where throughput is flat the least batch that serves as much is offered, everywhere the same.
    let flat = "v=1&slo=20&batch=4096&calibration=ideal";
    assert!(
        explore(flat)
            .verdict
            .plain_text()
            .starts_with("5,945 sequences still meet the SLO: 1.34× the throughput."),
    );
    assert_eq!(
        labels(&explore(flat).offers),
        ["Use 5,945", "Use instances of 24"]
    );
    let there = limits(flat);
    assert_eq!(
        there.verdict.plain_text(),
        "At most 14,431 sequences keep 20 tok/s per user, and 5,945 sequences serve as much; your 4,096 get \
         52.2. Twice the scale-out link gives 2.00× as much. 3 instances of 24 GPUs give 1.33× as much within the \
         SLO."
    );
    assert_eq!(labels(&there.offers), ["Use 5,945", "Use instances of 24"]);
    // What serves as much already has nothing to change.
    let near = limits("v=1&model=kimi-k2&calibration=aleph-alpha-2025&batch=9216");
    assert_eq!(
        near.verdict.plain_text(),
        "Up to 31,176 sequences fit, 433 per GPU, and yours serve as much. Twice the scale-out link gives 2.00× as much."
    );
    assert!(near.offers.is_empty());

    // The headline names the lever that lifts most, and each has its button; what misses the SLO is no offer.
    let cache = limits("v=1&model=llama-3-70b&gpu=h100&gpus=8&batch=256&context=8k&slo=25");
    assert!(cache.verdict.plain_text().contains(
        "Overlap off gives 1.18× as much within the SLO, with 210 sequences; with an FP8 KV cache 2.05×. Then twice the \
         GPUs gives 2.00× in all."
    ));
    assert_eq!(
        labels(&cache.offers),
        ["Turn overlap off", "Use FP8 KV", "Use 178"]
    );
    let taken = Evaluated::new(&cache.offers[1].inputs).unwrap_or_else(|_| panic!("possible"));
    assert!(taken.evaluation.memory.fits() && taken.evaluation.tokens_per_user >= 25.0);

    // A gain says how much of it is the larger batch alone: 5.41 = 2.92 × 1.85, as Limits has it.
    let batch = "v=1&model=deepseek-v4-pro&gpu=gb300&gpus=72&batch=2304&context=128k&slo=30";
    assert!(explore(batch).verdict.plain_text().starts_with(
        "Overlap off gives 5.41× the throughput within the SLO, with 14,054 sequences; 7,583 as it is 2.92×;"
    ));
    assert!(
        limits(batch)
            .verdict
            .plain_text()
            .contains("Overlap off gives 1.85× as much within the SLO")
    );

    // What no purchase reaches is not praised, and Limits knows the plan that works.
    let slow = "v=1&model=gpt-oss-120b&gpu=h100&gpus=8&batch=512&context=8k&slo=140";
    let text = explore(slow).verdict.plain_text();
    let free = "Released MXFP4 weights with TP 8 · FFN TP 8, no overlap would meet the SLO, with 69 sequences";
    assert!(text.contains(free) && !text.contains("It takes"), "{text}");
    let misfit =
        limits("v=1&model=qwen3-coder-480b-a35b&gpu=h200&gpus=8&batch=128&context=32k&slo=40");
    assert!(misfit.verdict.plain_text().contains(
        "64 fit, and none keeps 40 tok/s per user. TP 8 · FFN TP 8 with no overlap would fit and meet the \
         SLO, with 29 sequences"
    ));

    // Copies of experts that keep a batch from fitting are left out by a button.
    let copies = explore("v=1&model=mixtral-8x22b&gpu=h100&gpus=8&batch=128&context=4k");
    assert!(
        copies
            .verdict
            .plain_text()
            .contains("TP 8 · FFN TP 8 with no overlap or redundant experts would fit")
    );
    assert_eq!(
        labels(&copies.offers)[0],
        "Use TP 8 · FFN TP 8 with no overlap or redundant experts"
    );
}

/// Both sides of Disaggregation decode alone, and no button leads to where no division is fast enough.
#[test]
fn apart_is_compared_with_what_it_does() {
    let view = |link: &str| {
        let view = ratio_view(&permalink::read(link).current, None, false);
        view.unwrap_or_else(|_| panic!("{link} is possible"))
    };
    let link = "v=1&model=deepseek-r1&gpu=h200&gpus=16&batch=512&prompt=4k&output=1k&slo=20";
    let (alone, with) = (view(link), view(&format!("{link}&serving=aggregated")));
    assert_eq!(
        with.verdict.plain_text(),
        format!(
            "{} Both decode alone here: other GPUs read the prompts.",
            alone.verdict.plain_text()
        )
    );
    assert!(
        with.verdict
            .plain_text()
            .starts_with("Keep them together, apart 0.419×: ")
    );
    let advice: String = with
        .advice
        .iter()
        .map(|piece| piece.says.plain_text())
        .collect();
    assert!(
        advice
            .ends_with(" A slot holds 5.12k tokens in the long run; the other views count 4.61k."),
        "{advice}"
    );
    let slow = view("v=1&model=llama-3-70b&gpu=h100&gpus=8&batch=256&context=8k&slo=25");
    let text = slow.verdict.plain_text();
    assert!(
        text.starts_with("Batch 256 does not fit. Keep them together: ")
            && text.ends_with("no division of them does that."),
        "{text}"
    );
    assert!(!slow.reached && slow.bundles.is_empty() && slow.open.is_empty());
    assert_eq!(slow.figures[3].value, "–");
    assert_eq!(slow.way_out, None);
    assert_eq!(slow.ratio.finding(), "None reaches 25.0 tok/s");
}

/// Ratio holds precision, copies and drafts on both sides, says so, and denies nothing that the other views offer: their
/// lever, its numbers and its button are there, and pressed it serves what it promised.
#[test]
fn ratio_names_what_neither_side_tries() {
    for (link, lead) in [
        (
            "v=1&model=gpt-oss-120b&gpu=h100&gpus=1&batch=64&context=32k&slo=20",
            "Batch 64 does not fit. Neither: stored and drafted as now, no plan of your H100 gives 20.0 tok/s per user together, and a single GPU has no parts.",
        ),
        (
            "v=1&model=kimi-k2.5&gpu=h200&gpus=8&batch=64&context=32k&slo=50",
            "",
        ),
    ] {
        let inputs = permalink::read(link).current;
        let view = ratio_view(&inputs, None, false).expect("it is possible");
        let verdict = view.verdict.plain_text();
        assert!(verdict.starts_with(lead), "{verdict}");
        let offer = view.offers.first().cloned().expect("a lever");
        let Outcome::Possible(explore) = answer(&inputs, None) else {
            panic!("{link} is possible");
        };
        assert!(explore.offers.contains(&offer), "{offer:?}");
        let advice = view.advice.iter().map(|piece| piece.says.plain_text());
        let advice: String = advice.collect();
        assert!(
            advice.contains(" Both sides keep precision, copies and drafts: "),
            "{advice}"
        );
        let batch = offer.inputs.get(Number::Batch).expect("a batch");
        let sequences = format!(" with {} serve", super::advice::sequences(batch));
        assert!(advice.contains(&sequences), "{advice}");
        let pressed = ratio_view(&offer.inputs, None, false).expect("it is possible");
        let rate = |view: &super::ratio::RatioView| {
            view.figures[0]
                .value
                .replace(',', "")
                .parse::<f64>()
                .unwrap_or(0.0)
        };
        assert!(rate(&pressed) >= 1.05 * rate(&view), "{verdict}");
        assert!(
            !pressed.verdict.plain_text().contains("Neither"),
            "{}",
            pressed.verdict.plain_text()
        );
    }
    // What neither view has a lever for is denied as before.
    let none =
        "v=1&model=llama-3-70b&gpu=h100&gpus=8&batch=256&context=8k&slo=500&kv=1&precision=fp8";
    let view = ratio_view(&permalink::read(none).current, None, false);
    let view = view.expect("it is possible");
    assert_eq!(view.offers, []);
    let text = view.verdict.plain_text();
    assert!(text.contains("Neither: no plan of your 8 H100 "), "{text}");
}
