//! Property tests of the smallest deployment that serves a demand of requests.

use model_core::inputs::{Inputs, Number};
use model_core::service::limit::crossover;
use model_core::service::{Demand, Planner, Requests, Service};
use model_core::units::Seconds;
use model_core::workload::Pools;

use super::{demands, law};

/// Request rates in req/s, ascending.
const RATES: [f64; 6] = [0.3, 1.0, 4.0, 11.0, 40.0, 300.0];

fn planner(inputs: &Inputs) -> Planner {
    Planner::new(inputs).expect("it can be planned")
}

fn at(planner: &mut Planner, inputs: &Inputs, rate: f64) -> Service {
    let demand = Demand::of(inputs);
    planner.answer(&Demand {
        rate: Some(rate),
        ..demand
    })
}

fn gpus(service: &Service) -> [Option<u64>; 2] {
    [
        service
            .disaggregated
            .as_ref()
            .ok()
            .map(|pools| pools.loaded.unwrap().gpus()),
        service
            .aggregated
            .as_ref()
            .ok()
            .map(|one| one.loaded.unwrap().pool.gpus),
    ]
}

/// Checks that a higher request rate never needs fewer GPUs; a decrease of up to 1% is tolerated.
#[test]
fn more_requests_never_need_fewer_gpus() {
    law(demands(), |inputs| {
        let mut planner = planner(inputs);
        let mut before: Option<[Option<u64>; 2]> = None;
        for rate in RATES {
            let now = gpus(&at(&mut planner, inputs, rate));
            for (fewer, more) in before.unwrap_or(now).iter().zip(now) {
                assert_eq!(fewer.is_some(), more.is_some(), "{rate}");
                if let (Some(fewer), Some(more)) = (fewer, more) {
                    assert!(
                        more as f64 >= 0.99 * *fewer as f64,
                        "{rate}: {more} < {fewer}"
                    );
                }
            }
            before = Some(now);
        }
    });
}

/// Checks that the answer to a demand does not depend on earlier demands, so the planner's cache holds nothing
/// specific to one demand.
#[test]
fn an_answer_is_the_same_after_others() {
    law(demands() / 2, |inputs| {
        let mut kept = planner(inputs);
        for rate in RATES {
            at(&mut kept, inputs, rate);
        }
        let again = at(&mut kept, inputs, RATES[2]);
        let fresh = at(&mut planner(inputs), inputs, RATES[2]);
        assert_eq!(gpus(&again), gpus(&fresh));
        assert_eq!(again.choice, fresh.choice);
    });
}

#[test]
fn pools_are_no_fuller_than_planned() {
    law(demands(), |inputs| {
        let mut planner = planner(inputs);
        let most = inputs.get(Number::Util).unwrap();
        for rate in RATES {
            let found = at(&mut planner, inputs, rate);
            let pools = found
                .disaggregated
                .as_ref()
                .ok()
                .map(|pools| pools.loaded.unwrap());
            let together = found
                .aggregated
                .as_ref()
                .ok()
                .map(|one| one.loaded.unwrap());
            let shares = pools
                .map(|pools| vec![pools.prefill, pools.decode])
                .into_iter()
                .flatten()
                .chain(together.map(|together| together.pool));
            for pool in shares {
                assert!(pool.utilisation <= most * (1.0 + 2e-9), "{pool:?}");
            }
            for first in pools
                .map(|pools| pools.first_token)
                .into_iter()
                .chain(together.map(|together| together.first_token))
            {
                let limit = inputs.get(Number::Ttft).unwrap_or(f64::INFINITY);
                assert!(first.total().get() <= limit);
            }
        }
    });
}

/// Checks that the cost of a request is the cost of all GPUs during the time between two requests, and that the
/// cheaper alternative is selected.
#[test]
fn cost_is_gpus_times_price_over_rate() {
    law(demands(), |inputs| {
        let mut planner = planner(inputs);
        let (price, input) = (
            inputs.get(Number::Price).unwrap(),
            inputs.get(Number::PrefillPrice).unwrap(),
        );
        let requests = Requests::of(inputs);
        for rate in RATES {
            let found = at(&mut planner, inputs, rate);
            let (mut ways, mut parts) = (Vec::new(), Vec::new());
            if let Ok(pools) = &found.disaggregated {
                let loaded = pools.loaded.unwrap();
                let hourly = loaded.prefill.gpus as f64 * input + loaded.decode.gpus as f64 * price;
                ways.push((hourly, loaded.cost.unwrap(), loaded.gpus()));
            }
            if let Ok(together) = &found.aggregated {
                let loaded = together.loaded.unwrap();
                ways.push((
                    loaded.pool.gpus as f64 * price,
                    loaded.cost.unwrap(),
                    loaded.pool.gpus,
                ));
            }
            for (hourly, cost, gpus) in ways {
                let each = hourly / 3600.0 / rate;
                assert!((cost.per_request - each).abs() <= 1e-12 * each);
                let sum = cost.per_million_new * requests.computed()
                    + cost.per_million_output * requests.output;
                assert!((sum / 1e6 - each).abs() <= 1e-9 * each);
                parts.push((cost.per_request, gpus));
            }
            let least = parts
                .iter()
                .map(|part| part.0)
                .fold(f64::INFINITY, f64::min);
            match found.cost() {
                // Sums of the same prices are equal but for rounding.
                Some(cost) => assert!(cost.per_request <= least * (1.0 + 1e-9)),
                None => assert!(parts.is_empty() && found.choice.is_none()),
            }
            if price <= 0.0 {
                let fewest = parts.iter().map(|part| part.1).min();
                assert_eq!(found.gpus(), fewest);
            }
        }
    });
}

