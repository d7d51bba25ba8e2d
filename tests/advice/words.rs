//! One question, one answer in words: places that stand beside each other say it alike.

use std::sync::atomic::{AtomicU64, Ordering};

use app::answer::advice::Levers;
use app::answer::limits::limits_answer;
use app::answer::needs::wanted;
use app::answer::{FirstScreen, Outcome, answer};
use app::charts::Figure;
use app::charts::roofline::Bound;
use app::format;
use model_core::limits::saturation::saturation;
use model_core::scenario::{Inputs, Number};

use super::{law, pages};

fn said(inputs: &Inputs) -> Option<FirstScreen> {
    match answer(inputs, None) {
        Outcome::Possible(answer) => Some(*answer),
        Outcome::Impossible(_) => None,
    }
}

/// The roofline's finding counts what takes longer to read than to compute, as the limits do: beyond both saturations
/// memory does not bind everything.
#[test]
fn what_is_saturated_is_not_bound_by_memory() {
    let saturated = AtomicU64::new(0);
    law(pages(), |_, inputs| {
        let Some(explore) = said(inputs) else { return };
        let scenario = inputs.scenario().expect("possible");
        let finding = explore.roofline.finding();
        let operators = || explore.roofline.operators.iter();
        let computes = operators().any(|of| of.bound == Bound::Compute);
        let batch = scenario.workload.batch;
        let found = saturation(&scenario);
        for from in [found.attention, found.ffn].into_iter().flatten() {
            if from <= batch {
                assert!(computes, "saturated from {from} on, {batch} now: {finding}");
                saturated.fetch_add(1, Ordering::Relaxed);
            }
        }
        // Another count than the calibrated one is named as that of the ideal roofs.
        assert_eq!(
            finding.starts_with("Memory binds all"),
            !computes,
            "{finding}"
        );
        assert!(
            !finding.contains("ridge") || finding.contains("ideal"),
            "{finding}"
        );
    });
    assert!(saturated.into_inner() > pages() / 20);
}

/// What does not fit, or misses its SLO, is judged by one batch on one page, and every place says which.
#[test]
fn gains_say_which_batch_they_are_of() {
    let at_largest = AtomicU64::new(0);
    law(pages(), |_, inputs| {
        let Some(explore) = said(inputs) else { return };
        let finding = explore.sensitivity.finding();
        let largest = explore.gains_of == "Within the SLO";
        let told = finding.contains("the largest batch");
        assert!(!told || largest, "{finding}");
        assert!(
            told == largest || explore.sensitivity.rows.is_empty(),
            "{} / {finding}",
            explore.gains_of
        );
        assert_eq!(
            finding.contains("if it did"),
            !explore.fits && !largest,
            "{finding}"
        );
        at_largest.fetch_add(u64::from(largest), Ordering::Relaxed);
        // What it would take is asked of the batch that is stated.
        let batch = inputs.get(Number::Batch).expect("always");
        for target in wanted(inputs) {
            if target.asked.contains("tok/s per user") {
                let with = format!(" with {}", app::answer::advice::sequences(batch));
                assert!(target.asked.ends_with(&with), "{}", target.asked);
                let hypothetical = target.now.ends_with(" if it fit");
                assert_eq!(hypothetical, !explore.fits, "{}", target.now);
            }
            for row in &target.rows {
                // "Nothing changes" would be said of numbers that another row changes.
                let stays = row.least.strip_prefix("none: stays at ");
                let ends = |stays: &str| target.now.contains(stays);
                assert!(stays.is_none_or(ends), "{} / {}", row.least, target.now);
            }
        }
    });
    assert!(at_largest.into_inner() > pages() / 20);
}

