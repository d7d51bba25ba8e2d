//! Which limit stops the batch, in words, and what lifts it.

use super::Reach;
use crate::answer::{Case, GainRow, Sentence, Tone, verdict};
use crate::format;
use model_core::limits::lift::{Lift, Lifted};
use model_core::verdict as model;

/// A lift below this reads as none.
const NOTHING: f64 = 1.005;

/// The limit that a growing batch meets first, the others beside it, and the change that moves it most.
pub fn sentence(case: &Case, reach: &Reach) -> Sentence {
    let limits = &case.limits;
    let said = Sentence::default();
    let count = format::sequences;
    if limits.b_cap < 1.0 {
        return lifted(case, reach, nothing_fits(case, said));
    }
    if let (Some(slo), Some(most)) = (case.scenario.workload.slo, reach.meets_slo) {
        let slo = format!("{} tok/s per user", format::printed(slo));
        if most < 1.0 {
            let said = said.then(Tone::Bad, "No batch meets the SLO");
            let said = if limits.b_slo.is_some_and(|batch| batch >= 1.0) {
                said.say(format!(
                    " of {slo}: one sequence alone is too slow, though not by its bytes and messages. "
                ))
            } else {
                said.say(format!(
                    " of {slo}: one sequence alone takes longer to read its weights and cache and to send its messages. "
                ))
            };
            return lifted(case, reach, said);
        }
        if most < limits.b_cap && most < limits.b_rp {
            let said = said
                .say("The ")
                .then(Tone::Bad, "SLO")
                .say(" stops the batch first, at ")
                .then(Tone::Strong, count(most))
                .say(format!(": memory has room for {}. ", count(limits.b_cap)));
            return lifted(case, reach, said);
        }
    }
    if limits.b_cap < limits.b_rp {
        let said = said
            .then(Tone::Bad, "Memory")
            .say(" stops the batch first, at ")
            .then(Tone::Strong, count(limits.b_cap))
            .say(format!(
                ": {} of the {} that saturate the arithmetic (B_RP). ",
                format::share(limits.b_cap / limits.b_rp),
                count(limits.b_rp)
            ));
        return lifted(case, reach, said);
    }
    let (stop, room) = match reach.meets_slo {
        Some(most) if most < limits.b_cap => ("the SLO stops it", most),
        _ => ("memory is full", limits.b_cap),
    };
    let said = said
        .say("The ")
        .then(Tone::Strong, "arithmetic")
        .say(" saturates first, at ")
        .then(Tone::Strong, count(limits.b_rp))
        .say(format!(
            " sequences (B_RP), before {stop} at {}. ",
            count(room)
        ));
    let told = model::verdict(&case.scenario, &case.evaluation);
    verdict::best_help(case, &told, said)
}

fn nothing_fits(case: &Case, said: Sentence) -> Sentence {
    let memory = &case.evaluation.memory;
    let has = format::printed(memory.usable.as_gib());
    let said = said.then(Tone::Bad, "Nothing fits");
    if memory.weights() >= memory.usable {
        let weights = format::si(memory.weights().as_gib());
        said.say(": the weights alone take ")
            .then(Tone::Strong, format!("{weights} of {has} GiB"))
            .say(". ")
    } else {
        said.say(": beside the weights there is no room for the cache of one sequence per group. ")
    }
}

/// "Twice the GPUs lift it to 16,832, 2.32×."
fn lifted(case: &Case, reach: &Reach, said: Sentence) -> Sentence {
    let useful = |lifted: &&Lifted| lifted.batch >= reach.batch.max(1.0) * NOTHING;
    // Half the context is another question, asked only where nothing else answers this one.
    let best = reach
        .lifted
        .iter()
        .filter(|lifted| lifted.lift != Lift::Context)
        .find(useful)
        .or_else(|| reach.lifted.iter().find(useful));
    let Some(best) = best else {
        return said.say("No single change that is tried here lifts it.");
    };
    let said = said.say(format!("{} ", phrase(best.lift)));
    if reach.batch < 1.0 {
        return said
            .say("would make room for ")
            .then(Tone::Help, format::sequences(best.batch))
            .say(".");
    }
    let said = said
        .say("would lift it ")
        .then(Tone::Help, format::factor(best.batch / reach.batch));
    let now = model_core::limits::instances::best(&case.scenario);
    match now.map(|now| best.tokens_per_gpu / now.tokens_per_gpu) {
        Some(gain) if gain >= NOTHING => said
            .say(", throughput per GPU ")
            .then(Tone::Help, format::factor(gain))
            .say("."),
        _ => said.say(", but not throughput per GPU."),
    }
}

const fn phrase(lift: Lift) -> &'static str {
    match lift {
        Lift::Capacity => "Twice the memory",
        Lift::Gpus => "Twice the GPUs",
        Lift::Cache => "A cache of half the bytes",
        Lift::Context => "Half the context",
        Lift::Redundant => "Leaving out redundant experts",
        Lift::Hbm => "Twice the HBM bandwidth",
        Lift::ScaleOut => "Twice the scale-out link",
        Lift::ScaleUp => "Twice the scale-up link",
        Lift::Overlap => "Two-batch overlap",
    }
}

/// The changes of the row: what people can buy or choose.
const ROWS: [(Lift, &str, &str); 4] = [
    (Lift::Gpus, "2× GPUs", "2× GPUs"),
    (Lift::Capacity, "2× memory", "2× memory"),
    (Lift::Cache, "½ cache bytes", "½ cache"),
    (Lift::Context, "½ context", "½ context"),
];
/// What an SLO stops is lifted by what makes a step shorter, the first that does.
const FASTER: [(Lift, &str, &str); 3] = [
    (Lift::ScaleOut, "2× link", "2× link"),
    (Lift::ScaleUp, "2× link", "2× link"),
    (Lift::Hbm, "2× HBM", "2× HBM"),
];

/// The largest batch with each change over the largest batch now, in a fixed order.
pub fn rows(case: &Case, reach: &Reach) -> Vec<GainRow> {
    if reach.batch < 1.0 {
        return Vec::new();
    }
    let of = |lift: Lift| {
        let lifted = reach.lifted.iter().find(|lifted| lifted.lift == lift);
        lifted.map_or(0.0, |lifted| lifted.batch)
    };
    let faster = FASTER
        .into_iter()
        .reduce(|most, next| if of(next.0) > of(most.0) { next } else { most });
    ROWS.into_iter()
        .chain(faster.filter(|_| case.scenario.workload.slo.is_some()))
        .filter_map(|(lift, label, short)| {
            let lifted = reach.lifted.iter().find(|lifted| lifted.lift == lift)?;
            let factor = lifted.batch / reach.batch;
            Some(GainRow {
                label: label.to_owned(),
                short: short.to_owned(),
                factor,
                bar: (factor - 1.0).clamp(0.0, 1.0),
            })
        })
        .collect()
}
