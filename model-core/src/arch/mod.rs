//! Model architectures: the shapes that decide how much a layer computes and reads.

pub mod catalog;
pub mod hf_config;
pub mod params;

use serde::{Deserialize, Serialize};

/// A decoder-only transformer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arch {
    /// Hidden size, d.
    pub hidden: u32,
    /// Number of layers, L.
    pub layers: u32,
    /// Vocabulary size, V.
    pub vocab: u32,
    /// How every layer attends.
    pub attention: Attention,
    /// What follows the attention in every layer.
    pub ffn: Ffn,
}

/// The attention of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Attention {
    /// Query heads in groups that share a key/value head: MHA (`kv_heads = heads`), GQA, MQA (1).
    Grouped {
        /// Query heads, n_h.
        heads: u32,
        /// Key/value heads, n_kv.
        kv_heads: u32,
        /// Head dimension, d_h.
        head_dim: u32,
    },
    /// Multi-head latent attention (MLA). Source: [A] Table 1, DeepSeek-V2 Appendix C.
    Latent {
        /// Query heads, n_h.
        heads: u32,
        /// Rank of the compressed query, r_q; `None` when queries are projected directly.
        q_rank: Option<u32>,
        /// Rank of the compressed key/value, r_kv.
        kv_rank: u32,
        /// Head dimension without position, d_h.
        head_dim: u32,
        /// Rotary head dimension, d_r.
        rope_dim: u32,
        /// Value head dimension, d_v.
        value_dim: u32,
    },
}

/// The feed-forward part of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ffn {
    /// One MLP that every token passes.
    Dense {
        /// Intermediate width, f.
        width: u32,
        /// Weight matrices, μ: 3 when gated, else 2.
        matrices: u32,
    },
    /// Mixture of experts after `dense_layers` leading dense layers; every MLP has 3 matrices.
    Moe {
        /// Leading dense layers, L_D.
        dense_layers: u32,
        /// Intermediate width of those, f.
        dense_width: u32,
        /// Routed experts, E.
        experts: u32,
        /// Routed experts a token uses, k.
        experts_per_token: u32,
        /// Shared experts, E_s.
        shared_experts: u32,
        /// Intermediate width of an expert, f_e.
        expert_width: u32,
    },
}

impl Attention {
    /// Query heads, n_h.
    pub const fn heads(&self) -> u32 {
        match *self {
            Self::Grouped { heads, .. } | Self::Latent { heads, .. } => heads,
        }
    }

    /// Value head dimension, d_v.
    pub const fn value_dim(&self) -> u32 {
        match *self {
            Self::Grouped { head_dim, .. } => head_dim,
            Self::Latent { value_dim, .. } => value_dim,
        }
    }

    /// KV-cache elements per token and layer on a GPU that holds 1/`tp` of the heads.
    ///
    /// Grouped: 2 ⌈n_kv/tp⌉ d_h, so beyond `tp = n_kv` heads are duplicated ([H] 2).
    /// Latent: r_kv + d_r on every GPU, whatever `tp` ([A] 3.1.1).
    pub fn kv_elements(&self, tp: u32) -> f64 {
        match *self {
            Self::Grouped {
                kv_heads, head_dim, ..
            } => 2.0 * f64::from(kv_heads.div_ceil(tp)) * f64::from(head_dim),
            Self::Latent {
                kv_rank, rope_dim, ..
            } => f64::from(kv_rank) + f64::from(rope_dim),
        }
    }
}

impl Arch {
    /// Layers with a dense feed-forward: all of a dense model, L_D of a mixture of experts.
    pub const fn dense_layers(&self) -> u32 {
        match self.ffn {
            Ffn::Dense { .. } => self.layers,
            Ffn::Moe { dense_layers, .. } => dense_layers,
        }
    }

    /// Layers with experts, L_E.
    pub const fn expert_layers(&self) -> u32 {
        self.layers - self.dense_layers()
    }

    /// The first number that makes no sense, by field, if there is one.
    ///
    /// Shapes from outside (links, config files) pass here before anything is computed.
    pub fn check(&self) -> Result<(), ShapeError> {
        let within = |field, value: u32, least: u32, most: u32| {
            if (least..=most).contains(&value) {
                Ok(())
            } else {
                Err(ShapeError {
                    field,
                    value,
                    least,
                    most,
                })
            }
        };
        within("hidden", self.hidden, 1, 1 << 20)?;
        within("layers", self.layers, 1, 10_000)?;
        within("vocab", self.vocab, 1, 1 << 24)?;
        match self.attention {
            Attention::Grouped {
                heads,
                kv_heads,
                head_dim,
            } => {
                within("heads", heads, 1, 1 << 14)?;
                within("kv_heads", kv_heads, 1, heads)?;
                within("head_dim", head_dim, 1, 1 << 14)?;
            }
            Attention::Latent {
                heads,
                q_rank,
                kv_rank,
                head_dim,
                rope_dim,
                value_dim,
            } => {
                within("heads", heads, 1, 1 << 14)?;
                within("q_rank", q_rank.unwrap_or(1), 1, 1 << 18)?;
                within("kv_rank", kv_rank, 1, 1 << 18)?;
                within("head_dim", head_dim, 1, 1 << 14)?;
                within("rope_dim", rope_dim, 1, 1 << 14)?;
                within("value_dim", value_dim, 1, 1 << 14)?;
            }
        }
        match self.ffn {
            Ffn::Dense { width, matrices } => {
                within("width", width, 1, 1 << 24)?;
                within("matrices", matrices, 2, 3)
            }
            Ffn::Moe {
                dense_layers,
                dense_width,
                experts,
                experts_per_token,
                shared_experts,
                expert_width,
            } => {
                within("dense_layers", dense_layers, 0, self.layers - 1)?;
                within("dense_width", dense_width, 0, 1 << 24)?;
                within("experts", experts, 1, 1 << 16)?;
                within("experts_per_token", experts_per_token, 1, experts)?;
                within("shared_experts", shared_experts, 0, 1 << 10)?;
                within("expert_width", expert_width, 1, 1 << 24)
            }
        }
    }
}

/// A shape no model has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShapeError {
    /// The field of the architecture.
    pub field: &'static str,
    /// Its value.
    pub value: u32,
    /// The least it can be.
    pub least: u32,
    /// The most it can be.
    pub most: u32,
}
