//! Random figures of the Disaggregation view.

use super::any::Dice;

use crate::charts::apart::{self, ApartCurve, ApartData, ApartPoint};
use crate::charts::split::{
    BandwidthData, Bar, ContextLine, Degree, DegreesData, Lane, Part, PartsData, PartsRow,
    RotationData, Served, TraceBars, TracesData,
};
use crate::charts::*;
use crate::theme::Role;

fn points(dice: &mut Dice, across: Across) -> Vec<RatioPoint> {
    let count = 2 + (dice.unit() * 100.0) as usize;
    let (least, span) = (dice.decades(1e-2, 100.0), dice.decades(1.5, 1e3));
    let scale = dice.decades(1e-3, 1e7);
    use Pace::{Attention, AttentionLinks, FeedForward, FfnLinks};
    let pace = |dice: &mut Dice| dice.one(&[Attention, AttentionLinks, FfnLinks, FeedForward]);
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
        domain: dice.one(&[1, 8, 72]),
    };
    let across = if dice.chance(0.5) { own } else { Across::Ratio };
    let curve = points(dice, across);
    let now = dice.one(&curve);
    RatioData {
        now,
        across,
        rate: dice.one(&[Rate::PerGpu, Rate::PerInstance, Rate::PerDollar]),
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
    let ends = lanes.iter().filter_map(|lane| lane.bars.last());
    let end = ends.map(|bar| bar.end_s).fold(0.0, f64::max);
    StepsData {
        periods_s: vec![end * dice.between(0.3, 0.7), end],
        lanes,
        finding: "The slowest of 9 takes 1.06× the mean".into(),
        nothing: "nothing simulated yet".into(),
        source: "simulated".into(),
    }
}

pub fn parts(dice: &mut Dice) -> PartsData {
    let scale = dice.decades(1e-6, 1e3);
    let rows = 1 + usize::from(dice.chance(0.8));
    let row = |dice: &mut Dice| {
        let mut part = |name: &str, short, role| {
            let between = role == Role::Messages;
            let time_s = dice.sometimes(0.8, |dice| dice.decades(1e-3, 1.0) * scale);
            Part {
                name: name.into(),
                short,
                role,
                place: if between {
                    "between them"
                } else {
                    "on 16 MI300X"
                }
                .into(),
                time_s,
            }
        };
        PartsRow {
            title: "Split",
            name: "16 × MI300X + 512 × Ascend 910C".into(),
            aside: "each of 16 batches of 1,234".into(),
            parts: vec![
                part("projections", "proj.", Role::Attention),
                part("dense layers", "dense", Role::Dense),
                part("experts", "experts", Role::Experts),
                part("output head", "head", Role::Head),
                part("network", "net", Role::Messages),
                part("attention over the cache", "attention", Role::Kv),
                part("waiting", "waiting", Role::Idle),
            ],
            hidden_s: dice.sometimes(0.6, |dice| dice.unit() * scale),
            hidden_name: "of the network",
            tokens_per_s: dice.decades(1e-3, 1e9),
        }
    };
    PartsData {
        rows: (0..rows).map(|_| row(dice)).collect(),
        finding: "1.83× the step for 2.19× the batch".into(),
        source: "[L] 3.1".into(),
    }
}

pub fn bandwidth(dice: &mut Dice) -> BandwidthData {
    let last = dice.decades(2.0, 1e7);
    let scale = dice.decades(1e3, 1e13);
    let number = 2 + (dice.unit() * 60.0) as u32;
    let bend = dice.decades(0.1, 1e6);
    let line = |factor: f64| ContextLine {
        context: 2000.0 * factor,
        points: (0..number)
            .map(|i| {
                let batch = libm::pow(last, f64::from(i) / f64::from(number - 1));
                (batch, scale * batch / (batch + bend * factor))
            })
            .collect(),
    };
    let now = libm::pow(last, dice.unit());
    BandwidthData {
        lines: vec![line(1.0), line(0.25), line(4.0)],
        now: (now, scale * now / (now + bend)),
        net_bytes_per_s: dice.decades(1e8, 1e13),
        capacity: dice.chance(0.7).then_some(last * dice.unit()),
        enough_for: dice.chance(0.7).then_some(last * dice.unit()),
        slow_down: dice.between(0.01, 10.0),
        source: String::new(),
    }
}

pub fn degrees(dice: &mut Dice) -> DegreesData {
    let number = (dice.unit() * 90.0) as u32;
    let scale = dice.decades(1e-3, 1e8);
    let price = dice.decades(0.01, 1e4);
    let degree = |index: u32| {
        let (a, b) = (1 + index % 40, 1 + index * 7 % 300);
        let split = dice.chance(0.8).then_some((a, b));
        let dollars = price * dice.between(0.05, 1.5);
        let tokens = scale * dice.unit();
        Degree {
            label: split.map_or_else(|| format!("{a} ×"), |_| format!("{a} + {b}")),
            name: format!("{a} × H100 + {b} × H20"),
            split,
            now: index == 3 && split.is_some(),
            compared: index == 5 && split.is_none(),
            dollars_per_hour: dollars,
            batch: 100.0,
            tokens_per_s: tokens,
            tokens_per_s_per_user: tokens / 100.0,
            tokens_per_dollar: tokens * 3600.0 / dollars,
        }
    };
    let degrees: Vec<Degree> = (0..number).map(degree).collect();
    DegreesData {
        degrees,
        budget: dice.chance(0.8).then_some(price),
        equal_price: dice.chance(0.5),
        per_dollar: dice.chance(0.5),
        finding: "(2, 4) is the best split for $44.2/h".into(),
        nothing: "no source prices both accelerators: set both prices".into(),
        source: String::new(),
    }
}

