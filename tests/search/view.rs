//! Tests, for random scenarios, that the best plan of the Plans view is optimal: no other plan on the same GPUs serves
//! more, and no lever raises the plan's throughput.

use std::sync::Arc;

use answer::plans::{Look, PlansAnswer, Searched, asked};
use answer::words::headline::Headline;
use model_core::evaluate::evaluate;
use model_core::inputs::{Inputs, Number};
use model_core::levers::{is_feasible, plans, served};
use model_core::permalink::Link;
use model_core::scenario::Scenario;
use model_core::search::Candidates;
use ridgepoint_tests::space;
use worker::{Answer, Job, Request, Stage};

/// Number of scenarios; each search covers tens of thousands of plans.
const SCENARIOS: u32 = 400;

/// Returns the answer of the Plans view for a scenario, computed as the page and its worker do; the search is limited
/// to the scenario's GPU count.
fn told(inputs: &Inputs) -> Option<PlansAnswer> {
    let gpus = inputs.get(Number::Gpus)?;
    let mut link = Link::to(*inputs);
    link.search.gpus = Some(vec![gpus as u32]);
    let asked = asked(&link);
    let mut job = Job::new(&Request::Search(asked.0, asked.1.clone()));
    job.advance(|| false);
    let Some(Answer::Search(answer)) = job.answer(0.1) else {
        panic!("a search has an answer");
    };
    let candidates = Candidates::new(&asked.0, &asked.1);
    let searched = Searched::new(asked, Arc::new(candidates), answer, Stage::Done);
    Some(searched.say(&Look::of(&link)))
}

fn scenario(number: u32) -> Inputs {
    let mut inputs = space::inputs(&mut space::seeded(
        u64::from(number).wrapping_mul(0x9e37_79b9),
    ));
    if number.is_multiple_of(2) {
        let slo = [5.0, 20.0, 60.0, 200.0][number as usize / 2 % 4];
        inputs.state(Number::Slo, Some(slo));
    }
    inputs.normalized()
}

#[test]
fn best_plan_of_random_scenarios() {
    let mut found = 0;
    for number in 0..SCENARIOS {
        let inputs = scenario(number);
        let Some(said) = told(&inputs) else { continue };
        let now = inputs.scenario().expect("the space is possible");
        let users = inputs.get(Number::Slo).unwrap_or(0.0);
        let of_plans = plans(&now).into_iter().filter_map(|plan| {
            let scenario = Scenario { plan, ..now };
            Some(served(&scenario, users)?.tokens_per_gpu)
        });
        let most = of_plans.fold(0.0, f64::max);
        let present = evaluate(&now).expect("finite");
        let Some(own) = &said.own else {
            assert!(!is_feasible(&now, &present), "{number}");
            assert!(most <= 0.0, "{number}: {most}");
            assert!(matches!(said.headline, Some(Headline::NoPlan { .. })));
            continue;
        };
        found += 1;
        let best = own.point.per_gpu * (1.0 + 1e-9);
        assert!(most <= best, "{number}: {most} over {best}");
        let works = is_feasible(&now, &present);
        assert!(!works || present.tokens_per_gpu <= best, "{number}");
        match said.headline {
            Some(Headline::BestPlan {
                rates: [rate, _], ..
            }) => {
                assert_eq!(rate.to_bits(), own.point.per_gpu.to_bits(), "{number}");
            }
            other => panic!("{number}: {other:?}"),
        }
        let first = &said.best.rows[0];
        assert!(first.is_own, "{number}: {first:?}");
        assert_eq!(first.rate, Some(own.point.per_gpu), "{number}");
        let told = said.frontiers.told.as_ref().map(|(told, _)| told.point);
        assert_eq!(told, Some(own.point), "{number}");
    }
    assert!(found > 8, "{found} of {SCENARIOS} have a plan");
}
