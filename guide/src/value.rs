//! Values of templates: results for permalinks, as `ridgepoint` prints them.

use std::collections::HashMap;

use answer::words::format;
use model_core::account::{Account, Explained, open};
use model_core::inputs::{Inputs, Number};
use model_core::number::Notation;
use model_core::permalink;
use model_core::report::Reporter;
use serde_json::Value as Json;

use crate::template::{Operand, Operator, Relation, Sum, Template};

/// Max relative difference between two values that satisfy ≈ in a claim.
const NEAR: f64 = 0.05;

/// Value of a template: a number with its unit, or a word.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number, and the unit in which it is printed. Results are in base SI units; numbers set by the user are in
    /// the unit in which they are entered.
    Number(f64, Unit),
    /// A word: an identifier, `true` or `false`.
    Word(String),
}

/// Unit of a number; it determines how the number is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Bytes of memory.
    Bytes,
    /// Bytes per second.
    Bandwidth,
    /// FLOP per second.
    Compute,
    /// A rate, printed with three digits and this unit.
    Rate(&'static str),
    /// A rate set by the user, printed as entered, with this unit.
    Set(&'static str),
    /// FLOP per byte.
    Intensity,
    /// US dollars.
    Dollars,
    /// A share between 0 and 1.
    Share,
    /// A ratio of two values, printed as a factor.
    Times,
    /// Tokens of context.
    Tokens,
    /// A whole number.
    Count,
    /// A small whole number, printed as a word.
    Words,
    /// A number without a unit, printed in full if it is whole, otherwise with three digits.
    Figure,
    /// A number without a unit, printed as entered.
    Plain,
}

/// Printed text of a number, and the permalink from which the number results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The number with its unit.
    pub text: String,
    /// The permalink, without `?`.
    pub link: String,
}

/// Evaluates the results of permalinks and caches them.
#[derive(Debug, Default)]
pub struct Desk {
    reporter: Reporter,
    reports: HashMap<String, Json>,
}

impl Desk {
    /// Returns the printed text of a number, or `None` for a claim that holds.
    ///
    /// Errors: the reason why the number does not exist, or the claim that does not hold.
    pub fn fill(&mut self, template: &Template) -> Result<Option<Shown>, String> {
        match template {
            Template::Number(sum, format) => self.shown(sum, format.as_deref()).map(Some),
            Template::Assert(left, is, right) => {
                let (left, right) = (self.sum(left)?, self.sum(right)?);
                match holds(&left, *is, &right) {
                    true => Ok(None),
                    false => Err(format!("the claim does not hold: {left:?} vs. {right:?}")),
                }
            }
        }
    }

    fn shown(&mut self, sum: &Sum, format: Option<&str>) -> Result<Shown, String> {
        let value = self.sum(sum)?;
        let Value::Number(number, unit) = value else {
            return Err(format!("{value:?} is not a number"));
        };
        let unit = format.map_or(Ok(unit), unit_named)?;
        let (name, link) = match &sum.first {
            Operand::Field { name, link } => (name, link),
            Operand::Literal(word) => {
                return Err(format!("`{word}` is not a result of a scenario"));
            }
        };
        Ok(Shown {
            text: text(number, unit)?,
            link: format!("{link}{}", opened(name, link)),
        })
    }

    fn sum(&mut self, sum: &Sum) -> Result<Value, String> {
        let first = self.operand(&sum.first)?;
        let Some((operator, second)) = &sum.then else {
            return Ok(first);
        };
        match (first, self.operand(second)?) {
            (Value::Number(first, unit), Value::Number(second, _)) => Ok(match operator {
                Operator::Divide => Value::Number(first / second, Unit::Times),
                Operator::Subtract => Value::Number(first - second, unit),
            }),
            (first, second) => Err(format!("{first:?} and {second:?} are not numbers")),
        }
    }

    fn operand(&mut self, operand: &Operand) -> Result<Value, String> {
        match operand {
            Operand::Field { name, link } => {
                let field = self.field(name, link);
                field.map_err(|why| format!("`{name}` of ?{link}: {why}"))
            }
            Operand::Literal(word) => Ok(match word.parse() {
                Ok(number) => Value::Number(number, Unit::Plain),
                Err(_) => Value::Word(word.clone()),
            }),
        }
    }

