//! Operators of a layer's mixer, for GQA and MLA.
//!
//! Symbols: t is the number of tokens of an attention group. ρ is the number of cache rows and p the number of
//! query–key pairs on this GPU (see [`super::reach`]). h = n_h/tp is the number of heads, and g = tp·kvp the number
//! of GPUs in the group. w, c and x are bytes per element of weights, cache and activations.

use super::product::{core, per_token, projection};
use super::reach::{grouped_row, latent_row, own_index_bytes};
use super::{
    Fusion, KernelClass, Kind, LatentForm, Load, Operator, Operators, PerToken, Subject,
    compressed, index, recurrent,
};
use crate::arch::{self, Mixer};
use crate::precision::Precision;
use crate::units::{Bytes, Flop};

/// Appends the operators of one layer's mixer.
pub fn push(list: &mut Operators, mixer: &Mixer, subject: &Subject<'_>, load: &Load) {
    let Subject {
        arch,
        plan,
        precision,
        kernel,
        ..
    } = subject;
    match mixer {
        Mixer::Grouped(shape) => {
            grouped(list, mixer, shape, subject, load);
            let width = f64::from(shape.heads) * f64::from(shape.value_dim);
            list.push(out(width, subject, load));
        }
        Mixer::Latent(shape) => {
            let width = f64::from(shape.heads) * f64::from(shape.value_dim);
            let sizes = Latent::of(shape, arch.hidden, plan.spec().tp);
            latent_projections(list, &sizes, precision, load);
            index::push(list, mixer, subject, load);
            match kernel.latent {
                LatentForm::Plain if shape.index.is_none() => {
                    plain(list, &sizes, precision, kernel.fusion, load);
                }
                _ => absorbed(list, shape, &sizes, subject, load),
            }
            list.push(out(width, subject, load));
        }
        Mixer::Compressed(shape) => compressed::push(list, mixer, shape, subject, load),
        Mixer::GatedDelta(_) | Mixer::Kda(_) | Mixer::Lightning(_) | Mixer::Mamba2(_) => {
            recurrent::push(list, mixer, subject, load);
        }
    }
    if !mixer.is_recurrent() {
        list.push(kv_write(mixer, subject, load));
    }
    residual(list, subject, load);
}

/// Appends the projection, index and attention kernel of GQA. With tp > n_kv, KV heads are replicated.
///
/// Source: [H] Appendix A, [B] Table III. The attention kernel is a single operator, fused or not.
fn grouped(
    list: &mut Operators,
    mixer: &Mixer,
    shape: &arch::Grouped,
    subject: &Subject<'_>,
    load: &Load,
) {
    grouped_projection(list, shape, subject, load);
    index::push(list, mixer, subject, load);
    let tp = subject.plan.spec().tp;
    let h = f64::from(shape.heads) / f64::from(tp);
    let widths = f64::from(shape.head_dim) + f64::from(shape.value_dim);
    let v = f64::from(shape.kv_heads.div_ceil(tp));
    let row = f64::from(shape.row());
    let (c, x) = (subject.precision.kv, subject.precision.activations);
    let reach = load.grouped(&shape.span);
    list.push(Operator {
        per_context_token: per_token(2.0 * h * widths, v * row * c, load),
        ..core(
            Kind::Attention,
            2.0 * reach.pairs * h * widths,
            reach.rows * v * row * c,
            load.group_tokens * h * widths * x,
        )
    });
}

/// Appends the joint projection of queries, keys, values and output gate for GQA. If there is a query rank, this
/// projection yields compressed queries, replicated on every GPU. A separate operator then projects them up.
///
/// Source: vLLM, models/step3_text.
pub(super) fn grouped_projection(
    list: &mut Operators,
    shape: &arch::Grouped,
    subject: &Subject<'_>,
    load: &Load,
) {
    let tp = subject.plan.spec().tp;
    let d = f64::from(subject.arch.hidden);
    let h = f64::from(shape.heads) / f64::from(tp);
    let gate = if shape.gate {
        h * f64::from(shape.value_dim)
    } else {
        0.0
    };
    let query = h * f64::from(shape.head_dim);
    let rank = shape.q_rank.map(f64::from);
    let width = rank.unwrap_or(query) + gate + grouped_row(shape, tp);
    let t = load.group_tokens;
    let project = |kind, rows, columns| {
        projection(kind, rows * columns, rows + columns, subject.precision, t)
    };
    list.push(project(Kind::Qkv, d, width));
    if let Some(rank) = rank {
        list.push(project(Kind::QueryUp, rank, query));
    }
}

