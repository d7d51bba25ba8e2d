//! One question, one answer in words: places that stand beside each other say it alike.

use std::sync::atomic::{AtomicU64, Ordering};

use app::answer::advice::Levers;
use app::answer::limits::limits_answer;
use app::answer::needs::wanted;
use app::answer::{FirstScreen, Outcome, answer};
use app::charts::Figure;
use app::charts::roofline::Bound;
use app::format;
use model_core::advice::Free;
use model_core::limits::saturation::saturation;
use model_core::plan::PlanSpec;
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
        // On top of what costs nothing, neither the chart nor the row is of what there is now.
        let after = explore.gains_of == "After the free step";
        assert_eq!(finding.contains("fter the free step"), after, "{finding}");
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
            !explore.fits && !largest && !after,
            "{finding}"
        );
        at_largest.fetch_add(u64::from(largest), Ordering::Relaxed);
        // What it would take is asked of the batch that is stated.
        let batch = inputs.get(Number::Batch).expect("always");
        for target in wanted(inputs) {
            if target.asked.contains("tok/s per user") {
                let with = format!(" with {}", app::answer::advice::sequences(batch));
                assert!(target.asked.ends_with(&with), "{}", target.asked);
                let now = target.now.split("; after the free step ").next();
                let hypothetical = now.is_some_and(|now| now.ends_with(" if it fit"));
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
    assert!(at_largest.into_inner() > pages() / 50);
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
        let drafted = levers.rest.filter(|more| more.changed.draft);
        let (Some(free), Some(more)) = (levers.free, drafted) else {
            return;
        };
        let says = |text: &str| verdict.contains(text);
        let with = says("; with one drafted token (") || says(", with one drafted token (");
        let instead = says("; one drafted token (") || says(", one drafted token (");
        if with || instead {
            let bare = |free: &Free| PlanSpec {
                redundant: 0,
                ..*free.scenario.plan.spec()
            };
            let same = bare(&free) == bare(&more) && free.inputs.precision == more.inputs.precision;
            assert_eq!((with, instead), (same, !same), "{verdict}");
            told.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(told.into_inner() > pages() / 100);
}

/// Within an SLO no change of the strip that costs nothing gives more than the headline names; without one the strip is of
/// the largest batch, and the headline of users as fast as now.
#[test]
fn the_headline_of_limits_names_the_best_free_lever() {
    let named = AtomicU64::new(0);
    law(pages(), |_, inputs| {
        let Some(limits) = limits_answer(inputs, None) else {
            return;
        };
        if inputs.get(Number::Slo).is_none() {
            return;
        }
        let text = limits.verdict.plain_text();
        let number = |text: &str| text.replace(',', "").parse::<f64>().ok();
        let most = text
            .split([' ', ';'])
            .filter_map(|word| number(word.trim_end_matches(['.', ',']).strip_suffix('×')?))
            .fold(1.0, f64::max);
        for row in &limits.lifts[..limits.free] {
            assert!(
                row.factor <= most * 1.035,
                "{} {}: {text}",
                row.label,
                row.factor
            );
            named.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(named.into_inner() > pages() / 20);
}

/// What costs nothing is one list in Explore and Limits, with the same buttons, and without an SLO the same gain; with one
/// what is bought on top of it is one number, too.
#[test]
fn explore_and_limits_give_one_number() {
    let (compared, levers_told) = (AtomicU64::new(0), AtomicU64::new(0));
    law(pages(), |_, inputs| {
        let Some(explore) = said(inputs) else { return };
        let limits = limits_answer(inputs, None).expect("Explore has it");
        let slo = inputs.get(Number::Slo).is_some();
        let levers = |offers: &[app::answer::Offer]| -> Vec<Inputs> {
            let levers = Levers::of(inputs);
            // Another batch of the same plan is what Limits names first, as the largest or the least that serves as much.
            let told = |free: &&Free| !free.changed.only_batch();
            let known = levers.iter().filter(told).map(|free| free.inputs);
            let known: Vec<Inputs> = known.collect();
            { offers.iter() }
                .map(|offer| offer.inputs)
                .filter(|inputs| known.contains(inputs))
                .collect()
        };
        let (here, there) = (levers(&explore.offers), levers(&limits.offers));
        assert_eq!(here, there);
        if !slo {
            for free in Levers::of(inputs)
                .iter()
                .filter(|free| here.contains(&free.inputs))
            {
                let gain = free.gain.map_or_else(String::new, format::factor);
                for text in [&explore.verdict, &limits.verdict] {
                    let text = text.plain_text();
                    assert!(text.contains(&gain), "{gain}: {text}");
                }
                levers_told.fetch_add(1, Ordering::Relaxed);
            }
            return;
        }
        if limits.lifts.is_empty() {
            return;
        }
        assert_eq!(explore.gains_of == "After the free step", limits.after);
        for (row, name) in [
            ("2× HBM", "HBM"),
            ("2× link", "Scale-out"),
            ("2× scale-up", "Scale-up"),
            ("2× memory", "Capacity"),
        ] {
            let there = limits.lifts.iter().find(|lift| lift.label == row);
            let here = explore.sensitivity.rows.iter().find(|row| row.name == name);
            let here = here.and_then(|here| here.twice.ratio());
            if let (Some(there), Some(here)) = (there, here) {
                assert!(
                    (there.factor / here - 1.0).abs() < 1e-9,
                    "{row} {} {here}",
                    there.factor
                );
                compared.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    assert!(compared.into_inner() > pages() / 4);
    assert!(levers_told.into_inner() > pages() / 8);
}

/// What is bought is not asked for where the same GPUs do it otherwise: a size stands beside no button that makes it needless.
#[test]
fn nothing_is_bought_for_what_costs_nothing() {
    let free = AtomicU64::new(0);
    law(pages(), |_, inputs| {
        let Some(explore) = said(inputs) else { return };
        let limits = limits_answer(inputs, None).expect("Explore has it");
        let levers = Levers::of(inputs);
        for (verdict, offers) in [
            (&explore.verdict, &explore.offers),
            (&limits.verdict, &limits.offers),
        ] {
            if levers.first().is_none_or(|free| free.changed.only_batch()) {
                continue;
            }
            let text = verdict.plain_text();
            assert!(!text.contains("It takes "), "{text}");
            let gpus = offers.iter().find(|offer| offer.label.ends_with(" GPUs"));
            assert!(gpus.is_none(), "{gpus:?}: {text}");
            free.fetch_add(1, Ordering::Relaxed);
        }
        free.fetch_add(1, Ordering::Relaxed);
    });
    assert!(free.into_inner() > pages() / 10);
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
                let what = label
                    .trim_start_matches("use ")
                    .trim_start_matches("turn ")
                    .trim_start_matches("leave out ");
                // How many GPUs would do is its own reason.
                let gpus = what.ends_with("gpus") || what.ends_with("1 gpu");
                // What comes on top of the plan that leads is not said with it again.
                let rests = ["one draft", "fp8 kv", "redundant experts"];
                let rests =
                    { rests.into_iter() }.any(|rests| what.contains(rests) && text.contains(rests));
                // Rooms are said per GPU where every GPU has whole sequences of its own.
                let batch = what.chars().all(|of| of.is_ascii_digit() || of == ',');
                let room = batch && text.contains("per gpu");
                assert!(
                    gpus || rests || room || text.contains(what),
                    "{}: {text}",
                    offer.label
                );
            }
        }
    });
}
