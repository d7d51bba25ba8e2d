//! Tests of properties that every chart has, whatever its data and size.

mod pictures;
mod shown;
mod struck;

use super::*;
use crate::picture::geometry::{Rect, rect};
use crate::picture::metrics::Inter;
use crate::picture::svg;
use crate::picture::table::{Cell, Table};
use crate::picture::{Mark, Picture, Text};

use crate::chart::hits::{Hits, Pointed};
use crate::chart::{Chart, record, record_glow};
use crate::levers::LeversData;
use crate::theme::{DARK, LIGHT, Theme};
use model_core::permalink::{FigureId, TimelineLayer};
use shown::{
    DeclaredFigure, Dice, Key, RATIOS, SCENARIOS, SEARCHES, SPLITS, TRAFFIC, View, below, levers,
    say, sizing,
};
use std::collections::HashMap;
use std::sync::Arc;

/// Every view, with the permalink keys that are set at random.
const VIEWS: [(View, &[Key]); 7] = [
    (shown::explore, &[]),
    (shown::limits, &[]),
    (shown::plans, SEARCHES),
    (shown::ratio, RATIOS),
    (shown::split, SPLITS),
    (shown::papers, &[]),
    (shown::service, TRAFFIC),
];

/// Draws a figure in a theme and a font. If a hover target has the focus, also draws its highlight.
fn seen(
    figure: &Chart,
    (theme, stretch): (&Theme, f64),
    size: (f64, f64),
    focus: Option<usize>,
) -> (Picture, Option<Picture>, Hits) {
    let font = Inter { stretch };
    let (picture, hits) = record(figure, theme, &font, size);
    let glow = focus.map(|index| {
        let tip = figure.tooltip(index);
        let (hits, tip) = (&hits, tip.as_ref());
        record_glow(figure, Pointed { index, hits, tip }, theme, &font, size)
    });
    (picture, glow, hits)
}

/// Returns the boxes that cover a text: one box if the text is horizontal, several boxes along it if it is rotated.
fn boxes(text: &Text) -> Vec<Rect> {
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
            rect(x - 3.0, y - 3.0, x + 3.0, y + 3.0)
        })
        .collect()
}

fn texts(figure: &Chart, size: (f64, f64)) -> Vec<String> {
    let (picture, ..) = seen(figure, (&LIGHT, 1.0), size, None);
    let words = picture.marks.into_iter().filter_map(|mark| match mark {
        Mark::Text(text) => Some(text.words),
        _ => None,
    });
    words.collect()
}

