//! Names of parts of the model, of accelerators, and of so many of something.

use model_core::arch::{Arch, Mixer};
use model_core::evaluate::Timed;
use model_core::inputs::{Gpu, Inputs, Number};
use model_core::ops::{OperatorRole, Place};
use model_core::plan::Overlap;

use super::Evaluated;
use crate::format;
use crate::theme::Role;

/// The chart role of a part of the model.
pub const fn role(part: OperatorRole) -> Role {
    match part {
        OperatorRole::Attention => Role::Attention,
        OperatorRole::Dense => Role::Dense,
        OperatorRole::Experts => Role::Experts,
        OperatorRole::Head => Role::Head,
    }
}

/// "attention", "dense layers", "experts", "the output head".
pub const fn part_name(part: OperatorRole) -> &'static str {
    match part {
        OperatorRole::Attention => "attention",
        OperatorRole::Dense => "dense layers",
        OperatorRole::Experts => "experts",
        OperatorRole::Head => "the output head",
    }
}

/// "18 × window 128, 18 × full": how many layers mix how; layers that only differ in widths together.
pub fn layers(arch: &Arch) -> String {
    let kinds = mixers(arch);
    let words = |(name, count): &(String, u32)| format!("{count} × {name}");
    kinds.iter().map(words).collect::<Vec<_>>().join(", ")
}

/// Each way of mixing with how many layers have it, in the order of their first.
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

/// The name of an operator; that of the mixer is added where a model has several: "attention, window 128".
pub fn operator_name(case: &Evaluated, timed: &Timed) -> String {
    let name = timed.operator.kind.id();
    let arch = &case.scenario.arch;
    match timed.place {
        Place::Mixer(number) if mixers(arch).len() > 1 => match arch.mixers().get(number) {
            Some(part) => format!("{name}, {}", mixer_name(&part.shape)),
            None => name.into(),
        },
        _ => name.into(),
    }
}

/// "window 128", "gated delta".
pub fn mixer_name(mixer: &Mixer) -> String {
    mixer.to_string().replace('_', " ")
}

/// "H100" of "H100 SXM"; a TPU and an Ascend need their second word, and one's own accelerator is none to name.
pub fn short_name(name: &'static str) -> &'static str {
    if name == Gpu::Custom.name() {
        return "custom GPUs";
    }
    let words = if name.starts_with("TPU") || name.starts_with("Ascend") {
        2
    } else {
        1
    };
    let end = name
        .match_indices(' ')
        .nth(words - 1)
        .map_or(name.len(), |(at, _)| at);
    &name[..end]
}

/// The name of one of them: "H100", "custom GPU".
pub fn one_name(gpu: Gpu) -> String {
    match gpu {
        Gpu::Custom => "custom GPU".to_owned(),
        known @ Gpu::Catalog(_) => short_name(known.name()).to_owned(),
    }
}

/// "72 H100", "1 custom GPU".
pub fn of_gpu(count: f64, gpu: Gpu) -> String {
    let name = match count > 1.0 {
        true => short_name(gpu.name()).to_owned(),
        false => one_name(gpu),
    };
    format!("{} {name}", format::count(count))
}

/// "72 H100", "3 × 24 H100" of replicas.
pub fn own_gpus(inputs: &Inputs) -> String {
    let each = of_gpu(inputs.get(Number::Gpus).unwrap_or(1.0), inputs.gpu);
    match inputs.get(Number::Replicas) {
        Some(replicas) if replicas > 1.0 => format!("{} × {each}", format::count(replicas)),
        _ => each,
    }
}

/// "overlap off", "two-batch overlap".
pub const fn schedule(overlap: Overlap) -> &'static str {
    match overlap {
        Overlap::Sequential => "overlap off",
        Overlap::TwoBatch => "two-batch overlap",
        Overlap::HopB => "HOP-B overlap",
    }
}

/// "1,223 sequences", "1 sequence".
pub fn sequences(batch: f64) -> String {
    counted(batch, "sequence")
}

/// "1,024 GPUs", "1 GPU".
pub fn gpus(count: f64) -> String {
    counted(count, "GPU")
}

/// "3 replicas", "1 replica".
pub fn counted(count: f64, what: &str) -> String {
    let s = if count.to_bits() == 1_f64.to_bits() {
        ""
    } else {
        "s"
    };
    format!("{} {what}{s}", format::count(count))
}
