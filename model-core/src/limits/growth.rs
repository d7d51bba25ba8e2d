//! One deployment on more or fewer GPUs.

use super::best_batch;
use crate::cost::memory::{Memory, batch_capacity, memory};
use crate::inputs::{Inputs, Number};
use crate::order::sort_by_key;
use crate::refusal::Refusal;
use crate::scenario::Scenario;

/// Memory of one GPU when the deployment has `gpus` of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grown {
    /// Total GPUs.
    pub gpus: u32,
    /// Memory of the most loaded GPU, at the batch of the inputs.
    pub memory: Memory,
    /// The largest batch that fits.
    pub b_cap: f64,
    /// The largest batch that fits and meets the SLO; 0 if none does.
    pub largest: f64,
}

/// Memory per GPU at each GPU count that has a plan, at the batch of `inputs`.
///
/// Source: [B] Figure 8.
pub fn growth(inputs: &Inputs, gpus: &[u32]) -> Vec<Grown> {
    gpus.iter()
        .filter_map(|&gpus| {
            let scenario = on_gpus(inputs, gpus).ok()?;
            Some(Grown {
                gpus,
                memory: memory(&scenario, scenario.workload.batch),
                b_cap: batch_capacity(&scenario),
                largest: best_batch(&scenario),
            })
        })
        .collect()
}

/// The smallest GPU count, of at most 1,024, whose memory holds the batch of `inputs`, even with more micro-batches
/// than sequences.
pub fn fewest_idle(inputs: &Inputs) -> Option<u32> {
    let batch = inputs.get(Number::Batch)?;
    let fits = |gpus: &u32| {
        let scenario = on_gpus(inputs, *gpus);
        scenario.is_ok_and(|scenario| batch_capacity(&scenario) >= batch)
    };
    let enough = (0..=10).map(|power| 1_u32 << power).find(fits)?;
    (1..=enough).find(fits)
}

/// The scenario on another GPU count: stated factors of the plan that no longer complete their product
/// return to their defaults, as few as necessary.
///
/// Errors: the rules that even the default sharding breaks.
pub fn on_gpus(inputs: &Inputs, gpus: u32) -> Result<Scenario, Vec<Refusal>> {
    scenario_on(inputs.with(Number::Gpus, f64::from(gpus)))
}

/// Order in which stated factors are dropped: data parallelism first, pipeline stages last.
const GIVEN_UP: [Number; 6] = [
    Number::Dp,
    Number::Ep,
    Number::FfnTp,
    Number::Kvp,
    Number::Tp,
    Number::Pp,
];

/// Like [`on_gpus`], but returns the inputs.
///
/// Errors: the rules that even the default sharding breaks.
pub fn inputs_on(inputs: &Inputs, gpus: u32) -> Result<Inputs, Vec<Refusal>> {
    settled(inputs.with(Number::Gpus, f64::from(gpus))).map(|(inputs, _)| inputs.normalized())
}

/// The scenario of inputs whose GPUs were changed.
pub(super) fn scenario_on(inputs: Inputs) -> Result<Scenario, Vec<Refusal>> {
    settled(inputs).map(|(_, scenario)| scenario)
}

fn settled(mut inputs: Inputs) -> Result<(Inputs, Scenario), Vec<Refusal>> {
    let mut result = inputs.scenario();
    for number in GIVEN_UP {
        if result.is_ok() {
            break;
        }
        if inputs.stated(number).is_some() {
            inputs.state(number, None);
            result = inputs.scenario();
        }
    }
    result.map(|scenario| (inputs, scenario))
}

/// 1, 2, 4, …, up to `most`, with `present` among them.
pub fn gpu_counts(present: u32, most: u32) -> Vec<u32> {
    let mut counts: Vec<u32> = (0..=12).map(|power| 1 << power).collect();
    counts.retain(|count| *count <= most);
    counts.push(present);
    sort_by_key(&mut counts, |count| *count);
    counts.dedup();
    counts
}
