//! What to do about a scenario in words: what costs nothing before what costs money. As inputs it is in [`offers`].

mod instances;
mod offers;

use instances::briefly_in_instances;
pub(super) use instances::{in_instances, instances, offer_of};
pub use model_core::advice::Levers;
use model_core::advice::{Changed, Free, WORTH};
use model_core::cost::calibration::Calibration;
use model_core::evaluate::with_batch as evaluated;
use model_core::plan::{Overlap, PlanSpec};
use model_core::scenario::{Inputs, Model, Scenario};
pub use offers::{Offer, batches, more_gpus, offer, repaired};
pub(super) use offers::{as_much, offers, use_batch};

use super::sentence::{Sentence, Tone};
use super::{Evaluated, sharding};
use crate::format;

/// An alternative in words: "Two-batch overlap off", "DP 8 · TP 4", "Released FP8 weights".
///
/// The batch is said apart, because it follows the others under an SLO.
pub fn words(free: &Free) -> String {
    parts(free, true)
}

/// The same, with what drafting rests on where that is `told`.
fn parts(free: &Free, told: bool) -> String {
    let Changed {
        draft,
        cache,
        precision,
        copies,
        sharding: sharded,
        schedule,
        ..
    } = free.changed;
    let spec = free.scenario.plan.spec();
    let mut parts = Vec::new();
    let alone = !(precision || sharded || schedule);
    if draft || cache {
        parts.push(listed(on_top(free, copies && alone, told)));
    }
    if precision {
        parts.push(released(&free.inputs));
    }
    if sharded {
        parts.push(sharding::words(spec, &free.scenario.arch));
    }
    if schedule {
        parts.push(
            match spec.overlap {
                Overlap::Sequential if sharded || precision || draft || cache => "no overlap",
                Overlap::Sequential => "overlap off",
                Overlap::TwoBatch => "two-batch overlap",
                Overlap::HopB => "HOP-B overlap",
            }
            .to_owned(),
        );
    }
    if parts.is_empty() && copies {
        return "Leaving out redundant experts".to_owned();
    }
    if parts.is_empty() {
        parts.push(sequences(free.scenario.workload.batch));
    }
    // "Released FP8 weights with DP 4 · TP 8, no overlap".
    let mut said = parts.join(", ");
    if parts.len() > 1 {
        said = said.replacen(", ", " with ", 1);
    }
    let copies = copies && !(alone && (draft || cache));
    if copies && said.ends_with("no overlap") {
        said += " or redundant experts";
    } else if copies {
        said += " and no redundant experts";
    }
    if told && unmeasured(free) {
        said += " (not measured)";
    }
    format::capital(&said)
}

/// Whether it is sharded anew, in a way that no deployment was measured in.
pub(super) fn unmeasured(free: &Free) -> bool {
    let Scenario {
        calibration, plan, ..
    } = &free.scenario;
    free.changed.sharding && beyond_measured(calibration, plan.spec())
}

/// Whether a calibration that claims measured deployments has none of a plan's kind: those are neither pipelined nor share
/// a context.
pub(super) fn beyond_measured(calibration: &Calibration, spec: &PlanSpec) -> bool {
    calibration.coverage.family().is_some() && (spec.pp > 1 || spec.kvp > 1)
}

/// What rests on more alone, for a button or a narrow screen: "one draft, FP8 KV".
pub(super) fn briefly(free: &Free) -> String {
    let Changed {
        draft,
        cache,
        copies,
        ..
    } = free.changed;
    let said = [
        (draft, "one draft"),
        (cache, "FP8 KV"),
        (copies, "no copies"),
    ];
    let said: Vec<&str> = said.into_iter().filter(|of| of.0).map(|of| of.1).collect();
    said.join(", ")
}

/// From this gain on, what rests on more than is computed comes first: of drafting, three in five accepted instead of four
/// would leave it a gain.
const LEADS: f64 = 1.2;

