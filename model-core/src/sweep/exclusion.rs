//! Rules that exclude candidates from a search, and their counts.

use crate::refusal::Refusal;

/// A rule that excludes a candidate; each is counted under the first rule it breaks, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exclusion {
    /// The accelerator cannot compute in the precision's formats.
    Format,
    /// tp does not divide the query heads.
    Heads,
    /// More stages than layers.
    Stages,
    /// More expert groups than experts.
    ExpertGroups,
    /// Another rule of [`crate::plan::Plan::new`].
    Sharding,
    /// Fewer sequences than micro-batches: data-parallel groups × stages × passes.
    TooFewSequences,
    /// A result too large or too small to be a number.
    NotFinite,
    /// Weights, cache and activations do not fit the memory.
    OutOfMemory,
    /// Slower than the SLO.
    MissesSlo,
}

impl Exclusion {
    /// All rules.
    pub const ALL: [Self; 9] = [
        Self::Format,
        Self::Heads,
        Self::Stages,
        Self::ExpertGroups,
        Self::Sharding,
        Self::TooFewSequences,
        Self::NotFinite,
        Self::OutOfMemory,
        Self::MissesSlo,
    ];

    /// The rule that a refused sharding breaks.
    pub const fn of(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::Heads { .. } | Refusal::MixerHeads { .. } | Refusal::OutputGroups { .. } => {
                Self::Heads
            }
            Refusal::Stages { .. } => Self::Stages,
            Refusal::ExpertGroups { .. } => Self::ExpertGroups,
            Refusal::NoPeak { .. } => Self::Format,
            // A search simulates nothing, so the limits of simulations do not occur.
            Refusal::NotFinite
            | Refusal::Lengths { .. }
            | Refusal::RequestLength { .. }
            | Refusal::AcceptLength { .. }
            | Refusal::LongSimulation { .. }
            | Refusal::EndlessSimulation { .. }
            | Refusal::LargeSimulation { .. } => Self::NotFinite,
            Refusal::AttentionProduct { .. }
            | Refusal::FfnProduct { .. }
            | Refusal::NoExperts { .. }
            | Refusal::FfnGroup { .. }
            | Refusal::PlainWithIndex
            | Refusal::AggregatedPlan { .. } => Self::Sharding,
        }
    }
}

/// Excluded candidates by rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Exclusions([usize; Exclusion::ALL.len()]);

impl Exclusions {
    /// Adds `count` candidates of a rule.
    pub const fn add(&mut self, exclusion: Exclusion, count: usize) {
        self.0[exclusion as usize] += count;
    }

    /// Candidates that a rule excluded.
    pub const fn of(&self, exclusion: Exclusion) -> usize {
        self.0[exclusion as usize]
    }

    /// Excluded candidates of all rules.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }

    /// The rule that excluded most, with its count; `None` if nothing was excluded.
    pub fn most(&self) -> Option<(Exclusion, usize)> {
        Exclusion::ALL
            .into_iter()
            .map(|exclusion| (exclusion, self.of(exclusion)))
            .filter(|(_, count)| *count > 0)
            .reduce(|most, next| if next.1 > most.1 { next } else { most })
    }
}
