//! Parts of TPOT that measurements can distinguish.

use crate::correction::Correction;
use crate::evaluate::pace_with_batch;
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::units::Seconds;
use crate::workload::Serving;

/// Factor applied to fixed times to find the time that remains without them. It is small but not zero, so kernel
/// starts that a schedule waits for remain in effect.
const FEW: f64 = 0.01;

/// Computed parts of TPOT.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parts {
    /// Fixed times F: kernel starts, collective latencies, framework and CPU overhead.
    pub fixed: Seconds,
    /// Variable times V: memory and network traffic, and arithmetic.
    pub variable: Seconds,
    /// Prefill time of other requests, P.
    pub prefill: Seconds,
}

impl Parts {
    /// Computes the parts: F = (S(1) − S(0.01))/0.99/y, V = S(1)/y − F, P = TPOT − S(1)/y. S(ρ) is the step time with
    /// fixed times multiplied by ρ; y is the number of tokens that a step yields.
    ///
    /// `scenario` has no correction except that of its prefill time. If a schedule overlaps fixed times, F is only
    /// what they add to the longer of the overlapped parts. Errors: those of an evaluation.
    pub fn of(scenario: &Scenario) -> Result<Self, Refusal> {
        let batch = scenario.workload.batch;
        let yielded = scenario.workload.speculation.yielded();
        let whole = pace_with_batch(scenario, batch)?;
        let mut few = *scenario;
        few.calibration = scenario.calibration.scaled(FEW, FEW);
        few.workload.serving = Serving::Decode;
        let few = pace_with_batch(&few, batch)?;
        let fixed = (whole.step - few.step) / (1.0 - FEW) / yielded;
        let own = whole.step / yielded;
        Ok(Self {
            fixed,
            variable: own - fixed,
            prefill: match scenario.workload.serving {
                Serving::Decode => Seconds::ZERO,
                Serving::Aggregated(_) => whole.tpot - own,
            },
        })
    }

    /// Returns the parts in seconds, in the order of the correction factors.
    pub const fn as_array(&self) -> [f64; 3] {
        [self.fixed.get(), self.variable.get(), self.prefill.get()]
    }

    /// Returns TPOT, the sum of the parts.
    pub fn total(&self) -> Seconds {
        self.fixed + self.variable + self.prefill
    }

    /// Returns TPOT with each part multiplied by its correction factor.
    pub fn corrected(&self, correction: &Correction) -> Seconds {
        self.fixed * correction.fixed
            + self.variable * correction.variable
            + self.prefill * correction.prefill
    }
}
