//! What holds for every chart whatever its data and size, and a way to look at them.

mod apart;
mod limits;
mod papers;
mod pictures;
mod random;
mod ratio;
mod waterfall;

use super::fixtures;
use super::metrics::Inter;
use super::picture::{Mark, Text};
use super::*;

use crate::theme::{DARK, LIGHT};
use random::{Dice, latency, memory, pareto, plans, roofline, sensitivity, timeline};

/// A figure as it is seen in a font of a width, and what lights up at a hit.
fn seen(
    figure: &dyn Figure,
    size: (f64, f64),
    stretch: f64,
    focus: Option<usize>,
) -> (Picture, Option<Picture>, Hits) {
    let font = Inter { stretch };
    let (picture, hits) = record(figure, &LIGHT, &font, size);
    let glow = focus.map(|index| record_glow(figure, (index, &hits), &LIGHT, &font, size));
    (picture, glow, hits)
}

/// Boxes that cover a text: one when it is level, several along it when it is turned.
fn boxes(text: &Text) -> Vec<geometry::Rect> {
    if text.degrees.abs() < 1e-9 {
        return vec![text.capitals()];
    }
    let turn = text.degrees.to_radians();
    let (sin, cos) = (libm::sin(turn), libm::cos(turn));
    let steps = (text.width_px / 4.0).ceil().max(1.0) as usize;
    (0..=steps)
        .map(|i| {
            let along = text.width_px * i as f64 / steps as f64;
            let (x, y) = (
                text.at.x + along * cos + 4.0 * sin,
                text.at.y + along * sin - 4.0 * cos,
            );
            geometry::rect(x - 3.0, y - 3.0, x + 3.0, y + 3.0)
        })
        .collect()
}

/// Every place that a mark has.
fn places(mark: &Mark) -> Vec<geometry::Point> {
    match mark {
        Mark::Stroke { lines, .. } => lines.iter().flat_map(|line| line.through.clone()).collect(),
        Mark::Fill { corners, .. } => corners.clone(),
        Mark::Boxes { areas, .. } => areas.iter().flat_map(|area| area.corners()).collect(),
        Mark::Discs { discs, .. } => discs.iter().map(|(centre, _)| *centre).collect(),
        Mark::Ring { centre, .. } => vec![*centre],
        Mark::Text(text) => vec![text.at],
    }
}

/// The words of a figure, in order.
fn texts(figure: &dyn Figure, size: (f64, f64)) -> Vec<String> {
    let (picture, ..) = seen(figure, size, 1.0, None);
    let words = picture.marks.into_iter().filter_map(|mark| match mark {
        Mark::Text(text) => Some(text.words),
        _ => None,
    });
    words.collect()
}

/// Draws and checks what every drawing owes its reader.
fn check<F: Figure + std::fmt::Debug>(
    figure: &F,
    (width, height): (f64, f64),
    stretch: f64,
) -> Hits {
    let mut found = Hits::default();
    let mut focus = None;
    for round in 0..3 {
        let (picture, glow, hits) = seen(figure, (width, height), stretch, focus);
        let says = || format!("round {round}, {width}×{height}, focus {focus:?}, {figure:?}");
        let marks: Vec<&Mark> = picture.lit(glow.as_ref()).collect();
        let mut texts: Vec<(&Text, Vec<geometry::Rect>)> = Vec::new();
        for mark in &marks {
            for geometry::Point { x, y } in places(mark) {
                assert!(
                    (-3000.0..5000.0).contains(&x) && (-3000.0..5000.0).contains(&y),
                    "{x}, {y} far off: {}",
                    says()
                );
            }
            if let Mark::Text(text) = mark {
                texts.push((text, boxes(text)));
            }
        }
        let canvas = geometry::rect(-0.6, -0.6, width + 0.6, height + 0.6);
        for (index, (text, parts)) in texts.iter().enumerate() {
            let words = &text.words;
            let finite = !words.contains("NaN") && !words.contains("inf");
            assert!(finite, "{words} in {}", says());
            for part in parts {
                let whole = canvas.holds(part);
                assert!(whole, "“{words}” at {part:?} is clipped: {}", says());
            }
            for (other, others) in &texts[index + 1..] {
                let near =
                    |x: &geometry::Rect, y: &geometry::Rect| x.grown(-0.3).overlaps(&y.grown(-0.3));
                let touch = parts.iter().any(|x| others.iter().any(|y| near(x, y)));
                let other = &other.words;
                assert!(
                    !touch,
                    "“{words}” and “{other}” overlap: {parts:?} {others:?} {}",
                    says()
                );
            }
        }
        focus = hits.step(focus, if round == 0 { 0 } else { 7 });
        found = hits;
    }
    let hits = found;
    for index in 0..hits.len() {
        assert!(
            figure.tooltip(index).is_some(),
            "no tooltip {index} of {}",
            hits.len()
        );
        let (x, y) = hits.anchor_px(index).unwrap();
        assert!(
            x >= -1.0 && x <= width + 1.0 && y.is_finite(),
            "{x}, {y} outside: {figure:?}"
        );
    }
    assert!(
        !figure.finding().is_empty() && figure.finding().chars().count() <= 60,
        "{}",
        figure.finding()
    );
    let table = figure.table();
    assert!(
        table
            .rows
            .iter()
            .all(|row| row.len() == table.columns.len())
    );
    hits
}

