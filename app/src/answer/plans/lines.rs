//! The frontiers that are drawn: which plans are on which line, and what becomes of them in the chart.

use super::{Look, Own, Searched};
use crate::answer::overlay;
use crate::answer::split::short_name;
use crate::answer::{operating_point, sharding};
use crate::charts::plans::{PlanLine, PlanNow, PlanPoint, Value};
use crate::charts::{OperatingPoint, PlansData};
use crate::theme::Series;
use model_core::advice::{best_free, most, works};
use model_core::evaluate::{Evaluation, evaluate};
use model_core::limits::{FASTER, LEVEL};
use model_core::order::sort_by;
use model_core::permalink::{Axes, Lines, Per};
use model_core::plan::PlanSpec;
use model_core::precision::NamedPrecision;
use model_core::scenario::{Gpu, Inputs, Number, Scenario};
use model_core::search::{Candidates, Search, on_another};
use model_core::sweep::{Family, Point};

/// A plan worth showing.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What it is when it is opened by itself.
    pub inputs: Inputs,
    /// Its family.
    pub family: Family,
    /// Its factors.
    pub spec: PlanSpec,
    /// Its factors in words.
    pub sharding: String,
    /// What it does.
    pub point: OperatingPoint,
    /// US dollars per million tokens, where a price is known.
    pub dollars: Option<f64>,
}

