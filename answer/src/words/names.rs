//! Names of model parts, resources and accelerators, and counts with a noun.

use model_core::arch::{Arch, Mixer};
use model_core::bottleneck::Resource;
use model_core::evaluate::Timed;
use model_core::inputs::{Gpu, Inputs, Number};
use model_core::ops::{OperatorRole, Place};
use model_core::permalink::View;
use model_core::plan::Overlap;

use crate::theme::Role;
use crate::words::format;

/// Returns the chart role (color category) of a part of the model.
pub const fn role(part: OperatorRole) -> Role {
    match part {
        OperatorRole::Attention => Role::Attention,
        OperatorRole::Dense => Role::Dense,
        OperatorRole::Experts => Role::Experts,
        OperatorRole::Head => Role::Head,
    }
}

/// Returns the chapter of `docs/guide` that explains a view, as a page name without `.html`.
pub const fn chapter(view: View) -> &'static str {
    match view {
        View::Explore | View::Limits => "decode",
        View::Plans => "experts",
        View::Service => "requests",
        View::Disaggregation => "disaggregation",
        View::Papers => "accuracy",
    }
}

/// Returns the name of a part of the model: "attention", "dense layers", "experts", "the output head".
pub const fn part_name(part: OperatorRole) -> &'static str {
    match part {
        OperatorRole::Attention => "attention",
        OperatorRole::Dense => "dense layers",
        OperatorRole::Experts => "experts",
        OperatorRole::Head => "the output head",
    }
}

/// Returns the name of a resource: "HBM bandwidth", "scale-out links".
pub const fn resource(of: Resource) -> &'static str {
    match of {
        Resource::Hbm => "HBM bandwidth",
        Resource::Compute => "compute",
        Resource::ScaleUp => "scale-up links",
        Resource::ScaleOut => "scale-out links",
        Resource::Latency => "collective latency",
        Resource::Launches => "launch overhead",
        Resource::Capacity => "memory capacity",
        Resource::Prefill => "prefill of other requests",
        Resource::Balance => "expert imbalance",
    }
}

/// Returns the name of a resource in one word, where space is limited.
pub const fn resource_short(of: Resource) -> &'static str {
    match of {
        Resource::Hbm => "HBM",
        Resource::Compute => "compute",
        Resource::ScaleUp => "scale-up",
        Resource::ScaleOut => "scale-out",
        Resource::Latency => "latency",
        Resource::Launches => "overhead",
        Resource::Capacity => "capacity",
        Resource::Prefill => "prefill",
        Resource::Balance => "imbalance",
    }
}

/// Returns the number of layers with each mixer: "18 × window 128, 18 × full". Mixers that differ only in widths are
/// counted as one.
pub fn layers(arch: &Arch) -> String {
    let kinds = mixers(arch);
    let words = |(name, count): &(String, u32)| format!("{count} × {name}");
    kinds.iter().map(words).collect::<Vec<_>>().join(", ")
}

/// Returns each mixer of the model with its number of layers, in the order in which the mixers first occur.
pub fn mixers(arch: &Arch) -> Vec<(String, u32)> {
    let mut kinds: Vec<(String, u32)> = Vec::new();
    for part in arch.mixers() {
        let kind = mixer_name(&part.shape);
        match kinds.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, layers)) => *layers += part.layers,
            None => kinds.push((kind, part.layers)),
        }
    }
    kinds
}

/// Returns the name of an operator. If the model has several mixers, the name of the operator's mixer is added:
/// "attention, window 128".
pub fn operator_name(arch: &Arch, timed: &Timed) -> String {
    let name = timed.operator.kind.id();
    match timed.place {
        Place::Mixer(number) if mixers(arch).len() > 1 => match arch.mixers().get(number) {
            Some(part) => format!("{name}, {}", mixer_name(&part.shape)),
            None => name.into(),
        },
        _ => name.into(),
    }
}

/// Returns the name of a mixer: "window 128", "gated delta".
pub fn mixer_name(mixer: &Mixer) -> String {
    mixer.to_string().replace('_', " ")
}

