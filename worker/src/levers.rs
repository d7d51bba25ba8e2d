//! The list of levers in slices, and its answer as numbers.

use crate::numbers::{Reader, push_text};
use crate::steps::Steps;
use model_core::levers::{Base, Change, Effect, Lever, Levers, ListInProgress};
use model_core::permalink;

impl Steps for ListInProgress {
    fn step(&mut self) -> bool {
        ListInProgress::step(self)
    }

    /// For [`LeversAnswer::read`].
    fn answer(&self, done: bool, _: f64) -> Vec<f64> {
        let levers = self.done();
        let every = Change::every();
        let mut numbers = vec![
            flag(self.has_elementary()),
            flag(done),
            levers.base.users,
            perhaps(levers.base.tokens_per_gpu),
            perhaps(levers.base.batch),
            perhaps(levers.best),
            levers.all.len() as f64,
        ];
        for lever in &levers.all {
            push_lever(&mut numbers, &every, lever);
        }
        numbers
    }
}

/// The number of a value that may be absent.
pub fn perhaps(value: Option<f64>) -> f64 {
    value.unwrap_or(f64::NAN)
}

/// The number of a truth.
pub fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// Writes a lever, whose change has a place among `every`.
pub fn push_lever(numbers: &mut Vec<f64>, every: &[Change], lever: &Lever) {
    let place = every.iter().position(|change| *change == lever.change);
    let (effect, rate) = match lever.effect {
        Effect::Serves => (0.0, 0.0),
        Effect::Fits => (1.0, 0.0),
        Effect::Meets(rate) => (2.0, rate),
        Effect::Runs => (3.0, 0.0),
    };
    numbers.extend([
        place.unwrap_or_default() as f64,
        perhaps(lever.factor),
        perhaps(lever.factor_now),
        perhaps(lever.half),
        effect,
        rate,
        flag(lever.extrapolated),
    ]);
    push_text(numbers, &permalink::write_inputs(&lever.inputs));
}

/// Reads numbers of [`push_lever`]; `None` if they are invalid.
pub fn read_lever(reader: &mut Reader<'_>, every: &[Change]) -> Option<Lever> {
    let change = *every.get(reader.count()?)?;
    let (factor, factor_now) = (reader.perhaps()?, reader.perhaps()?);
    let half = reader.perhaps()?;
    let (effect, rate) = (reader.count()?, reader.number()?);
    Some(Lever {
        change,
        factor,
        factor_now,
        half,
        effect: match effect {
            0 => Effect::Serves,
            1 => Effect::Fits,
            2 => Effect::Meets(rate),
            _ => Effect::Runs,
        },
        extrapolated: reader.number()? > 0.0,
        inputs: permalink::read(&reader.text()?).current,
    })
}

/// The list so far.
#[derive(Debug, Clone, PartialEq)]
pub struct LeversAnswer {
    /// True once all but combinations and pairs of parts are in the list.
    pub elementary: bool,
    /// True once the list is complete.
    pub complete: bool,
    /// The levers.
    pub levers: Levers,
}

impl LeversAnswer {
    /// Reads numbers of a list; `None` if they are invalid.
    pub fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let every = Change::every();
        let elementary = reader.number()? > 0.0;
        let complete = reader.number()? > 0.0;
        let base = Base {
            users: reader.number()?,
            tokens_per_gpu: reader.perhaps()?,
            batch: reader.perhaps()?,
        };
        let best = reader.perhaps()?;
        let all = reader.many(|reader| read_lever(reader, &every))?;
        Some(Self {
            elementary,
            complete,
            levers: Levers { base, best, all },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::whole;
    use crate::message::Request;

    #[test]
    fn an_answer_reads_as_it_was_written() {
        for link in ["v=1", "v=1&batch=60000&context=64k", "v=1&ep=64&slo=40"] {
            let numbers = whole(&Request::Levers { link: link.into() });
            let answer = LeversAnswer::read(&mut Reader::new(&numbers)).expect("an answer");
            let found = Levers::of(&permalink::read(link).current);
            assert!(answer.elementary && answer.complete);
            assert_eq!(answer.levers, found, "{link}");
            let cut = &numbers[..numbers.len() - 1];
            assert!(LeversAnswer::read(&mut Reader::new(cut)).is_none());
        }
    }
}
