//! The same GPUs as several instances, each of which serves a part of the users: what one instance over slow links spends on
//! messages, smaller ones spend on reading weights more often.

use super::Free;
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

/// How many instances are tried: whole domains and hosts, an equal number in each, the fewest first.
pub(super) fn divisions(inputs: &Inputs) -> Vec<u32> {
    let whole = |number| inputs.get(number).map_or(1, |value| value as u32);
    let (gpus, unit) = (whole(Number::Gpus), whole(Number::Domain).max(HOST));
    let domains = gpus / unit;
    let divides = |count: &u32| domains * unit == gpus && domains.is_multiple_of(*count);
    (2..=domains).filter(divides).collect()
}

/// One of so many instances, sharded as its GPUs are by default, with its part of the sequences.
pub(super) fn part(inputs: &Inputs, instances: u32) -> Inputs {
    let share = |number| inputs.get(number).unwrap_or(1.0) / f64::from(instances);
    let mut part = *inputs;
    part.unshard();
    part.state(Number::Gpus, Some(share(Number::Gpus)));
    part.with(Number::Batch, share(Number::Batch).round().max(1.0))
        .normalized()
}
