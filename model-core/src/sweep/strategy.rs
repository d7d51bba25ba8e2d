//! Parallelism strategies, and the plans that each strategy includes.

use crate::arch::{Arch, Mixer};
use crate::math::divisors;
use crate::named::named;
use crate::plan::{Overlap, PlanSpec};

named! {
    /// A parallelism strategy. The names follow the baselines of [H] 3.1.
    pub enum Strategy {
        /// Tensor parallelism: heads and weight matrices are sharded over all GPUs.
        Tensor = "tp",
        /// Tensor parallelism within pipeline stages.
        TensorPipeline = "tp-pp",
        /// Data-parallel attention with an expert-parallel FFN.
        DataExpert = "dp-ep",
        /// The context is sharded over all GPUs, but the FFN only over tp GPUs. Source: Medha, in the comparison of
        /// [H].
        Medha = "medha",
        /// Attention is sharded by context and heads, and the FFN over all GPUs. Source: [H] 2.
        Helix = "helix",
        /// Helix, with Helix's exchange overlapped with attention. Source: [H] 2.1.3.
        HelixHopB = "helix-hop-b",
    }
}

impl Strategy {
    /// Baseline strategies with which [H] compares Helix.
    pub const BASELINES: [Self; 4] = [
        Self::Tensor,
        Self::TensorPipeline,
        Self::DataExpert,
        Self::Medha,
    ];

    /// Returns the strategy of a plan; if no strategy includes the plan, the most similar one. DP ranks of several
    /// GPUs are treated like DP ranks of one GPU.
    pub const fn of(spec: &PlanSpec) -> Self {
        let attention = spec.dp * spec.tp * spec.kvp;
        if matches!(spec.overlap, Overlap::HopB) {
            Self::HelixHopB
        } else if spec.pp > 1 {
            Self::TensorPipeline
        } else if spec.kvp > 1 && spec.ffn_tp * spec.ep < attention {
            Self::Medha
        } else if spec.kvp > 1 {
            Self::Helix
        } else if spec.dp > 1 {
            Self::DataExpert
        } else {
            Self::Tensor
        }
    }

    /// Returns the index of this strategy in [`Strategy::ALL`].
    pub const fn rank(self) -> usize {
        self as usize
    }

    /// Returns the schedules to search if the scenario's schedule is `wanted`. HOP-B is a separate strategy. A search
    /// with two-batch overlap includes plans without overlap, because two-batch overlap reads every weight twice and
    /// is not always faster.
    pub const fn schedules(self, wanted: Overlap) -> &'static [Overlap] {
        match (self, wanted) {
            (Self::HelixHopB, _) => &[Overlap::HopB],
            (_, Overlap::TwoBatch) => &[Overlap::Sequential, Overlap::TwoBatch],
            (_, Overlap::Sequential | Overlap::HopB) => &[Overlap::Sequential],
        }
    }

    /// Calls `each` with every sharding of this strategy on `gpus` GPUs, whether valid or not. All other plan
    /// settings are those of `base`.
    pub fn shardings(
        self,
        arch: &Arch,
        base: &PlanSpec,
        gpus: u32,
        mut each: impl FnMut(PlanSpec),
    ) {
        let moe = arch.is_moe();
        for pp in divisors(gpus).filter(|pp| (*pp > 1) == (self == Self::TensorPipeline)) {
            let stage = gpus / pp;
            for (dp, tp, kvp) in self.attention_splits(stage, arch) {
                let ffn: Vec<(u32, u32)> = match (self, moe) {
                    (Self::Medha, true) => Vec::new(),
                    (Self::Medha, false) => vec![(tp, 1)],
                    (Self::DataExpert, false) => vec![(1, 1)],
                    (_, false) => vec![(stage, 1)],
                    (_, true) => divisors(stage).map(|ep| (stage / ep, ep)).collect(),
                };
                for (ffn_tp, ep) in ffn {
                    for overlap in self.schedules(base.overlap) {
                        let spec = PlanSpec {
                            dp,
                            tp,
                            kvp,
                            pp,
                            overlap: *overlap,
                            ..*base
                        };
                        each(spec.over_experts(ffn_tp, ep));
                    }
                }
            }
        }
    }

    /// Returns the attention shardings (dp, tp, kvp) of one pipeline stage.
    fn attention_splits(self, stage: u32, arch: &Arch) -> Vec<(u32, u32, u32)> {
        let kv_heads = kv_heads(arch);
        match self {
            Self::Tensor | Self::TensorPipeline => vec![(1, stage, 1)],
            Self::DataExpert => vec![(stage, 1, 1)],
            Self::Medha => divisors(stage)
                .filter(|tp| stage / tp > 1)
                .map(|tp| (1, tp, stage / tp))
                .collect(),
            // Beyond tp = n_kv the cache would be replicated, which Helix exists to avoid.
            Self::Helix | Self::HelixHopB => divisors(stage)
                .filter(|tp| *tp <= kv_heads)
                .map(|tp| (1, tp, stage / tp))
                .collect(),
        }
    }
}

/// Returns the max TP degree that does not replicate the KV cache. This is the smallest number of KV heads among the
/// mixers that have a KV cache; MLA and compressed attention count as one head.
pub fn kv_heads(arch: &Arch) -> u32 {
    let heads = arch.mixers().iter().filter_map(|part| match part.shape {
        Mixer::Grouped(shape) => Some(shape.kv_heads),
        Mixer::Latent(_) | Mixer::Compressed(_) => Some(1),
        Mixer::GatedDelta(_) | Mixer::Kda(_) | Mixer::Lightning(_) | Mixer::Mamba2(_) => None,
    });
    heads.min().unwrap_or(1)
}
