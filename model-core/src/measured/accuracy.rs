//! The one accuracy of the model: errors of runs that nothing was fitted to, under the newest calibration.

use super::compare::{Edit, Summary, compare, summary};
use super::run::{Run, RunKind, Runs};

/// Keys of the newest calibration.
const NEWEST: &str = "calibration=kernels-2026-12";

/// Errors of TPOT over decode runs published in 2026 with complete settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// All of them.
    pub all: Summary,
    /// Without runs that state a fall-back kernel.
    pub usual: Summary,
    /// Number of publications.
    pub sources: usize,
}

/// True for a decode run with complete settings.
pub fn is_complete(run: &Run) -> bool {
    run.kind != RunKind::Prefill && run.open.is_empty()
}

/// The accuracy; `None` if a run cannot be evaluated.
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
