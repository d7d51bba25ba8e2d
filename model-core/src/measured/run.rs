//! Published measured runs, as listed in `runs.tsv`.
//!
//! Each line of the file is a run, with these columns: set, identifier, kind, figure, open facts, hardware, permalink,
//! source, engine, model, settings, figure as printed, note. The page fetches the file after its first render.

use crate::named::named;
use crate::scenario::Scenario;
use crate::source::Source;
use crate::units::Seconds;

named! {
    /// Kind of measured run. Kinds differ in how much of a run the model of a decode step explains.
    pub enum RunKind {
        /// Decode only, in steady state, at a published batch.
        Steady = "steady" => "steady decode",
        /// A single request.
        Latency = "latency" => "single request",
        /// Decode with aggregated prefill, at a published batch and published lengths.
        Aggregated = "aggregated" => "aggregated prefill",
        /// Decode with aggregated prefill, where the publication reports a fallback kernel.
        FallBack = "fall-back" => "reported fallback kernels",
        /// Decode part of an end-to-end run with disaggregated prefill.
        Disaggregated = "disaggregated" => "disaggregated prefill",
        /// Rate of an end-to-end run, including ramp-up and prefill, at a batch that the engine chose.
        WholeRun = "whole-run" => "end-to-end runs",
        /// Decode in steady state at a published batch, with layers that no measured kernel covers.
        NewLayers = "new-layers" => "layers without measured kernels",
        /// Decode run for which a decisive setting is not published.
        Uncertain = "uncertain" => "unpublished settings",
        /// A single request in an engine that runs as one persistent kernel, which no calibration describes.
        Persistent = "persistent" => "megakernel",
        /// Run that measures prefill only.
        Prefill = "prefill" => "prefill",
        /// Decode step measured in the core of an engine, to obtain the constants of a calibration.
        EngineStep = "engine-step" => "engine steps",
    }
}

impl RunKind {
    /// Returns true for decode runs that count toward accuracy; other runs are evaluated but excluded.
    pub const fn counts(self) -> bool {
        matches!(
            self,
            Self::Steady | Self::Latency | Self::Aggregated | Self::FallBack | Self::Disaggregated
        )
    }
}

/// Published figure, in the unit in which it is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PublishedFigure {
    /// Output throughput in tok/s/GPU.
    PerGpu(f64),
    /// Prompt throughput in tok/s/GPU of a prefill pool that is always busy.
    Prefill(f64),
    /// Output tokens per second for one user.
    PerUser(f64),
    /// Time in ms per output token of a user. For prefill, it is the time to process one prompt in every attention
    /// group.
    Millis(f64),
    /// Time in seconds per output token of a user. For prefill, it is the time to process one prompt in every
    /// attention group.
    Seconds(f64),
}

impl PublishedFigure {
    /// Parses a figure with its unit, for example `2785 tok/s/GPU`.
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

    /// Returns the measured time. For a rate per GPU, it is B/(N·rate), with batch B and N GPUs.
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

/// Setting that a publication omits; the permalink contains a guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// Name of the setting.
    pub what: &'static str,
    /// Permalink parameters (`key=value`) for the ends of the setting's range; empty if the range is unknown.
    pub ends: Vec<&'static str>,
}

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

/// One measured run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Identifier of the run.
    pub id: &'static str,
    /// Kind of run.
    pub kind: RunKind,
    /// Published result of the run.
    pub figure: PublishedFigure,
    /// Settings that are not published.
    pub open: Vec<Open>,
    /// Number and type of accelerators.
    pub hardware: &'static str,
    /// Permalink of the scenario, without a calibration. If `overlap` is absent, the engine chose two-batch overlap
    /// or none, whichever was faster.
    pub link: &'static str,
    /// Publication of the run. Cross-validation leaves out all runs of a publication at once.
    pub source: Source,
    /// Publication and the position of the run in it, as written in the table.
    pub publication: &'static str,
    /// Engine and version, or else the publisher.
    pub engine: &'static str,
    /// Model name, as published.
    pub model: &'static str,
    /// Settings of the run: sharding, schedule, load, lengths, precision, draft tokens.
    pub settings: &'static str,
    /// Position of the run in the publication, and further conditions; may be empty.
    pub note: &'static str,
    set: RunSet,
}

impl Run {
    /// Returns the names of unpublished settings, for example "balancedness, batch".
    pub fn open_names(&self) -> String {
        let names: Vec<&str> = self.open.iter().map(|open| open.what).collect();
        names.join(", ")
    }

    /// Parses a line of the table; `None` if a column is missing or unreadable. A test ensures that every line is
    /// readable.
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

/// All measured runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Runs(Vec<Run>);

impl Runs {
    /// Parses the runs from the text of `runs.tsv`.
    pub fn read(table: &'static str) -> Self {
        Self(table.lines().filter_map(Run::of_line).collect())
    }

    /// Returns the runs of the table that is compiled into this crate. The web page fetches the table instead.
    pub fn built_in() -> Self {
        Self::read(include_str!("runs.tsv"))
    }

    fn set(&self, set: RunSet) -> impl Iterator<Item = &Run> {
        self.0.iter().filter(move |run| run.set == set)
    }

    /// Returns the earlier runs, which have permalinks of version 1, sorted by publication.
    pub fn rows(&self) -> impl Iterator<Item = &Run> {
        self.set(RunSet::Earlier)
    }

    /// Returns the runs published in 2026, which have permalinks of version 2.
    pub fn recent(&self) -> impl Iterator<Item = &Run> {
        self.set(RunSet::Recent)
    }

    /// Returns the decode steps that this project measured in an engine, with permalinks of version 2.
    pub fn engine_steps(&self) -> impl Iterator<Item = &Run> {
        self.set(RunSet::EngineSteps)
    }
}

/// Published runs that are not listed in the table of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OmittedRuns {
    /// Description of the omitted runs.
    pub runs: &'static str,
    /// Number of omitted runs.
    pub count: u32,
    /// Reason why the runs are excluded.
    pub why: &'static str,
}

/// Returns every publication with runs that are not listed in the table of runs.
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
