//! Searching plans: every family × GPUs × batch × accelerator, lazily and in a fixed order.
//!
//! A [`Space`] is a list of candidates by index, so that a worker can run any range of it; evaluating
//! one allocates nothing.

use crate::arch::{Arch, Attention, Ffn};
use crate::evaluate::evaluate;
use crate::hardware::Accelerator;
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::scenario::Scenario;

/// A way of sharding, as [H] 3.1 names its baselines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Heads and matrices split over all GPUs.
    Tensor,
    /// The same within pipeline stages.
    TensorPipeline,
    /// Data-parallel attention with expert-parallel feed-forward.
    DataExpert,
    /// Context split over all GPUs, the feed-forward on tp of them. Source: Medha, as [H] compares it.
    Medha,
    /// Context and heads split for attention, all GPUs for the feed-forward. Source: [H] 2.
    Helix,
    /// Helix with its exchange behind attention. Source: [H] 2.1.3.
    HelixHopB,
}

impl Family {
    /// Every family, in the order they are searched.
    pub const ALL: [Self; 6] = [
        Self::Tensor,
        Self::TensorPipeline,
        Self::DataExpert,
        Self::Medha,
        Self::Helix,
        Self::HelixHopB,
    ];

    /// Those that Helix is compared with.
    pub const BASELINES: [Self; 4] = [
        Self::Tensor,
        Self::TensorPipeline,
        Self::DataExpert,
        Self::Medha,
    ];

    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Tensor => "tp",
            Self::TensorPipeline => "tp-pp",
            Self::DataExpert => "dp-ep",
            Self::Medha => "medha",
            Self::Helix => "helix",
            Self::HelixHopB => "helix-hop-b",
        }
    }

    const fn overlap(self) -> Overlap {
        match self {
            Self::HelixHopB => Overlap::HopB,
            _ => Overlap::Sequential,
        }
    }
}

/// What is searched. `base` gives everything that is not enumerated: model, workload, precision,
/// calibration, links, β, redundant experts.
#[derive(Debug, Clone)]
pub struct Space {
    base: Scenario,
    plans: Vec<(Family, Plan)>,
    batches: Vec<f64>,
    accelerators: Vec<Accelerator>,
    refused: usize,
}

/// One point of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Its index in the space.
    pub index: usize,
    /// Its family.
    pub family: Family,
    /// Tokens per second of one user.
    pub tokens_per_user: f64,
    /// Tokens per second of one GPU.
    pub tokens_per_gpu: f64,
    /// US dollars per million tokens, where a price is known.
    pub dollars_per_mtok: Option<f64>,
}

/// What became of a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// It works.
    Fits(Point),
    /// Its weights, cache and activations do not fit the memory.
    OutOfMemory,
    /// It fits but is slower than the SLO.
    MissesSlo,
    /// Fewer sequences than data-parallel groups times stages, a format the accelerator lacks, or a
    /// result out of range.
    Impossible,
}

impl Space {
    /// Enumerates every valid plan of `families` on each number of GPUs; `accelerators` may be
    /// empty, for the base's own.
    pub fn new(
        base: &Scenario,
        families: &[Family],
        gpus: &[u32],
        batches: Vec<f64>,
        accelerators: Vec<Accelerator>,
    ) -> Self {
        let mut space = Self {
            base: *base,
            plans: Vec::new(),
            batches,
            accelerators,
            refused: 0,
        };
        for &family in Family::ALL
            .iter()
            .filter(|family| families.contains(family))
        {
            for &gpus in gpus {
                space.add_family(family, gpus);
            }
        }
        space
    }

    /// Number of candidates.
    pub fn len(&self) -> usize {
        self.plans.len() * self.batches.len() * self.accelerators.len().max(1)
    }

    /// Whether there is nothing to search.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Shardings that broke a rule of [`Plan::new`] and are no candidates.
    pub const fn refused(&self) -> usize {
        self.refused
    }

    /// The scenario of a candidate, for opening it; `None` past the end.
    pub fn scenario(&self, index: usize) -> Option<(Family, Scenario)> {
        let plans = self.plans.len();
        let batches = self.batches.len();
        if index >= self.len() {
            return None;
        }
        let batch = self.batches[index % batches];
        let (family, plan) = self.plans[index / batches % plans];
        let mut scenario = self.base;
        scenario.plan = plan;
        scenario.cluster.gpus = plan.gpus();
        scenario.workload.batch = batch;
        if let Some(accelerator) = self.accelerators.get(index / batches / plans) {
            let cluster = &mut scenario.cluster;
            cluster.peaks = accelerator.peaks;
            cluster.hbm = accelerator.hbm;
            cluster.capacity = accelerator.capacity;
            cluster.domain = accelerator.domain;
            cluster.scale_up = accelerator.scale_up;
            cluster.scale_out = accelerator.scale_out;
            scenario.dollars_per_hour = accelerator.dollars_per_hour;
            scenario.board_watts = accelerator.board_watts;
        }
        Some((family, scenario))
    }

