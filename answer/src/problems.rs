//! Errors of invalid scenarios as text, with changes that make the scenarios valid.

use crate::words::headline::Headline;
use model_core::hardware::CUSTOM;
use model_core::inputs::remedy::remedies;
use model_core::inputs::{Inputs, Number};
use model_core::precision::{Format, NamedPrecision};
use model_core::refusal::Refusal;

/// A broken rule, the control that causes the problem, and changes that repair the scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Permalink key of the control that causes the problem.
    pub key: &'static str,
    /// The broken rule as data, with the values that break it.
    pub refusal: Refusal,
    /// The rule as text: "ep × ffn_tp × pp must equal gpus".
    pub rule: String,
    /// The values that break the rule: "64 × 1 × 1 = 64, not 72".
    pub facts: String,
    /// Single changes that make the scenario valid: the changed input, and all inputs after the change. Values of the
    /// control that causes the problem come first, then GPU counts, then resets of parallelism factors.
    pub remedies: Vec<(Number, Inputs)>,
    /// Precisions that the accelerator supports, if the problem is an unsupported number format; otherwise empty.
    pub precisions: Vec<NamedPrecision>,
}

impl Problem {
    /// Returns the headline that reports the problem above the view.
    pub fn headline(&self) -> Headline {
        match self.refusal {
            Refusal::NoPeak { gpu, .. } if gpu == CUSTOM => Headline::Incomplete {
                lacks: self.rule.clone(),
            },
            _ => Headline::impossible(&self.rule),
        }
    }
}

/// Maximum number of changes offered per problem. Changes of the precision are not counted.
const OFFERED: usize = 4;

/// Returns one problem for each broken rule.
pub fn problems(inputs: &Inputs, refusals: &[Refusal]) -> Vec<Problem> {
    refusals
        .iter()
        .map(|refusal| {
            let (rule, facts) = refusal.rule();
            Problem {
                key: control(inputs, refusal),
                refusal: *refusal,
                rule,
                facts,
                remedies: remedies(inputs, refusal, OFFERED),
                precisions: precisions(inputs, refusal),
            }
        })
        .collect()
}

/// Returns the permalink key of the control that can repair a broken rule. If a custom accelerator lacks a peak
/// speed, this is the field for that speed.
fn control(inputs: &Inputs, refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::NoPeak { format, gpu, .. } if *gpu == CUSTOM => {
            match format {
                Format::Bf16 => Number::PeakBf16,
                Format::Fp8 => Number::PeakFp8,
                Format::Fp4 => Number::PeakFp4,
            }
            .spec()
            .key
        }
        _ => refusal.key(inputs),
    }
}

/// Returns the precisions with which the scenario is valid. The result is empty unless the broken rule is about a
/// format.
fn precisions(inputs: &Inputs, refusal: &Refusal) -> Vec<NamedPrecision> {
    if !matches!(refusal, Refusal::NoPeak { .. }) {
        return Vec::new();
    }
    inputs
        .version
        .precisions()
        .filter(|precision| inputs.with_precision(*precision).scenario().is_ok())
        .collect()
}
