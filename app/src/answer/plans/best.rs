//! The best plan on the visitor's own GPUs: the headline's, the table's and the chart's.

use model_core::evaluate::evaluate;
use model_core::inputs::{Inputs, Number};
use model_core::levers::{HOST, is_feasible, most, plans};
use model_core::order::sort_by;
use model_core::plan::{Overlap, Plan as Sharding, PlanSpec};
use model_core::scenario::Scenario;
use model_core::search::{Candidates, Search, on_another};

use super::lines::{PlanCandidate, ShownPlan, plans as all_plans};
use super::{Look, Searched, sharding};

/// Number of bases that are refined.
const MOST_BASES: usize = 24;

/// True if the search has this strategy and schedule.
fn tries(search: &Search, spec: &PlanSpec) -> bool {
    search.strategies.contains(&sharding::strategy_of(spec))
        && (search.two_batch || spec.overlap != Overlap::TwoBatch)
}

/// The plan that the inputs state, where it is feasible and the search has its kind.
fn feasible(search: &Search, inputs: &Inputs) -> Option<ShownPlan> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    let counts = is_feasible(&scenario, &evaluation) && tries(search, scenario.plan.spec());
    counts.then(|| ShownPlan::of(*inputs, &scenario, &evaluation))
}

/// The stated plan, and its sharding in every schedule at the best batch: the search may have no such sharding.
pub fn around_now(searched: &Searched, look: &Look) -> Vec<ShownPlan> {
    let now = look.now;
    let mine = |base: &&Inputs| (base.gpu, base.precision) == (now.gpu, now.precision);
    let base = searched.candidates.bases().iter().find(mine);
    // Precisions changed since the search belong to the next one.
    if base.is_none_or(|base| base.precision() != now.precision()) {
        return Vec::new();
    }
    let search = &searched.link.search;
    let mut found: Vec<ShownPlan> = feasible(search, &now).into_iter().collect();
    let Ok(scenario) = now.scenario() else {
        return found;
    };
    let own = *scenario.plan.spec();
    // Heads split beyond a domain allow as wide a split of other plans, of which the search knows none.
    let shardings = match own.tp > scenario.cluster.domain.max(HOST) {
        true => plans(&scenario),
        false => {
            let schedules = Overlap::ALL.into_iter().filter(|of| own.allows(*of));
            let scheduled = schedules.map(|overlap| PlanSpec { overlap, ..own });
            let gpus = scenario.cluster.gpus;
            let made = scheduled.filter_map(|spec| Sharding::new(spec, &scenario.arch, gpus).ok());
            made.collect()
        }
    };
    for sharding in shardings {
        found.extend(serving_most(&now, search, &[sharding]));
    }
    found
}

/// The best plan of each base on the visitor's number of GPUs. Includes data-parallel groups of several GPUs, which
/// levers try and the search leaves out.
pub fn refined(
    candidates: &Candidates,
    search: &Search,
    inputs: &Inputs,
) -> Vec<Option<ShownPlan>> {
    let bases = candidates.bases().iter().take(MOST_BASES);
    bases
        .map(|base| {
            let mut there = on_another(inputs, base.gpu, base.precision);
            there.unshard();
            let plans = plans(&there.scenario().ok()?);
            serving_most(&there, search, &plans)
        })
        .collect()
}

/// The plan with the most throughput at the SLO, to the exact batch.
fn serving_most(inputs: &Inputs, search: &Search, plans: &[Sharding]) -> Option<ShownPlan> {
    let base = inputs.scenario().ok()?;
    let users = base.workload.slo.unwrap_or(0.0);
    let mut best = None;
    let mut known = 0.0;
    for plan in plans.iter().filter(|plan| tries(search, plan.spec())) {
        let scenario = Scenario {
            plan: *plan,
            ..base
        };
        if let Some(served) = most(&scenario, users, known) {
            known = served.tokens_per_gpu;
            best = Some((*plan, served.batch));
        }
    }
    let (plan, batch) = best?;
    // The default largest batch of the search ends its frontiers, but does not limit the best plan.
    let most_batch = match search.most_batch < Search::MOST_BATCH {
        true => search.most_batch,
        false => f64::INFINITY,
    };
    let stated = inputs
        .planned(plan.spec())
        .with(Number::Batch, batch.min(most_batch))
        .normalized();
    feasible(search, &stated)
}

/// The plan that serves most per GPU of those on the visitor's own GPUs that meet the SLO; of equals the fastest.
pub fn own(searched: &Searched, look: &Look, around: &[ShownPlan]) -> Option<ShownPlan> {
    let slo = look.now.get(Number::Slo);
    let gpus = look.now.get(Number::Gpus)?;
    let here = Look {
        own_gpus: true,
        ..*look
    };
    let mut own: Vec<PlanCandidate<'_>> = all_plans(searched, &here)
        .chain(around.iter().map(PlanCandidate::Ready))
        .filter(|plan| plan.base() == (look.now.gpu, look.now.precision))
        .filter(|plan| plan.gpus().to_bits() == gpus.to_bits() && plan.meets(slo))
        .collect();
    sort_by(&mut own, |one, other| {
        let rate = other.rate().total_cmp(&one.rate());
        rate.then(other.speed().total_cmp(&one.speed()))
    });
    own.first().and_then(PlanCandidate::plan)
}