/// Whether what rests on more gives little for that, or was measured by nobody: it comes after what binds or is bought.
pub(super) fn trails(rest: &Free) -> bool {
    rest.gain.is_some_and(|gain| gain < LEADS) || rest.gain.is_some() && unmeasured(rest)
}

/// What rests on more, and of a plan that goes with it only that there is one: "one drafted token and an FP8 KV cache on
/// another plan (not measured)".
pub(super) fn without_plan(free: &Free) -> String {
    let Changed {
        draft,
        cache,
        copies,
        precision,
        ..
    } = free.changed;
    let what = match draft || cache {
        true => listed(on_top(free, copies, false)),
        false if precision => return format::lower(&parts(free, false)),
        false => "leaving out redundant experts".to_owned(),
    };
    let plan = match (free.changed.sharding, unmeasured(free)) {
        (true, true) => " on another plan (not measured)",
        (true, false) => " on another plan",
        (false, _) => "",
    };
    let weights = match precision {
        true => format!(" with {}", released(&free.inputs)),
        false => String::new(),
    };
    what + &weights + plan
}

/// What comes last, after what binds: "One drafted token and an FP8 KV cache on another plan (not measured) give 1.44× with
/// users as fast."; with several instances beside it in short.
pub(super) fn trail(case: &Evaluated, levers: &Levers, said: Sentence) -> Sentence {
    let Some(free) = { &levers.rest }
        .as_ref()
        .filter(|_| levers.smaller.is_none())
    else {
        return in_short(case, levers, said.say(" "));
    };
    let what = without_plan(free);
    let verb = match what.contains(" and ") {
        true => "give",
        false => "gives",
    };
    let gain = free.gain.map_or_else(String::new, format::factor);
    let kept = match keeps_users(case) {
        true => format!(" {}.", as_fast(case, free)),
        false => ".".to_owned(),
    };
    said.say(format!(" {} {verb} ", format::capital(&what)))
        .then(Tone::Help, gain)
        .say(kept)
}

/// A draft and a smaller cache, where it has them; with what drafting rests on where that is `told`.
fn rests(free: &Free, told: bool) -> Vec<String> {
    let mut parts = Vec::new();
    if free.changed.draft {
        let accepted = match told {
            true => format!(
                " ({} accepted)",
                format::share(free.scenario.workload.speculation.acceptance)
            ),
            false => String::new(),
        };
        parts.push(format!("one drafted token{accepted}"));
    }
    if free.changed.cache {
        parts.push("an FP8 KV cache".to_owned());
    }
    parts
}

/// Whether a change in words takes a verb of many: "Released MXFP4 weights give".
pub(super) fn plural(free: &Free) -> bool {
    let Changed {
        draft,
        cache,
        precision,
        copies,
        sharding,
        schedule,
        ..
    } = free.changed;
    let beside_copies = draft || cache || precision || sharding || schedule;
    match (draft, cache) {
        // "with no overlap or redundant experts" makes no more of what has them.
        _ if copies && beside_copies && !words(free).contains(" or redundant experts") => true,
        (false, false) => precision,
        _ => draft && cache,
    }
}

/// "released MXFP4 weights".
pub(super) fn released(inputs: &Inputs) -> String {
    match inputs.model {
        Model::Catalog(entry) => format!("released {} weights", entry.released.narrowest()),
        Model::Custom(_) => "released weights".to_owned(),
    }
}

/// "1,223 sequences", "1 sequence".
pub fn sequences(batch: f64) -> String {
    if batch.to_bits() == 1_f64.to_bits() {
        "1 sequence".to_owned()
    } else {
        format!("{} sequences", format::count(batch))
    }
}

/// "1,024 GPUs", "1 GPU".
pub fn gpus(count: f64) -> String {
    if count.to_bits() == 1_f64.to_bits() {
        "1 GPU".to_owned()
    } else {
        format!("{} GPUs", format::count(count))
    }
}

/// What a gain is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Than {
    /// The scenario as it is, or the batch of it that works.
    Now,
    /// The largest batch of it that works.
    Limit,
}

