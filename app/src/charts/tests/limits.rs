//! The charts of the Limits view, whatever their data and size.

use super::any::{Dice, operating};
use super::{check, seen, texts, without};
use crate::charts::*;
use crate::theme::Role;
use std::sync::Arc;

/// A plane on which time grows with batch × context beyond a fixed part, and memory ends likewise.
pub fn map(dice: &mut Dice) -> MapData {
    let contexts = (256.0, 1_048_576.0);
    let doublings = 4.0 + (dice.unit() * 12.0).floor();
    let batches = (8.0, 8.0 * libm::pow(2.0, doublings));
    let columns = 8 + (dice.unit() * 40.0) as usize;
    let rows = 6 + (dice.unit() * 30.0) as usize;
    let (fixed, each) = (dice.decades(1e-4, 1.0), dice.decades(1e-9, 1e-4));
    let token = dice.decades(1e-13, 1e-8);
    let full = dice.chance(0.15);
    let mut room = || batches.1 * contexts.0 * dice.decades(1e-3, 1e3);
    let room = if full { 0.0 } else { room() };
    let least = dice.chance(0.5).then(|| dice.decades(0.1, 5.0) / fixed);
    let point = |context: f64, batch: f64| {
        let tpot_s = fixed + each * batch + token * batch * context;
        MapPoint {
            context,
            point: operating(batch, 72.0, tpot_s, batch * context <= room),
            meets_slo: least.is_none_or(|least| 1.0 / tpot_s >= least),
        }
    };
    let along = |(low, high): (f64, f64), share: f64| low * libm::pow(high / low, share);
    let middle = |index: usize, count: usize| index as f64 / (count - 1) as f64;
    let mut points = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let context = along(contexts, middle(column, columns));
            let at = point(context, along(batches, middle(row, rows)));
            points.push((!dice.chance(0.001)).then_some(at));
        }
    }
    let curve = |of: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
        let context = |index| along(contexts, f64::from(index) / 48.0);
        let pair = |index| (context(index), of(context(index)).floor());
        (0..=48).map(pair).collect()
    };
    let capacity = curve(&|context| room / context);
    let edge = |context: f64| {
        let least = least.unwrap_or(1.0);
        ((1.0 / least - fixed) / (each + token * context)).max(0.0)
    };
    let under = least.map(|_| curve(&|context| edge(context).min(room / context)));
    let kept: Vec<Vec<(f64, f64)>> = under.into_iter().collect();
    let mut full = Vec::new();
    for (name, role) in [
        ("attention saturates", Role::Attention),
        ("experts saturate", Role::Experts),
    ] {
        let batch = along(batches, dice.between(-0.2, 1.2));
        let line = capacity.iter().filter(|(_, most)| *most >= batch);
        let line: Vec<(f64, f64)> = line.map(|(context, _)| (*context, batch)).collect();
        if line.len() > 1 && (batches.0..=batches.1).contains(&batch) {
            full.push(FullLine {
                name,
                role,
                batch,
                line,
            });
        }
    }
    let now = (along(contexts, dice.unit()), along(batches, dice.unit()));
    MapData {
        metric: Metric::ALL[(dice.unit() * 3.0) as usize % 3],
        now: point(now.0, now.1.ceil()),
        field: Arc::new(Field {
            contexts,
            batches,
            columns,
            points,
            capacity,
            kept,
            full,
        }),
        slo_tokens_per_s_per_user: least,
        capacity_now: (room / now.0).floor(),
        filled_now: now.0 * now.1 / room.max(1.0),
        largest_now: least
            .map(|_| edge(now.0).min(room / now.0).floor())
            .filter(|most| *most >= 1.0),
        pinned: dice.chance(0.4).then(|| PinnedMap {
            capacity: curve(&|context| room / context / 20.0),
            now: (along(contexts, dice.unit()), along(batches, dice.unit())),
            advantage: dice.chance(0.7).then_some((32_768.0, 2.5)),
        }),
        source: String::new(),
    }
}