/// Brand names that the short names of accelerators omit.
const BRANDS: [&str; 2] = ["GeForce ", "Apple "];

/// Form factors, memory sizes and systems that the short names of accelerators omit, unless needed to distinguish
/// accelerators.
const PACKAGING: [&str; 8] = [
    " SXM",
    " NVL72",
    " Helios",
    " DGX",
    " Blackwell",
    " 80 GB",
    " 96 GB",
    ", ",
];

/// Returns an accelerator's short name, without brand and packaging; "custom GPUs" for a custom accelerator.
pub fn short_name(name: &'static str) -> &'static str {
    if name == Gpu::Custom.name() {
        return "custom GPUs";
    }
    let maker = BRANDS.iter().find_map(|brand| name.strip_prefix(brand));
    let name = maker.unwrap_or(name);
    let ends = PACKAGING.iter().filter_map(|words| name.find(words));
    &name[..ends.min().unwrap_or(name.len())]
}

/// Returns the short name of the scenario's accelerator. For a custom accelerator, this is the name that the user
/// gave to it.
pub fn gpu_of(inputs: &Inputs) -> &str {
    match inputs.gpu_label {
        Some(_) => inputs.gpu_name(),
        None => short_name(inputs.gpu.name()),
    }
}

/// Returns the name of a single GPU: "H100", "custom GPU".
pub fn one_name(inputs: &Inputs) -> String {
    match (inputs.gpu, inputs.gpu_label) {
        (Gpu::Custom, None) => "custom GPU".to_owned(),
        _ => gpu_of(inputs).to_owned(),
    }
}

/// Returns a GPU count with the accelerator's name: "72 H100", "1 custom GPU".
pub fn of_gpu(count: f64, inputs: &Inputs) -> String {
    let name = match count > 1.0 {
        true => gpu_of(inputs).to_owned(),
        false => one_name(inputs),
    };
    format!("{} {name}", format::count(count))
}

/// Returns the scenario's GPUs as text. The number of replicas is shown separately: "72 H100", "3 × 24 H100".
pub fn own_gpus(inputs: &Inputs) -> String {
    let each = of_gpu(inputs.get(Number::Gpus).unwrap_or(1.0), inputs);
    match inputs.get(Number::Replicas) {
        Some(replicas) if replicas > 1.0 => format!("{} × {each}", format::count(replicas)),
        _ => each,
    }
}

/// Returns the total number of GPUs of all replicas, with the accelerator's name: "72 H100".
pub fn all_gpus(inputs: &Inputs) -> String {
    of_gpu(f64::from(model_core::search::own_gpus(inputs)), inputs)
}

/// Returns the title of the browser tab: the model and its GPUs. The Papers view has no scenario, so the title is the
/// view's name. In the Service view, the GPU count is a result and is therefore omitted.
pub fn tab(inputs: &Inputs, view: View) -> String {
    let of = |on: &str| format!("{} on {on}", inputs.model_name());
    let named = match view {
        View::Papers => view.place().to_owned(),
        View::Service => of(gpu_of(inputs)),
        _ => of(&own_gpus(inputs)),
    };
    format!("{named} — Ridgepoint")
}

/// Returns the name of an overlap schedule: "overlap off", "two-batch overlap".
pub const fn schedule(overlap: Overlap) -> &'static str {
    match overlap {
        Overlap::Sequential => "overlap off",
        Overlap::TwoBatch => "two-batch overlap",
        Overlap::HopB => "HOP-B overlap",
    }
}

/// Returns a number of sequences: "1,223 sequences", "1 sequence".
pub fn sequences(batch: f64) -> String {
    counted(batch, "sequence")
}

/// Returns a number of GPUs: "1,024 GPUs", "1 GPU".
pub fn gpus(count: f64) -> String {
    counted(count, "GPU")
}

/// Returns a count with its noun in the singular or plural: "3 replicas", "1 replica".
pub fn counted(count: f64, what: &str) -> String {
    let s = if count.to_bits() == 1_f64.to_bits() {
        ""
    } else {
        "s"
    };
    format!("{} {what}{s}", format::count(count))
}
