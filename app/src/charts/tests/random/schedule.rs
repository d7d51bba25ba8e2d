//! Random timelines and sensitivities.

use super::Dice;

use crate::charts::{fixtures, *};
use crate::theme::Role;

/// A random sensitivity chart.
pub fn sensitivity(dice: &mut Dice) -> SensitivityData {
    let pinned = dice.chance(0.4);
    let swing = |dice: &mut Dice, change: &str| Swing {
        change: change.to_owned(),
        then: "1,234 TFLOP/s".to_owned(),
        outcome: if dice.chance(0.12) {
            SwingOutcome::Lost("out of memory: needs 1.16× of it".to_owned())
        } else if dice.chance(0.1) {
            SwingOutcome::Bound("balanced already".to_owned())
        } else if dice.chance(0.3) {
            SwingOutcome::Ratio(1.0)
        } else {
            SwingOutcome::Ratio(dice.decades(0.1, 12.0))
        },
        pinned: (pinned && dice.chance(0.8)).then(|| dice.decades(0.3, 3.0)),
        details: Vec::new(),
    };
    let names = [
        "FLOP/s",
        "HBM",
        "Capacity",
        "Scale-up",
        "Scale-out",
        "Domain",
        "Balance β",
        "Redundant",
        "Latency",
    ];
    let number = 1 + (dice.unit() * 9.0) as usize % 9;
    let rows = names
        .iter()
        .take(number)
        .map(|name| SensitivityRow {
            name: (*name).to_owned(),
            now: if dice.chance(0.5) {
                "1,979 TFLOP/s"
            } else {
                "0.8"
            }
            .to_owned(),
            twice: swing(dice, "×2"),
            half: swing(dice, "×½"),
            less_is_better: dice.chance(0.2),
        })
        .collect();
    SensitivityData {
        rows,
        fits: dice.chance(0.8),
        pinned: pinned.then(|| "100 GB/s scale-out".to_owned()),
        source: String::new(),
    }
}

/// A random timeline.
pub fn timeline(dice: &mut Dice) -> TimelineData {
    if dice.chance(0.25) {
        let mut data = fixtures::timeline_pipeline(2 + (dice.unit() * 15.0) as u32);
        let scale = dice.decades(1e-3, 1e3);
        data.span_s *= scale;
        for mark in data.lanes.iter_mut().flat_map(|lane| &mut lane.marks) {
            mark.start_s *= scale;
            mark.end_s *= scale;
        }
        return data;
    }
    let scale = dice.decades(1e-7, 1.0);
    let names = [
        "q_down",
        "attention",
        "k_absorb",
        "experts",
        "out",
        "dispatch",
        "idle",
    ];
    let lane = |dice: &mut Dice, name: &str| {
        let mut at = 0.0;
        let number = (dice.unit() * 24.0) as usize;
        let marks = (0..number)
            .map(|i| {
                let start_s = at;
                at += dice.decades(1e-3, 1.0) * scale;
                let name = names[(dice.unit() * 7.0) as usize % 7];
                TimelineMark {
                    role: Some(if name == "idle" {
                        Role::Idle
                    } else {
                        Role::ALL[(dice.unit() * 5.0) as usize % 5]
                    }),
                    name: name.to_owned(),
                    start_s,
                    end_s: at,
                    batch: (i % 2) as u32,
                    portion: format!("half batch {}", i % 2 + 1),
                    bound: String::new(),
                    own_s: dice.chance(0.2).then_some(scale),
                }
            })
            .collect();
        let lane = TimelineLane {
            name: name.to_owned(),
            marks,
        };
        (lane, at)
    };
    let ((compute, first), (messages, second)) = (lane(dice, "compute"), lane(dice, "messages"));
    let span_s = first.max(second).max(scale * 1e-3);
    TimelineData {
        what: "MoE layer".to_owned(),
        often: "58 of 61 layers".to_owned(),
        lanes: vec![compute, messages],
        span_s,
        swap_s: dice.chance(0.4).then_some(span_s / 2.0),
        note: String::new(),
        pinned: dice.chance(0.4).then(|| PinnedTimeline {
            span_s: span_s * dice.decades(0.3, 3.0),
            busy: vec![
                vec![(0.0, span_s * 0.4)],
                vec![(span_s * 0.1, span_s * 0.2)],
            ],
        }),
        source: String::new(),
    }
}
