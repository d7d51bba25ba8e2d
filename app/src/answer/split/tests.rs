//! What the split half says, from links.

use super::*;
use crate::charts::Figure;
use model_core::permalink;
use model_core::scenario::preset::PRESETS;

const L70: &str =
    "v=1&mode=split&model=llama-3-70b&precision=bf16&overlap=none&calibration=lamina&reserve=0.1";

fn outcome(link: &str) -> SplitOutcome {
    split_answer(&permalink::read(link).current, false)
}

fn say(link: &str) -> SplitAnswer {
    match outcome(link) {
        SplitOutcome::Possible(answer) => *answer,
        SplitOutcome::Impossible(problems) => panic!("{link}: {problems:?}"),
    }
}

#[test]
fn the_papers_split_pays_and_says_what_limits_it() {
    let answer = say(&format!("{L70}&trace=kimi-conv"));
    let text = answer.verdict.plain_text();
    assert_eq!(
        text,
        "Apart pays, 1.30× per dollar: for $44.2 an hour 4 H100 serve 1.24k tok/s, for $40.6 an hour 2 H100 with 4 H20 \
         for attention 1.49k. The compute devices set the pace."
    );
    assert_eq!(answer.rows[2].cells[1].value, "−45% worse");
    assert_eq!(answer.traces.traces.len(), 5);
    assert_eq!(answer.traces.finding, "Memory full: +1.5% to +31%");
    // The columns are what the percentages compare.
    assert!(answer.traces.per_dollar && answer.traces.axis == "tokens per dollar, memory full");
    // The stated batch and full memory may say otherwise: each says of which it speaks, and the verdict is one.
    let asked = PRESETS
        .iter()
        .find(|preset| preset.id == "l-figure-4")
        .expect("it is there");
    let answer = say(asked.link);
    let text = answer.verdict.plain_text();
    assert!(
        text.contains(" per dollar: at 34 sequences, 22 together, "),
        "{text}"
    );
    assert_eq!(answer.traces.finding, "Memory full: +57% to +155%");
    let advice = answer.advice.plain_text();
    assert!(!advice.contains("pays"), "{advice}");
    // Without prices what is left is what the split serves.
    let unpriced = say("v=1&mode=split&model=llama-3-70b&gpu=h200&precision=bf16&trace=kimi-conv");
    assert!(unpriced.prices.is_none() && !unpriced.traces.compared);
    assert!(
        unpriced.traces.finding.starts_with("Split: ")
            && unpriced.traces.finding.ends_with(" tok/s"),
        "{}",
        unpriced.traces.finding
    );
    let columns = unpriced.traces.table().columns.len();
    assert_eq!(columns, 6, "none of the cluster");
}

/// Which is why the control says so.
#[test]
fn gpus_of_the_scenario_are_not_used() {
    let [few, many] = ["8", "512"].map(|gpus| say(&format!("{L70}&gpus={gpus}")));
    assert_eq!((few.verdict, few.traces), (many.verdict, many.traces));
}

#[test]
fn one_price_can_be_had_in_every_view() {
    let answer = say("v=1&mode=split");
    let basis = answer.prices.expect("both are priced");
    assert!(
        basis.words.starts_with("H100 $11.06, H20 $4.63 an hour, ")
            && basis.words.ends_with("; Explore counts $2"),
        "{}",
        basis.words
    );
    let offer = basis.offer.expect("they differ");
    assert_eq!(offer.label, "Use $11.06 there");
    let SplitOutcome::Possible(after) = split_answer(&offer.inputs, false) else {
        panic!("a price makes nothing impossible");
    };
    let after = after.prices.expect("both are still priced");
    assert!(after.offer.is_none(), "{after:?}");
    assert!(
        after.words.starts_with("H100 $11.06, H20 $4.63"),
        "{after:?}"
    );
}

#[test]
fn short_requests_are_better_served_together() {
    let text = say(&format!("{L70}&trace=azure-conv")).verdict.plain_text();
    assert!(
        text.starts_with(
            "Apart or together is the same, 1.01× per dollar: for $44.2 an hour 4 H100"
        ),
        "{text}"
    );
}

#[test]
fn what_does_not_fit_offers_what_would() {
    let answer = say(&format!("{L70}&batch=2000&context=8192"));
    assert!(!answer.fits);
    // And is no better than what fits.
    assert_eq!(answer.rows.len(), 2, "no comparison");
    assert_eq!(answer.apart.finding, "The split does not fit");
    let text = answer.verdict.plain_text();
    assert!(
        text.starts_with("Does not fit. The cache of each H20 takes"),
        "{text}"
    );
    for repair in &answer.repairs {
        let mut inputs = permalink::read(&format!("{L70}&batch=2000&context=8192")).current;
        repair.apply(&mut inputs);
        let SplitOutcome::Possible(after) = split_answer(&inputs, false) else {
            panic!("{repair:?}");
        };
        assert!(after.fits, "{repair:?}");
    }
    assert!(answer.repairs.len() > 1, "{:?}", answer.repairs);
}

#[test]
fn an_impossible_split_names_its_control_and_offers_what_works() {
    for (link, key) in [
        ("memory_gpus=5", "memory_gpus"),
        ("batches=3&compute_gpus=3", "batches"),
        ("compute_gpus=1&trace=azure-conv", "compute_gpus"),
    ] {
        let link = format!("{L70}&{link}");
        let SplitOutcome::Impossible(problems) = outcome(&link) else {
            panic!("{link} is possible");
        };
        assert_eq!(problems[0].key, key);
        assert!(!problems[0].repairs.is_empty(), "{problems:?}");
        for repair in &problems[0].repairs {
            let mut inputs = permalink::read(&link).current;
            repair.apply(&mut inputs);
            assert!(
                matches!(split_answer(&inputs, false), SplitOutcome::Possible(_)),
                "{repair:?}"
            );
        }
    }
}

