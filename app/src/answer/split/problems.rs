//! Why a split is impossible, and the nearest changes that make it possible.

use model_core::apart::Partition;
use model_core::disagg::split::{Refusal, Setup};
use model_core::order::sort_by;
use model_core::scenario::{Inputs, Mode, Number};

use crate::format;

/// A broken rule of a split, where it belongs, and what would repair it.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitProblem {
    /// The link key of the control that caused it.
    pub key: &'static str,
    /// The rule in words.
    pub rule: String,
    /// What it comes to.
    pub facts: String,
    /// Single changes that make it possible, nearest first.
    pub repairs: Vec<Repair>,
}

/// A change a button makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Repair {
    /// On the button.
    pub label: String,
    /// Numbers it states.
    pub numbers: Vec<(Number, f64)>,
    /// How attention is divided then, where that changes.
    pub partition: Option<Partition>,
    /// How the model is taken apart then, where that changes.
    pub mode: Option<Mode>,
}

impl Repair {
    /// Makes the change.
    pub fn apply(&self, inputs: &mut Inputs) {
        if self.partition.is_some() {
            inputs.partition = self.partition;
        }
        if let Some(mode) = self.mode {
            inputs.mode = mode;
        }
        for (number, value) in &self.numbers {
            inputs.state(*number, Some(*value));
        }
    }
}

/// Choices offered beside a control.
const OFFERED: usize = 3;
/// Farthest number that is tried.
const FARTHEST: u32 = 512;

/// One problem per broken rule.
pub fn problems(inputs: &Inputs, refusals: &[Refusal]) -> Vec<SplitProblem> {
    refusals
        .iter()
        .map(|refusal| {
            let (rule, facts) = refusal.rule();
            SplitProblem {
                key: refusal.key(),
                rule: format::capital(&rule),
                facts,
                repairs: repairs(inputs, refusal),
            }
        })
        .collect()
}

/// The nearest counts of devices, up and down, with which everything is possible.
fn repairs(inputs: &Inputs, refusal: &Refusal) -> Vec<Repair> {
    if let Refusal::Mixer { .. } = refusal {
        // Instances of attention hold whatever mixer there is.
        return vec![Repair {
            label: "Ask for instances of attention instead".into(),
            numbers: Vec::new(),
            partition: None,
            mode: Some(Mode::Ratio),
        }];
    }
    let numbers = match refusal.key() {
        "memory_gpus" => [Number::MemoryGpus].as_slice(),
        "compute_gpus" => &[Number::ComputeGpus],
        "batches" => &[Number::ComputeGpus, Number::Batches],
        _ => &[],
    };
    let mut found = Vec::new();
    for number in numbers {
        let now = inputs.get(*number).unwrap_or(1.0);
        let most = (number.spec().most as u32).min(FARTHEST);
        let mut candidates: Vec<f64> = (1..=most)
            .map(f64::from)
            .filter(|value| Setup::of(&inputs.with(*number, *value)).is_ok())
            .collect();
        sort_by(&mut candidates, |a, b| {
            (a - now).abs().total_cmp(&(b - now).abs())
        });
        let each = OFFERED.div_ceil(numbers.len());
        found.extend(candidates.into_iter().take(each).map(|value| Repair {
            label: label(*number, value),
            numbers: vec![(*number, value)],
            partition: None,
            mode: None,
        }));
    }
    found
}

/// "Use 4 memory devices".
fn label(number: Number, value: f64) -> String {
    let what = match number {
        Number::ComputeGpus => "compute device",
        Number::MemoryGpus => "memory device",
        _ => "batch",
    };
    let plural = match (number, value > 1.0) {
        (_, false) => "",
        (Number::Batches, true) => "es",
        (_, true) => "s",
    };
    format!("Use {} {what}{plural}", format::count(value))
}
