//! What costs nothing and is told: the best plan, and beside it the few changes that rest on more than is computed.

use super::smaller::{divisions, part};
use super::{
    AS_GOOD, Basis, Changed, Free, Keeps, Smaller, Tried, WORTH, as_it_is, searched, searched_from,
};
use crate::evaluate::{evaluate, with_batch};
use crate::limits::largest;
use crate::plan::PlanSpec;
use crate::scenario::{Inputs, Model, Number, Scenario};

/// A change of the same GPUs that costs nothing and rests on what is stated or not asked here, which is why it is no part of
/// [`best_free`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rests {
    /// One drafted token, where the model comes with a head that drafts: on how many are accepted.
    Drafts,
    /// A byte per cached element, where it has two or more: on answers as good.
    Cache,
    /// No copies of experts: on a balance as good.
    Copies,
}

impl Rests {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Drafts, Self::Cache, Self::Copies];

    /// The inputs with it; `None` where it is there already or means nothing.
    pub fn made(self, inputs: &Inputs) -> Option<Inputs> {
        let Scenario {
            workload,
            precision,
            arch,
            plan,
            ..
        } = inputs.scenario().ok()?;
        let (can, number, value) = match self {
            Self::Drafts => {
                let can = workload.speculation.depth == 0 && drafts(&inputs.model);
                (can, Number::SpeculationDepth, 1.0)
            }
            // Engines keep a cache in a byte per element, not in less.
            Self::Cache => (precision.kv >= 2.0, Number::KvBytes, 1.0),
            Self::Copies => {
                let can = arch.is_moe() && plan.spec().redundant > 0;
                (can, Number::Redundant, 0.0)
            }
        };
        can.then(|| inputs.with(number, value).normalized())
    }

    /// Tells that it was made.
    const fn mark(self, changed: &mut Changed) {
        match self {
            Self::Drafts => changed.draft = true,
            Self::Cache => changed.cache = true,
            Self::Copies => changed.copies = true,
        }
    }
}

/// Whether the model comes with a head that drafts tokens: using it costs no other weights.
pub fn drafts(model: &Model) -> bool {
    matches!(model, Model::Catalog(entry) if entry.drafts)
}

/// What costs nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Levers {
    /// The best that rests on nothing but the model, where it is worth naming.
    pub free: Option<Free>,
    /// With what rests on more: of its kinds and their combinations the fewest that come within [`WORTH`] of the most that any
    /// of them gives, where that is worth naming beyond everything that rests on nothing.
    pub rest: Option<Free>,
    /// Several instances on the same GPUs, where that is worth naming beyond the best plan of one.
    pub smaller: Option<Smaller>,
}

impl Levers {
    /// Of the scenario as it is: users keep what [`super::kept`] says.
    pub fn of(inputs: &Inputs) -> Self {
        let keeps = Keeps::now(inputs);
        let now = inputs.scenario().ok();
        let basis = now.and_then(|now| Some(Basis::of(&now, &evaluate(&now).ok()?)));
        let before = { basis.as_ref() }.and_then(|basis| Some(basis.evaluation()?.tokens));
        let over = |free: Free| Free {
            gain: before.map(|before| free.evaluation.tokens / before),
            ..free
        };
        // What holds a batch that did not fit is worth naming, whatever it serves.
        let asked = inputs.get(Number::Batch).unwrap_or(1.0);
        let short = inputs.get(Number::Slo).is_none() && !matches!(basis, Some(Basis::Now(_)));
        let worth = |free: &Free| {
            let holds = short && free.scenario.workload.batch >= asked;
            holds || free.gain.is_none_or(|gain| gain >= WORTH)
        };
        let mut tried = Tried::default();
        let free = searched(inputs, keeps, AS_GOOD, None, &mut tried).best;
        let free = free.map(over).filter(worth);
        let rival = free.map(|free| free.evaluation.tokens);
        let rival = rival.or(before.filter(|_| !short));
        let least = WORTH * rival.unwrap_or(0.0);
        let rest = resting(inputs, keeps, 1, [0.0, least], &mut tried);
        let rest = rest.map(over).filter(worth);
        let gpus = inputs.get(Number::Gpus).unwrap_or(1.0);
        let known = [rival.or(before), rest.map(|rest| rest.evaluation.tokens)];
        let known = known.map(|tokens| tokens.unwrap_or(0.0) / gpus);
        let smaller = match keeps {
            Keeps::Users(_) => in_instances(inputs, keeps, known, &mut tried),
            Keeps::Batch | Keeps::Nothing => None,
        };
        Self {
            free,
            rest,
            smaller: smaller.map(|smaller| smaller.over(before)),
        }
    }

