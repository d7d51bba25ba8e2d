//! The sentence of a split: whether apart pays, what it costs, what limits it.

use model_core::disagg::split::bandwidth::minimum_bandwidth;
use model_core::disagg::split::memory::shortages;
use model_core::disagg::split::step::Bound;
use model_core::disagg::split::{Partition, Setup, Side};
use model_core::scenario::Number;

use super::problems::Repair;
use super::{Case, compute_gpu};
use crate::answer::asked;
use crate::answer::ratio::decision::Winner;
use crate::answer::sentence::{Sentence, Tone};
use crate::format;
use crate::theme::Role;

/// Gains below this are none.
const WORTH_SAYING: f64 = 1.03;

/// The verdict with the changes it names.
pub fn verdict(case: &Case) -> (Sentence, Vec<Repair>) {
    if !case.split.fits() {
        return does_not_fit(case);
    }
    let mut repairs = Vec::new();
    let said = price(case);
    let sentence = match asked::in_split(&case.inputs, &case.setup) {
        Some(first) => Sentence(first.0.into_iter().chain(said.0).collect()).trimmed(),
        None => limit(case, said, &mut repairs),
    };
    (sentence, repairs)
}

/// "Keep them together: for $332/h 30 × H100 serve 117k tok/s, 16 × H100 + 32 × H20 35.8k, 0.312× per dollar.
/// A user gets 1.94 tok/s, together 12.0."
fn price(case: &Case) -> Sentence {
    let split = &case.split;
    let rate = format!("{} tok/s", format::si(split.tokens));
    let (Some(other), Some(name), Some(cost)) = (
        &case.other,
        case.other_name(),
        case.setup.dollars_per_hour(),
    ) else {
        let why = if case.setup.dollars_per_hour().is_none() {
            format!(
                "No source prices both {} and {}, so nothing says what apart costs.",
                compute_gpu(&case.inputs).name(),
                case.inputs.memory_gpu.name
            )
        } else {
            format!(
                "No cluster of {} at this price holds the model.",
                case.compute_name()
            )
        };
        return Sentence::default()
            .then(Tone::Strong, format!("{} give {rate}. ", case.name()))
            .say(format!("{why} "));
    };
    let Some((winner, factor)) = super::per_dollar(&case.setup, case.other.as_ref()) else {
        return Sentence::default().say(format!("{} give {rate}. ", case.name()));
    };
    let hourly = |dollars: f64| format!("{}/h", format::dollars(dollars));
    let same = (cost / other.dollars_per_hour - 1.0).abs() < 0.02;
    let sides = if same {
        format!(
            "for {} {name} serve {} tok/s, {} ",
            hourly(other.dollars_per_hour),
            format::si(other.evaluation.tokens),
            case.name()
        )
    } else {
        format!(
            "{name} for {} serve {} tok/s, {} for {} ",
            hourly(other.dollars_per_hour),
            format::si(other.evaluation.tokens),
            case.name(),
            hourly(cost)
        )
    };
    let (lead, tone) = match winner {
        Winner::Apart => ("Apart pays: ", Tone::Help),
        Winner::Neither => ("Apart or together is the same: ", Tone::Strong),
        Winner::Together => ("Keep them together: ", Tone::Strong),
    };
    Sentence::default()
        .then(tone, lead)
        .say(sides)
        .then(Tone::Strong, format::si(split.tokens))
        .say(", ")
        .then(tone, format!("{} per dollar", format::factor(factor)))
        .say(format!(
            ". A user gets {} tok/s, together {}. ",
            format::sig3(split.tokens_per_user),
            format::sig3(other.evaluation.tokens_per_user)
        ))
}

/// What keeps the split from more, and a change that gives more.
fn limit(case: &Case, sentence: Sentence, repairs: &mut Vec<Repair>) -> Sentence {
    let split = &case.split;
    let idle = |busy: f64| format::share(1.0 - (busy / split.step.get()).min(1.0));
    let memory_idle = idle(split.attention_busy.get());
    let compute_idle = idle(split.model_busy.get());
    let sentence = match split.bound {
        Bound::Model => sentence
            .say("The ")
            .then(Tone::Strong, "compute devices")
            .say(format!(
                " set the pace; the memory devices stand idle {memory_idle} of the time."
            )),
        Bound::Attention => sentence
            .say("The ")
            .then(Tone::Role(Role::Kv), "memory devices")
            .say(format!(
                " set the pace; the compute devices stand idle {compute_idle} of the time."
            )),
        Bound::Network => sentence
            .say("The ")
            .then(Tone::Role(Role::Messages), "network")
            .say(format!(
                " sets the pace: its links are never free{}.",
                enough_bandwidth(case)
            )),
        Bound::Turnaround => {
            let share = split.times.network() / split.step;
            let sentence = sentence
                .say("Each batch takes turns with both sides and waits, ")
                .then(
                    Tone::Role(Role::Messages),
                    format!("{} of the time for the network", format::share(share)),
                );
            sentence.say(format!(
                "{}; compute devices idle {compute_idle}, memory devices {memory_idle}.",
                enough_bandwidth(case)
            ))
        }
    };
    match better(case) {
        Some((words, repair)) => {
            repairs.push(repair);
            sentence.say(" ").then(Tone::Help, words)
        }
        None => sentence,
    }
}

