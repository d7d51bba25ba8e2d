//! Computes the limits on the batch as curves over the context length.

use super::{batch_for_slo, batch_meeting_slo};
use crate::cost::memory::batch_capacity;
use crate::evaluate::evaluate;
use crate::scenario::Scenario;

/// Limits on the batch at one context length. B_attn and B_MoE do not depend on the context.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtContext {
    /// Mean context length per sequence, in tokens.
    pub context: f64,
    /// Largest batch that fits in memory, B_cap(S); 0 if no batch does.
    pub b_cap: f64,
    /// Largest batch that can meet the SLO even in the best case, B_SLO(S); `None` without an SLO.
    pub b_slo: Option<f64>,
    /// Largest batch that meets the SLO with the scenario's schedule and calibration; `None` without an SLO.
    pub meets_slo: Option<f64>,
}

/// Returns the limits on the batch at each of `contexts`.
///
/// Source: [B] eqs 11–13.
pub fn curves(scenario: &Scenario, contexts: &[f64]) -> Vec<AtContext> {
    contexts
        .iter()
        .map(|&context| at_context(scenario, context))
        .collect()
}

/// Returns the limits on the batch at one context length.
pub fn at_context(scenario: &Scenario, context: f64) -> AtContext {
    let mut at = *scenario;
    at.workload.context = context;
    let slo = scenario.workload.slo;
    AtContext {
        context,
        b_cap: batch_capacity(&at),
        b_slo: slo.map(|slo| batch_for_slo(&at, slo)),
        meets_slo: slo.map(|slo| batch_meeting_slo(&at, slo)),
    }
}

/// Throughput ratio of two deployments with full memory, at the context length where the ratio is largest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advantage {
    /// Context length with the largest ratio, in tokens.
    pub context: f64,
    /// Ratio of the first deployment's tok/s/GPU to the second's, each at its largest batch that fits.
    pub throughput: f64,
}

/// Returns the largest throughput advantage over `other` among `contexts`. Both deployments must have memory for at
/// least one sequence per attention group. `None` if no context meets this condition.
///
/// Source: [B] IV-A and Figure 3.
pub fn greatest_advantage(
    scenario: &Scenario,
    other: &Scenario,
    contexts: &[f64],
) -> Option<Advantage> {
    contexts
        .iter()
        .filter_map(|&context| {
            let throughput = full(scenario, context)? / full(other, context)?;
            throughput.is_finite().then_some(Advantage {
                context,
                throughput,
            })
        })
        .reduce(|most, next| {
            if next.throughput > most.throughput {
                next
            } else {
                most
            }
        })
}

/// Returns the tok/s/GPU at a context length, at the largest batch that fits.
fn full(scenario: &Scenario, context: f64) -> Option<f64> {
    let mut at = *scenario;
    at.workload.context = context;
    at.workload.batch = batch_capacity(&at);
    if at.workload.batch < 1.0 {
        return None;
    }
    Some(evaluate(&at).ok()?.tokens_per_gpu)
}
