//! Levers of a service: changes of the inputs, alone or combined, and the requests/s per dollar that the service
//! reaches after each change.

use super::answer::Service;
use super::planner::Planner;
use super::traffic::Demand;
use crate::inputs::{Inputs, Number};
use crate::levers::change::{balanced, drafts, fp8_cache, without_redundant};
use crate::levers::{Change, Effect, HardwarePart, LISTED, Lever};
use crate::plan::Overlap;
use crate::workload::Pools;

/// A lever (a single change of the inputs) and the service after this change.
#[derive(Debug, Clone)]
pub struct ServiceLever {
    /// The change, the changed inputs, and the gain: a factor on req/s per dollar (per GPU if no price is known).
    /// Changes of settings are compared with the current scenario, changes of hardware with the best plan on the
    /// current hardware.
    pub lever: Lever,
    /// The service of whole requests with the changed inputs.
    pub service: Service,
    /// Gain factor of a hardware lever if fractional numbers of replicas were allowed; `None` for a lever that
    /// changes a setting.
    pub fractional: Option<f64>,
    /// Number of replicas that the lever saves without changing replica sizes. `None` if the sizes differ or no
    /// replica is saved.
    pub fewer: Option<u64>,
}

/// The levers of a service, and the values with which they are compared.
#[derive(Debug, Clone, Default)]
pub struct ServiceLevers {
    /// Current req/s per dollar of hourly cost; `None` if the demand cannot be served.
    pub base: Option<f64>,
    /// The current service, before any lever.
    pub now: Option<Service>,
    /// Best req/s per dollar of hourly cost on the current hardware, with searched replicas. Hardware levers are
    /// compared with this value.
    pub best: Option<f64>,
    /// All levers found so far; the demand can be served with each of them.
    pub all: Vec<ServiceLever>,
}

impl ServiceLevers {
    /// Computes all levers of a service in one call.
    pub fn of(inputs: &Inputs) -> Self {
        let mut work = LeverWork::new(inputs);
        while work.step() {}
        work.found
    }

    /// Returns true if the short list includes the lever: it gains at least 2%, or the demand cannot be served without
    /// it. A combination of changes must gain another 2% over each of its parts. Returns false for balanced experts and
    /// a shorter context, which are listed only in the full table.
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

/// Minimum gain factor of a hardware lever with fractional numbers of replicas. Below it, a larger gain with whole
/// replicas comes only from rounding, and the lever is dropped. Doubling a part that limits less than 5% of the time
/// gains less than this factor.
const ITSELF: f64 = 1.03;

/// Candidate inputs for one change; the best candidate becomes the lever.
struct Task {
    candidates: Vec<(Change, Inputs)>,
    best: Option<ServiceLever>,
}

/// Computes a service's levers in steps of a few milliseconds.
pub struct LeverWork {
    now: Inputs,
    open: Inputs,
    best: Option<Served>,
    tasks: Vec<Task>,
    /// The service levers found so far.
    pub found: ServiceLevers,
}

impl LeverWork {
    /// Computes the current service; no lever has been evaluated yet.
    pub fn new(inputs: &Inputs) -> Self {
        let now = inputs.normalized().like_others();
        let open = searched(&now);
        let worth = |service: &Option<Service>| service.as_ref()?.requests_per_cost();
        let (service, best) = (answer(&now), served(&open));
        let found = ServiceLevers {
            base: worth(&service),
            best: best
                .as_ref()
                .and_then(|best| best.service.requests_per_cost()),
            now: service,
            all: Vec::new(),
        };
        let mut tasks = settings(&now, &open);
        tasks.extend(hardware(&open));
        let task = |candidates| Task {
            candidates,
            best: None,
        };
        // Tasks and candidates are popped from the end, so they are reversed: on ties, the first candidate wins.
        let tasks = tasks.into_iter().rev().map(|mut all: Vec<_>| {
            all.reverse();
            task(all)
        });
        Self {
            now,
            open,
            best,
            tasks: tasks.collect(),
            found,
        }
    }

    /// Evaluates one more candidate change; returns false when all candidates have been evaluated.
    pub fn step(&mut self) -> bool {
        let Some(mut task) = self.tasks.pop() else {
            return false;
        };
        match task.candidates.pop() {
            Some((change, inputs)) => {
                let lever = self.lever(change, &inputs.normalized());
                let worth = |one: &ServiceLever| one.service.requests_per_cost();
                if lever.as_ref().and_then(worth) > task.best.as_ref().and_then(worth) {
                    task.best = lever;
                }
                self.tasks.push(task);
            }
            None => {
                let changes = |one: &ServiceLever| one.lever.inputs != self.now;
                let itself = |one: &ServiceLever| {
                    let gains = one.lever.factor.is_some_and(|factor| factor > ITSELF);
                    !gains || one.fractional.is_none_or(|factor| factor >= ITSELF)
                };
                let best = task.best.filter(changes).filter(itself);
                self.found.all.extend(best);
            }
        }
        true
    }

