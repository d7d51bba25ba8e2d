//! "Best draft length at each load?": throughput divided by the throughput without drafts, vs. batch size, for 0 to 4
//! draft tokens per step.

use crate::around::Around;
use crate::case::Evaluated;
use crate::chart::marks::CurveStroke;
use crate::chart::{At, Axis, Chart, Digits, DotInk, Ink, Rows, RuleInk, Words, Xy};
use crate::theme::{Series, size};
use crate::words::format;
use model_core::evaluate::{Evaluation, with_batch};
use model_core::order::sort_numbers;
use model_core::scenario::Scenario;
use model_core::workload::Speculation;

/// Name of the table column with a row's batch, in total sequences.
pub const BATCH: &str = "batch, total";
/// Name of the table column with a row's draft tokens per step.
pub const DRAFTS: &str = "draft tokens";

/// Maximum number of draft tokens compared, unless the scenario uses more.
const MOST: u32 = 4;
/// Maximum number of batches on the curve, each twice the previous one.
const DOUBLINGS: u32 = 20;

struct Point {
    drafts: u32,
    batch: f64,
    evaluation: Evaluation,
    /// Throughput divided by the throughput without drafts.
    gain: f64,
    /// True if this number of draft tokens yields the largest throughput at this batch among those that fit in
    /// memory.
    best: bool,
}

/// Draws the chart "Best draft length at each load?" at the scenario's acceptance rate. The pinned scenario A is
/// marked at its batch.
pub fn chart(case: &Evaluated, pinned: Option<&Evaluated>) -> Chart {
    let depth = case.scenario.workload.speculation.depth;
    let depths: Vec<u32> = (0..=MOST.max(depth)).collect();
    let points: Vec<Point> = batches(case)
        .into_iter()
        .flat_map(|batch| at_batch(case, batch, &depths))
        .collect();
    let least = least_gain(case);
    let pinned = pinned.and_then(gain_now);
    let rows = Rows::of(&points)
        .col(BATCH, "", |of| of.batch)
        .col(DRAFTS, "", |of| f64::from(of.drafts))
        .col("throughput ÷ no drafts", "", |of| of.gain)
        .tip(Digits::Factor, "")
        .col("TPOT", "ms", |of| of.evaluation.tpot.as_millis())
        .tip(Digits::Duration, "")
        .col("throughput", "tok/s/GPU", |of| of.evaluation.tokens_per_gpu)
        .tip(Digits::Si, " tok/s/GPU")
        .col("fastest", "", |of| if of.best { "yes" } else { "no" })
        .tip(Digits::default(), "")
        .titled(
            |of| drafts_words(of.drafts),
            |of| format!("batch {}", format::sequences(of.batch)),
        );
    let now = |of: &Point| of.batch.total_cmp(&case.scenario.workload.batch).is_eq();
    let here = points.iter().position(|of| of.drafts == depth && now(of));
    Chart {
        finding: finding(points.iter().filter(|of| now(of)), least),
        source:
            "includes drafter passes and verification of every draft token; acceptance rate as set"
                .into(),
        plots: plot(&points, here, pinned, &depths, least)
            .into_iter()
            .collect(),
        rows,
        empty: "nothing to plot".into(),
        start: here,
        ..Chart::default()
    }
}

/// Returns a scenario's batch, and its throughput divided by the throughput without drafts.
fn gain_now(case: &Evaluated) -> Option<(f64, f64)> {
    let batch = case.scenario.workload.batch;
    let plain = with_batch(&with_drafts(&case.scenario, 0), batch).ok()?;
    Some((batch, case.evaluation.tokens_per_gpu / plain.tokens_per_gpu))
}

/// Returns the gain below which the error band includes a loss (a gain below 1); `None` if there is no error band.
fn least_gain(case: &Evaluated) -> Option<f64> {
    let plain = with_drafts(&case.scenario, 0);
    let evaluation = with_batch(&plain, plain.workload.batch).ok()?;
    Some(Around::of(&case.inputs, &plain, &evaluation)?.least_gain())
}

fn with_drafts(scenario: &Scenario, depth: u32) -> Scenario {
    let mut with = *scenario;
    with.workload.speculation = Speculation {
        depth,
        ..scenario.workload.speculation
    };
    with
}

/// Returns the batches to evaluate: successive doublings that fit in memory, the current batch, and the largest batch
/// that fits.
fn batches(case: &Evaluated) -> Vec<f64> {
    let now = case.scenario.workload.batch;
    let most = case.limits.b_cap.max(now);
    let least = case.scenario.plan.micro_batches().max(1.0);
    let doubled = (0..DOUBLINGS).map(|power| least * f64::from(1_u32 << power));
    let mut all: Vec<f64> = doubled.filter(|batch| *batch <= most).collect();
    all.extend([now, most]);
    sort_numbers(&mut all);
    all.dedup();
    all
}

/// Evaluates a batch with each number of draft tokens in `depths`. Returns an empty list if none can be evaluated.
fn at_batch(case: &Evaluated, batch: f64, depths: &[u32]) -> Vec<Point> {
    let evaluated = |depth: &u32| {
        let evaluation = with_batch(&with_drafts(&case.scenario, *depth), batch).ok()?;
        Some((*depth, evaluation))
    };
    let all: Vec<(u32, Evaluation)> = depths.iter().filter_map(evaluated).collect();
    let Some(plain) = all.first().map(|(_, plain)| plain.tokens_per_gpu) else {
        return Vec::new();
    };
    let fits = |of: &Evaluation| of.memory.fits();
    let rates = all.iter().filter(|(_, of)| fits(of));
    let most = rates.map(|(_, of)| of.tokens_per_gpu).fold(0.0, f64::max);
    all.into_iter()
        .map(|(drafts, evaluation)| Point {
            drafts,
            batch,
            gain: evaluation.tokens_per_gpu / plain,
            best: fits(&evaluation) && evaluation.tokens_per_gpu >= most,
            evaluation,
        })
        .collect()
}

