//! Lines of the chart: their plans, frontiers and series.

use super::{Look, Searched};
use crate::answer::names::short_name;
use crate::answer::overlay;
use crate::answer::{operating_point, sharding};
use crate::charts::plans::{PlanLine, PlanMark, PlanNow, PlanPoint, PlanValue};
use crate::charts::{OperatingPoint, PlansData};
use crate::theme::Series;
use model_core::evaluate::{Evaluation, evaluate};
use model_core::inputs::{Gpu, Inputs, Number};
use model_core::order::sort_by;
use model_core::permalink::{Axes, Per, PlanLines};
use model_core::plan::PlanSpec;
use model_core::precision::NamedPrecision;
use model_core::scenario::Scenario;
use model_core::search::{Candidates, Search};
use model_core::sweep::{Strategy, SweepPoint};

/// A plan worth showing.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownPlan {
    /// The inputs that state it.
    pub inputs: Inputs,
    /// The parallelism strategy.
    pub strategy: Strategy,
    /// The factors of the sharding.
    pub spec: PlanSpec,
    /// "DP 32 · EP 32".
    pub sharding: String,
    /// Throughput, users' speed, batch and GPUs.
    pub point: OperatingPoint,
    /// US dollars per million tokens, where a price is known.
    pub dollars: Option<f64>,
}

impl ShownPlan {
    /// A scenario that was evaluated.
    pub fn of(inputs: Inputs, scenario: &Scenario, evaluation: &Evaluation) -> Self {
        let spec = *scenario.plan.spec();
        Self {
            inputs,
            strategy: sharding::strategy_of(&spec),
            spec,
            sharding: sharding::words(&spec, &scenario.arch),
            point: operating_point(
                evaluation,
                scenario.workload.batch,
                f64::from(scenario.cluster.gpus),
            ),
            dollars: evaluation.dollars_per_mtok,
        }
    }

    /// A point of the search.
    pub fn found(candidates: &Candidates, point: &SweepPoint) -> Option<Self> {
        let (strategy, scenario) = candidates.space.scenario(point.index)?;
        let spec = *scenario.plan.spec();
        Some(Self {
            inputs: candidates.inputs_of(point)?,
            strategy,
            spec,
            sharding: sharding::words(&spec, &scenario.arch),
            point: OperatingPoint {
                batch: point.batch,
                gpus: f64::from(scenario.cluster.gpus),
                tpot_s: 1.0 / point.tokens_per_user,
                per_user: point.tokens_per_user,
                per_gpu: point.tokens_per_gpu,
                fits: true,
            },
            dollars: point.dollars_per_mtok,
        })
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

    /// True if users get at least `slo`, or there is none.
    pub fn meets(&self, slo: Option<f64>) -> bool {
        slo.is_none_or(|slo| self.point.per_user >= slo)
    }
}

/// One frontier with its plans, the fastest for a user first.
pub struct PlanFrontier {
    /// The strategy, accelerator or precision.
    pub key: LineKey,
    /// Plans, none beaten by another.
    pub plans: Vec<ShownPlan>,
    /// The best of them that meets the SLO.
    pub best: Option<usize>,
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

