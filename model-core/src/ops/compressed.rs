//! Operators of attention to a sliding window and to compressed entries (DeepSeek-V4).

use super::product::{core, per_token, projection};
use super::{KernelClass, Kind, Load, Operator, Operators, PerToken, Subject, index};
use crate::arch::{Compressed, Mixer};
use crate::units::{Bytes, Flop};

/// Appends the operators of one layer's mixer, from the query projections to the output projection. A single row
/// serves as key and value for all heads, and is replicated on every GPU.
///
/// Source: `transformers` modular_deepseek_v4; aiconfigurator perf_database/dsv4.
pub(super) fn push(
    list: &mut Operators,
    mixer: &Mixer,
    shape: &Compressed,
    subject: &Subject<'_>,
    load: &Load,
) {
    push_projections(list, shape, subject, load);
    index::push(list, mixer, subject, load);

    let Subject {
        plan, precision, ..
    } = subject;
    let h = f64::from(shape.heads) / f64::from(plan.spec().tp);
    let d_k = f64::from(shape.head_dim);
    let t = load.group_tokens;
    let reach = load.compressed(shape);
    let bytes = d_k * precision.kv;
    list.push(Operator {
        kernel: KernelClass::LatentCore,
        rows: h * subject.selecting_queries(load),
        per_context_token: per_token(4.0 * h * d_k, bytes, load),
        ..core(
            Kind::Attention,
            4.0 * reach.pairs * h * d_k,
            reach.rows * bytes,
            2.0 * t * h * d_k * precision.activations,
        )
    });
    out(list, shape, subject, load);
}

/// Appends the low-rank query projections, the shared key/value projection, and the compressor with its gates.
pub(super) fn push_projections(
    list: &mut Operators,
    shape: &Compressed,
    subject: &Subject<'_>,
    load: &Load,
) {
    let d = f64::from(subject.arch.hidden);
    let h = f64::from(shape.heads) / f64::from(subject.plan.spec().tp);
    let (r_q, d_k) = (f64::from(shape.q_rank), f64::from(shape.head_dim));
    let t = load.group_tokens;
    let mut project = |kind, from: f64, to: f64| {
        list.push(projection(kind, from * to, from + to, subject.precision, t));
    };
    project(Kind::QueryDown, d, r_q);
    project(Kind::QueryUp, r_q, h * d_k);
    project(Kind::Kv, d, d_k);
    if shape.ratio.is_some() {
        project(Kind::Compress, d, 2.0 * f64::from(shape.copies()) * d_k);
    }
}

/// Appends the output projection in two steps. First, each group of heads is projected to a low rank. Then, the
/// low-rank outputs of all groups are projected to the hidden width d.
pub(super) fn out(list: &mut Operators, shape: &Compressed, subject: &Subject<'_>, load: &Load) {
    let (arch, plan, precision) = subject.parts();
    let d = f64::from(arch.hidden);
    let g = f64::from(plan.group());
    let t = load.group_tokens;
    let width = f64::from(shape.heads) * f64::from(shape.head_dim);
    let ranks = f64::from(shape.out_groups) * f64::from(shape.out_rank);
    let elements = width * f64::from(shape.out_rank) / g;
    list.push(Operator {
        kind: Kind::OutA,
        kernel: KernelClass::Projection,
        flop: Flop::new(2.0 * t * elements),
        weights: Bytes::new(elements * precision.attention_weights),
        kv: Bytes::ZERO,
        activations: Bytes::new(t * (width + ranks) / g * precision.activations),
        rows: t,
        per_context_token: PerToken::NONE,
    });
    let rows = ranks / g;
    list.push(projection(Kind::OutB, rows * d, rows + d, precision, t));
}
