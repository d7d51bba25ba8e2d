//! The verdict in words.

use model_core::ops::Role as OperatorRole;
use model_core::order::sort_by;
use model_core::plan::Overlap;
use model_core::scenario::{Inputs, Number};
use model_core::sensitivity::{Compared, Resource, improved};
use model_core::units::Seconds;
use model_core::verdict::{Verdict, beside, hides_from};

use super::advice::{self, Levers, Than, Told};
use super::gains::NOTHING;
use super::sentence::{Sentence, Tone};
use super::shortfall::{does_not_fit, missed_slo};
use super::{Evaluated, compare, needs};
use crate::format;
use crate::theme::Role;

/// What to do first, what binds, for how long, and what doubling it brings. What does not fit or misses
/// the SLO comes first, then the answer to what was `asked`, then how it is `compared` with A, then what costs nothing.
///
/// What binds then, and what is bought, is said of the scenario `after` what costs nothing, as `verdict` has it.
pub fn sentence(
    case: &Evaluated,
    after: Option<&Evaluated>,
    verdict: &Verdict,
    levers: &Levers,
    asked: Option<Sentence>,
    compared: impl FnOnce() -> Option<Sentence>,
) -> Told {
    let said = Sentence::default();
    let but_batch = advice::but_batch(levers);
    let then = |said: Sentence| match after {
        Some(after) => help(after, verdict, next(after, verdict, said)),
        None => help(case, verdict, short(case, verdict, said)),
    };
    if !case.evaluation.memory.fits() {
        // Another batch is named already.
        let said = does_not_fit(case, &but_batch, said).say(" ");
        let said = match advice::crowded(case, &but_batch) {
            true => advice::in_short(case, &but_batch, said),
            false => {
                let said = advice::lead(case, &but_batch, Than::Now, said);
                advice::in_instances(case, &but_batch, Than::Now, said)
            }
        };
        return (said.trimmed(), but_batch);
    }
    if let Some(said) = missed_slo(case, &but_batch, said.clone()) {
        if let Some(than_a) = compared() {
            let said = advice::in_instances(case, &but_batch, Than::Now, said.and(than_a));
            return (said, but_batch);
        }
        let said = after_missing(case, after, verdict, &but_batch, said);
        return (
            advice::in_instances(case, &but_batch, Than::Now, said),
            but_batch,
        );
    }
    if let Some(said) = needs::missed(case, levers) {
        return (advice::in_instances(case, levers, Than::Now, said), *levers);
    }
    if let Some(said) = asked {
        let said = match levers.first() {
            Some(_) => advice::lead(case, levers, Than::Now, said).trimmed(),
            None => then(said),
        };
        return (advice::in_instances(case, levers, Than::Now, said), *levers);
    }
    if let Some(said) = compared() {
        let levers = advice::two_of(levers);
        let said = advice::in_short(case, &levers, said.say(" "));
        return (said.trimmed(), levers);
    }
    let few = too_few(case);
    let lead = |said: Sentence| advice::lead(case, levers, Than::Now, said);
    let said = match (&levers.free, &levers.rest) {
        (Some(_), _) => then(lead(few)),
        (None, Some(rest)) if advice::trails(rest) => {
            let said = advice::trail(case, levers, binds(case, verdict, few));
            return (said, *levers);
        }
        (None, _) => binds(case, verdict, lead(few)),
    };
    (advice::in_instances(case, levers, Than::Now, said), *levers)
}

/// What binds a scenario that misses its SLO, and what is bought on top of what costs nothing.
fn after_missing(
    case: &Evaluated,
    after: Option<&Evaluated>,
    verdict: &Verdict,
    levers: &Levers,
    said: Sentence,
) -> Sentence {
    if let Some(after) = after {
        return help(after, verdict, next(after, verdict, said));
    }
    let said = short(case, verdict, said);
    // Nothing is bought for what the same GPUs do otherwise.
    if levers.first().is_some() || levers.smaller.is_some() {
        return match case.largest {
            Ok(_) => help(case, verdict, said),
            Err(_) => said.trimmed(),
        };
    }
    let takes = needs::slo(&case.scenario).and_then(|slo| needs::takes(case, slo, false, &said));
    match takes {
        Some(takes) => takes,
        // What is bought and misses the SLO all the same is no help.
        None if case.largest.is_err() => said.say("Nothing bought alone reaches it."),
        None => help(case, verdict, said),
    }
}

