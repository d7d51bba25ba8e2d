//! Memory of a GPU by part, and the largest batch that fits in memory.

use super::engine::EngineMemory;
use super::pages::{Sequence, sequence_cache};
use crate::arch::{Arch, Ffn, Latent, Mixer, Moe};
use crate::engine_memory::{Habits, MemoryModel};
use crate::math::bisect;
use crate::ops::reach::Cache;
use crate::ops::{LatentForm, Load, OperatorRole, Operators, Place, PromptForm, Subject, ffn};
use crate::scenario::Scenario;
use crate::units::Bytes;

/// Memory of one GPU by part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
    /// Attention weights; each data-parallel group has one copy.
    pub attention_weights: Bytes,
    /// Weights of experts, including the router and replicated shared experts.
    pub expert_weights: Bytes,
    /// Weights of dense FFN layers.
    pub dense_weights: Bytes,
    /// Weights of the input embedding and output head.
    pub embedding: Bytes,
    /// KV cache of all sequences on the GPU.
    pub kv_cache: Bytes,
    /// Largest activations at any time; included in the engine memory from permalink version 3 on.
    pub activations: Bytes,
    /// Weights outside the LLM's layers: encoder, drafter, lookup tables in HBM.
    pub beside: Bytes,
    /// Engine memory: GPU memory used in addition to weights and KV cache.
    pub engine: EngineMemory,
    /// Ratio of the most loaded group's KV cache and activations to the mean over groups. Above 1 if the sequences do
    /// not divide evenly among the groups.
    pub whole: f64,
    /// Memory capacity of the accelerator.
    pub capacity: Bytes,
    /// Usable memory: capacity × (1 − reserve).
    pub usable: Bytes,
}

impl Memory {
    /// Returns the sum of all parts of the memory, as the mean over groups.
    pub fn total(&self) -> Bytes {
        self.weights() + self.kv_cache + self.activations + self.engine.total
    }

    /// Returns the size of all weights, including encoder, drafter and lookup tables.
    pub fn weights(&self) -> Bytes {
        self.attention_weights
            + self.expert_weights
            + self.dense_weights
            + self.embedding
            + self.beside
    }

    /// Returns the memory left for the KV cache: usable memory − weights − engine memory. Negative if weights and
    /// engine memory do not fit.
    pub fn pool(&self) -> Bytes {
        self.usable - self.weights() - self.engine.total
    }

    /// Returns the sum of all parts of the memory on the most loaded GPU.
    pub fn most(&self) -> Bytes {
        self.weights() + (self.kv_cache + self.activations) * self.whole + self.engine.total
    }

    /// True if every GPU has enough memory. This is the case exactly for batches up to [`batch_capacity`].
    pub fn fits(&self) -> bool {
        self.most() <= self.usable
    }
}

/// Returns the memory per GPU of `scenario` at `batch` sequences.
///
/// Source: [A] 3.1, [B] eq 11. Counts expert weights only in the L_E layers with experts, as in footnote 3 of [B]; the
/// equation counts them in every layer.
pub fn memory(scenario: &Scenario, batch: f64) -> Memory {
    let Scenario { plan, workload, .. } = scenario;
    let spec = plan.spec();
    let load = Load::decode(batch / f64::from(spec.pp), plan, workload);
    let kept = Kept {
        sequences: batch / f64::from(spec.dp),
        context: workload.context,
        slots: workload.speculation.carried(),
        drafts: workload.speculation.depth > 0,
    };
    with(scenario, &scenario.subject(), &load, &kept)
}

/// Returns the memory per GPU of a prefill pass: weights, the complete KV caches of the pass's prompts, and the
/// largest activations. If MLA keys and values are decompressed, those of all cached tokens in one layer count as
/// activations.
///
/// Assumes: no data of other prompts stays on the GPU.
pub fn pass_memory(scenario: &Scenario, load: &Load) -> Memory {
    let subject = Subject {
        prompts: PromptForm::Pass,
        ..scenario.subject()
    };
    let kept = Kept {
        sequences: load.sequences,
        context: load.context,
        slots: 1.0,
        drafts: false,
    };
    with(scenario, &subject, load, &kept)
}

