//! Gain of draft tokens vs. the error band.

use super::band::Residuals;
use crate::evaluate::{Evaluation, evaluate};
use crate::inputs::Inputs;
use crate::scenario::Scenario;

/// Throughput with draft tokens over that without.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DraftGain {
    /// The factor.
    pub factor: f64,
    /// Factor below which the error band of the time with drafts includes the time without; `None` without a band.
    pub least: Option<f64>,
}

impl DraftGain {
    /// The gain of a scenario's draft tokens; `None` without any.
    pub fn of(
        residuals: &Residuals,
        inputs: &Inputs,
        scenario: &Scenario,
        evaluation: &Evaluation,
    ) -> Option<Self> {
        let mut plain = *scenario;
        if plain.workload.speculation.depth == 0 {
            return None;
        }
        plain.workload.speculation.depth = 0;
        let without = evaluate(&plain).ok()?;
        let band = residuals.band(inputs, scenario, evaluation);
        Some(Self {
            factor: evaluation.tokens_per_gpu / without.tokens_per_gpu,
            least: band.map(|band| band.high),
        })
    }

    /// True if the error band includes a loss.
    pub fn may_be_loss(&self) -> bool {
        self.least.is_some_and(|least| self.factor < least)
    }
}
