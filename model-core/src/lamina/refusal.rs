//! Reasons why a Lamina deployment is invalid or does not fit.

use std::fmt;

use super::SplitSide;
use crate::refusal;
use crate::units::Bytes;

/// A broken rule of a Lamina deployment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SplitRefusal {
    /// The compute devices do not divide into j − 1 replicas.
    Replicas {
        /// Compute devices.
        gpus: u32,
        /// Model replicas.
        replicas: u32,
    },
    /// Fewer sequences than micro-batches in flight.
    Sequences {
        /// Sequences of the whole deployment.
        batch: f64,
        /// Micro-batches in flight.
        batches: u32,
    },
    /// A mixer without a defined cut between compute and memory devices.
    Mixer {
        /// Identifier in links.
        mixer: &'static str,
    },
    /// One side has no sharding, or no peak for a format.
    Plan {
        /// The side.
        side: SplitSide,
        /// The rule it breaks.
        rule: refusal::Refusal,
    },
    /// With a trace: not even one request for each micro-batch in flight fits.
    NoRoom(Shortage),
    /// A result too large or too small to be a number.
    NotFinite,
}

/// Memory that a side lacks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shortage {
    /// The side.
    pub side: SplitSide,
    /// Memory needed on each of its devices.
    pub needed: Bytes,
    /// Usable memory of each.
    pub usable: Bytes,
}

impl SplitRefusal {
    /// The link key that caused it.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Replicas { .. } | Self::Sequences { .. } => "batches",
            Self::Mixer { .. } => "mode",
            Self::Plan { side, rule } => match (rule, side) {
                (refusal::Refusal::NoPeak { .. }, SplitSide::Compute) => "compute_gpu",
                (refusal::Refusal::NoPeak { .. }, SplitSide::Memory) => "memory_gpu",
                (_, SplitSide::Compute) => "compute_gpus",
                (_, SplitSide::Memory) => "memory_gpus",
            },
            Self::NoRoom(shortage) => match shortage.side {
                SplitSide::Compute => "compute_gpus",
                SplitSide::Memory => "memory_gpus",
            },
            Self::NotFinite => "v",
        }
    }

    /// The rule in words, and its values here.
    pub fn rule(&self) -> (String, String) {
        match self {
            Self::Replicas { gpus, replicas } => (
                "batches − 1 must divide the compute devices".into(),
                format!("{replicas} does not divide {gpus}"),
            ),
            Self::Sequences { batch, batches } => (
                "each batch in flight needs at least one sequence".into(),
                format!("{batch} < {batches}; increase the batch or use fewer batches"),
            ),
            Self::Mixer { mixer } => (
                "Lamina supports GQA or MLA without an indexer".into(),
                format!("{mixer} layers are not supported"),
            ),
            Self::Plan { side, rule } => match rule {
                refusal::Refusal::Heads { tp, heads } => (
                    format!("{} devices must divide the query heads", side.id()),
                    format!("{tp} does not divide {heads}"),
                ),
                rule => {
                    let (what, facts) = rule.rule();
                    (format!("{} side: {what}", side.id()), facts)
                }
            },
            Self::NoRoom(shortage) => shortage.words(),
            Self::NotFinite => refusal::Refusal::NotFinite.rule(),
        }
    }
}

impl fmt::Display for SplitRefusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rule, facts) = self.rule();
        write!(out, "{rule}: {facts}")
    }
}

impl Shortage {
    /// The shortage in words, and its values here.
    pub fn words(&self) -> (String, String) {
        let what = match self.side {
            SplitSide::Compute => "the weights must fit on the compute devices",
            SplitSide::Memory => "the KV cache must fit on the memory devices",
        };
        (
            what.into(),
            format!(
                "{:.1} GiB > {:.1} GiB",
                self.needed.as_gib(),
                self.usable.as_gib()
            ),
        )
    }
}
