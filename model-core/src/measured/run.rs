//! Published measured runs, as their tables have them.
//!
//! A line of `runs.tsv` is a run: set, identifier, kind, figure, open facts, hardware, link, source, engine, model,
//! settings, the figure as printed, note. The page fetches the table as a file, after its first picture.

use crate::named::named;
use crate::scenario::Scenario;
use crate::source::Source;
use crate::units::Seconds;

named! {
    /// Kind of run, by how much of it a decode step explains.
    pub enum RunKind {
        /// Decode only, in steady state, at a published batch.
        Steady = "steady" => "steady decode",
        /// One request.
        Latency = "latency" => "single request",
        /// Decode with aggregated prefill, at a stated batch and stated lengths.
        Aggregated = "aggregated" => "aggregated prefill",
        /// Decode with aggregated prefill, where the publication reports a fallback kernel.
        FallBack = "fall-back" => "stated fall-back kernels",
        /// Decode of a whole run with disaggregated prefill.
        Disaggregated = "disaggregated" => "disaggregated prefill",
        /// The rate of a whole run, ramp-up and prefill included, at a batch that the engine chose.
        WholeRun = "whole-run" => "end-to-end runs",
        /// Decode in steady state at a stated batch, with layers that no measured kernel covers.
        NewLayers = "new-layers" => "layers without measured kernels",
        /// Decode with a decisive parameter not stated.
        Uncertain = "uncertain" => "settings unpublished",
        /// One request in an engine of one persistent kernel, which no calibration describes.
        Persistent = "persistent" => "megakernel",
        /// Prefill.
        Prefill = "prefill" => "prefill",
        /// A decode step at the core of an engine, measured for a calibration that its constants come from.
        EngineStep = "engine-step" => "engine steps",
    }
}

impl RunKind {
    /// True for runs of decode that count for accuracy; the others are evaluated and excluded.
    pub const fn counts(self) -> bool {
        matches!(
            self,
            Self::Steady | Self::Latency | Self::Aggregated | Self::FallBack | Self::Disaggregated
        )
    }
}

/// The published figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PublishedFigure {
    /// Output tok/s/GPU.
    PerGpu(f64),
    /// Prompt tok/s/GPU of a prefill pool that is always busy.
    Prefill(f64),
    /// Output tokens per second of one user.
    PerUser(f64),
    /// Time in ms: per output token of a user, or of a prompt in every attention group in prefill.
    Millis(f64),
    /// The same in s.
    Seconds(f64),
}

impl PublishedFigure {
    /// A figure with its unit: `2785 tok/s/GPU`.
    fn read(text: &str) -> Option<Self> {
        let (value, unit) = text.split_once(' ')?;
        let of = match unit {
            "tok/s/GPU" => Self::PerGpu,
            "prompt tok/s/GPU" => Self::Prefill,
            "tok/s/user" => Self::PerUser,
            "ms" => Self::Millis,
            "s" => Self::Seconds,
            _ => return None,
        };
        value.parse().ok().map(of)
    }

    /// The measured time, B/(N·rate) for a rate per GPU.
    pub fn time(self, scenario: &Scenario) -> Seconds {
        Seconds::new(match self {
            Self::PerGpu(rate) | Self::Prefill(rate) => {
                scenario.workload.batch / (f64::from(scenario.cluster.gpus) * rate)
            }
            Self::PerUser(rate) => 1.0 / rate,
            Self::Millis(millis) => millis * 1e-3,
            Self::Seconds(seconds) => seconds,
        })
    }
}

/// A fact that a publication leaves open; the link has a guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// The fact, in words.
    pub what: &'static str,
    /// Link keys at the ends of its range, if known.
    pub ends: Vec<&'static str>,
}

/// Sets of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunSet {
    Earlier,
    Recent,
    EngineSteps,
}

impl RunSet {
    fn read(text: &str) -> Option<Self> {
        Some(match text {
            "earlier" => Self::Earlier,
            "recent" => Self::Recent,
            "engine" => Self::EngineSteps,
            _ => return None,
        })
    }
}

