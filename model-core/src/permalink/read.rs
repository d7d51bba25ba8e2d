//! Tolerant reading of links.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::choice::{ChoiceKey, pick};
use super::number::{PER_TOKEN, read_number, read_per_token};
use super::quote::quote;
use super::search::SearchKey;
use super::{
    Axes, FigureId, Joined, Link, ListedKey, Metric, Note, Per, PlanLines, Shown, Sliders,
    ThemeChoice, TimelineLayer, View, papers,
};
use crate::arch::{self, Arch, catalog};
use crate::compare::Quantity;
use crate::inputs::{Gpu, Inputs, Model, Number, NumberOf, Version};
use crate::search::Search;

/// Notes kept one by one; the rest are counted, because a hostile link could cause thousands.
const NOTES: usize = 20;
const GIVEN_TWICE: &str = "is given twice; the last one counts";

/// Reads a link: a whole address, a query with its `?`, or bare `key=value` pairs.
///
/// Never fails: unreadable parts are ignored with a note, and their defaults hold.
pub fn read(text: &str) -> Link {
    let version = version_of(text, "v").unwrap_or(Version::V1);
    let pinned_version = version_of(text, "a.v").unwrap_or(version);
    let mut reader = Reader {
        current: Draft::of(version),
        pinned: None,
        pinned_version,
        search: SearchDraft::default(),
        shown: Shown::DEFAULT,
        notes: Notes::default(),
    };
    for pair in query(text).split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        reader.pair(&decode(key), &decode(value));
    }
    reader.finish()
}

/// The version that a link states under `key`, the last known one; keys before it are read under its defaults too.
fn version_of(text: &str, key: &str) -> Option<Version> {
    query(text)
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .filter(|(stated, _)| decode(stated) == key)
        .filter_map(|(_, value)| pick(Version::ALL, Version::id, &decode(value)))
        .next_back()
}

struct Reader {
    current: Draft,
    pinned: Option<Draft>,
    pinned_version: Version,
    search: SearchDraft,
    shown: Shown,
    notes: Notes,
}

/// A search while its keys are read.
#[derive(Default)]
struct SearchDraft {
    search: Search,
    seen: Vec<SearchKey>,
}

/// Inputs while their keys are read; values that depend on several keys wait until all are read.
struct Draft {
    inputs: Inputs,
    custom_model: bool,
    arch: Option<Result<Arch, String>>,
    seen: Vec<String>,
}

impl Draft {
    const fn of(version: Version) -> Self {
        Self {
            inputs: Inputs::defaults_of(version),
            custom_model: false,
            arch: None,
            seen: Vec::new(),
        }
    }
}

#[derive(Default)]
struct Notes {
    kept: Vec<Note>,
    more: usize,
}

impl Notes {
    fn add(&mut self, key: &str, reason: impl Into<String>) {
        if self.kept.len() < NOTES {
            self.kept.push(Note {
                key: quote(key),
                reason: reason.into(),
            });
        } else {
            self.more += 1;
        }
    }
}

