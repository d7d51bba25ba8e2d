//! Engine memory: GPU memory used in addition to weights and KV cache, and the uncertainty of this memory.
//!
//! Engine memory depends more on the engine than on the LLM. vLLM runs its largest pass once, reserves the peak memory,
//! and adds an estimate of its CUDA graphs.

use crate::arch::{Arch, Ffn, Mixer};
use crate::engine_memory::Habits;
use crate::plan::Plan;
use crate::scenario::Scenario;
use crate::units::Bytes;

/// Engine memory of a GPU, by part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EngineMemory {
    /// Memory N outside the engine's allocator: GPU context and NCCL buffers.
    pub outside: Bytes,
    /// Peak memory A of the largest pass: the forward pass or the sampler, whichever needs more.
    pub pass: Bytes,
    /// Memory C of captured CUDA graphs.
    pub graphs: Bytes,
    /// Sum of the parts of the engine memory, or the value set by the user in place of this sum.
    pub total: Bytes,
}

impl EngineMemory {
    /// Engine memory of zero bytes.
    pub const NONE: Self = Self {
        outside: Bytes::ZERO,
        pass: Bytes::ZERO,
        graphs: Bytes::ZERO,
        total: Bytes::ZERO,
    };

    /// Returns the memory of an engine whose attention groups hold up to `batch` sequences:
    /// N (outside the allocator) + A (largest pass) + C (CUDA graphs).
    ///
    /// Source: 28 public start-up logs, `tests/golden/memory`.
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

/// Returns the largest activations of a forward pass over T tokens, at 2 bytes per element. A dense FFN of width F on g
/// GPUs has T (3 F/g + 3 d) elements, for gate, up and the product of both. Experts of width w have T (k max(2 w/tp_f,
/// d) + k w/tp_f + 3 d) elements, for the two buffers of the grouped GEMMs.
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

/// Returns the sampler's memory: the logits of S sequences in c FP32 copies, plus the hidden states of T tokens.
pub fn sampler(arch: &Arch, habits: &Habits, sequences: f64) -> Bytes {
    let logits = habits.logits * sequences * f64::from(arch.vocab) * 4.0;
    Bytes::new(logits + 2.0 * habits.tokens * f64::from(arch.hidden))
}

/// Returns the memory of CUDA graphs as the engine estimates it: 2.4 L n graph pieces for L layers per pipeline stage
/// and n captured graphs. A piece takes 0.35 MiB for MoE or recurrent models, and 0.12 MiB for other models.
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

/// True for DeepSeek-V4's attention, which indexes cache entries in pages.
pub fn indexes_pages(arch: &Arch) -> bool {
    arch.mixers()
        .iter()
        .any(|part| matches!(part.shape, Mixer::Compressed(_)))
}

/// Returns the uncertainty (±) of the memory left for the KV cache on one GPU. Source: start-up logs.
///
/// ± 8 GiB for DeepSeek-V4, for experts spread over more than 8 GPUs, and for speculative decoding with KVP.
/// Otherwise ± 2.5 GiB for MLA and hybrids, where the estimate is more often too high than too low; ± 2 GiB for GQA.
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
