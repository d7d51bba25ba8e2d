//! Tests of the comparison between colocated and AFD.

use crate::afd::decision::Decision;
use crate::afd::own::Way;
use crate::levers::{Base, Change, Levers};
use crate::permalink::read;

const LINKS: [&str; 6] = [
    "v=1",
    "v=1&calibration=aleph-alpha-2025",
    "v=1&slo=20",
    "v=1&gpu=gb200&gpus=48&context=20000",
    "v=1&model=llama-3-70b&gpus=16&precision=bf16&batch=64&tp=8",
    "v=1&mu_a=900&gpus=24",
];

#[test]
fn default_gpus_stay_colocated() {
    let decision = Decision::of(&read("v=1&calibration=aleph-alpha-2025").current).unwrap();
    let parts = decision.afd.as_ref().and_then(Way::unit).unwrap();
    assert_eq!((parts.attention, parts.ffn), (32, 40));
    let factor = decision.factor().unwrap();
    assert!((factor - 0.49).abs() < 0.005, "{factor}");
}

#[test]
fn no_way_is_beaten_by_its_side() {
    for link in LINKS {
        let inputs = read(link).current;
        let decision = Decision::of(&inputs).unwrap();
        let sides = &decision.sides;
        for side in [&sides.colocated, &sides.afd] {
            let falls =
                |pair: &[Way]| pair[0].users > pair[1].users && pair[0].per_gpu < pair[1].per_gpu;
            assert!(side.windows(2).all(falls), "{link}");
        }
        let users = sides.afd[sides.afd.len() / 2].users;
        let divisions = sides.divisions(users, None);
        let most = divisions
            .iter()
            .filter(|parts| parts.users() >= users)
            .map(|parts| parts.point.per_weight_in_flight)
            .fold(0.0, f64::max);
        let best = sides.afd_at(users).unwrap().per_gpu;
        assert_eq!(most.to_bits(), best.to_bits(), "{link}");
        for parts in &divisions {
            assert_eq!(parts.attention + parts.ffn, sides.gpus, "{link}");
            let bundle = parts.bundle(&inputs).unwrap();
            let alone = bundle.at(f64::from(parts.instances));
            let ratio = alone.per_weight_in_flight / parts.point.per_weight_in_flight;
            assert!((ratio - 1.0).abs() < 1e-9, "{link} {}", parts.attention);
        }
    }
    assert!(Decision::of(&read("v=1&latencies=table2").current).is_none());
}

/// Checks that the colocated candidate's throughput is at most 2% below, and never above, the best that the plan,
/// batch and overlap levers find. Permalinks for which AFD assumes another mean context are skipped.
#[test]
fn colocated_is_the_levers_base() {
    for link in LINKS {
        let inputs = read(link).current;
        let decision = Decision::of(&inputs).unwrap();
        let lengths = inputs.bundle().unwrap().lengths;
        let base = Base::of(&inputs);
        assert_eq!(decision.users.to_bits(), base.users.to_bits(), "{link}");
        if (lengths.context() - inputs.scenario().unwrap().workload.context).abs() > 1e-9 {
            continue;
        }
        let levers = Levers::of(&inputs);
        let of_plan = levers.all.iter().filter(|lever| {
            matches!(
                lever.change,
                Change::Plan | Change::Batch | Change::Overlap(_)
            )
        });
        let most = of_plan
            .filter_map(|lever| Some(lever.evaluation()?.1.tokens_per_gpu))
            .chain(base.tokens_per_gpu)
            .fold(0.0, f64::max);
        let colocated = decision.colocated.unwrap();
        let over = colocated.per_gpu / most;
        assert!((0.98..1.0 + 1e-9).contains(&over), "{link}: {over}");
    }
}
