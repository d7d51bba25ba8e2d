//! Evaluates a map over context length and batch.

use crate::evaluate::evaluate;
use crate::scenario::Scenario;

/// One point of the map over context length and batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimitsCell {
    /// Mean context length per sequence, in tokens.
    pub context: f64,
    /// Number of sequences of the whole deployment.
    pub batch: f64,
    /// Time per output token in seconds.
    pub tpot_s: f64,
    /// Tokens per second for one user.
    pub tokens_per_user: f64,
    /// Throughput in tok/s/GPU.
    pub tokens_per_gpu: f64,
    /// True if this point of the map fits in memory.
    pub fits: bool,
    /// True if this point of the map meets the SLO, or if there is no SLO.
    pub meets_slo: bool,
}

/// Returns the scenario with another context length and batch.
pub fn at(scenario: &Scenario, context: f64, batch: f64) -> Scenario {
    let mut other = *scenario;
    other.workload.context = context;
    other.workload.batch = batch;
    other
}

/// Evaluates one point of the map; `None` if a result is not finite.
///
/// Source: [B] Figure 3.
pub fn cell(scenario: &Scenario, context: f64, batch: f64) -> Option<LimitsCell> {
    let evaluation = evaluate(&at(scenario, context, batch)).ok()?;
    let slo = scenario.workload.slo;
    Some(LimitsCell {
        context,
        batch,
        tpot_s: evaluation.tpot.get(),
        tokens_per_user: evaluation.tokens_per_user,
        tokens_per_gpu: evaluation.tokens_per_gpu,
        fits: evaluation.memory.fits(),
        meets_slo: slo.is_none_or(|least| evaluation.tokens_per_user >= least),
    })
}

/// Evaluates all points of a grid. The points are ordered by batch, then by context.
///
/// Source: [B] Figure 3.
pub fn map(scenario: &Scenario, contexts: &[f64], batches: &[f64]) -> Vec<Option<LimitsCell>> {
    let mut cells = Vec::with_capacity(contexts.len() * batches.len());
    for &batch in batches {
        cells.extend(
            contexts
                .iter()
                .map(|&context| cell(scenario, context, batch)),
        );
    }
    cells
}
