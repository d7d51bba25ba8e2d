//! A split under an SLO: with as many sequences as keep it.

use super::{Refusal, Setup, evaluate};
use crate::scenario::Inputs;

/// The split of `inputs` at the batch it serves: what is asked for, or as much of it as keeps the SLO. Where not even
/// one sequence for every batch in flight does, what is asked for, which [`keeps`] refuses.
pub fn setup(inputs: &Inputs) -> Result<Setup, Vec<Refusal>> {
    let asked = Setup::of(inputs)?;
    let Some(slo) = asked.compute.workload.slo else {
        return Ok(asked);
    };
    let at = |batch: f64| {
        let mut fewer = asked.with_batch(batch);
        fewer.asked = asked.asked;
        fewer
    };
    let works = |batch: f64| {
        evaluate(&at(batch)).is_ok_and(|split| keeps(Some(slo), split.tokens_per_user))
    };
    let (mut low, mut high) = (f64::from(asked.batches), asked.batch());
    if works(high) || !works(low) {
        return Ok(asked);
    }
    while high - low > 1.0 {
        let middle = f64::midpoint(low, high).floor();
        if works(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(at(low))
}

/// Whether `users` tokens per second for a user keep an SLO.
pub fn keeps(slo: Option<f64>, users: f64) -> bool {
    slo.is_none_or(|slo| users >= slo * (1.0 - 1e-9))
}
