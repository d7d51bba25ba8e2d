//! Accuracy of Ridgepoint's performance model: statistics of its errors under the newest calibration, on runs to which
//! nothing was fitted.

use super::compare::{Edit, Summary, compare, summary};
use super::run::{Run, RunKind, Runs};

const NEWEST: &str = "calibration=kernels-2026-12";

/// TPOT errors on decode runs that were published in 2026 with complete settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Statistics of the errors on all complete decode runs of 2026.
    pub all: Summary,
    /// Statistics of the errors without runs that report a fallback kernel.
    pub usual: Summary,
    /// Number of publications from which the runs come.
    pub sources: usize,
}

/// Returns true for a decode run whose settings are all published.
pub fn is_complete(run: &Run) -> bool {
    run.kind != RunKind::Prefill && run.open.is_empty()
}

/// Computes the accuracy of the performance model; `None` if a run cannot be evaluated.
pub fn accuracy(runs: &Runs) -> Option<Accuracy> {
    let mut sources: Vec<&str> = Vec::new();
    let (mut all, mut usual) = (Vec::new(), Vec::new());
    for run in runs.recent().filter(|run| is_complete(run)) {
        let error = compare(run, &Edit::keys(NEWEST))?.error();
        all.push(error);
        if run.kind != RunKind::FallBack {
            usual.push(error);
        }
        if !sources.contains(&run.source.title) {
            sources.push(run.source.title);
        }
    }
    Some(Accuracy {
        all: summary(all)?,
        usual: summary(usual)?,
        sources: sources.len(),
    })
}
