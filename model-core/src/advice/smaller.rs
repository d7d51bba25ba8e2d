//! The same GPUs as several instances, each of which serves a part of the users: what one instance over slow links spends on
//! messages, smaller ones spend on reading weights more often.

use super::{AS_GOOD, Free, Keeps, Tried, as_it_is, searched_from};
use crate::scenario::{Inputs, Number};

/// Several instances on the GPUs of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smaller {
    /// How many.
    pub instances: u32,
    /// Each of them: what it changes is of an instance of so many GPUs as it is sharded by default, its gain of all.
    pub each: Free,
}

impl Smaller {
    /// The same, its gain over what all GPUs serve as one, tokens per second `before`.
    pub(super) fn over(self, before: Option<f64>) -> Self {
        let all = f64::from(self.instances) * self.each.evaluation.tokens;
        let gain = before.map(|before| all / before);
        let each = Free { gain, ..self.each };
        Self { each, ..self }
    }
}

/// GPUs of an instance that are never divided, whether or not a scale-up network joins them.
const HOST: u32 = 8;

/// GPUs of the instances that are tried: whole domains and hosts, an equal number in each, the largest first.
fn sizes(inputs: &Inputs) -> Vec<u32> {
    let whole = |number| inputs.get(number).map_or(1, |value| value as u32);
    let (gpus, unit) = (whole(Number::Gpus), whole(Number::Domain).max(HOST));
    let domains = gpus / unit;
    if domains * unit != gpus {
        return Vec::new();
    }
    let divides = |count: &u32| domains.is_multiple_of(*count);
    (2..=domains)
        .filter(divides)
        .map(|count| gpus / count)
        .collect()
}

/// The best of them whose users get `speed` tokens per second, where a GPU serves `least` tokens per second or more: more
/// instances are taken for more than what else is as good.
pub(super) fn smaller(
    inputs: &Inputs,
    speed: f64,
    least: f64,
    tried: &mut Tried,
) -> Option<Smaller> {
    let keeps = Keeps::Users(speed);
    let gpus = inputs.get(Number::Gpus)?;
    let batch = inputs.get(Number::Batch)?;
    let mut best: Option<Smaller> = None;
    let mut enough = least;
    for size in sizes(inputs) {
        let instances = (gpus / f64::from(size)) as u32;
        let mut part = *inputs;
        part.unshard();
        part.state(Number::Gpus, Some(f64::from(size)));
        let share = (batch / f64::from(instances)).round().max(1.0);
        let part = part.with(Number::Batch, share).normalized();
        let from = enough * f64::from(size);
        let found = searched_from(from, &part, keeps, AS_GOOD, None, tried).best;
        if let Some(each) = found.or_else(|| as_it_is(&part, keeps))
            && each.evaluation.tokens_per_gpu >= enough
        {
            enough = each.evaluation.tokens_per_gpu / AS_GOOD;
            best = Some(Smaller { instances, each });
        }
    }
    best
}
