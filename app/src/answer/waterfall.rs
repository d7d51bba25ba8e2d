//! Data of "What changed since A?", and what of it comes first in words.

use model_core::advice::{WORTH, most, works};
use model_core::evaluate::Evaluation;
use model_core::order::sort_by_key;
use std::sync::Arc;

use model_core::compare::{Change, Comparison, Quantity, Term, compare};
use model_core::verdict::verdict;

use super::sentence::{Sentence, Tone};
use super::{Evaluated, compare as names, verdict as told};
use crate::charts::waterfall::{WaterfallData, WaterfallTerm};
use crate::format;
use crate::theme::Role;

/// A chart for each quantity, in the order of [`Quantity::ALL`].
pub fn data(
    case: &Evaluated,
    pinned: Option<&Evaluated>,
) -> [Arc<WaterfallData>; Quantity::ALL.len()] {
    let notes = pinned.map(|pinned| notes(case, pinned)).unwrap_or_default();
    Quantity::ALL.map(|quantity| {
        let found = match pinned {
            None => WaterfallData::empty("Nothing is pinned: Compare does that"),
            Some(pinned) => match between(quantity, case, pinned) {
                None => WaterfallData::empty("No price is known for both"),
                Some(found) => one(quantity, case, pinned, &found, notes.clone()),
            },
        };
        Arc::new(found)
    })
}

fn between(quantity: Quantity, case: &Evaluated, pinned: &Evaluated) -> Option<Comparison> {
    compare(
        quantity,
        (&pinned.scenario, &pinned.evaluation),
        (&case.scenario, &case.evaluation),
    )
}

/// How many there are of an axis's unit in the quantity's own, its name, and what stands behind a number.
fn unit(quantity: Quantity, most: f64) -> (f64, &'static str, &'static str) {
    match quantity {
        Quantity::Step => match crate::charts::lanes::unit(most) {
            (per_s, "ms") => (per_s, "ms per step", "ms"),
            (per_s, unit) => (per_s, "µs per step", unit),
        },
        Quantity::Memory => (1.0 / 1_073_741_824.0, "GiB of the fullest GPU", "GiB"),
        Quantity::Cost => (1.0, "$ per million tokens", ""),
    }
}

fn one(
    quantity: Quantity,
    case: &Evaluated,
    pinned: &Evaluated,
    found: &Comparison,
    notes: Vec<String>,
) -> WaterfallData {
    let (scale, axis, unit) = unit(quantity, found.from.max(found.to));
    let terms = found.changes.iter().map(|change| WaterfallTerm {
        name: name(quantity, change.term).to_owned(),
        role: role(quantity, change.term),
        hides: change.term == Term::Hidden,
        from: change.from * scale,
        to: change.to * scale,
    });
    WaterfallData {
        from: found.from * scale,
        to: found.to * scale,
        terms: terms.collect(),
        stack: stack(quantity, found)
            .into_iter()
            .map(|(role, value)| (role, value * scale))
            .collect(),
        axis,
        dollars: quantity == Quantity::Cost,
        unit,
        sides: names::sides(&case.inputs, &pinned.inputs),
        notes,
        fits: quantity == Quantity::Memory || pinned.evaluation.memory.fits(),
        nothing: None,
        source: match quantity {
            Quantity::Step => "terms of a step, less what hides, before and now",
            Quantity::Memory => "what the fullest GPU keeps, before and now",
            Quantity::Cost => "GPU-hours of each term of a step at the price of now",
        }
        .to_owned(),
    }
}

/// What now is made of from the bottom: messages only as far as nothing covers them.
fn stack(quantity: Quantity, found: &Comparison) -> Vec<(Role, f64)> {
    let hidden: f64 = found
        .parts
        .iter()
        .filter(|(term, _)| *term == Term::Hidden)
        .map(|(_, value)| -value)
        .sum();
    let mut left = hidden;
    let mut stack: Vec<(Role, f64)> = Vec::new();
    let order = |term: &Term| *term == Term::Messages;
    let mut parts: Vec<&(Term, f64)> = found.parts.iter().collect();
    sort_by_key(&mut parts, |(term, _)| order(term));
    for (term, value) in parts {
        let Some(role) = role(quantity, *term) else {
            continue;
        };
        let shown = if *term == Term::Messages {
            let covered = left.min(*value);
            left -= covered;
            value - covered
        } else {
            *value
        };
        match stack.iter_mut().find(|(other, _)| *other == role) {
            Some((_, sum)) => *sum += shown,
            None => stack.push((role, shown)),
        }
    }
    stack.retain(|(_, value)| *value > 0.0);
    stack
}