/// A random curve of throughput against latency.
pub fn tradeoff(dice: &mut Dice) -> TradeoffData {
    let (fixed, each) = (dice.decades(1e-4, 1.0), dice.decades(1e-9, 1e-3));
    let most = dice.decades(1.0, 1e6);
    let last = dice.decades(2.0, 1e6);
    let step = move |batch: f64, gain: f64| (fixed + each * batch) / gain;
    let at = |batch: f64, gain: f64| operating(batch, 8.0, step(batch, gain), batch <= most);
    let number = (dice.unit() * 60.0) as u32;
    let batch = |i| libm::pow(last, f64::from(i) / f64::from(number.max(1)));
    let curve = |gain: f64| (0..=number).map(|i| at(batch(i), gain)).collect();
    let mut mark = |symbol: &str, role, kind| TradeMark {
        symbol: symbol.to_owned(),
        role,
        kind,
        point: at(libm::pow(last, dice.unit()), 1.0),
    };
    let (attention, experts) = (Some(Role::Attention), Some(Role::Experts));
    let all = [
        ("memory is full", None, TradeKind::Memory),
        ("keeps 30 tok/s", None, TradeKind::Slo),
        ("attention saturates", attention, TradeKind::Saturation),
        ("experts saturate", experts, TradeKind::Saturation),
    ];
    let marks = all
        .map(|(symbol, role, kind)| mark(symbol, role, kind))
        .to_vec();
    let ticks = (0..12)
        .map(|power| at(f64::from(1_u32 << power), 1.0))
        .collect();
    let gain = dice.decades(0.1, 10.0);
    TradeoffData {
        curve: curve(1.0),
        now: at(libm::pow(last, dice.unit()), 1.0),
        marks,
        ticks,
        slo_tpot_s: dice.chance(0.5).then(|| fixed * dice.decades(0.5, 100.0)),
        full: dice.chance(0.9).then(|| at(most.min(last), 1.0)),
        pinned: dice.chance(0.5).then(|| PinnedTrade {
            curve: curve(gain),
            full: Some(at(most.min(last), gain)),
        }),
        source: String::new(),
    }
}

pub fn context(dice: &mut Dice) -> ContextData {
    let number = (dice.unit() * 50.0) as u32;
    let mut curve = || -> Vec<ContextPoint> {
        let (fixed, each) = (dice.decades(1e-4, 1.0), dice.decades(1e-10, 1e-4));
        let (state, row) = (dice.decades(1e4, 1e9), dice.decades(1.0, 1e6));
        let most = dice.decades(1e2, 1e7);
        let at = |index: u32| {
            let context = 256.0 * libm::pow(4096.0, f64::from(index) / f64::from(number.max(1)));
            ContextPoint {
                context,
                tpot_s: fixed + each * context,
                cache_bytes: state + row * context,
                fits: context <= most,
            }
        };
        (0..=number).map(at).collect()
    };
    let (curve, theirs) = (curve(), curve());
    ContextData {
        now: curve[(dice.unit() * curve.len() as f64) as usize % curve.len()],
        curve,
        beside: dice.chance(0.5).then(|| Beside {
            curve: theirs,
            long: "A (DeepSeek-V3)".to_owned(),
            short: "A".to_owned(),
        }),
        layers: "30 × window 128, 6 × full".to_owned(),
        source: String::new(),
    }
}

