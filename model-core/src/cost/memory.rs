//! What lies in a GPU's memory, and the batch that fits it.

use crate::arch::{Arch, Attention, Ffn};
use crate::ops::{Kernel, Kind, LatentForm, Load, Operators, Role, ffn};
use crate::plan::{Plan, Shared};
use crate::precision::Precision;
use crate::scenario::Scenario;
use crate::units::Bytes;

/// Memory of one GPU by part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
    /// Attention weights, one copy per data-parallel group.
    pub attention_weights: Bytes,
    /// Experts with the router and replicated shared experts.
    pub expert_weights: Bytes,
    /// Dense feed-forward layers.
    pub dense_weights: Bytes,
    /// Input embedding and output head.
    pub embedding: Bytes,
    /// KV cache of all sequences.
    pub kv_cache: Bytes,
    /// The largest activation that lives at one time.
    pub activations: Bytes,
    /// What the accelerator has.
    pub capacity: Bytes,
    /// What of it may be used: capacity × (1 − reserve).
    pub usable: Bytes,
}

impl Memory {
    /// All parts together.
    pub fn total(&self) -> Bytes {
        self.weights() + self.kv_cache + self.activations
    }

    /// The parts that do not grow with the batch.
    pub fn weights(&self) -> Bytes {
        self.attention_weights + self.expert_weights + self.dense_weights + self.embedding
    }

    /// Whether everything has room.
    pub fn fits(&self) -> bool {
        self.total() <= self.usable
    }
}

/// Memory per GPU of `scenario` with `batch` sequences in all.
///
/// Source: [A] 3.1, [B] eq 11 (with L_E layers of experts, as its footnote 3 says, where the
/// equation itself counts every layer).
pub fn memory(scenario: &Scenario, batch: f64) -> Memory {
    let Scenario {
        arch,
        plan,
        precision,
        cluster,
        ..
    } = scenario;
    let spec = plan.spec();
    let stages = f64::from(spec.pp);
    let load = Load::decode(batch / stages, arch, plan, &scenario.workload);
    let operators = Operators::of(
        arch,
        plan,
        precision,
        scenario.kernel,
        &scenario.calibration.popularity,
        &load,
    );
    let layers = |role: Role| f64::from(role.layers(arch)) / stages;
    let weights_of = |role: Role| {
        let one: Bytes = operators
            .as_slice()
            .iter()
            .filter(|operator| operator.kind.role() == role)
            .map(|operator| operator.weights)
            .sum();
        one * layers(role)
    };
    let token_bytes = arch.attention.kv_elements(spec.tp) * precision.kv;
    let tokens = batch / f64::from(spec.dp) * (scenario.workload.context / f64::from(spec.kvp));
    let embedding =
        2.0 * f64::from(arch.vocab) * f64::from(arch.hidden) * precision.attention_weights
            / f64::from(plan.group());
    Memory {
        attention_weights: weights_of(Role::Attention),
        expert_weights: expert_weights(arch, plan, precision) * layers(Role::Experts),
        dense_weights: weights_of(Role::Dense),
        embedding: Bytes::new(embedding),
        kv_cache: Bytes::new(tokens * token_bytes * layers(Role::Attention)),
        activations: activations(arch, precision, scenario.kernel, plan, &operators, &load),
        capacity: cluster.capacity,
        usable: cluster.capacity * (1.0 - scenario.reserve),
    }
}

/// The largest batch, a multiple of dp, whose total fits; 0 when the weights alone do not.
///
/// Everything that is not weights is proportional to the batch, so one evaluation gives the slope.
///
/// Source: [B] eq 11.
pub fn batch_capacity(scenario: &Scenario) -> f64 {
    let dp = f64::from(scenario.plan.spec().dp);
    let one = memory(scenario, dp);
    let room = one.usable - one.weights();
    let each = one.kv_cache + one.activations;
    // Beyond this many the memory does not bind, and one group more is still another number.
    const MOST: f64 = 1e12;
    let mut groups = (room / each).floor().clamp(0.0, MOST);
    // The quotient may be off by one in its last bit; the sum decides.
    if groups > 0.0 && !memory(scenario, groups * dp).fits() {
        groups -= 1.0;
    } else if memory(scenario, (groups + 1.0) * dp).fits() {
        groups += 1.0;
    }
    groups * dp
}

/// Experts resident on the fullest GPU, the router, and replicated shared experts, of one layer.
fn expert_weights(arch: &Arch, plan: &Plan, precision: &Precision) -> Bytes {
    let Ffn::Moe {
        experts,
        shared_experts,
        expert_width,
        ..
    } = arch.ffn
    else {
        return Bytes::ZERO;
    };
    let d = f64::from(arch.hidden);
    let expert = 3.0 * d * f64::from(expert_width);
    let resident = ffn::experts_resident(plan) * expert / f64::from(plan.spec().ffn_tp);
    let shared = match plan.spec().shared {
        Shared::Distributed => 0.0,
        Shared::Replicated if plan.tokens_replicated() => {
            f64::from(shared_experts) * expert / f64::from(plan.stage_gpus())
        }
        Shared::Replicated => f64::from(shared_experts) * expert,
    };
    Bytes::new((resident + shared + d * f64::from(experts)) * precision.ffn_weights)
}

/// The largest set of activations alive at once: an operator's inputs and outputs, the experts'
/// boundary, or, for latent attention as written, the decompressed keys and values.
fn activations(
    arch: &Arch,
    precision: &Precision,
    kernel: Kernel,
    plan: &Plan,
    operators: &Operators,
    load: &Load,
) -> Bytes {
    let largest = operators
        .as_slice()
        .iter()
        .map(|operator| operator.activations)
        .fold(Bytes::ZERO, Bytes::max);
    match (arch.attention, kernel.latent) {
        (
            Attention::Latent {
                heads,
                head_dim,
                rope_dim,
                value_dim,
                ..
            },
            LatentForm::Plain,
        ) => {
            let width = f64::from(head_dim) + f64::from(rope_dim) + f64::from(value_dim);
            let heads = f64::from(heads) / f64::from(plan.spec().tp);
            let elements = load.cached * heads * width;
            largest.max(Bytes::new(elements * precision.activations))
        }
        _ => largest,
    }
}

/// Attention weights of one layer by operator, for checking against published sizes.
pub fn attention_weights(operators: &Operators) -> impl Iterator<Item = (Kind, Bytes)> + '_ {
    operators
        .as_slice()
        .iter()
        .filter(|operator| operator.kind.role() == Role::Attention)
        .map(|operator| (operator.kind, operator.weights))
}
