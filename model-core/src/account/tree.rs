//! A result as a derivation tree: each node has a value, a formula and parts, down to the leaves.

use super::equation::Equation;
use super::section::Section;
use super::symbol::{Symbol, Unit};
use crate::calibration::term::CalibrationTerm;
use crate::cost::collective::Collective;
use crate::ops::{Kind, OperatorRole, Place};
use crate::source::Source;

/// Maximum depth of a tree, with the root at level 0.
pub const DEEPEST: usize = 8;
/// Maximum number of lines in which a node's parts are listed. If there are more parts, the smallest are merged into
/// the last line.
pub const LISTED: usize = 12;

/// A node of a derivation tree: a number, with the formula and the parts that it is computed from.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// The quantity, which has a name, a symbol and a unit.
    pub term: Term,
    /// The unrounded value, in base SI units.
    pub value: f64,
    /// The formula that computes the node's value from its parts.
    pub how: How,
    /// The parts, in the order of the formula; empty for a leaf.
    pub parts: Vec<Account>,
    /// Source of a fact, a constant or an input’s default value.
    pub source: Option<Source>,
}

/// The quantity that a node shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Term {
    /// A quantity that has a row in the symbol table.
    Plain(Symbol),
    /// Time of the layers with one role, such as attention.
    Role(OperatorRole),
    /// A quantity of one operator; for [`Symbol::OperatorTime`], the operator's time.
    Operator(Operation, Symbol),
    /// Time of a collective in one layer.
    Collective(Collective, Half),
    /// A constant of the calibration.
    Constant(&'static CalibrationTerm),
}

/// An operator, identified by its kind and by the part of the LLM that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// The kind of operator.
    pub kind: Kind,
    /// The part of the LLM that the operator belongs to: a mixer, an FFN or the head.
    pub place: Place,
    /// True if the operator runs in a pass of the drafter.
    pub draft: bool,
}

/// The part of a collective that a node shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// The whole collective.
    Whole,
    /// The dispatch of an all-to-all.
    Dispatch,
    /// The combine of an all-to-all.
    Combine,
}

impl Term {
    /// Returns the quantity's name, in the vocabulary of the field.
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

    /// Returns the symbol used in formulas.
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

    /// Splits the symbol into its base and its subscript, which may be empty.
    pub fn indexed(self) -> [&'static str; 2] {
        let symbol = self.symbol();
        let (base, index) = symbol.split_once('_').unwrap_or((symbol, ""));
        [base, index]
    }

    /// Returns the section of `docs/model.md` that has the quantity's equation.
    pub const fn section(self) -> Section {
        match self {
            Self::Plain(symbol) | Self::Operator(_, symbol) => symbol.section(),
            Self::Role(_) => Section::Step,
            Self::Collective(..) => Section::Collectives,
            Self::Constant(_) => Section::Accuracy,
        }
    }

