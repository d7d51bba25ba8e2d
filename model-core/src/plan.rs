//! A plan: the sharding, schedule and expert placement of a model on GPUs, and the rules that make a plan valid.

use crate::arch::{Arch, Mixer, Moe};
use crate::named::named;
use crate::refusal::Refusal;

/// An unchecked plan, as the user specifies it; [`Plan::new`] checks it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PlanSpec {
    /// Number of data-parallel attention groups in each pipeline stage, dp.
    pub dp: u32,
    /// Degree of tensor parallelism over the attention heads, tp.
    pub tp: u32,
    /// Degree of KV parallelism, kvp ([H] 2.1).
    pub kvp: u32,
    /// Degree of tensor parallelism in the FFN, tp_f.
    pub ffn_tp: u32,
    /// Degree of expert parallelism, ep.
    pub ep: u32,
    /// Number of pipeline stages, pp.
    pub pp: u32,
    /// Number of redundant experts per MoE layer, R.
    pub redundant: u32,
    /// Number of redundant experts, R, in plans with more than [`PlanSpec::NARROW_EP`] expert groups; all other plans
    /// have none. `None` if R does not depend on the number of groups.
    pub redundant_wide: Option<u32>,
    /// Expert balancedness β: mean load ÷ max load over the EP ranks.
    pub beta: f64,
    /// Placement of shared experts: on the expert-parallel (EP) grid, or replicated.
    pub shared: Shared,
    /// Schedule of a step: which parts of the step overlap.
    pub overlap: Overlap,
    /// Max number M of scale-up domains across which one token's experts may be spread; `None` for no limit.
    pub node_limit: Option<u32>,
}

impl PlanSpec {
    /// Max number of expert groups for which no redundant experts are used by default. EPLB is meant for wide EP.
    pub const NARROW_EP: u32 = 32;

    /// Returns this plan with the FFN sharded by `ffn_tp` and `ep` instead, and with the number of redundant experts
    /// for that `ep`.
    #[must_use]
    pub fn over_experts(self, ffn_tp: u32, ep: u32) -> Self {
        let redundant = match self.redundant_wide {
            Some(wide) if ep > Self::NARROW_EP => wide,
            Some(_) => 0,
            None => self.redundant,
        };
        Self {
            ffn_tp,
            ep,
            redundant,
            ..self
        }
    }

    /// Returns true if the plan may use this schedule. HOP-B overlaps Helix's exchange, which exists only if kvp > 1.
    /// For kvp = 1, HOP-B is allowed only if the plan already uses it.
    pub fn allows(&self, overlap: Overlap) -> bool {
        overlap != Overlap::HopB || self.kvp > 1 || self.overlap == overlap
    }
}

named! {
    /// Placement of shared experts: on the expert-parallel (EP) grid, or replicated.
    pub enum Shared {
        /// Shared experts are placed on the expert-parallel (EP) grid like routed experts. Source: [A] 3.4.
        Distributed = "distributed",
        /// Shared experts are replicated on every GPU. If every GPU holds every token (dp = 1), they are sharded over
        /// all GPUs of a pipeline stage instead.
        Replicated = "replicated",
    }
}

named! {
    /// Schedules of a step: which parts of the step overlap.
    pub enum Overlap {
        /// No parts of a step overlap. Source: [A] eq 48.
        Sequential = "none",
        /// The batch is split in two halves: one computes while the other communicates. Source: [A] eq 49.
        TwoBatch = "two-batch",
        /// Helix's exchange overlaps attention, request by request. Source: [H] 2.1.3.
        HopB = "hop-b",
    }
}

/// A valid plan: it satisfies every rule for its model and GPU count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    spec: PlanSpec,
    gpus: u32,
    experts: bool,
}

impl Plan {
    /// Checks a plan specification for a model and a GPU count. If it is invalid, the error lists every broken rule.
    pub fn new(spec: PlanSpec, arch: &Arch, gpus: u32) -> Result<Self, Vec<Refusal>> {
        let PlanSpec {
            dp,
            tp,
            kvp,
            ffn_tp,
            ep,
            pp,
            ..
        } = spec;
        let wide = u64::from;
        let mut broken = Vec::new();
        if wide(dp) * wide(tp) * wide(kvp) * wide(pp) != wide(gpus) {
            broken.push(Refusal::AttentionProduct {
                dp,
                tp,
                kvp,
                pp,
                gpus,
            });
        }
        refuse_heads(arch, tp, wide(tp) * wide(kvp), &mut broken);
        if pp > arch.layers() {
            broken.push(Refusal::Stages {
                pp,
                layers: arch.layers(),
            });
        }
        let placed = least_experts_placed(arch, spec.shared, spec.redundant);
        if let Some(placed) = placed {
            if wide(ffn_tp) * wide(ep) * wide(pp) != wide(gpus) {
                broken.push(Refusal::FfnProduct {
                    ffn_tp,
                    ep,
                    pp,
                    gpus,
                });
            }
            if ep > placed {
                broken.push(Refusal::ExpertGroups { ep, placed });
            }
        } else {
            if ep != 1 {
                broken.push(Refusal::NoExperts { ep });
            }
            if !(wide(tp) * wide(kvp)).is_multiple_of(wide(ffn_tp)) {
                broken.push(Refusal::FfnGroup { ffn_tp, tp, kvp });
            }
        }
        if broken.is_empty() {
            let experts = placed.is_some();
            Ok(Self {
                spec,
                gpus,
                experts,
            })
        } else {
            Err(broken)
        }
    }

