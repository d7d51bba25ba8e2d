//! Runs published in 2026, with links of version 2.
//!
//! The rules from a publication to a link are those of [`super`]. Nothing is fitted to them.

mod amd;
mod b200;
mod b200_persistent;
mod b200_sglang;
mod b300;
mod hopper;
mod nvl72;
mod vera_rubin;

use crate::evaluate::{Evaluation, evaluate};
use crate::inputs::Inputs;
use crate::permalink;
use crate::scenario::Scenario;

/// A published run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecentRun {
    /// Identifier.
    pub id: &'static str,
    /// Kind of run.
    pub kind: RecentKind,
    /// Engine and version.
    pub engine: &'static str,
    /// Model, as published.
    pub model: &'static str,
    /// Number and kind of accelerators.
    pub hardware: &'static str,
    /// Parallelism, load, lengths, precision, drafts.
    pub run: &'static str,
    /// The published figure with its unit.
    pub printed: &'static str,
    /// Measured time in s: per output token of a sequence, or of a prompt in every attention group in prefill.
    pub seconds: f64,
    /// The scenario.
    pub link: &'static str,
    /// Facts that the publication leaves open; the link has a guess.
    pub open: &'static [Open],
    /// Address of the publication.
    pub source: &'static str,
    /// Place in it, and conditions.
    pub note: &'static str,
}

/// Kind of run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecentKind {
    /// Decode alone, in steady state.
    Steady,
    /// Decode with aggregated prefill.
    Aggregated,
    /// Decode of a whole run with disaggregated prefill.
    Disaggregated,
    /// One request in an engine of one persistent kernel, which this calibration does not describe.
    Persistent,
    /// Prefill.
    Prefill,
}

impl RecentKind {
    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Steady => "steady decode",
            Self::Aggregated => "aggregated prefill",
            Self::Disaggregated => "disaggregated prefill",
            Self::Persistent => "one persistent kernel",
            Self::Prefill => "prefill",
        }
    }
}

/// A fact that a publication leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// Sharding.
    Sharding,
    /// Acceptance of drafts.
    Acceptance,
    /// Running batch.
    Batch,
    /// Number of drafts.
    Drafts,
    /// Number of instances.
    Instances,
    /// Context.
    Context,
}

/// A run beside the model.
#[derive(Debug, Clone, PartialEq)]
pub struct RecentCompared {
    /// Inputs of its link.
    pub inputs: Inputs,
    /// Their scenario.
    pub scenario: Scenario,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Computed over measured time, less one: positive where the model is too slow.
    pub error: f64,
}

/// Starts a run.
const fn run(id: &'static str, kind: RecentKind, seconds: f64) -> RecentRun {
    RecentRun {
        id,
        kind,
        engine: "",
        model: "",
        hardware: "",
        run: "",
        printed: "",
        seconds,
        link: "",
        open: &[],
        source: "",
        note: "",
    }
}

impl RecentRun {
    const fn of(self, engine: &'static str, model: &'static str, hardware: &'static str) -> Self {
        Self {
            engine,
            model,
            hardware,
            ..self
        }
    }

    const fn under(self, run: &'static str) -> Self {
        Self { run, ..self }
    }

    const fn printed(self, printed: &'static str) -> Self {
        Self { printed, ..self }
    }

    const fn link(self, link: &'static str) -> Self {
        Self { link, ..self }
    }

    const fn open(self, open: &'static [Open]) -> Self {
        Self { open, ..self }
    }

    const fn source(self, source: &'static str, note: &'static str) -> Self {
        Self {
            source,
            note,
            ..self
        }
    }

    /// The publication without the place in it: runs of one are left out together in cross-validation.
    pub fn publication(&self) -> &'static str {
        let end = self.source.find('#').unwrap_or(self.source.len());
        &self.source[..end]
    }

    /// The run beside the model; `None` where its link is refused.
    pub fn compare(&self) -> Option<RecentCompared> {
        let inputs = permalink::read(self.link).current;
        let scenario = inputs.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        let computed = match self.kind {
            RecentKind::Prefill => evaluation.prefills?.each,
            _ => evaluation.tpot,
        };
        Some(RecentCompared {
            inputs,
            scenario,
            error: computed.get() / self.seconds - 1.0,
            evaluation,
        })
    }
}

/// Every run.
pub fn recent() -> impl Iterator<Item = &'static RecentRun> {
    [
        amd::RUNS,
        b200::RUNS,
        b200_persistent::RUNS,
        b200_sglang::RUNS,
        b300::RUNS,
        hopper::RUNS,
        nvl72::RUNS,
        vera_rubin::RUNS,
    ]
    .into_iter()
    .flatten()
}
