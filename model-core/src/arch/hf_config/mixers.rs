//! The mixer of every layer of a file.

use serde_json::Value;

use super::family::{Heads, Layers};
use super::fields::{Fields, quote, whole};
use super::windows::windows;
use super::{Caveat, ConfigError, Context, HalfLayer};
use crate::arch::{
    Compressed, ContextSpan, GatedDelta, Grouped, Index, Kda, Latent, Lightning, Mamba2, Mixer,
};

/// Lists per layer that are read, or that do not affect the shape.
const KNOWN_LISTS: &[&str] = &[
    "attn_type_list",
    "compress_ratios",
    "hybrid_layer_pattern",
    "indexer_types",
    "layer_types",
    "layers_block_type",
    "local_layer_ids",
    "mlp_layer_types",
    "mlp_only_layers",
    "moe_layer_freq",
    "moe_layers",
    "no_rope_layers",
    // Rotary tables and clamps, which are not part of a shape.
    "partial_rotary_factors",
    "rope_theta",
    "swiglu_limits",
    "swiglu_limits_shared",
    "use_rope_layers",
];
const HEADS: &[&str] = &["num_attention_heads", "n_heads"];
const KV_HEADS: &[&str] = &[
    "num_key_value_heads",
    "num_kv_heads",
    "num_attention_groups",
];

type Mixers = Vec<Option<Mixer>>;

pub(super) fn read(
    context: &Context<'_>,
    caveats: &mut Vec<Caveat>,
) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    for (name, value) in fields.stated() {
        if let Value::Array(list) = value
            && differs_by_layer(list, context.layers)
            && !KNOWN_LISTS.contains(&name)
        {
            let field = fields.path(name);
            caveats.push(Caveat::PerLayer { field });
        }
    }
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
        Layers::Compressed => compressed(context),
        Layers::GatedDelta => gated_delta(context, caveats),
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

fn each(context: &Context<'_>, mixer: impl Fn(u32) -> Mixer) -> Mixers {
    (0..context.layers)
        .map(|layer| Some(mixer(layer)))
        .collect()
}

/// One of two mixers in each layer.
fn either(first: Mixer, chosen: &[bool], second: Mixer) -> Mixers {
    let mixer = |chosen: &bool| Some(if *chosen { first } else { second });
    chosen.iter().map(mixer).collect()
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
    let mixer = |span: &ContextSpan| {
        Some(Mixer::Grouped(Grouped {
            span: *span,
            ..grouped
        }))
    };
    Ok(spans.iter().map(mixer).collect())
}