/// Draws a figure and checks that it is readable; `of` names the figure if a check fails.
fn check(figure: &Chart, (width, height): (f64, f64), stretch: f64, of: &str) -> Hits {
    let mut found = Hits::default();
    let mut focus = None;
    for round in 0..3 {
        let (picture, glow, hits) = seen(figure, (&LIGHT, stretch), (width, height), focus);
        let says = || format!("round {round} of {of}, {width}×{height}, focus {focus:?}");
        let mut texts: Vec<(&Text, Vec<Rect>)> = Vec::new();
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
        let canvas = rect(-0.6, -0.6, width + 0.6, height + 0.6);
        for (index, (text, parts)) in texts.iter().enumerate() {
            let words = &text.words;
            let finite = !words.contains("NaN") && !words.contains("inf");
            assert!(finite, "{words} in {}", says());
            for part in parts {
                let whole = canvas.holds(part);
                assert!(whole, "“{words}” at {part:?} is clipped: {}", says());
            }
            for (other, others) in &texts[index + 1..] {
                let near = |x: &Rect, y: &Rect| x.grown(-0.3).overlaps(&y.grown(-0.3));
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
    check_value(figure, of);
    let finding = &figure.finding;
    let length = finding.chars().count();
    assert!((1..=60).contains(&length), "{finding}");
    let Table { columns, rows } = figure.table();
    assert!(rows.iter().all(|row| row.len() == columns.len()), "{of}");
    found
}

/// Checks that every table row referenced by a mark exists, and that every column has a cell for each row. Row
/// numbers must ascend along a curve; x must not descend if the plot has a ruler.
fn check_value(chart: &Chart, of: &str) {
    assert!(chart.rows.is_whole(), "{of}");
    for plot in &chart.plots {
        for line in plot.lines() {
            let rows = line.iter().filter_map(|at| at.row);
            assert!(rows.is_sorted_by(|one, next| one < next), "{of}");
            let across = || line.iter().map(|at| at.x);
            assert!(!plot.ruler || across().is_sorted(), "{of}");
        }
    }
    let mut hits = chart.hits().into_iter().filter_map(|(_, at)| at.row);
    assert!(hits.all(|row| row < chart.rows.len()), "{of}");
    assert!(chart.start.is_none_or(|row| row < chart.rows.len()), "{of}");
}

/// Checks that random figures of a view are readable at usual and at random widths. The fonts' characters are up to 8%
/// narrower or 18% wider than the character-width table.
fn readable(view: usize, rounds: u64) {
    let (figures, keys) = &VIEWS[view];
    let mut drawn: HashMap<&str, usize> = HashMap::new();
    for seed in 1..=rounds {
        let mut dice = Dice::of(seed);
        let link = [dice.link(SCENARIOS), dice.link(keys)].concat();
        for DeclaredFigure { id, figure } in figures(&link) {
            let (width, stretch) = (dice.width(), dice.between(0.92, 1.18));
            let of = format!("{} of {link}", id.id());
            let size = (width, figure.shape.height_px(width));
            let hits = check(&figure, size, stretch, &of);
            *drawn.entry(id.id()).or_default() += usize::from(!hits.is_empty());
        }
    }
    // Every figure of the view was drawn with data more than once.
    assert!(
        !drawn.is_empty() && drawn.values().all(|count| *count > 1),
        "{drawn:?}"
    );
}

#[test]
fn explore_is_readable() {
    readable(0, 120);
}

#[test]
fn limits_are_readable() {
    readable(1, 60);
}

#[test]
fn plans_are_readable() {
    readable(2, 40);
}

#[test]
fn services_are_readable() {
    readable(6, 40);
}

#[test]
fn ratios_are_readable() {
    readable(3, 60);
}

#[test]
fn splits_are_readable() {
    readable(4, 60);
}

#[test]
fn papers_are_readable() {
    readable(5, 3);
    for DeclaredFigure { figure, .. } in shown::curves() {
        // At the smallest size, figures have no axis names.
        for size in [(163.0, 104.0), (328.0, 203.0), (530.0, 329.0)] {
            check(&figure, size, 1.0, &figure.finding);
        }
    }
}

fn without(chart: &Chart, take: impl FnOnce(&mut Chart)) -> Arc<Chart> {
    let mut chart = chart.clone();
    take(&mut chart);
    Arc::new(chart)
}

fn of<T: Clone>(
    data: &T,
    chart: fn(&Arc<T>) -> Arc<Chart>,
    take: impl FnOnce(&mut T),
) -> Arc<Chart> {
    let mut data = data.clone();
    take(&mut data);
    chart(&Arc::new(data))
}

#[test]
fn empty_data_is_a_designed_state() {
    let said = say("v=1&scale_out=100&a.v=1").unwrap();
    let sizing_charts = sizing("v=1&scale_out=100&a.v=1").unwrap();
    let link = shown::read("v=1");
    let limits = shown::limits_charts("v=1").unwrap();
    let split = shown::say_split("v=1&mode=split").unwrap();
    let degrees = shown::degrees("v=1&mode=split").unwrap();
    let ratio = shown::say_ratio("v=1&mode=simulate&requests=20").unwrap();
    let served = shown::say_service("v=2&rate=50").unwrap();
    let pays = crate::service::pays::pays(None, &served, &shown::read("v=2&rate=50").current);
    let further = below("v=1").unwrap();
    let layer = &further.timelines.pick(None).unwrap().chart;
    let map = shown::map(&link).unwrap();
    let empty = [
        of(&*sizing_charts.roofline, RooflineData::chart, |of| {
            of.operators.clear()
        }),
        of(&*sizing_charts.roofline, RooflineData::chart, |of| {
            of.roofs.peaks.clear()
        }),
        of(&*sizing_charts.roofline, RooflineData::chart, |of| {
            of.roofs.hbm_bytes_per_s = f64::NAN
        }),
        of(&*said.latency, LatencyData::chart, |of| {
            of.samples.clear();
            of.now.step = StepTimes::default();
            of.pinned = None;
        }),
        of(&*said.latency, LatencyData::chart, |of| {
            of.samples.clear();
            of.now.step.step_s = f64::INFINITY;
        }),
        without(&sizing_charts.pareto, |of| of.plots.clear()),
        of(&*sizing_charts.memory, MemoryData::chart, |of| {
            of.parts.clear()
        }),
        of(&levers("v=1"), LeversData::chart, |of| of.rows.clear()),
        without(layer, |of| of.own = None),
        without(&limits.growth, |of| of.own = None),
        without(&limits.context, |of| of.plots.clear()),
        of(&map, MapData::chart, |of| {
            Arc::make_mut(&mut of.field).points.clear()
        }),
        without(&ratio.ratio, |of| of.plots.clear()),
        without(&ratio.steps.chart, |of| of.own = None),
        without(&split.time.chart, |of| of.own = None),
        without(&split.bandwidth, |of| of.plots.clear()),
        without(&degrees, |of| of.plots.clear()),
        without(&ratio.apart, |of| of.plots.clear()),
        without(&served.stairs, |of| of.plots.clear()),
        without(&split.rotation.chart, |of| of.own = None),
        without(&served.request, |of| of.own = None),
        without(&served.binds, |of| of.own = None),
        pays,
    ];
    for (index, figure) in empty.iter().enumerate() {
        let of = format!("empty figure {index}");
        let hits = check(figure, (530.0, 268.0), 1.0, &of);
        assert!(hits.is_empty(), "{of}");
    }
    let none = &further.changed[0];
    assert!(check(none, (530.0, 268.0), 1.0, "an empty waterfall").is_empty());
}

/// Checks that a very high pinned curve may leave the frame, so that the user’s curve still has half of the height.
#[test]
fn what_is_pinned_does_not_flatten_ones_own() {
    let link = "v=1&batch=512&context=64k&a.v=1";
    let all = shown::explore(link).into_iter();
    for DeclaredFigure { figure, .. } in all.filter(|of| of.id == FigureId::Pareto) {
        let (.., hits) = seen(&figure, (&LIGHT, 1.0), (530.0, 268.0), None);
        let heights = (0..hits.len()).filter_map(|index| Some(hits.anchor_px(index)?.1));
        let highest = heights.fold(f64::INFINITY, f64::min);
        assert!(highest < 160.0, "{highest}");
    }
}

#[test]
fn tiny_canvases_do_not_panic() {
    for (shown, keys) in VIEWS {
        let mut dice = Dice::of(99);
        let mode = dice.link(keys);
        for link in ["v=1", "v=1&slo=10&scale_out=100&a.v=1", "v=1&batch=40k"] {
            for DeclaredFigure { figure, .. } in shown(&format!("{link}{mode}")) {
                for size in [(1.0, 1.0), (20.0, 400.0), (400.0, 20.0), (90.0, 90.0)] {
                    let (_, _, hits) = seen(&figure, (&DARK, 1.0), size, None);
                    for index in [0, 3, hits.len()] {
                        seen(&figure, (&DARK, 1.0), size, Some(index));
                    }
                }
            }
        }
    }
}

/// Permalink of the default deployment with [A]'s efficiency factors. The pinned scenario differs only in its doubled
/// scale-out bandwidth.
const PICTURED: &str = "v=1&calibration=aleph-alpha-2025&slo=10&a.v=1&a.calibration=aleph-alpha-2025&a.slo=10&a.scale_out=100";

#[test]
fn a_drawing_says_the_numbers() {
    fn says(figure: &Chart, parts: &str) {
        let drawn = texts(figure, (530.0, figure.shape.height_px(530.0))).join("|");
        for part in parts.split('|') {
            assert!(drawn.contains(part), "{part} is missing in {drawn}");
        }
    }
    let said = say(PICTURED).unwrap();
    let sizing_charts = sizing(PICTURED).unwrap();
    let further = below(PICTURED).unwrap();
    says(
        &sizing_charts.roofline.chart(),
        "FP8 1,979|BF16 989|HBM 3.35 TB/s|358|826|memory-bound|compute-bound|attention, q_up",
    );
    says(
        &said.latency.chart(),
        "attention 35.3|scale-out comm. 79.8|idle 24.5|79.8|from batch 144|beyond 415|now: 256 per GPU",
    );
    says(
        &sizing_charts.pareto,
        "now: 256 per GPU|DP 72 · EP 72|current 31% less|misses SLO|beyond 415|143 per GPU: same|48 per GPU",
    );
    says(
        &sizing_charts.memory.chart(),
        "33.5|12.0|10.6|now 256|415|80 GiB|21.0",
    );
    says(
        &Arc::new(levers("v=1")).chart(),
        "2× scale-out BW|3 replicas of 24 GPUs|1.30×|× tok/s/GPU",
    );
    says(
        &further.changed[0],
        "ms per step|35.3|17.5|24.5|A|communication|now|79.8",
    );
    let layer = &further.timelines.pick(None).unwrap().chart;
    says(
        layer,
        "compute|comm.|attention|166 µs|idle|248 µs|dispatch|combine|half batch 1|half batch 2|1,380|0 µs",
    );
    let over = sizing("v=1&batch=36864").unwrap();
    says(&over.memory.chart(), "over by|12.6|now 512|67.0");
    let staged = below("v=1&pp=4").unwrap().timelines;
    let round = staged.pick(Some(TimelineLayer::Pipeline)).unwrap();
    says(&round.chart, "stage 4|4|no pipeline fill or drain");
}

#[test]
fn findings_say_what_binds() {
    let said = say(PICTURED).unwrap();
    let sizing_charts = sizing(PICTURED).unwrap();
    let layer = |link: &str| {
        let further = below(link).unwrap();
        further.timelines.pick(None).unwrap().chart.finding.clone()
    };
    let in_turn = say("v=1&calibration=aleph-alpha-2025&overlap=none").unwrap();
    let over = sizing("v=1&calibration=aleph-alpha-2025&batch=36864").unwrap();
    let findings = [
        sizing_charts.roofline.finding(),
        said.latency.finding.clone(),
        in_turn.latency.finding.clone(),
        sizing_charts.pareto.finding.clone(),
        sizing_charts.memory.finding(),
        over.memory.finding(),
        over.pareto.finding.clone(),
        layer(PICTURED),
        layer("v=1&calibration=aleph-alpha-2025&overlap=none"),
    ];
    let says = [
        "12 of 12 operators memory-bound",
        "Compute is fully overlapped",
        "53% scale-out links, 24% HBM bandwidth",
        "Beyond 143 per GPU only latency grows",
        "59.0 of 80 GiB; 415 seq/GPU fit",
        "12.6 GiB over, due to KV cache",
        "Out of memory: max 415 per GPU",
        "An MoE layer takes 1.38 ms, compute idle 36%",
        "An MoE layer takes 2.03 ms, compute idle 68%",
    ];
    assert_eq!(findings, says);
}

#[test]
fn what_is_out_of_reach_is_said() {
    let full = "v=1&model=llama-3-70b&gpus=8&precision=bf16&gpu=custom&peak_bf16=900&capacity=9";
    let map = shown::map(&shown::read(full)).unwrap();
    assert_eq!(map.finding, "No batch fits at any context");
    assert!(
        texts(&Arc::new(map).chart(), (530.0, 330.0))
            .contains(&"out of memory everywhere".to_owned())
    );
}

#[test]
fn the_point_of_a_map_can_be_taken_hold_of() {
    let mut data = shown::map(&shown::read("v=1&context=16k&batch=64")).unwrap();
    let (_, _, hits) = seen(
        &Arc::new(data.clone()).chart(),
        (&LIGHT, 1.0),
        (530.0, 330.0),
        None,
    );
    let handle = hits.handle().unwrap();
    let (context, batch) = handle.values_at(handle.x_px, handle.y_px);
    assert!((context / 16_384.0 - 1.0).abs() < 0.01 && (batch / 64.0 - 1.0).abs() < 0.02);
    // A point outside the map is neither drawn nor draggable.
    data.now.point.batch = 1e9;
    let (_, _, hits) = seen(
        &Arc::new(data.clone()).chart(),
        (&LIGHT, 1.0),
        (530.0, 330.0),
        None,
    );
    assert!(hits.handle().is_none());
}

/// Checks that the columns of a waterfall lead from scenario A to the current one without a gap.
#[test]
fn columns_join() {
    for seed in 1..=60 {
        let Some(further) = below(&Dice::of(seed).link(SCENARIOS)) else {
            continue;
        };
        for chart in further.changed.iter().filter(|chart| chart.own.is_some()) {
            let table = chart.table();
            let number = |row: &Vec<Cell>, column: usize| match row[column] {
                Cell::Number(value) => value,
                _ => f64::NAN,
            };
            let (last, terms) = table.rows.split_last().unwrap();
            let sum: f64 = terms.iter().map(|row| number(row, 3)).sum();
            let most = number(last, 1) + number(last, 2);
            assert!((sum - number(last, 3)).abs() < 1e-9 * most);
        }
    }
}

#[test]
fn an_svg_is_well_formed_and_says_its_finding() {
    let figure = say(PICTURED).unwrap().latency.chart();
    let (picture, ..) = seen(&figure, (&LIGHT, 1.0), (530.0, 268.0), None);
    let svg = svg::document(&picture, None, &LIGHT, &figure.finding);
    assert!(svg.contains("<title>Compute is fully overlapped</title>"));
    assert!(svg.contains(">scale-out comm. 79.8</text>"));
    assert!(!svg.contains("NaN"));
    assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    assert!(svg.len() < 40_000, "{} bytes", svg.len());
}
