//! Searches for plans in time slices.

use crate::steps::Steps;
use model_core::inputs::Inputs;
use model_core::search::{BestOnOwn, Candidates, Found, Search, own_gpus};
use serde::{Deserialize, Serialize};

/// Number of candidate plans evaluated between two checks of the clock; evaluating them takes about 0.1 ms.
const STRIDE: usize = 128;

/// A running plan search.
#[derive(Debug)]
pub struct SearchJob {
    candidates: Candidates,
    search: Search,
    next: usize,
    found: Found,
    best: BestOnOwn,
}

impl SearchJob {
    /// Starts a plan search.
    pub fn new(inputs: &Inputs, search: &Search) -> Self {
        let candidates = Candidates::new(inputs, search);
        Self {
            best: BestOnOwn::new(&candidates, search, inputs),
            candidates,
            search: search.clone(),
            next: 0,
            found: Found::on(own_gpus(inputs)),
        }
    }
}

impl Steps for SearchJob {
    type Answer = SearchAnswer;

    /// Evaluates the next candidate plans. After the last one, each step finds the exact best plan of one base
    /// (accelerator and precision) at one replica size.
    fn step(&mut self) -> bool {
        let space = &self.candidates.space;
        if self.next >= space.len() {
            return self.best.step(&self.search);
        }
        let end = (self.next + STRIDE).min(space.len());
        for index in self.next..end {
            self.found.take(space, index);
        }
        self.next = end;
        true
    }

    fn answer(&self, done: bool, seconds: f64) -> Option<SearchAnswer> {
        Some(SearchAnswer {
            best: match done {
                true => self.best.found.clone(),
                false => Vec::new(),
            },
            seconds,
            candidates: self.candidates.space.len(),
            found: self.found.clone(),
        })
    }
}

/// Results of a plan search so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchAnswer {
    /// Time spent on the search, in seconds.
    pub seconds: f64,
    /// Number of candidate plans in the search space.
    pub candidates: usize,
    /// Frontiers, counts and best plans found.
    pub found: Found,
    /// For each base (accelerator and precision, up to 24), inputs of the best plan on all of the user's GPUs, with
    /// the exact best batch. Empty until the search ends.
    pub best: Vec<Option<Inputs>>,
}

impl SearchAnswer {
    /// Returns the candidate plans evaluated per second; `None` before any time has passed.
    pub fn per_second(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.found.evaluated as f64 / self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, whole};
    use crate::message::{Answer, Request};
    use model_core::permalink;
    use model_core::search::Group;

    const LINK: &str = "v=1&model=llama-3.1-405b&gpu=gb200&precision=fp4&slo=30&search_gpus=8,6,16";

    #[test]
    fn slices_equal_one_run() {
        let link = permalink::read(LINK);
        let candidates = Candidates::new(&link.current, &link.search).space.len();
        let request = Request::Search(link.current, link.search);
        let mut job = Job::new(&request);
        let mut slices = 0;
        while !job.is_done() {
            job.advance(|| true);
            slices += 1;
        }
        assert!(slices > candidates.div_ceil(STRIDE));
        assert_eq!(job.answer(0.25), whole(&request));
        let Some(Answer::Search(answer)) = job.answer(0.25) else {
            panic!("no answer");
        };
        assert_eq!(answer.candidates, candidates);
        let refined = |group: &Group| group.any.best.is_some();
        assert!(answer.found.groups.iter().any(refined));
        let evaluated = answer.found.evaluated as f64;
        assert_eq!(answer.per_second(), Some(4.0 * evaluated));
    }
}
