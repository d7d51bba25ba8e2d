//! The search of plans in slices, and its answer as numbers.

use crate::numbers::Reader;
use model_core::pareto::Frontier;
use model_core::permalink;
use model_core::search::{Candidates, Cloud, Faint, Found, Podium};
use model_core::sweep::{Exclusion, Exclusions, Family, Point};

/// Candidates between two looks at the clock: about a tenth of a millisecond.
const STRIDE: usize = 128;

/// A search under way.
#[derive(Debug)]
pub struct SearchJob {
    candidates: Candidates,
    next: usize,
    found: Found,
}

impl SearchJob {
    /// The search that a link states, nothing evaluated yet.
    pub fn new(link: &str) -> Self {
        let link = permalink::read(link);
        Self {
            candidates: Candidates::new(&link.current, &link.search),
            next: 0,
            found: Found::default(),
        }
    }

    /// Evaluates candidates in order until `rest` says so or none is left.
    pub fn advance(&mut self, mut rest: impl FnMut() -> bool) {
        let space = &self.candidates.space;
        while self.next < space.len() {
            let end = (self.next + STRIDE).min(space.len());
            for index in self.next..end {
                self.found.take(space, index);
            }
            self.next = end;
            if rest() {
                return;
            }
        }
    }

    /// Whether every candidate is evaluated.
    pub const fn is_done(&self) -> bool {
        self.next >= self.candidates.space.len()
    }

    /// What is found so far; [`SearchAnswer::read`] reads it.
    pub fn answer(&self, seconds: f64) -> Vec<f64> {
        let found = &self.found;
        let mut numbers = vec![
            seconds,
            self.candidates.space.len() as f64,
            found.evaluated as f64,
            found.fitting as f64,
        ];
        numbers.extend(Exclusion::ALL.map(|rule| found.excluded.of(rule) as f64));
        for podium in [&found.best, &found.cheapest] {
            for place in [podium.first, podium.second] {
                let points: Vec<Point> = place.into_iter().collect();
                push_points(&mut numbers, &points);
            }
        }
        for frontier in &found.frontiers {
            push_points(&mut numbers, frontier.points());
        }
        let faint = found.cloud.points();
        numbers.push(faint.len() as f64);
        for point in faint {
            numbers.extend([
                point.family.rank() as f64,
                point.tokens_per_user,
                point.tokens_per_gpu,
            ]);
        }
        numbers
    }
}

fn push_points(numbers: &mut Vec<f64>, points: &[Point]) {
    numbers.push(points.len() as f64);
    for point in points {
        numbers.extend([
            point.index as f64,
            point.family.rank() as f64,
            point.tokens_per_user,
            point.tokens_per_gpu,
            point.dollars_per_mtok.unwrap_or(f64::NAN),
        ]);
    }
}

/// What a search has come to so far.
#[derive(Debug, Clone)]
pub struct SearchAnswer {
    /// Seconds spent.
    pub seconds: f64,
    /// Candidates in all.
    pub candidates: usize,
    /// What is found.
    pub found: Found,
}

impl SearchAnswer {
    /// Reads what [`SearchJob::answer`] wrote; `None` where it does not read.
    pub fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let seconds = reader.number()?;
        let candidates = reader.count()?;
        let (evaluated, fitting) = (reader.count()?, reader.count()?);
        let mut excluded = Exclusions::default();
        for rule in Exclusion::ALL {
            excluded.add(rule, reader.count()?);
        }
        let mut podium = || -> Option<Podium> {
            let first = reader.many(point)?;
            let second = reader.many(point)?;
            Some(Podium {
                first: first.first().copied(),
                second: second.first().copied(),
            })
        };
        let (best, cheapest) = (podium()?, podium()?);
        let mut frontiers = std::array::from_fn(|_| Frontier::default());
        for frontier in &mut frontiers {
            *frontier = Frontier::of(reader.many(point)?);
        }
        let cloud = Cloud::of(reader.many(faint)?);
        Some(Self {
            seconds,
            candidates,
            found: Found {
                evaluated,
                fitting,
                excluded,
                frontiers,
                best,
                cheapest,
                cloud,
            },
        })
    }

    /// Candidates evaluated in a second; `None` before there is a time to speak of.
    pub fn per_second(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.found.evaluated as f64 / self.seconds)
    }
}

fn point(reader: &mut Reader<'_>) -> Option<Point> {
    Some(Point {
        index: reader.count()?,
        family: *Family::ALL.get(reader.count()?)?,
        tokens_per_user: reader.number()?,
        tokens_per_gpu: reader.number()?,
        dollars_per_mtok: reader.perhaps()?,
    })
}

fn faint(reader: &mut Reader<'_>) -> Option<Faint> {
    Some(Faint {
        family: *Family::ALL.get(reader.count()?)?,
        tokens_per_user: reader.number()?,
        tokens_per_gpu: reader.number()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Answer, Request};

    const LINK: &str = "v=1&model=llama-3.1-405b&gpu=gb200&precision=fp4&slo=30&search_gpus=8,6,16";

    fn whole() -> SearchJob {
        let mut job = SearchJob::new(LINK);
        job.advance(|| false);
        job
    }

    fn read(numbers: &[f64]) -> Option<SearchAnswer> {
        let request = Request::Search { link: LINK.into() };
        match Answer::read(&request, numbers)? {
            Answer::Search(answer) => Some(answer),
            Answer::Simulate(_) | Answer::Quantity(_) => None,
        }
    }

    #[test]
    fn an_answer_reads_as_it_was_written() {
        let job = whole();
        let answer = read(&job.answer(0.25)).expect("an answer");
        assert_eq!(answer.candidates, job.candidates.space.len());
        assert_eq!(answer.found.frontiers, job.found.frontiers);
        assert_eq!(answer.found.best, job.found.best);
        assert_eq!(answer.found.cheapest, job.found.cheapest);
        assert_eq!(answer.found.excluded, job.found.excluded);
        assert_eq!(answer.found.cloud.points(), job.found.cloud.points());
        assert!(answer.found.best.second.is_some() && !answer.found.cloud.points().is_empty());
        assert_eq!(
            answer.per_second(),
            Some(4.0 * answer.found.evaluated as f64)
        );
    }

    #[test]
    fn a_cut_or_strange_answer_is_none() {
        let numbers = whole().answer(1.0);
        for end in [0, 1, 5, numbers.len() / 2, numbers.len() - 1] {
            assert!(read(&numbers[..end]).is_none(), "{end}");
        }
        let mut strange = numbers;
        strange[1] = -1.0;
        assert!(read(&strange).is_none());
    }

    #[test]
    fn slices_come_to_what_one_run_comes_to() {
        let mut job = SearchJob::new(LINK);
        let mut slices = 0;
        while !job.is_done() {
            job.advance(|| true);
            slices += 1;
        }
        assert_eq!(slices, job.candidates.space.len().div_ceil(STRIDE));
        assert_eq!(job.answer(1.0).len(), whole().answer(1.0).len());
        let same = |a: &f64, b: &f64| a.to_bits() == b.to_bits();
        assert!(
            job.answer(1.0)
                .iter()
                .zip(&whole().answer(1.0))
                .all(|(a, b)| same(a, b))
        );
    }
}
