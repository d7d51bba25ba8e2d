//! Parts of a time per output token that measurements can separate.

use crate::correction::Correction;
use crate::evaluate::pace_with_batch;
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::units::Seconds;
use crate::workload::Serving;

/// Factor on fixed times that leaves the rest of a step: small, but a start that a schedule waits for stays one.
const FEW: f64 = 0.01;

/// Computed parts of a time per output token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parts {
    /// Kernel starts, collective latencies, framework and CPU overhead, F.
    pub fixed: Seconds,
    /// Traffic and arithmetic, V.
    pub variable: Seconds,
    /// Prefill of other requests, P.
    pub prefill: Seconds,
}

impl Parts {
    /// F = (S(1) − S(0.01))/0.99/y, V = S(1)/y − F, P = TPOT − S(1)/y, where S(ρ) is a step whose fixed times are
    /// multiplied by ρ, and y the tokens that it yields.
    ///
    /// The scenario has no correction but of its prefill time. Under an overlap that starts do not wait for F is what they
    /// add to the longer part. Errors: as of an evaluation.
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

    /// The parts in seconds, in the order of the factors.
    pub const fn as_array(&self) -> [f64; 3] {
        [self.fixed.get(), self.variable.get(), self.prefill.get()]
    }

    /// Time per output token.
    pub fn total(&self) -> Seconds {
        self.fixed + self.variable + self.prefill
    }

    /// Time per output token with the factors of a correction on the parts.
    pub fn corrected(&self, correction: &Correction) -> Seconds {
        self.fixed * correction.fixed
            + self.variable * correction.variable
            + self.prefill * correction.prefill
    }
}
