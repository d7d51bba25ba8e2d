//! Tables of the model's errors under the newest calibration: for runs published in 2026, and for runs that this
//! project measured on one engine.

use std::fmt::Write as _;

use model_core::measured::{Edit, PublishedFigure, Run, RunKind, Summary};

use super::tables::{Group, compared, errors, percent, signed};
use crate::runs;

/// Decode runs whose settings are all published, including runs with reported fallback kernels. The sentence that
/// `line` returns covers these runs.
const CLEAN: Group = ("Decode, all settings published", is_clean);
const GROUPS: [Group; 17] = [
    CLEAN,
    ("– Hopper", |run| is_clean(run) && maker(run) == "Hopper"),
    ("– Blackwell", |run| {
        is_clean(run) && maker(run) == "Blackwell"
    }),
    ("– AMD", |run| is_clean(run) && maker(run) == "AMD"),
    ("– others", |run| is_clean(run) && maker(run).is_empty()),
    ("– steady decode", |run| {
        is_clean(run) && run.kind == RunKind::Steady
    }),
    ("– disaggregated prefill, end to end", |run| {
        is_clean(run) && run.kind == RunKind::Disaggregated
    }),
    ("– aggregated prefill, end to end", |run| {
        is_clean(run) && matches!(run.kind, RunKind::Aggregated | RunKind::FallBack)
    }),
    ("– without reported fallback kernels", |run| {
        is_clean(run) && run.kind != RunKind::FallBack
    }),
    ("– reported fallback kernels", |run| {
        run.kind == RunKind::FallBack
    }),
    ("Steady decode, all", |run| run.kind == RunKind::Steady),
    ("Disaggregated prefill, all", |run| {
        run.kind == RunKind::Disaggregated
    }),
    ("Aggregated prefill, all", |run| {
        matches!(run.kind, RunKind::Aggregated | RunKind::FallBack)
    }),
    ("Prefill, single prompts", |run| {
        run.kind == RunKind::Prefill && !is_pool(run)
    }),
    ("Prefill pools, always busy", |run| {
        run.kind == RunKind::Prefill && is_pool(run)
    }),
    ("Excluded: megakernel, single request", |run| {
        run.kind == RunKind::Persistent
    }),
    ("Excluded: forward steps on dummy tokens", |run| {
        run.kind == RunKind::Uncertain && !is_pool(run)
    }),
];

/// Calibrations in the columns of the error table: the one of permalink version 2, the newest one, and the newest one
/// with either of two host times per prompt layer.
const COLUMNS: [(&str, &str); 4] = [
    ("`kernels-2026-11`", "calibration=kernels-2026-11"),
    ("`kernels-2026-12`", NEWEST),
    (
        "`prefill_us=700`",
        "calibration=kernels-2026-12&prefill_us=700",
    ),
    ("`prefill_us=1350`", EAGER),
];
const NEWEST: &str = "calibration=kernels-2026-12";
const EAGER: &str = "calibration=kernels-2026-12&prefill_us=1350";

fn is_clean(run: &Run) -> bool {
    model_core::measured::is_complete(run)
}

fn is_pool(run: &Run) -> bool {
    matches!(run.figure, PublishedFigure::Prefill(_))
}

/// Returns the accelerator's family (Hopper, Blackwell or AMD), or an empty string for other accelerators.
fn maker(run: &Run) -> &'static str {
    let has = |names: &[&str]| names.iter().any(|name| run.hardware.contains(name));
    match run.hardware {
        _ if has(&["B200", "B300"]) => "Blackwell",
        _ if has(&["MI3"]) => "AMD",
        _ if has(&["H100", "H200", "H800", "H20"]) => "Hopper",
        _ => "",
    }
}

fn cell(found: &Summary) -> String {
    format!(
        "{} ({}), {}",
        percent(found.mean),
        percent(found.median),
        signed(found.bias)
    )
}

/// Returns the sentence on accuracy as worded on the page: the mean error of recent decode runs whose settings are
/// all published.
pub fn line() -> Result<String, String> {
    let line = answer::around::accuracy_line();
    line.map(|line| line + "\n")
        .ok_or_else(|| "a run cannot be evaluated".into())
}

