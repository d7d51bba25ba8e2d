//! The sentence of a split: whether apart pays, what it costs, what limits it.

use model_core::apart::Partition;
use model_core::disagg::split::bandwidth::minimum_bandwidth;
use model_core::disagg::split::memory::shortages;
use model_core::disagg::split::step::Bound;
use model_core::disagg::split::{Setup, Side, evaluate};
use model_core::scenario::Number;
use model_core::workload::Engine;

use super::money::Gained;
use super::problems::Repair;
use super::{Case, compute_gpu};
use crate::answer::asked;
use crate::answer::ratio::decision::{DECODE_ALONE, Winner};
use crate::answer::sentence::{Sentence, Tone};
use crate::format;
use crate::theme::Role;

/// Gains below this are none.
const WORTH_SAYING: f64 = 1.03;

/// What a split says in words.
pub struct Said {
    pub verdict: Sentence,
    pub advice: Sentence,
    pub repairs: Vec<Repair>,
}

/// The verdict, the line under it, and the changes they name.
pub fn verdict(case: &Case, per_dollar: bool, gained: Option<&Gained>) -> Said {
    if !case.split.fits() {
        let (verdict, repairs) = does_not_fit(case);
        return Said {
            verdict,
            advice: Sentence::default(),
            repairs,
        };
    }
    let full = full(case, gained);
    let said = price(case, per_dollar, full.is_some());
    let first = asked::in_split(&case.inputs, &case.setup);
    let elsewhere =
        (case.inputs.engine == Engine::Aggregated).then(|| Sentence::default().say(DECODE_ALONE));
    let parts = first.into_iter().chain([said]).chain(elsewhere);
    let spans = parts.flat_map(|part| part.0);
    let mut repairs = Vec::new();
    let mut advice = Sentence(
        full.into_iter()
            .chain([limit(case)])
            .flat_map(|part| part.0)
            .collect(),
    );
    if let Some((words, repair)) = better(case) {
        repairs.push(repair);
        advice = advice.then(Tone::Help, words);
    }
    let verdict = Sentence(spans.collect()).trimmed();
    Said {
        verdict: match too_slow(case) {
            Some(slow) => verdict.say(" ").and(slow),
            None => verdict,
        },
        advice: advice.trimmed(),
        repairs,
    }
}

/// "At 16.8 tok/s per user the split misses the SLO of 25, 4 H100 keep it." where there is one.
fn too_slow(case: &Case) -> Option<Sentence> {
    let slo = case.inputs.get(Number::Slo)?;
    let users = case.split.tokens_per_user;
    let keep = case
        .other
        .as_ref()
        .is_some_and(|other| other.evaluation.tokens_per_user >= slo);
    let together = match (&case.other, keep) {
        (Some(other), true) => format!(
            ", {} {} keep it.",
            other.scenario.cluster.gpus,
            case.compute_name()
        ),
        _ => ".".to_owned(),
    };
    (users < slo).then(|| {
        Sentence::default()
            .say(format!(
                "At {} tok/s per user the split ",
                format::below(users, slo)
            ))
            .then(Tone::Bad, "misses the SLO")
            .say(format!(" of {}{together}", format::printed(slo)))
    })
}

/// "Full of real requests apart pays for all five: +57% to +155% per dollar. ", where what the memory holds decides
/// otherwise than the stated batch.
fn full(case: &Case, gained: Option<&Gained>) -> Option<Sentence> {
    let gained = gained.filter(|_| case.setup.trace.is_none())?;
    let (winner, _) = super::per_dollar(&case.setup, case.other.as_ref())?;
    let otherwise = match winner {
        Winner::Together => gained.pay > 0,
        Winner::Apart => gained.pay < gained.of,
        Winner::Neither => false,
    };
    let says = format!(
        "Full of real requests apart pays for {}: {} per dollar. ",
        gained.many(),
        gained.range
    );
    otherwise.then(|| Sentence::default().say(says))
}

/// Prices within this share of each other are about the same.
const ABOUT: f64 = 0.05;

/// "Keep them together: for about $332 an hour 30 H100 serve 117k tok/s, 16 H100 with 32 H20 for attention 35.8k,
/// 0.312× per dollar. The network is why."
///
/// Where real requests decide otherwise, it says of how many sequences it speaks.
fn price(case: &Case, per_dollar: bool, disputed: bool) -> Sentence {
    let split = &case.split;
    let rate = format!("{} tok/s", format::si(split.tokens));
    let (Some(other), Some(cost)) = (&case.other, case.setup.dollars_per_hour()) else {
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
            .then(Tone::Strong, format!("{} serve {rate}. ", case.spoken()))
            .say(format!("{why} "));
    };
    let judged = super::per_dollar(&case.setup, case.other.as_ref());
    let (Some((winner, factor)), Some(earned)) = (judged, split.tokens_per_dollar) else {
        return Sentence::default().say(format!("{} serve {rate}. ", case.spoken()));
    };
    let gpus = other.scenario.cluster.gpus;
    let together = format!("{gpus} {}", case.compute_name());
    let (lead, tone) = match winner {
        Winner::Apart => ("Apart pays: ", Tone::Help),
        Winner::Neither => ("Apart or together is the same: ", Tone::Strong),
        Winner::Together => ("Keep them together: ", Tone::Strong),
    };
    let lead = match disputed {
        false => lead.to_owned(),
        true => format!(
            "At {} sequences {}",
            format::count(case.setup.batch()),
            lead.replacen(
                |first: char| first.is_uppercase(),
                &lead[..1].to_lowercase(),
                1
            )
        ),
    };
    let said = Sentence::default().then(tone, lead);
    let hourly = |dollars: f64| format!("{} an hour", format::dollars(dollars));
    let same = (cost / other.dollars_per_hour - 1.0).abs() < ABOUT;
    let said = if per_dollar {
        said.say("a dollar buys ")
            .then(
                Tone::Strong,
                format!("{} tokens", format::si(other.tokens_per_dollar())),
            )
            .say(format!(" of {together}, "))
            .then(Tone::Strong, format::si(earned))
            .say(format!(" of {}", case.spoken()))
    } else if same {
        said.say(format!(
            "for about {} {together} serve ",
            hourly(other.dollars_per_hour)
        ))
        .then(
            Tone::Strong,
            format!("{} tok/s", format::si(other.evaluation.tokens)),
        )
        .say(format!(", {} ", case.spoken()))
        .then(Tone::Strong, format::si(split.tokens))
    } else {
        said.say(format!(
            "for {} {together} serve ",
            hourly(other.dollars_per_hour)
        ))
        .then(
            Tone::Strong,
            format!("{} tok/s", format::si(other.evaluation.tokens)),
        )
        .say(format!(", for {} {} ", hourly(cost), case.spoken()))
        .then(Tone::Strong, format::si(split.tokens))
    };
    let said = said
        .say(", ")
        .then(tone, format!("{} per dollar", format::factor(factor)))
        .say(". ");
    why(case, winner, said)
}