    /// True for the visitor's own; of strategies for the given one.
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
    /// A point of the search, with its base.
    Found(&'a Candidates, &'a SweepPoint, &'a Inputs),
    /// An evaluated plan.
    Ready(&'a ShownPlan),
}

impl PlanCandidate<'_> {
    /// Tokens per second of one user.
    pub fn speed(&self) -> f64 {
        match self {
            Self::Found(_, point, _) => point.tokens_per_user,
            Self::Ready(plan) => plan.point.per_user,
        }
    }

    /// Tokens per second of one GPU.
    pub fn rate(&self) -> f64 {
        match self {
            Self::Found(_, point, _) => point.tokens_per_gpu,
            Self::Ready(plan) => plan.point.per_gpu,
        }
    }

    fn dollars(&self) -> Option<f64> {
        match self {
            Self::Found(_, point, _) => point.dollars_per_mtok,
            Self::Ready(plan) => plan.dollars,
        }
    }

    /// The parallelism strategy.
    pub fn strategy(&self) -> Strategy {
        match self {
            Self::Found(_, point, _) => point.strategy,
            Self::Ready(plan) => plan.strategy,
        }
    }

    /// Accelerator and precision.
    pub fn base(&self) -> (Gpu, NamedPrecision) {
        match self {
            Self::Found(_, _, base) => (base.gpu, base.precision),
            Self::Ready(plan) => (plan.inputs.gpu, plan.inputs.precision),
        }
    }

    /// The number of GPUs.
    pub fn gpus(&self) -> f64 {
        match self {
            Self::Found(candidates, point, _) => {
                let plan = candidates.space.plan(point.index);
                plan.map_or(0.0, |(_, plan)| f64::from(plan.gpus()))
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

    /// True if users get at least `slo`, or there is none.
    pub fn meets(&self, slo: Option<f64>) -> bool {
        slo.is_none_or(|slo| self.speed() >= slo)
    }

    /// The evaluated plan.
    pub fn plan(&self) -> Option<ShownPlan> {
        match self {
            Self::Found(candidates, point, _) => ShownPlan::found(candidates, point),
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

/// Every plan of the search that may be shown, on the own number of GPUs or on any.
pub fn plans<'a>(
    searched: &'a Searched,
    look: &Look,
) -> impl Iterator<Item = PlanCandidate<'a>> + Clone {
    let candidates = searched.candidates.as_ref();
    let own = look.own_gpus;
    let groups = searched.answer.found.groups.iter().enumerate();
    let found = groups
        .filter_map(move |(place, group)| {
            let base = candidates.bases().get(place / Strategy::ALL.len())?;
            let scope = if own { &group.own } else { &group.any };
            Some(
                scope
                    .points()
                    .map(move |point| PlanCandidate::Found(candidates, point, base)),
            )
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
            PlanFrontier { key, plans, best }
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

/// The series of each line: the visitor's own, and the others in their order.
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

/// The strategy of the best plan on the visitor's own GPUs; without one, that of the plan that is edited.
pub fn own_strategy(now: &Inputs, own: Option<&ShownPlan>) -> Option<Strategy> {
    own.map(|own| own.strategy)
        .or_else(|| Some(sharding::strategy_of(now.scenario().ok()?.plan.spec())))
}

/// The chart of the lines; the plan that the headline is about is marked.
pub fn chart(
    searched: &Searched,
    look: &Look,
    lines: &[PlanFrontier],
    (own, told): (Option<&ShownPlan>, Option<&ShownPlan>),
) -> PlansData {
    let now = &look.now;
    let keys: Vec<LineKey> = lines.iter().map(|line| line.key).collect();
    let series = series(&keys, now, own_strategy(now, own));
    let drawn = lines.iter().zip(series).map(|(line, (series, dashed))| {
        let (name, short) = line.key.names();
        PlanLine {
            name: name.to_owned(),
            short: short.to_owned(),
            series,
            dashed,
            hidden: false,
            points: line.plans.iter().map(point).collect(),
            best: line.best,
        }
    });
    let lines: Vec<PlanLine> = drawn.collect();
    let told = told.map(|told| PlanMark {
        series: { lines.iter() }
            .find(|line| line.points.iter().any(|of| of.point == told.point))
            .map_or(Series::Own, |line| line.series),
        point: told.point,
        dollars_per_mtok: told.dollars,
    });
    let mut data = PlansData {
        lines,
        value: match look.shown.per {
            Per::Gpu => PlanValue::PerGpu,
            Per::Dollar => PlanValue::Dollars,
        },
        log: look.shown.axes == Axes::Log,
        now: scenario_point(now),
        pinned: look.pinned.as_ref().and_then(scenario_point),
        slo_tokens_per_s_per_user: now.get(Number::Slo),
        lit: None,
        told,
        measured: match look.shown.overlay {
            true => overlay::marks_on(
                now,
                &searched.link.search.accelerators(&searched.link.current),
            ),
            false => Vec::new(),
        },
        source: "frontiers as in [H] 3.2; the best of each to the whole sequence".to_owned(),
        finding: String::new(),
    };
    data.finding = super::leads::finding(&data);
    data
}

fn point(plan: &ShownPlan) -> PlanPoint {
    PlanPoint {
        point: plan.point,
        strategy: sharding::strategy(plan.strategy),
        sharding: plan.sharding.clone(),
        schedule: plan.schedule(),
        accelerator: plan.inputs.gpu.name(),
        precision: match plan.inputs.is_released() {
            true => "released weights",
            false => plan.inputs.precision.id(),
        },
        dollars_per_mtok: plan.dollars,
    }
}

/// The plan that the inputs state, evaluated; `None` where it is impossible.
pub fn stated(inputs: &Inputs) -> Option<ShownPlan> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    Some(ShownPlan::of(*inputs, &scenario, &evaluation))
}

/// A scenario as a point of the chart.
fn scenario_point(inputs: &Inputs) -> Option<PlanNow> {
    let plan = stated(inputs)?;
    Some(PlanNow {
        point: plan.point,
        dollars_per_mtok: plan.dollars,
        label: plan.schedule(),
    })
}
