//! The sentence of a split: whether apart pays, what it costs, what limits it.

use model_core::apart::Partition;
use model_core::disagg::split::alternative::{Homogeneous, homogeneous};
use model_core::disagg::split::bandwidth::minimum_bandwidth;
use model_core::disagg::split::memory::shortages;
use model_core::disagg::split::step::Bound;
use model_core::disagg::split::{Setup, Side, evaluate, slo};
use model_core::hardware::catalog::{self, prices_of_one_source};
use model_core::scenario::{Gpu, Number};
use model_core::workload::Engine;

use super::problems::Repair;
use super::{Judged, SplitCase, compute_gpu};
use crate::answer::figures::price_text;
use crate::answer::ratio::decision::{DECODE_ALONE, SAME, Winner};
use crate::answer::sentence::{Sentence, Tone};
use crate::answer::{advice, asked};
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
pub fn verdict(case: &SplitCase, per_dollar: bool) -> Said {
    if !case.split.fits() {
        let (verdict, repairs) = does_not_fit(case);
        return Said {
            verdict,
            advice: Sentence::default(),
            repairs,
        };
    }
    let said = price(case, per_dollar);
    let first = asked::in_split(&case.inputs, &case.setup);
    let elsewhere =
        (case.inputs.engine == Engine::Aggregated).then(|| Sentence::default().say(DECODE_ALONE));
    let parts = first.into_iter().chain([said]).chain(elsewhere);
    let spans = parts.flat_map(|part| part.0);
    let mut repairs = Vec::new();
    let mut advice = limit(case);
    if let Some((words, repair)) = better(case).or_else(|| rented(case)) {
        repairs.push(repair);
        advice = advice.then(Tone::Help, words);
    }
    Said {
        verdict: Sentence(spans.collect()).trimmed(),
        advice: advice.trimmed(),
        repairs,
    }
}

/// Prices within this share of each other are about the same.
const ABOUT: f64 = 0.05;

/// "Keep them together, apart 0.312× per dollar: at 2,304 sequences for about $332 an hour 30 H100 serve 117k tok/s, 16
/// H100 with 32 H20 for attention 35.8k. The network is why." With an SLO each side serves as many as keep it.
fn price(case: &SplitCase, per_dollar: bool) -> Sentence {
    let split = &case.split;
    let slo = case.setup.compute.workload.slo;
    let speed = slo.map(|slo| format!("{} tok/s per user", format::printed(slo)));
    let kept = slo::keeps(slo, split.tokens_per_user);
    let rate = match &speed {
        Some(speed) if kept => format!("{} tok/s at {speed}", format::si(split.tokens)),
        _ => format!("{} tok/s", format::si(split.tokens)),
    };
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
        let said = Sentence::default();
        let said = match speed.filter(|_| !kept) {
            Some(speed) => said
                .then(Tone::Bad, format!("Misses {speed}"))
                .say(format!(" at any batch: {}. ", case.spoken())),
            None => said.then(Tone::Strong, format!("{} serve {rate}. ", case.spoken())),
        };
        return said.say(format!("{why} "));
    };
    let gpus = other.scenario.cluster.gpus;
    let together = format!("{gpus} {}", case.compute_name());
    let hourly = |dollars: f64| format!("{} an hour", format::dollars(dollars));
    let judged = super::judged(&case.setup, case.other.as_ref());
    let missed = speed.clone().unwrap_or_default();
    let (winner, factor) = match judged {
        Some(Judged::Compared(winner, factor)) => (winner, factor),
        Some(Judged::Only(Winner::Apart)) => {
            return Sentence::default()
                .then(Tone::Help, "Only apart: ")
                .say(format!(
                    "for {} {} serve {rate}; ",
                    hourly(cost),
                    case.spoken()
                ))
                .say(format!("no batch of {together} keeps that. "));
        }
        Some(Judged::Only(_)) => {
            return Sentence::default()
                .then(Tone::Strong, "Keep them together: ")
                .say(format!(
                    "no batch of {} keeps {missed}, at {} it has {}; for {} {together} serve {} tok/s with {}. ",
                    case.spoken(),
                    advice::sequences(case.setup.batch()),
                    format::sig3(split.tokens_per_user),
                    hourly(other.dollars_per_hour),
                    format::si(other.evaluation.tokens),
                    advice::sequences(other.scenario.workload.batch),
                ));
        }
        Some(Judged::Neither) => {
            return Sentence::default()
                .then(Tone::Bad, "Neither: ")
                .say(format!(
                    "no batch of {together} keeps {missed}, nor of {}. ",
                    case.spoken()
                ));
        }
        None => return Sentence::default().say(format!("{} serve {rate}. ", case.spoken())),
    };
    let earned = split.tokens_per_dollar.unwrap_or_default();
    let (lead, tone) = match winner {
        Winner::Apart => ("Apart pays, ", Tone::Help),
        Winner::Neither => ("Apart or together is the same, ", Tone::Strong),
        Winner::Together => ("Keep them together, apart ", Tone::Strong),
    };
    // What it speaks of: a speed, or the sequences that are served; a trace fills what each has.
    let (batch, rival) = (case.setup.batch(), other.scenario.workload.batch);
    let at = match speed {
        Some(speed) => format!("at {speed} "),
        None if case.setup.trace.is_some() => String::new(),
        None if batch.to_bits() == rival.to_bits() => format!("at {} ", advice::sequences(batch)),
        None => format!(
            "at {}, {} together, ",
            advice::sequences(batch),
            format::count(rival)
        ),
    };
    let said = Sentence::default()
        .then(tone, lead)
        .then(tone, format!("{} per dollar", format::factor(factor)))
        .say(format!(": {at}"));
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
    } else {
        let (about, then) = match same {
            true => ("about ", String::new()),
            false => ("", format!("for {} ", hourly(cost))),
        };
        said.say(format!(
            "for {about}{} {together} serve ",
            hourly(other.dollars_per_hour)
        ))
        .then(
            Tone::Strong,
            format!("{} tok/s", format::si(other.evaluation.tokens)),
        )
        .say(format!(", {then}{} ", case.spoken()))
        .then(Tone::Strong, format::si(split.tokens))
    };
    why(case, winner, said.say(". "))
}

