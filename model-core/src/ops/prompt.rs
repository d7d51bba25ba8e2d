//! Attention over a prompt as engines compute it: keys and values decompressed, scores on the chip.

use super::attention::projection;
use super::{Kind, Operator, Operators, PerToken};
use crate::arch::{Arch, Attention};
use crate::plan::Plan;
use crate::precision::Precision;
use crate::units::{Bytes, Flop};

/// Appends the attention operators of one layer for a prompt of T tokens.
///
/// Latent: the projections, keys and values up-projected for all heads, and a core of
/// T² h (d_h + d_r + d_v) FLOP that reads and writes 2 T h (d_h + d_r + d_v) elements. Grouped: a core of
/// 2 T² h d_h FLOP over T (2 h + 2 v) d_h elements. Attention is causal, so a token meets half the prompt.
///
/// Assumes: one GPU group per prompt, no context parallelism, no cached prefix.
pub fn push_attention(
    list: &mut Operators,
    arch: &Arch,
    plan: &Plan,
    precision: &Precision,
    tokens: f64,
) {
    let tp = plan.spec().tp;
    let d = f64::from(arch.hidden);
    let mut project = |kind, columns: f64, rows: f64| {
        list.push(projection(
            kind,
            columns * rows,
            columns + rows,
            precision,
            tokens,
        ));
    };
    let core = match arch.attention {
        Attention::Grouped {
            heads,
            kv_heads,
            head_dim,
        } => {
            let h = f64::from(heads) / f64::from(tp);
            let v = f64::from(kv_heads.div_ceil(tp));
            let d_h = f64::from(head_dim);
            project(Kind::Qkv, d, (h + 2.0 * v) * d_h);
            core(
                2.0 * tokens * tokens * h * d_h,
                tokens * (2.0 * h + 2.0 * v) * d_h,
                precision,
            )
        }
        Attention::Latent {
            heads,
            q_rank,
            kv_rank,
            head_dim,
            rope_dim,
            value_dim,
        } => {
            let h = f64::from(heads) / f64::from(tp);
            let r_kv = f64::from(kv_rank);
            let (d_h, d_r, d_v) = (
                f64::from(head_dim),
                f64::from(rope_dim),
                f64::from(value_dim),
            );
            match q_rank.map(f64::from) {
                Some(r_q) => {
                    project(Kind::QueryDown, d, r_q);
                    project(Kind::QueryUp, r_q, h * (d_h + d_r));
                }
                None => project(Kind::Query, d, h * (d_h + d_r)),
            }
            project(Kind::KvDown, d, r_kv + d_r);
            project(Kind::KeyUp, r_kv, h * d_h);
            project(Kind::ValueUp, r_kv, h * d_v);
            let width = h * (d_h + d_r + d_v);
            core(tokens * tokens * width, 2.0 * tokens * width, precision)
        }
    };
    let outputs = f64::from(arch.attention.heads()) * f64::from(arch.attention.value_dim())
        / f64::from(plan.group());
    project(Kind::Out, outputs, d);
    list.push(core);
}

fn core(flop: f64, elements: f64, precision: &Precision) -> Operator {
    Operator {
        kind: Kind::Attention,
        flop: Flop::new(flop),
        weights: Bytes::ZERO,
        kv: Bytes::ZERO,
        activations: Bytes::new(elements * precision.activations),
        rows: f64::INFINITY,
        per_context_token: PerToken::NONE,
    }
}