impl Plan {
    /// A scenario that was evaluated.
    pub fn of(inputs: Inputs, scenario: &Scenario, evaluation: &Evaluation) -> Self {
        let spec = *scenario.plan.spec();
        Self {
            inputs,
            family: sharding::family_of(&spec),
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

    /// The best of one's own GPUs.
    pub fn of_own(own: &Own) -> Self {
        Self::of(own.inputs, &own.scenario, &own.evaluation)
    }

    /// A plan that was found.
    fn found(candidates: &Candidates, point: &Point) -> Option<Self> {
        let (family, scenario) = candidates.space.scenario(point.index)?;
        let spec = *scenario.plan.spec();
        Some(Self {
            inputs: candidates.inputs_of(point)?,
            family,
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

    /// What hides behind what: "no overlap", "two-batch", "HOP-B".
    pub fn schedule(&self) -> &'static str {
        sharding::overlap(self.spec.overlap)
    }

    /// What grows with how good the plan is; `None` without a price where that counts.
    pub fn worth(&self, per: Per) -> Option<f64> {
        match per {
            Per::Gpu => Some(self.point.per_gpu),
            Per::Dollar => self.dollars.map(|dollars| 1.0 / dollars),
        }
    }

    /// Whether users get at least `slo`, where there is one.
    pub fn meets(&self, slo: Option<f64>) -> bool {
        slo.is_none_or(|slo| self.point.per_user >= slo)
    }
}

/// One frontier with its plans, the fastest for a user first.
pub struct Line {
    /// What it is a line for.
    pub key: Key,
    /// Its plans, none beaten by another.
    pub plans: Vec<Plan>,
    /// The best of them that meets the SLO.
    pub best: Option<usize>,
}

/// What a line is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Key {
    /// A family of plans.
    Family(Family),
    /// An accelerator.
    Accelerator(Gpu),
    /// A precision.
    Precision(NamedPrecision),
}

impl Key {
    /// Its name, and the same where room is short.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Family(family) => (sharding::family(family), sharding::family(family)),
            Self::Accelerator(gpu) => (gpu.name(), short_name(gpu.name())),
            Self::Precision(precision) => (precision.id(), precision.id()),
        }
    }

    /// Whether it is the visitor's.
    pub fn is_own(self, now: &Inputs, family: Option<Family>) -> bool {
        match self {
            Self::Family(of) => Some(of) == family,
            Self::Accelerator(gpu) => gpu == now.gpu,
            Self::Precision(precision) => precision == now.precision,
        }
    }
}

/// Accelerators are compared where there are several, else precisions, else ways of sharding.
pub fn default_lines(search: &Search, inputs: &Inputs) -> Lines {
    if search.accelerators(inputs).len() > 1 {
        Lines::Accelerator
    } else if search.precisions(inputs).len() > 1 {
        Lines::Precision
    } else {
        Lines::Family
    }
}

/// Bases beyond these are left as the search found them: refining each takes a millisecond.
const MOST_BASES: usize = 24;

/// The best of each base on as many GPUs as the visitor has, over every plan that advice knows.
pub fn refined(candidates: &Candidates, inputs: &Inputs) -> Vec<Option<Plan>> {
    let bases = candidates.bases().iter().take(MOST_BASES);
    bases
        .map(|base| {
            let there = on_another(inputs, base.gpu, base.precision);
            let free = most(&there)?;
            Some(Plan::of(free.inputs, &free.scenario, &free.evaluation))
        })
        .collect()
}

/// A plan that may be worth showing: as it was found, until somebody asks for more of it.
#[derive(Clone, Copy)]
pub enum Candidate<'a> {
    /// Of the search, with its base.
    Found(&'a Candidates, &'a Point, &'a Inputs),
    /// Known whole.
    Ready(&'a Plan),
}

impl Candidate<'_> {
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

    /// Its family.
    pub fn family(&self) -> Family {
        match self {
            Self::Found(_, point, _) => point.family,
            Self::Ready(plan) => plan.family,
        }
    }

    /// Accelerator and precision.
    pub fn base(&self) -> (Gpu, NamedPrecision) {
        match self {
            Self::Found(_, _, base) => (base.gpu, base.precision),
            Self::Ready(plan) => (plan.inputs.gpu, plan.inputs.precision),
        }
    }

    /// On how many GPUs.
    pub fn gpus(&self) -> f64 {
        match self {
            Self::Found(candidates, point, _) => {
                let plan = candidates.space.plan(point.index);
                plan.map_or(0.0, |(_, plan)| f64::from(plan.gpus()))
            }
            Self::Ready(plan) => plan.point.gpus,
        }
    }

    /// Whether it is that very plan.
    fn is(&self, plan: &Plan) -> bool {
        matches!(self, Self::Ready(ready) if std::ptr::eq(*ready, plan))
    }

    /// What grows with how good it is; `None` without a price where that counts.
    pub fn worth(&self, per: Per) -> Option<f64> {
        match per {
            Per::Gpu => Some(self.rate()),
            Per::Dollar => self.dollars().map(|dollars| 1.0 / dollars),
        }
    }

    /// Whether users get at least `slo`, where there is one.
    pub fn meets(&self, slo: Option<f64>) -> bool {
        slo.is_none_or(|slo| self.speed() >= slo)
    }

    /// All of it.
    pub fn plan(&self) -> Option<Plan> {
        match self {
            Self::Found(candidates, point, _) => Plan::found(candidates, point),
            Self::Ready(plan) => Some((*plan).clone()),
        }
    }

    fn key(&self, lines: Lines) -> Key {
        match lines {
            Lines::Family => Key::Family(self.family()),
            Lines::Accelerator => Key::Accelerator(self.base().0),
            Lines::Precision => Key::Precision(self.base().1),
        }
    }
}

/// The one of two that serves more per GPU.
pub fn fuller<'a>(one: Candidate<'a>, other: Candidate<'a>) -> Candidate<'a> {
    if other.rate() > one.rate() {
        other
    } else {
        one
    }
}

/// The one that serves most per GPU, or of those that serve nearly as much the fastest, if users are clearly faster.
pub fn fullest<'a>(all: impl Iterator<Item = Candidate<'a>> + Clone) -> Option<Candidate<'a>> {
    let most = all.clone().reduce(fuller)?;
    let level = all
        .filter(|plan| plan.rate() >= LEVEL * most.rate() && plan.speed() >= FASTER * most.speed());
    let fastest = level.reduce(|one, other| match other.speed() > one.speed() {
        true => other,
        false => one,
    });
    fastest.or(Some(most))
}