    /// The same, over what the largest batch within the SLO serves; without an SLO over what there is now.
    pub fn at_limit(inputs: &Inputs) -> Self {
        let levers = Self::of(inputs);
        if inputs.get(Number::Slo).is_none() {
            return levers;
        }
        let limit = |scenario: &Scenario| {
            let batch = largest(scenario).ok()?.batch;
            Some(with_batch(scenario, batch).ok()?.tokens)
        };
        let limit = inputs.scenario().ok().and_then(|now| limit(&now));
        let over = |free: Free| Free {
            gain: limit.map(|limit| free.evaluation.tokens / limit),
            ..free
        };
        Self {
            free: levers.free.map(over),
            rest: levers.rest.map(over),
            smaller: levers.smaller.map(|smaller| smaller.over(limit)),
        }
    }

    /// What leads: what rests on nothing else, or the other.
    pub const fn first(&self) -> Option<&Free> {
        match &self.free {
            Some(free) => Some(free),
            None => self.rest.as_ref(),
        }
    }

    /// Both, what leads first.
    pub fn iter(&self) -> impl Iterator<Item = &Free> {
        self.free.iter().chain(&self.rest)
    }
}

/// Several instances of the GPUs, with the fewest changes that rest on something, as one instance is searched ([`resting`]). They
/// serve [`WORTH`] times what one instance does `without` such changes, and with them what it does `with`, in tokens per
/// second and GPU; more instances are taken for more than what else is as good.
fn in_instances(
    inputs: &Inputs,
    keeps: Keeps,
    [without, with]: [f64; 2],
    plans: &mut Tried,
) -> Option<Smaller> {
    let mut best: Option<Smaller> = None;
    let mut least = [without, with.max(without)].map(|known| WORTH * known);
    for instances in divisions(inputs) {
        let part = part(inputs, instances);
        let size = part.get(Number::Gpus)?;
        let asked = least.map(|least| least * size);
        if let Some(each) = resting(&part, keeps, 0, asked, plans) {
            let rate = each.evaluation.tokens_per_gpu / AS_GOOD;
            least = least.map(|least| least.max(rate));
            best = Some(Smaller { instances, each });
        }
    }
    best
}

/// Less than this share of what is asked for is passed over: fewer changes may serve more than all of them, but not as much more.
const FAR: f64 = 0.8;

/// The best use of the same GPUs with the fewest changes that rest on something and come near the most that any of them
/// gives, `first` such change or none; of `least` tokens per second or more without them and with.
#[inline(never)]
pub(super) fn resting(
    inputs: &Inputs,
    keeps: Keeps,
    first: u32,
    least: [f64; 2],
    plans: &mut Tried,
) -> Option<Free> {
    let mut tried: Vec<(u32, Free)> = Vec::new();
    let mut most: f64 = 0.0;
    // All of them come first, with a draft and without: what is far behind there is not tried with fewer, which give less.
    let mut near: [Option<Vec<PlanSpec>>; 2] = [None, None];
    for kinds in (first..1 << Rests::ALL.len()).rev() {
        let chosen = |rests: &Rests| kinds & (1 << *rests as u32) > 0;
        let chosen = || Rests::ALL.into_iter().filter(chosen);
        let Some(with) = chosen().try_fold(*inputs, |inputs, rests| rests.made(&inputs)) else {
            continue;
        };
        let near = &mut near[kinds as usize & 1];
        let from = FAR * least[0];
        let mut found = searched_from(from, &with, keeps, AS_GOOD, near.as_deref(), plans);
        if near.is_none() {
            *near = Some(core::mem::take(&mut found.near));
        }
        let Some(mut free) = found.best.or_else(|| as_it_is(&with, keeps)) else {
            continue;
        };
        for rests in chosen() {
            rests.mark(&mut free.changed);
        }
        most = most.max(found.most).max(free.evaluation.tokens);
        tried.push((kinds.count_ones(), free));
    }
    let tokens = |tried: &(u32, Free)| tried.1.evaluation.tokens;
    tried.retain(|free| {
        tokens(free) >= least[usize::from(free.0 > 0)] && tokens(free) * WORTH >= most
    });
    let best = tried.into_iter().reduce(|best, next| {
        let fewer = next.0 < best.0;
        match fewer || next.0 == best.0 && tokens(&next) > tokens(&best) {
            true => next,
            false => best,
        }
    });
    best.map(|(_, free)| free)
}