/// Returns a table of the model's errors on recent runs: one row per group of runs, and a last row for all older
/// runs.
pub fn groups() -> Result<String, String> {
    let mut table = String::from("| mean error (median), bias | runs |");
    for (name, _) in COLUMNS {
        let _ = write!(table, " {name} |");
    }
    table.push_str("\n|---|---|");
    table.push_str(&"---|".repeat(COLUMNS.len()));
    let older: Group = ("Older runs, 2025", |run| run.kind.counts());
    let recent = GROUPS.map(|group| (group, false));
    for (group, is_older) in recent.into_iter().chain([(older, true)]) {
        let mut line = String::new();
        let mut count = 0;
        for (_, keys) in COLUMNS {
            // Prefill runs have no decode steps that the host time of prompts could delay.
            if group.0.starts_with("Prefill") && keys.contains("prefill_us") {
                line.push_str(" – |");
                continue;
            }
            let edit = Edit::keys(keys);
            let found = match is_older {
                true => errors(runs::rows(), group, &edit)?,
                false => errors(runs::recent(), group, &edit)?,
            };
            count = found.rows;
            let _ = write!(line, " {} |", cell(&found));
        }
        let _ = write!(table, "\n| {} | {count} |{line}", group.0);
    }
    table.push('\n');
    Ok(table)
}

/// Returns a table of the decode runs with all settings published and an absolute error above 30% under the newest
/// calibration. Each row has a possible explanation.
pub fn far() -> Result<String, String> {
    let mut table = String::from(
        "| run | hardware | error | with `prefill_us=1350` | explanation |\n|---|---|---|---|---|\n",
    );
    for run in runs::recent().filter(|run| run.kind.counts() && is_clean(run)) {
        let found = compared(run, &Edit::keys(NEWEST))?.error();
        if found.abs() <= 0.30 {
            continue;
        }
        let eager = compared(run, &Edit::keys(EAGER))?.error();
        let _ = writeln!(
            table,
            "| {} | {} | {} | {} | {} |",
            run.id,
            run.hardware,
            signed(found),
            signed(eager),
            explanation(run, eager),
        );
    }
    Ok(table)
}

fn explanation(run: &Run, eager: f64) -> &'static str {
    let drafts = run.link.contains("&mtp=");
    match run.kind {
        RunKind::FallBack => {
            "DeepGEMM experts in place of the kernel for B200, replaced four days later"
        }
        _ if run.hardware.contains("MI300X") => {
            "TPOT varies 1.5 to 2.5× with the engine and its version"
        }
        _ if drafts && eager > 0.0 => {
            "draft tokens of one sequence share experts; modeled as independent"
        }
        _ if run.link.contains("=glm-5") => "indexer of many small kernels",
        _ if eager.abs() <= 0.30 => "prompts read outside CUDA graphs",
        _ => "kernels of SGLang 0.5.6–0.5.9 at few tokens per expert; no profile published",
    }
}

/// Returns a table of errors on the engine that this project measured: one row per LLM, and a row for all LLMs.
pub fn engine() -> Result<String, String> {
    let mut table = String::from(
        "| vLLM 0.24.0 on one H200, decode steps | points | `kernels-2026-11` | `kernels-2026-12` |\n|---|---|---|---|\n",
    );
    let models: [Group; 4] = [
        ("Llama-3.1-8B, BF16", |run| run.id.contains("llama-3.1-8b")),
        ("Qwen3-32B, FP8", |run| run.id.contains("qwen3-32b")),
        ("Qwen3-30B-A3B, BF16", |run| {
            run.id.contains("qwen3-30b-a3b")
        }),
        ("all three", |_| true),
    ];
    for model in models {
        let [before, now] = [COLUMNS[0], COLUMNS[1]]
            .map(|(_, keys)| errors(runs::engine_steps(), model, &Edit::keys(keys)));
        let (before, now) = (before?, now?);
        let _ = writeln!(
            table,
            "| {} | {} | {} | {} |",
            model.0,
            now.rows,
            cell(&before),
            cell(&now)
        );
    }
    Ok(table)
}
