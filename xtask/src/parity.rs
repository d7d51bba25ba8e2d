//! Bit-for-bit parity of native and wasm: one test prints the same lines on both.

use std::collections::BTreeMap;

use crate::failure::{Failure, Result};
use crate::process::Task;
use crate::tally::Tally;
use crate::tools::{self, Bench, WASM};

/// Prefix of compared lines: `parity <name> <value>`.
const MARK: &str = "parity ";
/// Max differences that are shown.
const SHOWN: usize = 10;

type Lines = BTreeMap<String, String>;

/// Runs `tests/parity.rs` natively and on wasm, and compares the printed lines.
pub fn check(bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let native = say(bench.cargo("computing natively"), "", tally)?;
    let wasm = say(
        bench
            .cargo("computing on wasm")
            .env("PATH", tools::wasm_runner(bench.project)?),
        WASM,
        tally,
    )?;
    let differences = compare(&native, &wasm);
    if differences.is_empty() && !native.is_empty() {
        eprintln!(
            "  {} values are the same natively and on wasm, to the bit.",
            native.len()
        );
        return Ok(());
    }
    tally.failed += 1;
    let what = if native.is_empty() {
        "tests/parity.rs printed no line that begins with `parity `".to_owned()
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

fn say(cargo: Task, target: &str, tally: &mut Tally) -> Result<Lines> {
    let mut lines = Lines::new();
    let mut task = cargo.args("test --locked -p ridgepoint-tests --test parity");
    if !target.is_empty() {
        task = task.arg("--target").arg(target);
    }
    task.args("-- --nocapture").run_reading(|line| {
        tally.read(line);
        let Some((name, value)) = parse(line) else {
            return true;
        };
        lines.insert(name.to_owned(), value.to_owned());
        // Hundreds of lines of digits are not printed.
        false
    })?;
    Ok(lines)
}

/// Name and value of a line; a name may have spaces, a value has none.
///
/// The harness may have printed the test's own name in front, without a line break.
fn parse(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.split_once(MARK)?;
    rest.trim().rsplit_once(' ')
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

    #[test]
    fn line_after_harness_output() {
        assert_eq!(
            parse("parity tpot of V3 3fb46f"),
            Some(("tpot of V3", "3fb46f"))
        );
        assert_eq!(parse("test agrees ... parity a 1"), Some(("a", "1")));
        assert_eq!(parse("test result: ok."), None);
    }
}
