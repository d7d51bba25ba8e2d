//! Levers: the single ranked list of changes that help, shared by every view, table, export and script.
//!
//! A [`Lever`] is one [`Change`] of the inputs with its gain, which is always found by evaluating the changed inputs.
//! Settings are compared with the current scenario. Hardware is compared with the best plan on the current GPUs, so
//! that a purchase is not credited with the gain of a setting. Every lever uses all GPUs and meets the interactivity
//! u* ([`min_user_rate`]). It also carries the complete inputs that result from the change.

mod best;
pub mod change;
mod fit;
mod served;

pub use best::{Best, Kinds, Plans, plans};
pub use change::{Change, HOST, HardwarePart, LeverGroup};
pub use fit::{fewest_gpus, is_feasible};
pub use served::{Served, min_user_rate, most, now_that_works, peak, served};

use crate::bottleneck::{Bottleneck, Resource};
use crate::evaluate::{Evaluation, evaluate};
use crate::inputs::{Inputs, Mode, Number};
use crate::order::sort_by;
use crate::plan::{Overlap, PlanSpec};
use crate::scenario::Scenario;
use crate::units::Seconds;
use best::{AS_GOOD, BaseSearch, Terms};

/// Minimum factor on throughput for a lever to be listed.
pub const LISTED: f64 = 1.02;

/// Minimum share of the time between two tokens that a resource must take to count as limiting. Levers that relieve
/// other resources are dropped if their gain exceeds [`NOTICED`].
pub const LIMITS: f64 = 0.05;
/// Factor on throughput up to which a lever is accepted even if the resource that it relieves is not limiting.
const NOTICED: f64 = 1.03;

/// Effect of a lever on the scenario. Levers of [`LeverGroup::Fit`] make it feasible.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Effect {
    /// Throughput grows by the lever's factor.
    Serves,
    /// A scenario that was out of memory now fits.
    Fits,
    /// The SLO, given in tok/s/user, is now met.
    Meets(f64),
    /// A plan that was refused is now valid.
    Runs,
}

/// One change of the inputs, and its gain.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Lever {
    /// Change that the lever makes.
    pub change: Change,
    /// The complete inputs after the change.
    pub inputs: Inputs,
    /// Throughput (tok/s/GPU) with the lever, relative to the base. For a hardware lever, it is relative to the best
    /// plan on the current GPUs. `None` if there is no base.
    pub factor: Option<f64>,
    /// Throughput (tok/s/GPU) with the lever, relative to the base. Unlike [`Self::factor`], this holds for hardware
    /// levers too.
    pub factor_now: Option<f64>,
    /// For a hardware part: throughput with half as much of it (or twice the latency), relative to the best plan on
    /// the current GPUs. 0 if no plan is feasible.
    pub half: Option<f64>,
    /// Effect of the change on the scenario.
    pub effect: Effect,
    /// True if the plan is of an unmeasured kind (pipeline-parallel or KVP) that the current scenario does not use.
    pub extrapolated: bool,
    /// Performance of the changed scenario; `None` if it is invalid.
    pub reached: Option<Reached>,
}

/// Performance of a changed scenario.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Reached {
    /// Throughput in tok/s/GPU.
    pub tokens_per_gpu: f64,
    /// Interactivity in tok/s/user.
    pub tokens_per_user: f64,
    /// Number of concurrent sequences.
    pub batch: f64,
}

impl Reached {
    fn of(inputs: &Inputs) -> Option<Self> {
        let scenario = inputs.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        Some(Self {
            tokens_per_gpu: evaluation.tokens_per_gpu,
            tokens_per_user: evaluation.tokens_per_user,
            batch: scenario.workload.batch,
        })
    }
}

impl Lever {
    /// Returns the changed scenario and its evaluation; `None` if the changed scenario is invalid.
    pub fn evaluation(&self) -> Option<(Scenario, Evaluation)> {
        let scenario = self.inputs.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        Some((scenario, evaluation))
    }

    /// Returns the throughput of the changed scenario in tok/s/GPU; `None` if the changed scenario is invalid.
    pub fn served(&self) -> Option<f64> {
        Some(self.reached?.tokens_per_gpu)
    }

