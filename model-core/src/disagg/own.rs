//! The same GPUs together or apart: the two sides of one comparison.
//!
//! Together: every GPU does everything, in the better of its schedules, sharded as they are or as serves more where that matters. Apart: some of the GPUs run
//! attention and the rest the feed-forward ([R]), in the better of its parts and slots. Both sides are lists of
//! ways that no other way of the side beats in both speed for a user and throughput, so that whatever is
//! said about them – at one speed, at the closest, where one begins to win – is said of the same points.

use super::bundle::Bundle;
use super::latency::Halves;
use super::ratio::Point;
use crate::advice::most_at;
use crate::evaluate::{evaluate, with_batch};
use crate::limits::largest;
use crate::math;
use crate::order::{sort_by, sort_by_key};
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::scenario::{Inputs, Number, Scenario};
use crate::units::Seconds;

/// One way to use the GPUs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Way {
    /// Tokens per second of one user.
    pub users: f64,
    /// Tokens per second and GPU.
    pub per_gpu: f64,
    /// Sequences in all.
    pub batch: f64,
    /// How.
    pub how: How,
}

/// How the GPUs are used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum How {
    /// All of them for everything, sharded and scheduled like this.
    Together(PlanSpec),
    /// Some for attention, the others for the feed-forward.
    Apart(Parts),
}

/// The parts of a deployment whose halves live apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parts {
    /// GPUs of attention.
    pub attention: u32,
    /// Attention instances, of tp·kvp GPUs each.
    pub instances: u32,
    /// GPUs of the one feed-forward instance.
    pub ffn: u32,
    /// Slots per batch and attention instance; two batches are in flight.
    pub slots: f64,
    /// What it comes to.
    pub point: Point,
}

impl Parts {
    /// Tokens per second of one user.
    pub fn users(&self) -> f64 {
        1.0 / self.point.tpot.get()
    }

    /// Whether `other` serves more at `users` or faster; it is faster where these do not get there.
    pub(super) fn yields_to(&self, other: &Self, users: f64) -> bool {
        let (here, there) = (self.users() >= users, other.users() >= users);
        if here && there {
            other.point.per_weight_in_flight > self.point.per_weight_in_flight
        } else {
            !here && other.users() > self.users()
        }
    }

    /// These parts as a bundle of their own, of what `inputs` state otherwise.
    pub fn bundle(&self, inputs: &Inputs) -> Option<Bundle> {
        let asked = inputs
            .with(Number::Slots, self.slots)
            .with(Number::Ratio, f64::from(self.instances))
            .with(Number::FfnInstances, 1.0);
        parted(inputs, &asked.bundle().ok()?, self.ffn)
    }
}

/// Both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Duel {
    /// GPUs of either side.
    pub gpus: u32,
    /// Together, the fastest for a user first.
    pub together: Vec<Way>,
    /// Apart, the fastest for a user first.
    pub apart: Vec<Way>,
    /// Every schedule of every sharding together that was tried, at every batch.
    schedules: Vec<Way>,
    /// Every division that was tried, at every number of slots that fits.
    tried: Vec<Parts>,
}

/// Shardings that are looked for at most.
const CHALLENGES: usize = 16;
/// Sides, and shardings, whose throughput is within this of each other are the same.
pub const SAME: f64 = 1.03;
/// Batches of a curve together, and of a sharding that is another.
const BATCHES: u32 = 120;
const BATCHES_OF_RIVALS: u32 = 64;
/// Slots of a curve apart.
const SLOTS: u32 = 32;
/// Numbers of GPUs for the feed-forward that are tried at most.
const PARTS: u32 = 72;

impl Duel {
    /// The comparison on the GPUs of `inputs`; `None` where latencies are entered and do not say what
    /// GPUs they were measured on, or the scenario is impossible.
    ///
    /// Lengths are the bundle's, so together every sequence has the context that a slot has in the long run.
    pub fn of(inputs: &Inputs) -> Option<Self> {
        let (mut duel, scenario, users) = Self::as_sharded(inputs)?;
        duel.challenge(&scenario, users);
        Some(duel)
    }

