//! Random steps, timelines, changes, and what they come to.

use super::any::Dice;

use crate::charts::{fixtures, *};
use crate::theme::Role;

fn random_step(dice: &mut Dice, scale: f64) -> Step {
    let mut time = |share| dice.sometimes(share, |dice| dice.decades(1e-3, 1.0) * scale);
    let mut step = Step {
        attention_s: time(0.95),
        dense_s: time(0.6),
        experts_s: time(0.7),
        head_s: time(0.8),
        scale_out_s: time(0.7),
        scale_up_s: time(0.4),
        ..Step::default()
    };
    step.overhead_s = step.head_s * 0.4;
    step.host_s = step.dense_s * 0.1;
    step.prompts_s = step.dense_s * 0.3;
    step.step_s = step.busy_s().max(step.messages_s()) + step.host_s + step.prompts_s;
    step
}

pub fn latency(dice: &mut Dice) -> LatencyData {
    let scale = dice.decades(1e-6, 1e3);
    let (base, slope) = (random_step(dice, scale), random_step(dice, scale));
    let last = dice.decades(0.5, 1e6).ceil();
    let overlaps = dice.chance(0.6);
    let at = |batch: f64| {
        let mut step = base.with(&slope, |a, b| a + b * batch / last);
        let (busy, messages) = (step.busy_s(), step.messages_s());
        let both = if overlaps {
            busy.max(messages)
        } else {
            busy + messages
        };
        step.step_s = step.host_s + step.prompts_s + both;
        let batch_per_gpu = batch;
        StepSample {
            batch_per_gpu,
            step,
        }
    };
    let number = (dice.unit() * 70.0) as u32;
    let batch = |share: f64| match last > 8.0 {
        true => (share * last).round(),
        false => share * last,
    };
    let mut attention = Vec::new();
    if dice.chance(0.3) {
        let first = dice.unit();
        let kinds = [("gated delta", first), ("window 128", 1.0 - first)];
        attention.extend(kinds.map(|(name, share)| (name.to_owned(), share)));
    }
    let mut maybe = |share: f64| dice.chance(share).then(|| batch(dice.unit()));
    let (crossing, capacity, now, pinned) = (maybe(0.6), maybe(0.9), maybe(1.0), maybe(0.5));
    LatencyData {
        now: at(now.unwrap_or(1.0)),
        attention,
        overlaps,
        samples: (0..=number)
            .map(|i| at(last * f64::from(i) / f64::from(number.max(1))))
            .collect(),
        crossing_batch_per_gpu: crossing,
        capacity_batch_per_gpu: capacity,
        gpus: 72.0,
        pinned: pinned.map(|batch| PinnedStep {
            now: at(batch),
            envelope: (0..20)
                .map(|i| last * f64::from(i) / 19.0)
                .map(|batch| (batch, at(batch).step.step_s * 0.7))
                .collect(),
        }),
        source: String::new(),
    }
}

pub fn sensitivity(dice: &mut Dice) -> SensitivityData {
    let pinned = dice.chance(0.4);
    let swing = |dice: &mut Dice, change: &str| Swing {
        change: change.to_owned(),
        then: "1,234 TFLOP/s".to_owned(),
        outcome: match () {
            () if dice.chance(0.12) => {
                SwingOutcome::Lost("out of memory: needs 1.16× of it".to_owned())
            }
            () if dice.chance(0.1) => SwingOutcome::Bound("balanced already".to_owned()),
            () if dice.chance(0.3) => SwingOutcome::Ratio(1.0),
            () => SwingOutcome::Ratio(dice.decades(0.1, 12.0)),
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
    ];
    let names = [&names[..], &["Balance β", "Redundant", "Latency"]].concat();
    let number = 1 + (dice.unit() * 9.0) as usize % 9;
    let rows = names
        .iter()
        .take(number)
        .map(|name| SensitivityRow {
            name: (*name).to_owned(),
            now: match dice.chance(0.5) {
                true => "1,979 TFLOP/s".to_owned(),
                false => "0.8".to_owned(),
            },
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
                let name = dice.one(&names);
                let idle = name == "idle";
                TimelineMark {
                    role: Some(if idle {
                        Role::Idle
                    } else {
                        dice.one(&Role::ALL[..5])
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
            busy: [(0.0, 0.4), (0.1, 0.2)]
                .map(|(from, to)| vec![(span_s * from, span_s * to)])
                .into(),
        }),
        source: String::new(),
    }
}

/// A random waterfall; now and then something is next to nothing, or hides much.
pub fn waterfall(dice: &mut Dice) -> WaterfallData {
    let scale = dice.decades(1e-2, 1e4);
    let names = [
        ("messages", Some(Role::Messages)),
        ("attention", Some(Role::Attention)),
        ("dense", Some(Role::Dense)),
        ("embedding, head", Some(Role::Head)),
        ("experts", Some(Role::Experts)),
        ("overhead", Some(Role::Overhead)),
        ("price", None),
    ];
    let mut value = || dice.sometimes(0.8, |dice| dice.decades(1e-3, 1.0) * scale);
    let term = |(name, role): (&str, Option<Role>)| WaterfallTerm {
        name: name.to_owned(),
        role,
        hides: false,
        from: value(),
        to: value(),
    };
    let mut terms: Vec<WaterfallTerm> = names.map(term).into();
    let sum = |of: fn(&WaterfallTerm) -> f64, terms: &[WaterfallTerm]| -> f64 {
        terms.iter().map(of).sum()
    };
    let (from, to) = (sum(|t| t.from, &terms), sum(|t| t.to, &terms));
    terms.push(WaterfallTerm {
        name: "hidden".to_owned(),
        role: None,
        hides: true,
        from: -dice.between(0.0, 0.6) * from,
        to: -dice.between(0.0, 0.6) * to,
    });
    let stack = terms
        .iter()
        .filter_map(|term| Some((term.role?, term.to)))
        .filter(|(_, value)| *value > 0.0)
        .collect();
    WaterfallData {
        from: sum(|t| t.from, &terms),
        to: sum(|t| t.to, &terms),
        terms,
        stack,
        axis: "ms per step",
        dollars: dice.chance(0.3),
        unit: "ms",
        sides: vec![
            ("72 GPUs".into(), "144 GPUs".into()),
            ("50 GB/s scale-out".into(), "100 GB/s scale-out".into()),
        ],
        notes: vec![
            "72 → 144 GPUs".to_owned(),
            "Bound by scale-out messages before, by HBM bandwidth now.".to_owned(),
        ],
        nothing: None,
        source: "somewhere".to_owned(),
    }
}

/// The columns lead from A to now without a jump.
#[test]
fn columns_join() {
    for seed in 1..=120_u64 {
        let data = waterfall(&mut Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1));
        let table = data.table();
        let last = table.rows.last().unwrap();
        let number = |cell: &Cell| match cell {
            Cell::Number(value) => *value,
            _ => f64::NAN,
        };
        let moved: f64 = table.rows[..table.rows.len() - 1]
            .iter()
            .map(|row| number(&row[3]))
            .sum();
        assert!((moved - number(&last[3])).abs() < 1e-9 * (data.from + data.to));
    }
}
