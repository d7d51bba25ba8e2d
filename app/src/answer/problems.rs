//! Errors of invalid scenarios in words, with changes that repair them.

use model_core::inputs::remedy::remedies;
use model_core::inputs::{Inputs, Number};
use model_core::precision::NamedPrecision;
use model_core::refusal::Refusal;

/// A broken rule, its control, and changes that repair it.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The link key of the control that caused it.
    pub key: &'static str,
    /// The rule with its facts.
    pub refusal: Refusal,
    /// The rule in words: "ep × ffn_tp × pp must equal gpus"
    pub rule: String,
    /// The numbers that break it: "64 × 1 × 1 = 64, not 72".
    pub facts: String,
    /// Single changes that make it valid, nearest first.
    pub remedies: Vec<(Number, Inputs)>,
    /// Precisions that make it valid, where a format is missing.
    pub precisions: Vec<NamedPrecision>,
}

/// Choices offered beside a control.
const OFFERED: usize = 4;

/// One problem per broken rule.
pub fn problems(inputs: &Inputs, refusals: &[Refusal]) -> Vec<Problem> {
    refusals
        .iter()
        .map(|refusal| {
            let (rule, facts) = refusal.rule();
            Problem {
                key: refusal.key(inputs),
                refusal: *refusal,
                rule,
                facts,
                remedies: remedies(inputs, refusal, OFFERED),
                precisions: precisions(inputs, refusal),
            }
        })
        .collect()
}

/// Precisions whose formats the accelerator has.
fn precisions(inputs: &Inputs, refusal: &Refusal) -> Vec<NamedPrecision> {
    if !matches!(refusal, Refusal::NoPeak { .. }) {
        return Vec::new();
    }
    NamedPrecision::ALL
        .into_iter()
        .filter(|precision| inputs.with_precision(*precision).scenario().is_ok())
        .collect()
}
