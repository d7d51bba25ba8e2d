//! Computes the turning points of a verdict in time slices.

use crate::steps::Steps;
use model_core::turning::{Side, Turned, Turns};
use serde::{Deserialize, Serialize};

impl Steps for Turns {
    type Answer = TurnsAnswer;

    fn step(&mut self) -> bool {
        Self::step(self)
    }

    fn answer(&self, _: bool, _: f64) -> Option<TurnsAnswer> {
        Some(TurnsAnswer {
            now: self.now,
            found: self.found.clone(),
        })
    }
}

/// Turning points found for the inputs searched so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnsAnswer {
    /// The better alternative in the current scenario; `None` if neither is feasible.
    pub now: Option<Side>,
    /// Inputs searched so far, each with the nearest value in its range at which the better alternative changes, if
    /// there is one.
    pub found: Vec<Turned>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::whole;
    use crate::message::{Answer, Request};
    use model_core::permalink;
    use model_core::turning::Contest;

    #[test]
    fn every_input_is_searched() {
        let link = permalink::read("v=2&model=qwen3-30b-a3b&gpus=8&batch=64&a.v=2&a.gpu=b200");
        let contest = Contest::Scenarios(link.current, link.pinned.expect("pinned"));
        let all = Turns::of(&contest);
        assert_eq!(all.found.len(), contest.axes().len());
        let all = TurnsAnswer {
            now: all.now,
            found: all.found,
        };
        assert_eq!(whole(&Request::Turns(contest)), Some(Answer::Turns(all)));
    }
}
