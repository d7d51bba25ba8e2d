//! "What changed since A?": the difference between the pinned and the current scenario, term by term.

mod layout;
mod steps;

use super::memory;
use crate::case::Evaluated;
use crate::chart::prelude::*;
use crate::compare::{changes, sides};
use model_core::compare::{Comparison, Quantity, Term, compare};
use model_core::order::sort_by_key;
use std::sync::Arc;
use steps::Waterfall;

/// Height of the waterfall chart: a fraction of its width, within limits in CSS px.
pub const SHAPE: Shape = Shape::Share {
    of: 0.42,
    px: [300.0, 400.0],
};

/// Draws one waterfall chart per quantity, in the order of [`Quantity::ALL`].
pub fn charts(case: &Evaluated, pinned: Option<&Evaluated>) -> [Arc<Chart>; Quantity::ALL.len()] {
    let notes = pinned.map(|pinned| notes(case, pinned)).unwrap_or_default();
    Quantity::ALL.map(|quantity| {
        let found = match pinned {
            None => Err("No pinned scenario. Use Compare to pin one."),
            Some(pinned) => between(quantity, case, pinned)
                .map(|found| one(quantity, case, pinned, &found, notes.clone()))
                .ok_or("Prices missing"),
        };
        Arc::new(chart(found))
    })
}

/// Draws a waterfall chart or, if `found` is an error, an empty chart with the reason.
pub fn chart(found: Result<Waterfall, &'static str>) -> Chart {
    let (of, why) = match found {
        Ok(of) => (Some(of), None),
        Err(why) => (None, Some(why)),
    };
    let drawn = of.as_ref().filter(|of| of.draws());
    let steps = drawn.map(Waterfall::steps).unwrap_or_default();
    let told: Vec<Tooltip> = { drawn.iter() }
        .flat_map(|of| steps.iter().map(|step| of.tooltip(step)))
        .collect();
    let hits = told.len();
    // Columns have tooltips; the table lists the terms.
    type Item = (Option<Tooltip>, String, [f64; 2]);
    let terms = of.iter().flat_map(|of| &of.terms);
    let terms = terms.map(|term| (None, term.name.clone(), [term.from, term.to]));
    let total = drawn.map(|of| (None, "total".to_owned(), [of.from, of.to]));
    let listed: Vec<Item> = terms.chain(total).collect();
    let count = listed.len();
    let columns = told
        .into_iter()
        .map(|tip| (Some(tip), String::new(), [0.0; 2]));
    let items: Vec<Item> = listed.into_iter().chain(columns).collect();
    let axis = of.as_ref().map_or("", |of| of.axis);
    let rows = Rows::of(&items)
        .col("term", "", |(_, name, _)| name.clone())
        .col("A", axis, |(.., [from, _])| *from)
        .col("now", axis, |(.., [_, to])| *to)
        .col("difference", axis, |(.., [from, to])| to - from)
        .listing(count)
        .telling(|(tip, ..)| tip.clone().unwrap_or_default());
    let finding = drawn.map_or(
        why.unwrap_or("Nothing to plot").to_owned(),
        Waterfall::finding,
    );
    let draws = drawn.is_some();
    Chart {
        finding,
        rows,
        own: of
            .filter(|_| draws)
            .map(|of| Own::new(of, count..count + hits)),
        empty: why.unwrap_or("nothing to plot").into(),
        shape: SHAPE,
        ..Chart::default()
    }
}

fn between(quantity: Quantity, case: &Evaluated, pinned: &Evaluated) -> Option<Comparison> {
    compare(
        quantity,
        (&pinned.scenario, &pinned.evaluation),
        (&case.scenario, &case.evaluation),
    )
}

/// Returns the axis unit of a quantity: the conversion factor to that unit, the axis label, and the suffix of numbers
/// in that unit.
fn unit(quantity: Quantity, most: f64) -> (f64, &'static str, &'static str) {
    match quantity {
        Quantity::Step => match lanes::unit(most) {
            (per_s, unit) if per_s < 1e6 => (per_s, "ms per step", unit),
            (per_s, unit) => (per_s, "µs per step", unit),
        },
        Quantity::Memory => (1.0 / 1_073_741_824.0, "GiB on the most loaded GPU", "GiB"),
        Quantity::Cost => (1.0, "$/M tok", ""),
    }
}

fn one(
    quantity: Quantity,
    case: &Evaluated,
    pinned: &Evaluated,
    found: &Comparison,
    notes: Vec<String>,
) -> Waterfall {
    let (scale, axis, unit) = unit(quantity, found.from.max(found.to));
    let terms = found.changes.iter().map(|change| steps::Term {
        name: name(quantity, change.term).to_owned(),
        role: role(quantity, change.term),
        hides: change.term == Term::Hidden,
        from: change.from * scale,
        to: change.to * scale,
    });
    Waterfall {
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
        source: match quantity {
            Quantity::Step => "step-time terms minus overlap, A vs. current",
            Quantity::Memory => "memory on the most loaded GPU, A vs. current",
            Quantity::Cost => "GPU-hours of each step-time term × the current price",
        },
    }
}

/// Returns the current scenario's total as stacked parts, from the bottom. Only exposed communication is included.
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
        (Term::Prompts, _) => "prefill of other requests",
        (Term::Messages, _) => "communication",
        (Term::Hidden, _) => "overlapped",
        (Term::Cache, _) => "KV cache",
        (Term::Activations, _) => "activations",
        (Term::Beside, _) => memory::BESIDE,
        (Term::Engine, _) => memory::ENGINE,
        (Term::Price, _) => "price",
    }
}

const fn role(quantity: Quantity, term: Term) -> Option<Role> {
    Some(match (term, quantity) {
        (Term::Attention, _) => Role::Attention,
        (Term::Dense, _) => Role::Dense,
        (Term::Experts, _) => Role::Experts,
        (Term::Head, _) => Role::Head,
        (Term::Overhead | Term::Host | Term::Engine, _) => Role::Overhead,
        (Term::Prompts, _) => Role::Prompts,
        (Term::Messages, _) => Role::Messages,
        (Term::Cache, _) => Role::Kv,
        (Term::Activations, _) => Role::Activations,
        (Term::Beside, _) => Role::Weights,
        (Term::Hidden | Term::Price, _) => return None,
    })
}

/// Lists the changes from the pinned scenario A to the current one, in at most three lines.
fn notes(case: &Evaluated, pinned: &Evaluated) -> Vec<String> {
    let mut changed = changes(&case.inputs, &pinned.inputs);
    match changed.len() {
        0 => vec!["No differences.".to_owned()],
        few if few <= 3 => changed,
        many => {
            changed.truncate(2);
            changed.push(format!("and {} more", format::in_words(many - 2)));
            changed
        }
    }
}
