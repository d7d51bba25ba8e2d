//! The verdict where both sides have the same GPUs.

use super::charts::pace;
use super::decision::{self, Decision, SAME, Standing, Winner, turned};
use super::{Advice, Doubled, Evaluated};
use crate::answer::advice;
use crate::answer::sentence::{Sentence, Tone};
use crate::answer::split::short_name;
use crate::charts::SimulatedPoint;
use crate::format;
use crate::theme::Role;
use model_core::disagg::bundle::Bundle;
use model_core::disagg::own::{Parts, Way};
use model_core::evaluate::evaluate;
use model_core::scenario::{Inputs, Number};

/// "Keep them together, apart 0.490×: at 12.5 tok/s per user your 72 H100 serve 3,210 tok/s each; split into 32 and 40,
/// 1,570." Where that is not what there is now, with what else it takes: "would serve 1,490 tok/s each without overlap at
/// batch 5,184".
///
/// Where waits take what apart is ahead it is no reason to take them apart.
pub(super) fn decided(case: &Evaluated, decision: &Decision, simulated: Option<f64>) -> Sentence {
    let said = compared(case, decision, simulated);
    match case.prompts {
        true => said.say(decision::DECODE_ALONE),
        false => said,
    }
}

/// "your 72 H100", "your H100".
pub(super) fn own_gpus(inputs: &Inputs) -> String {
    let name = short_name(inputs.gpu.name());
    match inputs.get(Number::Gpus) {
        Some(gpus) if gpus > 1.0 => format!("your {} {name}", format::count(gpus)),
        _ => format!("your {name}"),
    }
}

fn compared(case: &Evaluated, decision: &Decision, simulated: Option<f64>) -> Sentence {
    let one = decision.duel.gpus == 1;
    let gpus = own_gpus(&case.inputs);
    let users = format!("{} tok/s per user", format::sig3(decision.users));
    let (unit, each) = match case.price {
        Some(_) => (" tokens", " a dollar"),
        None => (" tok/s", if one { "" } else { " each" }),
    };
    let value = |way: &Way| format::figure(case.counted(way.per_gpu));
    let rate = |way: &Way| format!("{}{unit}", value(way));
    let divided = |parts: &Parts| {
        let [attention, ffn] = [parts.attention, parts.ffn].map(count);
        format!("split into {attention} and {ffn}")
    };
    let said = misfit(case);
    let (together, apart) = (&decision.together, &decision.apart);
    let parts = decision.parts();
    let measured = case.measured.map(|rate| format::figure(case.counted(rate)));
    let change = |way: &Way| decision::change(&case.inputs, way, measured.as_deref());
    let serve = |together: &Way| match change(together) {
        None if one => ("serves", String::new()),
        None => ("serve", String::new()),
        Some(change) => ("would serve", format!(" {change}")),
    };
    match (decision.winner(), together, apart, parts) {
        (Some(winner), Some(together), Some(apart), Some(parts)) => {
            let waits = turned(decision, simulated);
            let factor = format::factor(waits.unwrap_or(apart.per_gpu / together.per_gpu));
            let (lead, tone) = match winner {
                _ if waits.is_some() => ("Keep them together, apart simulated ", Tone::Strong),
                Winner::Together => ("Keep them together, apart ", Tone::Strong),
                Winner::Apart => ("Take them apart, ", Tone::Help),
                Winner::Neither => ("Together or apart is the same, ", Tone::Strong),
            };
            let (verb, change) = serve(together);
            said.then(Tone::Strong, lead)
                .then(tone, factor)
                .say(format!(": at {users} {gpus} {verb} "))
                .then(Tone::Strong, rate(together))
                .say(format!("{each}{change}; {}, ", divided(&parts)))
                .then(Tone::Strong, value(apart))
                .say(match waits {
                    Some(_) => " before it waits.",
                    None => ".",
                })
        }
        (_, Some(together), _, _) => {
            let (verb, change) = serve(together);
            let rest = match one {
                true => "a single GPU has no parts.",
                false => "no division of them does that.",
            };
            said.then(Tone::Strong, "Keep them together: ")
                .say(format!("{gpus} {verb} "))
                .then(Tone::Strong, rate(together))
                .say(format!("{each}{change} at {users}; {rest}"))
        }
        (_, None, Some(apart), Some(parts)) => said
            .then(Tone::Help, "Only apart: ")
            .say(format!("{} {gpus} serve ", divided(&parts)))
            .then(Tone::Strong, rate(apart))
            .say(format!(
                "{each} at {users}; together, no plan of them does."
            )),
        _ => {
            let kept = match case.levers.is_empty() {
                false => "stored and drafted as now, ",
                true => "",
            };
            let rest = match one {
                true => "a single GPU has no parts",
                false => "no division of them does",
            };
            said.then(Tone::Bad, "Neither: ").say(format!(
                "{kept}no plan of {gpus} gives {users} together, and {rest}."
            ))
        }
    }
}

