//! P(s): the most over plans on the same GPUs, and over combinations of settings.

use super::served::{Served, least, most};
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::scenario::{Inputs, Number, Scenario};
use crate::sweep::Family;

/// Of plans within this of the most, the one that changes fewest keys is shown.
const AS_GOOD: f64 = 0.99;
/// Times as much as the best measured kind of plan serves that a kind which nobody measured has to serve to count.
const WORTH_EXTRAPOLATING: f64 = 1.05;
/// Accelerators of a host, within which heads are split whether or not a scale-up network joins them.
const HOST: u32 = 8;

/// Kinds of plan that no deployment was measured in: pipelined, or with the context split.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kinds {
    pipelined: bool,
    context_split: bool,
}

impl Kinds {
    /// The kinds of a plan.
    pub const fn of(spec: &PlanSpec) -> Self {
        Self {
            pipelined: spec.pp > 1,
            context_split: spec.kvp > 1,
        }
    }

    /// The kinds of either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            pipelined: self.pipelined || other.pipelined,
            context_split: self.context_split || other.context_split,
        }
    }

    /// Whether a plan is of a kind that is not among these, under a calibration that claims measurements.
    fn extrapolates(self, scenario: &Scenario, spec: &PlanSpec) -> bool {
        let kinds = Self::of(spec);
        let beyond =
            kinds.pipelined && !self.pipelined || kinds.context_split && !self.context_split;
        beyond && scenario.calibration.coverage.family().is_some()
    }
}

/// The best plan of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// The inputs that state it, its batch among them.
    pub inputs: Inputs,
    /// Its sharding and schedule.
    pub spec: PlanSpec,
    /// What it serves.
    pub served: Served,
    /// Whether it is of a kind that nobody measured and now does not use.
    pub extrapolated: bool,
}

/// A plan that comes near the best.
#[derive(Clone, Copy)]
struct Near {
    base: usize,
    plan: Plan,
    most: Served,
    extrapolated: bool,
}

/// What a search keeps and compares with.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// u*: tokens per second that users keep.
    pub users: f64,
    /// Tokens per second and GPU that an extrapolated kind of plan has to exceed by 5 %, beside the best measured plan.
    pub floor: f64,
    /// Kinds of plan that count as measured: those that now uses.
    pub kinds: Kinds,
    /// The plan from which changed keys are counted.
    pub from: Option<PlanSpec>,
}

/// A search over bases – inputs whose plan and batch are open – one after another.
pub struct Search {
    terms: Terms,
    bases: Vec<(Inputs, Scenario)>,
    near: Vec<Near>,
    /// Most per GPU of measured kinds, and of others.
    measured: f64,
    extrapolated: f64,
}

impl Search {
    /// Nothing tried yet.
    pub const fn new(terms: Terms) -> Self {
        Self {
            terms,
            bases: Vec::new(),
            near: Vec::new(),
            measured: 0.0,
            extrapolated: 0.0,
        }
    }

    /// Tries every plan of a base; `plans` remembers them between bases that differ in nothing they depend on.
    pub fn consider(&mut self, base: &Inputs, plans: &mut Plans) {
        let mut open = *base;
        open.unshard();
        // A stated sharding matters where it is tried as it stands; the rest of the base is the same without.
        let Ok(scenario) = base.scenario().or_else(|_| open.scenario()) else {
            return;
        };
        self.bases.push((*base, scenario));
        let index = self.bases.len() - 1;
        for plan in plans.around(&scenario) {
            self.one(index, *plan);
        }
    }

    fn one(&mut self, base: usize, plan: Plan) {
        let Terms {
            users,
            floor,
            kinds,
            ..
        } = self.terms;
        let mut scenario = self.bases[base].1;
        scenario.plan = plan;
        let extrapolated = kinds.extrapolates(&scenario, plan.spec());
        let known = match extrapolated {
            true => (AS_GOOD * self.extrapolated).max(WORTH_EXTRAPOLATING * floor),
            false => AS_GOOD * self.measured,
        };
        let Some(most) = most(&scenario, users, known) else {
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

    /// The plan to show: of the measured kinds, unless another serves 5 % more.
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
            extrapolated,
        })
    }

    /// How many keys differ from the first base and the plan of now.
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

/// Plans around scenarios of one model, remembered by what they depend on.
#[derive(Default)]
pub struct Plans(Vec<(PlanSpec, u32, u32, Vec<Plan>)>);

impl Plans {
    /// The plans around a scenario.
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

/// Every plan on the scenario's GPUs, plans of kinds that were measured first.
///
/// Its own sharding in every schedule; every parallelism strategy of the search; attention in data-parallel groups of
/// TP 2 to 64, experts over all GPUs. Heads are split within a scale-up domain or a host, or where now's are.
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
    // Strategies try what their schedule allows, whichever the scenario has; HOP-B wherever the context is split.
    let wanted = PlanSpec {
        overlap: Overlap::TwoBatch,
        ..own
    };
    for family in Family::ALL {
        family.shardings(&scenario.arch, &wanted, gpus, |spec| {
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

/// Data-parallel attention groups of several GPUs, experts over all of them.
fn groups(scenario: &Scenario, mut take: impl FnMut(PlanSpec)) {
    let gpus = scenario.cluster.gpus;
    let own = *scenario.plan.spec();
    let moe = scenario.arch.is_moe();
    for tp in (1..=6).map(|power| 1_u32 << power) {
        if tp >= gpus || !gpus.is_multiple_of(tp) {
            continue;
        }
        let feed_forward: Vec<(u32, u32)> = match moe {
            true => (1..=gpus)
                .filter(|ep| gpus.is_multiple_of(*ep))
                .map(|ep| (gpus / ep, ep))
                .collect(),
            false => vec![(tp, 1)],
        };
        for (ffn_tp, ep) in feed_forward {
            for overlap in [Overlap::Sequential, Overlap::TwoBatch] {
                take(PlanSpec {
                    dp: gpus / tp,
                    tp,
                    kvp: 1,
                    ffn_tp,
                    ep,
                    pp: 1,
                    overlap,
                    ..own
                });
            }
        }
    }
}
