//! Reads the FFN of every layer of a `config.json`: one MLP, or experts.

use std::collections::BTreeSet;

use serde_json::Value;

use super::family::{Experts, Layers};
use super::fields::{Fields, quote, whole};
use super::{Caveat, ConfigError, Context, HalfLayer};
use crate::arch::{Dense, Ffn, Moe};

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
    "moe_top_k",
    "moe_k",
    "top_k_experts",
];
const WIDTH: &[&str] = &["intermediate_size", "ffn_hidden_size"];
const EXPERT_WIDTH: &[&str] = &["moe_intermediate_size", "expert_intermediate_size"];
/// Alternative names of the field for the width of dense layers in MoE models.
const DENSE_WIDTH: &[&str] = &["dense_intermediate_size", "intermediate_size_mlp"];
/// Alternative names of the field for the latent width of the experts.
const LATENT: &[&str] = &["routed_expert_hidden_size", "moe_latent_size"];
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
/// Alternative names of the field for the number of leading dense layers.
const LEADING: [&str; 4] = [
    "first_k_dense_replace",
    "moe_layer_start_index",
    "num_dense_layers",
    "dense_mlp_idx",
];
/// Alternative names of the field for the MoE layer interval; the last layer of each interval has experts.
const STEPS: [&str; 2] = ["decoder_sparse_step", "interleave_moe_layer_step"];
/// Names of MoE interval fields that do not determine which layers have experts; a value other than 1 is refused.
const INTERVALS: [&str; 2] = ["moe_layer_interval", "moe_every_n_layers"];

pub(super) fn read(
    context: &Context<'_>,
    caveats: &mut Vec<Caveat>,
) -> Result<Vec<Option<Ffn>>, ConfigError> {
    let fields = &context.fields;
    if context.layered == Layers::Blocktypes {
        return block_types(context, caveats);
    }
    if context.layered == Layers::Global && fields.flag("enable_moe_block")? != Some(true) {
        let dense = read_dense(context, caveats)?;
        return Ok(vec![Some(dense); context.layers as usize]);
    }
    let Some(experts) = fields.whole(EXPERTS)?.filter(|&experts| experts > 0) else {
        // A file that describes experts but not their number is not a dense model's file.
        let mixture = context.family.experts != Experts::Unsaid
            || [PER_TOKEN, EXPERT_WIDTH, SHARED]
                .into_iter()
                .flatten()
                .chain(&LEADING)
                .any(|name| fields.states(name));
        if mixture {
            return Err(without_number(context));
        }
        let dense = read_dense(context, caveats)?;
        return Ok(vec![Some(dense); context.layers as usize]);
    };
    let moe = Ffn::Moe(read_experts(context, experts, caveats)?);
    let has_experts = expert_layers(context)?;
    if has_experts.iter().all(|&experts| experts) {
        fields.redundant(WIDTH);
        fields.redundant(DENSE_WIDTH);
        return Ok(vec![Some(moe); has_experts.len()]);
    }
    let width = match fields.whole(DENSE_WIDTH)? {
        Some(width) => Some(width),
        None if context.family.experts == Experts::Llama4 => None,
        None => fields.whole(WIDTH)?,
    };
    let width = width.ok_or_else(|| {
        let name = match context.family.experts {
            Experts::Llama4 => "intermediate_size_mlp",
            _ => "intermediate_size",
        };
        fields.missing(name, "the dense layers")
    })?;
    let dense = Ffn::Dense(Dense { width, matrices: 3 });
    let ffn = |experts: &bool| Some(if *experts { moe } else { dense });
    Ok(has_experts.iter().map(ffn).collect())
}

