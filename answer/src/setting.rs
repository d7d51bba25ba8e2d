//! A sentence that describes the scenario. Each value in it has the key of the control that changes the value.

use crate::lamina::compute_gpu;
use crate::words::format;
use crate::words::names::{sequences, short_name};
use model_core::inputs::{Gpu, Inputs, Mode, Number};
use model_core::permalink::View;

/// A part of the sentence that describes a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingPart {
    /// Fixed words between values.
    Words(&'static str),
    /// A value as text, with the key of the control that changes the value.
    Value(String, &'static str),
}

use SettingPart::{Value, Words};

/// Function that formats a number as its control shows it.
pub type Shown<'a> = &'a dyn Fn(Number) -> String;

/// Returns the sentence that describes a scenario in a view; `shown` formats its numbers. Example: "Decoding
/// DeepSeek-V3 in FP8 on 72 × H100, 50 GB/s per GPU, 256 sequences per GPU, context 2,000".
pub fn setting(inputs: &Inputs, view: View, shown: Shown<'_>) -> Vec<SettingPart> {
    let serves = view == View::Service;
    let mut parts = vec![
        Words(if serves { "Serving" } else { "Decoding" }),
        Value(inputs.model.name().to_owned(), "model"),
        Words("in"),
        Value(formats(inputs), "precision"),
        Words("on"),
    ];
    if serves {
        parts.push(accelerator(inputs));
        parts.extend(requests(inputs, shown));
        return parts;
    }
    if inputs.mode == Mode::Split && view == View::Disaggregation {
        parts.extend(devices(inputs, shown));
    } else {
        parts.extend(gpus(inputs, shown));
        parts.extend(network(inputs, shown));
        if view != View::Plans {
            parts.extend([batch(inputs), Words(",")]);
        }
    }
    parts.extend([Words("context"), number(shown, Number::Context, "")]);
    parts
}

fn number(shown: Shown<'_>, number: Number, unit: &str) -> SettingPart {
    Value(format!("{}{unit}", shown(number)), number.spec().key)
}

/// Returns the number formats of the FFN weights and of the attention weights: "FP8", "FP4 + FP8".
fn formats(inputs: &Inputs) -> String {
    let precision = inputs.precision();
    let bits = |bytes: f64| match bytes {
        bytes if bytes >= 2.0 => "BF16",
        bytes if bytes >= 1.0 => "FP8",
        _ => "FP4",
    };
    let (attention, ffn) = (
        bits(precision.attention_weights),
        bits(precision.ffn_weights),
    );
    match attention == ffn {
        true => ffn.to_owned(),
        false => format!("{ffn} + {attention}"),
    }
}

fn accelerator(inputs: &Inputs) -> SettingPart {
    let name = match inputs.gpu {
        Gpu::Catalog(entry) => short_name(entry.name),
        Gpu::Custom => "your accelerator",
    };
    Value(name.to_owned(), "gpu")
}

fn gpus(inputs: &Inputs, shown: Shown<'_>) -> Vec<SettingPart> {
    let mut parts = Vec::new();
    if let Some(replicas) = inputs.get(Number::Replicas).filter(|count| *count > 1.0) {
        parts.extend([
            Value(format::count(replicas), Number::Replicas.spec().key),
            Words("×"),
        ]);
    }
    parts.extend([
        number(shown, Number::Gpus, ""),
        Words("×"),
        accelerator(inputs),
    ]);
    parts
}

/// Returns the parts of the sentence on Lamina's compute and memory devices, and on the total number of sequences.
fn devices(inputs: &Inputs, shown: Shown<'_>) -> Vec<SettingPart> {
    let side = |count: Number, name: &'static str| {
        let name = Value(short_name(name).to_owned(), count.spec().key);
        [number(shown, count, ""), Words("×"), name]
    };
    let mut parts = Vec::from(side(Number::ComputeGpus, compute_gpu(inputs).name()));
    parts.push(Words("+"));
    parts.extend(side(Number::MemoryGpus, inputs.memory_gpu.name));
    let sequences = sequences(inputs.get(Number::Batch).unwrap_or(1.0));
    parts.extend([
        Words(","),
        Value(sequences, Number::Batch.spec().key),
        Words(","),
    ]);
    parts
}

