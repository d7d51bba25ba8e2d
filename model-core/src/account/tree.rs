//! A number as a tree: its formula, its parts, its leaves.

use super::equation::Equation;
use super::section::Section;
use super::symbol::{Symbol, Unit};
use crate::calibration::term::CalibrationTerm;
use crate::cost::collective::Collective;
use crate::ops::{Kind, OperatorRole, Place};
use crate::source::Source;

/// Deepest level of a tree; the root has level 0.
pub const DEEPEST: usize = 8;
/// Max parts of a node that are listed; the smaller ones beyond are merged into one line.
pub const LISTED: usize = 12;

/// A number and its derivation.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// Name, symbol and unit.
    pub term: Term,
    /// The value in base SI units, nothing rounded.
    pub value: f64,
    /// Formula of the value over the parts.
    pub how: How,
    /// The parts, in the order of the formula; empty for a leaf.
    pub parts: Vec<Account>,
    /// Source of a fact, of a constant, and of an input’s default.
    pub source: Option<Source>,
}

/// Identity of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Term {
    /// A quantity with a row in the symbol table.
    Plain(Symbol),
    /// Time of a role of the model.
    Role(OperatorRole),
    /// A quantity of an operator; [`Symbol::OperatorTime`] for its time.
    Operator(Operation, Symbol),
    /// A collective in one layer.
    Collective(Collective, Half),
    /// A constant of the calibration.
    Constant(&'static CalibrationTerm),
}

/// An operator in a part of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// Kind of operator.
    pub kind: Kind,
    /// Mixer, FFN or head.
    pub place: Place,
    /// True for a pass of the drafter.
    pub draft: bool,
}

/// Part of a collective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// All of it.
    Whole,
    /// Dispatch of an all-to-all.
    Dispatch,
    /// Combine of an all-to-all.
    Combine,
}

impl Term {
    /// The name in the field’s words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain(symbol) => symbol.name(),
            Self::Role(OperatorRole::Attention) => "attention",
            Self::Role(OperatorRole::Dense) => "dense FFN",
            Self::Role(OperatorRole::Experts) => "MoE",
            Self::Role(OperatorRole::Head) => "output head",
            Self::Operator(operation, Symbol::OperatorTime) => operation.kind.id(),
            Self::Operator(_, symbol) => symbol.name(),
            Self::Collective(_, Half::Dispatch) => "dispatch",
            Self::Collective(_, Half::Combine) => "combine",
            Self::Collective(collective, Half::Whole) => match collective {
                Collective::ExpertAllToAll => "dispatch and combine",
                Collective::ExpertAllReduce => "all-reduce of experts",
                Collective::ExpertAllGather => "all-gather of expert outputs",
                Collective::HelixExchange => "Helix exchange",
                Collective::SelectionExchange => "top-k exchange",
                Collective::AttentionAllReduce => "all-reduce after attention",
                Collective::DenseAllReduce => "all-reduce after dense FFN",
            },
            Self::Constant(term) => term.what,
        }
    }

    /// The symbol in formulas.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Plain(symbol) | Self::Operator(_, symbol) => symbol.symbol(),
            Self::Role(OperatorRole::Attention) => "t_attn",
            Self::Role(OperatorRole::Dense) => "t_dense",
            Self::Role(OperatorRole::Experts) => "t_moe",
            Self::Role(OperatorRole::Head) => "t_head",
            Self::Collective(..) => "t_coll",
            Self::Constant(term) => term.symbol,
        }
    }

    /// The symbol and its index, which may be empty.
    pub fn indexed(self) -> [&'static str; 2] {
        let symbol = self.symbol();
        let (base, index) = symbol.split_once('_').unwrap_or((symbol, ""));
        [base, index]
    }

    /// The place of its equation in `docs/model.md`.
    pub const fn section(self) -> Section {
        match self {
            Self::Plain(symbol) | Self::Operator(_, symbol) => symbol.section(),
            Self::Role(_) => Section::Step,
            Self::Collective(..) => Section::Collectives,
            Self::Constant(_) => Section::Accuracy,
        }
    }

    /// The unit of the value.
    pub const fn unit(self) -> Unit {
        use crate::calibration::term::TermUnit;
        match self {
            Self::Plain(symbol) | Self::Operator(_, symbol) => symbol.unit(),
            Self::Role(_) | Self::Collective(..) => Unit::Seconds,
            Self::Constant(term) => match term.unit {
                TermUnit::Share => Unit::Share,
                TermUnit::Bytes => Unit::Bytes,
                TermUnit::Heads | TermUnit::Rows => Unit::Number,
                TermUnit::Micros => Unit::Seconds,
                TermUnit::Tokens => Unit::Tokens,
                TermUnit::Factor => Unit::Factor,
            },
        }
    }
}