/// What binds as things are, for how long, and what doubling it brings.
fn binds(case: &Evaluated, verdict: &Verdict, said: Sentence) -> Sentence {
    if let Some(prompts) = waiting_for_prompts(case) {
        return help(case, verdict, short(case, verdict, said.and(prompts)));
    }
    if case.scenario.workload.batch < case.scenario.plan.micro_batches() {
        return help(case, verdict, short(case, verdict, said));
    }
    let now = Compared {
        scenario: case.scenario,
        evaluation: case.evaluation,
        at_largest: false,
    };
    if let Some((compute, messages)) = balanced(&now) {
        let said = said
            .say(
                match case.evaluation.breakdown.overhead > case.scenario.calibration.host {
                    true => "Balanced: compute with its overhead ",
                    false => "Balanced: compute ",
                },
            )
            .then(Tone::Strong, compute)
            .say(" and ");
        let said = said
            .then(Tone::Role(Role::Messages), "messages ")
            .then(Tone::Strong, messages);
        let said = said
            .say(" hide each other")
            .say(down_to(&now, &case.inputs))
            .say(". ");
        return best_help(case, verdict, said);
    }
    if !verdict.alone {
        return best_help(case, verdict, shared(case, said));
    }
    help(case, verdict, bound(case, verdict, said))
}

/// "Too few sequences: 5 for the 144 that the plan runs at once. ", where they are.
fn too_few(case: &Evaluated) -> Sentence {
    let (batch, least) = (
        case.scenario.workload.batch,
        case.scenario.plan.micro_batches(),
    );
    let said = Sentence::default();
    if batch >= least {
        return said;
    }
    said.then(Tone::Strong, "Too few sequences").say(format!(
        ": {} for the {} that the plan runs at once. ",
        format::count(batch),
        format::count(least)
    ))
}

/// "Other requests' prompts take 31.2 ms of the 43.0 ms between two tokens. ", where that is most of them.
fn waiting_for_prompts(case: &Evaluated) -> Option<Sentence> {
    let evaluation = &case.evaluation;
    let waits = evaluation.prefills?.per_token;
    let text = |time: Seconds| format::millis(time.get()).to_string();
    (waits / evaluation.tpot > 0.5).then(|| {
        Sentence::default()
            .say("Other requests’ prompts take ")
            .then(Tone::Strong, text(waits))
            .say(format!(
                " of the {} between two tokens. ",
                text(evaluation.tpot)
            ))
    })
}

/// "No single resource binds: messages take 11.4 ms, attention 11.3 ms and experts 8.11 ms of a 33.3 ms step. ".
fn shared(case: &Evaluated, said: Sentence) -> Sentence {
    let breakdown = &case.evaluation.breakdown;
    let mut parts = vec![
        ("messages", Role::Messages, breakdown.messages),
        ("overhead", Role::Overhead, breakdown.overhead),
    ];
    parts.extend(OperatorRole::ALL.map(|part| {
        (
            compare::part_name(part),
            compare::role(part),
            breakdown.of(part),
        )
    }));
    sort_by(&mut parts, |one, other| {
        other.2.get().total_cmp(&one.2.get())
    });
    let mut said = said
        .then(Tone::Strong, "No single resource binds")
        .say(": ");
    for (place, (name, role, time)) in parts.into_iter().take(3).enumerate() {
        let time = format::millis(time.get());
        said = said
            .say(["", ", ", " and "][place])
            .then(Tone::Role(role), name);
        said = said.say(match place {
            0 if name.ends_with('s') => format!(" take {time}"),
            0 => format!(" takes {time}"),
            _ => format!(" {time}"),
        });
    }
    let whole = format::millis(case.evaluation.step.get());
    said.say(format!(" of a {whole} step. "))
}

/// "Bound by ", of the batch that the gains are of: "At the largest batch, 51, bound by " where that is another than there is.
fn lead(case: &Evaluated, verdict: &Verdict) -> String {
    let batch = verdict.at.scenario.workload.batch;
    match batch.to_bits() == case.scenario.workload.batch.to_bits() {
        true => "Bound by ".to_owned(),
        false => format!("At the largest batch, {}, bound by ", format::count(batch)),
    }
}

/// "Bound by scale-out messages: they fill all 79.8 ms of a step, and the GPUs stand idle …".
fn bound(case: &Evaluated, verdict: &Verdict, said: Sentence) -> Sentence {
    let evaluation = &verdict.at.evaluation;
    let step = evaluation.step;
    let busy = format::millis(verdict.busy.get()).to_string();
    let whole = format::millis(step.get()).to_string();
    let (what, tone, spent) = subject(verdict);
    let said = said.say(lead(case, verdict)).then(tone, what);
    let said = said.and(spent).say(": ");
    let plural = matches!(verdict.binds, Resource::ScaleOut | Resource::ScaleUp);
    let said = if verdict.busy / step > 0.995 {
        let verb = if plural {
            "they fill all "
        } else {
            "it fills all "
        };
        said.say(verb).then(Tone::Strong, whole).say(" of a step")
    } else {
        let verb = if plural { "they take " } else { "it takes " };
        said.say(verb)
            .then(Tone::Strong, busy)
            .say(format!(" of a {whole} step"))
    };
    let overlaps = case.scenario.plan.spec().overlap == Overlap::TwoBatch;
    if overlaps && verdict.idle / step > 0.005 {
        let idle = format::millis(verdict.idle.get());
        said.say(format!(", and the GPUs stand idle for {idle} of it. "))
    } else if overlaps && evaluation.breakdown.messages.get() > 0.0 {
        said.say(", and messages hide behind compute")
            .say(down_to(&verdict.at, &case.inputs))
            .say(". ")
    } else {
        said.say(". ")
    }
}

