//! The verdict in words, and the row of gains under it.

use model_core::ops::Role as Part;
use model_core::plan::Overlap;
use model_core::verdict::{Resource, Verdict, improved};

use super::sentence::{Sentence, Tone};
use super::{Case, compare};
use crate::format;
use crate::theme::Role;

/// "2× scale-out link ▬▬ 1.44×".
#[derive(Debug, Clone, PartialEq)]
pub struct GainRow {
    /// What is improved: "2× scale-out link", "βeb 0.8 → 1".
    pub label: String,
    /// The same, shorter, for a phone: "2× scale-out".
    pub short: String,
    /// Throughput then over throughput now.
    pub factor: f64,
    /// Length of its bar, 0 to 1: doubling the throughput fills it.
    pub bar: f64,
}

/// A gain below this reads as 1.00×.
const NOTHING: f64 = 1.005;

/// What binds, for how long, and what doubling it brings.
pub fn sentence(case: &Case, verdict: &Verdict) -> Sentence {
    let step = case.evaluation.step;
    let busy = format::millis(verdict.busy.get()).to_string();
    let whole = format::millis(step.get()).to_string();
    let (what, role, spent) = subject(case, verdict);
    let mut said = Sentence::default()
        .say("Bound by ")
        .then(Tone::Role(role), what);
    if let Some(spent) = spent {
        said = said.say(format!(", {spent}"));
    }
    said = said.say(": ");
    let all = verdict.busy / step > 0.995;
    let they = match verdict.binds {
        Resource::ScaleOut | Resource::ScaleUp => "they",
        _ => "it",
    };
    let verb = match (they, all) {
        ("they", true) => "they fill all ",
        ("they", false) => "they take ",
        (_, true) => "it fills all ",
        (_, false) => "it takes ",
    };
    said = if all {
        said.say(verb).then(Tone::Strong, whole).say(" of a step")
    } else {
        said.say(verb)
            .then(Tone::Strong, busy)
            .say(format!(" of a {whole} step"))
    };
    let overlaps = case.scenario.plan.spec().overlap == Overlap::TwoBatch;
    let idle = verdict.idle;
    said = if overlaps && idle / step > 0.005 {
        let idle = format::millis(idle.get());
        said.say(format!(", and the GPUs stand idle for {idle} of it. "))
    } else if overlaps && case.evaluation.breakdown.messages.get() > 0.0 {
        said.say(", and messages hide behind compute. ")
    } else {
        said.say(". ")
    };
    help(case, verdict, said)
}

/// "Doubling the link to 100 GB/s gives 1.44× the throughput."
fn help(case: &Case, verdict: &Verdict, said: Sentence) -> Sentence {
    let gain = verdict.gain(verdict.binds);
    let action = action(case, verdict.binds);
    let best = verdict.gains[0];
    let other = (best.resource != verdict.binds && best.throughput > gain.max(NOTHING) * 1.02)
        .then_some(best);
    let said = if gain < NOTHING {
        said.say(format!("{action} alone changes nothing"))
    } else {
        said.say(format!("{action} gives "))
            .then(Tone::Help, format::factor(gain))
            .say(" the throughput")
    };
    match other {
        Some(best) => {
            let action = lower_first(&self::action(case, best.resource));
            let link = if gain < NOTHING { "; " } else { ", " };
            said.say(format!("{link}{action} "))
                .then(Tone::Help, format::factor(best.throughput))
                .say(".")
        }
        None if gain < NOTHING => said.say(": what runs beside it is as long."),
        None => said.say("."),
    }
}

/// What improving a resource means here: "Doubling the link to 100 GB/s".
fn action(case: &Case, resource: Resource) -> String {
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
        Resource::Balance => "Balancing experts perfectly".into(),
        Resource::Latency => "Halving every latency".into(),
    }
}