/// Reads the FFNs of a model whose blocks are each either a mixer or an FFN.
fn block_types(
    context: &Context<'_>,
    caveats: &mut Vec<Caveat>,
) -> Result<Vec<Option<Ffn>>, ConfigError> {
    let fields = &context.fields;
    fields.redundant(WIDTH);
    let (mut moe, mut dense) = (None, None);
    if context.blocks.contains(&HalfLayer::Experts) {
        let experts = fields.needed(EXPERTS, "the MoE layers")?;
        moe = Some(Ffn::Moe(read_experts(context, experts, caveats)?));
    }
    if context.blocks.contains(&HalfLayer::Mlp) {
        let width = fields.needed(WIDTH, "the FFN")?;
        let matrices = matrices(context, caveats)?;
        dense = Some(Ffn::Dense(Dense { width, matrices }));
    }
    let ffn = |block: &HalfLayer| match block {
        HalfLayer::Experts => moe,
        HalfLayer::Mlp => dense,
        HalfLayer::Mamba | HalfLayer::Attention => None,
    };
    Ok(context.blocks.iter().map(ffn).collect())
}

/// Returns the error for a file that describes experts but not their number.
fn without_number(context: &Context<'_>) -> ConfigError {
    let fields = &context.fields;
    match EXPERTS.iter().find(|name| fields.get(name).is_some()) {
        Some(name) => fields.refuse(name, "other fields of the file describe experts"),
        None => {
            let name = match context.family.experts {
                Experts::DeepSeek | Experts::Unsaid => "n_routed_experts",
                Experts::OwnWidth | Experts::SharedWidth => "num_experts",
                Experts::DenseWidth | Experts::Llama4 => "num_local_experts",
            };
            fields.missing(name, "the MoE layers")
        }
    }
}

fn read_dense(context: &Context<'_>, caveats: &mut Vec<Caveat>) -> Result<Ffn, ConfigError> {
    let fields = &context.fields;
    let width = fields
        .whole(WIDTH)?
        .ok_or_else(|| fields.missing("intermediate_size", "the FFN"))?;
    let matrices = matrices(context, caveats)?;
    Ok(Ffn::Dense(Dense { width, matrices }))
}

fn matrices(context: &Context<'_>, caveats: &mut Vec<Caveat>) -> Result<u32, ConfigError> {
    match context.family.matrices {
        Some(matrices) => Ok(matrices),
        None => guess_matrices(&context.fields, caveats),
    }
}

