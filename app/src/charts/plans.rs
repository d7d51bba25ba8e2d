//! "Which plan?": the frontier of each plan family over every candidate, faint.

use crate::charts::prelude::*;
use crate::theme::Series;
use std::sync::Arc;

/// The Plans chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct PlansData {
    /// The frontier of each family, in the order of the legend; those without points are left out.
    pub curves: Arc<Vec<PlanCurve>>,
    /// Candidates that fit, thinned.
    pub faint: Arc<Vec<FaintPlan>>,
    /// The scenario that is being edited, where it stands.
    pub now: Option<PlanNow>,
    /// The least speed a user accepts.
    pub slo_tokens_per_s_per_user: Option<f64>,
    /// The best plan under it, to be marked.
    pub best: Option<(f64, f64)>,
    /// Whether precisions differ: then they are named.
    pub many_precisions: bool,
    /// The second half of the title.
    pub finding: String,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// How a family is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanStyle {
    /// Its colour.
    pub series: Series,
    /// Its line.
    pub line: LineStyle,
}

/// Solid, or in dashes: families can be told apart without colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStyle {
    /// A thick line.
    Bold,
    /// A line.
    Solid,
    /// Long dashes.
    Dashed,
    /// Short dashes.
    Dotted,
}

/// One family's frontier.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanCurve {
    /// What it is called.
    pub name: &'static str,
    /// How it is drawn.
    pub style: PlanStyle,
    /// Its points, the fastest for a user first.
    pub points: Vec<PlanPoint>,
}

/// A plan on a frontier.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanPoint {
    /// What it does.
    pub point: OperatingPoint,
    /// Its factors: `TP 8 · KVP 8 · FFN TP 64`.
    pub sharding: String,
    /// What hides behind what: `two batches`, empty for nothing.
    pub schedule: &'static str,
    /// The accelerator.
    pub accelerator: &'static str,
    /// The precision.
    pub precision: &'static str,
    /// US dollars per million tokens, where a price is known.
    pub dollars_per_mtok: Option<f64>,
}

/// A candidate among many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaintPlan {
    /// How its family is drawn.
    pub series: Series,
    /// Tokens per second of one user.
    pub per_user: f64,
    /// Tokens per second of one GPU.
    pub per_gpu: f64,
}

/// The scenario being edited.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanNow {
    /// What it does.
    pub point: OperatingPoint,
    /// Its plan in a few words.
    pub label: String,
}

impl PlanCurve {
    fn drawn(&self) -> impl Iterator<Item = &PlanPoint> {
        let good = |value: f64| value.is_finite() && value > 0.0;
        let draws = move |p: &&PlanPoint| good(p.point.per_user) && good(p.point.per_gpu);
        self.points.iter().filter(draws)
    }
}

/// More than five decades say nothing about the plans worth having.
const MOST_SPREAD: f64 = 1e5;

/// A logarithmic scale that holds every value of the frontiers, and others where they lie near.
fn scale(frontiers: Vec<f64>, others: impl Iterator<Item = f64>) -> Scale {
    let (_, most) = extent(frontiers.iter().copied());
    let near = |other: &f64| {
        let near = most <= 0.0 || (most / 1e4..most * 30.0).contains(other);
        other.is_finite() && *other > 0.0 && near
    };
    let (low, high) = extent(frontiers.iter().copied().chain(others.filter(near)));
    if high <= 0.0 || !low.is_finite() {
        return Scale::log(1.0, 100.0);
    }
    Scale::log(
        (low / 1.25).max(high / MOST_SPREAD),
        (high * 1.35).max(low * 2.0),
    )
}

impl PlansData {
    /// The points of all curves in the order of hits, each with its curve.
    pub fn hits(&self) -> impl Iterator<Item = (&PlanCurve, &PlanPoint)> {
        let curves = self.curves.iter();
        curves.flat_map(|curve| curve.drawn().map(move |plan| (curve, plan)))
    }

    fn plot(&self, area: Rect) -> Plot {
        let of = |value: fn(&OperatingPoint) -> f64| {
            let now = self.now.iter().map(move |now| value(&now.point));
            (self.hits().map(|(_, p)| value(&p.point)).collect(), now)
        };
        let (users, now) = of(|p| p.per_user);
        let x = scale(users, now.chain(self.slo_tokens_per_s_per_user));
        let (gpus, now) = of(|p| p.per_gpu);
        Plot::new(area, x, scale(gpus, now))
    }
}

