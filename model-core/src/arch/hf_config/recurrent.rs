//! Reads models that mix attention layers with linear-attention or state-space layers.

use super::attention::{HEADS, granularity, index, latent, own_index, stated};
use super::fields::{Fields, whole};
use super::lists::{Mixers, either, kinds, ones};
use super::{Caveat, ConfigError, Context, HalfLayer};
use crate::arch::{ContextSpan, GatedDelta, Index, Kda, Latent, Lightning, Mamba2, Mixer};

/// Reads Kimi delta attention in the listed layers and MLA in the other layers.
pub(super) fn kda(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let linear = fields
        .inner("linear_attn_config")?
        .ok_or_else(|| fields.missing("linear_attn_config", "the attention type per layer"))?;
    let what = "the linear-attention layers";
    let kda = Mixer::Kda(Kda {
        heads: linear.needed(&["num_heads"], what)?,
        head_dim: linear.needed(&["head_dim"], what)?,
        full_rank_gate: linear.flag("use_full_rank_gate")?.unwrap_or_default(),
        full_rank_decay: false,
        conv: linear.whole(&["short_conv_kernel_size"])?.unwrap_or(4),
        state_bytes: 4,
    });
    let full = ["full_attention", "deepseek_sparse_attention"];
    let recurrent = match kinds(context, "layer_types", &["linear_attention"], &full)? {
        Some(recurrent) => {
            linear.redundant(&["kda_layers", "full_attn_layers"]);
            recurrent
        }
        None => listed_layers(context, &linear)?,
    };
    let latent = latent(context)?;
    if !fields.states("index_topk") {
        return Ok(either(kda, &recurrent, Mixer::Latent(latent)));
    }
    let (index, own) = (index(fields)?, own_index(context)?);
    let mixer = |(layer, recurrent): (u32, &bool)| {
        let shared = !own(layer);
        let index = Some(Index { shared, ..index });
        let latent = Mixer::Latent(Latent { index, ..latent });
        Some(if *recurrent { kda } else { latent })
    };
    Ok((0..).zip(&recurrent).map(mixer).collect())
}

/// Reads `kda_layers` and `full_attn_layers`, which must cover all layers. The result is true for each KDA layer.
/// Layers are numbered from 1 unless a list contains 0.
fn listed_layers(context: &Context<'_>, linear: &Fields<'_>) -> Result<Vec<bool>, ConfigError> {
    let layers = |name: &'static str| -> Result<Vec<u32>, ConfigError> {
        let list = linear
            .list(name)?
            .ok_or_else(|| linear.missing(name, "the attention type per layer"))?;
        let number = |value| whole(value).map_err(|why| linear.refuse(name, why));
        list.iter().map(number).collect()
    };
    let (recurrent, full) = (layers("kda_layers")?, layers("full_attn_layers")?);
    let first = u32::from(!recurrent.contains(&0) && !full.contains(&0));
    let mut kinds = vec![None; context.layers as usize];
    for (name, list, kind) in [
        ("kda_layers", &recurrent, true),
        ("full_attn_layers", &full, false),
    ] {
        for layer in list {
            // MTP layers may be listed.
            if let Some(slot) = layer
                .checked_sub(first)
                .and_then(|layer| kinds.get_mut(layer as usize))
                && slot.replace(kind).is_some_and(|other| other != kind)
            {
                return Err(linear.refuse(name, "a layer appears in both lists"));
            }
        }
    }
    let known: Option<Vec<bool>> = kinds.into_iter().collect();
    known.ok_or_else(|| {
        let why = format!("the lists do not cover all {} layers", context.layers);
        linear.refuse("kda_layers", why)
    })
}

/// Reads Kimi delta attention layers, with MLA in the last layer of each group and in every layer after the last
/// whole group.
///
/// Source: inclusionAI, modeling_bailing_moe_v3. Earlier releases with that `model_type` have lightning attention.
pub(super) fn kda_groups(
    context: &Context<'_>,
    caveats: &mut Vec<Caveat>,
) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let what = "the linear-attention layers";
    let Some(full_rank) = fields.flag("no_kda_lora")? else {
        return Err(fields.missing("no_kda_lora", what));
    };
    let kda = Mixer::Kda(Kda {
        heads: fields.needed(HEADS, what)?,
        head_dim: fields.needed(&["head_dim"], what)?,
        full_rank_gate: full_rank,
        full_rank_decay: full_rank,
        conv: fields.whole(&["short_conv_kernel_size"])?.unwrap_or(4),
        state_bytes: 4,
    });
    let gate = granularity(fields, "gated_attention_proj_granularity_type", caveats)?;
    let latent = Latent {
        gate: gate.unwrap_or_default(),
        ..latent(context)?
    };
    let every = fields.needed(&["layer_group_size"], "the attention type per layer")?;
    if every == 0 {
        return Err(fields.refuse("layer_group_size", "it must not be 0"));
    }
    let whole_groups = context.layers / every * every;
    let recurrent =
        (0..context.layers).map(|layer| layer < whole_groups && !(layer + 1).is_multiple_of(every));
    let recurrent: Vec<bool> = recurrent.collect();
    Ok(either(kda, &recurrent, Mixer::Latent(latent)))
}

