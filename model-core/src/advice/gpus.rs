//! How many GPUs would do.

use crate::evaluate::evaluate;
use crate::limits::growth::inputs_on;
use crate::scenario::{Inputs, Number};

/// The inputs on the fewest GPUs, in whole scale-up domains, powers of two and halves between, with which
/// they work as they are: the batch fits and meets the SLO. `None` where no number does.
pub fn fewest_gpus(inputs: &Inputs) -> Option<Inputs> {
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
    counts.sort_by(f64::total_cmp);
    counts.dedup();
    counts.into_iter().find_map(|gpus| {
        let grown = inputs_on(inputs, gpus as u32).ok()?;
        let scenario = grown.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        super::works(&scenario, &evaluation).then_some(grown)
    })
}