fn latent(context: &Context<'_>) -> Result<Latent, ConfigError> {
    let fields = &context.fields;
    let what = "latent attention";
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
    if let Some(both) = fields.whole(&["qk_head_dim"])?
        && both != head_dim + rope_dim
    {
        let why = format!(
            "qk_nope_head_dim and qk_rope_head_dim make {}",
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

/// Grouped attention over the whole context.
fn grouped(context: &Context<'_>, caveats: &mut Vec<Caveat>) -> Result<Grouped, ConfigError> {
    let fields = &context.fields;
    let heads = fields.needed(HEADS, "attention")?;
    let stated = fields.whole(&["head_dim", "attention_head_dim", "kv_channels"])?;
    let head_dim = match stated {
        Some(head_dim) => head_dim,
        None if context.family.attention == Heads::Stated => {
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
    let kv_heads = match fields.whole(KV_HEADS)? {
        Some(kv_heads) => kv_heads,
        None => {
            caveats.push(Caveat::Assumed {
                field: "num_key_value_heads",
                value: heads,
                because: "as many as query heads",
            });
            heads
        }
    };
    Ok(Grouped {
        value_dim: fields.whole(&["v_head_dim"])?.unwrap_or(head_dim),
        q_rank: fields.whole(&["share_q_dim"])?,
        ..Grouped::new(heads, kv_heads, head_dim)
    })
}

/// Grouped attention of a file that has to state everything.
fn stated(context: &Context<'_>) -> Result<Grouped, ConfigError> {
    let mut assumed = Vec::new();
    let grouped = grouped(context, &mut assumed)?;
    if assumed.is_empty() {
        Ok(grouped)
    } else {
        Err(context.fields.missing("num_key_value_heads", "attention"))
    }
}

/// The index of DeepSeek-V3.2 and similar models.
fn index(fields: &Fields<'_>) -> Result<Index, ConfigError> {
    let what = "its index";
    let index = Index::new(
        fields.needed(&["index_n_heads"], what)?,
        fields.needed(&["index_head_dim"], what)?,
        fields.needed(&["index_topk"], what)?,
    );
    let pool = fields.whole(&["index_kpool"])?.unwrap_or(1);
    Ok(Index { pool, ..index })
}

/// Layers with their own index.
fn own_index(context: &Context<'_>) -> Result<impl Fn(u32) -> bool, ConfigError> {
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
        let why = "which layers share a selection is not read from it";
        return Err(fields.refuse("index_topk_pattern", why));
    }
    let every = fields.whole(&["index_topk_freq"])?.unwrap_or(1).max(1);
    let offset = match fields.whole(&["index_skip_topk_offset"])? {
        Some(offset) => offset,
        None if list.is_none() && every > 1 => {
            return Err(fields.missing("index_skip_topk_offset", "which layers have an index"));
        }
        None => 0,
    };
    Ok(move |layer: u32| match &list {
        Some(list) => list.get(layer as usize).copied().unwrap_or(true),
        None => layer < offset || (layer - offset + 1).is_multiple_of(every),
    })
}

fn unknown_kind(fields: &Fields<'_>, name: &str, kind: &Value) -> ConfigError {
    let kind = quote(&kind.to_string());
    fields.refuse(name, format!("layers of kind {kind} are not modelled"))
}

/// A list per layer with one of two kinds.
fn kinds(
    context: &Context<'_>,
    name: &'static str,
    first: &[&str],
    second: &[&str],
) -> Result<Option<Vec<bool>>, ConfigError> {
    let Some(kinds) = context.per_layer(name)? else {
        return Ok(None);
    };
    let is_first = |kind: &Value| match kind.as_str() {
        Some(kind) if first.contains(&kind) => Ok(true),
        Some(kind) if second.contains(&kind) => Ok(false),
        _ => Err(unknown_kind(&context.fields, name, kind)),
    };
    kinds
        .iter()
        .map(is_first)
        .collect::<Result<_, _>>()
        .map(Some)
}

/// A list per layer of ones and zeros.
fn ones(context: &Context<'_>, name: &'static str) -> Result<Option<Vec<bool>>, ConfigError> {
    let Some(flags) = context.per_layer(name)? else {
        return Ok(None);
    };
    let one = |flag: &Value| match whole(flag) {
        Ok(flag @ (0 | 1)) => Ok(flag == 1),
        _ => Err(unknown_kind(&context.fields, name, flag)),
    };
    flags.iter().map(one).collect::<Result<_, _>>().map(Some)
}

/// Kimi delta attention where the file says so; latent attention elsewhere.
fn kda(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let linear = fields
        .inner("linear_attn_config")?
        .ok_or_else(|| fields.missing("linear_attn_config", "which layers attend how"))?;
    let what = "its linear attention";
    let kda = Mixer::Kda(Kda {
        heads: linear.needed(&["num_heads"], what)?,
        head_dim: linear.needed(&["head_dim"], what)?,
        full_rank_gate: linear.flag("use_full_rank_gate")?.unwrap_or_default(),
        conv: linear.whole(&["short_conv_kernel_size"])?.unwrap_or(4),
        state_bytes: 4,
    });
    let full = ["full_attention", "deepseek_sparse_attention"];
    let recurrent = match kinds(context, "layer_types", &["linear_attention"], &full)? {
        Some(recurrent) => recurrent,
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

/// Layers of `kda_layers` and `full_attn_layers`, which together are all; numbered from 1 unless one is 0.
fn listed_layers(context: &Context<'_>, linear: &Fields<'_>) -> Result<Vec<bool>, ConfigError> {
    let layers = |name: &'static str| -> Result<Vec<u32>, ConfigError> {
        let list = linear
            .list(name)?
            .ok_or_else(|| linear.missing(name, "which layers attend how"))?;
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
                return Err(linear.refuse(name, "a layer is of both kinds"));
            }
        }
    }
    let known: Option<Vec<bool>> = kinds.into_iter().collect();
    known.ok_or_else(|| {
        let why = format!("the lists do not name all of {} layers", context.layers);
        linear.refuse("kda_layers", why)
    })
}

fn compressed(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let what = "attention to compressed tokens";
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
    // Entries of four tokens overlap and are selected by an index; longer ones are few and all read.
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

fn gated_delta(context: &Context<'_>, caveats: &mut Vec<Caveat>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let what = "its linear attention";
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
    ];
    let recurrent = match kinds(context, "layer_types", &["linear_attention"], &full)? {
        Some(recurrent) => recurrent,
        None => {
            let every = fields.needed(&["full_attention_interval"], "which layers attend how")?;
            let full = |layer: u32| every > 0 && (layer + 1).is_multiple_of(every);
            (0..context.layers).map(|layer| !full(layer)).collect()
        }
    };
    let always = context.model_type == Some("qwen3_next");
    let mut grouped = stated(context)?;
    grouped.gate = fields.flag("attn_output_gate")?.unwrap_or(always);
    if let Some(budget) = fields.whole(&["indexer_budget"])? {
        let what = "its index";
        let pool = fields.needed(&["indexer_compress_ratio"], what)?;
        let index = Index::new(
            fields.needed(&["indexer_n_heads"], what)?,
            fields.needed(&["indexer_head_dim"], what)?,
            (budget + pool).saturating_sub(1),
        );
        grouped.span = ContextSpan::Index(Index { pool, ..index });
        caveats.push(Caveat::LeftOut {
            what: "Its table of n-grams and the gates of its hyper-connections",
        });
    }
    Ok(either(delta, &recurrent, Mixer::Grouped(grouped)))
}

/// Bytes per element of a state, 4 unless the file says otherwise.
fn state_bytes(fields: &Fields<'_>, name: &'static str) -> Result<u32, ConfigError> {
    match fields.text(name)? {
        None | Some("float32") => Ok(4),
        Some("bfloat16" | "float16") => Ok(2),
        Some(_) => Err(fields.refuse(name, "float32, bfloat16 or float16 is needed")),
    }
}

fn lightning(context: &Context<'_>) -> Result<Mixers, ConfigError> {
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
                let needed_for = "telling linear attention from full attention";
                fields.missing("attn_type_list", needed_for)
            })?
        }
    };
    Ok(either(Mixer::Grouped(grouped), &full, lightning))
}

