//! Reads the attention fields of a model's `config.json`: heads, ranks, output gate and sparse-attention indexer.

use serde_json::Value;

use super::family::Heads;
use super::fields::{Fields, whole};
use super::lists::unknown_kind;
use super::{Caveat, ConfigError, Context};
use crate::arch::{Grouped, Index, Latent};

pub(super) const HEADS: &[&str] = &["num_attention_heads", "n_heads"];

pub(super) const KV_HEADS: &[&str] = &[
    "num_key_value_heads",
    "num_kv_heads",
    "num_attention_groups",
];

pub(super) fn latent(context: &Context<'_>) -> Result<Latent, ConfigError> {
    let fields = &context.fields;
    let what = "MLA";
    let heads = fields.needed(HEADS, "attention")?;
    let kv_rank = fields.needed(&["kv_lora_rank"], what)?;
    if !fields.has("q_lora_rank") {
        // `null` means a direct projection of queries; an absent field is an error.
        return Err(fields.missing("q_lora_rank", what));
    }
    let q_rank = fields.whole(&["q_lora_rank"])?;
    let head_dim = fields.needed(&["qk_nope_head_dim"], what)?;
    let rope_dim = fields.needed(&["qk_rope_head_dim"], what)?;
    let value_dim = fields.needed(&["v_head_dim"], what)?;
    fields.redundant(&["head_dim"]);
    fields.redundant(KV_HEADS);
    if let Some(both) = fields.whole(&["qk_head_dim"])?
        && both != head_dim + rope_dim
    {
        let why = format!(
            "qk_nope_head_dim + qk_rope_head_dim = {}",
            head_dim + rope_dim
        );
        return Err(fields.refuse("qk_head_dim", why));
    }
    Ok(Latent {
        heads,
        q_rank,
        kv_rank,
        head_dim,
        rope_dim,
        value_dim,
        gate: fields.flag("mla_use_output_gate")?.unwrap_or_default(),
        index: None,
    })
}

/// Reads the shape of GQA that attends to the whole context.
pub(super) fn grouped(
    context: &Context<'_>,
    caveats: &mut Vec<Caveat>,
) -> Result<Grouped, ConfigError> {
    let fields = &context.fields;
    let heads = fields.needed(HEADS, "attention")?;
    let stated = fields.whole(&["head_dim", "attention_head_dim", "kv_channels"])?;
    let head_dim = match stated {
        Some(head_dim) => head_dim,
        None if context.family.attention == Heads::Stated => {
            return Err(fields.missing(
                "head_dim",
                "attention: this family does not use hidden_size ÷ heads",
            ));
        }
        None => match context.hidden.checked_rem(heads) {
            Some(0) => context.hidden / heads,
            _ => {
                return Err(fields.missing(
                    "head_dim",
                    "attention: hidden_size is not a multiple of the number of heads",
                ));
            }
        },
    };
    let kv_heads = match fields.whole(KV_HEADS)? {
        Some(kv_heads) => kv_heads,
        None => {
            caveats.push(Caveat::Assumed {
                field: "num_key_value_heads",
                value: heads,
                because: "the number of query heads",
            });
            heads
        }
    };
    Ok(Grouped {
        value_dim: fields.whole(&["v_head_dim"])?.unwrap_or(head_dim),
        q_rank: fields.whole(&["share_q_dim"])?,
        gate: output_gate(context, caveats)?,
        ..Grouped::new(heads, kv_heads, head_dim)
    })
}

/// Reads the shape of GQA from a file that must state the number of KV heads; a missing number is an error.
pub(super) fn stated(context: &Context<'_>) -> Result<Grouped, ConfigError> {
    let mut caveats = Vec::new();
    let grouped = grouped(context, &mut caveats)?;
    if caveats.is_empty() {
        Ok(grouped)
    } else {
        Err(context.fields.missing("num_key_value_heads", "attention"))
    }
}

