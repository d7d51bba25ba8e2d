//! Colocated vs. AFD at equal interactivity: the comparison that headline, figures and charts share.

use super::bundle::Bundle;
use super::derive::entered_whole;
use super::latency::Halves;
use super::own::{AfdUnit, Sides, Way, colocated_way, compared};
use super::ratio::RatioPoint;
use super::simulate::Setup;
use crate::evaluate::evaluate;
use crate::inputs::{Inputs, Number};
use crate::levers::{Base, LISTED};
use crate::refusal::Refusal;
use crate::scenario::Scenario;

/// The comparison at interactivity u* ([`crate::levers::min_user_rate`]).
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Both sides at every speed.
    pub sides: Sides,
    /// u*: least tok/s/user.
    pub users: f64,
    /// Best colocated deployment at u*: the scenario, unless another plan or batch is clearly better.
    pub colocated: Option<Way>,
    /// AFD at u*, in the stated ratio and micro-batch size, else in the best ones.
    pub afd: Option<Way>,
    /// The best AFD ratio at u*.
    pub best: Option<AfdUnit>,
    /// Every AFD ratio with its best micro-batch size at u*, or the stated one, by the GPUs of attention.
    pub divisions: Vec<AfdUnit>,
    /// The ratio shown: the stated one, else the best, else the nearest to u*. `None` if nothing fits.
    pub asked: Option<AfdUnit>,
}

/// The side that serves more at equal interactivity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Winner {
    /// Colocated.
    Colocated,
    /// AFD.
    Disaggregated,
    /// Within 3% of each other.
    Neither,
}

/// The xAyF unit in question: of the A:F split shown where latencies are derived from the user’s GPUs, else the one of
/// the stated or the best ratio.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownUnit {
    /// The unit.
    pub bundle: Bundle,
    /// Its times and rates.
    pub point: RatioPoint,
    /// The comparison with colocated deployments, where latencies are derived.
    pub decision: Option<Decision>,
}

impl ShownUnit {
    /// The unit of a link, prefill disaggregated. Errors: broken rules.
    pub fn of(stated: &Inputs) -> Result<Self, Vec<Refusal>> {
        let inputs = &stated.decoding();
        let open = inputs.bundle_before_lines()?;
        let decision = open.derived.and_then(|_| Decision::of(stated));
        let own = decision.as_ref().and_then(|decision| {
            let parts = decision.asked?;
            Some((parts.bundle(inputs)?, parts.point))
        });
        let (bundle, point) = own.unwrap_or_else(|| {
            let open = open.with_lines();
            (open, open.asked())
        });
        let usable = point.per_weight.is_finite() && point.per_weight > 0.0;
        match usable && point.tpot.get().is_finite() {
            true => Ok(Self {
                bundle,
                point,
                decision,
            }),
            false => Err(vec![Refusal::NotFinite]),
        }
    }
}

/// Throughput factor within which both sides are equal.
pub const SAME: f64 = 1.03;
/// Most simulated ratios, the one in question included.
const SIMULATED: usize = 8;

impl Decision {
    /// Compares decode on both sides, with disaggregated prefill. `None` if latencies are entered, whose GPUs are
    /// unknown, or if the scenario is invalid.
    pub fn of(stated: &Inputs) -> Option<Self> {
        let users = Base::of(stated).users;
        let inputs = &stated.decoding();
        let (_, scenario) = compared(inputs)?;
        // Tolerance for rounding.
        let enough = users * (1.0 - 1e-9);
        let now = as_it_is(&scenario).filter(|way| way.users >= enough);
        let sides = Sides::of(inputs, enough, now.map_or(0.0, |now| now.per_gpu))?;
        let planned = sides.planned.filter(|way| way.users >= enough);
        let colocated = match (now, planned) {
            (Some(now), Some(best)) if best.per_gpu < LISTED * now.per_gpu => Some(now),
            (now, best) => best.or(now),
        };
        let best = sides.afd_at(enough).and_then(Way::unit);
        let divisions = sides.divisions(enough, inputs.stated(Number::Slots));
        let stated = [Number::Ratio, Number::Slots]
            .iter()
            .any(|number| inputs.stated(*number).is_some());
        let asked = best
            .filter(|_| !stated)
            .or_else(|| asked(inputs, enough, &divisions));
        Some(Self {
            users,
            colocated,
            afd: asked
                .filter(|asked| asked.users() >= enough)
                .map(|asked| asked.way()),
            best,
            asked,
            divisions,
            sides,
        })
    }