#[test]
fn a_mixer_that_no_split_knows_has_a_way_out() {
    let link = "v=1&model=deepseek-v3.2&mode=split";
    let SplitOutcome::Impossible(problems) = outcome(link) else {
        panic!("an index has no split");
    };
    assert!(problems[0].facts.ends_with(" layers are not"));
    let mut inputs = permalink::read(link).current;
    problems[0].repairs[0].apply(&mut inputs);
    assert!(inputs.bundle().is_ok(), "{:?}", inputs.mode);
}

#[test]
fn parts_make_the_step() {
    for link in [
        "v=1&mode=split",
        "v=1&mode=split&q_early=off&batches=1",
        L70,
    ] {
        let answer = say(link);
        let inputs = permalink::read(link).current;
        let setup = Setup::of(&inputs).unwrap();
        let split = evaluate(&setup).unwrap();
        let row = &answer.parts.rows[0];
        assert!(
            (row.step_s() / split.step.get() - 1.0).abs() < 1e-9,
            "{link}"
        );
        if let Some(other) = homogeneous(&inputs, &setup) {
            let row = &answer.parts.rows[1];
            assert!(
                (row.step_s() / other.evaluation.step.get() - 1.0).abs() < 1e-9,
                "{link}"
            );
        }
    }
}

#[test]
fn without_a_common_price_nothing_is_made_up() {
    let answer = say("v=1&mode=split&gpu=h200&batch=1000");
    let text = answer.verdict.plain_text();
    assert!(
        text.contains("No source prices both H200 SXM and H20 96 GB"),
        "{text}"
    );
    assert!(answer.degrees.degrees.is_empty());
    // Two sources are mixed only by who asks for it, and then both sides are compared.
    let [offer] = answer.repairs.as_slice() else {
        panic!("{:?}", answer.repairs);
    };
    let mut inputs = permalink::read("v=1&mode=split&gpu=h200&batch=1000").current;
    offer.apply(&mut inputs);
    let SplitOutcome::Possible(after) = split_answer(&inputs, false) else {
        panic!("a price makes nothing impossible");
    };
    assert!(after.prices.is_some() && after.verdict.plain_text().contains(" per dollar: "));
    assert_eq!(offer.label, "Use $2.90 and $0.84");
    let [row] = answer.rows.as_slice() else {
        panic!("nothing to compare with: {:?}", answer.rows);
    };
    assert_eq!((row.id, row.cells[2].value.as_str()), ("split", "–"));
}

/// Both sides keep the SLO, or the one that does is kept; figures, table and title are of the same.
#[test]
fn a_split_holds_the_slo() {
    let link = "v=1&mode=split&model=llama-3-70b&gpu=h100&gpus=8&batch=64&context=8k&slo=25";
    let answer = say(link);
    assert_eq!(
        answer.verdict.plain_text(),
        "Keep them together: no batch of 1 H100 with 2 H20 for attention keeps 25 tok/s per user, at 64 sequences it has \
         16.8; for $22.1 an hour 2 H100 serve 947 tok/s with 37 sequences."
    );
    assert_eq!(
        answer.apart.finding,
        "Only together keeps 25 tok/s per user"
    );
    assert!(answer.rows[1].cells[1].value.ends_with(", misses 25"));
    assert_eq!(
        answer.traces.finding,
        "The split is too slow for all of them"
    );
    assert!(
        answer
            .traces
            .traces
            .iter()
            .all(|trace| trace.missing[0] == "too slow")
    );
    assert_eq!(answer.degrees.finding, "No split for $22.1/h keeps the SLO");
    let all = say("v=1&mode=split&model=llama-3-70b&gpu=h100&gpus=8&batch=64&context=8k&slo=200");
    assert!(
        all.verdict
            .plain_text()
            .starts_with("Neither: no batch of ")
    );
    assert_eq!(all.apart.finding, "Neither keeps 200 tok/s per user");
    assert!(all.rows[1].cells[1].value.ends_with(", misses 200"));
}

/// What is offered has more for its money than what there is together.
#[test]
fn nothing_worse_than_together_is_offered() {
    let link = "v=1&mode=split&model=gpt-oss-120b&gpu=h100&gpus=8&batch=128&context=8k";
    let answer = say(link);
    let text = answer.verdict.plain_text();
    assert!(
        text.starts_with("Keep them together, apart 0.498× per dollar: at 128 sequences "),
        "{text}"
    );
    assert_eq!(answer.repairs, []);
    let advice = answer.advice.plain_text();
    assert!(
        !advice.contains("(3, 1)") && !advice.contains("pays"),
        "{advice}"
    );
}

#[test]
fn every_finding_is_short_enough_for_a_title() {
    for link in [
        "v=1&mode=split",
        "v=1&mode=split&gpu=h200",
        "v=1&mode=split&context=16M&batch=10M",
        "v=1&mode=split&context=1&batch=2&net=1e9&net_us=0",
        "v=1&mode=split&batches=16&net=0.001",
        L70,
    ] {
        let answer = say(link);
        for finding in [
            answer.parts.finding(),
            answer.bandwidth.finding(),
            answer.degrees.finding(),
            answer.traces.finding(),
            answer.rotation.finding(),
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
}
