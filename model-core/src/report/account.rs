//! The account of a result (the tree of terms from which it is computed), as `ridgepoint --explain` prints it.

use crate::account::{Account, Explained, How, Move, Section, moved, open};
use crate::fields::fields;
use crate::inputs::Inputs;

fields! {
    /// The result selected by `explain`: its account (tree of terms), and the effect of changing each input by ±1%,
    /// largest first.
    ExplainedFields(explained: Explained, account: &Account, moves: &[Move]) {
        explain: String = explained.id().into_owned(),
        account: AccountFields = AccountFields::of(account),
        moves: Vec<MoveFields> = moves.iter().map(MoveFields::of).collect(),
    }
}

fields! {
    /// One term of an account (the tree of terms from which a result is computed); values are in base SI units.
    AccountFields(account: &Account) {
        name: &'static str = account.term.name(),
        symbol: &'static str = account.term.symbol(),
        value: f64 = account.value,
        unit: &'static str = account.term.unit().id(),
        how: &'static str = how(account),
        #[serde(skip_serializing_if = "Option::is_none")]
        equation: Option<&'static str> = account.section().map(Section::id),
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<&'static str> = match account.how {
            How::Input(key) => Some(key),
            _ => None,
        },
        #[serde(skip_serializing_if = "Option::is_none")]
        extrapolated: Option<bool> = match account.how {
            How::Constant { extrapolated } => Some(extrapolated),
            _ => None,
        },
        #[serde(skip_serializing_if = "Option::is_none")]
        weights: Option<Vec<f64>> = match &account.how {
            How::LayerSum(weights) => Some(weights.clone()),
            _ => None,
        },
        #[serde(skip_serializing_if = "Option::is_none")]
        groups: Option<Vec<usize>> = match account.how {
            How::Quotient { above } => Some(vec![above]),
            How::Overlap { first, second } => Some(vec![first, second]),
            _ => None,
        },
        #[serde(skip_serializing_if = "Option::is_none")]
        source: Option<[&'static str; 2]> =
            account.source.map(|source| [source.title, source.locator]),
        #[serde(skip_serializing_if = "Vec::is_empty")]
        parts: Vec<AccountFields> = account.parts.iter().map(AccountFields::of).collect(),
    }
}

fields! {
    /// Effect on the result of changing one input by ±1%.
    MoveFields(of: &Move) {
        key: &'static str = of.number.spec().key,
        now: f64 = of.now,
        less: Option<f64> = of.change[0],
        more: Option<f64> = of.change[1],
    }
}

/// Returns the identifier of the formula by which a term is computed from its parts.
const fn how(account: &Account) -> &'static str {
    match account.how {
        How::Input(_) => "input",
        How::Fact => "fact",
        How::Constant { .. } => "constant",
        How::Sum => "sum",
        How::Difference => "difference",
        How::Product => "product",
        How::Quotient { .. } => "quotient",
        How::LargerOf => "larger of",
        How::SmallerOf => "smaller of",
        How::RoundedUp => "rounded up",
        How::LayerSum(_) => "sum over layers",
        How::Overlap { .. } => "larger sum plus the rest",
        How::Equation(_) => "equation",
    }
}

/// Returns the account of a result (its tree of terms) and the inputs that change the result most. `None` if the
/// scenario has no such result.
pub fn explained(inputs: &Inputs, explained: Explained) -> Option<ExplainedFields> {
    let account = open(inputs, explained)?;
    let moves = moved(inputs, explained);
    Some(ExplainedFields::of(explained, &account, &moves))
}
