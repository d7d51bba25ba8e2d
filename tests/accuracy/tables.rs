//! Tables of the model's errors, in Markdown.

use std::fmt::Write as _;

use crate::runs;
use model_core::calibration::NamedCalibration;
use model_core::measured::{
    Compared, Edit, Residuals, Run, RunKind, Summary, WITHOUT, compare, ends, summary,
};
use model_core::service::recipes::RECIPES;

/// Name of a group of runs that share one summary, and a function that tests membership.
pub(super) type Group = (&'static str, fn(&Run) -> bool);

const STEADY: Group = ("Steady decode at a stated batch", |run| {
    run.kind == RunKind::Steady
});
const LATENCY: Group = ("Single request or aggregated prefill", |run| {
    matches!(run.kind, RunKind::Latency | RunKind::Aggregated)
});
const GROUPS: [Group; 6] = [
    STEADY,
    LATENCY,
    ("Both", |run| run.kind.counts()),
    ("Excluded: end-to-end runs at the engine’s batch", |run| {
        run.kind == RunKind::WholeRun
    }),
    ("Excluded: layers without measured kernels", |run| {
        run.kind == RunKind::NewLayers
    }),
    ("Excluded: unpublished settings", |run| {
        run.kind == RunKind::Uncertain
    }),
];
/// Calibration used in the tables that list individual runs.
const OURS: &str = "calibration=kernels-2026";

pub(super) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

pub(super) fn signed(share: f64) -> String {
    let text = format!("{:+.1}%", 100.0 * share).replace('-', "−");
    if text.starts_with("−0.0") {
        "0.0%".into()
    } else {
        text
    }
}

fn millis(seconds: f64) -> String {
    format!("{:.1}", 1e3 * seconds)
}

pub(super) fn compared(run: &Run, edit: &Edit<'_>) -> Result<Compared, String> {
    compare(run, edit).ok_or_else(|| format!("{} cannot be evaluated with {}", run.id, edit.keys))
}

/// Summarizes the model's errors on a group of runs, with `edit` applied to the inputs of each run.
pub(super) fn errors(
    runs: impl Iterator<Item = &'static Run>,
    (name, has): Group,
    edit: &Edit<'_>,
) -> Result<Summary, String> {
    let errors: Vec<f64> = runs
        .filter(|run| has(run))
        .map(|run| compared(run, edit).map(|found| found.error()))
        .collect::<Result<_, _>>()?;
    summary(errors).ok_or_else(|| format!("{name}: a group without runs"))
}

/// Returns a table of mean error, median and bias: one row per group of runs, one column per calibration.
pub fn groups() -> Result<String, String> {
    let names = NamedCalibration::ALL.map(NamedCalibration::id);
    let mut table = String::from("| mean error (median), bias | rows |");
    for name in names {
        let _ = write!(table, " `{name}` |");
    }
    table.push_str("\n|---|---|");
    table.push_str(&"---|".repeat(names.len()));
    for group in GROUPS {
        let mut line = String::new();
        let mut count = 0;
        for name in names {
            let found = errors(
                runs::rows(),
                group,
                &Edit::keys(&format!("calibration={name}")),
            )?;
            count = found.rows;
            let _ = write!(
                line,
                " {} ({}), {} |",
                percent(found.mean),
                percent(found.median),
                signed(found.bias)
            );
        }
        let _ = write!(table, "\n| {} | {count} |{line}", group.0);
    }
    table.push('\n');
    Ok(table)
}

/// Returns a table of every run that is included in the accuracy score, with the model's result.
pub fn rows() -> Result<String, String> {
    row_table(RunKind::counts)
}

/// Returns a table of every run that is excluded from the accuracy score, with the model's result.
pub fn excluded() -> Result<String, String> {
    row_table(|kind| !kind.counts())
}

fn row_table(has: fn(RunKind) -> bool) -> Result<String, String> {
    let mut table = String::from(
        "| system | run | measured TPOT, ms | predicted | error | range of unpublished settings | extrapolated |\n|---|---|---|---|---|---|---|\n",
    );
    for row in runs::rows() {
        if !has(row.kind) {
            continue;
        }
        let found = compared(row, &Edit::keys(OURS))?;
        let (least, most) =
            ends(row, &found, OURS).ok_or_else(|| format!("{}: an end is refused", row.id))?;
        let range = if row.open.is_empty() {
            "–".to_owned()
        } else {
            format!("{} to {}", signed(least), signed(most))
        };
        let _ = writeln!(
            table,
            "| {}, {} | {} ({}) | {} | {} | {} | {range} | {} |",
            row.model,
            row.hardware,
            row.settings,
            row.source.title,
            millis(found.measured.get()),
            millis(found.computed.get()),
            signed(found.error()),
            beyond(&found),
        );
    }
    Ok(table)
}

/// Returns the names of the parts of a run that the calibration's measurements do not cover; a dash if there are none.
fn beyond(found: &Compared) -> String {
    let names: Vec<&str> = found.extrapolated().iter().map(|it| it.name()).collect();
    if names.is_empty() {
        "–".to_owned()
    } else {
        names.join(", ")
    }
}

/// Returns a table of the model's errors with each term of `kernels-2026` left out in turn.
pub fn terms() -> Result<String, String> {
    let mut table = String::from(
        "| without | term | steady: mean error, bias | single request or aggregated prefill |\n|---|---|---|---|\n",
    );
    let none = Edit::keys("");
    let all = std::iter::once(("nothing", "", none));
    let without = WITHOUT
        .iter()
        .map(|term| (term.symbol, term.what, term.edit));
    for (symbol, what, edit) in all.chain(without) {
        let keys = format!("{OURS}&{}", edit.keys);
        let edit = Edit {
            keys: &keys,
            ..edit
        };
        let [steady, latency] = [STEADY, LATENCY].map(|group| errors(runs::rows(), group, &edit));
        let cell = |found: Summary| format!("{}, {}", percent(found.mean), signed(found.bias));
        let _ = writeln!(
            table,
            "| {symbol} | {what} | {} | {} |",
            cell(steady?),
            cell(latency?)
        );
    }
    Ok(table)
}

/// Returns a table of published runs that are not in the list of measured runs, with the reason for each.
pub fn absent() -> String {
    let mut table = String::from("| published | runs | reason |\n|---|---|---|\n");
    for absent in model_core::measured::absent() {
        let _ = writeln!(
            table,
            "| {} | {} | {} |",
            absent.runs, absent.count, absent.why
        );
    }
    table
}

/// Returns a table with one row per measured system: the number of its runs, and how many of them are within the
/// error band derived from the other systems.
pub fn bands() -> String {
    let all = Residuals::of(NamedCalibration::Kernels2026, &runs::RUNS);
    let mut systems: Vec<&str> = Vec::new();
    for residual in all.as_slice() {
        if !systems.contains(&residual.system) {
            systems.push(residual.system);
        }
    }
    let mut table =
        String::from("| left out | rows | inside the band of the other systems |\n|---|---|---|\n");
    let (mut rows, mut inside) = (0, 0);
    for system in systems {
        let others = all.without(system);
        let own: Vec<_> = all
            .as_slice()
            .iter()
            .filter(|it| it.system == system)
            .collect();
        let held = own.iter().filter(|residual| {
            let band = others.band_of(residual);
            band.is_some_and(|band| band.holds(residual))
        });
        let held = held.count();
        let _ = writeln!(table, "| {system} | {} | {held} |", own.len());
        rows += own.len();
        inside += held;
    }
    let share = percent(inside as f64 / rows as f64);
    let _ = writeln!(table, "| total | {rows} | {inside}, {share} |");
    table
}

/// Returns a table of published ratios of prefill GPUs to decode GPUs, each with the ratio predicted under the newest
/// calibration.
pub fn pools() -> Result<String, String> {
    let mut table = String::from(
        "| pools | prefill GPUs per decode GPU | predicted | predicted ÷ published | unpublished |\n|---|---|---|---|---|\n",
    );
    for recipe in RECIPES {
        let found = recipe.computed(NamedCalibration::Kernels202612.id());
        let found = found.ok_or_else(|| format!("{}: the link does not serve", recipe.name))?;
        let published = recipe.prefill_per_decode;
        let _ = writeln!(
            table,
            "| {}: {} | {published:.2} | {found:.2} | {:.2} | {} |",
            recipe.name,
            recipe.of,
            found / published,
            recipe.open
        );
    }
    Ok(table)
}
