//! Checks that native and WebAssembly results are bit-for-bit equal: the same program prints the same lines on both.

use std::collections::BTreeMap;
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::PathBuf;
use std::thread;

use crate::failure::{Failure, Result};
use crate::files::failed;
use crate::process::Task;
use crate::program;
use crate::tools::{Bench, NATIVE};

/// Max number of differences between native and WebAssembly results that are printed.
const SHOWN: usize = 10;
/// Node script that prints the lines of the WebAssembly program.
const SAY: &str = "console.log(require('./parity.js').lines())";

type Lines = BTreeMap<String, String>;

/// Native programs with which the WebAssembly programs are compared.
#[derive(Debug)]
pub struct Native {
    /// Path of the native program built from `tests/parity.rs`.
    pub parity: PathBuf,
    /// Path of the native command line program.
    pub ridgepoint: PathBuf,
}

/// Builds the native programs with the same targets as the tests. With other targets, cargo would select other
/// features and recompile everything.
pub fn native(bench: &Bench<'_>) -> Result<Native> {
    bench
        .cargo("building the native programs")
        .arg("test")
        .args(NATIVE)
        .arg("--no-run")
        .run()?;
    let built = program::target(bench.project).join("debug");
    Ok(Native {
        parity: built.join(format!("examples/parity{EXE_SUFFIX}")),
        ridgepoint: built.join(format!("ridgepoint{EXE_SUFFIX}")),
    })
}

/// Runs `tests/parity.rs` natively and under Node, and compares the printed lines.
pub fn check(bench: &Bench<'_>) -> Result<()> {
    let native = native(bench)?.parity;
    let built = program::compile(bench.project, program::ALL)?;
    let folder = program::target(bench.project).join("parity");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).map_err(failed("make", &folder))?;
    program::bind(
        &built.join("examples/parity.wasm"),
        "parity",
        &folder,
        |bindgen| bindgen.nodejs(true),
    )?;
    let node = Task::new("node", "computing on wasm")
        .args("--eval")
        .arg(SAY);
    let node = node.folder(&folder);
    let (native, wasm) = thread::scope(|scope| {
        let native = scope.spawn(|| say(Task::new(native, "computing natively")));
        let wasm = say(node);
        (native.join().unwrap_or(Err(Failure::Told)), wasm)
    });
    let (native, wasm) = (native?, wasm?);
    let differences = compare(&native, &wasm);
    if differences.is_empty() && !native.is_empty() {
        eprintln!(
            "  {} values are the same natively and on wasm, to the bit.",
            native.len()
        );
        return Ok(());
    }
    let what = if native.is_empty() {
        "tests/parity.rs printed nothing".to_owned()
    } else {
        let shown = differences
            .iter()
            .take(SHOWN)
            .map(|line| format!("\n  {line}"));
        format!(
            "{} values differ:{}",
            differences.len(),
            shown.collect::<String>()
        )
    };
    let advice = "mathematics beyond + − × ÷ and sqrt goes through model_core::math".to_owned();
    Err(Failure::Wrong { what, advice })
}

/// Runs a program and returns the lines it prints, as a map from name to value. The lines are not shown to the user,
/// because they have thousands of digits.
fn say(program: Task) -> Result<Lines> {
    let mut lines = Lines::new();
    program.run_reading(|line| {
        if let Some((name, value)) = line.rsplit_once(' ') {
            lines.insert(name.to_owned(), value.to_owned());
        }
        false
    })?;
    Ok(lines)
}

fn compare(native: &Lines, wasm: &Lines) -> Vec<String> {
    let absent = "nothing".to_owned();
    let names: std::collections::BTreeSet<_> = native.keys().chain(wasm.keys()).collect();
    names
        .into_iter()
        .map(|name| {
            (
                name,
                native.get(name).unwrap_or(&absent),
                wasm.get(name).unwrap_or(&absent),
            )
        })
        .filter(|(_, native, wasm)| native != wasm)
        .map(|(name, native, wasm)| format!("{name}: natively {native}, on wasm {wasm}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_compare_by_name() {
        let lines = |pairs: &[(&str, &str)]| {
            pairs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect()
        };
        let native = lines(&[("a", "1"), ("b", "2"), ("c", "3")]);
        let wasm = lines(&[("a", "1"), ("b", "9")]);
        let expected = ["b: natively 2, on wasm 9", "c: natively 3, on wasm nothing"];
        assert_eq!(compare(&native, &wasm), expected);
        assert!(compare(&native, &native).is_empty());
    }
}