/// "Batch 9,000,000 does not fit. ": what is compared is not what is stated.
fn misfit(case: &Evaluated) -> Sentence {
    let said = Sentence::default();
    let fits = { case.inputs.scenario().ok() }
        .and_then(|now| Some((now.workload.batch, evaluate(&now).ok()?.memory.fits())));
    match fits {
        Some((batch, false)) => said
            .then(
                Tone::Bad,
                format!("Batch {} does not fit.", format::count(batch)),
            )
            .say(" "),
        _ => said,
    }
}

/// " Both sides keep precision, copies and drafts: an FP8 KV cache with 34 sequences serves 1.37k tok/s per GPU."; of two
/// "…: released FP8 weights with 20 sequences serve 1.1k tok/s per GPU, an FP8 KV cache with 34 sequences 1.37k."
pub(super) fn otherwise(case: &Evaluated) -> Option<Advice> {
    let unit = match case.price {
        Some(_) => " tokens a dollar",
        None => " tok/s per GPU",
    };
    let mut said = Sentence::default();
    for (place, free) in case.levers.iter().enumerate() {
        let words = advice::without_plan(free);
        let verb = match words.contains(" and ") || advice::plural(free) {
            true => "serve ",
            false => "serves ",
        };
        let lead = match place {
            0 => " Both sides keep precision, copies and drafts: ",
            _ => ", ",
        };
        let held = advice::sequences(free.scenario.workload.batch);
        let rate = format::si(case.counted(free.evaluation.tokens_per_gpu));
        said = said
            .say(format!("{lead}{words} with {held} "))
            .say(if place == 0 { verb } else { "" })
            .then(Tone::Help, rate)
            .say(if place == 0 { unit } else { "" });
    }
    // A phone has its button, and the chart in its first screen.
    (!case.levers.is_empty()).then(|| piece(said.say("."), true))
}

/// " 3 instances of 24 GPUs serve 2.85k tok/s per GPU."
pub(super) fn instances(case: &Evaluated) -> Option<Advice> {
    let smaller = case.smaller.as_ref()?;
    let rate = case.counted(smaller.each.evaluation.tokens_per_gpu);
    let said = Sentence::default()
        .say(format!(" {} serve ", advice::instances(smaller)))
        .then(Tone::Help, format::si(rate))
        .say(match case.price {
            Some(_) => " tokens a dollar.",
            None => " tok/s per GPU.",
        });
    Some(piece(said, true))
}

/// "17 slots", "1 slot".
fn slots(slots: f64) -> String {
    match slots.to_bits() == 1_f64.to_bits() {
        true => "1 slot".to_owned(),
        false => format!("{} slots", format::count(slots)),
    }
}

fn count(gpus: u32) -> String {
    format::count(f64::from(gpus))
}

const fn piece(says: Sentence, wide: bool) -> Advice {
    Advice { says, wide }
}

/// "Shown: 24 : 48 with 128 slots each, −25% of the best. ", where the best is not what is asked about.
pub(super) fn asked(case: &Evaluated, decision: &Decision) -> Option<Advice> {
    let parts = decision.asked.filter(|_| !decision.at_best())?;
    let best = decision.apart?;
    let change = format::percent_change(parts.point.per_weight_in_flight, best.per_gpu);
    let said = Sentence::default()
        .say("Shown: ")
        .then(Tone::Strong, decision::name(&parts))
        .say(format!(
            " with {} each serve {} at {} tok/s per user, {change} of the best. ",
            slots(parts.slots),
            format::figure(case.counted(parts.point.per_weight_in_flight)),
            format::sig3(parts.users()),
        ));
    Some(piece(said, false))
}