impl Reader {
    fn pair(&mut self, key: &str, value: &str) {
        match key {
            "view" => match pick(View::ALL, View::id, value) {
                Some(view) => self.shown.view = view,
                None => self.notes.add(
                    key,
                    format!("“{}” is not a view; showing explore", quote(value)),
                ),
            },
            "metric" => match pick(Metric::ALL, Metric::id, value) {
                Some(metric) => self.shown.metric = metric,
                None => self.notes.add(
                    key,
                    format!(
                        "“{}” is not known (it takes {}); the default holds",
                        quote(value),
                        Metric::ALL.map(Metric::id).join(", ")
                    ),
                ),
            },
            "per" => match pick(Per::ALL, Per::id, value) {
                Some(per) => self.shown.per = per,
                None => self.notes.add(key, "takes gpu or dollar; gpu holds"),
            },
            "lines" => match pick(PlanLines::ALL, PlanLines::id, value) {
                Some(lines) => self.shown.lines = Some(lines),
                None => self.notes.add(
                    key,
                    "takes family, accelerator or precision; the default holds",
                ),
            },
            "axes" => match pick(Axes::ALL, Axes::id, value) {
                Some(axes) => self.shown.axes = axes,
                None => self.notes.add(key, "takes linear or log; linear holds"),
            },
            "joined" => match pick(Joined::ALL, Joined::id, value) {
                Some(joined) => self.shown.joined = joined,
                None => self.notes.add(key, "takes own or domain; own holds"),
            },
            "overlay" => match value {
                "measured" => self.shown.overlay = true,
                "none" => self.shown.overlay = false,
                _ => self.notes.add(key, "takes measured or none; none holds"),
            },
            "against" => match catalog::find(value) {
                Some(model) => self.shown.against = Some(model.id),
                None => self.notes.add(
                    key,
                    format!(
                        "“{}” is not a model of the catalogue; compared with no other",
                        quote(value)
                    ),
                ),
            },
            "change" => match pick(Quantity::ALL, Quantity::id, value) {
                Some(quantity) => self.shown.change = quantity,
                None => self
                    .notes
                    .add(key, "takes step, memory or cost; step holds"),
            },
            "embed" => match FigureId::of_id(value) {
                Some(figure) => self.shown.embed = Some(figure),
                None => self.notes.add(
                    key,
                    format!(
                        "“{}” is not a figure of Ridgepoint; there are others on its page",
                        quote(value)
                    ),
                ),
            },
            "sliders" => {
                let (sliders, fault) = Sliders::read(value);
                self.shown.sliders = sliders;
                if let Some(fault) = fault {
                    self.notes.add(key, fault);
                }
            }
            "title" => match value {
                "off" => self.shown.untitled = true,
                "on" => self.shown.untitled = false,
                _ => self.notes.add(key, "takes on or off; on holds"),
            },
            "layer" => match TimelineLayer::of_id(value) {
                Some(layer) => self.shown.layer = Some(layer),
                None => self.notes.add(
                    key,
                    "takes moe, dense or pipeline, or group-1 to group-16; the default holds",
                ),
            },
            "theme" => match pick(ThemeChoice::ALL, ThemeChoice::id, value) {
                Some(theme) => self.shown.theme = Some(theme),
                None => self
                    .notes
                    .add(key, "takes light or dark; the reader's own is used"),
            },
            _ => match key.strip_prefix("a.") {
                Some(inner) => {
                    let version = self.pinned_version;
                    let draft = self.pinned.get_or_insert_with(|| Draft::of(version));
                    scenario_pair(draft, inner, key, value, &mut self.notes);
                }
                None => self.other_pair(key, value),
            },
        }
    }

    fn other_pair(&mut self, key: &str, value: &str) {
        let of_search = SearchKey::ALL.into_iter().find(|known| known.id() == key);
        let of_list = ListedKey::ALL.into_iter().find(|known| known.id() == key);
        if let Some(known) = of_search {
            self.search_pair(known, value);
        } else if let Some(known) = of_list {
            if let Err(fault) = known.read(&mut self.shown.listed, value) {
                self.notes.add(key, fault);
            }
        } else if !papers::FORMER.contains(&key) {
            scenario_pair(&mut self.current, key, key, value, &mut self.notes);
        }
    }

    fn search_pair(&mut self, key: SearchKey, value: &str) {
        let SearchDraft { search, seen } = &mut self.search;
        if seen.contains(&key) {
            self.notes.add(key.id(), GIVEN_TWICE);
        } else {
            seen.push(key);
        }
        for fault in key.read(search, value) {
            self.notes.add(key.id(), fault);
        }
    }

    fn finish(mut self) -> Link {
        let current = complete(self.current, "", &mut self.notes);
        let pinned = self
            .pinned
            .map(|draft| complete(draft, "a.", &mut self.notes));
        let mut search = self.search.search;
        if search.accelerators.contains(&Gpu::Custom) && current.gpu != Gpu::Custom {
            search.accelerators.retain(|gpu| *gpu != Gpu::Custom);
            let why = "has custom, which is there with gpu=custom only";
            self.notes.add(SearchKey::Accelerators.id(), why);
        }
        let Notes { mut kept, more } = self.notes;
        if more > 0 {
            kept.push(Note {
                key: format!("{more} more parts"),
                reason: "were ignored".into(),
            });
        }
        Link {
            current,
            pinned,
            search,
            shown: self.shown,
            notes: kept,
        }
    }
}

