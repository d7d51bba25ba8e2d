//! The cost of pools over lengths of requests in slices, and its answer as numbers.

use crate::levers::perhaps;
use crate::numbers::Reader;
use crate::steps::Steps;
use model_core::inputs::Inputs;
use model_core::permalink;
use model_core::service::answer::ComparedCosts;
use model_core::service::pays::LengthGrid;

/// A running plane.
#[derive(Debug)]
pub struct PaysJob {
    inputs: Inputs,
    lengths: LengthGrid,
    found: Vec<ComparedCosts>,
}

impl PaysJob {
    /// Starts the plane of a link.
    pub fn new(link: &str) -> Self {
        let inputs = permalink::read(link).current;
        Self::over(inputs, LengthGrid::around(&inputs))
    }

    /// Starts some lengths.
    pub const fn over(inputs: Inputs, lengths: LengthGrid) -> Self {
        Self {
            inputs,
            lengths,
            found: Vec::new(),
        }
    }
}

impl Steps for PaysJob {
    fn step(&mut self) -> bool {
        let next = self.lengths.compared(&self.inputs, self.found.len());
        self.found.push(next);
        self.found.len() < self.lengths.len()
    }

    /// For [`PaysAnswer::read`].
    fn answer(&self, _: bool, _: f64) -> Vec<f64> {
        let mut numbers = Vec::new();
        for axis in [&self.lengths.prompts, &self.lengths.outputs] {
            numbers.push(axis.len() as f64);
            numbers.extend(axis);
        }
        numbers.push(self.found.len() as f64);
        let pairs = self.found.iter();
        numbers.extend(pairs.flat_map(|of| [perhaps(of.pools), perhaps(of.aggregated)]));
        numbers
    }
}

/// The points so far.
#[derive(Debug, Clone, PartialEq)]
pub struct PaysAnswer {
    /// Every length.
    pub lengths: LengthGrid,
    /// The points that are done, in their order.
    pub found: Vec<ComparedCosts>,
}

impl PaysAnswer {
    /// Reads numbers of [`PaysJob`]; `None` if they are invalid.
    pub fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let lengths = LengthGrid {
            prompts: reader.many(Reader::number)?,
            outputs: reader.many(Reader::number)?,
        };
        let found = reader.many(|reader| {
            Some(ComparedCosts {
                pools: reader.perhaps()?,
                aggregated: reader.perhaps()?,
            })
        })?;
        Some(Self { lengths, found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;

    #[test]
    fn an_answer_reads_as_it_was_written() {
        let inputs = permalink::read("v=1&model=qwen3-30b-a3b&gpu=h200&rate=50&slo=25").current;
        let plane = PaysJob::over(inputs, LengthGrid::with(&inputs, (3, 2)));
        let mut job = Job::of(Box::new(plane));
        job.advance(|| true);
        assert!(!job.is_done());
        job.advance(|| false);
        assert!(job.is_done());
        let numbers = job.answer(0.25);
        let answer = PaysAnswer::read(&mut Reader::new(&numbers)).expect("an answer");
        assert_eq!((answer.found.len(), answer.lengths.len()), (6, 6));
        assert!(answer.found.iter().any(|of| of.over().is_some()));
        let cut = &numbers[..numbers.len() - 1];
        assert!(PaysAnswer::read(&mut Reader::new(cut)).is_none());
    }
}
