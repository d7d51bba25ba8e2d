//! How large the batch can be, in words, and what lifts that.

use super::Reach;
use crate::answer::advice::{Levers, Than, Told};
use crate::answer::{Evaluated, GainRow, Sentence, Tone, advice, shortfall};
use crate::format;
use model_core::advice::{Free, WORTH};
use model_core::evaluate::with_batch;
use model_core::limits::NoBatch;
use model_core::limits::lift::{Lift, Lifted};

/// A lift below this reads as none.
const NOTHING: f64 = 1.005;

/// The largest batch that works, how the present one stands to it, and what moves it most: without cost,
/// and for money. What was `asked` is answered first, and then nothing but how large the batch can be.
pub fn sentence(case: &Evaluated, reach: &Reach, asked: Option<(Sentence, bool)>) -> Told {
    let said = Sentence::default();
    if !case.evaluation.memory.fits() {
        if case.limits.b_cap >= case.scenario.plan.micro_batches() {
            return over(case, reach, said);
        }
        let said = shortfall::does_not_fit(case, &reach.levers, said).say(" ");
        return lifted(case, reach, said);
    }
    if let Some((said, whole)) = asked {
        let said = match case.scenario.workload.slo {
            _ if whole || reach.batch < 1.0 => said,
            Some(slo) => under(case, reach.batch, slo, said),
            None => filled(case, said),
        };
        if whole {
            return (said.trimmed(), Levers::default());
        }
        let levers = advice::two_of(&advice::but_batch(&Levers::of(&case.inputs)));
        return (advice::in_short(case, &levers, said).trimmed(), levers);
    }
    match (case.largest, case.scenario.workload.slo) {
        (Err(NoBatch::Slo), Some(slo)) => lifted(case, reach, no_batch(case, slo, said)),
        (Err(_), _) => lifted(case, reach, too_many_groups(case, said)),
        (Ok(_), Some(slo)) => lifted(case, reach, under(case, reach.batch, slo, said)),
        (Ok(_), None) => lifted(case, reach, full(case, reach, said)),
    }
}

