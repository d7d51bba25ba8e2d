//! "Which plan?": one frontier for each accelerator, strategy or precision, what each reaches at the SLO, and now.

mod axes;

use crate::charts::overlay::{self, MeasuredMark};
use crate::charts::prelude::*;
use crate::order::sort_by;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlansData {
    /// The frontiers, in the order of the table that is their legend; those without points are there, too.
    pub lines: Vec<PlanLine>,
    /// The upright axis: throughput, or cost.
    pub value: PlanValue,
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
pub enum PlanValue {
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
    pub strategy: &'static str,
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
    fn value(&self, of: PlanValue) -> Option<f64> {
        of.of(&self.point, self.dollars_per_mtok)
    }
}

impl PlanValue {
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
    pub fn drawn(&self, of: PlanValue) -> impl Iterator<Item = (&PlanPoint, f64)> {
        self.placed(of).map(|(_, point, value)| (point, value))
    }

    /// The same with their places among all.
    fn placed(&self, of: PlanValue) -> impl Iterator<Item = (usize, &PlanPoint, f64)> {
        let shown = self.points.iter().enumerate().filter(|_| !self.hidden);
        shown.filter_map(move |(place, point)| Some((place, point, point.value(of)?)))
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
        let area = usual_area(pen);
        let plot = axes::plot(self, area);
        let log = if self.log { ", log" } else { "" };
        if self.hits().next().is_none() {
            return nothing_to_show(pen, &area, self.nothing());
        }
        let x_name = format!("tokens/s per user{log}");
        si_axes(pen, &plot, self.value.axis(self.log), &x_name);
        let mut xy = Xy::new(plot);
        self.points(&mut xy, pen.theme);
        xy.slo(pen.theme, self.slo_tokens_per_s_per_user);
        // The lit line lies on all others.
        let lit = self.lit.filter(|lit| *lit < self.lines.len());
        let others = (0..self.lines.len()).filter(|at| Some(*at) != lit);
        for at in lit.into_iter().chain(others) {
            let line = &self.lines[at];
            let colours = pen.theme.series(line.series);
            let width = if line.series == Series::Own { 2.2 } else { 1.7 };
            let (ink, width) = match lit {
                Some(lit) if lit == at => (colours.line, 2.4),
                Some(_) => (colours.line.with_alpha(0.4), width),
                None => (colours.line, width),
            };
            let dash = line.dashed.then_some((6.0, 3.0));
            let style = CurveStroke {
                dash,
                ..CurveStroke::solid(ink, width)
            };
            let through = line.drawn(self.value);
            let through = through.map(|(plan, value)| (plan.point.per_user, value));
            let names = [&line.name, &line.short];
            xy.curve(through, style)
                .says(names.map(|name| Words::label(name, colours.text).bold()));
        }
        for (mark, at) in self.measured() {
            overlay::dot(&mut xy, pen.theme, mark, at);
        }
        xy.draw(pen);
        self.goes_on(pen, &plot);
        let plans = self.hits().map(|(_, p, value)| (p.point.per_user, value));
        let measured = self.measured().map(|(_, at)| at);
        Hits::values(&plot, plans.chain(measured)).starting_at(self.start())
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        // Measured systems come last; their plan is in their own words.
        let plans = self.hits().map(|(_, plan, _)| (Some(plan), None));
        let measured = self.measured().map(|(mark, _)| (None, Some(mark)));
        let table = columns(plans.chain(measured));
        if self.measured.is_empty() {
            return table.done();
        }
        let words = |(_, mark): &Row<'_>| mark.map(MeasuredMark::words);
        table.col("measured", "", words).done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        if let Some(mark) = self.measured_at(index) {
            return Some(overlay::tooltip(mark));
        }
        let (line, plan, _) = self.hits().nth(index)?;
        let point = &plan.point;
        let name = &self.lines.get(line)?.name;
        let title = match name == plan.strategy || name == plan.accelerator {
            true => plan.strategy.to_owned(),
            false => format!("{}, {}", plan.strategy, plan.precision),
        };
        let gpus = format!("{} × {}", format::count(point.gpus), plan.accelerator);
        let slo = self.slo_tokens_per_s_per_user;
        let tip = Tooltip::new(title, gpus, &self.source)
            .across(format::sig3(point.per_user))
            .rows(columns([(Some(plan), None)].into_iter()).tips())
            .rows(slo_row(slo.map(|least| point.per_user >= least)));
        Some(tip)
    }

    fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        let at = hits::rulers(pen, pointed);
        if let (Some(at), Some((line, ..))) = (at, self.hits().nth(pointed.index))
            && let Some(line) = self.lines.get(line)
        {
            pen.disc(at, 6.5, pen.theme.background);
            let ink = pen.theme.series(line.series).line;
            marks::series(pen, at, line.series, 4.6, (ink, true));
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

/// A plan, or what was measured.
type Row<'a> = (Option<&'a PlanPoint>, Option<&'a MeasuredMark>);

fn columns<'a>(rows: impl Iterator<Item = Row<'a>>) -> Columns<Row<'a>> {
    let said = |of: fn(&PlanPoint) -> &str| {
        move |(plan, _): &Row<'_>| plan.map(|plan| of(plan).to_owned())
    };
    let at = |of: fn(&OperatingPoint) -> f64| {
        move |(plan, mark): &Row<'_>| {
            let point = plan.map(|plan| &plan.point);
            point.or(mark.map(|mark| &mark.point)).map(of)
        }
    };
    let cost = |(plan, mark): &Row<'_>| match (plan, mark) {
        (Some(plan), _) => plan.dollars_per_mtok,
        (None, mark) => mark.and_then(|mark| mark.dollars_per_mtok),
    };
    Table::of(rows)
        .col("accelerator", "", said(|plan| plan.accelerator))
        .col("precision", "", said(|plan| plan.precision))
        .col("strategy", "", said(|plan| plan.strategy))
        .col("GPUs", "", at(|point| point.gpus))
        .col("sharding", "", said(|plan| &plan.sharding))
        .tip(format::sig3)
        .col("schedule", "", said(|plan| plan.schedule))
        .tip(format::sig3)
        .col("batch", "sequences", at(|point| point.batch))
        .tip(format::count)
        .col(
            "interactivity",
            "tokens/s per user",
            at(|point| point.per_user),
        )
        .tip(points::per_user)
        .col("throughput", "tokens/s per GPU", at(|point| point.per_gpu))
        .tip(points::per_gpu)
        .col("cost", "$ per million tokens", cost)
        .tip(|dollars| format!("{} per M tokens", format::dollars(dollars)))
}

