//! The chart "How many GPUs?": GPUs of disaggregated and of aggregated replicas vs. the request rate.

use crate::chart::marks::CurveStroke;
use crate::chart::{At, Axis, Chart, Digits, DotInk, Ink, Rows, Words, Xy};
use crate::picture::scale::{extent, positive};
use crate::theme::{Series, size};
use crate::words::format;
use model_core::order::sort_by;
use model_core::service::Service;
use model_core::service::stairs::Stair;
use model_core::workload::Pools;

/// GPU counts of the pinned scenario at rising request rates, and the service of that scenario.
pub type PinnedStairs = (Vec<Stair>, Service);

/// Builds the chart of GPUs vs. request rate. The current rate is marked; the pinned scenario is drawn under the
/// current one.
pub fn chart(found: &[Stair], service: &Service, pinned: Option<&PinnedStairs>) -> Chart {
    let mut steps = found.to_vec();
    let own = Stair::of(service);
    let rate = service.demand.rate;
    if rate.is_some() {
        steps.push(own);
        sort_by(&mut steps, |one, other| one.rate.total_cmp(&other.rate));
    }
    let rows = Rows::of(&steps)
        .col("rate", "req/s", |of| of.rate)
        .col("disagg.", "GPUs", |of| of.pools)
        .tip(Digits::Count, "")
        .col("aggregated", "GPUs", |of| of.aggregated)
        .tip(Digits::Count, "")
        .titled(|of| format!("{} req/s", format::si(of.rate)), |_| "");
    let start = rate.and_then(|rate| steps.iter().position(|of| of.rate >= rate));
    Chart {
        finding: finding(&own, rate),
        source: "best replicas for each rate".into(),
        rows,
        plots: plot(&steps, service, pinned).into_iter().collect(),
        empty: "no feasible replica".into(),
        start,
        ..Chart::default()
    }
}

fn finding(own: &Stair, rate: Option<f64>) -> String {
    match (own.pools, own.aggregated, rate) {
        (_, _, None) => "set a request rate to see your GPU count".to_owned(),
        (Some(pools), Some(together), _) if pools < together => {
            format!(
                "{} fewer GPUs disaggregated",
                format::count(together - pools)
            )
        }
        (Some(pools), Some(together), _) if pools > together => {
            format!("{} fewer GPUs aggregated", format::count(pools - together))
        }
        (Some(_), Some(_), _) => "same GPU count either way".to_owned(),
        (Some(_), None, _) => "only disaggregated is feasible".to_owned(),
        (None, Some(_), _) => "only aggregated is feasible".to_owned(),
        (None, None, _) => "neither is feasible".to_owned(),
    }
}

/// Builds the step curves of the two alternatives. Returns `None` if fewer than two rates can be served.
fn plot(steps: &[Stair], service: &Service, pinned: Option<&PinnedStairs>) -> Option<Xy> {
    let lines = [
        flight(steps, |of| of.pools),
        flight(steps, |of| of.aggregated),
    ];
    let places = || lines.iter().flatten();
    let (first, last) = extent(places().map(|at| at.x));
    let (least, most) = extent(places().map(|at| at.y));
    if last <= first {
        return None;
    }
    let mut xy = Xy::new(
        Axis::log("req/s, log", first, last),
        Axis::log("GPUs, log", least / 1.4, most * 1.4),
    );
    xy.ruler = true;
    if let Some(pinned) = pinned {
        draw_pinned(&mut xy, pinned);
    }
    let ways = [
        ("disagg.", Ink::Strong),
        ("aggregated", Ink::Series(Series::Third)),
    ];
    for ((name, ink), line) in ways.into_iter().zip(lines) {
        if !line.is_empty() {
            xy.curve(line, CurveStroke::solid(ink, size::CURVE_PX))
                .says([Words::note(name, ink)]);
        }
    }
    if let Some((rate, gpus)) = service.demand.rate.zip(service.gpus()) {
        let how = match service.choice {
            Some(Pools::Aggregated) => " aggregated",
            _ => " disagg.",
        };
        let gpus = gpus as f64;
        let bold = Words::label(format!("now: {}", format::count(gpus)), Ink::Strong).bold();
        xy.dot(At::new((rate, gpus)), DotInk::Now(true))
            .says([bold.clone().and(how, Ink::Soft), bold]);
    }
    Some(xy)
}

/// Draws the step curve of the alternative chosen for the pinned scenario, and marks that scenario's request rate and
/// GPU count.
fn draw_pinned(xy: &mut Xy, (stairs, then): &PinnedStairs) {
    let chosen: fn(&Stair) -> Option<f64> = match then.choice {
        Some(Pools::Aggregated) => |of| of.aggregated,
        _ => |of| of.pools,
    };
    let theirs = flight(stairs, chosen).into_iter();
    xy.curve(
        theirs.map(|at| At { row: None, ..at }),
        CurveStroke::pinned(),
    )
    .says([Words::note("A", Ink::Strong).bold()]);
    if let Some((rate, gpus)) = then.demand.rate.zip(then.gpus()) {
        xy.dot(At::new((rate, gpus as f64)), DotInk::Ghost);
    }
}

/// Returns the points of a step curve, which is level up to the next rate and then rises.
fn flight(steps: &[Stair], gpus: fn(&Stair) -> Option<f64>) -> Vec<At> {
    let mut line: Vec<At> = Vec::new();
    for (row, step) in steps.iter().enumerate() {
        let Some(gpus) = gpus(step).filter(|gpus| positive(*gpus) && positive(step.rate)) else {
            continue;
        };
        let corner = line.last().map(|before| At::new((step.rate, before.y)));
        line.extend(corner);
        line.push(At::of(row, (step.rate, gpus)));
    }
    line
}
