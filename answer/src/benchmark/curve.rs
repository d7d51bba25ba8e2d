//! The chart "Does your benchmark match?": computed and anchored TPOT vs. batch size, with measured points.

use crate::around::Around;
use crate::chart::marks::CurveStroke;
use crate::chart::{At, Axis, Chart, Digits, DotInk, Ink, Rows, Words, Xy};
use crate::charts::MeasuredMark;
use crate::picture::scale::{ceil_125, extent, floor_125};
use crate::theme::size;
use crate::words::format;
use model_core::anchor::{Fit, anchored, fit};
use model_core::evaluate::with_batch;
use model_core::inputs::{Anchoring, Inputs, Number};
use model_core::math;
use std::borrow::Cow;
use std::ops::Range;

/// Name of the table column with the batch, in sequences.
pub const BATCH: &str = "batch";

/// Number of intervals from the smallest to the largest batch of a curve, geometrically spaced.
const STEPS: u32 = 32;
/// Factor by which the curves extend beyond the measured batches.
const BEYOND: f64 = 2.0;

/// The data series of a table row.
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Computed,
    Anchored,
    Yours,
    Published(String),
}

impl Kind {
    fn words(&self) -> Cow<'static, str> {
        match self {
            Self::Computed => "computed".into(),
            Self::Anchored => "anchored".into(),
            Self::Yours => "your measurement".into(),
            Self::Published(run) => format!("published: {run}").into(),
        }
    }
}

/// A row of the chart's table: either a batch on a curve or a measured point, with its TPOT in ms.
#[derive(Debug, Clone, PartialEq)]
struct Place {
    kind: Kind,
    batch: f64,
    tpot_ms: f64,
    band_ms: Option<[f64; 2]>,
    fits: bool,
}

/// Builds the chart; `None` if the scenario is invalid. If the user has no measurements, it shows the computed curve
/// and published runs.
pub fn chart(inputs: &Inputs, published: &[MeasuredMark]) -> Option<Chart> {
    let mut plain = *inputs;
    plain.anchor = Anchoring::Off;
    let plain = anchored(&plain);
    let corrected = inputs.anchor == Anchoring::On && !inputs.measured.is_empty();
    let now = plain.scenario().ok()?.workload.batch;
    let fitted = fit(inputs);
    let yours = fitted.as_ref().map(yours).unwrap_or_default();
    let near: Vec<&MeasuredMark> = published
        .iter()
        .filter(|mark| is_comparable(inputs, mark))
        .collect();
    let batches = span(now, &yours, &near);
    let mut places = over(&plain, batches, &Kind::Computed)?;
    let computed = places.len();
    if corrected {
        places.extend(over(&anchored(inputs), batches, &Kind::Anchored)?);
    }
    let curves = places.len();
    places.extend(yours);
    let measured = places.len();
    places.extend(near.iter().map(|mark| Place {
        kind: Kind::Published(mark.words()),
        batch: mark.point.batch,
        tpot_ms: 1e3 * mark.point.tpot_s,
        band_ms: None,
        fits: true,
    }));
    let rows = Rows::of(&places)
        .col("series", "", |of| of.kind.words())
        .col(BATCH, "", |of| of.batch)
        .col("TPOT", "ms", |of| of.tpot_ms)
        .tip(Digits::Duration, "")
        .col("band, low", "ms", |of| of.band_ms.map(|band| band[0]))
        .tip(Digits::Duration, "")
        .col("band, high", "ms", |of| of.band_ms.map(|band| band[1]))
        .tip(Digits::Duration, "")
        .titled(
            |of| of.kind.words(),
            |of| format!("batch {}", format::sequences(of.batch)),
        );
    let series = Series {
        computed: 0..computed,
        anchored: computed..curves,
        yours: curves..measured,
        published: measured..places.len(),
    };
    Some(Chart {
        finding: finding(fitted.as_ref(), corrected),
        source: "bands cover 80% of comparable measured runs".into(),
        plots: vec![plot(&places, &series, batches)],
        rows,
        empty: "nothing to plot".into(),
        start: Some(curves.min(places.len() - 1)),
        ..Chart::default()
    })
}

struct Series {
    computed: Range<usize>,
    anchored: Range<usize>,
    yours: Range<usize>,
    published: Range<usize>,
}

/// Returns true if a published run uses as many GPUs as the scenario. With another GPU count, TPOT follows a
/// different curve.
fn is_comparable(inputs: &Inputs, mark: &MeasuredMark) -> bool {
    let gpus = inputs.get(Number::Gpus);
    gpus.is_some_and(|gpus| gpus.total_cmp(&mark.point.gpus).is_eq())
}

fn yours(fit: &Fit) -> Vec<Place> {
    let points = fit.points.iter().map(|point| Place {
        kind: Kind::Yours,
        batch: point.load.batch,
        tpot_ms: point.measured().as_millis(),
        band_ms: None,
        fits: point.fits,
    });
    points.collect()
}

