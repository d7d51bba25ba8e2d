//! The chart "Colocated or disaggregated?", shared by the modes AFD and Lamina: Pareto curves of both deployments.

use crate::chart::marks::CurveStroke;
use crate::chart::{At, Axis, Chart, Digits, DotInk, Ink, Rows, Words, Xy};
use crate::charts::OperatingPoint;
use crate::order::sort_by_key;
use crate::picture::scale::{extent, positive};
use crate::theme::{Series, size};
use crate::words::format;
use crate::words::sentence::Tone;
use model_core::afd::decision::{Winner, winner};
use std::borrow::Cow;

/// Type of the disaggregated deployment in a view.
#[derive(Clone, Copy)]
pub enum Disaggregated {
    /// AFD: attention and FFN on separate ranks.
    Afd,
    /// Lamina: attention on memory devices.
    Lamina,
}

/// A deployment on the chart "Colocated or disaggregated?", with its curve and labels.
pub struct Side {
    /// True if every GPU runs all parts of the LLM.
    pub colocated: bool,
    /// Name of the deployment type: `colocated`, `AFD` or `Lamina`.
    pub label: &'static str,
    /// Configuration of the deployment, such as `72 × H100` or `32 : 40`.
    pub name: String,
    /// Operating points on the curve, in order of interactivity.
    pub points: Vec<SidePoint>,
    /// The deployment's best operating point at the required interactivity.
    pub now: Option<SidePoint>,
    /// True for the reference deployment, with which the other deployment is compared.
    pub shown: bool,
    /// True if the deployment's best point is the current scenario.
    pub present: bool,
    /// Labeled points along the deployment's curve, with labels such as `144 per GPU` and `96`.
    pub stops: Vec<(SidePoint, String)>,
}

/// An operating point, with its tokens per dollar and its name.
#[derive(Clone)]
pub struct SidePoint {
    /// Batch, interactivity and throughput.
    pub point: OperatingPoint,
    /// Tokens per US dollar; `None` if no price is known.
    pub tokens_per_dollar: Option<f64>,
    /// Name of the point, such as `32 : 40` or `two-batch`; if empty, the configuration of its deployment is used.
    pub name: Cow<'static, str>,
}

/// Axes of the chart: tok/s/user horizontally, and tokens per dollar or tok/s/GPU vertically.
struct Axes {
    per_dollar: bool,
}

impl Axes {
    /// Returns a point's values on both axes; `None` if it cannot be drawn.
    fn place(&self, of: &SidePoint) -> Option<(f64, f64)> {
        let value = match self.per_dollar {
            true => of.tokens_per_dollar?,
            false => of.point.per_gpu,
        };
        let draws = of.point.fits && positive(value) && positive(of.point.per_user);
        draws.then_some((of.point.per_user, value))
    }

    fn own(&self, side: &Side) -> Option<(f64, f64)> {
        self.place(side.now.as_ref()?)
    }

    /// Returns the empty plot. Its horizontal axis ends where throughput is 1/20 of the maximum; beyond that, more
    /// interactivity would cost nearly all throughput.
    fn plot(&self, sides: &[Side]) -> Xy {
        let nows = || sides.iter().filter_map(|side| self.own(side));
        let points = sides.iter().flat_map(|side| &side.points);
        let drawn: Vec<(f64, f64)> = points.filter_map(|of| self.place(of)).collect();
        let (_, most) = extent(drawn.iter().copied().chain(nows()).map(|at| at.1));
        let worth = drawn.iter().copied().filter(|at| at.1 >= most / 20.0);
        let (_, fastest) = extent(worth.chain(nows()).map(|at| at.0));
        let end = fastest.max(f64::MIN_POSITIVE) * 1.07;
        let unit = match self.per_dollar {
            true => "tokens per dollar",
            false => "tok/s/GPU",
        };
        Xy::new(
            Axis::linear("tok/s/user", 0.0, end).written(Digits::Sig3),
            Axis::linear(unit, 0.0, most * 1.2),
        )
    }
}

