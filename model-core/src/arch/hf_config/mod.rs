//! Reads a Hugging Face `config.json` into an [`Arch`].
//!
//! Every field that affects the shape is read; if a required field is missing, that is an error. A property that the
//! shape cannot express becomes a [`Caveat`] if results that ignore it are still valid bounds; otherwise the file is
//! refused. Per-layer lists determine the layer groups. The table in `family` holds rules that differ between model
//! families; the table in `foreign` holds fields that only some families support.

mod attention;
mod beside;
mod family;
mod ffn;
mod fields;
mod foreign;
mod harmless;
mod lists;
mod message;
mod mixers;
mod recurrent;
mod silent;
mod spans;
mod windows;

pub use message::{Caveat, ConfigError, Window};

use std::borrow::Cow;

use serde_json::Value;

use super::fields::{TOO_MANY, WIDTH};
use super::{Arch, Dense, Ffn, Layered};
use beside::{left_out, table_gib, unread};
use family::{ConfigFamily, Heads, Layers};
use fields::{Fields, ReadFields, quote};

/// Max length of a `config.json` in bytes; published files that list the format of every weight matrix reach about
/// three million.
pub const MOST_BYTES: usize = 3 << 20;
const MOST_LAYERS: u32 = 10_000;

/// Fields that hold the language model in the file of a multimodal model.
const LANGUAGE: [&str; 3] = ["text_config", "llm_config", "language_config"];
/// Fields that hold the other parts in the file of a multimodal model.
const OTHER_PARTS: [&str; 4] = [
    "vision_config",
    "audio_config",
    "speech_config",
    "vision_layers",
];
/// Alternative names of the field for the number of MTP layers.
const PREDICTING: [&str; 4] = [
    "num_nextn_predict_layers",
    "num_mtp_modules",
    "mtp_num_hidden_layers",
    "num_mtp_layers",
];

/// Result of reading a `config.json`.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The LLM's shape, which has passed [`Arch::check`].
    pub arch: Arch,
    /// Model name from the file, or its `model_type` if the file has no name, as is common.
    pub name: Option<String>,
    /// Caveats: parts left out or approximated, and values assumed for absent fields.
    pub caveats: Vec<Caveat>,
    /// Size in GiB of lookup tables, which no GEMM reads; `None` if the model has none.
    pub table_gib: Option<f64>,
    /// Fields that have a value but were neither read nor known to be harmless, each prefixed with the name of its
    /// object.
    pub unread: Vec<String>,
}