/// "The network is why." of a split that loses, "The compute devices set the pace." of another.
fn why(case: &SplitCase, winner: Winner, said: Sentence) -> Sentence {
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
        // What would not do with the fastest link has other reasons, too.
        (Winner::Together, false) if who == network.0 && falls_short(case) => " is part of why.",
        (Winner::Together, true) => " are why.",
        (Winner::Together, false) => " is why.",
        (_, true) => " set the pace.",
        (_, false) => " sets the pace.",
    };
    said.then(tone, who).say(verb)
}

/// Whether a split has less for its money with the fastest link, too.
fn falls_short(case: &SplitCase) -> bool {
    with_fastest(case).is_some_and(|(_, factor)| factor.is_some_and(|factor| factor * SAME < 1.0))
}

/// What keeps the split from more: what it would need, what that would give, what it serves at together's speed.
fn limit(case: &SplitCase) -> Sentence {
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
        .map(|other| other.evaluation.tokens_per_user)
        .filter(|_| case.setup.compute.workload.slo.is_none());
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
fn network(case: &SplitCase, said: Sentence) -> Sentence {
    let Some(least) = minimum_bandwidth(&case.setup).filter(|least| *least > case.setup.net) else {
        return said.say("Each batch waits for its turn on both sides. ");
    };
    let said = said.say(format!(
        "It needs {} GB/s per device and has {}",
        format::sig3(least.as_gb()),
        format::printed(case.setup.net.as_gb())
    ));
    let Some((tokens, factor)) = with_fastest(case) else {
        return said.say(". ");
    };
    said.say(format!(
        "; with the fastest link it would reach {}{}. ",
        format::si(tokens),
        factor.map_or_else(String::new, |factor| format!(
            ", {} per dollar",
            format::factor(factor)
        ))
    ))
}

/// What a split serves with the fastest link, and over the cluster it is compared with per dollar, where prices say.
fn with_fastest(case: &SplitCase) -> Option<(f64, Option<f64>)> {
    let setup = slo::setup(&case.inputs.with(Number::Net, Number::Net.spec().most)).ok()?;
    let then = evaluate(&setup).ok()?;
    let other = case.other.as_ref()?.tokens_per_dollar();
    let factor = then.tokens_per_dollar.map(|tokens| tokens / other);
    Some((then.tokens, factor))
}

/// The most tokens per second with at least `users` for a user; a smaller batch is faster.
fn at_speed(case: &SplitCase, users: f64) -> Option<f64> {
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

/// The best degree of parallelism under the budget, where it has clearly more for its money than what there is
/// without it: the better of this split and the cluster it is compared with.
fn better(case: &SplitCase) -> Option<(String, Repair)> {
    let budget = case.budget?;
    let best = case
        .found
        .candidates
        .iter()
        .filter(|candidate| candidate.dollars_per_hour <= budget * (1.0 + 1e-9))
        .reduce(|most, next| {
            if next.tokens_per_dollar > most.tokens_per_dollar {
                next
            } else {
                most
            }
        })?;
    let judged = super::judged(&case.setup, case.other.as_ref());
    let together = { case.other.as_ref() }
        .filter(|_| !matches!(judged, Some(Judged::Only(Winner::Apart) | Judged::Neither)))
        .map(Homogeneous::tokens_per_dollar);
    let split = { case.split.tokens_per_dollar }.filter(|_| {
        !matches!(
            judged,
            Some(Judged::Only(Winner::Together) | Judged::Neither)
        )
    });
    let degree = format!("({}, {})", best.compute_gpus, best.memory_gpus);
    let known = split.unwrap_or(0.0).max(together.unwrap_or(0.0));
    if best.tokens_per_dollar < WORTH_SAYING * known {
        return None;
    }
    let words = match together.or(split) {
        Some(base) => format!(
            "Under {}/h, {degree} has {} the tokens per dollar of {}.",
            format::dollars(budget),
            format::factor(best.tokens_per_dollar / base),
            if together.is_some() {
                "together"
            } else {
                "this split"
            }
        ),
        None => format!("Under {}/h, {degree} does.", format::dollars(budget)),
    };
    let repair = Repair {
        label: format!("Use {degree}"),
        numbers: vec![
            (Number::ComputeGpus, f64::from(best.compute_gpus)),
            (Number::MemoryGpus, f64::from(best.memory_gpus)),
        ],
        partition: None,
        mode: None,
    };
    // Together is another cluster beside another split, as large as its price.
    let mut taken = case.inputs;
    repair.apply(&mut taken);
    let setup = slo::setup(&taken).ok()?;
    let lost = matches!(
        super::judged(&setup, homogeneous(&taken, &setup).as_ref()),
        Some(
            Judged::Compared(Winner::Together, _)
                | Judged::Only(Winner::Together)
                | Judged::Neither
        )
    );
    (!lost).then_some((words, repair))
}

/// Where no source prices both sides: the page's own price of the one, and of the other what [L] has it cost beside an
/// H100, of the page's price of that. A person must choose it, for it mixes two sources.
fn rented(case: &SplitCase) -> Option<(String, Repair)> {
    if case.setup.dollars_per_hour().is_some() {
        return None;
    }
    let memory = case.inputs.memory_gpu;
    let compute = case
        .setup
        .compute_price
        .or(match compute_gpu(&case.inputs) {
            Gpu::Catalog(entry) => entry.accelerator.dollars_per_hour,
            Gpu::Custom => None,
        })?;
    let (whole, part, _) = prices_of_one_source(catalog::DEFAULT, memory)?;
    let share = part / whole;
    let price = catalog::DEFAULT.accelerator.dollars_per_hour? * share;
    let price = (price * 100.0).round() / 100.0;
    let words = format!(
        "At the rental prices of the other views {} costs {}, and {} {}: {} of an H100, as in [L].",
        case.compute_name(),
        price_text(compute),
        case.memory_name(),
        price_text(price),
        format::factor(share)
    );
    let repair = Repair {
        label: format!("Use {} and {}", price_text(compute), price_text(price)),
        numbers: vec![
            (Number::ComputePrice, compute),
            (Number::MemoryPrice, price),
        ],
        partition: None,
        mode: None,
    };
    Some((words, repair))
}

/// "Does not fit: each H20 would have to hold 111 of 96 GiB. The most is 15,900 sequences."
fn does_not_fit(case: &SplitCase) -> (Sentence, Vec<Repair>) {
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
fn enough(case: &SplitCase) -> Option<Repair> {
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