/// "The network is why." of a split that loses, "The compute devices set the pace." of another.
fn why(case: &Case, winner: Winner, said: Sentence) -> Sentence {
    let lacks = minimum_bandwidth(&case.setup).is_some_and(|least| least > case.setup.net);
    let network = ("The network", Tone::Role(Role::Messages), false);
    let (who, tone, many) = match case.split.bound {
        Bound::Model => ("The compute devices", Tone::Strong, true),
        Bound::Attention => ("The memory devices", Tone::Role(Role::Attention), true),
        Bound::Network => network,
        Bound::Turnaround if lacks => network,
        Bound::Turnaround => ("Taking turns", Tone::Strong, false),
    };
    let verb = match (winner, many) {
        (Winner::Together, true) => " are why.",
        (Winner::Together, false) => " is why.",
        (_, true) => " set the pace.",
        (_, false) => " sets the pace.",
    };
    said.then(tone, who).say(verb)
}

/// What keeps the split from more: what it would need, what that would give, what it serves at together's speed.
fn limit(case: &Case) -> Sentence {
    let split = &case.split;
    let idle = |busy: f64| format::share(1.0 - (busy / split.step.get()).min(1.0));
    let said = Sentence::default();
    let said = match split.bound {
        Bound::Model => said.say(format!(
            "The memory devices stand idle {} of the time. ",
            idle(split.attention_busy.get())
        )),
        Bound::Attention => said.say(format!(
            "The compute devices stand idle {} of the time. ",
            idle(split.model_busy.get())
        )),
        Bound::Network | Bound::Turnaround => network(case, said),
    };
    let target = case
        .other
        .as_ref()
        .map(|other| other.evaluation.tokens_per_user);
    let Some(users) = target.filter(|users| split.tokens_per_user < *users) else {
        return said;
    };
    let speed = format::sig3(users);
    match at_speed(case, users) {
        Some(tokens) => said.say(format!(
            "At together’s {speed} tok/s per user it serves {}. ",
            format::si(tokens)
        )),
        None => said.say(format!("No batch gives a user together’s {speed} tok/s. ")),
    }
}

/// "It needs 183 GB/s per device and has 50; with the fastest link it would reach 57.7k, 0.503× per dollar. "
fn network(case: &Case, said: Sentence) -> Sentence {
    let Some(least) = minimum_bandwidth(&case.setup).filter(|least| *least > case.setup.net) else {
        return said.say("Each batch waits for its turn on both sides. ");
    };
    let said = said.say(format!(
        "It needs {} GB/s per device and has {}",
        format::sig3(least.as_gb()),
        format::printed(case.setup.net.as_gb())
    ));
    let fastest = Setup::of(&case.inputs.with(Number::Net, Number::Net.spec().most))
        .ok()
        .and_then(|setup| evaluate(&setup).ok());
    let (Some(then), Some(other)) = (fastest, &case.other) else {
        return said.say(". ");
    };
    let factor = then
        .tokens_per_dollar
        .map(|tokens| tokens / other.tokens_per_dollar());
    said.say(format!(
        "; with the fastest link it would reach {}{}. ",
        format::si(then.tokens),
        factor.map_or_else(String::new, |factor| format!(
            ", {} per dollar",
            format::factor(factor)
        ))
    ))
}

/// The most tokens per second with at least `users` for a user; a smaller batch is faster.
fn at_speed(case: &Case, users: f64) -> Option<f64> {
    let at = |batch: f64| {
        let split = evaluate(&case.setup.with_batch(batch)).ok()?;
        (split.fits() && split.tokens_per_user >= users).then_some(split.tokens)
    };
    let least = f64::from(case.setup.batches);
    let mut best = at(least)?;
    let (mut low, mut high) = (least, case.split.capacity.max(least));
    while high - low > 1.0_f64.max(low * 1e-4) {
        let middle = ((low + high) / 2.0).round();
        match at(middle) {
            Some(tokens) => {
                best = best.max(tokens);
                low = middle;
            }
            None => high = middle,
        }
    }
    Some(best)
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
