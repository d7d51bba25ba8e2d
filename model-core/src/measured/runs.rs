//! Selections of measured runs: by kind, and by serving engine.

use super::row::{Measurement, RunKind};
use super::rows::rows;
use crate::named::named;

named! {
    /// Runs of one kind, or all whose accuracy counts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Runs {
        /// Runs that count for accuracy.
        Counting = "counting",
        /// Decode alone, at a stated batch.
        Steady = "steady",
        /// One request.
        Latency = "one-request",
        /// Decode with aggregated prefill.
        Aggregated = "with-prefills",
        /// The rate of a whole run.
        WholeRuns = "whole-runs",
        /// Layers that no measured kernel covers.
        NewLayers = "new-layers",
        /// A decisive parameter is not stated.
        Uncertain = "not-all-stated",
        /// All.
        All = "all",
    }
}

impl Runs {
    /// The kind, if it is a single one.
    pub const fn group(self) -> Option<RunKind> {
        match self {
            Self::Counting | Self::All => None,
            Self::Steady => Some(RunKind::Steady),
            Self::Latency => Some(RunKind::Latency),
            Self::Aggregated => Some(RunKind::Aggregated),
            Self::WholeRuns => Some(RunKind::WholeRun),
            Self::NewLayers => Some(RunKind::NewLayers),
            Self::Uncertain => Some(RunKind::Uncertain),
        }
    }

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match (self, self.group()) {
            (_, Some(group)) => group.name(),
            (Self::All, None) => "everything",
            (_, None) => "all that count",
        }
    }

    /// Tests whether a run belongs to it.
    pub fn hold(self, row: &Measurement) -> bool {
        match (self, self.group()) {
            (_, Some(group)) => row.group == group,
            (Self::All, None) => true,
            (_, None) => row.group.counts(),
        }
    }

    /// Number of runs.
    pub fn count(self) -> usize {
        rows().filter(|row| self.hold(row)).count()
    }
}

named! {
    /// Engine that served a run, or its publisher.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum System {
        /// NVIDIA's TensorRT-LLM.
        TensorRt = "tensorrt-llm",
        /// `SGLang`.
        SgLang = "sglang",
        /// vLLM.
        Vllm = "vllm",
        /// The public benchmark.
        InferenceX = "inferencex",
        /// Huawei's `CloudMatrix`.
        CloudMatrix = "cloudmatrix384",
        /// DeepSeek's own engine.
        DeepSeek = "deepseek",
        /// Any other.
        Others = "others",
    }
}

impl System {
    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TensorRt => "TensorRT-LLM",
            Self::SgLang => "SGLang",
            Self::Vllm => "vLLM",
            Self::InferenceX => "InferenceX",
            Self::CloudMatrix => "CloudMatrix384",
            Self::DeepSeek => "DeepSeek",
            Self::Others => "others",
        }
    }

    /// System of a run, from its publication; the engine before the model.
    pub fn of(row: &Measurement) -> Self {
        let named = |system: &Self| {
            let name = match system {
                Self::CloudMatrix => "CloudMatrix",
                _ => system.name(),
            };
            *system != Self::Others && row.source.title.contains(name)
        };
        Self::ALL.into_iter().find(named).unwrap_or(Self::Others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_of_one_kind_and_one_system() {
        let kinds = Runs::ALL.into_iter().filter(|runs| runs.group().is_some());
        assert_eq!(kinds.map(Runs::count).sum::<usize>(), Runs::All.count());
        // No publication is of other systems at present.
        for system in System::ALL.into_iter().filter(|of| *of != System::Others) {
            let found = rows().filter(|row| System::of(row) == system).count();
            assert!(found > 0, "{system:?} has no runs");
        }
    }
}