/// Formula of a value over the values of its parts.
#[derive(Debug, Clone, PartialEq)]
pub enum How {
    /// Set by a link key; also a value that follows from the key alone, such as 1 + `mtp`.
    Input(&'static str),
    /// A fact about model or accelerator.
    Fact,
    /// A constant, of the calibration or of an engine.
    Constant {
        /// True if no measurement covers this scenario.
        extrapolated: bool,
    },
    /// Sum of all parts.
    Sum,
    /// The first part minus the others.
    Difference,
    /// Product of all parts.
    Product,
    /// Product of the first `above` parts ÷ product of the others.
    Quotient {
        /// Parts of the numerator.
        above: usize,
    },
    /// The largest part.
    LargerOf,
    /// The smallest part.
    SmallerOf,
    /// The part, rounded up.
    RoundedUp,
    /// Sum of the parts, each times its weight: layers × passes.
    LayerSum(Vec<f64>),
    /// The larger of the sum of the first parts and the sum of the next ones, plus the rest: roofline and launch; compute
    /// overlapped with communication.
    Overlap {
        /// Parts of the first sum.
        first: usize,
        /// Parts of the second sum.
        second: usize,
    },
    /// An equation of the model.
    Equation(Equation),
}

impl How {
    /// The value for these values of the parts; `None` for a leaf, and if parts are missing.
    pub fn of(&self, parts: &[f64]) -> Option<f64> {
        let product = |parts: &[f64]| parts.iter().product::<f64>();
        let sum = |parts: &[f64]| parts.iter().sum::<f64>();
        Some(match self {
            Self::Input(_) | Self::Fact | Self::Constant { .. } => return None,
            Self::Sum => sum(parts),
            Self::Difference => {
                let (first, others) = parts.split_first()?;
                first - sum(others)
            }
            Self::Product => product(parts),
            Self::Quotient { above } => {
                let (above, below) = parts.split_at_checked(*above)?;
                product(above) / product(below)
            }
            Self::LargerOf => parts.iter().copied().reduce(f64::max)?,
            Self::SmallerOf => parts.iter().copied().reduce(f64::min)?,
            Self::RoundedUp => parts.first()?.ceil(),
            Self::LayerSum(weights) => parts.iter().zip(weights).map(|(part, by)| part * by).sum(),
            Self::Overlap { first, second } => {
                let (first, rest) = parts.split_at_checked(*first)?;
                let (second, rest) = rest.split_at_checked(*second)?;
                f64::max(sum(first), sum(second)) + sum(rest)
            }
            Self::Equation(equation) => equation.of(parts)?,
        })
    }
}

/// The parts of a node, in the order in which they are listed.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed<'a> {
    /// Parts in the order of the formula, each with its weight.
    pub parts: Vec<(&'a Account, f64)>,
    /// Number of parts merged into one line.
    pub more: usize,
    /// Their sum, weights included.
    pub rest: f64,
}

impl Account {
    /// A node of this value.
    pub fn new(symbol: Symbol, value: f64, how: How, parts: Vec<Self>) -> Self {
        Self::of(Term::Plain(symbol), value, how, parts)
    }