    fn field(&mut self, name: &str, link: &str) -> Result<Value, String> {
        let inputs = valid(link)?;
        if let Some((id, symbol)) = name.split_once(':') {
            let explained = Explained::of_id(id).ok_or("no number has this name")?;
            let account = open(&inputs, explained).ok_or("this scenario has no such number")?;
            return of_symbol(&account, symbol)
                .ok_or("no such symbol in the derivation".to_owned());
        }
        let report = self.report(name, link)?;
        let found = name
            .split('.')
            .try_fold(report, |at, part| inside(at, part));
        match found {
            Some(Json::Bool(is)) => Ok(Value::Word(is.to_string())),
            Some(Json::String(word)) => Ok(Value::Word(word.clone())),
            Some(Json::Number(number)) => {
                let number = number.as_f64().ok_or("not a number")?;
                Ok(Value::Number(number, unit_of(name)))
            }
            _ => of_key(&inputs, name).ok_or("no result or key has this name".to_owned()),
        }
    }

    fn report(&mut self, name: &str, link: &str) -> Result<&Json, String> {
        let levers = name.contains("levers");
        let id = format!("{levers} {link}");
        if !self.reports.contains_key(&id) {
            let report = match levers {
                true => self.reporter.advised(link),
                false => self.reporter.unadvised(link),
            };
            let report = serde_json::to_value(report).map_err(|why| why.to_string())?;
            self.reports.insert(id.clone(), report);
        }
        self.reports.get(&id).ok_or_else(|| "no report".to_owned())
    }
}

/// Returns the inputs of a permalink whose parts are all valid.
///
/// Errors: a message that lists the invalid parts.
pub fn valid(link: &str) -> Result<Inputs, String> {
    let read = permalink::read(link);
    let ignored: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
    match ignored.is_empty() {
        true => Ok(read.current),
        false => Err(format!("?{link}: {}", ignored.join("; "))),
    }
}

/// Returns a member of a JSON object or list. A list member is chosen by index, or by the value of its `name` or
/// `change` field.
fn inside<'a>(at: &'a Json, part: &str) -> Option<&'a Json> {
    match at {
        Json::Array(list) => {
            let named = |one: &&Json| ["name", "change"].iter().any(|key| one[*key] == part);
            list.iter()
                .find(named)
                .or_else(|| list.get(part.parse::<usize>().ok()?))
        }
        _ => at.get(part),
    }
}

/// Returns the value of the first node with this symbol in a derivation.
fn of_symbol(account: &Account, symbol: &str) -> Option<Value> {
    use model_core::account::Unit as Of;
    if account.term.symbol() == symbol {
        let unit = match account.term.unit() {
            Of::Seconds => Unit::Seconds,
            Of::Bytes => Unit::Bytes,
            Of::BytesPerSecond => Unit::Bandwidth,
            Of::FlopPerSecond => Unit::Compute,
            Of::Tokens => Unit::Tokens,
            Of::TokensPerSecond => Unit::Rate("tok/s"),
            Of::RequestsPerSecond => Unit::Rate("req/s"),
            Of::Sequences | Of::Gpus | Of::Elements => Unit::Count,
            Of::Share => Unit::Share,
            Of::DollarsPerHour | Of::DollarsPerMillion | Of::DollarsPerThousand => Unit::Dollars,
            Of::Flop | Of::Factor | Of::Number => Unit::Plain,
        };
        return Some(Value::Number(account.value, unit));
    }
    account
        .parts
        .iter()
        .find_map(|part| of_symbol(part, symbol))
}

/// Returns the value of a numeric permalink key, with its unit.
fn of_key(inputs: &Inputs, key: &str) -> Option<Value> {
    let number = Number::find(key)?;
    let unit = match number.spec().notation {
        Notation::Count => Unit::Count,
        Notation::Context => Unit::Tokens,
        Notation::Bandwidth => Unit::Set("GB/s"),
        Notation::Tera => Unit::Set("TFLOP/s"),
        Notation::Plain => Unit::Plain,
    };
    Some(Value::Number(inputs.get(number)?, unit))
}