impl PlansData {
    /// The best of every line at the SLO, the scenario, the pinned one, and the plan of the headline.
    fn points(&self, xy: &mut Xy, theme: &Theme) {
        let value = |of: &OperatingPoint, dollars| Some((of.per_user, self.value.of(of, dollars)?));
        let best = |line: &PlanLine| {
            let plan = line.points.get(line.best.filter(|_| !line.hidden)?)?;
            Some((
                line.series,
                plan.point,
                value(&plan.point, plan.dollars_per_mtok)?,
            ))
        };
        let mut bests: Vec<_> = self.lines.iter().filter_map(best).collect();
        let worth = |(_, _, (_, value)): &(_, _, (f64, f64))| self.value.worth(*value);
        sort_by(&mut bests, |one, other| worth(other).total_cmp(&worth(one)));
        let told = self.told.as_ref().map(|told| told.point);
        if let Some(told) = &self.told
            && bests.iter().all(|(_, point, _)| *point != told.point)
            && let Some(at) = value(&told.point, told.dollars_per_mtok)
        {
            bests.insert(0, (told.series, told.point, at));
        }
        let soft = theme.ink_2;
        for (order, (series, point, at)) in bests.into_iter().enumerate() {
            let (mark, ink) = match told == Some(point) {
                true => (theme.accent, theme.accent),
                false => (theme.series(series).line, theme.ink_1),
            };
            let bold = Words::label(self.value.words(at.1), ink).bold();
            // The table says the others, too.
            let batch = (order == 0).then(|| format!(" batch {}", format::count(point.batch)));
            let long = batch.map(|batch| bold.clone().and(batch, soft));
            xy.dot(at, DotInk::Series(series, mark))
                .says(long.into_iter().chain([bold]));
        }
        if let Some(now) = &self.now
            && let Some(at) = value(&now.point, now.dollars_per_mtok)
        {
            let fits = now.point.fits;
            let ink = if fits { theme.ink_1 } else { theme.bad };
            let bold = |text: &str| Words::label(text, ink).bold();
            let speed = format::sig3(now.point.per_user);
            let (first, second) = match xy.plot.holds(at) {
                true => (
                    format!("now: batch {}", format::count(now.point.batch)),
                    if fits { now.label } else { "does not fit" },
                ),
                false => (
                    format!("now: {}", self.value.words(at.1)),
                    &*format!("at {speed} tok/s"),
                ),
            };
            let second = Words::note(second, soft);
            let first = bold(&first);
            xy.dot(at, DotInk::Now(fits)).says_blocks([
                vec![first.clone(), second],
                vec![first],
                vec![bold("now")],
            ]);
        }
        if let Some(pinned) = &self.pinned
            && let Some(at) = value(&pinned.point, pinned.dollars_per_mtok)
        {
            xy.dot(at, DotInk::Ghost)
                .says([Words::note("A", theme.ink_1).bold()]);
        }
    }

    /// The fastest line beyond the frame's right edge: "TP goes on to 535 →".
    fn goes_on(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let speed = |(_, plan, _): &(usize, &PlanPoint, f64)| plan.point.per_user;
        // Of equals the first line, which lies on top.
        let fastest = { self.hits() }.reduce(|one, other| match speed(&other) > speed(&one) {
            true => other,
            false => one,
        });
        let Some(fastest) = fastest.filter(|of| !plot.x.holds(speed(of)) && !self.log) else {
            return;
        };
        let (name, speed) = (fastest.1.strategy, format::sig3(speed(&fastest)));
        let words = [
            format!("{name} goes on to {speed} →"),
            format!("{name} to {speed} →"),
        ];
        let Rect { right, bottom, .. } = plot.area;
        let heights = match self.value {
            PlanValue::PerGpu => [0.16, 0.24, 0.34, 0.5, 0.7, 0.05],
            PlanValue::Dollars => [0.8, 0.9, 0.5, 0.3, 0.15, 0.05],
        };
        let at = |share: f64| W(0, 0).of(point(right, bottom - share * plot.area.height()));
        Label::lines(words.map(|text| Words::note(text, pen.theme.ink_3)))
            .at(heights.map(at))
            .write_in(pen, plot.area);
    }

    /// The reason for an empty chart.
    fn nothing(&self) -> &'static str {
        let priced = self.lines.iter().flat_map(|line| &line.points);
        match self.value {
            PlanValue::Dollars if { priced }.all(|p| p.dollars_per_mtok.is_none()) => {
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