pub(super) fn gated_delta(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let what = "the linear-attention layers";
    let delta = Mixer::GatedDelta(GatedDelta {
        key_heads: fields.needed(&["linear_num_key_heads"], what)?,
        value_heads: fields.needed(&["linear_num_value_heads"], what)?,
        key_dim: fields.needed(&["linear_key_head_dim"], what)?,
        value_dim: fields.needed(&["linear_value_head_dim"], what)?,
        conv: fields.whole(&["linear_conv_kernel_dim"])?.unwrap_or(4),
        state_bytes: state_bytes(fields, "mamba_ssm_dtype")?,
    });
    let full = [
        "full_attention",
        "qwen_sparse_attention",
        "sparse_attention",
        "deepseek_sparse_attention",
        "hybrid_indexed",
    ];
    let recurrent = match kinds(context, "layer_types", &["linear_attention"], &full)? {
        Some(recurrent) => {
            fields.redundant(&["full_attention_interval"]);
            recurrent
        }
        None => {
            let every =
                fields.needed(&["full_attention_interval"], "the attention type per layer")?;
            let full = |layer: u32| every > 0 && (layer + 1).is_multiple_of(every);
            (0..context.layers).map(|layer| !full(layer)).collect()
        }
    };
    let mut grouped = stated(context)?;
    if let Some(budget) = fields.whole(&["indexer_budget"])? {
        let what = "the indexer";
        let pool = fields.needed(&["indexer_compress_ratio"], what)?;
        let index = Index::new(
            fields.needed(&["indexer_n_heads"], what)?,
            fields.needed(&["indexer_head_dim"], what)?,
            (budget + pool).saturating_sub(1),
        );
        grouped.span = ContextSpan::Index(Index { pool, ..index });
    }
    Ok(either(delta, &recurrent, Mixer::Grouped(grouped)))
}

/// Reads the bytes per element of a recurrent state; the default is 4.
fn state_bytes(fields: &Fields<'_>, name: &'static str) -> Result<u32, ConfigError> {
    match fields.text(name)? {
        None | Some("float32") => Ok(4),
        Some("bfloat16" | "float16") => Ok(2),
        Some(_) => Err(fields.refuse(name, "expected float32, bfloat16 or float16")),
    }
}

pub(super) fn lightning(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let grouped = stated(context)?;
    let lightning = Mixer::Lightning(Lightning {
        heads: grouped.heads,
        head_dim: grouped.head_dim,
        state_bytes: 4,
    });
    let full = match ones(context, "attn_type_list")? {
        Some(full) => full,
        None => {
            let linear = ["linear_attention", "lightning_attention"];
            kinds(context, "layer_types", &["full_attention"], &linear)?.ok_or_else(|| {
                let needed_for = "distinguishing linear attention from full attention";
                fields.missing("attn_type_list", needed_for)
            })?
        }
    };
    Ok(either(Mixer::Grouped(grouped), &full, lightning))
}

pub(super) fn block_types(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let what = "the SSM layers";
    let mamba = || -> Result<Mixer, ConfigError> {
        Ok(Mixer::Mamba2(Mamba2 {
            heads: fields.needed(&["mamba_num_heads"], what)?,
            head_dim: fields.needed(&["mamba_head_dim"], what)?,
            groups: fields.needed(&["n_groups"], what)?,
            state_dim: fields.needed(&["ssm_state_size"], what)?,
            conv: fields.whole(&["conv_kernel"])?.unwrap_or(4),
            state_bytes: state_bytes(fields, "mamba_ssm_cache_dtype")?,
        }))
    };
    let mut mixers = Vec::new();
    for block in context.blocks {
        mixers.push(match block {
            HalfLayer::Mamba => Some(mamba()?),
            HalfLayer::Attention => Some(Mixer::Grouped(stated(context)?)),
            HalfLayer::Experts | HalfLayer::Mlp => None,
        });
    }
    Ok(mixers)
}
