//! The chart "Which plan?": one frontier per accelerator, strategy or precision, with the best plan at the SLO and
//! the current scenario.

use super::frontiers::{Frontiers, PlanHit, Shown, value, worth};
use super::lines::{LineKey, PlanFrontier, ShownPlan};
use super::{axes, leads};
use crate::chart::marks::CurveStroke;
use crate::chart::{At, Chart, Digits, DotInk, Ink, Rows, Shape, Words, Xy};
use crate::charts::{MeasuredMark, OperatingPoint, overlay};
use crate::order::sort_by;
use crate::sharding;
use crate::theme::Series;
use crate::words::format;
use model_core::permalink::Per;

/// Name of the data column with the index of the line to which a plan belongs.
pub const LINE: &str = "line";
/// Name of the data column with a plan's index among the plans on its line.
pub const PLACE: &str = "place";

/// Height of the chart as a fraction of its width, within limits in CSS px. On a phone, the plot takes two thirds of
/// the height and text takes one third.
pub const SHAPE: Shape = Shape::Share {
    of: 0.56,
    px: [300.0, 460.0],
};

fn value_words(per: Per, value: f64) -> String {
    match per {
        Per::Gpu => format::si(value),
        Per::Dollar => format::dollars(value),
    }
}

enum Row<'a> {
    Plan(PlanHit<'a>),
    Measured(&'a MeasuredMark, (f64, f64)),
}

impl Row<'_> {
    const fn plan(&self) -> Option<&ShownPlan> {
        match self {
            Self::Plan((_, _, plan, _)) => Some(plan),
            Self::Measured(..) => None,
        }
    }

    const fn mark(&self) -> Option<&MeasuredMark> {
        match self {
            Self::Plan(_) => None,
            Self::Measured(mark, _) => Some(mark),
        }
    }

    const fn point(&self) -> &OperatingPoint {
        match self {
            Self::Plan((_, _, plan, _)) => &plan.point,
            Self::Measured(mark, _) => &mark.point,
        }
    }

    const fn dollars(&self) -> Option<f64> {
        match self {
            Self::Plan((_, _, plan, _)) => plan.dollars,
            Self::Measured(mark, _) => mark.dollars_per_mtok,
        }
    }

    fn at(&self) -> (f64, f64) {
        match self {
            Self::Plan((_, _, plan, value)) => (plan.point.per_user, *value),
            Self::Measured(_, at) => *at,
        }
    }
}

fn precision(plan: &ShownPlan) -> &'static str {
    match plan.inputs.is_released() {
        true => "released checkpoint",
        false => plan.inputs.precision.id(),
    }
}

impl Frontiers {
    /// Returns the chart without the lines in `hidden`, and with the line at index `lit` highlighted.
    pub fn chart(&self, hidden: &[String], lit: Option<usize>) -> Chart {
        let shown = Shown { of: self, hidden };
        let mut all: Vec<Row<'_>> = shown.hits().map(Row::Plan).collect();
        let plans = all.len();
        all.extend(self.measured.iter().filter_map(|mark| {
            let value = value(self.per, &mark.point, mark.dollars_per_mtok)?;
            Some(Row::Measured(mark, (mark.point.per_user, value)))
        }));
        Chart {
            finding: leads::finding(&shown),
            source: "frontiers as in [H] 3.2; best plans at integer batches".into(),
            plots: match plans {
                0 => Vec::new(),
                _ => vec![self.plot(&shown, &all, lit)],
            },
            rows: self.rows(&all),
            empty: self.nothing().into(),
            start: self.start(&all),
            shape: SHAPE,
            ..Chart::default()
        }
    }

