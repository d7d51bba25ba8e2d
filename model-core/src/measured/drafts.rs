//! Compares the gain of draft tokens with the error band.

use super::band::Residuals;
use crate::evaluate::{Evaluation, evaluate};
use crate::inputs::Inputs;
use crate::scenario::Scenario;

/// Throughput with draft tokens relative to throughput without them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DraftGain {
    /// Throughput with draft tokens divided by throughput without them.
    pub factor: f64,
    /// Minimum throughput factor that rules out a loss. Below it, the error band of the time with draft tokens includes
    /// the time without them. `None` if there is no band.
    pub least: Option<f64>,
}

impl DraftGain {
    /// Computes the gain of a scenario's draft tokens; `None` if it has no draft tokens.
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

    /// Returns true if the error band includes a loss.
    pub fn may_be_loss(&self) -> bool {
        self.least.is_some_and(|least| self.factor < least)
    }
}