/// Sequences whose KV cache an attention group holds.
struct Kept {
    sequences: f64,
    /// Context length of each sequence, in tokens.
    context: f64,
    /// Number of recurrent states per sequence: 1, plus one for each draft token.
    slots: f64,
    drafts: bool,
}

fn with(scenario: &Scenario, subject: &Subject<'_>, load: &Load, kept: &Kept) -> Memory {
    let Scenario {
        arch,
        plan,
        precision,
        cluster,
        ..
    } = scenario;
    let spec = plan.spec();
    let stages = f64::from(spec.pp);
    let mut weights = [Bytes::ZERO; 4];
    let mut largest = Bytes::ZERO;
    let mut operators = Operators::EMPTY;
    for place in Place::all(arch) {
        // Expert weights are added below. The largest activations of experts are the token states that enter and leave
        // them.
        if let Place::Ffn(number) = place
            && let Some(Ffn::Moe(moe)) = arch.ffns().get(number).map(|part| &part.shape)
        {
            largest = largest.max(ffn::boundary(moe, subject, load));
            continue;
        }
        subject.fill(&mut operators, place, load);
        let layers = f64::from(place.layers(arch)) / stages;
        let one: Bytes = operators
            .as_slice()
            .iter()
            .map(|operator| operator.weights)
            .sum();
        weights[place.role(arch) as usize] += one * layers;
        largest = largest.max(largest_of(&operators));
    }
    let experts: Bytes = arch
        .moes()
        .map(|part| expert_weights(&part.shape, subject) * (f64::from(part.layers) / stages))
        .sum();
    let Kept {
        sequences,
        context,
        slots,
        ..
    } = *kept;
    let local = sequences * (context / f64::from(spec.kvp));
    let mut kv_cache = Bytes::ZERO;
    for part in arch.mixers() {
        let cache = Cache::of(&part.shape, precision, spec.tp, context, slots);
        let fixed = sequences * (cache.cap / f64::from(spec.kvp) + cache.state);
        let layers = f64::from(part.layers) / stages;
        kv_cache += Bytes::new((local * cache.grow + fixed) * layers);
    }
    let copies = if arch.tied { 1.0 } else { 2.0 };
    let embedding =
        copies * f64::from(arch.vocab) * f64::from(arch.hidden) * precision.attention_weights
            / f64::from(plan.group());
    let plain = Memory {
        attention_weights: weights[OperatorRole::Attention as usize],
        expert_weights: experts,
        dense_weights: weights[OperatorRole::Dense as usize],
        embedding: Bytes::new(embedding),
        kv_cache,
        activations: largest.max(decompressed(scenario, load)),
        beside: Bytes::ZERO,
        engine: EngineMemory::NONE,
        whole: sequences.ceil() / sequences,
        capacity: cluster.capacity,
        usable: cluster.capacity * (1.0 - scenario.reserve),
    };
    match &scenario.memory_model {
        MemoryModel::Model => plain,
        MemoryModel::Engine(habits) => as_loaded(plain, scenario, habits, load, kept),
    }
}

