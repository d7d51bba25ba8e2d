//! A computation in slices.

use crate::levers::LeversJob;
use crate::message::Request;
use crate::pays::PaysJob;
use crate::quantity::QuantityJob;
use crate::search::SearchJob;
use crate::service::ServiceLeversJob;
use crate::simulate::SimulateJob;

/// A running computation.
#[derive(Debug)]
pub enum Job {
    /// A search of plans.
    Search(Box<SearchJob>),
    /// Simulations of an xAyF unit.
    Simulate(Box<SimulateJob>),
    /// Simulated quantities.
    Quantity(QuantityJob),
    /// The list of levers.
    Levers(Box<LeversJob>),
    /// The list of levers of a service.
    ServiceLevers(Box<ServiceLeversJob>),
    /// Pools compared with aggregated replicas.
    Pays(Box<PaysJob>),
}

impl Job {
    /// Starts the computation of a request.
    pub fn new(request: &Request) -> Self {
        match request {
            Request::Search { link } => Self::Search(Box::new(SearchJob::new(link))),
            Request::Simulate { link } => Self::Simulate(Box::new(SimulateJob::new(link))),
            Request::Quantity { link } => Self::Quantity(QuantityJob::new(link)),
            Request::Levers { link } => Self::Levers(Box::new(LeversJob::new(link))),
            Request::ServiceLevers { link } => {
                Self::ServiceLevers(Box::new(ServiceLeversJob::new(link)))
            }
            Request::Pays { link } => Self::Pays(Box::new(PaysJob::new(link))),
        }
    }

    /// Works until `rest` returns true, which is checked often enough for a slice of a few milliseconds, or until all
    /// is done.
    pub fn advance(&mut self, rest: impl FnMut() -> bool) {
        match self {
            Self::Search(job) => job.advance(rest),
            Self::Simulate(job) => job.advance(rest),
            Self::Quantity(job) => job.advance(rest),
            Self::Levers(job) => job.advance(rest),
            Self::ServiceLevers(job) => job.advance(rest),
            Self::Pays(job) => job.advance(rest),
        }
    }

    /// True once all is done.
    pub fn is_done(&self) -> bool {
        match self {
            Self::Search(job) => job.is_done(),
            Self::Simulate(job) => job.is_done(),
            Self::Quantity(job) => job.is_done(),
            Self::Levers(job) => job.is_done(),
            Self::ServiceLevers(job) => job.is_done(),
            Self::Pays(job) => job.is_done(),
        }
    }

    /// The results so far as numbers; `seconds` is the time spent.
    pub fn answer(&self, seconds: f64) -> Vec<f64> {
        match self {
            Self::Search(job) => job.answer(seconds),
            Self::Simulate(job) => job.answer(seconds),
            Self::Quantity(job) => job.answer(),
            Self::Levers(job) => job.answer(),
            Self::ServiceLevers(job) => job.answer(),
            Self::Pays(job) => job.answer(),
        }
    }
}