    /// Returns true if the gain depends on something that Ridgepoint does not compute, such as acceptance. A
    /// combination of settings counts as assumed only if it changes draft tokens, KV cache or redundant experts.
    pub fn assumed(&self, now: &Inputs) -> bool {
        let kept = |number| self.inputs.get(number) == now.get(number);
        let rests = [Number::SpeculationDepth, Number::KvBytes, Number::Redundant];
        match self.change {
            Change::AllAssumed => !rests.into_iter().all(kept),
            change => change.assumed(),
        }
    }

    /// Returns the TPOT with the change at the current batch and plan. `None` if the change affects the GPU count, or
    /// if that batch or plan is invalid or out of memory with the change.
    pub fn tpot_same_batch(&self, now: &Inputs) -> Option<Seconds> {
        let scenario = now.scenario().ok()?;
        let count = |inputs: &Inputs, number| inputs.get(number).unwrap_or(1.0);
        for number in [Number::Gpus, Number::Replicas] {
            if count(now, number).to_bits() != count(&self.inputs, number).to_bits() {
                return None;
            }
        }
        let spec = scenario.plan.spec();
        let overlap = match self.change {
            Change::Overlap(overlap) => overlap,
            _ => spec.overlap,
        };
        let kept = self
            .inputs
            .planned(&PlanSpec { overlap, ..*spec })
            .with(Number::Batch, scenario.workload.batch);
        let evaluation = evaluate(&kept.scenario().ok()?).ok()?;
        evaluation.memory.fits().then_some(evaluation.tpot)
    }
}

/// Baseline with which levers are compared.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Base {
    /// u*: minimum tok/s/user that every lever must meet; 0 if no SLO is set and no batch fits.
    pub users: f64,
    /// Throughput (tok/s/GPU) of the current scenario. If the current batch is infeasible, it is that of the best
    /// feasible batch; `None` if no batch is feasible.
    pub tokens_per_gpu: Option<f64>,
    /// Best feasible batch, if the current batch is infeasible.
    pub batch: Option<f64>,
}

impl Base {
    /// Computes the baseline that the levers of a scenario are compared with.
    pub fn of(inputs: &Inputs) -> Self {
        let inputs = &colocated(inputs);
        let users = min_user_rate(inputs);
        let now = now_that_works(inputs);
        let works = now.is_some();
        let fitting = match works {
            true => None,
            false => inputs
                .scenario()
                .ok()
                .and_then(|scenario| most(&scenario, users, 0.0)),
        };
        Self {
            users,
            tokens_per_gpu: now
                .map(|(_, now)| now.tokens_per_gpu)
                .or(fitting.map(|served| served.tokens_per_gpu)),
            batch: fitting.map(|served| served.batch),
        }
    }
}

/// Returns P, the best plan on the GPUs of the inputs, at each of several user rates in tok/s/user.
///
/// `floor`: throughput in tok/s/GPU that an extrapolated plan must exceed by 5%.
pub fn best_plans(inputs: &Inputs, floor: f64, speeds: &[f64]) -> Vec<Option<Best>> {
    let inputs = &inputs.like_others();
    let from = inputs.scenario().ok().map(|now| *now.plan.spec());
    let mut plans = Plans::default();
    let best = |users: &f64| {
        let mut search = BaseSearch::new(Terms {
            users: *users,
            floor,
            kinds: from.as_ref().map(Kinds::of).unwrap_or_default(),
            from,
        });
        search.consider(inputs, &mut plans);
        search.finish()
    };
    speeds.iter().map(best).collect()
}

/// Returns P, the best plan on the GPUs of the inputs, at `users` tok/s/user. No plan is preferred
/// for being close to the current one.
pub fn best_plan(inputs: &Inputs, users: f64, plans: &mut Plans) -> Option<Best> {
    let inputs = &inputs.like_others();
    let mut search = BaseSearch::new(Terms {
        users,
        floor: 0.0,
        kinds: Kinds::default(),
        from: None,
    });
    search.consider(inputs, plans);
    search.finish()
}

