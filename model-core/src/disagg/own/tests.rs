//! Comparisons whose outcome is known.

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::*;
use crate::limits::largest;
use crate::permalink::read;

#[test]
fn the_default_gpus_stay_together() {
    let inputs = read("v=1&calibration=aleph-alpha-2025").current;
    let duel = Duel::of(&inputs).unwrap();
    let together = duel.together_at(12.5).unwrap();
    let apart = duel.apart_at(12.5).unwrap();
    // Throughput is the same from 144 sequences per GPU on, where messages begin to bind.
    assert!((together.per_gpu / 3208.0 - 1.0).abs() < 1e-3);
    let How::Apart(parts) = apart.how else {
        panic!("{apart:?}");
    };
    assert_eq!((parts.attention, parts.ffn), (32, 40));
    let ratio = duel.ratio_at(12.5).unwrap();
    assert!((ratio - 0.49).abs() < 0.005, "{ratio}");
    let Some(Standing::Nearest { at, ratio }) = duel.standing(1.03) else {
        panic!("apart is nowhere ahead");
    };
    assert!(ratio < 0.9 && (30.0..40.0).contains(&at), "{at} {ratio}");
    // What counts as level decides what is ahead, and where that ends.
    let Some(Standing::Ahead { from, to, at, .. }) = duel.standing(ratio) else {
        panic!("as good as its nearest");
    };
    assert!(from <= at && to.is_some_and(|to| to >= at), "{from} {to:?}");
    // Beyond the fastest step of data-parallel attention another sharding goes on, further than apart.
    assert!(duel.ratio_at(65.0).is_some_and(|ratio| ratio < 0.1));
    assert!(duel.together[0].users > duel.apart[0].users);
}

#[test]
fn no_way_is_beaten_by_another_of_its_side() {
    for link in [
        "v=1",
        "v=1&slo=20",
        "v=1&gpu=gb200&gpus=32",
        "v=1&model=llama-3-70b&gpus=16&precision=bf16&batch=64&tp=8",
    ] {
        let duel = Duel::of(&read(link).current).unwrap();
        for side in [&duel.together, &duel.apart] {
            let falls =
                |pair: &[Way]| pair[0].users > pair[1].users && pair[0].per_gpu < pair[1].per_gpu;
            assert!(side.windows(2).all(falls), "{link}");
        }
        let users = duel.apart[duel.apart.len() / 2].users;
        let divisions = duel.divisions(users, None);
        let most = divisions
            .iter()
            .filter(|parts| parts.users() >= users)
            .map(|parts| parts.point.per_weight_in_flight)
            .fold(0.0, f64::max);
        let best = duel.apart_at(users).unwrap().per_gpu;
        assert_eq!(most.to_bits(), best.to_bits(), "{link}");
        for parts in &divisions {
            assert_eq!(parts.attention + parts.ffn, duel.gpus, "{link}");
            let bundle = parts.bundle(&read(link).current).unwrap();
            let alone = bundle.at(f64::from(parts.instances));
            let ratio = alone.per_weight_in_flight / parts.point.per_weight_in_flight;
            assert!((ratio - 1.0).abs() < 1e-9, "{link} {}", parts.attention);
        }
    }
    assert!(Duel::of(&read("v=1&latencies=table2").current).is_none());
}

const LINKS: [&str; 6] = [
    "v=1",
    "v=1&calibration=aleph-alpha-2025",
    "v=1&slo=30&gpus=32",
    "v=1&gpu=gb200&gpus=48&context=20000",
    "v=1&model=llama-3.1-405b&ep=1&gpus=32&batch=64",
    "v=1&mu_a=900&gpus=24",
];

/// Tokens per second of the plan and batch that serve most with users who get so much, if more than `known`: every plan at
/// its largest batch.
fn most_of_all(scenario: &Scenario, users: f64, known: f64) -> Option<Scenario> {
    let mut tried = *scenario;
    tried.workload.slo = Some(users);
    let (mut best, mut most) = (None, known);
    for plan in plans(scenario) {
        tried.plan = plan;
        let found = largest(&tried).ok().and_then(|found| {
            tried.workload.batch = found.batch;
            evaluate(&tried).ok()
        });
        if let Some(found) = found
            && found.tokens > most
        {
            most = found.tokens;
            best = Some(tried);
        }
    }
    best
}

/// What is passed over for what is known of other batches never serves most.
#[test]
fn rivals_are_what_a_search_of_all_plans_finds() {
    for link in LINKS {
        let (_, scenario) = compared(&read(link).current.decoding()).unwrap();
        let mut rivals = Rivals::of(&scenario, plans(&scenario));
        for users in [8.0, 30.0, 12.5, 55.0, 21.0, 90.0, 13.0] {
            for known in [0.0, 2e4, 1e5] {
                let all = most_of_all(&scenario, users, known);
                let few = rivals.most_at(users, known);
                let serves = |found: Option<Scenario>| {
                    found.map(|found| evaluate(&found).unwrap().tokens.to_bits())
                };
                assert_eq!(serves(few), serves(all), "{link} {users} {known}");
            }
        }
    }
}

/// On twice a link the divisions that are evaluated anew are those that count.
#[test]
fn twice_a_link_is_the_comparison_on_twice_the_link() {
    for link in LINKS {
        let inputs = read(link).current.decoding();
        let duel = Duel::of(&inputs).unwrap();
        for number in [Number::ScaleOut, Number::ScaleUp] {
            let twice = inputs.with(number, 2.0 * inputs.get(number).unwrap());
            let (bundle, _) = compared(&twice).unwrap();
            for users in [5.0, 12.5, 25.0, 40.0] {
                let mut all = tried_apart(&twice, &bundle);
                to_the_edge(&mut all, &twice, &bundle, users);
                let kept = all.iter().filter(|parts| parts.users() >= users);
                let most = kept.map(|parts| parts.point.per_weight_in_flight);
                let most = most.reduce(f64::max).map(f64::to_bits);
                let [_, apart] = duel.on_twice(&inputs, number, users).unwrap();
                let found = apart.map(|way| way.per_gpu.to_bits());
                assert_eq!(found, most, "{link} {} {users}", number.spec().key);
            }
        }
    }
}
