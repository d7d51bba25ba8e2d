//! "How fast must the network be?": the minimum bandwidth per device, plotted vs. the batch size.

use super::SplitCase;
use crate::chart::marks::CurveStroke;
use crate::chart::{At, Axis, Chart, Digits, DotInk, Ink, Rows, RuleInk, Words, Xy};
use crate::picture::scale::extent;
use crate::theme::size;
use crate::words::format;
use model_core::lamina::bandwidth::minimum_bandwidth;
use model_core::math;
use model_core::order::sort_numbers;

const SAMPLES: i32 = 48;
/// Width reserved to the right of the curves for the names of the curves, in CSS px.
const END_PX: f64 = 52.0;

/// A batch size in sequences, with the bandwidth per device that it needs at each plotted context length, in GB/s.
type Sample = (f64, Vec<Option<f64>>);

/// Draws the minimum bandwidth vs. the batch size, at the current context length, a quarter of it, and four times it.
pub fn chart(case: &SplitCase) -> Chart {
    let setup = &case.setup;
    let (net, now) = (setup.net.as_gb(), setup.batch_each());
    let most = case.split.capacity / f64::from(setup.batches);
    let context = setup.context();
    let contexts: Vec<f64> = { [context, context / 4.0, context * 4.0].into_iter() }
        .filter(|tokens| *tokens >= 1.0)
        .collect();
    let at = |context: f64, batch: f64| {
        let there = setup.with_context(context);
        let there = there.with_batch(batch * f64::from(setup.batches));
        minimum_bandwidth(&there).map(|bandwidth| bandwidth.get() / 1e9)
    };
    let last = (2.0 * now).max(most).max(8.0);
    let needs = |batch: f64| -> Vec<Option<f64>> {
        contexts.iter().map(|context| at(*context, batch)).collect()
    };
    let samples = batches(now, last)
        .into_iter()
        .map(|batch| (batch, needs(batch)));
    let samples: Vec<Sample> = samples.filter(|(_, needs)| needs[0].is_some()).collect();
    let needed = at(context, now).unwrap_or(0.0);

    let fits = |batch: f64| case.split.capacity < 1.0 || batch <= most;
    let mut rows = Rows::of(&samples).col("sequences per batch", "", |of| of.0);
    for (place, context) in contexts.iter().enumerate() {
        let tokens = format::count(*context);
        let name = format!("required bandwidth at context {tokens}");
        rows = rows
            .col(name, "GB/s", |of| of.1[place])
            .tip(Digits::Sig3, " GB/s");
    }
    let rows = rows
        .always("available per device", format::bandwidth(setup.net.get()))
        .titled(
            |of| format!("{} sequences per batch", format::batch(of.0)),
            |of| if fits(of.0) { "" } else { "out of memory" },
        );
    let draws = samples.len() > 1 && net.is_finite();
    let plot = draws.then(|| {
        let enough = enough_for(&|batch| at(context, batch), net, last);
        plot(&samples, &contexts, (now, needed), (net, enough))
    });
    Chart {
        finding: match plot {
            None => "Nothing to plot".to_owned(),
            Some(_) => finding(needed, net),
        },
        source: "(2 + 2/G)·e·d·B·L ÷ α(MTIME + ATIME), [L] 3.1".into(),
        start: samples.iter().position(|(batch, _)| *batch >= now),
        rows,
        plots: plot.into_iter().collect(),
        empty: "nothing to plot".into(),
        beside_px: [0.0, END_PX],
        ..Chart::default()
    }
}

/// Returns geometrically spaced batch sizes up to `last`, plus the current batch.
fn batches(now: f64, last: f64) -> Vec<f64> {
    let ratio = math::pow(last, 1.0 / f64::from(SAMPLES - 1));
    let mut batch = 1.0;
    let mut batches: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let at = batch;
            batch *= ratio;
            f64::min(at, last)
        })
        .collect();
    batches.push(now);
    sort_numbers(&mut batches);
    batches.dedup();
    batches.retain(|batch| *batch >= now.min(1.0));
    batches
}

fn finding(needed: f64, net: f64) -> String {
    let has = format::bandwidth(net * 1e9);
    format!("needs {} GB/s, has {has}", format::sig3(needed))
}

fn plot(
    samples: &[Sample],
    contexts: &[f64],
    (now, needed): (f64, f64),
    (net, enough): (f64, Option<f64>),
) -> Xy {
    let seen = net.min(4.0 * needed.max(1e-9));
    let all = samples.iter().flat_map(|(_, needs)| needs.iter().flatten());
    let (_, most) = extent(all.copied().chain([seen]));
    let (first, last) = extent(samples.iter().map(|(batch, _)| *batch));
    let x = Axis::log("sequences per batch, log", first, last).written(Digits::Batch);
    let mut xy = Xy::new(
        x,
        Axis::linear("GB/s per device, one way", 0.0, most * 1.15),
    );
    xy.ruler = true;
    let bold = |text: String| Words::note(text, Ink::Strong).bold();
    xy.upright(now, RuleInk::Dashed(Ink::Faint));
    xy.level(net, RuleInk::Limit)
        .says([bold(format!("available {}", format::printed(net)))]);
    xy.dot(At::new((now, needed)), DotInk::Now(true))
        .says([bold(format!("now: {}", format::sig3(needed)))]);
    if let Some(batch) = enough {
        let text = format!("enough for {} sequences", format::count(batch));
        xy.dot(At::new((batch, net)), DotInk::Ring(3.2, Ink::Strong))
            .says([Words::note(text, Ink::Soft)]);
    }
    for (place, context) in contexts.iter().enumerate() {
        let tokens = format::count(*context);
        let (says, ink, width) = match place {
            0 => (bold(format!("{tokens} tok")), Ink::Strong, size::CURVE_PX),
            _ => (Words::note(tokens, Ink::Faint), Ink::Faint, 1.1),
        };
        let through = samples.iter().enumerate();
        let through = through.filter_map(|(row, (batch, needs))| {
            let at = At::new((*batch, needs[place]?));
            // Only the curve of the current context has hover targets.
            let row = (place == 0).then_some(row);
            Some(At { row, ..at })
        });
        xy.curve(through, CurveStroke::solid(ink, width))
            .says([says]);
    }
    xy
}

/// Returns the largest batch for which the network bandwidth suffices; `None` if it suffices for no batch or for all
/// batches in the plot.
fn enough_for(needs: &impl Fn(f64) -> Option<f64>, net: f64, last: f64) -> Option<f64> {
    let enough = |batch: f64| needs(batch).is_some_and(|needs| needs <= net);
    if !enough(1.0) || enough(last) {
        return None;
    }
    let (mut low, mut high) = (1.0, last);
    while high / low > 1.001 && high - low > 0.5 {
        let middle = (low * high).sqrt();
        if enough(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low.floor().max(1.0))
}