pub fn growth(dice: &mut Dice) -> GrowthData {
    let usable = dice.decades(1e10, 1e12);
    let shared = dice.decades(0.01, 20.0) * usable;
    let each = dice.decades(0.001, 0.8) * usable;
    let count = 1 + (dice.unit() * 13.0) as u32;
    let bar = |power| {
        let gpus = f64::from(1_u32 << power);
        let split = shared / gpus;
        GrowthBar {
            gpus,
            parts: vec![
                (Role::Attention, each),
                (Role::Dense, each * 0.1),
                (Role::Experts, split),
                (Role::Head, 0.0),
                (Role::Kv, split * 0.7),
                (Role::Activations, split * 0.01),
            ],
            capacity_batch: (gpus * 10.0 - 50.0).max(0.0),
            largest_batch: (gpus * 7.0 - 50.0).max(0.0),
        }
    };
    let bars: Vec<GrowthBar> = (0..count).map(bar).collect();
    let now = (dice.unit() * f64::from(count)) as usize;
    GrowthData {
        now_gpus: bars[now.min(bars.len() - 1)].gpus,
        bars,
        usable_bytes: usable,
        accelerator: "H100".to_owned(),
        batch: dice.decades(1.0, 1e7).ceil(),
        slo_tokens_per_s_per_user: dice.chance(0.5).then(|| dice.decades(1.0, 1e3)),
        source: String::new(),
    }
}

pub fn instances(dice: &mut Dice) -> InstancesData {
    let last = dice.decades(1.0, 4096.0);
    let mut curve = |gain: f64| {
        let (fixed, each) = (dice.decades(1e-3, 0.1), dice.decades(1e-7, 1e-3));
        let most = dice.unit() * last;
        let point = |i| {
            let batch = 0.1 * libm::pow(10.0 * last, f64::from(i) / 39.0);
            operating(batch, 1.0, (fixed + each * batch) / gain, batch <= most)
        };
        let points: Vec<OperatingPoint> = (0..40).map(point).collect();
        InstanceCurve {
            best: points.iter().rfind(|point| point.fits).copied(),
            points,
        }
    };
    let (small, large) = (curve(1.0), curve(1.3));
    InstancesData {
        small,
        large,
        count: 8.0,
        small_gpus: 72.0,
        interconnect_bytes_per_s: dice.decades(1e9, 1e12),
        break_even: match (dice.unit() * 3.0) as u32 {
            0 => WinsFrom::Any,
            1 => WinsFrom::Never,
            _ => WinsFrom::Bandwidth(dice.decades(1e9, 1e12)),
        },
        slo_tokens_per_s_per_user: dice.chance(0.5).then(|| dice.decades(0.1, 1000.0)),
        trouble: None,
        source: String::new(),
    }
}

#[test]
fn what_is_out_of_reach_is_said() {
    let (size, dice) = ((530.0, 330.0), &mut Dice(7));
    let data = without(map(dice), |of| {
        let field = Arc::make_mut(&mut of.field);
        for at in field.points.iter_mut().flatten() {
            at.point.fits = false;
        }
        field.capacity.iter_mut().for_each(|pair| pair.1 = 0.0);
        of.pinned = None;
        of.now.point.fits = false;
    });
    assert_eq!(data.finding(), "No batch fits at any context");
    assert!(texts(&data, size).contains(&"out of memory everywhere".to_owned()));
    check(&data, size, 1.0, "a full map");
    let none = without(tradeoff(dice), |of| of.full = None);
    assert_eq!(none.finding(), "No batch fits in memory");
}

#[test]
fn the_point_of_a_map_can_be_taken_hold_of() {
    let mut data = map(&mut Dice(23));
    data.now.context = 16_384.0;
    data.now.point.batch = 64.0;
    let (_, _, hits) = seen(&data, (530.0, 330.0), 1.0, None);
    let handle = hits.handle().unwrap();
    let (context, batch) = handle.values_at(handle.x_px, handle.y_px);
    assert!((context / 16_384.0 - 1.0).abs() < 0.01 && (batch / 64.0 - 1.0).abs() < 0.02);
    // Off the plane there is no point to move, and none is drawn.
    data.now.point.batch = 1e9;
    let (_, _, hits) = seen(&data, (530.0, 330.0), 1.0, None);
    assert!(hits.handle().is_none());
}
