//! In engines with aggregated prefill: prompts of other requests that delay an output token.

use crate::math;
use crate::scenario::Scenario;

/// Prompt passes that an output token waits for, p·f.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PromptShare {
    /// The estimate in use, between both ends.
    pub taken: f64,
    /// Lower and upper end: all DP ranks prefill at the same time, or independently.
    pub ends: [f64; 2],
}

impl PromptShare {
    /// Returns the prompt passes per output token. While a sequence decodes o tokens, the prompt of each of its B/dp
    /// − 1 neighbors is read once: p = (B/dp − 1)/o.
    ///
    /// Under a calibration that models engines, attention groups that share experts wait for each other: a step is
    /// long if any of the dp groups reads a prompt. The factor f is between 1 (all read in the same step) and (1 − (1
    /// − p′)^dp)/p′ (independently), with p′ = min(1, p). The value in use is the geometric mean of both, a guess.
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

/// Returns the prompt passes per output token if all ranks prefill at the same time, p = (B/dp − 1)/o. The second
/// value is the factor for ranks that prefill independently: (1 − (1 − p′)^dp)/p′ with p′ = min(1, p). It is 1 if
/// ranks do not wait for each other (`waits` is false).
pub fn prompt_passes(batch: f64, groups: f64, output: f64, waits: bool) -> (f64, f64) {
    let together = (batch / groups - 1.0).max(0.0) / output;
    if !waits || together <= 0.0 {
        return (together, 1.0);
    }
    let chance = together.min(1.0);
    let apart = ((1.0 - math::pow(1.0 - chance, groups)) / chance).max(1.0);
    (together, apart)
}
