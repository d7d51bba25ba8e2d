//! Together or apart at the speed that matters: the one comparison that verdict, figures and charts speak of.
//!
//! The same GPUs, the same users' speed, each side in its best way there.

use super::derive::entered_whole;
use super::latency::Halves;
pub use super::own::SAME;
use super::own::{Duel, How, Parts, Way, open};
use super::simulate::Setup;
use crate::evaluate::with_batch;
use crate::limits::{LEVEL, enough, largest};
use crate::plan::Plan;
use crate::scenario::{Inputs, Number, Scenario};

/// The comparison at the speed that matters.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Both sides at every speed.
    pub duel: Duel,
    /// Users get at least this: what every alternative keeps ([`crate::advice::kept`]), else what most of them would get.
    pub users: f64,
    /// The best together there.
    pub together: Option<Way>,
    /// The best apart there.
    pub apart: Option<Way>,
    /// Every division of the GPUs in its best way there, by the GPUs of attention; with the slots that are
    /// stated, where some are.
    pub divisions: Vec<Parts>,
    /// The division that is asked about: of the stated ratio, with the stated slots, else the best one. `None`
    /// where the stated slots fit nowhere.
    pub asked: Option<Parts>,
}

/// Which side it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Winner {
    /// Every GPU does everything.
    Together,
    /// Attention and feed-forward on GPUs of their own.
    Apart,
    /// It makes no difference.
    Neither,
}

/// Simulated divisions, the one that is asked about among them.
const SIMULATED: usize = 8;

impl Decision {
    /// The comparison for `inputs`, decode against decode ([`Duel::of`]); `None` where the latencies are not of these
    /// GPUs, or neither side has a way.
    pub fn of(inputs: &Inputs) -> Option<Self> {
        let inputs = &inputs.decoding();
        let duel = Duel::of(inputs)?;
        let scenario = inputs.scenario().ok()?;
        let most = |ways: &[Way]| ways.last().map(|way| way.users);
        let some = || most(&duel.together).or_else(|| most(&duel.apart));
        // Without an SLO what neither side has a way for is not compared.
        let slo = scenario.workload.slo;
        let users = slo.or_else(|| some().map(|some| duel.users.unwrap_or(some)))?;
        let asked_of = users;
        // The present batch may be none of the ways tried, and a hair faster than the next of them.
        let users = users * (1.0 - 1e-9);
        let together = duel.together_at(users).copied();
        // The batch is the one that every view offers of that plan.
        let together = together.map(|way| offered(inputs, &scenario, asked_of, way).unwrap_or(way));
        let apart = duel.apart_at(users).copied();
        let divisions = duel.divisions(users, inputs.stated(Number::Slots));
        let best = apart.as_ref().and_then(parts);
        let stated = [Number::Ratio, Number::Slots]
            .iter()
            .any(|number| inputs.stated(*number).is_some());
        let asked = best
            .filter(|_| !stated)
            .or_else(|| asked(inputs, users, &divisions));
        Some(Self {
            duel,
            users,
            together,
            apart,
            divisions,
            asked,
        })
    }

    /// Throughput apart over together.
    pub fn factor(&self) -> Option<f64> {
        Some(self.apart?.per_gpu / self.together?.per_gpu)
    }

    /// The side with more; `None` where neither reaches the speed.
    pub fn winner(&self) -> Option<Winner> {
        match (&self.together, &self.apart) {
            (None, None) => None,
            (Some(_), None) => Some(Winner::Together),
            (None, Some(_)) => Some(Winner::Apart),
            (Some(together), Some(apart)) => Some(winner(apart.per_gpu / together.per_gpu)),
        }
    }

    /// The parts of the best way apart.
    pub fn parts(&self) -> Option<Parts> {
        parts(self.apart.as_ref()?)
    }

    /// Whether what is asked about is the best way apart.
    pub fn at_best(&self) -> bool {
        match (self.asked, self.apart) {
            (Some(asked), Some(best)) => {
                let reached = asked.point.per_weight_in_flight;
                asked.users() >= self.users && reached >= best.per_gpu * (1.0 - 1e-9)
            }
            (None, None) => true,
            _ => false,
        }
    }

