//! Compares, in time slices, the cost of prefill and decode pools with the cost of aggregated replicas, across prompt
//! and output lengths.

use crate::steps::Steps;
use model_core::inputs::Inputs;
use model_core::service::answer::ComparedCosts;
use model_core::service::pays::LengthGrid;
use serde::{Deserialize, Serialize};

/// A running comparison of costs across prompt and output lengths.
#[derive(Debug)]
pub struct PaysJob {
    inputs: Inputs,
    lengths: LengthGrid,
    found: Vec<ComparedCosts>,
}

impl PaysJob {
    /// Starts the comparison on a grid of lengths around those of the inputs.
    pub fn new(inputs: &Inputs) -> Self {
        Self::over(*inputs, LengthGrid::around(inputs))
    }

    /// Starts the comparison on the given grid of lengths.
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

/// Costs compared so far: disaggregated vs. aggregated serving, at the points of a grid of prompt and output lengths.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PaysAnswer {
    /// The grid of all prompt and output lengths.
    pub lengths: LengthGrid,
    /// Compared costs at the grid points computed so far, in grid order.
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
