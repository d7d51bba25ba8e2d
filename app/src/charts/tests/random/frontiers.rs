//! Random frontiers of plans.

use super::Dice;
use crate::charts::{OperatingPoint, PlansData};

/// Frontiers of any shape, some empty, some of one point, some hidden; scenarios anywhere or nowhere.
pub fn plans(dice: &mut Dice) -> PlansData {
    use crate::charts::plans::*;
    use crate::theme::Series;
    let (user, gpu) = (dice.decades(1e-3, 1e5), dice.decades(1e-3, 1e5));
    let slo = dice.chance(0.6).then(|| user * dice.decades(0.01, 100.0));
    let names = [
        ("H200 SXM", "H200"),
        ("GB200 NVL72", "GB200"),
        ("Helix + HOP-B", "Helix + HOP-B"),
        ("TPU v5p", "TPU v5p"),
        ("deepseek-fp8", "deepseek-fp8"),
        ("MI300X", "MI300X"),
        ("Ascend 910C", "Ascend 910C"),
    ];
    let shown = 1 + (dice.unit() * 6.99) as usize;
    let mut lines = Vec::new();
    for (place, (name, short)) in names.into_iter().take(shown).enumerate() {
        let count = [0, 1, 2, 14, 60][(dice.unit() * 5.0) as usize % 5];
        let mut users: Vec<f64> = (0..count)
            .map(|_| user * dice.decades(0.05, 20.0))
            .collect();
        users.sort_by(|one, other| other.total_cmp(one));
        let mut rate = gpu * dice.decades(0.01, 100.0);
        let priced = dice.chance(0.6);
        let points: Vec<PlanPoint> = users
            .into_iter()
            .map(|user| {
                rate *= dice.between(1.0, 1.4);
                PlanPoint {
                    point: OperatingPoint {
                        gpus: dice.between(1.0, 4096.0).round(),
                        batch: dice.decades(1.0, 1e7).round(),
                        tpot_s: 1.0 / user,
                        per_user: user,
                        per_gpu: rate,
                        fits: true,
                    },
                    family: "Helix + HOP-B",
                    sharding: "TP 8 · KVP 8 · EP 64".into(),
                    schedule: "no overlap",
                    accelerator: "GB200 NVL72",
                    precision: "fp4",
                    dollars_per_mtok: priced.then(|| 1e3 / rate),
                }
            })
            .collect();
        let meets = |point: &PlanPoint| slo.is_none_or(|slo| point.point.per_user >= slo);
        let (series, dashed) = match place {
            0 => (Series::Own, false),
            place => Series::other(place - 1),
        };
        lines.push(PlanLine {
            name: name.to_owned(),
            short: short.to_owned(),
            series,
            dashed,
            hidden: dice.chance(0.1),
            best: points.iter().rposition(meets),
            points,
        });
    }
    let anywhere = |dice: &mut Dice| PlanNow {
        point: OperatingPoint {
            batch: dice.decades(1.0, 1e7).round(),
            per_user: dice.decades(1e-6, 1e8),
            per_gpu: gpu * dice.decades(0.01, 100.0),
            fits: dice.chance(0.5),
            ..OperatingPoint::default()
        },
        dollars_per_mtok: dice.chance(0.7).then(|| dice.decades(0.01, 100.0)),
        label: "two-batch overlap".into(),
    };
    PlansData {
        now: dice.chance(0.7).then(|| anywhere(dice)),
        pinned: dice.chance(0.3).then(|| anywhere(dice)),
        value: if dice.chance(0.7) {
            Value::PerGpu
        } else {
            Value::Dollars
        },
        log: dice.chance(0.4),
        slo_tokens_per_s_per_user: slo,
        lit: dice.chance(0.2).then_some(1),
        marked: dice.chance(0.3).then_some(3),
        lines,
        source: "[H] 3.2".into(),
    }
}
