//! The next measurement that a diagnosis recommends.

use crate::named::named;

use super::ranges::Evidence;
use super::shape::differs;
use super::suspects::Observed;
use super::terms::Term;

named! {
    /// A check or a measurement that separates suspected causes.
    pub enum Next {
        /// Run an all-reduce benchmark with the message size used in a decode step.
        AllReduceTest = "all_reduce_test",
        /// Repeat the measurement with CUDA graphs on.
        GraphsOn = "graphs_on",
        /// Read the number format and the kernels from the engine's log.
        DtypeFromLog = "dtype_from_log",
        /// Read the acceptance length from the engine's log.
        AcceptanceFromLog = "acceptance_from_log",
        /// Check clocks and the power cap under load.
        Clocks = "clocks",
        /// Repeat the measurement without draft tokens.
        DraftsOff = "drafts_off",
        /// Repeat the measurement with short prompts.
        ShortPrompts = "short_prompts",
        /// Measure the same batch with a context four times as long.
        ContextTimes4 = "context_times_4",
        /// Measure a batch of one sequence.
        OneSequence = "one_sequence",
        /// Measure a batch sixteen times as large.
        BatchTimes16 = "batch_times_16",
        /// Profile a step for gaps between kernels.
        StepProfile = "step_profile",
        /// Profile the kernels.
        KernelProfile = "kernel_profile",
        /// Repeat the measurement on a warm engine.
        Repeat = "repeat",
    }
}

/// Batch above which the next measurement uses one sequence; otherwise, it uses a larger batch.
const FEW: f64 = 4.0;

impl Next {
    /// Returns the measurement that separates the named suspects; [`Self::Repeat`] if no suspect is named. If evidence
    /// points to the first suspect, recommends checking this evidence; otherwise, a different load or a profile.
    pub fn of(points: &[Observed], named: &[Term], evidence: &[Evidence]) -> Self {
        let Some(first) = named.first() else {
            return Self::Repeat;
        };
        let leading = named.get(..2).unwrap_or(named);
        let known = evidence.iter().find(|evidence| evidence.names(*first));
        if let Some(evidence) = known {
            return Self::check(*evidence);
        }
        let batches = differs(points.iter().map(|point| point.batch));
        let contexts = differs(points.iter().map(|point| point.context));
        let batch = points.first().map_or(1.0, |point| point.batch);
        if leading.contains(&Term::Acceptance) {
            Self::DraftsOff
        } else if leading.contains(&Term::Prefill) {
            Self::ShortPrompts
        } else if leading.contains(&Term::Cache) && !contexts {
            Self::ContextTimes4
        } else if leading.len() > 1 && leading.iter().all(|term| term.is_fixed()) {
            // A different load does not separate fixed terms.
            Self::AllReduceTest
        } else if !batches && !contexts {
            match batch > FEW {
                true => Self::OneSequence,
                false => Self::BatchTimes16,
            }
        } else if first.is_fixed() {
            Self::StepProfile
        } else {
            Self::KernelProfile
        }
    }

    const fn check(evidence: Evidence) -> Self {
        match evidence {
            Evidence::GraphOff | Evidence::GraphOn => Self::GraphsOn,
            Evidence::HostBound => Self::StepProfile,
            Evidence::Pcie | Evidence::P2pOff | Evidence::TpAcrossDomains => Self::AllReduceTest,
            Evidence::ClocksLow => Self::Clocks,
            Evidence::AcceptanceStated | Evidence::AcceptanceAssumed | Evidence::NoDrafts => {
                Self::AcceptanceFromLog
            }
            Evidence::DecodeOnly | Evidence::PrefillMixed => Self::ShortPrompts,
            Evidence::DtypeUnknown => Self::DtypeFromLog,
        }
    }
}