/// Returns the inputs as a colocated deployment, because levers apply only to colocated deployments. A correction
/// from measurements is applied at half strength, as for every lever.
pub fn colocated(inputs: &Inputs) -> Inputs {
    let colocated = inputs.in_mode(Mode::Colocated).normalized();
    colocated.on_its_gpus().like_others()
}

/// List of all levers, with its baseline.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Levers {
    /// Baseline of the levers.
    pub base: Base,
    /// Throughput (tok/s/GPU) of the best plan on the current GPUs, with which hardware levers are compared.
    pub best: Option<f64>,
    /// Every lever that applies to these inputs, in a fixed order.
    pub all: Vec<Lever>,
}

impl Levers {
    /// Computes all levers at once.
    pub fn of(inputs: &Inputs) -> Self {
        let mut work = ListInProgress::new(inputs);
        while work.step() {}
        work.done()
    }

    /// Returns the levers in ranked order: first those that make the scenario feasible, then all other levers by
    /// throughput factor.
    pub fn ranked(&self) -> Vec<&Lever> {
        let rank = |lever: &Lever| {
            // Without a base, rank by throughput.
            let served = || Some(lever.served()? / self.best?);
            let factor = lever.factor.or_else(served).unwrap_or(0.0);
            match lever.change.group() {
                LeverGroup::Fit => f64::INFINITY,
                _ => factor,
            }
        };
        let mut ranked: Vec<(f64, &Lever)> =
            self.all.iter().map(|lever| (rank(lever), lever)).collect();
        sort_by(&mut ranked, |one, other| other.0.total_cmp(&one.0));
        ranked.into_iter().map(|(_, lever)| lever).collect()
    }

    /// Returns the levers that are worth listing, in ranked order.
    pub fn listed(&self) -> Vec<&Lever> {
        let ranked = self.ranked().into_iter();
        ranked.filter(|lever| self.is_listed(lever)).collect()
    }

    /// Returns the throughput after pulling a lever, relative to the throughput after changing only the batch. `None`
    /// for levers on hardware, for the batch lever itself, and if changing the batch gains nothing.
    pub fn over_batch(&self, lever: &Lever) -> Option<f64> {
        let mut all = self.all.iter();
        let batch = all.find(|batch| batch.change == Change::Batch)?;
        let beyond = matches!(
            lever.change.group(),
            LeverGroup::Settings | LeverGroup::Workload
        );
        let beyond = beyond && lever.change != Change::Batch;
        beyond.then(|| Some(lever.factor? / batch.factor?))?
    }

    /// Tests whether a lever is listed: it must gain 2% over each change that it includes. Unless it makes the
    /// scenario feasible, it must also gain 2% overall. Levers that are [`Change::only_in_table`] are never listed.
    pub fn is_listed(&self, lever: &Lever) -> bool {
        let gains = lever.factor.is_none_or(|factor| factor >= LISTED);
        let beats = || {
            let combined = |part: &&Lever| lever.change.combines(part.change);
            let parts = self.all.iter().filter(combined).filter_map(Lever::served);
            lever.served() >= Some(LISTED * parts.fold(0.0, f64::max))
        };
        !lever.change.only_in_table() && (lever.effect != Effect::Serves || gains) && beats()
    }
}

/// Task in computing the list of levers, in order of execution.
#[derive(Debug, Clone, Copy)]
enum Task {
    Fit,
    Settings,
    Replicas,
    Part(HardwarePart),
    Half(HardwarePart),
    All,
    Pair,
    AllAssumed,
    Done,
}

/// List of levers that is computed in steps of a few milliseconds.
pub struct ListInProgress {
    now: Inputs,
    base: Base,
    kinds: Kinds,
    spec: Option<PlanSpec>,
    plans: Plans,
    best: Option<Best>,
    /// Bottlenecks of the current scenario and of the best plan on its GPUs.
    limits: Vec<Bottleneck>,
    found: Vec<Lever>,
    tasks: Vec<Task>,
    /// Current search over many bases, with the bases left to try and the task that the search belongs to.
    combining: Option<(BaseSearch, Vec<Inputs>, Task)>,
    pairs: Vec<(HardwarePart, HardwarePart, Inputs)>,
}