impl Figure for PlansData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let plot = self.plot(area);
        let at = |p: &PlanPoint| plot.at(p.point.per_user, p.point.per_gpu);
        si_axes(
            pen,
            &plot,
            "tokens/s per GPU (log)",
            "tokens/s per user (log)",
        );
        if self.hits().next().is_none() {
            nothing_to_show(pen, &area, "no plan to draw");
        }
        let slo = self.slo_tokens_per_s_per_user;
        let slo = slo.filter(|least| plot.x.holds(*least));
        if let Some(least) = slo {
            marks::beyond_left(pen, &plot, least);
        }
        faint(pen, &plot, &self.faint);
        for curve in self.curves.iter() {
            let line: Vec<Point> = curve.drawn().map(at).collect();
            let colour = pen.theme.series(curve.style.series).line;
            match curve.style.line {
                LineStyle::Bold => pen.polyline(&line, stroke(colour, 2.3)),
                LineStyle::Solid => pen.polyline(&line, stroke(colour, 1.5)),
                LineStyle::Dashed => pen.dashed(&line, (7.0, 3.5), stroke(colour, 1.5)),
                LineStyle::Dotted => pen.dashed(&line, (2.0, 3.0), stroke(colour, 1.7)),
            }
            pen.avoid(&line);
        }
        for (curve, plan) in self.hits() {
            let colour = pen.theme.series(curve.style.series).line;
            pen.disc(at(plan), 2.1, colour);
        }
        pen.seam();
        marks(pen, &plot, self);
        if let Some(least) = slo {
            let long = format!("SLO {} tok/s/user", format::sig3(least));
            let words = [long, "SLO".to_owned()].map(|text| Words::note(text, pen.theme.ink_2));
            let heights = [area.top + 2.0, area.bottom - 18.0];
            Label::lines(words)
                .beside(plot.x_at(least), 5.0, &heights, Side::Below)
                .on_lines()
                .write_in(pen, area);
        }
        for curve in self.curves.iter() {
            name(pen, &plot, curve, curve.drawn().map(at));
        }
        let same = |one: f64, other: f64| (one - other).abs() < 1e-9 * other;
        let best = self.best.and_then(|(user, gpu)| {
            let best = |p: &OperatingPoint| same(p.per_user, user) && same(p.per_gpu, gpu);
            self.hits().position(|(_, plan)| best(&plan.point))
        });
        Hits::points(self.hits().map(|(_, plan)| at(plan)))
            .on(&plot)
            .starting_at(best.unwrap_or(0))
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let row = |(curve, plan): (&PlanCurve, &PlanPoint)| -> Vec<Cell> {
            vec![
                curve.name.into(),
                plan.accelerator.into(),
                plan.precision.into(),
                plan.point.gpus.into(),
                plan.sharding.clone().into(),
                plan.schedule.into(),
                plan.point.batch.into(),
                plan.point.per_user.into(),
                plan.point.per_gpu.into(),
                Cell::maybe(plan.dollars_per_mtok),
            ]
        };
        Table {
            columns: vec![
                Column::new("family", ""),
                Column::new("accelerator", ""),
                Column::new("precision", ""),
                Column::new("GPUs", ""),
                Column::new("sharding", ""),
                Column::new("schedule", ""),
                Column::new("batch", "sequences"),
                Column::new("interactivity", "tokens/s per user"),
                Column::new("throughput", "tokens/s per GPU"),
                Column::new("cost", "$ per million tokens"),
            ],
            rows: self.hits().map(row).collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (curve, plan) = self.hits().nth(index)?;
        let point = &plan.point;
        let batch = format!("{}, {}", point.aside(), point.batch_words());
        let mut rows = vec![
            TipRow::plain("sharding", plan.sharding.clone()),
            TipRow::plain("batch", batch),
        ];
        if !plan.schedule.is_empty() {
            rows.push(TipRow::plain("schedule", plan.schedule));
        }
        if self.many_precisions {
            rows.push(TipRow::plain("precision", plan.precision));
        }
        rows.extend(point.tip_rows());
        if let Some(dollars) = plan.dollars_per_mtok {
            let cost = format!("{} per M tokens", format::dollars(dollars));
            rows.push(TipRow::plain("cost", cost));
        }
        let slo = self.slo_tokens_per_s_per_user;
        rows.extend(slo_row(slo.map(|least| point.per_user >= least)));
        Some(Tooltip {
            title: curve.name.to_owned(),
            aside: format!("{} × {}", format::count(point.gpus), plan.accelerator),
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        let (_, plan) = self.hits().nth(index)?;
        Some(format::sig3(plan.point.per_user))
    }

    fn glow(&self, index: usize, hits: &Hits, pen: &mut Pen<'_>) {
        let value = self.axis_value(index);
        let at = hits::rulers(pen, hits, index, value.as_deref());
        if let (Some(at), Some((curve, _))) = (at, self.hits().nth(index)) {
            let ink = pen.theme.series(curve.style.series).line;
            pen.rimmed_point(at, 4.2, ink);
        }
    }

    fn height_px(width_px: f64) -> f64 {
        (width_px * 0.7).clamp(300.0, 520.0)
    }
}

/// Candidates, one colour after the other; those outside the axes are left out.
fn faint(pen: &mut Pen<'_>, plot: &Plot, plans: &[FaintPlan]) {
    let alpha = if pen.theme.dark { 0.4 } else { 0.3 };
    for series in Series::ALL {
        let colour = pen.theme.series(series).line.with_alpha(alpha);
        for plan in plans.iter().filter(|plan| plan.series == series) {
            if plot.x.holds(plan.per_user) && plot.y.holds(plan.per_gpu) {
                pen.disc(plot.at(plan.per_user, plan.per_gpu), 1.1, colour);
            }
        }
    }
}

/// The scenario being edited, and a ring around the best plan.
fn marks(pen: &mut Pen<'_>, plot: &Plot, data: &PlansData) {
    let ink = pen.theme.ink_1;
    let there = |(x, y): (f64, f64)| {
        let holds = plot.x.holds(x) && plot.y.holds(y);
        holds.then(|| plot.at(x, y))
    };
    let best = data.best.and_then(there);
    if let Some(best) = best {
        pen.ring(best, 6.5, stroke(ink, 1.6));
        pen.reserve(Rect::about(best, 7.5));
    }
    let now = data.now.as_ref();
    let now = now.and_then(|now| Some((now, there((now.point.per_user, now.point.per_gpu))?)));
    if let Some((now, at)) = now {
        pen.now(at, now.point.fits);
        pen.reserve(Rect::about(at, 9.0));
        let (state, ink) = match now.point.fits {
            true => ("now", ink),
            false => ("now, does not fit", pen.theme.bad),
        };
        let plan = Words::note(now.label.clone(), pen.theme.ink_2);
        Label::titled(Words::note(state, ink).bold(), plan)
            .around(at, 11.0)
            .write_in(pen, plot.area);
    }
    if let Some(best) = best {
        let words = match data.slo_tokens_per_s_per_user {
            Some(_) => "best under the SLO",
            None => "most throughput",
        };
        Label::lines([Words::note(words, ink).bold()])
            .around(best, 9.0)
            .write_in(pen, plot.area);
    }
}

/// A family's name beside its curve: where it is alone first, which is at its ends more often than not.
fn name(pen: &mut Pen<'_>, plot: &Plot, curve: &PlanCurve, places: impl Iterator<Item = Point>) {
    let ink = pen.theme.series(curve.style.series).text;
    let spots = places.flat_map(|Point { x, y }| {
        [
            spot(point(x + 7.0, y - 4.0), Align::Start, Side::Above),
            spot(point(x + 7.0, y), Align::Start, Side::Level),
            spot(point(x - 7.0, y + 5.0), Align::End, Side::Below),
            spot(point(x, y + 7.0), Align::Middle, Side::Below),
            spot(point(x - 7.0, y), Align::End, Side::Level),
        ]
    });
    Label::lines([Words::label(curve.name, ink).bold()])
        .at(spots)
        .or_over_lines()
        .write_in(pen, plot.area);
}