    /// What a simulation of these GPUs tries: what is asked about, then divisions all along. The second value
    /// counts those that are left out because they would take too long.
    pub fn swept(&self, inputs: &Inputs) -> (Vec<Setup>, usize) {
        let Some(asked) = self.asked else {
            return (Vec::new(), 0);
        };
        let last = self.divisions.len().saturating_sub(1).max(1) as f64;
        let along = (0..SIMULATED).filter_map(|index| {
            let share = (index as f64 + 0.5) / SIMULATED as f64;
            self.divisions.get((share * last).round() as usize)
        });
        let mut setups: Vec<Setup> = Vec::new();
        let mut too_long = 0;
        for parts in std::iter::once(&asked).chain(along) {
            let Some(bundle) = parts.bundle(inputs) else {
                continue;
            };
            let setup = bundle.setup(f64::from(parts.instances));
            let known = setups
                .iter()
                .any(|other| other.attention_instances == setup.attention_instances);
            if setup.refusal().is_some() {
                too_long += 1;
            } else if !known && setups.len() < SIMULATED {
                setups.push(setup);
            }
        }
        (setups, too_long)
    }
}

/// The side with more, of throughput apart over together.
pub fn winner(factor: f64) -> Winner {
    if factor >= SAME {
        Winner::Apart
    } else if factor > 1.0 / SAME {
        Winner::Neither
    } else {
        Winner::Together
    }
}

/// GPUs of an attention instance, and of the feed-forward instance as the scenario shards it, where a ratio
/// divides the scenario's own GPUs: not where entered latencies leave open what they were measured on.
fn instances(inputs: &Inputs) -> Option<(f64, f64)> {
    if entered_whole(inputs) {
        return None;
    }
    let halves = Halves::of(&inputs.scenario().ok()?).ok()?;
    let gpus = |half: &Scenario| f64::from(half.plan.gpus());
    Some((gpus(&halves.attention), gpus(&halves.ffn)))
}

/// GPUs for attention and for the feed-forward that a ratio in links comes to on the scenario's GPUs. It counts
/// instances for each feed-forward instance as the scenario shards it: its share of the GPUs is what is kept.
pub fn divided(inputs: &Inputs, ratio: f64) -> Option<(u32, u32)> {
    let (each, feed_forward) = instances(inputs)?;
    let gpus = inputs.get(Number::Gpus)?;
    let share = ratio * each / (ratio * each + feed_forward);
    let most = (gpus / each).ceil() - 1.0;
    let attention = (share * gpus / each).round().clamp(1.0, most.max(1.0)) * each;
    (attention < gpus).then_some((attention as u32, (gpus - attention) as u32))
}

/// The ratio in links whose share of the GPUs is that of so many for attention and so many for the feed-forward.
pub fn ratio_of(inputs: &Inputs, attention: u32, ffn: u32) -> Option<f64> {
    let (each, feed_forward) = instances(inputs)?;
    let ratio = f64::from(attention) / f64::from(ffn) * feed_forward / each;
    ratio.is_finite().then_some(ratio)
}

/// The ratios of all divisions that a slider stops at, ascending.
pub fn ratios(inputs: &Inputs) -> Option<Vec<f64>> {
    let (each, _) = instances(inputs)?;
    let gpus = inputs.get(Number::Gpus)? as u32;
    let sizes = super::own::sizes(gpus, each as u32);
    let of = |attention: u32| ratio_of(inputs, attention, gpus - attention);
    Some(sizes.into_iter().filter_map(of).collect())
}

/// A way together at the batch that is offered of its plan: the largest with which users get so much, or where
/// throughput is flat the least that serves as much.
fn offered(inputs: &Inputs, scenario: &Scenario, users: f64, way: Way) -> Option<Way> {
    let How::Together(spec) = way.how else {
        return None;
    };
    let mut at = *scenario;
    at.plan = Plan::new(spec, &at.arch, at.cluster.gpus).ok()?;
    at.workload.context = open(inputs).bundle_before_lines().ok()?.lengths.context();
    at.workload.slo = Some(users);
    let batch = enough(&at, largest(&at).ok()?.batch);
    let found = with_batch(&at, batch).ok()?;
    (found.tokens_per_gpu >= LEVEL * way.per_gpu).then_some(Way {
        users: found.tokens_per_user,
        per_gpu: found.tokens_per_gpu,
        batch,
        ..way
    })
}

fn asked(inputs: &Inputs, users: f64, divisions: &[Parts]) -> Option<Parts> {
    let stated = inputs.stated(Number::Ratio);
    if let Some((attention, _)) = stated.and_then(|ratio| divided(inputs, ratio)) {
        let away = |parts: &Parts| parts.attention.abs_diff(attention);
        return divisions.iter().copied().reduce(|near, next| {
            if away(&next) < away(&near) {
                next
            } else {
                near
            }
        });
    }
    divisions.iter().copied().reduce(|most, next| {
        if most.yields_to(&next, users) {
            next
        } else {
            most
        }
    })
}

/// The parts of a way apart.
pub const fn parts(way: &Way) -> Option<Parts> {
    match way.how {
        How::Apart(parts) => Some(parts),
        How::Together(_) => None,
    }
}
