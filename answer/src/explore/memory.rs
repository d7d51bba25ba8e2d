//! Data of "Does it fit?": the parts of a GPU's memory, each with the reason for its size.

use model_core::arch::Ffn;
use model_core::cost::engine::pool_band;
use model_core::cost::memory::sequence_bytes;
use model_core::engine_memory::MemoryModel;
use model_core::limits::capacity_band;
use model_core::ops::reach::{Cache, index_per_token};
use model_core::units::Bytes;

use crate::case::Evaluated;
use crate::charts::{MemoryData, MemoryPart, PinnedMemory};
use crate::theme::Role;
use crate::words::format;
use crate::words::names::{self, one_name};

/// Name of the memory part that holds weights outside the LLM's layers.
pub(super) const BESIDE: &str = "other weights";
pub(super) const ENGINE: &str = "engine";

/// Returns every part of a GPU's memory, each with the reason for its size.
pub fn data(case: &Evaluated, pinned: Option<&Evaluated>) -> MemoryData {
    let memory = &case.evaluation.memory;
    let part = |role, name: &str, size: Bytes, note: String| MemoryPart {
        role,
        name: name.into(),
        bytes: size.get(),
        note,
    };
    let parts = vec![
        part(
            Role::Attention,
            "attention",
            memory.attention_weights,
            copies(case),
        ),
        part(Role::Dense, "dense", memory.dense_weights, dense(case)),
        part(
            Role::Experts,
            "experts",
            memory.expert_weights,
            experts(case),
        ),
        part(
            Role::Head,
            "embedding, head",
            memory.embedding,
            copies(case),
        ),
        part(
            Role::Weights,
            BESIDE,
            memory.beside,
            "encoder, drafter, lookup tables".into(),
        ),
        part(Role::Overhead, ENGINE, memory.engine.total, engine(case)),
        part(
            Role::Kv,
            "KV cache",
            memory.kv_cache * memory.whole,
            cache(case),
        ),
        part(
            Role::Activations,
            "activations",
            memory.activations * memory.whole,
            "largest operator".into(),
        ),
    ];
    MemoryData {
        parts: parts.into_iter().filter(|part| part.bytes > 0.0).collect(),
        capacity_bytes: memory.capacity.get(),
        reserve_bytes: (memory.capacity - memory.usable).get(),
        accelerator: one_name(&case.inputs),
        batch_per_gpu: case.batch_per_gpu(),
        capacity_batch_per_gpu: case.capacity_per_gpu(),
        room: (case.limits.b_cap > 0.0).then(|| match case.whole_per_gpu(case.limits.b_cap) {
            Some(each) => format!("{} seq/GPU", format::count(each)),
            None => names::sequences(case.limits.b_cap),
        }),
        likely: likely(case),
        band: band(case),
        pinned: pinned.map(|pinned| PinnedMemory {
            total_bytes: pinned.evaluation.memory.most().get(),
            capacity_bytes: pinned.evaluation.memory.capacity.get(),
        }),
        source: match case.scenario.memory_model {
            MemoryModel::Model => "weights, KV cache and the largest activation, [A] 3.1, [B] eq 11",
            MemoryModel::Engine(_) => "weights as loaded, paged KV cache, engine memory at vLLM’s defaults; 28 start-up logs",
        }
        .into(),
    }
}

/// Lists the parts of engine memory, in GiB: "CUDA context 0.15, largest pass 7.41, CUDA graphs 2.48". Returns "set"
/// if the user entered the total.
fn engine(case: &Evaluated) -> String {
    let MemoryModel::Engine(habits) = &case.scenario.memory_model else {
        return String::new();
    };
    if habits.engine.is_some() {
        return "set".into();
    }
    let engine = &case.evaluation.memory.engine;
    let gib = |bytes: Bytes| format::sig3(bytes.as_gib());
    format!(
        "CUDA context {}, largest pass {}, CUDA graphs {}",
        gib(engine.outside),
        gib(engine.pass),
        gib(engine.graphs)
    )
}

/// Returns the range of the largest batch that fits, "395 – 435", from the two ends of the KV cache pool's error
/// band.
fn likely(case: &Evaluated) -> Option<String> {
    let ends = capacity_band(&case.scenario)?;
    let [few, many] = ends.map(|batch| match case.whole_per_gpu(case.limits.b_cap) {
        Some(_) => format::count(case.per_gpu(batch).floor()),
        None => format::sequences(batch),
    });
    Some(format!("{few} – {many}"))
}