/// "Bound by scale-out messages." for where another sentence comes first.
pub(super) fn short(case: &Evaluated, verdict: &Verdict, said: Sentence) -> Sentence {
    if balanced(&verdict.at).is_some() {
        return match case.at_largest() {
            true => said.say("At the largest batch compute and messages hide each other. "),
            false => said.say("Compute and messages hide each other. "),
        };
    }
    if !verdict.alone {
        return said.say("No single resource binds. ");
    }
    let (what, tone, spent) = subject(verdict);
    let said = said.say(lead(case, verdict)).then(tone, what);
    said.and(spent).say(". ")
}

/// "Then bound by HBM bandwidth. ", of the scenario after what costs nothing.
fn next(after: &Evaluated, verdict: &Verdict, said: Sentence) -> Sentence {
    if balanced(&verdict.at).is_some() {
        return said.say("Then compute and messages hide each other. ");
    }
    if !verdict.alone {
        return said.say("Then no single resource binds. ");
    }
    let at = match after.at_largest() {
        true => "Then, at the largest batch, bound by ",
        false => "Then bound by ",
    };
    let (what, tone, _) = subject(verdict);
    said.say(at).then(tone, what).say(". ")
}

/// The times of compute and messages, where two-batch overlap hides nearly all of either.
fn balanced(at: &Compared) -> Option<(String, String)> {
    let compute = beside(&at.scenario, &at.evaluation);
    let messages = at.evaluation.breakdown.messages;
    let overlaps = at.scenario.plan.spec().overlap == Overlap::TwoBatch;
    let alike = compute.min(messages) / compute.max(messages) > 0.9;
    let text = |time: Seconds| format::millis(time.get()).to_string();
    (overlaps && alike).then(|| (text(compute), text(messages)))
}

/// "Doubling the link to 100 GB/s gives 1.44× the throughput."
pub(super) fn help(case: &Evaluated, verdict: &Verdict, said: Sentence) -> Sentence {
    if !verdict.alone || balanced(&verdict.at).is_some() {
        return best_help(case, verdict, said);
    }
    let gain = verdict.gain(verdict.binds);
    let best = verdict.gains[0];
    let other = best.resource != verdict.binds
        && best.throughput > gain
        && format::factor(best.throughput) != format::factor(gain);
    let said = said
        .say(format!("{} gives ", action(case, verdict.binds)))
        .then(Tone::Help, format::factor(gain));
    if other {
        // Two lines are what the page keeps free.
        let action = format::lower(&action(case, best.resource));
        said.say(format!(", {action} "))
            .then(Tone::Help, format::factor(best.throughput))
            .say(".")
    } else {
        let until = until(verdict);
        said.say(" the throughput").say(until).say(".")
    }
}

/// " down to 9.52 GB/s of scale-out": how slow a link may be, or from where on messages hide wholly.
fn down_to(at: &Compared, inputs: &Inputs) -> String {
    match hides_from(&at.scenario, &at.evaluation) {
        Some((link, least)) => {
            let name = match link {
                Resource::ScaleOut => "scale-out",
                _ => "scale-up",
            };
            let cluster = &at.scenario.cluster;
            let now = match link {
                Resource::ScaleOut => cluster.scale_out,
                _ => cluster.scale_up,
            };
            let so = if least > now {
                ", wholly from"
            } else {
                " down to"
            };
            // A lever that was taken moves it.
            let cache = match inputs.stated(Number::KvBytes) {
                Some(bytes) if bytes <= 1.0 => " at FP8 KV",
                _ => "",
            };
            format!(
                "{so} {} GB/s of {name}{cache}",
                format::at_least(least.get() / 1e9)
            )
        }
        None => String::new(),
    }
}

/// "; from 112 GB/s on compute sets the pace": where a link that binds stops to.
fn until(verdict: &Verdict) -> String {
    if verdict.at.at_largest {
        // The batch grows with the link, and its messages with it.
        return String::new();
    }
    match hides_from(&verdict.at.scenario, &verdict.at.evaluation) {
        Some((link, least)) if link == verdict.binds => {
            let least = format::at_least(least.get() / 1e9);
            format!("; from {least} GB/s on messages hide")
        }
        _ => String::new(),
    }
}

