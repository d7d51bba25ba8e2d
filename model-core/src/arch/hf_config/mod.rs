//! Reads a Hugging Face `config.json` into an [`Arch`].
//!
//! A field that decides a shape is read, or its absence is an error; what the shape cannot hold is
//! a [`Caveat`] when the model still bounds it (a sliding window computed as full attention), and a
//! refusal when it does not (linear attention, experts in every other layer). The rules that differ
//! between families stand in one table, `family`.

mod attention;
mod family;
mod ffn;
mod fields;
mod message;

pub use message::{Caveat, ConfigError, Window};

use serde_json::{Map, Value};

use super::Arch;
use family::Family;
use fields::{Fields, quote};

/// The longest text that is read, in bytes; the longest published files have a tenth of that.
pub const MOST_BYTES: usize = 100_000;

/// Where a multimodal file keeps its language model.
const LANGUAGE: [&str; 3] = ["text_config", "llm_config", "language_config"];
/// Parts of a multimodal file that the shape leaves out.
const OTHER_PARTS: [&str; 3] = ["vision_config", "audio_config", "speech_config"];
/// Layers that predict several tokens ahead.
const PREDICTING: [&str; 4] = [
    "num_nextn_predict_layers",
    "num_mtp_modules",
    "mtp_num_hidden_layers",
    "num_mtp_layers",
];

/// What a file says.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The shape; it has passed [`Arch::check`].
    pub arch: Arch,
    /// The name the file gives itself, which few do.
    pub name: Option<String>,
    /// What the shape leaves out or approximates, and what was taken for fields that are not there.
    pub caveats: Vec<Caveat>,
}

/// Reads the text of a `config.json`.
///
/// Assumes: every layer of a kind has the same shape; dense layers lead those with experts.
/// Not modelled: quantisation and position encodings, which are no part of a shape.
pub fn read(text: &str) -> Result<Imported, ConfigError> {
    let bytes = text.len();
    if bytes > MOST_BYTES {
        let most = MOST_BYTES;
        return Err(ConfigError::TooLong { bytes, most });
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: Value = serde_json::from_str(text).map_err(ConfigError::not_json)?;
    let Value::Object(object) = &value else {
        return Err(ConfigError::NotAnObject);
    };
    let mut caveats = Vec::new();
    let root = Fields::new(object, "");
    let fields = language_model(object, &mut caveats)?;
    attention::refuse_foreign(&fields)?;
    let family = family(&root, &fields, &mut caveats)?;
    if root.states("is_encoder_decoder") {
        return Err(root.refuse("is_encoder_decoder", "only decoders are modelled"));
    }

    let hidden = fields.needed(
        &["hidden_size", "n_embd", "d_model", "n_embed"],
        "the shape",
    )?;
    let layers = fields.needed(&["num_hidden_layers", "n_layer", "n_layers"], "the shape")?;
    let vocab = fields.needed(&["vocab_size"], "the embeddings")?;
    if let Some(width) = fields.whole(&["word_embed_proj_dim"])?
        && width != hidden
    {
        let why = "embeddings of another width than the layers are not modelled";
        return Err(fields.refuse("word_embed_proj_dim", why));
    }
    let context = Context {
        fields,
        family,
        hidden,
        layers,
        predicting: predicting(&fields)?,
    };
    let arch = Arch {
        hidden,
        layers,
        vocab,
        attention: attention::read(&context, &mut caveats)?,
        ffn: ffn::read(&context, &mut caveats)?,
    };
    arch.check().map_err(ConfigError::Shape)?;
    left_out(&context, &root, &mut caveats)?;
    Ok(Imported {
        arch,
        name: name(&root, &fields),
        caveats,
    })
}

/// What the parts of a reading share.
struct Context<'a> {
    fields: Fields<'a>,
    family: &'static Family,
    hidden: u32,
    layers: u32,
    /// Layers after the last that predict further tokens; lists per layer may count them.
    predicting: u32,
}

impl<'a> Context<'a> {
    /// A list with one element per layer; an empty one counts as not there.
    fn per_layer(&self, name: &'static str) -> Result<Option<&'a [Value]>, ConfigError> {
        let Some(list) = self.fields.list(name)? else {
            return Ok(None);
        };
        let layers = self.layers as usize;
        if list.is_empty() {
            Ok(None)
        } else if list.len() == layers || list.len() == layers + self.predicting as usize {
            Ok(Some(&list[..layers]))
        } else {
            let why = format!("it has {} elements for {layers} layers", list.len());
            Err(self.fields.refuse(name, why))
        }
    }
}

/// The object that describes the language model: the file itself, or a part of it.
fn language_model<'a>(
    object: &'a Map<String, Value>,
    caveats: &mut Vec<Caveat>,
) -> Result<Fields<'a>, ConfigError> {
    let root = Fields::new(object, "");
    let left_out: Vec<&'static str> = OTHER_PARTS
        .into_iter()
        .filter(|part| root.states(part))
        .collect();
    for part in LANGUAGE {
        match root.get(part) {
            None => {}
            Some(Value::Object(inner)) => {
                caveats.push(Caveat::PartOfModel {
                    read: Some(part),
                    left_out,
                });
                return Ok(Fields::new(inner, part));
            }
            Some(_) => return Err(root.refuse(part, "an object is needed")),
        }
    }
    if !left_out.is_empty() {
        let read = None;
        caveats.push(Caveat::PartOfModel { read, left_out });
    }
    Ok(root)
}

/// The conventions by which the file is read.
fn family(
    root: &Fields<'_>,
    fields: &Fields<'_>,
    caveats: &mut Vec<Caveat>,
) -> Result<&'static Family, ConfigError> {
    let place = if fields.has("model_type") {
        fields
    } else {
        root
    };
    let model_type = place.text("model_type")?;
    let found = match model_type {
        Some(model_type) => {
            Family::of(model_type).map_err(|why| place.refuse("model_type", why))?
        }
        None => None,
    };
    Ok(found.unwrap_or_else(|| {
        caveats.push(Caveat::UnknownFamily {
            model_type: model_type.map(quote),
        });
        &family::UNKNOWN
    }))
}

fn predicting(fields: &Fields<'_>) -> Result<u32, ConfigError> {
    if fields.flag("use_mtp")? == Some(false) {
        return Ok(0);
    }
    let mut most = 0;
    for name in PREDICTING {
        most = most.max(fields.whole(&[name])?.unwrap_or(0));
    }
    Ok(most)
}

/// Says what the file holds beyond the shape.
fn left_out(
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
    let tied = match fields.flag("tie_word_embeddings")? {
        Some(tied) => Some(tied),
        None => root.flag("tie_word_embeddings")?,
    };
    if tied.unwrap_or(context.family.tied) {
        caveats.push(Caveat::TiedEmbeddings);
    }
    Ok(())
}

fn name(root: &Fields<'_>, fields: &Fields<'_>) -> Option<String> {
    [root, fields]
        .into_iter()
        .filter_map(|place| place.get("_name_or_path")?.as_str())
        .map(|path| {
            // The path of somebody's disk is no name; its last part may be one.
            let local = path.starts_with(['/', '.', '~']) || path.contains('\\');
            let path = path.trim_end_matches(['/', '\\']);
            let last = path.rsplit(['/', '\\']).next().unwrap_or(path);
            quote(if local { last } else { path })
        })
        .find(|name| !name.trim().is_empty())
}
