//! The frontiers of a search with what is marked on them: the numbers of "Which plan?".

use super::lines::{LineKey, PlanFrontier, ShownPlan, own_strategy, series, stated};
use super::{Look, Searched};
use crate::charts::{MeasuredMark, OperatingPoint};
use crate::overlay;
use crate::picture::scale::positive;
use crate::theme::Series;
use model_core::inputs::Number;
use model_core::permalink::{Axes, Per};

/// The frontiers, and what is marked on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Frontiers {
    /// In the order of the legend; those without plans are there, too.
    pub lines: Vec<PlanFrontier>,
    /// Throughput or cost up.
    pub per: Per,
    /// Both axes are logarithmic.
    pub log: bool,
    /// The scenario that is edited, if it is valid.
    pub now: Option<ShownPlan>,
    /// The pinned scenario, likewise.
    pub pinned: Option<ShownPlan>,
    /// Least interactivity.
    pub slo: Option<f64>,
    /// The plan that the headline is about, and the series of its line.
    pub told: Option<(ShownPlan, Series)>,
    /// Measured systems laid over the frontiers.
    pub measured: Vec<MeasuredMark>,
}

impl Frontiers {
    /// The lines with what is marked on them.
    pub fn of(
        searched: &Searched,
        look: &Look,
        mut lines: Vec<PlanFrontier>,
        own: Option<&ShownPlan>,
    ) -> Self {
        let now = &look.now;
        let keys: Vec<LineKey> = lines.iter().map(|line| line.key).collect();
        for (line, series) in lines
            .iter_mut()
            .zip(series(&keys, now, own_strategy(now, own)))
        {
            (line.series, line.dashed) = series;
        }
        let told = own.map(|told| {
            let has = |line: &&PlanFrontier| line.plans.iter().any(|of| of.point == told.point);
            let series = lines
                .iter()
                .find(has)
                .map_or(Series::Own, |line| line.series);
            (told.clone(), series)
        });
        let accelerators = || searched.search.accelerators(&searched.inputs);
        Self {
            lines,
            per: look.shown.per,
            log: look.shown.axes == Axes::Log,
            now: stated(now),
            pinned: look.pinned.as_ref().and_then(stated),
            slo: now.get(Number::Slo),
            told,
            measured: match look.shown.overlay {
                true => overlay::marks_on(now, &accelerators()),
                false => Vec::new(),
            },
        }
    }

    /// Plans of all lines.
    pub fn plans(&self) -> impl Iterator<Item = &ShownPlan> {
        self.lines.iter().flat_map(|line| &line.plans)
    }
}

/// Frontiers without the lines that a click has hidden.
pub struct Shown<'a> {
    /// All of them.
    pub of: &'a Frontiers,
    /// Names of the hidden lines.
    pub hidden: &'a [String],
}

/// A plan with its line, its place among the line's plans, and its value up.
pub type PlanHit<'a> = (usize, usize, &'a ShownPlan, f64);

/// Value up of a point; `None` without one.
pub fn value(per: Per, point: &OperatingPoint, dollars: Option<f64>) -> Option<f64> {
    let value = match per {
        Per::Gpu => Some(point.per_gpu),
        Per::Dollar => dollars,
    };
    value.filter(|value| positive(*value) && positive(point.per_user))
}

/// Grows with how good a value is.
pub fn worth(per: Per, value: f64) -> f64 {
    match per {
        Per::Gpu => value,
        Per::Dollar => 1.0 / value,
    }
}

impl Shown<'_> {
    /// True for a line that a click has hidden.
    pub fn hides(&self, line: &PlanFrontier) -> bool {
        let (name, _) = line.key.names();
        self.hidden.iter().any(|hidden| hidden == name)
    }

    /// Plans of a line that are drawn.
    pub fn drawn(&self, line: usize) -> impl Iterator<Item = PlanHit<'_>> {
        let of = self.of.lines.get(line).filter(|of| !self.hides(of));
        let plans = of.into_iter().flat_map(|of| of.plans.iter().enumerate());
        plans.filter_map(move |(place, plan)| Some((line, place, plan, self.value(plan)?)))
    }

    /// The plans of all lines that are drawn.
    pub fn hits(&self) -> impl Iterator<Item = PlanHit<'_>> {
        (0..self.of.lines.len()).flat_map(move |line| self.drawn(line))
    }

    fn value(&self, plan: &ShownPlan) -> Option<f64> {
        value(self.of.per, &plan.point, plan.dollars)
    }

    /// The place of a plan on the axes.
    pub fn at(&self, plan: &ShownPlan) -> Option<(f64, f64)> {
        Some((plan.point.per_user, self.value(plan)?))
    }
}