/// Every plan worth showing, on the own number of GPUs or on any, but for what depends on the present plan.
pub fn plans<'a>(
    searched: &'a Searched,
    look: &Look,
) -> impl Iterator<Item = Candidate<'a>> + Clone {
    let candidates = searched.candidates.as_ref();
    let own = look.own_gpus;
    let groups = searched.answer.found.groups.iter().enumerate();
    let found = groups
        .filter_map(move |(place, group)| {
            let base = candidates.bases().get(place / Family::ALL.len())?;
            let scope = if own { &group.own } else { &group.any };
            Some(
                scope
                    .points()
                    .map(move |point| Candidate::Found(candidates, point, base)),
            )
        })
        .flatten();
    found.chain(searched.refined.iter().flatten().map(Candidate::Ready))
}

/// The present plan and the one that every view offers, where they work and are of what is searched: a family's own search
/// knows fewer shardings.
fn known(searched: &Searched, look: &Look) -> Vec<Plan> {
    let now = &look.now;
    let searches = |family: Family| searched.link.search.families.contains(&family);
    let bases = searched.candidates.bases();
    let base = |base: &Inputs| (base.gpu, base.precision) == (now.gpu, now.precision);
    let offered = best_free(now).map(|free| free.inputs);
    [Some(*now), offered]
        .into_iter()
        .flatten()
        .filter(|inputs| inputs.precision() == now.precision() && bases.iter().any(base))
        .filter_map(|inputs| {
            let scenario = inputs.scenario().ok()?;
            let evaluation = evaluate(&scenario).ok()?;
            let plan = Plan::of(inputs, &scenario, &evaluation);
            (works(&scenario, &evaluation) && searches(plan.family)).then_some(plan)
        })
        .collect()
}