    /// Returns the service lever for a change; `None` if the demand cannot be served with the changed inputs.
    fn lever(&self, change: Change, inputs: &Inputs) -> Option<ServiceLever> {
        let hardware = matches!(change, Change::Part(_) | Change::Pair(..));
        let (base, now) = (self.found.base, self.found.now.as_ref());
        let best = self.best.as_ref();
        let (over, from, served) = match hardware {
            true => (
                self.found.best,
                best.map(|best| &best.service),
                served(inputs)?,
            ),
            false => {
                let service = answer(inputs)?;
                let fractional = None;
                (
                    base,
                    now,
                    Served {
                        service,
                        fractional,
                    },
                )
            }
        };
        let Served {
            service,
            fractional,
        } = served;
        let worth = service.requests_per_cost()?;
        let fractional = best.and_then(|best| best.fractional).zip(fractional);
        let effect = match (base, self.now.get(Number::Slo)) {
            (Some(_), _) => Effect::Serves,
            (None, slo) => Effect::Meets(slo.unwrap_or(0.0)),
        };
        let pools = service.disaggregated.as_ref();
        Some(ServiceLever {
            lever: Lever {
                change,
                inputs: *inputs,
                factor: over.map(|base| worth / base),
                factor_now: base.map(|base| worth / base),
                half: None,
                effect,
                extrapolated: pools.is_ok_and(|pools| pools.decode.extrapolated),
                reached: None,
            },
            fractional: fractional.map(|(base, cost)| base / cost),
            fewer: from.and_then(|from| fewer(from, &service)),
            service,
        })
    }

    /// Returns the inputs in which every replica size and plan is left to the search.
    pub const fn searched(&self) -> &Inputs {
        &self.open
    }
}

/// Returns the inputs without the set sizes, batches and plans of replicas, so that all replicas are searched.
pub fn searched(inputs: &Inputs) -> Inputs {
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

/// A service, and its cost if fractional numbers of replicas were allowed.
struct Served {
    service: Service,
    fractional: Option<f64>,
}

fn served(inputs: &Inputs) -> Option<Served> {
    let mut planner = Planner::new(inputs).ok()?;
    let demand = Demand::of(inputs);
    Some(Served {
        service: planner.answer(&demand),
        fractional: planner.compared(&demand).of(demand.pools),
    })
}

/// Returns the number of replicas that `to` saves relative to `from`; `None` if replica sizes differ or no replica is
/// saved.
fn fewer(from: &Service, to: &Service) -> Option<u64> {
    let sized = |of: &Service| match of.choice? {
        Pools::Aggregated => {
            let one = of.aggregated.as_ref().ok()?;
            Some(([0, one.replica.gpus], one.loaded?.pool.replicas))
        }
        _ => {
            let both = of.disaggregated.as_ref().ok()?;
            let loaded = both.loaded?;
            let all = loaded.prefill.replicas + loaded.decode.replicas;
            Some(([both.prefill.gpus, both.decode.gpus], all))
        }
    };
    let ((size, before), (same, after)) = sized(from).zip(sized(to))?;
    (size == same && after < before).then(|| before - after)
}

fn answer(inputs: &Inputs) -> Option<Service> {
    let mut planner = Planner::new(inputs).ok()?;
    Some(planner.answer(&Demand::of(inputs)))
}

/// Returns the levers that change settings; each is a list of candidate inputs to evaluate.
fn settings(now: &Inputs, open: &Inputs) -> Vec<Vec<(Change, Inputs)>> {
    let one = |change, inputs: Option<Inputs>| inputs.map(|inputs| vec![(change, inputs)]);
    let planned = now.is_planned();
    let schedules = Overlap::ALL
        .into_iter()
        .filter(|overlap| planned && *overlap != now.schedule() && *overlap != Overlap::HopB);
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

/// Returns the inputs for all combinations of the plan and the weight precision. If `assumed` is true, also combines
/// the settings whose effect is assumed.
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

/// Returns the hardware levers, with searched replicas: each hardware part doubled, and each pair of parts doubled.
/// The GPU count is not among the parts.
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

/// Returns the inputs with a hardware part doubled. `None` if doubling has no effect even for the largest searched
/// replica, or gives a value out of range.
fn better(open: &Inputs, part: HardwarePart) -> Option<Inputs> {
    let domain = open.get(Number::Domain)?;
    let most = Number::Gpus.spec().most;
    let with = part.applied(&open.with(Number::Gpus, (8.0 * domain).min(most)), true)?;
    Some(with.without(Number::Gpus))
}
