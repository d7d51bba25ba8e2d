//! One number for one thing.

use app::answer::advice::batches;
use app::answer::limits::limits_answer;
use app::answer::ratio::decision::{DECODE_ALONE, Decision, Winner};
use app::answer::ratio::{RatioView, ratio_view};
use app::answer::split::{SplitOutcome, SplitRow, split_answer};
use app::answer::{FirstScreen, Outcome, answer, apart};
use app::charts::apart::Mark;
use app::charts::{Figure, RatioPoint, SensitivityRow};
use app::format;
use model_core::advice::{Basis, Free, Levers, best_free, most};
use model_core::cost::memory::batch_capacity;
use model_core::disagg::own::How;
use model_core::evaluate::{evaluate, with_batch};
use model_core::limits::{enough, fullest, largest};
use model_core::plan::PlanSpec;
use model_core::scenario::{Inputs, Number, Scenario};
use model_core::sensitivity::{Change, Compared, Effect, Resource, changed, effect};
use model_core::verdict::verdict;
use model_core::workload::Engine;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{SCENARIOS, law, pages};

fn said(inputs: &Inputs) -> Option<FirstScreen> {
    match answer(inputs, None) {
        Outcome::Possible(answer) => Some(*answer),
        Outcome::Impossible(_) => None,
    }
}

/// The largest batch under SLO and memory is one number, and at it the page says that it works.
#[test]
fn the_largest_batch_is_the_same_everywhere() {
    law(pages(), |_, inputs| {
        let Some(explore) = said(inputs) else { return };
        let limits = limits_answer(inputs, None).expect("Explore has it");
        let scenario = inputs.scenario().expect("possible");
        assert_eq!(explore.better_batch, limits.better_batch);
        let Ok(found) = largest(&scenario) else {
            assert_eq!(explore.better_batch, None);
            return;
        };
        if let Some(slo) = inputs.get(Number::Slo) {
            let cell = &limits.figures[1];
            assert_eq!(
                cell.name,
                format!("Keeps {} tok/s per user up to", format::printed(slo))
            );
            assert_eq!(cell.value, format::sequences(found.batch));
            let offered = batches(inputs);
            let offer = offered
                .iter()
                .find(|offer| offer.label.ends_with("the SLO"));
            let at = offer.map_or(inputs.get(Number::Batch), |offer| {
                offer.inputs.get(Number::Batch)
            });
            assert_eq!(at.map(f64::to_bits), Some(found.batch.to_bits()));
        }
        if let Some(batch) = explore.better_batch {
            // Of batches that serve as much the least is offered.
            let most = fullest(&scenario, 0.0).expect("some work");
            assert_eq!(batch.to_bits(), enough(&scenario, most).to_bits());
            assert!(batch.fract() == 0.0, "whole sequences");
            let better = said(&inputs.with(Number::Batch, batch)).expect("possible");
            assert!(better.fits && better.better_batch.is_none());
            let words = better.verdict.plain_text();
            assert!(
                !words.starts_with("Does not fit") && !words.starts_with("Misses"),
                "{words}"
            );
        }
    });
}

/// It is where the model says it is: it fits and meets the SLO, and one sequence more does not.
#[test]
fn the_largest_batch_is_the_edge() {
    law(SCENARIOS, |_, inputs| {
        let scenario = inputs.scenario().expect("the space is possible");
        let Ok(found) = largest(&scenario) else {
            return;
        };
        let slo = scenario.workload.slo.unwrap_or(0.0);
        let at = with_batch(&scenario, found.batch).expect("finite");
        assert!(found.batch.fract() == 0.0 && found.batch >= scenario.plan.micro_batches());
        assert!(at.memory.fits() && at.tokens_per_user >= slo);
        // The fullest group holds the mean rounded up.
        let most = batch_capacity(&scenario).min(Number::Batch.spec().most);
        if found.batch + 1.0 <= most {
            let more = with_batch(&scenario, found.batch + 1.0).expect("finite");
            assert!(more.tokens_per_user < slo, "one more would do");
        }
    });
}

