//! The tables of errors, in Markdown.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use model_core::calibration::NamedCalibration;
use model_core::measured::{
    ABSENT, Compared, Edit, Measurement, RecentKind, RecentRun, Residuals, RunKind, Summary,
    WITHOUT, compare, ends, rows as measured, summary,
};

/// A set of rows with one summary.
struct Set {
    name: &'static str,
    has: fn(RunKind) -> bool,
}

const STEADY: Set = Set {
    name: "Steady decode at a stated batch",
    has: |group| matches!(group, RunKind::Steady),
};
const LATENCY: Set = Set {
    name: "One request, or prefills in the same engine",
    has: |group| matches!(group, RunKind::Latency | RunKind::Aggregated),
};
const SETS: [Set; 6] = [
    STEADY,
    LATENCY,
    Set {
        name: "Both together",
        has: RunKind::counts,
    },
    Set {
        name: "Apart: whole runs, the engine's own batch",
        has: |group| matches!(group, RunKind::WholeRun),
    },
    Set {
        name: "Apart: layers without measured kernels",
        has: |group| matches!(group, RunKind::NewLayers),
    },
    Set {
        name: "Apart: something that decides is not stated",
        has: |group| matches!(group, RunKind::Uncertain),
    },
];

/// Calibration of the row tables.
const OURS: &str = "calibration=kernels-2026";

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn signed(share: f64) -> String {
    let text = format!("{:+.1} %", 100.0 * share).replace('-', "−");
    if text.starts_with("−0.0") {
        "0.0 %".into()
    } else {
        text
    }
}

fn millis(seconds: f64) -> String {
    format!("{:.1}", 1e3 * seconds)
}

fn compared(row: &Measurement, edit: &Edit<'_>) -> Result<Compared, String> {
    compare(row, edit).ok_or_else(|| format!("{} cannot be evaluated with {}", row.id, edit.keys))
}

/// A set's errors under an edit.
pub fn errors(has: fn(RunKind) -> bool, edit: &Edit<'_>) -> Result<Summary, String> {
    let errors: Vec<f64> = measured()
        .filter(|row| has(row.group))
        .map(|row| compared(row, edit).map(|found| found.error()))
        .collect::<Result<_, _>>()?;
    summary(errors).ok_or_else(|| "a group without rows".to_owned())
}

/// Mean error, median and bias of each set of rows, by calibration.
pub fn groups() -> Result<String, String> {
    let names = NamedCalibration::ALL.map(NamedCalibration::id);
    let mut table = String::from("| mean error (median), bias | rows |");
    for name in names {
        let _ = write!(table, " `{name}` |");
    }
    table.push_str("\n|---|---|");
    table.push_str(&"---|".repeat(names.len()));
    for set in &SETS {
        let mut line = String::new();
        let mut count = 0;
        for name in names {
            let found = errors(set.has, &Edit::keys(&format!("calibration={name}")))?;
            count = found.rows;
            let _ = write!(
                line,
                " {} ({}), {} |",
                percent(found.mean),
                percent(found.median),
                signed(found.bias)
            );
        }
        let _ = write!(table, "\n| {} | {count} |{line}", set.name);
    }
    table.push('\n');
    Ok(table)
}

/// The mean error of recent decode runs of which everything is stated, in one sentence.
pub fn line() -> Result<String, String> {
    let runs = || model_core::measured::recent().filter(is_clean);
    let sources: BTreeSet<&str> = runs().map(|run| run.publication()).collect();
    let found = recent_summary(is_clean)?;
    Ok(format!(
        "Time per token is {} off on average (median {}, bias {}: too fast) over the {} published decode runs of 2026 of \
         which everything that decides is stated, from {} publications; nothing is tuned to them. \
         [docs/accuracy.md](docs/accuracy.md) has every run.\n",
        percent(found.mean),
        percent(found.median),
        signed(found.bias),
        found.rows,
        sources.len()
    ))
}

/// Decode of which everything is stated.
fn is_clean(run: &RecentRun) -> bool {
    run.kind != RecentKind::Prefill && run.open.is_empty()
}

/// Errors of recent runs of a group under the defaults of version 2.
fn recent_summary(has: fn(&RecentRun) -> bool) -> Result<Summary, String> {
    let runs = model_core::measured::recent().filter(has);
    let errors: Option<Vec<f64>> = runs
        .map(|run| Some(run.compare(NamedCalibration::Kernels202611)?.error))
        .collect();
    let errors = errors.ok_or("a recent run is refused")?;
    summary(errors).ok_or_else(|| "a group of recent runs is empty".to_owned())
}

