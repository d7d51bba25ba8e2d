//! Lines of the plans chart: the plans on each line, the frontier, and the series (color and marker).

use super::{Look, Searched};
use crate::case::operating_point;
use crate::charts::OperatingPoint;
use crate::sharding;
use crate::theme::Series;
use crate::words::format;
use crate::words::names::short_name;
use model_core::evaluate::{Evaluation, evaluate};
use model_core::inputs::{Gpu, Inputs, Number};
use model_core::order::sort_by;
use model_core::permalink::{Per, PlanLines};
use model_core::plan::PlanSpec;
use model_core::precision::NamedPrecision;
use model_core::scenario::Scenario;
use model_core::search::{Candidates, Search, replicas_on};
use model_core::sweep::{Strategy, SweepPoint};

/// A plan in the form in which the chart and the tables show it.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownPlan {
    /// Inputs of the scenario with this plan.
    pub inputs: Inputs,
    /// The parallelism strategy of the plan.
    pub strategy: Strategy,
    /// Parallelism factors and schedule of the plan.
    pub spec: PlanSpec,
    /// Parallelism factors as text: "DP 32 · EP 32".
    pub sharding: String,
    /// Number of equal replicas in the plan.
    pub replicas: f64,
    /// Operating point of all replicas: throughput, interactivity, batch and GPU count.
    pub point: OperatingPoint,
    /// Cost of the plan in US dollars per million tokens; `None` without a price.
    pub dollars: Option<f64>,
}

impl ShownPlan {
    /// Creates the plan from an evaluated scenario.
    pub fn of(inputs: Inputs, scenario: &Scenario, evaluation: &Evaluation) -> Self {
        let spec = *scenario.plan.spec();
        let replicas = f64::from(scenario.replicas);
        Self {
            inputs,
            replicas,
            strategy: Strategy::of(&spec),
            spec,
            sharding: sharding::words(&spec, &scenario.arch),
            point: operating_point(
                evaluation,
                scenario.workload.batch * replicas,
                f64::from(scenario.cluster.gpus) * replicas,
            ),
            dollars: evaluation.dollars_per_mtok,
        }
    }

    /// Creates the plan from a point of the search, run as `replicas` equal replicas.
    pub fn found(candidates: &Candidates, point: &SweepPoint, replicas: f64) -> Option<Self> {
        let (strategy, scenario) = candidates.space.scenario(point.index)?;
        let spec = *scenario.plan.spec();
        let inputs = candidates.inputs_of(point)?;
        Some(Self {
            inputs: inputs.with(Number::Replicas, replicas),
            replicas,
            strategy,
            spec,
            sharding: sharding::words(&spec, &scenario.arch),
            point: OperatingPoint {
                batch: point.batch * replicas,
                gpus: f64::from(scenario.cluster.gpus) * replicas,
                tpot_s: 1.0 / point.tokens_per_user,
                per_user: point.tokens_per_user,
                per_gpu: point.tokens_per_gpu,
                fits: true,
            },
            dollars: point.dollars_per_mtok,
        })
    }

    /// Returns the number of replicas and the GPUs of each, "3 × 24"; `None` for a single replica.
    pub fn split(&self) -> Option<String> {
        let each = self.point.gpus / self.replicas;
        (self.replicas > 1.0)
            .then(|| format!("{} × {}", format::count(self.replicas), format::count(each)))
    }

    /// Returns the name of the plan's overlap schedule: "no overlap", "two-batch", "HOP-B".
    pub fn schedule(&self) -> &'static str {
        sharding::overlap(self.spec.overlap)
    }

    /// Returns the plan's figure of merit: throughput per GPU, or million tokens per dollar. Returns `None` without a
    /// price.
    pub fn worth(&self, per: Per) -> Option<f64> {
        match per {
            Per::Gpu => Some(self.point.per_gpu),
            Per::Dollar => self.dollars.map(|dollars| 1.0 / dollars),
        }
    }

    /// True if the plan meets the SLO, or if no SLO is set.
    pub fn meets(&self, slo: Option<f64>) -> bool {
        slo.is_none_or(|slo| self.point.per_user >= slo)
    }
}

/// One frontier with its plans, in descending order of interactivity.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFrontier {
    /// Strategy, accelerator or precision that the line shows.
    pub key: LineKey,
    /// Pareto-optimal plans of the line.
    pub plans: Vec<ShownPlan>,
    /// Index of the line's best plan that meets the SLO; `None` if no plan does.
    pub best: Option<usize>,
    /// Color and marker of the line.
    pub series: Series,
    /// True if an earlier line has the same color; this line is then dashed.
    pub dashed: bool,
}

/// The strategy, accelerator or precision that a line shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LineKey {
    /// The line shows plans of one parallelism strategy.
    Strategy(Strategy),
    /// The line shows plans on one accelerator.
    Accelerator(Gpu),
    /// The line shows plans with one precision.
    Precision(NamedPrecision),
}