    /// The same comparison for other inputs, of the shardings that this one has.
    pub fn again(&self, inputs: &Inputs) -> Option<Self> {
        let (mut duel, mut scenario, _) = Self::as_sharded(inputs)?;
        let mut plans: Vec<PlanSpec> = Vec::new();
        for way in &self.together {
            match way.how {
                How::Together(plan) if !plans.contains(&plan) => plans.push(plan),
                _ => {}
            }
        }
        for plan in plans {
            scenario.plan = Plan::new(plan, &scenario.arch, scenario.cluster.gpus).ok()?;
            duel.schedules.extend(batched(&scenario, BATCHES_OF_RIVALS));
        }
        duel.together = undominated(duel.schedules.iter().copied());
        Some(duel)
    }

    /// Both sides as the inputs shard them, with their scenario and how fast its users are, where something says so.
    fn as_sharded(inputs: &Inputs) -> Option<(Self, Scenario, Option<f64>)> {
        let mut asked = *inputs;
        // The best ratio is not looked for: every ratio of the GPUs is tried.
        asked.state(Number::Ratio, Some(1.0));
        asked.state(Number::FfnInstances, Some(1.0));
        let bundle = asked.bundle().ok()?;
        bundle.derived?;
        let mut scenario = inputs.scenario().ok()?;
        let present = evaluate(&scenario).ok();
        let present = present.filter(|present| present.memory.fits());
        let present = present.map(|present| present.tokens_per_user);
        scenario.workload.context = bundle.lengths.context();
        let users = scenario.workload.slo.or(present);
        let mut tried = tried_apart(inputs, &bundle);
        if let Some(users) = users {
            to_the_edge(&mut tried, inputs, users * (1.0 - 1e-9));
        }
        let schedules = tried_together(&scenario);
        let duel = Self {
            gpus: scenario.cluster.gpus,
            together: undominated(schedules.iter().copied()),
            schedules,
            apart: undominated(tried.iter().copied().map(way)),
            tried,
        };
        Some((duel, scenario, users))
    }

    /// Lets every other sharding of the same GPUs answer where something is said of the two sides: at the users' speed,
    /// where apart is nearest, furthest ahead or begins to be, and where together would end.
    fn challenge(&mut self, scenario: &Scenario, users: Option<f64>) {
        let mut asked: Vec<f64> = Vec::new();
        for _ in 0..CHALLENGES {
            let standing = match self.standing(SAME) {
                Some(Standing::Ahead { at, from, .. }) => [Some(at), Some(from)],
                Some(Standing::Nearest { at, .. }) => [Some(at), None],
                None => [None, None],
            };
            let last = self.together.first().map(|way| way.users * (1.0 + 1e-6));
            let fastest = self.apart.first().map(|way| way.users);
            let beyond = last.filter(|last| fastest.is_some_and(|fastest| fastest > *last));
            // Where nothing says how fast users are, they are as they are with the most together.
            let slowest = self.together.last().or(self.apart.last());
            let slowest = slowest.map(|way| way.users);
            let users = users.or(slowest);
            let speeds = [users, standing[0], standing[1], beyond.or(fastest), fastest];
            let mut open = speeds.into_iter().flatten();
            let Some(speed) = open.find(|speed| !asked.contains(speed)) else {
                return;
            };
            asked.push(speed);
            let known = self.together_at(speed).map_or(0.0, |way| way.per_gpu);
            // What serves about as much is no reason for another sharding.
            let most = known * SAME * f64::from(self.gpus);
            if let Some(better) = most_at(scenario, speed, most) {
                self.schedules.extend(batched(&better, BATCHES_OF_RIVALS));
                self.together = undominated(self.schedules.iter().copied());
            }
        }
    }

    /// One plan together, also where another one has more: the fastest for a user first.
    pub fn plan(&self, spec: PlanSpec) -> Vec<Way> {
        let own = |way: &&Way| matches!(way.how, How::Together(of) if of == spec);
        undominated(self.schedules.iter().filter(own).copied())
    }

    /// Every number of GPUs for attention, ascending, each with the slots that serve most at `users` tokens per
    /// second for a user or more; the fastest where none gets there. `slots` leaves no choice of them.
    pub fn divisions(&self, users: f64, slots: Option<f64>) -> Vec<Parts> {
        let mut found: Vec<Parts> = Vec::new();
        let considered = self.tried.iter().filter(|parts| {
            slots.is_none_or(|slots| parts.slots.to_bits() == slots.to_bits())
                && parts.point.tpot.get().is_finite()
        });
        for parts in considered {
            match found
                .iter_mut()
                .find(|known| known.attention == parts.attention)
            {
                Some(known) if known.yields_to(parts, users) => *known = *parts,
                Some(_) => {}
                None => found.push(*parts),
            }
        }
        sort_by_key(&mut found, |parts| parts.attention);
        found
    }