/// Checks that a higher prefix cache hit rate never increases the TTFT of idle replicas.
#[test]
fn more_hits_are_never_a_later_first_token() {
    law(demands(), |inputs| {
        let mut with = inputs
            .with(Number::PrefillGpus, 32.0)
            .with(Number::PrefillTp, 2.0);
        with.pools = Pools::Disaggregated;
        with.state(Number::Ttft, None);
        let mut before = f64::INFINITY;
        for hit in [0.0, 0.1, 0.35, 0.5, 0.77, 0.9, 0.99] {
            let hit = with.with(Number::Hit, hit);
            let Ok(pools) = planner(&hit).answer(&Demand::of(&hit)).disaggregated else {
                return;
            };
            let first = pools.prefill.alone().get();
            assert!(first <= before * (1.0 + 1e-12), "{first} > {before}");
            before = first;
        }
    });
}

/// Checks matched prefill and decode pools. If the match is within tolerance, the request rates of the two pools differ
/// by at most 3% and by at most one replica's rate. At a given request rate without a TTFT limit, neither pool has a
/// replica that it does not need.
#[test]
fn matched_pools_bind_together() {
    law(demands(), |inputs| {
        let mut planner = planner(inputs);
        let found = planner.answer(&Demand {
            rate: None,
            ..Demand::of(inputs)
        });
        let Ok(pools) = found.disaggregated else {
            return;
        };
        let matched = pools.matched;
        let (x, y) = (f64::from(matched.prefill), f64::from(matched.decode));
        let (one, other) = (pools.prefill.rate(), pools.decode.rate);
        assert!(x + y <= 32.0);
        if matched.within {
            let off = (x * one / (y * other) - 1.0).abs();
            assert!(off <= 0.03);
            assert!((x * one - y * other).abs() <= one.max(other));
        }
        // At any rate, each pool has less than one replica more than it needs.
        for rate in RATES {
            let at = at(&mut planner, inputs, rate);
            let Ok(pools) = at.disaggregated else {
                continue;
            };
            let loaded = pools.loaded.unwrap();
            if inputs.get(Number::Ttft).is_none() {
                let used = rate / inputs.get(Number::Util).unwrap();
                for (pool, each) in [
                    (loaded.prefill, pools.prefill.rate()),
                    (loaded.decode, pools.decode.rate),
                ] {
                    assert!(pool.replicas as f64 - used / each < 1.0 + 1e-6);
                }
            }
        }
    });
}

/// Checks that the cheaper of disaggregated and aggregated pools is selected. Forcing one of the two gives the same
/// pools as the comparison.
#[test]
fn forced_pools_are_those_compared() {
    law(demands() / 2, |inputs| {
        let mut planner = planner(inputs);
        let demand = Demand {
            rate: Some(RATES[3]),
            ..Demand::of(inputs)
        };
        let best = planner.answer(&demand);
        let forced = [Pools::Disaggregated, Pools::Aggregated]
            .map(|pools| planner.answer(&Demand { pools, ..demand }));
        let [pools, together] = forced
            .each_ref()
            .map(|way| way.cost().map(|cost| cost.per_request));
        let least = [pools, together]
            .into_iter()
            .flatten()
            .fold(f64::INFINITY, f64::min);
        match best.cost() {
            Some(cost) => assert!((cost.per_request - least).abs() <= 1e-12 * least),
            None => assert!(least.is_infinite()),
        }
        assert_eq!(gpus(&best), [forced[0].gpus(), forced[1].gpus()]);
    });
}

