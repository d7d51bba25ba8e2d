//! The search for plans in slices, and its answer as numbers.

use crate::numbers::Reader;
use crate::steps::Steps;
use model_core::inputs::Number;
use model_core::pareto::Frontier;
use model_core::permalink;
use model_core::search::{Candidates, Found, Group, Scope};
use model_core::sweep::{Exclusion, Exclusions, Strategy, SweepPoint};

/// Candidates between two checks of the clock: about a tenth of a millisecond.
const STRIDE: usize = 128;

/// A running search.
#[derive(Debug)]
pub struct SearchJob {
    candidates: Candidates,
    next: usize,
    found: Found,
}

impl SearchJob {
    /// Starts the search of a link.
    pub fn new(link: &str) -> Self {
        let link = permalink::read(link);
        let own = link.current.get(Number::Gpus).unwrap_or(0.0);
        Self {
            candidates: Candidates::new(&link.current, &link.search),
            next: 0,
            found: Found::on(own as u32),
        }
    }
}

impl Steps for SearchJob {
    /// Evaluates the next candidates.
    fn step(&mut self) -> bool {
        let space = &self.candidates.space;
        let end = (self.next + STRIDE).min(space.len());
        for index in self.next..end {
            self.found.take(space, index);
        }
        self.next = end;
        end < space.len()
    }

    /// For [`SearchAnswer::read`].
    fn answer(&self, _: bool, seconds: f64) -> Vec<f64> {
        let found = &self.found;
        let mut numbers = vec![
            seconds,
            self.candidates.space.len() as f64,
            found.evaluated as f64,
            found.fitting as f64,
        ];
        push_excluded(&mut numbers, &found.excluded);
        numbers.push(found.groups.len() as f64);
        for scope in found
            .groups
            .iter()
            .flat_map(|group| [&group.any, &group.own])
        {
            push_points(&mut numbers, scope.frontier.points());
            push_points(&mut numbers, scope.best.as_slice());
            push_excluded(&mut numbers, &scope.excluded);
        }
        numbers
    }
}

fn push_excluded(numbers: &mut Vec<f64>, excluded: &Exclusions) {
    numbers.extend(Exclusion::ALL.map(|rule| excluded.of(rule) as f64));
}

fn push_points(numbers: &mut Vec<f64>, points: &[SweepPoint]) {
    numbers.push(points.len() as f64);
    for point in points {
        numbers.extend([
            point.index as f64,
            point.strategy.rank() as f64,
            point.batch,
            point.tokens_per_user,
            point.tokens_per_gpu,
            point.dollars_per_mtok.unwrap_or(f64::NAN),
        ]);
    }
}

/// Results of a search so far.
#[derive(Debug, Clone)]
pub struct SearchAnswer {
    /// Seconds spent.
    pub seconds: f64,
    /// Number of candidates.
    pub candidates: usize,
    /// Frontiers, counts and best plans.
    pub found: Found,
}

impl SearchAnswer {
    /// Reads numbers of [`SearchJob`]; `None` if they are invalid.
    pub fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let seconds = reader.number()?;
        let candidates = reader.count()?;
        let (evaluated, fitting) = (reader.count()?, reader.count()?);
        let excluded = exclusions(reader)?;
        let groups = reader.many(|reader| {
            Some(Group {
                any: scope(reader)?,
                own: scope(reader)?,
            })
        })?;
        Some(Self {
            seconds,
            candidates,
            found: Found {
                own_gpus: 0,
                evaluated,
                fitting,
                excluded,
                groups,
            },
        })
    }

    /// Candidates evaluated per second; `None` before any time has passed.
    pub fn per_second(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.found.evaluated as f64 / self.seconds)
    }
}

fn point(reader: &mut Reader<'_>) -> Option<SweepPoint> {
    Some(SweepPoint {
        index: reader.count()?,
        strategy: *Strategy::ALL.get(reader.count()?)?,
        batch: reader.number()?,
        tokens_per_user: reader.number()?,
        tokens_per_gpu: reader.number()?,
        dollars_per_mtok: reader.perhaps()?,
    })
}

fn exclusions(reader: &mut Reader<'_>) -> Option<Exclusions> {
    let mut excluded = Exclusions::default();
    for rule in Exclusion::ALL {
        excluded.add(rule, reader.count()?);
    }
    Some(excluded)
}

fn scope(reader: &mut Reader<'_>) -> Option<Scope> {
    Some(Scope {
        frontier: Frontier::of(reader.many(point)?),
        best: reader.many(point)?.first().copied(),
        excluded: exclusions(reader)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, whole};
    use crate::message::{Answer, Request};

    const LINK: &str = "v=1&model=llama-3.1-405b&gpu=gb200&precision=fp4&slo=30&search_gpus=8,6,16";

    fn request() -> Request {
        Request::Search { link: LINK.into() }
    }

    fn read(numbers: &[f64]) -> Option<SearchAnswer> {
        match Answer::read(&request(), numbers)? {
            Answer::Search(answer) => Some(answer),
            _ => None,
        }
    }

    #[test]
    fn an_answer_reads_as_it_was_written() {
        let mut job = SearchJob::new(LINK);
        while job.step() {}
        let answer = read(&job.answer(true, 0.25)).expect("an answer");
        assert_eq!(answer.candidates, job.candidates.space.len());
        assert_eq!(answer.found.groups, job.found.groups);
        assert_eq!(answer.found.excluded, job.found.excluded);
        let refined = |group: &Group| group.any.best.is_some();
        assert!(answer.found.groups.iter().any(refined));
        assert_eq!(
            answer.per_second(),
            Some(4.0 * answer.found.evaluated as f64)
        );
    }

    #[test]
    fn a_cut_or_strange_answer_is_none() {
        let numbers = whole(&request());
        for end in [0, 1, 5, numbers.len() / 2, numbers.len() - 1] {
            assert!(read(&numbers[..end]).is_none(), "{end}");
        }
        let mut strange = numbers;
        strange[1] = -1.0;
        assert!(read(&strange).is_none());
    }

    #[test]
    fn slices_equal_one_run() {
        let mut job = Job::new(&request());
        let mut slices = 0;
        while !job.is_done() {
            job.advance(|| true);
            slices += 1;
        }
        let candidates = SearchJob::new(LINK).candidates.space.len();
        assert_eq!(slices, candidates.div_ceil(STRIDE));
        let bits = |numbers: Vec<f64>| numbers.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(job.answer(0.25)), bits(whole(&request())));
    }
}