/// " (183 GB/s per device would do)", where the network has less than the slow-down asks for.
fn enough_bandwidth(case: &Case) -> String {
    match minimum_bandwidth(&case.setup) {
        Some(least) if least > case.setup.net => format!(
            " ({} GB/s per device would keep it to {})",
            format::sig3(least.as_gb()),
            format::share(case.setup.slow_down)
        ),
        _ => String::new(),
    }
}

/// The best degree of parallelism under the budget, where it has clearly more throughput.
fn better(case: &Case) -> Option<(String, Repair)> {
    let budget = case.budget?;
    let best = case
        .found
        .candidates
        .iter()
        .filter(|candidate| candidate.dollars_per_hour <= budget * (1.0 + 1e-9))
        .reduce(|most, next| {
            if next.tokens > most.tokens {
                next
            } else {
                most
            }
        })?;
    let gain = best.tokens / case.split.tokens;
    (gain >= WORTH_SAYING).then(|| {
        let degree = format!("({}, {})", best.compute_gpus, best.memory_gpus);
        (
            format!(
                "Under {}/h, {degree} gives {}.",
                format::dollars(budget),
                format::factor(gain)
            ),
            Repair {
                label: format!("Use {degree}"),
                numbers: vec![
                    (Number::ComputeGpus, f64::from(best.compute_gpus)),
                    (Number::MemoryGpus, f64::from(best.memory_gpus)),
                ],
                partition: None,
                mode: None,
            },
        )
    })
}

/// "Does not fit: each H20 would have to hold 111 of 96 GiB. The most is 15,900 sequences."
fn does_not_fit(case: &Case) -> (Sentence, Vec<Repair>) {
    let mut sentence = Sentence::default().then(Tone::Bad, "Does not fit. ");
    for shortage in shortages(&case.setup) {
        let (name, what, verb) = match shortage.side {
            Side::Compute => (case.compute_name(), "weights and activations", "take"),
            Side::Memory => (case.memory_name(), "cache", "takes"),
        };
        sentence = sentence.say(format!(
            "The {what} of each {name} {verb} {} of {} GiB. ",
            format::figure(shortage.needed.as_gib()),
            format::printed(shortage.usable.as_gib())
        ));
    }
    let most = case.split.capacity;
    let mut repairs = Vec::new();
    if most >= 1.0 {
        let text = format::count(most);
        sentence = sentence.say(format!("The most that fits is {text} sequences."));
        repairs.push(Repair {
            label: format!("Use {text}"),
            numbers: vec![(Number::Batch, most)],
            partition: None,
            mode: None,
        });
    }
    repairs.extend(enough(case));
    (sentence, repairs)
}

/// The fewest devices of the side that lacks room with which everything fits; of the memory side by
/// requests, where heads cannot be divided any further.
fn enough(case: &Case) -> Option<Repair> {
    let side = shortages(&case.setup).first()?.side;
    let (number, word) = match side {
        Side::Compute => (Number::ComputeGpus, case.compute_name()),
        Side::Memory => (Number::MemoryGpus, case.memory_name()),
    };
    let now = case.inputs.get(number)?;
    let most = (16.0 * now + 16.0).min(number.spec().most) as u32;
    let fewest = |partition: Option<Partition>| {
        let mut inputs = case.inputs;
        if partition.is_some() {
            inputs.partition = partition;
        }
        (now as u32..=most).find(|gpus| {
            Setup::of(&inputs.with(number, f64::from(*gpus)))
                .is_ok_and(|setup| shortages(&setup).is_empty())
        })
    };
    let as_it_is = fewest(None).map(|found| (found, None));
    let (found, partition) = as_it_is.or_else(|| {
        let by_requests = (side == Side::Memory).then_some(Partition::Requests)?;
        Some((fewest(Some(by_requests))?, Some(by_requests)))
    })?;
    let how = if partition.is_some() {
        ", divided by requests"
    } else {
        ""
    };
    Some(Repair {
        label: format!("Use {found} × {word}{how}"),
        numbers: vec![(number, f64::from(found))],
        partition,
        mode: None,
    })
}
