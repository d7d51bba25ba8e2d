//! Tests of public questions, bug reports and published runs. Each result has the right value, has an error band that
//! contains the published value, or is a refusal with a reason.
//!
//! A case names its source. Its input is a permalink, a `config.json` to import, or both. The expected result is a
//! figure, a flag, a refusal or a note. A figure is compared with a value, a bound, or its error band. If the source
//! leaves a setting `open`, additional keys give the setting's other extreme, and the allowed range covers both
//! extremes. An unmet expectation is marked as a `gap` with its reason; the case fails once the expectation is met. The
//! data are in `golden/cases`.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

use std::collections::BTreeMap;

use model_core::arch::{hf_config, params};
use model_core::inputs::{Inputs, Model, Number};
use model_core::permalink;
use model_core::report::Reporter;
use serde_json::{Value, json};

const GIB: f64 = 1_073_741_824.0;

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("golden/cases/cases.json")).expect("golden data are JSON")
}

/// Imports the published model file of a case; the inner result is an error if the file is refused. `None` if the case
/// has no file.
fn import(case: &Value) -> Option<Result<hf_config::Imported, String>> {
    let name = case["import"].as_str()?;
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../model-core/tests/configs");
    let text = std::fs::read_to_string(format!("{root}/{name}.json")).expect("a file");
    Some(hf_config::read(&text).map_err(|error| error.to_string()))
}

/// Returns the permalink of a case, extended by the imported model's shape and the size of its lookup table; `None`
/// if the case has no permalink.
fn link(case: &Value, imported: Option<&hf_config::Imported>) -> Option<String> {
    let mut link = case["link"].as_str()?.to_owned();
    if let Some(imported) = imported {
        let mut inputs = permalink::read("v=3").current;
        inputs.model = Model::Custom(imported.arch);
        inputs.state(Number::TableGib, imported.table_gib);
        for (key, value) in permalink::stated(&inputs) {
            link.push_str(&format!("&{key}={value}"));
        }
    }
    Some(link)
}

/// Returns the results of a case's permalink, the shape in its model file if it has no permalink, or the reason for a
/// refusal.
fn results(case: &Value) -> Value {
    let imported = import(case);
    let shape = match &imported {
        Some(Err(why)) => return json!({"ok": false, "refused": why}),
        Some(Ok(imported)) => Some(imported),
        None => None,
    };
    let Some(link) = link(case, shape) else {
        return shape.map_or(Value::Null, of_shape);
    };
    let inputs = permalink::read(&link).current;
    let mut found = answer(&link);
    let reasons = found["reasons"].as_array().into_iter().flatten();
    let reasons: Vec<_> = reasons
        .filter_map(|reason| reason["message"].as_str())
        .collect();
    found["refused"] = reasons.join("; ").into();
    found["gpus"] = inputs.get(Number::Gpus).into();
    found["pool_gib"] = (number(&found, "memory_bytes.engine.pool") / GIB).into();
    found["token_bytes"] = token_bytes(&link, &inputs, &found).into();
    found
}

fn answer(link: &str) -> Value {
    serde_json::to_value(Reporter::default().unadvised(link)).expect("a result is JSON")
}

/// Returns counts that describe an imported model's shape, such as its parameters and its types of attention layers.
fn of_shape(imported: &hf_config::Imported) -> Value {
    let counted = params::parameters(&imported.arch);
    let mut indexes = imported.arch.mixers().iter();
    let pool = indexes
        .find_map(|part| part.shape.index())
        .map(|index| index.pool);
    json!({
        "parameters": {"total": counted.total, "active": counted.active},
        "mixers": imported.arch.mixers().len(),
        "index": {"pool": pool},
    })
}

/// Returns the KV cache bytes per token, summed over all GPUs. They are derived from a second result, with twice the
/// context.
fn token_bytes(link: &str, inputs: &Inputs, found: &Value) -> f64 {
    let of = |number| inputs.get(number).unwrap_or(f64::NAN);
    let context = of(Number::Context);
    let twice = answer(&format!("{link}&context={}", 2.0 * context));
    let cache = |found: &Value| number(found, "memory_bytes.kv_cache");
    (cache(&twice) - cache(found)) * of(Number::Gpus) / context / of(Number::Batch)
}

