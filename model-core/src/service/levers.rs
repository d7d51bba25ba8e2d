//! Levers of a service: changes of the inputs, and requests per second and dollar with them.

use super::answer::Service;
use super::planner::Planner;
use super::traffic::Demand;
use crate::inputs::{Inputs, Number};
use crate::levers::change::{balanced, drafts, fp8_cache, without_redundant};
use crate::levers::{Change, Effect, HardwarePart, LISTED, Lever};
use crate::plan::Overlap;

/// A lever with its service.
#[derive(Debug, Clone)]
pub struct ServiceLever {
    /// The change, its inputs, its factors: requests per second and dollar over those of the base (per GPU where no
    /// price is known); of hardware over the best plan of now's parts.
    pub lever: Lever,
    /// The service of the changed inputs.
    pub service: Service,
}

/// Levers of a service.
#[derive(Debug, Clone, Default)]
pub struct ServiceLevers {
    /// Requests per second and dollar per hour now; `None` where nothing serves.
    pub base: Option<f64>,
    /// The same with searched replicas, which hardware is compared with.
    pub best: Option<f64>,
    /// Every lever that serves.
    pub all: Vec<ServiceLever>,
}

impl ServiceLevers {
    /// Computes all levers at once.
    pub fn of(inputs: &Inputs) -> Self {
        let mut work = LeverWork::new(inputs);
        while work.step() {}
        work.found
    }

    /// Tests whether a lever is listed: it gains 2 %, a combination also over each of its parts, or nothing serves now.
    pub fn is_listed(&self, of: &ServiceLever) -> bool {
        let change = of.lever.change;
        let served = |one: &ServiceLever| one.service.requests_per_cost().unwrap_or(0.0);
        let parts = self
            .all
            .iter()
            .filter(|part| change.combines(part.lever.change));
        let beats = served(of) >= LISTED * parts.map(served).fold(0.0, f64::max);
        let gains = of.lever.factor.is_none_or(|factor| factor >= LISTED);
        !change.only_in_table() && gains && beats
    }
}

/// Candidates of one change, of which the best is kept.
struct Task {
    candidates: Vec<(Change, Inputs)>,
    best: Option<ServiceLever>,
}

/// Levers in progress, in steps of a few milliseconds.
pub struct LeverWork {
    now: Inputs,
    open: Inputs,
    tasks: Vec<Task>,
    /// The levers found so far.
    pub found: ServiceLevers,
}

impl LeverWork {
    /// The base computed, and no lever yet.
    pub fn new(inputs: &Inputs) -> Self {
        let now = inputs.normalized();
        let open = searched(&now);
        let worth = |inputs: &Inputs| answer(inputs)?.requests_per_cost();
        let found = ServiceLevers {
            base: worth(&now),
            best: worth(&open),
            all: Vec::new(),
        };
        let mut tasks = settings(&now, &open);
        tasks.extend(hardware(&open));
        let task = |candidates| Task {
            candidates,
            best: None,
        };
        // They are taken from the end, candidates too: the first of equal ones is kept.
        let tasks = tasks.into_iter().rev().map(|mut all: Vec<_>| {
            all.reverse();
            task(all)
        });
        Self {
            now,
            open,
            tasks: tasks.collect(),
            found,
        }
    }

    /// Evaluates one more candidate; false once all are.
    pub fn step(&mut self) -> bool {
        let Some(task) = self.tasks.last_mut() else {
            return false;
        };
        match task.candidates.pop() {
            Some((change, inputs)) => {
                let lever = lever(change, &inputs.normalized(), &self.now, &self.found);
                let worth = |one: &ServiceLever| one.service.requests_per_cost();
                if lever.as_ref().and_then(worth) > task.best.as_ref().and_then(worth) {
                    task.best = lever;
                }
            }
            None => {
                let best = self.tasks.pop().and_then(|task| task.best);
                let changes = |one: &ServiceLever| one.lever.inputs != self.now;
                self.found.all.extend(best.filter(changes));
            }
        }
        true
    }

    /// The inputs whose replicas are all searched.
    pub const fn searched(&self) -> &Inputs {
        &self.open
    }
}

/// The inputs without a stated size or plan of any replica.
fn searched(inputs: &Inputs) -> Inputs {
    let mut open = *inputs;
    open.unshard();
    for number in [
        Number::Gpus,
        Number::Batch,
        Number::PrefillGpus,
        Number::PrefillTp,
    ] {
        open.state(number, None);
    }
    open
}

fn answer(inputs: &Inputs) -> Option<Service> {
    let mut planner = Planner::new(inputs).ok()?;
    Some(planner.answer(&Demand::of(inputs)))
}

