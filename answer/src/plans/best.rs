//! Finds the best plan on the user’s GPUs, for the headline, the table and the chart.

use model_core::evaluate::evaluate;
use model_core::inputs::{Inputs, Number};
use model_core::levers::{HOST, is_feasible, plans};
use model_core::order::sort_by;
use model_core::plan::{Overlap, Plan as Sharding, PlanSpec};
use model_core::search::{Search, own_gpus, serving_most, tries};

use super::lines::{PlanCandidate, ShownPlan, plans as all_plans, stated};
use super::{Look, Searched};

/// Returns the plan that the inputs set, if it is feasible and its strategy and schedule are included in the search.
fn feasible(search: &Search, inputs: &Inputs) -> Option<ShownPlan> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    let counts = is_feasible(&scenario, &evaluation) && tries(search, scenario.plan.spec());
    counts.then(|| ShownPlan::of(*inputs, &scenario, &evaluation))
}

/// Returns the current plan, if it is feasible. Adds, for each schedule, the current sharding at its best batch,
/// because the search might not contain this sharding. If its TP exceeds both a scale-up domain and a host, adds all
/// candidate plans on the current GPUs instead.
pub fn around_now(searched: &Searched, look: &Look) -> Vec<ShownPlan> {
    let now = look.now;
    let mine = |base: &&Inputs| (base.gpu, base.precision) == (now.gpu, now.precision);
    let base = searched.candidates.bases().iter().find(mine);
    // If the precision changed since the search, wait for the next search.
    if base.is_none_or(|base| base.precision() != now.precision()) {
        return Vec::new();
    }
    let search = &searched.search;
    let mut found: Vec<ShownPlan> = feasible(search, &now).into_iter().collect();
    let Ok(scenario) = now.scenario() else {
        return found;
    };
    let own = *scenario.plan.spec();
    // If TP exceeds a scale-up domain and a host, other plans may also use wide TP, but the search contains none of
    // them.
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
        let best = serving_most(&now, search, &[sharding], 0.0);
        found.extend(best.and_then(|(_, inputs)| stated(&inputs)));
    }
    found
}

/// Returns the plan on the user’s GPUs with the highest throughput that meets the SLO. Of plans with equal
/// throughput, the one with the highest interactivity is returned.
pub fn own(searched: &Searched, look: &Look, around: &[ShownPlan]) -> Option<ShownPlan> {
    let slo = look.now.get(Number::Slo);
    let gpus = f64::from(own_gpus(&look.now));
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
