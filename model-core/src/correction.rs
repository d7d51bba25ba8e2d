//! Correction factors on computed times, from measurements of a deployment.

use crate::units::Seconds;

/// Correction factors on the parts of a time per output token; neutral without measurements.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Correction {
    /// Factor on kernel start times, collective latencies, framework and CPU overhead, e^θ_F.
    pub fixed: f64,
    /// Factor on every inefficiency (of memory traffic, compute and links), e^θ_V.
    pub variable: f64,
    /// Factor on aggregated prefill time, e^θ_P.
    pub prefill: f64,
    /// Seconds added to the aggregated prefill of one prompt, h.
    pub prefill_added_s: f64,
}

/// Lower limit of a prefill time with `prefill_added_s`, as a share of the computed prefill time.
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

    /// Returns half of the correction: θ/2 and h/2.
    #[must_use]
    pub fn halved(self) -> Self {
        Self {
            fixed: self.fixed.sqrt(),
            variable: self.variable.sqrt(),
            prefill: self.prefill.sqrt(),
            prefill_added_s: self.prefill_added_s / 2.0,
        }
    }

    /// Returns a correction with the added prefill time only, without the factors.
    #[must_use]
    pub const fn without_factors(self) -> Self {
        Self {
            prefill_added_s: self.prefill_added_s,
            ..Self::NONE
        }
    }

    /// Returns the corrected time of aggregated prefill of a prompt: max(T_p + h, 0.3 T_p)·e^θ_P, with T_p the
    /// computed time.
    pub fn prefill(&self, computed: Seconds) -> Seconds {
        let added = computed + Seconds::new(self.prefill_added_s);
        added.max(computed * LEAST_PREFILL) * self.prefill
    }
}