    /// Evaluates a candidate.
    pub fn outcome(&self, index: usize) -> Outcome {
        let Some((family, scenario)) = self.scenario(index) else {
            return Outcome::Impossible;
        };
        // Loads are means, but a micro-batch of less than one sequence is no deployment.
        let spec = scenario.plan.spec();
        if scenario.workload.batch < f64::from(spec.dp) * f64::from(spec.pp) {
            return Outcome::Impossible;
        }
        let Ok(evaluation) = evaluate(&scenario) else {
            return Outcome::Impossible;
        };
        if !evaluation.memory.fits() {
            return Outcome::OutOfMemory;
        }
        if scenario
            .workload
            .slo
            .is_some_and(|slo| evaluation.tokens_per_user < slo)
        {
            return Outcome::MissesSlo;
        }
        Outcome::Fits(Point {
            index,
            family,
            tokens_per_user: evaluation.tokens_per_user,
            tokens_per_gpu: evaluation.tokens_per_gpu,
            dollars_per_mtok: evaluation.dollars_per_mtok,
        })
    }

    fn add_family(&mut self, family: Family, gpus: u32) {
        let arch = self.base.arch;
        let moe = matches!(arch.ffn, Ffn::Moe { .. });
        for pp in divisors(gpus).filter(|pp| (*pp > 1) == (family == Family::TensorPipeline)) {
            let stage = gpus / pp;
            for (dp, tp, kvp) in attention_splits(family, stage, &arch) {
                let ffn: Vec<(u32, u32)> = match (family, moe) {
                    (Family::Medha, true) => Vec::new(),
                    (Family::Medha, false) => vec![(tp, 1)],
                    (Family::DataExpert, false) => vec![(1, 1)],
                    (_, false) => vec![(stage, 1)],
                    (_, true) => divisors(stage).map(|ep| (stage / ep, ep)).collect(),
                };
                for (ffn_tp, ep) in ffn {
                    let base = *self.base.plan.spec();
                    let overlap = family.overlap();
                    let spec = PlanSpec {
                        dp,
                        tp,
                        kvp,
                        ffn_tp,
                        ep,
                        pp,
                        overlap,
                        ..base
                    };
                    match Plan::new(spec, &arch, gpus) {
                        Ok(plan) => self.plans.push((family, plan)),
                        Err(_) => self.refused += 1,
                    }
                }
            }
        }
    }
}

/// The splits (dp, tp, kvp) of a stage's attention that make a family.
fn attention_splits(family: Family, stage: u32, arch: &Arch) -> Vec<(u32, u32, u32)> {
    let kv_heads = match arch.attention {
        Attention::Grouped { kv_heads, .. } => kv_heads,
        Attention::Latent { .. } => 1,
    };
    match family {
        Family::Tensor | Family::TensorPipeline => vec![(1, stage, 1)],
        Family::DataExpert => vec![(stage, 1, 1)],
        Family::Medha => divisors(stage)
            .filter(|tp| stage / tp > 1)
            .map(|tp| (1, tp, stage / tp))
            .collect(),
        // Beyond tp = n_kv the cache would be kept twice, which Helix exists to avoid.
        Family::Helix | Family::HelixHopB => divisors(stage)
            .filter(|tp| *tp <= kv_heads)
            .map(|tp| (1, tp, stage / tp))
            .collect(),
    }
}

fn divisors(of: u32) -> impl Iterator<Item = u32> {
    (1..=of).filter(move |divisor| of.is_multiple_of(*divisor))
}

/// 1, 2, 3, 4, 6, 8 … `most`: powers of two and the halves between, a batch grid as people use them.
pub fn batch_grid(most: f64) -> Vec<f64> {
    let mut batches = vec![1.0];
    let mut power = 2.0;
    while power <= most {
        batches.push(power);
        if 1.5 * power <= most {
            batches.push(1.5 * power);
        }
        power *= 2.0;
    }
    batches
}
