//! Searches for P(s): the best plan for a scenario s on the same GPUs. A search can include combinations of settings.

use super::change::HOST;
use super::served::{Served, keeping, least, most_keeping};
use crate::inputs::{Inputs, Number};
use crate::math::divisors;
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::scenario::Scenario;
use crate::sweep::Strategy;

/// Plans whose throughput is within this factor of the best count as equal; the one with the fewest changed
/// permalink keys wins.
pub const AS_GOOD: f64 = 0.99;
/// Factor by which an extrapolated plan's throughput must exceed that of the best plan of a measured kind in order to
/// win.
const WORTH_EXTRAPOLATING: f64 = 1.05;

/// Kinds of plan that no measured deployment covers: pipeline-parallel plans, and plans that shard the context (KVP).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kinds {
    pipelined: bool,
    context_split: bool,
}

impl Kinds {
    /// Returns the unmeasured kinds that a plan belongs to (pipeline-parallel, KVP).
    pub const fn of(spec: &PlanSpec) -> Self {
        Self {
            pipelined: spec.pp > 1,
            context_split: spec.kvp > 1,
        }
    }

    /// Returns the union of two sets of kinds.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            pipelined: self.pipelined || other.pipelined,
            context_split: self.context_split || other.context_split,
        }
    }

    /// Returns true if the calibration has measurements, and the plan is of an unmeasured kind that is not in this
    /// set.
    fn extrapolates(self, scenario: &Scenario, spec: &PlanSpec) -> bool {
        let kinds = Self::of(spec);
        let beyond =
            kinds.pipelined && !self.pipelined || kinds.context_split && !self.context_split;
        beyond && scenario.calibration.coverage.family().is_some()
    }
}

/// Best plan found by a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// Complete inputs with the best plan and its batch.
    pub inputs: Inputs,
    /// Sharding and schedule of the plan.
    pub spec: PlanSpec,
    /// Smallest batch within 0.5% of the highest throughput, and its throughput.
    pub served: Served,
    /// Batch with the highest throughput; `served` has the smallest batch within 0.5% of this throughput.
    pub most: Served,
    /// True if the plan is of an unmeasured kind (pipeline-parallel or KVP) that the current scenario does not use.
    pub extrapolated: bool,
}

/// Plan whose throughput is close to that of the best one.
#[derive(Clone, Copy)]
struct Near {
    base: usize,
    plan: Plan,
    most: Served,
    extrapolated: bool,
}

/// Constraints of a search, and the plan from which it starts.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// u*: minimum tok/s/user.
    pub users: f64,
    /// Throughput in tok/s/GPU that an extrapolated plan must exceed by 5%. It must also exceed the best measured
    /// plan by 5%.
    pub floor: f64,
    /// Unmeasured kinds of plan (pipeline-parallel, KVP) that are treated as measured, because the starting plan is
    /// of these kinds. For hardware levers, these include the kinds of the best plan on the current GPUs.
    pub kinds: Kinds,
    /// Plan relative to which changed keys are counted.
    pub from: Option<PlanSpec>,
}

/// Search that tries a list of bases one by one. A base is a set of inputs whose plan and batch are free to vary.
pub struct BaseSearch {
    terms: Terms,
    /// Inputs of each base, with a scenario whose SLO is u* and whose plan is the last one tried.
    bases: Vec<(Inputs, Scenario)>,
    near: Vec<Near>,
    /// Highest tok/s/GPU among plans of measured kinds; the field `extrapolated` holds that of all other plans.
    measured: f64,
    extrapolated: f64,
}

impl BaseSearch {
    /// Creates a search that has tried nothing yet.
    pub const fn new(terms: Terms) -> Self {
        Self {
            terms,
            bases: Vec::new(),
            near: Vec::new(),
            measured: 0.0,
            extrapolated: 0.0,
        }
    }