/// "Does not fit: 16,384 sequences need 239 of 141 GiB. 8,416 fit, and 1,139 of them keep 30 tok/s per user."
fn over(case: &Evaluated, reach: &Reach, said: Sentence) -> Told {
    let memory = &case.evaluation.memory;
    let (total, usable) = (memory.most().as_gib(), memory.usable.as_gib());
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
        .say(format!(" of {} GiB", format::printed(usable)))
        .say(match memory.whole > 1.0 {
            true => " on the fullest GPU. ",
            false => ". ",
        })
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
    let (now, speed) = (
        case.scenario.workload.batch,
        case.evaluation.tokens_per_user,
    );
    if now < least && speed >= slo {
        return said
            .then(Tone::Bad, "Too few sequences")
            .say(format!(
                ": your {} keep {} tok/s per user, at {}, but this plan runs {} at once, and as many do not. ",
                format::count(now),
                format::printed(slo),
                format::sig3(speed),
                format::count(least)
            ));
    }
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
    let said = if each.ends_with("per GPU") && case.gpus() > 1.0 {
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

/// "Overlap off gives 10.2× as much within the SLO, with 1,139 sequences. Then twice the HBM bandwidth gives 1.56×.": what
/// more the GPUs serve at the limit, without cost, and on top of that for money.
fn lifted(case: &Evaluated, reach: &Reach, said: Sentence) -> Told {
    if reach.batch < 1.0 {
        return (possible(case, reach, said), reach.levers);
    }
    // Another batch is named already.
    let named = |free: &Free| {
        let batch = free.scenario.workload.batch;
        free.changed.only_batch() && (batch >= reach.batch || case.enough() == Some(batch))
    };
    let levers = match case.scenario.workload.slo {
        Some(_) => advice::but_batch(&reach.levers),
        None => Levers {
            free: reach.levers.free.filter(|free| !named(free)),
            ..reach.levers
        },
    };
    let told = Levers {
        free: levers.free.or(reach.levers.free.filter(named)),
        ..levers
    };
    (bought(case, reach, &levers, said), told)
}

/// What the gain of a lever is over: without an SLO it keeps users' speed, whatever fits.
fn than(case: &Evaluated) -> Than {
    match case.scenario.workload.slo {
        Some(_) => Than::Limit,
        None => Than::Now,
    }
}

/// What costs nothing, and on top of what of that leads what money buys.
fn bought(case: &Evaluated, reach: &Reach, levers: &Levers, said: Sentence) -> Sentence {
    // What makes room for what does not fit comes first, whatever it gives.
    let last = levers.rest.filter(|rest| {
        let fits = case.evaluation.memory.fits();
        fits && levers.free.is_none() && advice::trails(rest)
    });
    let free = levers.first().is_some() && last.is_none();
    let crowded = advice::crowded(case, levers);
    let said = match free {
        true if crowded => advice::in_short(case, levers, said).say(" "),
        true => advice::lead(case, levers, than(case), said),
        false => said,
    };
    let nothing = |said: Sentence| match case.scenario.workload.slo {
        _ if levers.first().is_some() || levers.smaller.is_some() => said.trimmed(),
        Some(_) => said.say("No single change that is tried here serves more."),
        None => said.say("Room for more would serve no more."),
    };
    let said = money(case, reach, free, &said).unwrap_or_else(|| nothing(said));
    match last {
        Some(_) => advice::trail(case, levers, said.trimmed()),
        None if crowded => said.trimmed(),
        None => advice::in_instances(case, levers, than(case), said),
    }
}

/// What money buys, of the largest batch: "Twice the memory gives 1.73× as much."; of GPUs "2.53× in all"; `None` where it is nothing
/// worth naming.
fn money(case: &Evaluated, reach: &Reach, free: bool, said: &Sentence) -> Option<Sentence> {
    let mut bought = { reach.bought.iter() }.map(|best| (best, best.tokens / reach.after));
    // Twice the GPUs are worth naming where they serve twice as much.
    let (best, gain) = bought.find(|(best, gain)| best.lift != Lift::Gpus || *gain >= 2.0)?;
    if gain < NOTHING {
        return None;
    }
    let what = format::lower(phrase(case, best.lift).0);
    // With an SLO what costs nothing is of the limit, too.
    let what = match (reach.is_after, case.scenario.workload.slo) {
        (true, _) => format!("Then {what}"),
        (false, None) if free => format!("At the largest batch {what}"),
        (false, _) => format::capital(&what),
    };
    let said = said.clone().say(format!("{what} gives "));
    let said = said.then(Tone::Help, format::factor(gain));
    let said = if free { said } else { said.say(" as much") };
    Some(said.say(match best.lift {
        Lift::Gpus => " in all.",
        _ => ".",
    }))
}

/// What makes some batch possible where none is.
fn possible(case: &Evaluated, reach: &Reach, said: Sentence) -> Sentence {
    if reach.levers.first().is_some() || reach.levers.smaller.is_some() {
        let said = advice::lead(case, &reach.levers, than(case), said);
        return advice::in_instances(case, &reach.levers, than(case), said).trimmed();
    }
    let mut tried = reach.lifted.iter().chain(&reach.bought);
    let most = tried.find(|lifted| lifted.batch >= 1.0);
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
        Lift::Domain => ("Twice the scale-up domain", "2× domain"),
        Lift::Compute => ("Twice the arithmetic", "2× FLOP/s"),
        Lift::Overlap => ("Two-batch overlap", "two-batch overlap"),
        Lift::Sequential => ("Overlap off", "overlap off"),
        Lift::Draft => ("Drafting one token", "1 drafted token"),
    }
}

/// Changes that lift nothing are shown all the same where money is asked for them, but larger domains and faster
/// arithmetic.
const BOUGHT: [Lift; 7] = [
    Lift::Hbm,
    Lift::ScaleOut,
    Lift::ScaleUp,
    Lift::Domain,
    Lift::Compute,
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

/// What the largest batch serves with each change over what it serves without, in a fixed order: without cost, and bought
/// on top of what of that leads.
pub fn rows(case: &Evaluated, reach: &Reach) -> (Vec<GainRow>, Vec<GainRow>) {
    if reach.batch < 1.0 {
        return (Vec::new(), Vec::new());
    }
    let of = |lifts: &[Lift], from: &[Lifted], base: f64| -> Vec<(Lift, f64)> {
        let found = lifts.iter().filter_map(|lift| {
            let lifted = from.iter().find(|lifted| lifted.lift == *lift)?;
            Some((*lift, lifted.tokens / base))
        });
        found.collect()
    };
    let free: Vec<(Lift, f64)> = of(&FREE, &reach.lifted, reach.tokens)
        .into_iter()
        .filter(|(lift, _)| *lift != Lift::Cache || case.scenario.precision.kv >= 2.0)
        .filter(|(_, factor)| *factor >= WORTH)
        .collect();
    let mut bought = of(&BOUGHT, &reach.bought, reach.after);
    // Of the two links the one that gives more; and less on more GPUs is the sharding's that was kept.
    let gain = |of: Lift| bought.iter().find(|(lift, _)| *lift == of).map(|row| row.1);
    let link = match gain(Lift::ScaleOut) >= gain(Lift::ScaleUp) {
        true => Lift::ScaleUp,
        false => Lift::ScaleOut,
    };
    bought.retain(|(lift, factor)| match lift {
        Lift::Gpus => *factor >= 1.0,
        Lift::Domain | Lift::Compute => *factor >= WORTH,
        // One GPU sends nothing.
        Lift::ScaleUp | Lift::ScaleOut => *lift != link && case.scenario.cluster.gpus > 1,
        _ => true,
    });
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
