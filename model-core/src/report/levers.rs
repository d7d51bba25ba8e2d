//! Levers (single changes that help), as `ridgepoint` prints them: see `docs/links.md`.

use serde_json::{Map, Value};

use crate::evaluate::Evaluation;
use crate::fields::fields;
use crate::inputs::{Inputs, Number};
use crate::levers::{Effect, Lever, Levers, colocated};
use crate::permalink::{stated, write_inputs};
use crate::scenario::Scenario;
use crate::units::Seconds;

fields! {
    /// One lever (a single change that helps); rates are per second. Values are `null` if there is no base scenario,
    /// no price or no comparison.
    LeverFields(now: &Inputs, lever: &Lever, scenario: &Scenario, evaluation: &Evaluation) {
        change: &'static str = lever.change.id(),
        group: &'static str = lever.change.group().id(),
        set: Map<String, Value> =
            set(now, &lever.inputs).into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
        factor: Option<f64> = lever.factor,
        factor_now: Option<f64> = lever.factor_now,
        effect: &'static str = lever.effect.id(),
        tok_s_gpu: f64 = evaluation.tokens_per_gpu,
        tok_s_user: f64 = evaluation.tokens_per_user,
        batch: f64 = scenario.workload.batch,
        tpot_same_batch_s: Option<f64> = lever.tpot_same_batch(now).map(Seconds::get),
        usd_per_mtok: Option<f64> = evaluation.dollars_per_mtok,
        assumed: bool = lever.assumed(now),
        extrapolated: bool = lever.extrapolated,
        link: String = write_inputs(&lever.inputs),
    }
}

/// Returns the keys whose values differ between `now` and `then`, with their values in `then`. Includes keys that are
/// set in `now` but return to their default.
pub fn set(now: &Inputs, then: &Inputs) -> Vec<(&'static str, Value)> {
    let (before, after) = (stated(now), stated(then));
    let value = |key: &str, text: &str| match Number::find(key).and_then(|number| then.get(number))
    {
        Some(number) => Value::from(number),
        None => Value::from(text),
    };
    let changed = after
        .iter()
        .filter(|pair| !before.contains(pair) && !same_gpus(now, then, pair.0))
        .map(|(key, text)| (*key, value(key, text)));
    let dropped = before
        .iter()
        .filter(|(key, _)| after.iter().all(|(other, _)| other != key))
        .filter(|(key, _)| !same_gpus(now, then, key))
        .map(|(key, _)| (*key, value(key, default_choice(then, key))));
    changed.chain(dropped).collect()
}

/// Returns true if `key` is the GPU count and both inputs have the same GPU count. Defaults may differ, so possibly
/// only one of the two permalinks contains the key.
fn same_gpus(now: &Inputs, then: &Inputs, key: &str) -> bool {
    let gpus = Number::Gpus;
    key == gpus.spec().key && now.get(gpus) == then.get(gpus)
}

/// Returns the value in `then` of a choice key that a lever resets to its default. Returns `default` for keys other
/// than `overlap` and `precision`.
fn default_choice(then: &Inputs, key: &str) -> &'static str {
    match key {
        "overlap" => then.schedule().id(),
        "precision" => then.precision.id(),
        _ => "default",
    }
}

impl Effect {
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Serves => "serves",
            Self::Fits => "fits",
            Self::Meets(_) => "meets",
            Self::Runs => "runs",
        }
    }
}

/// Returns the levers of the scenario, as fields to print.
pub fn fields(inputs: &Inputs) -> Vec<LeverFields> {
    let now = colocated(inputs);
    let one = |lever: &Lever| {
        let (scenario, evaluation) = lever.evaluation()?;
        Some(LeverFields::of(&now, lever, &scenario, &evaluation))
    };
    Levers::of(inputs).all.iter().filter_map(one).collect()
}
