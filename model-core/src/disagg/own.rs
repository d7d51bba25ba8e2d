//! The same GPUs together or apart: the two sides of one comparison.
//!
//! Together: every GPU does everything, in the better of its schedules, sharded as they are or as serves more where
//! that matters. Apart: some of the GPUs run attention and the rest the feed-forward ([R]), in the better of its parts
//! and slots. Both sides are lists of ways that no other way of the side beats in both speed for a user and throughput,
//! so that whatever is said about them – at one speed, at the closest, where one begins to win – is said of the same
//! points.

mod rivals;
mod tried;

use super::bundle::Bundle;
use super::ratio::Point;
use crate::advice::{kept, plans};
use crate::cost::memory::Memory;
use crate::evaluate::evaluate;
use crate::order::sort_by_key;
use crate::order::sort_numbers;
use crate::plan::{Plan, PlanSpec};
use crate::scenario::{Inputs, Number, Scenario};
use rivals::Rivals;
pub(super) use tried::sizes;
use tried::{Faster, batched, parted, to_the_edge, tried_apart, tried_together, way};

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
        parted(inputs, &self.asked(inputs).bundle().ok()?, self.ffn)
    }

    /// Memory of a GPU of attention, and of one of the feed-forward.
    pub fn memory(&self, inputs: &Inputs) -> Option<[Memory; 2]> {
        let bundle = self.asked(inputs).bundle_before_lines().ok()?;
        let bundle = parted(inputs, &bundle, self.ffn)?;
        let ratio = f64::from(self.instances);
        Some([bundle.attention_memory(), bundle.ffn_memory(ratio)])
    }

    /// The inputs that state them.
    fn asked(&self, inputs: &Inputs) -> Inputs {
        inputs
            .with(Number::Slots, self.slots)
            .with(Number::Ratio, f64::from(self.instances))
            .with(Number::FfnInstances, 1.0)
    }
}

/// Both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Duel {
    /// GPUs of either side.
    pub gpus: u32,
    /// Tokens per second that users keep ([`kept`]), where something says so.
    pub users: Option<f64>,
    /// Together, the fastest for a user first.
    pub together: Vec<Way>,
    /// Apart, the fastest for a user first.
    pub apart: Vec<Way>,
    /// Every schedule of every sharding together that was tried, at every batch.
    schedules: Vec<Way>,
    /// Every division that was tried, at every number of slots that fits, and at the edges of a speed.
    tried: Vec<Parts>,
    /// Those of them before the edges.
    grid: usize,
}

/// Shardings that are looked for at most.
const CHALLENGES: usize = 48;
/// Sides, and shardings, whose throughput is within this of each other are the same.
pub const SAME: f64 = 1.03;
/// Batches of a sharding that is another.
const BATCHES_OF_RIVALS: u32 = 64;

impl Duel {
    /// The comparison on the GPUs of `inputs`; `None` where latencies are entered and do not say what
    /// GPUs they were measured on, or the scenario is impossible.
    ///
    /// Lengths are the bundle's, so together every sequence has the context that a slot has in the long run. Prompts
    /// are read elsewhere on both sides, also where the scenario's engine reads its own: apart has no GPUs for them.
    pub fn of(inputs: &Inputs) -> Option<Self> {
        let (mut duel, scenario) = Self::as_sharded(inputs)?;
        duel.challenge(&scenario);
        Some(duel)
    }

    /// The most together, in the shardings that this comparison has, and the most apart of the same `inputs` on twice the
    /// `link`, where users get at least `users` tokens per second.
    pub fn on_twice(&self, inputs: &Inputs, link: Number, users: f64) -> Option<[Option<Way>; 2]> {
        let (before, _) = compared(inputs)?;
        let inputs = &inputs.with(link, 2.0 * inputs.get(link)?);
        let (bundle, scenario) = compared(inputs)?;
        let mut plans: Vec<Plan> = Vec::new();
        for way in &self.together {
            if let How::Together(plan) = way.how
                && let Ok(plan) = Plan::new(plan, &scenario.arch, scenario.cluster.gpus)
                && !plans.contains(&plan)
            {
                plans.push(plan);
            }
        }
        let together = Rivals::of(&scenario, plans).most_at(users, 0.0);
        let together = together.and_then(|best| {
            let found = evaluate(&best).ok()?;
            Some(Way {
                users: found.tokens_per_user,
                per_gpu: found.tokens_per_gpu,
                batch: best.workload.batch,
                how: How::Together(*best.plan.spec()),
            })
        });
        let grid = &self.tried[..self.grid.min(self.tried.len())];
        let apart = Faster::of(inputs, &before, &bundle, grid).most(users);
        Some([together, apart.map(way)])
    }