/// Settings: each with its candidates.
fn settings(now: &Inputs, open: &Inputs) -> Vec<Vec<(Change, Inputs)>> {
    let one = |change, inputs: Option<Inputs>| inputs.map(|inputs| vec![(change, inputs)]);
    let planned = now.is_planned();
    let schedules = Overlap::ALL
        .into_iter()
        .filter(|overlap| planned && *overlap != now.overlap && *overlap != Overlap::HopB);
    let mut tasks: Vec<Vec<(Change, Inputs)>> = schedules
        .map(|overlap| vec![(Change::Overlap(overlap), now.scheduled(overlap))])
        .collect();
    let drafted = drafts(now).into_iter().map(|with| (Change::Mtp, with));
    tasks.extend(
        [
            one(Change::Plan, (open != now).then_some(*open)),
            one(Change::Precision, now.narrowed()),
            one(Change::Kv, fp8_cache(now)),
            one(Change::Redundant, without_redundant(now)),
            one(Change::Beta, balanced(now)),
        ]
        .into_iter()
        .flatten(),
    );
    tasks.push(drafted.collect());
    for (change, assumed) in [(Change::All, false), (Change::AllAssumed, true)] {
        let every = combinations(now, open, assumed);
        tasks.push(every.into_iter().map(|with| (change, with)).collect());
    }
    tasks
}

/// All combinations of settings; of those not assumed alone, the plan and the weights' precision.
fn combinations(now: &Inputs, open: &Inputs, assumed: bool) -> Vec<Inputs> {
    let with = |bases: Vec<Inputs>, more: &dyn Fn(&Inputs) -> Vec<Inputs>| {
        let changed: Vec<Inputs> = bases.iter().flat_map(more).collect();
        bases.into_iter().chain(changed).collect::<Vec<Inputs>>()
    };
    let single = |change: fn(&Inputs) -> Option<Inputs>| {
        move |inputs: &Inputs| change(inputs).into_iter().collect::<Vec<Inputs>>()
    };
    let mut bases = if open == now {
        vec![*now]
    } else {
        vec![*now, *open]
    };
    if assumed {
        bases = with(bases, &drafts);
        bases = with(bases, &single(without_redundant));
        bases = with(bases, &single(fp8_cache));
    }
    with(bases, &single(Inputs::narrowed))
}

/// Hardware: twice each part, and two parts together, with searched replicas.
fn hardware(open: &Inputs) -> Vec<Vec<(Change, Inputs)>> {
    let parts = || {
        HardwarePart::ALL
            .into_iter()
            .filter(|part| *part != HardwarePart::Gpus)
    };
    let mut tasks = Vec::new();
    let mut pairs = Vec::new();
    for part in parts() {
        let Some(with) = better(open, part) else {
            continue;
        };
        tasks.push(vec![(Change::Part(part), with)]);
        let others = parts().skip_while(|other| *other != part).skip(1);
        for other in others {
            let both = better(&with, other);
            pairs.extend(both.map(|both| (Change::Pair(part, other), both)));
        }
    }
    tasks.push(pairs);
    tasks
}

/// The inputs with twice as much of a part, judged for the largest replica that is searched.
fn better(open: &Inputs, part: HardwarePart) -> Option<Inputs> {
    let domain = open.get(Number::Domain)?;
    let most = Number::Gpus.spec().most;
    let with = part.applied(&open.with(Number::Gpus, (8.0 * domain).min(most)), true)?;
    Some(with.without(Number::Gpus))
}

/// A lever, if its inputs serve.
fn lever(
    change: Change,
    inputs: &Inputs,
    now: &Inputs,
    found: &ServiceLevers,
) -> Option<ServiceLever> {
    let service = answer(inputs)?;
    let worth = service.requests_per_cost()?;
    let over = |base: Option<f64>| base.map(|base| worth / base);
    let hardware = matches!(change, Change::Part(_) | Change::Pair(..));
    let effect = match (found.base, now.get(Number::Slo)) {
        (Some(_), _) => Effect::Serves,
        (None, slo) => Effect::Meets(slo.unwrap_or(0.0)),
    };
    let extrapolated = service
        .disaggregated
        .as_ref()
        .is_ok_and(|pools| pools.decode.extrapolated);
    Some(ServiceLever {
        lever: Lever {
            change,
            inputs: *inputs,
            factor: over(if hardware { found.best } else { found.base }),
            factor_now: over(found.base),
            half: None,
            effect,
            extrapolated,
        },
        service,
    })
}