/// What binds, the role whose colour it has, and what it is mostly spent on.
fn subject(case: &Case, verdict: &Verdict) -> (&'static str, Role, Option<String>) {
    match verdict.binds {
        Resource::ScaleOut => ("scale-out messages", Role::Messages, None),
        Resource::ScaleUp => ("scale-up messages", Role::Messages, None),
        Resource::Latency => ("latency of collectives and launches", Role::Messages, None),
        Resource::Balance => ("expert imbalance", Role::Experts, None),
        Resource::Compute => {
            let part = verdict.part.unwrap_or(Part::Attention);
            let place = format!("mostly in {}", compare::part_name(part));
            ("arithmetic", compare::role(part), Some(place))
        }
        Resource::Hbm => {
            let (what, role, share) = most_read(case);
            let word = if share > 0.5 { "mostly" } else { "above all" };
            (
                "HBM bandwidth",
                role,
                Some(format!("{word} to read {what}")),
            )
        }
    }
}

/// What most of a pass's memory traffic is: the KV cache or some part's weights, and its share.
fn most_read(case: &Case) -> (String, Role, f64) {
    let mut kinds = vec![("the KV cache".to_owned(), Role::Kv, 0.0)];
    kinds.extend(Part::ALL.map(|part| {
        (
            format!("{} weights", compare::part_adjective(part)),
            compare::role(part),
            0.0,
        )
    }));
    kinds.push(("activations".to_owned(), Role::Activations, 0.0));
    for timed in case.evaluation.timed(&case.scenario) {
        let layers = f64::from(timed.layers);
        let operator = timed.operator;
        kinds[0].2 += operator.kv.get() * layers;
        kinds[1 + operator.kind.role() as usize].2 += operator.weights.get() * layers;
        kinds[1 + Part::ALL.len()].2 += operator.activations.get() * layers;
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

/// "Does not fit. 512 per GPU needs 92.6 of 80 GiB. The most that fits is 415 per GPU."
pub fn does_not_fit(case: &Case) -> Sentence {
    let memory = &case.evaluation.memory;
    let needs = format::sig3(memory.total().as_gib());
    let has = format::printed(memory.usable.as_gib());
    let batch = format::batch(case.batch_per_gpu());
    let said = Sentence::default()
        .then(Tone::Bad, "Does not fit.")
        .say(format!(
            " {batch} sequences per GPU need {needs} of {has} GiB. "
        ));
    match case.capacity_per_gpu() {
        Some(most) => said
            .say("The most that fits is ")
            .then(Tone::Strong, format!("{} per GPU", format::batch(most)))
            .say("."),
        None => {
            let weights = format::sig3(memory.weights().as_gib());
            said.say("The weights alone take ")
                .then(Tone::Strong, format!("{weights} GiB"))
                .say(": spread them over more GPUs, or use fewer bytes per weight.")
        }
    }
}

/// Gains of the links in use, expert balance, memory bandwidth and arithmetic, in a fixed order.
pub fn gains(case: &Case, verdict: &Verdict) -> Vec<GainRow> {
    let beta = case.scenario.plan.beta();
    let link = if verdict.gain(Resource::ScaleUp) > verdict.gain(Resource::ScaleOut) {
        Resource::ScaleUp
    } else {
        Resource::ScaleOut
    };
    let fourth = if verdict.gain(Resource::Latency) > verdict.gain(Resource::Compute).max(NOTHING) {
        Resource::Latency
    } else {
        Resource::Compute
    };
    [link, Resource::Balance, Resource::Hbm, fourth]
        .into_iter()
        .filter(|resource| *resource != Resource::Balance || beta < 1.0)
        .map(|resource| {
            let (label, short) = match resource {
                Resource::ScaleOut => ("2× scale-out link".into(), "2× scale-out".into()),
                Resource::ScaleUp => ("2× scale-up link".into(), "2× scale-up".into()),
                Resource::Hbm => ("2× HBM bandwidth".into(), "2× HBM".into()),
                Resource::Compute => ("2× FLOP/s".into(), "2× FLOP/s".into()),
                Resource::Latency => ("½ latency".into(), "½ latency".into()),
                Resource::Balance => {
                    let words = format!("β {} → 1", format::printed(beta));
                    (words.clone(), words)
                }
            };
            let factor = verdict.gain(resource);
            GainRow {
                label,
                short,
                factor,
                bar: (factor - 1.0).clamp(0.0, 1.0),
            }
        })
        .collect()
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}