/// Returns the memory as an engine loads it.
///
/// Router, embedding and head have two bytes per weight; expert widths are padded. Absorbed projections add a second
/// copy of the matrices that expand the latent, in two bytes per weight. Some weights are replicated although counted
/// as sharded; they add 1% for MLA and 6% for DeepSeek-V4 (assumed). A drafter has the weights of 1.3 layers. Every
/// GPU has the whole lookup table: a table of 47.7 GiB on 4 × 80 GB runs out of memory, where a quarter of it would
/// fit (vllm-project/recipes #923). Source: start-up logs, `tests/golden/memory`.
fn as_loaded(
    plain: Memory,
    scenario: &Scenario,
    habits: &Habits,
    load: &Load,
    kept: &Kept,
) -> Memory {
    let Scenario {
        arch,
        plan,
        precision,
        ..
    } = scenario;
    let (spec, stages) = (plan.spec(), f64::from(plan.spec().pp));
    let subject = scenario.subject();
    let experts: Bytes = arch
        .moes()
        .map(|part| {
            loaded_experts(&part.shape, &subject, habits) * (f64::from(part.layers) / stages)
        })
        .sum();
    let copies = if arch.tied { 1.0 } else { 2.0 };
    let embedding = copies * f64::from(arch.vocab) * f64::from(arch.hidden) * precision.embedding
        / f64::from(plan.group());
    let attention = plain.attention_weights + expansions(scenario) * (1.0 / stages);
    let whole = held_whole(arch);
    let drafter = match kept.drafts {
        true => drafter(scenario, habits),
        false => Bytes::ZERO,
    };
    let mut loaded = Memory {
        attention_weights: attention * whole,
        expert_weights: experts * whole,
        dense_weights: plain.dense_weights * whole,
        embedding: Bytes::new(embedding) * whole,
        beside: habits.encoder + drafter + habits.table,
        ..plain
    };
    if let Some(stated) = habits.weights {
        let factor = stated / loaded.weights();
        loaded.attention_weights = loaded.attention_weights * factor;
        loaded.expert_weights = loaded.expert_weights * factor;
        loaded.dense_weights = loaded.dense_weights * factor;
        loaded.embedding = loaded.embedding * factor;
        loaded.beside = loaded.beside * factor;
    }
    let sequence = Sequence {
        context: kept.context,
        pass: habits.tokens,
        slots: kept.slots,
        drafters: if kept.drafts { 1.0 } else { 0.0 },
    };
    Memory {
        kv_cache: sequence_cache(arch, precision, spec, &sequence) * kept.sequences,
        activations: decompressed(scenario, load),
        engine: EngineMemory::of(arch, plan, habits, kept.sequences),
        ..loaded
    }
}

/// Returns the weights of one layer of experts as an engine loads them. Routed experts are padded, and the router has
/// two bytes per weight. Shared experts and latent projections have the number format of dense layers.
fn loaded_experts(moe: &Moe, subject: &Subject<'_>, habits: &Habits) -> Bytes {
    let (arch, _, precision) = subject.parts();
    let d = f64::from(arch.hidden);
    let parts = expert_parts(moe, subject);
    Bytes::new(
        parts.resident * expert_padding(moe, habits) * precision.ffn_weights
            + (parts.shared + parts.latent) * precision.dense_weights
            + d * f64::from(moe.experts) * precision.embedding,
    )
}

/// Returns the factor by which width padding enlarges the experts' weights.
pub fn expert_padding(moe: &Moe, habits: &Habits) -> f64 {
    let padded = moe
        .expert_width
        .next_multiple_of(habits.expert_multiple.max(1));
    f64::from(padded) / f64::from(moe.expert_width)
}

/// Returns the size on one GPU, over all layers, of a second copy of the matrices that expand latents into keys and
/// values. The copy has two bytes per weight. Only absorbed projections need it; otherwise, the size is zero.
pub fn expansions(scenario: &Scenario) -> Bytes {
    if scenario.kernel.latent == LatentForm::Plain {
        return Bytes::ZERO;
    }
    let each = |shape: &Latent| {
        let heads = f64::from(shape.heads) / f64::from(scenario.plan.spec().tp);
        let width = f64::from(shape.head_dim) + f64::from(shape.value_dim);
        2.0 * heads * width * f64::from(shape.kv_rank)
    };
    let all = scenario.arch.mixers().iter().map(|part| match &part.shape {
        Mixer::Latent(shape) => each(shape) * f64::from(part.layers),
        _ => 0.0,
    });
    Bytes::new(all.sum())
}