/// A measured run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Identifier.
    pub id: &'static str,
    /// Kind of run.
    pub kind: RunKind,
    /// Published result.
    pub figure: PublishedFigure,
    /// Facts that are not stated.
    pub open: Vec<Open>,
    /// Number and kind of accelerators.
    pub hardware: &'static str,
    /// The scenario, without a calibration. Without `overlap` the engine chose for speed between two batches and none.
    pub link: &'static str,
    /// Publication; a group in cross-validation.
    pub source: Source,
    /// The same with its place, as written.
    pub publication: &'static str,
    /// Engine and version, or the publisher.
    pub engine: &'static str,
    /// Model, as published.
    pub model: &'static str,
    /// Sharding, schedule, load, lengths, precision, drafts.
    pub settings: &'static str,
    /// Place in the publication, conditions; may be empty.
    pub note: &'static str,
    set: RunSet,
}

impl Run {
    /// Unpublished settings: "balancedness, batch".
    pub fn open_names(&self) -> String {
        let names: Vec<&str> = self.open.iter().map(|open| open.what).collect();
        names.join(", ")
    }

    /// A line of the table; `None` if a column is missing or unreadable, which a test forbids.
    fn of_line(line: &'static str) -> Option<Self> {
        let [
            set,
            id,
            kind,
            figure,
            open,
            hardware,
            link,
            source,
            engine,
            model,
            settings,
            _,
            note,
        ] = columns(line)?;
        let (title, locator) = source.split_once('#').unwrap_or((source, ""));
        let open_fact = |text: &'static str| {
            let mut parts = text.split('|');
            Some(Open {
                what: parts.next()?,
                ends: parts.collect(),
            })
        };
        Some(Self {
            id,
            kind: RunKind::ALL.into_iter().find(|of| of.id() == kind)?,
            figure: PublishedFigure::read(figure)?,
            open: open.split_terminator(';').filter_map(open_fact).collect(),
            hardware,
            link,
            source: Source::new(title, locator),
            publication: source,
            engine,
            model,
            settings,
            note,
            set: RunSet::read(set)?,
        })
    }
}

fn columns<const N: usize>(line: &'static str) -> Option<[&'static str; N]> {
    line.split('\t').collect::<Vec<_>>().try_into().ok()
}

/// Every measured run.
#[derive(Debug, Clone, PartialEq)]
pub struct Runs(Vec<Run>);

impl Runs {
    /// The runs of the text of `runs.tsv`.
    pub fn read(table: &'static str) -> Self {
        Self(table.lines().filter_map(Run::of_line).collect())
    }

    /// The runs of the text that this crate brings along; the page does without, and fetches it.
    pub fn built_in() -> Self {
        Self::read(include_str!("runs.tsv"))
    }

    fn set(&self, set: RunSet) -> impl Iterator<Item = &Run> {
        self.0.iter().filter(move |run| run.set == set)
    }

    /// Runs with links of version 1, by publication.
    pub fn rows(&self) -> impl Iterator<Item = &Run> {
        self.set(RunSet::Earlier)
    }

    /// Runs published in 2026, with links of version 2.
    pub fn recent(&self) -> impl Iterator<Item = &Run> {
        self.set(RunSet::Recent)
    }

    /// Decode steps of an engine that this project measured, with links of version 2.
    pub fn engine_steps(&self) -> impl Iterator<Item = &Run> {
        self.set(RunSet::EngineSteps)
    }
}

/// Published runs without a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OmittedRuns {
    /// The runs.
    pub runs: &'static str,
    /// Their number.
    pub count: u32,
    /// Reason for the exclusion.
    pub why: &'static str,
}

/// Every publication with such runs.
pub fn absent() -> impl Iterator<Item = OmittedRuns> {
    include_str!("absent.tsv").lines().filter_map(|line| {
        let [runs, count, why] = columns(line)?;
        let count = count.parse().ok()?;
        Some(OmittedRuns { runs, count, why })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        let read = Runs::built_in().0.len();
        assert_eq!(read, include_str!("runs.tsv").lines().count());
        assert_eq!(absent().count(), include_str!("absent.tsv").lines().count());
    }
}
