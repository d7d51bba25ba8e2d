//! A quantity of two scenarios compared term by term: step, memory, cost.
//!
//! Terms add up to the quantity, so their changes add up to its change. Overlapped time is a negative term.

use crate::evaluate::Evaluation;
use crate::named::named;
use crate::scenario::Scenario;

named! {
    /// A quantity whose change is broken down.
    pub enum Quantity {
        /// One step and the prefill of other requests, in seconds.
        Step = "step",
        /// Memory of the most loaded GPU, in bytes.
        Memory = "memory",
        /// US dollars per million tokens.
        Cost = "cost",
    }
}

/// A term of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// Attention: its time, or its weights.
    Attention,
    /// Dense FFN layers.
    Dense,
    /// Experts with their router.
    Experts,
    /// The output head; in memory the embedding too.
    Head,
    /// Kernel launches and framework overhead.
    Overhead,
    /// CPU overhead between steps.
    Host,
    /// Aggregated prefill of other requests.
    Prompts,
    /// Communication, overlapped or not.
    Messages,
    /// Overlapped time; negative.
    Hidden,
    /// The KV cache.
    Cache,
    /// Activations.
    Activations,
    /// Weights outside the model's layers: encoder, drafter, lookup tables.
    Beside,
    /// Engine memory.
    Engine,
    /// Change of the price of a GPU-hour, at the GPU-hours of before.
    Price,
}

/// A term before and now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TermChange {
    /// The term.
    pub term: Term,
    /// Contribution before, in the quantity's unit; negative for overlapped time.
    pub from: f64,
    /// Contribution now.
    pub to: f64,
}

impl TermChange {
    /// Change of the term, now minus before.
    pub fn by(&self) -> f64 {
        self.to - self.from
    }
}

/// A quantity before and now, by term.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The quantity before.
    pub from: f64,
    /// The quantity now.
    pub to: f64,
    /// Terms that are not zero in both. Their [`TermChange::by`] add up to `to − from`.
    pub changes: Vec<TermChange>,
    /// Terms of the quantity now that are not zero; overlapped time is negative.
    pub parts: Vec<(Term, f64)>,
}

impl Comparison {
    /// The largest change in either direction; overlapped time, which follows from the others, is left out.
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

/// Compares a quantity of two scenarios; `None` for a cost without a price.
pub fn compare(
    quantity: Quantity,
    before: (&Scenario, &Evaluation),
    now: (&Scenario, &Evaluation),
) -> Option<Comparison> {
    let (from, to) = match quantity {
        Quantity::Step | Quantity::Memory => (parts(quantity, before), parts(quantity, now)),
        Quantity::Cost => {
            // GPU-hours of both at the current price; the price's own change is a separate term.
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
        // A difference of rounding is no change of a price.
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

/// Terms of a step or of the memory, in the same order for every scenario.
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

/// Cost of each term of a step in dollars per million tokens, by its share of the GPU-hours.
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
