//! Reads the attention window of each GQA layer.

use super::family::{Layers, Windowed};
use super::fields::{quote, whole};
use super::{Caveat, ConfigError, Context, Window};
use crate::arch::ContextSpan;

/// Fields that say which layers have a window: two names for the interval of full-attention layers, and the number of
/// leading full-attention layers.
const PATTERNS: &[&str; 3] = &[
    "sliding_window_pattern",
    "_sliding_window_pattern",
    "max_window_layers",
];

/// Returns the context span of every layer. If neither the file nor the model family determines which layers have a
/// window, all layers get full attention, with a caveat.
pub(super) fn windows(
    context: &Context<'_>,
    caveats: &mut Vec<Caveat>,
) -> Result<Vec<ContextSpan>, ConfigError> {
    let fields = &context.fields;
    let width = fields
        .whole(&["sliding_window"])?
        .filter(|&width| width > 0);
    let chunk = fields
        .whole(&["attention_chunk_size"])?
        .filter(|&width| width > 0);
    if let Some(kinds) = context.per_layer("layer_types")? {
        fields.redundant(&["use_sliding_window"]);
        fields.redundant(PATTERNS);
        let needed = |name, width: Option<u32>| {
            width.ok_or_else(|| fields.missing(name, "sliding-window layers"))
        };
        let span = |kind: &serde_json::Value| match kind.as_str() {
            Some("full_attention" | "attention" | "global_attention") => Ok(ContextSpan::Full),
            Some("sliding_attention") => needed("sliding_window", width).map(ContextSpan::Window),
            Some("chunked_attention") => {
                needed("attention_chunk_size", chunk).map(ContextSpan::Chunk)
            }
            _ => {
                let kind = quote(&kind.to_string());
                let why = format!("layer type {kind} is not modeled");
                Err(fields.refuse("layer_types", why))
            }
        };
        return kinds.iter().map(span).collect();
    }
    if let Some(chunk) = chunk {
        let span = |chunked: bool| {
            if chunked {
                ContextSpan::Chunk(chunk)
            } else {
                ContextSpan::Full
            }
        };
        return Ok(match context.per_layer("no_rope_layers")? {
            Some(rotary) => rotary.iter().map(|one| span(whole(one) != Ok(0))).collect(),
            None => {
                caveats.push(unsaid(context, Window::Chunked, Some(chunk)));
                vec![ContextSpan::Full; context.layers as usize]
            }
        });
    }
    sliding(context, width, caveats)
}

/// Assigns sliding windows of `width` tokens to layers, by a rule in the file or by the convention of the model
/// family.
fn sliding(
    context: &Context<'_>,
    width: Option<u32>,
    caveats: &mut Vec<Caveat>,
) -> Result<Vec<ContextSpan>, ConfigError> {
    let fields = &context.fields;
    let all = vec![ContextSpan::Full; context.layers as usize];
    let requested = fields.flag("use_sliding_window")?;
    let unless_requested = context.family.window == Windowed::OnRequest;
    if requested == Some(false) || (requested.is_none() && unless_requested) {
        fields.redundant(PATTERNS);
        return Ok(all);
    }
    let Some(width) = width else {
        if context.family.window == Windowed::All && !fields.has("sliding_window") {
            return Err(fields.missing(
                "sliding_window",
                "the sliding windows (set it to null if there are none)",
            ));
        }
        if requested == Some(true) {
            return Err(fields.missing("sliding_window", "the sliding windows"));
        }
        if context.layered == Layers::Interval {
            return Err(fields.missing("sliding_window", "the sliding windows"));
        }
        return Ok(all);
    };
    let window = |sliding: bool| {
        if sliding {
            ContextSpan::Window(width)
        } else {
            ContextSpan::Full
        }
    };
    let [every, other_every, first] = *PATTERNS;
    let full_every = fields.whole(&[every, other_every])?;
    let full_first = fields.whole(&[first])?;
    let layers = 0..context.layers;
    Ok(match (full_every, full_first, context.family.window) {
        (Some(every), _, _) if every > 0 => {
            let full = |layer: u32| (layer + 1).is_multiple_of(every);
            layers.map(|layer| window(!full(layer))).collect()
        }
        (_, Some(first), Windowed::OnRequest) => layers.map(|l| window(l >= first)).collect(),
        (_, _, Windowed::All) => layers.map(|_| window(true)).collect(),
        (_, _, Windowed::ButEveryFourth) => {
            caveats.push(Caveat::Assumed {
                field: "sliding_window_pattern",
                value: 4,
                because: "the default of this family",
            });
            let from_last = |layer: u32| context.layers - 1 - layer;
            layers
                .map(|layer| window(!from_last(layer).is_multiple_of(4)))
                .collect()
        }
        _ if context.layered == Layers::Interval => {
            return Err(fields.missing("sliding_window_pattern", "which layers have a window"));
        }
        _ => {
            caveats.push(unsaid(context, Window::Sliding, Some(width)));
            all
        }
    })
}

fn unsaid(context: &Context<'_>, kind: Window, tokens: Option<u32>) -> Caveat {
    Caveat::Window {
        kind,
        tokens,
        of: context.layers,
    }
}
