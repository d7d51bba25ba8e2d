//! "Which plan?": one frontier for each accelerator, strategy or precision, what each reaches at the SLO, and now.

mod axes;
mod names;

use crate::charts::overlay::{self, MeasuredMark};
use crate::charts::prelude::*;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlansData {
    /// The frontiers, in the order of the table that is their legend; those without points are there, too.
    pub lines: Vec<PlanLine>,
    /// The upright axis: throughput, or cost.
    pub value: Value,
    /// Both axes are logarithmic.
    pub log: bool,
    /// The scenario that is being edited, where it stands.
    pub now: Option<PlanNow>,
    pub pinned: Option<PlanNow>,
    pub slo_tokens_per_s_per_user: Option<f64>,
    /// The line that the reader looks at in the table.
    pub lit: Option<usize>,
    /// The plan that the headline is about.
    pub told: Option<PlanMark>,
    /// Measured systems laid over the frontiers.
    pub measured: Vec<MeasuredMark>,
    pub finding: String,
    pub source: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Value {
    /// Tokens per second of one GPU: more is better.
    #[default]
    PerGpu,
    /// US dollars per million tokens: less is better.
    Dollars,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlanLine {
    /// "GB200 NVL72".
    pub name: String,
    /// The same where room is short: "GB200".
    pub short: String,
    pub series: Series,
    /// The colour is another line's, too.
    pub dashed: bool,
    /// A click on its row has hidden it.
    pub hidden: bool,
    /// Its points, the fastest for a user first; none is beaten by another.
    pub points: Vec<PlanPoint>,
    /// The best of them that meets the SLO.
    pub best: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlanPoint {
    pub point: OperatingPoint,
    pub family: &'static str,
    /// Its factors: `TP 8 · KVP 8 · FFN TP 64`.
    pub sharding: String,
    /// `two-batch`, `no overlap`.
    pub schedule: &'static str,
    pub accelerator: &'static str,
    pub precision: &'static str,
    /// US dollars per million tokens, where a price is known.
    pub dollars_per_mtok: Option<f64>,
}

/// A scenario as a point.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanNow {
    pub point: OperatingPoint,
    pub dollars_per_mtok: Option<f64>,
    /// Its schedule: `two-batch`.
    pub label: &'static str,
}

/// A plan that is marked wherever it lies.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanMark {
    pub point: OperatingPoint,
    pub dollars_per_mtok: Option<f64>,
    /// The series of its line.
    pub series: Series,
}

impl PlanPoint {
    /// Its place on the upright axis; `None` where there is nothing to draw.
    fn value(&self, of: Value) -> Option<f64> {
        of.of(&self.point, self.dollars_per_mtok)
    }
}

impl Value {
    fn of(self, point: &OperatingPoint, dollars: Option<f64>) -> Option<f64> {
        let value = match self {
            Self::PerGpu => Some(point.per_gpu),
            Self::Dollars => dollars,
        };
        value.filter(|value| positive(*value) && positive(point.per_user))
    }

    /// Grows with how good a value is.
    pub fn worth(self, value: f64) -> f64 {
        match self {
            Self::PerGpu => value,
            Self::Dollars => 1.0 / value,
        }
    }

    pub fn words(self, value: f64) -> String {
        match self {
            Self::PerGpu => format::si(value),
            Self::Dollars => format::dollars(value),
        }
    }

    const fn axis(self, log: bool) -> &'static str {
        match (self, log) {
            (Self::PerGpu, false) => "tokens/s per GPU",
            (Self::PerGpu, true) => "tokens/s per GPU, log",
            (Self::Dollars, false) => "$ per million tokens",
            (Self::Dollars, true) => "$ per million tokens, log",
        }
    }
}

impl PlanLine {
    /// Its points that are drawn, each with its upright value.
    pub fn drawn(&self, of: Value) -> impl Iterator<Item = (&PlanPoint, f64)> {
        self.placed(of).map(|(_, point, value)| (point, value))
    }

