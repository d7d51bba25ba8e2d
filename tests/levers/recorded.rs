//! Compares the levers with the advice of release 0.1, on the more than two hundred random scenarios of
//! `recorded/advice-0.1.tsv`.

use model_core::inputs::{Inputs, Number};
use model_core::levers::{Change, LeverGroup, Levers, min_user_rate};
use model_core::permalink::read;

/// Memory capacities in release 0.1, divided by the vendors' capacities, which later releases use.
const CAPACITY_OF_0_1: [(&str, f64); 7] = [
    ("gpu=b300&", 268.0 / 288.0),
    ("gpu=gb300&", 278.0 / 288.0),
    ("gpu=vr200&", 268.2 / 288.0),
    ("gpu=mi455x&", 402.3 / 432.0),
    ("gpu=gaudi3&", 119.2 / 128.0),
    ("gpu=ascend-950pr&", 119.2 / 128.0),
    ("gpu=ascend-950dt&", 134.1 / 144.0),
];

/// Returns the inputs of a permalink with the accelerator's memory capacity in release 0.1.
fn as_then(link: &str) -> Inputs {
    let inputs = read(link).current;
    let changed = CAPACITY_OF_0_1.iter().find(|(gpu, _)| link.contains(gpu));
    changed.map_or(inputs, |(_, scale)| {
        inputs.with(Number::CapacityScale, *scale)
    })
}

fn number(row: &str, key: &str) -> Option<f64> {
    let mut pairs = row.split('\t').filter_map(|pair| pair.split_once('='));
    pairs.find(|(name, _)| *name == key)?.1.parse().ok()
}

/// Checks that the levers serve at least 98% of the throughput that the advice of release 0.1 gives, at equal
/// interactivity.
#[test]
fn old_advice_is_no_better() {
    let recorded = include_str!("../recorded/advice-0.1.tsv");
    let (mut compared, mut without_redundant) = (0, 0);
    for row in recorded.lines() {
        let link = row.split('\t').next().expect("a link");
        let inputs = as_then(link);
        let (users, was) = (min_user_rate(&inputs), number(row, "users").unwrap_or(0.0));
        if (users - was).abs() > 1e-6 * users {
            continue;
        }
        let levers = Levers::of(&inputs);
        let most = |assumed: bool| {
            let settings = levers.all.iter().filter(|lever| {
                lever.change.group() == LeverGroup::Settings
                    && lever.change != Change::Beta
                    && (assumed || !lever.change.assumed())
            });
            let served = settings.map(|lever| lever.served().expect("it runs"));
            served.fold(levers.base.tokens_per_gpu.unwrap_or(0.0), f64::max)
        };
        for (key, assumed) in [("best", false), ("assumed", true), ("replicas", true)] {
            let Some(old) = number(row, key) else {
                continue;
            };
            compared += 1;
            // Release 0.1 dropped redundant experts where memory was short; that is an assumed setting now.
            let crowded = key == "best" && most(false) < 0.98 * old;
            without_redundant += usize::from(crowded);
            let now = most(assumed || crowded);
            assert!(now >= 0.98 * old, "{key} was {old}, is {now}: {link}");
        }
    }
    assert!(compared > 150, "{compared}");
    assert!(
        without_redundant < compared / 10,
        "{without_redundant} of {compared}"
    );
}
