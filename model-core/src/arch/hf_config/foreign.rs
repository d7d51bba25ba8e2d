//! Fields of a `config.json` that change the type of layers, each with the model families that support it.

use serde_json::Value;

use super::ConfigError;
use super::family::Layers;
use super::fields::{Fields, whole};

const LINEAR: &str = "this kind of linear attention is not modeled";
const KINDS: &str = "mixed layer types are not modeled in this family";
const SHAPES: &str = "mixed layer shapes are not modeled in this family";
const CACHE: &str = "cross-layer KV sharing is not modeled";
const COMPRESSED: &str = "compressed attention is not modeled in this family";
const SPARSE: &str = "sparse attention is not modeled in this family";

/// A field name, the reason for refusing the field, and the model families that support it.
type ForeignField = (&'static str, &'static str, &'static [Layers]);

const FOREIGN: &[ForeignField] = &[
    ("linear_attn_config", LINEAR, &[Layers::Kda]),
    ("lightning_attn_config", LINEAR, &[]),
    ("layer_group_size", LINEAR, &[Layers::KdaGroups]),
    ("hybrid_override_pattern", KINDS, &[Layers::Blocktypes]),
    ("layers_block_type", KINDS, &[Layers::Blocktypes]),
    ("hybrid_layer_pattern", KINDS, &[Layers::Swa]),
    ("block_types", KINDS, &[]),
    ("block_configs", SHAPES, &[]),
    ("attn_layer_period", KINDS, &[]),
    ("attn_layer_indices", KINDS, &[]),
    ("attention_layers", KINDS, &[]),
    ("attention_types", KINDS, &[]),
    (
        "cross_attention_layers",
        "cross-attention is not modeled",
        &[],
    ),
    (
        "multi_query",
        "the number of KV heads is not read from this field",
        &[],
    ),
    (
        "num_attention_heads_per_layer",
        SHAPES,
        &[Layers::Attention],
    ),
    (
        "num_key_value_heads_per_layer",
        SHAPES,
        &[Layers::Attention],
    ),
    ("num_global_key_value_heads", SHAPES, &[Layers::Global]),
    ("global_head_dim", SHAPES, &[Layers::Global]),
    ("attention_k_eq_v", SHAPES, &[Layers::Global]),
    ("attention_other_setting", SHAPES, &[Layers::OtherHeads]),
    ("local_layer_ids", KINDS, &[Layers::Local]),
    ("num_kv_shared_layers", CACHE, &[]),
    ("kv_source_layer_ids", CACHE, &[]),
    (
        "hidden_size_per_layer_input",
        "per-layer embeddings are not modeled",
        &[],
    ),
    (
        "use_double_wide_mlp",
        "double-width FFNs in some layers are not modeled",
        &[],
    ),
    ("compress_ratios", COMPRESSED, &[Layers::Compressed]),
    (
        "o_lora_rank",
        "a low-rank output projection is not modeled in this family",
        &[Layers::Compressed],
    ),
    (
        "zero_expert_num",
        "zero-computation experts are not modeled",
        &[],
    ),
    ("sparse_config", SPARSE, &[]),
    ("sparse_attention_config", SPARSE, &[Layers::Blocks]),
    ("index_topk", SPARSE, INDEXED),
    ("index_n_heads", SPARSE, INDEXED),
    ("indexer_budget", SPARSE, &[Layers::GatedDelta]),
];
const INDEXED: &[Layers] = &[Layers::Indexed, Layers::Kda, Layers::Compressed];

/// Prefixes of field names that change the type of layers.
const FOREIGN_STARTS: &[ForeignField] = &[
    ("linear_num_", LINEAR, &[Layers::GatedDelta]),
    ("linear_key_", LINEAR, &[Layers::GatedDelta]),
    ("linear_value_", LINEAR, &[Layers::GatedDelta]),
    ("linear_conv_", LINEAR, &[Layers::GatedDelta]),
    (
        "mamba_",
        "SSM layers are not modeled in this family",
        &[Layers::Blocktypes, Layers::GatedDelta],
    ),
    (
        "ssm_",
        "SSM layers are not modeled in this family",
        &[Layers::Blocktypes],
    ),
    ("swa_num_", SHAPES, &[Layers::Swa, Layers::Local]),
    ("swa_head_", SHAPES, &[Layers::Swa, Layers::Local]),
];

/// Refuses fields that describe layers which the model family does not support.
pub(super) fn refuse(fields: &Fields<'_>, layers: Layers) -> Result<(), ConfigError> {
    for (name, value) in fields.stated() {
        let exact = FOREIGN.iter().find(|(foreign, ..)| *foreign == name);
        let start = || {
            FOREIGN_STARTS
                .iter()
                .find(|(start, ..)| name.starts_with(start))
        };
        if let Some((_, why, owners)) = exact.or_else(start)
            && !owners.contains(&layers)
        {
            return Err(fields.refuse(name, *why));
        }
        if name == "full_attention_interval"
            && whole(value) != Ok(1)
            && layers != Layers::GatedDelta
        {
            return Err(fields.refuse(name, LINEAR));
        }
        if name == "attn_type_list"
            && layers != Layers::Lightning
            && let Some(Value::Array(kinds)) = fields.get(name)
            && kinds.iter().any(|kind| whole(kind) != Ok(1))
        {
            let why = "layer types other than 1 (full attention) are not modeled in this family";
            return Err(fields.refuse(name, why));
        }
    }
    Ok(())
}
