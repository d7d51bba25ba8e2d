//! Property tests of the levers of a service (prefill and decode of whole requests).

use model_core::bottleneck::{Bottleneck, Resource};
use model_core::evaluate::evaluate;
use model_core::inputs::{Inputs, Number};
use model_core::levers::{Change, HardwarePart, LeverGroup};
use model_core::permalink::{read, write_inputs};
use model_core::service::levers::ServiceLevers;
use model_core::service::{Service, service};

use super::{demands, law};

fn loaded(inputs: &Inputs, rate: f64) -> Inputs {
    inputs.with(Number::Rate, rate)
}

/// Checks that evaluating the permalink of a lever gives the lever's numbers.
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

/// Checks that better hardware, except a larger scale-up domain, never serves over 1.5% less per dollar. A combination
/// of levers serves at least as much per dollar as each of its levers.
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
            // A larger domain also makes the steps between the searched sizes larger.
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

/// Checks a scenario with a user-set plan: one lever is the plan found by the search. Once this lever is applied, no
/// lever with a better plan is left.
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

/// Returns the resource that a hardware part provides, or `None` for parts without a matching resource.
const fn resource(part: HardwarePart) -> Option<Resource> {
    Some(match part {
        HardwarePart::Hbm => Resource::Hbm,
        HardwarePart::Peak => Resource::Compute,
        HardwarePart::ScaleUp => Resource::ScaleUp,
        HardwarePart::ScaleOut => Resource::ScaleOut,
        HardwarePart::Alpha => Resource::Latency,
        HardwarePart::Overhead => Resource::Launches,
        _ => return None,
    })
}

/// Returns the largest share of time that a hardware part takes in decoding or in a prefill pass. For prefill, it is
/// twice the share of time saved by doubling the part's speed.
fn share(inputs: &Inputs, found: &Service, part: HardwarePart, resource: Resource) -> f64 {
    let of = |inputs: &Inputs| {
        let scenario = inputs.scenario().ok()?;
        let limits = Bottleneck::of(&scenario, &evaluate(&scenario).ok()?);
        Some(limits.share(resource) + limits.share(Resource::Prefill))
    };
    let together = found.aggregated.as_ref().ok();
    let pools = found.disaggregated.as_ref().ok();
    let prefill = pools.and_then(|pools| {
        let same = inputs
            .with(Number::PrefillGpus, f64::from(pools.prefill.gpus))
            .with(Number::PrefillTp, f64::from(pools.prefill.tp));
        let rate = |inputs: &Inputs| Some(service(inputs).ok()?.disaggregated.ok()?.prefill.rate());
        let with = part
            .applied(&same.with(Number::Gpus, 8.0), true)?
            .without(Number::Gpus);
        Some(2.0 * (1.0 - rate(&same)? / rate(&with)?))
    });
    let shares = [
        together.and_then(|one| of(&one.inputs)),
        pools.and_then(|pools| of(&pools.decode.inputs)),
        prefill,
    ];
    shares.into_iter().flatten().fold(0.0, f64::max)
}

/// Checks that improving a hardware part gains at most 3% if the part takes less than 5% of a replica's time before and
/// after. A gain may exceed the part's share, because saving 1% of the time may save a replica.
#[test]
fn parts_are_of_what_limits() {
    let mut seen = 0;
    for (link, rates) in [
        (
            "v=3&gpu=h200&prompt=4000&output=1000&hit=0.3&ttft=2&slo=25",
            [7.0, 50.0],
        ),
        (
            "v=3&gpu=gb200&prompt=32000&output=500&ttft=3&slo=30",
            [3.0, 20.0],
        ),
        (
            "v=3&gpu=h200&prompt=60000&output=400&hit=0.95&ttft=1.5&slo=40",
            [5.0, 30.0],
        ),
        (
            "v=3&model=qwen3-235b-a22b&gpu=h200&prompt=3k&output=800&slo=25",
            [4.0, 80.0],
        ),
        (
            "v=3&model=gpt-oss-120b&gpu=h100&slo=60&ttft=1",
            [10.0, 200.0],
        ),
    ] {
        for rate in rates {
            let inputs = loaded(&read(link).current, rate);
            let levers = ServiceLevers::of(&inputs);
            let base = service(&inputs).expect("it can be planned");
            for one in &levers.all {
                let Change::Part(part) = one.lever.change else {
                    continue;
                };
                let Some(resource) = resource(part) else {
                    continue;
                };
                if one.lever.factor.is_some_and(|factor| factor > 1.03) {
                    seen += 1;
                    let now = share(&inputs, &base, part, resource);
                    let then = share(&one.lever.inputs, &one.service, part, resource);
                    assert!(
                        now.max(then) >= 0.05,
                        "{link} at {rate}: {part:?} {now} {then}"
                    );
                }
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

/// Checks the number of replicas that a lever saves, which is given only if the replica size is unchanged. It is
/// positive, and the lever reduces the GPU count.
#[test]
fn a_replica_fewer_is_counted() {
    let link = "v=3&gpu=h200&prompt=4000&output=1000&hit=0.3&ttft=2&slo=25";
    let mut seen = 0;
    for rate in [2.0, 7.0, 20.0, 50.0] {
        let levers = ServiceLevers::of(&loaded(&read(link).current, rate));
        let base = levers
            .now
            .as_ref()
            .and_then(Service::gpus)
            .expect("it serves");
        for one in &levers.all {
            if let Some(fewer) = one.fewer {
                seen += 1;
                assert!(fewer > 0, "{:?}", one.lever.change);
                let gpus = one.service.gpus().expect("it serves");
                assert!(gpus < base, "{:?}: {gpus} of {base}", one.lever.change);
            }
        }
    }
    assert!(seen > 0);
}
