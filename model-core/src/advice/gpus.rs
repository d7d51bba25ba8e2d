//! How many GPUs would do.

use crate::evaluate::evaluate;
use crate::limits::growth::inputs_on;
use crate::needs::fewest;
use crate::order::sort_numbers;
use crate::scenario::{Inputs, Number};

/// The inputs on the fewest GPUs with which they work as they are: the batch fits and meets the SLO. The same number
/// as [`crate::needs`] finds. `None` where no number does, judged by whole scale-up domains, powers of two and halves
/// between.
pub fn fewest_gpus(inputs: &Inputs) -> Option<Inputs> {
    let enough = round_number(inputs)?;
    let own = inputs.get(Number::Gpus).map(|gpus| gpus as u32);
    let gpus = fewest(inputs, own, enough, |scenario, fits| {
        let evaluated = || evaluate(&scenario).ok();
        fits && evaluated().is_some_and(|evaluation| super::works(&scenario, &evaluation))
    })?;
    inputs_on(inputs, gpus).ok()
}

/// The fewest of the numbers that people buy: no need to look beyond.
fn round_number(inputs: &Inputs) -> Option<u32> {
    let most = Number::Gpus.spec().most;
    let domain = inputs.get(Number::Domain).unwrap_or(1.0);
    let mut counts: Vec<f64> = (0..=12)
        .flat_map(|power| {
            let power = f64::from(1_u32 << power);
            [power, 1.5 * power]
        })
        .chain((1..=8).map(|count| f64::from(count) * domain))
        .filter(|count| count.fract() == 0.0 && *count <= most)
        .collect();
    sort_numbers(&mut counts);
    let works = |gpus: &u32| {
        let scenario = inputs_on(inputs, *gpus).ok()?.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        Some(super::works(&scenario, &evaluation))
    };
    counts
        .into_iter()
        .map(|count| count as u32)
        .find(|gpus| works(gpus) == Some(true))
}
