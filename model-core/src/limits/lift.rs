//! What lifts a limit, and what that serves: every answer is the limit of a changed scenario.

use super::best_batch;
use super::growth::on_gpus;
use crate::advice::drafts;
use crate::evaluate::with_batch;
use crate::hardware::Cluster;
use crate::order::sort_by;
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::scenario::{Inputs, Number, Scenario};
use crate::sensitivity::{Resource, changed};

/// A change that may lift a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lift {
    /// Twice the memory on every GPU.
    Capacity,
    /// Twice as many GPUs, sharded as they are or as so many are by default.
    Gpus,
    /// Half the bytes per cached element.
    Cache,
    /// Half the context.
    Context,
    /// No redundant experts.
    Redundant,
    /// The weights that the model's authors published, where those are narrower.
    Weights,
    /// Twice the HBM bandwidth.
    Hbm,
    /// Twice the scale-out bandwidth.
    ScaleOut,
    /// Twice the scale-up bandwidth.
    ScaleUp,
    /// Twice the GPUs in a scale-up domain.
    Domain,
    /// Twice the arithmetic, all formats.
    Compute,
    /// Two-batch overlap.
    Overlap,
    /// Nothing overlapped: every weight is read once.
    Sequential,
    /// One drafted token, verified with the next step, of a model that comes with a head for it.
    Draft,
}

/// What a change asks of those who make it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Price {
    /// Another setting on the same GPUs.
    Free,
    /// Other hardware, or more.
    Bought,
    /// Another workload.
    Workload,
}

impl Price {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Free, Self::Bought, Self::Workload];
}

impl Lift {
    /// Every change, in the order in which equal ones are listed.
    pub const ALL: [Self; 14] = [
        Self::Gpus,
        Self::Capacity,
        Self::Cache,
        Self::Context,
        Self::Redundant,
        Self::Weights,
        Self::Hbm,
        Self::ScaleOut,
        Self::ScaleUp,
        Self::Domain,
        Self::Compute,
        Self::Overlap,
        Self::Sequential,
        Self::Draft,
    ];

    /// What it asks for.
    pub const fn price(self) -> Price {
        match self {
            Self::Cache
            | Self::Redundant
            | Self::Weights
            | Self::Overlap
            | Self::Sequential
            | Self::Draft => Price::Free,
            Self::Capacity
            | Self::Gpus
            | Self::Hbm
            | Self::ScaleOut
            | Self::ScaleUp
            | Self::Domain
            | Self::Compute => Price::Bought,
            Self::Context => Price::Workload,
        }
    }

    /// The changed scenario; `None` where the change means nothing.
    pub fn apply(self, inputs: &Inputs, scenario: &Scenario) -> Option<Scenario> {
        let mut better = *scenario;
        let cluster = &mut better.cluster;
        match self {
            Self::Capacity => cluster.capacity = cluster.capacity * 2.0,
            Self::Hbm => cluster.hbm = cluster.hbm * 2.0,
            Self::Compute => better = changed(scenario, Resource::Compute, 2.0).ok()?,
            Self::ScaleOut if crosses_domains(cluster) => {
                cluster.scale_out = cluster.scale_out * 2.0;
            }
            Self::ScaleUp if cluster.gpus > 1 => cluster.scale_up = cluster.scale_up * 2.0,
            Self::Domain if crosses_domains(cluster) => cluster.domain *= 2,
            Self::ScaleOut | Self::ScaleUp | Self::Domain => return None,
            Self::Gpus => {
                let gpus = f64::from(cluster.gpus) * 2.0;
                if !Number::Gpus.allows(gpus) {
                    return None;
                }
                // What was sharded for fewer may serve more when it is sharded for so many.
                let mut bare = *inputs;
                bare.unshard();
                let ways = [inputs, &bare].map(|inputs| on_gpus(inputs, gpus as u32).ok());
                return ways.into_iter().flatten().reduce(|kept, other| {
                    if best_batch(&other) > best_batch(&kept) {
                        other
                    } else {
                        kept
                    }
                });
            }
            Self::Cache => {
                let bytes = better.precision.kv / 2.0;
                if !Number::KvBytes.allows(bytes) {
                    return None;
                }
                better.precision.kv = bytes;
            }
            Self::Context => {
                better.workload.context = (better.workload.context / 2.0).max(1.0);
            }
            Self::Redundant => {
                let spec = *scenario.plan.spec();
                let bare = PlanSpec {
                    redundant: 0,
                    ..spec
                };
                let plan = Plan::new(bare, &scenario.arch, scenario.cluster.gpus).ok()?;
                let dense = !scenario.arch.is_moe();
                if spec.redundant == 0 || dense {
                    return None;
                }
                better.plan = plan;
            }
            Self::Weights => {
                let with = inputs.narrowed()?.precision();
                let peak = |format| better.cluster.peaks.of(format).is_some();
                if !(peak(with.attention_format) && peak(with.ffn_format)) {
                    return None;
                }
                better.precision = with;
            }
            Self::Overlap => better.plan = scheduled(scenario, Overlap::TwoBatch)?,
            Self::Sequential => better.plan = scheduled(scenario, Overlap::Sequential)?,
            Self::Draft => {
                if better.workload.speculation.depth > 0 || !drafts(&inputs.model) {
                    return None;
                }
                better.workload.speculation.depth = 1;
            }
        }
        Some(better)
    }
}

/// The plan under another schedule.
fn scheduled(scenario: &Scenario, overlap: Overlap) -> Option<Plan> {
    let spec = *scenario.plan.spec();
    if spec.overlap == overlap {
        return None;
    }
    Plan::new(
        PlanSpec { overlap, ..spec },
        &scenario.arch,
        scenario.cluster.gpus,
    )
    .ok()
}

const fn crosses_domains(cluster: &Cluster) -> bool {
    cluster.gpus > cluster.domain
}

/// What a change does to the largest batch that fits and meets the SLO.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lifted {
    /// The change.
    pub lift: Lift,
    /// The largest batch afterwards.
    pub batch: f64,
    /// Tokens per second in all with it; 0 when nothing fits.
    pub tokens: f64,
}

/// Every change of these prices that means something, the one with which the largest batch serves most first.
pub fn lifts(inputs: &Inputs, scenario: &Scenario, prices: &[Price]) -> Vec<Lifted> {
    let wanted = { Lift::ALL.into_iter() }.filter(|lift| prices.contains(&lift.price()));
    let mut lifted: Vec<Lifted> = wanted
        .filter_map(|lift| {
            let better = lift.apply(inputs, scenario)?;
            let batch = best_batch(&better);
            Some(Lifted {
                lift,
                batch,
                tokens: served(&better, batch),
            })
        })
        .collect();
    sort_by(&mut lifted, |left, right| {
        let more = right.tokens.total_cmp(&left.tokens);
        more.then(right.batch.total_cmp(&left.batch))
    });
    lifted
}

/// Tokens per second in all of a scenario with a batch; 0 where there is none.
pub fn served(scenario: &Scenario, batch: f64) -> f64 {
    match batch >= 1.0 {
        true => with_batch(scenario, batch).map_or(0.0, |found| found.tokens),
        false => 0.0,
    }
}
