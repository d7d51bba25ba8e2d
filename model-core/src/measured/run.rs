//! Published measured runs, as their tables have them.
//!
//! A line of `runs.tsv` or `recent.tsv` is a run: identifier, kind, figure, open facts, hardware, link, source. Its
//! texts (engine, model, run, the figure as printed, note) are the same line of `run-texts.tsv` or `recent-texts.tsv`:
//! tables of their own because little but Papers reads them, long after the page's first load.

use crate::named::named;
use crate::scenario::Scenario;
use crate::source::Source;
use crate::units::Seconds;

named! {
    /// Kind of run, by how much of it a decode step explains.
    pub enum RunKind {
        /// Decode alone, in steady state, at a stated batch.
        Steady = "steady" => "steady decode",
        /// One request.
        Latency = "latency" => "one request",
        /// Decode with aggregated prefill, at a stated batch and stated lengths.
        Aggregated = "aggregated" => "aggregated prefill",
        /// Decode of a whole run with disaggregated prefill.
        Disaggregated = "disaggregated" => "disaggregated prefill",
        /// The rate of a whole run, ramp-up and prefill included, at a batch that the engine chose.
        WholeRun = "whole-run" => "whole runs",
        /// Decode in steady state at a stated batch, with layers that no measured kernel covers.
        NewLayers = "new-layers" => "layers without measured kernels",
        /// Decode with a decisive parameter not stated.
        Uncertain = "uncertain" => "not all stated",
        /// One request in an engine of one persistent kernel, which no calibration describes.
        Persistent = "persistent" => "one persistent kernel",
        /// Prefill.
        Prefill = "prefill" => "prefill",
    }
}

impl RunKind {
    /// True for runs of decode that count for accuracy; the others are evaluated and excluded.
    pub const fn counts(self) -> bool {
        matches!(
            self,
            Self::Steady | Self::Latency | Self::Aggregated | Self::Disaggregated
        )
    }
}

/// The published figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PublishedFigure {
    /// Output tokens per second and GPU.
    PerGpu(f64),
    /// Prompt tokens per second and GPU of a prefill pool that is always busy.
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
    /// Link keys at the ends of its range, where one is known.
    pub ends: Vec<&'static str>,
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
    /// Publication; runs of one title are left out together in cross-validation.
    pub source: Source,
}

impl Run {
    /// The facts that are not stated: "balancedness, batch".
    pub fn open_names(&self) -> String {
        let names: Vec<&str> = self.open.iter().map(|open| open.what).collect();
        names.join(", ")
    }

    /// A line of the table; `None` where a column is missing or unreadable, which a test forbids.
    fn of_line(line: &'static str) -> Option<Self> {
        let [id, kind, figure, open, hardware, link, source] = columns(line)?;
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
        })
    }
}

/// The words of a measured run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunText {
    /// Engine that served it, and its version where one is stated; or its publisher.
    pub engine: &'static str,
    /// Model, as published.
    pub model: &'static str,
    /// Sharding, schedule, load, lengths, precision, drafts.
    pub run: &'static str,
    /// Place in the publication, conditions; may be empty.
    pub note: &'static str,
}

impl RunText {
    fn of_line(line: &'static str) -> Option<Self> {
        let [engine, model, run, _printed, note] = columns(line)?;
        Some(Self {
            engine,
            model,
            run,
            note,
        })
    }
}

fn columns<const N: usize>(line: &'static str) -> Option<[&'static str; N]> {
    line.split('\t').collect::<Vec<_>>().try_into().ok()
}

/// Runs with links of version 1, by publication.
pub fn rows() -> impl Iterator<Item = Run> {
    include_str!("runs.tsv").lines().filter_map(Run::of_line)
}

/// The words of [`rows`], in their order.
pub fn row_texts() -> impl Iterator<Item = RunText> {
    let lines = include_str!("run-texts.tsv").lines();
    lines.filter_map(RunText::of_line)
}

/// Runs published in 2026, with links of version 2.
pub fn recent() -> impl Iterator<Item = Run> {
    include_str!("recent.tsv").lines().filter_map(Run::of_line)
}

/// The words of [`recent`], in their order.
pub fn recent_texts() -> impl Iterator<Item = RunText> {
    let lines = include_str!("recent-texts.tsv").lines();
    lines.filter_map(RunText::of_line)
}

/// Published runs without a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OmittedRuns {
    /// The runs.
    pub runs: &'static str,
    /// Their number.
    pub count: u32,
    /// The reason why no row stands for them.
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
        for (read, table) in [
            (rows().count(), include_str!("runs.tsv")),
            (row_texts().count(), include_str!("runs.tsv")),
            (recent().count(), include_str!("recent.tsv")),
            (recent_texts().count(), include_str!("recent.tsv")),
            (absent().count(), include_str!("absent.tsv")),
        ] {
            assert_eq!(read, table.lines().count());
        }
    }
}