/// The fixed time of kernels and messages has one name: in the headline, the row of gains and the chart.
#[test]
fn start_up_latency_has_one_name() {
    const OTHERS: [&str; 5] = [
        "every start",
        "starts of",
        "½ latency",
        "Starts",
        "Halving latency",
    ];
    let named = AtomicU64::new(0);
    law(pages(), |_, inputs| {
        let Some(explore) = said(inputs) else { return };
        let verdict = explore.verdict.plain_text();
        let findings = [explore.sensitivity.finding(), explore.latency.finding()];
        let rows = &explore.sensitivity.rows;
        let labels = explore.gains.iter().map(|gain| gain.label.clone());
        let names = rows.iter().map(|row| row.name.clone());
        let texts: Vec<String> = labels
            .chain(names)
            .chain(findings)
            .chain([verdict])
            .collect();
        for text in &texts {
            assert!(!OTHERS.iter().any(|other| text.contains(other)), "{text}");
        }
        let gain = explore.gains.iter().find(|gain| gain.label == "½ start-up");
        if let Some(gain) = gain {
            let row = rows.iter().find(|row| row.name == "Start-up latency");
            let half = row.expect("it gains").half.ratio().expect("a number");
            assert_eq!(half.to_bits(), gain.factor.to_bits());
            named.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(named.into_inner() > pages() / 20);
}

/// Explore's room is the limit at which Limits calls memory full, in whole sequences.
#[test]
fn memory_has_room_for_one_number_of_sequences() {
    law(pages(), |_, inputs| {
        let Some(explore) = said(inputs) else { return };
        let limits = limits_answer(inputs, None).expect("Explore has it");
        let finding = explore.memory.finding();
        let Some((_, room)) = finding.split_once(", room for ") else {
            return;
        };
        let gpus = inputs.get(Number::Gpus).expect("always");
        let (number, unit) = room.split_once(' ').expect("a number and what of");
        let number = number.replace(',', "").parse::<f64>().expect("whole");
        let all = match unit {
            "per GPU" => number * gpus,
            "sequence" | "sequences" => number,
            other => panic!("{other}: {finding}"),
        };
        assert!(number.fract() == 0.0, "{finding}");
        let full = &limits.figures[4];
        assert_eq!(full.name, "Memory is full at");
        assert_eq!(full.value, format::sequences(all), "{finding}");
    });
}

/// "With one drafted token" is said of the plan beside it; another plan is named, and said to be instead.
#[test]
fn a_drafted_token_names_its_plan() {
    let told = AtomicU64::new(0);
    law(pages(), |_, inputs| {
        let Some(explore) = said(inputs) else { return };
        let verdict = explore.verdict.plain_text();
        let levers = Levers::of(inputs);
        let (Some(free), Some(more)) = (levers.free, levers.drafted) else {
            return;
        };
        let with = verdict.contains("; with one drafted token");
        let instead = verdict.contains(" instead ");
        if with || instead {
            let same = free.scenario.plan == more.scenario.plan
                && free.inputs.precision == more.inputs.precision;
            assert_eq!((with, instead), (same, !same), "{verdict}");
            told.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(told.into_inner() > pages() / 100);
}

/// With an SLO no change of the strip that costs nothing lifts the limit more than what the headline names; drafting rests on
/// what is accepted, and is named where it is worth it.
#[test]
fn the_headline_of_limits_names_the_best_free_lever() {
    let named = AtomicU64::new(0);
    law(pages(), |_, inputs| {
        let Some(limits) = limits_answer(inputs, None) else {
            return;
        };
        let text = limits.verdict.plain_text();
        if inputs.get(Number::Slo).is_none() || !text.contains(" on the same GPUs") {
            return;
        }
        let Some((_, rest)) = text.split_once(" lifts the limit ") else {
            return;
        };
        let (first, rest) = rest.split_once('×').expect("a factor");
        let number = |text: &str| text.replace(',', "").parse::<f64>().ok();
        let first = number(first).expect("a number");
        let most = rest
            .split(&[' ', ',', '.'][..])
            .filter_map(|word| number(word.strip_suffix('×')?))
            .fold(first, f64::max);
        for row in &limits.lifts[..limits.free] {
            let drafts = row.label == "1 drafted token";
            assert!(
                drafts || row.factor <= most * 1.01,
                "{} {}: {text}",
                row.label,
                row.factor
            );
        }
        named.fetch_add(1, Ordering::Relaxed);
    });
    assert!(named.into_inner() > pages() / 20);
}

/// Every button has its reason in the sentence beside it, in Explore and in Limits.
#[test]
fn a_button_is_told_of() {
    law(pages(), |_, inputs| {
        let Some(explore) = said(inputs) else { return };
        let limits = limits_answer(inputs, None).expect("Explore has it");
        for (verdict, offers) in [
            (explore.verdict, explore.offers),
            (limits.verdict, limits.offers),
        ] {
            let text = verdict.plain_text().to_lowercase();
            for offer in offers {
                let label = offer.label.to_lowercase();
                let label = label.replace("½ kv bytes", "a kv cache of half the bytes");
                let what = label
                    .trim_start_matches("use ")
                    .trim_start_matches("turn ")
                    .trim_start_matches("leave out ");
                // How many GPUs would do is its own reason.
                let gpus = what.ends_with("gpus") || what.ends_with("1 gpu");
                let drafts =
                    what.starts_with("one drafted token") && text.contains("one drafted token");
                // Rooms are said per GPU where every GPU has whole sequences of its own.
                let batch = what.chars().all(|of| of.is_ascii_digit() || of == ',');
                let room = batch && text.contains("per gpu");
                assert!(
                    gpus || drafts || room || text.contains(what),
                    "{}: {text}",
                    offer.label
                );
            }
        }
    });
}