    /// The most together with at least `users` tokens per second for a user.
    pub fn together_at(&self, users: f64) -> Option<&Way> {
        at_least(&self.together, users)
    }

    /// The most apart with at least that.
    pub fn apart_at(&self, users: f64) -> Option<&Way> {
        at_least(&self.apart, users)
    }

    /// Throughput apart over together at `users`: 0 where apart has no way, infinite where together has none.
    pub fn ratio_at(&self, users: f64) -> Option<f64> {
        match (self.together_at(users), self.apart_at(users)) {
            (Some(together), Some(apart)) => Some(apart.per_gpu / together.per_gpu),
            (Some(_), None) => Some(0.0),
            (None, Some(_)) => Some(f64::INFINITY),
            (None, None) => None,
        }
    }

    /// Speeds at which either side steps, ascending.
    pub fn speeds(&self) -> Vec<f64> {
        let ways = self.together.iter().chain(&self.apart);
        let mut speeds: Vec<f64> = ways.map(|way| way.users).collect();
        speeds.sort_by(f64::total_cmp);
        speeds.dedup();
        speeds
    }

    /// How apart stands against together where both go on, `same` apart being as good as level; `None` where one of
    /// them goes nowhere.
    pub fn standing(&self, same: f64) -> Option<Standing> {
        let fastest = self.together.first()?.users;
        let speeds = self.speeds().into_iter();
        let ratios: Vec<(f64, f64)> = speeds
            .take_while(|users| *users <= fastest)
            .filter_map(|users| Some((users, self.ratio_at(users)?)))
            .collect();
        let best = (0..ratios.len()).reduce(|most, next| {
            if ratios[next].1 > ratios[most].1 {
                next
            } else {
                most
            }
        })?;
        let (at, ratio) = ratios[best];
        if ratio < same {
            return (ratio > 0.0).then_some(Standing::Nearest { at, ratio });
        }
        let ahead = |of: &&(f64, f64)| of.1 >= same;
        let from = ratios[..=best].iter().rev().take_while(ahead).last();
        let to = ratios[best..].iter().take_while(ahead).last();
        Some(Standing::Ahead {
            from: from.map_or(at, |(users, _)| *users),
            to: to.map(|(users, _)| *users).filter(|to| *to < fastest),
            at,
            ratio,
        })
    }
}

/// How apart stands against together at the speeds that both reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Standing {
    /// Ahead from one speed to another, or for as long as together goes on.
    Ahead {
        /// The least of these speeds.
        from: f64,
        /// The greatest; `None` where together ends first.
        to: Option<f64>,
        /// Where it is furthest ahead.
        at: f64,
        /// By how much there, apart over together.
        ratio: f64,
    },
    /// Nowhere ahead.
    Nearest {
        /// Where it is nearest.
        at: f64,
        /// Apart over together there.
        ratio: f64,
    },
}

fn at_least(ways: &[Way], users: f64) -> Option<&Way> {
    let count = ways.partition_point(|way| way.users >= users);
    count.checked_sub(1).map(|last| &ways[last])
}

/// Ways that no other beats in both speed and throughput, the fastest first.
fn undominated(ways: impl IntoIterator<Item = Way>) -> Vec<Way> {
    let mut ways: Vec<Way> = ways
        .into_iter()
        .filter(|way| way.users.is_finite() && way.per_gpu.is_finite() && way.per_gpu > 0.0)
        .collect();
    sort_by(&mut ways, |left, right| {
        let by_speed = right.users.total_cmp(&left.users);
        by_speed.then(right.per_gpu.total_cmp(&left.per_gpu))
    });
    let mut most = 0.0;
    ways.retain(|way| {
        let better = way.per_gpu > most;
        if better {
            most = way.per_gpu;
        }
        better
    });
    ways
}

