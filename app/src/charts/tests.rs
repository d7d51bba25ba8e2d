//! What holds for every chart whatever its data and size.

mod any;
mod limits;
mod pictures;
mod split;
mod steps;

use super::fixtures;
use super::metrics::Inter;
use super::picture::{Mark, Text};
use super::*;

use crate::theme::{DARK, LIGHT};
use any::Dice;

/// A figure with its height at a width.
struct Shown {
    figure: Box<dyn Figure>,
    height_px: fn(f64) -> f64,
}

impl<F: Figure> From<F> for Shown {
    fn from(figure: F) -> Self {
        Self {
            figure: Box::new(figure),
            height_px: F::height_px,
        }
    }
}

/// Every kind of figure from dice, and a hit to light up; for each a test that it is readable.
macro_rules! kinds {
    ($($kind:ident: $make:path, $hit:literal;)*) => {
        const KINDS: &[(&str, fn(&mut Dice) -> Shown, usize)] =
            &[$((stringify!($kind), |dice| $make(dice).into(), $hit)),*];

        mod readable_at_any_size {
            use super::*;

            $(#[test]
            fn $kind() {
                readable(|dice| $make(dice).into());
            })*
        }
    };
}

kinds! {
    map: limits::map, 90;
    tradeoff: limits::tradeoff, 9;
    growth: limits::growth, 2;
    instances: limits::instances, 9;
    context: limits::context, 9;
    plans: any::plans, 9;
    ratio: split::ratio, 9;
    waits: split::waits, 9;
    steps: split::steps, 4;
    parts: split::parts, 2;
    bandwidth: split::bandwidth, 9;
    degrees: split::degrees, 9;
    traces: split::traces, 3;
    rotation: split::rotation, 9;
    apart: split::apart, 9;
    roofline: any::roofline, 3;
    latency: steps::latency, 9;
    pareto: any::pareto, 9;
    memory: any::memory, 1;
    sensitivity: steps::sensitivity, 1;
    timeline: steps::timeline, 3;
    waterfall: steps::waterfall, 2;
    measured: any::measured, 2;
    curve: any::curve, 2;
}

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

/// The words of a figure, in order.
fn texts(figure: &dyn Figure, size: (f64, f64)) -> Vec<String> {
    let (picture, ..) = seen(figure, size, 1.0, None);
    let words = picture.marks.into_iter().filter_map(|mark| match mark {
        Mark::Text(text) => Some(text.words),
        _ => None,
    });
    words.collect()
}

/// Draws and checks what every drawing owes its reader; `of` names it where it does not.
fn check(figure: &dyn Figure, (width, height): (f64, f64), stretch: f64, of: &str) -> Hits {
    let mut found = Hits::default();
    let mut focus = None;
    for round in 0..3 {
        let (picture, glow, hits) = seen(figure, (width, height), stretch, focus);
        let says = || format!("round {round} of {of}, {width}×{height}, focus {focus:?}");
        let mut texts: Vec<(&Text, Vec<geometry::Rect>)> = Vec::new();
        for mark in picture.lit(glow.as_ref()) {
            let _ = mark.clone().moved(|at| {
                let near = |px: f64| (-3000.0..5000.0).contains(&px);
                assert!(near(at.x) && near(at.y), "{at:?} far off: {}", says());
                at
            });
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
                assert!(
                    !touch,
                    "“{words}” and “{}” overlap: {}",
                    other.words,
                    says()
                );
            }
        }
        focus = hits.step(focus, if round == 0 { 0 } else { 7 });
        found = hits;
    }
    for index in 0..found.len() {
        assert!(
            figure.tooltip(index).is_some(),
            "no tooltip {index} of {of}"
        );
        let (x, y) = found.anchor_px(index).unwrap();
        let inside = x >= -1.0 && x <= width + 1.0 && y.is_finite();
        assert!(inside, "{x}, {y} outside: {of}");
    }
    let finding = figure.finding();
    let length = finding.chars().count();
    assert!((1..=60).contains(&length), "{finding}");
    let Table { columns, rows } = figure.table();
    assert!(rows.iter().all(|row| row.len() == columns.len()), "{of}");
    found
}

