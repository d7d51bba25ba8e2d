//! Requests to the worker and its answers.

use crate::levers::LeversAnswer;
use crate::numbers::Reader;
use crate::pays::PaysAnswer;
use crate::quantity::QuantityAnswer;
use crate::replicas::ReplicasAnswer;
use crate::search::SearchAnswer;
use crate::service::ServiceLeversAnswer;
use crate::simulate::SimulateAnswer;

/// A computation that takes longer than a frame; its link states all inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Search plans: the scenario and the search of a link.
    Search {
        /// The link, without `?`.
        link: String,
    },
    /// Simulate an xAyF unit at several ratios.
    Simulate {
        /// The link, without `?`.
        link: String,
    },
    /// Compute simulated quantities of golden cases.
    Quantity {
        /// The quantities, as written by [`crate::quantity::text`].
        link: String,
    },
    /// List the levers of a scenario.
    Levers {
        /// The link, without `?`.
        link: String,
    },
    /// Search the replicas of a service.
    Replicas {
        /// The link, without `?`.
        link: String,
    },
    /// List the levers of a service.
    ServiceLevers {
        /// The link, without `?`.
        link: String,
    },
    /// Compare pools with aggregated replicas over lengths of requests.
    Pays {
        /// The link, without `?`.
        link: String,
    },
}

impl Request {
    /// Name and link of the message.
    pub fn parts(&self) -> (&'static str, &str) {
        match self {
            Self::Search { link } => ("search", link),
            Self::Simulate { link } => ("simulate", link),
            Self::Quantity { link } => ("quantity", link),
            Self::Levers { link } => ("levers", link),
            Self::Replicas { link } => ("replicas", link),
            Self::ServiceLevers { link } => ("service-levers", link),
            Self::Pays { link } => ("pays", link),
        }
    }

    /// The request of a message; `None` for a name of another version.
    pub fn of_parts(name: &str, link: &str) -> Option<Self> {
        let link = link.to_owned();
        match name {
            "search" => Some(Self::Search { link }),
            "simulate" => Some(Self::Simulate { link }),
            "quantity" => Some(Self::Quantity { link }),
            "levers" => Some(Self::Levers { link }),
            "replicas" => Some(Self::Replicas { link }),
            "service-levers" => Some(Self::ServiceLevers { link }),
            "pays" => Some(Self::Pays { link }),
            _ => None,
        }
    }
}

/// Progress of a computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// More answers follow.
    Running,
    /// The answer is complete.
    Done,
    /// Cancelled; the answer is partial.
    Cancelled,
}

impl Stage {
    const ALL: [Self; 3] = [Self::Running, Self::Done, Self::Cancelled];

    /// The number in a message.
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// The stage with this number.
    pub fn of_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.code() == code)
    }
}

/// Results so far, by kind of request.
#[derive(Debug, Clone)]
#[allow(
    clippy::large_enum_variant,
    reason = "one exists at a time, behind an Arc"
)]
pub enum Answer {
    /// Of [`Request::Search`].
    Search(SearchAnswer),
    /// Of [`Request::Simulate`].
    Simulate(SimulateAnswer),
    /// Of [`Request::Quantity`].
    Quantity(QuantityAnswer),
    /// Of [`Request::Levers`].
    Levers(LeversAnswer),
    /// Of [`Request::Replicas`].
    Replicas(ReplicasAnswer),
    /// Of [`Request::ServiceLevers`].
    ServiceLevers(ServiceLeversAnswer),
    /// Of [`Request::Pays`].
    Pays(PaysAnswer),
}

impl Answer {
    /// The answer to `request` from its numbers; `None` if they are invalid.
    pub fn read(request: &Request, numbers: &[f64]) -> Option<Self> {
        let mut reader = Reader::new(numbers);
        match request {
            Request::Search { .. } => SearchAnswer::read(&mut reader).map(Self::Search),
            Request::Simulate { .. } => SimulateAnswer::read(&mut reader).map(Self::Simulate),
            Request::Quantity { .. } => QuantityAnswer::read(&mut reader).map(Self::Quantity),
            Request::Levers { .. } => LeversAnswer::read(&mut reader).map(Self::Levers),
            Request::Replicas { link } => {
                ReplicasAnswer::read(&mut reader, link).map(Self::Replicas)
            }
            Request::ServiceLevers { .. } => {
                ServiceLeversAnswer::read(&mut reader).map(Self::ServiceLevers)
            }
            Request::Pays { .. } => PaysAnswer::read(&mut reader).map(Self::Pays),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_stages_are_sent_and_read() {
        let request = Request::Search {
            link: "v=1&gpus=64".into(),
        };
        let (name, link) = request.parts();
        assert_eq!(Request::of_parts(name, link), Some(request));
        assert_eq!(Request::of_parts("divine", "v=1"), None);
        for stage in Stage::ALL {
            assert_eq!(Stage::of_code(stage.code()), Some(stage));
        }
        assert_eq!(Stage::of_code(7), None);
    }
}
