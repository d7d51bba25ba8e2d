//! Prompts of other requests that a token waits for, in engines with aggregated prefill.

use crate::math;
use crate::scenario::Scenario;

/// Prompt passes per output token, p·f.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PromptShare {
    /// The value in use.
    pub taken: f64,
    /// DP ranks that prefill at the same time, and independently.
    pub ends: [f64; 2],
}

impl PromptShare {
    /// Each of a sequence's B/dp − 1 neighbors is read once while it decodes o tokens: p = (B/dp − 1)/o.
    ///
    /// Under a calibration that knows engines, groups that share experts wait for each other, so a step is long if any
    /// of dp groups reads a prompt: f is between 1 (all read in the same step) and (1 − (1 − p′)^dp)/p′
    /// (independently), p′ = min(1, p). Taken is the geometric mean of both, a guess.
    pub fn of(scenario: &Scenario, batch: f64, output: f64) -> Self {
        let spec = scenario.plan.spec();
        let waits = scenario.calibration.engine.is_some() && spec.dp > 1 && spec.ep > 1;
        let (together, apart) = prompt_passes(batch, f64::from(spec.dp), output, waits);
        Self {
            taken: together * apart.sqrt(),
            ends: [together, together * apart],
        }
    }
}

/// Prompt passes per output token if all ranks prefill at the same time, p = (B/dp − 1)/o, and the factor of
/// independent ranks on it, (1 − (1 − p′)^dp)/p′ with p′ = min(1, p); 1 where no rank `waits` for another.
pub fn prompt_passes(batch: f64, groups: f64, output: f64, waits: bool) -> (f64, f64) {
    let together = (batch / groups - 1.0).max(0.0) / output;
    if !waits || together <= 0.0 {
        return (together, 1.0);
    }
    let chance = together.min(1.0);
    let apart = ((1.0 - math::pow(1.0 - chance, groups)) / chance).max(1.0);
    (together, apart)
}