/// Returns a factor that enlarges the weights, because some replicated weights are counted as sharded.
pub fn held_whole(arch: &Arch) -> f64 {
    let has = |of: fn(&Mixer) -> bool| arch.mixers().iter().any(|part| of(&part.shape));
    if has(|mixer| matches!(mixer, Mixer::Compressed(_))) {
        1.06
    } else if has(|mixer| matches!(mixer, Mixer::Latent(_))) {
        1.01
    } else {
        1.0
    }
}

/// Returns the weights of a drafter: 1.3 times those of the last layer in the LLM that has both a mixer and an FFN.
/// Source: GLM-5.1's start-up log at TP 8, 0.95 GiB.
pub fn drafter(scenario: &Scenario, habits: &Habits) -> Bytes {
    const LAYERS: f64 = 1.3;
    let arch = &scenario.arch;
    let subject = scenario.subject();
    let group = arch
        .groups()
        .iter()
        .rev()
        .find(|group| group.mixer.is_some() && group.ffn.is_some());
    let Some(group) = group.or(arch.groups().last()) else {
        return Bytes::ZERO;
    };
    let load = Load::decode(1.0, &scenario.plan, &scenario.workload);
    let mut operators = Operators::EMPTY;
    let mut one = Bytes::ZERO;
    let places = [
        group.mixer.map(|at| Place::Mixer(usize::from(at))),
        group.ffn.map(|at| Place::Ffn(usize::from(at))),
    ];
    for place in places.into_iter().flatten() {
        let moe = match (place, arch.ffn_of(group)) {
            (Place::Ffn(_), Some(Ffn::Moe(moe))) => Some(moe),
            _ => None,
        };
        if let Some(moe) = moe {
            one += loaded_experts(moe, &subject, habits);
            continue;
        }
        subject.fill(&mut operators, place, &load);
        one += operators
            .as_slice()
            .iter()
            .map(|operator| operator.weights)
            .sum();
    }
    one * LAYERS
}

/// Returns the largest batch that fits in memory, as a multiple of dp; 0 if the weights and engine memory do not fit.
///
/// KV cache and activations are proportional to the batch, so one evaluation gives the slope. Above the number of
/// sequences that the engine profiles, engine memory also grows, and the batch is found by bisection.
///
/// Source: [B] eq 11.
pub fn batch_capacity(scenario: &Scenario) -> f64 {
    let dp = f64::from(scenario.plan.spec().dp);
    let one = memory(scenario, dp);
    let room = one.pool();
    let each = one.kv_cache + one.activations;
    // Max number of groups; up to this value, `groups + 1.0` is a distinct float.
    const MOST: f64 = 1e12;
    let quotient = room / each;
    let mut groups = quotient.floor().clamp(0.0, MOST);
    let beyond = quotient - groups;
    let dust = 1e-9 * one.usable.get() / each.get();
    if let MemoryModel::Engine(habits) = &scenario.memory_model
        && groups > habits.sequences
    {
        return dp * largest_profiled(scenario, habits.sequences.floor(), groups + 1.0);
    }
    if beyond > dust && beyond < 1.0 - dust {
        return groups * dp;
    }
    // The quotient may be off by rounding, so check the sum of the memory.
    if groups > 0.0 && !memory(scenario, groups * dp).fits() {
        groups -= 1.0;
    } else if memory(scenario, (groups + 1.0) * dp).fits() {
        groups += 1.0;
    }
    groups * dp
}

/// Returns the max number of sequences per group, from `low` to below `high`, that fit in memory. The engine profiles
/// its memory for this number, so engine memory grows with it.
fn largest_profiled(scenario: &Scenario, low: f64, high: f64) -> f64 {
    let dp = f64::from(scenario.plan.spec().dp);
    let [last, _] = bisect(low, high, |each| memory(scenario, each * dp).fits());
    last
}

/// Returns the weights of one layer of experts: the experts resident on the most loaded GPU, the router, projections
/// into and out of the latent width, and replicated shared experts.
fn expert_weights(moe: &Moe, subject: &Subject<'_>) -> Bytes {
    let (arch, _, precision) = subject.parts();
    let router = f64::from(arch.hidden) * f64::from(moe.experts);
    let ExpertParts {
        resident,
        shared,
        latent,
    } = expert_parts(moe, subject);
    Bytes::new((resident + shared + router + latent) * precision.ffn_weights)
}

