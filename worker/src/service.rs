//! Levers of a service in slices, and their answer as numbers.

use crate::levers::{perhaps, push_lever, read_lever};
use crate::numbers::Reader;
use crate::steps::Steps;
use model_core::levers::{Change, Lever};
use model_core::service::levers::{LeverWork, ServiceLevers};

impl Steps for LeverWork {
    fn step(&mut self) -> bool {
        LeverWork::step(self)
    }

    /// For [`ServiceLeversAnswer::read`].
    fn answer(&self, _: bool, _: f64) -> Vec<f64> {
        let every = Change::every();
        let found = ServiceLeversAnswer::of(&self.found);
        let mut numbers = vec![perhaps(found.base), found.all.len() as f64];
        for one in &found.all {
            numbers.extend([
                perhaps(one.worth),
                perhaps(one.gpus),
                f64::from(u8::from(one.listed)),
            ]);
            push_lever(&mut numbers, &every, &one.lever);
        }
        numbers
    }
}

/// A lever with what its service gives.
#[derive(Debug, Clone, PartialEq)]
pub struct ServedLever {
    /// The lever.
    pub lever: Lever,
    /// Requests per second for a dollar per hour, or for a GPU where no price is known.
    pub worth: Option<f64>,
    /// GPUs, where a rate is stated.
    pub gpus: Option<f64>,
    /// It gains enough to be listed.
    pub listed: bool,
}

/// The list so far.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceLeversAnswer {
    /// Requests per second for a dollar per hour now; `None` where nothing serves.
    pub base: Option<f64>,
    /// The levers.
    pub all: Vec<ServedLever>,
}

impl ServiceLeversAnswer {
    /// The list of levers.
    pub fn of(levers: &ServiceLevers) -> Self {
        let each = levers.all.iter().map(|one| ServedLever {
            lever: one.lever,
            worth: one.service.requests_per_cost(),
            gpus: one.service.gpus().map(|gpus| gpus as f64),
            listed: levers.is_listed(one),
        });
        Self {
            base: levers.base,
            all: each.collect(),
        }
    }

    /// Reads numbers of a list; `None` if they are invalid.
    pub fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let every = Change::every();
        let base = reader.perhaps()?;
        let all = reader.many(|reader| {
            let (worth, gpus) = (reader.perhaps()?, reader.perhaps()?);
            let listed = reader.number()? > 0.0;
            Some(ServedLever {
                lever: read_lever(reader, &every)?,
                worth,
                gpus,
                listed,
            })
        })?;
        Some(Self { base, all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::whole;
    use crate::message::Request;
    use model_core::permalink;

    #[test]
    fn an_answer_reads_as_it_was_written() {
        let link = "v=1&model=qwen3-235b-a22b&gpu=h200&rate=50&slo=25&ttft=2&gpus=8";
        let numbers = whole(&Request::ServiceLevers { link: link.into() });
        let answer = ServiceLeversAnswer::read(&mut Reader::new(&numbers)).expect("an answer");
        let found = ServiceLevers::of(&permalink::read(link).current);
        assert!(!found.all.is_empty());
        assert_eq!(answer, ServiceLeversAnswer::of(&found));
        let cut = &numbers[..numbers.len() - 1];
        assert!(ServiceLeversAnswer::read(&mut Reader::new(cut)).is_none());
    }
}
