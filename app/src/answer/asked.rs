//! A preset asks a question: its headline begins with the answer, worked out like everything else.

use std::sync::LazyLock;

use model_core::cost::memory::sequence_bytes;
use model_core::disagg::split::Setup;
use model_core::disagg::split::bandwidth::minimum_bandwidth;
use model_core::evaluate::with_batch;
use model_core::limits::curves::greatest_advantage;
use model_core::limits::growth::{gpu_counts, growth};
use model_core::limits::instances::{BreakEven, Instances};
use model_core::permalink::{self, View};
use model_core::scenario::preset::PRESETS;
use model_core::scenario::{Inputs, Number};
use model_core::search::Search;

use super::sentence::{Sentence, Tone};
use super::{Evaluated, Offer, advice};
use crate::format;

/// A preset's scenario, pinned scenario and view.
struct Asked {
    id: &'static str,
    view: View,
    current: Inputs,
    pinned: Option<Inputs>,
}

static ASKED: LazyLock<Vec<Asked>> = LazyLock::new(|| {
    PRESETS
        .iter()
        .map(|preset| {
            let link = permalink::read(preset.link);
            Asked {
                id: preset.id,
                view: link.shown.view,
                current: link.current.normalized(),
                pinned: link.pinned.map(|pinned| pinned.normalized()),
            }
        })
        .collect()
});

/// The preset that asks for one large deployment or many.
const ONE_OR_MANY: &str = "b-figure-12";

/// The preset that is shown in a view, if it is one.
fn preset(inputs: &Inputs, pinned: Option<&Inputs>, view: View) -> Option<&'static str> {
    let (current, pinned) = (
        inputs.normalized(),
        pinned.map(|pinned| pinned.normalized()),
    );
    // Links of before "One large or many?" moved show Limits, and their headline answers as it did.
    let shown =
        |asked: &&Asked| asked.view == view || (asked.id == ONE_OR_MANY && view == View::Limits);
    ASKED
        .iter()
        .filter(shown)
        .find(|asked| asked.current == current && asked.pinned == pinned)
        .map(|asked| asked.id)
}

/// What comes first in Explore: the preset's answer.
pub(super) fn in_explore(case: &Evaluated, pinned: Option<&Evaluated>) -> Option<Sentence> {
    let theirs = pinned.map(|pinned| &pinned.inputs);
    match preset(&case.inputs, theirs, View::Explore) {
        Some("v3-32-h100") => Some(can_serve(case)),
        Some("v3-48-gb200") => pinned.map(|pinned| {
            let times = case.evaluation.tokens_per_gpu / pinned.evaluation.tokens_per_gpu;
            let users = case.evaluation.tokens_per_user / pinned.evaluation.tokens_per_user;
            Sentence::default()
                .then(
                    Tone::Strong,
                    format!("{} the tokens per GPU", format::factor(times)),
                )
                .say(format!(
                    " of {} {}, at {} a user's speed. ",
                    format::count(pinned.gpus()),
                    super::split::short_name(pinned.inputs.gpu.name()),
                    format::factor(users)
                ))
        }),
        Some("k2-72-h100") => pinned.map(|pinned| {
            let change = pinned.evaluation.tpot / case.evaluation.tpot;
            let slower = change < 1.0;
            let by = format::percent_change(if slower { 1.0 / change } else { change }, 1.0);
            let word = if slower { "slower" } else { "faster" };
            Sentence::default()
                .then(Tone::Strong, if slower { "Yes: " } else { "No: " })
                .say(format!(
                    "{} makes its tokens {} {word} than {}, {} against {}. ",
                    case.inputs.model.name(),
                    by.trim_start_matches('+'),
                    pinned.inputs.model.name(),
                    format::millis(case.evaluation.tpot.get()),
                    format::millis(pinned.evaluation.tpot.get()),
                ))
        }),
        Some("v3-context") => pinned.map(|pinned| {
            let time = case.evaluation.tpot / pinned.evaluation.tpot;
            let cost = case
                .evaluation
                .dollars_per_mtok
                .zip(pinned.evaluation.dollars_per_mtok);
            let said = Sentence::default()
                .then(
                    Tone::Strong,
                    format!("{} the time per token", format::factor(time)),
                )
                .say(format!(
                    " of {} tokens",
                    format::tokens(pinned.scenario.workload.context)
                ));
            match cost {
                Some((now, then)) => said.say(format!(
                    ", {} against {} per M tokens. ",
                    format::dollars(now),
                    format::dollars(then)
                )),
                None => said.say(". "),
            }
        }),
        Some("v3.2-sparse") => pinned.map(|pinned| {
            let name = pinned.inputs.model.name();
            saves(case, pinned, &format!("A ({name})"))
        }),
        Some("gpt-oss-window") => {
            pinned.map(|pinned| saves(case, pinned, "the same with full layers alone"))
        }
        Some(_) | None => None,
    }
}