impl ListInProgress {
    /// Creates a list for which nothing is computed yet.
    pub fn new(inputs: &Inputs) -> Self {
        let now = colocated(inputs);
        let spec = now.scenario().ok().map(|scenario| *scenario.plan.spec());
        let mut tasks = vec![Task::Done, Task::AllAssumed, Task::Pair, Task::All];
        tasks.extend(HardwarePart::ALL.into_iter().rev().map(Task::Half));
        tasks.extend(HardwarePart::ALL.into_iter().rev().map(Task::Part));
        tasks.extend([Task::Replicas, Task::Settings, Task::Fit]);
        Self {
            base: Base::of(&now),
            kinds: spec.as_ref().map(Kinds::of).unwrap_or_default(),
            spec,
            plans: Plans::default(),
            best: None,
            limits: limits_of(&now).into_iter().collect(),
            found: Vec::new(),
            tasks,
            combining: None,
            pairs: Vec::new(),
            now,
        }
    }

    /// Returns true once only combinations of settings and pairs of hardware parts remain to be computed.
    pub fn has_elementary(&self) -> bool {
        self.tasks.len() <= 3
    }

    /// Returns the levers found so far.
    pub fn done(&self) -> Levers {
        Levers {
            base: self.base,
            best: self.best.map(|best| best.served.tokens_per_gpu),
            all: self.found.clone(),
        }
    }

    /// Runs one step; returns false once all tasks are done.
    pub fn step(&mut self) -> bool {
        if let Some((mut search, mut left, task)) = self.combining.take() {
            match left.pop() {
                Some(base) => {
                    search.consider(&base, &mut self.plans);
                    self.combining = Some((search, left, task));
                }
                None => self.combined(&search, task),
            }
            return true;
        }
        match self.tasks.pop() {
            Some(Task::Fit) => self.fit(),
            Some(Task::Settings) => self.settings(),
            Some(Task::Replicas) => {
                let bases = change::divisions(&self.now);
                self.combine(bases, Task::Replicas);
            }
            Some(Task::Part(part)) => self.part(part),
            Some(Task::Half(part)) => self.half(part),
            Some(Task::All) => {
                let bases = self.combinations(false);
                self.combine(bases, Task::All);
            }
            Some(Task::AllAssumed) => {
                let bases = self.combinations(true);
                self.combine(bases, Task::AllAssumed);
            }
            Some(Task::Pair) => self.pair(),
            Some(Task::Done) | None => return false,
        }
        true
    }

    fn terms(&self) -> Terms {
        Terms {
            users: self.base.users,
            floor: self.base.tokens_per_gpu.unwrap_or(0.0),
            kinds: self.kinds,
            from: self.spec,
        }
    }

    /// Returns the constraints of searches over hardware, which start from the best plan on the current GPUs.
    fn terms_of_hardware(&self) -> Terms {
        let best = self.best.map(|best| best.spec);
        Terms {
            kinds: best
                .as_ref()
                .map_or(self.kinds, |spec| self.kinds.or(Kinds::of(spec))),
            from: best,
            ..self.terms()
        }
    }

    fn over_base(&self, inputs: &Inputs) -> Option<f64> {
        let base = self.base.tokens_per_gpu?;
        Some(Reached::of(inputs)?.tokens_per_gpu / base)
    }

    fn take(&mut self, change: Change, inputs: Inputs, extrapolated: bool) {
        let effect = match (self.base.tokens_per_gpu, self.now.get(Number::Slo)) {
            (Some(_), _) => Effect::Serves,
            (None, _) if self.spec.is_none() => Effect::Runs,
            (None, Some(slo)) => Effect::Meets(slo),
            (None, None) => Effect::Fits,
        };
        self.push(change, inputs, effect, extrapolated);
    }