fn field<'a>(found: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(found, |found, key| &found[key])
}

fn number(found: &Value, path: &str) -> f64 {
    field(found, path).as_f64().unwrap_or(f64::NAN)
}

/// Returns `Ok` if a result meets the expectation; otherwise the error contains the actual result.
fn meets(want: &Value, found: &Value, other: Option<&Value>) -> Result<(), String> {
    let says = |text: &Value, word: &Value| {
        let (text, word) = (text.to_string(), word.as_str().expect("a word"));
        if text.contains(word) {
            Ok(())
        } else {
            Err(text)
        }
    };
    if !want["refused"].is_null() {
        return says(&found["refused"], &want["refused"]);
    }
    if !want["noted"].is_null() {
        return says(&found["notes"], &want["noted"]);
    }
    let figure = want["figure"].as_str().expect("a figure");
    if let Some(flag) = want["is"].as_bool() {
        let got = field(found, figure);
        return if *got == Value::Bool(flag) {
            Ok(())
        } else {
            Err(got.to_string())
        };
    }
    let base = want["over"].as_str().map(answer);
    let base = base.map_or(1.0, |base| number(&base, figure));
    let got = number(found, figure) / base * want["times"].as_f64().unwrap_or(1.0);
    let [mut least, mut most] = range(want, found, figure);
    if let Some(end) = other {
        let [low, high] = range(want, end, figure);
        (least, most) = (least.min(low), most.max(high));
    }
    let value = want["value"].as_f64();
    let met = match value.filter(|_| want["within"] == "band") {
        Some(value) => (least..=most).contains(&value),
        None => (least..=most).contains(&got),
    };
    if met {
        Ok(())
    } else {
        Err(format!("{got}, wanted {want}, {least} to {most}"))
    }
}

/// Returns the allowed range of a figure: its error band if the case asks for the band, otherwise the case's tolerance
/// or bounds.
fn range(want: &Value, found: &Value, figure: &str) -> [f64; 2] {
    let bound = |key: &str, default: f64| want[key].as_f64().unwrap_or(default);
    if want["within"] == "band" {
        let band = field(found, &format!("error_band.{figure}"));
        let end = |at: usize| band[at].as_f64().unwrap_or(f64::NAN);
        return [end(0), end(1)];
    }
    match (want["value"].as_f64(), want["off"].as_f64()) {
        (Some(value), Some(off)) => [value - off, value + off],
        (Some(value), None) => {
            let share = bound("within", 0.0);
            [value * (1.0 - share), value * (1.0 + share)]
        }
        (None, _) => [
            bound("at_least", f64::NEG_INFINITY),
            bound("at_most", f64::INFINITY),
        ],
    }
}

#[test]
fn cases_are_as_wanted_or_have_a_reason() {
    let mut wrong = Vec::new();
    let mut open = BTreeMap::new();
    let cases = cases();
    for case in &cases {
        let id = case["id"].as_str().expect("an id");
        assert!(
            case["source"]
                .as_str()
                .is_some_and(|source| !source.is_empty()),
            "{id}"
        );
        let found = results(case);
        let wants = case["wants"].as_array().expect("wants");
        for want in wants {
            let what = format!("{id}, {}: {want}", case["what"]);
            if let Some(part) = want["waits"].as_str() {
                open.insert(id, part);
                continue;
            }
            let other = want["open"].as_str().map(|keys| {
                let link = case["link"].as_str().expect("a link");
                let mut other = case.clone();
                other["link"] = format!("{link}{keys}").into();
                results(&other)
            });
            match (meets(want, &found, other.as_ref()), want["gap"].as_str()) {
                (Ok(()), None) => {}
                (Err(_), Some(why)) => {
                    open.insert(id, why);
                }
                (Ok(()), Some(_)) => wrong.push(format!("{what} is met; its gap can go")),
                (Err(got), None) => wrong.push(format!("{what}: {got}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let ids: std::collections::BTreeSet<_> = cases.iter().map(|case| case["id"].as_str()).collect();
    let met = ids.len() - open.len();
    println!(
        "{met} of {} kinds of cases are as wanted; open: {open:?}",
        ids.len()
    );
}
