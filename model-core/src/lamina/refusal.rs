//! Reasons why a Lamina deployment is invalid or does not fit.

use std::fmt;

use super::SplitSide;
use crate::refusal;
use crate::units::Bytes;

/// A broken rule of a Lamina deployment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SplitRefusal {
    /// The number of compute devices is not divisible by the number of replicas, j − 1.
    Replicas {
        /// Number of compute devices.
        gpus: u32,
        /// Number of model replicas.
        replicas: u32,
    },
    /// There are fewer sequences than micro-batches in flight.
    Sequences {
        /// Number of sequences in the whole deployment.
        batch: f64,
        /// Number of micro-batches in flight.
        batches: u32,
    },
    /// The model has a mixer for which no split between compute and memory devices is defined.
    Mixer {
        /// Identifier of the mixer in permalinks.
        mixer: &'static str,
    },
    /// One side has no valid sharding, or its accelerator has no peak for a number format in use.
    Plan {
        /// The side that is invalid.
        side: SplitSide,
        /// The rule that this side breaks.
        rule: refusal::Refusal,
    },
    /// With a trace, the memory cannot hold even one request per micro-batch in flight.
    NoRoom(Shortage),
    /// A result is too large or too small to be a number.
    NotFinite,
}

/// A shortage of memory on one side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shortage {
    /// The side that lacks memory.
    pub side: SplitSide,
    /// Memory needed on each device of the side.
    pub needed: Bytes,
    /// Usable memory of each device of the side.
    pub usable: Bytes,
}

impl SplitRefusal {
    /// Returns the permalink key that caused the refusal.
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

    /// Returns the broken rule in words, and the values that break it.
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
    /// Returns the memory rule in words, and the needed and usable memory.
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
