//! Computes simulated quantities of golden cases, one after another.

use crate::steps::Steps;
use model_core::inputs::Inputs;
use papers::ratio;

/// A running computation of simulated quantities.
#[derive(Debug)]
pub struct QuantityJob {
    asked: Vec<(String, Inputs)>,
    found: Vec<Option<f64>>,
}

impl QuantityJob {
    /// Starts the computation of quantities, each given by its name and inputs.
    pub const fn new(asked: Vec<(String, Inputs)>) -> Self {
        Self {
            asked,
            found: Vec::new(),
        }
    }
}

impl Steps for QuantityJob {
    type Answer = Vec<Option<f64>>;

    fn step(&mut self) -> bool {
        if let Some((name, inputs)) = self.asked.get(self.found.len()) {
            self.found.push(ratio::simulated(inputs, name));
        }
        self.found.len() < self.asked.len()
    }

    fn answer(&self, _: bool, _: f64) -> Option<Self::Answer> {
        Some(self.found.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, whole};
    use crate::message::{Answer, Request};
    use model_core::permalink;

    #[test]
    fn quantities_in_order() {
        let link = "v=1&mode=simulate&latencies=table2&requests=200&slots=16&r=3";
        let names = ["idle_ffn", "nonsense", "idle_attention"];
        let inputs = permalink::read(link).current;
        let asked = names.map(|name| (name.to_owned(), inputs)).to_vec();
        let request = Request::Quantity(asked);
        let mut job = Job::new(&request);
        job.advance(|| true);
        assert!(!job.is_done());
        let found = names.map(|name| ratio::simulated(&inputs, name)).to_vec();
        assert!(found[0].is_some() && found[1].is_none());
        assert_eq!(whole(&request), Some(Answer::Quantity(found)));
    }

    #[test]
    fn empty_request_is_done() {
        let found = whole(&Request::Quantity(Vec::new()));
        assert_eq!(found, Some(Answer::Quantity(Vec::new())));
    }
}
