//! The grammar of computed numbers and of claims in a chapter.
//!
//! ```text
//! {{ FIELD SCENARIO [KEY=VALUE …] [÷ OPERAND] [as FORMAT] }}     a number
//! {{ assert OPERAND [÷ OPERAND] > OPERAND [÷ OPERAND] }}         a claim: >, <, = or ≈ (within 5%)
//! ```
//!
//! FIELD is a result that `ridgepoint` prints (`tpot_s`, `limits.b_cap`, `operators.attention.bound`), a permalink key
//! (`batch`), or a symbol in the derivation of a number (`tpot:W_m`). SCENARIO is a permalink (`?v=3&…`) or a name that
//! the chapter defines as `[name]: ../?v=3&…`. Each KEY=VALUE replaces a value of the permalink; `KEY=` removes the
//! key. `−` subtracts. An operand of a claim may also be a plain number or word.

use std::collections::BTreeMap;

/// Permalinks by name, without `?`.
pub type Scenarios = BTreeMap<String, String>;

/// A template in a chapter of the guide: a computed number or a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Template {
    /// A computed number. The format is the one stated after `as`; `None` means the field's default format.
    Number(Sum, Option<String>),
    /// A claim that compares two values.
    Assert(Sum, Relation, Sum),
}

/// An operand, or two operands with an operator between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    /// The first operand.
    pub first: Operand,
    /// The operator and the second operand, if any.
    pub then: Option<(Operator, Operand)>,
}

/// An operand of a number or claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// A field of the results for a permalink.
    Field {
        /// Path of the field within the results.
        name: String,
        /// Permalink of the scenario, without `?`.
        link: String,
    },
    /// A plain number or word in a claim.
    Literal(String),
}

/// An operator between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// Division (÷).
    Divide,
    /// Subtraction (−).
    Subtract,
}

/// Relation between the two sides of a claim in a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The left side is larger (>).
    Above,
    /// The left side is smaller (<).
    Below,
    /// The sides are equal (=).
    Equal,
    /// The sides are within 5% of each other (≈).
    Near,
}

/// Parses the text between the braces of a template.
///
/// Errors: a message that names the missing or unknown part.
pub fn parse(text: &str, scenarios: &Scenarios) -> Result<Template, String> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.first() == Some(&"assert") {
        let place = words.iter().position(|word| relation(word).is_some());
        let place = place.ok_or("a claim needs >, <, = or ≈ between its sides")?;
        let is = relation(words[place]).unwrap_or(Relation::Equal);
        let [left, right] = [&words[1..place], &words[place + 1..]];
        return Ok(Template::Assert(
            sum(left, scenarios)?,
            is,
            sum(right, scenarios)?,
        ));
    }
    let format = match words.as_slice() {
        [.., "as", format] => Some((*format).to_owned()),
        _ => None,
    };
    if format.is_some() {
        words.truncate(words.len() - 2);
    }
    let number = sum(&words, scenarios)?;
    let fields = [
        Some(&number.first),
        number.then.as_ref().map(|then| &then.1),
    ];
    if fields
        .into_iter()
        .flatten()
        .any(|one| matches!(one, Operand::Literal(_)))
    {
        return Err("a number needs a scenario: FIELD SCENARIO".to_owned());
    }
    Ok(Template::Number(number, format))
}

fn relation(word: &str) -> Option<Relation> {
    Some(match word {
        ">" => Relation::Above,
        "<" => Relation::Below,
        "=" => Relation::Equal,
        "≈" => Relation::Near,
        _ => return None,
    })
}

fn sum(words: &[&str], scenarios: &Scenarios) -> Result<Sum, String> {
    let operator = |word: &str| match word {
        "÷" => Some(Operator::Divide),
        "−" => Some(Operator::Subtract),
        _ => None,
    };
    let Some(place) = words.iter().position(|word| operator(word).is_some()) else {
        let first = operand(words, scenarios)?;
        return Ok(Sum { first, then: None });
    };
    let second = operand(&words[place + 1..], scenarios)?;
    Ok(Sum {
        first: operand(&words[..place], scenarios)?,
        then: operator(words[place]).map(|operator| (operator, second)),
    })
}

fn operand(words: &[&str], scenarios: &Scenarios) -> Result<Operand, String> {
    let (name, scenario, changes) = match words {
        [] => return Err("an operand is missing".to_owned()),
        [literal] => return Ok(Operand::Literal((*literal).to_owned())),
        [name, scenario, changes @ ..] => (*name, *scenario, changes),
    };
    let link = match scenario.strip_prefix('?') {
        Some(link) => link,
        None => scenarios
            .get(scenario)
            .ok_or_else(|| format!("no scenario is named `{scenario}`"))?,
    };
    let name = name.to_owned();
    Ok(Operand::Field {
        name,
        link: changed(link, changes)?,
    })
}

/// Returns a permalink with each KEY=VALUE applied; `KEY=` removes the key.
fn changed(link: &str, changes: &[&str]) -> Result<String, String> {
    let mut pairs: Vec<&str> = link.split('&').collect();
    for change in changes {
        let (key, value) = change
            .split_once('=')
            .ok_or_else(|| format!("`{change}` is not KEY=VALUE"))?;
        pairs.retain(|pair| pair.split('=').next() != Some(key));
        if !value.is_empty() {
            pairs.push(change);
        }
    }
    Ok(pairs.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Template, String> {
        let named = ("h200".to_owned(), "v=3&gpu=h200&batch=8".to_owned());
        parse(text, &Scenarios::from([named]))
    }

    fn field(name: &str, link: &str) -> Operand {
        let (name, link) = (name.to_owned(), link.to_owned());
        Operand::Field { name, link }
    }

    #[test]
    fn numbers_and_claims() {
        let first = field("tpot_s", "v=3&gpu=h200&batch=64");
        let then = Some((Operator::Divide, field("tpot_s", "v=3")));
        let number = Template::Number(Sum { first, then }, Some("×".to_owned()));
        let text = "tpot_s h200 batch=64 ÷ tpot_s ?v=3 as ×";
        assert_eq!(read(text), Ok(number));
        let side = |first: Operand| Sum { first, then: None };
        let claim = Template::Assert(
            side(field("operators.attention.bound", "v=3&gpu=h200")),
            Relation::Equal,
            side(Operand::Literal("memory".to_owned())),
        );
        let text = "assert operators.attention.bound h200 batch= = memory";
        assert_eq!(read(text), Ok(claim));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, why) in [
            ("tpot_s", "needs a scenario"),
            ("tpot_s h100", "`h100`"),
            ("tpot_s h200 batch", "`batch`"),
            ("tpot_s h200 ÷", "missing"),
            ("assert tpot_s h200", "between its sides"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