/// Every button leads where it says, and what it leads to works.
#[test]
fn an_offer_keeps_its_promise() {
    law(pages(), |_, inputs| {
        let Some(explore) = said(inputs) else { return };
        for offer in &explore.offers {
            let Some(after) = said(&offer.inputs) else {
                panic!("{} is impossible", offer.label)
            };
            assert!(after.fits, "{}", offer.label);
            if inputs.get(Number::Slo).is_some() {
                let words = after.verdict.plain_text();
                assert!(!words.starts_with("Misses"), "{}: {words}", offer.label);
            }
        }
    });
}

/// The row of gains, the verdict and *What to buy?* measure a resource alike, and recommend nothing that the
/// SLO forbids or memory cannot use.
#[test]
fn a_resource_is_worth_the_same_in_the_verdict_and_in_the_chart() {
    law(SCENARIOS, |_, inputs| {
        let scenario = inputs.scenario().expect("the space is possible");
        let now = evaluate(&scenario).expect("finite");
        let compared = Compared::of(&scenario, &now);
        let told = verdict(&scenario, &now);
        for (resource, change) in [
            (Resource::ScaleOut, Change::Twice),
            (Resource::ScaleUp, Change::Twice),
            (Resource::Hbm, Change::Twice),
            (Resource::Compute, Change::Twice),
            (Resource::Latency, Change::Half),
        ] {
            let Effect::Throughput(ratio) = effect(&scenario, &now, resource, change) else {
                continue;
            };
            assert_eq!(
                ratio.to_bits(),
                told.gain(resource).to_bits(),
                "{resource:?}"
            );
            let other = changed(&scenario, resource, change.factor()).expect("it has an effect");
            if let (true, Some(slo)) = (compared.at_largest, scenario.workload.slo) {
                let then = evaluate(&other).expect("finite");
                assert!(
                    then.memory.fits() && then.tokens_per_user >= slo,
                    "{resource:?}"
                );
            }
        }
    });
}

/// What a page says a step is bound by is what helps most of what a step's time is made of, and where it says that
/// nothing helps, no gain stands beside it.
#[test]
fn what_binds_is_what_helps() {
    const BINDS: [(&str, &str); 6] = [
        ("scale-out messages", "Scale-out"),
        ("scale-up messages", "Scale-up"),
        ("HBM bandwidth", "HBM"),
        ("arithmetic", "FLOP/s"),
        ("start-up latency", "Start-up latency"),
        ("launch and serving overhead", "Overhead"),
    ];
    let bound = AtomicUsize::new(0);
    law(pages(), |_, inputs| {
        let Some(explore) = said(inputs) else { return };
        let text = explore.verdict.plain_text();
        let best = |row: &SensitivityRow| {
            let twice = if row.less_is_better {
                &row.half
            } else {
                &row.twice
            };
            twice.ratio().unwrap_or(1.0)
        };
        let rows = &explore.sensitivity.rows;
        let gain = |name: &str| rows.iter().find(|row| row.name == name).map_or(1.0, best);
        if let Some((_, rest)) = text.split_once("ound by ") {
            let (_, named) = BINDS
                .into_iter()
                .find(|(words, _)| rest.starts_with(words))
                .unwrap_or_else(|| panic!("{text}"));
            let own = gain(named);
            for (_, other) in BINDS {
                assert!(gain(other) <= own * 1.03, "{other} beats {named}: {text}");
            }
            assert!(own >= 1.04, "{named} helps by {own}: {text}");
            bound.fetch_add(1, Ordering::Relaxed);
        }
        if text
            .to_lowercase()
            .contains("no single resource would help")
        {
            for row in rows.iter().filter(|row| row.name != "Redundant") {
                assert!(best(row) < 1.01, "{}: {text}", row.name);
            }
            for row in &explore.gains {
                assert!(row.factor < 1.01, "{}: {text}", row.label);
            }
        }
        if let Some((lead, _)) = text.split_once(" gives most, ") {
            let most = rows.iter().filter(|row| row.name != "Redundant").map(best);
            let most = most.fold(1.0, f64::max);
            let said = text[lead.len()..].trim_start_matches(" gives most, ");
            let said = said
                .split('×')
                .next()
                .and_then(|said| said.parse::<f64>().ok());
            assert!(
                said.is_none_or(|said| said >= most * 0.985),
                "{most}: {text}"
            );
        }
    });
    assert!(bound.into_inner() as u64 > pages() / 10);
}