pub(super) struct Latent {
    pub d: f64,
    pub h: f64,
    pub r_q: Option<f64>,
    pub r_kv: f64,
    pub d_h: f64,
    pub d_r: f64,
    pub d_v: f64,
    pub gate: bool,
}

impl Latent {
    pub(super) fn of(shape: &arch::Latent, hidden: u32, tp: u32) -> Self {
        Self {
            d: f64::from(hidden),
            h: f64::from(shape.heads) / f64::from(tp),
            r_q: shape.q_rank.map(f64::from),
            r_kv: f64::from(shape.kv_rank),
            d_h: f64::from(shape.head_dim),
            d_r: f64::from(shape.rope_dim),
            d_v: f64::from(shape.value_dim),
            gate: shape.gate,
        }
    }
}

/// Appends the down-projections of query and key/value, and the up-projection of the query including its rotary part.
///
/// Source: [A] eqs 25–29, 33. Without a query rank, one operator projects the query directly.
pub(super) fn latent_projections(
    list: &mut Operators,
    shape: &Latent,
    precision: &Precision,
    load: &Load,
) {
    let Latent {
        d,
        h,
        r_q,
        r_kv,
        d_h,
        d_r,
        d_v,
        gate,
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
    if gate {
        let width = h * d_v;
        list.push(projection(Kind::Gate, d * width, d + width, precision, t));
    }
}

/// Appends the operators of absorbed MLA. Queries are projected into the latent space, where all heads share one
/// cache of r_kv + d_r elements per token.
///
/// Source: [A] eqs 30, 34–38, [B] eqs 7–8. [A] eqs 32 and 36 omit the factor 2 for the product with the values. It is
/// included here, as for every multiply–accumulate.
fn absorbed(
    list: &mut Operators,
    spans: &arch::Latent,
    shape: &Latent,
    subject: &Subject<'_>,
    load: &Load,
) {
    let Subject {
        precision, kernel, ..
    } = subject;
    let Latent { h, r_kv, d_r, .. } = *shape;
    let (reach, queries) = match &spans.index {
        Some(index) => (load.selected(index), subject.selecting_queries(load)),
        None => (load.full(), load.queries),
    };
    let (t, n, p) = (load.group_tokens, reach.rows, reach.pairs);
    let (c, x) = (precision.kv, precision.activations);
    let score = Flop::new(2.0 * p * h * (r_kv + d_r));
    let context = Flop::new(2.0 * p * h * r_kv);
    let score_ends = t * h * (r_kv + d_r);
    let context_ends = t * h * r_kv;
    let matrix = p * h;
    let rows = h * queries;

    list.push(key_absorb(shape, precision, t));
    let key_cache = Bytes::new(n * (r_kv + d_r) * c);
    match kernel.fusion {
        Fusion::Fused => list.push(Operator {
            kind: Kind::Attention,
            kernel: KernelClass::LatentCore,
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
                kernel: KernelClass::LatentCore,
                flop: score,
                weights: Bytes::ZERO,
                kv: key_cache,
                activations: Bytes::new((score_ends + matrix) * x),
                rows,
                per_context_token: per_token(2.0 * h * (r_kv + d_r), (r_kv + d_r) * c, load),
            });
            list.push(Operator {
                kind: Kind::Context,
                kernel: KernelClass::LatentCore,
                flop: context,
                weights: Bytes::ZERO,
                kv: Bytes::new(n * r_kv * c),
                activations: Bytes::new((matrix + context_ends) * x),
                rows,
                per_context_token: per_token(2.0 * h * r_kv, r_kv * c, load),
            });
        }
    }
    list.push(value_absorb(shape, precision, t));
}

/// Returns the operator that projects queries into the latent space.
pub(super) fn key_absorb(shape: &Latent, precision: &Precision, tokens: f64) -> Operator {
    let Latent { h, r_kv, d_h, .. } = *shape;
    let ends = h * (d_h + r_kv);
    projection(Kind::KeyAbsorb, h * d_h * r_kv, ends, precision, tokens)
}

/// Returns the operator that projects attention outputs out of the latent space.
pub(super) fn value_absorb(shape: &Latent, precision: &Precision, tokens: f64) -> Operator {
    let Latent { h, r_kv, d_v, .. } = *shape;
    let ends = h * (r_kv + d_v);
    projection(Kind::ValueAbsorb, h * r_kv * d_v, ends, precision, tokens)
}

