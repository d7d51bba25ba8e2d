//! Computes, in slices, the cost of prefill and decode pools over prompt and output lengths.

use crate::steps::Steps;
use model_core::inputs::Inputs;
use model_core::service::answer::ComparedCosts;
use model_core::service::pays::LengthGrid;
use serde::{Deserialize, Serialize};

/// A running computation of the plane of prompt and output lengths.
#[derive(Debug)]
pub struct PaysJob {
    inputs: Inputs,
    lengths: LengthGrid,
    found: Vec<ComparedCosts>,
}

impl PaysJob {
    /// Starts the computation over lengths around those of the inputs.
    pub fn new(inputs: &Inputs) -> Self {
        Self::over(*inputs, LengthGrid::around(inputs))
    }

    /// Starts the computation over the given lengths.
    pub const fn over(inputs: Inputs, lengths: LengthGrid) -> Self {
        Self {
            inputs,
            lengths,
            found: Vec::new(),
        }
    }
}

impl Steps for PaysJob {
    type Answer = PaysAnswer;

    fn step(&mut self) -> bool {
        let next = self.lengths.compared(&self.inputs, self.found.len());
        self.found.push(next);
        self.found.len() < self.lengths.len()
    }

    fn answer(&self, _: bool, _: f64) -> Option<PaysAnswer> {
        Some(PaysAnswer {
            lengths: self.lengths.clone(),
            found: self.found.clone(),
        })
    }
}

/// The points of the plane computed so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PaysAnswer {
    /// All prompt and output lengths of the plane.
    pub lengths: LengthGrid,
    /// Costs at the points computed so far, in order.
    pub found: Vec<ComparedCosts>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink;

    #[test]
    fn every_point_is_found() {
        let inputs = permalink::read("v=1&model=qwen3-30b-a3b&gpu=h200&rate=50&slo=25").current;
        let mut job = PaysJob::over(inputs, LengthGrid::with(&inputs, (3, 2)));
        while job.step() {}
        let answer = job.answer(true, 0.25).expect("an answer");
        assert_eq!((answer.found.len(), answer.lengths.len()), (6, 6));
        assert!(answer.found.iter().any(|of| of.over().is_some()));
    }
}