/// Returns the part of the sentence on network bandwidth: scale-out bandwidth if the deployment spans several scale-up
/// domains, else scale-up bandwidth.
fn network(inputs: &Inputs, shown: Shown<'_>) -> Vec<SettingPart> {
    let get = |number| inputs.get(number).unwrap_or(1.0);
    let (gpus, domain) = (get(Number::Gpus), get(Number::Domain));
    if gpus <= 1.0 {
        return vec![Words(",")];
    }
    let crosses = gpus > domain;
    let link = match crosses {
        true => Number::ScaleOut,
        false => Number::ScaleUp,
    };
    vec![Words(","), number(shown, link, " GB/s"), Words("per GPU,")]
}

fn batch(inputs: &Inputs) -> SettingPart {
    let key = Number::Batch.spec().key;
    let total = inputs.get(Number::Batch).unwrap_or(1.0);
    let each = total / inputs.get(Number::Gpus).unwrap_or(1.0);
    let text = match each.fract() == 0.0 && each > 1.0 && each < total {
        true => format!("{} sequences per GPU", format::count(each)),
        false => sequences(total),
    };
    Value(text, key)
}

fn requests(inputs: &Inputs, shown: Shown<'_>) -> Vec<SettingPart> {
    let mut parts = vec![Words(",")];
    match inputs.stated(Number::Rate) {
        Some(_) => parts.extend([number(shown, Number::Rate, " requests/s"), Words("of")]),
        None => parts.push(Words("requests of")),
    }
    parts.extend([number(shown, Number::MeanPrompt, ""), Words("tokens in,")]);
    if let Some(hit) = inputs.get(Number::Hit).filter(|hit| *hit > 0.0) {
        let cached = format!("{} cached", format::share(hit));
        parts.extend([Value(cached, Number::Hit.spec().key), Words(",")]);
    }
    parts.extend([number(shown, Number::MeanOutput, ""), Words("out")]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink::read;

    fn text(link: &str) -> String {
        let link = read(link);
        let shown = |number| format::count(link.current.get(number).unwrap_or(0.0));
        let parts = setting(&link.current, link.shown.view, &shown);
        let words = parts.into_iter().map(|part| match part {
            Words(words) => words.to_owned(),
            Value(value, _) => value,
        });
        words.collect::<Vec<_>>().join(" ").replace(" ,", ",")
    }

    #[test]
    fn a_scenario_reads_as_a_sentence() {
        assert_eq!(
            text("v=2"),
            "Decoding DeepSeek-V3 in FP8 on 72 × H100, 50 GB/s per GPU, 256 sequences per GPU, context 2,000"
        );
        let one = text("v=3&model=gpt-oss-120b&gpu=h100&gpus=1&batch=1&context=2050");
        assert!(one.contains("on 1 × H100, 1 sequence,"), "{one}");
        let service = text("v=3&view=service&gpu=h200&rate=50&prompt=4000&output=1000");
        assert!(
            service.ends_with("on H200, 50 requests/s of 4,000 tokens in, 1,000 out"),
            "{service}"
        );
        let cached = text("v=3&view=service&rate=50&prompt=4000&output=1000&hit=0.3");
        assert!(
            cached.ends_with("4,000 tokens in, 30% cached, 1,000 out"),
            "{cached}"
        );
        assert!(!text("v=3&view=plans").contains("sequences"));
        let lamina = text("v=3&view=disagg&mode=split&batch=120&compute_gpus=2&memory_gpus=4");
        assert!(
            lamina.contains("on 2 × H100 + 4 × H20, 120 sequences, context"),
            "{lamina}"
        );
    }

    #[test]
    fn every_value_has_a_control() {
        for view in View::ALL {
            for part in setting(&read("v=3&gpus=72&rate=5").current, view, &|_| {
                "1".to_owned()
            }) {
                if let Value(text, key) = part {
                    assert!(!text.is_empty() && !key.is_empty(), "{view:?}");
                }
            }
        }
    }
}