    fn push(&mut self, change: Change, inputs: Inputs, effect: Effect, extrapolated: bool) {
        let reached = Reached::of(&inputs);
        let over_base = |base| Some(reached?.tokens_per_gpu / base);
        let factor_now = self.base.tokens_per_gpu.and_then(over_base);
        // One lever per change: the lever at the current batch stays if the best batch gains less than 2%.
        let open = |inputs: &Inputs| inputs.with(Number::Batch, 1.0);
        let same = |other: &Lever| {
            other.change == Change::FitOther && open(&other.inputs) == open(&inputs)
        };
        if let Some(place) = self.found.iter().position(same) {
            match factor_now.is_none_or(|factor| factor >= LISTED) {
                true => _ = self.found.remove(place),
                false => return,
            }
        }
        self.found.push(Lever {
            change,
            inputs,
            factor: factor_now,
            factor_now,
            half: None,
            effect,
            extrapolated,
            reached,
        });
    }

    fn fit(&mut self) {
        if now_that_works(&self.now).is_some() {
            return;
        }
        let stated = self.now.scenario();
        let fits = stated
            .as_ref()
            .is_ok_and(|scenario| evaluate(scenario).is_ok_and(|now| now.memory.fits()));
        let effect = match (&stated, fits, self.now.get(Number::Slo)) {
            (Err(_), ..) => Effect::Runs,
            (Ok(_), true, Some(slo)) => Effect::Meets(slo),
            (Ok(_), ..) => Effect::Fits,
        };
        let now = self.now;
        let mut ways: Vec<(Change, Inputs)> = Vec::new();
        match &stated {
            Err(refusals) => ways.extend(fit::values(&now, refusals)),
            Ok(_) => {
                ways.extend(fit::batch(&now, self.base.users).map(|fit| (Change::FitBatch, fit)))
            }
        }
        ways.extend(fewest_gpus(&now).map(|fit| (Change::FitGpus, fit)));
        ways.extend(fit::other(&now, &mut self.plans).map(|fit| (Change::FitOther, fit)));
        for (change, inputs) in ways {
            let inputs = inputs.normalized();
            let same = |known: &Lever| known.inputs == inputs;
            if inputs == now || self.found.iter().any(same) {
                continue;
            }
            self.push(change, inputs, effect, false);
        }
    }

    /// Returns the inputs at S, the smallest batch within 0.5% of the plan's highest throughput.
    fn at_best_batch(&self, inputs: &Inputs) -> Option<Inputs> {
        let served = served(&inputs.scenario().ok()?, self.base.users)?;
        Some(inputs.at_batch(served.batch).normalized())
    }

    fn settings(&mut self) {
        let now = self.now;
        let works = now_that_works(&now).is_some();
        if works
            && let Some(batch) = self.at_best_batch(&now)
            && self.over_base(&batch).is_some_and(|factor| factor > 1.0)
        {
            self.take(Change::Batch, batch, false);
        }
        let own = self.spec;
        let other = |overlap: &Overlap| {
            *overlap != now.schedule() && own.is_none_or(|own| own.allows(*overlap))
        };
        for overlap in Overlap::ALL.into_iter().filter(other) {
            if let Some(inputs) = self.at_best_batch(&now.scheduled(overlap)) {
                self.take(Change::Overlap(overlap), inputs, false);
            }
        }
        let mut search = BaseSearch::new(self.terms());
        search.consider(&now, &mut self.plans);
        self.best = search.finish();
        self.limits
            .extend(self.best.and_then(|best| limits_of(&best.inputs)));
        let gains = |factor: f64| factor > 1.0;
        if let Some(best) = self.best
            && self.over_base(&best.inputs).is_none_or(gains)
            && self
                .spec
                .is_none_or(|own| differs_in_sharding(&own, &best.spec))
        {
            self.take(Change::Plan, best.inputs, best.extrapolated);
        }
        let single = [
            (Change::Precision, now.narrowed()),
            (Change::Kv, change::fp8_cache(&now)),
            (Change::Redundant, change::without_redundant(&now)),
            (Change::Beta, change::balanced(&now)),
            (Change::Context, change::half_context(&now)),
        ];
        for (change, with) in single {
            if let Some(inputs) = with.and_then(|with| self.at_best_batch(&with))
                && self.is_supported(change, self.over_base(&inputs))
            {
                self.take(change, inputs, false);
            }
        }
        let drafted = change::drafts(&now);
        let drafted = drafted.iter().filter_map(|with| self.at_best_batch(with));
        let drafted = drafted.reduce(|one, other| {
            let more = self.over_base(&other) > self.over_base(&one);
            if more { other } else { one }
        });
        if let Some(inputs) = drafted {
            self.take(Change::Mtp, inputs, false);
        }
    }

