//! Operators of grouped and of latent attention.
//!
//! Symbols: t tokens of an attention group, n cached tokens and p query–key pairs on this GPU (decode:
//! n = b s, p = t s; prefill: n = T, p = T²/2, over kvp), h = n_h/tp heads, g = tp·kvp GPUs of the
//! group; w, c, x bytes per element of weights, cache and activations.

use super::{Fusion, Kernel, Kind, LatentForm, Load, Operator, Operators, PerToken};
use crate::arch::{Arch, Attention};
use crate::plan::Plan;
use crate::precision::Precision;
use crate::units::{Bytes, Flop};

/// Appends the attention operators of one layer.
pub fn push(
    list: &mut Operators,
    arch: &Arch,
    plan: &Plan,
    precision: &Precision,
    kernel: Kernel,
    load: &Load,
) {
    match arch.attention {
        Attention::Grouped {
            heads,
            kv_heads,
            head_dim,
        } => {
            let tp = plan.spec().tp;
            let shape = Grouped {
                d: f64::from(arch.hidden),
                h: f64::from(heads) / f64::from(tp),
                v: f64::from(kv_heads.div_ceil(tp)),
                d_h: f64::from(head_dim),
            };
            grouped(list, &shape, precision, load);
        }
        Attention::Latent {
            heads,
            q_rank,
            kv_rank,
            head_dim,
            rope_dim,
            value_dim,
        } => {
            let shape = Latent {
                d: f64::from(arch.hidden),
                h: f64::from(heads) / f64::from(plan.spec().tp),
                r_q: q_rank.map(f64::from),
                r_kv: f64::from(kv_rank),
                d_h: f64::from(head_dim),
                d_r: f64::from(rope_dim),
                d_v: f64::from(value_dim),
            };
            latent_projections(list, &shape, precision, load);
            match kernel.latent {
                LatentForm::Absorbed => absorbed(list, &shape, precision, kernel.fusion, load),
                LatentForm::Plain => plain(list, &shape, precision, kernel.fusion, load),
            }
        }
    }
    list.push(out(arch, plan, precision, load));
    list.push(kv_write(arch, plan, precision, load));
}

/// A projection of t tokens by `elements` weights: 2 t FLOP per weight, `ends` activation elements
/// per token.
///
/// Source: [A] eqs 8–13, 25–30, 33–34; [B] Table III.
pub(super) fn projection(
    kind: Kind,
    elements: f64,
    ends: f64,
    precision: &Precision,
    tokens: f64,
) -> Operator {
    Operator {
        kind,
        flop: Flop::new(2.0 * tokens * elements),
        weights: Bytes::new(elements * precision.attention_weights),
        kv: Bytes::ZERO,
        activations: Bytes::new(tokens * ends * precision.activations),
        rows: tokens,
        per_context_token: PerToken::NONE,
    }
}

/// What a core of `flop` per query–key pair and `elements` bytes of cache per cached token gains with
/// one more token in each of the load's sequences.
fn per_token(flop: f64, bytes: f64, load: &Load) -> PerToken {
    PerToken {
        flop: Flop::new(load.group_tokens * flop),
        kv: Bytes::new(load.sequences * bytes),
    }
}

struct Grouped {
    d: f64,
    h: f64,
    v: f64,
    d_h: f64,
}

/// Projection and core of grouped attention; beyond tp = n_kv every GPU keeps one KV head.
///
/// Source: [H] Appendix A, [B] Table III. The core is one operator, fused or not.
fn grouped(list: &mut Operators, shape: &Grouped, precision: &Precision, load: &Load) {
    let Grouped { d, h, v, d_h } = *shape;
    let t = load.group_tokens;
    let width = (h + 2.0 * v) * d_h;
    list.push(projection(Kind::Qkv, d * width, d + width, precision, t));
    list.push(Operator {
        kind: Kind::Attention,
        flop: Flop::new(4.0 * load.pairs * h * d_h),
        weights: Bytes::ZERO,
        kv: Bytes::new(load.cached * 2.0 * v * d_h * precision.kv),
        activations: Bytes::new(2.0 * t * h * d_h * precision.activations),
        rows: f64::INFINITY,
        per_context_token: per_token(4.0 * h * d_h, 2.0 * v * d_h * precision.kv, load),
    });
}

struct Latent {
    d: f64,
    h: f64,
    r_q: Option<f64>,
    r_kv: f64,
    d_h: f64,
    d_r: f64,
    d_v: f64,
}

/// Down-projection of the query and the key/value, up-projection of the query with its rotary part.
///
/// Source: [A] eqs 25–29, 33. With no query rank, one operator projects the query directly.
fn latent_projections(list: &mut Operators, shape: &Latent, precision: &Precision, load: &Load) {
    let Latent {
        d,
        h,
        r_q,
        r_kv,
        d_h,
        d_r,
        ..
    } = *shape;
    let t = load.group_tokens;
    let query = h * (d_h + d_r);
    match r_q {
        Some(r_q) => {
            list.push(projection(Kind::QueryDown, d * r_q, d + r_q, precision, t));
            list.push(projection(
                Kind::QueryUp,
                r_q * query,
                r_q + query,
                precision,
                t,
            ));
        }
        None => list.push(projection(Kind::Query, d * query, d + query, precision, t)),
    }
    let latent = r_kv + d_r;
    list.push(projection(
        Kind::KvDown,
        d * latent,
        d + latent,
        precision,
        t,
    ));
}