    /// The same with their places among all.
    fn placed(&self, of: Value) -> impl Iterator<Item = (usize, &PlanPoint, f64)> {
        let shown = self.points.iter().enumerate().filter(|_| !self.hidden);
        shown.filter_map(move |(place, point)| Some((place, point, point.value(of)?)))
    }

    /// The places it runs through.
    fn through(&self, plot: &Plot, of: Value) -> Vec<Point> {
        let drawn = self.drawn(of);
        drawn
            .map(|(plan, value)| plot.at(plan.point.per_user, value))
            .collect()
    }
}

impl PlansData {
    /// The points of all lines that are shown in the order of hits, each with its line and upright value.
    pub fn hits(&self) -> impl Iterator<Item = (usize, &PlanPoint, f64)> {
        let lines = self.lines.iter().enumerate();
        lines.flat_map(|(index, line)| {
            let points = line.drawn(self.value);
            points.map(move |(point, value)| (index, point, value))
        })
    }

    /// The measured systems that can be drawn, whose hits come after those of the lines, each with its place.
    fn measured(&self) -> impl Iterator<Item = (&MeasuredMark, (f64, f64))> {
        self.measured.iter().filter_map(|mark| {
            let value = self.value.of(&mark.point, mark.dollars_per_mtok)?;
            Some((mark, (mark.point.per_user, value)))
        })
    }

    /// The measured system that a hit is.
    fn measured_at(&self, hit: usize) -> Option<&MeasuredMark> {
        let place = hit.checked_sub(self.hits().count())?;
        self.measured().nth(place).map(|(mark, _)| mark)
    }

    /// Line and point of a hit.
    pub fn place(&self, hit: usize) -> Option<(usize, usize)> {
        let lines = self.lines.iter().enumerate();
        let mut places = lines.flat_map(|(index, line)| {
            let points = line.placed(self.value);
            points.map(move |(point, ..)| (index, point))
        });
        places.nth(hit)
    }
}

const NARROW_PX: f64 = 420.0;

