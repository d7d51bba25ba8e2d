//! Data of the chart "Which plan?": the frontiers of a search, and the points marked on them.

use super::lines::{LineKey, PlanFrontier, ShownPlan, own_strategy, series, stated};
use super::{Look, Searched};
use crate::charts::{MeasuredMark, OperatingPoint};
use crate::overlay;
use crate::picture::scale::positive;
use crate::theme::Series;
use model_core::inputs::Number;
use model_core::permalink::{Axes, Per};

/// The frontiers found by a search, and the points marked on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Frontiers {
    /// Frontiers in the order of the legend, including those without plans.
    pub lines: Vec<PlanFrontier>,
    /// Quantity plotted on the y-axis: throughput or cost.
    pub per: Per,
    /// True if both axes are logarithmic.
    pub log: bool,
    /// The plan of the current scenario, if it is valid.
    pub now: Option<ShownPlan>,
    /// The plan of the pinned scenario, if it is valid.
    pub pinned: Option<ShownPlan>,
    /// Minimum interactivity that the SLO requires, in tok/s/user; `None` if no SLO is set.
    pub slo: Option<f64>,
    /// The plan in the headline, and the series (color and marker) of the line that it is on.
    pub told: Option<(ShownPlan, Series)>,
    /// Measured systems, drawn as points over the frontiers.
    pub measured: Vec<MeasuredMark>,
}

impl Frontiers {
    /// Builds the frontiers, with the points marked on them.
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

    /// Returns the plans of all frontiers.
    pub fn plans(&self) -> impl Iterator<Item = &ShownPlan> {
        self.lines.iter().flat_map(|line| &line.plans)
    }
}

/// The frontiers to draw: all of them except those that the user has turned off by a click.
pub struct Shown<'a> {
    /// All frontiers, including those that the user has turned off.
    pub of: &'a Frontiers,
    /// Names of the lines that the user has turned off.
    pub hidden: &'a [String],
}

/// A plan on a frontier line: index of the line, index of the plan on the line, the plan, and the plan's y value.
pub type PlanHit<'a> = (usize, usize, &'a ShownPlan, f64);

/// Returns the y value of an operating point: throughput per GPU or cost. Returns `None` if a price is missing or a
/// value is not positive.
pub fn value(per: Per, point: &OperatingPoint, dollars: Option<f64>) -> Option<f64> {
    let value = match per {
        Per::Gpu => Some(point.per_gpu),
        Per::Dollar => dollars,
    };
    value.filter(|value| positive(*value) && positive(point.per_user))
}

/// Returns the figure of merit of a y value, which is larger for a better value: the throughput itself, or 1 ÷ cost.
pub fn worth(per: Per, value: f64) -> f64 {
    match per {
        Per::Gpu => value,
        Per::Dollar => 1.0 / value,
    }
}

impl Shown<'_> {
    /// True if the user has turned off this line.
    pub fn hides(&self, line: &PlanFrontier) -> bool {
        let (name, _) = line.key.names();
        self.hidden.iter().any(|hidden| hidden == name)
    }

    /// Returns the drawn plans of one line; none if the user has turned off the line.
    pub fn drawn(&self, line: usize) -> impl Iterator<Item = PlanHit<'_>> {
        let of = self.of.lines.get(line).filter(|of| !self.hides(of));
        let plans = of.into_iter().flat_map(|of| of.plans.iter().enumerate());
        plans.filter_map(move |(place, plan)| Some((line, place, plan, self.value(plan)?)))
    }

    /// Returns the drawn plans of all lines.
    pub fn hits(&self) -> impl Iterator<Item = PlanHit<'_>> {
        (0..self.of.lines.len()).flat_map(move |line| self.drawn(line))
    }

    fn value(&self, plan: &ShownPlan) -> Option<f64> {
        value(self.of.per, &plan.point, plan.dollars)
    }

    /// Returns the x and y value of a plan; `None` if the plan has no y value.
    pub fn at(&self, plan: &ShownPlan) -> Option<(f64, f64)> {
        Some((plan.point.per_user, self.value(plan)?))
    }
}
