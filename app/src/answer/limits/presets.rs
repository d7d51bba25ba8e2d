//! Answers of presets whose question is not the largest batch.

use model_core::cost::memory::sequence_bytes;
use model_core::evaluate::with_batch;
use model_core::limits::curves::greatest_advantage;
use model_core::permalink::View;

use super::growth;
use crate::answer::headline::Headline;
use crate::answer::names::{gpus, sequences};
use crate::answer::{Evaluated, Sentence, Tone, asked};
use crate::format;

/// Answer of the preset shown, if its question is not the largest batch.
pub fn answer(case: &Evaluated, pinned: Option<&Evaluated>) -> Option<Headline> {
    let theirs = pinned.map(|pinned| &pinned.inputs);
    let said = match asked::preset(&case.inputs, theirs, View::Limits)? {
        "qwen3.5-hybrid" => full_later(case, pinned?),
        "b-figure-3" | "k2.5-vr200" => most_beside(case, pinned?)?,
        "b-figure-9" => room_buys(case, pinned?)?,
        "b-figure-8" => memory_shrinks(case)?,
        _ => return None,
    };
    Some(Headline::Answer(said))
}

/// "Later: 176 sequences of 128k tokens fit, A's 32; 3.93 GiB each against 23.5."
fn full_later(case: &Evaluated, pinned: &Evaluated) -> Sentence {
    let [room, theirs] = [case, pinned].map(|case| case.limits.b_cap);
    let [keeps, against] =
        [case, pinned].map(|case| format::sig3(sequence_bytes(&case.scenario).total.as_gib()));
    let tokens = format::tokens(case.scenario.workload.context);
    Sentence::default()
        .then(Tone::Strong, if room > theirs { "Later" } else { "Sooner" })
        .say(": ")
        .then(Tone::Strong, sequences(room))
        .say(format!(
            " of {tokens} tokens fit, A’s {}; {keeps} GiB each against {against}.",
            format::count(theirs)
        ))
}

/// "Up to 54.6× A's tokens/s when full, at 256k; here 7,264 fit, A's 132."
fn most_beside(case: &Evaluated, pinned: &Evaluated) -> Option<Sentence> {
    let contexts: Vec<f64> = (8..=20).map(|power| f64::from(1_u32 << power)).collect();
    let found = greatest_advantage(&case.scenario, &pinned.scenario, &contexts)?;
    let [room, theirs] = [case, pinned].map(|case| case.limits.b_cap);
    Some(
        Sentence::default()
            .say("Up to ")
            .then(Tone::Strong, format::factor(found.throughput))
            .say(format!(
                " A’s tokens/s per GPU when full, at {}; here ",
                format::tokens(found.context)
            ))
            .then(Tone::Strong, format::count(room))
            .say(format!(" fit, A’s {}.", format::count(theirs))),
    )
}

/// "2.80× the throughput at 2.53× the TPOT with 7,264 sequences; A holds 132."
fn room_buys(case: &Evaluated, pinned: &Evaluated) -> Option<Sentence> {
    let batch = case.largest.ok()?.batch;
    let full = with_batch(&case.scenario, batch).ok()?;
    let throughput = format::factor(full.tokens / case.evaluation.tokens);
    Some(
        Sentence::default()
            .then(Tone::Strong, format!("{throughput} the throughput"))
            .say(format!(
                " at {} the TPOT with {}; A holds {}.",
                format::factor(full.tpot / case.evaluation.tpot),
                sequences(batch),
                format::count(pinned.limits.b_cap)
            )),
    )
}

/// "2,048 sequences need at least 13 GPUs: 110 GiB per GPU on 16, 15.5 on 1,024."
fn memory_shrinks(case: &Evaluated) -> Option<Sentence> {
    let data = growth::data(case);
    let fewest = growth::fewest_fit(&case.inputs)?;
    let first = data.bars.iter().find(|bar| data.fits(bar))?;
    let last = data.bars.last()?;
    let stores = |bytes: f64| format::figure(bytes / 1_073_741_824.0);
    Some(
        Sentence::default()
            .say(format!(
                "{} need at least ",
                sequences(case.scenario.workload.batch)
            ))
            .then(Tone::Strong, gpus(f64::from(fewest)))
            .say(format!(
                ": {} GiB each on {}, {} on {}.",
                stores(first.total_bytes()),
                format::count(first.gpus),
                stores(last.total_bytes()),
                format::count(last.gpus)
            )),
    )
}
