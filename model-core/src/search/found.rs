//! Results of a plan search so far: frontiers, counts and best plans.

use crate::evaluate::with_batch;
use crate::levers::is_feasible;
use crate::limits::fullest;
use crate::pareto::Frontier;
use crate::search::replicas_on;
use crate::sweep::{Exclusion, Exclusions, Space, Strategy, SweepPoint, TriedPlan};
use crate::workload::Serving;

/// Frontiers, counts and best plans of the candidates evaluated so far. The order of evaluation matters only for
/// ties: the first of equal candidates wins.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Found {
    /// Total number of the user's GPUs, over all replicas. Plans with identical replicas that use all of these GPUs are
    /// also collected separately.
    pub own_gpus: u32,
    /// Number of candidates evaluated so far.
    pub evaluated: usize,
    /// Number of candidates that fit in memory and meet the SLO.
    pub fitting: usize,
    /// Number of excluded candidates, counted by the rule that excludes them.
    pub excluded: Exclusions,
    /// Results for each base (accelerator and precision) and strategy, ordered by base, then by [`Strategy::rank`].
    /// The list grows on demand.
    pub groups: Vec<Group>,
}

/// Search results of one strategy on one base (a pair of accelerator and precision).
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Group {
    /// Results of this strategy on any GPU count.
    pub any: Scope,
    /// Results of this strategy on all of the user's GPUs, in identical replicas.
    pub own: Scope,
}

/// Search results for a set of GPU counts.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Scope {
    /// Frontier of the candidates of these GPU counts, including those that miss the SLO.
    pub frontier: Frontier,
    /// The feasible plan with the most throughput per GPU. Of the integer batches that meet the SLO and fit in memory,
    /// it has the batch with the most throughput.
    pub best: Option<SweepPoint>,
    /// Number of excluded candidates, counted by the rule that excludes them.
    pub excluded: Exclusions,
}

impl Scope {
    fn beaten_by(&self, point: &SweepPoint) -> bool {
        self.best
            .is_none_or(|best| point.tokens_per_gpu > best.tokens_per_gpu)
    }

    /// Iterates over the points of the frontier, then the best plan at its exact batch.
    pub fn points(&self) -> impl Iterator<Item = &SweepPoint> + Clone {
        self.frontier.points().iter().chain(self.best.as_ref())
    }
}

impl Found {
    /// Returns an empty search result for a user with `own_gpus` GPUs.
    pub fn on(own_gpus: u32) -> Self {
        Self {
            own_gpus,
            ..Self::default()
        }
    }

    /// Evaluates every candidate of `space` in one call and returns the results.
    pub fn all(space: &Space, own_gpus: u32) -> Self {
        let mut found = Self::on(own_gpus);
        for index in 0..space.len() {
            found.take(space, index);
        }
        found
    }

    /// Returns the search results of a strategy on a base (accelerator and precision), if there are any.
    pub fn group(&self, base: usize, strategy: Strategy) -> Option<&Group> {
        self.groups
            .get(base * Strategy::ALL.len() + strategy.rank())
    }

    /// Evaluates a candidate and adds it to the results. After the last batch of a plan, adds the plan at its best
    /// feasible batch too.
    pub fn take(&mut self, space: &Space, index: usize) {
        let (Some(base), Some(&(strategy, plan))) = (space.base(index), space.plan(index)) else {
            return;
        };
        self.evaluated += 1;
        let replicas = replicas_on(self.own_gpus, plan.gpus());
        let within = |batch: f64| {
            replicas.is_some_and(|count| batch * f64::from(count) <= space.most_batch())
        };
        let outcome = space.outcome(index);
        let (point, rule) = match outcome {
            TriedPlan::Excluded(rule) => (None, Some(rule)),
            TriedPlan::MissesSlo(point) => (Some(point), Some(Exclusion::MissesSlo)),
            TriedPlan::Fits(point) => (Some(point), None),
        };
        if let Some(rule) = rule {
            self.excluded.add(rule, 1);
        } else {
            self.fitting += 1;
        }
        let group = self.group_mut(base, strategy);
        let own = space.batch(index).is_some_and(within);
        for scope in scopes(group, own) {
            if let Some(rule) = rule {
                scope.excluded.add(rule, 1);
            }
            if let Some(point) = point {
                scope.frontier.insert(point);
                if rule.is_none() && scope.beaten_by(&point) {
                    scope.best = Some(point);
                }
            }
        }
        if space.is_last_batch(index) {
            refine(group, space, index, &within);
        }
    }

    fn group_mut(&mut self, base: usize, strategy: Strategy) -> &mut Group {
        let place = base * Strategy::ALL.len() + strategy.rank();
        if self.groups.len() <= place {
            self.groups.resize_with(place + 1, Group::default);
        }
        &mut self.groups[place]
    }

    /// Returns one frontier over several strategies, on any GPU count.
    pub fn frontier(&self, strategies: &[Strategy]) -> Frontier {
        let groups = self.groups.iter().enumerate();
        let among = |(place, group)| {
            let rank: usize = place % Strategy::ALL.len();
            let wanted = strategies.iter().any(|strategy| strategy.rank() == rank);
            wanted.then_some(group)
        };
        let groups = groups.filter_map(among);
        Frontier::of(groups.flat_map(|group: &Group| group.any.frontier.points().iter().copied()))
    }
}

fn scopes(group: &mut Group, own: bool) -> impl Iterator<Item = &mut Scope> {
    let Group { any, own: mine } = group;
    [Some(any), own.then_some(mine)].into_iter().flatten()
}

/// Adds a plan at the feasible whole batch with the most throughput, up to the largest batch of the space.
///
/// For a replica that only decodes, this is the largest feasible batch, and most plans need only one evaluation. At the
/// SLO, throughput is proportional to the batch, which gives the batch that would match the best throughput so far. A
/// plan that misses the SLO at this batch cannot be better.
fn refine(group: &mut Group, space: &Space, index: usize, within: &impl Fn(f64) -> bool) {
    let Some((strategy, scenario)) = space.scenario(index) else {
        return;
    };
    let known = match within(1.0) {
        true => group.own.best,
        false => group.any.best,
    };
    let decodes = scenario.workload.serving == Serving::Decode;
    if let (Some(slo), Some(best), true) = (scenario.workload.slo, known, decodes) {
        let gpus = f64::from(scenario.cluster.gpus);
        let wanted = (best.tokens_per_gpu * gpus / slo).floor();
        let within = wanted >= scenario.plan.micro_batches() && wanted <= scenario.workload.batch;
        let misses = |batch| {
            with_batch(&scenario, batch).is_ok_and(|evaluation| {
                evaluation.memory.fits() && evaluation.tokens_per_user < slo
            })
        };
        if within && misses(wanted) {
            return;
        }
    }
    let known = known.map_or(0.0, |best| best.tokens_per_gpu);
    let known = known * f64::from(scenario.cluster.gpus);
    let Ok(edge) = fullest(&scenario, known) else {
        return;
    };
    let mut edged = scenario;
    // Do not exceed the largest batch of the space.
    edged.workload.batch = edge.min(scenario.workload.batch);
    let Ok(evaluation) = with_batch(&scenario, edged.workload.batch) else {
        return;
    };
    if !is_feasible(&edged, &evaluation) {
        return;
    }
    let point = SweepPoint::of(index, strategy, edged.workload.batch, &evaluation);
    for scope in scopes(group, within(point.batch)) {
        if scope.beaten_by(&point) {
            scope.best = Some(point);
        }
    }
}