impl LineKey {
    /// Returns the long and the short name of the line.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Strategy(strategy) => {
                (sharding::strategy(strategy), sharding::strategy(strategy))
            }
            Self::Accelerator(gpu) => (gpu.name(), short_name(gpu.name())),
            Self::Precision(precision) => (precision.id(), precision.id()),
        }
    }

    /// True if the line shows the user’s accelerator or precision, or the given strategy.
    pub fn is_own(self, now: &Inputs, strategy: Option<Strategy>) -> bool {
        match self {
            Self::Strategy(of) => Some(of) == strategy,
            Self::Accelerator(gpu) => gpu == now.gpu,
            Self::Precision(precision) => precision == now.precision,
        }
    }
}

/// Returns the default choice of lines: accelerators if several are searched, else precisions if several are
/// searched, else strategies.
pub fn default_lines(search: &Search, inputs: &Inputs) -> PlanLines {
    if search.accelerators(inputs).len() > 1 {
        PlanLines::Accelerator
    } else if search.precisions(inputs).len() > 1 {
        PlanLines::Precision
    } else {
        PlanLines::Strategy
    }
}

/// A plan that may be shown: a point of the search, or an evaluated plan.
#[derive(Clone, Copy)]
pub enum PlanCandidate<'a> {
    /// A point of the search, with the search's candidates, the inputs that the point is based on, and the number of
    /// equal replicas.
    Found(&'a Candidates, &'a SweepPoint, &'a Inputs, f64),
    /// A plan that has been evaluated outside the search.
    Ready(&'a ShownPlan),
}

impl PlanCandidate<'_> {
    /// Returns the candidate's interactivity, in tok/s/user.
    pub fn speed(&self) -> f64 {
        match self {
            Self::Found(_, point, ..) => point.tokens_per_user,
            Self::Ready(plan) => plan.point.per_user,
        }
    }

    /// Returns the candidate's throughput, in tok/s/GPU.
    pub fn rate(&self) -> f64 {
        match self {
            Self::Found(_, point, ..) => point.tokens_per_gpu,
            Self::Ready(plan) => plan.point.per_gpu,
        }
    }

    fn dollars(&self) -> Option<f64> {
        match self {
            Self::Found(_, point, ..) => point.dollars_per_mtok,
            Self::Ready(plan) => plan.dollars,
        }
    }

    /// Returns the candidate's parallelism strategy.
    pub fn strategy(&self) -> Strategy {
        match self {
            Self::Found(_, point, ..) => point.strategy,
            Self::Ready(plan) => plan.strategy,
        }
    }

    /// Returns the candidate's accelerator and precision.
    pub fn base(&self) -> (Gpu, NamedPrecision) {
        match self {
            Self::Found(_, _, base, _) => (base.gpu, base.precision),
            Self::Ready(plan) => (plan.inputs.gpu, plan.inputs.precision),
        }
    }

    /// Returns the total GPU count of the candidate's replicas.
    pub fn gpus(&self) -> f64 {
        match self {
            Self::Found(candidates, point, _, replicas) => {
                let plan = candidates.space.plan(point.index);
                plan.map_or(0.0, |(_, plan)| f64::from(plan.gpus()) * replicas)
            }
            Self::Ready(plan) => plan.point.gpus,
        }
    }

    /// Returns the figure of merit: throughput per GPU, or million tokens per dollar. Returns `None` without a price.
    pub fn worth(&self, per: Per) -> Option<f64> {
        match per {
            Per::Gpu => Some(self.rate()),
            Per::Dollar => self.dollars().map(|dollars| 1.0 / dollars),
        }
    }

    /// True if the candidate meets the SLO, or if no SLO is set.
    pub fn meets(&self, slo: Option<f64>) -> bool {
        slo.is_none_or(|slo| self.speed() >= slo)
    }

    /// Returns the candidate as a plan for the chart and the tables.
    pub fn plan(&self) -> Option<ShownPlan> {
        match self {
            Self::Found(candidates, point, _, replicas) => {
                ShownPlan::found(candidates, point, *replicas)
            }
            Self::Ready(plan) => Some((*plan).clone()),
        }
    }

    fn key(&self, lines: PlanLines) -> LineKey {
        match lines {
            PlanLines::Strategy => LineKey::Strategy(self.strategy()),
            PlanLines::Accelerator => LineKey::Accelerator(self.base().0),
            PlanLines::Precision => LineKey::Precision(self.base().1),
        }
    }
}

/// Returns the candidate with the higher throughput per GPU; the first one if both are equal.
pub fn fuller<'a>(one: PlanCandidate<'a>, other: PlanCandidate<'a>) -> PlanCandidate<'a> {
    if other.rate() > one.rate() {
        other
    } else {
        one
    }
}

