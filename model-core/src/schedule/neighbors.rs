//! Computes how many prefill passes of other requests delay each output token, in engines with aggregated prefill.

use crate::math;
use crate::scenario::Scenario;

/// Number of prompt passes that one output token waits for, p·f.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PromptShare {
    /// The estimate in use, between the lower and the upper end.
    pub taken: f64,
    /// Lower and upper end of the estimate. At the lower end, all DP ranks prefill at the same time; at the upper
    /// end, they prefill independently.
    pub ends: [f64; 2],
}

impl PromptShare {
    /// Returns the number of prompt passes per output token. While a sequence decodes o tokens, the prompt of each of
    /// its B/dp − 1 neighbors is read once: p = (B/dp − 1)/o.
    ///
    /// Under a calibration that models engines, attention groups that share experts wait for each other. A step is
    /// then long if any of the dp groups reads a prompt. The factor f is at least 1 (all groups read in the same
    /// step). It is at most (1 − (1 − p′)^dp)/p′ (groups read independently), with p′ = min(1, p). The value in use
    /// is the geometric mean of these two, which is a guess.
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

/// Returns the number of prompt passes per output token if all ranks prefill at the same time, p = (B/dp − 1)/o. Also
/// returns the factor by which this number grows if ranks prefill independently: (1 − (1 − p′)^dp)/p′ with p′ =
/// min(1, p). This factor is 1 if ranks do not wait for each other (`waits` is false).
pub fn prompt_passes(batch: f64, groups: f64, output: f64, waits: bool) -> (f64, f64) {
    let together = (batch / groups - 1.0).max(0.0) / output;
    if !waits || together <= 0.0 {
        return (together, 1.0);
    }
    let chance = together.min(1.0);
    let apart = ((1.0 - math::pow(1.0 - chance, groups)) / chance).max(1.0);
    (together, apart)
}