/// Absorbed latent attention: queries are carried into the latent space, where all heads share
/// one cache of r_kv + d_r elements per token.
///
/// Source: [A] eqs 30, 34–38, [B] eqs 7–8. [A] eqs 32 and 36 count the value product without its
/// factor 2; here it has it, as every multiply–accumulate.
fn absorbed(
    list: &mut Operators,
    shape: &Latent,
    precision: &Precision,
    fusion: Fusion,
    load: &Load,
) {
    let Latent {
        h,
        r_kv,
        d_h,
        d_r,
        d_v,
        ..
    } = *shape;
    let (t, n, p) = (load.group_tokens, load.cached, load.pairs);
    let (c, x) = (precision.kv, precision.activations);
    let score = Flop::new(2.0 * p * h * (r_kv + d_r));
    let context = Flop::new(2.0 * p * h * r_kv);
    let score_ends = t * h * (r_kv + d_r);
    let context_ends = t * h * r_kv;
    let matrix = p * h;
    let rows = h * load.queries;

    list.push(projection(
        Kind::KeyAbsorb,
        h * d_h * r_kv,
        h * (d_h + r_kv),
        precision,
        t,
    ));
    let key_cache = Bytes::new(n * (r_kv + d_r) * c);
    match fusion {
        Fusion::Fused => list.push(Operator {
            kind: Kind::Attention,
            flop: score + context,
            weights: Bytes::ZERO,
            kv: key_cache,
            activations: Bytes::new((score_ends + context_ends) * x),
            rows,
            per_context_token: per_token(2.0 * h * (2.0 * r_kv + d_r), (r_kv + d_r) * c, load),
        }),
        Fusion::Unfused => {
            list.push(Operator {
                kind: Kind::Score,
                flop: score,
                weights: Bytes::ZERO,
                kv: key_cache,
                activations: Bytes::new((score_ends + matrix) * x),
                rows,
                per_context_token: per_token(2.0 * h * (r_kv + d_r), (r_kv + d_r) * c, load),
            });
            list.push(Operator {
                kind: Kind::Context,
                flop: context,
                weights: Bytes::ZERO,
                kv: Bytes::new(n * r_kv * c),
                activations: Bytes::new((matrix + context_ends) * x),
                rows,
                per_context_token: per_token(2.0 * h * r_kv, r_kv * c, load),
            });
        }
    }
    list.push(projection(
        Kind::ValueAbsorb,
        h * r_kv * d_v,
        h * (r_kv + d_v),
        precision,
        t,
    ));
}

/// Latent attention as written: keys and values of the whole context are decompressed every step.
///
/// Source: [A] eqs 5, 7, 12, 14–17; [B] Table III. Reading the decompressed keys and values back is
/// KV traffic, writing them is activation traffic.
fn plain(list: &mut Operators, shape: &Latent, precision: &Precision, fusion: Fusion, load: &Load) {
    let Latent {
        h,
        r_kv,
        d_h,
        d_r,
        d_v,
        ..
    } = *shape;
    let (t, n, p) = (load.group_tokens, load.cached, load.pairs);
    let (w, c, x) = (
        precision.attention_weights,
        precision.kv,
        precision.activations,
    );
    let matrix = match fusion {
        Fusion::Fused => 0.0,
        Fusion::Unfused => p * h,
    };
    let rows = h * load.queries;
    let decompress = |kind, width: f64| Operator {
        kind,
        flop: Flop::new(2.0 * load.decompressed * r_kv * h * width),
        weights: Bytes::new(r_kv * h * width * w),
        kv: Bytes::new(n * r_kv * c),
        activations: Bytes::new(load.decompressed * h * width * x),
        rows: load.decompressed,
        per_context_token: PerToken::NONE,
    };
    list.push(decompress(Kind::KeyUp, d_h));
    list.push(decompress(Kind::ValueUp, d_v));
    list.push(Operator {
        kind: Kind::Score,
        flop: Flop::new(2.0 * p * h * (d_h + d_r)),
        weights: Bytes::ZERO,
        kv: Bytes::new(n * (h * d_h + d_r) * x),
        activations: Bytes::new((t * h * (d_h + d_r) + matrix) * x),
        rows,
        per_context_token: per_token(2.0 * h * (d_h + d_r), (h * d_h + d_r) * x, load),
    });
    list.push(Operator {
        kind: Kind::Context,
        flop: Flop::new(2.0 * p * h * d_v),
        weights: Bytes::ZERO,
        kv: Bytes::new(n * h * d_v * x),
        activations: Bytes::new((t * h * d_v + matrix) * x),
        rows,
        per_context_token: per_token(2.0 * h * d_v, h * d_v * x, load),
    });
}

/// The output projection, sharded over the whole attention group: 2 t n_h d_v d / g FLOP.
///
/// Source: [A] eqs 19, 38 (garbled in print; eq 37 is followed), [H] 2.1.
fn out(arch: &Arch, plan: &Plan, precision: &Precision, load: &Load) -> Operator {
    let d = f64::from(arch.hidden);
    let rows = f64::from(arch.attention.heads()) * f64::from(arch.attention.value_dim())
        / f64::from(plan.group());
    projection(Kind::Out, rows * d, rows + d, precision, load.group_tokens)
}

/// Writes the new tokens' keys and values: t·(KV bytes per token and layer)/kvp bytes.
fn kv_write(arch: &Arch, plan: &Plan, precision: &Precision, load: &Load) -> Operator {
    let spec = plan.spec();
    let elements = arch.attention.kv_elements(spec.tp) / f64::from(spec.kvp);
    Operator {
        kind: Kind::KvWrite,
        flop: Flop::ZERO,
        weights: Bytes::ZERO,
        kv: Bytes::new(load.group_tokens * elements * precision.kv),
        activations: Bytes::ZERO,
        rows: f64::INFINITY,
        per_context_token: PerToken::NONE,
    }
}
