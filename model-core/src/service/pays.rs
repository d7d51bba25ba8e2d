//! The cost of pools over that of aggregated replicas, over the lengths of requests.

use super::answer::ComparedCosts;
use super::planner::Planner;
use super::traffic::{Demand, Requests};
use crate::inputs::{Inputs, Number};
use crate::math::pow;

/// Points across and up.
const FINE: (usize, usize) = (13, 9);
/// Tokens of prompts and of outputs, unless the link's are beyond.
const PROMPTS: (f64, f64) = (250.0, 64_000.0);
const OUTPUTS: (f64, f64) = (125.0, 8_000.0);

/// Lengths of requests, evenly spaced on logarithmic axes.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LengthGrid {
    /// Tokens of prompts, ascending.
    pub prompts: Vec<f64>,
    /// Tokens of outputs, ascending.
    pub outputs: Vec<f64>,
}

impl LengthGrid {
    /// The plane around the requests of a link.
    pub fn around(inputs: &Inputs) -> Self {
        Self::with(inputs, FINE)
    }

    /// The same with this grid size.
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

    /// Inputs whose plane is the same: without lengths inside the default plane.
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

    /// Points of the plane, by output and within it by prompt.
    pub fn len(&self) -> usize {
        self.prompts.len() * self.outputs.len()
    }

    /// True without points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Prompt and output of a point.
    pub fn at(&self, index: usize) -> Option<(f64, f64)> {
        let columns = self.prompts.len().max(1);
        let prompt = *self.prompts.get(index % columns)?;
        Some((prompt, *self.outputs.get(index / columns)?))
    }

    /// Costs of both alternatives at a point for the demand of a link, replicas searched anew.
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

/// A length of the usual plane.
const fn usual(number: Number) -> f64 {
    match number {
        Number::MeanPrompt => 4000.0,
        _ => 1000.0,
    }
}
