//! Term-by-term comparison of a quantity (step time, memory or cost) between two scenarios.
//!
//! The terms add up to the quantity, so the changes of the terms add up to the change of the quantity. Overlapped
//! time is a negative term.

use crate::evaluate::Evaluation;
use crate::named::named;
use crate::scenario::Scenario;

named! {
    /// A quantity of a scenario whose change is broken down into terms.
    pub enum Quantity {
        /// Step time, including aggregated prefill of other requests, in seconds.
        Step = "step",
        /// Memory of the most loaded GPU, in bytes.
        Memory = "memory",
        /// Cost in US dollars per million output tokens.
        Cost = "cost",
    }
}

/// A term that a quantity is broken down into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// Attention: its time in a step, or the memory of its weights.
    Attention,
    /// Dense FFN layers: their time in a step, or the memory of their weights.
    Dense,
    /// Experts and their router: their time in a step, or the memory of their weights.
    Experts,
    /// The output head: its time in a step, or the memory of its weights and of the input embedding.
    Head,
    /// Time of kernel launches and framework overhead.
    Overhead,
    /// CPU time between steps.
    Host,
    /// Time of aggregated prefill of other requests.
    Prompts,
    /// Communication time, overlapped or not.
    Messages,
    /// Overlapped time, counted as negative.
    Hidden,
    /// Memory of the KV cache.
    Cache,
    /// Memory of activations.
    Activations,
    /// Weights outside the LLM's layers: encoder, drafter, lookup tables.
    Beside,
    /// Engine memory: GPU memory used in addition to weights and KV cache.
    Engine,
    /// Cost change caused by a different price per GPU-hour, at the GPU-hours of the earlier scenario.
    Price,
}

/// A term's contribution in the earlier and in the current scenario.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TermChange {
    /// The term whose contributions are compared.
    pub term: Term,
    /// Contribution in the earlier scenario, in the quantity's unit; negative for overlapped time.
    pub from: f64,
    /// Contribution in the current scenario, in the quantity's unit; negative for overlapped time.
    pub to: f64,
}

impl TermChange {
    /// Returns the change of the term: its current contribution minus the earlier one.
    pub fn by(&self) -> f64 {
        self.to - self.from
    }
}

/// A quantity in the earlier and in the current scenario, broken down by term.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Value of the quantity in the earlier scenario.
    pub from: f64,
    /// Value of the quantity in the current scenario.
    pub to: f64,
    /// Terms that are nonzero in at least one of the two scenarios. The changes ([`TermChange::by`]) of all terms add
    /// up to `to − from`.
    pub changes: Vec<TermChange>,
    /// Nonzero terms that add up to the quantity in the current scenario; overlapped time is negative.
    pub parts: Vec<(Term, f64)>,
}

impl Comparison {
    /// Returns the term with the largest change in either direction. Overlapped time is excluded, because it follows
    /// from the other terms.
    pub fn largest(&self) -> Option<TermChange> {
        let of_its_own = |change: &&TermChange| change.term != Term::Hidden;
        let larger =
            |one: &&TermChange, other: &&TermChange| one.by().abs().total_cmp(&other.by().abs());
        self.changes
            .iter()
            .filter(of_its_own)
            .max_by(larger)
            .copied()
    }
}

/// Compares a quantity between two scenarios; returns `None` for a cost if either scenario has no price.
pub fn compare(
    quantity: Quantity,
    before: (&Scenario, &Evaluation),
    now: (&Scenario, &Evaluation),
) -> Option<Comparison> {
    let (from, to) = match quantity {
        Quantity::Step | Quantity::Memory => (parts(quantity, before), parts(quantity, now)),
        Quantity::Cost => {
            // Both costs use the current price; the price change is a separate term.
            let price = now.0.dollars_per_hour?;
            (costs(before, price), costs(now, price))
        }
    };
    let (mut start, end) = (total(&from), total(&to));
    let mut changes = Vec::with_capacity(from.len() + 1);
    if quantity == Quantity::Cost {
        let paid = before.1.dollars_per_mtok?;
        changes.push(TermChange {
            term: Term::Price,
            from: paid,
            to: start,
        });
        start = paid;
    }
    for ((term, from), (_, to)) in from.into_iter().zip(&to) {
        changes.push(TermChange {
            term,
            from,
            to: *to,
        });
    }
    changes.retain(|change| {
        // A rounding difference does not count as a price change.
        let stays = change.term == Term::Price && change.by().abs() <= 1e-12 * change.from;
        !stays && (change.from != 0.0 || change.to != 0.0)
    });
    Some(Comparison {
        from: start,
        to: end,
        changes,
        parts: to.into_iter().filter(|(_, value)| *value != 0.0).collect(),
    })
}

fn total(parts: &[(Term, f64)]) -> f64 {
    parts.iter().map(|(_, value)| value).sum()
}

/// Returns the terms of the step time or of memory, in the same order for every scenario.
fn parts(quantity: Quantity, (scenario, evaluation): (&Scenario, &Evaluation)) -> Vec<(Term, f64)> {
    if quantity == Quantity::Memory {
        let memory = &evaluation.memory;
        return vec![
            (Term::Attention, memory.attention_weights.get()),
            (Term::Dense, memory.dense_weights.get()),
            (Term::Experts, memory.expert_weights.get()),
            (Term::Head, memory.embedding.get()),
            (Term::Cache, memory.kv_cache.get() * memory.whole),
            (Term::Activations, memory.activations.get() * memory.whole),
            (Term::Beside, memory.beside.get()),
            (Term::Engine, memory.engine.total.get()),
        ];
    }
    let breakdown = &evaluation.breakdown;
    let host = breakdown.host.get();
    let yielded = scenario.workload.speculation.yielded();
    let prompts = evaluation
        .prefills
        .map_or(0.0, |prefills| prefills.per_token.get() * yielded);
    vec![
        (Term::Messages, breakdown.messages.get()),
        (Term::Attention, breakdown.attention.get()),
        (Term::Dense, breakdown.dense.get()),
        (Term::Experts, breakdown.experts.get()),
        (Term::Head, breakdown.head.get()),
        (Term::Overhead, (breakdown.overhead.get() - host).max(0.0)),
        (Term::Host, host),
        (Term::Prompts, prompts),
        (Term::Hidden, -breakdown.hidden.get()),
    ]
}

/// Distributes the cost, in US dollars per million output tokens, among the terms of a step in proportion to their
/// times.
fn costs(case: (&Scenario, &Evaluation), price: f64) -> Vec<(Term, f64)> {
    let (scenario, evaluation) = case;
    let hours = f64::from(scenario.cluster.gpus) * 1e6 / 3600.0 / evaluation.tokens;
    let parts = parts(Quantity::Step, case);
    let step = total(&parts);
    let per_second = price * hours / step;
    parts
        .into_iter()
        .map(|(term, time)| (term, time * per_second))
        .collect()
}