/// Builds the chart of both deployments, with those of the pinned scenario behind them. An arrow at equal
/// interactivity, from the reference to the other deployment, is labeled with `factor`.
pub fn chart(sides: &[Side], pinned: &[Side], per_dollar: bool, factor: Option<String>) -> Chart {
    let axes = Axes { per_dollar };
    let mut items: Vec<(&Side, &SidePoint)> = Vec::new();
    let mut own: Vec<Vec<At>> = Vec::new();
    for side in sides {
        items.extend(side.now.iter().map(|now| (side, now)));
        let first = items.len();
        let points = side.points.iter().enumerate();
        own.push(
            points
                .filter_map(|(place, of)| Some(At::of(first + place, axes.place(of)?)))
                .collect(),
        );
        items.extend(side.points.iter().map(|of| (side, of)));
    }
    let name = |(side, of): &(&Side, &SidePoint)| match of.name.is_empty() {
        true => Cow::Owned(side.name.clone()),
        false => of.name.clone(),
    };
    let rows = Rows::of(&items)
        .col("deployment", "", |of| {
            format!("{}, {}", of.0.label, name(of))
        })
        .col("batch", "", |(_, of)| of.point.batch)
        .tip(Digits::Batch, " sequences")
        .unlisted()
        .point(|(_, of)| of.point)
        .col("tokens per dollar", "", |(_, of)| of.tokens_per_dollar)
        .tip(Digits::Si, "")
        .titled(|(side, _)| side.label, name);
    let shown = sides.iter().zip(&own).filter(|(side, _)| side.shown);
    let away = |(now, at): &(f64, &At)| (at.x - now).abs();
    let start = shown
        .flat_map(|(side, line)| {
            let now = side
                .now
                .as_ref()
                .map_or(f64::INFINITY, |now| now.point.per_user);
            line.iter().map(move |at| (now, at))
        })
        .min_by(|one, other| away(one).total_cmp(&away(other)))
        .and_then(|(_, at)| at.row);
    let mut plot = axes.plot(sides);
    let any = own.iter().any(|line| !line.is_empty());
    let mut order: Vec<(&Side, Vec<At>)> = sides.iter().zip(own).collect();
    sort_by_key(&mut order, |(side, _)| !side.shown);
    for side in pinned {
        draw_pinned(&mut plot, &axes, side);
    }
    for (side, through) in order {
        draw_side(&mut plot, &axes, side, through);
    }
    let own = |shown| axes.own(sides.iter().find(|side| side.shown == shown)?);
    if let (Some(from), Some(to), Some(factor)) = (own(true), own(false), factor) {
        plot.arrow([from, (from.0, to.1)], Ink::Soft, 1.1)
            .says([Words::label(factor, Ink::Strong).bold()]);
    }
    Chart {
        rows,
        plots: if any { vec![plot] } else { Vec::new() },
        start,
        beside_px: [4.0, 0.0],
        ..Chart::default()
    }
}

fn draw_pinned(xy: &mut Xy, axes: &Axes, side: &Side) {
    let places = side.points.iter().filter_map(|of| axes.place(of));
    xy.curve(places.map(At::new), CurveStroke::pinned());
    if let Some(at) = axes.own(side) {
        let name = Words::label("A", Ink::Strong).bold();
        let long = name.clone().and(format!("  {}", side.label), Ink::Soft);
        xy.dot(At::new(at), DotInk::Ghost).says([long, name]);
    }
}

fn draw_side(xy: &mut Xy, axes: &Axes, side: &Side, through: Vec<At>) {
    let rival = Ink::Series(Series::Second);
    let (ink, stop, width) = match side.colocated {
        true => (Ink::Strong, Ink::Soft, size::CURVE_PX),
        false => (rival, rival, 1.6),
    };
    let own = axes.own(side);
    let (dot, now) = match (own, side.present) {
        (None, _) => (DotInk::Bare, ""),
        (Some(_), true) => (DotInk::Now(true), "now: "),
        (Some(_), false) => (DotInk::Ring(4.2, ink), ""),
    };
    let title = Words::label(format!("{now}{}", side.label), ink).bold();
    let long = title.clone().and(format!("  {}", side.name), Ink::Soft);
    let last = through.iter().rfind(|at| xy.x.scale.holds(at.x));
    if let Some(at) = own.or(last.map(|at| (at.x, at.y))) {
        xy.dot(At::new(at), dot).says([long, title]);
    }
    xy.curve(through, CurveStroke::solid(ink, width));
    for (of, name) in &side.stops {
        if let Some(at) = axes.place(of) {
            xy.stop(At::new(at), ink)
                .says([Words::note(name.clone(), stop)]);
        }
    }
}

/// A deployment's result at the required interactivity u*, for the chart's finding (its one-line result).
#[derive(Debug, Clone, Copy)]
pub struct Reached {
    /// Throughput, in the same unit for both deployments.
    pub rate: f64,
    /// Batch of the whole deployment, in sequences.
    pub batch: f64,
}

/// Throughput ratio below which the chart's finding states both batch sizes. This requires a smaller disaggregated
/// batch, which then explains the ratio.
const FAR: f64 = 0.5;

/// Returns the chart's finding (its one-line result), such as "AFD 25% less at 8.51 tok/s/user" or "Lamina 98% less:
/// batch 4 vs. 276".
pub fn finding(
    users: f64,
    colocated: Option<Reached>,
    other: Option<Reached>,
    name: &str,
) -> String {
    let at = format!("at {} tok/s/user", format::sig3(users));
    match (colocated, other) {
        (Some(colocated), Some(other)) => {
            let ratio = other.rate / colocated.rate;
            let factor = format::factor(ratio);
            let [batch, all] = [other.batch, colocated.batch].map(format::count);
            match ratio < FAR && other.batch < colocated.batch {
                true => format!("{name} {factor}: batch {batch} vs. {all}"),
                false => format!("{name} {factor} {at}"),
            }
        }
        (Some(_), None) => format!("colocated only {at}"),
        (None, Some(_)) => format!("{name} only {at}"),
        (None, None) => "neither is feasible".to_owned(),
    }
}

/// Returns the tone of the disaggregated result: `Help` if disaggregated wins, `Bad` if colocated wins. `Muted` if
/// neither wins or a throughput is missing.
pub fn tone(compared: [Option<f64>; 2]) -> Tone {
    match compared {
        [Some(colocated), Some(other)] => match winner(other / colocated) {
            Winner::Disaggregated => Tone::Help,
            Winner::Colocated => Tone::Bad,
            Winner::Neither => Tone::Muted,
        },
        _ => Tone::Muted,
    }
}
