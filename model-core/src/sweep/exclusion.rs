//! Rules that exclude candidates from a plan search, and the number of candidates that each rule excludes.

use crate::refusal::Refusal;

/// A rule that excludes candidates from a plan search. Rules are checked in this order, and a candidate is counted
/// only under the first rule that it breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exclusion {
    /// The accelerator has no peak FLOP/s for a compute format of the precision.
    Format,
    /// tp does not divide the heads of some layer, or tp·kvp does not divide the output groups of compressed
    /// attention.
    Heads,
    /// There are more pipeline stages than layers.
    Stages,
    /// There are more expert groups than experts.
    ExpertGroups,
    /// The plan breaks any other plan rule, such as another rule of [`crate::plan::Plan::new`].
    Sharding,
    /// There are fewer sequences than micro-batches (data-parallel groups × stages × passes).
    TooFewSequences,
    /// A result is too large or too small to be a finite number, or the request lengths or the acceptance length are
    /// invalid.
    NotFinite,
    /// Weights, KV cache and activations do not fit in GPU memory.
    OutOfMemory,
    /// Interactivity is below the SLO.
    MissesSlo,
}

impl Exclusion {
    /// All exclusion rules, in the order in which they are checked.
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

    /// Returns the exclusion rule under which a refused plan is counted.
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

/// Number of excluded candidates, counted separately for each rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Exclusions([usize; Exclusion::ALL.len()]);

impl Exclusions {
    /// Adds `count` candidates to those excluded by a rule.
    pub const fn add(&mut self, exclusion: Exclusion, count: usize) {
        self.0[exclusion as usize] += count;
    }

    /// Returns the number of candidates that a rule excluded.
    pub const fn of(&self, exclusion: Exclusion) -> usize {
        self.0[exclusion as usize]
    }

    /// Returns the number of candidates excluded by all rules.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }

    /// Returns the rule that excluded the most candidates, and their number; `None` if nothing was excluded.
    pub fn most(&self) -> Option<(Exclusion, usize)> {
        Exclusion::ALL
            .into_iter()
            .map(|exclusion| (exclusion, self.of(exclusion)))
            .filter(|(_, count)| *count > 0)
            .reduce(|most, next| if next.1 > most.1 { next } else { most })
    }
}
