//! Evaluates one deployment on more or fewer GPUs.

use super::best_batch;
use crate::cost::memory::{Memory, batch_capacity, memory};
use crate::inputs::{Inputs, Number};
use crate::order::sort_by_key;
use crate::refusal::Refusal;
use crate::scenario::Scenario;

/// Memory use and batch limits of a deployment on `gpus` GPUs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grown {
    /// Total number of GPUs.
    pub gpus: u32,
    /// Memory use of the most loaded GPU, at the batch of the inputs.
    pub memory: Memory,
    /// The largest batch that fits.
    pub b_cap: f64,
    /// The largest batch that fits and meets the SLO; 0 if none does.
    pub largest: f64,
}

/// Returns the memory use per GPU at each GPU count for which there is a plan, at the batch of `inputs`.
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

/// Returns the smallest GPU count, up to 1,024, whose memory holds the batch of `inputs`. Only memory is checked; the
/// plan may have more micro-batches than sequences.
pub fn fewest_idle(inputs: &Inputs) -> Option<u32> {
    let batch = inputs.get(Number::Batch)?;
    let fits = |gpus: &u32| {
        let scenario = on_gpus(inputs, *gpus);
        scenario.is_ok_and(|scenario| batch_capacity(&scenario) >= batch)
    };
    let enough = (0..=10).map(|power| 1_u32 << power).find(fits)?;
    (1..=enough).find(fits)
}

/// Returns the scenario on another GPU count. If the product of the plan's factors no longer equals the GPU count, as
/// few factors as necessary return to their defaults.
///
/// If even the default sharding breaks rules, the error lists them.
pub fn on_gpus(inputs: &Inputs, gpus: u32) -> Result<Scenario, Vec<Refusal>> {
    scenario_on(inputs.with(Number::Gpus, f64::from(gpus)))
}

/// Order in which stated factors of a plan return to their defaults: data parallelism first, pipeline stages last.
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
/// If even the default sharding breaks rules, the error lists them.
pub fn inputs_on(inputs: &Inputs, gpus: u32) -> Result<Inputs, Vec<Refusal>> {
    settled(inputs.with(Number::Gpus, f64::from(gpus))).map(|(inputs, _)| inputs.normalized())
}

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

/// Returns the GPU counts 1, 2, 4, … up to `most`, and also `present`.
pub fn gpu_counts(present: u32, most: u32) -> Vec<u32> {
    let mut counts: Vec<u32> = (0..=12).map(|power| 1 << power).collect();
    counts.retain(|count| *count <= most);
    counts.push(present);
    sort_by_key(&mut counts, |count| *count);
    counts.dedup();
    counts
}
