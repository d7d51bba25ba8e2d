//! Reads permalinks, ignoring the parts that cannot be read.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::candidates::{CANDIDATES, read_candidates};
use super::choice::{ChoiceKey, pick};
use super::list::EMPTY;
use super::number::{PER_TOKEN, read_number, read_per_token};
use super::points::{MEASURED, MEASURED_TTFT, UnreadPoint, read_points, read_ttft};
use super::prices::{PRICES, read_prices};
use super::quote::quote;
use super::search::SearchKey;
use super::{
    Axes, FigureId, Link, ListedKey, Metric, Note, Per, PlanLines, Shown, Sliders, ThemeChoice,
    TimelineLayer, View, papers,
};
use crate::account::Explained;
use crate::anchor::anchored_pair;
use crate::arch::{self, Arch, catalog};
use crate::candidates::Candidate;
use crate::compare::Quantity;
use crate::engine_memory::Table;
use crate::inputs::{Gpu, Inputs, Measurements, Model, Number, NumberOf, Prices, Version};
use crate::label::{GPU_LABEL, Label, MODEL_LABEL};
use crate::precision::{KvLayout, NamedPrecision};
use crate::search::Search;

/// Maximum number of notes listed. Further notes are only counted, because a malicious permalink could cause
/// thousands of notes.
const NOTES: usize = 20;
const GIVEN_TWICE: &str = "is given twice; the last value is used";

/// Reads a permalink: a whole URL, a query with its `?`, or only `key=value` pairs.
///
/// Reading never fails: unreadable parts are ignored with a note, and defaults are used for them.
pub fn read(text: &str) -> Link {
    let version = version_of(text, "v").unwrap_or(Version::V1);
    let pinned_version = version_of(text, "a.v").unwrap_or(version);
    let mut reader = Reader {
        current: Draft::of(version),
        pinned: None,
        pinned_version,
        search: SearchDraft::default(),
        prices: None,
        candidates: None,
        shown: Shown::DEFAULT,
        notes: Notes::default(),
    };
    for pair in query(text).split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        reader.pair(&decode(key), &decode(value));
    }
    reader.finish()
}

/// Returns the permalink version given under `key`; if it is given several times, the last known version. The
/// version's defaults apply to keys written before it as well.
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
    prices: Option<Prices>,
    candidates: Option<Vec<Candidate>>,
    shown: Shown,
    notes: Notes,
}

#[derive(Default)]
struct SearchDraft {
    search: Search,
    seen: Vec<SearchKey>,
}

/// Scenario inputs under construction, while their keys are being read. Values that depend on several keys are set
/// after all keys are read.
struct Draft {
    inputs: Inputs,
    custom_model: bool,
    arch: Option<Result<Arch, String>>,
    unread: Vec<UnreadPoint>,
    seen: Vec<String>,
}

