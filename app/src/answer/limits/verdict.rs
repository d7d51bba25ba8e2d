//! How large the batch can be, in words, and what lifts that.

use super::Reach;
use crate::answer::{Evaluated, GainRow, Offer, Sentence, Tone, advice, shortfall};
use crate::format;
use model_core::advice::Free;
use model_core::evaluate::with_batch;
use model_core::limits::lift::{Lift, Lifted, Price};
use model_core::limits::{NoBatch, enough};
use model_core::scenario::Number;

/// A draft that lifts the limit by less than this is told of the tokens, not of the limit.
const WORTH: f64 = 1.02;
/// A lift below this reads as none.
const NOTHING: f64 = 1.005;

/// The largest batch that works, how the present one stands to it, and what moves it most: without cost,
/// and for money. What was `asked` is answered first, and then nothing but how large the batch can be.
pub fn sentence(case: &Evaluated, reach: &Reach, asked: Option<(Sentence, bool)>) -> Sentence {
    let said = Sentence::default();
    if !case.evaluation.memory.fits() {
        if case.limits.b_cap >= case.scenario.plan.micro_batches() {
            return over(case, reach, said);
        }
        let said = shortfall::does_not_fit(case, said).say(" ");
        return lifted(case, reach, said);
    }
    if let Some((said, whole)) = asked {
        if whole {
            return said;
        }
        return match case.scenario.workload.slo {
            Some(slo) if reach.batch >= 1.0 => under(case, reach.batch, slo, said).trimmed(),
            _ if reach.batch >= 1.0 => filled(case, said).trimmed(),
            _ => said.trimmed(),
        };
    }
    match (case.largest, case.scenario.workload.slo) {
        (Err(NoBatch::Slo), Some(slo)) => lifted(case, reach, no_batch(case, slo, said)),
        (Err(_), _) => lifted(case, reach, too_many_groups(case, said)),
        (Ok(_), Some(slo)) => lifted(case, reach, under(case, reach.batch, slo, said)),
        (Ok(_), None) => lifted(case, reach, full(case, reach, said)),
    }
}

/// "Does not fit: 16,384 sequences need 239 of 141 GiB. 8,416 fit, and 1,139 of them keep 30 tok/s per user."
fn over(case: &Evaluated, reach: &Reach, said: Sentence) -> Sentence {
    let memory = &case.evaluation.memory;
    let (total, usable) = (memory.total().as_gib(), memory.usable.as_gib());
    let fit = case.limits.b_cap;
    let need = if case.scenario.workload.batch > 1.0 {
        "need"
    } else {
        "needs"
    };
    let said = said
        .then(Tone::Bad, "Does not fit:")
        .say(format!(
            " {} {need} ",
            advice::sequences(case.scenario.workload.batch)
        ))
        .then(Tone::Strong, format::sig3(total))
        .say(format!(" of {} GiB. ", format::printed(usable)))
        .then(Tone::Strong, format::count(fit))
        .say(if fit > 1.0 { " fit" } else { " fits" });
    let as_much = || shortfall::as_much(case);
    let Some(slo) = case.scenario.workload.slo else {
        return lifted(case, reach, said.and(as_much()).say(". "));
    };
    let rate = format!("{} tok/s per user", format::printed(slo));
    if reach.batch < 1.0 {
        return lifted(case, reach, said.say(format!(", and none keeps {rate}. ")));
    }
    if reach.batch.to_bits() == fit.to_bits() {
        let said = said.say(format!(", and keep {rate}")).and(as_much());
        return lifted(case, reach, said.say(". "));
    }
    let said = said
        .say(", and ")
        .then(Tone::Strong, format::count(reach.batch))
        .say(format!(" of them keep {rate}"))
        .and(as_much());
    lifted(case, reach, said.say(". "))
}

