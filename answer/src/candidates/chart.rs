//! The chart that compares candidate accelerators: cost vs. request rate or, if no request rate is set, cost vs.
//! interactivity.

use super::CandidateLine;
use crate::chart::marks::CurveStroke;
use crate::chart::{At, Axis, Chart, Digits, DotInk, Ink, Rows, Shape, Words, Xy};
use crate::picture::scale::{extent, positive};
use crate::theme::{Series, size};
use model_core::candidates::CandidatesFound;
use model_core::inputs::{Inputs, Number};

/// Height of the chart, as a function of its width.
pub const SHAPE: Shape = Shape::Wide;

/// Builds the chart that compares candidates, with a table row for each.
pub fn chart(
    found: &CandidatesFound,
    rows: &[CandidateLine],
    names: &[String],
    finding: String,
    now: &Inputs,
) -> Chart {
    let table = Rows::of(rows)
        .col("candidate", "", |row| row.name.clone())
        .col("price", "$/GPU-h", |row| row.price)
        .tip(Digits::Dollars, "")
        .col("GPUs", "", |row| row.gpus)
        .tip(Digits::Count, "")
        .col("replicas", "", |row| row.detail.clone())
        .tip(Digits::default(), "")
        .col("cost", "$/M output tok", |row| row.dollars)
        .tip(Digits::Dollars, "/M output tok")
        .col("TTFT", "s", |row| row.first_token_s)
        .tip(Digits::Sig3, " s")
        .col("TPOT", "ms", |row| row.tpot_s.map(|tpot| tpot * 1e3))
        .tip(Digits::Sig3, " ms")
        .col("energy", "J/tok", |row| row.joules)
        .tip(Digits::Sig3, " J/tok")
        .titled(|row| row.name.clone(), |_| "");
    let plot = match now.get(Number::Rate) {
        Some(rate) => over_rate(found, rows, names, rate),
        None => over_users(rows),
    };
    Chart {
        finding,
        source: "best plan of each candidate; whole replicas".into(),
        rows: table,
        plots: plot.into_iter().collect(),
        empty: "no candidate with a price".into(),
        shape: SHAPE,
        ..Chart::default()
    }
}

const fn series(place: usize) -> Series {
    match place {
        0 => Series::Own,
        place => Series::other(place - 1).0,
    }
}

/// Plots cost vs. request rate: a curve for each candidate, and a point for each feasible one at the current rate.
/// Returns `None` if nothing can be drawn.
fn over_rate(
    found: &CandidatesFound,
    rows: &[CandidateLine],
    names: &[String],
    rate: f64,
) -> Option<Xy> {
    let costs = || {
        let points = found.curve.iter();
        points.flat_map(|point| point.costs.iter().flatten().copied())
    };
    let (low, high) = extent(costs().filter(|cost| positive(*cost)));
    let (first, last) = extent(found.curve.iter().map(|point| point.rate));
    if last <= first || !positive(low) {
        return None;
    }
    let mut xy = Xy::new(
        Axis::log("req/s, log", first, last),
        Axis::log("$/M output tok, log", low / 1.2, high * 1.2),
    );
    // A curve is labeled at its point for the current rate or, if it has none, along the curve.
    let pointed = |place: usize| {
        let mut rows = rows.iter().filter(|line| !line.misses);
        rows.any(|line| line.place == place && line.dollars.is_some_and(positive))
    };
    for (place, name) in names.iter().enumerate() {
        let at = found.curve.iter().filter_map(|point| {
            let cost = (*point.costs.get(place)?)?;
            positive(cost).then(|| At::new((point.rate, cost)))
        });
        let line: Vec<At> = at.collect();
        if !line.is_empty() {
            let ink = Ink::Series(series(place));
            xy.curve(line, CurveStroke::solid(ink, size::CURVE_PX))
                .says((!pointed(place)).then(|| Words::note(name.clone(), ink)));
        }
    }
    for (row, line) in rows.iter().enumerate().filter(|(_, line)| !line.misses) {
        if let Some(cost) = line.dollars.filter(|cost| positive(*cost)) {
            let of = series(line.place);
            xy.dot(At::of(row, (rate, cost)), DotInk::Series(of, Ink::Strong))
                .says([Words::note(line.name.clone(), Ink::Series(of))]);
        }
    }
    Some(xy)
}

/// Plots cost vs. interactivity: a point for each feasible candidate with a price. Returns `None` if there is none.
fn over_users(rows: &[CandidateLine]) -> Option<Xy> {
    let feasible = rows.iter().enumerate().filter(|(_, line)| !line.misses);
    let points = feasible.filter_map(|(row, line)| {
        let at = (1.0 / line.tpot_s?, line.dollars?);
        (positive(at.0) && positive(at.1)).then_some((row, line, at))
    });
    let points: Vec<(usize, &CandidateLine, (f64, f64))> = points.collect();
    let (_, fastest) = extent(points.iter().map(|(_, _, at)| at.0));
    let (_, most) = extent(points.iter().map(|(_, _, at)| at.1));
    if points.is_empty() {
        return None;
    }
    let mut xy = Xy::new(
        Axis::linear("tok/s/user", 0.0, fastest * 1.15),
        Axis::linear("$/M output tok", 0.0, most * 1.15),
    );
    for (row, line, at) in points {
        let of = series(line.place);
        xy.dot(At::of(row, at), DotInk::Series(of, Ink::Strong))
            .says([Words::note(line.name.clone(), Ink::Series(of))]);
    }
    Some(xy)
}
