//! The feed-forward of a file: one MLP, or experts after leading dense layers.

use std::collections::BTreeSet;

use serde_json::Value;

use super::family::Experts;
use super::fields::{Fields, quote, whole};
use super::{Caveat, ConfigError, Context};
use crate::arch::Ffn;

const EXPERTS: &[&str] = &[
    "n_routed_experts",
    "num_experts",
    "num_local_experts",
    "moe_num_experts",
];
const PER_TOKEN: &[&str] = &[
    "num_experts_per_tok",
    "num_experts_per_token",
    "experts_per_token",
    "moe_topk",
    "moe_k",
];
const WIDTH: &[&str] = &["intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size"];
const EXPERT_WIDTH: &[&str] = &["moe_intermediate_size"];
const SHARED: &[&str] = &[
    "n_shared_experts",
    "num_shared_experts",
    "num_shared_expert",
    "moe_num_shared_experts",
];
const SHARED_WIDTH: [&str; 4] = [
    "shared_expert_intermediate_size",
    "moe_shared_expert_intermediate_size",
    "shared_intermediate_size",
    "share_expert_dim",
];
const ACTIVATION: [&str; 4] = [
    "hidden_act",
    "hidden_activation",
    "mlp_hidden_act",
    "activation_function",
];
/// Number of leading dense layers.
const LEADING: [&str; 3] = [
    "first_k_dense_replace",
    "moe_layer_start_index",
    "num_dense_layers",
];
/// Every how many layers there are experts.
const INTERVAL: [&str; 4] = [
    "decoder_sparse_step",
    "interleave_moe_layer_step",
    "moe_layer_interval",
    "moe_every_n_layers",
];
/// The most shared experts a shape takes.
const MOST_SHARED: u32 = 1000;

pub(super) fn read(context: &Context<'_>, caveats: &mut Vec<Caveat>) -> Result<Ffn, ConfigError> {
    let fields = &context.fields;
    match fields.whole(EXPERTS)? {
        Some(experts) if experts > 0 => read_experts(context, experts, caveats),
        _ => {
            // A file about experts that does not say how many is not one of a dense model.
            let mixture = context.family.experts != Experts::Unsaid
                || [PER_TOKEN, EXPERT_WIDTH, SHARED]
                    .into_iter()
                    .flatten()
                    .chain(&LEADING)
                    .any(|name| fields.states(name));
            if mixture {
                let named = EXPERTS.iter().find(|name| fields.get(name).is_some());
                return Err(match named {
                    Some(name) => fields.refuse(name, "other fields speak of experts"),
                    None => {
                        let name = match context.family.experts {
                            Experts::DeepSeek | Experts::Unsaid => "n_routed_experts",
                            Experts::OwnWidth | Experts::SharedWidth => "num_experts",
                            Experts::DenseWidth | Experts::Llama4 => "num_local_experts",
                        };
                        fields.missing(name, "its mixture of experts")
                    }
                });
            }
            read_dense(context, caveats)
        }
    }
}

fn read_dense(context: &Context<'_>, caveats: &mut Vec<Caveat>) -> Result<Ffn, ConfigError> {
    let fields = &context.fields;
    let width = match fields.whole(WIDTH)? {
        Some(width) => width,
        None if context.family.quadruple => {
            let width = context.hidden.saturating_mul(4);
            caveats.push(Caveat::Assumed {
                field: "intermediate_size",
                value: width,
                because: "four times the hidden size",
            });
            width
        }
        None => return Err(fields.missing("intermediate_size", "the feed-forward")),
    };
    let matrices = match context.family.matrices {
        Some(matrices) => matrices,
        None => guess_matrices(fields, caveats)?,
    };
    Ok(Ffn::Dense { width, matrices })
}

/// The matrices of a family that is not known, by its activation.
fn guess_matrices(fields: &Fields<'_>, caveats: &mut Vec<Caveat>) -> Result<u32, ConfigError> {
    let activation = activation(fields)?;
    let (value, because) = match activation {
        Some("silu" | "swish" | "swiglu" | "geglu") => return Ok(3),
        Some(_) => (2, "as its activation is usually not gated"),
        None => (3, "a gated feed-forward"),
    };
    caveats.push(Caveat::Assumed {
        field: "The number of feed-forward matrices",
        value,
        because,
    });
    Ok(value)
}