/// Winner and factor of a ratio: verdict, chart and figure.
#[test]
fn together_or_apart_is_answered_once() {
    law(pages(), |_, inputs| {
        let (Ok(view), Some(decision)) = (ratio_view(inputs, None, false), Decision::of(inputs))
        else {
            return;
        };
        let chart = apart::data(inputs, Mark::Ratio, false);
        let text = view.verdict.plain_text();
        let finding = chart.finding();
        if text.starts_with("Does not fit") {
            return;
        }
        // What is stated may not fit; what is compared does.
        let stated = inputs.scenario().expect("it is compared");
        let fits = evaluate(&stated).is_ok_and(|now| now.memory.fits());
        let text = match text.split_once(" does not fit. ") {
            Some((batch, rest)) => {
                assert!(!fits && batch.starts_with("Batch "), "{text}");
                rest.to_owned()
            }
            None => text,
        };
        let (lead, title) = match decision.winner() {
            Some(Winner::Together) => ("Keep them together", " together"),
            Some(Winner::Apart) if decision.together.is_none() => ("Only apart: ", "only apart"),
            Some(Winner::Apart) => ("Take them apart, ", " apart gives"),
            Some(Winner::Neither) => ("Together or apart is the same, ", "much the same"),
            None => ("Neither: ", "neither"),
        };
        assert!(text.starts_with(lead), "{text} / {finding}");
        assert!(finding.contains(title), "{text} / {finding}");
        if let Some(factor) = decision.factor() {
            let factor = format::factor(factor);
            assert!(
                text.contains(&factor) && finding.contains(&factor),
                "{text} / {finding}"
            );
        }
        // Apart is no winner over GPUs that serve as much together in another sharding, as Plans finds it.
        // A speed beyond what an SLO can be is no question for Plans.
        let asked = inputs.with(Number::Slo, decision.users);
        let askable = asked.get(Number::Slo) == Some(decision.users);
        if let (Some(Winner::Apart), Some(apart), true) =
            (decision.winner(), decision.apart, askable)
        {
            let mut asked = asked;
            asked.state(Number::Ratio, Some(1.0));
            asked.state(Number::FfnInstances, Some(1.0));
            let context = asked.bundle().expect("it is compared").lengths.context();
            let free = most(&asked.with(Number::Context, context));
            let most = free.filter(|free| !free.changed.precision && !free.changed.copies);
            let most = most.map_or(0.0, |free| free.evaluation.tokens_per_gpu);
            assert!(most <= apart.per_gpu * 1.03, "{most}: {text}");
        }
        // The curve, the table and the waits speak of the same division, and none of them beats it.
        if let (Some(apart), Some(best)) = (decision.apart, decision.parts()) {
            let curve = &view.ratio.curve;
            let fast = |point: &&RatioPoint| 1.0 / point.tpot_s >= decision.users;
            let most = curve.iter().filter(fast).map(|point| point.rate);
            let most = most.fold(0.0, f64::max);
            let stated = [Number::Ratio, Number::Slots].map(|number| inputs.stated(number));
            if stated == [None, None] {
                assert_eq!(most.to_bits(), apart.per_gpu.to_bits(), "{text}");
                assert_eq!(
                    view.ratio.now.at.to_bits(),
                    f64::from(best.attention).to_bits()
                );
                assert_eq!(view.ratio.now.rate.to_bits(), apart.per_gpu.to_bits());
                let row = view
                    .bundles
                    .iter()
                    .find(|row| row.best)
                    .expect("a best row");
                assert!(
                    row.shown && row.rate == format::figure(apart.per_gpu),
                    "{row:?}"
                );
                assert!(view.way_out.is_none(), "{:?}", view.way_out);
            }
        }
        // In tokens per dollar winner and factor are the same.
        if let Ok(money) = ratio_view(inputs, None, true) {
            let said = money.verdict.plain_text();
            assert!(said.contains(lead), "{said}");
            if let Some(factor) = decision.factor() {
                assert!(said.contains(&format::factor(factor)), "{said}");
            }
        }
        for (cell, way) in view.figures.iter().zip([decision.together, decision.apart]) {
            let value = way.map_or_else(
                || format::NONE.to_owned(),
                |way| format::figure(way.per_gpu),
            );
            assert_eq!(cell.value, value, "{}", cell.name);
        }
    });
}

