//! The attention of a file: its heads and ranks, and what limits the context it sees.

use serde_json::Value;

use super::family::{Heads, Windowed};
use super::fields::{Fields, quote, whole};
use super::{Caveat, ConfigError, Context, Window};
use crate::arch::Attention;

/// Fields that make layers into something the model does not know, and what that is.
const FOREIGN: &[(&str, &str)] = &[
    ("linear_attn_config", "linear attention is not modelled"),
    ("lightning_attn_config", "linear attention is not modelled"),
    ("layer_group_size", "linear attention is not modelled"),
    (
        "hybrid_override_pattern",
        "layers of several kinds are not modelled",
    ),
    (
        "hybrid_layer_pattern",
        "layers of several kinds are not modelled",
    ),
    (
        "layers_block_type",
        "layers of several kinds are not modelled",
    ),
    ("block_types", "layers of several kinds are not modelled"),
    ("block_configs", "layers of several shapes are not modelled"),
    (
        "attn_layer_period",
        "layers of several kinds are not modelled",
    ),
    (
        "attn_layer_indices",
        "layers of several kinds are not modelled",
    ),
    (
        "attention_layers",
        "layers of several kinds are not modelled",
    ),
    (
        "attention_types",
        "layers of several kinds are not modelled",
    ),
    ("cross_attention_layers", "cross attention is not modelled"),
    (
        "num_attention_heads_per_layer",
        "layers of several shapes are not modelled",
    ),
    (
        "num_key_value_heads_per_layer",
        "layers of several shapes are not modelled",
    ),
    (
        "num_global_key_value_heads",
        "layers of several shapes are not modelled",
    ),
    (
        "global_head_dim",
        "layers of several shapes are not modelled",
    ),
    (
        "attention_k_eq_v",
        "keys that serve as values are not modelled",
    ),
    (
        "num_kv_shared_layers",
        "layers that share a KV cache are not modelled",
    ),
    (
        "compress_ratios",
        "attention to compressed tokens is not modelled",
    ),
    (
        "o_lora_rank",
        "an output projection of low rank is not modelled",
    ),
    (
        "zero_expert_num",
        "experts that compute nothing are not modelled",
    ),
];
/// How the names of such fields start.
const FOREIGN_STARTS: &[(&str, &str)] = &[
    ("linear_num_", "linear attention is not modelled"),
    ("linear_key_", "linear attention is not modelled"),
    ("linear_value_", "linear attention is not modelled"),
    ("linear_conv_", "linear attention is not modelled"),
    ("mamba_", "state-space layers are not modelled"),
    ("ssm_", "state-space layers are not modelled"),
    ("swa_num_", "layers of several shapes are not modelled"),
    ("swa_head_", "layers of several shapes are not modelled"),
];
/// Lists per layer that are read, or that change no shape.
const KNOWN_LISTS: &[&str] = &[
    "attn_type_list",
    "layer_types",
    "mlp_layer_types",
    "mlp_only_layers",
    "moe_layer_freq",
    "moe_layers",
    "no_rope_layers",
];
/// Sparse attention besides the indexer of DeepSeek.
const SPARSE: [&str; 2] = ["sparse_config", "sparse_attention_config"];

const KV_HEADS: &[&str] = &["num_key_value_heads", "num_kv_heads", "n_head_kv"];

pub(super) fn read(
    context: &Context<'_>,
    caveats: &mut Vec<Caveat>,
) -> Result<Attention, ConfigError> {
    let fields = &context.fields;
    refuse_linear(context)?;
    windows(context, caveats)?;
    sparse(context, caveats)?;
    for (name, value) in fields.stated() {
        if let Value::Array(list) = value
            && differs_by_layer(list, context.layers)
            && !KNOWN_LISTS.contains(&name)
        {
            let field = fields.path(name);
            caveats.push(Caveat::PerLayer { field });
        }
    }
    let heads = fields.needed(&["num_attention_heads", "n_head", "n_heads"], "attention")?;
    let latent = matches!(
        context.family.attention,
        Heads::Latent | Heads::LatentSparse
    );
    let ranks = [
        "kv_lora_rank",
        "q_lora_rank",
        "qk_rope_head_dim",
        "qk_nope_head_dim",
    ];
    if latent || ranks.into_iter().any(|name| fields.states(name)) {
        read_latent(fields, heads)
    } else {
        read_grouped(context, heads, caveats)
    }
}

