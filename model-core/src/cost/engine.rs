//! Engine memory next to weights and KV cache, and its uncertainty.
//!
//! A property of the engine, not of the model: vLLM runs its largest pass once, reserves the peak, and adds an estimate of
//! its CUDA graphs.

use crate::arch::{Arch, Ffn, Mixer};
use crate::engine_memory::Habits;
use crate::plan::Plan;
use crate::scenario::Scenario;
use crate::units::Bytes;

/// Engine memory of a GPU, by part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EngineMemory {
    /// Outside the allocator: context and NCCL buffers, N.
    pub outside: Bytes,
    /// Peak of the largest pass: the larger of forward pass and sampler, A.
    pub pass: Bytes,
    /// CUDA graphs, C.
    pub graphs: Bytes,
    /// Sum of the parts, or the set value.
    pub total: Bytes,
}

impl EngineMemory {
    /// No engine memory.
    pub const NONE: Self = Self {
        outside: Bytes::ZERO,
        pass: Bytes::ZERO,
        graphs: Bytes::ZERO,
        total: Bytes::ZERO,
    };

    /// Memory of an engine whose groups hold up to `batch` sequences: N + A + C.
    ///
    /// Source: 28 published start-ups, `tests/golden/memory`.
    pub fn of(arch: &Arch, plan: &Plan, habits: &Habits, batch: f64) -> Self {
        let sequences = habits.sequences.max(batch.ceil());
        let outside = match (plan.gpus(), plan.spec().ep) {
            (1, _) => 0.15,
            (_, ep) if ep > 8 => 2.4,
            _ => 0.8,
        };
        let mut pass = forward(arch, plan, habits).max(sampler(arch, habits, sequences));
        if indexes_pages(arch) {
            let logits = Bytes::new(2.0 * habits.tokens * habits.longest);
            pass += logits.min(Bytes::from_gib(4.0));
        }
        let graphs = graphs(arch, plan, habits.captured(sequences));
        let outside = Bytes::from_gib(outside);
        Self {
            outside,
            pass,
            graphs,
            total: habits.engine.unwrap_or(outside + pass + graphs),
        }
    }
}

/// Activations of a forward pass over T tokens, 2 bytes each: of a dense FFN T (3 F/g + 3 d), for gate, up and
/// product; of experts T (k max(2 w/tp_e, d) + k w/tp_e + 3 d), for the two buffers of the grouped products.
pub fn forward(arch: &Arch, plan: &Plan, habits: &Habits) -> Bytes {
    let d = f64::from(arch.hidden);
    let each = |ffn: &Ffn| match ffn {
        Ffn::Dense(shape) => {
            3.0 * f64::from(shape.width) / f64::from(plan.dense_shards()) + 3.0 * d
        }
        Ffn::Moe(moe) => {
            let (k, shard) = (
                f64::from(moe.experts_per_token),
                f64::from(moe.expert_width) / f64::from(plan.spec().ffn_tp),
            );
            k * (2.0 * shard).max(d) + k * shard + 3.0 * d
        }
    };
    let most = arch
        .ffns()
        .iter()
        .map(|part| each(&part.shape))
        .fold(0.0, f64::max);
    Bytes::new(2.0 * habits.tokens * most)
}

/// Logits of S sequences in c FP32 copies, and the hidden states of T tokens.
pub fn sampler(arch: &Arch, habits: &Habits, sequences: f64) -> Bytes {
    let logits = habits.logits * sequences * f64::from(arch.vocab) * 4.0;
    Bytes::new(logits + 2.0 * habits.tokens * f64::from(arch.hidden))
}

/// CUDA graphs as the engine estimates them: 2.4 L n pieces of 0.35 MiB, 0.12 MiB of dense attention layers.
pub fn graphs(arch: &Arch, plan: &Plan, captured: f64) -> Bytes {
    const MIB: f64 = 1_048_576.0;
    let recurrent = arch.mixers().iter().any(|part| part.shape.is_recurrent());
    let piece = if arch.is_moe() || recurrent {
        0.35
    } else {
        0.12
    };
    let layers = f64::from(arch.layers()) / f64::from(plan.spec().pp);
    Bytes::new(2.4 * layers * captured * piece * MIB)
}

/// True for DeepSeek-V4's attention, which indexes entries in pages.
pub fn indexes_pages(arch: &Arch) -> bool {
    arch.mixers()
        .iter()
        .any(|part| matches!(part.shape, Mixer::Compressed(_)))
}

/// Half-width of the band of the memory left for the cache, per GPU, as start-up logs show it.
///
/// ± 2 GiB for GQA on up to 8 GPUs; ± 2.5 for MLA and hybrids, for which the model finds too
/// much more often than too little; ± 8 for DeepSeek-V4 and experts over more than 8 GPUs.
pub fn pool_band(scenario: &Scenario) -> Bytes {
    let mixers = scenario.arch.mixers();
    let has = |of: fn(&Mixer) -> bool| mixers.iter().any(|part| of(&part.shape));
    let wide = scenario.plan.spec().ep > 8 || indexes_pages(&scenario.arch);
    let drafts_over_context =
        scenario.workload.speculation.depth > 0 && scenario.plan.spec().kvp > 1;
    Bytes::from_gib(if wide || drafts_over_context {
        8.0
    } else if has(Mixer::is_recurrent) || has(|mixer| matches!(mixer, Mixer::Latent(_))) {
        2.5
    } else {
        2.0
    })
}
