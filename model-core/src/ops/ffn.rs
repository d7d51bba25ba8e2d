//! Operators of dense FFN layers and of MoE layers.

use super::{KernelClass, Kind, Load, Operator, Operators, PerToken, Popularity, Subject};
use crate::arch::{Dense, Ffn, Moe};
use crate::math;
use crate::plan::{Plan, Shared};
use crate::precision::Precision;
use crate::units::{Bytes, Flop};

/// Appends the operators of one layer's FFN.
pub fn push(list: &mut Operators, ffn: &Ffn, subject: &Subject<'_>, load: &Load) {
    let (arch, plan, precision) = subject.parts();
    let d = f64::from(arch.hidden);
    match ffn {
        Ffn::Dense(shape) => {
            let shards = f64::from(plan.dense_shards());
            list.push(dense(d, shape, shards, precision, load));
        }
        Ffn::Moe(moe) => {
            let weights = d * f64::from(moe.experts);
            list.push(router(weights, plan, precision, load));
            let latent = moe.latent.map(|z| d * f64::from(z));
            if let Some(weights) = latent {
                list.push(through_latent(
                    Kind::LatentDown,
                    weights,
                    plan,
                    precision,
                    load,
                ));
            }
            list.push(routed(moe, subject, load));
            if let Some(weights) = latent {
                list.push(through_latent(
                    Kind::LatentUp,
                    weights,
                    plan,
                    precision,
                    load,
                ));
            }
            let beside = shared_beside(moe, plan);
            if beside > 0.0 {
                let expert = f64::from(moe.matrices) * d * f64::from(moe.shared_width);
                list.push(shared(beside * expert, plan, precision, load));
            }
        }
    }
}

/// Returns k', the number of experts per token. It is k, plus the number of shared experts E_s if these are
/// distributed like routed ones.
pub fn experts_per_token(moe: &Moe, plan: &Plan) -> f64 {
    f64::from(moe.experts_per_token) + on_grid(moe, plan)
}

/// Returns the number of experts resident on the most loaded GPU, e_place = ⌈(E + E_s·\[distributed\] + R)/ep⌉. E,
/// E_s and R are the numbers of routed, shared and redundant experts. Source: [A] 3.1.2.
pub fn experts_resident(moe: &Moe, plan: &Plan) -> f64 {
    f64::from(plan.experts_placed(moe).div_ceil(plan.spec().ep))
}

/// Returns the number of tokens that the experts of the busiest GPU process: t = B k'/(ep β). B is the number of
/// tokens in the pass, and k' the number of experts per token. Source: [A] 3.4.
pub fn expert_tokens(moe: &Moe, plan: &Plan, load: &Load) -> f64 {
    let groups = f64::from(plan.spec().ep);
    load.tokens * experts_per_token(moe, plan) / (groups * plan.beta())
}

/// Returns the expected number of active experts on the busiest of `groups` GPUs, if `active` experts are spread at
/// random. For A active experts on n GPUs, it is A/n + √(2 A ln(n)/n); a single GPU has all active experts.
///
/// Source: [A] 3.1.2 (balls into bins, asymptotic).
pub fn experts_on_busiest(active: f64, groups: f64) -> f64 {
    active / groups + (2.0 * active * math::ln(groups) / groups).sqrt()
}

/// Experts of a layer, and the groups of GPUs over which they are distributed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Routing {
    /// Number of routed experts, E.
    pub experts: f64,
    /// Number of routed experts per token, k.
    pub per_token: f64,
    /// Number of shared experts that are distributed like routed ones.
    pub on_grid: f64,
    /// Number ep of GPU groups over which the experts are distributed.
    pub groups: f64,
    /// Number of experts resident on the most loaded GPU.
    pub resident: f64,
    /// Expert balancedness, β.
    pub beta: f64,
}

/// Returns the number of experts whose weights the busiest GPU reads in one layer. It is [`experts_on_busiest`],
/// limited to the experts resident on the GPU. It is at least one if the GPU processes at least one token.
pub fn experts_loaded(moe: &Moe, plan: &Plan, popularity: &Popularity, load: &Load) -> f64 {
    let routing = Routing {
        experts: f64::from(moe.experts),
        per_token: f64::from(moe.experts_per_token),
        on_grid: on_grid(moe, plan),
        groups: f64::from(plan.spec().ep),
        resident: experts_resident(moe, plan),
        beta: plan.beta(),
    };
    experts_read(&routing, popularity, load.tokens)
}

/// Like [`experts_loaded`], for a pass of `tokens` tokens.
#[inline]
pub fn experts_read(routing: &Routing, popularity: &Popularity, tokens: f64) -> f64 {
    let Routing {
        experts,
        per_token,
        on_grid,
        groups,
        resident,
        beta,
    } = *routing;
    // Most loads activate all resident experts; then, neither a logarithm nor a power is computed.
    let least = popularity.experts_surely_active(experts, per_token, tokens);
    if experts_at_least(least + on_grid, groups as u32) > resident {
        return resident;
    }
    let active = popularity.experts_active(experts, per_token, tokens) + on_grid;
    let each = tokens * (per_token + on_grid) / (groups * beta);
    experts_on_busiest(active, groups)
        .max(each.min(1.0))
        .min(resident)
}

/// Returns a lower bound of [`experts_on_busiest`] without computing a logarithm, by rounding the groups down to a
/// power of two.
fn experts_at_least(active: f64, groups: u32) -> f64 {
    const LESS: f64 = 1.0 - 1e-9;
    let n = f64::from(groups);
    let ln = core::f64::consts::LN_2 * f64::from(groups.max(1).ilog2());
    (active / n + (2.0 * active * ln / n).sqrt()) * LESS
}