impl Draft {
    const fn of(version: Version) -> Self {
        Self {
            inputs: Inputs::defaults_of(version),
            custom_model: false,
            arch: None,
            unread: Vec::new(),
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
                    format!(
                        "“{}” is not a view; showing the Bottleneck view",
                        quote(value)
                    ),
                ),
            },
            "metric" => match pick(Metric::ALL, Metric::id, value) {
                Some(metric) => self.shown.metric = metric,
                None => self.notes.add(
                    key,
                    format!(
                        "“{}” is unknown (options: {}); using the default",
                        quote(value),
                        Metric::ALL.map(Metric::id).join(", ")
                    ),
                ),
            },
            "per" => match pick(Per::ALL, Per::id, value) {
                Some(per) => self.shown.per = per,
                None => self.notes.add(key, "options: gpu, dollar; using gpu"),
            },
            "lines" => match pick(PlanLines::ALL, PlanLines::id, value) {
                Some(lines) => self.shown.lines = Some(lines),
                None => self.notes.add(
                    key,
                    "options: family, accelerator, precision; using the default",
                ),
            },
            "axes" => match pick(Axes::ALL, Axes::id, value) {
                Some(axes) => self.shown.axes = axes,
                None => self.notes.add(key, "options: linear, log; using linear"),
            },
            "overlay" => match value {
                "measured" => self.shown.overlay = true,
                "none" => self.shown.overlay = false,
                _ => self.notes.add(key, "options: measured, none; using none"),
            },
            "against" => match catalog::find(value) {
                Some(model) => self.shown.against = Some(model.id),
                None => self.notes.add(
                    key,
                    format!(
                        "“{}” is not in the model catalog; comparison ignored",
                        quote(value)
                    ),
                ),
            },
            "change" => match pick(Quantity::ALL, Quantity::id, value) {
                Some(quantity) => self.shown.change = quantity,
                None => self
                    .notes
                    .add(key, "options: step, memory, cost; using step"),
            },
            "explain" => match Explained::of_id(value) {
                Some(explained) => self.shown.explain = Some(explained),
                None => self.notes.add(
                    key,
                    format!("“{}” cannot be explained; see docs/links.md", quote(value)),
                ),
            },
            "embed" => match FigureId::of_id(value) {
                Some(figure) => self.shown.embed = Some(figure),
                None => self.notes.add(
                    key,
                    format!(
                        "“{}” is not a Ridgepoint chart; see the page for the list",
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
                _ => self.notes.add(key, "options: on, off; using on"),
            },
            "layer" => match TimelineLayer::of_id(value) {
                Some(layer) => self.shown.layer = Some(layer),
                None => self.notes.add(
                    key,
                    "options: moe, dense, pipeline, group-1 to group-16; using the default",
                ),
            },
            "theme" => match pick(ThemeChoice::ALL, ThemeChoice::id, value) {
                Some(theme) => self.shown.theme = Some(theme),
                None => self
                    .notes
                    .add(key, "options: light, dark; using the system theme"),
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
        if [PRICES, CANDIDATES].contains(&key) {
            return self.compared_pair(key, value);
        }
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

    /// Reads the value of one of two keys: the accelerator prices, or the candidates of a comparison.
    fn compared_pair(&mut self, key: &str, value: &str) {
        let (twice, faults) = match key {
            PRICES => {
                let (prices, faults) = read_prices(value);
                (self.prices.replace(prices).is_some(), faults)
            }
            _ => {
                let (candidates, faults) = read_candidates(value);
                (self.candidates.replace(candidates).is_some(), faults)
            }
        };
        if twice {
            self.notes.add(key, GIVEN_TWICE);
        }
        for fault in faults {
            self.notes.add(key, fault);
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
            self.notes.add(key.id(), fault.to_string());
        }
    }

    fn finish(mut self) -> Link {
        let unread = std::mem::take(&mut self.current.unread);
        let prices = self.prices.unwrap_or(Prices::NONE);
        for draft in std::iter::once(&mut self.current).chain(&mut self.pinned) {
            draft.inputs.prices = prices;
        }
        let current = complete(self.current, "", &mut self.notes);
        let pinned = self
            .pinned
            .map(|draft| complete(draft, "a.", &mut self.notes));
        let (current, pinned) = anchored_pair(&current, pinned.as_ref());
        let mut search = self.search.search;
        if search.accelerators.contains(&Gpu::Custom) && current.gpu != Gpu::Custom {
            search.accelerators.retain(|gpu| *gpu != Gpu::Custom);
            let why = "custom requires gpu=custom";
            self.notes.add(SearchKey::Accelerators.id(), why);
        }
        let named: Vec<NamedPrecision> = current.version.precisions().collect();
        if search.precisions.iter().any(|one| !named.contains(one)) {
            search.precisions.retain(|one| named.contains(one));
            let why = format!("“released” requires v={}", Version::V3.id());
            self.notes.add(SearchKey::Precisions.id(), why);
        }
        let mut candidates = self.candidates.unwrap_or_default();
        candidates.retain(|one| {
            let custom = one.gpu == Gpu::Custom && current.gpu != Gpu::Custom;
            let unnamed = one.precision.is_some_and(|of| !named.contains(&of));
            if custom {
                self.notes.add(CANDIDATES, "custom requires gpu=custom");
            }
            if unnamed {
                let why = format!("“released” requires v={}", Version::V3.id());
                self.notes.add(CANDIDATES, why);
            }
            !custom && !unnamed
        });
        let fixed = self.shown.embed.is_some_and(|of| of.sliders().is_empty());
        if fixed && !self.shown.sliders.is_empty() {
            self.shown.sliders = Sliders::NONE;
            self.notes
                .add("sliders", "has no effect on this figure; ignored");
        }
        let Notes { mut kept, more } = self.notes;
        if more > 0 {
            kept.push(Note {
                key: format!("{more} more parameters"),
                reason: "were ignored".into(),
            });
        }
        Link {
            current,
            pinned,
            search,
            candidates,
            shown: self.shown,
            unread,
            notes: kept,
        }
    }
}

/// Reads one key–value pair into a draft of the inputs; `shown` is the key as written in the permalink.
fn scenario_pair(draft: &mut Draft, key: &str, shown: &str, value: &str, notes: &mut Notes) {
    if key == "v" {
        if pick(Version::ALL, Version::id, value).is_none() {
            let version = draft.inputs.version.id();
            notes.add(
                shown,
                format!("{} is unknown; read as version {version}", quote(value)),
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
    let other = ["arch", MODEL_LABEL, GPU_LABEL, MEASURED, MEASURED_TTFT].contains(&key);
    if number.is_none() && choice.is_none() && !other {
        notes.add(shown, "is an unknown parameter");
        return;
    }
    let name = number.map_or(key, |number| number.spec().key);
    if draft.seen.iter().any(|earlier| earlier == name) {
        notes.add(shown, GIVEN_TWICE);
    } else {
        draft.seen.push(name.to_owned());
    }
    if number == Some(Number::KvBytes) {
        draft.inputs.kv_layout = pick(KvLayout::ALL, KvLayout::id, value);
        if draft.inputs.kv_layout.is_some() {
            draft.inputs.state(Number::KvBytes, None);
            return;
        }
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
                    format!("“{}” {error}; using the default", quote(value)),
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
                    "“{}” is unknown (options: {}); using the default",
                    quote(value),
                    choice.offers()
                ),
            );
        }
    } else {
        match key {
            MEASURED => take_points(draft, shown, value, notes),
            MEASURED_TTFT => take_ttft(draft, shown, value, notes),
            MODEL_LABEL => draft.inputs.model_label = Label::of(value),
            GPU_LABEL => draft.inputs.gpu_label = Label::of(value),
            _ => draft.arch = Some(read_arch(value)),
        }
    }
}

fn take_points(draft: &mut Draft, shown: &str, value: &str, notes: &mut Notes) {
    let (points, unread) = read_points(value);
    for part in &unread {
        let UnreadPoint {
            number,
            text,
            reason,
        } = part;
        notes.add(
            shown,
            format!("point {number}, “{text}”, {reason}; ignored"),
        );
    }
    if points.is_empty() && unread.is_empty() {
        notes.add(shown, format!("{EMPTY}; ignored"));
    }
    let ttft = draft.inputs.measured.ttft;
    draft.inputs.measured = Measurements::of(points);
    draft.inputs.measured.ttft = ttft;
    draft.unread = unread;
}

fn take_ttft(draft: &mut Draft, shown: &str, value: &str, notes: &mut Notes) {
    let read = read_ttft(value);
    if let Err(reason) = &read {
        notes.add(shown, format!("“{}” {reason}; ignored", quote(value)));
    }
    draft.inputs.measured.ttft = read.ok();
}

/// Resolves the inputs that depend on several permalink keys, whatever the order of the keys. Inputs that conflict or
/// lack a required key are dropped with a note.
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
                format!("{reason}; using the default model"),
            );
        }
        (true, None) => {
            notes.add(
                &format!("{prefix}model"),
                "custom requires arch; using the default",
            );
        }
        (false, Some(_)) => {
            notes.add(&format!("{prefix}arch"), "requires model=custom");
        }
        (false, None) => {}
    }
    if inputs.fold.is_some() && inputs.calibration.tells_kernels_apart() {
        let why = format!("has no effect with calibration={}", inputs.calibration.id());
        notes.add(&format!("{prefix}fold"), why);
        inputs.fold = None;
    }
    let latent = |layout: KvLayout| layout.bytes(inputs.model.arch()).is_none();
    if inputs.kv_layout.is_some_and(latent) {
        let why = "requires MLA; using the default";
        notes.add(&format!("{prefix}kv"), why);
        inputs.kv_layout = None;
    }
    if inputs.model_label.is_some() && matches!(inputs.model, Model::Catalog(_)) {
        notes.add(&format!("{prefix}{MODEL_LABEL}"), "requires model=custom");
        inputs.model_label = None;
    }
    drop_second_acceptance(&mut inputs, prefix, notes);
    drop_impossible_beta(&mut inputs, prefix, notes);
    if !inputs.version.starts_as_engines_do() {
        drop_engine_memory(&mut inputs, prefix, notes);
    }
    if let Gpu::Catalog(_) = inputs.gpu {
        if inputs.family.is_some() {
            notes.add(&format!("{prefix}family"), "requires gpu=custom");
            inputs.family = None;
        }
        if inputs.gpu_label.is_some() {
            notes.add(&format!("{prefix}{GPU_LABEL}"), "requires gpu=custom");
            inputs.gpu_label = None;
        }
        for number in Number::ALL
            .into_iter()
            .filter(|number| number.describes(NumberOf::CustomGpu))
        {
            if inputs.stated(number).is_some() {
                let key = format!("{prefix}{}", number.spec().key);
                notes.add(&key, "requires gpu=custom");
                inputs.state(number, None);
            }
        }
    }
    inputs
}

