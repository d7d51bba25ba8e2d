//! Describes a scenario in one line, and the differences between two scenarios.

use model_core::inputs::{Inputs, Model, Number};
use model_core::order::sort_by_key;
use model_core::permalink::{Link, View, stated};
use model_core::service::Requests;

use crate::controls::shown::{shown, words_of};
use crate::controls::table::choice_of;
use crate::controls::words::ControlWords;
use crate::corrected::corrected;
use crate::words::format;
use crate::words::names::{counted, gpu_of, schedule, sequences};

/// Returns the scenario line of an exported figure. It describes the permalink's scenario or, in the view *Papers*,
/// refers to each number's source.
pub fn in_a_line_of(view: View, link: &Link) -> String {
    match view {
        View::Papers => "Each number is for the scenario in its source".to_owned(),
        View::Service => served_in_a_line(&link.current, link.pinned.as_ref()),
        _ => in_a_line(&link.current, link.pinned.as_ref()),
    }
}

/// Describes requests and their limits in one line for the view *Service*, where GPUs and batch are results:
/// "DeepSeek-V3 · H200 · 50 req/s of 4,000 + 1,000 tokens, 30% cached · TTFT ≤ 2 s · SLO 25 tok/s/user ·
/// kernels-2026".
fn served_in_a_line(inputs: &Inputs, pinned: Option<&Inputs>) -> String {
    let requests = Requests::of(inputs);
    let lengths = format!(
        "of {} + {} tokens, {} cached",
        format::tokens(requests.prompt),
        format::tokens(requests.output),
        format::share(requests.hit)
    );
    let rate = inputs.get(Number::Rate).map_or_else(
        || "requests".to_owned(),
        |rate| format!("{} req/s", format::printed(rate)),
    );
    let limit = inputs
        .get(Number::Ttft)
        .map(|limit| format!("TTFT ≤ {} s", format::printed(limit)));
    let slo = inputs
        .get(Number::Slo)
        .map(|slo| format!("SLO {} tok/s/user", format::printed(slo)));
    let pinned = pinned.map(|pinned| {
        let how = difference(inputs, pinned).unwrap_or_else(|| "the same".to_owned());
        format!("A: {how}")
    });
    let words = [
        Some(inputs.model_name().to_owned()),
        Some(gpu_of(inputs).to_owned()),
        Some(format!("{rate} {lengths}")),
        limit,
        slo,
        Some(inputs.calibration.id().to_owned()),
        pinned,
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Describes a scenario in one line for exports: "DeepSeek-V3 · 72 × H100 · 18,432 sequences of 2,000 tokens ·
/// kernels-2026". The differences of the pinned scenario follow.
pub fn in_a_line(inputs: &Inputs, pinned: Option<&Inputs>) -> String {
    let get = |number| inputs.get(number).unwrap_or(1.0);
    let mut words = vec![
        inputs.model_name().to_owned(),
        format!("{} × {}", format::count(get(Number::Gpus)), gpu_of(inputs)),
        format!(
            "{} of {} tokens",
            sequences(get(Number::Batch)),
            format::tokens(get(Number::Context))
        ),
    ];
    if let Some(slo) = inputs.get(Number::Slo) {
        words.push(format!("SLO {} tok/s/user", format::printed(slo)));
    }
    words.push(inputs.calibration.id().to_owned());
    words.extend(corrected(inputs, View::Explore).map(|(lead, _)| lead));
    if let Some(pinned) = pinned {
        let how = difference(inputs, pinned).unwrap_or_else(|| "the same".to_owned());
        words.push(format!("A: {how}"));
    }
    words.join(" · ")
}

/// Describes how `pinned` differs from `current`: "100 GB/s scale-out", "Kimi K2" or "four differences"; `None` if
/// both are equal. Differences in rules (defaults and calibration) are always named.
pub fn difference(current: &Inputs, pinned: &Inputs) -> Option<String> {
    let (current, pinned) = (current.normalized(), pinned.normalized());
    let parts = [differences(&current, &pinned), rules(&current, &pinned)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Lists the rules (defaults and calibration) of the pinned scenario that differ from the current ones: "defaults of
/// permalink version 1, calibration kernels-2026".
fn rules(current: &Inputs, pinned: &Inputs) -> Option<String> {
    let version = (current.version != pinned.version)
        .then(|| format!("defaults of permalink version {}", pinned.version.id()));
    let calibration = (current.calibration != pinned.calibration)
        .then(|| format!("calibration {}", pinned.calibration.id()));
    let rules: Vec<String> = version.into_iter().chain(calibration).collect();
    (!rules.is_empty()).then(|| rules.join(", "))
}

/// Describes the pinned scenario's values that differ from the current ones, except the calibration, which is listed
/// as a rule.
fn differences(current: &Inputs, pinned: &Inputs) -> Option<String> {
    let mut keys = differing(current, pinned);
    keys.retain(|key| *key != "calibration");
    match keys.as_slice() {
        [] => None,
        [one] => Some(value_of(one, pinned)),
        [one, other] => Some(format!(
            "{}, {}",
            value_of(one, pinned),
            value_of(other, pinned)
        )),
        many => Some(format!("{} differences", format::in_words(many.len()))),
    }
}

/// Returns the permalink keys in which two scenarios differ, in the order of the pinned scenario's permalink.
fn differing(current: &Inputs, pinned: &Inputs) -> Vec<&'static str> {
    let (now, then) = (stated(current), stated(pinned));
    let gone = then.iter().filter(|pair| !now.contains(pair));
    let mut keys: Vec<_> = gone.map(|(key, _)| *key).collect();
    for (key, _) in now.iter().filter(|pair| !then.contains(pair)) {
        if !keys.contains(key) {
            keys.push(key);
        }
    }
    keys
}

/// Returns the values that differ between two scenarios as pairs, the pinned value first: "72 GPUs" and "144 GPUs".
pub fn sides(current: &Inputs, pinned: &Inputs) -> Vec<(String, String)> {
    let (current, pinned) = (current.normalized(), pinned.normalized());
    let mut keys = differing(&current, &pinned);
    // Targets come last, since they do not change computed results.
    sort_by_key(&mut keys, |key| *key == "slo" || key.starts_with("target_"));
    let pairs = keys.into_iter().map(|key| {
        let side = |inputs: &Inputs| match key {
            "gpu" => gpu_of(inputs).to_owned(),
            _ => value_of(key, inputs),
        };
        (side(&pinned), side(&current))
    });
    // A value that is set to its default differs in the permalink alone.
    pairs.filter(|(then, now)| then != now).collect()
}

/// Formats the differences from [`sides`]: "72 GPUs → 144 GPUs", "batch 18,432 → batch 9,216".
pub fn changes(current: &Inputs, pinned: &Inputs) -> Vec<String> {
    let sides = sides(current, pinned).into_iter();
    sides.map(|(then, now)| format!("{then} → {now}")).collect()
}

fn value_of(key: &str, inputs: &Inputs) -> String {
    match key {
        "model" => return inputs.model_name().into(),
        "gpu" => return inputs.gpu_name().into(),
        "overlap" => return schedule(inputs.schedule()).into(),
        // The encoded shape is not readable.
        "arch" => {
            return match inputs.model {
                Model::Custom(_) => "custom shape".into(),
                Model::Catalog(_) => "catalog shape".into(),
            };
        }
        _ => {}
    }
    let Some(number) = Number::find(key) else {
        return chosen(key, inputs);
    };
    let Some(value) = inputs.get(number) else {
        return match number {
            Number::Slo => "no SLO".into(),
            _ => format!("no {}", format::lower(words_of(number).name)),
        };
    };
    match number {
        Number::Gpus => format!("{} GPUs", format::count(value)),
        Number::ScaleOut => format!("{} scale-out", format::bandwidth(value * 1e9)),
        Number::ScaleUp => format!("{} scale-up", format::bandwidth(value * 1e9)),
        Number::Hbm => format!("{} HBM", format::bandwidth(value * 1e9)),
        Number::Batch => format!("batch {}", format::count(value)),
        Number::Context => format!("context {}", format::count(value)),
        Number::Beta => format!("β {}", format::printed(value)),
        Number::Replicas => counted(value, "replica"),
        Number::Domain => format!("scale-up domain of {}", format::count(value)),
        Number::KvBytes => stored(value, "KV"),
        Number::AttentionWeightBytes => stored(value, "attention weights"),
        Number::FfnWeightBytes => stored(value, "FFN weights"),
        Number::SpeculationDepth if value > 0.0 => format!("MTP {}", format::count(value)),
        Number::SpeculationDepth => "MTP off".to_owned(),
        Number::Redundant => counted(value, "redundant expert"),
        Number::HbmScale => multiple(value, "HBM bandwidth"),
        Number::CapacityScale => multiple(value, "HBM capacity"),
        Number::PeakScale => multiple(value, "FLOP/s"),
        Number::LatencyScale => multiple(value, "collective latency"),
        Number::OverheadScale => multiple(value, "framework overhead"),
        Number::Slo => format!("SLO {} tok/s/user", format::printed(value)),
        sharding if Number::SHARDING.contains(&sharding) => {
            let key = key.to_uppercase().replace('_', " ");
            format!("{key} {}", format::count(value))
        }
        _ => {
            let ControlWords { name, unit, .. } = words_of(number);
            let value = format!("{} {}", format::lower(name), shown(number, value));
            match unit {
                "" => value,
                _ => format!("{value} {unit}"),
            }
        }
    }
}

/// Names a choice and its active option: "precision DeepSeek FP8".
fn chosen(key: &str, inputs: &Inputs) -> String {
    let Some(choice) = choice_of(key) else {
        let mut all = stated(inputs).into_iter();
        let value = all.find_map(|(of, value)| (of == key).then_some(value));
        return format!("{key} {}", value.as_deref().unwrap_or("default"));
    };
    let active = (choice.of)(inputs);
    let mut options = choice.options.iter();
    let active = options.find(|option| option.id == active);
    let name = format::lower(choice.name);
    active.map_or_else(|| name.clone(), |option| format!("{name} {}", option.label))
}

fn multiple(times: f64, what: &str) -> String {
    format!("{}× {what}", format::printed(times))
}

/// Formats the storage width of a quantity: "FP8 KV", or in bytes for other widths, "0.75-byte KV".
fn stored(bytes: f64, what: &str) -> String {
    match bytes {
        0.5 => format!("FP4 {what}"),
        1.0 => format!("FP8 {what}"),
        2.0 => format!("BF16 {what}"),
        _ => format!("{}-byte {what}", format::printed(bytes)),
    }
}
