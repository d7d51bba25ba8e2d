//! A computation that runs in time slices.

use crate::message::{Answer, Request};
use crate::pays::PaysJob;
use crate::quantity::QuantityJob;
use crate::replicas::ReplicasJob;
use crate::search::SearchJob;
use crate::simulate::SimulateJob;
use crate::steps::Steps;
use model_core::candidates::CandidatesInProgress;
use model_core::levers::ListInProgress;
use model_core::service::levers::LeverWork;
use model_core::turning::Turns;

type Work = Box<dyn Steps<Answer = Answer>>;

/// A step-by-step computation, with the function that wraps the computation's result in [`Answer`].
struct Wrapped<S: Steps>(S, fn(S::Answer) -> Answer);

impl<S: Steps> Steps for Wrapped<S> {
    type Answer = Answer;

    fn step(&mut self) -> bool {
        self.0.step()
    }

    fn answer(&self, done: bool, seconds: f64) -> Option<Answer> {
        self.0.answer(done, seconds).map(self.1)
    }
}

fn as_answer<S: Steps + 'static>(steps: S, answer: fn(S::Answer) -> Answer) -> Work {
    Box::new(Wrapped(steps, answer))
}

/// A running computation.
pub struct Job {
    work: Work,
    done: bool,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Job")
            .field("done", &self.done)
            .finish_non_exhaustive()
    }
}

impl Job {
    /// Starts the computation of a request.
    pub fn new(request: &Request) -> Self {
        let work = match request {
            Request::Search(inputs, search) => {
                as_answer(SearchJob::new(inputs, search), Answer::Search)
            }
            Request::Simulate(inputs) => as_answer(SimulateJob::new(inputs), Answer::Simulate),
            Request::Quantity(asked) => {
                as_answer(QuantityJob::new(asked.clone()), Answer::Quantity)
            }
            Request::Levers(inputs) => as_answer(ListInProgress::new(inputs), Answer::Levers),
            Request::Replicas(inputs) => as_answer(ReplicasJob::new(inputs), Answer::Replicas),
            Request::ServiceLevers(inputs) => {
                as_answer(LeverWork::new(inputs), Answer::ServiceLevers)
            }
            Request::Candidates(inputs, search, candidates) => as_answer(
                CandidatesInProgress::new(inputs, search, candidates),
                Answer::Candidates,
            ),
            Request::Pays(inputs) => as_answer(PaysJob::new(inputs), Answer::Pays),
            Request::Turns(contest) => as_answer(Turns::new(contest), Answer::Turns),
        };
        Self { work, done: false }
    }

    /// Computes until the job is done or `rest` returns true. `rest` is checked often enough for slices of a few
    /// milliseconds.
    pub fn advance(&mut self, mut rest: impl FnMut() -> bool) {
        while !self.done {
            self.done = !self.work.step();
            if rest() {
                return;
            }
        }
    }

    /// Returns true once the job is done.
    pub const fn is_done(&self) -> bool {
        self.done
    }

    /// Returns the job's results so far, if any; `seconds` is the time spent so far.
    pub fn answer(&self, seconds: f64) -> Option<Answer> {
        self.work.answer(self.done, seconds)
    }
}

/// Runs a job to the end and returns its answer.
#[cfg(test)]
pub(crate) fn whole(request: &Request) -> Option<Answer> {
    let mut job = Job::new(request);
    job.advance(|| false);
    assert!(job.is_done());
    job.answer(0.25)
}
