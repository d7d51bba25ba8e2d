//! The load of a pass (sequences, tokens, context) as factors for derivation trees.

use super::case::{Case, Factors};
use super::symbol::Symbol;
use super::tree::Account;
use crate::inputs::Number;
use crate::ops::Load;

/// The load of a forward pass. Each quantity is also given as the factors of a quotient, for the derivation trees.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The load of a pass as plain numbers.
    pub load: Load,
    /// Sequences of the pass over the whole deployment.
    pub all: Factors,
    /// Tokens per sequence in the pass; 1 + δ in decode, for δ draft tokens.
    pub carried: Factors,
    /// Context length S, in tokens.
    pub context: Factors,
    /// Factors whose product is the number of query–key pairs of one prompt chunk, averaged over chunks; empty in
    /// decode.
    pub pairs: Factors,
    /// Key/value rows to which one prompt chunk attends, averaged over chunks, as factors; empty in decode.
    pub rows: Factors,
    /// Number of attention groups (dp).
    pub groups: Factors,
    /// Tokens per sequence that the output head projects: all tokens in decode, one in prefill.
    pub heads: Factors,
}

/// A variable of a pass's load to which work may be proportional.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variable {
    /// Tokens of the pass over the whole deployment.
    Tokens,
    /// Tokens of one attention group.
    GroupTokens,
    /// Sequences of one attention group.
    Sequences,
    /// Tokens of one attention group that the output head projects.
    HeadTokens,
    /// Query tokens per sequence.
    Queries,
}

impl Variable {
    /// All variables of a pass's load.
    pub const ALL: [Self; 5] = [
        Self::Tokens,
        Self::GroupTokens,
        Self::Sequences,
        Self::HeadTokens,
        Self::Queries,
    ];

    /// Returns the value of this load variable in `load`.
    pub const fn of(self, load: &Load) -> f64 {
        match self {
            Self::Tokens => load.tokens,
            Self::GroupTokens => load.group_tokens,
            Self::Sequences => load.sequences,
            Self::HeadTokens => load.head_tokens,
            Self::Queries => load.queries,
        }
    }

    /// Returns `load` with every other load variable set to zero.
    pub const fn alone(self, load: &Load) -> Load {
        let none = Load {
            tokens: 0.0,
            sequences: 0.0,
            group_tokens: 0.0,
            head_tokens: 0.0,
            queries: 0.0,
            ..*load
        };
        self.set(none, self.of(load))
    }

    /// Returns `load` with this load variable set to `value`.
    pub const fn set(self, mut load: Load, value: f64) -> Load {
        match self {
            Self::Tokens => load.tokens = value,
            Self::GroupTokens => load.group_tokens = value,
            Self::Sequences => load.sequences = value,
            Self::HeadTokens => load.head_tokens = value,
            Self::Queries => load.queries = value,
        }
        load
    }
}

impl Loaded {
    /// Builds the factors of a decode pass. `load` may also be that of a later drafter pass, which has one token per
    /// sequence.
    pub fn decode(case: &Case<'_>, load: &Load) -> Self {
        let plan = &case.scenario.plan;
        let spec = plan.spec();
        let batch = case.input(Symbol::Batch, Number::Batch, case.scenario.workload.batch);
        let all = Factors::one(batch)
            .over(case.ways(Symbol::Pp, Number::Pp, spec.pp))
            .over(case.chosen(Symbol::Passes, "overlap", plan.passes()));
        let carried = if load.queries > 1.0 {
            Factors::one(case.input(Symbol::Carried, Number::SpeculationDepth, load.queries))
        } else {
            Factors::default()
        };
        Self {
            load: *load,
            all,
            context: Factors::one(case.input(Symbol::Context, Number::Context, load.context)),
            pairs: Factors::default(),
            rows: Factors::default(),
            groups: Factors::one(case.ways(Symbol::Dp, Number::Dp, spec.dp)),
            heads: carried.clone(),
            carried,
        }
    }

    /// Returns the two divisors of a decode pass's sequences: pipeline stages and passes. With Lamina, the divisor is
    /// micro-batches. A missing divisor is 1.
    pub fn divisors(&self, case: &Case<'_>) -> [Account; 2] {
        let mut below = self.all.below.iter().cloned();
        let mut next = || {
            let own = below.next();
            own.unwrap_or_else(|| case.definition(Symbol::One, 1.0))
        };
        [next(), next()]
    }

    /// Returns the factors (numerator and denominator) whose quotient is the given load variable.
    pub fn factors(&self, variable: Variable) -> Factors {
        let mut groups = Factors::default();
        for dp in &self.groups.above {
            groups = groups.over(dp.clone());
        }
        let sequences = self.all.clone().and(groups);
        match variable {
            Variable::Tokens => self.all.clone().and(self.carried.clone()),
            Variable::GroupTokens => sequences.and(self.carried.clone()),
            Variable::Sequences => sequences,
            Variable::HeadTokens => sequences.and(self.heads.clone()),
            Variable::Queries => self.carried.clone(),
        }
    }
}