/// Returns the chart's finding (its one-line result), the fastest number of drafts at the current batch: "3 drafts:
/// 1.45×, may be a loss".
fn finding<'a>(now: impl Iterator<Item = &'a Point>, least: Option<f64>) -> String {
    let now: Vec<&Point> = now.collect();
    let Some(best) = now.iter().find(|of| of.best) else {
        return "Out of memory at this batch".into();
    };
    if best.drafts == 0 {
        let no_room = |of: &&Point| of.gain > 1.0 && !of.evaluation.memory.fits();
        return match now.iter().any(no_room) {
            true => "No drafts: no memory for them".into(),
            false => "No drafts: they are slower".into(),
        };
    }
    let sure = match least {
        Some(least) if best.gain < least => ", may be a loss",
        _ => "",
    };
    let gain = format::factor(best.gain);
    format!("{}: {gain}{sure}", drafts_words(best.drafts))
}

fn drafts_words(drafts: u32) -> String {
    match drafts {
        0 => "no drafts".into(),
        1 => "1 draft".into(),
        many => format!("{many} drafts"),
    }
}

fn plot(
    points: &[Point],
    here: Option<usize>,
    pinned: Option<(f64, f64)>,
    depths: &[u32],
    least: Option<f64>,
) -> Option<Xy> {
    let (first, last) = (points.first()?.batch, points.last()?.batch);
    if last <= first {
        return None;
    }
    let most = points.iter().map(|of| of.gain).fold(1.0, f64::max);
    let top = least.filter(|least| *least < 2.0 * most);
    let high = most.max(top.unwrap_or(0.0)) * 1.15;
    let mut xy = Xy::new(
        Axis::log("batch, log", first, last).written(Digits::Batch),
        Axis::linear("throughput ÷ no drafts", 0.0, high).written(Digits::Sig3),
    );
    xy.level(1.0, RuleInk::Hair(Ink::Strong))
        .says([Words::note("no drafts", Ink::Soft)]);
    if let Some(least) = top {
        xy.level(least, RuleInk::Dashed(Ink::Faint)).says([
            Words::note("below: within the error band, may be a loss", Ink::Soft),
            Words::note("may be a loss below", Ink::Soft),
        ]);
    }
    let last = depths.last().copied();
    let name = |depth: u32| match Some(depth) == last {
        true => drafts_words(depth),
        false => depth.to_string(),
    };
    for depth in depths.iter().filter(|depth| **depth > 0) {
        let (series, _) = Series::other(*depth as usize - 1);
        let ink = Ink::Series(series);
        let of_depth = points
            .iter()
            .enumerate()
            .filter(|(_, of)| of.drafts == *depth);
        let through = of_depth
            .map(|(row, of)| At::of(row, (of.batch, of.gain)).fitting(of.evaluation.memory.fits()));
        xy.curve(through, CurveStroke::solid(ink, size::CURVE_PX))
            .says([Words::note(name(*depth), ink)]);
    }
    for best in points.iter().filter(|of| of.best) {
        xy.dot(
            At::new((best.batch, best.gain)),
            DotInk::Ring(3.6, Ink::Strong),
        );
    }
    if let Some(at) = pinned {
        xy.dot(At::new(at), DotInk::Ghost)
            .says([Words::note("A", Ink::Strong).bold()]);
    }
    if let Some(now) = here.and_then(|row| points.get(row)) {
        let fits = now.evaluation.memory.fits();
        xy.dot(At::new((now.batch, now.gain)), DotInk::Now(fits))
            .says([Words::label("now", Ink::of_now(fits)).bold()]);
    }
    Some(xy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink;

    fn of(link: &str) -> Chart {
        chart(
            &Evaluated::new(&permalink::read(link).current).unwrap(),
            None,
        )
    }

    /// Checks that every row has a batch, and that the current scenario's row has its draft tokens and its TPOT.
    #[test]
    fn every_batch_has_its_fastest_count() {
        let chart = of("v=3&model=deepseek-r1&gpu=h200&batch=64&mtp=3&accept_len=2.5");
        let rows = chart.rows.len();
        let batches: Vec<f64> = (0..rows)
            .filter_map(|row| chart.rows.number(BATCH, row))
            .collect();
        assert_eq!(batches.len(), rows);
        let here = chart.start.unwrap();
        assert_eq!(chart.rows.number(DRAFTS, here), Some(3.0));
        let inputs =
            permalink::read("v=3&model=deepseek-r1&gpu=h200&batch=64&mtp=3&accept_len=2.5");
        let tpot = Evaluated::new(&inputs.current).unwrap().evaluation.tpot;
        assert_eq!(chart.rows.number("TPOT", here), Some(tpot.as_millis()));
        assert_eq!(chart.plots.len(), 1);
    }

    /// Checks that, with a low acceptance length, drafts are either slower or marked as a possible loss.
    #[test]
    fn gains_within_the_band_may_be_losses() {
        let low = of("v=3&model=deepseek-r1&gpu=h200&batch=64&mtp=3&accept_len=1.8");
        assert!(
            low.finding.starts_with("No drafts") || low.finding.ends_with("may be a loss"),
            "{}",
            low.finding
        );
    }
}
