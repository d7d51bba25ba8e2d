//! The verdict where both sides have the same GPUs.

use super::Case;
use super::charts::pace;
use super::decision::{Decision, SAME, Winner};
use crate::answer::sentence::{Sentence, Tone};
use crate::answer::split::short_name;
use crate::format;
use crate::theme::Role;
use model_core::disagg::own::{Duel, Parts, Way};
use model_core::scenario::Number;

/// "Keep them together: at 12.5 tok/s per user your 72 H100 serve 3,210 tok/s each; 32 and 40 of them would
/// serve 1,570, 0.49× as much."
pub(super) fn decided(case: &Case, decision: &Decision) -> Sentence {
    let name = short_name(case.inputs.gpu.name());
    let gpus = format!("{} {name}", decision.duel.gpus);
    let users = format!("{} tok/s per user", format::sig3(decision.users));
    let rate = |way: &Way| format!("{} tok/s", format::figure(way.per_gpu));
    let divided = |parts: &Parts| format!("{} for attention and {}", parts.attention, parts.ffn);
    let said = Sentence::default();
    let (together, apart) = (&decision.together, &decision.apart);
    let parts = decision.parts();
    match (decision.winner(), together, apart, parts) {
        (Some(winner), Some(together), Some(apart), Some(parts)) => {
            let factor = format::factor(apart.per_gpu / together.per_gpu);
            let tone = if winner == Winner::Apart {
                Tone::Help
            } else {
                Tone::Strong
            };
            let said = said.then(
                Tone::Strong,
                match winner {
                    Winner::Together => "Keep them together: ",
                    Winner::Apart => "Take them apart: ",
                    Winner::Neither => "Together or apart is the same: ",
                },
            );
            said.say(format!("at {users} your {gpus} serve "))
                .then(Tone::Strong, rate(together))
                .say(format!(
                    " each; divided into {} they would serve ",
                    divided(&parts)
                ))
                .then(Tone::Strong, format::figure(apart.per_gpu))
                .say(", ")
                .then(tone, factor)
                .say(" as much.")
        }
        (_, Some(together), _, _) => said
            .then(Tone::Strong, "Keep them together: ")
            .say(format!("your {gpus} serve "))
            .then(Tone::Strong, rate(together))
            .say(format!(
                " each at {users}, and no division of them does that."
            )),
        (_, None, Some(apart), Some(parts)) => said
            .then(Tone::Help, "Only apart: ")
            .say(format!(
                "divided into {} your {gpus} serve ",
                divided(&parts)
            ))
            .then(Tone::Strong, rate(apart))
            .say(format!(
                " each at {users}; together none of the schedules does."
            )),
        _ => said
            .then(Tone::Bad, "Neither: ")
            .say(format!("no use of your {gpus} gives {users}.")),
    }
}

/// "The gap is least at 28.7 tok/s per user, 0.81×; above 61.8 only apart goes on. "
pub(super) fn elsewhere(decision: &Decision) -> Sentence {
    let duel = &decision.duel;
    let said = Sentence::default();
    let (Some(last), Some(fastest)) = (duel.together.first(), duel.apart.first()) else {
        return said;
    };
    let speed = |users: f64| format::sig3(users);
    let said = match (duel.apart_wins_from(), duel.closest()) {
        (Some(from), _) if from > decision.users => said
            .say("Apart wins from ")
            .then(Tone::Help, format!("{} tok/s per user", speed(from)))
            .say(" on"),
        (Some(_), Some((users, ratio))) if ratio > SAME => said.say(format!(
            "Apart gains most at {} tok/s per user, {}",
            speed(users),
            format::factor(ratio)
        )),
        (_, Some((users, ratio))) if ratio >= 1.0 => said.say(format!(
            "Apart is ahead at {} tok/s per user alone, {}",
            speed(users),
            format::factor(ratio)
        )),
        (_, Some((users, ratio))) => said.say(format!(
            "The gap is least at {} tok/s per user, {}",
            speed(users),
            format::factor(ratio)
        )),
        (_, None) => said.say("They are never both possible"),
    };
    if fastest.users > last.users * 1.005 {
        let beyond = duel.apart_at(last.users * 1.000_001);
        let rate = beyond.map_or(0.0, |way| way.per_gpu);
        said.say(format!(
            "; above {} only apart goes on, at {} tok/s each. ",
            speed(last.users),
            format::sig3(rate)
        ))
    } else {
        said.say(". ")
    }
}

/// "Messages set the pace: twice the scale-out link gives together 1.44×, apart 1.69×.", by evaluating it.
pub(super) fn faster(case: &Case, decision: &Decision, said: Sentence) -> Sentence {
    let Some(parts) = decision.parts() else {
        return said.trimmed();
    };
    let (role, name, verb) = match pace(parts.point.regime) {
        Role::Attention => (Role::Attention, "Attention", "sets"),
        Role::Messages => (Role::Messages, "Messages", "set"),
        _ => (Role::Experts, "The feed-forward", "sets"),
    };
    let said = said
        .then(Tone::Role(role), name)
        .say(format!(" {verb} the pace apart"));
    if role != Role::Messages {
        return said.say(".");
    }
    let domain = case.bundle.latencies.domain.unwrap_or(u32::MAX);
    let (number, link) = if decision.duel.gpus <= domain {
        (Number::ScaleUp, "scale-up")
    } else {
        (Number::ScaleOut, "scale-out")
    };
    let doubled = case
        .inputs
        .get(number)
        .and_then(|now| Duel::of(&case.inputs.with(number, 2.0 * now)));
    let Some(doubled) = doubled else {
        return said.say(".");
    };
    let gain = |then: Option<&Way>, now: &Option<Way>| Some(then?.per_gpu / (*now)?.per_gpu);
    let together = gain(doubled.together_at(decision.users), &decision.together);
    let apart = gain(doubled.apart_at(decision.users), &decision.apart);
    let said = said.say(format!(", at that speed twice the {link} link gives "));
    let said = match together {
        Some(together) => said
            .say("together ")
            .then(Tone::Help, format::factor(together))
            .say(", "),
        None => said,
    };
    said.say("apart ")
        .then(
            Tone::Help,
            apart.map_or_else(|| format::NONE.to_owned(), format::factor),
        )
        .say(".")
}
