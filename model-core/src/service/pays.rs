//! Compares the cost of disaggregated pools with that of aggregated replicas, for a grid of prompt and output
//! lengths.

use super::answer::ComparedCosts;
use super::planner::Planner;
use super::traffic::{Demand, Requests};
use crate::inputs::{Inputs, Number};
use crate::math::pow;

/// Number of grid points along the prompt axis, and along the output axis.
const FINE: (usize, usize) = (13, 9);
/// Default range of prompt lengths in tokens; `OUTPUTS` is the range of output lengths. A range is extended if the
/// scenario's length is outside it.
const PROMPTS: (f64, f64) = (250.0, 64_000.0);
const OUTPUTS: (f64, f64) = (125.0, 8_000.0);

/// A grid of prompt and output lengths, evenly spaced on logarithmic axes.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LengthGrid {
    /// Prompt lengths in tokens, ascending.
    pub prompts: Vec<f64>,
    /// Output lengths in tokens, ascending.
    pub outputs: Vec<f64>,
}

impl LengthGrid {
    /// Returns the grid of prompt and output lengths that includes the requests of these inputs.
    pub fn around(inputs: &Inputs) -> Self {
        Self::with(inputs, FINE)
    }

    /// Returns the grid of prompt and output lengths that includes the requests of these inputs, with the given
    /// number of points.
    pub fn with(inputs: &Inputs, (columns, rows): (usize, usize)) -> Self {
        let requests = Requests::of(inputs);
        let axis = |(low, high): (f64, f64), own: f64, points: usize| {
            let low = if own < low { own / 2.0 } else { low }.max(1.0);
            let high = if own > high { own * 2.0 } else { high };
            let last = (points.max(2) - 1) as f64;
            let at = |index: usize| low * pow(high / low, index as f64 / last);
            (0..points.max(2)).map(at).collect()
        };
        Self {
            prompts: axis(PROMPTS, requests.prompt, columns),
            outputs: axis(OUTPUTS, requests.output, rows),
        }
    }

    /// Returns inputs that give the same grid of lengths: a length inside its default range is replaced by a fixed
    /// typical length.
    pub fn asked(inputs: &Inputs) -> Inputs {
        let requests = Requests::of(inputs);
        let mut asked = *inputs;
        for (number, own, (low, high)) in [
            (Number::MeanPrompt, requests.prompt, PROMPTS),
            (Number::MeanOutput, requests.output, OUTPUTS),
        ] {
            if (low..=high).contains(&own) {
                asked.state(number, Some(usual(number)));
            }
        }
        asked
    }

    /// Returns the number of grid points. The points are ordered by output length, then by prompt length.
    pub fn len(&self) -> usize {
        self.prompts.len() * self.outputs.len()
    }

    /// Returns true if the grid of lengths has no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the prompt and output length of a grid point.
    pub fn at(&self, index: usize) -> Option<(f64, f64)> {
        let columns = self.prompts.len().max(1);
        let prompt = *self.prompts.get(index % columns)?;
        Some((prompt, *self.outputs.get(index / columns)?))
    }

    /// Returns the costs of disaggregated pools and aggregated replicas for the lengths at a grid point. Replicas are
    /// searched for these lengths.
    pub fn compared(&self, inputs: &Inputs, index: usize) -> ComparedCosts {
        let Some((prompt, output)) = self.at(index) else {
            return ComparedCosts::default();
        };
        let inputs = inputs
            .with(Number::MeanPrompt, prompt)
            .with(Number::MeanOutput, output);
        match Planner::new(&inputs) {
            Ok(mut planner) => planner.compared(&Demand::of(&inputs)),
            Err(_) => ComparedCosts::default(),
        }
    }
}

/// Returns a typical prompt or output length, which is inside the default range.
const fn usual(number: Number) -> f64 {
    match number {
        Number::MeanPrompt => 4000.0,
        _ => 1000.0,
    }
}
