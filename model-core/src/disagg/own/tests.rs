//! Comparisons whose outcome is known.

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::*;
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
