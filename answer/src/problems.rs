//! Errors of invalid scenarios in words, with changes that repair them.

use crate::words::headline::Headline;
use model_core::hardware::CUSTOM;
use model_core::inputs::remedy::remedies;
use model_core::inputs::{Inputs, Number};
use model_core::precision::{Format, NamedPrecision};
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
    /// Valid precisions, if a format is not supported.
    pub precisions: Vec<NamedPrecision>,
}

impl Problem {
    /// The sentence above the view.
    pub fn headline(&self) -> Headline {
        match self.refusal {
            Refusal::NoPeak { gpu, .. } if gpu == CUSTOM => Headline::Incomplete {
                lacks: self.rule.clone(),
            },
            _ => Headline::impossible(&self.rule),
        }
    }
}

/// Choices offered next to a control.
const OFFERED: usize = 4;

/// One problem per broken rule.
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

/// The key of the control that repairs a refusal: of a speed that a custom accelerator lacks, the speed's field.
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

/// Precisions whose formats the accelerator has.
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
