//! Table that compares the colocated and the Lamina deployment, with the ratios of their values.

use model_core::account::Quantity;
use model_core::inputs::Gpu;
use model_core::lamina::SplitSide;
use model_core::lamina::memory::SideMemory;

use super::SplitCase;
use crate::apart::tone;
use crate::around::{Around, Range};
use crate::words::format;
use crate::words::sentence::Tone;

/// Column headings, left to right.
pub const COLUMNS: [&str; 7] = [
    "throughput",
    "per user",
    "cost",
    "price",
    "step",
    "sequences",
    "memory, GiB",
];

/// A row of the comparison table: a deployment, or the ratios.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitRow {
    /// CSS class of the row: `together`, `split`, `against`, `pinned`.
    pub id: &'static str,
    /// Name of the deployment: "Colocated".
    pub name: &'static str,
    /// Devices of the deployment: "30 × H100".
    pub detail: String,
    /// True if the deployment's interactivity is below u*, the interactivity at which the deployments are compared.
    pub misses: bool,
    /// Cells, in the order of [`COLUMNS`].
    pub cells: [SplitCell; 7],
}

/// A cell of the comparison table.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitCell {
    /// Value of the cell, without unit: "37.5k"; in the row of ratios, "53% less".
    pub value: String,
    /// Unit of the cell's value: "tok/s".
    pub unit: &'static str,
    /// Tone of the value, which sets its color.
    pub tone: Tone,
    /// Error band of the cell's value.
    pub around: Option<Range>,
    /// Quantity whose derivation opens when the value is clicked.
    pub opens: Option<Quantity>,
    /// Second value, shown after a dot, and the quantity whose derivation opens when this second value is clicked.
    pub second: Option<(String, Quantity)>,
}

fn cell(value: String, unit: &'static str) -> SplitCell {
    SplitCell {
        value,
        unit,
        tone: Tone::Plain,
        around: None,
        opens: None,
        second: None,
    }
}

impl SplitCell {
    /// Makes a click on the cell open the derivation of `quantity`, if the cell has a value.
    fn opening(self, quantity: Quantity) -> Self {
        let known = self.value != format::NONE;
        self.opening_if(known, quantity)
    }

    fn opening_if(self, has: bool, quantity: Quantity) -> Self {
        let opens = has.then_some(quantity);
        Self { opens, ..self }
    }
}

/// Returns the table rows: the colocated cluster, if one of about the same price exists; Lamina; and their ratios, if
/// both reach u*.
pub fn rows(case: &SplitCase) -> Vec<SplitRow> {
    let mut rows = Vec::new();
    if let (Some(other), Some(name)) = (&case.other, case.other_name()) {
        let evaluation = &other.evaluation;
        let memory = &evaluation.memory;
        // Only colocated gets an error band: no system like the Lamina deployment was measured.
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
            misses: !case.keeps(evaluation.tokens_per_user),
            cells: [
                SplitCell {
                    around: rate(evaluation.tokens, format::si),
                    ..cell(format::si(evaluation.tokens), "tok/s")
                },
                SplitCell {
                    around: rate(evaluation.tokens_per_user, format::sig3),
                    ..speed(case, evaluation.tokens_per_user)
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
    rows.push(lamina(case));
    rows.extend(against(case));
    rows
}

fn lamina(case: &SplitCase) -> SplitRow {
    let (split, setup) = (&case.split, &case.setup);
    SplitRow {
        id: "split",
        name: "Lamina",
        detail: case.name(),
        misses: !case.keeps(split.tokens_per_user),
        cells: [
            cell(format::si(split.tokens), "tok/s").opening(Quantity::LaminaTokens),
            speed(case, split.tokens_per_user).opening(Quantity::LaminaPerUser),
            cost(split.tokens_per_dollar).opening(Quantity::LaminaCost),
            dollars(setup.dollars_per_hour(), "/h"),
            cell(format::millis(split.step.get()).to_string(), "").opening(Quantity::LaminaStep),
            cell(format::count(setup.batch()), "")
                .opening_if(setup.batch() <= split.capacity, Quantity::LaminaBatch),
            memory(case),
        ],
    }
}

fn dollars(value: Option<f64>, unit: &'static str) -> SplitCell {
    match value {
        Some(value) => cell(format::dollars(value), unit),
        None => cell(format::NONE.to_owned(), ""),
    }
}

/// Returns a cell with the cost per million tokens, computed from tokens per dollar.
fn cost(earned: Option<f64>) -> SplitCell {
    dollars(earned.map(|tokens| 1e6 / tokens), "/M tok")
}

/// Returns a cell with the interactivity `users`. If it is below u*, u* is shown as well: "8.51 of 40.0".
fn speed(case: &SplitCase, users: f64) -> SplitCell {
    match case.keeps(users) {
        true => cell(format::sig3(users), "tok/s"),
        false => SplitCell {
            tone: Tone::Bad,
            ..cell(
                format!("{} of {}", format::sig3(users), format::sig3(case.users)),
                "tok/s",
            )
        },
    }
}

/// Returns the row of the pinned scenario's Lamina deployment.
pub fn pinned(case: &SplitCase) -> SplitRow {
    SplitRow {
        id: "pinned",
        name: "A",
        ..lamina(case)
    }
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
        second: Some((side(SplitSide::Memory), Quantity::LaminaMemory)),
        ..cell(side(SplitSide::Compute), "").opening(Quantity::LaminaComputeMemory)
    }
}

/// Returns the row of ratios, Lamina ÷ colocated, if both reach u*. The cost ratio decides the comparison. The memory
/// column shows Lamina's batch capacity instead of a ratio.
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
        misses: false,
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
            muted(format!("capacity {}", format::count(split.capacity))),
        ],
    })
}