    /// A node of this value.
    pub const fn of(term: Term, value: f64, how: How, parts: Vec<Self>) -> Self {
        Self {
            term,
            value,
            how,
            parts,
            source: None,
        }
    }

    /// A node whose value follows from its parts; 0 if they do not fit the formula.
    pub fn folded(term: Term, how: How, parts: Vec<Self>) -> Self {
        let values: Vec<f64> = parts.iter().map(|part| part.value).collect();
        let value = how.of(&values).unwrap_or(0.0);
        Self::of(term, value, how, parts)
    }

    /// The product of `above` ÷ the product of `below`.
    pub fn quotient(term: Term, above: Vec<Self>, below: Vec<Self>) -> Self {
        let how = How::Quotient { above: above.len() };
        Self::folded(term, how, above.into_iter().chain(below).collect())
    }

    /// The node with another source.
    #[must_use]
    pub fn from(self, source: Option<Source>) -> Self {
        Self { source, ..self }
    }

    /// The node under another name.
    #[must_use]
    pub fn named(self, term: Term) -> Self {
        Self { term, ..self }
    }

    /// The same node, its value replaced by the one that is shown.
    #[must_use]
    pub fn shown_as(self, value: f64) -> Self {
        Self { value, ..self }
    }

    /// True for a leaf: input, fact or constant.
    pub const fn is_leaf(&self) -> bool {
        matches!(self.how, How::Input(_) | How::Fact | How::Constant { .. })
    }

    /// The place of its equation in `docs/model.md`; `None` for a leaf.
    pub const fn section(&self) -> Option<Section> {
        match self.is_leaf() {
            true => None,
            false => Some(self.term.section()),
        }
    }

    /// Levels below this node.
    pub fn depth(&self) -> usize {
        self.parts
            .iter()
            .map(|part| part.depth() + 1)
            .max()
            .unwrap_or(0)
    }

    /// Weight of each part: layers × passes in a [`How::LayerSum`], −1 for a subtracted part, else 1.
    pub fn weights(&self) -> Vec<f64> {
        let sign = |at: usize| if at == 0 { 1.0 } else { -1.0 };
        match &self.how {
            How::LayerSum(weights) => weights.clone(),
            How::Difference => (0..self.parts.len()).map(sign).collect(),
            _ => vec![1.0; self.parts.len()],
        }
    }

    /// Parts as they are listed, at most [`LISTED`] lines: of longer sums the largest, and one line for the rest.
    pub fn listed(&self) -> Listed<'_> {
        let mut parts: Vec<(&Self, f64)> = self.parts.iter().zip(self.weights()).collect();
        if parts.len() <= LISTED {
            return Listed {
                parts,
                more: 0,
                rest: 0.0,
            };
        }
        let size = |(part, weight): &(&Self, f64)| (part.value * weight).abs();
        let mut sizes: Vec<f64> = parts.iter().map(size).collect();
        sizes.sort_by(|one, other| other.total_cmp(one));
        let least = sizes.get(LISTED - 2).copied().unwrap_or(0.0);
        let (mut kept, mut rest, mut more) = (0, 0.0, 0);
        parts.retain(|part| {
            let keep = size(part) >= least && kept < LISTED - 1;
            if keep {
                kept += 1;
            } else {
                more += 1;
                rest += part.0.value * part.1;
            }
            keep
        });
        Listed { parts, more, rest }
    }

    /// Calls `each` with every node and its level, parents first.
    pub fn visit<'a>(&'a self, each: &mut impl FnMut(&'a Self, usize)) {
        self.visit_from(0, each);
    }

    fn visit_from<'a>(&'a self, level: usize, each: &mut impl FnMut(&'a Self, usize)) {
        each(self, level);
        for part in &self.parts {
            part.visit_from(level + 1, each);
        }
    }
}
