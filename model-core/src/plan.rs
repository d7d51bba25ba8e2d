//! How a model is sharded over GPUs, and the rules that make a sharding possible.

use crate::arch::{Arch, Ffn};
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

/// Where shared experts live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shared {
    /// Placed on the expert grid like routed ones. Source: [A] 3.4.
    Distributed,
    /// A copy on every GPU; sharded over all of them where every GPU has every token (dp = 1).
    Replicated,
}

impl Shared {
    /// Both places.
    pub const ALL: [Self; 2] = [Self::Distributed, Self::Replicated];

    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Distributed => "distributed",
            Self::Replicated => "replicated",
        }
    }
}

/// Which times hide behind which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlap {
    /// One after the other. Source: [A] eq 48.
    Sequential,
    /// Two half batches, one computing while the other communicates. Source: [A] eq 49.
    TwoBatch,
    /// Helix's exchange behind attention, request by request. Source: [H] 2.1.3.
    HopB,
}

impl Overlap {
    /// All schedules.
    pub const ALL: [Self; 3] = [Self::Sequential, Self::TwoBatch, Self::HopB];

    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Sequential => "none",
            Self::TwoBatch => "two-batch",
            Self::HopB => "hop-b",
        }
    }
}

/// A sharding that obeys every rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    spec: PlanSpec,
    gpus: u32,
    placed: u32,
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
        if !arch.attention.heads().is_multiple_of(tp) {
            broken.push(Refusal::Heads {
                tp,
                heads: arch.attention.heads(),
            });
        }
        if pp > arch.layers {
            broken.push(Refusal::Stages {
                pp,
                layers: arch.layers,
            });
        }
        let mut placed = 0;
        match arch.ffn {
            Ffn::Moe { .. } => {
                if wide(ffn_tp) * wide(ep) * wide(pp) != wide(gpus) {
                    broken.push(Refusal::FfnProduct {
                        ffn_tp,
                        ep,
                        pp,
                        gpus,
                    });
                }
                placed = experts_placed(arch, spec.shared, spec.redundant);
                if ep > placed {
                    broken.push(Refusal::ExpertGroups { ep, placed });
                }
            }
            Ffn::Dense { .. } => {
                if ep != 1 {
                    broken.push(Refusal::NoExperts { ep });
                }
                if !(wide(tp) * wide(kvp)).is_multiple_of(wide(ffn_tp)) {
                    broken.push(Refusal::FfnGroup { ffn_tp, tp, kvp });
                }
            }
        }
        if broken.is_empty() {
            Ok(Self { spec, gpus, placed })
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

    /// Experts placed on the expert grid, copies included: E + E_s·\[distributed\] + R.
    pub const fn experts_placed(&self) -> u32 {
        self.placed
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

/// Experts on the expert grid: E + E_s·\[distributed\] + R; 0 for a dense model.
pub const fn experts_placed(arch: &Arch, shared: Shared, redundant: u32) -> u32 {
    match arch.ffn {
        Ffn::Dense { .. } => 0,
        Ffn::Moe {
            experts,
            shared_experts,
            ..
        } => {
            experts
                + redundant
                + if matches!(shared, Shared::Distributed) {
                    shared_experts
                } else {
                    0
                }
        }
    }
}
