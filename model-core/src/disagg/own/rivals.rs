//! Shardings of the same GPUs that may serve more together than those that are known.

use crate::cost::memory::batch_capacity;
use crate::evaluate::{Pace, pace_with_batch};
use crate::limits::fullest;
use crate::plan::{Overlap, Plan};
use crate::scenario::Scenario;

/// A scenario's plans, and what is known of each from one speed to the next that is asked about.
pub(super) struct Rivals {
    scenario: Scenario,
    plans: Vec<Rival>,
}

struct Rival {
    plan: Plan,
    /// The largest batch that fits.
    room: f64,
    /// Batches that were evaluated.
    known: Vec<(f64, Pace)>,
}

/// More than what sums of many terms round.
const DUST: f64 = 1e-9;

impl Rivals {
    pub(super) fn of(scenario: &Scenario, plans: Vec<Plan>) -> Self {
        let mut tried = *scenario;
        let rival = |plan: Plan| {
            tried.plan = plan;
            Rival {
                plan,
                room: batch_capacity(&tried),
                known: Vec::new(),
            }
        };
        let plans = plans.into_iter().map(rival).collect();
        Self {
            scenario: *scenario,
            plans,
        }
    }

    /// The scenario in the plan, and at the batch, that serves most with at least `users` tokens per second for a user, if
    /// that is more than `known` tokens per second in all: for scenarios that decode.
    pub(super) fn most_at(&mut self, users: f64, known: f64) -> Option<Scenario> {
        let mut tried = self.scenario;
        tried.workload.slo = Some(users);
        let (mut best, mut most) = (None, known);
        for rival in &mut self.plans {
            tried.plan = rival.plan;
            if rival.behind(users, most) || rival.short(&tried, users, most) {
                continue;
            }
            let Ok(batch) = fullest(&tried, most) else {
                continue;
            };
            let Some(found) = rival.at(&tried, batch) else {
                continue;
            };
            if found.tokens > most && found.tokens_per_user >= users {
                most = found.tokens;
                tried.workload.batch = batch;
                best = Some(tried);
            }
        }
        best.map(|mut best| {
            best.workload.slo = self.scenario.workload.slo;
            best
        })
    }
}

impl Rival {
    fn at(&mut self, tried: &Scenario, batch: f64) -> Option<Pace> {
        let pace = pace_with_batch(tried, batch).ok()?;
        self.known.push((batch, pace));
        Some(pace)
    }

    /// Whether it misses the speed with as many sequences as `most` takes, or as it has room for: at the edge users get
    /// about that speed, so it has less.
    fn short(&mut self, tried: &Scenario, users: f64, most: f64) -> bool {
        let wanted = (most / users).floor().min(self.room);
        wanted >= self.plan.micro_batches() && { self.at(tried, wanted) }
            .is_some_and(|there| there.tokens_per_user < users)
    }

    /// The same of what is known of other batches: more sequences are never faster for a user and never serve less in all,
    /// but under HOP-B.
    fn behind(&self, users: f64, most: f64) -> bool {
        let wanted = (most / users).min(self.room);
        let behind = |(batch, pace): &(f64, Pace)| {
            let slower = *batch <= wanted.floor() && pace.tokens_per_user * (1.0 + DUST) < users;
            let less = *batch >= wanted && pace.tokens * (1.0 + DUST) < most;
            slower || less
        };
        self.plan.spec().overlap != Overlap::HopB && self.known.iter().any(behind)
    }
}
