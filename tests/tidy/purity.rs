//! Tests of invariants 1, 4 and 7 in ARCHITECTURE.md. The model is pure, calibrations are created in one place, and
//! native and wasm results agree.

use super::source::{none, offenders, read};

/// Crates on which model-core may depend: mathematics and text formats.
const MODEL_MAY_USE: [&str; 4] = ["libm", "serde", "serde_json", "base64"];

#[test]
fn model_dependencies_are_pure() {
    let manifest = read("model-core/Cargo.toml");
    let after = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let section = after.split("\n[").next().unwrap_or_default();
    let names: Vec<&str> = section
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
        .collect();
    assert!(!names.is_empty(), "no dependencies found: {manifest}");
    let foreign: Vec<String> = names
        .into_iter()
        .filter(|name| !MODEL_MAY_USE.contains(name))
        .map(str::to_owned)
        .collect();
    none("model-core is a pure function library", &foreign);
}

#[test]
fn model_has_no_side_effects() {
    let words = [
        "std::time",
        "std::thread",
        "std::fs",
        "std::net",
        "std::io",
        "std::env",
        "std::process",
        "std::sync",
        "SystemTime",
        "Instant::",
        "web_sys",
        "js_sys",
        "leptos",
        "println!",
        "eprintln!",
        "dbg!",
    ];
    none(
        "model-core is a pure function of its arguments",
        &offenders("model-core/src", &words, &[]),
    );
}

/// Checks that the model uses no hash map, which iterates in a different order in every run.
#[test]
fn nothing_depends_on_the_order_of_hashes() {
    none(
        "a BTreeMap or a sorted list has an order",
        &offenders("model-core/src", &["HashMap", "HashSet"], &[]),
    );
}

/// Checks that the model, the answers, the page and the worker use only the mathematical functions of
/// `model_core::math`. The standard `sin`, `exp`, `ln` and similar functions differ between native and wasm in their
/// last bits.
#[test]
fn math_comes_from_one_place() {
    let methods = [
        "ln", "log", "log2", "log10", "ln_1p", "exp", "exp2", "exp_m1", "powf", "powi", "cbrt",
        "hypot", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sin_cos", "sinh", "cosh",
        "tanh", "asinh", "acosh", "atanh",
    ];
    let words: Vec<String> = methods
        .iter()
        .flat_map(|name| [format!(".{name}("), format!("f64::{name}")])
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    for folder in ["model-core/src", "answer/src", "app/src", "worker/src"] {
        none("use model_core::math", &offenders(folder, &words, &[]));
    }
    let direct = offenders("model-core/src", &["libm::"], &["model-core/src/math.rs"]);
    none("model-core calls libm through math alone", &direct);
}

/// Checks that calibrations are created only in the calibration module, and that published efficiency factors are
/// written only in its tables.
#[test]
fn inefficiencies_live_in_the_calibration() {
    let made = ["Calibration {"];
    let except = [
        "model-core/src/calibration/terms.rs",
        "model-core/src/calibration/kernels.rs",
        "model-core/src/calibration/by_operator/mod.rs",
        "model-core/src/calibration/named.rs",
        "model-core/src/calibration/engine.rs",
    ];
    let found: Vec<String> = offenders("model-core/src", &made, &except)
        .into_iter()
        .filter(|line| {
            let declared = ["impl ", "let Calibration {", "-> Calibration {"];
            !declared.iter().any(|text| line.contains(text))
        })
        .collect();
    none("calibration alone knows inefficiencies", &found);
    // Numbers of the calibrations, as the papers print them.
    let factors = ["1.65", "1.43", "0.66", "45.7", "16.5", "11.5"];
    // Tables of kernels have some of the same numbers.
    let except = [
        "model-core/src/calibration/named.rs",
        "model-core/src/calibration/prefill.rs",
        "model-core/src/calibration/by_operator/attention.rs",
        "model-core/src/calibration/by_operator/experts.rs",
        "model-core/src/calibration/by_operator/messages.rs",
    ];
    let found = [
        offenders("model-core/src/calibration", &factors, &except),
        offenders("model-core/src/cost", &factors, &[]),
    ];
    none("an inefficiency outside calibration", &found.concat());
}
