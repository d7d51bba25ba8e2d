//! Data of "What changed since A?".

use model_core::order::sort_by_key;
use std::sync::Arc;

use model_core::compare::{Comparison, Quantity, Term, compare};

use super::Evaluated;
use super::compare::{changes, sides};
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

/// Axis unit of a quantity: its factor, its name, and the suffix of a number.
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
        sides: sides(&case.inputs, &pinned.inputs),
        notes,
        fits: quantity == Quantity::Memory || pinned.evaluation.memory.fits(),
        nothing: None,
        source: match quantity {
            Quantity::Step => "terms of a step, less overlap, before and now",
            Quantity::Memory => "memory of the fullest GPU, before and now",
            Quantity::Cost => "GPU-hours of each term of a step at the price of now",
        }
        .to_owned(),
    }
}

/// Stack of the present scenario, from the bottom: communication only as far as it is exposed.
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
        (Term::Host, _) => "CPU overhead",
        (Term::Prompts, _) => "prefill of others",
        (Term::Messages, _) => "communication",
        (Term::Hidden, _) => "overlapped",
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

/// The changes from A, in at most three lines.
fn notes(case: &Evaluated, pinned: &Evaluated) -> Vec<String> {
    let mut changed = changes(&case.inputs, &pinned.inputs);
    match changed.len() {
        0 => vec!["Nothing was changed.".to_owned()],
        few if few <= 3 => changed,
        many => {
            changed.truncate(2);
            changed.push(format!("and {} more", format::in_words(many - 2)));
            changed
        }
    }
}
