//! Laws of the levers of a service.

use model_core::inputs::{Inputs, Number};
use model_core::levers::{Change, LeverGroup};
use model_core::permalink::{read, write_inputs};
use model_core::service::levers::ServiceLevers;
use model_core::service::service;

use super::{demands, law};

fn loaded(inputs: &Inputs, rate: f64) -> Inputs {
    inputs.with(Number::Rate, rate)
}

/// The link of a lever, evaluated, gives its numbers.
#[test]
fn a_lever_is_its_link() {
    law(demands() / 3, |inputs| {
        let inputs = loaded(inputs, 30.0);
        for one in ServiceLevers::of(&inputs).all {
            let again = read(&write_inputs(&one.lever.inputs)).current;
            let found = service(&again).expect("it can be planned");
            assert_eq!(found.gpus(), one.service.gpus());
            assert_eq!(found.cost(), one.service.cost());
            assert_eq!(found.first_token(), one.service.first_token());
            let change = one.lever.change;
            assert!(!matches!(change, Change::Batch | Change::Replicas));
        }
    });
}

/// Better hardware never serves less for a dollar, but for the hundredth that counts as equal; combinations serve at
/// least what their parts do.
#[test]
fn levers_are_no_worse_than_now() {
    law(demands() / 3, |inputs| {
        let inputs = loaded(inputs, 200.0);
        let levers = ServiceLevers::of(&inputs);
        let worth = |change: fn(Change) -> bool| {
            let served = levers.all.iter().filter(|one| change(one.lever.change));
            served
                .filter_map(|one| one.service.requests_per_cost())
                .fold(0.0, f64::max)
        };
        for one in &levers.all {
            let hardware = one.lever.change.group() == LeverGroup::Hardware;
            // A larger domain is also a larger step between the sizes that are searched.
            let domain = matches!(one.lever.change, Change::Part(part) if part.id() == "domain");
            if let Some(factor) = one.lever.factor.filter(|_| hardware && !domain) {
                assert!(factor >= 0.985, "{:?}: {factor}", one.lever.change);
            }
        }
        let unassumed = worth(|change| change.group() == LeverGroup::Settings && !change.assumed());
        let all = worth(|change| change == Change::All);
        assert!(all == 0.0 || all >= unassumed * (1.0 - 1e-12));
        let settings =
            worth(|change| change.group() == LeverGroup::Settings && change != Change::Beta);
        let every = worth(|change| change == Change::AllAssumed);
        assert!(every == 0.0 || every >= settings * (1.0 - 1e-12));
    });
}

/// A stated plan has the searched one as a lever; nothing is left to set once it is taken.
#[test]
fn the_best_plan_is_a_lever_of_a_stated_one() {
    let link = "v=1&model=qwen3-235b-a22b&gpu=h200&redundant=0&rate=50&slo=25&gpus=8&tp=8&dp=1&pools=aggregated";
    let levers = ServiceLevers::of(&read(link).current);
    let plan = levers
        .all
        .iter()
        .find(|one| one.lever.change == Change::Plan);
    let plan = plan.expect("a better plan");
    assert!(levers.is_listed(plan));
    let again = ServiceLevers::of(&plan.lever.inputs);
    assert!(again.all.iter().all(|one| one.lever.change != Change::Plan));
}
