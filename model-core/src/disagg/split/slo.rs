//! A split under an SLO: with as many sequences as keep it.

use super::memory::batch_capacity;
use super::refusal::SplitRefusal;
use super::setup::Setup;
use super::step::evaluate;
use crate::scenario::{Inputs, Number};

/// The split of `inputs` at the batch it serves: the batch stated, or as much of it as meets the SLO. If not even
/// one sequence for every batch in flight does, the batch stated, which [`keeps`] refuses.
pub fn setup(inputs: &Inputs) -> Result<Setup, Vec<SplitRefusal>> {
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

/// The inputs asking either side for as many sequences as fit and leave users `users` tokens per second.
#[must_use]
pub fn at_speed(inputs: &Inputs, users: f64) -> Inputs {
    let slo = (users > 0.0).then_some(users);
    let mut asked = inputs.with(Number::Batch, Number::Batch.spec().most);
    asked.state(Number::Slo, slo);
    asked
}

/// The split of `inputs` with as many sequences as fit and leave users `users` tokens per second, of a trace too. Where
/// no batch does: what is asked for, or as much of it as fits.
pub fn served(inputs: &Inputs, users: f64) -> Result<Setup, Vec<SplitRefusal>> {
    let most = Setup::of(&at_speed(inputs, users))?;
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
    let mut low = f64::from(most.batches);
    let mut high = most.batch().min(room).floor().max(low);
    if works(high) {
        return Ok(at(high));
    }
    if !works(low) {
        let asked = Setup::of(inputs)?.batch();
        return Ok(at(asked.min(room).max(low)));
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

/// `users` tokens per second for a user keep an SLO.
pub fn keeps(slo: Option<f64>, users: f64) -> bool {
    slo.is_none_or(|slo| users >= slo * (1.0 - 1e-9))
}
