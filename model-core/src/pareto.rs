//! Pareto frontier of throughput per GPU vs. interactivity, and comparisons of frontiers.

use crate::sweep::SweepPoint;

/// Points that no other point beats in both throughput per GPU and interactivity, sorted by decreasing interactivity.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Frontier {
    points: Vec<SweepPoint>,
}

impl Frontier {
    /// Adds a point unless another point is at least as good in both throughput per GPU and interactivity. Drops the
    /// points that the new one beats. Of equal points, the first one stays. Returns true if the point was added.
    pub fn insert(&mut self, point: SweepPoint) -> bool {
        let place = self
            .points
            .partition_point(|other| other.tokens_per_user >= point.tokens_per_user);
        if place > 0 && self.points[place - 1].tokens_per_gpu >= point.tokens_per_gpu {
            return false;
        }
        let beaten = self.points[place..]
            .iter()
            .take_while(|other| other.tokens_per_gpu <= point.tokens_per_gpu)
            .count();
        let equal_before = self.points[..place]
            .iter()
            .rev()
            .take_while(|other| {
                other.tokens_per_user <= point.tokens_per_user
                    && other.tokens_per_gpu <= point.tokens_per_gpu
            })
            .count();
        self.points
            .splice(place - equal_before..place + beaten, [point]);
        true
    }

    /// Builds the Pareto frontier of `points`.
    pub fn of(points: impl IntoIterator<Item = SweepPoint>) -> Self {
        let mut frontier = Self::default();
        for point in points {
            frontier.insert(point);
        }
        frontier
    }

    /// Returns the points of the frontier, sorted by decreasing interactivity.
    pub fn points(&self) -> &[SweepPoint] {
        &self.points
    }

    /// Returns the point with the highest throughput per GPU among those with an interactivity of at least
    /// `tokens_per_user`.
    pub fn at_least(&self, tokens_per_user: f64) -> Option<&SweepPoint> {
        let count = self
            .points
            .partition_point(|point| point.tokens_per_user >= tokens_per_user);
        count.checked_sub(1).map(|last| &self.points[last])
    }

    /// Returns the highest interactivity of this frontier divided by that of `other`.
    ///
    /// Source: [H] 3.2.
    pub fn interactivity_over(&self, other: &Self) -> Option<f64> {
        Some(self.points.first()?.tokens_per_user / other.points.first()?.tokens_per_user)
    }

    /// Returns the largest ratio of this frontier's throughput per GPU to that of `other`, at equal interactivity.
    /// Also returns this interactivity in tok/s/user.
    ///
    /// Both frontiers are step functions, so the ratio is largest at a step of one of them.
    ///
    /// Source: [H] 3.2.
    pub fn throughput_over(&self, other: &Self) -> Option<(f64, f64)> {
        self.points
            .iter()
            .chain(&other.points)
            .filter_map(|step| {
                let users = step.tokens_per_user;
                let ratio =
                    self.at_least(users)?.tokens_per_gpu / other.at_least(users)?.tokens_per_gpu;
                Some((ratio, users))
            })
            .reduce(|most, next| if next.0 > most.0 { next } else { most })
    }
}

/// Returns the point with the highest throughput per GPU.
pub fn best(points: &[SweepPoint]) -> Option<&SweepPoint> {
    points.iter().reduce(|most, next| {
        if next.tokens_per_gpu > most.tokens_per_gpu {
            next
        } else {
            most
        }
    })
}

/// Returns the point with the lowest cost per million tokens, among the points that have a price.
pub fn cheapest(points: &[SweepPoint]) -> Option<&SweepPoint> {
    points
        .iter()
        .filter(|point| point.dollars_per_mtok.is_some())
        .reduce(|least, next| {
            if next.dollars_per_mtok < least.dollars_per_mtok {
                next
            } else {
                least
            }
        })
}