/// Returns every plan of the search that may be shown. If `own_gpus` is set in `look`, each plan is run as equal
/// replicas on all of the user’s GPUs. Otherwise, each is one replica of any size.
pub fn plans<'a>(
    searched: &'a Searched,
    look: &Look,
) -> impl Iterator<Item = PlanCandidate<'a>> + Clone {
    let candidates = searched.candidates.as_ref();
    let (own, gpus) = (look.own_gpus, searched.answer.found.own_gpus);
    let groups = searched.answer.found.groups.iter().enumerate();
    let found = groups
        .filter_map(move |(place, group)| {
            let base = candidates.bases().get(place / Strategy::ALL.len())?;
            let scope = if own { &group.own } else { &group.any };
            let replicas = move |point: &SweepPoint| {
                let (_, plan) = candidates.space.plan(point.index)?;
                replicas_on(gpus, plan.gpus()).filter(|_| own)
            };
            Some(scope.points().map(move |point| {
                let replicas = replicas(point).map_or(1.0, f64::from);
                PlanCandidate::Found(candidates, point, base, replicas)
            }))
        })
        .flatten();
    found.chain(searched.refined.iter().flatten().map(PlanCandidate::Ready))
}

/// Builds the lines. Lines that meet the SLO come first, ordered by throughput or cost at the SLO.
pub fn assemble(searched: &Searched, look: &Look, around: &[ShownPlan]) -> Vec<PlanFrontier> {
    let (lines, per) = (look.lines(searched), look.shown.per);
    let slo = look.now.get(Number::Slo);
    let mut found: Vec<(LineKey, Vec<PlanCandidate<'_>>)> = Vec::new();
    for plan in plans(searched, look).chain(around.iter().map(PlanCandidate::Ready)) {
        let key = plan.key(lines);
        match found.iter_mut().find(|(known, _)| *known == key) {
            Some((_, plans)) => plans.push(plan),
            None => found.push((key, vec![plan])),
        }
    }
    let mut lines: Vec<PlanFrontier> = found
        .into_iter()
        .map(|(key, plans)| {
            let plans = unbeaten(plans, per);
            // Throughput grows as interactivity falls, so the last plan that meets the SLO is the best.
            let best = plans.iter().rposition(|plan| plan.meets(slo));
            PlanFrontier {
                key,
                plans,
                best,
                series: Series::Own,
                dashed: false,
            }
        })
        .collect();
    let worth = |line: &PlanFrontier| {
        let best = line.best.and_then(|best| line.plans.get(best));
        let plan = best.or(line.plans.last());
        (best.is_some(), plan.and_then(|plan| plan.worth(per)))
    };
    sort_by(&mut lines, |one, other| {
        let (one, other) = (worth(one), worth(other));
        let value = |of: Option<f64>| of.unwrap_or(0.0);
        other
            .0
            .cmp(&one.0)
            .then(value(other.1).total_cmp(&value(one.1)))
    });
    lines
}

/// Returns the Pareto frontier of the plans by interactivity and figure of merit, in order of descending
/// interactivity. A figure of merit per dollar is replaced by the throughput if no plan has a price. If only some
/// plans have a price, those without one are dropped.
pub fn unbeaten(mut plans: Vec<PlanCandidate<'_>>, per: Per) -> Vec<ShownPlan> {
    let priced = plans.iter().any(|plan| plan.worth(per).is_some());
    let per = if priced { per } else { Per::Gpu };
    plans.retain(|plan| plan.worth(per).is_some());
    let worth = |plan: &PlanCandidate<'_>| plan.worth(per).unwrap_or(0.0);
    sort_by(&mut plans, |one, other| {
        let speed = other.speed().total_cmp(&one.speed());
        speed.then(worth(other).total_cmp(&worth(one)))
    });
    let mut most = f64::NEG_INFINITY;
    plans.retain(|plan| {
        let better = worth(plan) > most;
        most = most.max(worth(plan));
        better
    });
    plans.iter().filter_map(PlanCandidate::plan).collect()
}

/// Returns the series (color and marker) of each line, and a flag that is true if an earlier line has the same color.
/// The user’s line has a fixed series; the other lines take the remaining ones in order.
pub fn series(keys: &[LineKey], now: &Inputs, strategy: Option<Strategy>) -> Vec<(Series, bool)> {
    let own = keys.iter().position(|key| key.is_own(now, strategy));
    let mut others = 0;
    let mut each = |index: usize| {
        if own == Some(index) {
            return (Series::Own, false);
        }
        others += 1;
        Series::other(others - 1)
    };
    (0..keys.len()).map(&mut each).collect()
}

/// Returns the strategy of the best plan on the user’s GPUs. If there is no such plan, returns the strategy of the
/// current plan.
pub fn own_strategy(now: &Inputs, own: Option<&ShownPlan>) -> Option<Strategy> {
    own.map(|own| own.strategy)
        .or_else(|| Some(Strategy::of(now.scenario().ok()?.plan.spec())))
}

/// Evaluates the plan that the inputs describe; `None` if the plan is invalid.
pub fn stated(inputs: &Inputs) -> Option<ShownPlan> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    Some(ShownPlan::of(*inputs, &scenario, &evaluation))
}