/// Every row that counts for accuracy, with the model's result.
pub fn rows() -> Result<String, String> {
    row_table(RunKind::counts)
}

/// Every row that does not count for accuracy, with the model's result.
pub fn apart() -> Result<String, String> {
    row_table(|group| !group.counts())
}

fn row_table(has: fn(RunKind) -> bool) -> Result<String, String> {
    let mut table = String::from(
        "| system | run | measured, ms a token | model | off | by what is not stated | beyond what was measured |\n|---|---|---|---|---|---|---|\n",
    );
    for row in measured().filter(|row| has(row.group)) {
        let found = compared(row, &Edit::keys(OURS))?;
        let (least, most) =
            ends(row, OURS).ok_or_else(|| format!("{}: an end is refused", row.id))?;
        let range = if row.unknown.is_empty() {
            "–".to_owned()
        } else {
            format!("{} to {}", signed(least), signed(most))
        };
        let _ = writeln!(
            table,
            "| {}, {} | {} ({}) | {} | {} | {} | {range} | {} |",
            row.model,
            row.hardware,
            row.run,
            row.source.title,
            millis(found.measured.get()),
            millis(found.tpot.get()),
            signed(found.error()),
            beyond(&found),
        );
    }
    Ok(table)
}

/// Names of the extrapolations.
fn beyond(found: &Compared) -> String {
    let names: Vec<&str> = found.extrapolated.iter().map(|it| it.name()).collect();
    if names.is_empty() {
        "–".to_owned()
    } else {
        names.join(", ")
    }
}

/// Errors without each term of `kernels-2026`.
pub fn terms() -> Result<String, String> {
    let mut table = String::from(
        "| left out | what | steady: mean error, bias | one request, or prefills in the same engine |\n|---|---|---|---|\n",
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
        let [steady, latency] = [STEADY.has, LATENCY.has].map(|has| errors(has, &edit));
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

/// Published runs without a row.
pub fn absent() -> String {
    let mut table =
        String::from("| published | runs | why no row stands for it |\n|---|---|---|\n");
    for absent in ABSENT {
        let _ = writeln!(
            table,
            "| {} | {} | {} |",
            absent.runs,
            absent.count,
            absent.why.words()
        );
    }
    table
}

/// Rows of each system inside the band of the other systems.
pub fn bands() -> String {
    let all = Residuals::of(NamedCalibration::Kernels2026);
    let mut systems: Vec<&str> = Vec::new();
    for residual in all.as_slice() {
        if !systems.contains(&residual.system) {
            systems.push(residual.system);
        }
    }
    let mut table =
        String::from("| left out | rows | inside the band of the others |\n|---|---|---|\n");
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
    let _ = writeln!(table, "| all of them | {rows} | {inside}, {share} |");
    table
}

/// A group of recent runs.
type RecentGroup = (&'static str, fn(&RecentRun) -> bool);

/// Errors of recent runs under the defaults of version 2.
pub fn recent() -> Result<String, String> {
    let groups: [RecentGroup; 8] = [
        ("Decode, everything stated", is_clean),
        ("Steady decode", |run| run.kind == RecentKind::Steady),
        ("Disaggregated prefill, whole runs", |run| {
            run.kind == RecentKind::Disaggregated
        }),
        ("Aggregated prefill, whole runs", |run| {
            run.kind == RecentKind::Aggregated
        }),
        ("MI355X", |run| {
            run.kind != RecentKind::Prefill && run.hardware.contains("MI355X")
        }),
        ("Prefill, sparse attention", |run| {
            let sparse = run.link.contains("=deepseek-v3.2") || run.link.contains("=glm-5");
            run.kind == RecentKind::Prefill && sparse
        }),
        ("Prefill", |run| run.kind == RecentKind::Prefill),
        ("Excluded: one request, one persistent kernel", |run| {
            run.kind == RecentKind::Persistent
        }),
    ];
    let mut table = String::from("| group | runs | mean error (median), bias |\n|---|---|---|\n");
    for (name, has) in groups {
        let Summary {
            rows,
            mean,
            median,
            bias,
        } = recent_summary(has)?;
        let _ = writeln!(
            table,
            "| {name} | {rows} | {} ({}), {} |",
            percent(mean),
            percent(median),
            signed(bias)
        );
    }
    Ok(table)
}
