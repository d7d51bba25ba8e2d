//! Terms of a kernel calibration: the meaning, value and source of each constant.

use crate::words::format;
use model_core::calibration::term::{CalibrationTerm as Term, TermUnit};
use model_core::hardware::Family;
use model_core::inputs::{Inputs, Number};

/// A calibration term, as shown in a row of the panel.
#[derive(Debug, Clone, PartialEq)]
pub struct TermRow {
    /// The term, with its symbol, meaning and source.
    pub term: &'static Term,
    /// The term's value in the calibration, with its unit.
    pub value: String,
    /// The control's value, with unit, if a control overrides the term; else `None`.
    pub stated: Option<String>,
}

/// Returns the rows of all calibration terms; empty for a calibration that uses one efficiency for all kernels.
pub fn rows(inputs: &Inputs) -> Vec<TermRow> {
    if !inputs.calibration.tells_kernels_apart() {
        return Vec::new();
    }
    let family = inputs.named_calibration().coverage.family();
    let family = family.unwrap_or(Family::Hopper);
    let terms = inputs.calibration.terms();
    terms
        .into_iter()
        .map(|term| TermRow {
            term,
            value: with_unit(term.unit, term.of(family)),
            stated: stated(inputs, term),
        })
        .collect()
}

/// Returns the value that a control sets for the term. For a share of peak, this is the inverse of the control's
/// factor.
fn stated(inputs: &Inputs, term: &Term) -> Option<String> {
    let value = inputs.stated(Number::find(term.key?)?)?;
    let value = match term.unit {
        TermUnit::Share => 1.0 / value,
        _ => value,
    };
    Some(with_unit(term.unit, value))
}

fn with_unit(unit: TermUnit, value: f64) -> String {
    match unit {
        TermUnit::Share => format!("{}%", format::sig3(value * 100.0)),
        TermUnit::Micros => format!("{} µs", format::printed(value)),
        TermUnit::Rows => format!("{} rows", format::printed(value)),
        TermUnit::Bytes => format!("{} bytes", format::printed(value)),
        TermUnit::Heads => format!("{} heads", format::printed(value)),
        TermUnit::Tokens => format!("{} tokens", format::printed(value)),
        TermUnit::Factor => format!("{}×", format::printed(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::calibration::NamedCalibration;
    use model_core::permalink::read;

    #[test]
    fn a_stated_factor_replaces_the_share_it_stands_for() {
        let of = |link: &str, symbol: &str| {
            let rows = rows(&read(link).current);
            let row = rows.into_iter().find(|row| row.term.symbol == symbol);
            row.map(|row| (row.value, row.stated))
        };
        assert_eq!(of("v=1", "σ_m"), Some(("80.0%".into(), None)));
        assert_eq!(of("v=1&gpu=b200", "σ_m"), Some(("71.0%".into(), None)));
        let stated = of("v=1&e_mem=2&layer_us=10", "σ_m");
        assert_eq!(stated, Some(("80.0%".into(), Some("50.0%".into()))));
        let stated = of("v=1&e_mem=2&layer_us=10", "o_L");
        assert_eq!(stated, Some(("32 µs".into(), Some("10 µs".into()))));
        assert_eq!(of("v=1&calibration=ideal", "σ_m"), None);
    }

    #[test]
    fn every_key_of_a_term_is_a_number() {
        for term in NamedCalibration::ALL
            .into_iter()
            .flat_map(NamedCalibration::terms)
        {
            assert!(
                term.key.is_none_or(|key| Number::find(key).is_some()),
                "{}",
                term.symbol
            );
        }
    }
}
