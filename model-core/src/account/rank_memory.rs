//! Derivation trees of the memory per GPU of AFD attention ranks and FFN ranks.

use super::afd::{Unit, loaded};
use super::case::{Case, Factors};
use super::operator::Pass;
use super::symbol::Symbol;
use super::tree::{Account, How, Term};
use super::{cache, engine, memory};
use crate::afd::bundle::IN_FLIGHT;
use crate::ops::OperatorRole;

impl Unit<'_> {
    /// Derives the memory per GPU of an AFD attention rank, mainly its weights and the KV caches of both
    /// micro-batches.
    pub(super) fn attention_memory(&self) -> Option<Account> {
        let slots = self.bundle.slots;
        let mut half = self.bundle.halves.attention;
        half.workload.context = self.bundle.lengths.context();
        let value = self.bundle.attention_memory().most().get();
        self.with_case(&half, slots, |case| {
            let sequences = || vec![self.slots(case), Self::in_flight(case)];
            let held = Term::Plain(Symbol::GroupSequences);
            let held = Account::folded(held, How::Product, sequences());
            let others = [Symbol::MoeWeights, Symbol::DenseWeights];
            let mut parts = weights(case, others)?;
            parts.push(cache::of_group(case, held));
            let all = Factors::one(self.slots(case));
            let roles = [OperatorRole::Attention, OperatorRole::Head];
            parts.extend(activations(case, slots, all, roles));
            parts.extend(
                memory::habits(case).map(|habits| engine::of(case, habits, IN_FLIGHT * slots)),
            );
            Some(sum(Symbol::RankMemory, parts, value))
        })
    }

    /// Derives the memory of an AFD FFN rank's most loaded GPU, mainly its weights.
    pub(super) fn ffn_memory(&self) -> Option<Account> {
        let rows = self.point.ratio * self.bundle.slots;
        let half = &self.bundle.halves.ffn;
        let value = self.bundle.ffn_memory(self.point.ratio).most().get();
        self.with_case(half, rows, |case| {
            let others = [Symbol::AttentionWeights, Symbol::Embedding];
            let mut parts = weights(case, others)?;
            let all = Factors::one(self.slots(case)).times(self.ratio(case));
            let roles = [OperatorRole::Dense, OperatorRole::Experts];
            parts.extend(activations(case, rows, all, roles));
            let of_group = rows / f64::from(half.plan.spec().dp);
            parts.extend(memory::habits(case).map(|habits| engine::of(case, habits, of_group)));
            Some(sum(Symbol::FfnMemory, parts, value))
        })
    }
}

fn sum(symbol: Symbol, parts: Vec<Account>, value: f64) -> Account {
    Account::of(Term::Plain(symbol), value, How::Sum, parts)
}

/// Derives the weights of an AFD rank, leaving out `others`, the weights that the other type of rank stores. Returns
/// `None` if the user entered only the total of all weights.
fn weights(case: &Case<'_>, others: [Symbol; 2]) -> Option<Vec<Account>> {
    let habits = memory::habits(case);
    if habits.is_some_and(|habits| habits.weights.is_some()) {
        return None;
    }
    let mut parts = memory::weights(case, habits);
    parts.retain(|part| !others.iter().any(|other| part.term == Term::Plain(*other)));
    Some(parts)
}

fn activations(
    case: &Case<'_>,
    sequences: f64,
    all: Factors,
    roles: [OperatorRole; 2],
) -> Option<Account> {
    let arch = &case.scenario.arch;
    let pass = Pass::of_load(case, loaded(case, sequences, all, None));
    let nodes = memory::largest(&pass, |place, _| roles.contains(&place.role(arch)));
    let term = Term::Plain(Symbol::Activations);
    (!nodes.is_empty()).then(|| Account::folded(term, How::LargerOf, nodes))
}