    /// Tries every plan of a base; `plans` caches the plans, which several bases may share.
    pub fn consider(&mut self, base: &Inputs, plans: &mut Plans) {
        let mut open = *base;
        open.unshard();
        // If the current plan is invalid, use the default plan: only candidates derived from the current plan differ.
        let Ok(scenario) = base.scenario().or_else(|_| open.scenario()) else {
            return;
        };
        self.bases
            .push((*base, keeping(&scenario, self.terms.users)));
        let index = self.bases.len() - 1;
        for plan in plans.around(&scenario) {
            self.one(index, *plan);
        }
    }

    fn one(&mut self, base: usize, plan: Plan) {
        let Terms { floor, kinds, .. } = self.terms;
        let scenario = &mut self.bases[base].1;
        scenario.plan = plan;
        let extrapolated = kinds.extrapolates(scenario, plan.spec());
        let known = match extrapolated {
            true => (AS_GOOD * self.extrapolated).max(WORTH_EXTRAPOLATING * floor),
            false => AS_GOOD * self.measured,
        };
        let Some(most) = most_keeping(scenario, known) else {
            return;
        };
        let best = match extrapolated {
            true => &mut self.extrapolated,
            false => &mut self.measured,
        };
        *best = best.max(most.tokens_per_gpu);
        self.near.push(Near {
            base,
            plan,
            most,
            extrapolated,
        });
    }

    /// Returns the best plan of a measured kind, unless an extrapolated plan serves over 5% more than both this plan
    /// and the search's `floor`.
    pub fn finish(&self) -> Option<Best> {
        let measured = self.fewest_changes(false);
        let known = measured
            .as_ref()
            .map_or(0.0, |best| best.served.tokens_per_gpu);
        match self.extrapolated > WORTH_EXTRAPOLATING * known.max(self.terms.floor) {
            true => self.fewest_changes(true).or(measured),
            false => measured,
        }
    }

    fn fewest_changes(&self, extrapolated: bool) -> Option<Best> {
        let best = if extrapolated {
            self.extrapolated
        } else {
            self.measured
        };
        let changes = |near: &Near| self.changes(near);
        let chosen = self
            .near
            .iter()
            .filter(|near| near.extrapolated == extrapolated)
            .filter(|near| near.most.tokens_per_gpu >= AS_GOOD * best)
            .reduce(|one, other| {
                let fewer = changes(other) < changes(one);
                let as_few = changes(other) == changes(one);
                let more = other.most.tokens_per_gpu > one.most.tokens_per_gpu;
                match fewer || as_few && more {
                    true => other,
                    false => one,
                }
            })?;
        let (inputs, mut scenario) = self.bases[chosen.base];
        scenario.plan = chosen.plan;
        let served = least(&scenario, self.terms.users, chosen.most)?;
        let inputs = inputs
            .planned(chosen.plan.spec())
            .with(Number::Batch, served.batch)
            .normalized();
        Some(Best {
            inputs,
            spec: *chosen.plan.spec(),
            served,
            most: chosen.most,
            extrapolated,
        })
    }

    /// Counts the changed permalink keys: settings that differ from the first base, and plan factors and schedule that
    /// differ from the current plan.
    fn changes(&self, near: &Near) -> usize {
        let factors = |spec: &PlanSpec| [spec.dp, spec.tp, spec.kvp, spec.ffn_tp, spec.ep, spec.pp];
        let plan = self.terms.from.map_or(7, |from| {
            let spec = near.plan.spec();
            let pairs = factors(&from).into_iter().zip(factors(spec));
            pairs.filter(|(from, to)| from != to).count()
                + usize::from(from.overlap != spec.overlap)
        });
        let (first, base) = (&self.bases[0].0, &self.bases[near.base].0);
        let settings = [
            Number::Replicas,
            Number::FfnWeightBytes,
            Number::SpeculationDepth,
            Number::KvBytes,
            Number::Redundant,
        ];
        let differs = |number: &&Number| base.get(**number) != first.get(**number);
        plan + settings.iter().filter(differs).count()
    }
}

