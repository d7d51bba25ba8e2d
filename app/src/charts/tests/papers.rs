//! Charts of the Papers view: predicted against measured, and figures of papers.

use super::random::Dice;
use super::*;
use crate::charts::curve::{CurveLine, CurvePoint};
use crate::charts::measured::Shape;

fn measured(dice: &mut Dice) -> MeasuredData {
    let count = (dice.unit() * 60.0) as usize;
    let points = (0..count)
        .map(|index| {
            let measured = dice.decades(10.0, 2e4);
            let predicted = measured * dice.decades(0.4, 2.5);
            MeasuredPoint {
                name: format!("DeepSeek-R1, {index}×8 H200"),
                run: String::new(),
                group: "steady decode",
                unknown: String::new(),
                measured,
                predicted,
                range: (predicted * 0.9, predicted * 1.2),
                counts: dice.chance(0.5),
                shape: [Shape::Disc, Shape::Ring, Shape::Cross][index % 3],
                source: String::new(),
            }
        })
        .collect();
    MeasuredData {
        points,
        finding: "Some of them".into(),
    }
}

fn curve(dice: &mut Dice) -> CurveData {
    let line = |dice: &mut Dice, name: &'static str| CurveLine {
        name,
        role: None,
        points: (1..40)
            .map(|step| (f64::from(step), dice.decades(1.0, 1e3)))
            .collect(),
        fits: (dice.unit() * 40.0) as usize,
        printed: vec![CurvePoint {
            x: 7.0,
            y: dice.decades(1.0, 1e3),
            place: "Figure 1".into(),
        }],
    };
    CurveData {
        lines: vec![line(dice, "16k tokens"), line(dice, "2k tokens")],
        x: "batch",
        y: "least GB/s per device",
        log: (dice.chance(0.5), dice.chance(0.5)),
        bound: dice.chance(0.5).then_some((30.0, "“at most 30”")),
        rule: dice.chance(0.5).then_some((20.0, "the paper’s SLO")),
        finding: "Least bandwidth by batch",
        source: String::new(),
    }
}

#[test]
fn papers_and_measurements_are_readable_at_any_size() {
    for_each_seed(|dice, size, stretch| {
        let height = MeasuredData::height_px(size.0);
        check(&measured(dice), (size.0, height), stretch);
        let height = CurveData::height_px(size.0);
        check(&curve(dice), (size.0, height), stretch);
        // One of many.
        check(&curve(dice), (163.0, 104.0), stretch);
    });
}