/// The best of the same GPUs together is what Explore offers of that plan, to the sequence: with an SLO, and without one for
/// users as fast as now.
#[test]
fn together_is_what_explore_offers_of_its_plan() {
    let [compared, told] = [0, 0].map(AtomicUsize::new);
    law(pages(), |_, inputs| {
        if inputs.engine == Engine::Aggregated {
            return;
        }
        let Some((decision, way)) =
            Decision::of(inputs).and_then(|of| Some((of.clone(), of.together?)))
        else {
            return;
        };
        let lengths = inputs.bundle().expect("it is compared").lengths;
        let same_context = inputs.get(Number::Context) == Some(lengths.context());
        let scenario = inputs.scenario().expect("it is compared");
        let now = evaluate(&scenario).expect("finite");
        if !same_context {
            return;
        }
        let How::Together(spec) = way.how else { return };
        let free = best_free(inputs);
        if let Some(free) = &free
            && *free.scenario.plan.spec() == spec
            && !free.changed.precision
            && !free.changed.copies
        {
            let (here, there) = (way.per_gpu, free.evaluation.tokens_per_gpu);
            assert_eq!(way.batch.to_bits(), free.scenario.workload.batch.to_bits());
            assert_eq!(here.to_bits(), there.to_bits());
            assert!(way.users >= decision.users);
            compared.fetch_add(1, Ordering::Relaxed);
            return;
        }
        // Where Explore prefers a plan of a measured kind, which may have 5 % less, it is named with what it serves.
        let named = Levers::of(inputs).free;
        let kept_precision = |free: &&Free| !(free.changed.precision || free.changed.copies);
        let beyond = |at: &Scenario, spec: &PlanSpec| {
            at.calibration.coverage.family().is_some() && (spec.pp > 1 || spec.kvp > 1)
        };
        let fits = |view: &RatioView| !view.verdict.plain_text().starts_with("Does not fit");
        if let Some(named) = named.as_ref().filter(kept_precision)
            && beyond(&scenario, &spec)
            && !beyond(&named.scenario, named.scenario.plan.spec())
            && named.evaluation.tokens_per_user >= decision.users
            && let Some(view) = ratio_view(inputs, None, false).ok().filter(fits)
        {
            let text = view.verdict.plain_text();
            let rate = format::figure(named.evaluation.tokens_per_gpu);
            let said = format!("(not measured; of those measured {rate})");
            assert!(text.contains(&said), "{said}: {text}");
            told.fetch_add(1, Ordering::Relaxed);
        }
        // Fewer sequences than a plan runs at once are no batch to offer.
        let sparse = now.memory.fits() && scenario.workload.batch < scenario.plan.micro_batches();
        if !sparse && free.as_ref().is_none_or(|free| kept_precision(&free)) {
            let basis = Basis::of(&scenario, &now);
            let there = free.as_ref().map(|free| &free.evaluation);
            if let Some(there) = there.or(basis.evaluation()) {
                let factor = way.per_gpu / there.tokens_per_gpu;
                assert!((0.97..=1.05 / 0.97).contains(&factor), "{factor}");
            }
        }
    });
    assert!(compared.into_inner() as u64 > pages() / 20);
    assert!(told.into_inner() as u64 >= pages() / 1000);
}