/// Checks a planner that reuses the replicas of an earlier search. For the same inputs, it gives the results of a new
/// search. For similar inputs, it needs at least as many GPUs as a new search, within 1%.
#[test]
fn replicas_found_last_are_no_better_than_a_search() {
    law(demands() / 3, |inputs| {
        let inputs = inputs.with(Number::Rate, 20.0);
        let mut planner = planner(&inputs);
        let service = planner.answer(&Demand::of(&inputs));
        let prompt = service.requests.prompt;
        if let (Ok(pools), Some(ratio)) =
            (&service.disaggregated, planner.ratio_at(prompt, &service))
        {
            let expected = pools.gpus_ratio;
            // A batch may serve half a percent less than the best one.
            assert!((ratio / expected - 1.0).abs() < 0.02, "{ratio} {expected}");
        }
        let longer = inputs.with(Number::MeanPrompt, 1.3 * prompt);
        let known = planner.known(&Demand::of(&inputs));
        let mut same = Planner::of(&inputs, &known).expect("the same inputs");
        assert_eq!(same.known(&Demand::of(&inputs)), known);
        let same = same.answer(&Demand::of(&inputs));
        assert_eq!(
            (gpus(&same), same.cost(), same.tpot()),
            (gpus(&service), service.cost(), service.tpot())
        );
        assert!(known.is_near(&longer));
        let Ok(mut near) = Planner::of(&longer, &known) else {
            return;
        };
        let demand = Demand::of(&longer);
        let quick = gpus(&near.answer(&demand));
        let searched = gpus(&self::planner(&longer).answer(&demand));
        for (quick, searched) in quick.into_iter().zip(searched) {
            if let (Some(quick), Some(searched)) = (quick, searched) {
                assert!(
                    quick as f64 >= 0.99 * searched as f64,
                    "{quick} < {searched}"
                );
            }
        }
        let other = model_core::permalink::read("v=1&gpu=b300&rate=20").current;
        assert!(!known.is_near(&other));
    });
}

/// Checks the reported TTFT limit at which the selected alternative changes. At this limit and at a very long one, the
/// reported lenient alternative is selected. At a limit 1.1% lower, it is not. At the reported minimum TTFT, no
/// alternative is feasible.
#[test]
fn the_cheaper_way_changes_at_the_limit_that_is_named() {
    law(demands() / 3, |inputs| {
        let inputs = inputs.with(Number::Rate, 30.0);
        let mut planner = planner(&inputs);
        let demand = Demand::of(&inputs);
        let Some(found) = crossover(&mut planner, &demand) else {
            return;
        };
        let mut choice = |limit: Seconds| {
            let first_token = Some(limit);
            let demand = Demand {
                first_token,
                ..demand
            };
            planner.answer(&demand).choice
        };
        assert_eq!(choice(found.soonest), None);
        if let Some(limit) = found.down_to {
            assert_eq!(choice(limit), Some(found.lenient));
            assert_ne!(choice(limit / 1.011), Some(found.lenient));
        }
        let lenient = choice(Seconds::new(1000.0));
        assert_eq!(lenient, Some(found.lenient));
    });
}

/// Checks that a service with fractional numbers of replicas costs at most 1.1% more than with whole numbers. Without a
/// request rate, both cost the same.
#[test]
fn whole_replicas_cost_no_less() {
    law(demands() / 3, |inputs| {
        for rate in [None, Some(0.5), Some(60.0)] {
            let mut inputs = *inputs;
            inputs.state(Number::Rate, rate);
            inputs.state(Number::Price, Some(2.0));
            inputs.state(Number::PrefillPrice, Some(3.0));
            let demand = Demand::of(&inputs);
            let mut planner = planner(&inputs);
            let compared = planner.compared(&demand);
            let service = planner.answer(&demand);
            let hourly = |cost: f64| 3600.0 * cost * rate.unwrap_or(0.0);
            let pools = service
                .disaggregated
                .as_ref()
                .ok()
                .map(|of| match &of.loaded {
                    Some(loaded) => hourly(loaded.cost.unwrap().per_request),
                    None => of.dollars_per_rate.unwrap(),
                });
            let together = service.aggregated.as_ref().ok().map(|of| match &of.loaded {
                Some(loaded) => hourly(loaded.cost.unwrap().per_request),
                None => of.dollars_per_rate.unwrap(),
            });
            for (share, whole) in [(compared.pools, pools), (compared.aggregated, together)] {
                assert_eq!(share.is_some(), whole.is_some());
                if let (Some(share), Some(whole)) = (share, whole) {
                    // Of equally good replicas, the smaller one is used.
                    assert!(share <= 1.011 * whole, "{rate:?}: {share} {whole}");
                    assert!(rate.is_some() || (share / whole - 1.0).abs() < 1e-9);
                }
            }
        }
    });
}
