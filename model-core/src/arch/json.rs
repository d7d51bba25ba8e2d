//! A shape as the JSON of a link: read with every fault named, written without its defaults.
//!
//! Two forms: `layers` a number, where all layers have one mixer (and dense layers may lead those
//! with experts), or `layers` a list of groups.

use serde_json::{Map, Value, json};

use super::check::TOO_MANY;
use super::{
    Arch, Compressed, Dense, Ffn, GatedDelta, Group, Grouped, Index, Kda, Latent, Lightning,
    Mamba2, Mixer, Moe, Span,
};

/// Reads either form; the error is the end of a sentence that begins with the key of the link.
pub fn read(text: &[u8]) -> Result<Arch, String> {
    let value: Value =
        serde_json::from_slice(text).map_err(|error| format!("is not a shape: {error}"))?;
    let arch = arch(&value).map_err(|why| format!("is not a shape: {why}"))?;
    arch.check().map_err(|error| format!("has {error}"))?;
    Ok(arch)
}

/// An object whose keys are taken one by one; what is left at the end is unknown.
struct Keys<'a> {
    object: &'a Map<String, Value>,
    path: &'static str,
    taken: Vec<&'static str>,
}

impl<'a> Keys<'a> {
    fn of(value: &'a Value, path: &'static str) -> Result<Self, String> {
        match value {
            Value::Object(object) => Ok(Self {
                object,
                path,
                taken: Vec::new(),
            }),
            _ => Err(format!("{path} needs an object")),
        }
    }

    /// A key that is there and not `null`.
    fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.taken.push(key);
        self.object.get(key).filter(|value| !value.is_null())
    }

    fn optional(&mut self, key: &'static str) -> Result<Option<u32>, String> {
        let path = self.path;
        self.get(key)
            .map(|value| {
                let whole = value.as_u64().and_then(|whole| u32::try_from(whole).ok());
                whole.ok_or_else(|| format!("{key} of {path} needs a whole number"))
            })
            .transpose()
    }

    fn needed(&mut self, key: &'static str) -> Result<u32, String> {
        let missing = format!("{} needs {key}", self.path);
        self.optional(key)?.ok_or(missing)
    }

    fn or(&mut self, key: &'static str, default: u32) -> Result<u32, String> {
        Ok(self.optional(key)?.unwrap_or(default))
    }

    fn flag(&mut self, key: &'static str) -> Result<bool, String> {
        let path = self.path;
        match self.get(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(format!("{key} of {path} needs true or false")),
        }
    }

    /// An object under this key, if it is there.
    fn inner(&mut self, key: &'static str) -> Result<Option<Keys<'a>>, String> {
        self.get(key).map(|value| Keys::of(value, key)).transpose()
    }

    /// Refuses what nobody asked for.
    fn end(self) -> Result<(), String> {
        let unknown = |key: &&String| !self.taken.contains(&key.as_str());
        match self.object.keys().find(unknown) {
            None => Ok(()),
            Some(key) => {
                let key: String = key.chars().filter(|c| !c.is_control()).take(40).collect();
                Err(format!("{} has the unknown key {key}", self.path))
            }
        }
    }
}