const ROUNDS: u64 = 120;

/// Readable at the usual widths and any between, in fonts narrower and wider than the table's.
fn readable(make: fn(&mut Dice) -> Shown) {
    for seed in 1..=ROUNDS {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let (width, stretch) = (dice.width(), dice.between(0.92, 1.18));
        let Shown { figure, height_px } = make(&mut dice);
        let of = format!("seed {seed}");
        check(figure.as_ref(), (width, height_px(width)), stretch, &of);
        // A waterfall always says A and now.
        if figure.any().is::<WaterfallData>() {
            let words = texts(figure.as_ref(), (width, height_px(width)));
            assert!(words.iter().any(|word| word == "now"), "{words:?}");
            assert!(words.iter().any(|word| word.starts_with('A')), "{words:?}");
        }
    }
}

/// One of many figures of a paper has no names of axes.
#[test]
fn a_small_curve_is_readable() {
    for seed in 1..=ROUNDS {
        let figure = any::curve(&mut Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1));
        check(&figure, (163.0, 104.0), 1.0, "a small curve");
    }
}

/// The same with something taken from it.
fn without<F>(mut figure: F, take: impl FnOnce(&mut F)) -> F {
    take(&mut figure);
    figure
}

#[test]
fn empty_data_is_a_designed_state() {
    let dice = &mut Dice(77);
    let roofline = || without(fixtures::roofline(), |of| of.operators.clear());
    let latency = without(fixtures::latency(), |of| {
        of.samples.clear();
        of.now.step = Step::default();
        of.pinned = None;
    });
    let endless = without(fixtures::latency(), |of| {
        of.samples.clear();
        of.now.step.step_s = f64::INFINITY;
    });
    let pareto = without(fixtures::pareto(), |of| {
        of.curve.clear();
        of.now.per_user = f64::NAN;
        (of.pinned, of.knee) = (None, None);
    });
    let instances = without(limits::instances(dice), |of| {
        (of.small, of.large) = (InstanceCurve::default(), InstanceCurve::default());
        of.trouble = Some("65,536 GPUs are too many for one".to_owned());
    });
    let traces = without(split::traces(dice), |of| {
        for trace in &mut of.traces {
            (trace.split, trace.other) = (None, None);
        }
    });
    let map = without(limits::map(dice), |of| {
        std::sync::Arc::make_mut(&mut of.field).points.clear();
    });
    let empty: [Shown; 22] = [
        roofline().into(),
        without(roofline(), |of| of.roofs.peaks.clear()).into(),
        without(roofline(), |of| of.roofs.hbm_bytes_per_s = f64::NAN).into(),
        latency.into(),
        endless.into(),
        pareto.into(),
        instances.into(),
        traces.into(),
        map.into(),
        without(fixtures::memory(256.0), |of| of.parts.clear()).into(),
        without(fixtures::sensitivity(), |of| of.rows.clear()).into(),
        without(fixtures::timeline(), |of| of.span_s = f64::NAN).into(),
        without(limits::tradeoff(dice), |of| of.curve.clear()).into(),
        without(limits::growth(dice), |of| of.bars.clear()).into(),
        without(split::ratio(dice), |of| of.curve.clear()).into(),
        without(split::waits(dice), |of| of.of.curve.truncate(1)).into(),
        without(split::steps(dice), |of| of.lanes.clear()).into(),
        without(split::parts(dice), |of| of.rows.clear()).into(),
        without(split::bandwidth(dice), |of| of.lines.clear()).into(),
        without(split::degrees(dice), |of| of.degrees.clear()).into(),
        without(split::rotation(dice), |of| of.bars.clear()).into(),
        without(split::apart(dice), |of| of.curves.clear()).into(),
    ];
    for (index, Shown { figure, .. }) in empty.iter().enumerate() {
        let of = format!("empty figure {index}");
        let hits = check(figure.as_ref(), (530.0, 268.0), 1.0, &of);
        assert!(hits.is_empty(), "{of}");
    }
    let none = WaterfallData::empty("Nothing is pinned: Compare does that");
    check(&none, (530.0, 268.0), 1.0, "an empty waterfall");
}