/// Returns the unit of a result by its name, as listed in docs/links.md.
fn unit_of(name: &str) -> Unit {
    let last = name.rsplit('.').next().unwrap_or_default();
    match last {
        "tok_s_user" | "colocated_tok_s_user" => Unit::Rate("tok/s/user"),
        "tok_s_gpu" | "tok_s_gpu_in_flight" | "colocated_tok_s_gpu" => Unit::Rate("tok/s/GPU"),
        "tok_s" => Unit::Rate("tok/s"),
        "min_bandwidth" => Unit::Bandwidth,
        "ridge_point" | "ridge_point_ffn" | "intensity" => Unit::Intensity,
        "b_attn" | "b_moe" | "b_rp" | "b_cap" | "b_slo" | "batch" | "batch_capacity" | "gpus" => {
            Unit::Count
        }
        _ if last.starts_with("usd_") => Unit::Dollars,
        _ if last.starts_with("idle_") || last.starts_with("utilisation") => Unit::Share,
        _ if last.ends_with("_s") || name.contains("_s.") => Unit::Seconds,
        _ if name.contains("_bytes") => Unit::Bytes,
        _ if last.contains("factor") || last.contains("_over_") => Unit::Times,
        _ => Unit::Figure,
    }
}

/// Returns the permalink parameter that opens a field's view, or the derivation of its number.
fn opened(name: &str, link: &str) -> String {
    if name.starts_with("service.") {
        return "&view=service".to_owned();
    }
    if link.contains("mode=") {
        return "&view=disagg".to_owned();
    }
    let explained = explained(name).map(|id| format!("&explain={id}"));
    explained.unwrap_or_default()
}

/// Returns the value of the permalink key `explain` that opens the derivation of a field.
fn explained(name: &str) -> Option<&str> {
    Some(match name {
        "tpot_s" => "tpot",
        "step_s" => "step",
        "ttft_s" => "ttft",
        "tok_s_user" | "tok_s_gpu" | "tok_s" | "usd_per_mtok" => name,
        "memory_bytes.total" => "memory",
        "limits.b_cap" => "b_cap",
        _ => {
            let part = name.strip_prefix("breakdown_s.");
            return part.or_else(|| Some(name.split_once(':')?.0));
        }
    })
}

fn unit_named(format: &str) -> Result<Unit, String> {
    Ok(match format {
        "%" => Unit::Share,
        "×" => Unit::Times,
        "count" => Unit::Count,
        "words" => Unit::Words,
        "plain" => Unit::Plain,
        "tokens" => Unit::Tokens,
        "GB/s" => Unit::Bandwidth,
        _ => return Err(format!("there is no format `{format}`")),
    })
}

fn text(value: f64, unit: Unit) -> Result<String, String> {
    if !value.is_finite() {
        return Err("not finite".to_owned());
    }
    let text = |number: format::NumberText| number.to_string();
    let with = |words: &str| format!("{} {words}", format::figure(value));
    Ok(match unit {
        Unit::Seconds => text(format::duration(value)),
        Unit::Bytes if value < KIBI * KIBI => format!("{} KiB", format::sig3(value / KIBI)),
        Unit::Bytes if value < KIBI * KIBI * KIBI => format::mebi(value),
        Unit::Bytes => text(format::gib(value)),
        Unit::Bandwidth => format!("{} GB/s", format::figure(value / GIGA)),
        Unit::Compute => text(format::teraflop_per_s(value)),
        Unit::Rate(words) => with(words),
        Unit::Set(words) => format!("{} {words}", format::printed(value)),
        Unit::Intensity => with("FLOP/B"),
        Unit::Dollars => format::dollars(value),
        Unit::Share => format::share(value),
        Unit::Times => format::factor(value),
        Unit::Tokens => format::tokens(value),
        Unit::Count => format::count(value),
        Unit::Words => format::in_words(value.round() as usize),
        Unit::Figure if is_whole(value) => format::count(value),
        Unit::Figure => format::sig3(value),
        Unit::Plain => format::printed(value),
    })
}

const KIBI: f64 = 1024.0;
const GIGA: f64 = 1e9;

/// Returns true if a number is whole within rounding errors. In the results, counts are floating-point numbers.
fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() < 1e-9
}

fn holds(left: &Value, is: Relation, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left, _), Value::Number(right, _)) => match is {
            Relation::Above => left > right,
            Relation::Below => left < right,
            Relation::Equal => left.total_cmp(right).is_eq(),
            Relation::Near => (left - right).abs() <= NEAR * right.abs(),
        },
        (Value::Word(left), Value::Word(right)) => is == Relation::Equal && left == right,
        _ => false,
    }
}
