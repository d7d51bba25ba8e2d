//! The sentence of a split: whether apart pays, what it costs, what limits it.

use model_core::disagg::split::bandwidth::minimum_bandwidth;
use model_core::disagg::split::memory::shortages;
use model_core::disagg::split::step::Bound;
use model_core::disagg::split::{Partition, Setup, Side};
use model_core::scenario::Number;

use super::problems::Repair;
use super::{Case, compute_gpu};
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
    let sentence = limit(case, price(case), &mut repairs);
    (sentence, repairs)
}

/// "Apart pays: 2 × H100 + 4 × H20 serve 1.20× the tokens of 4 × H100, for $3.60 an hour less."
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
    let per_dollar = split
        .tokens_per_dollar
        .map_or(1.0, |split| split / other.tokens_per_dollar());
    let saved = other.dollars_per_hour - cost;
    let money = if saved.abs() < 0.005 {
        "for the same price".to_owned()
    } else if saved > 0.0 {
        format!("for {} an hour less", format::dollars(saved))
    } else {
        format!("for {} an hour more", format::dollars(-saved))
    };
    let gain = split.tokens / other.evaluation.tokens;
    if per_dollar >= WORTH_SAYING {
        Sentence::default()
            .then(Tone::Help, "Apart pays: ")
            .say(format!("{} serve ", case.name()))
            .then(Tone::Strong, format!("{} the tokens", format::factor(gain)))
            .say(format!(" of {name}, {money}. "))
    } else if per_dollar > 1.0 / WORTH_SAYING {
        Sentence::default()
            .then(Tone::Strong, "Apart or together is the same: ")
            .say(format!(
                "{} serve {} the tokens of {name}, {money}. ",
                case.name(),
                format::factor(gain)
            ))
    } else {
        let times = format::factor(other.evaluation.tokens / split.tokens);
        Sentence::default()
            .then(Tone::Bad, "Together is better: ")
            .say(format!("for about the same price {name} serve "))
            .then(Tone::Strong, format!("{times} the tokens"))
            .say(format!(" of {}. ", case.name()))
    }
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
            let sentence = sentence.say("A batch's own way sets the pace, ").then(
                Tone::Role(Role::Messages),
                format!("{} of it on the network", format::share(share)),
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
            },
        )
    })
}

/// "Does not fit: each H20 would have to hold 111 of 96 GiB. The most is 15,900 sequences."
fn does_not_fit(case: &Case) -> (Sentence, Vec<Repair>) {
    let mut sentence = Sentence::default().then(Tone::Bad, "Does not fit. ");
    for shortage in shortages(&case.setup) {
        let (name, what) = match shortage.side {
            Side::Compute => (case.compute_name(), "weights and activations"),
            Side::Memory => (case.memory_name(), "cache"),
        };
        sentence = sentence.say(format!(
            "The {what} of each {name} take {} of {} GiB. ",
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
    })
}