fn blocks(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let mut grouped = stated(context)?;
    grouped.gate = fields.flag("attention_output_gate")?.unwrap_or_default();
    let what = "which layers attend how";
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
    let what = "its index";
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

fn chunks(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let grouped = stated(context)?;
    let chunk = fields
        .whole(&["attention_chunk_size"])?
        .filter(|&chunk| chunk > 0);
    if !fields.has("attention_chunk_size") {
        return Err(fields.missing("attention_chunk_size", "its chunks"));
    }
    let Some(chunk) = chunk else {
        return Ok(each(context, |_| Mixer::Grouped(grouped)));
    };
    let chunked = match kinds(
        context,
        "layer_types",
        &["chunked_attention"],
        &["full_attention"],
    )? {
        Some(chunked) => chunked,
        // Layers without rotary positions attend to the whole context.
        None => match ones(context, "no_rope_layers")? {
            Some(rotary) => rotary,
            None => {
                let every = fields
                    .whole(&["no_rope_layer_interval"])?
                    .unwrap_or(4)
                    .max(1);
                let full = |layer: u32| (layer + 1).is_multiple_of(every);
                (0..context.layers).map(|layer| !full(layer)).collect()
            }
        },
    };
    let span = ContextSpan::Chunk(chunk);
    let local = Mixer::Grouped(Grouped { span, ..grouped });
    Ok(either(local, &chunked, Mixer::Grouped(grouped)))
}

/// Layers of `layer_types` with a window.
fn sliding(context: &Context<'_>) -> Result<Vec<bool>, ConfigError> {
    let full = ["full_attention", "attention", "global_attention", "hybrid"];
    let windows = ["sliding_attention", "hybrid_sliding"];
    kinds(context, "layer_types", &windows, &full)?.ok_or_else(|| {
        let fields = &context.fields;
        fields.missing("layer_types", "which layers have a window")
    })
}

fn window(fields: &Fields<'_>, names: &[&'static str]) -> Result<ContextSpan, ConfigError> {
    Ok(ContextSpan::Window(fields.needed(names, "its windows")?))
}

