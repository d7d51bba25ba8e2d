//! JSON fields with the smallest values that reach each target, as `ridgepoint` prints them: see `docs/links.md`.

use serde::Serialize;

use super::{Least, Need, Needs, Target, Why, asked, needs};
use crate::anchor::facts_kept;
use crate::fields::fields;
use crate::inputs::{Inputs, Number};
use crate::permalink::write_inputs;
use crate::scenario::Scenario;
use crate::shape::{Shape, Shaped};

fields! {
    /// Smallest values of all numbers that reach one target.
    NeedsFields(inputs: &Inputs, needs: &Needs) {
        target: &'static str = needs.target.key(),
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<f64> = needs.target.value(),
        #[serde(skip_serializing_if = "Option::is_none")]
        now: Option<f64> = needs.now,
        met: bool = needs.met,
        by: Vec<NeedFields> = needs.by.iter().map(|need| one(inputs, need)).collect(),
    }
}

fields! {
    /// Smallest value of one number that reaches the target.
    NeedFields(inputs: &Inputs, need: &Need, least: Option<NeedValue>, no: Option<Why>) {
        key: &'static str = need.key(),
        now: NeedValue = need.now.map_or(NeedValue::Name(inputs.precision.id()), NeedValue::Number),
        reached: bool = no.is_none(),
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<NeedValue> = least,
        #[serde(skip_serializing_if = "Option::is_none")]
        link: Option<String> =
            need.inputs(inputs).map(|then| write_inputs(&facts_kept(inputs, &then))),
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<&'static str> = no.map(Why::id),
        #[serde(skip_serializing_if = "Option::is_none")]
        best: Option<f64> = match no {
            Some(Why::Beyond(best)) => Some(best),
            _ => None,
        },
    }
}

/// A value in the unit of its permalink key, or the name of a precision.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "the names of the variants suffice")]
pub enum NeedValue {
    Number(f64),
    Name(&'static str),
}

impl Shaped for NeedValue {
    fn shape() -> Shape {
        Shape::Either(vec![Shape::Number, Shape::Text])
    }
}

impl Target {
    /// Returns the permalink key of the target; `fits` for memory.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::Speed(_) => "slo",
            Self::Cost(_) => "target_usd",
            Self::Throughput(_) => "target_tok_s",
        }
    }

    /// Returns the value that the target requires; `None` for memory.
    pub const fn value(&self) -> Option<f64> {
        match self {
            Self::Fits => None,
            Self::Speed(value) | Self::Cost(value) | Self::Throughput(value) => Some(*value),
        }
    }
}

impl Need {
    /// Returns the permalink key of the number.
    pub fn key(&self) -> &'static str {
        let key = |number: Number| number.spec().key;
        self.number.map_or("precision", key)
    }
}

impl Why {
    /// Returns the identifier of the reason in the JSON.
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

/// Returns the smallest values that reach each target in `inputs`.
pub fn fields(inputs: &Inputs, scenario: &Scenario) -> Vec<NeedsFields> {
    Target::stated(inputs)
        .into_iter()
        .filter_map(|target| needs(inputs, target, &asked(scenario)))
        .map(|needs| NeedsFields::of(inputs, &needs))
        .collect()
}

fn one(inputs: &Inputs, need: &Need) -> NeedFields {
    let (value, why) = match need.answer {
        Least::Any => (None, None),
        Least::Number(value) => (Some(NeedValue::Number(value)), None),
        Least::Precision(precision) => (Some(NeedValue::Name(precision.id())), None),
        Least::None(why) => (None, Some(why)),
    };
    NeedFields::of(inputs, need, value, why)
}