/// What is said, and the levers that it tells of: no button without its reason.
pub(super) type Told = (Sentence, Levers);

/// The levers but another batch, where that is named already.
pub(super) fn but_batch(levers: &Levers) -> Levers {
    Levers {
        free: levers.free.filter(|free| !free.changed.only_batch()),
        ..*levers
    }
}

/// The levers beside a comparison, which leaves room for two: what leads, and of the others what gives most.
pub(super) fn two_of(levers: &Levers) -> Levers {
    let gain = |free: Option<Free>| free.and_then(|free| free.gain).unwrap_or(0.0);
    let Levers {
        free,
        rest,
        smaller,
    } = *levers;
    if free.is_none() || rest.is_none() {
        return *levers;
    }
    match gain(smaller.map(|smaller| smaller.each)) > gain(rest) {
        true => Levers {
            rest: None,
            ..*levers
        },
        false => Levers {
            smaller: None,
            ..*levers
        },
    }
}

/// What leads as a sentence, and what more a change adds that rests on something: "Overlap off gives 12.7× the throughput
/// within the SLO, with 1,223 sequences; with one drafted token (80% accepted) 17.1×, with an FP8 KV cache 14.2×. "
pub(super) fn lead(case: &Evaluated, levers: &Levers, than: Than, said: Sentence) -> Sentence {
    let Some(first) = levers.first() else {
        return said;
    };
    let said = lead_with(case, first, than, said);
    let Some(more) = levers.rest.filter(|_| levers.free.is_some()) else {
        return said;
    };
    let mut said = said.trimmed();
    if let Some(last) = said.0.last_mut() {
        last.text = last.text.trim_end_matches('.').to_owned();
    }
    // Where nothing works there is nothing to compare with but what is told already.
    let than_that = || {
        let factor = more.evaluation.tokens / first.evaluation.tokens;
        format!("{} that", format::factor(factor))
    };
    let gain = more.gain.map_or_else(than_that, format::factor);
    let kept = match keeps_otherwise(case, first, &more) {
        true => format!(" {}. ", as_fast(case, &more)),
        false => ". ".to_owned(),
    };
    said.say(format!("; {} ", with_more(first, &more)))
        .then(Tone::Help, gain)
        .say(kept)
}

/// "with one drafted token (80% accepted)" on top of what rests on less, or what it takes instead: "two-batch overlap with
/// one drafted token (80% accepted) instead".
fn with_more(first: &Free, more: &Free) -> String {
    let bare = |free: &Free| PlanSpec {
        redundant: 0,
        ..*free.scenario.plan.spec()
    };
    let same = bare(first) == bare(more) && first.inputs.precision == more.inputs.precision;
    let copies = more.changed.copies && !first.changed.copies;
    if !same && more.gain.is_none() && (more.changed.draft || more.changed.cache) {
        // Beside a plan that is named whole there is no room for another.
        return format!("{} instead", listed(on_top(more, copies, true)));
    }
    if !same {
        return format!("{} instead", format::lower(&words(more)));
    }
    if copies && !(more.changed.draft || more.changed.cache) {
        return "without redundant experts".to_owned();
    }
    format!("with {}", listed(on_top(more, copies, true)))
}

/// What rests on more, in words of which none has a plan.
fn on_top(free: &Free, copies: bool, told: bool) -> Vec<String> {
    let mut parts = rests(free, told);
    if copies {
        parts.push("no redundant experts".to_owned());
    }
    parts
}

/// "one drafted token, an FP8 KV cache and no redundant experts".
fn listed(mut parts: Vec<String>) -> String {
    match parts.pop() {
        Some(last) if parts.is_empty() => last,
        Some(last) => format!("{} and {last}", parts.join(", ")),
        None => String::new(),
    }
}

