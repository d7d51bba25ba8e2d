//! Parts of TPOT that measurements can distinguish.

use crate::correction::Correction;
use crate::evaluate::pace_with_batch;
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::units::Seconds;
use crate::workload::Serving;

/// Factor on fixed times that nearly removes them from the step time. It is not zero, so that schedules still wait for
/// kernel launches.
const FEW: f64 = 0.01;

/// Computed parts of TPOT: fixed time, variable time, and prefill of other requests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parts {
    /// Fixed time F: kernel launches, collective latencies, framework and CPU overhead.
    pub fixed: Seconds,
    /// Variable time V: traffic (memory and network) and compute.
    pub variable: Seconds,
    /// Prefill time of other requests, P.
    pub prefill: Seconds,
}

impl Parts {
    /// Splits TPOT into fixed time F = (S(1) − S(0.01))/0.99/y, variable time V = S(1)/y − F, and prefill of other
    /// requests P = TPOT − S(1)/y. S(ρ) is the step time with fixed times multiplied by ρ; y is the number of tokens
    /// that a step yields.
    ///
    /// `scenario` must carry no correction other than that of its prefill time. If a schedule overlaps fixed times, F
    /// counts only the time they add to the longer of the overlapped parts. Errors: those of an evaluation.
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

    /// Returns the parts of TPOT in seconds, in the order of the correction factors.
    pub const fn as_array(&self) -> [f64; 3] {
        [self.fixed.get(), self.variable.get(), self.prefill.get()]
    }

    /// Returns TPOT, the sum of its parts.
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
