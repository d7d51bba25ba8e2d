//! The headline of Plans: the best plan on the visitor's own GPUs, or the rule that leaves none.

use model_core::inputs::{Inputs, Number};
use model_core::permalink::View;
use model_core::sweep::{Exclusion, Exclusions, Strategy};
use worker::Stage;

use super::{Look, Searched, ShownPlan, instances};
use crate::answer::asked::preset;
use crate::answer::headline::{Headline, NoPlan};
use crate::answer::names::own_gpus;
use crate::answer::sentence::{Sentence, Tone};
use crate::answer::sharding;
use crate::format;

/// The headline, and the plan that it is about; `None` while a search has found nothing yet.
pub fn headline(
    searched: &Searched,
    look: &Look,
    own: Option<&ShownPlan>,
) -> (Option<Headline>, Option<ShownPlan>) {
    let asked = preset(&look.now, None, View::Plans);
    let answer = match asked {
        Some("b-figure-12") => {
            let inputs = searched.link.search.scheduled(&look.now);
            instances::one_or_many(&inputs).map(|said| (said, None))
        }
        Some("r1-helix-plans" | "405b-helix-plans") => helix(searched),
        _ => None,
    };
    if let Some((said, plan)) = answer {
        return (Some(Headline::Answer(said)), plan);
    }
    let slo = look.now.get(Number::Slo);
    let gpus = own_gpus(&look.now);
    let said = match own {
        Some(own) => Headline::BestPlan {
            strategy: sharding::strategy(own.strategy),
            gpus,
            rate: own.point.per_gpu,
            slo,
        },
        None if searched.stage != Stage::Done => return (None, None),
        None => Headline::NoPlan {
            gpus,
            why: no_plan(searched, look),
        },
    };
    (Some(said), own.cloned())
}

/// "Helix + HOP-B serves up to 36.3× the best baseline; fastest user 1.56×." and that plan.
fn helix(searched: &Searched) -> Option<(Sentence, Option<ShownPlan>)> {
    let strategies = &searched.link.search.strategies;
    let mut baselines = Strategy::BASELINES.to_vec();
    baselines.retain(|strategy| strategies.contains(strategy));
    let found = &searched.answer.found;
    let (strategy, gains) = [Strategy::HelixHopB, Strategy::Helix]
        .into_iter()
        .find_map(|strategy| Some((strategy, found.gains(&[strategy], &baselines)?)))?;
    let said = Sentence::default()
        .then(Tone::Strong, sharding::strategy(strategy))
        .say(" serves up to ")
        .then(Tone::Strong, format::factor(gains.throughput))
        .say(" the best baseline; fastest user ")
        .then(Tone::Strong, format::factor(gains.interactivity))
        .say(".");
    Some((said, ShownPlan::found(&searched.candidates, &gains.ours)))
}

/// The rule that leaves no plan on the visitor's own GPUs, or where they were not searched anywhere.
fn no_plan(searched: &Searched, look: &Look) -> NoPlan {
    let link = &searched.link;
    if link.search.strategies.is_empty() {
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