/// "Overlap off gives 12.7× the throughput within the SLO, with 1,223 sequences. ", and over the largest batch "as much".
fn lead_with(case: &Evaluated, free: &Free, than: Than, said: Sentence) -> Sentence {
    let slo = case.scenario.workload.slo.is_some();
    let only_batch = free.changed.only_batch();
    let said = said.then(Tone::Strong, words(free));
    // What holds all that is asked for makes possible what was not.
    let holds = free.scenario.workload.batch >= case.scenario.workload.batch;
    let possible = !slo && !case.evaluation.memory.fits() && holds;
    if let (true, Some(gain)) = (possible, free.gain) {
        let fit = match free.changed {
            Changed {
                sharding: false,
                schedule: false,
                ..
            } => " would make them fit: ",
            _ => " would fit: ",
        };
        let said = said.say(fit).then(Tone::Help, format::factor(gain));
        let said = said.say(format!(" their throughput {}", as_fast(case, free)));
        return with_batch(case, free, false, said).say(". ");
    }
    let Some(gain) = free.gain else {
        let what = match (slo, case.evaluation.memory.fits()) {
            (true, true) => " would meet the SLO",
            (true, false) => " would fit and meet the SLO",
            (false, _) if free.changed.only_copies() => " would make it fit",
            (false, _) if !free.changed.sharding && !free.changed.schedule => {
                " would make them fit"
            }
            (false, _) => " would fit",
        };
        return with_batch(case, free, only_batch, said.say(what)).say(". ");
    };
    let gives = match (only_batch, slo) {
        (true, true) => " still meet the SLO: ".to_owned(),
        (true, false) if case.evaluation.memory.fits() => match faster(case, free) {
            faster if faster >= WORTH => format!(" are {} as fast: ", format::factor(faster)),
            _ => " are as fast: ".to_owned(),
        },
        (true, false) => " fit: ".to_owned(),
        (false, _) if plural(free) => " give ".to_owned(),
        (false, _) => " gives ".to_owned(),
    };
    let said = said
        .say(gives)
        .then(Tone::Help, format::factor(gain))
        .say(match than {
            // Of as many as fit, or keep the SLO, which is said before.
            Than::Now if !case.evaluation.memory.fits() => " their throughput",
            Than::Now => " the throughput",
            Than::Limit => " as much",
        });
    if only_batch {
        return said.say(". ");
    }
    let said = said.say(match slo {
        true => " within the SLO".to_owned(),
        false => format!(" {}", as_fast(case, free)),
    });
    let said = with_batch(case, free, only_batch, said);
    match than {
        Than::Now => said.and(of_the_batch(case)).say(". "),
        Than::Limit => said.say(". "),
    }
}

/// The levers in a few words: "With users as fast: overlap off 2.18×; one draft, FP8 KV 4.97×."
pub(super) fn in_short(case: &Evaluated, levers: &Levers, said: Sentence) -> Sentence {
    let slo = case.scenario.workload.slo.is_some();
    let named = |free: &Free| match free.changed.draft || free.changed.cache {
        true => briefly(free),
        false => format::lower(&parts(free, false)),
    };
    let first = levers.first();
    let beyond = match first.is_some_and(unmeasured) {
        true => " (not measured)",
        false => "",
    };
    let mut told: Vec<(String, Free)> = Vec::new();
    told.extend(first.map(|first| (format!("{}{beyond}", named(first)), *first)));
    let more = levers.rest.filter(|_| levers.free.is_some());
    told.extend(more.map(|more| (named(&more), more)));
    told.extend({ levers.smaller }.map(|smaller| (briefly_in_instances(&smaller), smaller.each)));
    // Several are faster, or no slower, together.
    let faster = |(_, free): &(String, Free)| faster(case, free) >= WORTH;
    let no_slower =
        |(_, free): &(String, Free)| free.changed.batch && self::faster(case, free) >= 1.0 / WORTH;
    let several = levers.smaller.is_some() && told.len() > 1;
    let alike = slo || several && told.iter().all(no_slower);
    let speed = match told.iter().filter(|of| faster(of)).count() {
        0 => "with users as fast",
        count if count == told.len() => "with users faster",
        _ => "with users as fast or faster",
    };
    let mut said = said;
    // Of a batch that does not fit gains are over as many as do.
    let over = match case.enough() {
        Some(fit) if !slo && !case.evaluation.memory.fits() => {
            let all = if case.less_than_largest().is_none() {
                "the "
            } else {
                ""
            };
            format!("over {all}{} that fit, ", format::count(fit))
        }
        _ => String::new(),
    };
    let lead = |kept: &str| format::capital(&format!("{over}{kept}: "));
    let mut before: Option<Free> = None;
    for (words, free) in told {
        let kept = match before {
            None if slo => lead("within the SLO"),
            None if alike => lead(speed),
            None => lead(&as_fast(case, &free)),
            Some(before) if !alike && keeps_otherwise(case, &before, &free) => {
                format!("; {}: ", as_fast(case, &free))
            }
            Some(_) => "; ".to_owned(),
        };
        let gain = free.gain.map_or_else(String::new, format::factor);
        said = said.say(format!("{kept}{words} ")).then(Tone::Help, gain);
        before = Some(free);
    }
    match before {
        Some(_) => said.say("."),
        None => said,
    }
}