fn arch(value: &Value) -> Result<Arch, String> {
    let mut keys = Keys::of(value, "arch")?;
    let mut arch = Arch::new(keys.needed("hidden")?, keys.needed("vocab")?);
    arch.tied = keys.flag("tied")?;
    arch.residual_streams = keys.or("residual_streams", 1)?;
    match keys.get("layers") {
        Some(Value::Array(groups)) => {
            for value in groups {
                let mut group = Keys::of(value, "a group of layers")?;
                let count = group.needed("count")?;
                let mixer = mixer(group.get("mixer"))?;
                let (ffn, leading) = ffn(group.get("ffn"), false)?;
                group.end()?;
                debug_assert!(leading.is_none());
                if count == 0 {
                    return Err("count takes 1 to 10000".into());
                }
                add(&mut arch, count, mixer, ffn)?;
            }
        }
        Some(_) => {
            let layers = keys.needed("layers")?;
            let mixer = mixer(keys.get("attention"))?;
            let (ffn, leading) = ffn(keys.get("ffn"), true)?;
            let dense_layers = leading.map_or(0, |(dense_layers, _)| dense_layers);
            if dense_layers >= layers.max(1) {
                let most = layers.saturating_sub(1);
                return Err(format!(
                    "dense_layers = {dense_layers}, it takes 0 to {most}"
                ));
            }
            if let Some((count @ 1.., width)) = leading {
                let dense = Ffn::Dense(Dense { width, matrices: 3 });
                add(&mut arch, count, mixer, Some(dense))?;
            }
            add(&mut arch, layers - dense_layers, mixer, ffn)?;
        }
        None => return Err("arch needs layers".into()),
    }
    keys.end()?;
    Ok(arch)
}

fn add(arch: &mut Arch, count: u32, mixer: Option<Mixer>, ffn: Option<Ffn>) -> Result<(), String> {
    if arch.add(count, mixer, ffn) {
        Ok(())
    } else {
        Err(TOO_MANY.to_string())
    }
}

/// The one key of an object, with what it holds; `None` for `"none"`.
fn kind<'a>(
    value: Option<&'a Value>,
    what: &'static str,
) -> Result<Option<(&'a str, &'a Value)>, String> {
    match value {
        Some(Value::String(none)) if none == "none" => Ok(None),
        Some(Value::Object(object)) if object.len() == 1 => Ok(object
            .iter()
            .next()
            .map(|(key, value)| (key.as_str(), value))),
        Some(_) => Err(format!("{what} needs an object with one key")),
        None => Err(format!("a layer needs {what}")),
    }
}

fn mixer(value: Option<&Value>) -> Result<Option<Mixer>, String> {
    let Some((id, value)) = kind(value, "a mixer")? else {
        return Ok(None);
    };
    Ok(Some(match id {
        "grouped" => grouped(Keys::of(value, "grouped")?)?,
        "latent" => {
            let mut keys = Keys::of(value, "latent")?;
            let shape = Latent {
                heads: keys.needed("heads")?,
                q_rank: keys.optional("q_rank")?,
                kv_rank: keys.needed("kv_rank")?,
                head_dim: keys.needed("head_dim")?,
                rope_dim: keys.needed("rope_dim")?,
                value_dim: keys.needed("value_dim")?,
                gate: keys.flag("gate")?,
                index: index(keys.inner("index")?)?,
            };
            keys.end()?;
            Mixer::Latent(shape)
        }
        "compressed" => {
            let mut keys = Keys::of(value, "compressed")?;
            let shape = Compressed {
                heads: keys.needed("heads")?,
                head_dim: keys.needed("head_dim")?,
                q_rank: keys.needed("q_rank")?,
                window: keys.needed("window")?,
                sinks: keys.flag("sinks")?,
                out_groups: keys.needed("out_groups")?,
                out_rank: keys.needed("out_rank")?,
                ratio: keys.optional("ratio")?,
                overlap: keys.flag("overlap")?,
                index: index(keys.inner("index")?)?,
            };
            keys.end()?;
            Mixer::Compressed(shape)
        }
        "gated_delta" => {
            let mut keys = Keys::of(value, "gated_delta")?;
            let shape = GatedDelta {
                key_heads: keys.needed("key_heads")?,
                value_heads: keys.needed("value_heads")?,
                key_dim: keys.needed("key_dim")?,
                value_dim: keys.needed("value_dim")?,
                conv: keys.or("conv", 4)?,
                state_bytes: keys.or("state_bytes", 4)?,
            };
            keys.end()?;
            Mixer::GatedDelta(shape)
        }
        "kda" => {
            let mut keys = Keys::of(value, "kda")?;
            let shape = Kda {
                heads: keys.needed("heads")?,
                head_dim: keys.needed("head_dim")?,
                full_rank_gate: keys.flag("full_rank_gate")?,
                conv: keys.or("conv", 4)?,
                state_bytes: keys.or("state_bytes", 4)?,
            };
            keys.end()?;
            Mixer::Kda(shape)
        }
        "lightning" => {
            let mut keys = Keys::of(value, "lightning")?;
            let shape = Lightning {
                heads: keys.needed("heads")?,
                head_dim: keys.needed("head_dim")?,
                state_bytes: keys.or("state_bytes", 4)?,
            };
            keys.end()?;
            Mixer::Lightning(shape)
        }
        "mamba2" => {
            let mut keys = Keys::of(value, "mamba2")?;
            let shape = Mamba2 {
                heads: keys.needed("heads")?,
                head_dim: keys.needed("head_dim")?,
                groups: keys.needed("groups")?,
                state_dim: keys.needed("state_dim")?,
                conv: keys.or("conv", 4)?,
                state_bytes: keys.or("state_bytes", 4)?,
            };
            keys.end()?;
            Mixer::Mamba2(shape)
        }
        _ => return Err(unknown("mixer", id)),
    }))
}