/// If more than one of `acceptance`, `accept_len` and `accept_rate` is given, drops all but the first in this order.
/// Adds a note for each dropped key.
fn drop_second_acceptance(inputs: &mut Inputs, prefix: &str, notes: &mut Notes) {
    let keys = [Number::Acceptance, Number::AcceptLength, Number::AcceptRate];
    let stated = keys
        .into_iter()
        .filter(|number| inputs.stated(*number).is_some());
    let stated: Vec<Number> = stated.collect();
    for number in stated.iter().skip(1) {
        let why = format!("is ignored, because {} is given", stated[0].spec().key);
        notes.add(&format!("{prefix}{}", number.spec().key), why);
        inputs.state(*number, None);
    }
}

/// Drops an expert balancedness (mean ÷ max load) that no plan can have, from permalink version 3 on. With EP groups,
/// the most loaded group has at most EP times the mean load.
fn drop_impossible_beta(inputs: &mut Inputs, prefix: &str, notes: &mut Notes) {
    let most = Number::Ep.spec().most;
    let below = |beta: f64| beta * most < 1.0;
    if inputs.version.starts_as_engines_do() && inputs.stated(Number::Beta).is_some_and(below) {
        let why = format!("must be ≥ 1/{most}, because the max EP is {most}; using the default");
        notes.add(&format!("{prefix}{}", Number::Beta.spec().key), why);
        inputs.state(Number::Beta, None);
    }
}

/// For permalinks before version 3, drops the keys that require version 3, with notes.
fn drop_engine_memory(inputs: &mut Inputs, prefix: &str, notes: &mut Notes) {
    let why = format!("requires v={}", Version::V3.id());
    for number in Number::ALL {
        if number.describes(NumberOf::EngineMemory) && inputs.stated(number).is_some() {
            notes.add(&format!("{prefix}{}", number.spec().key), why.as_str());
            inputs.state(number, None);
        }
    }
    if inputs.table != Table::Hbm {
        notes.add(&format!("{prefix}table"), why.as_str());
        inputs.table = Table::Hbm;
    }
    if inputs.precision == NamedPrecision::Released {
        notes.add(&format!("{prefix}precision"), format!("“released” {why}"));
        inputs.precision = inputs.version.precision();
    }
}

/// Maximum length of the text that describes a model architecture. An architecture with sixteen groups of layers
/// takes less than a tenth of this length.
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

/// Returns the part of a URL after its `?` and before its `#`; empty for a URL without a `?`. For a bare query,
/// returns all of it before a `#`.
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

/// Decodes URL escapes such as `%41` and `+`; bytes that are not valid UTF-8 become �.
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
