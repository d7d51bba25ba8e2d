//! A computation in slices.

use crate::levers::LeversJob;
use crate::message::Request;
use crate::quantity::QuantityJob;
use crate::search::SearchJob;
use crate::simulate::SimulateJob;

/// A computation under way.
#[derive(Debug)]
pub enum Job {
    /// A search of plans.
    Search(Box<SearchJob>),
    /// Simulations of bundles.
    Simulate(Box<SimulateJob>),
    /// Quantities that take simulations.
    Quantity(QuantityJob),
    /// The list of levers.
    Levers(Box<LeversJob>),
}

impl Job {
    /// Begins what is asked.
    pub fn new(request: &Request) -> Self {
        match request {
            Request::Search { link } => Self::Search(Box::new(SearchJob::new(link))),
            Request::Simulate { link } => Self::Simulate(Box::new(SimulateJob::new(link))),
            Request::Quantity { link } => Self::Quantity(QuantityJob::new(link)),
            Request::Levers { link } => Self::Levers(Box::new(LeversJob::new(link))),
        }
    }

    /// Works until `rest` says so, which is asked often enough for a slice of a few milliseconds, or
    /// until all is done.
    pub fn advance(&mut self, rest: impl FnMut() -> bool) {
        match self {
            Self::Search(job) => job.advance(rest),
            Self::Simulate(job) => job.advance(rest),
            Self::Quantity(job) => job.advance(rest),
            Self::Levers(job) => job.advance(rest),
        }
    }

    /// Whether nothing is left to do.
    pub fn is_done(&self) -> bool {
        match self {
            Self::Search(job) => job.is_done(),
            Self::Simulate(job) => job.is_done(),
            Self::Quantity(job) => job.is_done(),
            Self::Levers(job) => job.is_done(),
        }
    }

    /// What there is so far, as numbers; `seconds` is the time spent.
    pub fn answer(&self, seconds: f64) -> Vec<f64> {
        match self {
            Self::Search(job) => job.answer(seconds),
            Self::Simulate(job) => job.answer(seconds),
            Self::Quantity(job) => job.answer(),
            Self::Levers(job) => job.answer(),
        }
    }
}