pub fn traces(dice: &mut Dice) -> TracesData {
    let scale = dice.decades(1e-2, 1e8);
    let mut served = |share: f64| {
        dice.chance(share).then(|| Served {
            batch: dice.decades(1.0, 1e5),
            tokens_per_s: scale * dice.decades(0.01, 1.0),
            tokens_per_s_per_user: 12.0,
            dollars_per_hour: Some(20.32),
        })
    };
    TracesData {
        traces: [
            "Azure conversation",
            "Azure code",
            "Kimi conversation",
            "Kimi tool and agent",
        ]
        .map(|name| TraceBars {
            name: name.into(),
            short: "K. T&A",
            context: 12_206.4,
            split: served(0.9),
            other: served(0.8),
        })
        .into(),
        per_dollar: dice.chance(0.5),
        axis: "tokens/s for about $332 an hour".into(),
        split: "16 × MI300X + 512 × Ascend 910C".into(),
        other: "384 × MI300X".into(),
        finding: "−6.8% to +21% at equal price".into(),
        nothing: "no request of these traces fits".into(),
        source: String::new(),
    }
}

pub fn rotation(dice: &mut Dice) -> RotationData {
    let replicas = 1 + (dice.unit() * 8.0) as usize;
    let window = dice.decades(1e-6, 10.0);
    let lanes = replicas + 3;
    let mut bars = Vec::new();
    for lane in 0..lanes {
        let mut at = -window * dice.unit();
        let mut batch = 0;
        while at < window {
            let end = at + window * dice.between(0.001, 0.4);
            bars.push(Bar {
                lane,
                role: Role::ALL[lane % 6],
                batch,
                what: "slice of the model",
                layer: 1,
                start_s: at,
                end_s: end,
            });
            at = end + window * dice.unit() * 0.2;
            batch = (batch + 1) % 16;
        }
    }
    bars.retain(|bar| bar.end_s > 0.0);
    RotationData {
        lanes: (0..lanes)
            .map(|lane| Lane {
                name: format!("replica {lane}"),
                short: format!("R{lane}"),
                busy: dice.unit(),
            })
            .collect(),
        bars,
        window_s: window,
        finding: "Compute devices work 100%, memory devices 56%".into(),
        source: String::new(),
    }
}

pub fn apart(dice: &mut Dice) -> ApartData {
    let scale = dice.decades(1e-2, 1e7);
    let users = dice.decades(1e-2, 1e4);
    let marks = [
        apart::Mark::Colocated,
        apart::Mark::Ratio,
        apart::Mark::Split,
    ];
    let shown = marks[(dice.unit() * 3.0) as usize % 3];
    let mut curves = Vec::new();
    for mark in marks {
        if dice.chance(0.15) {
            continue;
        }
        let reach = dice.between(0.2, 1.0);
        let number = 1 + (dice.unit() * 40.0) as u32;
        let most = dice.unit();
        let at = |share: f64| ApartPoint {
            point: OperatingPoint {
                batch: 1e4 * share,
                gpus: 72.0,
                tpot_s: 1.0 / (users * reach * (1.02 - share)),
                per_user: users * reach * (1.02 - share),
                per_gpu: scale * reach * share,
                fits: share <= most,
            },
            tokens_per_dollar: Some(scale * 300.0 * share),
        };
        curves.push(ApartCurve {
            mark,
            label: "split (16, 512)".into(),
            name: "16 × MI300X + 512 × Ascend 910C".into(),
            points: (1..=number)
                .map(|i| at(f64::from(i) / f64::from(number)))
                .collect(),
            now: dice.chance(0.8).then(|| at(dice.unit())),
            shown: mark == shown,
            stops: (1..4)
                .map(|i| (at(f64::from(i) / 4.0), "144 per GPU".to_owned()))
                .collect(),
            beyond: (1..5).map(|i| at(f64::from(i) / 9.0)).collect(),
        });
    }
    let points: Vec<ApartPoint> = curves
        .iter()
        .flat_map(|curve| curve.points.iter().copied())
        .collect();
    let turns = [0.3, 0.7].into_iter().filter_map(|share| {
        let at = points.get((share * points.len() as f64) as usize)?;
        Some(Turn {
            at: *at,
            says: ["apart overtakes", "overlapped batches,", "not single ones"]
                .map(str::to_owned)
                .into(),
            short: "apart passes overlap".into(),
            crossing: share > 0.5,
        })
    });
    ApartData {
        turns: turns.collect(),
        factor: dice.chance(0.7).then(|| "0.490×".into()),
        curves,
        per_dollar: dice.chance(0.5),
        finding: "At 12.5 tok/s per user together gives the most".into(),
        nothing: "none of them is possible".into(),
        source: String::new(),
    }
}
