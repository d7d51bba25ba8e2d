//! Compares colocated deployments and AFD on the same number of GPUs.
//!
//! Colocated: every GPU runs every layer; the best plans found are compared. AFD: some GPUs run attention and the
//! others run the FFN ([R]); the A:F split and the micro-batch size are varied. Both sides run decode only, at the
//! long-run mean context.

mod front;
mod tried;

use super::bundle::Bundle;
use super::ratio::RatioPoint as Point;
use crate::cost::memory::Memory;
use crate::evaluate::pace_with_batch;
use crate::inputs::{Inputs, Mode, Number};
use crate::levers::best_plans;
use crate::order::sort_by_key;
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::scenario::Scenario;
use front::Front;
pub(super) use tried::sizes;
use tried::{batched, divided, parted};

/// A candidate deployment on the compared number of GPUs, either colocated or AFD.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Way {
    /// Interactivity: tokens per second for one user.
    pub users: f64,
    /// Throughput per GPU: tokens per second ÷ GPUs.
    pub per_gpu: f64,
    /// Sequences that the whole deployment runs.
    pub batch: f64,
    /// Colocated plan or xAyF unit of this candidate.
    pub how: How,
}

impl Way {
    /// Returns the xAyF unit if this candidate is AFD; otherwise `None`.
    pub const fn unit(&self) -> Option<AfdUnit> {
        match self.how {
            How::Afd(unit) => Some(unit),
            How::Colocated(_) => None,
        }
    }
}

/// Colocated plan or xAyF unit of a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum How {
    /// Colocated deployment with this sharding and schedule.
    Colocated(PlanSpec),
    /// AFD deployment with this xAyF unit.
    Afd(AfdUnit),
}

/// An xAyF unit that uses all the GPUs compared and has a single FFN rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AfdUnit {
    /// GPUs of all attention ranks combined.
    pub attention: u32,
    /// Number of attention ranks; each has tp·kvp GPUs.
    pub instances: u32,
    /// GPUs of the single FFN rank.
    pub ffn: u32,
    /// Sequences per attention rank in one micro-batch; two micro-batches are in flight.
    pub slots: f64,
    /// Rates and times of the unit.
    pub point: Point,
}

impl AfdUnit {
    /// Returns interactivity: tokens per second for one user.
    pub fn users(&self) -> f64 {
        1.0 / self.point.tpot.get()
    }

    /// Returns true if the unit `other` is better. If both units reach the interactivity `users`, the one with more
    /// throughput is better. If `self` does not reach it, the unit with the higher interactivity is better.
    pub(super) fn yields_to(&self, other: &Self, users: f64) -> bool {
        let (here, there) = (self.users() >= users, other.users() >= users);
        if here && there {
            other.point.per_weight_in_flight > self.point.per_weight_in_flight
        } else {
            !here && other.users() > self.users()
        }
    }

    /// Returns the unit as a candidate deployment.
    pub fn way(&self) -> Way {
        Way {
            users: self.users(),
            per_gpu: self.point.per_weight_in_flight,
            batch: 2.0 * self.slots * f64::from(self.instances),
            how: How::Afd(*self),
        }
    }

    /// Builds the complete xAyF unit. Settings that this candidate does not fix come from `inputs`.
    pub fn bundle(&self, inputs: &Inputs) -> Option<Bundle> {
        parted(inputs, &self.stated(inputs).bundle().ok()?, self.ffn)
    }

    /// Returns the memory of an attention GPU and of an FFN GPU.
    pub fn memory(&self, inputs: &Inputs) -> Option<[Memory; 2]> {
        let bundle = self.stated(inputs).bundle_before_lines().ok()?;
        let bundle = parted(inputs, &bundle, self.ffn)?;
        let ratio = f64::from(self.instances);
        Some([bundle.attention_memory(), bundle.ffn_memory(ratio)])
    }

    /// Returns `inputs` with the unit's micro-batch size, its A:F ratio and one FFN rank.
    fn stated(&self, inputs: &Inputs) -> Inputs {
        inputs
            .with(Number::Slots, self.slots)
            .with(Number::Ratio, f64::from(self.instances))
            .with(Number::FfnInstances, 1.0)
    }
}

/// Candidates of both sides: colocated and AFD.
#[derive(Debug, Clone, PartialEq)]
pub struct Sides {
    /// Number of GPUs, the same for colocated and AFD.
    pub gpus: u32,
    /// Pareto-optimal colocated candidates, highest interactivity first.
    pub colocated: Vec<Way>,
    /// Pareto-optimal AFD candidates, highest interactivity first.
    pub afd: Vec<Way>,
    /// The best colocated plan found at interactivity u*.
    pub planned: Option<Way>,
    /// Every AFD unit tried: for each A:F split, the micro-batch sizes that may be best at u* or may extend the Pareto
    /// front.
    tried: Vec<AfdUnit>,
}

/// Fractions of AFD's highest interactivity at which the best colocated plans are searched for, in addition to u*.
const SPEEDS: [f64; 3] = [0.4, 0.7, 1.0];