/// What is left of the best division's throughput once requests are of unequal lengths and every step waits for the
/// slowest instance; nothing where that is nearly all of it.
pub(super) fn straggling(case: &Evaluated, simulated: Option<&SimulatedPoint>) -> Option<Advice> {
    let decision = case
        .decision
        .as_ref()
        .filter(|decision| decision.at_best())?;
    let (apart, simulated) = (decision.apart?, simulated?);
    let derived = case.counted(apart.per_gpu);
    if simulated.rate >= derived * (1.0 - STRAGGLES) {
        return None;
    }
    let said = Sentence::default()
        .say(" Simulated, each step waiting for the slowest instance, apart serves ")
        .then(Tone::Strong, format::figure(simulated.rate));
    let Some(together) = decision.together else {
        return Some(piece(said.say("."), false));
    };
    let factor = simulated.rate / case.counted(together.per_gpu);
    let said = said.say(", ").then(Tone::Strong, format::factor(factor));
    let end = match turned(decision, Some(factor)) {
        Some(_) => ": less than together.",
        None => " as much.",
    };
    Some(piece(said.say(end), false))
}

/// A simulation within this of what is derived says the same.
const STRAGGLES: f64 = 0.03;

/// Where apart is ahead and by how much, or how near it comes: "The gap is least at 28 tok/s per user, 0.773×; DP 72 ·
/// EP 72 ends at 62, with a sequence per GPU, and apart goes on, at 20.4 tok/s per GPU. " Another sharding may go on, too.
pub(super) fn elsewhere(case: &Evaluated, decision: &Decision) -> Vec<Advice> {
    let duel = &decision.duel;
    let said = Sentence::default();
    let (Some(last), Some(fastest)) = (duel.together.first(), duel.apart.first()) else {
        return Vec::new();
    };
    let speed = |users: f64| {
        // One step beyond the speed of the verdict is not that speed.
        let beside = format::speed(users) == format::speed(decision.users);
        let said = if beside {
            format::sig3(users)
        } else {
            format::speed(users)
        };
        format!("{said} tok/s per user")
    };
    let beyond = (fastest.users > last.users * 1.005)
        .then(|| duel.apart_at(last.users * 1.000_001))
        .flatten()
        .map(|way| match case.price {
            Some(_) => format!("{} a dollar", format::si(case.counted(way.per_gpu))),
            None => format!("{} tok/s per GPU", format::sig3(way.per_gpu)),
        });
    let plan = decision::sharded(last);
    let fewest = match last.batch {
        one if one <= 1.0 => String::new(),
        each if each.to_bits() == f64::from(duel.gpus).to_bits() => {
            ", with a sequence per GPU".to_owned()
        }
        few => format!(", with {} sequences", format::count(few)),
    };
    let said = match (duel.standing(SAME), &beyond) {
        (Some(Standing::Ahead { at, ratio, .. }), _)
            if decision.winner() == Some(Winner::Apart) =>
        {
            said.say(format!(
                "Apart gains most at {}, {}",
                speed(at),
                format::factor(ratio)
            ))
        }
        // Just where together ends: one thing, said once.
        (Some(Standing::Ahead { from, to: None, .. }), Some(rate))
            if format::speed(from) == format::speed(last.users) =>
        {
            let said = said
                .say("Apart is ahead only from ")
                .then(Tone::Help, speed(from))
                .say(format!(" on, where {plan} ends{fewest}, at {rate}. "));
            return vec![piece(said, false)];
        }
        (
            Some(Standing::Ahead {
                from, to, ratio, ..
            }),
            _,
        ) => {
            let far = match to {
                None => format!("from {} on", speed(from)),
                Some(to) if format::speed(to) == format::speed(from) => format!("at {}", speed(to)),
                Some(to) => format!("from {} to {}", format::speed(from), speed(to)),
            };
            said.say("Apart is ahead ")
                .then(Tone::Help, far)
                .say(format!(
                    ", by {}{}",
                    if to == Some(from) { "" } else { "up to " },
                    format::factor(ratio)
                ))
        }
        (Some(Standing::Nearest { at, ratio }), _) if ratio * SAME > 1.0 => said.say(format!(
            "At best apart is level, {} at {}",
            format::factor(ratio),
            speed(at)
        )),
        (Some(Standing::Nearest { at, ratio }), _) => said.say(format!(
            "The gap is least at {}, {}",
            speed(at),
            format::factor(ratio)
        )),
        (None, _) => said.say("They are never both possible"),
    };
    let beyond = beyond.map_or_else(String::new, |rate| {
        let end = format::speed(last.users);
        format!("; {plan} ends at {end}{fewest}, and apart goes on, at {rate}")
    });
    vec![
        piece(said, false),
        piece(Sentence::default().say(beyond), true),
        piece(Sentence::default().say(". "), false),
    ]
}

