//! Least values as `evaluate` prints them: see `docs/links.md`.

use serde::Serialize;

use super::{Least, Need, Needs, Target, Why, asked, needs};
use crate::inputs::{Inputs, Number};
use crate::permalink::write_inputs;
use crate::scenario::Scenario;

/// Least values for one target.
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct NeedsFields {
    pub target: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<f64>,
    pub met: bool,
    pub by: Vec<NeedFields>,
}

/// The least value of one number.
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct NeedFields {
    pub key: &'static str,
    pub now: Value,
    pub reached: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<f64>,
}

/// A value in the unit of its key, or the name of a precision.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Value {
    Number(f64),
    Name(&'static str),
}

impl Target {
    /// The link key that states the target; `fits` for memory.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::Speed(_) => "slo",
            Self::Cost(_) => "target_usd",
            Self::Throughput(_) => "target_tok_s",
        }
    }

    /// The value to reach; `None` for memory.
    pub const fn value(&self) -> Option<f64> {
        match self {
            Self::Fits => None,
            Self::Speed(value) | Self::Cost(value) | Self::Throughput(value) => Some(*value),
        }
    }
}

impl Need {
    /// The link key of the number.
    pub fn key(&self) -> &'static str {
        let key = |number: Number| number.spec().key;
        self.number.map_or("precision", key)
    }
}

impl Why {
    /// Identifier in the JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Beyond(_) => "beyond",
            Self::Memory => "memory",
            Self::Slo => "slo",
            Self::Absent => "absent",
            Self::NoPrice => "price",
        }
    }
}

/// Least values for every target that `inputs` state.
pub fn fields(inputs: &Inputs, scenario: &Scenario) -> Vec<NeedsFields> {
    Target::stated(inputs)
        .into_iter()
        .filter_map(|target| needs(inputs, target, &asked(scenario)))
        .map(|needs| of(inputs, &needs))
        .collect()
}

fn of(inputs: &Inputs, needs: &Needs) -> NeedsFields {
    NeedsFields {
        target: needs.target.key(),
        value: needs.target.value(),
        now: needs.now,
        met: needs.met,
        by: needs.by.iter().map(|need| one(inputs, need)).collect(),
    }
}

fn one(inputs: &Inputs, need: &Need) -> NeedFields {
    let (value, why) = match need.answer {
        Least::Any => (None, None),
        Least::Number(value) => (Some(Value::Number(value)), None),
        Least::Precision(precision) => (Some(Value::Name(precision.id())), None),
        Least::None(why) => (None, Some(why)),
    };
    NeedFields {
        key: need.key(),
        now: match need.now {
            Some(now) => Value::Number(now),
            None => Value::Name(inputs.precision.id()),
        },
        reached: why.is_none(),
        value,
        link: need.inputs(inputs).map(|inputs| write_inputs(&inputs)),
        why: why.map(Why::id),
        best: match why {
            Some(Why::Beyond(best)) => Some(best),
            _ => None,
        },
    }
}