    /// Throughput of AFD over colocated, per GPU.
    pub fn factor(&self) -> Option<f64> {
        Some(self.afd?.per_gpu / self.colocated?.per_gpu)
    }

    /// Simulations to run: the ratio in question, then ratios spread over the range; and the number of those left out
    /// because they would take too long.
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

/// The side that serves more, by AFD's throughput over colocated.
pub fn winner(factor: f64) -> Winner {
    if factor >= SAME {
        Winner::Disaggregated
    } else if factor > 1.0 / SAME {
        Winner::Neither
    } else {
        Winner::Colocated
    }
}

/// The scenario's plan and batch as a candidate, if it fits.
fn as_it_is(scenario: &Scenario) -> Option<Way> {
    let fits = evaluate(scenario).is_ok_and(|now| now.memory.fits());
    fits.then(|| colocated_way(scenario, *scenario.plan.spec(), scenario.workload.batch))?
}

/// GPUs of an attention rank and of the FFN rank as the scenario shards it; `None` if entered latencies do not
/// tell the hardware they were measured on.
fn instances(inputs: &Inputs) -> Option<(f64, f64)> {
    if entered_whole(inputs) {
        return None;
    }
    let halves = Halves::of(&inputs.scenario().ok()?).ok()?;
    let gpus = |half: &Scenario| f64::from(half.plan.gpus());
    Some((gpus(&halves.attention), gpus(&halves.ffn)))
}

/// GPUs for attention and for the FFN, for a ratio as links state it. That ratio counts attention ranks per
/// FFN rank as the scenario shards it; its fraction of the scenario's GPUs is the same.
pub fn divided(inputs: &Inputs, ratio: f64) -> Option<(u32, u32)> {
    let (each, feed_forward) = instances(inputs)?;
    let gpus = inputs.get(Number::Gpus)?;
    let share = ratio * each / (ratio * each + feed_forward);
    let most = (gpus / each).ceil() - 1.0;
    let attention = (share * gpus / each).round().clamp(1.0, most.max(1.0)) * each;
    (attention < gpus).then_some((attention as u32, (gpus - attention) as u32))
}

/// The ratio, as links state it, of a division of the GPUs; the inverse of [`divided`].
pub fn ratio_of(inputs: &Inputs, attention: u32, ffn: u32) -> Option<f64> {
    let (each, feed_forward) = instances(inputs)?;
    let ratio = f64::from(attention) / f64::from(ffn) * feed_forward / each;
    ratio.is_finite().then_some(ratio)
}

/// Ratios of all A:F splits, ascending: the stops of a slider.
pub fn ratios(inputs: &Inputs) -> Option<Vec<f64>> {
    let (each, _) = instances(inputs)?;
    let gpus = inputs.get(Number::Gpus)? as u32;
    let sizes = super::own::sizes(gpus, each as u32);
    let of = |attention: u32| ratio_of(inputs, attention, gpus - attention);
    Some(sizes.into_iter().filter_map(of).collect())
}

fn asked(inputs: &Inputs, users: f64, divisions: &[AfdUnit]) -> Option<AfdUnit> {
    let stated = inputs.stated(Number::Ratio);
    if let Some((attention, _)) = stated.and_then(|ratio| divided(inputs, ratio)) {
        let away = |parts: &AfdUnit| parts.attention.abs_diff(attention);
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
