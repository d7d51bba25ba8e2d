//! "How much bandwidth?": TPOT vs. each bandwidth, and the bandwidth from which communication is fully overlapped.

use crate::case::Evaluated;
use crate::chart::marks::CurveStroke;
use crate::chart::{At, Axis, Chart, Digits, DotInk, Ink, Rows, RuleInk, Words, Xy};
use crate::picture::scale::extent;
use crate::theme::{Series, size};
use crate::words::format;
use model_core::evaluate::{Evaluation, evaluate};
use model_core::inputs::{Inputs, Number};
use model_core::math;
use model_core::plan::Overlap;
use model_core::turning::{Link, overlapped_from};

/// Number of samples of a curve on each side of the current bandwidth.
const SAMPLES: i32 = 16;
/// Factor by which either end of a curve differs from the current bandwidth.
const REACH: f64 = 8.0;
/// Name of the table column with the bandwidth, in GB/s.
pub const BANDWIDTH: &str = "bandwidth";

/// A bandwidth that the chart varies.
#[derive(Clone, Copy)]
struct Varied {
    number: Number,
    name: &'static str,
    /// Current bandwidth, in GB/s.
    now: f64,
    /// Value of the input number for 1 GB/s. It is 1, except for HBM, whose input is a multiple of the accelerator's
    /// bandwidth.
    over: f64,
}

struct Point {
    of: Varied,
    /// Bandwidth, in GB/s.
    at: f64,
    evaluation: Evaluation,
}

/// Returns the bandwidths that affect this scenario: scale-out if the GPUs span several domains, scale-up if a domain
/// has several GPUs, and HBM.
fn varied(inputs: &Inputs) -> Vec<Varied> {
    let get = |number| inputs.get(number).unwrap_or(1.0);
    let [gpus, domain] = [Number::Gpus, Number::Domain].map(get);
    let link = |number, name| Varied {
        number,
        name,
        now: get(number),
        over: 1.0,
    };
    let hbm = inputs.accelerator().hbm.as_gb();
    let all = [
        (gpus > domain).then(|| link(Number::ScaleOut, "scale-out")),
        (gpus > 1.0 && domain > 1.0).then(|| link(Number::ScaleUp, "scale-up")),
        Some(Varied {
            number: Number::HbmScale,
            name: "HBM",
            now: hbm * get(Number::HbmScale),
            over: 1.0 / hbm,
        }),
    ];
    all.into_iter().flatten().collect()
}

/// Returns the input number that a click on a table row of the chart sets, with its new value.
pub fn chosen(chart: &Chart, inputs: &Inputs, hit: usize) -> Option<(Number, f64)> {
    let row = chart.row(hit)?;
    let title = chart.rows.title(row)?;
    let of = varied(inputs).into_iter().find(|of| title == of.name)?;
    Some((of.number, chart.rows.number(BANDWIDTH, row)? * of.over))
}

/// Draws TPOT vs. each bandwidth. Returns `None` if `inputs` are invalid.
pub fn chart(inputs: &Inputs, pinned: Option<&Inputs>) -> Option<Chart> {
    let case = Evaluated::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Evaluated::new(pinned).ok());
    let all = varied(inputs);
    let points: Vec<Point> = all.iter().flat_map(|of| curve(inputs, *of)).collect();
    let rows = Rows::of(&points)
        .col("link", "", |of| of.of.name)
        .col(BANDWIDTH, "GB/s", |of| of.at)
        .tip(Digits::Sig3, " GB/s")
        .col("TPOT", "ms", |of| of.evaluation.tpot.as_millis())
        .tip(Digits::Duration, "")
        .col("exposed communication", "ms", |of| {
            let parts = &of.evaluation.breakdown;
            (parts.messages - parts.hidden).as_millis()
        })
        .tip(Digits::Duration, "")
        .titled(
            |of| of.of.name,
            |of| format::bandwidth(of.at * 1e9).to_string(),
        );
    let now = |of: &Point| of.at.total_cmp(&of.of.now).is_eq();
    Some(Chart {
        finding: finding(inputs, &case),
        source: "one bandwidth varied; plan and batch unchanged".into(),
        start: points.iter().position(now),
        plots: plot(&points, &all, pinned.as_ref()).into_iter().collect(),
        rows,
        empty: "nothing to plot".into(),
        ..Chart::default()
    })
}

