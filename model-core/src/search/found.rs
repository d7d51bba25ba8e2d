//! What a search has found so far.

use super::Cloud;
use crate::pareto::Frontier;
use crate::sweep::{Exclusion, Exclusions, Family, Outcome, Point, Space};

/// Frontiers, counts and winners of the candidates taken so far; the order of taking plays no part in
/// anything but ties, which the first one wins.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Candidates evaluated.
    pub evaluated: usize,
    /// Those that fit the memory and meet the SLO.
    pub fitting: usize,
    /// Those that do not, by the rule.
    pub excluded: Exclusions,
    /// The frontier of each family, by [`Family::rank`], whether or not the SLO is met.
    pub frontiers: [Frontier; Family::ALL.len()],
    /// Most throughput per GPU under the SLO.
    pub best: Podium,
    /// Fewest dollars per million tokens under the SLO, of those with a price.
    pub cheapest: Podium,
    /// All that fit the memory, thinned.
    pub cloud: Cloud,
}

/// The winner and the runner-up: the best candidate that shards differently from the winner, or stands
/// on another accelerator or in another precision. Another batch or schedule of the same sharding is
/// not another plan.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Podium {
    /// The winner.
    pub first: Option<Point>,
    /// The best of the others.
    pub second: Option<Point>,
}

impl Podium {
    /// Takes a candidate in; `worth` is greater for the better one, `None` where it takes no part.
    fn take(&mut self, space: &Space, point: Point, worth: impl Fn(&Point) -> Option<f64>) {
        let Some(value) = worth(&point) else { return };
        let beats = |other: &Option<Point>| {
            other
                .as_ref()
                .and_then(&worth)
                .is_none_or(|other| value > other)
        };
        let alike = |other: &Option<Point>| {
            other.is_some_and(|other| space.same_sharding(other.index, point.index))
        };
        if beats(&self.first) {
            if !alike(&self.first) {
                self.second = self.first;
            }
            self.first = Some(point);
        } else if beats(&self.second) && !alike(&self.first) {
            self.second = Some(point);
        }
    }
}

impl Found {
    /// Evaluates a candidate and takes it in.
    pub fn take(&mut self, space: &Space, index: usize) {
        self.evaluated += 1;
        let point = match space.outcome(index) {
            Outcome::Excluded(rule) => {
                self.excluded.add(rule, 1);
                return;
            }
            Outcome::MissesSlo(point) => {
                self.excluded.add(Exclusion::MissesSlo, 1);
                point
            }
            Outcome::Fits(point) => {
                self.fitting += 1;
                self.best
                    .take(space, point, |point| Some(point.tokens_per_gpu));
                // Fewer dollars are worth more.
                self.cheapest.take(space, point, |point| {
                    point.dollars_per_mtok.map(|price| -price)
                });
                point
            }
        };
        self.frontiers[point.family.rank()].insert(point);
        self.cloud.take(&point);
    }

    /// The frontier of several families together.
    pub fn frontier(&self, families: &[Family]) -> Frontier {
        Frontier::of(
            families
                .iter()
                .flat_map(|family| self.frontiers[family.rank()].points())
                .copied(),
        )
    }

    /// What `families` gain over `others`; `None` where either has nothing that fits.
    pub fn gains(&self, families: &[Family], others: &[Family]) -> Option<Gains> {
        let (ours, theirs) = (self.frontier(families), self.frontier(others));
        let (throughput, at) = ours.throughput_over(&theirs)?;
        Some(Gains {
            interactivity: ours.interactivity_over(&theirs)?,
            throughput,
            at_tokens_per_user: at,
            ours: *ours.at_least(at)?,
            theirs: *theirs.at_least(at)?,
        })
    }
}

/// One frontier over another.
///
/// Source: [H] 3.2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gains {
    /// The ratio of the greatest interactivities.
    pub interactivity: f64,
    /// The largest ratio of throughput per GPU at equal interactivity.
    pub throughput: f64,
    /// That interactivity, in tokens per second and user.
    pub at_tokens_per_user: f64,
    /// The point of this frontier there.
    pub ours: Point,
    /// The point of the other one there.
    pub theirs: Point,
}
