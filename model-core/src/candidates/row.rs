//! One row of a comparison of accelerators: a candidate with its result.

use super::best::{CandidateBest, CandidateMiss};
use crate::inputs::{Inputs, Number};

/// One row of a comparison of accelerators: a candidate with its result.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CandidateRow {
    /// Position of the candidate in the order in which the candidates were set, counted from 0.
    pub place: usize,
    /// Scenario inputs that show the candidate's service if there is a request rate, else its best plan.
    pub inputs: Inputs,
    /// Price of the candidate in US dollars per GPU-hour; `None` if unknown.
    pub price: Option<f64>,
    /// Best configuration found, or the reason why there is none.
    pub found: Result<CandidateBest, CandidateMiss>,
}

impl CandidateRow {
    /// Creates a row from a candidate's inputs and its result.
    pub fn new(inputs: Inputs, found: Result<CandidateBest, CandidateMiss>) -> Self {
        Self {
            place: 0,
            price: inputs.get(Number::Price),
            inputs,
            found,
        }
    }

    /// Returns the sort key of a row. Feasible and available candidates come first; among these, candidates with a
    /// cost precede those without. The last entry is the cost or, without one, the number of GPUs.
    pub fn rank(&self) -> (bool, bool, f64) {
        match &self.found {
            Ok(best) => (
                !best.is_available(),
                best.dollars_per_mtok.is_none(),
                best.dollars_per_mtok.unwrap_or(best.gpus),
            ),
            Err(_) => (true, true, f64::INFINITY),
        }
    }
}