#[test]
fn tiny_canvases_do_not_panic() {
    let mut figures: Vec<Shown> = vec![
        fixtures::roofline().into(),
        fixtures::latency().into(),
        fixtures::pareto().into(),
        fixtures::memory(512.0).into(),
        fixtures::sensitivity_pinned().into(),
        fixtures::timeline_pinned().into(),
        fixtures::timeline_pipeline(16).into(),
    ];
    figures.extend(KINDS.iter().map(|(_, make, _)| make(&mut Dice(99))));
    for size in [(1.0, 1.0), (20.0, 400.0), (400.0, 20.0), (90.0, 90.0)] {
        for Shown { figure, .. } in &figures {
            let (_, hits) = record(figure.as_ref(), &DARK, &Inter::default(), size);
            for index in [0, 3, hits.len()] {
                let glow = (index, &hits);
                record_glow(figure.as_ref(), glow, &DARK, &Inter::default(), size);
            }
        }
    }
}

#[test]
fn a_drawing_says_the_numbers() {
    fn says<F: Figure>(figure: &F, parts: &str) {
        let drawn = texts(figure, (530.0, F::height_px(530.0))).join("|");
        for part in parts.split('|') {
            assert!(drawn.contains(part), "{part} is missing in {drawn}");
        }
    }
    says(
        &fixtures::roofline(),
        "FP8 1,979|BF16 989.5|HBM 3.35 TB/s|295|591|memory-bound|compute-bound|attention| 216",
    );
    says(
        &fixtures::latency(),
        "attention 35.3|scale-out messages 79.8|idle 24.5|79.8|compute at 144|beyond 415|now: 256 per GPU",
    );
    says(
        &fixtures::pareto(),
        "now: 256 per GPU|DP 72 · EP 72|now 0.693×|misses SLO|beyond 415|144 per GPU: the same|64 per GPU",
    );
    says(
        &fixtures::memory(256.0),
        "33.5|12.0|10.6|now 256|415|80 GiB|21.0",
    );
    says(&fixtures::memory(512.0), "over by|12.5|now 512|67.0");
    says(
        &fixtures::sensitivity(),
        "Scale-out|50 GB/s|1.44×|to 1|0.500×|3.70×|out of memory|impossible|no change with more or less: Domain|0.5×|2×",
    );
    says(
        &fixtures::timeline(),
        "compute|messages|attention|180 µs|idle|248 µs|dispatch|combine|half batch 1|half batch 2|1,380|0 µs",
    );
    says(
        &fixtures::timeline_pipeline(4),
        "stage 4|4|8,000|no fill or drain",
    );
}

#[test]
fn findings_say_what_binds() {
    let says = |figure: &dyn Figure, finding: &str| assert_eq!(figure.finding(), finding);
    says(
        &fixtures::roofline_pictured(),
        "All nine operators sit left of their ridge",
    );
    says(&fixtures::latency(), "Compute hides behind messages");
    says(
        &fixtures::latency_sequential(),
        "41% computes, 59% waits for messages",
    );
    says(&fixtures::pareto(), "Beyond 144 per GPU only latency grows");
    says(
        &fixtures::memory(256.0),
        "59.0 of 80 GiB, room for 415 per GPU",
    );
    says(
        &fixtures::memory(512.0),
        "12.5 GiB too much, all of it KV cache",
    );
    says(
        &fixtures::timeline(),
        "An MoE layer takes 1.38 ms, compute idles 36%",
    );
    says(
        &fixtures::timeline_pipeline(4),
        "A round takes 8.00 ms, no stage waits",
    );
    let two = fixtures::sensitivity();
    says(&two, "Scale-out ×2 gives 1.44×, then balance β 1.25×");
    let one = without(two, |of| of.rows.truncate(1));
    says(&one, "Scale-out ×2 gives 1.44×, nothing else helps");
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
