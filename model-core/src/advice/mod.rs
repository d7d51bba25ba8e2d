//! What the visitor could do without buying anything, and how many GPUs would do where nothing else does.
//!
//! The same model on the same GPUs, links, context and calibration, scheduled, sharded, batched or
//! stored otherwise ([`neighbours`]): every plan is evaluated, and the best one is handed back as
//! inputs, with what of them changed. Redundant copies and β are left alone: what copies buy is
//! stated, not modelled, so leaving them out would always seem to help.

mod gpus;
mod levers;
mod neighbours;
mod smaller;

pub use gpus::fewest_gpus;
pub use levers::{Levers, Rests, drafts};
pub use neighbours::plans;
pub use smaller::Smaller;

use crate::cost::memory::memory;
use crate::evaluate::{Evaluation, evaluate, pace_with_batch, with_batch};
use crate::limits::{enough, fullest, largest};
use crate::plan::{Plan, PlanSpec};
use crate::scenario::{Inputs, Number, Scenario};
use crate::workload::Serving;
use neighbours::{Base, COPIES, PRECISION, bases};

/// What an alternative is compared with, and by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Basis {
    /// The scenario as it is works: fits, and meets its SLO if it has one.
    Now(Evaluation),
    /// It does not, but the same plan does with this batch: the largest within the SLO, or the least that serves as much as
    /// all that fit.
    OtherBatch(f64, Evaluation),
    /// The plan works with no batch, or there is no such plan.
    Nothing,
}

impl Basis {
    /// What `scenario` is compared with.
    ///
    /// An alternative serves as many sequences as it can while users get their SLO, or without one what they get
    /// now ([`kept`]).
    pub fn of(scenario: &Scenario, now: &Evaluation) -> Self {
        // Fewer sequences than micro-batches are no reason to fail: their means are the better of it.
        let slo = scenario.workload.slo;
        if now.memory.fits() && slo.is_none_or(|slo| now.tokens_per_user >= slo) {
            return Self::Now(*now);
        }
        let batch = match slo {
            Some(_) => largest(scenario).map(|largest| largest.batch),
            // With as many as that users are fastest for what fits.
            None => fullest(scenario, 0.0).map(|most| enough(scenario, most)),
        };
        match batch.map(|batch| (batch, with_batch(scenario, batch))) {
            Ok((batch, Ok(evaluation))) => Self::OtherBatch(batch, evaluation),
            _ => Self::Nothing,
        }
    }

    /// The evaluation to beat.
    pub const fn evaluation(&self) -> Option<&Evaluation> {
        match self {
            Self::Now(evaluation) | Self::OtherBatch(_, evaluation) => Some(evaluation),
            Self::Nothing => None,
        }
    }
}

/// Tokens per second that a user keeps in every alternative; `None` where these GPUs hold the model in no way that is tried.
///
/// The SLO, else what a scenario that fits gives now. Of a batch that does not fit: what as many of it as fit get, or if that
/// is slower what all of them get in the best plan that holds them; where neither is possible, what users get in the plan
/// that serves most. What rests on something is asked where nothing else has an
/// answer.
pub fn kept(inputs: &Inputs) -> Option<f64> {
    if let Some(slo) = inputs.get(Number::Slo) {
        return Some(slo);
    }
    let users = |evaluation: &Evaluation| evaluation.tokens_per_user;
    let now = inputs.scenario().ok();
    let basis = now.and_then(|now| Some(Basis::of(&now, &evaluate(&now).ok()?)));
    if let Some(Basis::Now(now)) = &basis {
        return Some(users(now));
    }
    let fit = basis.as_ref().and_then(Basis::evaluation).map(users);
    let mut tried = Tried::default();
    let mut best = |keeps, rests: bool| {
        let found = match rests {
            true => levers::resting(inputs, keeps, 1, [0.0; 2], &mut tried),
            false => searched(inputs, keeps, AS_GOOD, None, &mut tried).best,
        };
        found.map(|free| users(&free.evaluation))
    };
    match (fit, best(Keeps::Batch, false)) {
        (Some(fit), Some(all)) => Some(fit.min(all)),
        (Some(one), None) | (None, Some(one)) => Some(one),
        (None, None) => best(Keeps::Batch, true)
            .or_else(|| best(Keeps::Nothing, false))
            .or_else(|| best(Keeps::Nothing, true)),
    }
}

/// Whether a scenario works: fits the memory, has a sequence for every micro-batch, meets its SLO.
pub fn works(scenario: &Scenario, evaluation: &Evaluation) -> bool {
    let workload = &scenario.workload;
    evaluation.memory.fits()
        && workload.batch >= scenario.plan.micro_batches()
        && workload
            .slo
            .is_none_or(|slo| evaluation.tokens_per_user >= slo)
}

