//! Compares candidate accelerators in time slices.

use crate::steps::Steps;
use model_core::candidates::{CandidatesFound, CandidatesInProgress};

impl Steps for CandidatesInProgress {
    type Answer = CandidatesFound;

    fn step(&mut self) -> bool {
        Self::step(self)
    }

    fn answer(&self, _: bool, _: f64) -> Option<CandidatesFound> {
        Some(self.found.clone())
    }
}
