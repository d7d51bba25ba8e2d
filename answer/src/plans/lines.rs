//! Lines of the chart: their plans, frontiers and series.

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

/// A plan worth showing.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownPlan {
    /// The inputs that state it.
    pub inputs: Inputs,
    /// The parallelism strategy.
    pub strategy: Strategy,
    /// The factors of the plan.
    pub spec: PlanSpec,
    /// "DP 32 · EP 32".
    pub sharding: String,
    /// Equal replicas.
    pub replicas: f64,
    /// Throughput, users' speed, batch and GPUs of all replicas.
    pub point: OperatingPoint,
    /// US dollars per million tokens, where a price is known.
    pub dollars: Option<f64>,
}

impl ShownPlan {
    /// A scenario that was evaluated.
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

    /// A point of the search, as one of the replicas.
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

    /// "3 × 24": replicas and GPUs of each; `None` for a single one.
    pub fn split(&self) -> Option<String> {
        let each = self.point.gpus / self.replicas;
        (self.replicas > 1.0)
            .then(|| format!("{} × {}", format::count(self.replicas), format::count(each)))
    }

    /// "no overlap", "two-batch", "HOP-B".
    pub fn schedule(&self) -> &'static str {
        sharding::overlap(self.spec.overlap)
    }

    /// Throughput per GPU, or tokens per dollar; `None` without a price.
    pub fn worth(&self, per: Per) -> Option<f64> {
        match per {
            Per::Gpu => Some(self.point.per_gpu),
            Per::Dollar => self.dollars.map(|dollars| 1.0 / dollars),
        }
    }

    /// True if the SLO is met or unset.
    pub fn meets(&self, slo: Option<f64>) -> bool {
        slo.is_none_or(|slo| self.point.per_user >= slo)
    }
}

/// One frontier with its plans, the fastest for a user first.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFrontier {
    /// The strategy, accelerator or precision.
    pub key: LineKey,
    /// Pareto-optimal plans.
    pub plans: Vec<ShownPlan>,
    /// The best of them that meets the SLO.
    pub best: Option<usize>,
    /// Color and marker.
    pub series: Series,
    /// The color is another line's, too.
    pub dashed: bool,
}

/// A strategy, an accelerator or a precision that has a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LineKey {
    /// A parallelism strategy.
    Strategy(Strategy),
    /// An accelerator.
    Accelerator(Gpu),
    /// A precision.
    Precision(NamedPrecision),
}

impl LineKey {
    /// Long and short name.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Strategy(strategy) => {
                (sharding::strategy(strategy), sharding::strategy(strategy))
            }
            Self::Accelerator(gpu) => (gpu.name(), short_name(gpu.name())),
            Self::Precision(precision) => (precision.id(), precision.id()),
        }
    }

    /// True for the user’s; of strategies for the given one.
    pub fn is_own(self, now: &Inputs, strategy: Option<Strategy>) -> bool {
        match self {
            Self::Strategy(of) => Some(of) == strategy,
            Self::Accelerator(gpu) => gpu == now.gpu,
            Self::Precision(precision) => precision == now.precision,
        }
    }
}

/// Lines of accelerators where there are several, else of precisions, else of strategies.
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
    /// A point of the search, with its base and the number of equal replicas.
    Found(&'a Candidates, &'a SweepPoint, &'a Inputs, f64),
    /// An evaluated plan.
    Ready(&'a ShownPlan),
}

impl PlanCandidate<'_> {
    /// Tokens per second of one user.
    pub fn speed(&self) -> f64 {
        match self {
            Self::Found(_, point, ..) => point.tokens_per_user,
            Self::Ready(plan) => plan.point.per_user,
        }
    }

    /// Tokens per second of one GPU.
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

    /// The parallelism strategy.
    pub fn strategy(&self) -> Strategy {
        match self {
            Self::Found(_, point, ..) => point.strategy,
            Self::Ready(plan) => plan.strategy,
        }
    }

    /// Accelerator and precision.
    pub fn base(&self) -> (Gpu, NamedPrecision) {
        match self {
            Self::Found(_, _, base, _) => (base.gpu, base.precision),
            Self::Ready(plan) => (plan.inputs.gpu, plan.inputs.precision),
        }
    }

    /// The GPU count.
    pub fn gpus(&self) -> f64 {
        match self {
            Self::Found(candidates, point, _, replicas) => {
                let plan = candidates.space.plan(point.index);
                plan.map_or(0.0, |(_, plan)| f64::from(plan.gpus()) * replicas)
            }
            Self::Ready(plan) => plan.point.gpus,
        }
    }

    /// Throughput per GPU, or tokens per dollar; `None` without a price.
    pub fn worth(&self, per: Per) -> Option<f64> {
        match per {
            Per::Gpu => Some(self.rate()),
            Per::Dollar => self.dollars().map(|dollars| 1.0 / dollars),
        }
    }

    /// True if the SLO is met or unset.
    pub fn meets(&self, slo: Option<f64>) -> bool {
        slo.is_none_or(|slo| self.speed() >= slo)
    }

    /// The evaluated plan.
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

/// The candidate with more throughput per GPU.
pub fn fuller<'a>(one: PlanCandidate<'a>, other: PlanCandidate<'a>) -> PlanCandidate<'a> {
    if other.rate() > one.rate() {
        other
    } else {
        one
    }
}

/// Every plan of the search that may be shown: on all of the user’s GPUs, in equal replicas, or one replica of any
/// size.
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

/// The lines, by throughput at the SLO; those that miss it last.
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
            // Throughput grows as speed falls.
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

/// The plans that no other beats in both speed and worth, the fastest first; without a price the
/// throughput decides.
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

/// The series of each line: the user’s, and the others in their order.
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

/// The strategy of the best plan on the user’s GPUs; without one, that of the plan that is edited.
pub fn own_strategy(now: &Inputs, own: Option<&ShownPlan>) -> Option<Strategy> {
    own.map(|own| own.strategy)
        .or_else(|| Some(Strategy::of(now.scenario().ok()?.plan.spec())))
}

/// The plan that the inputs state, evaluated; `None` if it is invalid.
pub fn stated(inputs: &Inputs) -> Option<ShownPlan> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    Some(ShownPlan::of(*inputs, &scenario, &evaluation))
}
