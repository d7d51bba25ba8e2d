//! Search space of plans: bases (accelerator and precision) × strategies × GPU counts × batches. Candidates are
//! generated on demand and in a fixed order.
//!
//! A [`Space`] is a list of candidates accessed by index, so that a web worker can evaluate any range of the list.
//! Evaluating a candidate allocates no memory.

mod exclusion;
pub mod strategy;

pub use exclusion::{Exclusion, Exclusions};
pub use strategy::Strategy;

use crate::evaluate::{Evaluation, evaluate};
use crate::plan::Plan;
use crate::scenario::Scenario;

/// The search space of plans and batches on one or more bases. A base is a scenario with everything that is not
/// enumerated: model, accelerator, interconnects, workload, precision, calibration, β and redundant experts.
#[derive(Debug, Clone)]
pub struct Space {
    bases: Vec<Scenario>,
    plans: Vec<(Strategy, Plan)>,
    batches: Vec<f64>,
    refused: Exclusions,
}

/// A plan at one batch, with its computed throughput, interactivity and cost.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SweepPoint {
    /// Index of the candidate in the search space.
    pub index: usize,
    /// Parallelism strategy of the plan.
    pub strategy: Strategy,
    /// Sequences per replica: the candidate's batch, or a refined batch for the same plan.
    pub batch: f64,
    /// Interactivity in tok/s/user.
    pub tokens_per_user: f64,
    /// Throughput in tok/s/GPU.
    pub tokens_per_gpu: f64,
    /// Cost in US dollars per million tokens, if a price is known.
    pub dollars_per_mtok: Option<f64>,
}

impl SweepPoint {
    /// Returns the point of a candidate's plan at `batch`, with the rates and cost from its evaluation.
    pub fn of(index: usize, strategy: Strategy, batch: f64, evaluation: &Evaluation) -> Self {
        Self {
            index,
            strategy,
            batch,
            tokens_per_user: evaluation.tokens_per_user,
            tokens_per_gpu: evaluation.tokens_per_gpu,
            dollars_per_mtok: evaluation.dollars_per_mtok,
        }
    }
}

/// Outcome of evaluating a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TriedPlan {
    /// The candidate is feasible.
    Fits(SweepPoint),
    /// The candidate fits in memory but misses the SLO.
    MissesSlo(SweepPoint),
    /// The candidate is excluded by a rule other than the SLO.
    Excluded(Exclusion),
}

impl Space {
    /// Enumerates every valid plan of `strategies` on each GPU count, for one base scenario.
    pub fn new(base: &Scenario, strategies: &[Strategy], gpus: &[u32], batches: Vec<f64>) -> Self {
        Self::over(vec![*base], strategies, gpus, batches)
    }

    /// Enumerates every valid plan, like [`Space::new`], but for several base scenarios. These have the same model
    /// and differ in accelerator, precision and price.
    pub fn over(
        bases: Vec<Scenario>,
        strategies: &[Strategy],
        gpus: &[u32],
        batches: Vec<f64>,
    ) -> Self {
        let mut plans = Vec::new();
        let mut refused = Exclusions::default();
        let wanted = Strategy::ALL
            .into_iter()
            .filter(|strategy| strategies.contains(strategy));
        if let Some(base) = bases.first() {
            for strategy in wanted {
                for &gpus in gpus {
                    strategy.shardings(&base.arch, base.plan.spec(), gpus, |spec| match Plan::new(
                        spec, &base.arch, gpus,
                    ) {
                        Ok(plan) => plans.push((strategy, plan)),
                        Err(broken) => {
                            let rule = broken.first().map_or(Exclusion::Sharding, Exclusion::of);
                            refused.add(rule, 1);
                        }
                    });
                }
            }
        }
        Self {
            bases,
            plans,
            batches,
            refused,
        }
    }

    /// Returns the number of candidates in the search space.
    pub const fn len(&self) -> usize {
        self.plans.len() * self.batches.len() * self.bases.len()
    }

