//! Reads the mixer of every layer of a `config.json`.

use serde_json::Value;

use super::attention::{
    HEADS, KV_HEADS, grouped, heads_per_layer, index, latent, own_index, stated,
};
use super::family::{Heads, Layers};
use super::fields::whole;
use super::lists::{Mixers, each, either, ones, unknown_kind};
use super::recurrent::{block_types, gated_delta, kda, kda_groups, lightning};
use super::spans::{chunks, global, local, other_heads, swa};
use super::windows::windows;
use super::{Caveat, ConfigError, Context};
use crate::arch::{Compressed, ContextSpan, Grouped, Index, Latent, Mixer};

pub(super) fn read(
    context: &Context<'_>,
    caveats: &mut Vec<Caveat>,
) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    match context.layered {
        Layers::Attention | Layers::Interval => attention(context, caveats),
        Layers::Indexed => {
            let index = index(fields)?;
            let latent = latent(context)?;
            let own = own_index(context)?;
            Ok(each(context, |layer| {
                let shared = !own(layer);
                let index = Some(Index { shared, ..index });
                Mixer::Latent(Latent { index, ..latent })
            }))
        }
        Layers::Kda => kda(context),
        Layers::KdaGroups => kda_groups(context, caveats),
        Layers::Compressed => compressed(context),
        Layers::GatedDelta => gated_delta(context),
        Layers::Lightning => lightning(context),
        Layers::Blocks => blocks(context),
        Layers::Chunks => chunks(context),
        Layers::Global => global(context),
        Layers::Swa => swa(context),
        Layers::OtherHeads => other_heads(context),
        Layers::Blocktypes => block_types(context),
        Layers::Local => local(context),
    }
}

fn attention(context: &Context<'_>, caveats: &mut Vec<Caveat>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let ranks = [
        "kv_lora_rank",
        "q_lora_rank",
        "qk_rope_head_dim",
        "qk_nope_head_dim",
    ];
    if context.family.attention == Heads::Latent || ranks.iter().any(|name| fields.states(name)) {
        let latent = Mixer::Latent(latent(context)?);
        return Ok(each(context, |_| latent));
    }
    let sinks = context.model_type == Some("gpt_oss");
    let grouped = Grouped {
        sinks,
        ..grouped(context, caveats)?
    };
    let spans = windows(context, caveats)?;
    let heads = heads_per_layer(context, "num_attention_heads_per_layer", grouped.heads)?;
    let kv_heads = heads_per_layer(context, "num_key_value_heads_per_layer", grouped.kv_heads)?;
    let mixer = |((span, heads), kv_heads)| {
        Some(Mixer::Grouped(Grouped {
            span,
            heads,
            kv_heads,
            ..grouped
        }))
    };
    let layers = spans.into_iter().zip(heads).zip(kv_heads);
    Ok(layers.map(mixer).collect())
}

fn compressed(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let what = "compressed attention";
    fields.redundant(&["qk_rope_head_dim"]);
    fields.redundant(KV_HEADS);
    let base = Compressed {
        heads: fields.needed(HEADS, "attention")?,
        head_dim: fields.needed(&["head_dim"], what)?,
        q_rank: fields.needed(&["q_lora_rank"], what)?,
        window: fields.needed(&["sliding_window"], what)?,
        sinks: true,
        out_groups: fields.needed(&["o_groups"], what)?,
        out_rank: fields.needed(&["o_lora_rank"], what)?,
        ratio: None,
        overlap: false,
        index: None,
    };
    let ratios: Vec<u32> = if let Some(list) = context.at_least_per_layer("compress_ratios")? {
        let ratio = |value| whole(value).map_err(|why| fields.refuse("compress_ratios", why));
        list.iter().map(ratio).collect::<Result<_, _>>()?
    } else if let Some(list) = context.at_least_per_layer("layer_types")? {
        let ratio = |kind: &Value| match kind.as_str() {
            Some("sliding_attention") => Ok(0),
            Some("compressed_sparse_attention") => Ok(4),
            Some("heavily_compressed_attention") => Ok(128),
            _ => Err(unknown_kind(fields, "layer_types", kind)),
        };
        list.iter().map(ratio).collect::<Result<_, _>>()?
    } else {
        return Err(fields.missing("compress_ratios", what));
    };
    // Entries of four tokens overlap and are selected by an index; longer entries are few, so all of them are read.
    let index = if ratios.contains(&4) {
        Some(index(fields)?)
    } else {
        None
    };
    let mixer = |ratio: &u32| {
        let selected = *ratio == 4;
        Some(Mixer::Compressed(Compressed {
            ratio: Some(*ratio).filter(|ratio| *ratio > 0),
            overlap: selected,
            index: index.filter(|_| selected),
            ..base
        }))
    };
    Ok(ratios.iter().map(mixer).collect())
}

fn blocks(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let mut grouped = stated(context)?;
    grouped.gate = fields.flag("attention_output_gate")?.unwrap_or_default();
    let what = "the attention type per layer";
    let name = "sparse_attention_config";
    let sparse = fields
        .inner(name)?
        .ok_or_else(|| fields.missing(name, what))?;
    let inner = Context {
        fields: sparse,
        ..*context
    };
    let selects = ones(&inner, "sparse_attention_freq")?
        .ok_or_else(|| sparse.missing("sparse_attention_freq", what))?;
    let what = "the indexer";
    let block = sparse.needed(&["sparse_block_size"], what)?;
    let blocks = sparse.needed(&["sparse_topk_blocks"], what)?;
    let index = Index {
        block,
        per_kv_head: true,
        ..Index::new(
            sparse.needed(&["sparse_num_index_heads"], what)?,
            sparse.needed(&["sparse_index_dim"], what)?,
            blocks.saturating_mul(block),
        )
    };
    let span = ContextSpan::Index(index);
    let sparse = Mixer::Grouped(Grouped { span, ..grouped });
    Ok(either(sparse, &selects, Mixer::Grouped(grouped)))
}
