//! Parameter counts, for checking a shape against what its authors publish.

use super::{Arch, Attention, Ffn};

/// Parameters of a model, by part; elements, not bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// Attention of one layer.
    pub attention_layer: f64,
    /// One dense feed-forward layer.
    pub dense_layer: f64,
    /// One expert.
    pub expert: f64,
    /// Input embedding and output head together.
    pub embeddings: f64,
    /// The whole model.
    pub total: f64,
    /// What one token passes through, the input embedding left out.
    pub active: f64,
}

/// Counts the weights of `arch`; norms and biases, well under 0.1 %, are left out.
pub fn parameters(arch: &Arch) -> Parameters {
    let d = f64::from(arch.hidden);
    let attention_layer = attention(&arch.attention, d);
    let (dense_layer, expert, routed, active_experts, router) = match arch.ffn {
        Ffn::Dense { width, matrices } => (
            f64::from(matrices) * d * f64::from(width),
            0.0,
            0.0,
            0.0,
            0.0,
        ),
        Ffn::Moe {
            dense_width,
            experts,
            experts_per_token,
            shared_experts,
            expert_width,
            ..
        } => (
            3.0 * d * f64::from(dense_width),
            3.0 * d * f64::from(expert_width),
            f64::from(experts + shared_experts),
            f64::from(experts_per_token + shared_experts),
            d * f64::from(experts),
        ),
    };
    let embedding = f64::from(arch.vocab) * d;
    let common = f64::from(arch.layers) * attention_layer
        + f64::from(arch.dense_layers()) * dense_layer
        + f64::from(arch.expert_layers()) * router;
    let experts = |count: f64| f64::from(arch.expert_layers()) * count * expert;
    Parameters {
        attention_layer,
        dense_layer,
        expert,
        embeddings: 2.0 * embedding,
        total: common + experts(routed) + 2.0 * embedding,
        active: common + experts(active_experts) + embedding,
    }
}

fn attention(attention: &Attention, d: f64) -> f64 {
    match *attention {
        Attention::Grouped {
            heads,
            kv_heads,
            head_dim,
        } => d * f64::from(2 * heads + 2 * kv_heads) * f64::from(head_dim),
        Attention::Latent {
            heads,
            q_rank,
            kv_rank,
            head_dim,
            rope_dim,
            value_dim,
        } => {
            let (h, r_kv) = (f64::from(heads), f64::from(kv_rank));
            let (d_h, d_r, d_v) = (
                f64::from(head_dim),
                f64::from(rope_dim),
                f64::from(value_dim),
            );
            let query = match q_rank {
                Some(rank) => f64::from(rank) * (d + h * (d_h + d_r)),
                None => d * h * (d_h + d_r),
            };
            query + d * (r_kv + d_r) + r_kv * h * (d_h + d_v) + h * d_v * d
        }
    }
}
