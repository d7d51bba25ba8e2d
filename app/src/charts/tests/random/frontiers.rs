//! Random frontiers of plans.

use super::Dice;
use crate::charts::{OperatingPoint, PlansData};
use std::sync::Arc;

/// Frontiers of any shape, some empty, some of one point; a cloud; a scenario anywhere or nowhere.
pub fn plans(dice: &mut Dice) -> PlansData {
    use crate::charts::plans::*;
    use crate::theme::Series;
    let (user, gpu) = (dice.decades(1e-3, 1e5), dice.decades(1e-3, 1e5));
    let near = |dice: &mut Dice| {
        (
            user * dice.decades(0.05, 20.0),
            gpu * dice.decades(0.01, 100.0),
        )
    };
    let styles = [
        ("TP", Series::Plain, LineStyle::Solid),
        ("TP × PP", Series::Plain, LineStyle::Dashed),
        ("DP + EP", Series::First, LineStyle::Solid),
        ("Medha", Series::Second, LineStyle::Dotted),
        ("Helix", Series::Third, LineStyle::Dashed),
        ("Helix + HOP-B", Series::Third, LineStyle::Bold),
    ];
    let mut curves = Vec::new();
    for (name, series, line) in styles {
        let count = [0, 1, 2, 14, 60][(dice.unit() * 5.0) as usize % 5];
        let mut users: Vec<f64> = (0..count).map(|_| near(dice).0).collect();
        users.sort_by(|one, other| other.total_cmp(one));
        let mut rate = near(dice).1;
        let points = users.into_iter().map(|user| {
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
                sharding: "TP 8 · KVP 8 · EP 64".into(),
                schedule: if dice.chance(0.5) {
                    "two half batches"
                } else {
                    ""
                },
                accelerator: "GB200 NVL72",
                precision: "fp4",
                dollars_per_mtok: dice.chance(0.5).then_some(0.37),
            }
        });
        let points: Vec<PlanPoint> = points.collect();
        if !points.is_empty() {
            let style = PlanStyle { series, line };
            curves.push(PlanCurve {
                name,
                style,
                points,
            });
        }
    }
    let faint = (0..300).map(|_| {
        let (per_user, per_gpu) = near(dice);
        FaintPlan {
            series: Series::First,
            per_user,
            per_gpu,
        }
    });
    let faint = Arc::new(faint.collect());
    let first = curves.first().map(|curve: &PlanCurve| &curve.points[0]);
    PlansData {
        best: first.map(|best| (best.point.per_user, best.point.per_gpu)),
        curves: Arc::new(curves),
        faint,
        now: dice.chance(0.7).then(|| PlanNow {
            point: OperatingPoint {
                per_user: dice.decades(1e-6, 1e8),
                per_gpu: gpu * dice.decades(0.1, 10.0),
                fits: dice.chance(0.5),
                ..OperatingPoint::default()
            },
            label: "DP 72 · EP 72 · batch 18,432".into(),
        }),
        slo_tokens_per_s_per_user: dice.chance(0.5).then(|| user * dice.decades(0.001, 1000.0)),
        many_precisions: dice.chance(0.5),
        finding: "Helix + HOP-B is fastest, DP + EP serves most".into(),
        source: "[H] 3.2".into(),
    }
}