/// Reads one pair into a draft; `shown` is the key as the link has it.
fn scenario_pair(draft: &mut Draft, key: &str, shown: &str, value: &str, notes: &mut Notes) {
    if key == "v" {
        if pick(Version::ALL, Version::id, value).is_none() {
            let version = draft.inputs.version.id();
            notes.add(
                shown,
                format!("{} is not known; read as version {version}", quote(value)),
            );
        }
        return;
    }
    let number = match key {
        PER_TOKEN => Some(Number::Slo),
        _ => Number::find(key),
    };
    let choice = ChoiceKey::ALL
        .into_iter()
        .find(|choice| choice.key() == key);
    if number.is_none() && choice.is_none() && key != "arch" {
        notes.add(shown, "is not a known key");
        return;
    }
    let name = number.map_or(key, |number| number.spec().key);
    if draft.seen.iter().any(|earlier| earlier == name) {
        notes.add(shown, GIVEN_TWICE);
    } else {
        draft.seen.push(name.to_owned());
    }
    if let Some(number) = number {
        let read = match key {
            PER_TOKEN => read_per_token(value),
            _ => read_number(number, value),
        };
        match read {
            Ok(value) => {
                draft.inputs.state(number, Some(value));
            }
            Err(error) => {
                draft.inputs.state(number, None);
                notes.add(
                    shown,
                    format!("“{}” {error}; the default holds", quote(value)),
                );
            }
        }
    } else if let Some(choice) = choice {
        if choice == ChoiceKey::Model {
            draft.custom_model = value == "custom";
            if draft.custom_model {
                choice.reset(&mut draft.inputs);
                return;
            }
        }
        if !choice.choose(&mut draft.inputs, value) {
            choice.reset(&mut draft.inputs);
            notes.add(
                shown,
                format!(
                    "“{}” is not known (it takes {}); the default holds",
                    quote(value),
                    choice.offers()
                ),
            );
        }
    } else {
        draft.arch = Some(read_arch(value));
    }
}

/// Settles values that depend on several keys, in any order of the link.
fn complete(draft: Draft, prefix: &str, notes: &mut Notes) -> Inputs {
    let Draft {
        mut inputs,
        custom_model,
        arch,
        ..
    } = draft;
    match (custom_model, arch) {
        (true, Some(Ok(arch))) => inputs.model = Model::Custom(arch),
        (true, Some(Err(reason))) => {
            notes.add(
                &format!("{prefix}arch"),
                format!("{reason}; the default model holds"),
            );
        }
        (true, None) => {
            notes.add(
                &format!("{prefix}model"),
                "custom needs its shape in arch; the default holds",
            );
        }
        (false, Some(_)) => {
            notes.add(&format!("{prefix}arch"), "applies to model=custom only");
        }
        (false, None) => {}
    }
    if inputs.fold.is_some() && inputs.calibration.tells_kernels_apart() {
        let why = format!(
            "has no meaning with calibration={}",
            inputs.calibration.id()
        );
        notes.add(&format!("{prefix}fold"), why);
        inputs.fold = None;
    }
    if let Gpu::Catalog(_) = inputs.gpu {
        if inputs.family.is_some() {
            notes.add(&format!("{prefix}family"), "applies to gpu=custom only");
            inputs.family = None;
        }
        for number in Number::ALL
            .into_iter()
            .filter(|number| number.describes(NumberOf::CustomGpu))
        {
            if inputs.stated(number).is_some() {
                let key = format!("{prefix}{}", number.spec().key);
                notes.add(&key, "applies to gpu=custom only");
                inputs.state(number, None);
            }
        }
    }
    inputs
}

/// Longest text of a shape: sixteen groups of layers take less than a tenth of it.
const LONGEST_ARCH: usize = 65_536;

fn read_arch(value: &str) -> Result<Arch, String> {
    if value.len() > LONGEST_ARCH {
        return Err(format!("is longer than {LONGEST_ARCH} characters"));
    }
    let json = URL_SAFE_NO_PAD
        .decode(value.trim_end_matches('='))
        .map_err(|_| "is not base64url".to_owned())?;
    arch::json::read(&json)
}

/// The part of an address after its `?` and before its `#`; of a bare query, all of it.
fn query(text: &str) -> &str {
    let text = text.trim();
    let text = text.split('#').next().unwrap_or("");
    match text.split_once('?') {
        // A `?` within a value does not begin the query.
        Some((address, query)) if !address.contains('&') => query,
        Some(_) => text,
        None if text.contains("://") => "",
        None => text,
    }
}

/// Decodes `%41` and `+`; bytes that are not UTF-8 become �.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while index < bytes.len() {
        let escaped = (bytes[index] == b'%')
            .then(|| text.get(index + 1..index + 3))
            .flatten()
            .filter(|hex| hex.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (escaped, bytes[index]) {
            (Some(byte), _) => {
                decoded.push(byte);
                index += 3;
            }
            (None, byte) => {
                decoded.push(if byte == b'+' { b' ' } else { byte });
                index += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
