//! A computation in slices.

use crate::message::Request;
use crate::pays::PaysJob;
use crate::quantity::QuantityJob;
use crate::replicas::ReplicasJob;
use crate::search::SearchJob;
use crate::simulate::SimulateJob;
use crate::steps::Steps;
use model_core::levers::ListInProgress;
use model_core::permalink::read;
use model_core::service::levers::LeverWork;

/// A running computation.
pub struct Job {
    work: Box<dyn Steps>,
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
        Self::of(match request {
            Request::Search { link } => Box::new(SearchJob::new(link)),
            Request::Simulate { link } => Box::new(SimulateJob::new(link)),
            Request::Quantity { link } => Box::new(QuantityJob::new(link)),
            Request::Levers { link } => Box::new(ListInProgress::new(&read(link).current)),
            Request::Replicas { link } => Box::new(ReplicasJob::new(link)),
            Request::ServiceLevers { link } => Box::new(LeverWork::new(&read(link).current)),
            Request::Pays { link } => Box::new(PaysJob::new(link)),
        })
    }

    /// Starts some steps.
    pub(crate) const fn of(work: Box<dyn Steps>) -> Self {
        Self { work, done: false }
    }

    /// Works until `rest` returns true, which is checked often enough for a slice of a few milliseconds, or until all
    /// is done.
    pub fn advance(&mut self, mut rest: impl FnMut() -> bool) {
        while !self.done {
            self.done = !self.work.step();
            if rest() {
                return;
            }
        }
    }

    /// True once all is done.
    pub const fn is_done(&self) -> bool {
        self.done
    }

    /// The results so far as numbers; `seconds` is the time spent.
    pub fn answer(&self, seconds: f64) -> Vec<f64> {
        self.work.answer(self.done, seconds)
    }
}

/// The numbers of a whole job.
#[cfg(test)]
pub(crate) fn whole(request: &Request) -> Vec<f64> {
    let mut job = Job::new(request);
    job.advance(|| false);
    assert!(job.is_done());
    job.answer(0.25)
}
