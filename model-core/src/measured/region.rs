//! Conditions that a scenario shares with measured runs.

use crate::arch::Mixer;
use crate::evaluate::Evaluation;
use crate::hardware::{Coverage, NetworkLink};
use crate::inputs::Inputs;
use crate::scenario::Scenario;
use crate::workload::Serving;

/// Conditions that a scenario shares with measured runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// Aggregated prefill.
    pub prefills: bool,
    /// Communication across domains.
    pub across: bool,
    /// Sequences per GPU: up to 4, up to 64, more.
    pub load: LoadClass,
    /// Family of the kernels; [`Kernels::Others`] where another family's are used.
    pub kernels: Kernels,
    /// Attention to selected or compressed rows.
    pub sparse: bool,
}

/// Classes of sequences per GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadClass {
    /// Up to four: fixed times dominate.
    Few,
    /// Up to sixty-four.
    Some,
    /// More.
    Many,
}

/// Classes of accelerator families.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernels {
    /// A measured family.
    Family(crate::hardware::Family),
    /// Any other.
    Others,
}

impl Region {
    /// Number of conditions of a region; the last is dropped first.
    pub const CONDITIONS: usize = 4;

    /// The region of a scenario.
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

    /// Tests whether the first `conditions` of aggregated prefill and sparse attention agree with another region's.
    pub(super) fn serves_alike(&self, other: &Self, conditions: usize) -> bool {
        let same = [self.prefills == other.prefills, self.sparse == other.sparse];
        same.into_iter().take(conditions).all(|same| same)
    }

    /// Those conditions in words.
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

    /// Tests whether the first `conditions` agree with another region's.
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

    /// The first `conditions` in words: "decode alone, across domains, above 64 sequences per GPU, Hopper".
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
