//! Derivation trees of engine memory: memory outside the allocator, memory of the largest pass, and CUDA graphs.

use super::case::Case;
use super::memory_source::STARTS;
use super::symbol::Symbol;
use super::tree::{Account, How, Term};
use crate::cost::engine::{EngineMemory, forward, indexes_pages, sampler};
use crate::engine_memory::Habits;
use crate::inputs::Number;

fn record(case: &Case<'_>, habits: &Habits, sequences: f64) -> EngineMemory {
    let scenario = case.scenario;
    EngineMemory::of(&scenario.arch, &scenario.plan, habits, sequences)
}

/// Derives the engine memory of a GPU whose attention group runs up to `sequences` sequences.
pub fn of(case: &Case<'_>, habits: &Habits, sequences: f64) -> Account {
    if let Some(stated) = habits.engine {
        return case.input(Symbol::Engine, Number::EngineGib, stated.get());
    }
    let engine = record(case, habits, sequences);
    let mut parts = fixed(case, &engine);
    parts.push(pass(case, habits, habits.sequences.max(sequences.ceil())));
    parts.extend(index_logits(case, habits));
    let term = Term::Plain(Symbol::Engine);
    Account::of(term, engine.total.get(), How::Sum, parts)
}

/// Splits engine memory into a fixed part and the bytes that each sequence adds. This split is valid if the sampler,
/// not the forward pass, needs the most memory.
pub fn growing(case: &Case<'_>, habits: &Habits, sequences: f64) -> (Account, Account) {
    let engine = record(case, habits, sequences);
    let mut parts = fixed(case, &engine);
    parts.push(hidden(case, habits));
    parts.extend(index_logits(case, habits));
    let fixed = Account::folded(Term::Plain(Symbol::Engine), How::Sum, parts);
    let vocab = f64::from(case.scenario.arch.vocab);
    let logits = vec![
        case.constant(Symbol::LogitCopies, habits.logits, STARTS),
        case.model_fact(Symbol::Vocabulary, vocab),
        case.definition(Symbol::LogitBytes, 4.0),
    ];
    let logits = Account::folded(Term::Plain(Symbol::Logits), How::Product, logits);
    (fixed, logits)
}

fn fixed(case: &Case<'_>, engine: &EngineMemory) -> Vec<Account> {
    vec![
        case.constant(Symbol::Outside, engine.outside.get(), STARTS),
        case.constant(Symbol::Graphs, engine.graphs.get(), STARTS),
    ]
}

/// Derives the bytes of the hidden states in the largest pass: 2 T d, for T tokens and model width d.
fn hidden(case: &Case<'_>, habits: &Habits) -> Account {
    let parts = vec![
        case.input(Symbol::PassTokens, Number::Chunk, habits.tokens),
        case.model_fact(Symbol::Hidden, f64::from(case.scenario.arch.hidden)),
        case.definition(Symbol::ActivationBytes, 2.0),
    ];
    Account::folded(Term::Plain(Symbol::HiddenStates), How::Product, parts)
}

/// Derives the memory of the largest pass: the larger of the forward pass's and the sampler's memory.
fn pass(case: &Case<'_>, habits: &Habits, sequences: f64) -> Account {
    let scenario = case.scenario;
    let (arch, plan) = (&scenario.arch, &scenario.plan);
    let tokens = case.input(Symbol::PassTokens, Number::Chunk, habits.tokens);
    let each = forward(arch, plan, habits).get() / habits.tokens;
    let forward = vec![tokens, case.model_fact(Symbol::ForwardEach, each)];
    let forward = Account::folded(Term::Plain(Symbol::Forward), How::Product, forward);
    let logits = vec![
        case.constant(Symbol::LogitCopies, habits.logits, STARTS),
        case.constant(Symbol::PassSequences, sequences, STARTS),
        case.model_fact(Symbol::Vocabulary, f64::from(arch.vocab)),
        case.definition(Symbol::LogitBytes, 4.0),
    ];
    let logits = Account::folded(Term::Plain(Symbol::Logits), How::Product, logits);
    let sampling = vec![logits, hidden(case, habits)];
    let value = sampler(arch, habits, sequences).get();
    let sampling = Account::of(Term::Plain(Symbol::Sampler), value, How::Sum, sampling);
    let term = Term::Plain(Symbol::LargestPass);
    Account::folded(term, How::LargerOf, vec![forward, sampling])
}

/// Derives the memory of DeepSeek-V4's indexer logits; `None` for other models.
fn index_logits(case: &Case<'_>, habits: &Habits) -> Option<Account> {
    const MOST: f64 = 4.0 * 1_073_741_824.0;
    indexes_pages(&case.scenario.arch).then(|| {
        let parts = vec![
            case.input(Symbol::PassTokens, Number::Chunk, habits.tokens),
            case.input(Symbol::Longest, Number::Context, habits.longest),
            case.definition(Symbol::ActivationBytes, 2.0),
        ];
        let all = Account::folded(Term::Plain(Symbol::IndexLogits), How::Product, parts);
        let most = case.constant(Symbol::IndexLogits, MOST, STARTS);
        let term = Term::Plain(Symbol::IndexLogits);
        Account::folded(term, How::SmallerOf, vec![all, most])
    })
}