    /// Returns true if the search space has no candidates.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of plans that [`Plan::new`] refused, by the first rule that each plan breaks.
    pub const fn refused(&self) -> &Exclusions {
        &self.refused
    }

    /// Returns the number of candidates per plan: batches × bases.
    pub const fn repeats(&self) -> usize {
        self.batches.len() * self.bases.len()
    }

    /// Returns the strategy and scenario of a candidate; `None` if the index is past the end.
    pub fn scenario(&self, index: usize) -> Option<(Strategy, Scenario)> {
        let mut scenario = *self.bases.get(self.base(index)?)?;
        let (strategy, plan) = self.plans[index / self.batches.len() % self.plans.len()];
        scenario.plan = plan;
        scenario.cluster.gpus = plan.gpus();
        scenario.workload.batch = self.batches[index % self.batches.len()];
        Some((strategy, scenario))
    }

    /// Returns the index of a candidate's base scenario; `None` if the index is past the end.
    pub fn base(&self, index: usize) -> Option<usize> {
        (index < self.len()).then(|| index / self.batches.len() / self.plans.len())
    }

    /// Returns the strategy and plan of a candidate; `None` if the index is past the end.
    pub fn plan(&self, index: usize) -> Option<&(Strategy, Plan)> {
        (index < self.len()).then(|| &self.plans[index / self.batches.len() % self.plans.len()])
    }

    /// Returns the batch of a candidate; `None` if the index is past the end.
    pub fn batch(&self, index: usize) -> Option<f64> {
        (index < self.len()).then(|| self.batches[index % self.batches.len()])
    }

    /// Returns the largest batch of the search space.
    pub fn most_batch(&self) -> f64 {
        self.batches.last().copied().unwrap_or(0.0)
    }

    /// Returns all plans with their strategies; the plans are identical for every base scenario.
    pub fn plans(&self) -> &[(Strategy, Plan)] {
        &self.plans
    }

    /// Returns true if the candidate has the largest batch. The next candidate then has another plan or another base.
    pub fn is_last_batch(&self, index: usize) -> bool {
        index % self.batches.len().max(1) + 1 == self.batches.len()
    }

    /// Evaluates a candidate: returns its rates, or the rule that excludes it.
    pub fn outcome(&self, index: usize) -> TriedPlan {
        let Some((strategy, scenario)) = self.scenario(index) else {
            return TriedPlan::Excluded(Exclusion::NotFinite);
        };
        if scenario.workload.batch < scenario.plan.micro_batches() {
            return TriedPlan::Excluded(Exclusion::TooFewSequences);
        }
        let evaluation = match evaluate(&scenario) {
            Ok(evaluation) => evaluation,
            Err(refusal) => return TriedPlan::Excluded(Exclusion::of(&refusal)),
        };
        if !evaluation.memory.fits() {
            return TriedPlan::Excluded(Exclusion::OutOfMemory);
        }
        let point = SweepPoint::of(index, strategy, scenario.workload.batch, &evaluation);
        if scenario
            .workload
            .slo
            .is_some_and(|slo| evaluation.tokens_per_user < slo)
        {
            TriedPlan::MissesSlo(point)
        } else {
            TriedPlan::Fits(point)
        }
    }
}

/// Returns integer batches from 1 to `most`, with up to `steps` batches per doubling and without duplicates.
///
/// Assumes: 1 ≤ `steps`. The batches within a doubling are evenly spaced: 4, 5, 6, 7, 8.
pub fn batch_steps(most: f64, steps: u32) -> Vec<f64> {
    let mut batches = Vec::new();
    let mut power = 1.0;
    while power <= most {
        let between = (0..steps).map(|step| power * (1.0 + f64::from(step) / f64::from(steps)));
        batches.extend(between.filter(|batch| batch.fract() == 0.0 && *batch <= most));
        power *= 2.0;
    }
    batches
}
