//! Reads and writes the JSON of a model shape in permalinks; most default values are omitted.
//!
//! There are two forms. If all layers have the same mixer and FFN, `layers` is a number; this form also allows leading
//! dense layers before MoE layers. Otherwise, `layers` is a list of layer groups.

use std::convert::Infallible;

use serde_json::{Map, Value, json};

use super::fields::{Shape, TOO_MANY, WIDTH, Walk};
use super::{Arch, Dense, Ffn, LayerGroup, Mixer};

/// Reads a model shape from either form of its JSON. Error texts continue a sentence that begins with the permalink
/// key.
pub fn read(text: &[u8]) -> Result<Arch, String> {
    let value: Value =
        serde_json::from_slice(text).map_err(|error| format!("is not a valid shape: {error}"))?;
    let arch = arch(&value).map_err(|why| format!("is not a valid shape: {why}"))?;
    arch.check().map_err(|error| format!("has {error}"))?;
    Ok(arch)
}

/// A JSON object whose keys are read one by one; keys that are still unread at the end are reported as unknown.
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

    /// Returns the value of a key if the key is present and not `null`, and marks the key as read.
    fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.taken.push(key);
        self.object.get(key).filter(|value| !value.is_null())
    }

    fn stated_number(&mut self, key: &'static str) -> Result<Option<u32>, String> {
        let path = self.path;
        self.get(key)
            .map(|value| {
                let whole = value.as_u64().and_then(|whole| u32::try_from(whole).ok());
                whole.ok_or_else(|| format!("{key} of {path} needs a whole number"))
            })
            .transpose()
    }

    fn number(&mut self, key: &'static str) -> Result<u32, String> {
        let missing = format!("{} needs {key}", self.path);
        self.stated_number(key)?.ok_or(missing)
    }

    fn number_or(&mut self, key: &'static str, default: u32) -> Result<u32, String> {
        Ok(self.stated_number(key)?.unwrap_or(default))
    }

    fn true_or_false(&mut self, key: &'static str) -> Result<bool, String> {
        let path = self.path;
        match self.get(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(format!("{key} of {path} needs true or false")),
        }
    }

    /// Returns an error if any key of the object has not been read.
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
    let mut arch = Arch::new(keys.number("hidden")?, keys.number("vocab")?);
    arch.tied = keys.true_or_false("tied")?;
    arch.residual_streams = keys.number_or("residual_streams", 1)?;
    arch.residual_rank = keys.stated_number("residual_rank")?;
    match keys.get("layers") {
        Some(Value::Array(groups)) => {
            for value in groups {
                let mut group = Keys::of(value, "a group of layers")?;
                let count = group.number("count")?;
                let mixer = mixer(group.get("mixer"))?;
                let (ffn, leading) = ffn(group.get("ffn"), false)?;
                group.end()?;
                debug_assert!(leading.is_none());
                if count == 0 {
                    return Err("count must be 1 to 10000".into());
                }
                add(&mut arch, count, mixer, ffn)?;
            }
        }
        Some(_) => {
            let layers = keys.number("layers")?;
            let mixer = mixer(keys.get("attention"))?;
            let (ffn, leading) = ffn(keys.get("ffn"), true)?;
            let dense_layers = leading.map_or(0, |(dense_layers, _)| dense_layers);
            if dense_layers >= layers.max(1) {
                let most = layers.saturating_sub(1);
                return Err(format!(
                    "dense_layers = {dense_layers}; must be 0 to {most}"
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

/// Returns the only key of an object and the key's value; `None` for the string `"none"`.
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
    let mut mixer = Mixer::blank(id).ok_or_else(|| unknown("mixer", id))?;
    let mut keys = Keys::of(value, mixer.id())?;
    mixer.walk(&mut keys)?;
    keys.end()?;
    Ok(Some(mixer))
}

fn unknown(what: &str, id: &str) -> String {
    let id: String = id.chars().filter(|c| !c.is_control()).take(40).collect();
    format!("there is no {what} {id}")
}

impl Walk for Keys<'_> {
    type Error = String;

    fn needed(&mut self, key: &'static str, _: u32, _: u32, value: &mut u32) -> Read {
        *value = self.number(key)?;
        Ok(())
    }

    fn or(&mut self, key: &'static str, default: u32, _: u32, _: u32, value: &mut u32) -> Read {
        *value = self.number_or(key, default)?;
        Ok(())
    }

    fn optional(&mut self, key: &'static str, _: u32, _: u32, value: &mut Option<u32>) -> Read {
        *value = self.stated_number(key)?;
        Ok(())
    }

    fn flag(&mut self, key: &'static str, value: &mut bool) -> Read {
        *value = self.true_or_false(key)?;
        Ok(())
    }

    fn inner<S: Shape>(&mut self, key: &'static str, value: &mut Option<S>) -> Read {
        if let Some(inner) = self.get(key) {
            let mut keys = Keys::of(inner, key)?;
            value.insert(S::default()).walk(&mut keys)?;
            keys.end()?;
        }
        Ok(())
    }

    fn clash(&mut self, why: &'static str) -> Read {
        Err(why.into())
    }
}

type Read = Result<(), String>;

/// Number of leading dense layers, and the width of their FFNs.
type Leading = Option<(u32, u32)>;

fn ffn(value: Option<&Value>, leads: bool) -> Result<(Option<Ffn>, Leading), String> {
    let Some((id, value)) = kind(value, "an ffn")? else {
        return Ok((None, None));
    };
    let mut ffn = Ffn::blank(id).ok_or_else(|| unknown("ffn", id))?;
    let mut keys = Keys::of(value, ffn.id())?;
    let mut leading = None;
    if leads && matches!(ffn, Ffn::Moe(_)) {
        let (layers, width) = (
            keys.number_or("dense_layers", 0)?,
            keys.number_or("dense_width", 0)?,
        );
        if width > WIDTH {
            return Err(format!("dense_width must be 0 to {WIDTH}"));
        }
        leading = Some((layers, width));
    }
    ffn.walk(&mut keys)?;
    keys.end()?;
    if matches!(ffn, Ffn::Dense(Dense { width: 0, .. })) {
        return Err(format!("width must be 1 to {WIDTH}"));
    }
    Ok((Some(ffn), leading))
}

/// Writes a shape as JSON, with keys in the order of the documentation and without most default values.
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
    if arch.tied {
        out.raw("tied", "true");
    }
    if arch.residual_streams != 1 {
        out.put("residual_streams", arch.residual_streams);
    }
    if let Some(rank) = arch.residual_rank {
        out.put("residual_rank", rank);
    }
    if let (Some(attention), Some(ffn)) = (attention, ffn) {
        out.raw("attention", &attention);
        out.raw("ffn", &ffn);
    }
    out.end()
}

/// Returns the mixer, and the FFN as JSON, if the model can be written without a list of layer groups; otherwise
/// `None`.
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

fn group(arch: &Arch, group: &LayerGroup) -> String {
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
    let mut shape = *mixer;
    let Ok(()) = shape.walk(&mut out);
    named(mixer.id(), out)
}

fn write_ffn(ffn: Option<&Ffn>, leading: Leading) -> String {
    let Some(ffn) = ffn else {
        return NONE.into();
    };
    let mut out = Object::default();
    if let Some((dense_layers, dense_width)) = leading {
        out.put("dense_layers", dense_layers);
        out.put("dense_width", dense_width);
    }
    let mut shape = *ffn;
    let Ok(()) = shape.walk(&mut out);
    named(ffn.id(), out)
}

impl Walk for Object {
    type Error = Infallible;

    fn needed(&mut self, key: &'static str, _: u32, _: u32, value: &mut u32) -> Written {
        self.put(key, *value);
        Ok(())
    }

    fn or(&mut self, key: &'static str, default: u32, _: u32, _: u32, value: &mut u32) -> Written {
        if *value != default {
            self.put(key, *value);
        }
        Ok(())
    }

    fn stated(&mut self, key: &'static str, _: u32, _: u32, _: u32, value: &mut u32) -> Written {
        self.put(key, *value);
        Ok(())
    }

    fn optional(&mut self, key: &'static str, _: u32, _: u32, value: &mut Option<u32>) -> Written {
        if let Some(value) = value {
            self.put(key, *value);
        }
        Ok(())
    }

    fn nullable(&mut self, key: &'static str, _: u32, _: u32, value: &mut Option<u32>) -> Written {
        self.raw(key, &json!(value).to_string());
        Ok(())
    }

    fn flag(&mut self, key: &'static str, value: &mut bool) -> Written {
        if *value {
            self.raw(key, "true");
        }
        Ok(())
    }

    fn inner<S: Shape>(&mut self, key: &'static str, value: &mut Option<S>) -> Written {
        if let Some(shape) = value {
            let mut inner = Self::default();
            shape.walk(&mut inner)?;
            self.raw(key, &inner.end());
        }
        Ok(())
    }
}

type Written = Result<(), Infallible>;

/// JSON value for a layer without a mixer or without an FFN.
const NONE: &str = "\"none\"";

fn named(id: &str, shape: Object) -> String {
    format!("{{\"{id}\":{}}}", shape.end())
}

/// Builds the JSON text of an object; its keys must not need escaping.
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

    fn end(self) -> String {
        format!("{{{}}}", self.0)
    }
}
