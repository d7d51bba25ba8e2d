//! A published measured run.

use crate::source::Source;

/// Kind of run, by how much of it a decode step explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunKind {
    /// Decode alone, in steady state, at a stated batch.
    Steady,
    /// One request.
    Latency,
    /// Decode with aggregated prefill, at a stated batch and stated lengths.
    Aggregated,
    /// The rate of a whole run, ramp-up and prefill included, at a batch that the engine chose.
    WholeRun,
    /// Decode in steady state at a stated batch, with layers that no measured kernel covers.
    NewLayers,
    /// Decode with a decisive parameter not stated.
    Uncertain,
}

impl RunKind {
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

    /// True for rows that count for accuracy; the others are evaluated and excluded.
    pub const fn counts(self) -> bool {
        matches!(self, Self::Steady | Self::Latency | Self::Aggregated)
    }
}

/// The published figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measured {
    /// Output tokens per second and GPU.
    PerGpu(f64),
    /// Output tokens per second of one user.
    PerUser(f64),
    /// Time per output token of one user, in ms.
    Tpot(f64),
}

/// A parameter that a publication leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unknown {
    /// The parameter, in words.
    pub what: &'static str,
    /// Link keys at the ends of its range.
    pub ends: &'static [&'static str],
}

/// A measured run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// Identifier.
    pub id: &'static str,
    /// Kind of run.
    pub group: RunKind,
    /// Publication.
    pub source: Source,
    /// The model, as published.
    pub model: &'static str,
    /// The hardware, as published.
    pub hardware: &'static str,
    /// The run: sharding, schedule, load.
    pub run: &'static str,
    /// Published result.
    pub measured: Measured,
    /// The scenario, without a calibration.
    pub link: &'static str,
    /// Alternatives among which the engine chose for speed: the row takes the fastest.
    pub choices: &'static [&'static str],
    /// Parameters that are not stated, with their ranges.
    pub unknown: &'static [Unknown],
    /// Note.
    pub note: Option<&'static str>,
}

/// Starts a row without choices, unknowns or a note; its model and link follow.
pub(super) const fn run(
    id: &'static str,
    group: RunKind,
    source: Source,
    measured: Measured,
) -> Measurement {
    Measurement {
        id,
        group,
        source,
        model: "",
        hardware: "",
        run: "",
        measured,
        link: "",
        choices: &[""],
        unknown: &[],
        note: None,
    }
}

pub(super) const fn unknown(what: &'static str, ends: &'static [&'static str]) -> Unknown {
    Unknown { what, ends }
}

impl Measurement {
    pub(super) const fn of(
        mut self,
        model: &'static str,
        hardware: &'static str,
        run: &'static str,
    ) -> Self {
        self.model = model;
        self.hardware = hardware;
        self.run = run;
        self
    }

    pub(super) const fn link(mut self, link: &'static str) -> Self {
        self.link = link;
        self
    }

    /// Two-batch overlap or none, whichever is faster.
    pub(super) const fn faster(mut self) -> Self {
        self.choices = &["overlap=two-batch", "overlap=none"];
        self
    }

    pub(super) const fn unknown(mut self, unknown: &'static [Unknown]) -> Self {
        self.unknown = unknown;
        self
    }

    pub(super) const fn note(mut self, note: &'static str) -> Self {
        self.note = Some(note);
        self
    }
}

/// Unstated expert balancedness.
pub(super) const BALANCE: Unknown = unknown("balancedness", &["beta=0.7", "beta=1"]);