impl Sides {
    /// Finds the colocated and AFD candidates on the GPUs of `inputs`, at interactivity `users`. Returns `None` if
    /// the scenario is invalid, or if the user entered all latencies, because the number of GPUs is then unknown.
    ///
    /// `floor` is the throughput, in tok/s/GPU, of the scenario's colocated plan; 0 if that plan does not fit or
    /// misses `users`.
    pub(super) fn of(inputs: &Inputs, users: f64, floor: f64) -> Option<Self> {
        let (bundle, scenario) = compared(inputs)?;
        let mut front = Front::default();
        divided(inputs, &bundle, users, &mut front);
        let afd = front.best();
        let tried = front.ways.iter().filter_map(Way::unit).collect();
        let fastest = afd.first().map_or(0.0, |way| way.users);
        let faster = SPEEDS.map(|share| share * fastest).into_iter();
        let speeds: Vec<f64> = std::iter::once(users)
            .chain(faster.filter(|speed| *speed > users))
            .collect();
        let colocated = inputs
            .in_mode(Mode::Colocated)
            .with(Number::Context, scenario.workload.context);
        let best = best_plans(&colocated, floor, &speeds);
        let planned =
            best[0].and_then(|best| colocated_way(&scenario, best.spec, best.served.batch));
        let mut specs: Vec<PlanSpec> = [Overlap::Sequential, Overlap::TwoBatch]
            .map(|overlap| PlanSpec {
                overlap,
                ..*scenario.plan.spec()
            })
            .into_iter()
            .chain([*scenario.plan.spec()])
            .chain(best.iter().flatten().map(|best| best.spec))
            .collect();
        let mut known = Vec::new();
        specs.retain(|spec| {
            !known.contains(spec) && {
                known.push(*spec);
                true
            }
        });
        let mut front = Front::default();
        for spec in specs {
            if let Some(scenario) = planned_as(&scenario, spec) {
                batched(&scenario, &mut front);
            }
        }
        if let Some(way) = planned {
            front.take(way);
        }
        Some(Self {
            gpus: scenario.cluster.gpus,
            colocated: front.best(),
            afd,
            planned,
            tried,
        })
    }

    /// Returns every A:F split at its best micro-batch size, sorted by attention GPUs. The best size has the most
    /// throughput at `users` tok/s/user or more; if no size is that fast, the fastest is best. If `slots` is set, it
    /// is the only micro-batch size considered.
    pub fn divisions(&self, users: f64, slots: Option<f64>) -> Vec<AfdUnit> {
        let mut found: Vec<AfdUnit> = Vec::new();
        let considered = self.tried.iter().filter(|parts| {
            slots.is_none_or(|slots| parts.slots.to_bits() == slots.to_bits())
                && parts.point.tpot.get().is_finite()
        });
        for parts in considered {
            // Search from the newest entry: the sizes of one A:F split are adjacent.
            match found
                .iter_mut()
                .rfind(|known| known.attention == parts.attention)
            {
                Some(known) if known.yields_to(parts, users) => *known = *parts,
                Some(_) => {}
                None => found.push(*parts),
            }
        }
        sort_by_key(&mut found, |parts| parts.attention);
        found
    }

    /// Returns the AFD candidate with the most throughput at `users` tok/s/user or more.
    pub fn afd_at(&self, users: f64) -> Option<&Way> {
        let count = self.afd.partition_point(|way| way.users >= users);
        count.checked_sub(1).map(|last| &self.afd[last])
    }
}

/// Returns the scenario with another plan; `None` if the plan is invalid.
fn planned_as(scenario: &Scenario, spec: PlanSpec) -> Option<Scenario> {
    let mut with = *scenario;
    with.plan = Plan::new(spec, &scenario.arch, scenario.cluster.gpus).ok()?;
    Some(with)
}

pub(super) fn colocated_way(scenario: &Scenario, spec: PlanSpec, batch: f64) -> Option<Way> {
    let pace = pace_with_batch(&planned_as(scenario, spec)?, batch).ok()?;
    Some(Way {
        users: pace.tokens_per_user,
        per_gpu: pace.tokens_per_gpu,
        batch,
        how: How::Colocated(spec),
    })
}

/// Returns the inputs with one FFN rank and an arbitrary A:F ratio. The ratio is set only to skip the search for the
/// best one.
fn open(inputs: &Inputs) -> Inputs {
    let mut asked = *inputs;
    asked.state(Number::Ratio, Some(1.0));
    asked.state(Number::FfnInstances, Some(1.0));
    asked
}

/// Returns the AFD unit from which the search starts, and the colocated scenario at the same mean context. Returns
/// `None` if the inputs are invalid or the user entered all latencies.
pub(super) fn compared(inputs: &Inputs) -> Option<(Bundle, Scenario)> {
    let bundle = open(inputs).bundle_before_lines().ok()?;
    bundle.derived?;
    let mut scenario = inputs.with_anchored(None).scenario().ok()?;
    scenario.workload.context = bundle.lengths.context();
    Some((bundle, scenario))
}

#[cfg(test)]
mod tests;