/// Reads the text of a `config.json`.
///
/// Quantization and position encodings are not read, because they are not part of a shape.
pub fn read(text: &str) -> Result<Imported, ConfigError> {
    let bytes = text.len();
    if bytes > MOST_BYTES {
        let most = MOST_BYTES;
        return Err(ConfigError::TooLong { bytes, most });
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut value: Value = serde_json::from_str(&finite(text)).map_err(ConfigError::not_json)?;
    let Value::Object(object) = &mut value else {
        return Err(ConfigError::NotAnObject);
    };
    let mut caveats = silent::complete(object);
    let seen = ReadFields::default();
    let root = Fields::new(object, "", &seen);
    let fields = language_model(&root, &mut caveats)?;
    let (family, model_type) = family(&root, &fields, &mut caveats)?;
    let layered = match family.layers {
        // MLA with an index, in any family.
        Layers::Attention if family.attention == Heads::Latent && fields.states("index_topk") => {
            Layers::Indexed
        }
        layers => layers,
    };
    foreign::refuse(&fields, layered)?;
    if root.states("is_encoder_decoder") || fields.states("is_encoder_decoder") {
        return Err(root.refuse("is_encoder_decoder", "only decoder models are supported"));
    }

    let hidden = fields.needed(&["hidden_size", "d_model"], "the shape")?;
    let blocks = match layered {
        Layers::Blocktypes => blocks(&fields)?,
        _ => Vec::new(),
    };
    let layers = match u32::try_from(blocks.len()) {
        Ok(layers @ 1..) => {
            fields.redundant(&["num_hidden_layers"]);
            layers
        }
        _ => fields.needed(&["num_hidden_layers", "n_layers"], "the shape")?,
    };
    if !(1..=MOST_LAYERS).contains(&layers) {
        return Err(ConfigError::Shape(super::ShapeError::Bound {
            field: "layers",
            value: layers,
            least: 1,
            most: MOST_LAYERS,
        }));
    }
    let vocab = fields.needed(&["vocab_size"], "the embeddings")?;
    let context = Context {
        fields,
        family,
        layered,
        model_type,
        hidden,
        layers,
        predicting: predicting(&fields)?,
        blocks: &blocks,
    };
    let mixers = mixers::read(&context, &mut caveats)?;
    let ffns = ffn::read(&context, &mut caveats)?;
    let mut arch = Arch::new(hidden, vocab);
    arch.tied = tied(&context, &root)?;
    if matches!(
        layered,
        Layers::Compressed | Layers::Kda | Layers::GatedDelta
    ) {
        arch.residual_streams = fields.whole(&["hc_mult", "hc_count"])?.unwrap_or(1);
        arch.residual_rank = fields.whole(&["hc_lowrank"])?;
    }
    for (mixer, ffn) in mixers.into_iter().zip(ffns) {
        if !arch.add(1, mixer, ffn) {
            return Err(ConfigError::Shape(TOO_MANY));
        }
    }
    arch.check().map_err(ConfigError::Shape)?;
    // A shape may have dense FFNs of width 0, but in a `config.json` they are an error.
    let is_empty = |ffn: &Layered<Ffn>| matches!(ffn.shape, Ffn::Dense(Dense { width: 0, .. }));
    if arch.ffns().iter().any(is_empty) {
        return Err(ConfigError::Shape(super::ShapeError::Bound {
            field: "intermediate_size",
            value: 0,
            least: 1,
            most: WIDTH,
        }));
    }
    left_out(&context, &root, &mut caveats)?;
    Ok(Imported {
        arch,
        name: name(&root, &fields),
        caveats,
        table_gib: table_gib(&root, &fields)?,
        unread: unread(&root, &fields),
    })
}

/// Replaces `Infinity`, which strict JSON forbids, with a number. Some files contain it, but in no field that is read.
fn finite(text: &str) -> Cow<'_, str> {
    const WORD: &str = "Infinity";
    if !text.contains(WORD) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let (mut quoted, mut escaped) = (false, false);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if !quoted && let Some(after) = rest.strip_prefix(WORD) {
            out.push_str("1e308");
            rest = after;
            continue;
        }
        match next {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
        out.push(next);
        rest = &rest[next.len_utf8()..];
    }
    Cow::Owned(out)
}

/// A layer that consists of either a mixer or an FFN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HalfLayer {
    Mamba,
    Attention,
    Experts,
    Mlp,
}

/// Reads the block types of Nemotron models, from a string of letters or a list of words.
fn blocks(fields: &Fields<'_>) -> Result<Vec<HalfLayer>, ConfigError> {
    let (letters, words) = ("hybrid_override_pattern", "layers_block_type");
    if let Some(list) = fields.list(words)?.filter(|list| !list.is_empty()) {
        let block = |value: &Value| match value.as_str() {
            Some("mamba") => Ok(HalfLayer::Mamba),
            Some("attention") => Ok(HalfLayer::Attention),
            Some("moe") => Ok(HalfLayer::Experts),
            Some("mlp") => Ok(HalfLayer::Mlp),
            _ => {
                let why = format!("layer type {} is not modeled", quote(&value.to_string()));
                Err(fields.refuse(words, why))
            }
        };
        return list
            .iter()
            .take(MOST_LAYERS as usize + 1)
            .map(block)
            .collect();
    }
    let Some(text) = fields.text(letters)? else {
        return Err(fields.missing(letters, "the layer types"));
    };
    let block = |letter| match letter {
        'M' => Ok(HalfLayer::Mamba),
        '*' => Ok(HalfLayer::Attention),
        'E' => Ok(HalfLayer::Experts),
        '-' => Ok(HalfLayer::Mlp),
        _ => Err(fields.refuse(letters, format!("layer type {letter} is not modeled"))),
    };
    text.chars()
        .take(MOST_LAYERS as usize + 1)
        .map(block)
        .collect()
}

fn tied(context: &Context<'_>, root: &Fields<'_>) -> Result<bool, ConfigError> {
    let name = "tie_word_embeddings";
    let (inner, outer) = (context.fields.flag(name)?, root.flag(name)?);
    Ok(inner.or(outer).unwrap_or(context.family.tied))
}

