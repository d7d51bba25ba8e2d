//! Finds the largest batch with which a Lamina deployment meets an SLO.

use super::memory::batch_capacity;
use super::refusal::SplitRefusal;
use super::setup::SplitSetup;
use super::step::evaluate;
use crate::inputs::{Inputs, Number};
use crate::math::bisect;

/// Returns the Lamina deployment of `inputs` at its stated batch, or at the largest smaller batch that meets the SLO.
/// If even one sequence per micro-batch misses the SLO, the stated batch is returned; [`keeps`] then rejects it.
pub fn setup(inputs: &Inputs) -> Result<SplitSetup, Vec<SplitRefusal>> {
    let asked = SplitSetup::of(inputs)?;
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
    let (low, high) = (f64::from(asked.batches), asked.batch());
    if works(high) || !works(low) {
        return Ok(asked);
    }
    let [last, _] = bisect(low, high, works);
    Ok(at(last))
}

/// Returns the inputs with `users` tok/s/user as the SLO and the largest batch that the permalink key allows. Lamina
/// and the homogeneous cluster then each serve as many sequences as fit and meet this SLO.
#[must_use]
pub fn at_speed(inputs: &Inputs, users: f64) -> Inputs {
    let slo = (users > 0.0).then_some(users);
    let mut asked = inputs.with(Number::Batch, Number::Batch.spec().most);
    asked.state(Number::Slo, slo);
    asked
}

/// Returns the Lamina deployment of `inputs` with the largest batch that fits and meets `users` tok/s/user, with or
/// without a trace. If no batch does, the stated batch is used, or as much of it as fits.
pub fn served(inputs: &Inputs, users: f64) -> Result<SplitSetup, Vec<SplitRefusal>> {
    let most = SplitSetup::of(&at_speed(inputs, users))?;
    let at = |batch: f64| {
        let mut fewer = most.with_batch(batch);
        fewer.asked = most.asked;
        fewer
    };
    let works = |batch: f64| {
        let split = evaluate(&at(batch));
        split.is_ok_and(|split| split.fits() && keeps(Some(users), split.tokens_per_user))
    };
    let room = batch_capacity(&most);
    let low = f64::from(most.batches);
    let high = most.batch().min(room).floor().max(low);
    if works(high) {
        return Ok(at(high));
    }
    if !works(low) {
        let asked = SplitSetup::of(inputs)?.batch();
        return Ok(at(asked.min(room).max(low)));
    }
    let [last, _] = bisect(low, high, works);
    Ok(at(last))
}

/// Tests whether a rate of `users` tok/s/user meets the SLO.
pub fn keeps(slo: Option<f64>, users: f64) -> bool {
    slo.is_none_or(|slo| users >= slo * (1.0 - 1e-9))
}