/// What brings most, where no single resource binds.
pub fn best_help(case: &Evaluated, verdict: &Verdict, said: Sentence) -> Sentence {
    let best = verdict.gains[0];
    if best.throughput < NOTHING {
        return said.say("No single resource would help.");
    }
    let action = action(case, best.resource);
    let told = said
        .plain_text()
        .to_ascii_lowercase()
        .contains("the largest batch");
    let action = match case.at_largest() && !told {
        true => format!("At the largest batch {}", format::lower(&action)),
        false => action,
    };
    said.say(format!("{action} gives most, "))
        .then(Tone::Help, format::factor(best.throughput))
        .say(" the throughput.")
}

/// What improving a resource means here: "Doubling the link to 100 GB/s".
fn action(case: &Evaluated, resource: Resource) -> String {
    let Some(better) = improved(&case.scenario, resource) else {
        return String::new();
    };
    let cluster = &better.cluster;
    match resource {
        Resource::ScaleOut => {
            format!(
                "Doubling the link to {}",
                format::bandwidth(cluster.scale_out.get())
            )
        }
        Resource::ScaleUp => {
            format!(
                "Doubling scale-up to {}",
                format::bandwidth(cluster.scale_up.get())
            )
        }
        Resource::Hbm => format!("Doubling HBM to {}", format::bandwidth(cluster.hbm.get())),
        Resource::Compute => "Doubling FLOP/s".into(),
        Resource::Capacity => "Doubling HBM capacity".into(),
        Resource::Domain => format!("Doubling domains to {}", cluster.domain),
        Resource::Redundant => "Doubling the copies of experts".into(),
        Resource::Balance => "Balancing experts".into(),
        Resource::Latency => "Halving start-up latency".into(),
        Resource::Overhead => "Halving the overhead".into(),
    }
}

/// What binds and how it is set, and what it is mostly spent on, which has the colour where a resource is spent on parts.
pub(super) fn subject(verdict: &Verdict) -> (&'static str, Tone, Sentence) {
    let of = |what: &'static str, role: Role| (what, Tone::Role(role), Sentence::default());
    let spent = |what: &'static str, on: String, role: Role, part: String| {
        let on = Sentence::default().say(on).then(Tone::Role(role), part);
        (what, Tone::Strong, on)
    };
    match verdict.binds {
        Resource::ScaleOut => of("scale-out messages", Role::Messages),
        Resource::ScaleUp => of("scale-up messages", Role::Messages),
        Resource::Latency => {
            let (what, tone, on) = of("start-up latency", Role::Messages);
            (what, tone, on.say(", of kernels and messages"))
        }
        Resource::Overhead => of("launch and serving overhead", Role::Overhead),
        Resource::Balance => of("expert imbalance", Role::Experts),
        Resource::Domain => of("messages between domains", Role::Messages),
        Resource::Redundant => of("copies of experts", Role::Experts),
        Resource::Capacity => of("HBM capacity", Role::Kv),
        Resource::Compute => {
            let part = verdict.part.unwrap_or(OperatorRole::Attention);
            let name = compare::part_name(part).to_owned();
            spent(
                "arithmetic",
                ", mostly in ".to_owned(),
                compare::role(part),
                name,
            )
        }
        Resource::Hbm => {
            let (what, role, share) = most_read(&verdict.at);
            let word = if share > 0.5 { "mostly" } else { "above all" };
            spent("HBM bandwidth", format!(", {word} to read "), role, what)
        }
    }
}

/// What most of a pass's memory traffic is: the KV cache or some part's weights, and its share.
fn most_read(at: &Compared) -> (String, Role, f64) {
    let mut kinds = vec![("the KV cache".to_owned(), Role::Kv, 0.0)];
    kinds.extend(OperatorRole::ALL.map(|part| {
        (
            format!("{} weights", compare::part_adjective(part)),
            compare::role(part),
            0.0,
        )
    }));
    kinds.push(("activations".to_owned(), Role::Activations, 0.0));
    for timed in at.evaluation.timed(&at.scenario) {
        let layers = f64::from(timed.layers);
        let operator = timed.operator;
        kinds[0].2 += operator.kv.get() * layers;
        kinds[1 + operator.kind.role() as usize].2 += operator.weights.get() * layers;
        kinds[1 + OperatorRole::ALL.len()].2 += operator.activations.get() * layers;
    }
    let all: f64 = kinds.iter().map(|(_, _, bytes)| bytes).sum();
    let most = kinds
        .into_iter()
        .reduce(|most, next| if next.2 > most.2 { next } else { most });
    most.map_or_else(
        || (String::new(), Role::Kv, 0.0),
        |(what, role, bytes)| (what, role, bytes / all),
    )
}
