//! Tests of pasted benchmarks: readings, properties of the reader, diagnoses, and public cases.
//!
//! `golden/bench` contains samples with invented numbers and real field names, their expected readings, and diagnoses
//! from given time terms.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests are tests too"
)]

mod cases;
mod diagnoses;
mod laws;
mod readings;

use std::fs;
use std::path::{Path, PathBuf};

use model_core::bench::{self, Reading};
use model_core::inputs::{Inputs, Version};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/bench")
}

fn golden(file: &str) -> Value {
    let text = fs::read_to_string(folder().join(file)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn sample(file: &str) -> String {
    fs::read_to_string(folder().join("samples").join(file)).unwrap()
}

fn samples() -> Vec<(String, Value)> {
    let readings = golden("readings.json");
    let all = readings["samples"].as_object().unwrap();
    all.iter()
        .map(|(file, expected)| (file.clone(), expected.clone()))
        .collect()
}

fn start() -> Inputs {
    Inputs::defaults_of(Version::NEWEST)
}

fn read(text: &str) -> Reading {
    bench::read(text, &start())
}

fn near(found: f64, expected: f64, share: f64) -> bool {
    (found - expected).abs() <= share * expected.abs()
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|value| value.as_f64().unwrap())
        .collect()
}

/// Returns the value of a fact (a setting read from a benchmark) as written in a permalink.
fn id(fact: &bench::Fact) -> Value {
    use bench::Value as Stated;
    match fact.value {
        Stated::Model(entry) => entry.id.into(),
        Stated::Gpu(entry) => entry.id.into(),
        Stated::Precision(precision) => precision.id().into(),
        Stated::Overlap(overlap) => overlap.id().into(),
        Stated::Serving(engine) => engine.id().into(),
        Stated::Cache(layout) => layout.id().into(),
        Stated::Number(_, value) => value.into(),
    }
}