/// "0.714× the time per token of A (DeepSeek-V3), 21.0 ms against 30.0; a sequence keeps 9.56 GiB against 8.58. "
fn saves(case: &Evaluated, pinned: &Evaluated, than: &str) -> Sentence {
    let (now, then) = (case.evaluation.tpot, pinned.evaluation.tpot);
    let times = format::factor(now / then);
    Sentence::default()
        .then(Tone::Strong, format!("{times} the time per token"))
        .say(format!(
            " of {than}, {} against {}; a sequence keeps {}. ",
            format::millis(now.get()),
            format::millis(then.get()),
            kept(case, pinned)
        ))
}

/// "9.56 GiB against 8.58": the cache of a sequence, whole.
fn kept(case: &Evaluated, pinned: &Evaluated) -> String {
    let [now, then] =
        [case, pinned].map(|case| format::sig3(sequence_bytes(&case.scenario).total.as_gib()));
    format!("{now} GiB against {then}")
}

/// "Later: 176 sequences of 128k tokens fit, of A (Qwen3 235B) 32; each keeps 3.93 GiB against 23.5. "
fn fills(case: &Evaluated, pinned: &Evaluated) -> Sentence {
    let more = case.limits.b_cap > pinned.limits.b_cap;
    Sentence::default()
        .then(Tone::Strong, if more { "Later: " } else { "Sooner: " })
        .say(format!(
            "{} of {} tokens fit, of A ({}) {}; each keeps {}. ",
            advice::sequences(case.limits.b_cap),
            format::tokens(case.scenario.workload.context),
            pinned.inputs.model.name(),
            format::count(pinned.limits.b_cap),
            kept(case, pinned)
        ))
}

/// The batch that the answer in Explore tells of, for a button: as much as fits.
pub(super) fn offer(case: &Evaluated, pinned: Option<&Evaluated>) -> Option<Offer> {
    let theirs = pinned.map(|pinned| &pinned.inputs);
    let told = preset(&case.inputs, theirs, View::Explore) == Some("v3-32-h100");
    let room = case.largest.ok().filter(|_| told)?.batch;
    let other = room.to_bits() != case.scenario.workload.batch.to_bits();
    other.then(|| advice::use_batch(case, room, "As many sequences as fit"))
}

/// "Yes: up to 343 sequences per GPU fit, for 5.55× the throughput; 32 per GPU serve 685 tok/s per GPU at 21.4 per user. "
fn can_serve(case: &Evaluated) -> Sentence {
    let Ok(largest) = case.largest else {
        return Sentence::default()
            .then(Tone::Bad, "No: ")
            .say("nothing fits. ");
    };
    let more = with_batch(&case.scenario, largest.batch)
        .map(|full| full.tokens / case.evaluation.tokens)
        .ok()
        .filter(|more| *more >= model_core::advice::WORTH)
        .map_or_else(
            || ", and".to_owned(),
            |more| format!(", for {} the throughput;", format::factor(more)),
        );
    Sentence::default().then(Tone::Strong, "Yes: ").say(format!(
        "up to {} fit{more} {} serve {} tok/s per GPU at {} per user. ",
        each(case.sequences(largest.batch)),
        case.sequences(case.scenario.workload.batch),
        format::si(case.evaluation.tokens_per_gpu),
        format::sig3(case.evaluation.tokens_per_user)
    ))
}

