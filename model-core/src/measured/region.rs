//! Regions: conditions that a scenario has in common with measured runs.

use crate::arch::Mixer;
use crate::evaluate::Evaluation;
use crate::hardware::{Coverage, NetworkLink};
use crate::inputs::Inputs;
use crate::scenario::Scenario;
use crate::workload::Serving;

/// Conditions that a scenario has in common with measured runs; they select the runs for its error band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// True for aggregated prefill, false for decode only.
    pub prefills: bool,
    /// True if GPUs communicate across scale-up domains.
    pub across: bool,
    /// Class of sequences per GPU: up to 4, up to 64, or more.
    pub load: LoadClass,
    /// Accelerator family with measured kernels; [`Kernels::Others`] for kernels that are borrowed from another family,
    /// measured only as ranges, or not measured.
    pub kernels: Kernels,
    /// True if attention reads only selected or compressed KV rows.
    pub sparse: bool,
}

/// Classes of sequences per GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadClass {
    /// Up to four sequences per GPU, where fixed times dominate.
    Few,
    /// More than four and up to sixty-four sequences per GPU.
    Some,
    /// More than sixty-four sequences per GPU.
    Many,
}

/// Classes of accelerator families, by measured kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernels {
    /// A family with measured kernels.
    Family(crate::hardware::Family),
    /// An accelerator without measured kernels, or with only measured ranges for single kernels.
    Others,
}

impl Region {
    /// Number of conditions of a region. If too few runs meet all of them, the last condition is dropped first.
    pub const CONDITIONS: usize = 4;

    /// Computes the region of a scenario.
    pub fn of(inputs: &Inputs, scenario: &Scenario, evaluation: &Evaluation) -> Self {
        let sent = evaluation.messages(scenario);
        let each = scenario.workload.batch / f64::from(scenario.cluster.gpus);
        Self {
            prefills: matches!(scenario.workload.serving, Serving::Aggregated(_)),
            across: sent
                .iter()
                .any(|message| message.link == NetworkLink::ScaleOut),
            load: match each {
                each if each <= 4.0 => LoadClass::Few,
                each if each <= 64.0 => LoadClass::Some,
                _ => LoadClass::Many,
            },
            kernels: match inputs.gpu.coverage(inputs.family) {
                Coverage::Measured(family) | Coverage::MemoryOnly(family) => {
                    Kernels::Family(family)
                }
                Coverage::Range(_) | Coverage::Borrowed(_) | Coverage::Unclaimed => Kernels::Others,
            },
            sparse: scenario.arch.mixers().iter().any(|part| {
                part.shape.index().is_some() || matches!(part.shape, Mixer::Compressed(_))
            }),
        }
    }

    /// Tests whether two regions agree in the first `conditions` of two conditions: aggregated prefill, then sparse
    /// attention.
    pub(super) fn serves_alike(&self, other: &Self, conditions: usize) -> bool {
        let same = [self.prefills == other.prefills, self.sparse == other.sparse];
        same.into_iter().take(conditions).all(|same| same)
    }

    /// Returns the first `conditions` of two conditions as text: aggregated prefill, then sparse attention.
    pub(super) fn serving_words(&self, conditions: usize) -> String {
        let all = [
            match self.prefills {
                true => "aggregated prefill",
                false => "decode only",
            },
            match self.sparse {
                true => "sparse attention",
                false => "no sparse attention",
            },
        ];
        match conditions {
            0 => "all runs".into(),
            _ => all[..conditions.min(all.len())].join(", "),
        }
    }

    /// Tests whether two regions agree in the first `conditions` of their four conditions.
    pub(super) fn shares(&self, other: &Self, conditions: usize) -> bool {
        [
            self.prefills == other.prefills,
            self.across == other.across,
            self.load == other.load,
            self.kernels == other.kernels,
        ]
        .into_iter()
        .take(conditions)
        .all(|same| same)
    }

    /// Returns the first `conditions` of a region's four conditions as text, for example "decode only, scale-out,
    /// above 64 sequences per GPU, Hopper".
    pub fn words(&self, conditions: usize) -> String {
        let all = [
            match self.prefills {
                true => "aggregated prefill",
                false => "decode only",
            },
            match self.across {
                true => "scale-out",
                false => "single domain",
            },
            match self.load {
                LoadClass::Few => "up to 4 sequences per GPU",
                LoadClass::Some => "5 to 64 sequences per GPU",
                LoadClass::Many => "above 64 sequences per GPU",
            },
            match self.kernels {
                Kernels::Family(family) => family.name(),
                Kernels::Others => "other accelerators",
            },
        ];
        if conditions == 0 {
            return "all runs".into();
        }
        all[..conditions.min(all.len())].join(", ")
    }
}
