//! Handles what a `config.json` contains besides the shape: parts left out, lookup tables, and fields that were not
//! read.

use serde_json::Value;

use super::fields::{Fields, quote};
use super::{Caveat, ConfigError, Context, harmless};
use crate::units::Bytes;

/// Adds a caveat for each part of the file that the shape does not include.
pub(super) fn left_out(
    context: &Context<'_>,
    root: &Fields<'_>,
    caveats: &mut Vec<Caveat>,
) -> Result<(), ConfigError> {
    let fields = &context.fields;
    if context.predicting > 0 {
        caveats.push(Caveat::PredictingLayers {
            layers: context.predicting,
        });
    }
    let groups = fields.whole(&["n_group"])?.unwrap_or(1);
    let used = fields.whole(&["topk_group"])?.unwrap_or(groups);
    if used < groups {
        caveats.push(Caveat::GroupLimitedRouting { groups, used });
    }
    for place in [fields, root] {
        if let Some(config) = place.get("quantization_config") {
            let method = ["quant_method", "quant_algo"]
                .into_iter()
                .find_map(|key| config.get(key)?.as_str())
                .map(quote);
            caveats.push(Caveat::Quantised { method });
            break;
        }
    }
    for (name, what) in LEFT_OUT {
        let caveat = Caveat::LeftOut { what };
        if fields.states(name) && fields.get(name).is_some() && !caveats.contains(&caveat) {
            caveats.push(caveat);
        }
    }
    Ok(())
}

/// Returns the size of the n-gram tables in GiB; `None` if the file describes none. An element has one byte in FP8
/// models, else two.
///
/// Source: `transformers` modular_qwen4_exp. Every listed layer has a table of n-gram rows, and the heads of the
/// layer share the row width.
pub(super) fn table_gib(
    root: &Fields<'_>,
    fields: &Fields<'_>,
) -> Result<Option<f64>, ConfigError> {
    let Some(layers) = fields.list("ple_layer_ids")? else {
        return Ok(None);
    };
    let width = fields.whole(&["ple_embed_dim"])?;
    // Read as `f64`, because the row count may exceed the limit on a shape's numbers.
    let rows = fields
        .get("ngram_vocab_size_base")
        .and_then(Value::as_f64)
        .filter(|rows| (0.0..1e12).contains(rows));
    let (Some(width), Some(rows), false) = (width, rows, layers.is_empty()) else {
        return Ok(None);
    };
    let is_fp8 = [root, fields].into_iter().any(|place| {
        let method = place
            .get("quantization_config")
            .and_then(|config| config.get("quant_method")?.as_str());
        method == Some("fp8")
    });
    let bytes = if is_fp8 { 1.0 } else { 2.0 };
    let elements = layers.len() as f64 * rows * f64::from(width);
    Ok(Some(elements * bytes / Bytes::from_gib(1.0).get()))
}

/// Fields that indicate parts of an LLM that no layer shape models, each with a description of the part.
const LEFT_OUT: [(&str, &str); 9] = [
    ("num_hash_layers", "Hash-routing tables of the first layers"),
    ("hc_mult", "Gates of hyper-connections"),
    ("attn_res_block_size", "Attention-over-residuals weights"),
    ("use_head_wise_attn_gate", "Per-head gates"),
    ("use_sconv", "Short convolutions on keys and values"),
    ("sconv_kernel_size", "Short convolutions on keys and values"),
    ("rel_extent", "Relative-position tables"),
    ("ple_layer_ids", "The n-gram table and its projections"),
    (
        "engram_layer_ids",
        "The Engram tables and their projections",
    ),
];

/// Nested objects of the language model's config from which some fields are read.
const INNER: [&str; 3] = [
    "attention_other_setting",
    "linear_attn_config",
    "sparse_attention_config",
];

/// Lists fields that have a value but were neither read nor known to be harmless, each prefixed with the name of its
/// object.
pub(super) fn unread(root: &Fields<'_>, fields: &Fields<'_>) -> Vec<String> {
    let mut objects = vec![*root];
    if !root.is(fields) {
        objects.push(*fields);
    }
    objects.extend(INNER.iter().filter_map(|name| fields.inner(name).ok()?));
    let unread = |object: Fields<'_>| -> Vec<String> {
        let names = object.unread().into_iter();
        let names = names.filter(|name| !harmless::is_harmless(name));
        names.map(|name| object.path(name)).collect()
    };
    objects.into_iter().flat_map(unread).collect()
}