/// "At most 1,139 sequences keep 30 tok/s per user; your 2,048 miss it, at 21.8. "
fn under(case: &Evaluated, most: f64, slo: f64, said: Sentence) -> Sentence {
    let now = case.scenario.workload.batch;
    let verb = if most > 1.0 { "keep" } else { "keeps" };
    let rate = format!("{} tok/s per user", format::printed(slo));
    let said = said
        .say("At most ")
        .then(Tone::Strong, advice::sequences(most))
        .say(format!(" {verb} {rate}"))
        .and(shortfall::as_much(case));
    let reached = case.evaluation.tokens_per_user;
    let yours = format::count(now);
    if reached < slo {
        return said
            .say(format!("; your {yours} "))
            .then(Tone::Bad, "miss it")
            .say(format!(", at {}. ", format::below(reached, slo)));
    }
    if now.to_bits() == most.to_bits() {
        return said.say(", and they are yours. ");
    }
    said.say(format!("; your {yours} get {}. ", format::sig3(reached)))
}

/// "No batch keeps 1,000 tok/s per user: 144 sequences, one in each half batch, get 24.5. "
fn no_batch(case: &Evaluated, slo: f64, said: Sentence) -> Sentence {
    let least = case.scenario.plan.micro_batches();
    let said = said
        .then(Tone::Bad, "No batch")
        .say(format!(" keeps {} tok/s per user", format::printed(slo)));
    let Ok(evaluation) = with_batch(&case.scenario, least) else {
        return said.say(". ");
    };
    let users = format::below(evaluation.tokens_per_user, slo);
    let verb = if least > 1.0 { "get" } else { "gets" };
    let bound = case.limits.b_slo.unwrap_or(0.0);
    let why = if bound >= least {
        ", though its bytes and messages alone would allow it"
    } else {
        ""
    };
    said.say(format!(
        ": {}, the fewest of this plan, {verb} {users}{why}. ",
        advice::sequences(least)
    ))
}

/// "This plan runs 144 sequences at once and memory holds 72. "
fn too_many_groups(case: &Evaluated, said: Sentence) -> Sentence {
    said.then(Tone::Bad, "Too few fit").say(format!(
        ": this plan runs {} at once, and memory holds {}. ",
        advice::sequences(case.scenario.plan.micro_batches()),
        format::count(case.limits.b_cap)
    ))
}

/// "Up to 29,880 sequences fit, 415 per GPU: 1.00× the throughput of yours at 1.62× the time per token. ", or where it is
/// flat "Up to 280,512 sequences fit, and 16,384 sequences serve as much: 1.35× …".
fn full(case: &Evaluated, reach: &Reach, said: Sentence) -> Sentence {
    let most = reach.batch;
    let verb = if most > 1.0 { "fit" } else { "fits" };
    let each = case.sequences(most);
    let said = said
        .say("Up to ")
        .then(Tone::Strong, advice::sequences(most))
        .say(format!(" {verb}"));
    let said = if each.ends_with("per GPU") {
        said.say(format!(", {each}"))
    } else {
        said
    };
    let said = said.and(shortfall::as_much(case));
    match times(case) {
        Some((throughput, time)) => said.say(": ").then(Tone::Strong, throughput).say(format!(
            " the throughput of yours at {time} the time per token. "
        )),
        None if case.scenario.workload.batch.to_bits() == most.to_bits() => {
            said.say(", and they are yours. ")
        }
        None => said.say(". "),
    }
}

/// "Full: 1.39× the throughput of yours at 3.45× the time per token. ", where how many fit is said already.
fn filled(case: &Evaluated, said: Sentence) -> Sentence {
    let lead = match case.less_than_largest().filter(|_| !case.serves_as_much()) {
        Some(enough) => format!("{} serve as much as all: ", advice::sequences(enough)),
        None => "Full: ".to_owned(),
    };
    match times(case) {
        Some((throughput, time)) => said.say(lead).then(Tone::Strong, throughput).say(format!(
            " the throughput of yours at {time} the time per token. "
        )),
        None => said,
    }
}

/// Throughput and time per token of the batch to offer, over those of the present one, if that is another.
fn times(case: &Evaluated) -> Option<(String, String)> {
    let offered = case.enough()?;
    let full = with_batch(&case.scenario, offered).ok()?;
    let level = case.less_than_largest().is_some() && case.serves_as_much();
    (!level && case.scenario.workload.batch.to_bits() != offered.to_bits()).then(|| {
        (
            format::factor(full.tokens / case.evaluation.tokens),
            format::factor(full.tpot / case.evaluation.tpot),
        )
    })
}

