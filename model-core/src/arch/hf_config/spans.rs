//! Reads models with windowed or chunked layers between full-attention layers of a different shape.

use super::attention::stated;
use super::fields::{Fields, whole};
use super::lists::{Mixers, each, either, kinds, ones};
use super::{ConfigError, Context};
use crate::arch::{ContextSpan, Grouped, Mixer};

pub(super) fn chunks(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let grouped = stated(context)?;
    let chunk = fields
        .whole(&["attention_chunk_size"])?
        .filter(|&chunk| chunk > 0);
    if !fields.has("attention_chunk_size") {
        return Err(fields.missing("attention_chunk_size", "the chunks"));
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

/// Returns, for every layer, true if `layer_types` gives the layer a sliding window.
fn sliding(context: &Context<'_>) -> Result<Vec<bool>, ConfigError> {
    let full = ["full_attention", "attention", "global_attention", "hybrid"];
    let windows = ["sliding_attention", "hybrid_sliding"];
    kinds(context, "layer_types", &windows, &full)?.ok_or_else(|| {
        let fields = &context.fields;
        fields.missing("layer_types", "which layers have a window")
    })
}

fn window(fields: &Fields<'_>, names: &[&'static str]) -> Result<ContextSpan, ConfigError> {
    Ok(ContextSpan::Window(fields.needed(names, "the windows")?))
}

pub(super) fn global(context: &Context<'_>) -> Result<Mixers, ConfigError> {
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

/// Returns a windowed mixer whose head counts come from fields that start with `swa_`; missing fields default to the
/// values of `full`.
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

pub(super) fn swa(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let full = stated(context)?;
    // In this family, `attention_chunk_size` equals the window; no layer is chunked.
    context.fields.redundant(&["attention_chunk_size"]);
    let windows = match ones(context, "hybrid_layer_pattern")? {
        Some(windows) => windows,
        None => sliding(context)?,
    };
    let names = ["sliding_window", "sliding_window_size"];
    let local = swa_window(context, &full, &names)?;
    Ok(either(local, &windows, Mixer::Grouped(full)))
}

pub(super) fn local(context: &Context<'_>) -> Result<Mixers, ConfigError> {
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

pub(super) fn other_heads(context: &Context<'_>) -> Result<Mixers, ConfigError> {
    let fields = &context.fields;
    let full = stated(context)?;
    let windows = sliding(context)?;
    if !windows.contains(&true) {
        return Ok(each(context, |_| Mixer::Grouped(full)));
    }
    let name = "attention_other_setting";
    let what = "the heads of windowed layers";
    let other = fields
        .inner(name)?
        .ok_or_else(|| fields.missing(name, what))?;
    other.redundant(&["attention_type"]);
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