    /// Returns P, the best plan, for inputs in which a hardware part was changed.
    fn with_part(&mut self, inputs: &Inputs) -> Option<Best> {
        let mut search = BaseSearch::new(self.terms_of_hardware());
        let mut open = *inputs;
        open.unshard();
        let changed = |number| inputs.get(number) != self.now.get(number);
        let grown = changed(Number::Gpus);
        search.consider(if grown { &open } else { inputs }, &mut self.plans);
        search.finish()
    }

    fn part(&mut self, part: HardwarePart) {
        let Some(with) = part.applied(&self.now, true) else {
            return;
        };
        let found = match part {
            // Two replicas serve as much per GPU, so more GPUs are never worse.
            HardwarePart::Gpus => {
                let larger = self.with_part(&with);
                let replicated = self.best.and_then(|best| {
                    let mut twice = best.inputs;
                    let count = 2.0 * twice.get(Number::Replicas)?;
                    twice.state(Number::Replicas, Some(count)).then_some(Best {
                        inputs: twice.normalized(),
                        ..best
                    })
                });
                [larger, replicated]
                    .into_iter()
                    .flatten()
                    .reduce(|one, other| {
                        let more = other.served.tokens_per_gpu >= one.served.tokens_per_gpu;
                        if more { other } else { one }
                    })
            }
            _ => self.with_part(&with),
        };
        let Some(found) = found else {
            return;
        };
        // A larger domain that lowers throughput is no improvement.
        if part == HardwarePart::Domain && self.over_best(&found).is_some_and(|factor| factor < 1.0)
        {
            return;
        }
        if self.is_supported(Change::Part(part), self.over_best(&found)) {
            self.take_hardware(Change::Part(part), &found);
        }
    }

    /// Tests whether a gain can be explained by a resource that limits performance. Prefill time of other requests
    /// counts toward every hardware part, because prefill uses all parts.
    fn is_supported(&self, change: Change, factor: Option<f64>) -> bool {
        let resources = change.resources();
        let share = |limits: &Bottleneck| {
            let of = resources.iter().map(|of| limits.share(*of));
            of.sum::<f64>() + limits.share(Resource::Prefill)
        };
        resources.is_empty()
            || self.limits.is_empty()
            || factor.is_none_or(|factor| factor <= NOTICED)
            || self.limits.iter().any(|limits| share(limits) >= LIMITS)
    }

    fn over_best(&self, found: &Best) -> Option<f64> {
        let best = self.best?.served.tokens_per_gpu;
        Some(found.served.tokens_per_gpu / best)
    }

    fn take_hardware(&mut self, change: Change, found: &Best) {
        let factor = self.over_best(found);
        let effect = match (factor, self.now.get(Number::Slo)) {
            (Some(_), _) => Effect::Serves,
            (None, Some(slo)) => Effect::Meets(slo),
            (None, None) => Effect::Fits,
        };
        self.push(change, found.inputs, effect, found.extrapolated);
        if let Some(lever) = self.found.last_mut() {
            lever.factor = factor;
        }
    }

    fn half(&mut self, part: HardwarePart) {
        let of_part = |lever: &Lever| lever.change == Change::Part(part);
        let Some(place) = self.found.iter().position(of_part) else {
            return;
        };
        let Some(with) = part.applied(&self.now, false) else {
            return;
        };
        let found = self.with_part(&with);
        self.found[place].half = found.map_or(Some(0.0), |found| self.over_best(&found));
    }

