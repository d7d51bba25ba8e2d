//! Defaults of a split's numbers.

use super::memory::weights_of;
use super::sides::{Side, compute_inputs, compute_source, replicas};
use crate::apart::Partition;
use crate::hardware::catalog::prices_of_one_source;
use crate::scenario::{Gpu, Inputs, Number};

/// The default of a number that [`Number::describes_split`]; `None` where there is none.
///
/// Compute devices: the fewest, in powers of two for each replica, that hold the weights. Memory
/// devices: twice as many, as [L] Table 5 has them, or as many as divide the heads.
pub fn default_of(inputs: &Inputs, number: Number) -> Option<f64> {
    match number {
        Number::ComputeGpus => Some(f64::from(compute_gpus(inputs))),
        Number::MemoryGpus => Some(f64::from(memory_gpus(inputs))),
        Number::Net => Some(compute_source(inputs).accelerator().scale_out.as_gb()),
        // The round trip of [L]'s network stack ([L] 6.3); NCCL takes 66.6.
        Number::NetMicros => Some(33.0),
        Number::SlowDown => Some(0.2),
        Number::Batches => Some(2.0),
        Number::ComputePrice => prices(inputs).0,
        Number::MemoryPrice => prices(inputs).1,
        _ => None,
    }
}

/// Prices of both devices from one source; a price stated for the scenario's accelerator applies to the model device.
fn prices(inputs: &Inputs) -> (Option<f64>, Option<f64>) {
    let source = compute_source(inputs);
    let both = match source.gpu {
        Gpu::Catalog(entry) => prices_of_one_source(entry, inputs.memory_gpu),
        Gpu::Custom => None,
    };
    let stated = source.stated(Number::Price);
    (
        stated.or(both.map(|(compute, _, _)| compute)),
        both.map(|(_, memory, _)| memory),
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
                    let (weights, usable) = weights_of(&scenario, Side::Compute);
                    weights < usable
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