/// "Overlap off lifts the limit 10.2× on the same GPUs, twice the HBM bandwidth 1.56×."
fn lifted(case: &Evaluated, reach: &Reach, said: Sentence) -> Sentence {
    if reach.batch < 1.0 {
        return possible(case, reach, said);
    }
    let useful = |lifted: &&Lifted| lifted.batch >= reach.batch * NOTHING;
    let best = |price: Price| {
        // Drafting leads where it is worth naming, as everywhere.
        let of_price = reach.lifted.iter().filter(|l| l.lift.price() == price);
        let of_price = of_price.filter(|l| l.lift != Lift::Draft);
        let of_price = of_price.filter(|l| l.lift != Lift::Cache || halves_cache(case));
        of_price
            .filter(useful)
            .find(|lifted| serves_more(case, reach, lifted))
    };
    let lifting = |free: Option<Free>| {
        free.filter(|free| free.scenario.workload.batch >= reach.batch * NOTHING)
            .filter(|free| !free.changed.only_batch())
            .map(|free| {
                let factor = free.scenario.workload.batch / reach.batch;
                (advice::words(&free), factor)
            })
    };
    // What drafting adds to a better plan is said as in Explore.
    let undrafted = lifting(reach.levers.free);
    let drafted = lifting(reach.levers.drafted);
    let plan = match (undrafted, drafted) {
        // It may lift the tokens alone.
        (Some((words, factor)), Some((_, more))) => Some((
            words,
            factor,
            Some(more).filter(|more| *more > factor * WORTH),
        )),
        (one, other) => one.or(other).map(|(words, factor)| (words, factor, None)),
    };
    let single =
        best(Price::Free).map(|lifted| (phrase(case, lifted.lift).0, lifted.batch / reach.batch));
    let single = single.filter(|(_, factor)| {
        let of_plan = plan.as_ref().map(|(_, least, more)| more.unwrap_or(*least));
        of_plan.is_none_or(|of_plan| *factor >= of_plan * NOTHING)
    });
    // What lifts most leads, and the plan that the button takes is told of beside it.
    let (free, beside) = match (single, plan) {
        (Some((words, factor)), plan) => (
            Some((words.to_owned(), factor, None)),
            plan.map(|(words, factor, _)| (words, factor)),
        ),
        (None, plan) => (plan, None),
    };
    let with_plan = |said: Sentence| match &beside {
        Some((words, factor)) => said
            .say(format!(", {} ", format::lower(words)))
            .then(Tone::Help, format::factor(*factor)),
        None => said,
    };
    let bought = best(Price::Bought);
    let gain = bought.and_then(|lifted| {
        // Under an SLO throughput goes with the batch; a larger memory alone may bring little of it.
        let now = with_batch(&case.scenario, reach.batch).ok()?;
        let alone = case.scenario.workload.slo.is_none();
        alone.then(|| lifted.tokens_per_gpu / now.tokens_per_gpu)
    });
    let end = gain.map_or_else(
        || ".".to_owned(),
        |gain| format!(", throughput per GPU {}.", format::factor(gain)),
    );
    let bought = bought.map(|lifted| (phrase(case, lifted.lift).0, lifted.batch / reach.batch));
    match (free, bought) {
        (None, None) if case.scenario.workload.slo.is_some() => {
            said.say("No single change that is tried here lifts the limit.")
        }
        (None, None) => said.say("Room for more would serve no more."),
        (Some((words, factor, more)), None) => {
            let said = said
                .say(format!("{words} {} the limit ", lift(&words)))
                .then(Tone::Help, format::factor(factor))
                .say(" on the same GPUs");
            with_plan(with_draft(reach, more, said)).say(".")
        }
        (None, Some((words, factor))) => said
            .say(format!("{words} lifts the limit "))
            .then(Tone::Help, format::factor(factor))
            .say(end),
        (Some((free, least, more)), Some((bought, most))) => {
            let said = said
                .say(format!("{free} {} the limit ", lift(&free)))
                .then(Tone::Help, format::factor(least))
                .say(" on the same GPUs");
            with_plan(with_draft(reach, more, said))
                .say(format!(", {} ", format::lower(bought)))
                .then(Tone::Help, format::factor(most))
                .say(end)
        }
    }
}

