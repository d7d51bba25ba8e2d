//! A candidate with its result.

use super::best::{CandidateBest, CandidateMiss};
use crate::inputs::{Inputs, Number};

/// A candidate with its result.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CandidateRow {
    /// Place among the candidates as set.
    pub place: usize,
    /// Inputs that show it: with a request rate its service, else its best plan.
    pub inputs: Inputs,
    /// US dollars per GPU-hour.
    pub price: Option<f64>,
    /// The best, or the reason why there is none.
    pub found: Result<CandidateBest, CandidateMiss>,
}

impl CandidateRow {
    /// A row of inputs.
    pub fn new(inputs: Inputs, found: Result<CandidateBest, CandidateMiss>) -> Self {
        Self {
            place: 0,
            price: inputs.get(Number::Price),
            inputs,
            found,
        }
    }

    /// Rank of a row: feasible and available ones first, those with a price before those without.
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