/// The word of a term.
const fn name(quantity: Quantity, term: Term) -> &'static str {
    match (term, quantity) {
        (Term::Attention, Quantity::Memory) => "attention weights",
        (Term::Attention, _) => "attention",
        (Term::Dense, Quantity::Memory) => "dense weights",
        (Term::Dense, _) => "dense",
        (Term::Experts, Quantity::Memory) => "expert weights",
        (Term::Experts, _) => "experts",
        (Term::Head, Quantity::Memory) => "embedding, head",
        (Term::Head, _) => "head",
        (Term::Overhead, _) => "overhead",
        (Term::Host, _) => "host",
        (Term::Prompts, _) => "prompts",
        (Term::Messages, _) => "messages",
        (Term::Hidden, _) => "hidden",
        (Term::Cache, _) => "KV cache",
        (Term::Activations, _) => "activations",
        (Term::Price, _) => "price",
    }
}

const fn role(quantity: Quantity, term: Term) -> Option<Role> {
    Some(match (term, quantity) {
        (Term::Attention, _) => Role::Attention,
        (Term::Dense, _) => Role::Dense,
        (Term::Experts, _) => Role::Experts,
        (Term::Head, _) => Role::Head,
        (Term::Overhead | Term::Host, _) => Role::Overhead,
        (Term::Prompts, _) => Role::Prompts,
        (Term::Messages, _) => Role::Messages,
        (Term::Cache, _) => Role::Kv,
        (Term::Activations, _) => Role::Activations,
        (Term::Hidden | Term::Price, _) => return None,
    })
}

/// What was changed, and what bound before and binds now.
fn notes(case: &Evaluated, pinned: &Evaluated) -> Vec<String> {
    let changed = names::changes(&case.inputs, &pinned.inputs);
    let (then, now) = binding(case, pinned);
    let bound = if then == now {
        vec![format!("Bound by {now}, as before.")]
    } else {
        vec![format!("Bound by {then} before,"), format!("by {now} now.")]
    };
    let mut lines = Vec::new();
    match changed.len() {
        0 => lines.push("Nothing was changed.".to_owned()),
        few if few <= 3 => lines.extend(changed),
        many => lines.push(format!(
            "{}, {} and {} more",
            changed[0],
            changed[1],
            format::in_words(many - 2)
        )),
    }
    lines.extend(bound);
    lines
}

/// What bound before, and what binds now.
fn binding(case: &Evaluated, pinned: &Evaluated) -> (&'static str, &'static str) {
    let of = |case: &Evaluated| {
        // As they stand, whatever batch an SLO would allow.
        let mut scenario = case.scenario;
        scenario.workload.slo = None;
        let found = verdict(&scenario, &case.evaluation);
        match found.alone {
            true => told::subject(&found).0,
            false => "no single resource",
        }
    };
    (of(pinned), of(case))
}

/// A change below this share of a total is none.
const NOTHING: f64 = 0.005;

/// "1.86× the throughput per GPU of A: attention changed most, 35.3 → 24.4 ms, taking the step from 79.8 to 37.3 ms.
/// Bound by scale-out messages, as before.", that where what `binds` is told; `None` where nothing changed.
pub fn sentence(case: &Evaluated, pinned: &Evaluated, binds: bool) -> Option<Sentence> {
    let name = names::difference(&case.inputs, &pinned.inputs)?;
    if !pinned.evaluation.memory.fits() {
        let said = Sentence::default().say(format!("A ({name}) does not fit, to compare with. "));
        let now = verdict(&case.scenario, &case.evaluation);
        return Some(told::help(case, &now, told::short(case, &now, said)));
    }
    let times = case.evaluation.tokens_per_gpu / pinned.evaluation.tokens_per_gpu;
    if let Some(said) = at_their_best(case, pinned, times) {
        return Some(match changed_most(case, pinned) {
            Some((quantity, found, most)) => {
                largest(quantity, &found, most, said.say(": ")).trimmed()
            }
            None => said.say("."),
        });
    }
    let said = if (times - 1.0).abs() < NOTHING {
        Sentence::default().then(Tone::Strong, "As much throughput per GPU")
    } else {
        let tone = if times > 1.0 { Tone::Help } else { Tone::Bad };
        Sentence::default()
            .then(tone, format::factor(times))
            .then(Tone::Strong, " the throughput per GPU")
    };
    let (quantity, found, most) = changed_most(case, pinned)?;
    let said = said.say(" of A: ");
    let said = largest(quantity, &found, most, said);
    if !binds {
        return Some(said.trimmed());
    }
    let (then, now) = binding(case, pinned);
    Some(if then == now {
        said.say(format!("Bound by {now}, as before."))
    } else {
        said.say(format!("Bound by {then} before, by "))
            .then(Tone::Strong, now)
            .say(" now.")
    })
}

