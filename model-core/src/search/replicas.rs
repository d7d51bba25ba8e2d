//! Sizes and counts of identical replicas that use all of the user's GPUs.

use crate::inputs::{Inputs, Number};
use crate::levers::HOST;

/// Returns the total number of GPUs of the scenario, over all replicas.
pub fn own_gpus(inputs: &Inputs) -> u32 {
    let whole = |number| inputs.get(number).unwrap_or(1.0);
    (whole(Number::Gpus) * whole(Number::Replicas)) as u32
}

/// Returns the number of replicas of `size` GPUs that fill `gpus` GPUs; `None` if GPUs would be left unused.
pub fn replicas_on(gpus: u32, size: u32) -> Option<u32> {
    let whole = size > 0 && gpus.is_multiple_of(size);
    let count = whole.then(|| gpus / size)?;
    Number::Replicas.allows(f64::from(count)).then_some(count)
}

/// Returns, in ascending order, the replica sizes for which identical replicas use all of `gpus`. A replica consists
/// of whole hosts, of 1, 2 or 4 GPUs, or of all GPUs.
pub fn replica_sizes(gpus: u32) -> Vec<u32> {
    let most = gpus.min(Number::Gpus.spec().most as u32);
    (1..=most)
        .filter(|size| replicas_on(gpus, *size).is_some())
        .filter(|size| size.is_multiple_of(HOST) || [1, 2, 4, gpus].contains(size))
        .collect()
}
