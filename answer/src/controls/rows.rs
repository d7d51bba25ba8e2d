//! One-line descriptions of the models and accelerators in the catalogs.

use crate::words::{format, names};
use model_core::arch::params::parameters;
use model_core::arch::{self, Arch, Mixer};
use model_core::hardware::Accelerator;

/// Describes an LLM: "671B, 37B active, MLA, 256 experts, 61 layers". Mixed layers are counted by type: "80B, 3.6B
/// active, 36 gated delta + 12 full, 512 experts, 48 layers".
pub fn model_line(arch: &Arch) -> String {
    let counts = parameters(arch);
    let billions = |count: f64| format!("{}B", format::printed((count / 1e8).round() / 10.0));
    let mixers = mixers_line(arch);
    let total = billions(counts.total);
    let layers = arch.layers();
    match arch.moes().map(|part| part.shape.experts).max() {
        Some(experts) => format!(
            "{total}, {} active, {mixers}, {experts} experts, {layers} layers",
            billions(counts.active),
        ),
        None => format!("{total}, {mixers}, dense, {layers} layers"),
    }
}

/// Describes an LLM's attention: "MLA", "GQA 8", "MLA sparse 2048", "18 window 128 + 18 full".
fn mixers_line(arch: &Arch) -> String {
    let name = |mixer: &Mixer| match mixer {
        Mixer::Latent(_) => "MLA".to_owned(),
        Mixer::Grouped(shape) if shape.heads == shape.kv_heads => "MHA".to_owned(),
        Mixer::Grouped(shape) if shape.kv_heads == 1 => "MQA".to_owned(),
        Mixer::Grouped(shape) => format!("GQA {}", shape.kv_heads),
        other => other.to_string().replace('_', " "),
    };
    if let [part] = arch.mixers() {
        let extent = part.shape.to_string();
        let attention = name(&part.shape);
        return match part.shape {
            Mixer::Grouped(_) | Mixer::Latent(_) if !part.shape.is_full() => {
                format!("{attention} {extent}")
            }
            _ => attention,
        };
    }
    let words: Vec<String> = names::mixers(arch)
        .into_iter()
        .map(|(kind, layers)| format!("{layers} {kind}"))
        .collect();
    words.join(" + ")
}

/// Describes an accelerator: "80 GB, 3.35 TB/s, 989 BF16, 1,979 FP8" (peaks in TFLOP/s).
pub fn accelerator_line(accelerator: &Accelerator) -> String {
    let mut parts = vec![
        format!("{} GB", format::printed(accelerator.capacity.as_gib())),
        format::bandwidth(accelerator.hbm.as_gb() * 1e9).to_string(),
    ];
    let peaks = accelerator.peaks;
    for (peak, name) in [(peaks.bf16, "BF16"), (peaks.fp8, "FP8"), (peaks.fp4, "FP4")] {
        if let Some(peak) = peak {
            parts.push(format!("{} {name}", format::printed(peak.as_tera())));
        }
    }
    parts.join(", ")
}

/// Describes an LLM of the catalog, and adds the published parameter counts if the entry has any.
pub fn published_line(entry: &arch::catalog::Entry) -> String {
    let line = model_line(&entry.arch);
    let billions = |count: f64| format::printed((count / 1e8).round() / 10.0);
    match entry.published {
        Some(published) => format!(
            "{line}; published: {}B, {}B active",
            billions(published.total),
            billions(published.active)
        ),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::inputs::Inputs;

    #[test]
    fn key_numbers_of_well_known_rows() {
        let inputs = Inputs::DEFAULT;
        let line = model_line(inputs.model.arch());
        assert!(
            line.starts_with("671") && line.contains("MLA, 256 experts, 61 layers"),
            "{line}"
        );
        assert_eq!(
            accelerator_line(&inputs.accelerator()),
            "80 GB, 3.35 TB/s, 989 BF16, 1,979 FP8"
        );
    }
}