/// Returns the number of shared experts that are not distributed like routed ones.
pub fn shared_beside(moe: &Moe, plan: &Plan) -> f64 {
    f64::from(moe.shared_experts) - on_grid(moe, plan)
}

/// Returns the number of shared experts that are distributed like routed ones. The plan must distribute them, and
/// they must have the shape of routed experts.
pub fn on_grid(moe: &Moe, plan: &Plan) -> f64 {
    match plan.spec().shared {
        Shared::Distributed if moe.shared_alike() => f64::from(moe.shared_experts),
        Shared::Distributed | Shared::Replicated => 0.0,
    }
}

/// Returns a dense MLP of `matrices`·d·f weights over `shards` GPUs. It takes 2 t μ d f/shards FLOP and t (2 d + μ
/// f/shards) activation elements, where μ is `matrices`.
///
/// Source: [A] 3.1.2; [B] Table III; [H] Appendix A.
fn dense(d: f64, shape: &Dense, shards: f64, precision: &Precision, load: &Load) -> Operator {
    let (f, matrices) = (f64::from(shape.width), f64::from(shape.matrices));
    let weights = matrices * d * f / shards;
    let ends = 2.0 * d + matrices * f / shards;
    Operator {
        kind: Kind::Dense,
        kernel: KernelClass::FfnPair,
        flop: Flop::new(2.0 * load.group_tokens * weights),
        weights: Bytes::new(weights * precision.dense_weights),
        kv: Bytes::ZERO,
        activations: Bytes::new(load.group_tokens * ends * precision.activations),
        rows: load.group_tokens,
        per_context_token: PerToken::NONE,
    }
}

/// Returns the router. Every GPU holds all d·E weights of the router, and routes B/N tokens.
///
/// Source: [A] eq 44.
fn router(weights: f64, plan: &Plan, precision: &Precision, load: &Load) -> Operator {
    gemm(
        Kind::Router,
        weights,
        load.tokens / f64::from(plan.stage_gpus()),
        precision,
    )
}

/// Returns the routed experts of the busiest GPU, including shared experts that are distributed like them. Each of t
/// tokens passes through μ z f_e/tp_f weights: μ matrices of z × f_e weights, sharded over tp_f GPUs. Inputs have
/// dispatch precision, and outputs have combine precision.
///
/// Source: [A] eqs 39–45 and 3.1.2.
fn routed(moe: &Moe, subject: &Subject<'_>, load: &Load) -> Operator {
    let Subject {
        arch,
        plan,
        precision,
        popularity,
        ..
    } = subject;
    let loaded = experts_loaded(moe, plan, popularity, load);
    let tokens = expert_tokens(moe, plan, load);
    let z = f64::from(moe.working_width(arch.hidden));
    let expert = f64::from(moe.matrices) * z * f64::from(moe.expert_width);
    let shard = expert / f64::from(plan.spec().ffn_tp);
    Operator {
        kind: Kind::Experts,
        kernel: if plan.tokens_replicated() && (subject.fuses_prompts || !load.prompt) {
            KernelClass::FusedExperts
        } else {
            KernelClass::Experts
        },
        flop: Flop::new(2.0 * shard * tokens),
        weights: Bytes::new(loaded * shard * precision.ffn_weights),
        kv: Bytes::ZERO,
        activations: boundary(moe, subject, load),
        // Every loaded expert has its own tiles.
        rows: tokens / loaded,
        per_context_token: PerToken::NONE,
    }
}

/// Returns the input and output bytes of the experts on the busiest GPU, t·z·(x_d + x_c). Here, z is the experts'
/// input width, and x_d and x_c are bytes per element in dispatch and combine. This is all the traffic of an MoE
/// except weights.
pub fn boundary(moe: &Moe, subject: &Subject<'_>, load: &Load) -> Bytes {
    let precision = subject.precision;
    let tokens = expert_tokens(moe, subject.plan, load);
    let z = f64::from(moe.working_width(subject.arch.hidden));
    Bytes::new(tokens * z * (precision.dispatch + precision.combine))
}

/// Returns a projection into or out of the latent width of the experts. Every GPU has all of the projection's
/// weights. A GPU processes its share of the tokens, or all tokens if every GPU has every token.
fn through_latent(
    kind: Kind,
    weights: f64,
    plan: &Plan,
    precision: &Precision,
    load: &Load,
) -> Operator {
    let tokens = if plan.tokens_replicated() {
        load.tokens
    } else {
        load.tokens / f64::from(plan.stage_gpus())
    };
    gemm(kind, weights, tokens, precision)
}

/// Returns the shared experts of one GPU. They are replicated and process the GPU's share of the tokens. If every GPU
/// has every token, they are sharded instead.
fn shared(weights: f64, plan: &Plan, precision: &Precision, load: &Load) -> Operator {
    let gpus = f64::from(plan.stage_gpus());
    let operator = gemm(Kind::Shared, weights, load.tokens / gpus, precision);
    if plan.tokens_replicated() {
        Operator {
            weights: operator.weights / gpus,
            rows: load.tokens,
            ..operator
        }
    } else {
        operator
    }
}

fn gemm(kind: Kind, weights: f64, tokens: f64, precision: &Precision) -> Operator {
    Operator {
        kind,
        kernel: kind.kernel_class(),
        flop: Flop::new(2.0 * tokens * weights),
        weights: Bytes::new(weights * precision.ffn_weights),
        kv: Bytes::ZERO,
        activations: Bytes::ZERO,
        rows: tokens,
        per_context_token: PerToken::NONE,
    }
}
