//! Compute and memory devices of a Lamina deployment: defaults of their numbers, and the inputs of each side.

use super::{Gpu, Inputs, Number};
use crate::apart::Partition;
use crate::cost::memory::memory;
use crate::hardware::catalog::prices_of_one_source;
use crate::plan::Overlap;
use crate::precision::Format;

/// Returns the default of a Lamina number that depends on other inputs; `None` for any other number, or for an unknown
/// price.
///
/// Compute devices: for each replica, the smallest power of two that holds the weights. Memory devices: twice the
/// number of compute devices, as in [L] Table 5. If attention is divided by heads, this number is rounded down to a
/// divisor of the number of heads.
pub fn default_of(inputs: &Inputs, number: Number) -> Option<f64> {
    match number {
        Number::ComputeGpus => Some(f64::from(compute_gpus(inputs))),
        Number::MemoryGpus => Some(f64::from(memory_gpus(inputs))),
        Number::Net => Some(compute_source(inputs).accelerator().scale_out.as_gb()),
        Number::ComputePrice => prices(inputs).0,
        Number::MemoryPrice => prices(inputs).1,
        _ => None,
    }
}

/// Returns the prices of a compute device and of a memory device: those that the user set, otherwise both from one
/// source. The user's price for the scenario's accelerator also applies to a compute device of the same type.
fn prices(inputs: &Inputs) -> (Option<f64>, Option<f64>) {
    let source = compute_source(inputs);
    let both = match source.gpu {
        Gpu::Catalog(entry) => prices_of_one_source(entry, inputs.memory_gpu),
        Gpu::Custom => None,
    };
    let stated = source.stated(Number::Price);
    let stated = stated.or_else(|| source.prices.of_gpu(source.gpu));
    let memory = inputs.prices.of(inputs.memory_gpu);
    (
        stated.or(both.map(|(compute, _, _)| compute)),
        memory.or(both.map(|(_, memory, _)| memory)),
    )
}

fn compute_gpus(inputs: &Inputs) -> u32 {
    let replicas = replicas(inputs);
    let most = (Number::ComputeGpus.spec().most as u32 / replicas).max(1);
    let each = (0..=12)
        .map(|power| 1_u32 << power)
        .take_while(|each| *each <= most)
        .find(|each| {
            compute_inputs(inputs, *each)
                .scenario()
                .is_ok_and(|scenario| {
                    let held = memory(&scenario, 1.0);
                    held.weights() < held.usable
                })
        });
    each.unwrap_or(1) * replicas
}

fn memory_gpus(inputs: &Inputs) -> u32 {
    let compute = inputs.get(Number::ComputeGpus).unwrap_or(1.0) as u32;
    let most = (compute * 2).min(Number::MemoryGpus.spec().most as u32);
    let arch = inputs.model.arch();
    match inputs.partition.unwrap_or(Partition::default_of(arch)) {
        Partition::Requests => most,
        Partition::Heads => {
            let even = |gpus: &u32| arch.heads_divide(*gpus);
            (1..=most).rev().find(even).unwrap_or(1)
        }
    }
}

/// Returns the number of model replicas: one for a single micro-batch, else one less than the number of
/// micro-batches. Source: [L] 4.3.
pub fn replicas(inputs: &Inputs) -> u32 {
    let batches = inputs.get(Number::Batches).unwrap_or(2.0) as u32;
    batches.saturating_sub(1).max(1)
}

/// Returns the inputs for the compute side of a Lamina deployment, on that side's accelerator. Links and price that
/// were set for another accelerator are dropped. Prefill is disaggregated: neither side of a Lamina deployment has
/// time for it. Disaggregated prefill is also assumed for the homogeneous cluster of the comparison.
pub fn compute_source(inputs: &Inputs) -> Inputs {
    let inputs = inputs.decoding().with_anchored(None);
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

/// Returns the inputs of one model replica on `gpus` devices, in default sharding.
///
/// Nothing overlaps within a replica: other micro-batches fill its idle time.
pub fn compute_inputs(inputs: &Inputs, gpus: u32) -> Inputs {
    let mut side = compute_source(inputs);
    side.overlap = Some(Overlap::Sequential);
    side.unshard();
    side.state(Number::Gpus, Some(f64::from(gpus)));
    one_batch(inputs, side)
}

/// Sets the deployment's batch on one side. Otherwise, in permalinks whose default batch depends on the GPUs, each
/// side would have a different batch.
fn one_batch(inputs: &Inputs, mut side: Inputs) -> Inputs {
    if inputs.version.starts_as_engines_do() {
        side.state(Number::Batch, inputs.get(Number::Batch));
    }
    side
}

/// Returns the inputs of the memory devices, with attention divided by heads or by requests. These devices run no
/// FFN, so the FFN's sharding and format are arbitrary.
pub fn memory_inputs(inputs: &Inputs, gpus: u32, partition: Partition) -> Inputs {
    let plain = inputs.decoding().with_anchored(None);
    let mut side = on(&plain, Gpu::Catalog(inputs.memory_gpu));
    side.overlap = Some(Overlap::Sequential);
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
    one_batch(inputs, side)
}
