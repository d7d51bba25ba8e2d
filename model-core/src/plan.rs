//! How a model is sharded over GPUs, and the rules that make a sharding possible.

use crate::arch::{Arch, Mixer, Moe};
use crate::named::named;
use crate::scenario::refusal::Refusal;

/// A sharding as a person states it; [`Plan::new`] checks it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanSpec {
    /// Data-parallel attention groups, dp.
    pub dp: u32,
    /// Attention heads split over, tp.
    pub tp: u32,
    /// Context split over, kvp ([H] 2.1).
    pub kvp: u32,
    /// Feed-forward matrices split over, tp_f.
    pub ffn_tp: u32,
    /// Experts spread over, ep.
    pub ep: u32,
    /// Pipeline stages, pp.
    pub pp: u32,
    /// Redundant copies of experts, R.
    pub redundant: u32,
    /// Expert balancedness β: mean load over the greatest load of a GPU.
    pub beta: f64,
    /// Where shared experts live.
    pub shared: Shared,
    /// What hides behind what.
    pub overlap: Overlap,
    /// Scale-up domains a token's experts may lie in, M; `None` for any number.
    pub node_limit: Option<u32>,
}

impl PlanSpec {
    /// Whether a schedule means something else here than running in sequence: HOP-B hides Helix's exchange, which
    /// there is where the context is split.
    pub fn allows(&self, overlap: Overlap) -> bool {
        overlap != Overlap::HopB || self.kvp > 1 || self.overlap == overlap
    }
}

named! {
    /// Where shared experts live.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Shared {
        /// Placed on the expert grid like routed ones. Source: [A] 3.4.
        Distributed = "distributed",
        /// A copy on every GPU; sharded over all of them where every GPU has every token (dp = 1).
        Replicated = "replicated",
    }
}

named! {
    /// Which times hide behind which.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Overlap {
        /// One after the other. Source: [A] eq 48.
        Sequential = "none",
        /// Two half batches, one computing while the other communicates. Source: [A] eq 49.
        TwoBatch = "two-batch",
        /// Helix's exchange behind attention, request by request. Source: [H] 2.1.3.
        HopB = "hop-b",
    }
}

/// A sharding that obeys every rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    spec: PlanSpec,
    gpus: u32,
    experts: bool,
}

impl Plan {
    /// Checks `spec` against a model and a number of GPUs; every broken rule is reported.
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

    /// The sharding as stated.
    pub const fn spec(&self) -> &PlanSpec {
        &self.spec
    }

    /// GPUs of one attention group, g = tp·kvp.
    pub const fn group(&self) -> u32 {
        self.spec.tp * self.spec.kvp
    }

    /// GPUs of one pipeline stage, N/pp.
    pub const fn stage_gpus(&self) -> u32 {
        self.gpus / self.spec.pp
    }

    /// GPUs of the whole deployment, N.
    pub const fn gpus(&self) -> u32 {
        self.gpus
    }

    /// Whether the model has experts.
    pub const fn has_experts(&self) -> bool {
        self.experts
    }

    /// Experts of a layer placed on the expert grid, copies included: E + E_s·\[distributed\] + R.
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

    /// Whether every GPU holds every token, so that experts are fed without an all-to-all.
    pub const fn tokens_replicated(&self) -> bool {
        self.spec.dp == 1
    }

    /// Passes a step is made of: two half batches under two-batch overlap.
    pub const fn passes(&self) -> f64 {
        match self.spec.overlap {
            Overlap::TwoBatch => 2.0,
            Overlap::Sequential | Overlap::HopB => 1.0,
        }
    }
}

impl Plan {
    /// Micro-batches that run at once, dp·pp·passes: the fewest sequences the plan is a deployment for.
    /// Loads are means, but a micro-batch of less than one sequence is none.
    pub fn micro_batches(&self) -> f64 {
        f64::from(self.spec.dp) * f64::from(self.spec.pp) * self.passes()
    }
}

/// Experts of a layer on the expert grid: E + E_s·\[distributed\] + R. Shared experts of another shape
/// than the routed are replicated whatever the plan says.
pub const fn experts_placed(moe: &Moe, shared: Shared, redundant: u32) -> u32 {
    let on_grid = match shared {
        Shared::Distributed if moe.shared_alike() => moe.shared_experts,
        Shared::Distributed | Shared::Replicated => 0,
    };
    moe.experts + redundant + on_grid
}

/// The least experts placed in any layer with experts; `None` for a dense model.
pub fn least_experts_placed(arch: &Arch, shared: Shared, redundant: u32) -> Option<u32> {
    arch.moes()
        .map(|part| experts_placed(&part.shape, shared, redundant))
        .min()
}

/// tp must divide the heads of every mixer, tp·kvp the output groups of compressed layers.
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