/// "343 sequences per GPU".
fn each(text: String) -> String {
    if text.ends_with("per GPU") {
        text.replacen(" per", " sequences per", 1)
    } else {
        text
    }
}

/// What comes first in Limits, and whether it is all there is to say.
pub(super) fn in_limits(case: &Evaluated, pinned: Option<&Evaluated>) -> Option<(Sentence, bool)> {
    let theirs = pinned.map(|pinned| &pinned.inputs);
    let whole = |said: Option<Sentence>| said.map(|said| (said.trimmed(), true));
    match preset(&case.inputs, theirs, View::Limits) {
        Some("qwen3.5-hybrid") => whole(pinned.map(|pinned| fills(case, pinned))),
        Some("b-figure-3") => whole(pinned.and_then(|pinned| fuller(case, pinned))),
        Some("b-figure-9") => whole(pinned.and_then(|pinned| buys(case, pinned))),
        Some("b-figure-8") => whole(growing(case)),
        Some(ONE_OR_MANY) => whole(one_or_many(&case.inputs)),
        _ => Some((pinned.and_then(|pinned| fuller(case, pinned))?, false)),
    }
}

/// What Plans says instead of its own verdict, for a preset that asks something else.
pub(super) fn in_plans(inputs: &Inputs, two_batch: bool) -> Option<Sentence> {
    if preset(inputs, None, View::Plans)? != ONE_OR_MANY {
        return None;
    }
    let search = Search {
        two_batch,
        ..Search::default()
    };
    one_or_many(&search.scheduled(inputs)).map(Sentence::trimmed)
}

/// Whether Plans is asked which plan serves a model at a million tokens, as [H] asks it.
pub(super) fn for_helix(inputs: &Inputs) -> bool {
    let preset = preset(inputs, None, View::Plans);
    matches!(preset, Some("r1-helix-plans" | "405b-helix-plans"))
}

/// "2.80× the throughput at 2.53× the time per token, once 7,264 sequences fill the memory; A (GPT-3 175B) is
/// full at 132. "
fn buys(case: &Evaluated, pinned: &Evaluated) -> Option<Sentence> {
    let full = with_batch(&case.scenario, case.largest.ok()?.batch).ok()?;
    Some(
        Sentence::default()
            .then(
                Tone::Strong,
                format!(
                    "{} the throughput",
                    format::factor(full.tokens / case.evaluation.tokens)
                ),
            )
            .say(format!(
                " at {} the time per token, once {} fill the memory; A ({}) is full at {}. ",
                format::factor(full.tpot / case.evaluation.tpot),
                advice::sequences(case.limits.b_cap),
                pinned.inputs.model.name(),
                format::count(pinned.limits.b_cap)
            )),
    )
}

/// "Full, it serves up to 54.6× the tokens of A (GPT-3 175B), at 256k; 7,264 sequences fit, of A 132. ", per GPU where
/// their numbers differ, as everything else that is compared.
fn fuller(case: &Evaluated, pinned: &Evaluated) -> Option<Sentence> {
    let contexts: Vec<f64> = (8..=20).map(|power| f64::from(1_u32 << power)).collect();
    let found = greatest_advantage(&case.scenario, &pinned.scenario, &contexts)?;
    let name = pinned.inputs.model.name();
    let name = if name == case.inputs.model.name() {
        "A".to_owned()
    } else {
        format!("A ({name})")
    };
    let each = case.gpus().to_bits() != pinned.gpus().to_bits();
    if (found.throughput - 1.0).abs() < 0.005 {
        // The same deployment of the same model, at another context or batch.
        return Some(Sentence::default().say(format!(
            "Here {} fit, of {name} {}. ",
            advice::sequences(case.limits.b_cap),
            format::count(pinned.limits.b_cap)
        )));
    }
    Some(
        Sentence::default()
            .say("Full, it serves up to ")
            .then(
                Tone::Strong,
                format!(
                    "{} the tokens{}",
                    format::factor(found.throughput),
                    if each { " per GPU" } else { "" }
                ),
            )
            .say(format!(
                " of {name}, at {} tokens; here {} fit, of A {}. ",
                format::tokens(found.context),
                advice::sequences(case.limits.b_cap),
                format::count(pinned.limits.b_cap)
            )),
    )
}

