//! Levers as `evaluate` prints them: see `docs/links.md`.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::inputs::{Inputs, Number};
use crate::levers::{Effect, Lever, Levers, colocated};
use crate::permalink::{stated, write_inputs};

/// One lever; rates per second, `null` where there is no base, no price, or nothing to compare.
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct LeverFields {
    pub change: &'static str,
    pub group: &'static str,
    pub set: Map<String, Value>,
    pub factor: Option<f64>,
    pub factor_now: Option<f64>,
    pub effect: &'static str,
    pub tok_s_gpu: f64,
    pub tok_s_user: f64,
    pub batch: f64,
    pub tpot_same_batch_s: Option<f64>,
    pub usd_per_mtok: Option<f64>,
    pub assumed: bool,
    pub extrapolated: bool,
    pub link: String,
}

/// The keys that differ from now, with their new values; a default that comes back is written out.
pub fn set(now: &Inputs, then: &Inputs) -> Vec<(&'static str, Value)> {
    let (before, after) = (stated(now), stated(then));
    let value = |key: &str, text: &str| match Number::find(key).and_then(|number| then.get(number))
    {
        Some(number) => Value::from(number),
        None => Value::from(text),
    };
    let changed = after
        .iter()
        .filter(|pair| !before.contains(pair))
        .map(|(key, text)| (*key, value(key, text)));
    let dropped = before
        .iter()
        .filter(|(key, _)| after.iter().all(|(other, _)| other != key))
        .map(|(key, _)| (*key, value(key, default_choice(key))));
    changed.chain(dropped).collect()
}

/// Default of a choice key that levers change.
fn default_choice(key: &str) -> &'static str {
    match key {
        "overlap" => Inputs::DEFAULT.overlap.id(),
        "precision" => Inputs::DEFAULT.precision.id(),
        _ => "default",
    }
}

impl Effect {
    const fn id(self) -> &'static str {
        match self {
            Self::Serves => "serves",
            Self::Fits => "fits",
            Self::Meets(_) => "meets",
            Self::Runs => "runs",
        }
    }
}

/// The levers of a link.
pub fn fields(inputs: &Inputs) -> Vec<LeverFields> {
    let now = colocated(inputs);
    let one = |lever: &Lever| {
        let (scenario, evaluation) = lever.evaluation()?;
        let set = set(&now, &lever.inputs).into_iter();
        Some(LeverFields {
            change: lever.change.id(),
            group: lever.change.group().id(),
            set: set.map(|(key, value)| (key.to_owned(), value)).collect(),
            factor: lever.factor,
            factor_now: lever.factor_now,
            effect: lever.effect.id(),
            tok_s_gpu: evaluation.tokens_per_gpu,
            tok_s_user: evaluation.tokens_per_user,
            batch: scenario.workload.batch,
            tpot_same_batch_s: lever.tpot_same_batch(&now).map(|tpot| tpot.get()),
            usd_per_mtok: evaluation.dollars_per_mtok,
            assumed: lever.assumed(&now),
            extrapolated: lever.extrapolated,
            link: write_inputs(&lever.inputs),
        })
    };
    Levers::of(inputs).all.iter().filter_map(one).collect()
}