fn lift(words: &str) -> &'static str {
    match advice::plural(words) {
        true => "lift",
        false => "lifts",
    }
}

/// ", with one drafted token (80% accepted) 2.01×".
fn with_draft(reach: &Reach, more: Option<f64>, said: Sentence) -> Sentence {
    let (Some(factor), Some(first), Some(draft)) =
        (more, &reach.levers.free, &reach.levers.drafted)
    else {
        return said;
    };
    said.say(format!(", {} ", advice::with_draft(first, draft)))
        .then(Tone::Help, format::factor(factor))
}

/// Whether a cache of half the bytes costs nothing: engines keep it in a byte per element, not in less.
fn halves_cache(case: &Evaluated) -> bool {
    case.scenario.precision.kv >= 2.0
}

/// Whether the lifted limit is worth having: with it the GPUs serve more.
fn serves_more(case: &Evaluated, reach: &Reach, lifted: &Lifted) -> bool {
    let now = with_batch(&case.scenario, reach.batch);
    now.is_ok_and(|now| lifted.tokens_per_gpu > now.tokens_per_gpu * NOTHING)
        || lifted.lift == Lift::Gpus && case.scenario.workload.slo.is_some()
}

/// What makes some batch possible where none is.
fn possible(case: &Evaluated, reach: &Reach, said: Sentence) -> Sentence {
    if reach.levers.first().is_some() {
        return reach.levers.lead(case, said).trimmed();
    }
    let most = reach.lifted.iter().find(|lifted| lifted.batch >= 1.0);
    match most {
        Some(lifted) => said
            .say(format!(
                "{} would make room for ",
                phrase(case, lifted.lift).0
            ))
            .then(Tone::Help, advice::sequences(lifted.batch))
            .say("."),
        None => match reach.gpus {
            Some(fewest) => said
                .say("It takes ")
                .then(Tone::Strong, advice::gpus(fewest))
                .say("."),
            None => said.say("No single change that is tried here makes one possible."),
        },
    }
}

/// A change in words, and short for a row of bars.
fn phrase(case: &Evaluated, lift: Lift) -> (&'static str, &'static str) {
    let fp8 = case.scenario.precision.kv.to_bits() == 2_f64.to_bits();
    match lift {
        Lift::Cache if fp8 => ("An FP8 KV cache", "FP8 KV cache"),
        Lift::Capacity => ("Twice the memory", "2× memory"),
        Lift::Gpus => ("Twice the GPUs", "2× GPUs"),
        Lift::Cache => ("A KV cache of half the bytes", "½ KV bytes"),
        Lift::Context => ("Half the context", "½ context"),
        Lift::Redundant => ("Leaving out redundant experts", "no redundant experts"),
        Lift::Weights => ("Serving the released weights", "released weights"),
        Lift::Hbm => ("Twice the HBM bandwidth", "2× HBM"),
        Lift::ScaleOut => ("Twice the scale-out link", "2× link"),
        Lift::ScaleUp => ("Twice the scale-up link", "2× scale-up"),
        Lift::Overlap => ("Two-batch overlap", "two-batch overlap"),
        Lift::Sequential => ("Overlap off", "overlap off"),
        Lift::Draft => ("Drafting one token", "1 drafted token"),
    }
}