const ROUNDS: u64 = 120;

fn for_each_seed(mut test: impl FnMut(&mut Dice, (f64, f64), f64)) {
    for seed in 1..=ROUNDS {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let size = dice.size();
        // Narrower and wider fonts than the table's.
        let stretch = dice.between(0.92, 1.18);
        test(&mut dice, size, stretch);
    }
}

#[test]
fn rooflines_are_readable_at_any_size() {
    for_each_seed(|dice, size, stretch| {
        check(&roofline(dice), size, stretch);
    });
}

#[test]
fn steps_are_readable_at_any_size() {
    for_each_seed(|dice, (width, _), stretch| {
        check(
            &latency(dice),
            (width, LatencyData::height_px(width)),
            stretch,
        );
    });
}

#[test]
fn pareto_curves_are_readable_at_any_size() {
    for_each_seed(|dice, size, stretch| {
        check(&pareto(dice), size, stretch);
        check(&plans(dice), size, stretch);
    });
}

#[test]
fn memory_is_readable_at_any_size() {
    for_each_seed(|dice, (width, _), stretch| {
        check(
            &memory(dice),
            (width, MemoryData::height_px(width)),
            stretch,
        );
    });
}

#[test]
fn sensitivities_are_readable_at_any_size() {
    for_each_seed(|dice, (width, _), stretch| {
        check(
            &sensitivity(dice),
            (width, SensitivityData::height_px(width)),
            stretch,
        );
    });
}

#[test]
fn timelines_are_readable_at_any_size() {
    for_each_seed(|dice, (width, _), stretch| {
        check(
            &timeline(dice),
            (width, TimelineData::height_px(width)),
            stretch,
        );
    });
}

#[test]
fn empty_data_is_a_designed_state() {
    let size = (530.0, 268.0);
    let mut roofline = fixtures::roofline();
    roofline.operators.clear();
    assert!(check(&roofline, size, 1.0).is_empty());
    roofline.roofs.peaks.clear();
    assert!(check(&roofline, size, 1.0).is_empty());
    roofline.roofs.hbm_bytes_per_s = f64::NAN;
    assert!(check(&roofline, size, 1.0).is_empty());

    let mut latency = fixtures::latency();
    latency.samples.clear();
    latency.now.step = Step::default();
    latency.pinned = None;
    assert!(check(&latency, size, 1.0).is_empty());
    latency.now.step.step_s = f64::INFINITY;
    check(&latency, size, 1.0);

    let mut pareto = fixtures::pareto();
    pareto.curve.clear();
    pareto.now.per_user = f64::NAN;
    pareto.pinned = None;
    pareto.knee = None;
    assert!(check(&pareto, size, 1.0).is_empty());

    let mut memory = fixtures::memory(256.0);
    memory.parts.clear();
    assert!(check(&memory, size, 1.0).is_empty());

    let mut sensitivity = fixtures::sensitivity();
    sensitivity.rows.clear();
    assert!(check(&sensitivity, size, 1.0).is_empty());

    let mut timeline = fixtures::timeline();
    timeline.span_s = f64::NAN;
    assert!(check(&timeline, size, 1.0).is_empty());
}

#[test]
fn tiny_canvases_do_not_panic() {
    let figures: [&dyn Figure; 7] = [
        &fixtures::roofline(),
        &fixtures::latency(),
        &fixtures::pareto(),
        &fixtures::memory(512.0),
        &fixtures::sensitivity_pinned(),
        &fixtures::timeline_pinned(),
        &fixtures::timeline_pipeline(16),
    ];
    on_tiny_canvases(&figures);
}

