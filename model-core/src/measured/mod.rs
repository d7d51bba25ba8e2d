//! Serving systems that were measured, each as the links that stand for it.
//!
//! A row is a published run: what was measured and where it is written, and the scenario as a link. Nothing is
//! fitted to rows. The rules by which a publication becomes a link are the same for all of them:
//!
//! - The mean context is the one stated, else the prompt and half of the answer.
//! - Where an engine overlaps two batches, or may, the row has both schedules and takes the faster: engines
//!   switch overlap on where it pays.
//! - Balancedness is 1 where it was forced, 0.7 where only "over 70 %" is stated, else 0.9 with experts
//!   rebalanced.
//! - Tokens a step are those stated, the middle of a stated range; the acceptance is what gives as many.
//! - Links and peaks are the accelerator's.
//!
//! What a publication leaves open is an [`Unknown`] with the links at its ends: how far it matters is evaluated.

mod absent;
mod band;
mod cloudmatrix;
mod compare;
mod deepseek;
mod inferencex;
mod offline;
mod offline_layers;
mod offline_qwen;
mod runs;
mod sglang;
mod tensorrt;
mod vllm;
mod without;

pub use absent::{ABSENT, Absent, Why};
pub use band::{Band, Bias, Kernels, LoadClass, Region, Residual, Residuals};
pub use compare::{Compared, Edit, Summary, compare, ends, summary};
pub use runs::{Runs, System};
pub use without::{Term, WITHOUT};

use crate::source::Source;

/// What kind of run it was: how much of it a decode step explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Decode alone, in steady state, at a stated batch.
    Steady,
    /// One request.
    Latency,
    /// Decode between prefills in the same engine, at a stated batch and stated lengths.
    Aggregated,
    /// The rate of a whole run, with its filling and prefills, at a batch that the engine chose.
    WholeRun,
    /// Decode in steady state at a stated batch, of layers no kernel was measured for.
    NewLayers,
    /// Decode where something that decides is not stated.
    Uncertain,
}

impl Group {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Steady,
        Self::Latency,
        Self::Aggregated,
        Self::WholeRun,
        Self::NewLayers,
        Self::Uncertain,
    ];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Steady => "steady decode",
            Self::Latency => "one request",
            Self::Aggregated => "prefills in the same engine",
            Self::WholeRun => "whole runs",
            Self::NewLayers => "layers without measured kernels",
            Self::Uncertain => "not all stated",
        }
    }

    /// Whether its rows say how accurate the model is; the others are evaluated and kept apart.
    pub const fn counts(self) -> bool {
        matches!(self, Self::Steady | Self::Latency | Self::Aggregated)
    }
}

/// What was measured, as it is published.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measured {
    /// Output tokens per second and GPU.
    PerGpu(f64),
    /// Output tokens per second of one user.
    PerUser(f64),
    /// Time per output token of one user, in ms.
    Tpot(f64),
}

/// Something a publication leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unknown {
    /// What, in words.
    pub what: &'static str,
    /// Keys of the link at its ends.
    pub ends: &'static [&'static str],
}

/// A measured run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// A name of its own.
    pub id: &'static str,
    /// What kind of run.
    pub group: Group,
    /// Where it is published.
    pub source: Source,
    /// The model, as it is published.
    pub model: &'static str,
    /// The hardware, as it is published.
    pub hardware: &'static str,
    /// The run: sharding, schedule, load.
    pub run: &'static str,
    /// What came out.
    pub measured: Measured,
    /// The scenario, without a calibration.
    pub link: &'static str,
    /// Keys that the engine chose among for speed: the row takes the fastest.
    pub choices: &'static [&'static str],
    /// What is not stated, and its ends.
    pub unknown: &'static [Unknown],
    /// What else to know.
    pub note: Option<&'static str>,
}

/// The engine had no choice.
const ONE: &[&str] = &[""];
/// The engine overlaps two batches where that pays.
const FASTER: &[&str] = &["overlap=two-batch", "overlap=none"];
/// How evenly experts were loaded is not stated.
const BALANCE: Unknown = Unknown {
    what: "balancedness",
    ends: &["beta=0.7", "beta=1"],
};

/// Every row, by publication.
pub fn rows() -> impl Iterator<Item = &'static Measurement> {
    [
        deepseek::ROWS,
        sglang::ROWS,
        vllm::ROWS,
        cloudmatrix::ROWS,
        tensorrt::ROWS,
        inferencex::ROWS,
        offline::ROWS,
        offline_qwen::ROWS,
        offline_layers::ROWS,
    ]
    .into_iter()
    .flatten()
}