/// What an alternative changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Changed {
    pub draft: bool,
    pub cache: bool,
    pub precision: bool,
    pub copies: bool,
    pub sharding: bool,
    pub schedule: bool,
    pub batch: bool,
}

impl Changed {
    /// How much of a change it is: a flag of the server, a restart with another layout, other weights.
    const fn effort(self) -> u32 {
        self.batch as u32
            + 2 * self.schedule as u32
            + 4 * self.sharding as u32
            + 8 * self.copies as u32
            + 16 * self.precision as u32
    }

    /// Whether nothing but the batch is another.
    pub const fn only_batch(self) -> bool {
        self.batch
            && !(self.draft || self.cache || self.precision || self.copies)
            && !(self.sharding || self.schedule)
    }

    /// Whether nothing but the copies of experts and the batch is another.
    pub const fn only_copies(self) -> bool {
        self.copies
            && !(self.draft || self.cache || self.precision || self.sharding || self.schedule)
    }

    const fn index(self) -> usize {
        self.effort() as usize
    }
}

/// A better way to use the same GPUs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Free {
    /// The inputs that make it so.
    pub inputs: Inputs,
    /// The same, complete.
    pub scenario: Scenario,
    /// What it comes to.
    pub evaluation: Evaluation,
    /// What of the inputs changed.
    pub changed: Changed,
    /// Throughput over what it is compared with; `None` where nothing worked before.
    pub gain: Option<f64>,
}

/// An alternative with less than this many times the throughput is not worth the change.
pub const WORTH: f64 = 1.05;
/// Of alternatives that reach this share of the best one, the least change is proposed.
const AS_GOOD: f64 = 0.97;
/// A plan of kinds that were measured is proposed where another kind is worth no change from it, where anything was measured.
const AS_SURE: f64 = 1.0 / WORTH;

/// What an alternative keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Keeps {
    /// So many tokens per second for a user.
    Users(f64),
    /// The batch that is asked for.
    Batch,
    /// Nothing: as much as fits.
    Nothing,
}

impl Keeps {
    /// What users are to get ([`kept`]).
    fn now(inputs: &Inputs) -> Self {
        kept(inputs).map_or(Self::Nothing, Self::Users)
    }

    /// The SLO, and without one nothing.
    fn slo(inputs: &Inputs) -> Self {
        inputs.get(Number::Slo).map_or(Self::Nothing, Self::Users)
    }
}

/// The best use of the same GPUs, in the fewest changes that come near it; `None` where no plan works.
///
/// The most tokens per second within the memory for users who get what they are to keep ([`kept`]). Inputs that break a rule
/// of sharding are answered as well, with the plans that break none.
pub fn best_free(inputs: &Inputs) -> Option<Free> {
    searched(
        inputs,
        Keeps::now(inputs),
        AS_GOOD,
        None,
        &mut Tried::default(),
    )
    .best
}

/// The most that the same GPUs serve, at whatever batch: within the SLO, or else as much as fits, with the least batch
/// that serves as much ([`enough`]). `None` where no plan works, or where the scenario is that already.
pub fn most(inputs: &Inputs) -> Option<Free> {
    searched(inputs, Keeps::slo(inputs), 1.0, None, &mut Tried::default()).best
}

/// What a search of plans finds.
struct Found {
    /// The least change that comes near the best.
    best: Option<Free>,
    /// Tokens per second of the best, as [`AS_SURE`] has it.
    most: f64,
    /// The plans that are not far behind it.
    near: Vec<PlanSpec>,
}

/// A plan that is tried.
struct Try {
    plan: Plan,
    /// Whatever its copies of experts.
    bare: PlanSpec,
    /// Whether it takes copies: experts may be divided over more GPUs with them than without.
    takes_copies: bool,
}

/// The plans around scenarios of one model and number of GPUs, by what is around: searches of the same GPUs stored otherwise
/// try the same ones.
#[derive(Default)]
struct Tried(Vec<(PlanSpec, Vec<Try>)>);

impl Tried {
    fn around(&mut self, scenario: &Scenario) -> &[Try] {
        let own = *scenario.plan.spec();
        let known = self.0.iter().position(|(around, _)| *around == own);
        let known = known.unwrap_or_else(|| {
            let (arch, gpus) = (&scenario.arch, scenario.cluster.gpus);
            let tried = plans(scenario).into_iter().map(|plan| {
                let bare = bare(&plan);
                let takes_copies = bare != *plan.spec() && Plan::new(bare, arch, gpus).is_err();
                Try {
                    plan,
                    bare,
                    takes_copies,
                }
            });
            self.0.push((own, tried.collect()));
            self.0.len() - 1
        });
        &self.0[known].1
    }
}