/// "1,506 GiB on 1 GPU, 15.5 on 1,024: 2,048 sequences need at least 13. "
fn growing(case: &Evaluated) -> Option<Sentence> {
    let present = case.scenario.cluster.gpus;
    let grown = growth(&case.inputs, &gpu_counts(present, 1024.max(present)));
    let (first, last) = (grown.first()?, grown.last()?);
    let enough = super::limits::growth::fewest_fit(&case.inputs)?;
    let gib = |bytes: model_core::units::Bytes| format::figure(bytes.as_gib());
    Some(
        Sentence::default()
            .then(
                Tone::Strong,
                format!(
                    "{} GiB on {}, {} on {}",
                    gib(first.memory.most()),
                    advice::gpus(f64::from(first.gpus)),
                    gib(last.memory.most()),
                    format::count(f64::from(last.gpus))
                ),
            )
            .say(format!(
                ": {} need at least {}. ",
                advice::sequences(case.scenario.workload.batch),
                format::count(enough)
            )),
    )
}

/// "One of 256 in one domain: 1.02× the throughput of eight of 32; it wins from 270 GB/s on. "
fn one_or_many(inputs: &Inputs) -> Option<Sentence> {
    let pair = Instances::new(inputs).ok()?;
    let gain = pair.gain()?;
    let count = format::in_words(pair.count as usize);
    let small = format::count(f64::from(pair.small.cluster.gpus));
    let large = format::count(f64::from(pair.large.cluster.gpus));
    let (lead, ratio) = if gain >= 1.0 {
        (
            format!("One of {large} in one domain"),
            format::factor(gain),
        )
    } else {
        (
            format!("{} of {small}", format::capital(&count)),
            format::factor(1.0 / gain),
        )
    };
    let rival = if gain >= 1.0 {
        format!("{count} of {small}")
    } else {
        format!("one of {large} in one domain")
    };
    let from = match pair.break_even() {
        BreakEven::At(link) => {
            format!("; one wins from {} GB/s on", format::sig3(link.as_gb()))
        }
        BreakEven::Always => "; one wins over any link".to_owned(),
        BreakEven::Never => "; one wins over none".to_owned(),
    };
    Some(
        Sentence::default()
            .then(Tone::Strong, format!("{lead}: "))
            .say(format!(
                "{ratio} the throughput of {rival}, each as full as it can be{from}. "
            )),
    )
}

/// What comes first in the ratio half: "Yes: 17.3 to 1 instead of 9.32. ".
pub(super) fn in_ratio(inputs: &Inputs, best: f64) -> Option<Sentence> {
    if preset(inputs, None, View::Disaggregation)? != "r-long-prompts" {
        return None;
    }
    let usual = inputs.without(Number::MeanPrompt).bundle().ok()?;
    let (now, then) = (format::sig3(best), format::sig3(usual.answer().best.ratio));
    Some(
        Sentence::default()
            .then(Tone::Strong, if now == then { "No: " } else { "Yes: " })
            .say(format!("{now} to 1 instead of {then}. ")),
    )
}

/// What comes first in the split half: "18.2 GB/s per device are enough, of 50. ".
pub(super) fn in_split(inputs: &Inputs, setup: &Setup) -> Option<Sentence> {
    if preset(inputs, None, View::Disaggregation)? != "l-figure-4" {
        return None;
    }
    let least = minimum_bandwidth(setup)?;
    let has = setup.net.as_gb();
    let verdict = if least <= setup.net { "has" } else { "but has" };
    Some(
        Sentence::default()
            .then(
                Tone::Strong,
                format!("{} GB/s per device", format::sig3(least.as_gb())),
            )
            .say(format!(
                " keep it to {} more time; it {verdict} {}. ",
                format::share(setup.slow_down),
                format::printed(has)
            )),
    )
}