fn unknown(what: &str, id: &str) -> String {
    let id: String = id.chars().filter(|c| !c.is_control()).take(40).collect();
    format!("there is no {what} {id}")
}

fn grouped(mut keys: Keys<'_>) -> Result<Mixer, String> {
    let (heads, kv_heads) = (keys.needed("heads")?, keys.needed("kv_heads")?);
    let head_dim = keys.needed("head_dim")?;
    let window = keys.optional("window")?;
    let chunk = keys.optional("chunk")?;
    let index = index(keys.inner("index")?)?;
    let shape = Grouped {
        heads,
        kv_heads,
        head_dim,
        value_dim: keys.or("value_dim", head_dim)?,
        gate: keys.flag("gate")?,
        key_is_value: keys.flag("key_is_value")?,
        sinks: keys.flag("sinks")?,
        span: match (window, chunk, index) {
            (None, None, None) => Span::Full,
            (Some(window), None, None) => Span::Window(window),
            (None, Some(chunk), None) => Span::Chunk(chunk),
            (None, None, Some(index)) => Span::Index(index),
            _ => return Err("grouped takes at most one of window, chunk, index".into()),
        },
    };
    keys.end()?;
    Ok(Mixer::Grouped(shape))
}

fn index(keys: Option<Keys<'_>>) -> Result<Option<Index>, String> {
    let Some(mut keys) = keys else {
        return Ok(None);
    };
    let index = Index {
        heads: keys.needed("heads")?,
        head_dim: keys.needed("head_dim")?,
        top_k: keys.needed("top_k")?,
        pool: keys.or("pool", 1)?,
        block: keys.or("block", 1)?,
        per_kv_head: keys.flag("per_kv_head")?,
        shared: keys.flag("shared")?,
    };
    keys.end()?;
    Ok(Some(index))
}

/// Leading dense layers and their width.
type Leading = Option<(u32, u32)>;

fn ffn(value: Option<&Value>, leads: bool) -> Result<(Option<Ffn>, Leading), String> {
    let Some((id, value)) = kind(value, "an ffn")? else {
        return Ok((None, None));
    };
    match id {
        "dense" => {
            let mut keys = Keys::of(value, "dense")?;
            let dense = Dense {
                width: keys.needed("width")?,
                matrices: keys.or("matrices", 3)?,
            };
            keys.end()?;
            if dense.width == 0 {
                return Err("width takes 1 to 16777216".into());
            }
            Ok((Some(Ffn::Dense(dense)), None))
        }
        "moe" => {
            let mut keys = Keys::of(value, "moe")?;
            let leading = if leads {
                Some((keys.or("dense_layers", 0)?, keys.or("dense_width", 0)?))
            } else {
                None
            };
            if leading.is_some_and(|(_, width)| width > 1 << 24) {
                return Err("dense_width takes 0 to 16777216".into());
            }
            let expert_width = keys.needed("expert_width")?;
            let moe = Moe {
                experts: keys.needed("experts")?,
                experts_per_token: keys.needed("experts_per_token")?,
                expert_width,
                shared_experts: keys.or("shared_experts", 0)?,
                shared_width: keys.or("shared_width", expert_width)?,
                matrices: keys.or("matrices", 3)?,
                latent: keys.optional("latent")?,
            };
            keys.end()?;
            Ok((Some(Ffn::Moe(moe)), leading))
        }
        _ => Err(unknown("ffn", id)),
    }
}

