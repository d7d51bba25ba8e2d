//! Charts of the ratio of attention to feed-forward instances.

use super::random::Dice;
use super::{check, for_each_seed};

use crate::charts::*;
use crate::theme::Role;

fn points(dice: &mut Dice) -> Vec<RatioPoint> {
    let count = 2 + (dice.unit() * 100.0) as usize;
    let (least, span) = (dice.decades(1e-2, 100.0), dice.decades(1.5, 1e3));
    let scale = dice.decades(1e-3, 1e7);
    let paces = [Role::Attention, Role::Messages, Role::Experts];
    let pace = |dice: &mut Dice| paces[(dice.unit() * 3.0) as usize % 3];
    let mut now = pace(dice);
    (0..count)
        .map(|index| {
            if dice.chance(0.05) {
                now = pace(dice);
            }
            let share = index as f64 / (count - 1) as f64;
            RatioPoint {
                ratio: least * libm::pow(span, share),
                tokens_per_s: scale * dice.between(0.0, 1.0),
                tpot_s: dice.decades(1e-6, 10.0),
                idle_attention: dice.unit(),
                idle_ffn: dice.unit(),
                pace: now,
                simulated: dice.chance(0.15).then(|| SimulatedPoint {
                    tokens_per_s: scale * dice.unit(),
                    generated_per_s: scale * dice.unit(),
                    tpot_s: dice.decades(1e-6, 10.0),
                    idle_attention: dice.unit(),
                    idle_ffn: dice.unit(),
                    straggling: dice.between(1.0, 2.0),
                }),
            }
        })
        .collect()
}

fn spans(curve: &[RatioPoint]) -> Vec<RegimeSpan> {
    let mut spans: Vec<RegimeSpan> = Vec::new();
    for pair in curve.windows(2) {
        let (from, to, pace) = (pair[0].ratio, pair[1].ratio, pair[1].pace);
        match spans.last_mut() {
            Some(last) if last.pace == pace => last.to = to,
            _ => spans.push(RegimeSpan { from, to, pace }),
        }
    }
    spans
}

pub fn ratio(dice: &mut Dice) -> RatioData {
    let curve = points(dice);
    let pick = |dice: &mut Dice| curve[(dice.unit() * curve.len() as f64) as usize % curve.len()];
    let now = pick(dice);
    let marks = ["r* = r_A", "r_C", "r_L", "r_peak"].map(|name| RatioMark {
        ratio: pick(dice).ratio,
        name: name.into(),
        best: name.starts_with("r*"),
    });
    RatioData {
        regimes: spans(&curve),
        marks: marks.into(),
        now,
        per_gpu: dice.chance(0.5),
        finding: "9.32 to 1 is best".into(),
        nothing: "no ratio can be evaluated".into(),
        source: "[R]".into(),
        curve,
    }
}

pub fn waits(dice: &mut Dice) -> WaitsData {
    let curve = points(dice);
    WaitsData {
        regimes: spans(&curve),
        now: curve[0].ratio,
        per_gpu: dice.chance(0.5),
        finding: "The feed-forward, 59% at 1.00 to 1".into(),
        nothing: "no ratio can be evaluated".into(),
        source: "[R]".into(),
        curve,
    }
}

pub fn steps(dice: &mut Dice) -> StepsData {
    let scale = dice.decades(1e-6, 100.0);
    let attention = 1 + (dice.unit() * 6.0) as usize;
    let lane = |dice: &mut Dice, name: &str, role| {
        let mut at = 0.0;
        let bars = (0..6).map(|index| {
            let start_s = at + dice.between(0.0, 0.1) * scale;
            at = start_s + dice.between(0.0, 0.2) * scale;
            StepBar {
                start_s,
                end_s: at,
                batch: index % 2,
                last: dice.chance(0.2),
            }
        });
        StepLane {
            bars: bars.collect(),
            name: name.into(),
            full_name: name.into(),
            role,
        }
    };
    let mut lanes: Vec<StepLane> = (0..attention)
        .map(|index| lane(dice, &format!("A {}", index * 1000 + 17), Role::Attention))
        .collect();
    lanes.push(lane(dice, "messages", Role::Messages));
    lanes.push(lane(dice, "FFN", Role::Experts));
    let end = lanes
        .iter()
        .filter_map(|lane| lane.bars.last())
        .map(|bar| bar.end_s)
        .fold(0.0, f64::max);
    StepsData {
        barriers: (0..3)
            .map(|_| Barrier {
                at_s: dice.unit() * end,
            })
            .collect(),
        lanes,
        span_s: end,
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
        check(&steps(dice), size, stretch);
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
    none.curve.truncate(1);
    assert!(check(&none, size, 1.0).is_empty());
    let mut none = steps(&mut dice);
    none.lanes.clear();
    assert!(check(&none, size, 1.0).is_empty());
}
