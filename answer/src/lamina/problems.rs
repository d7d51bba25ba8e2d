//! Reasons why a Lamina deployment is invalid, and the nearest changes that make it valid.

use model_core::inputs::{Inputs, Mode, Number};
use model_core::lamina::{SplitRefusal as Refusal, SplitSetup};
use model_core::order::sort_by;

use crate::words::format;

/// A violated rule of Lamina deployments, the control that caused the violation, and changes that make the deployment
/// valid.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitProblem {
    /// Permalink key of the control that caused the problem.
    pub key: &'static str,
    /// Text of the violated rule.
    pub rule: String,
    /// The numbers that violate the rule, as text.
    pub facts: String,
    /// Single changes that make the deployment valid, nearest first.
    pub choices: Vec<SplitRemedy>,
}

/// A change that makes the deployment valid, shown as a button next to the control.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitRemedy {
    /// Label of the button that makes the change.
    pub label: String,
    /// Inputs after the change that the button makes.
    pub inputs: Inputs,
}

/// Number of changes offered per problem. If either of two counts can be changed, each count gets half of them, rounded
/// up.
const OFFERED: usize = 3;
/// Largest device or batch count tried in the search for a valid deployment.
const FARTHEST: u32 = 512;

/// Returns one problem per violated rule.
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

/// Returns the changes to offer: the nearest valid counts of devices or batches. If Lamina does not support the model's
/// mixer, offers a switch to AFD ratio mode.
fn choices(inputs: &Inputs, refusal: &Refusal) -> Vec<SplitRemedy> {
    if let Refusal::Mixer { .. } = refusal {
        // In AFD ratio mode, attention ranks run any mixer.
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