/// Describes the error band of the KV cache pool. Returns `None` if there is no band.
pub(crate) fn band(case: &Evaluated) -> Option<String> {
    /// Fraction of the usable memory. If the KV cache pool is smaller than this, the note warns that the error may
    /// exceed the pool.
    const SMALL: f64 = 0.1;
    capacity_band(&case.scenario)?;
    let memory = &case.evaluation.memory;
    let (band, pool) = (pool_band(&case.scenario), memory.pool());
    let half = format::printed(band.as_gib());
    let all = match pool < memory.usable * SMALL || pool < band {
        true => "; the KV cache may not fit",
        false => "",
    };
    let pool = format::sig3(pool.as_gib().max(0.0));
    Some(format!(
        "KV cache pool {pool} ± {half} GiB per GPU, from published start-up logs{all}"
    ))
}

/// Describes how many copies of the attention weights exist; each attention group splits one copy over its GPUs.
fn copies(case: &Evaluated) -> String {
    let plan = &case.scenario.plan;
    let (dp, group) = (plan.spec().dp, plan.group());
    let gpus = format::count(f64::from(plan.stage_gpus()));
    match (dp, group) {
        (1, 1) => "not split".into(),
        (_, 1) => format!("replicated on {gpus} GPUs"),
        (1, _) => format!("split over {gpus} GPUs"),
        _ => format!("over {group} GPUs, {} copies", format::count(f64::from(dp))),
    }
}

fn dense(case: &Evaluated) -> String {
    let arch = &case.scenario.arch;
    let layers = arch.dense_layers();
    // Dense layers lead, except in Llama 4, where they alternate with MoE layers.
    let first = arch.groups().first().and_then(|group| arch.ffn_of(group));
    let leads = matches!(first, Some(Ffn::Dense(_))) && arch.mixers().len() == 1;
    match (arch.is_moe(), leads, layers) {
        (false, ..) => format!(
            "{layers} layers, each split over {}",
            case.scenario.plan.spec().ffn_tp
        ),
        (true, true, 1) => "1 leading dense layer".into(),
        (true, true, _) => format!("{layers} leading dense layers"),
        (true, false, 1) => "1 dense layer".into(),
        (true, false, _) => format!("{layers} dense layers"),
    }
}

fn experts(case: &Evaluated) -> String {
    let plan = &case.scenario.plan;
    let most = case
        .scenario
        .arch
        .moes()
        .map(|part| plan.experts_placed(&part.shape))
        .max();
    let (placed, groups) = (most.unwrap_or(0), plan.spec().ep);
    let each = placed.div_ceil(groups.max(1));
    let rounded = if placed.is_multiple_of(groups.max(1)) {
        ""
    } else {
        " rounded\u{a0}up"
    };
    let split = match plan.spec().ffn_tp {
        1 => String::new(),
        shards => format!(", each {shards}-way"),
    };
    let gpus = names::gpus(f64::from(groups));
    format!("{each} per layer: {placed} over {gpus}{rounded}{split}")
}

/// Describes the KV cache of a sequence, in GiB: "0.131 per sequence: 2,000 tokens × 61 layers × 1,152 B". For an LLM
/// with windows or recurrent states, lists their sizes: "0.9 per sequence: 24,576 B per token, 12 MiB windows, 74 MiB
/// states".
fn cache(case: &Evaluated) -> String {
    let scenario = &case.scenario;
    let spec = scenario.plan.spec();
    let sequence = sequence_bytes(scenario);
    let (capped, state) = (sequence.capped.get(), sequence.state.get());
    let index: f64 = (scenario.arch.mixers().iter())
        .map(|part| index_per_token(&part.shape, &scenario.precision) * f64::from(part.layers))
        .sum();
    if index > 0.0 || capped > 0.0 || state > 0.0 || scenario.arch.mixers().len() > 1 {
        let mut parts = vec![format!(
            "{}\u{a0}B per token",
            format::count(sequence.per_token.get())
        )];
        if index > 0.0 {
            parts[0].push_str(&format!(
                " incl. {}\u{a0}B indexer keys",
                format::count(index)
            ));
        }
        for (bytes, what) in [(capped, "windows"), (state, "states")] {
            if bytes > 0.0 {
                parts.push(format!("{} {what}", format::mebi(bytes)));
            }
        }
        let total = format::sig3(sequence.total.as_gib());
        return format!("{total} per sequence: {}", parts.join(", "));
    }
    let context = scenario.workload.context;
    let each = scenario.arch.mixers().first().map_or(0.0, |part| {
        Cache::of(&part.shape, &scenario.precision, spec.tp, context, 1.0).grow
    });
    let layers = f64::from(scenario.arch.layers()) / f64::from(spec.pp);
    let tokens = scenario.workload.context / f64::from(spec.kvp);
    format!(
        "{} per sequence: {} tokens × {} layers × {}\u{a0}B",
        format::sig3(tokens * layers * each / 1_073_741_824.0),
        format::count(tokens),
        format::printed(layers),
        format::printed(each),
    )
}