    /// Returns the specification of this plan.
    pub const fn spec(&self) -> &PlanSpec {
        &self.spec
    }

    /// Returns the number of GPUs in one attention group, g = tp·kvp.
    pub const fn group(&self) -> u32 {
        self.spec.tp * self.spec.kvp
    }

    /// Returns the number of GPUs that shard a dense FFN: ffn_tp in dense models, the attention group in MoE models.
    pub const fn dense_shards(&self) -> u32 {
        if self.experts {
            self.group()
        } else {
            self.spec.ffn_tp
        }
    }

    /// Returns the number of GPUs in one pipeline stage, N/pp.
    pub const fn stage_gpus(&self) -> u32 {
        self.gpus / self.spec.pp
    }

    /// Returns the number of GPUs in the plan, N.
    pub const fn gpus(&self) -> u32 {
        self.gpus
    }

    /// Returns true if the plan's model has experts.
    pub const fn has_experts(&self) -> bool {
        self.experts
    }

    /// Returns the number of experts of one layer that are placed on the expert-parallel (EP) grid, redundant experts
    /// included: E + E_s·\[distributed\] + R. Shared experts (E_s) count only if they are distributed.
    pub const fn experts_placed(&self, moe: &Moe) -> u32 {
        experts_placed(moe, self.spec.shared, self.spec.redundant)
    }

    /// Returns the expert balancedness β (mean load ÷ max load). With a single expert group, β is 1 by definition.
    pub const fn beta(&self) -> f64 {
        if self.spec.ep == 1 {
            1.0
        } else {
            self.spec.beta
        }
    }

    /// Returns true if every GPU holds every token (dp = 1), so that experts need no all-to-all.
    pub const fn tokens_replicated(&self) -> bool {
        self.spec.dp == 1
    }

    /// Returns the number of passes in a step: two under two-batch overlap (one for each half batch), else one.
    pub const fn passes(&self) -> f64 {
        match self.spec.overlap {
            Overlap::TwoBatch => 2.0,
            Overlap::Sequential | Overlap::HopB => 1.0,
        }
    }
}

impl Plan {
    /// Returns the number of concurrent micro-batches, dp·pp·passes, which is the minimum batch of the plan. Loads
    /// are means and need not be integers, but every micro-batch has at least one sequence.
    pub fn micro_batches(&self) -> f64 {
        f64::from(self.spec.dp) * f64::from(self.spec.pp) * self.passes()
    }
}

/// Returns the number of experts of one layer that are placed on the expert-parallel (EP) grid: E +
/// E_s·\[distributed\] + R. Shared experts (E_s) whose shape differs from that of the routed experts are always
/// replicated, so they are not counted.
pub const fn experts_placed(moe: &Moe, shared: Shared, redundant: u32) -> u32 {
    let on_grid = match shared {
        Shared::Distributed if moe.shared_alike() => moe.shared_experts,
        Shared::Distributed | Shared::Replicated => 0,
    };
    moe.experts + redundant + on_grid
}

/// Returns the smallest number of experts placed on the expert-parallel (EP) grid in any MoE layer; `None` for a
/// dense model.
pub fn least_experts_placed(arch: &Arch, shared: Shared, redundant: u32) -> Option<u32> {
    arch.moes()
        .map(|part| experts_placed(&part.shape, shared, redundant))
        .min()
}

/// Adds a refusal for each mixer if tp does not divide its heads, or if tp·kvp does not divide its output groups
/// (compressed attention).
fn refuse_heads(arch: &Arch, tp: u32, group: u64, broken: &mut Vec<Refusal>) {
    let alone = arch.mixers().len() == 1 && arch.attends_to_all();
    let mut refuse = |refusal: Refusal| {
        if !broken.contains(&refusal) {
            broken.push(refusal);
        }
    };
    for part in arch.mixers() {
        for (field, heads) in part.shape.divided_by_tp() {
            if !heads.is_multiple_of(tp) {
                refuse(if alone {
                    Refusal::Heads { tp, heads }
                } else {
                    Refusal::MixerHeads {
                        tp,
                        heads,
                        field,
                        mixer: part.shape.id(),
                    }
                });
            }
        }
        if let Mixer::Compressed(shape) = part.shape
            && !u64::from(shape.out_groups).is_multiple_of(group)
        {
            refuse(Refusal::OutputGroups {
                group,
                out_groups: shape.out_groups,
            });
        }
    }
}
