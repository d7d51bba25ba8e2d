//! Charts of the ratio of attention to feed-forward instances.

use super::random::Dice;
use super::{check, for_each_seed};

use crate::charts::*;
use crate::theme::Role;

fn points(dice: &mut Dice, across: Across) -> Vec<RatioPoint> {
    let count = 2 + (dice.unit() * 100.0) as usize;
    let (least, span) = (dice.decades(1e-2, 100.0), dice.decades(1.5, 1e3));
    let scale = dice.decades(1e-3, 1e7);
    let paces = [
        Pace::Attention,
        Pace::AttentionLinks,
        Pace::FfnLinks,
        Pace::FeedForward,
    ];
    let pace = |dice: &mut Dice| paces[(dice.unit() * 4.0) as usize % 4];
    let mut now = pace(dice);
    (0..count)
        .map(|index| {
            if dice.chance(0.05) {
                now = pace(dice);
            }
            let share = index as f64 / (count - 1) as f64;
            RatioPoint {
                at: match across {
                    Across::Gpus { .. } => index as f64 + 1.0,
                    Across::Ratio => least * libm::pow(span, share),
                },
                ffn: (count - index) as f64,
                slots: 128.0,
                rate: scale * dice.between(0.0, 1.0),
                tpot_s: dice.decades(1e-6, 10.0),
                idle_attention: dice.unit(),
                idle_ffn: dice.unit(),
                pace: now,
                simulated: dice.chance(0.15).then(|| SimulatedPoint {
                    rate: scale * dice.unit(),
                    completed_rate: scale * dice.unit(),
                    idle_attention: dice.unit(),
                    idle_ffn: dice.unit(),
                    straggling: dice.between(1.0, 2.0),
                }),
            }
        })
        .collect()
}

pub fn ratio(dice: &mut Dice) -> RatioData {
    let own = Across::Gpus {
        of: 4096,
        domain: [1, 8, 72][(dice.unit() * 3.0) as usize % 3],
    };
    let across = if dice.chance(0.5) { own } else { Across::Ratio };
    let curve = points(dice, across);
    let now = curve[(dice.unit() * curve.len() as f64) as usize % curve.len()];
    let rates = [Rate::PerGpu, Rate::PerInstance, Rate::PerDollar];
    RatioData {
        now,
        across,
        rate: rates[(dice.unit() * 3.0) as usize % 3],
        finding: "9.32 to 1 is best".into(),
        nothing: "no ratio can be evaluated".into(),
        source: "[R]".into(),
        curve,
    }
}

pub fn waits(dice: &mut Dice) -> WaitsData {
    WaitsData {
        of: ratio(dice),
        finding: "The feed-forward, 59% at 1.00 to 1".into(),
    }
}

pub fn steps(dice: &mut Dice) -> StepsData {
    let scale = dice.decades(1e-6, 100.0);
    let lane = |dice: &mut Dice, name: &str, short, role| {
        let mut at = 0.0;
        let bars = (0..6).map(|index| {
            let start_s = at + dice.between(0.0, 0.1) * scale;
            at = start_s + dice.between(0.0, 0.2) * scale;
            StepBar {
                start_s,
                end_s: at,
                batch: index % 2,
                takes_s: at - start_s,
            }
        });
        StepLane {
            bars: bars.collect(),
            name: name.into(),
            short,
            role,
        }
    };
    let lanes = vec![
        lane(dice, "slowest attention", "slowest", Role::Attention),
        lane(dice, "mean attention", "mean", Role::Attention),
        lane(dice, "links, out", "out", Role::Messages),
        lane(dice, "feed-forward", "FFN", Role::Experts),
        lane(dice, "links, back", "back", Role::Messages),
    ];
    let end = lanes
        .iter()
        .filter_map(|lane| lane.bars.last())
        .map(|bar| bar.end_s)
        .fold(0.0, f64::max);
    StepsData {
        periods_s: vec![end * dice.between(0.3, 0.7), end],
        lanes,
        finding: "The slowest of 9 takes 1.06× the mean".into(),
        nothing: "nothing simulated yet".into(),
        source: "simulated".into(),
    }
}

#[test]
fn ratios_are_readable_at_any_size() {
    for_each_seed(|dice, size, stretch| {
        check(&ratio(dice), size, stretch);
        check(&waits(dice), size, stretch);
        let height = StepsData::height_px(size.0);
        check(&steps(dice), (size.0, height), stretch);
    });
}

#[test]
fn no_ratio_and_no_simulation_are_designed_states() {
    let mut dice = Dice(77);
    let size = (530.0, 268.0);
    let mut none = ratio(&mut dice);
    none.curve.clear();
    assert!(check(&none, size, 1.0).is_empty());
    let mut none = waits(&mut dice);
    none.of.curve.truncate(1);
    assert!(check(&none, size, 1.0).is_empty());
    let mut none = steps(&mut dice);
    none.lanes.clear();
    assert!(check(&none, size, 1.0).is_empty());
}
