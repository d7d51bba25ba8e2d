//! Memory of a GPU by part, and the batch that fits it.

use crate::arch::{Ffn, Latent, Mixer, Moe};
use crate::ops::reach::Cache;
use crate::ops::{LatentForm, Load, OperatorRole, Operators, Place, PromptForm, Subject, ffn};
use crate::scenario::Scenario;
use crate::units::Bytes;

/// Memory of one GPU by part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
    /// Attention weights, one replica per data-parallel group.
    pub attention_weights: Bytes,
    /// Experts with the router and replicated shared experts.
    pub expert_weights: Bytes,
    /// Dense feed-forward layers.
    pub dense_weights: Bytes,
    /// Input embedding and output head.
    pub embedding: Bytes,
    /// KV cache of all sequences.
    pub kv_cache: Bytes,
    /// The largest activation at any time.
    pub activations: Bytes,
    /// Factor of the fullest group on KV cache and activations: parts are means, but a group holds whole sequences.
    pub whole: f64,
    /// Capacity of the accelerator.
    pub capacity: Bytes,
    /// Usable part: capacity × (1 − reserve).
    pub usable: Bytes,
}

impl Memory {
    /// Sum of all parts, mean over groups.
    pub fn total(&self) -> Bytes {
        self.weights() + self.kv_cache + self.activations
    }

    /// Parts that do not grow with the batch.
    pub fn weights(&self) -> Bytes {
        self.attention_weights + self.expert_weights + self.dense_weights + self.embedding
    }

    /// Sum of all parts on the fullest GPU.
    pub fn most(&self) -> Bytes {
        self.weights() + (self.kv_cache + self.activations) * self.whole
    }

    /// True if everything fits on every GPU, exactly for batches up to [`batch_capacity`].
    pub fn fits(&self) -> bool {
        self.most() <= self.usable
    }
}

/// Memory per GPU of `scenario` at `batch` sequences.
///
/// Source: [A] 3.1, [B] eq 11 (with L_E layers of experts, as its footnote 3 says, where the
/// equation itself counts every layer).
pub fn memory(scenario: &Scenario, batch: f64) -> Memory {
    let Scenario { plan, workload, .. } = scenario;
    let spec = plan.spec();
    let load = Load::decode(batch / f64::from(spec.pp), plan, workload);
    let kept = Kept {
        sequences: batch / f64::from(spec.dp),
        context: workload.context,
        slots: workload.speculation.carried(),
    };
    with(scenario, &scenario.subject(), &load, &kept)
}

/// Memory per GPU of a prefill pass: weights, the caches of the pass's prompts, each of them whole, and the largest
/// activation, with m R rows where keys and values are decompressed.
///
/// Assumes: nothing of other prompts stays on the GPU.
pub fn pass_memory(scenario: &Scenario, load: &Load) -> Memory {
    let subject = Subject {
        prompts: PromptForm::Pass,
        ..scenario.subject()
    };
    let kept = Kept {
        sequences: load.sequences,
        context: load.context,
        slots: 1.0,
    };
    with(scenario, &subject, load, &kept)
}

/// Sequences whose caches an attention group keeps.
struct Kept {
    sequences: f64,
    /// Tokens of each.
    context: f64,
    /// Tokens that a window keeps beyond its width.
    slots: f64,
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
        // Expert weights are the resident ones, and the experts' boundary is the largest of their activations.
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
    Memory {
        attention_weights: weights[OperatorRole::Attention as usize],
        expert_weights: experts,
        dense_weights: weights[OperatorRole::Dense as usize],
        embedding: Bytes::new(embedding),
        kv_cache,
        activations: largest.max(decompressed(scenario, load)),
        whole: sequences.ceil() / sequences,
        capacity: cluster.capacity,
        usable: cluster.capacity * (1.0 - scenario.reserve),
    }
}

/// The largest batch, a multiple of dp, whose total fits; 0 when the weights alone do not.
///
/// Everything but the weights is proportional to the batch, so one evaluation gives the slope.
///
/// Source: [B] eq 11.
pub fn batch_capacity(scenario: &Scenario) -> f64 {
    let dp = f64::from(scenario.plan.spec().dp);
    let one = memory(scenario, dp);
    let room = one.usable - one.weights();
    let each = one.kv_cache + one.activations;
    // Above this batch memory does not bind; one more group still is a different float.
    const MOST: f64 = 1e12;
    let quotient = room / each;
    let mut groups = quotient.floor().clamp(0.0, MOST);
    let beyond = quotient - groups;
    let dust = 1e-9 * one.usable.get() / each.get();
    if beyond > dust && beyond < 1.0 - dust {
        return groups * dp;
    }
    // The quotient may be off by rounding; the sum decides.
    if groups > 0.0 && !memory(scenario, groups * dp).fits() {
        groups -= 1.0;
    } else if memory(scenario, (groups + 1.0) * dp).fits() {
        groups += 1.0;
    }
    groups * dp
}

/// Weights of one layer of experts: those resident on the fullest GPU, the router, projections into and out of the
/// latent width, replicated shared experts.
fn expert_weights(moe: &Moe, subject: &Subject<'_>) -> Bytes {
    let (arch, plan, precision) = subject.parts();
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
    let router = d * f64::from(moe.experts);
    Bytes::new((resident + shared + router + latent) * precision.ffn_weights)
}

/// The largest activations of an operator: its inputs and outputs, or the experts' boundary.
pub fn largest_of(operators: &Operators) -> Bytes {
    operators
        .as_slice()
        .iter()
        .map(|operator| operator.activations)
        .fold(Bytes::ZERO, Bytes::max)
}

/// Decompressed keys and values of latent attention as written, of one layer.
fn decompressed(scenario: &Scenario, load: &Load) -> Bytes {
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

/// Cache and state of one sequence over all layers, undivided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SequenceBytes {
    /// Per token of context.
    pub per_token: Bytes,
    /// Cache of the last tokens only, at any context.
    pub capped: Bytes,
    /// States of constant size.
    pub state: Bytes,
    /// Sum at the scenario's context.
    pub total: Bytes,
}

/// Cache and state of one sequence at the scenario's context.
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
