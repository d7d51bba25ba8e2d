//! Inputs of each side, from those of the whole.

use crate::apart::Partition;
use crate::plan::Overlap;
use crate::precision::Format;
use crate::scenario::{Gpu, Inputs, Number};

/// A side of the split, by its kind of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Compute devices: weights, every operator but attention.
    Compute,
    /// Memory devices: KV cache, attention.
    Memory,
}

impl Side {
    /// Identifier in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Memory => "memory",
        }
    }
}

/// Model replicas: one for a single micro-batch, else one less than there are micro-batches. Source: [L] 4.3.
pub fn replicas(inputs: &Inputs) -> u32 {
    let batches = inputs.get(Number::Batches).unwrap_or(2.0) as u32;
    batches.saturating_sub(1).max(1)
}

/// The inputs on the compute side's accelerator. Links and price stated for another accelerator are dropped. Prefill
/// is disaggregated: neither side of a split has time for it, so neither has the cluster it is compared with.
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

/// One replica of the model on `gpus` devices, in default sharding.
///
/// Nothing overlaps within a replica: other micro-batches fill its idle time.
pub fn compute_inputs(inputs: &Inputs, gpus: u32) -> Inputs {
    let mut side = compute_source(inputs);
    side.overlap = Overlap::Sequential;
    side.unshard();
    side.state(Number::Gpus, Some(f64::from(gpus)));
    side
}

/// The memory devices, attention divided by heads or by requests. They run no feed-forward, so its sharding and
/// format are arbitrary.
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
