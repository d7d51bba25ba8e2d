//! A calibration term: its meaning, its value for each accelerator family, and the source of these values.

use crate::hardware::Family;
use crate::source::Source;
use crate::units::Seconds;

/// Unit of a calibration term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermUnit {
    /// A fraction of a peak rate or a bandwidth, from 0 to 1.
    Share,
    /// Bytes per element.
    Bytes,
    /// Number of attention heads.
    Heads,
    /// Microseconds.
    Micros,
    /// Number of matrix rows.
    Rows,
    /// Number of tokens.
    Tokens,
    /// A factor that multiplies a time.
    Factor,
}

/// A term of the calibration, with one value per accelerator family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CalibrationTerm {
    /// Symbol of the term in the documentation.
    pub symbol: &'static str,
    /// Short description of the term.
    pub what: &'static str,
    /// Unit of the values.
    pub unit: TermUnit,
    /// Value on Hopper.
    pub hopper: f64,
    /// Value on Blackwell.
    pub blackwell: f64,
    /// Values on CDNA 3 and CDNA 4; `None` to use Hopper's value.
    pub amd: Option<[f64; 2]>,
    /// Measurements from which the values were derived.
    pub source: Source,
    /// Permalink key that overrides the term; `None` if no key does.
    pub key: Option<&'static str>,
}

impl CalibrationTerm {
    pub(super) const fn new(
        symbol: &'static str,
        what: &'static str,
        unit: TermUnit,
        [hopper, blackwell]: [f64; 2],
        source: Source,
    ) -> Self {
        Self {
            symbol,
            what,
            unit,
            hopper,
            blackwell,
            amd: None,
            source,
            key: None,
        }
    }

    #[must_use]
    pub(super) const fn on_amd(self, cdna3: f64, cdna4: f64) -> Self {
        Self {
            amd: Some([cdna3, cdna4]),
            ..self
        }
    }

    /// Returns the term with a permalink key that overrides it.
    #[must_use]
    pub(super) const fn by(self, key: &'static str) -> Self {
        Self {
            key: Some(key),
            ..self
        }
    }

    /// Returns the term's value for an accelerator family.
    pub const fn of(&self, family: Family) -> f64 {
        match (family, self.amd) {
            (Family::Blackwell, _) => self.blackwell,
            (Family::Cdna3, Some([cdna3, _])) => cdna3,
            (Family::Cdna4, Some([_, cdna4])) => cdna4,
            _ => self.hopper,
        }
    }

    /// Returns the slowdown factor (≥ 1) of an efficiency term, which is 1 ÷ its value.
    pub(super) const fn factor(&self, family: Family) -> f64 {
        1.0 / self.of(family)
    }

    /// Returns the value of a latency term, converted from microseconds to seconds.
    pub(super) const fn seconds(&self, family: Family) -> Seconds {
        Seconds::from_micros(self.of(family))
    }
}
