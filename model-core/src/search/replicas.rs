//! Equal replicas on all of the user's GPUs.

use crate::inputs::{Inputs, Number};
use crate::levers::HOST;

/// The scenario's GPUs, all replicas.
pub fn own_gpus(inputs: &Inputs) -> u32 {
    let whole = |number| inputs.get(number).unwrap_or(1.0);
    (whole(Number::Gpus) * whole(Number::Replicas)) as u32
}

/// Replicas of `size` GPUs on `gpus`; `None` if GPUs are left unused.
pub fn replicas_on(gpus: u32, size: u32) -> Option<u32> {
    let whole = size > 0 && gpus.is_multiple_of(size);
    let count = whole.then(|| gpus / size)?;
    Number::Replicas.allows(f64::from(count)).then_some(count)
}

/// GPUs of a replica, ascending, where equal replicas use all of `gpus`: whole hosts, 1, 2 or 4 GPUs of one, or all
/// GPUs.
pub fn replica_sizes(gpus: u32) -> Vec<u32> {
    let most = gpus.min(Number::Gpus.spec().most as u32);
    (1..=most)
        .filter(|size| replicas_on(gpus, *size).is_some())
        .filter(|size| size.is_multiple_of(HOST) || [1, 2, 4, gpus].contains(size))
        .collect()
}
