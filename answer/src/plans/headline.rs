//! The headline of the Plans view: the best plan on the user’s GPUs, or the rule that excludes every plan.

use model_core::inputs::{Inputs, Number};
use model_core::sweep::{Exclusion, Exclusions, Strategy};
use worker::Stage;

use super::{Look, Searched, ShownPlan};
use crate::sharding;
use crate::words::headline::{Headline, NoPlan};
use crate::words::names::all_gpus;

/// Returns the headline of the Plans view; `None` while a running search has found no plan yet.
pub fn headline(searched: &Searched, look: &Look, own: Option<&ShownPlan>) -> Option<Headline> {
    let gpus = all_gpus(&look.now);
    match own {
        Some(own) => Some(Headline::BestPlan {
            strategy: sharding::strategy(own.strategy),
            replicas: own.split(),
            gpus,
            rates: [own.point.per_gpu, own.point.per_user],
            slo: look.now.get(Number::Slo),
        }),
        None if searched.stage != Stage::Done => None,
        None => Some(Headline::NoPlan {
            gpus,
            why: no_plan(searched, look),
        }),
    }
}

/// Returns the reason why no plan on the user’s GPU count is feasible. If that count was not searched, all GPU counts
/// are considered.
fn no_plan(searched: &Searched, look: &Look) -> NoPlan {
    if searched.search.strategies.is_empty() {
        return NoPlan::NothingSearched;
    }
    let mine =
        |inputs: &Inputs| (inputs.gpu, inputs.precision) == (look.now.gpu, look.now.precision);
    let own = { searched.candidates.bases().iter() }.position(mine);
    let groups = || {
        let strategies = Strategy::ALL.into_iter();
        strategies.filter_map(|strategy| searched.answer.found.group(own?, strategy))
    };
    let fastest = groups()
        .flat_map(|group| group.own.frontier.points())
        .map(|point| point.tokens_per_user)
        .reduce(f64::max);
    if let (Some(slo), Some(fastest)) = (look.now.get(Number::Slo), fastest) {
        return NoPlan::TooSlow { slo, fastest };
    }
    let mut excluded = Exclusions::default();
    for rule in Exclusion::ALL {
        let found = groups().map(|group| group.own.excluded.of(rule));
        excluded.add(rule, found.sum());
    }
    if excluded.total() == 0 {
        excluded = searched.excluded();
    }
    match excluded.most() {
        Some((rule, count)) => NoPlan::Rule {
            rule,
            share: count as f64 / excluded.total() as f64,
        },
        None => NoPlan::NothingSearched,
    }
}
