//! Simulated quantities of golden cases, one after another, with their values as numbers.

use crate::numbers::Reader;
use crate::steps::Steps;
use model_core::permalink;
use papers::ratio;

/// Separator of the quantities in a request.
const SEPARATOR: char = '\n';

/// A request's text: names of simulated quantities, each with the link of its scenario.
pub fn text<'a>(asked: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let lines: Vec<String> = asked.map(|(name, link)| format!("{name}?{link}")).collect();
    lines.join("\n")
}

/// A running computation of quantities.
#[derive(Debug)]
pub struct QuantityJob {
    asked: Vec<String>,
    found: Vec<f64>,
}

impl QuantityJob {
    /// Starts the quantities of `text`.
    pub fn new(text: &str) -> Self {
        let lines = text.split(SEPARATOR).filter(|line| !line.is_empty());
        Self {
            asked: lines.map(str::to_owned).collect(),
            found: Vec::new(),
        }
    }
}

impl Steps for QuantityJob {
    fn step(&mut self) -> bool {
        if let Some(line) = self.asked.get(self.found.len()) {
            self.found.push(value(line).unwrap_or(f64::NAN));
        }
        self.found.len() < self.asked.len()
    }

    /// For [`QuantityAnswer::read`].
    fn answer(&self, _: bool, _: f64) -> Vec<f64> {
        let mut numbers = vec![self.found.len() as f64];
        numbers.extend(&self.found);
        numbers
    }
}

fn value(line: &str) -> Option<f64> {
    let (name, link) = line.split_once('?')?;
    ratio::simulated(&permalink::read(link).current, name)
}

/// The values so far, in the order of the request; NaN for none.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantityAnswer(pub Vec<f64>);

impl QuantityAnswer {
    /// Reads numbers of [`QuantityJob`]; `None` if they are invalid.
    pub fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.many(Reader::number).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, whole};
    use crate::message::Request;

    const LINK: &str = "v=1&mode=simulate&latencies=table2&requests=200&slots=16&r=3";

    #[test]
    fn quantities_in_order() {
        let asked = [
            ("idle_ffn", LINK),
            ("nonsense", LINK),
            ("idle_attention", LINK),
        ];
        let link = text(asked.into_iter());
        let request = Request::Quantity { link };
        let mut job = Job::new(&request);
        job.advance(|| true);
        assert!(!job.is_done());
        let numbers = whole(&request);
        let answer = QuantityAnswer::read(&mut Reader::new(&numbers)).unwrap();
        let inputs = permalink::read(LINK).current;
        assert_eq!(Some(answer.0[0]), ratio::simulated(&inputs, "idle_ffn"));
        assert!(answer.0[1].is_nan());
        assert_eq!(
            Some(answer.0[2]),
            ratio::simulated(&inputs, "idle_attention")
        );
        assert!(QuantityAnswer::read(&mut Reader::new(&numbers[..2])).is_none());
    }

    #[test]
    fn empty_request_is_done() {
        assert_eq!(whole(&Request::Quantity { link: "".into() }), [0.0]);
    }
}
