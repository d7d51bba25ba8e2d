//! The plan of a model on GPUs, and the rules that make it possible.

use crate::arch::{Arch, Mixer, Moe};
use crate::named::named;
use crate::refusal::Refusal;

/// A plan as a person states it; [`Plan::new`] checks it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PlanSpec {
    /// Data-parallel attention groups, dp.
    pub dp: u32,
    /// Tensor parallelism of attention heads, tp.
    pub tp: u32,
    /// KV parallelism, kvp ([H] 2.1).
    pub kvp: u32,
    /// Tensor parallelism of the FFN, tp_f.
    pub ffn_tp: u32,
    /// Expert parallelism, ep.
    pub ep: u32,
    /// Pipeline stages, pp.
    pub pp: u32,
    /// Redundant experts, R.
    pub redundant: u32,
    /// R over more than [`PlanSpec::NARROW_EP`] expert groups, where it follows the plan; `None` where it is one number.
    pub redundant_wide: Option<u32>,
    /// Expert balancedness β: mean ÷ max load of a GPU.
    pub beta: f64,
    /// Placement of shared experts.
    pub shared: Shared,
    /// Schedule: the times that overlap.
    pub overlap: Overlap,
    /// Max scale-up domains of a token's experts, M; `None` for any number.
    pub node_limit: Option<u32>,
}

impl PlanSpec {
    /// Most expert groups that need no redundant experts: EPLB is for wide EP.
    pub const NARROW_EP: u32 = 32;

    /// The same sharding with experts over other GPUs, and the redundant experts that go with them.
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

    /// False for HOP-B where it would change nothing: it overlaps Helix's exchange, which exists only with a
    /// KVP-sharded context. The plan's own schedule is always allowed.
    pub fn allows(&self, overlap: Overlap) -> bool {
        overlap != Overlap::HopB || self.kvp > 1 || self.overlap == overlap
    }
}

named! {
    /// Placement of shared experts.
    pub enum Shared {
        /// Placed on the expert grid like routed ones. Source: [A] 3.4.
        Distributed = "distributed",
        /// Replicated on every GPU; sharded over all of them where every GPU has every token (dp = 1).
        Replicated = "replicated",
    }
}

named! {
    /// Schedules: the times of a step that overlap.
    pub enum Overlap {
        /// Nothing overlaps. Source: [A] eq 48.
        Sequential = "none",
        /// Two half batches, one computing while the other communicates. Source: [A] eq 49.
        TwoBatch = "two-batch",
        /// Helix's exchange overlapped with attention, request by request. Source: [H] 2.1.3.
        HopB = "hop-b",
    }
}

/// A plan that breaks no rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    spec: PlanSpec,
    gpus: u32,
    experts: bool,
}

impl Plan {
    /// Checks `spec` for a model and a GPU count. Errors: every broken rule.
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

    /// The unchecked plan.
    pub const fn spec(&self) -> &PlanSpec {
        &self.spec
    }

    /// GPUs of one attention group, g = tp·kvp.
    pub const fn group(&self) -> u32 {
        self.spec.tp * self.spec.kvp
    }

    /// GPUs that share a dense FFN, ffn_tp; the attention group in MoE models.
    pub const fn dense_shards(&self) -> u32 {
        if self.experts {
            self.group()
        } else {
            self.spec.ffn_tp
        }
    }

    /// GPUs of one pipeline stage, N/pp.
    pub const fn stage_gpus(&self) -> u32 {
        self.gpus / self.spec.pp
    }

    /// GPUs of the whole deployment, N.
    pub const fn gpus(&self) -> u32 {
        self.gpus
    }

    /// True for a model with experts.
    pub const fn has_experts(&self) -> bool {
        self.experts
    }

    /// Experts of a layer on the expert grid, redundant ones included: E + E_s·\[distributed\] + R.
    pub const fn experts_placed(&self, moe: &Moe) -> u32 {
        experts_placed(moe, self.spec.shared, self.spec.redundant)
    }

    /// Expert balancedness; a single expert group is balanced by definition.
    pub const fn beta(&self) -> f64 {
        if self.spec.ep == 1 {
            1.0
        } else {
            self.spec.beta
        }
    }

    /// True if every GPU holds every token (dp = 1), so that experts need no all-to-all.
    pub const fn tokens_replicated(&self) -> bool {
        self.spec.dp == 1
    }

    /// Passes of a step: two half batches under two-batch overlap, else one.
    pub const fn passes(&self) -> f64 {
        match self.spec.overlap {
            Overlap::TwoBatch => 2.0,
            Overlap::Sequential | Overlap::HopB => 1.0,
        }
    }
}

impl Plan {
    /// Concurrent micro-batches, dp·pp·passes: the minimum batch of the plan. Loads are means, but no micro-batch
    /// has less than one sequence.
    pub fn micro_batches(&self) -> f64 {
        f64::from(self.spec.dp) * f64::from(self.spec.pp) * self.passes()
    }
}

/// Experts of a layer on the expert grid: E + E_s·\[distributed\] + R. Shared experts of another shape
/// than the routed are replicated whatever the plan.
pub const fn experts_placed(moe: &Moe, shared: Shared, redundant: u32) -> u32 {
    let on_grid = match shared {
        Shared::Distributed if moe.shared_alike() => moe.shared_experts,
        Shared::Distributed | Shared::Replicated => 0,
    };
    moe.experts + redundant + on_grid
}

/// The least number of placed experts in any layer with experts; `None` for a dense model.
pub fn least_experts_placed(arch: &Arch, shared: Shared, redundant: u32) -> Option<u32> {
    arch.moes()
        .map(|part| experts_placed(&part.shape, shared, redundant))
        .min()
}

/// Refuses a tp that does not divide the heads of every mixer, and a tp·kvp that does not divide the output groups of
/// compressed layers.
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
