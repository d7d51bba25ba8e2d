//! Finds the best plan on the user's GPUs at its exact best batch, not only at the batches that a search tries.

use super::{Candidates, Search, on_another, own_gpus, replicas_on};
use crate::evaluate::evaluate;
use crate::inputs::{Inputs, Number};
use crate::levers::{is_feasible, most, plans};
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::scenario::Scenario;
use crate::sweep::Strategy;

/// Max number of bases (pairs of accelerator and precision) for which the best plan is found at its exact batch.
const MOST_BASES: usize = 24;

/// Returns true if the search includes the strategy and schedule of this plan.
pub fn tries(search: &Search, spec: &PlanSpec) -> bool {
    search.strategies.contains(&Strategy::of(spec))
        && (search.two_batch || spec.overlap != Overlap::TwoBatch)
}

/// Finds the best plan of each base (accelerator and precision) on all of the user's GPUs, over all replica sizes.
/// Unlike search candidates, includes plans with data-parallel groups of several GPUs.
///
/// Runs in steps; each step tries one replica size for one base.
#[derive(Debug, Clone)]
pub struct BestOnOwn {
    /// For each base, the inputs of the best plan found so far, including its replica count and batch. `None` if no
    /// plan is feasible.
    pub found: Vec<Option<Inputs>>,
    bases: Vec<Inputs>,
    sizes: Vec<u32>,
    gpus: u32,
    at: usize,
    /// Throughput of the best plan so far for the current base, tok/s/GPU.
    known: f64,
}

impl BestOnOwn {
    /// Prepares the search for the best plans; the first step has not run yet.
    pub fn new(candidates: &Candidates, search: &Search, inputs: &Inputs) -> Self {
        let gpus = own_gpus(inputs);
        let bases = candidates.bases().iter().take(MOST_BASES);
        let there = |base: &Inputs| on_another(inputs, base.gpu, base.precision);
        let sizes = search.gpus(inputs).into_iter();
        let bases: Vec<Inputs> = bases.map(there).collect();
        Self {
            found: vec![None; bases.len()],
            bases,
            sizes: sizes
                .filter(|size| replicas_on(gpus, *size).is_some())
                .collect(),
            gpus,
            at: 0,
            known: 0.0,
        }
    }

    /// Tries the next replica size; returns false when all sizes of all bases have been tried.
    pub fn step(&mut self, search: &Search) -> bool {
        let each = self.sizes.len().max(1);
        let (base, size) = (self.at / each, self.at % each);
        if let (Some(inputs), Some(size)) = (self.bases.get(base), self.sizes.get(size))
            && let Some((rate, best)) = self.on(inputs, *size, search)
        {
            self.known = rate;
            self.found[base] = Some(best);
        }
        self.at += 1;
        if self.at.is_multiple_of(each) {
            self.known = 0.0;
        }
        self.at < each * self.bases.len()
    }

    /// Returns the throughput and inputs of the best plan for a base on replicas of `size` GPUs. `None` if this
    /// throughput is below that of the best plan so far.
    fn on(&self, base: &Inputs, size: u32, search: &Search) -> Option<(f64, Inputs)> {
        let replicas = f64::from(replicas_on(self.gpus, size)?);
        let mut there = base
            .with(Number::Gpus, f64::from(size))
            .with(Number::Replicas, replicas);
        there.unshard();
        let scenario = there.scenario().ok()?;
        serving_most(&there, search, &plans(&scenario), self.known)
    }
}

/// Finds the plan with the most tok/s/GPU at the SLO. Returns this throughput and the inputs of the plan at its exact
/// batch. `None` if no plan reaches the throughput `known`.
pub fn serving_most(
    inputs: &Inputs,
    search: &Search,
    plans: &[Plan],
    mut known: f64,
) -> Option<(f64, Inputs)> {
    let base = inputs.scenario().ok()?;
    let users = base.workload.slo.unwrap_or(0.0);
    let mut best = None;
    for plan in plans.iter().filter(|plan| tries(search, plan.spec())) {
        let scenario = Scenario {
            plan: *plan,
            ..base
        };
        if let Some(served) = most(&scenario, users, known) {
            known = served.tokens_per_gpu;
            best = Some((*plan, served.batch));
        }
    }
    let (plan, batch) = best?;
    let stated = inputs
        .planned(plan.spec())
        .with(Number::Batch, batch.min(most_batch(search, inputs)))
        .normalized();
    let scenario = stated.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    is_feasible(&scenario, &evaluation).then_some((known, stated))
}

/// Returns the max batch of one replica; infinite if the search has the default largest batch.
fn most_batch(search: &Search, inputs: &Inputs) -> f64 {
    let replicas = inputs.get(Number::Replicas).unwrap_or(1.0);
    match search.most_batch < Search::MOST_BATCH {
        true => (search.most_batch / replicas).floor().max(1.0),
        false => f64::INFINITY,
    }
}