/// Returns the chart's finding (its one-line result), such as "2 points: +64% to +120% vs. computed, anchored".
fn finding(fit: Option<&Fit>, corrected: bool) -> String {
    let Some(fit) = fit.filter(|fit| !fit.points.is_empty()) else {
        return "No measurement of yours yet".into();
    };
    let factors = fit
        .points
        .iter()
        .map(|point| point.measured() / point.parts.total());
    let [low, high] = factors.fold([f64::INFINITY, 0.0_f64], |[low, high], factor| {
        [low.min(factor), high.max(factor)]
    });
    let change = |factor| format::percent_change(factor, 1.0);
    let factors = match (high / low - 1.0).abs() < 0.005 {
        true => change(high),
        false => format!("{} to {}", change(low), change(high)),
    };
    let count = match fit.points.len() {
        1 => "1 point".to_owned(),
        many => format!("{many} points"),
    };
    let anchored = if corrected { ", anchored" } else { "" };
    format!("{count}: {factors} vs. computed{anchored}")
}

/// Returns the range of the batch axis: from the smallest to the largest batch shown, with a margin.
fn span(now: f64, yours: &[Place], published: &[&MeasuredMark]) -> [f64; 2] {
    let published = published.iter().map(|mark| mark.point.batch);
    let all = yours.iter().map(|of| of.batch).chain(published);
    let [low, high] = all.fold([now, now], |[low, high], batch| {
        [low.min(batch), high.max(batch)]
    });
    [(low / BEYOND).max(1.0), (high * BEYOND).max(8.0)]
}

/// Computes TPOT and its error band at batch sizes from `low` to `high`; `None` if no batch is valid.
fn over(inputs: &Inputs, [low, high]: [f64; 2], kind: &Kind) -> Option<Vec<Place>> {
    let scenario = inputs.scenario().ok()?;
    let step = math::exp(math::ln(high / low) / f64::from(STEPS));
    let mut batch = low;
    let mut places: Vec<Place> = Vec::new();
    for _ in 0..=STEPS {
        let whole = batch.round();
        batch *= step;
        if places.last().is_some_and(|last| last.batch >= whole) {
            continue;
        }
        let Ok(evaluation) = with_batch(&scenario, whole) else {
            continue;
        };
        let mut at = scenario;
        at.workload.batch = whole;
        let band = Around::of(inputs, &at, &evaluation);
        let tpot_ms = evaluation.tpot.as_millis();
        places.push(Place {
            kind: kind.clone(),
            batch: whole,
            tpot_ms,
            band_ms: band.map(|band| band.ends(tpot_ms)),
            fits: evaluation.memory.fits(),
        });
    }
    (!places.is_empty()).then_some(places)
}

fn plot(places: &[Place], series: &Series, [low, high]: [f64; 2]) -> Xy {
    let bands = places.iter().filter_map(|of| of.band_ms).flatten();
    let times = places.iter().map(|of| of.tpot_ms).chain(bands);
    let (least, most) = extent(times);
    let mut xy = Xy::new(
        Axis::log("batch, log", low, high).written(Digits::Batch),
        Axis::log(
            "TPOT, ms, log",
            floor_125(least / 1.1),
            ceil_125(most * 1.1),
        ),
    );
    let corrected = !series.anchored.is_empty();
    let ink = |strong: bool| if strong { Ink::Strong } else { Ink::Faint };
    for (rows, name, strong) in [
        (&series.computed, "computed", !corrected),
        (&series.anchored, "anchored", true),
    ] {
        for end in 0..2 {
            let band = |row: usize| Some((places[row].batch, places[row].band_ms?[end]));
            let through = rows.clone().filter_map(band).map(At::new);
            let dash = Some((2.0, 3.0));
            let stroke = CurveStroke {
                dash,
                ..CurveStroke::solid(ink(strong), 1.0)
            };
            xy.curve(through, stroke);
        }
        let at = |row: usize| {
            let place = &places[row];
            At::of(row, (place.batch, place.tpot_ms)).fitting(place.fits)
        };
        if !rows.is_empty() {
            let stroke = CurveStroke::solid(ink(strong), size::CURVE_PX);
            xy.curve(rows.clone().map(at), stroke)
                .says([Words::note(name, ink(strong))]);
        }
    }
    for row in series.published.clone() {
        let place = &places[row];
        xy.dot(
            At::of(row, (place.batch, place.tpot_ms)),
            DotInk::Diamond(Ink::Soft),
        );
    }
    for row in series.yours.clone() {
        let place = &places[row];
        xy.dot(
            At::of(row, (place.batch, place.tpot_ms)),
            DotInk::Disc(4.4, Ink::Accent),
        )
        .says([
            Words::label(
                format!("you: {}", Digits::Duration.words(place.tpot_ms)),
                Ink::Accent,
            )
            .bold(),
            Words::label("you", Ink::Accent).bold(),
        ]);
    }
    xy
}