/// Returns true if the attention outputs have one gate value per element. Gates with one value per head are not
/// modeled; they add a caveat.
fn output_gate(context: &Context<'_>, caveats: &mut Vec<Caveat>) -> Result<bool, ConfigError> {
    let fields = &context.fields;
    for name in [
        "attn_output_gate",
        "use_attn_output_gate",
        "attention_output_gate",
    ] {
        if let Some(gate) = fields.flag(name)? {
            return Ok(gate);
        }
    }
    let granularity = if context.model_type == Some("laguna") {
        granularity(fields, "gating", caveats)?
    } else {
        None
    };
    Ok(granularity.unwrap_or(context.family.gated))
}

/// Reads the gate granularity: true for one value per element, false for one per head, `None` if there is no gate.
pub(super) fn granularity(
    fields: &Fields<'_>,
    name: &'static str,
    caveats: &mut Vec<Caveat>,
) -> Result<Option<bool>, ConfigError> {
    let what = "Per-head gates";
    match fields.get(name) {
        None | Some(Value::Bool(false)) => Ok(None),
        Some(Value::String(text)) if ["per-element", "element_wise"].contains(&text.as_str()) => {
            Ok(Some(true))
        }
        Some(Value::String(text)) if ["per-head", "head_wise"].contains(&text.as_str()) => {
            caveats.push(Caveat::LeftOut { what });
            Ok(Some(false))
        }
        Some(_) => Err(fields.refuse(name, "expected per-element or per-head gates")),
    }
}

/// Returns the number of heads in every layer, from a per-layer list or else `uniform` for all layers.
pub(super) fn heads_per_layer(
    context: &Context<'_>,
    name: &'static str,
    uniform: u32,
) -> Result<Vec<u32>, ConfigError> {
    let heads = |value| whole(value).map_err(|why| context.fields.refuse(name, why));
    match context.per_layer(name)? {
        Some(list) => list.iter().map(heads).collect(),
        None => Ok(vec![uniform; context.layers as usize]),
    }
}

/// Reads the sparse-attention indexer of DeepSeek-V3.2 and similar models.
pub(super) fn index(fields: &Fields<'_>) -> Result<Index, ConfigError> {
    let what = "the indexer";
    let index = Index::new(
        fields.needed(&["index_n_heads"], what)?,
        fields.needed(&["index_head_dim"], what)?,
        fields.needed(&["index_topk"], what)?,
    );
    let pool = fields.whole(&["index_kpool"])?.unwrap_or(1);
    Ok(Index { pool, ..index })
}

/// Returns a function that tests whether a layer has a separate indexer; other layers share an earlier layer's indexer.
pub(super) fn own_index(context: &Context<'_>) -> Result<impl Fn(u32) -> bool, ConfigError> {
    let fields = &context.fields;
    let mut list = None;
    if let Some(kinds) = context.per_layer("indexer_types")? {
        let own = kinds.iter().map(|kind| match kind.as_str() {
            Some("full") => Ok(true),
            Some("shared") => Ok(false),
            _ => Err(unknown_kind(fields, "indexer_types", kind)),
        });
        list = Some(own.collect::<Result<Vec<bool>, _>>()?);
    }
    if list.is_none() && fields.states("index_topk_pattern") {
        let why = "indexer sharing across layers is not supported here";
        return Err(fields.refuse("index_topk_pattern", why));
    }
    let every = fields.whole(&["index_topk_freq"])?.unwrap_or(1).max(1);
    let offset = match fields.whole(&["index_skip_topk_offset"])? {
        Some(offset) => offset,
        None if list.is_none() && every > 1 => {
            return Err(fields.missing("index_skip_topk_offset", "which layers have an indexer"));
        }
        None => 0,
    };
    Ok(move |layer: u32| match &list {
        Some(list) => list.get(layer as usize).copied().unwrap_or(true),
        None => layer < offset || (layer - offset + 1).is_multiple_of(every),
    })
}
