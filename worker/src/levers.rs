//! Computes the list of levers (suggested changes) in time slices.

use crate::steps::Steps;
use model_core::levers::{Levers, ListInProgress};
use serde::{Deserialize, Serialize};

/// The list of levers computed so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeversAnswer {
    /// True once only combinations of settings and pairs of hardware parts remain to be computed.
    pub elementary: bool,
    /// True once the list is complete.
    pub complete: bool,
    /// The levers found so far.
    pub levers: Levers,
}

impl Steps for ListInProgress {
    type Answer = LeversAnswer;

    fn step(&mut self) -> bool {
        Self::step(self)
    }

    fn answer(&self, done: bool, _: f64) -> Option<LeversAnswer> {
        Some(LeversAnswer {
            elementary: self.has_elementary(),
            complete: done,
            levers: self.done(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::whole;
    use crate::message::{Answer, Request};
    use model_core::permalink;

    #[test]
    fn the_list_is_complete() {
        let inputs = permalink::read("v=1&ep=64&slo=40").current;
        let answer = whole(&Request::Levers(inputs));
        let all = LeversAnswer {
            elementary: true,
            complete: true,
            levers: Levers::of(&inputs),
        };
        assert_eq!(answer, Some(Answer::Levers(all)));
    }
}