fn read_latent(fields: &Fields<'_>, heads: u32) -> Result<Attention, ConfigError> {
    let what = "latent attention";
    let kv_rank = fields.needed(&["kv_lora_rank"], what)?;
    if !fields.has("q_lora_rank") {
        // `null` says that queries are projected directly; nothing says nothing.
        return Err(fields.missing("q_lora_rank", what));
    }
    let q_rank = fields.whole(&["q_lora_rank"])?;
    let head_dim = fields.needed(&["qk_nope_head_dim"], what)?;
    let rope_dim = fields.needed(&["qk_rope_head_dim"], what)?;
    let value_dim = fields.needed(&["v_head_dim"], what)?;
    if let Some(both) = fields.whole(&["qk_head_dim"])?
        && both != head_dim + rope_dim
    {
        let why = format!(
            "qk_nope_head_dim and qk_rope_head_dim make {}",
            head_dim + rope_dim
        );
        return Err(fields.refuse("qk_head_dim", why));
    }
    Ok(Attention::Latent {
        heads,
        q_rank,
        kv_rank,
        head_dim,
        rope_dim,
        value_dim,
    })
}

fn read_grouped(
    context: &Context<'_>,
    heads: u32,
    caveats: &mut Vec<Caveat>,
) -> Result<Attention, ConfigError> {
    let fields = &context.fields;
    let stated = fields.whole(&["head_dim", "attention_head_dim", "kv_channels"])?;
    let head_dim = match stated {
        Some(head_dim) => head_dim,
        None if matches!(
            context.family.attention,
            Heads::Stated | Heads::StatedListed
        ) =>
        {
            return Err(fields.missing(
                "head_dim",
                "attention, as this family does not use hidden size over heads",
            ));
        }
        None => match context.hidden.checked_rem(heads) {
            Some(0) => context.hidden / heads,
            _ => {
                return Err(fields.missing(
                    "head_dim",
                    "attention, as the hidden size is no multiple of the heads",
                ));
            }
        },
    };
    if let Some(value_dim) = fields.whole(&["v_head_dim"])?
        && value_dim != head_dim
    {
        let why = format!("values of another width than the keys ({head_dim}) are not modelled");
        return Err(fields.refuse("v_head_dim", why));
    }
    let one = fields.flag("multi_query")? == Some(true)
        && fields.flag("new_decoder_architecture")? != Some(true);
    let kv_heads = match fields.whole(KV_HEADS)? {
        _ if one => 1,
        Some(kv_heads) => kv_heads,
        None => {
            if context.family.attention != Heads::Multi {
                caveats.push(Caveat::Assumed {
                    field: "num_key_value_heads",
                    value: heads,
                    because: "as many as query heads",
                });
            }
            heads
        }
    };
    Ok(Attention::Grouped {
        heads,
        kv_heads,
        head_dim,
    })
}

/// Refuses layers that are no attention over the context, by the fields that describe them.
pub(super) fn refuse_foreign(fields: &Fields<'_>) -> Result<(), ConfigError> {
    for (name, value) in fields.stated() {
        let foreign = FOREIGN.iter().find(|(foreign, _)| *foreign == name);
        let start = || {
            FOREIGN_STARTS
                .iter()
                .find(|(start, _)| name.starts_with(start))
        };
        if let Some((_, why)) = foreign.or_else(start) {
            return Err(fields.refuse(name, *why));
        }
        if name == "full_attention_interval" && whole(value) != Ok(1) {
            return Err(fields.refuse(name, "linear attention between the layers is not modelled"));
        }
    }
    Ok(())
}