/// Every schedule at batches from one sequence per micro-batch to what fits, the present one among them.
fn tried_together(scenario: &Scenario) -> Vec<Way> {
    let own = *scenario.plan.spec();
    let now = scenario.workload.batch;
    let mut overlaps = vec![Overlap::Sequential, Overlap::TwoBatch];
    if !overlaps.contains(&own.overlap) {
        overlaps.push(own.overlap);
    }
    let mut found = Vec::new();
    for overlap in overlaps {
        let spec = PlanSpec { overlap, ..own };
        let Ok(plan) = Plan::new(spec, &scenario.arch, scenario.cluster.gpus) else {
            continue;
        };
        let mut tried = *scenario;
        tried.plan = plan;
        // The present batch belongs to the present schedule; another one may have more micro-batches than that.
        if overlap != own.overlap && now < plan.micro_batches() {
            tried.workload.batch = plan.micro_batches();
        }
        found.extend(batched(&tried, BATCHES));
    }
    found
}

/// One plan at so many batches from one sequence per micro-batch to what fits, its own and the edge of its SLO among them.
fn batched(scenario: &Scenario, count: u32) -> Vec<Way> {
    let spec = *scenario.plan.spec();
    let now = scenario.workload.batch;
    let mut tried = *scenario;
    tried.workload.slo = None;
    let Ok(most) = largest(&tried).map(|largest| largest.batch) else {
        return Vec::new();
    };
    let mut batches = spread(scenario.plan.micro_batches(), most, count);
    // The present batch where it fits as it is: its groups may be fuller than those of any that is offered.
    if now <= most || with_batch(&tried, now).is_ok_and(|now| now.memory.fits()) {
        batches.push(now);
    }
    // The edge of the SLO is a way, too: where it is compared there, it is the best there.
    if scenario.workload.slo.is_some() {
        batches.extend(largest(scenario).map(|largest| largest.batch));
    }
    let way = |batch: f64| {
        let evaluation = with_batch(&tried, batch).ok()?;
        Some(Way {
            users: evaluation.tokens_per_user,
            per_gpu: evaluation.tokens_per_gpu,
            batch,
            how: How::Together(spec),
        })
    };
    batches.into_iter().filter_map(way).collect()
}

