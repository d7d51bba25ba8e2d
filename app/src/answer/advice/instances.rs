//! The same GPUs as several instances, in words and as a button.

use model_core::advice::{Changed, Smaller};
use model_core::plan::Overlap;

use super::{
    Levers, Offer, Than, as_fast, briefly, gpus, listed, of_the_batch, released, sequences,
    unmeasured,
};
use crate::answer::sentence::{Sentence, Tone};
use crate::answer::{Evaluated, sharding};
use crate::format;

/// "3 instances of 24 GPUs", "2 instances of 8 GPUs with TP 8 and no overlap (not measured)".
pub(in crate::answer) fn instances(smaller: &Smaller) -> String {
    let Smaller { instances, each } = smaller;
    let plan = &each.scenario.plan;
    let mut with = Vec::new();
    if each.changed.draft || each.changed.cache {
        let Changed { draft, cache, .. } = each.changed;
        with.extend(draft.then(|| "one drafted token".to_owned()));
        with.extend(cache.then(|| "an FP8 KV cache".to_owned()));
    }
    if each.changed.precision {
        with.push(released(&each.inputs));
    }
    if each.changed.sharding {
        with.push(sharding::words(plan.spec(), &each.scenario.arch));
    }
    if each.changed.schedule {
        let schedule = match plan.spec().overlap {
            Overlap::Sequential => "no overlap",
            Overlap::TwoBatch => "two-batch overlap",
            Overlap::HopB => "HOP-B overlap",
        };
        with.push(schedule.to_owned());
    }
    if each.changed.copies {
        with.push("no redundant experts".to_owned());
    }
    let with = match with.is_empty() {
        true => String::new(),
        false => format!(" with {}", listed(with)),
    };
    let beyond = match unmeasured(each) {
        true => " (not measured)",
        false => "",
    };
    let of = gpus(f64::from(plan.gpus()));
    format!("{instances} instances of {of}{with}{beyond}")
}

/// The same beside other levers: "3 instances of 24 GPUs with one draft, FP8 KV", whatever plan goes with them.
pub(super) fn briefly_in_instances(smaller: &Smaller) -> String {
    let Smaller {
        instances: count,
        each,
    } = smaller;
    match each.changed.draft || each.changed.cache {
        true => {
            let of = gpus(f64::from(each.scenario.plan.gpus()));
            let weights = match each.changed.precision {
                true => format!(", {}", released(&each.inputs)),
                false => String::new(),
            };
            format!("{count} instances of {of} with {}{weights}", briefly(each))
        }
        false => instances(smaller),
    }
}

/// "3 instances of 24 GPUs give 1.31× the throughput with users 1.24× as fast.", after all else; nothing where no instances are
/// told of. Where nothing else says what a gain within the SLO is over, the batch alone does.
pub(in crate::answer) fn in_instances(
    case: &Evaluated,
    levers: &Levers,
    than: Than,
    said: Sentence,
) -> Sentence {
    let Some(smaller) = &levers.smaller else {
        return said;
    };
    let said = said.trimmed();
    if let (None, Some(first)) = (smaller.each.gain, levers.first()) {
        // Where nothing works there is nothing to compare with but what is told already.
        let all = f64::from(smaller.instances) * smaller.each.evaluation.tokens;
        let gain = format::factor(all / first.evaluation.tokens);
        return said
            .say(format!(" {}: ", briefly_in_instances(smaller)))
            .then(Tone::Help, gain)
            .say(" that.");
    }
    let said = said.say(format!(" {}", instances(smaller)));
    let slo = case.scenario.workload.slo.is_some();
    let Some(gain) = smaller.each.gain else {
        return said.say(match slo {
            true => " would meet the SLO.",
            false => " would fit.",
        });
    };
    let kept = match slo {
        true => "within the SLO".to_owned(),
        false => as_fast(case, &smaller.each),
    };
    let much = match than {
        Than::Now if slo => " your throughput",
        Than::Limit => " as much",
        Than::Now => "",
    };
    let batch = match (than, levers.first()) {
        (Than::Now, None) => of_the_batch(case),
        _ => Sentence::default(),
    };
    said.say(" give ")
        .then(Tone::Help, format::factor(gain))
        .say(format!("{much} {kept}"))
        .and(batch)
        .say(".")
}

/// "Use instances of 24": the page is of one of them then.
pub(in crate::answer) fn offer_of(smaller: &Smaller) -> Offer {
    let Smaller { each, .. } = smaller;
    Offer {
        label: format!("Use instances of {}", each.scenario.plan.gpus()),
        help: format!(
            "{}, each at {}: {} tok/s per GPU, {} per user; the page then shows one of them",
            instances(smaller),
            sequences(each.scenario.workload.batch),
            format::si(each.evaluation.tokens_per_gpu),
            format::sig3(each.evaluation.tokens_per_user)
        ),
        inputs: each.inputs,
    }
}