    /// Returns the unit of the value.
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

/// The formula that computes a node's value from the values of its parts.
#[derive(Debug, Clone, PartialEq)]
pub enum How {
    /// An input that a permalink key sets, or a value that follows from that key alone, such as 1 + `mtp`.
    Input(&'static str),
    /// A fact about the model or the accelerator.
    Fact,
    /// A constant of the calibration or of an inference engine.
    Constant {
        /// True if the scenario is outside the range of this constant's measurements.
        extrapolated: bool,
    },
    /// The node's value is the sum of its parts.
    Sum,
    /// The node's value is its first part minus the other parts.
    Difference,
    /// The node's value is the product of its parts.
    Product,
    /// The node's value is the product of its first `above` parts ÷ the product of its remaining parts.
    Quotient {
        /// Number of parts in the numerator.
        above: usize,
    },
    /// The node's value is its largest part.
    LargerOf,
    /// The node's value is its smallest part.
    SmallerOf,
    /// The node's value is its single part, rounded up to a whole number.
    RoundedUp,
    /// The node's value is the sum of its parts, each multiplied by a weight (layers × passes).
    LayerSum(Vec<f64>),
    /// The larger of two sums of parts, plus the remaining parts. Used for a roofline plus launch, and for compute
    /// overlapped with communication.
    Overlap {
        /// Number of parts in the first sum.
        first: usize,
        /// Number of parts in the second sum.
        second: usize,
    },
    /// The node's value follows from another equation of the performance model.
    Equation(Equation),
}

impl How {
    /// Evaluates the formula for these values of the parts; `None` for a leaf or if parts are missing.
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

/// The parts of a node as displayed, with the smallest parts merged into one line.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed<'a> {
    /// The parts listed separately, in formula order, each with its weight.
    pub parts: Vec<(&'a Account, f64)>,
    /// Number of parts that are merged into one line.
    pub more: usize,
    /// Weighted sum of the merged parts.
    pub rest: f64,
}

impl Account {
    /// Creates a node that shows `value`, named by a symbol.
    pub fn new(symbol: Symbol, value: f64, how: How, parts: Vec<Self>) -> Self {
        Self::of(Term::Plain(symbol), value, how, parts)
    }

    /// Creates a node that shows `value`, named by any term.
    pub const fn of(term: Term, value: f64, how: How, parts: Vec<Self>) -> Self {
        Self {
            term,
            value,
            how,
            parts,
            source: None,
        }
    }

    /// Creates a node whose value is computed from its parts; the value is 0 if the formula does not accept the
    /// parts.
    pub fn folded(term: Term, how: How, parts: Vec<Self>) -> Self {
        let values: Vec<f64> = parts.iter().map(|part| part.value).collect();
        let value = how.of(&values).unwrap_or(0.0);
        Self::of(term, value, how, parts)
    }

    /// Creates a node for the product of `above` ÷ the product of `below`.
    pub fn quotient(term: Term, above: Vec<Self>, below: Vec<Self>) -> Self {
        let how = How::Quotient { above: above.len() };
        Self::folded(term, how, above.into_iter().chain(below).collect())
    }

    /// Returns the node with its source replaced by `source`.
    #[must_use]
    pub fn from(self, source: Option<Source>) -> Self {
        Self { source, ..self }
    }

    /// Returns the node renamed to `term`.
    #[must_use]
    pub fn named(self, term: Term) -> Self {
        Self { term, ..self }
    }

    /// Returns the node with its value replaced by the displayed `value`.
    #[must_use]
    pub fn shown_as(self, value: f64) -> Self {
        Self { value, ..self }
    }

    /// True for a leaf: an input, a fact or a constant.
    pub const fn is_leaf(&self) -> bool {
        matches!(self.how, How::Input(_) | How::Fact | How::Constant { .. })
    }

    /// Returns the section of `docs/model.md` that has the node's equation; `None` for a leaf.
    pub const fn section(&self) -> Option<Section> {
        match self.is_leaf() {
            true => None,
            false => Some(self.term.section()),
        }
    }

    /// Returns the number of tree levels below this node.
    pub fn depth(&self) -> usize {
        self.parts
            .iter()
            .map(|part| part.depth() + 1)
            .max()
            .unwrap_or(0)
    }

    /// Returns the weight of each part of the node: layers × passes in a [`How::LayerSum`], −1 for a subtracted part,
    /// and 1 otherwise.
    pub fn weights(&self) -> Vec<f64> {
        let sign = |at: usize| if at == 0 { 1.0 } else { -1.0 };
        match &self.how {
            How::LayerSum(weights) => weights.clone(),
            How::Difference => (0..self.parts.len()).map(sign).collect(),
            _ => vec![1.0; self.parts.len()],
        }
    }

    /// Returns the node's parts as displayed, in at most [`LISTED`] lines. If there are more parts, the largest are
    /// listed and the remaining ones are merged into one line.
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

    /// Calls `each` with every node and its level; a parent comes before its parts.
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
