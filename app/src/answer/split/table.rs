//! The table of colocated, Lamina, and their ratio.

use model_core::disagg::split::SplitSide;
use model_core::disagg::split::memory::SideMemory;
use model_core::inputs::Gpu;

use super::SplitCase;
use crate::answer::apart::tone;
use crate::answer::around::{Around, Range};
use crate::answer::sentence::Tone;
use crate::format;

/// Columns, left to right.
pub const COLUMNS: [&str; 7] = [
    "throughput",
    "per user",
    "cost",
    "price",
    "step",
    "sequences",
    "memory used, GiB",
];

/// A row of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitRow {
    /// CSS class of the row: `together`, `split`, `against`.
    pub id: &'static str,
    /// "Colocated".
    pub name: &'static str,
    /// "30 × H100".
    pub detail: String,
    /// In the order of [`COLUMNS`].
    pub cells: [SplitCell; 7],
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitCell {
    /// "37.5k"; in the last row "0.47×".
    pub value: String,
    /// "tok/s".
    pub unit: &'static str,
    /// Of the value.
    pub tone: Tone,
    /// Error band of the value.
    pub around: Option<Range>,
}

fn cell(value: String, unit: &'static str) -> SplitCell {
    SplitCell {
        value,
        unit,
        tone: Tone::Plain,
        around: None,
    }
}

/// Colocated where there is a cluster of about that price, Lamina, and where both serve, their ratios.
pub fn rows(case: &SplitCase) -> Vec<SplitRow> {
    let split = &case.split;
    let setup = &case.setup;
    // No number, no unit.
    let dollars = |value: Option<f64>, unit| match value {
        Some(value) => cell(format::dollars(value), unit),
        None => cell(format::NONE.to_owned(), ""),
    };
    let cost = |earned: Option<f64>| dollars(earned.map(|tokens| 1e6 / tokens), "/M tok");
    let speed = |users: f64| match case.keeps(users) {
        true => cell(format::sig3(users), "tok/s"),
        false => SplitCell {
            tone: Tone::Bad,
            ..cell(
                format!("{} of {}", format::sig3(users), format::sig3(case.users)),
                "tok/s",
            )
        },
    };
    let mut rows = Vec::new();
    if let (Some(other), Some(name)) = (&case.other, case.other_name()) {
        let evaluation = &other.evaluation;
        let memory = &evaluation.memory;
        // No system like the split was measured, so only colocated has a band.
        let mut inputs = case.inputs;
        inputs.gpu = inputs.compute_gpu.map_or(inputs.gpu, Gpu::Catalog);
        let around = Around::of(&inputs, &other.scenario, evaluation);
        let rate =
            |value: f64, text: fn(f64) -> String| around.as_ref().map(|it| it.rate(value, text));
        let time =
            |value: f64, text: fn(f64) -> String| around.as_ref().map(|it| it.time(value, text));
        let earned = other.tokens_per_dollar();
        rows.push(SplitRow {
            id: "together",
            name: "Colocated",
            detail: name,
            cells: [
                SplitCell {
                    around: rate(evaluation.tokens, format::si),
                    ..cell(format::si(evaluation.tokens), "tok/s")
                },
                SplitCell {
                    around: rate(evaluation.tokens_per_user, format::sig3),
                    ..speed(evaluation.tokens_per_user)
                },
                SplitCell {
                    around: time(1e6 / earned, format::dollars),
                    ..cost(Some(earned))
                },
                dollars(Some(other.dollars_per_hour), "/h"),
                cell(format::millis(evaluation.step.get()).to_string(), ""),
                cell(format::count(other.scenario.workload.batch), ""),
                cell(
                    format!(
                        "{} of {}",
                        format::figure(memory.total().as_gib()),
                        format::printed(memory.usable.as_gib())
                    ),
                    "",
                ),
            ],
        });
    }
    rows.push(SplitRow {
        id: "split",
        name: "Lamina",
        detail: case.name(),
        cells: [
            cell(format::si(split.tokens), "tok/s"),
            speed(split.tokens_per_user),
            cost(split.tokens_per_dollar),
            dollars(setup.dollars_per_hour(), "/h"),
            cell(format::millis(split.step.get()).to_string(), ""),
            cell(format::count(setup.batch()), ""),
            memory(case),
        ],
    });
    rows.extend(against(case));
    rows
}

fn memory(case: &SplitCase) -> SplitCell {
    let side = |side: SplitSide| {
        let memory: &SideMemory = &case.split.memory[side as usize];
        format!(
            "{} of {}",
            format::figure(memory.total().as_gib()),
            format::printed(memory.usable.as_gib())
        )
    };
    SplitCell {
        tone: if case.split.fits() {
            Tone::Plain
        } else {
            Tone::Bad
        },
        ..cell(
            format!("{} · {}", side(SplitSide::Compute), side(SplitSide::Memory)),
            "",
        )
    }
}

/// Lamina over colocated, where both serve: the ratio of cost, and those that explain it.
fn against(case: &SplitCase) -> Option<SplitRow> {
    let [Some(colocated), Some(lamina)] = case.compared() else {
        return None;
    };
    let other = case.other.as_ref()?;
    let (split, setup) = (&case.split, &case.setup);
    let evaluation = &other.evaluation;
    let muted = |value: String| SplitCell {
        tone: Tone::Muted,
        ..cell(value, "")
    };
    let over = |now: f64, then: f64| muted(format::factor(now / then));
    Some(SplitRow {
        id: "against",
        name: "Lamina ÷ colocated",
        detail: String::new(),
        cells: [
            over(split.tokens, evaluation.tokens),
            over(split.tokens_per_user, evaluation.tokens_per_user),
            SplitCell {
                tone: tone([Some(colocated), Some(lamina)]),
                ..over(colocated, lamina)
            },
            muted(setup.dollars_per_hour().map_or_else(String::new, |cost| {
                format::factor(cost / other.dollars_per_hour)
            })),
            over(split.step.get(), evaluation.step.get()),
            over(setup.batch(), other.scenario.workload.batch),
            muted(format!("room for {}", format::count(split.capacity))),
        ],
    })
}