/// Guesses the number of FFN weight matrices from the activation function, for families without a fixed number. Adds
/// a caveat unless the activation function determines the number.
fn guess_matrices(fields: &Fields<'_>, caveats: &mut Vec<Caveat>) -> Result<u32, ConfigError> {
    let activation = activation(fields)?;
    let (value, because) = match activation {
        Some("silu" | "swish" | "swiglu" | "geglu") => return Ok(3),
        Some("relu2") => return Ok(2),
        Some(_) => (2, "because its activation is usually not gated"),
        None => (3, "assuming a gated FFN"),
    };
    caveats.push(Caveat::Assumed {
        field: "The number of FFN matrices",
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
) -> Result<Moe, ConfigError> {
    let fields = &context.fields;
    let matrices = if activation(fields)? == Some("relu2") {
        2
    } else {
        3
    };
    if matrices == 3 && context.family.matrices == Some(2) {
        let name = EXPERTS.iter().find(|name| fields.states(name));
        let why = "the number of expert matrices is unknown";
        return Err(fields.refuse(name.copied().unwrap_or_default(), why));
    }
    let experts_per_token = fields.needed(PER_TOKEN, "the MoE layers")?;
    let expert_width = expert_width(context, caveats)?;
    let (shared_experts, shared_width) = shared_experts(context, expert_width, caveats)?;
    Ok(Moe {
        experts,
        experts_per_token,
        expert_width,
        shared_experts,
        shared_width,
        matrices,
        latent: fields
            .whole(LATENT)?
            .filter(|&latent| latent > 0 && latent != context.hidden),
    })
}

fn expert_width(context: &Context<'_>, caveats: &mut Vec<Caveat>) -> Result<u32, ConfigError> {
    let fields = &context.fields;
    let what = "the experts";
    match context.family.experts {
        Experts::DeepSeek | Experts::SharedWidth | Experts::OwnWidth => {
            fields.needed(EXPERT_WIDTH, what)
        }
        Experts::DenseWidth | Experts::Llama4 => {
            let width = fields.needed(&["intermediate_size"], what)?;
            match fields.whole(EXPERT_WIDTH)? {
                Some(other) if other != width => {
                    let why = format!(
                        "in this family, the width of an expert is intermediate_size = {width}"
                    );
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
                    because: "the value of intermediate_size",
                });
                Ok(value)
            }
        },
    }
}

/// Returns the number and the width of the shared experts.
fn shared_experts(
    context: &Context<'_>,
    expert_width: u32,
    caveats: &mut Vec<Caveat>,
) -> Result<(u32, u32), ConfigError> {
    let fields = &context.fields;
    let family = context.family.experts;
    if context.layered == Layers::Global {
        // The dense MLP parallel to the experts serves every token, like a shared expert.
        let width = fields.needed(
            &["intermediate_size"],
            "the dense MLP parallel to the experts",
        )?;
        caveats.push(Caveat::ParallelMlp { width });
        return Ok((1, width));
    }
    let count = fields.whole(SHARED)?;
    let width = fields.whole(&SHARED_WIDTH)?.filter(|&width| width > 0);
    Ok(match (count, width) {
        (Some(0), _) => (0, expert_width),
        // Some files state the width of one shared expert, others the total width of all shared experts.
        (Some(count), Some(width)) if Some(width) != expert_width.checked_mul(count) => {
            (count, width)
        }
        (Some(count), _) => (count, expert_width),
        (None, Some(width)) => (1, width),
        (None, None)
            if family == Experts::DeepSeek && !SHARED.iter().any(|name| fields.has(name)) =>
        {
            return Err(fields.missing("n_shared_experts", "the shared experts"));
        }
        (None, None) if family == Experts::SharedWidth => {
            return Err(fields.missing("shared_expert_intermediate_size", "the shared expert"));
        }
        (None, None) if family == Experts::Llama4 => {
            caveats.push(Caveat::Assumed {
                field: "The number of shared experts",
                value: 1,
                because: "as in every model of the family",
            });
            (1, expert_width)
        }
        (None, None) => (0, expert_width),
    })
}

/// Returns one value per layer: true if the layer has experts. All fields about MoE layers must agree.
fn expert_layers(context: &Context<'_>) -> Result<Vec<bool>, ConfigError> {
    let fields = &context.fields;
    for name in INTERVALS {
        if fields.whole(&[name])?.is_some_and(|interval| interval != 1) {
            let why = "the MoE layer list is not supported here";
            return Err(fields.refuse(name, why));
        }
    }
    let layers = 0..context.layers;
    let mut found: Option<(&str, Vec<bool>)> = None;
    let mut say = |name: &'static str, experts: Vec<bool>| match &found {
        Some((earlier, other)) if *other != experts => {
            let why = format!("{earlier} lists other layers as MoE");
            Err(fields.refuse(name, why))
        }
        Some(_) => Ok(()),
        None => {
            found = Some((name, experts));
            Ok(())
        }
    };
    // Layers with a smaller index have no experts.
    let leading = fields.whole(&LEADING)?;
    let listed_flags = matches!(fields.get("moe_layer_freq"), Some(Value::Array(_)));
    let every = if listed_flags {
        1
    } else {
        fields.whole(&["moe_layer_freq"])?.unwrap_or(1)
    };
    if every == 0 {
        return Err(fields.refuse("moe_layer_freq", "layer frequency must not be 0"));
    }
    if leading.is_some() || every > 1 {
        let first = leading.unwrap_or(0);
        let experts = |layer: u32| layer >= first && layer.is_multiple_of(every);
        let name = LEADING.into_iter().find(|name| fields.states(name));
        let name = name.unwrap_or(if every > 1 {
            "moe_layer_freq"
        } else {
            LEADING[0]
        });
        say(name, layers.clone().map(experts).collect())?;
    }
    if listed_flags && let Some(flags) = context.per_layer("moe_layer_freq")? {
        let experts = |flag: &Value| match whole(flag) {
            Ok(flag @ (0 | 1)) => Ok(flag == 1),
            _ => Err(fields.refuse("moe_layer_freq", "expected an array of 0s and 1s")),
        };
        let experts = flags.iter().map(experts).collect::<Result<_, _>>()?;
        say("moe_layer_freq", experts)?;
    }
    if let Some(kinds) = context.per_layer("mlp_layer_types")? {
        let experts = |kind: &Value| match kind.as_str() {
            Some("dense") => Ok(false),
            Some("sparse" | "moe" | "hash_moe") => Ok(true),
            _ => {
                let kind = quote(&kind.to_string());
                let why = format!("layer type {kind} is not modeled");
                Err(fields.refuse("mlp_layer_types", why))
            }
        };
        let experts = kinds.iter().map(experts).collect::<Result<_, _>>()?;
        say("mlp_layer_types", experts)?;
    }
    let dense = listed(context, "mlp_only_layers")?;
    for name in STEPS {
        let step = fields.whole(&[name])?.unwrap_or(1);
        if step == 0 {
            return Err(fields.refuse(name, "layer frequency must not be 0"));
        }
        // `moe_layers`, where present, replaces the step.
        if step > 1 && !fields.states("moe_layers") {
            let only = |layer: &u32| dense.as_ref().is_some_and(|dense| dense.contains(layer));
            let experts = |layer: u32| (layer + 1).is_multiple_of(step) && !only(&layer);
            say(name, layers.clone().map(experts).collect())?;
        }
    }
    let stepped = STEPS.iter().any(|name| {
        fields
            .whole(&[name])
            .ok()
            .flatten()
            .is_some_and(|step| step > 1)
    });
    if let Some(dense) = dense.filter(|_| !stepped) {
        let experts = |layer: u32| !dense.contains(&layer);
        say("mlp_only_layers", layers.clone().map(experts).collect())?;
    }
    for name in ["moe_layers", "moe_layers_enum"] {
        if let Some(list) = listed(context, name)? {
            let experts = |layer: u32| list.contains(&layer);
            say(name, layers.clone().map(experts).collect())?;
        }
    }
    if let Some(end) = fields.whole(&["moe_layer_end_index"])?
        && end.saturating_add(1) != context.layers
    {
        let why = "dense layers after MoE layers are not supported here";
        return Err(fields.refuse("moe_layer_end_index", why));
    }
    match found {
        Some((name, experts)) if !experts.contains(&true) => {
            Err(fields.refuse(name, "no layer would have experts"))
        }
        Some((_, experts)) => Ok(experts),
        None if context.family.experts == Experts::DeepSeek => {
            Err(fields.missing("first_k_dense_replace", "the leading dense layers"))
        }
        None => Ok(vec![true; context.layers as usize]),
    }
}

/// Returns the layer numbers in a JSON list or a comma-separated string; an empty list or string is treated as
/// absent.
fn listed(context: &Context<'_>, name: &str) -> Result<Option<BTreeSet<u32>>, ConfigError> {
    let fields = &context.fields;
    if let Some(Value::String(text)) = fields.get(name) {
        let numbers = text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let number = |part: &str| {
            let number = part.parse().ok();
            number.ok_or_else(|| fields.refuse(name, "expected comma-separated numbers"))
        };
        let layers = numbers.map(number).collect::<Result<BTreeSet<u32>, _>>()?;
        return Ok(Some(layers).filter(|layers| !layers.is_empty()));
    }
    let Some(list) = fields.list(name)?.filter(|list| !list.is_empty()) else {
        return Ok(None);
    };
    let most = context.layers + context.predicting;
    let layer = |value| match whole(value) {
        Ok(layer) if layer < most => Ok(layer),
        Ok(_) => Err(fields.refuse(
            name,
            format!("the model has only {} layers", context.layers),
        )),
        Err(why) => Err(fields.refuse(name, why)),
    };
    list.iter().map(layer).collect::<Result<_, _>>().map(Some)
}
