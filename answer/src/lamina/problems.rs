//! Reasons of an invalid split, and the nearest choices that make it possible.

use model_core::inputs::{Inputs, Mode, Number};
use model_core::lamina::{SplitRefusal as Refusal, SplitSetup};
use model_core::order::sort_by;

use crate::words::format;

/// A broken rule of a Lamina deployment, its control, and the nearest valid choices.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitProblem {
    /// The link key of the control that caused it.
    pub key: &'static str,
    /// The rule in words.
    pub rule: String,
    /// The numbers that break it.
    pub facts: String,
    /// Single changes that make it possible, nearest first.
    pub choices: Vec<SplitRemedy>,
}

/// A nearest choice, as a button next to the control.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitRemedy {
    /// On the button.
    pub label: String,
    /// The inputs that it makes.
    pub inputs: Inputs,
}

/// Choices offered next to a control.
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
                rule,
                facts,
                choices: choices(inputs, refusal),
            }
        })
        .collect()
}

/// The nearest counts of devices, up and down, with which everything is possible.
fn choices(inputs: &Inputs, refusal: &Refusal) -> Vec<SplitRemedy> {
    if let Refusal::Mixer { .. } = refusal {
        // Attention ranks hold whatever mixer there is.
        return vec![SplitRemedy {
            label: "Switch to AFD ratio".into(),
            inputs: inputs.in_mode(Mode::Ratio),
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
            .filter(|value| SplitSetup::of(&inputs.with(*number, *value)).is_ok())
            .collect();
        sort_by(&mut candidates, |a, b| {
            (a - now).abs().total_cmp(&(b - now).abs())
        });
        let each = OFFERED.div_ceil(numbers.len());
        found.extend(candidates.into_iter().take(each).map(|value| SplitRemedy {
            label: label(*number, value),
            inputs: inputs.with(*number, value),
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