/// The JSON of a shape, keys in the order of the documentation, defaults left out.
pub fn write(arch: &Arch) -> String {
    let mut out = Object::default();
    out.put("hidden", arch.hidden);
    let (layers, attention, ffn) = match uniform(arch) {
        Some((mixer, ffn)) => (
            Value::from(arch.layers()).to_string(),
            Some(write_mixer(Some(mixer))),
            Some(ffn),
        ),
        None => {
            let groups: Vec<_> = arch.groups().iter().map(|one| group(arch, one)).collect();
            (format!("[{}]", groups.join(",")), None, None)
        }
    };
    out.raw("layers", &layers);
    out.put("vocab", arch.vocab);
    out.flag("tied", arch.tied);
    out.unless("residual_streams", arch.residual_streams, 1);
    if let (Some(attention), Some(ffn)) = (attention, ffn) {
        out.raw("attention", &attention);
        out.raw("ffn", &ffn);
    }
    out.end()
}

/// The mixer and the feed-forward of a model that needs no list of groups.
fn uniform(arch: &Arch) -> Option<(&Mixer, String)> {
    let [mixer] = arch.mixers() else {
        return None;
    };
    if mixer.layers != arch.layers() {
        return None;
    }
    let ffn = match arch.groups() {
        [only] => write_ffn(Some(arch.ffn_of(only)?), None),
        [first, rest] => match (arch.ffn_of(first), arch.ffn_of(rest)) {
            (Some(Ffn::Dense(dense @ Dense { matrices: 3, .. })), Some(moe @ Ffn::Moe(_))) => {
                write_ffn(Some(moe), Some((first.count, dense.width)))
            }
            _ => return None,
        },
        _ => return None,
    };
    Some((&mixer.shape, ffn))
}

fn group(arch: &Arch, group: &Group) -> String {
    let mut out = Object::default();
    out.put("count", group.count);
    out.raw("mixer", &write_mixer(arch.mixer_of(group)));
    out.raw("ffn", &write_ffn(arch.ffn_of(group), None));
    out.end()
}

