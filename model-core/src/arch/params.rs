//! Counts a model's parameters, so that its shape can be checked with published parameter counts.

use super::{Arch, Ffn, Index, Mixer};

/// Parameter counts of a model, in elements rather than bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// Parameters of the input embedding and the output head; a tied matrix is counted once.
    pub embeddings: f64,
    /// Parameters of the whole model.
    pub total: f64,
    /// Active parameters per token, excluding the input embedding.
    pub active: f64,
}

/// Counts the weights of `arch`: all projections, short convolutions, experts, routers, indexers and embeddings.
/// Norms, biases and every part that [`super::hf_config`] reports as left out are not counted.
pub fn parameters(arch: &Arch) -> Parameters {
    let embedding = f64::from(arch.vocab) * f64::from(arch.hidden);
    let mixers = arch
        .mixers()
        .iter()
        .map(|part| f64::from(part.layers) * mixer(&part.shape, arch.hidden))
        .sum::<f64>();
    let ffns = |experts: fn(&super::Moe) -> u32| -> f64 {
        arch.ffns()
            .iter()
            .map(|part| f64::from(part.layers) * ffn(&part.shape, arch.hidden, experts))
            .sum()
    };
    let embeddings = if arch.tied { 1.0 } else { 2.0 } * embedding;
    Parameters {
        embeddings,
        total: mixers + ffns(|moe| moe.experts) + embeddings,
        active: mixers + ffns(|moe| moe.experts_per_token) + embedding,
    }
}

/// Returns the number of weights in one layer's FFN; `experts` returns how many of the routed experts to count.
fn ffn(ffn: &Ffn, hidden: u32, experts: fn(&super::Moe) -> u32) -> f64 {
    let d = f64::from(hidden);
    match ffn {
        Ffn::Dense(dense) => f64::from(dense.matrices) * d * f64::from(dense.width),
        Ffn::Moe(moe) => {
            let matrices = f64::from(moe.matrices);
            let z = f64::from(moe.working_width(hidden));
            let expert = matrices * z * f64::from(moe.expert_width);
            let shared = matrices * d * f64::from(moe.shared_width);
            let latent = if moe.latent.is_some() {
                2.0 * d * z
            } else {
                0.0
            };
            d * f64::from(moe.experts)
                + f64::from(experts(moe)) * expert
                + f64::from(moe.shared_experts) * shared
                + latent
        }
    }
}

/// Returns the number of weights in one layer's mixer.
pub fn mixer(mixer: &Mixer, hidden: u32) -> f64 {
    let d = f64::from(hidden);
    match mixer {
        Mixer::Grouped(shape) => {
            let out = f64::from(shape.heads) * f64::from(shape.value_dim);
            let gate = if shape.gate { out } else { 0.0 };
            let queries = f64::from(shape.heads) * f64::from(shape.head_dim);
            let rank = shape.q_rank.map(f64::from);
            let columns =
                rank.unwrap_or(queries) + gate + f64::from(shape.kv_heads) * f64::from(shape.row());
            let up = rank.map_or(0.0, |rank| rank * queries);
            d * columns + up + out * d + index(shape.index(), d, d, |i| i.head_dim.into())
        }
        Mixer::Latent(shape) => {
            let (h, r_kv) = (f64::from(shape.heads), f64::from(shape.kv_rank));
            let (d_h, d_r) = (f64::from(shape.head_dim), f64::from(shape.rope_dim));
            let d_v = f64::from(shape.value_dim);
            let query = match shape.q_rank {
                Some(rank) => f64::from(rank) * (d + h * (d_h + d_r)),
                None => d * h * (d_h + d_r),
            };
            let gate = if shape.gate { d * h * d_v } else { 0.0 };
            let source = shape.q_rank.map_or(d, f64::from);
            query
                + d * (r_kv + d_r)
                + r_kv * h * (d_h + d_v)
                + h * d_v * d
                + gate
                + index(shape.index, d, source, |i| {
                    f64::from(i.head_dim) + f64::from(i.heads)
                })
        }
        Mixer::Compressed(shape) => {
            let (r_q, d_k) = (f64::from(shape.q_rank), f64::from(shape.head_dim));
            let width = f64::from(shape.heads) * d_k;
            let copies = f64::from(shape.copies());
            let compress = if shape.ratio.is_some() {
                d * 2.0 * copies * d_k
            } else {
                0.0
            };
            let rank = f64::from(shape.out_rank);
            r_q * (d + width)
                + d * d_k
                + compress
                + width * rank
                + f64::from(shape.out_groups) * rank * d
                + index(shape.index, d, r_q, |i| {
                    2.0 * copies * f64::from(i.head_dim) + f64::from(i.heads)
                })
        }
        Mixer::GatedDelta(shape) => {
            let k = f64::from(shape.key_heads) * f64::from(shape.key_dim);
            let v = f64::from(shape.value_heads) * f64::from(shape.value_dim);
            let conv = f64::from(shape.conv) * (2.0 * k + v);
            d * (2.0 * k + 2.0 * v + 2.0 * f64::from(shape.value_heads)) + v * d + conv
        }
        Mixer::Kda(shape) => {
            let (n, d_h) = (f64::from(shape.heads), f64::from(shape.head_dim));
            let p = n * d_h;
            let (narrow, wide) = shape.gates();
            let conv = f64::from(shape.conv) * 3.0 * p;
            d * (3.0 * p + n + narrow * d_h + wide * p) + narrow * d_h * p + p * d + conv
        }
        Mixer::Lightning(shape) => {
            let p = f64::from(shape.heads) * f64::from(shape.head_dim);
            d * 4.0 * p + p * d
        }
        Mixer::Mamba2(shape) => {
            let width = f64::from(shape.heads) * f64::from(shape.head_dim);
            let keys = f64::from(shape.groups) * f64::from(shape.state_dim);
            let conv = f64::from(shape.conv) * (width + 2.0 * keys);
            d * (2.0 * width + 2.0 * keys + f64::from(shape.heads)) + width * d + conv
        }
    }
}

/// Returns the number of weights in a layer's indexer; a shared indexer has none. Query projections have `source`
/// inputs; the projections of keys and per-head weights have `d` inputs.
fn index(index: Option<Index>, d: f64, source: f64, keys: impl Fn(&Index) -> f64) -> f64 {
    match index {
        Some(index) if !index.shared => {
            let queries = f64::from(index.heads) * f64::from(index.head_dim);
            source * queries + d * keys(&index)
        }
        _ => 0.0,
    }
}