/// Prompts that only one side would read turn no winner: wherever the engine reads its own, both sides are compared at
/// decoding alone, and say so.
#[test]
fn prompts_of_one_side_turn_no_winner() {
    let compared = AtomicUsize::new(0);
    law(pages(), |_, inputs| {
        let mut reading = inputs.with(Number::MeanPrompt, 4000.0);
        if inputs
            .stated(Number::MeanOutput)
            .is_none_or(|output| output < 1.0)
        {
            reading.state(Number::MeanOutput, Some(500.0));
        }
        reading.engine = Engine::Aggregated;
        let mut decoding = reading;
        decoding.engine = Engine::Decode;
        if reading.scenario().is_err() {
            return;
        }
        let [read, decoded] = [reading, decoding].map(|inputs| Decision::of(&inputs));
        assert_eq!(read, decoded);
        if let (Ok(view), Some(_)) = (ratio_view(&reading, None, false), read) {
            let text = view.verdict.plain_text();
            let told = text.ends_with(DECODE_ALONE);
            assert!(told || text.starts_with("Does not fit"), "{text}");
            compared.fetch_add(1, Ordering::Relaxed);
        }
        let [read, decoded] = [reading, decoding].map(|inputs| split_answer(&inputs, true));
        if let (SplitOutcome::Possible(read), SplitOutcome::Possible(decoded)) = (read, decoded) {
            assert_eq!(read.rows, decoded.rows);
            let told = read.verdict.plain_text();
            assert!(told.starts_with(&decoded.verdict.plain_text()), "{told}");
        }
    });
    assert!(compared.into_inner() as u64 > pages() / 4);
}

/// Winner and factor of a split: verdict and chart.
#[test]
fn a_split_is_judged_once() {
    law(pages(), |_, inputs| {
        let SplitOutcome::Possible(answer) = split_answer(inputs, true) else {
            return;
        };
        let text = answer.verdict.plain_text();
        let finding = apart::data(inputs, Mark::Split, true).finding();
        let pairs = [
            ("Apart pays, ", "Split: "),
            ("Keep them together, apart ", "Together: "),
            ("Apart or together is the same, ", "Much the same"),
            ("Only apart: ", "Only split keeps "),
            ("Keep them together: ", "Only together keeps "),
            ("Neither: ", "Neither keeps "),
        ];
        let judged = text.as_str();
        for (lead, title) in pairs {
            assert_eq!(
                judged.starts_with(lead),
                finding.starts_with(title),
                "{text} / {finding}"
            );
        }
        let factor = finding.split(' ').find(|word| word.ends_with('×'));
        if let Some(factor) = factor {
            assert!(text.contains(factor), "{text} / {finding}");
        }
        // No winner misses the SLO, and nothing is offered that has less for its money than together.
        if let Some(slo) = inputs.get(Number::Slo)
            && text.contains("× per dollar: ")
        {
            assert!(
                text.contains(&format!("at {} tok/s per user", format::printed(slo))),
                "{text}"
            );
            let missed = |row: &SplitRow| row.cells[1].value.contains("misses");
            assert!(!answer.rows.iter().any(missed), "{text}");
        }
        for repair in answer
            .repairs
            .iter()
            .filter(|repair| repair.label.starts_with("Use ("))
        {
            let mut taken = *inputs;
            repair.apply(&mut taken);
            let SplitOutcome::Possible(after) = split_answer(&taken, true) else {
                panic!("{repair:?}");
            };
            let after = after.verdict.plain_text();
            assert!(!after.starts_with("Keep them together"), "{text} / {after}");
        }
        // By the second the verdict has the same winner and factor, and the table the verdict's side.
        let SplitOutcome::Possible(seconds) = split_answer(inputs, false) else {
            panic!("money makes nothing impossible");
        };
        let other = seconds.verdict.plain_text();
        for (lead, _) in pairs {
            assert_eq!(judged.starts_with(lead), other.starts_with(lead), "{other}");
        }
        if let Some(factor) = factor {
            assert!(other.contains(factor), "{other} / {finding}");
        }
        if let [.., against] = answer.rows.as_slice()
            && against.id == "against"
            && answer.fits
        {
            let change = &against.cells[0].value;
            let wrong = if judged.starts_with("Apart pays") {
                "worse"
            } else {
                "better"
            };
            let equal = judged.starts_with("Apart or together");
            let compared = judged.contains("× per dollar: ");
            assert!(
                equal || !compared || !change.ends_with(wrong),
                "{text} / {change}"
            );
        }
    });
}