/// Of all plans, or those `among` some; `tried` remembers them from one search of the same GPUs to the next.
fn searched(
    inputs: &Inputs,
    keeps: Keeps,
    as_good: f64,
    among: Option<&[PlanSpec]>,
    tried: &mut Tried,
) -> Found {
    searched_from(0.0, inputs, keeps, as_good, among, tried)
}

/// The same, of what serves `least` tokens per second in all or more.
#[inline(never)]
fn searched_from(
    least: f64,
    inputs: &Inputs,
    keeps: Keeps,
    as_good: f64,
    among: Option<&[PlanSpec]>,
    tried: &mut Tried,
) -> Found {
    let now = inputs.scenario().ok();
    let evaluated = now.and_then(|scenario| evaluate(&scenario).ok());
    let basis = match (&now, &evaluated) {
        (Some(scenario), Some(evaluation)) => Basis::of(scenario, evaluation),
        _ => Basis::Nothing,
    };
    let mut search = Search {
        inputs,
        now,
        best: [None; CLASSES],
        most: 0.0,
        least,
        as_good,
        keeps,
        seen: Vec::new(),
    };
    if let Some(scenario) = now {
        search.own(&scenario);
    }
    for base in &bases(inputs) {
        for Try {
            plan,
            bare,
            takes_copies,
        } in tried.around(&base.scenario)
        {
            if *takes_copies || among.is_none_or(|among| among.contains(bare)) {
                search.consider(base, *plan);
            }
        }
    }
    let behind = AS_SURE / WORTH * search.most;
    let near = search.seen.iter().filter(|(_, tokens)| *tokens >= behind);
    Found {
        best: search.result(&basis),
        most: search.ceiling(),
        near: near.map(|(spec, _)| *spec).collect(),
    }
}

/// Inputs that no search betters, as they are; `None` where they do not work, or do not keep what is to be kept.
#[inline(never)]
fn as_it_is(inputs: &Inputs, keeps: Keeps) -> Option<Free> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    let kept = match keeps {
        Keeps::Users(speed) => evaluation.tokens_per_user >= speed,
        Keeps::Batch | Keeps::Nothing => true,
    };
    (kept && works(&scenario, &evaluation)).then_some(Free {
        inputs: *inputs,
        scenario,
        evaluation,
        changed: Changed::default(),
        gain: None,
    })
}

/// A plan whatever its copies of experts.
fn bare(plan: &Plan) -> PlanSpec {
    PlanSpec {
        redundant: 0,
        ..*plan.spec()
    }
}

/// The alternative that is worth naming: it makes possible what was not, or gains 5 %.
pub fn worth_naming(inputs: &Inputs) -> Option<Free> {
    best_free(inputs).filter(|free| free.gain.is_none_or(|gain| gain >= WORTH))
}

/// One more than the greatest effort.
const EFFORTS: usize = 32;
/// The same of plans of a kind that was measured, or is the present one's, and after them of others.
const CLASSES: usize = 2 * EFFORTS;

/// The best of each combination of changes.
struct Search<'a> {
    inputs: &'a Inputs,
    now: Option<Scenario>,
    best: [Option<(Scenario, Evaluation, usize)>; CLASSES],
    most: f64,
    /// What serves less is passed over.
    least: f64,
    /// Of alternatives that reach this share of the best one, the least change is proposed.
    as_good: f64,
    keeps: Keeps,
    /// Plans that were taken in, and what they serve.
    seen: Vec<(PlanSpec, f64)>,
}

