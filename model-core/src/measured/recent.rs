//! Runs published in 2026, with links of version 2: `recent.tsv`, and their texts in `recent-texts.tsv`.
//!
//! The rules from a publication to a link are those of [`super`]. Nothing is fitted to them. The texts are a table of
//! their own because only Papers reads them, long after the page's first load.

use crate::calibration::NamedCalibration;
use crate::evaluate::{Evaluation, evaluate};
use crate::inputs::Inputs;
use crate::named::named;
use crate::permalink;
use crate::scenario::Scenario;

/// A published run.
#[derive(Debug, Clone, PartialEq)]
pub struct RecentRun {
    /// Identifier.
    pub id: &'static str,
    /// Kind of run.
    pub kind: RecentKind,
    /// Measured time in s: per output token of a sequence, or of a prompt in every attention group in prefill.
    pub seconds: f64,
    /// Facts that the publication leaves open; the link has a guess.
    pub open: Vec<Open>,
    /// Number and kind of accelerators.
    pub hardware: &'static str,
    /// The scenario.
    pub link: &'static str,
    /// Address of the publication.
    pub source: &'static str,
}

/// The words of a published run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecentText {
    /// Engine and version.
    pub engine: &'static str,
    /// Model, as published.
    pub model: &'static str,
    /// Parallelism, load, lengths, precision, drafts.
    pub run: &'static str,
    /// The published figure with its unit.
    pub printed: &'static str,
    /// Place in the publication, and conditions.
    pub note: &'static str,
}

named! {
    /// Kind of run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum RecentKind {
        /// Decode alone, in steady state.
        Steady = "steady",
        /// Decode with aggregated prefill.
        Aggregated = "aggregated",
        /// Decode of a whole run with disaggregated prefill.
        Disaggregated = "disaggregated",
        /// One request in an engine of one persistent kernel, which this calibration does not describe.
        Persistent = "persistent",
        /// Prefill.
        Prefill = "prefill",
    }
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

named! {
    /// A fact that a publication leaves open.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Open {
        /// Sharding.
        Sharding = "sharding",
        /// Acceptance of drafts.
        Acceptance = "acceptance",
        /// Running batch.
        Batch = "batch",
        /// Number of drafts.
        Drafts = "drafts",
        /// Number of instances.
        Instances = "instances",
        /// Context.
        Context = "context",
    }
}

impl Open {
    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sharding => "sharding",
            Self::Acceptance => "acceptance of drafts",
            Self::Batch => "running batch",
            Self::Drafts => "number of drafts",
            Self::Instances => "number of replicas",
            Self::Context => "context",
        }
    }
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

impl RecentRun {
    /// The publication without the place in it: runs of one are left out together in cross-validation.
    pub fn publication(&self) -> &'static str {
        let end = self.source.find('#').unwrap_or(self.source.len());
        &self.source[..end]
    }

    /// The run beside the model under a calibration; `None` where its link is refused.
    pub fn compare(&self, calibration: NamedCalibration) -> Option<RecentCompared> {
        let mut inputs = permalink::read(self.link).current;
        inputs.calibration = calibration;
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

    /// A line of the table; `None` where a column is missing or unreadable, which a test forbids.
    fn of_line(line: &'static str) -> Option<Self> {
        let mut columns = line.split('\t');
        let mut next = || columns.next();
        Some(Self {
            id: next()?,
            kind: named_as(&RecentKind::ALL, RecentKind::id, next()?)?,
            seconds: next()?.parse().ok()?,
            open: {
                let names = next()?.split(',').filter(|name| !name.is_empty());
                names
                    .map(|name| named_as(&Open::ALL, Open::id, name))
                    .collect::<Option<Vec<Open>>>()?
            },
            hardware: next()?,
            link: next()?,
            source: next()?,
        })
    }
}

fn named_as<T: Copy>(all: &[T], id: fn(T) -> &'static str, name: &str) -> Option<T> {
    all.iter().copied().find(|one| id(*one) == name)
}

/// Every run, in the order of the table, read anew.
pub fn recent() -> impl Iterator<Item = RecentRun> {
    let lines = include_str!("recent.tsv").lines();
    lines.filter_map(RecentRun::of_line)
}

/// The words of every run, in the order of [`recent`].
pub fn recent_texts() -> impl Iterator<Item = RecentText> {
    let lines = include_str!("recent-texts.tsv").lines();
    lines.filter_map(|line| {
        let mut columns = line.split('\t');
        let mut next = || columns.next();
        Some(RecentText {
            engine: next()?,
            model: next()?,
            run: next()?,
            printed: next()?,
            note: next()?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_run_with_its_text() {
        assert_eq!(recent().count(), include_str!("recent.tsv").lines().count());
        assert_eq!(recent_texts().count(), recent().count());
    }
}