/// The single changes that `said` tells of and the levers do not offer, each at the batch that it makes possible.
pub(super) fn offers(case: &Evaluated, reach: &Reach, said: &Sentence) -> Vec<Offer> {
    let said = said.plain_text().to_lowercase();
    let told = |lifted: &&Lifted| {
        said.contains(&format!(
            "{} lifts the limit",
            phrase(case, lifted.lift).0.to_lowercase()
        ))
    };
    let offer = |lifted: &Lifted| {
        let inputs = &case.inputs;
        let (label, other) = match lifted.lift {
            Lift::Cache => {
                let bytes = case.scenario.precision.kv / 2.0;
                let name = phrase(case, Lift::Cache).1;
                let label = format!("Use {name}");
                (label, inputs.with(Number::KvBytes, bytes))
            }
            Lift::Weights => ("Use the released weights".to_owned(), inputs.narrowed()?),
            Lift::Redundant => (
                "Leave out redundant experts".to_owned(),
                inputs.with(Number::Redundant, 0.0),
            ),
            _ => return None,
        };
        let scenario = other.normalized().scenario().ok()?;
        let batch = enough(&scenario, lifted.batch);
        Some(Offer {
            help: format!("{label}, with {}", advice::sequences(batch)),
            label,
            inputs: other.with(Number::Batch, batch).normalized(),
        })
    };
    reach.lifted.iter().filter(told).filter_map(offer).collect()
}

/// Changes that lift nothing are shown all the same where money is asked for them.
const BOUGHT: [Lift; 5] = [
    Lift::Hbm,
    Lift::ScaleOut,
    Lift::ScaleUp,
    Lift::Gpus,
    Lift::Capacity,
];
const FREE: [Lift; 6] = [
    Lift::Weights,
    Lift::Sequential,
    Lift::Overlap,
    Lift::Draft,
    Lift::Cache,
    Lift::Redundant,
];

/// The largest batch with each change over the largest batch now, in a fixed order: without cost, bought.
pub fn rows(case: &Evaluated, reach: &Reach) -> (Vec<GainRow>, Vec<GainRow>) {
    if reach.batch < 1.0 {
        return (Vec::new(), Vec::new());
    }
    let factor = |lift: Lift| {
        let lifted = reach.lifted.iter().find(|lifted| lifted.lift == lift)?;
        Some(lifted.batch / reach.batch)
    };
    // Of the two links the one that lifts more.
    let link = if factor(Lift::ScaleOut) >= factor(Lift::ScaleUp) {
        Lift::ScaleUp
    } else {
        Lift::ScaleOut
    };
    let slo = case.scenario.workload.slo.is_some();
    let of = |lifts: &[Lift]| -> Vec<(Lift, f64)> {
        let wanted = lifts.iter().filter(|lift| **lift != link);
        let wanted = wanted.filter(|lift| **lift != Lift::Cache || halves_cache(case));
        // Fewer on more GPUs are the sharding's that was kept, which other GPUs would not keep.
        let wanted = wanted.filter(|lift| **lift != Lift::Gpus || factor(**lift) >= Some(1.0));
        // What makes a step shorter moves no limit where only the memory is one.
        let wanted = wanted
            .filter(|lift| slo || !matches!(lift, Lift::Hbm | Lift::ScaleOut | Lift::ScaleUp));
        wanted
            .filter_map(|lift| Some((*lift, factor(*lift)?)))
            .collect()
    };
    let free: Vec<(Lift, f64)> = of(&FREE)
        .into_iter()
        .filter(|(lift, factor)| {
            // What copies of experts buy is stated, not computed: little room is no reason to leave them out.
            *factor
                >= if *lift == Lift::Redundant {
                    model_core::advice::WORTH
                } else {
                    NOTHING
                }
        })
        .collect();
    let bought = of(&BOUGHT);
    let largest = free.iter().chain(&bought).map(|(_, factor)| *factor);
    let scale = largest.fold(2.0, f64::max) - 1.0;
    let row = |(lift, factor): (Lift, f64)| GainRow {
        label: phrase(case, lift).1.to_owned(),
        short: match lift {
            Lift::Redundant => "no copies",
            _ => phrase(case, lift).1,
        }
        .to_owned(),
        factor,
        bar: ((factor - 1.0) / scale).clamp(0.0, 1.0),
    };
    (
        free.into_iter().map(row).collect(),
        bought.into_iter().map(row).collect(),
    )
}
