//! Sequences and tokens of a pass as factors.

use super::case::{Case, Factors};
use super::symbol::Symbol;
use super::tree::Account;
use crate::inputs::Number;
use crate::ops::Load;

/// A pass with the factors of its load.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The load.
    pub load: Load,
    /// Sequences of the pass over the deployment.
    pub all: Factors,
    /// Tokens of a sequence in the pass, 1 + δ in decode.
    pub carried: Factors,
    /// Tokens of context, S.
    pub context: Factors,
    /// Query–key pairs of a prompt; none in decode.
    pub pairs: Factors,
    /// Rows of keys and values of a prompt; none in decode.
    pub rows: Factors,
    /// Attention groups, dp.
    pub groups: Factors,
    /// Tokens that the head projects per sequence, if not all.
    pub heads: Factors,
}

/// A variable of the load that scales work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variable {
    /// Tokens of the pass over the deployment.
    Tokens,
    /// Tokens of an attention group.
    GroupTokens,
    /// Sequences of an attention group.
    Sequences,
    /// Tokens that the head projects.
    HeadTokens,
    /// Query tokens of a sequence.
    Queries,
}

impl Variable {
    /// All variables.
    pub const ALL: [Self; 5] = [
        Self::Tokens,
        Self::GroupTokens,
        Self::Sequences,
        Self::HeadTokens,
        Self::Queries,
    ];

    /// Its value in a load.
    pub const fn of(self, load: &Load) -> f64 {
        match self {
            Self::Tokens => load.tokens,
            Self::GroupTokens => load.group_tokens,
            Self::Sequences => load.sequences,
            Self::HeadTokens => load.head_tokens,
            Self::Queries => load.queries,
        }
    }

    /// The load with every other variable at zero.
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

    /// The load with another value of this variable.
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
    /// A decode pass of the scenario; `load` may be that of a later drafter pass, with one token per sequence.
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

    /// Two divisors of the sequences of a decode pass: pipeline stages and passes, or micro-batches.
    pub fn divisors(&self, case: &Case<'_>) -> [Account; 2] {
        let mut below = self.all.below.iter().cloned();
        let mut next = || {
            let own = below.next();
            own.unwrap_or_else(|| case.definition(Symbol::One, 1.0))
        };
        [next(), next()]
    }

    /// Factors of a variable.
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
