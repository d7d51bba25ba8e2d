//! A term of a calibration: its meaning, its numbers by family, and their source.

use crate::hardware::Family;
use crate::source::Source;
use crate::units::Seconds;

/// Unit of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermUnit {
    /// A share of a peak or a bandwidth, 0–1.
    Share,
    /// Bytes per element.
    Bytes,
    /// Attention heads.
    Heads,
    /// Microseconds.
    Micros,
    /// Rows of a matrix.
    Rows,
    /// Tokens.
    Tokens,
    /// A factor on a time.
    Factor,
}

/// A term of the calibration, by family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CalibrationTerm {
    /// Symbol in the documentation.
    pub symbol: &'static str,
    /// Meaning.
    pub what: &'static str,
    /// Unit of the numbers.
    pub unit: TermUnit,
    /// On Hopper.
    pub hopper: f64,
    /// On Blackwell.
    pub blackwell: f64,
    /// On CDNA 3 and CDNA 4; `None` to use Hopper's.
    pub amd: Option<[f64; 2]>,
    /// Measurements it comes from.
    pub source: Source,
    /// Link key that overrides it.
    pub key: Option<&'static str>,
}

impl CalibrationTerm {
    /// A term with a column for Hopper and one for Blackwell, and no override.
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

    /// The term with numbers of CDNA 3 and CDNA 4.
    #[must_use]
    pub(super) const fn on_amd(self, cdna3: f64, cdna4: f64) -> Self {
        Self {
            amd: Some([cdna3, cdna4]),
            ..self
        }
    }

    /// The term with the link key that overrides it.
    #[must_use]
    pub(super) const fn by(self, key: &'static str) -> Self {
        Self {
            key: Some(key),
            ..self
        }
    }

    /// The number of a family.
    pub const fn of(&self, family: Family) -> f64 {
        match (family, self.amd) {
            (Family::Blackwell, _) => self.blackwell,
            (Family::Cdna3, Some([cdna3, _])) => cdna3,
            (Family::Cdna4, Some([_, cdna4])) => cdna4,
            _ => self.hopper,
        }
    }

    /// The factor ≥ 1 of a share: its inverse.
    pub(super) const fn factor(&self, family: Family) -> f64 {
        1.0 / self.of(family)
    }

    /// A start in seconds.
    pub(super) const fn seconds(&self, family: Family) -> Seconds {
        Seconds::from_micros(self.of(family))
    }
}