/// "Messages set the pace: twice the scale-out link gives together 1.44×, apart 1.69×.", by evaluating it.
pub(super) fn faster(case: &Evaluated, decision: &Decision) -> Vec<Advice> {
    let Some(parts) = decision.parts() else {
        return Vec::new();
    };
    let (role, name, verb) = match pace(parts.point.regime) {
        Role::Attention => (Role::Attention, "Attention", "sets"),
        Role::Messages => (Role::Messages, "Messages", "set"),
        _ => (Role::Experts, "The feed-forward", "sets"),
    };
    let said = Sentence::default()
        .then(Tone::Role(role), name)
        .say(format!(" {verb} the pace"));
    if role != Role::Messages {
        return vec![piece(said.say(" apart."), false)];
    }
    let link = link_name(slow_link(&case.bundle, decision));
    let Some(doubled) = case.doubled else {
        return vec![piece(said.say("."), false)];
    };
    let gain = |then: Option<Way>, now: Option<Way>| Some(then?.per_gpu / now?.per_gpu);
    let together = gain(doubled.together, decision.together);
    let apart = gain(doubled.apart, decision.apart);
    let factor = |gain: Option<f64>| gain.map_or_else(|| format::NONE.to_owned(), format::factor);
    let said = said.say(format!(": at that speed twice the {link} gives "));
    let Some(together) = together else {
        let said = said.say("apart ").then(Tone::Help, factor(apart)).say(".");
        return vec![piece(said, false)];
    };
    let apart = Sentence::default()
        .say(", apart ")
        .then(Tone::Help, factor(apart));
    vec![
        piece(
            said.say("together ")
                .then(Tone::Help, factor(Some(together))),
            false,
        ),
        piece(apart, true),
        piece(Sentence::default().say("."), false),
    ]
}

/// "A slot holds 4.60k tokens in the long run; the other views count 4.35k. ", where the lengths of requests make them
/// differ: batches and rates differ with them.
pub(super) fn held(case: &Evaluated) -> Option<Advice> {
    let (here, there) = (
        case.open.lengths.context(),
        case.inputs.get(Number::Context)?,
    );
    let alike = (here / there - 1.0).abs() < 0.005;
    let says = format!(
        " A slot holds {} tokens in the long run; the other views count {}.",
        format::si(here),
        format::si(there)
    );
    (!alike).then(|| piece(Sentence::default().say(says), true))
}

/// The bandwidth that messages of these GPUs wait for.
fn slow_link(bundle: &Bundle, decision: &Decision) -> Number {
    if decision.duel.gpus <= bundle.latencies.domain.unwrap_or(u32::MAX) {
        Number::ScaleUp
    } else {
        Number::ScaleOut
    }
}

const fn link_name(link: Number) -> &'static str {
    match link {
        Number::ScaleUp => "scale-up link",
        _ => "link",
    }
}

/// Both sides at the same speed on twice the link, where messages set the pace apart: the comparison once more.
pub(super) fn doubled(inputs: &Inputs, bundle: &Bundle, decision: &Decision) -> Option<Doubled> {
    let parts = decision.parts()?;
    if pace(parts.point.regime) != Role::Messages {
        return None;
    }
    let link = slow_link(bundle, decision);
    let [together, apart] = decision.duel.on_twice(inputs, link, decision.users)?;
    Some(Doubled { together, apart })
}
