//! The table of a split: together, split, and how they compare.

use model_core::disagg::split::memory::SideMemory;
use model_core::disagg::split::{Side, slo};
use model_core::scenario::Gpu;

use super::SplitCase;
use crate::answer::around::{Around, Range};
use crate::answer::sentence::Tone;
use crate::format;

/// What the columns say, left to right.
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
    /// `together`, `split`, `against`.
    pub id: &'static str,
    /// "Together".
    pub name: &'static str,
    /// "30 × H100".
    pub detail: String,
    /// In the order of [`COLUMNS`].
    pub cells: [SplitCell; 7],
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitCell {
    /// "37.5k"; in the last row "−53% worse".
    pub value: String,
    /// "tok/s".
    pub unit: &'static str,
    /// Of the value.
    pub tone: Tone,
    /// From where to where a measured system may lie.
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

/// Together where there is a cluster of about that price, the split, and where that fits, how they compare.
pub fn rows(case: &SplitCase, per_dollar: bool) -> Vec<SplitRow> {
    let split = &case.split;
    let setup = &case.setup;
    // No number, no unit.
    let dollars = |value: Option<f64>, unit| match value {
        Some(value) => cell(format::dollars(value), unit),
        None => cell(format::NONE.to_owned(), ""),
    };
    let cost = |earned: Option<f64>| dollars(earned.map(|tokens| 1e6 / tokens), "/M tok");
    let throughput = |tokens: f64, tokens_per_dollar: Option<f64>| match tokens_per_dollar
        .filter(|_| per_dollar)
    {
        Some(tokens) => cell(format::si(tokens), "tok/$"),
        None => cell(format::si(tokens), "tok/s"),
    };
    let slo = setup.compute.workload.slo;
    let speed = |users: f64| match slo.filter(|_| !slo::keeps(slo, users)) {
        None => cell(format::sig3(users), "tok/s"),
        Some(slo) => SplitCell {
            tone: Tone::Bad,
            ..cell(
                format!("{}, misses {}", format::sig3(users), format::printed(slo)),
                "tok/s",
            )
        },
    };
    let mut rows = Vec::new();
    if let (Some(other), Some(name)) = (&case.other, case.other_name()) {
        let evaluation = &other.evaluation;
        let memory = &evaluation.memory;
        // Nothing like the split was measured.
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
            name: "Together",
            detail: name,
            cells: [
                SplitCell {
                    around: match per_dollar {
                        true => rate(earned, format::si),
                        false => rate(evaluation.tokens, format::si),
                    },
                    ..throughput(evaluation.tokens, Some(earned))
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
        name: "Split",
        detail: case.name(),
        cells: [
            throughput(split.tokens, split.tokens_per_dollar),
            speed(split.tokens_per_user),
            cost(split.tokens_per_dollar),
            dollars(setup.dollars_per_hour(), "/h"),
            cell(format::millis(split.step.get()).to_string(), ""),
            cell(format::count(setup.batch()), ""),
            memory(case),
        ],
    });
    // What does not fit is no better than anything.
    rows.extend(
        { case.split.fits() }
            .then(|| against(case, per_dollar))
            .flatten(),
    );
    rows
}

fn memory(case: &SplitCase) -> SplitCell {
    let side = |side: Side| {
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
            format!("{} · {}", side(Side::Compute), side(Side::Memory)),
            "",
        )
    }
}

/// A difference in words: worse is less of what is good, or more of what is not.
fn difference(now: f64, then: f64, more_is_better: bool, words: [&str; 2]) -> SplitCell {
    let ratio = now / then;
    if !ratio.is_finite() || (ratio - 1.0).abs() < 0.005 {
        return SplitCell {
            tone: Tone::Muted,
            ..cell("the same".to_owned(), "")
        };
    }
    let better = (ratio > 1.0) == more_is_better;
    let [good, bad] = words;
    SplitCell {
        tone: if better { Tone::Help } else { Tone::Bad },
        ..cell(
            format!(
                "{} {}",
                format::percent_change(now, then),
                if better { good } else { bad }
            ),
            "",
        )
    }
}

fn against(case: &SplitCase, per_dollar: bool) -> Option<SplitRow> {
    const WORDS: [&str; 2] = ["better", "worse"];
    let other = case.other.as_ref()?;
    let (split, setup) = (&case.split, &case.setup);
    let evaluation = &other.evaluation;
    let earned = split.tokens_per_dollar.unwrap_or(f64::NAN);
    let muted = |value: String| SplitCell {
        tone: Tone::Muted,
        ..cell(value, "")
    };
    let throughput = if per_dollar {
        difference(earned, other.tokens_per_dollar(), true, WORDS)
    } else {
        difference(split.tokens, evaluation.tokens, true, WORDS)
    };
    let longer = split.step / evaluation.step;
    let step = SplitCell {
        tone: if longer > 1.0 { Tone::Bad } else { Tone::Help },
        ..cell(
            if longer > 1.0 {
                format!("{} longer", format::factor(longer))
            } else {
                format!("{} as long", format::factor(longer))
            },
            "",
        )
    };
    Some(SplitRow {
        id: "against",
        name: "Split against together",
        detail: String::new(),
        cells: [
            throughput,
            difference(
                split.tokens_per_user,
                evaluation.tokens_per_user,
                true,
                WORDS,
            ),
            difference(1.0 / earned, 1.0 / other.tokens_per_dollar(), false, WORDS),
            muted(setup.dollars_per_hour().map_or_else(String::new, |cost| {
                format::percent_change(cost, other.dollars_per_hour)
            })),
            step,
            muted(format::factor(
                setup.batch() / other.scenario.workload.batch,
            )),
            muted(format!("room for {}", format::count(split.capacity))),
        ],
    })
}