/// Numbers of GPUs for attention that are tried: whole instances, which leave something for the feed-forward.
pub(super) fn sizes(gpus: u32, group: u32) -> Vec<u32> {
    let group = group.max(1);
    // Steps of 57 would leave numbers that hardly divide: nobody shards a feed-forward over 2,329 GPUs.
    let step = gpus.div_ceil(PARTS * group).next_power_of_two() * group;
    let mut sizes: Vec<u32> = (1..)
        .map(|count| count * step)
        .take_while(|size| *size < gpus)
        .collect();
    // The feed-forward takes what is left: whole instances of attention must remain.
    let mut fewest = group;
    while fewest < gpus && fewest < step {
        sizes.push(fewest);
        fewest *= 2;
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Every number of GPUs for the feed-forward that leaves whole attention instances, at every number of
/// slots that fits.
fn tried_apart(inputs: &Inputs, bundle: &Bundle) -> Vec<Parts> {
    let gpus = inputs.get(Number::Gpus).unwrap_or(1.0) as u32;
    let (group, _) = bundle.gpus();
    let group = group as u32;
    let sizes = sizes(gpus, group);
    // How long attention takes depends on its slots alone, whatever is left to the feed-forward.
    let slots: Vec<(f64, Seconds)> = slots_tried(bundle)
        .into_iter()
        .map(|slots| {
            let tried = Bundle { slots, ..*bundle };
            (slots, tried.attention_at(tried.token_load()))
        })
        .collect();
    let Some((most, _)) = slots.last().copied() else {
        return Vec::new();
    };
    let mut found = Vec::with_capacity(sizes.len() * slots.len());
    for attention in sizes {
        let ffn = gpus - attention;
        let Some(mut tried) = parted(inputs, bundle, ffn) else {
            continue;
        };
        let instances = attention / group;
        let ratio = f64::from(instances);
        // More slots need more memory.
        tried.slots = most;
        let all_fit = tried.ffn_memory(ratio).fits();
        for &(slots, attention_takes) in &slots {
            tried.slots = slots;
            if !all_fit && !tried.ffn_memory(ratio).fits() {
                continue;
            }
            found.push(Parts {
                attention,
                instances,
                ffn,
                slots,
                point: tried.at_known(attention_takes, ratio),
            });
        }
    }
    found
}

/// Adds to every division the most slots with which users still get their tokens: those that are tried lie apart.
fn to_the_edge(tried: &mut Vec<Parts>, inputs: &Inputs, users: f64) {
    let mut edges = Vec::new();
    // A division's slots follow each other, ascending.
    for pair in tried.windows(2) {
        let (kept, missed) = (pair[0], pair[1]);
        let turns = kept.attention == missed.attention
            && kept.users() >= users
            && missed.users() < users
            && missed.slots - kept.slots > 1.0;
        let Some(mut bundle) = turns.then(|| kept.bundle(inputs)).flatten() else {
            continue;
        };
        let (mut low, mut high) = (kept.slots, missed.slots);
        let mut edge = None;
        while high - low > 1.0 {
            let middle = ((low + high) / 2.0).floor();
            bundle.slots = middle;
            let point = bundle.at(f64::from(kept.instances));
            if 1.0 / point.tpot.get() >= users {
                low = middle;
                edge = Some(Parts {
                    slots: middle,
                    point,
                    ..kept
                });
            } else {
                high = middle;
            }
        }
        edges.extend(edge);
    }
    tried.extend(edges);
}

/// Numbers of slots that an attention GPU has memory for, the stated one among them where it fits.
fn slots_tried(bundle: &Bundle) -> Vec<f64> {
    let fits = |slots: f64| {
        let mut tried = *bundle;
        tried.slots = slots;
        tried.attention_memory().fits()
    };
    let ceiling = Number::Slots.spec().most;
    if !fits(1.0) {
        return Vec::new();
    }
    let (mut low, mut high) = (1.0, 2.0);
    while high <= ceiling && fits(high) {
        low = high;
        high *= 2.0;
    }
    let mut most = low;
    let mut over = high.min(ceiling + 1.0);
    while over - most > 1.0 {
        let middle = ((most + over) / 2.0_f64).floor();
        if fits(middle) {
            most = middle;
        } else {
            over = middle;
        }
    }
    let mut slots = spread(1.0, most, SLOTS);
    if fits(bundle.slots) {
        slots.push(bundle.slots);
    }
    slots.sort_by(f64::total_cmp);
    slots.dedup();
    slots
}

/// Whole numbers from `first` to `last` in about equal factors.
fn spread(first: f64, last: f64, steps: u32) -> Vec<f64> {
    let ratio = (last / first).max(1.0);
    let mut found: Vec<f64> = (0..=steps)
        .map(|step| first * math::pow(ratio, f64::from(step) / f64::from(steps)))
        .map(|value| value.round().clamp(first, last.max(first)))
        .collect();
    found.dedup();
    found
}

/// The bundle with a feed-forward instance of `ffn` GPUs, sharded as that many are by default; `None` where
/// they have no plan.
fn parted(inputs: &Inputs, bundle: &Bundle, ffn: u32) -> Option<Bundle> {
    let mut half = *inputs;
    for number in [Number::Dp, Number::Ep, Number::FfnTp, Number::Pp] {
        half.state(number, None);
    }
    let alone = half.with(Number::Gpus, f64::from(ffn));
    let scenario = alone.scenario().ok().or_else(|| {
        // Attention's groups need not divide the GPUs of the other half.
        let bare = alone.without(Number::Tp).without(Number::Kvp);
        bare.with(Number::Tp, 1.0).scenario().ok()
    })?;
    let halves = Halves::of(&scenario).ok()?;
    let mut parted = *bundle;
    parted.halves.ffn = halves.ffn;
    if parted.latencies.domain.is_some() {
        parted.latencies.near = parted.halves.exchange(true);
        parted.latencies.far = parted.halves.exchange(false);
    }
    (parted.halves.ffn.plan.gpus() == ffn).then_some(parted)
}

fn way(parts: Parts) -> Way {
    Way {
        users: 1.0 / parts.point.tpot.get(),
        per_gpu: parts.point.per_weight_in_flight,
        batch: 2.0 * parts.slots * f64::from(parts.instances),
        how: How::Apart(parts),
    }
}

#[cfg(test)]
mod tests;
