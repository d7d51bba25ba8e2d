//! What a scenario fails at, in words: its memory or its SLO.

use model_core::evaluate::with_batch;
use model_core::limits::{LEVEL, NoBatch};

use super::Evaluated;
use super::advice::{self, Levers, Than};
use super::sentence::{Sentence, Tone};
use crate::format;
use crate::theme::Role;

/// "Misses the SLO: 12.5 of 20 tok/s per user; 11,545 sequences meet it. "; `None` where there is no SLO or
/// it is met.
pub(super) fn missed_slo(case: &Evaluated, levers: &Levers, said: Sentence) -> Option<Sentence> {
    let wanted = case.scenario.workload.slo?;
    let reached = case.evaluation.tokens_per_user;
    if reached >= wanted {
        return None;
    }
    let said = said
        .then(Tone::Bad, "Misses the SLO")
        .say(": ")
        .then(Tone::Strong, format::below(reached, wanted))
        .say(format!(" of {} tok/s per user; ", format::printed(wanted)));
    let said = match case.largest {
        Ok(largest) => {
            let verb = if largest.batch > 1.0 { "meet" } else { "meets" };
            said.say(format!("{} {verb} it", advice::sequences(largest.batch)))
                .and(as_much(case))
                .say(". ")
        }
        Err(_) => said.say("no batch meets it. "),
    };
    Some(advice::lead(case, levers, Than::Now, said))
}

/// "Does not fit. 512 sequences per GPU need 92.6 of 80 GiB. The most that fits is 415 per GPU."
///
/// Where not even one sequence in every micro-batch fits, the part that is too large is named.
///
/// How to make room is for what is `told` of after it, where something is.
pub(super) fn does_not_fit(case: &Evaluated, told: &Levers, said: Sentence) -> Sentence {
    let memory = &case.evaluation.memory;
    let has = format::printed(memory.usable.as_gib());
    let said = said.then(Tone::Bad, "Does not fit.");
    if memory.weights() >= memory.usable {
        let weights = format::figure(memory.weights().as_gib());
        let spec = case.scenario.plan.spec();
        let copies = case.scenario.arch.is_moe() && spec.redundant > 0;
        let fewer = match (
            copies,
            spec.dp > 1 && spec.tp * spec.kvp < case.scenario.cluster.gpus,
        ) {
            (true, _) => "use more GPUs, fewer bytes or fewer redundant experts.",
            (false, true) => "split them over more GPUs (TP, PP), or use fewer bytes per weight.",
            (false, false) => "use more GPUs, or fewer bytes per weight.",
        };
        return said
            .say(" The weights alone take ")
            .then(Tone::Strong, format!("{weights} of {has} GiB"))
            .say(format!(": {fewer}"));
    }
    let needs = format::figure(memory.most().as_gib());
    let room = case.limits.b_cap;
    let verb = if case.scenario.workload.batch > 1.0 {
        "need"
    } else {
        "needs"
    };
    let least = case.scenario.plan.micro_batches();
    if room < least {
        // What would fit has room in the same lines.
        let beside = match told.first() {
            Some(_) => " ",
            None => " Beside the weights there is ",
        };
        let (lead, of) = match room >= 1.0 {
            true => (
                "room for the ",
                format!(
                    " of {}, not of the {} run at once",
                    advice::sequences(room),
                    format::count(least)
                ),
            ),
            false => ("no room for the ", " of one sequence per group".to_owned()),
        };
        let batch = advice::sequences(case.scenario.workload.batch);
        let lead = match told.first() {
            Some(_) => format::capital(lead),
            None => lead.to_owned(),
        };
        return said
            .say(format!("{beside}{lead}"))
            .then(Tone::Role(Role::Kv), "KV cache")
            .say(format!("{of}: {batch} {verb} {needs} of {has} GiB."))
            .say(match told.first() {
                Some(_) => "",
                None => " Split the context (KVP) or shorten it.",
            });
    }
    let batch = match case.sequences(case.scenario.workload.batch) {
        each if each.ends_with("per GPU") => each.replacen(" per", " sequences per", 1),
        all => all,
    };
    let on = match memory.whole > 1.0 {
        true => " on the fullest GPU",
        false => "",
    };
    let said = said
        .say(format!(
            " {batch} {verb} {needs} of {has} GiB{on}. The most that fits is "
        ))
        .then(Tone::Strong, case.sequences(room));
    match case.largest {
        Ok(largest) if largest.batch < room => said
            .say(", and ")
            .then(Tone::Strong, case.sequences(largest.batch))
            .say(" meet the SLO")
            .and(as_much(case))
            .say("."),
        Err(NoBatch::Slo) => said.say(", and none of them meets the SLO."),
        _ => said.and(as_much(case)).say("."),
    }
}

/// ", and 6,126 sequences serve as much": after a batch that is the largest, where throughput is flat; where it falls ", and
/// 2,750 sequences serve 1.39× as much".
pub(super) fn as_much(case: &Evaluated) -> Sentence {
    let said = Sentence::default();
    let Some(enough) = case.less_than_largest() else {
        return said;
    };
    // Where prompts are waited for fewer serve more.
    let rate = |batch: f64| with_batch(&case.scenario, batch).map_or(0.0, |found| found.tokens);
    let more = rate(enough) / case.largest.map_or(0.0, |largest| rate(largest.batch));
    let much = match more.is_finite() && more * LEVEL >= 1.0 {
        true => format!("{} as much", format::factor(more)),
        false => "as much".to_owned(),
    };
    if case.serves_as_much() {
        return said.say(format!(", and yours serve {much}"));
    }
    let verb = if enough > 1.0 { "serve" } else { "serves" };
    said.say(", and ")
        .then(Tone::Strong, advice::sequences(enough))
        .say(format!(" {verb} {much}"))
}
