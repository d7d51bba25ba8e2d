//! Correction factors for computed times, derived from measurements of a deployment.

use crate::units::Seconds;

/// Correction factors for the parts of a computed time per output token; neutral without measurements.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Correction {
    /// Factor e^θ_F that multiplies kernel and collective latencies, framework overhead and CPU overhead.
    pub fixed: f64,
    /// Factor e^θ_V that multiplies every inefficiency factor (of memory traffic, compute and links).
    pub variable: f64,
    /// Factor e^θ_P that multiplies aggregated prefill time.
    pub prefill: f64,
    /// Seconds h added to the aggregated prefill time of one prompt; may be negative.
    pub prefill_added_s: f64,
}

/// Lower limit of a prompt's prefill time after `prefill_added_s` is added, as a fraction of the computed prefill
/// time.
pub const LEAST_PREFILL: f64 = 0.3;

impl Correction {
    /// No correction: all factors are 1 and no time is added.
    pub const NONE: Self = Self {
        fixed: 1.0,
        variable: 1.0,
        prefill: 1.0,
        prefill_added_s: 0.0,
    };

    /// Returns true for [`Self::NONE`].
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Returns the correction with half the effect: θ/2 instead of each exponent θ, and h/2 instead of the added time
    /// h.
    #[must_use]
    pub fn halved(self) -> Self {
        Self {
            fixed: self.fixed.sqrt(),
            variable: self.variable.sqrt(),
            prefill: self.prefill.sqrt(),
            prefill_added_s: self.prefill_added_s / 2.0,
        }
    }

    /// Returns a correction with only the added prefill time; all factors are 1.
    #[must_use]
    pub const fn without_factors(self) -> Self {
        Self {
            prefill_added_s: self.prefill_added_s,
            ..Self::NONE
        }
    }

    /// Returns the corrected time of aggregated prefill of a prompt: max(T_p + h, 0.3 T_p)·e^θ_P, where T_p is the
    /// computed time.
    pub fn prefill(&self, computed: Seconds) -> Seconds {
        let added = computed + Seconds::new(self.prefill_added_s);
        added.max(computed * LEAST_PREFILL) * self.prefill
    }
}