fn write_mixer(mixer: Option<&Mixer>) -> String {
    let Some(mixer) = mixer else {
        return NONE.into();
    };
    let mut out = Object::default();
    match mixer {
        Mixer::Grouped(shape) => {
            out.put("heads", shape.heads);
            out.put("kv_heads", shape.kv_heads);
            out.put("head_dim", shape.head_dim);
            out.unless("value_dim", shape.value_dim, shape.head_dim);
            out.flag("gate", shape.gate);
            out.flag("key_is_value", shape.key_is_value);
            match shape.span {
                Span::Full => {}
                Span::Window(window) => out.put("window", window),
                Span::Chunk(chunk) => out.put("chunk", chunk),
                Span::Index(index) => out.raw("index", &write_index(&index)),
            }
            out.flag("sinks", shape.sinks);
        }
        Mixer::Latent(shape) => {
            out.put("heads", shape.heads);
            out.raw("q_rank", &json!(shape.q_rank).to_string());
            out.put("kv_rank", shape.kv_rank);
            out.put("head_dim", shape.head_dim);
            out.put("rope_dim", shape.rope_dim);
            out.put("value_dim", shape.value_dim);
            out.flag("gate", shape.gate);
            if let Some(index) = shape.index {
                out.raw("index", &write_index(&index));
            }
        }
        Mixer::Compressed(shape) => {
            out.put("heads", shape.heads);
            out.put("head_dim", shape.head_dim);
            out.put("q_rank", shape.q_rank);
            out.put("window", shape.window);
            out.flag("sinks", shape.sinks);
            out.put("out_groups", shape.out_groups);
            out.put("out_rank", shape.out_rank);
            if let Some(ratio) = shape.ratio {
                out.put("ratio", ratio);
            }
            out.flag("overlap", shape.overlap);
            if let Some(index) = shape.index {
                out.raw("index", &write_index(&index));
            }
        }
        Mixer::GatedDelta(shape) => {
            out.put("key_heads", shape.key_heads);
            out.put("value_heads", shape.value_heads);
            out.put("key_dim", shape.key_dim);
            out.put("value_dim", shape.value_dim);
            out.unless("conv", shape.conv, 4);
            out.unless("state_bytes", shape.state_bytes, 4);
        }
        Mixer::Kda(shape) => {
            out.put("heads", shape.heads);
            out.put("head_dim", shape.head_dim);
            out.flag("full_rank_gate", shape.full_rank_gate);
            out.unless("conv", shape.conv, 4);
            out.unless("state_bytes", shape.state_bytes, 4);
        }
        Mixer::Lightning(shape) => {
            out.put("heads", shape.heads);
            out.put("head_dim", shape.head_dim);
            out.unless("state_bytes", shape.state_bytes, 4);
        }
        Mixer::Mamba2(shape) => {
            out.put("heads", shape.heads);
            out.put("head_dim", shape.head_dim);
            out.put("groups", shape.groups);
            out.put("state_dim", shape.state_dim);
            out.unless("conv", shape.conv, 4);
            out.unless("state_bytes", shape.state_bytes, 4);
        }
    }
    named(mixer.id(), out)
}

fn write_index(index: &Index) -> String {
    let mut out = Object::default();
    out.put("heads", index.heads);
    out.put("head_dim", index.head_dim);
    out.put("top_k", index.top_k);
    out.unless("pool", index.pool, 1);
    out.unless("block", index.block, 1);
    out.flag("per_kv_head", index.per_kv_head);
    out.flag("shared", index.shared);
    out.end()
}

fn write_ffn(ffn: Option<&Ffn>, leading: Leading) -> String {
    let Some(ffn) = ffn else {
        return NONE.into();
    };
    let mut out = Object::default();
    match ffn {
        Ffn::Dense(dense) => {
            out.put("width", dense.width);
            out.put("matrices", dense.matrices);
        }
        Ffn::Moe(moe) => {
            if let Some((dense_layers, dense_width)) = leading {
                out.put("dense_layers", dense_layers);
                out.put("dense_width", dense_width);
            }
            out.put("experts", moe.experts);
            out.put("experts_per_token", moe.experts_per_token);
            out.put("shared_experts", moe.shared_experts);
            out.put("expert_width", moe.expert_width);
            out.unless("shared_width", moe.shared_width, moe.expert_width);
            out.unless("matrices", moe.matrices, 3);
            if let Some(latent) = moe.latent {
                out.put("latent", latent);
            }
        }
    }
    named(ffn.id(), out)
}

/// A layer without a mixer or without a feed-forward.
const NONE: &str = "\"none\"";

fn named(id: &str, shape: Object) -> String {
    format!("{{\"{id}\":{}}}", shape.end())
}

/// An object in the making; the keys are ours and need no escape.
#[derive(Default)]
struct Object(String);

impl Object {
    fn raw(&mut self, key: &str, value: &str) {
        let between = if self.0.is_empty() { "" } else { "," };
        self.0.push_str(&format!("{between}\"{key}\":{value}"));
    }

    fn put(&mut self, key: &str, value: u32) {
        self.raw(key, &value.to_string());
    }

    fn unless(&mut self, key: &str, value: u32, default: u32) {
        if value != default {
            self.put(key, value);
        }
    }

    fn flag(&mut self, key: &str, value: bool) {
        if value {
            self.raw(key, "true");
        }
    }

    fn end(self) -> String {
        format!("{{{}}}", self.0)
    }
}
