//! Each side's inputs, from those of the whole.

use crate::apart::Partition;
use crate::plan::Overlap;
use crate::precision::Format;
use crate::scenario::{Gpu, Inputs, Number};

/// One of the two kinds of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Weights and every operator but attention.
    Compute,
    /// Cache and attention.
    Memory,
}

impl Side {
    /// The identifier in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Memory => "memory",
        }
    }
}

/// Model replicas: one for a batch alone, else one less than there are batches. Source: [L] 4.3.
pub fn replicas(inputs: &Inputs) -> u32 {
    let batches = inputs.get(Number::Batches).unwrap_or(2.0) as u32;
    batches.saturating_sub(1).max(1)
}

/// The inputs with the compute side's accelerator in place of the scenario's. What was said of the
/// scenario's own links and price holds for no other accelerator. Prompts are read elsewhere: neither
/// side of a split has time for them, and so its rival has none either.
pub fn compute_source(inputs: &Inputs) -> Inputs {
    let inputs = inputs.decoding();
    match inputs.compute_gpu.map(Gpu::Catalog) {
        Some(gpu) => on(&inputs, gpu),
        None => inputs,
    }
}

fn on(inputs: &Inputs, gpu: Gpu) -> Inputs {
    let mut side = *inputs;
    if gpu != inputs.gpu {
        side.gpu = gpu;
        for number in [
            Number::Domain,
            Number::ScaleUp,
            Number::ScaleOut,
            Number::Price,
        ] {
            side.state(number, None);
        }
    }
    side
}

/// One replica of the model on `gpus` devices, sharded as a scenario of that many is by default.
///
/// Nothing overlaps within a replica: other batches fill its idle time.
pub fn compute_inputs(inputs: &Inputs, gpus: u32) -> Inputs {
    let mut side = compute_source(inputs);
    side.overlap = Overlap::Sequential;
    side.unshard();
    side.state(Number::Gpus, Some(f64::from(gpus)));
    side
}

/// The memory devices, attention divided by heads or by requests. They compute no feed-forward, so
/// its sharding and format are any that are possible.
pub fn memory_inputs(inputs: &Inputs, gpus: u32, partition: Partition) -> Inputs {
    let mut side = on(&inputs.decoding(), Gpu::Catalog(inputs.memory_gpu));
    side.overlap = Overlap::Sequential;
    let peaks = side.accelerator().peaks;
    let formats = [
        inputs.precision().attention_format,
        Format::Bf16,
        Format::Fp8,
    ];
    side.ffn_format = formats
        .into_iter()
        .find(|format| peaks.of(*format).is_some());
    side.unshard();
    let gpus = f64::from(gpus);
    let (dp, tp) = match partition {
        Partition::Heads => (1.0, gpus),
        Partition::Requests => (gpus, 1.0),
    };
    let ffn_tp = if inputs.model.arch().is_moe() {
        gpus
    } else {
        1.0
    };
    for (number, value) in [
        (Number::Gpus, gpus),
        (Number::Dp, dp),
        (Number::Tp, tp),
        (Number::FfnTp, ffn_tp),
        (Number::Ep, 1.0),
    ] {
        side.state(number, Some(value));
    }
    side
}
