//! Adds fields that a family's published files omit because `transformers` has defaults for them.

use serde_json::{Map, Value};

use super::message::Caveat;

/// A field name, other fields that make it unnecessary, and its default value.
type Default = (&'static str, &'static [&'static str], u32);

/// Defaults of Gemma 3, from `Gemma3TextConfig` of transformers 4.50. The 4B and 12B files state none of these
/// fields.
const GEMMA_3: &[Default] = &[
    ("vocab_size", &[], 262_208),
    ("num_attention_heads", &[], 8),
    ("num_key_value_heads", &[], 4),
    ("head_dim", &[], 256),
    (
        "sliding_window_pattern",
        &["_sliding_window_pattern", "layer_types"],
        6,
    ),
];

/// Adds the defaults that the file of a known model family leaves out, with a caveat for each.
pub(super) fn complete(file: &mut Map<String, Value>) -> Vec<Caveat> {
    let whole =
        named(file, "gemma3") || inner(file).is_some_and(|inner| named(inner, "gemma3_text"));
    let alone = named(file, "gemma3_text");
    let language = match file.get_mut("text_config") {
        Some(Value::Object(inner)) if whole => inner,
        None if alone => file,
        _ => return Vec::new(),
    };
    let mut caveats = Vec::new();
    for (field, same, value) in GEMMA_3 {
        let says = |name: &str| language.get(name).is_some_and(|value| !value.is_null());
        if says(field) || same.iter().any(|name| says(name)) {
            continue;
        }
        language.insert((*field).to_owned(), (*value).into());
        caveats.push(Caveat::Assumed {
            field,
            value: *value,
            because: "the default for Gemma 3 in transformers",
        });
    }
    caveats
}

fn inner(file: &Map<String, Value>) -> Option<&Map<String, Value>> {
    file.get("text_config")?.as_object()
}

fn named(object: &Map<String, Value>, model_type: &str) -> bool {
    object.get("model_type").and_then(Value::as_str) == Some(model_type)
}
