//! Derivation trees of TPOT, and of the rates and cost that follow from it.

use super::case::{Case, Factors};
use super::equation::Equation;
use super::prefill;
use super::step::step;
use super::symbol::Symbol;
use super::tree::{Account, DEEPEST, How, Term};
use crate::inputs::Number;

/// Derives the acceptance length y: tokens per step and sequence. Returns `None` without draft tokens.
pub fn yielded(case: &Case<'_>) -> Option<Account> {
    let speculation = &case.scenario.workload.speculation;
    let depth = f64::from(speculation.depth);
    (depth > 0.0).then(|| {
        let parts = vec![
            case.input(Symbol::Drafted, Number::SpeculationDepth, depth),
            case.input(
                Symbol::Acceptance,
                Number::Acceptance,
                speculation.acceptance,
            ),
        ];
        let how = How::Equation(Equation::AcceptanceLength);
        Account::folded(Term::Plain(Symbol::Yield), how, parts)
    })
}

/// Derives TPOT. `room` is the number of tree levels available below the TPOT node.
pub fn tpot(case: &Case<'_>, room: usize) -> Account {
    let name = Term::Plain(Symbol::Tpot);
    let value = case.evaluation.tpot.get();
    match prefill::per_token(case).filter(|prefill| prefill.value > 0.0) {
        None => own(case, name, room).shown_as(value),
        Some(prefill) => {
            let decode = match yielded(case) {
                None => step(case, room - 1),
                Some(_) => own(case, Term::Plain(Symbol::Decoding), room - 1),
            };
            Account::of(name, value, How::Sum, vec![decode, prefill])
        }
    }
}

/// Derives step time ÷ acceptance length; without draft tokens, the step time itself.
fn own(case: &Case<'_>, name: Term, room: usize) -> Account {
    match yielded(case) {
        None => step(case, room).named(name),
        Some(tokens) => Account::quotient(name, vec![step(case, room - 1)], vec![tokens]),
    }
}

/// Derives interactivity: tokens per second for one user.
pub fn per_user(case: &Case<'_>) -> Account {
    let one = case.definition(Symbol::OneToken, 1.0);
    let tpot = tpot(case, DEEPEST - 1);
    Account::quotient(Term::Plain(Symbol::PerUser), vec![one], vec![tpot])
        .shown_as(case.evaluation.tokens_per_user)
}

/// Derives throughput per GPU: tokens per second ÷ GPUs.
pub fn per_gpu(case: &Case<'_>) -> Account {
    let workload = &case.scenario.workload;
    let batch = case.input(Symbol::Batch, Number::Batch, workload.batch);
    let gpus = case.ways(Symbol::Gpus, Number::Gpus, case.scenario.cluster.gpus);
    let below = vec![gpus, tpot(case, DEEPEST - 1)];
    Account::quotient(Term::Plain(Symbol::PerGpu), vec![batch], below)
        .shown_as(case.evaluation.tokens_per_gpu)
}

/// Derives throughput: tokens per second of all replicas.
pub fn throughput(case: &Case<'_>) -> Account {
    let workload = &case.scenario.workload;
    let batch = case.input(Symbol::Batch, Number::Batch, workload.batch);
    let mut above = vec![batch];
    if case.scenario.replicas > 1 {
        above.push(case.ways(Symbol::Replicas, Number::Replicas, case.scenario.replicas));
    }
    let below = vec![tpot(case, DEEPEST - 1)];
    Account::quotient(Term::Plain(Symbol::Throughput), above, below)
        .shown_as(case.evaluation.tokens)
}

/// Derives US dollars per million tokens; `None` without a GPU price.
pub fn cost(case: &Case<'_>) -> Option<Account> {
    let value = case.evaluation.dollars_per_mtok?;
    let price = case.scenario.dollars_per_hour?;
    let workload = &case.scenario.workload;
    let factors = Factors::one(case.input(Symbol::Price, Number::Price, price))
        .times(case.ways(Symbol::Gpus, Number::Gpus, case.scenario.cluster.gpus))
        .times(tpot(case, DEEPEST - 1))
        .times(case.definition(Symbol::Million, 1e6))
        .over(case.input(Symbol::Batch, Number::Batch, workload.batch))
        .over(case.definition(Symbol::Hour, 3600.0));
    Some(factors.node(Term::Plain(Symbol::Cost)).shown_as(value))
}