/// The lines, best first where users get just enough.
pub fn assemble(searched: &Searched, look: &Look, own: Option<&Own>) -> Vec<Line> {
    let (lines, per) = (look.lines(searched), look.shown.per);
    let slo = look.now.get(Number::Slo);
    let mine = own.map(Plan::of_own);
    let known = known(searched, look);
    let ready = mine.iter().chain(&known).map(Candidate::Ready);
    let mut found: Vec<(Key, Vec<Candidate<'_>>)> = Vec::new();
    for plan in plans(searched, look).chain(ready) {
        let key = plan.key(lines);
        match found.iter_mut().find(|(known, _)| *known == key) {
            Some((_, plans)) => plans.push(plan),
            None => found.push((key, vec![plan])),
        }
    }
    let mut lines: Vec<Line> = found
        .into_iter()
        .map(|(key, plans)| {
            let own = plans
                .iter()
                .find_map(|plan| mine.as_ref().filter(|mine| plan.is(mine)));
            let plans = unbeaten(plans, per);
            let worth = |plan: &Plan| plan.worth(per).unwrap_or(0.0);
            let most = plans
                .iter()
                .rfind(|plan| plan.meets(slo))
                .map_or(0.0, worth);
            let own = own.filter(|own| worth(own) >= LEVEL * most);
            let plans = through(plans, own);
            let best = best_of(&plans, per, slo, mine.as_ref());
            Line { key, plans, best }
        })
        .collect();
    let worth = |line: &Line| {
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

/// A frontier through `mine`, which stays the best where another plan serves as much but for a rounding.
fn through(mut plans: Vec<Plan>, mine: Option<&Plan>) -> Vec<Plan> {
    if let Some(mine) = mine.filter(|mine| !plans.contains(mine)) {
        let users = mine.point.per_user;
        plans.retain(|plan| (plan.point.per_user / users - 1.0).abs() > 1e-12);
        let slower = |plan: &Plan| plan.point.per_user < users;
        let place = plans.iter().position(slower).unwrap_or(plans.len());
        plans.insert(place, mine.clone());
    }
    plans
}

/// The best of a line's plans that meet the SLO, the fastest first: `mine`, the best of one's own GPUs, or the slowest,
/// because throughput grows as speed falls; where it hardly grows the fastest that has nearly as much.
fn best_of(plans: &[Plan], per: Per, slo: Option<f64>, mine: Option<&Plan>) -> Option<usize> {
    let own = plans.iter().position(|plan| Some(plan) == mine);
    let last = plans.iter().rposition(|plan| plan.meets(slo))?;
    let worth = |plan: &Plan| plan.worth(per).unwrap_or(0.0);
    let slowest = &plans[last];
    let enough = plans.iter().position(|plan| {
        worth(plan) >= LEVEL * worth(slowest)
            && plan.point.per_user >= FASTER * slowest.point.per_user
    });
    own.filter(|own| worth(&plans[*own]) >= LEVEL * worth(slowest))
        .or(enough)
        .or(Some(last))
}

/// The plans that no other beats in both speed and worth, the fastest first; without a price the
/// throughput decides.
pub fn unbeaten(mut plans: Vec<Candidate<'_>>, per: Per) -> Vec<Plan> {
    let priced = plans.iter().any(|plan| plan.worth(per).is_some());
    let per = if priced { per } else { Per::Gpu };
    plans.retain(|plan| plan.worth(per).is_some());
    let worth = |plan: &Candidate<'_>| plan.worth(per).unwrap_or(0.0);
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
    plans.iter().filter_map(Candidate::plan).collect()
}

/// The series of each line: one's own, and the others in their order.
pub fn series(keys: &[Key], now: &Inputs, family: Option<Family>) -> Vec<(Series, bool)> {
    let own = keys.iter().position(|key| key.is_own(now, family));
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

/// The family of the best on the visitor's own GPUs, which is what every row is measured against; without one, that of
/// the plan that is edited.
pub fn own_family(now: &Inputs, own: Option<&Own>) -> Option<Family> {
    own.map(|own| sharding::family_of(own.scenario.plan.spec()))
        .or_else(|| super::scenario_family(now))
}

/// The chart of the lines.
pub fn chart(searched: &Searched, look: &Look, lines: &[Line], own: Option<&Own>) -> PlansData {
    let now = &look.now;
    let keys: Vec<Key> = lines.iter().map(|line| line.key).collect();
    let series = series(&keys, now, own_family(now, own));
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
    let mut data = PlansData {
        lines: drawn.collect(),
        value: match look.shown.per {
            Per::Gpu => Value::PerGpu,
            Per::Dollar => Value::Dollars,
        },
        log: look.shown.axes == Axes::Log,
        now: scenario_point(now),
        pinned: look.pinned.as_ref().and_then(scenario_point),
        slo_tokens_per_s_per_user: now.get(Number::Slo),
        lit: None,
        marked: None,
        measured: match look.shown.overlay {
            true => overlay::marks_on(
                now,
                &searched.link.search.accelerators(&searched.link.current),
            ),
            false => Vec::new(),
        },
        source: "frontiers as in [H] 3.2, the best at the SLO to the whole sequence".to_owned(),
        finding: String::new(),
    };
    data.finding = super::leads::finding(&data);
    data
}

fn point(plan: &Plan) -> PlanPoint {
    PlanPoint {
        point: plan.point,
        family: sharding::family(plan.family),
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

/// A scenario as a point of the chart; `None` where it is impossible.
pub fn scenario_point(inputs: &Inputs) -> Option<PlanNow> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    let plan = Plan::of(*inputs, &scenario, &evaluation);
    Some(PlanNow {
        point: plan.point,
        dollars_per_mtok: plan.dollars,
        label: match plan.schedule() {
            "two-batch" => "two-batch overlap".to_owned(),
            other => other.to_owned(),
        },
    })
}