    /// Returns the bases of all combinations of settings. The most promising come last, because bases are tried from
    /// the end.
    fn combinations(&self, assumed: bool) -> Vec<Inputs> {
        let mut bases = change::divisions(&self.now);
        bases.push(self.now);
        let with = |bases: Vec<Inputs>, more: &dyn Fn(&Inputs) -> Vec<Inputs>| {
            let changed: Vec<Inputs> = bases.iter().flat_map(more).collect();
            bases.into_iter().chain(changed).collect::<Vec<Inputs>>()
        };
        if assumed {
            bases = with(bases, &change::drafts);
            bases = with(bases, &|inputs| {
                change::without_redundant(inputs).into_iter().collect()
            });
            bases = with(bases, &|inputs| {
                change::fp8_cache(inputs).into_iter().collect()
            });
        }
        with(bases, &|inputs| inputs.narrowed().into_iter().collect())
    }

    /// Starts a search over bases. Except for replicas, the current inputs are tried first, because changes are
    /// counted relative to them.
    fn combine(&mut self, bases: Vec<Inputs>, task: Task) {
        let mut search = BaseSearch::new(self.terms());
        if !matches!(task, Task::Replicas) {
            search.consider(&self.now, &mut self.plans);
        }
        self.combining = Some((search, bases, task));
    }

    fn combined(&mut self, search: &BaseSearch, task: Task) {
        let Some(best) = search.finish() else { return };
        let change = match task {
            Task::Replicas => Change::Replicas,
            Task::All => Change::All,
            Task::AllAssumed => Change::AllAssumed,
            Task::Pair => return self.take_pair(&best),
            _ => return,
        };
        let parts = self
            .found
            .iter()
            .filter(|lever| change.combines(lever.change));
        let most = parts.filter_map(Lever::served).fold(0.0, f64::max);
        // A stated batch below one sequence per group is never searched, and may serve more than the best plan.
        let now = match change {
            Change::Replicas => 0.0,
            _ => self.base.tokens_per_gpu.unwrap_or(0.0),
        };
        let changed = best.inputs.normalized() != self.now.normalized();
        if changed && best.served.tokens_per_gpu > most.max(AS_GOOD * now) {
            self.take(change, best.inputs, best.extrapolated);
        }
    }

    fn pair(&mut self) {
        self.pairs.clear();
        for (index, one) in HardwarePart::ALL.into_iter().enumerate() {
            for other in HardwarePart::ALL[index + 1..].iter().copied() {
                let supported = |part| self.is_supported(Change::Part(part), Some(f64::INFINITY));
                if !(supported(one) && supported(other)) {
                    continue;
                }
                let both = one
                    .applied(&self.now, true)
                    .and_then(|with| other.applied(&with, true));
                if let Some(both) = both {
                    self.pairs.push((one, other, both));
                }
            }
        }
        let bases = self.pairs.iter().map(|(_, _, both)| {
            let mut base = *both;
            if base.get(Number::Gpus) != self.now.get(Number::Gpus) {
                base.unshard();
            }
            base
        });
        let bases = bases.collect();
        let search = BaseSearch::new(self.terms_of_hardware());
        self.combining = Some((search, bases, Task::Pair));
    }

    fn take_pair(&mut self, best: &Best) {
        let value =
            |inputs: &Inputs, part: HardwarePart| inputs.get(part.number()).map(f64::to_bits);
        let same = |(one, other, both): &&(HardwarePart, HardwarePart, Inputs)| {
            HardwarePart::ALL.iter().all(|part| {
                let expected = if part == one || part == other {
                    both
                } else {
                    &self.now
                };
                value(expected, *part) == value(&best.inputs, *part)
            })
        };
        if let Some((one, other, _)) = self.pairs.iter().find(same).copied() {
            self.take_hardware(Change::Pair(one, other), best);
        }
    }
}

fn limits_of(inputs: &Inputs) -> Option<Bottleneck> {
    let scenario = inputs.scenario().ok()?;
    Some(Bottleneck::of(&scenario, &evaluate(&scenario).ok()?))
}

fn differs_in_sharding(one: &PlanSpec, other: &PlanSpec) -> bool {
    *one != PlanSpec {
        overlap: one.overlap,
        ..*other
    }
}