fn activation<'a>(fields: &Fields<'a>) -> Result<Option<&'a str>, ConfigError> {
    for name in ACTIVATION {
        if let Some(activation) = fields.text(name)? {
            return Ok(Some(activation));
        }
    }
    Ok(None)
}

fn read_experts(
    context: &Context<'_>,
    experts: u32,
    caveats: &mut Vec<Caveat>,
) -> Result<Ffn, ConfigError> {
    let fields = &context.fields;
    if context.family.matrices == Some(2) || activation(fields)? == Some("relu2") {
        let name = EXPERTS.iter().find(|name| fields.states(name));
        let why = "experts that are not gated are not modelled";
        return Err(fields.refuse(name.copied().unwrap_or_default(), why));
    }
    let experts_per_token = fields.needed(PER_TOKEN, "its mixture of experts")?;
    let expert_width = expert_width(context, caveats)?;
    let leading = leading_dense(context)?;
    let dense_layers = match leading {
        Some(dense_layers) => dense_layers,
        None if context.family.experts == Experts::DeepSeek => {
            return Err(fields.missing("first_k_dense_replace", "its leading dense layers"));
        }
        None => 0,
    };
    let width = match context.family.experts {
        Experts::Llama4 => fields.whole(&["intermediate_size_mlp"])?,
        _ => fields.whole(WIDTH)?,
    };
    let dense_width = match width {
        Some(width) => width,
        None if dense_layers > 0 => {
            return Err(fields.missing("intermediate_size", "its leading dense layers"));
        }
        // No layer has it.
        None => expert_width,
    };
    Ok(Ffn::Moe {
        dense_layers,
        dense_width,
        experts,
        experts_per_token,
        shared_experts: shared_experts(context, expert_width, caveats)?,
        expert_width,
    })
}

fn expert_width(context: &Context<'_>, caveats: &mut Vec<Caveat>) -> Result<u32, ConfigError> {
    let fields = &context.fields;
    let what = "its experts";
    match context.family.experts {
        Experts::DeepSeek | Experts::SharedWidth | Experts::OwnWidth => {
            fields.needed(EXPERT_WIDTH, what)
        }
        Experts::DenseWidth | Experts::Llama4 => {
            let width = fields.needed(&["intermediate_size"], what)?;
            match fields.whole(EXPERT_WIDTH)? {
                Some(other) if other != width => {
                    let why = format!("in this family an expert has intermediate_size, {width}");
                    Err(fields.refuse("moe_intermediate_size", why))
                }
                _ => Ok(width),
            }
        }
        Experts::Unsaid => match fields.whole(EXPERT_WIDTH)? {
            Some(width) => Ok(width),
            None => {
                let value = fields.needed(&["intermediate_size"], what)?;
                caveats.push(Caveat::Assumed {
                    field: "moe_intermediate_size",
                    value,
                    because: "the intermediate size",
                });
                Ok(value)
            }
        },
    }
}

fn shared_experts(
    context: &Context<'_>,
    expert_width: u32,
    caveats: &mut Vec<Caveat>,
) -> Result<u32, ConfigError> {
    let fields = &context.fields;
    let count = fields.whole(SHARED)?;
    let mut by_width = None;
    for name in SHARED_WIDTH {
        let Some(width) = fields.whole(&[name])? else {
            continue;
        };
        let experts = match width.checked_rem(expert_width) {
            Some(0) => width / expert_width,
            _ => {
                let why =
                    format!("a multiple of the width of an expert, {expert_width}, is needed");
                return Err(fields.refuse(name, why));
            }
        };
        match count {
            // Some files give the width of one shared expert, some that of all.
            Some(count) if experts != count && experts != 1 => {
                let why = format!("it makes {experts} shared experts, the number given is {count}");
                return Err(fields.refuse(name, why));
            }
            Some(_) => {}
            None => {
                if experts > 1 {
                    caveats.push(Caveat::SharedExpertSplit { width, experts });
                }
                by_width = Some(experts);
            }
        }
    }
    let shared = match (count.or(by_width), context.family.experts) {
        (Some(shared), _) => shared,
        (None, Experts::DeepSeek) if !SHARED.iter().any(|name| fields.has(name)) => {
            return Err(fields.missing("n_shared_experts", "its shared experts"));
        }
        (None, Experts::SharedWidth) => {
            return Err(fields.missing("shared_expert_intermediate_size", "its shared expert"));
        }
        (None, Experts::Llama4) => {
            caveats.push(Caveat::Assumed {
                field: "The number of shared experts",
                value: 1,
                because: "as in every model of the family",
            });
            1
        }
        (None, _) => 0,
    };
    if shared > MOST_SHARED {
        let named = SHARED.iter().chain(&SHARED_WIDTH);
        let name = named.into_iter().find(|name| fields.states(name));
        let why = format!("a shape takes at most {MOST_SHARED} shared experts");
        return Err(fields.refuse(name.copied().unwrap_or_default(), why));
    }
    Ok(shared)
}