fn on_tiny_canvases(figures: &[&dyn Figure]) {
    for size in [(1.0, 1.0), (20.0, 400.0), (400.0, 20.0), (90.0, 90.0)] {
        for figure in figures {
            let (_, hits) = record(*figure, &DARK, &Inter::default(), size);
            for index in [0, 3, hits.len()] {
                record_glow(*figure, (index, &hits), &DARK, &Inter::default(), size);
            }
        }
    }
}

/// The words of a figure at the width of a column, in one string.
fn said<F: Figure>(figure: &F) -> String {
    texts(figure, (530.0, F::height_px(530.0))).join("|")
}

#[test]
fn a_drawing_says_the_numbers() {
    let says = |drawn: &str, parts: &[&str]| {
        for part in parts {
            assert!(drawn.contains(part), "{part} is missing in {drawn}");
        }
    };
    says(
        &said(&fixtures::roofline()),
        &[
            "FP8 1,979",
            "BF16 989.5",
            "HBM 3.35 TB/s",
            "295",
            "591",
            "memory-bound",
            "compute-bound",
            "attention",
            " 216",
        ],
    );
    says(
        &said(&fixtures::latency()),
        &[
            "attention 35.3",
            "scale-out messages 79.8",
            "idle 24.5",
            "79.8",
            "compute at 144",
            "beyond 415",
            "now: 256 per GPU",
        ],
    );
    says(
        &said(&fixtures::pareto()),
        &[
            "now: 256 per GPU",
            "DP 72 · EP 72",
            "now 0.693×",
            "misses SLO",
            "beyond 415",
            "144 per GPU: the same",
            "64 per GPU",
        ],
    );
    says(
        &said(&fixtures::memory(256.0)),
        &["33.5", "12.0", "10.6", "now 256", "415", "80 GiB", "21.0"],
    );
    says(
        &said(&fixtures::memory(512.0)),
        &["over by", "12.5", "now 512", "67.0"],
    );
    says(
        &said(&fixtures::sensitivity()),
        &[
            "Scale-out",
            "50 GB/s",
            "1.44×",
            "to 1",
            "0.500×",
            "3.70×",
            "out of memory",
            "impossible",
            "no change with more or less: Domain",
            "0.5×",
            "2×",
        ],
    );
    says(
        &said(&fixtures::timeline()),
        &[
            "compute",
            "messages",
            "attention",
            "180 µs",
            "idle",
            "248 µs",
            "dispatch",
            "combine",
            "half batch 1",
            "half batch 2",
            "1,380",
            "0 µs",
        ],
    );
    says(
        &said(&fixtures::timeline_pipeline(4)),
        &["stage 4", "4", "8,000", "no fill or drain"],
    );
}

#[test]
fn findings_say_what_binds() {
    assert_eq!(
        fixtures::roofline_pictured().finding(),
        "All nine operators sit left of their ridge"
    );
    assert_eq!(
        fixtures::latency().finding(),
        "Compute hides behind messages"
    );
    assert_eq!(
        fixtures::latency_sequential().finding(),
        "41% computes, 59% waits for messages"
    );
    assert_eq!(
        fixtures::pareto().finding(),
        "Beyond 144 per GPU only latency grows"
    );
    assert_eq!(
        fixtures::memory(256.0).finding(),
        "59.0 of 80 GiB, room for 415 per GPU"
    );
    assert_eq!(
        fixtures::memory(512.0).finding(),
        "12.5 GiB too much, all of it KV cache"
    );
    let mut sensitivity = fixtures::sensitivity();
    assert_eq!(
        sensitivity.finding(),
        "Scale-out ×2 gives 1.44×, then balance β 1.25×"
    );
    sensitivity.rows.truncate(1);
    assert_eq!(
        sensitivity.finding(),
        "Scale-out ×2 gives 1.44×, nothing else helps"
    );
    assert_eq!(
        fixtures::timeline().finding(),
        "An MoE layer takes 1.38 ms, compute idles 36%"
    );
    assert_eq!(
        fixtures::timeline_pipeline(4).finding(),
        "A round takes 8.00 ms, no stage waits"
    );
}

#[test]
fn an_svg_is_well_formed_and_says_its_finding() {
    let svg = svg::render(&fixtures::latency(), &LIGHT, (530.0, 268.0));
    assert!(svg.contains("<title>Compute hides behind messages</title>"));
    assert!(svg.contains(">scale-out messages 79.8</text>"));
    assert!(!svg.contains("NaN"));
    assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    assert!(svg.len() < 40_000, "{} bytes", svg.len());
}