/// The first quantity of which something changed, and what of it changed most.
fn changed_most(case: &Evaluated, pinned: &Evaluated) -> Option<(Quantity, Comparison, Change)> {
    Quantity::ALL.into_iter().find_map(|quantity| {
        let found = between(quantity, case, pinned)?;
        let most = found.largest()?;
        let large = most.by().abs() >= NOTHING * found.from.max(found.to);
        large.then_some((quantity, found, most))
    })
}

/// "4.81× the throughput per GPU of A, each at its best within the SLO: 5.13k against 1.07k tok/s, $0.217 against
/// $0.756 per M tokens. As they stand 1.08×", where an SLO of both makes that another answer than `as_is`.
fn at_their_best(case: &Evaluated, pinned: &Evaluated, as_is: f64) -> Option<Sentence> {
    let slo = case.scenario.workload.slo?;
    if pinned.scenario.workload.slo != Some(slo) {
        return None;
    }
    let (now, then) = (at_best(case)?, at_best(pinned)?);
    let times = now.tokens_per_gpu / then.tokens_per_gpu;
    if (times / as_is).max(as_is / times) < WORTH {
        return None;
    }
    let rates = [now, then].map(|best| format::si(best.tokens_per_gpu));
    let cost = now.dollars_per_mtok.zip(then.dollars_per_mtok);
    let cost = cost.map_or_else(String::new, |(now, then)| {
        format!(
            ", {} against {} per M tokens",
            format::dollars(now),
            format::dollars(then)
        )
    });
    let tone = if times > 1.0 { Tone::Help } else { Tone::Bad };
    Some(
        Sentence::default()
            .then(tone, format::factor(times))
            .then(Tone::Strong, " the throughput per GPU")
            .say(format!(
                " of A, each at its best within the SLO: {} against {} tok/s{cost}. As they stand ",
                rates[0], rates[1]
            ))
            .then(Tone::Strong, format::factor(as_is)),
    )
}

/// The best use of a scenario's GPUs within its SLO, as Plans has it.
fn at_best(case: &Evaluated) -> Option<Evaluation> {
    let now = works(&case.scenario, &case.evaluation).then_some(case.evaluation);
    let other = most(&case.inputs).map(|free| free.evaluation);
    match (now, other) {
        (Some(now), Some(other)) if now.tokens >= other.tokens => Some(now),
        (now, other) => other.or(now),
    }
}

/// "attention changed most, 35.3 → 24.4 ms, taking the step from 79.8 to 37.3 ms. ".
fn largest(quantity: Quantity, found: &Comparison, most: Change, said: Sentence) -> Sentence {
    let (scale, _, unit) = unit(quantity, found.from.max(found.to));
    let dollar = if quantity == Quantity::Cost { "$" } else { "" };
    let text = |value: f64| format!("{dollar}{}", format::figure(value * scale));
    let behind = |value: f64| format!("{} {unit}", text(value)).trim_end().to_owned();
    let tone = role(quantity, most.term).map_or(Tone::Strong, Tone::Role);
    let what = match quantity {
        Quantity::Step => "the step",
        Quantity::Memory => "memory",
        Quantity::Cost => "a million tokens",
    };
    let (from, to) = (found.from, found.to);
    let same = (to - from).abs() < NOTHING * from.max(to);
    let follows = if same {
        format!(", but {what} stays at {}. ", behind(to))
    } else {
        let verb = if (to > from) == (most.by() > 0.0) {
            "took"
        } else {
            "yet"
        };
        match verb {
            "took" => format!(", taking {what} from {} to {}. ", text(from), behind(to)),
            _ => format!(", yet {what} went from {} to {}. ", text(from), behind(to)),
        }
    };
    let said = said.then(tone, name(quantity, most.term));
    if (text(most.from), text(most.to)) == (text(from), text(to)) {
        return said.say(format!(
            " changed most and set {what}, {} → {}. ",
            text(from),
            behind(to)
        ));
    }
    said.say(format!(
        " changed most, {} → {}",
        text(most.from),
        behind(most.to)
    ))
    .say(follows)
}