/// The leading dense layers; every field that speaks of them must say the same, and nothing else.
fn leading_dense(context: &Context<'_>) -> Result<Option<u32>, ConfigError> {
    let fields = &context.fields;
    for name in INTERVAL {
        if fields.whole(&[name])?.is_some_and(|interval| interval != 1) {
            return Err(fields.refuse(name, INTERLEAVED));
        }
    }
    let mut found: Option<(&str, u32)> = None;
    let mut say = |name: &'static str, layers: u32| match found {
        Some((earlier, other)) if other != layers => {
            let why = format!("it makes {layers} leading dense layers, {earlier} makes {other}");
            Err(fields.refuse(name, why))
        }
        _ => {
            found = Some((name, layers));
            Ok(())
        }
    };
    for name in LEADING {
        if let Some(layers) = fields.whole(&[name])? {
            say(name, layers)?;
        }
    }
    if let Some(Value::Array(_)) = fields.get("moe_layer_freq") {
        if let Some(flags) = context.per_layer("moe_layer_freq")? {
            let dense = flags.iter().map(|flag| whole(flag) == Ok(0));
            say("moe_layer_freq", leading(fields, "moe_layer_freq", dense)?)?;
        }
    } else if fields
        .whole(&["moe_layer_freq"])?
        .is_some_and(|freq| freq != 1)
    {
        return Err(fields.refuse("moe_layer_freq", INTERLEAVED));
    }
    if let Some(kinds) = context.per_layer("mlp_layer_types")? {
        if let Some(kind) = kinds
            .iter()
            .find(|kind| !matches!(kind.as_str(), Some("dense" | "sparse")))
        {
            let why = format!(
                "layers of kind {} are not modelled",
                quote(&kind.to_string())
            );
            return Err(fields.refuse("mlp_layer_types", why));
        }
        let dense = kinds.iter().map(|kind| kind.as_str() == Some("dense"));
        say(
            "mlp_layer_types",
            leading(fields, "mlp_layer_types", dense)?,
        )?;
    }
    for (name, lists_dense) in [("mlp_only_layers", true), ("moe_layers", false)] {
        if let Some(layers) = listed(context, name)? {
            let dense = (0..context.layers.min(MOST_LISTED))
                .map(|layer| layers.contains(&layer) == lists_dense);
            say(name, leading(fields, name, dense)?)?;
        }
    }
    if let Some(end) = fields.whole(&["moe_layer_end_index"])?
        && end.saturating_add(1) != context.layers
    {
        return Err(fields.refuse("moe_layer_end_index", INTERLEAVED));
    }
    Ok(found.map(|(_, layers)| layers))
}

const INTERLEAVED: &str = "dense layers between or after those with experts are not modelled";
/// More layers than any shape takes.
const MOST_LISTED: u32 = 10_001;

/// The layers that a list names; an empty one counts as not there.
fn listed(context: &Context<'_>, name: &str) -> Result<Option<BTreeSet<u32>>, ConfigError> {
    let fields = &context.fields;
    let Some(list) = fields.list(name)?.filter(|list| !list.is_empty()) else {
        return Ok(None);
    };
    let layer = |value| match whole(value) {
        Ok(layer) if layer < context.layers => Ok(layer),
        Ok(_) => Err(fields.refuse(name, format!("there are {} layers", context.layers))),
        Err(why) => Err(fields.refuse(name, why)),
    };
    list.iter().map(layer).collect::<Result<_, _>>().map(Some)
}

/// How many dense layers lead, if none follows.
fn leading(
    fields: &Fields<'_>,
    name: &str,
    dense: impl Iterator<Item = bool>,
) -> Result<u32, ConfigError> {
    let (mut layers, mut experts) = (0, false);
    for dense in dense {
        match (dense, experts) {
            (true, true) => return Err(fields.refuse(name, INTERLEAVED)),
            (true, false) => layers += 1,
            (false, _) => experts = true,
        }
    }
    Ok(layers)
}