    /// Both sides as the inputs shard them, with their scenario.
    fn as_sharded(inputs: &Inputs) -> Option<(Self, Scenario)> {
        let inputs = &inputs.decoding();
        let (bundle, scenario) = compared(inputs)?;
        let users = kept(inputs);
        let mut tried = tried_apart(inputs, &bundle);
        let grid = tried.len();
        if let Some(users) = users {
            to_the_edge(&mut tried, inputs, &bundle, users * (1.0 - 1e-9));
        }
        let schedules = tried_together(&scenario);
        let duel = Self {
            gpus: scenario.cluster.gpus,
            users,
            together: undominated(schedules.iter().copied()),
            schedules,
            apart: undominated(tried.iter().copied().map(way)),
            tried,
            grid,
        };
        Some((duel, scenario))
    }

    /// Lets every other sharding of the same GPUs answer where something is said of the two sides: at the users' speed,
    /// where apart is nearest, furthest ahead or begins to be, and where together would end.
    fn challenge(&mut self, scenario: &Scenario) {
        let mut rivals = Rivals::of(scenario, plans(scenario));
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
            // A hair slower: what is as fast as the present plan may round to less.
            let users = self.users.or(slowest).map(|users| users * (1.0 - 1e-9));
            let speeds = [users, standing[0], standing[1], beyond.or(fastest), fastest];
            let mut open = speeds.into_iter().flatten();
            let Some(speed) = open.find(|speed| !asked.contains(speed)) else {
                return;
            };
            asked.push(speed);
            let known = self.together_at(speed).map_or(0.0, |way| way.per_gpu);
            // What serves about as much is no reason for another sharding.
            let most = known * SAME * f64::from(self.gpus);
            if let Some(better) = rivals.most_at(speed, most) {
                let more = batched(&better, BATCHES_OF_RIVALS);
                let known = core::mem::take(&mut self.together).into_iter();
                self.together = undominated(known.chain(more.iter().copied()));
                self.schedules.extend(more);
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
        sort_numbers(&mut speeds);
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

/// The inputs with no ratio that would have to be looked for: every ratio of the GPUs is tried.
pub(super) fn open(inputs: &Inputs) -> Inputs {
    let mut asked = *inputs;
    asked.state(Number::Ratio, Some(1.0));
    asked.state(Number::FfnInstances, Some(1.0));
    asked
}

/// The bundle that takes every ratio, and the scenario at its context; `None` of latencies that are entered.
fn compared(inputs: &Inputs) -> Option<(Bundle, Scenario)> {
    let bundle = open(inputs).bundle_before_lines().ok()?;
    bundle.derived?;
    let mut scenario = inputs.scenario().ok()?;
    scenario.workload.context = bundle.lengths.context();
    Some((bundle, scenario))
}

fn at_least(ways: &[Way], users: f64) -> Option<&Way> {
    let count = ways.partition_point(|way| way.users >= users);
    count.checked_sub(1).map(|last| &ways[last])
}

/// Ways that no other beats in both speed and throughput, the fastest first.
fn undominated(ways: impl IntoIterator<Item = Way>) -> Vec<Way> {
    let mut front: Vec<Way> = Vec::new();
    for way in ways {
        if !(way.users.is_finite() && way.per_gpu.is_finite() && way.per_gpu > 0.0) {
            continue;
        }
        // The slower, the more throughput: of those that are as fast the last has most, of those that are not the first.
        let at = front.partition_point(|known| known.users > way.users);
        let faster = at.checked_sub(1).map(|last| &front[last]);
        let alike = front.get(at).filter(|known| known.users >= way.users);
        let beats = |known: &&Way| known.per_gpu >= way.per_gpu;
        if faster.filter(beats).or(alike.filter(beats)).is_some() {
            continue;
        }
        let beaten = front[at..].partition_point(|known| known.per_gpu <= way.per_gpu);
        front.splice(at..at + beaten, [way]);
    }
    front
}

#[cfg(test)]
mod tests;