/// Cache of the candidate plans for scenarios of one model.
#[derive(Debug, Clone, Default)]
pub struct Plans(Vec<(PlanSpec, u32, u32, Vec<Plan>)>);

impl Plans {
    /// Returns the candidate plans for a scenario, from the cache if possible.
    pub fn around(&mut self, scenario: &Scenario) -> &[Plan] {
        let (own, gpus) = (*scenario.plan.spec(), scenario.cluster.gpus);
        let domain = scenario.cluster.domain;
        let known = self
            .0
            .iter()
            .position(|known| (known.0, known.1, known.2) == (own, gpus, domain));
        let known = known.unwrap_or_else(|| {
            self.0.push((own, gpus, domain, plans(scenario)));
            self.0.len() - 1
        });
        &self.0[known].3
    }
}

/// Returns every candidate plan on the scenario's GPUs, with plans of measured kinds first.
///
/// The candidates are the scenario's plan with each schedule that it allows, and the plans of all parallelism
/// strategies. Further candidates have data-parallel attention groups of TP 2 to 64, and experts over all GPUs. TP is
/// at most the largest of three numbers: GPUs per scale-up domain, GPUs per host, and the current plan's TP.
pub fn plans(scenario: &Scenario) -> Vec<Plan> {
    let gpus = scenario.cluster.gpus;
    let own = *scenario.plan.spec();
    let widest = scenario.cluster.domain.max(HOST).max(own.tp);
    let schedules = Overlap::ALL
        .into_iter()
        .filter(|overlap| own.allows(*overlap));
    let mut specs: Vec<PlanSpec> = schedules
        .map(|overlap| PlanSpec { overlap, ..own })
        .collect();
    // Each strategy is tried with and without two-batch overlap, regardless of the scenario's schedule. Plans that
    // shard the context are also tried with HOP-B.
    let wanted = PlanSpec {
        overlap: Overlap::TwoBatch,
        ..own
    };
    for strategy in Strategy::ALL {
        strategy.shardings(&scenario.arch, &wanted, gpus, |spec| {
            let overlap = Overlap::HopB;
            let hidden = (spec.kvp > 1).then_some(PlanSpec { overlap, ..spec });
            specs.extend([spec].into_iter().chain(hidden));
        });
    }
    groups(scenario, |spec| specs.push(spec));
    let allowed = specs.into_iter().filter(|spec| spec.tp <= widest);
    let mut found: Vec<Plan> = Vec::new();
    for spec in allowed {
        if let Ok(plan) = Plan::new(spec, &scenario.arch, gpus)
            && !found.contains(&plan)
        {
            found.push(plan);
        }
    }
    let (measured, others): (Vec<Plan>, Vec<Plan>) = found
        .into_iter()
        .partition(|plan| Kinds::of(plan.spec()) == Kinds::default());
    measured.into_iter().chain(others).collect()
}

/// Passes to `take` every plan with data-parallel attention groups of several GPUs, and experts over all GPUs. For a
/// dense model, the FFN has the TP of attention.
fn groups(scenario: &Scenario, mut take: impl FnMut(PlanSpec)) {
    let gpus = scenario.cluster.gpus;
    let own = *scenario.plan.spec();
    let moe = scenario.arch.is_moe();
    for tp in (1..=6).map(|power| 1_u32 << power) {
        if tp >= gpus || !gpus.is_multiple_of(tp) {
            continue;
        }
        let feed_forward: Vec<(u32, u32)> = match moe {
            true => divisors(gpus).map(|ep| (gpus / ep, ep)).collect(),
            false => vec![(tp, 1)],
        };
        for (ffn_tp, ep) in feed_forward {
            for overlap in [Overlap::Sequential, Overlap::TwoBatch] {
                let spec = PlanSpec {
                    dp: gpus / tp,
                    tp,
                    kvp: 1,
                    pp: 1,
                    overlap,
                    ..own
                };
                take(spec.over_experts(ffn_tp, ep));
            }
        }
    }
}
