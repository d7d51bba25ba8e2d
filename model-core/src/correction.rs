//! Factors on computed times, from measurements of a deployment.

use crate::units::Seconds;

/// Factors on the parts of a time per output token; neutral without measurements.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Correction {
    /// Factor on kernel starts, collective latencies, framework and CPU overhead, e^θ_F.
    pub fixed: f64,
    /// Factor on every inefficiency: memory traffic, compute, links, e^θ_V.
    pub variable: f64,
    /// Factor on aggregated prefill, e^θ_P.
    pub prefill: f64,
    /// Seconds added to aggregated prefill of a prompt, h.
    pub prefill_added_s: f64,
}

/// Least prefill time relative to the computed one that an added time may leave.
pub const LEAST_PREFILL: f64 = 0.3;

impl Correction {
    /// No correction.
    pub const NONE: Self = Self {
        fixed: 1.0,
        variable: 1.0,
        prefill: 1.0,
        prefill_added_s: 0.0,
    };

    /// True for [`Self::NONE`].
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Half of the correction: θ/2 and h/2.
    #[must_use]
    pub fn halved(self) -> Self {
        Self {
            fixed: self.fixed.sqrt(),
            variable: self.variable.sqrt(),
            prefill: self.prefill.sqrt(),
            prefill_added_s: self.prefill_added_s / 2.0,
        }
    }

    /// The added prefill time without the factors.
    #[must_use]
    pub const fn without_factors(self) -> Self {
        Self {
            prefill_added_s: self.prefill_added_s,
            ..Self::NONE
        }
    }

    /// Aggregated prefill of a prompt: max(T_p + h, 0.3 T_p)·e^θ_P.
    pub fn prefill(&self, computed: Seconds) -> Seconds {
        let added = computed + Seconds::new(self.prefill_added_s);
        added.max(computed * LEAST_PREFILL) * self.prefill
    }
}