/// Weights of one layer of experts on a GPU, as numbers of elements, without the router.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpertParts {
    /// Weights of the experts resident on the GPU as part of the expert-parallel grid.
    pub resident: f64,
    /// Weights of shared experts outside the expert-parallel grid.
    pub shared: f64,
    /// Weights of the projections into and out of the latent width.
    pub latent: f64,
}

/// Returns the weights of one layer of experts on a GPU, by part.
pub fn expert_parts(moe: &Moe, subject: &Subject<'_>) -> ExpertParts {
    let (arch, plan, _) = subject.parts();
    let d = f64::from(arch.hidden);
    let matrices = f64::from(moe.matrices);
    let z = f64::from(moe.working_width(arch.hidden));
    let expert = matrices * z * f64::from(moe.expert_width);
    let resident = ffn::experts_resident(moe, plan) * expert / f64::from(plan.spec().ffn_tp);
    let beside = ffn::shared_beside(moe, plan) * (matrices * d * f64::from(moe.shared_width));
    let shared = if plan.tokens_replicated() {
        beside / f64::from(plan.stage_gpus())
    } else {
        beside
    };
    let latent = if moe.latent.is_some() {
        2.0 * d * z
    } else {
        0.0
    };
    ExpertParts {
        resident,
        shared,
        latent,
    }
}

/// Returns the largest activations of any operator: its inputs and outputs, or the token states that enter and leave
/// the experts.
pub fn largest_of(operators: &Operators) -> Bytes {
    operators
        .as_slice()
        .iter()
        .map(|operator| operator.activations)
        .fold(Bytes::ZERO, Bytes::max)
}

/// Returns the size of the decompressed keys and values of one MLA layer; zero if MLA runs in absorbed form.
pub fn decompressed(scenario: &Scenario, load: &Load) -> Bytes {
    if scenario.kernel.latent != LatentForm::Plain {
        return Bytes::ZERO;
    }
    let bytes = |shape: &Latent| {
        let width =
            f64::from(shape.head_dim) + f64::from(shape.rope_dim) + f64::from(shape.value_dim);
        let heads = f64::from(shape.heads) / f64::from(scenario.plan.spec().tp);
        let elements = load.cached() * heads * width;
        Bytes::new(elements * scenario.precision.activations)
    };
    let latent = scenario
        .arch
        .mixers()
        .iter()
        .filter_map(|part| match &part.shape {
            Mixer::Latent(shape) => Some(bytes(shape)),
            _ => None,
        });
    latent.fold(Bytes::ZERO, Bytes::max)
}

/// KV cache and recurrent state of one sequence over all layers, before sharding over GPUs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SequenceBytes {
    /// KV cache per token of context.
    pub per_token: Bytes,
    /// KV cache of layers that hold only the last tokens; it stops growing at long context.
    pub capped: Bytes,
    /// Size of the recurrent states, which does not depend on the context.
    pub state: Bytes,
    /// Total size of cache and state at the scenario's context.
    pub total: Bytes,
}

/// Returns the KV cache and recurrent state of one sequence at the scenario's context, before sharding over GPUs.
pub fn sequence_bytes(scenario: &Scenario) -> SequenceBytes {
    let context = scenario.workload.context;
    let (mut per_token, mut capped, mut state) = (0.0, 0.0, 0.0);
    for part in scenario.arch.mixers() {
        let cache = Cache::of(&part.shape, &scenario.precision, 1, context, 1.0);
        let layers = f64::from(part.layers);
        per_token += cache.grow * layers;
        capped += cache.cap * layers;
        state += cache.state * layers;
    }
    SequenceBytes {
        per_token: Bytes::new(per_token),
        capped: Bytes::new(capped),
        state: Bytes::new(state),
        total: Bytes::new(per_token * context + capped + state),
    }
}
