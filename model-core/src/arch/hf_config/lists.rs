//! The mixers of all layers, and lists per layer that choose between two.

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

/// One of two mixers in each layer.
pub(super) fn either(first: Mixer, chosen: &[bool], second: Mixer) -> Mixers {
    let mixer = |chosen: &bool| Some(if *chosen { first } else { second });
    chosen.iter().map(mixer).collect()
}

pub(super) fn unknown_kind(fields: &Fields<'_>, name: &str, kind: &Value) -> ConfigError {
    let kind = quote(&kind.to_string());
    fields.refuse(name, format!("layer type {kind} is not modeled"))
}

/// A list per layer with one of two kinds.
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

/// A list per layer of ones and zeros.
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