fn curve(inputs: &Inputs, of: Varied) -> Vec<Point> {
    let at = |step: i32| of.now * math::pow(REACH, f64::from(step) / f64::from(SAMPLES));
    let point = |step: i32| {
        let at = if step == 0 { of.now } else { at(step) };
        let value = at * of.over;
        let with = match step {
            0 => *inputs,
            _ if of.number.allows(value) => inputs.with(of.number, value),
            _ => return None,
        };
        let evaluation = evaluate(&with.scenario().ok()?).ok()?;
        Some(Point { of, at, evaluation })
    };
    (-SAMPLES..=SAMPLES).filter_map(point).collect()
}

/// Returns the chart's finding (its one-line result): "Overlapped at ≥ 97 GB/s scale-out".
fn finding(inputs: &Inputs, case: &Evaluated) -> String {
    match overlapped(inputs) {
        Some(said) if !case.evaluation.memory.fits() => format!("Out of memory; {said}"),
        Some(said) => format::capital(&said),
        None if case.evaluation.breakdown.messages.get() <= 0.0 => "No communication".to_owned(),
        None if case.scenario.plan.spec().overlap == Overlap::Sequential => {
            "Nothing is overlapped: overlap is off".to_owned()
        }
        None => "Communication is never fully overlapped".to_owned(),
    }
}

/// Returns the bandwidth from which communication is fully overlapped: "overlapped at ≥ 97 GB/s scale-out". Returns
/// `None` if the plan has no overlap or no communication, or if no bandwidth suffices.
fn overlapped(inputs: &Inputs) -> Option<String> {
    let Link { number, from, .. } = overlapped_from(inputs)?;
    let name = match number {
        Number::ScaleOut => "scale-out",
        _ => "scale-up",
    };
    let from = format::bandwidth(from? * 1e9);
    Some(format!("overlapped at ≥ {from} {name}"))
}

fn plot(points: &[Point], all: &[Varied], pinned: Option<&Evaluated>) -> Option<Xy> {
    let tpot = |of: &Evaluation| of.tpot.as_millis();
    let (first, last) = extent(points.iter().map(|of| of.at));
    if points.len() < 2 || last <= first {
        return None;
    }
    let now = points.iter().find(|of| of.at.total_cmp(&of.of.now).is_eq());
    let (_, most) = extent(points.iter().map(|of| tpot(&of.evaluation)));
    // Limit the axis, since the slowest points would flatten the curves.
    let most = now.map_or(most, |now| most.min(4.0 * tpot(&now.evaluation)));
    let mut xy = Xy::new(
        Axis::log("GB/s, log", first, last).written(Digits::Sig3),
        Axis::linear("TPOT, ms", 0.0, 1.15 * most),
    );
    if let Some(pinned) = pinned {
        xy.level(tpot(&pinned.evaluation), RuleInk::Dashed(Ink::Faint))
            .says([Words::note("A", Ink::Strong).bold()]);
    }
    for (place, varied) in all.iter().enumerate() {
        let ink = match place {
            0 => Ink::Strong,
            place => Ink::Series(Series::other(place - 1).0),
        };
        let own = points.iter().enumerate();
        let own = own.filter(|(_, of)| of.of.number == varied.number);
        let shown = own.filter(|(_, of)| tpot(&of.evaluation) <= 1.15 * most);
        let through = shown.map(|(row, of)| At::of(row, (of.at, tpot(&of.evaluation))));
        xy.curve(through, CurveStroke::solid(ink, size::CURVE_PX))
            .says([Words::note(varied.name, ink)]);
    }
    for of in points
        .iter()
        .filter(|of| of.at.total_cmp(&of.of.now).is_eq())
    {
        let fits = of.evaluation.memory.fits();
        xy.dot(At::new((of.at, tpot(&of.evaluation))), DotInk::Now(fits));
    }
    Some(xy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink::read;

    #[test]
    fn the_current_bandwidth_is_the_scenario() {
        let inputs = read("v=2").current;
        let chart = chart(&inputs, None).unwrap();
        let here = chart.start.unwrap();
        let tpot = Evaluated::new(&inputs).unwrap().evaluation.tpot;
        assert_eq!(chart.rows.number("TPOT", here), Some(tpot.as_millis()));
        assert!(
            chart.finding.starts_with("Overlapped at ≥"),
            "{}",
            chart.finding
        );
        let alone = super::chart(
            &read("v=2&model=qwen3-30b-a3b&gpus=1&batch=8").current,
            None,
        );
        assert_eq!(alone.unwrap().finding, "No communication");
    }
}