/// Whether levers of what does not fit are told in short: where there are several.
pub(super) fn crowded(case: &Evaluated, levers: &Levers) -> bool {
    let several = levers.iter().count() + usize::from(levers.smaller.is_some()) > 1;
    several && !case.evaluation.memory.fits() && keeps_users(case)
}

/// Whether alternatives keep a speed of users that no SLO says: of what works now.
pub(super) fn keeps_users(case: &Evaluated) -> bool {
    case.scenario.workload.slo.is_none() && case.compared_users().is_some()
}

/// How many times as fast users of an alternative are as of what it is compared with.
fn faster(case: &Evaluated, free: &Free) -> f64 {
    let before = { case.compared_users() }.unwrap_or(case.evaluation.tokens_per_user);
    free.evaluation.tokens_per_user / before
}

/// Whether two levers keep different things, where there is no SLO: then what the second keeps is said, too.
fn keeps_otherwise(case: &Evaluated, first: &Free, more: &Free) -> bool {
    let faster = first.evaluation.tokens_per_user / more.evaluation.tokens_per_user;
    let speeds = !(1.0 / WORTH..WORTH).contains(&faster);
    keeps_users(case) && (speeds || first.changed.batch != more.changed.batch)
}

/// What an alternative keeps where there is no SLO: "at this batch", "with users as fast", "with users 1.71× as fast".
pub(super) fn as_fast(case: &Evaluated, free: &Free) -> String {
    let faster = faster(case, free);
    if !free.changed.batch && case.evaluation.memory.fits() {
        "at this batch".to_owned()
    } else if (1.0 / WORTH..WORTH).contains(&faster) {
        "with users as fast".to_owned()
    } else {
        format!("with users {} as fast", format::factor(faster))
    }
}

/// "; 7,583 as it is 2.92×": what of a gain within the SLO is the larger batch alone, of a scenario that meets it.
fn of_the_batch(case: &Evaluated) -> Sentence {
    let said = Sentence::default();
    let Some(slo) = case.scenario.workload.slo else {
        return said;
    };
    let now = &case.evaluation;
    if !now.memory.fits() || now.tokens_per_user < slo {
        return said;
    }
    let alone = case
        .enough()
        .and_then(|batch| Some((batch, evaluated(&case.scenario, batch).ok()?)));
    match alone.map(|(batch, full)| (batch, full.tokens / now.tokens)) {
        Some((batch, gain)) if gain >= WORTH => said
            .say(format!("; {} as it is ", format::count(batch)))
            .then(Tone::Help, format::factor(gain)),
        _ => said,
    }
}

fn with_batch(case: &Evaluated, free: &Free, only_batch: bool, said: Sentence) -> Sentence {
    let batch = free.scenario.workload.batch;
    if only_batch || batch.to_bits() == case.scenario.workload.batch.to_bits() {
        said
    } else {
        said.say(format!(", with {}", sequences(batch)))
    }
}