/// Appends the operators of MLA without absorption: every step decompresses the keys and values of the whole context.
///
/// Source: [A] eqs 5, 7, 12, 14–17; [B] Table III. Reading the decompressed keys and values counts as KV traffic, and
/// writing them as activation traffic.
fn plain(list: &mut Operators, shape: &Latent, precision: &Precision, fusion: Fusion, load: &Load) {
    let Latent {
        h,
        r_kv,
        d_h,
        d_r,
        d_v,
        ..
    } = *shape;
    let reach = load.full();
    let decompressed = load.cached();
    let (t, n, p) = (load.group_tokens, reach.rows, reach.pairs);
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
        kernel: KernelClass::Projection,
        flop: Flop::new(2.0 * decompressed * r_kv * h * width),
        weights: Bytes::new(r_kv * h * width * w),
        kv: Bytes::new(n * r_kv * c),
        activations: Bytes::new(decompressed * h * width * x),
        rows: decompressed,
        per_context_token: PerToken::NONE,
    };
    list.push(decompress(Kind::KeyUp, d_h));
    list.push(decompress(Kind::ValueUp, d_v));
    list.push(Operator {
        kind: Kind::Score,
        kernel: KernelClass::LatentCore,
        flop: Flop::new(2.0 * p * h * (d_h + d_r)),
        weights: Bytes::ZERO,
        kv: Bytes::new(n * (h * d_h + d_r) * x),
        activations: Bytes::new((t * h * (d_h + d_r) + matrix) * x),
        rows,
        per_context_token: per_token(2.0 * h * (d_h + d_r), (h * d_h + d_r) * x, load),
    });
    list.push(Operator {
        kind: Kind::Context,
        kernel: KernelClass::LatentCore,
        flop: Flop::new(2.0 * p * h * d_v),
        weights: Bytes::ZERO,
        kv: Bytes::new(n * h * d_v * x),
        activations: Bytes::new((t * h * d_v + matrix) * x),
        rows,
        per_context_token: per_token(2.0 * h * d_v, h * d_v * x, load),
    });
}

/// Returns the output projection with `width` input rows, sharded over the whole attention group: 2 t n_h d_v d / g
/// FLOP.
///
/// Source: [A] eqs 19, 38 (garbled in print; eq 37 is followed), [H] 2.1.
pub(super) fn out(width: f64, subject: &Subject<'_>, load: &Load) -> Operator {
    let d = f64::from(subject.arch.hidden);
    let rows = width / f64::from(subject.plan.group());
    let t = load.group_tokens;
    projection(Kind::Out, rows * d, rows + d, subject.precision, t)
}

/// Returns the operator that writes the KV cache of new tokens: t·(bytes per token and layer)/kvp. If the layer has a
/// separate index, the index keys are included.
fn kv_write(mixer: &Mixer, subject: &Subject<'_>, load: &Load) -> Operator {
    let spec = subject.plan.spec();
    let keys = own_index_bytes(mixer.index(), subject.precision);
    // A compressed entry covers several tokens, so one is written every `every` tokens.
    let (elements, every) = match mixer {
        Mixer::Grouped(shape) => (grouped_row(shape, spec.tp), 1.0),
        Mixer::Latent(shape) => (latent_row(shape), 1.0),
        Mixer::Compressed(shape) => {
            let row = f64::from(shape.head_dim);
            match shape.ratio.map(f64::from) {
                Some(ratio) => (row + row / ratio, ratio),
                None => (row, 1.0),
            }
        }
        Mixer::GatedDelta(_) | Mixer::Kda(_) | Mixer::Lightning(_) | Mixer::Mamba2(_) => (0.0, 1.0),
    };
    let kvp = f64::from(spec.kvp);
    let rows = load.group_tokens * (elements / kvp) * subject.precision.kv;
    let keys = load.group_tokens * (keys / every / kvp);
    core(Kind::KvWrite, 0.0, rows + keys, 0.0)
}

/// Appends the mappings between several residual streams, which a layer applies at two sites. With n_r streams, each
/// mapping reads and writes n_r d elements per token. It multiplies them by a (2 + n_r) n_r × n_r d matrix. In the
/// low-rank form, there are two n_r d × rank matrices and one n_r d × n_r matrix.
///
/// Sources: aiconfigurator, operators/mhc; `transformers` modular_qwen4_exp, gated residual.
pub(super) fn residual(list: &mut Operators, subject: &Subject<'_>, load: &Load) {
    let streams = f64::from(subject.arch.residual_streams);
    if streams > 1.0 {
        let d = f64::from(subject.arch.hidden);
        let columns = match subject.arch.residual_rank {
            Some(rank) => 2.0 * f64::from(rank) + streams,
            None => (2.0 + streams) * streams,
        };
        let weights = 2.0 * columns * streams * d;
        let ends = 4.0 * streams * d;
        let t = load.group_tokens;
        list.push(projection(
            Kind::Residual,
            weights,
            ends,
            subject.precision,
            t,
        ));
    }
}