/// State shared by the functions that read one file.
#[derive(Clone, Copy)]
struct Context<'a> {
    fields: Fields<'a>,
    family: &'static ConfigFamily,
    layered: Layers,
    model_type: Option<&'a str>,
    hidden: u32,
    layers: u32,
    /// Number of MTP layers after the last regular layer; per-layer lists in the file may include them.
    predicting: u32,
    /// Type of each layer, if every layer is either a mixer or an FFN; otherwise empty.
    blocks: &'a [HalfLayer],
}

impl<'a> Context<'a> {
    /// Returns a per-layer list without the entries of MTP layers; an empty list is treated as absent.
    fn per_layer(&self, name: &'static str) -> Result<Option<&'a [Value]>, ConfigError> {
        let most = self.layers as usize + self.predicting as usize;
        match self.fields.list(name)? {
            Some(list) if list.len() > most => Err(self.wrong_length(name, list)),
            _ => self.at_least_per_layer(name),
        }
    }

    /// Returns the first `layers` elements of a list that may be longer; an empty list is treated as absent.
    fn at_least_per_layer(&self, name: &'static str) -> Result<Option<&'a [Value]>, ConfigError> {
        match self.fields.list(name)? {
            None | Some([]) => Ok(None),
            Some(list) => match list.get(..self.layers as usize) {
                Some(list) => Ok(Some(list)),
                None => Err(self.wrong_length(name, list)),
            },
        }
    }

    fn wrong_length(&self, name: &str, list: &[Value]) -> ConfigError {
        let why = format!("it has {} elements for {} layers", list.len(), self.layers);
        self.fields.refuse(name, why)
    }
}

/// Returns the object that describes the language model: the file's top level, or a nested object.
fn language_model<'a>(
    root: &Fields<'a>,
    caveats: &mut Vec<Caveat>,
) -> Result<Fields<'a>, ConfigError> {
    let left_out: Vec<&'static str> = OTHER_PARTS
        .into_iter()
        .filter(|part| root.states(part) && root.get(part).is_some())
        .collect();
    for part in LANGUAGE {
        match root.get(part) {
            None => {}
            Some(Value::Object(inner)) => {
                caveats.push(Caveat::PartOfModel {
                    read: Some(part),
                    left_out,
                });
                return Ok(root.beside(inner, part));
            }
            Some(_) => return Err(root.refuse(part, "expected an object")),
        }
    }
    if !left_out.is_empty() {
        let read = None;
        caveats.push(Caveat::PartOfModel { read, left_out });
    }
    Ok(*root)
}

/// Returns the model family and its `model_type`. The family follows from `model_type`, else from a class in
/// `architectures`, else from fields that identify a family. An unidentified family is read with default conventions
/// and a caveat.
fn family<'a>(
    root: &Fields<'a>,
    fields: &Fields<'a>,
    caveats: &mut Vec<Caveat>,
) -> Result<(&'static ConfigFamily, Option<&'a str>), ConfigError> {
    let place = if fields.has("model_type") {
        fields
    } else {
        root
    };
    let model_type = place.text("model_type")?;
    if let Some(model_type) = model_type
        && let Some(family) =
            ConfigFamily::of(model_type).map_err(|why| place.refuse("model_type", why))?
    {
        return Ok((family, Some(model_type)));
    }
    let classes = [fields, root].into_iter().filter_map(|place| {
        let Some(Value::Array(classes)) = place.get("architectures") else {
            return None;
        };
        classes.first()?.as_str()
    });
    let by_class = classes.filter_map(ConfigFamily::of_class).next();
    if let Some((family, name)) = by_class {
        return Ok((family, Some(name)));
    }
    caveats.push(Caveat::UnknownFamily {
        model_type: model_type.map(quote),
    });
    Ok(match ConfigFamily::of_fields(|name| fields.states(name)) {
        Some((family, name)) => (family, Some(name)),
        None => (&family::UNKNOWN, model_type),
    })
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

fn name(root: &Fields<'_>, fields: &Fields<'_>) -> Option<String> {
    [root, fields]
        .into_iter()
        .filter_map(|place| place.get("_name_or_path")?.as_str())
        .map(|path| {
            // A path on a disk is not a name, but its last component may be.
            let local = path.starts_with(['/', '.', '~']) || path.contains('\\');
            let path = path.trim_end_matches(['/', '\\']);
            let last = path.rsplit(['/', '\\']).next().unwrap_or(path);
            quote(if local { last } else { path })
        })
        .find(|name| !name.trim().is_empty())
        .or_else(|| Some(quote(root.get("model_type")?.as_str()?)))
}