    fn rows(&self, all: &[Row<'_>]) -> Rows {
        let place = |of: &Row<'_>, which: fn(&PlanHit<'_>) -> usize| match of {
            Row::Plan(hit) => Some(which(hit) as f64),
            Row::Measured(..) => None,
        };
        let met = |of: &Row<'_>| {
            let least = self.slo?;
            let met = of.point().per_user >= least;
            Some(if met { "met" } else { "missed" })
        };
        let title = |of: &Row<'_>| {
            let Row::Plan((line, _, plan, _)) = of else {
                return String::new();
            };
            let strategy = sharding::strategy(plan.strategy);
            match self.lines[*line].key {
                LineKey::Precision(_) => format!("{strategy}, {}", precision(plan)),
                LineKey::Strategy(_) | LineKey::Accelerator(_) => strategy.to_owned(),
            }
        };
        let gpus = |of: &Row<'_>| {
            let name = of.plan().map_or("", |plan| plan.inputs.gpu.name());
            let each = match of.plan().and_then(ShownPlan::split) {
                Some(split) => split,
                None => format::count(of.point().gpus),
            };
            format!("{each} × {name}")
        };
        let strategy = |plan: &ShownPlan| sharding::strategy(plan.strategy);
        let mut rows = Rows::of(all)
            .col("accelerator", "", |of| {
                of.plan().map(|of| of.inputs.gpu.name())
            })
            .col("precision", "", |of| of.plan().map(precision))
            .col("strategy", "", |of| of.plan().map(strategy))
            .col("GPUs", "", |of| of.point().gpus)
            .col("replicas", "", |of| of.plan().map(|of| of.replicas))
            .col("parallelism", "", |of| {
                of.plan().map(|of| of.sharding.clone())
            })
            .tip(Digits::default(), "")
            .col("schedule", "", |of| of.plan().map(ShownPlan::schedule))
            .tip(Digits::default(), "")
            .col("batch", "sequences", |of| of.point().batch)
            .tip(Digits::Count, "")
            .col("interactivity", "tok/s/user", |of| of.point().per_user)
            .tip(Digits::Sig3, " tok/s/user")
            .col("throughput", "tok/s/GPU", |of| of.point().per_gpu)
            .tip(Digits::Si, " tok/s/GPU")
            .col("cost", "$/M tok", Row::dollars)
            .tip(Digits::Dollars, "/M tok");
        if !self.measured.is_empty() {
            rows = rows.col("measured", "", |of| of.mark().map(MeasuredMark::words));
        }
        rows.col("SLO", "", met)
            .tip(Digits::default(), "")
            .unlisted()
            .col(LINE, "", |of| place(of, |(line, ..)| *line))
            .unlisted()
            .col(PLACE, "", |of| place(of, |(_, place, ..)| *place))
            .unlisted()
            .own(|of| of.mark().map(overlay::tooltip))
            .titled(title, gpus)
    }

    fn plot(&self, shown: &Shown<'_>, all: &[Row<'_>], lit: Option<usize>) -> Xy {
        let [x, y] = axes::axes(shown);
        let mut xy = Xy::new(x, y);
        self.bests(shown, &mut xy);
        self.scenarios(shown, &mut xy);
        xy.slo(self.slo);
        // The highlighted line is first, so that it is drawn on top of all others.
        let lit = lit.filter(|lit| *lit < self.lines.len());
        let others = (0..self.lines.len()).filter(|at| Some(*at) != lit);
        for at in lit.into_iter().chain(others) {
            let line = &self.lines[at];
            let width = if line.series == Series::Own { 2.2 } else { 1.7 };
            let (ink, width) = match lit {
                Some(lit) if lit == at => (Ink::Series(line.series), 2.4),
                Some(_) => (Ink::Behind(line.series), width),
                None => (Ink::Series(line.series), width),
            };
            let style = CurveStroke {
                dash: line.dashed.then_some((6.0, 3.0)),
                ..CurveStroke::solid(ink, width)
            };
            let own = |(row, of): (usize, &Row<'_>)| match of {
                Row::Plan((line, ..)) if *line == at => Some(At::of(row, of.at())),
                _ => None,
            };
            let (long, short) = line.key.names();
            xy.curve(all.iter().enumerate().filter_map(own), style)
                .says([long, short].map(|name| Words::label(name, ink).bold()));
        }
        for (row, of) in all.iter().enumerate() {
            if let Row::Measured(mark, at) = of {
                overlay::dot(&mut xy, mark, At::of(row, *at));
            }
        }
        self.goes_on(shown, &mut xy);
        xy
    }

    /// Marks each line's best plan that meets the SLO, and the plan in the headline.
    fn bests(&self, shown: &Shown<'_>, xy: &mut Xy) {
        let best = |line: &PlanFrontier| {
            let plan = line.plans.get(line.best.filter(|_| !shown.hides(line))?)?;
            Some((line.series, plan.point, shown.at(plan)?))
        };
        let mut bests: Vec<_> = self.lines.iter().filter_map(best).collect();
        let good = |(_, _, (_, value)): &(_, _, (f64, f64))| worth(self.per, *value);
        sort_by(&mut bests, |one, other| good(other).total_cmp(&good(one)));
        if let Some((told, series)) = &self.told
            && bests.iter().all(|(_, point, _)| *point != told.point)
            && let Some(at) = shown.at(told)
        {
            bests.insert(0, (*series, told.point, at));
        }
        let told = self.told.as_ref().map(|(told, _)| told.point);
        for (order, (series, point, at)) in bests.into_iter().enumerate() {
            let (mark, ink) = match told == Some(point) {
                true => (Ink::Accent, Ink::Accent),
                false => (Ink::Series(series), Ink::Strong),
            };
            let bold = Words::label(value_words(self.per, at.1), ink).bold();
            // Only the best plan is labeled with its batch; the table lists all batches.
            let batch = (order == 0).then(|| format!(" batch {}", format::count(point.batch)));
            let long = batch.map(|batch| bold.clone().and(batch, Ink::Soft));
            xy.dot(At::new(at), DotInk::Series(series, mark))
                .says(long.into_iter().chain([bold]));
        }
    }

    fn scenarios(&self, shown: &Shown<'_>, xy: &mut Xy) {
        if let Some((now, at)) = self
            .now
            .as_ref()
            .and_then(|now| Some((now, shown.at(now)?)))
        {
            let fits = now.point.fits;
            let ink = Ink::of_now(fits);
            let bold = |text: &str| Words::label(text, ink).bold();
            let speed = format::sig3(now.point.per_user);
            let (first, second) = match xy.holds(at) {
                true => (
                    format!("now: batch {}", format::count(now.point.batch)),
                    if fits {
                        now.schedule()
                    } else {
                        "out of memory"
                    },
                ),
                false => (
                    format!("now: {}", value_words(self.per, at.1)),
                    &*format!("at {speed} tok/s/user"),
                ),
            };
            let second = Words::note(second, Ink::Soft);
            let first = bold(&first);
            xy.dot(At::new(at), DotInk::Now(fits)).says_blocks([
                vec![first.clone(), second],
                vec![first],
                vec![bold("now")],
            ]);
        }
        if let Some(at) = self.pinned.as_ref().and_then(|pinned| shown.at(pinned)) {
            xy.dot(At::new(at), DotInk::Ghost)
                .says([Words::note("A", Ink::Strong).bold()]);
        }
    }

    /// Adds a note on how far the fastest line continues beyond the right edge: "TP continues to 535 →".
    fn goes_on(&self, shown: &Shown<'_>, xy: &mut Xy) {
        let speed = |(_, _, plan, _): &PlanHit<'_>| plan.point.per_user;
        // Of equally fast plans, take that of the first line, which is drawn on top.
        let fastest = { shown.hits() }.reduce(|one, other| match speed(&other) > speed(&one) {
            true => other,
            false => one,
        });
        let Some(fastest) = fastest.filter(|of| !xy.x.scale.holds(speed(of)) && !self.log) else {
            return;
        };
        let name = sharding::strategy(fastest.2.strategy);
        let speed = format::sig3(speed(&fastest));
        let words = [
            format!("{name} continues to {speed} →"),
            format!("{name} to {speed} →"),
        ];
        let heights = match self.per {
            Per::Gpu => [0.16, 0.24, 0.34, 0.5, 0.7, 0.05],
            Per::Dollar => [0.8, 0.9, 0.5, 0.3, 0.15, 0.05],
        };
        xy.beyond(words.map(|text| Words::note(text, Ink::Faint)), heights);
    }

    /// Returns the reason why the chart has no plans.
    fn nothing(&self) -> &'static str {
        let mut plans = self.plans();
        match self.per {
            Per::Dollar if plans.all(|plan| plan.dollars.is_none()) => "no price set",
            _ => "no plan to plot",
        }
    }

    /// Returns the row at which keyboard navigation begins: the best plan that meets the SLO.
    fn start(&self, all: &[Row<'_>]) -> Option<usize> {
        let rows = all.iter().enumerate();
        let meets = rows.filter(|(_, of)| of.plan().is_some_and(|plan| plan.meets(self.slo)));
        let good = meets.map(|(row, of)| (row, worth(self.per, of.at().1)));
        let best = good.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(row, _)| row)
    }
}