/// Refuses the linear attention that only a list per layer tells.
fn refuse_linear(context: &Context<'_>) -> Result<(), ConfigError> {
    let fields = &context.fields;
    if let Some(kinds) = context.per_layer("attn_type_list")?
        && kinds.iter().any(|kind| whole(kind) != Ok(1))
    {
        let why = "layers other than 1, full attention, are not modelled";
        return Err(fields.refuse("attn_type_list", why));
    }
    if context.family.attention == Heads::StatedListed
        && !fields.states("attn_type_list")
        && !fields.states("layer_types")
    {
        let needed_for = "telling linear attention from full attention";
        return Err(fields.missing("attn_type_list", needed_for));
    }
    Ok(())
}

/// Says which layers see a part of the context only.
fn windows(context: &Context<'_>, caveats: &mut Vec<Caveat>) -> Result<(), ConfigError> {
    let fields = &context.fields;
    let (all, chunk) = (context.layers, "attention_chunk_size");
    let mut say = |kind, tokens, layers| {
        if layers != Some(0) {
            caveats.push(Caveat::Window {
                kind,
                tokens,
                layers,
                of: all,
            });
        }
    };
    let requested = fields.flag("use_sliding_window")?;
    let width = fields
        .whole(&["sliding_window"])?
        .filter(|&width| width > 0);
    let chunk_width = fields.whole(&[chunk])?.filter(|&width| width > 0);
    if let Some(kinds) = context.per_layer("layer_types")? {
        let (mut sliding, mut chunked) = (0, 0);
        for kind in kinds {
            match kind.as_str() {
                Some("full_attention" | "attention" | "global_attention") => {}
                Some("sliding_attention") => sliding += 1,
                Some("chunked_attention") => chunked += 1,
                _ => {
                    let why = format!(
                        "layers of kind {} are not modelled",
                        quote(&kind.to_string())
                    );
                    return Err(fields.refuse("layer_types", why));
                }
            }
        }
        say(Window::Sliding, width, Some(sliding));
        say(Window::Chunked, chunk_width, Some(chunked));
        return Ok(());
    }
    if chunk_width.is_some() {
        let rotary = context.per_layer("no_rope_layers")?;
        let chunked = rotary.map(|rotary| count(rotary.iter().filter(|one| whole(one) != Ok(0))));
        say(Window::Chunked, chunk_width, chunked);
    }
    let unless_requested = context.family.window == Windowed::OnRequest;
    if requested == Some(false) || (requested.is_none() && unless_requested) {
        return Ok(());
    }
    if width.is_none() && requested.is_none() {
        return Ok(());
    }
    let full_every = fields.whole(&["sliding_window_pattern"])?;
    let full_first = fields.whole(&["max_window_layers"])?;
    let layers = match (full_every, full_first, context.family.window) {
        (Some(every), _, _) if every > 0 => Some(all - all / every),
        (_, Some(first), Windowed::OnRequest) => Some(all.saturating_sub(first)),
        (_, _, Windowed::All) => Some(all),
        _ => None,
    };
    say(Window::Sliding, width, layers);
    Ok(())
}

fn sparse(context: &Context<'_>, caveats: &mut Vec<Caveat>) -> Result<(), ConfigError> {
    let tokens = context.fields.whole(&["index_topk"])?;
    if tokens.is_some()
        || context.family.attention == Heads::LatentSparse
        || SPARSE.iter().any(|name| context.fields.states(name))
    {
        caveats.push(Caveat::SparseAttention { tokens });
    }
    Ok(())
}

fn differs_by_layer(list: &[Value], layers: u32) -> bool {
    list.len() >= layers as usize && list.windows(2).any(|pair| pair[0] != pair[1])
}

/// The length of a list of layers, which the limit on the text keeps small.
fn count<'a>(values: impl Iterator<Item = &'a Value>) -> u32 {
    values.fold(0, |count, _| count + 1)
}
