//! Builds the mixers of all layers, and reads per-layer lists that choose between two layer types.

use serde_json::Value;

use super::fields::{Fields, quote, whole};
use super::{ConfigError, Context};
use crate::arch::Mixer;

pub(super) type Mixers = Vec<Option<Mixer>>;

pub(super) fn each(context: &Context<'_>, mixer: impl Fn(u32) -> Mixer) -> Mixers {
    (0..context.layers)
        .map(|layer| Some(mixer(layer)))
        .collect()
}

/// Returns each layer's mixer: `first` where the layer's entry in `chosen` is true, else `second`.
pub(super) fn either(first: Mixer, chosen: &[bool], second: Mixer) -> Mixers {
    let mixer = |chosen: &bool| Some(if *chosen { first } else { second });
    chosen.iter().map(mixer).collect()
}

pub(super) fn unknown_kind(fields: &Fields<'_>, name: &str, kind: &Value) -> ConfigError {
    let kind = quote(&kind.to_string());
    fields.refuse(name, format!("layer type {kind} is not modeled"))
}

/// Reads a per-layer list of two layer types; an entry is true for a layer of the first type.
pub(super) fn kinds(
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

/// Reads a per-layer list of ones and zeros; an entry is true for a one.
pub(super) fn ones(
    context: &Context<'_>,
    name: &'static str,
) -> Result<Option<Vec<bool>>, ConfigError> {
    let Some(flags) = context.per_layer(name)? else {
        return Ok(None);
    };
    let one = |flag: &Value| match whole(flag) {
        Ok(flag @ (0 | 1)) => Ok(flag == 1),
        _ => Err(unknown_kind(&context.fields, name, flag)),
    };
    flags.iter().map(one).collect::<Result<_, _>>().map(Some)
}