impl Search<'_> {
    /// The scenario's own plan, whatever it is: the one to beat, and another batch of it a change.
    fn own(&mut self, scenario: &Scenario) {
        match self.keeps {
            Keeps::Users(speed) => self.under(scenario, speed, 0),
            Keeps::Batch | Keeps::Nothing => self.at(scenario, 0),
        }
    }

    fn consider(&mut self, base: &Base, plan: Plan) {
        let mut scenario = base.scenario;
        scenario.plan = plan;
        match self.keeps {
            Keeps::Users(speed) => self.under(&scenario, speed, base.index),
            Keeps::Batch => self.at(&scenario, base.index),
            Keeps::Nothing => {
                if let Ok(batch) = fullest(&scenario, self.most) {
                    scenario.workload.batch = batch;
                    self.at(&scenario, base.index);
                }
            }
        }
    }

    /// Takes a scenario in as it is, if it works.
    fn at(&mut self, scenario: &Scenario, base: usize) {
        if scenario.workload.batch < scenario.plan.micro_batches() {
            return;
        }
        if let Ok(evaluation) = evaluate(scenario)
            && works(scenario, &evaluation)
        {
            self.take(scenario, evaluation, base);
        }
    }

    /// Takes a plan in at the batch that serves most with users who get `speed`.
    ///
    /// Of decoding alone that is the largest: at the edge users get about that, so a plan that misses it with as many
    /// sequences as the best so far would need has less throughput: most plans cost two evaluations.
    #[inline(never)]
    fn under(&mut self, scenario: &Scenario, speed: f64, base: usize) {
        let mut tried = *scenario;
        tried.workload.slo = Some(speed);
        let known = self.as_good * self.best_of_least(self.class(&tried, base));
        let known = known.max(self.least);
        if known > 0.0 && tried.workload.serving == Serving::Decode {
            let wanted = (known / speed).floor();
            let yielded = tried.plan.micro_batches();
            let meets = wanted < yielded
                || pace_with_batch(&tried, wanted).is_ok_and(|pace| {
                    pace.tokens_per_user >= speed || !memory(&tried, wanted).fits()
                });
            if !meets {
                return;
            }
        }
        if let Ok(batch) = fullest(&tried, known) {
            tried.workload.batch = batch;
            self.at(&tried, base);
        }
    }

    /// The most throughput of what changes no more than `class`.
    fn best_of_least(&self, class: usize) -> f64 {
        let known = self.best[..=(class | 1)].iter().flatten();
        known.fold(0.0, |most, (_, evaluation, _)| evaluation.tokens.max(most))
    }

    fn class(&self, scenario: &Scenario, base: usize) -> usize {
        let spec = scenario.plan.spec();
        let was = self.now.as_ref().map(|now| now.plan.spec());
        let (pp, kvp) = was.map_or((1, 1), |was| (was.pp, was.kvp));
        let claimed = scenario.calibration.coverage.family().is_some();
        let other = claimed && ((spec.pp > 1 && pp == 1) || (spec.kvp > 1 && kvp == 1));
        self.changed(scenario, base).index() + EFFORTS * usize::from(other)
    }

    fn changed(&self, scenario: &Scenario, base: usize) -> Changed {
        let Some(now) = &self.now else {
            return Changed {
                draft: false,
                cache: false,
                precision: base & PRECISION > 0,
                copies: base & COPIES > 0,
                sharding: true,
                schedule: scenario.plan.spec().overlap != self.inputs.overlap,
                batch: scenario.workload.batch.to_bits()
                    != self.inputs.get(Number::Batch).unwrap_or(1.0).to_bits(),
            };
        };
        let (is, was) = (scenario.plan.spec(), now.plan.spec());
        let factors = |spec: &PlanSpec| [spec.dp, spec.tp, spec.kvp, spec.ffn_tp, spec.ep, spec.pp];
        Changed {
            draft: false,
            cache: false,
            precision: base & PRECISION > 0,
            copies: base & COPIES > 0,
            sharding: factors(is) != factors(was),
            schedule: is.overlap != was.overlap,
            batch: scenario.workload.batch.to_bits() != now.workload.batch.to_bits(),
        }
    }

    fn take(&mut self, scenario: &Scenario, evaluation: Evaluation, base: usize) {
        let place = &mut self.best[self.class(scenario, base)];
        if place.is_none_or(|(_, best, _)| evaluation.tokens > best.tokens) {
            *place = Some((*scenario, evaluation, base));
        }
        self.most = self.most.max(evaluation.tokens);
        self.seen.push((bare(&scenario.plan), evaluation.tokens));
    }

    /// Tokens per second to come near to.
    fn ceiling(&self) -> f64 {
        let measured = self.best_of_least(EFFORTS - 1);
        match self.as_good < 1.0 && measured >= AS_SURE * self.most {
            true => measured,
            false => self.most,
        }
    }

    /// The least change that comes near the best, unless that is none at all.
    fn result(&self, basis: &Basis) -> Option<Free> {
        let most = self.ceiling();
        let near = |found: &&(Scenario, Evaluation, usize)| found.1.tokens >= self.as_good * most;
        let (mut scenario, mut evaluation, base) = *self.best.iter().flatten().find(near)?;
        // Where the throughput is flat, the least batch that serves as much.
        let batch = match self.keeps {
            Keeps::Batch => scenario.workload.batch,
            Keeps::Users(_) | Keeps::Nothing => enough(&scenario, scenario.workload.batch),
        };
        if batch < scenario.workload.batch {
            evaluation = with_batch(&scenario, batch).ok()?;
            scenario.workload.batch = batch;
        }
        scenario.workload.slo = self.inputs.get(Number::Slo);
        let changed = self.changed(&scenario, base);
        if changed.effort() == 0 {
            return None;
        }
        let gain = basis
            .evaluation()
            .map(|before| evaluation.tokens / before.tokens);
        let precision = bases(self.inputs)
            .into_iter()
            .find(|known| known.index == base)?
            .inputs;
        let inputs = neighbours::stated(&precision, &scenario);
        Some(Free {
            inputs,
            scenario,
            evaluation,
            changed,
            gain,
        })
    }
}

#[cfg(test)]
mod tests;