fn global(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let grouped = stated(context)?;
    let local = Grouped {
        span: window(fields, &["sliding_window"])?,
        ..grouped
    };
    let head_dim = fields
        .whole(&["global_head_dim"])?
        .unwrap_or(grouped.head_dim);
    let kv_heads = fields.whole(&["num_global_key_value_heads"])?;
    let full = Grouped {
        key_is_value: fields.flag("attention_k_eq_v")?.unwrap_or_default(),
        ..Grouped::new(
            grouped.heads,
            kv_heads.unwrap_or(grouped.kv_heads),
            head_dim,
        )
    };
    let windows = sliding(context)?;
    Ok(either(
        Mixer::Grouped(local),
        &windows,
        Mixer::Grouped(full),
    ))
}

/// Windows with the heads of fields that start with `swa_`, if stated.
fn swa_window(
    context: &Context<'_>,
    full: &Grouped,
    widths: &[&'static str],
) -> Result<Mixer, ConfigError> {
    let fields = &context.fields;
    let head_dim = fields.whole(&["swa_head_dim"])?;
    let heads = fields.whole(&["swa_num_attention_heads"])?;
    let kv_heads = fields.whole(&["swa_num_key_value_heads"])?;
    let value_dim = fields.whole(&["swa_v_head_dim"])?.or(head_dim);
    Ok(Mixer::Grouped(Grouped {
        value_dim: value_dim.unwrap_or(full.value_dim),
        sinks: fields
            .flag("add_swa_attention_sink_bias")?
            .unwrap_or_default(),
        span: window(fields, widths)?,
        ..Grouped::new(
            heads.unwrap_or(full.heads),
            kv_heads.unwrap_or(full.kv_heads),
            head_dim.unwrap_or(full.head_dim),
        )
    }))
}

fn swa(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let full = stated(context)?;
    let windows = match ones(context, "hybrid_layer_pattern")? {
        Some(windows) => windows,
        None => sliding(context)?,
    };
    let names = ["sliding_window", "sliding_window_size"];
    let local = swa_window(context, &full, &names)?;
    Ok(either(local, &windows, Mixer::Grouped(full)))
}

fn local(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let full = stated(context)?;
    let windows = match fields.list("local_layer_ids")? {
        Some(list) => {
            let number = |value| whole(value).map_err(|why| fields.refuse("local_layer_ids", why));
            let ids: Vec<u32> = list.iter().map(number).collect::<Result<_, _>>()?;
            (0..context.layers)
                .map(|layer| ids.contains(&layer))
                .collect()
        }
        None => sliding(context)?,
    };
    let local = swa_window(context, &full, &["sliding_window_size", "sliding_window"])?;
    Ok(either(local, &windows, Mixer::Grouped(full)))
}

fn other_heads(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let full = stated(context)?;
    let windows = sliding(context)?;
    if !windows.contains(&true) {
        return Ok(each(context, |_| Mixer::Grouped(full)));
    }
    let name = "attention_other_setting";
    let what = "the heads of layers with a window";
    let other = fields
        .inner(name)?
        .ok_or_else(|| fields.missing(name, what))?;
    let local = Grouped {
        span: window(fields, &["sliding_window"])?,
        ..Grouped::new(
            other.needed(&["num_attention_heads"], what)?,
            other.needed(&["num_attention_groups", "num_key_value_heads"], what)?,
            other.whole(&["head_dim"])?.unwrap_or(full.head_dim),
        )
    };
    Ok(either(
        Mixer::Grouped(local),
        &windows,
        Mixer::Grouped(full),
    ))
}

fn block_types(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let what = "its state-space layers";
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

fn differs_by_layer(list: &[Value], layers: u32) -> bool {
    list.len() >= layers as usize && list.windows(2).any(|pair| pair[0] != pair[1])
}