impl Figure for PlansData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = axes::area(pen);
        let plot = axes::plot(self, area);
        let log = if self.log { ", log" } else { "" };
        let x_name = format!("tokens/s per user{log}");
        if self.hits().next().is_none() {
            return nothing_to_show(pen, &area, self.nothing());
        }
        si_axes(pen, &plot, self.value.axis(self.log), &x_name);
        let slo = self.slo_tokens_per_s_per_user;
        let rule = slo.filter(|least| plot.x.holds(*least));
        if let Some(least) = rule {
            marks::limit_at(pen, &plot, least, false, 8.0);
        }
        // The first lies on top of those that run along it, what is looked at on all.
        let all = 0..self.lines.len();
        let mut things: Vec<Thing> = all
            .rev()
            .map(|at| axes::line(pen, &plot, self, at))
            .collect();
        things.reverse();
        if let Some(lit) = self.lit.filter(|lit| *lit < things.len()) {
            things[lit] = axes::line(pen, &plot, self, lit);
        }
        pen.seam();
        let inside = |(speed, value): (f64, f64)| plot.x.holds(speed) && plot.y.holds(value);
        let measured = || {
            let all = self.measured();
            all.filter(|(_, place)| inside(*place))
                .map(|(mark, (speed, value))| (mark, plot.at(speed, value)))
        };
        overlay::draw(pen, measured());
        names::write(pen, &plot, self, (rule, &things));
        overlay::name(pen, area, measured());
        let plans = self.hits().map(|(_, p, value)| (p.point.per_user, value));
        let places = plans.chain(self.measured().map(|(_, place)| place));
        let places = places.map(|(speed, value)| area.nearest(plot.at(speed, value)));
        Hits::points(places).on(&plot).starting_at(self.start())
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        // What was measured stands below what is computed; its plan is in its own words.
        type Of<'a> = (Option<&'a PlanPoint>, Option<&'a MeasuredMark>);
        let plans = self.hits().map(|(_, plan, _)| (Some(plan), None));
        let measured = self.measured().map(|(mark, _)| (None, Some(mark)));
        let said = |of: fn(&PlanPoint) -> &str| {
            move |(plan, _): &Of<'_>| plan.map(|plan| of(plan).to_owned())
        };
        let at = |of: fn(&OperatingPoint) -> f64| {
            move |(plan, mark): &Of<'_>| {
                let point = plan.map(|plan| &plan.point);
                point.or(mark.map(|mark| &mark.point)).map(of)
            }
        };
        let cost = |(plan, mark): &Of<'_>| match (plan, mark) {
            (Some(plan), _) => plan.dollars_per_mtok,
            (None, mark) => mark.and_then(|mark| mark.dollars_per_mtok),
        };
        let table = Table::of(plans.chain(measured))
            .col("accelerator", "", said(|plan| plan.accelerator))
            .col("precision", "", said(|plan| plan.precision))
            .col("strategy", "", said(|plan| plan.family))
            .col("GPUs", "", at(|point| point.gpus))
            .col("sharding", "", said(|plan| &plan.sharding))
            .col("schedule", "", said(|plan| plan.schedule))
            .col("batch", "sequences", at(|point| point.batch))
            .col(
                "interactivity",
                "tokens/s per user",
                at(|point| point.per_user),
            )
            .col("throughput", "tokens/s per GPU", at(|point| point.per_gpu))
            .col("cost", "$ per million tokens", cost);
        if self.measured.is_empty() {
            return table.done();
        }
        let words = |(_, mark): &Of<'_>| mark.map(MeasuredMark::words);
        table.col("measured", "", words).done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        if let Some(mark) = self.measured_at(index) {
            return Some(overlay::tooltip(mark));
        }
        let (line, plan, _) = self.hits().nth(index)?;
        let point = &plan.point;
        let name = &self.lines.get(line)?.name;
        let title = match name == plan.family || name == plan.accelerator {
            true => plan.family.to_owned(),
            false => format!("{}, {}", plan.family, plan.precision),
        };
        let gpus = format!("{} × {}", format::count(point.gpus), plan.accelerator);
        let cost = plan.dollars_per_mtok.map(format::dollars);
        let cost = cost.map(|dollars| format!("{dollars} per M tokens"));
        let slo = self.slo_tokens_per_s_per_user;
        let tip = Tooltip::new(title, gpus, &self.source)
            .across(format::sig3(point.per_user))
            .row("sharding", &plan.sharding)
            .row("schedule", plan.schedule)
            .row("batch", format::count(point.batch))
            .rows(point.rates())
            .maybe("cost", cost)
            .rows(slo_row(slo.map(|least| point.per_user >= least)));
        Some(tip)
    }

    fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        let at = hits::rulers(pen, pointed);
        if let (Some(at), Some((line, ..))) = (at, self.hits().nth(pointed.index))
            && let Some(line) = self.lines.get(line)
        {
            pen.disc(at, 6.5, pen.theme.background);
            axes::marker(pen, at, line.series, 4.6, true);
        }
    }

    fn height_px(width_px: f64) -> f64 {
        // A phone's is as high as its words need: the plot itself is two thirds of it.
        match width_px < NARROW_PX {
            true => 300.0,
            false => (width_px * 0.56).clamp(300.0, 460.0),
        }
    }
}

impl PlansData {
    /// The reason for an empty chart.
    fn nothing(&self) -> &'static str {
        let priced = self.lines.iter().flat_map(|line| &line.points);
        match self.value {
            Value::Dollars if { priced }.all(|p| p.dollars_per_mtok.is_none()) => {
                "no price is known"
            }
            _ => "no plan to draw",
        }
    }

    /// The keyboard begins at the best plan.
    fn start(&self) -> usize {
        let slo = self.slo_tokens_per_s_per_user.unwrap_or(0.0);
        let all = self.hits().enumerate();
        let meets = all.filter(|(_, (_, plan, _))| plan.point.per_user >= slo);
        let worth = meets.map(|(index, (.., value))| (index, self.value.worth(value)));
        let best = worth.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map_or(0, |(index, _)| index)
    }
}
