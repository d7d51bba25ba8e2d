//! Search space of plans: accelerators and precisions × strategies × GPUs × batches, lazily and in a fixed order.
//!
//! A [`Space`] is a list of candidates by index, so that a worker can run any range of it; evaluating
//! one allocates nothing.

mod exclusion;
pub mod strategy;

pub use exclusion::{Exclusion, Exclusions};
pub use strategy::Strategy;

use crate::evaluate::{Evaluation, evaluate};
use crate::plan::Plan;
use crate::scenario::Scenario;

/// The search space. A base holds everything that is not enumerated: accelerator and links, model, workload,
/// precision, calibration, β, redundant experts.
#[derive(Debug, Clone)]
pub struct Space {
    bases: Vec<Scenario>,
    plans: Vec<(Strategy, Plan)>,
    batches: Vec<f64>,
    refused: Exclusions,
}

/// One point of a search.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SweepPoint {
    /// Index in the space.
    pub index: usize,
    /// Parallelism strategy.
    pub strategy: Strategy,
    /// Sequences of the whole deployment: the candidate's, or another batch of its plan.
    pub batch: f64,
    /// Tokens per second of one user.
    pub tokens_per_user: f64,
    /// Tokens per second of one GPU.
    pub tokens_per_gpu: f64,
    /// US dollars per million tokens, where a price is known.
    pub dollars_per_mtok: Option<f64>,
}

impl SweepPoint {
    /// The point of a candidate's plan at `batch`, from its evaluation.
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

/// Outcome of a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TriedPlan {
    /// Feasible.
    Fits(SweepPoint),
    /// It fits the memory but is slower than the SLO.
    MissesSlo(SweepPoint),
    /// Excluded by a rule other than the SLO.
    Excluded(Exclusion),
}

impl Space {
    /// Enumerates every valid plan of `strategies` on each GPU count.
    pub fn new(base: &Scenario, strategies: &[Strategy], gpus: &[u32], batches: Vec<f64>) -> Self {
        Self::over(vec![*base], strategies, gpus, batches)
    }

    /// Like [`Space::new`] over several bases of one model, which differ in accelerator, precision and price.
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

    /// Number of candidates.
    pub const fn len(&self) -> usize {
        self.plans.len() * self.batches.len() * self.bases.len()
    }

    /// True for a space without candidates.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Shardings that [`Plan::new`] refused, by the first rule.
    pub const fn refused(&self) -> &Exclusions {
        &self.refused
    }

    /// Candidates per sharding: batches × bases.
    pub const fn repeats(&self) -> usize {
        self.batches.len() * self.bases.len()
    }

    /// Strategy and scenario of a candidate; `None` past the end.
    pub fn scenario(&self, index: usize) -> Option<(Strategy, Scenario)> {
        let mut scenario = *self.bases.get(self.base(index)?)?;
        let (strategy, plan) = self.plans[index / self.batches.len() % self.plans.len()];
        scenario.plan = plan;
        scenario.cluster.gpus = plan.gpus();
        scenario.workload.batch = self.batches[index % self.batches.len()];
        Some((strategy, scenario))
    }

    /// Index of a candidate's base; `None` past the end.
    pub fn base(&self, index: usize) -> Option<usize> {
        (index < self.len()).then(|| index / self.batches.len() / self.plans.len())
    }

    /// Each plan on each base with the smallest batch it can run, which needs the least memory and is fastest for a
    /// user: where anything fits, one of these does.
    ///
    /// Assumes: batches ascend.
    pub fn lightest(&self) -> impl Iterator<Item = usize> + '_ {
        let all = self.plans.len() * self.bases.len();
        (0..all).filter_map(|plan| {
            let least = self.plans[plan % self.plans.len()].1.micro_batches();
            let batch = self.batches.partition_point(|batch| *batch < least);
            (batch < self.batches.len()).then(|| plan * self.batches.len() + batch)
        })
    }

    /// Strategy and plan of a candidate; `None` past the end.
    pub fn plan(&self, index: usize) -> Option<&(Strategy, Plan)> {
        (index < self.len()).then(|| &self.plans[index / self.batches.len() % self.plans.len()])
    }

    /// Batch of a candidate; `None` past the end.
    pub fn batch(&self, index: usize) -> Option<f64> {
        (index < self.len()).then(|| self.batches[index % self.batches.len()])
    }

    /// The largest batch.
    pub fn most_batch(&self) -> f64 {
        self.batches.last().copied().unwrap_or(0.0)
    }

    /// Every plan with its strategy, the same on each base.
    pub fn plans(&self) -> &[(Strategy, Plan)] {
        &self.plans
    }

    /// True for a plan's largest batch; the next candidate is another plan.
    pub fn is_last_batch(&self, index: usize) -> bool {
        index % self.batches.len().max(1) + 1 == self.batches.len()
    }

    /// Evaluates a candidate.
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

/// 1, 2, 3, 4, 6, 8, …, `most`: powers of two and the halves between.
pub fn batch_grid(most: f64) -> Vec<f64> {
    batch_steps(most, 2)
}

/// Whole batches from 1 to `most` in `steps` steps to each doubling, without duplicates.
///
/// Assumes: 1 ≤ `steps`. The steps of a doubling are evenly spaced: 4, 5, 6, 7, 8.
pub fn batch_steps(most: f64, steps: u32) -> Vec<f64> {
    let mut batches = Vec::new();
    let mut power = 1.0;
    while power <= most {
        let between =
            (0..steps.max(1)).map(|step| power * (1.0 + f64::from(step) / f64::from(steps)));
        batches.extend(between.filter(|batch| batch.fract() == 0.0 && *batch <= most));
        power *= 2.0;
    }
    batches
}
