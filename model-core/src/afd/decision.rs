//! Compares AFD with colocated deployments at equal interactivity; the headline, figures and charts all use this
//! comparison.

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

/// The comparison of AFD with colocated deployments at interactivity u* ([`crate::levers::min_user_rate`]).
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Colocated and AFD candidates, at every interactivity.
    pub sides: Sides,
    /// Minimum interactivity u*, in tok/s/user.
    pub users: f64,
    /// The best colocated deployment at u*. This is the scenario's plan and batch, unless another plan or batch is
    /// clearly better.
    pub colocated: Option<Way>,
    /// The AFD candidate at u*, with the user's A:F ratio and micro-batch size if set, otherwise with the best ones.
    /// `None` if this candidate is slower than u*, or if no AFD unit fits in memory.
    pub afd: Option<Way>,
    /// The AFD unit with the best ratio at u*.
    pub best: Option<AfdUnit>,
    /// Every A:F split of the GPUs, sorted by attention GPUs. Each has the user's micro-batch size, or else the
    /// split's best size at u*.
    pub divisions: Vec<AfdUnit>,
    /// The AFD unit shown: at the user's A:F ratio if set; else at the best ratio; else with interactivity nearest to
    /// u*. `None` if no unit fits in memory.
    pub asked: Option<AfdUnit>,
}

/// The side with more throughput at equal interactivity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Winner {
    /// The colocated deployment has more throughput.
    Colocated,
    /// AFD has more throughput.
    Disaggregated,
    /// Neither: the throughputs of colocated and AFD are within 3% of each other.
    Neither,
}

/// The xAyF unit that the AFD view shows. If latencies are derived from the operators, it is the displayed A:F split of
/// the user’s GPUs. Otherwise it is the unit with the user's A:F ratio or, if none is set, the best ratio.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownUnit {
    /// The xAyF unit with its latencies and workload.
    pub bundle: Bundle,
    /// Times and rates of the unit at its A:F ratio.
    pub point: RatioPoint,
    /// The comparison with colocated deployments; `None` if the user entered all latencies.
    pub decision: Option<Decision>,
}

impl ShownUnit {
    /// Builds the xAyF unit that a permalink's inputs describe, with disaggregated prefill. Errors: every rule that
    /// the inputs break.
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

/// Ratio of the higher to the lower throughput, below which colocated and AFD count as equal.
pub const SAME: f64 = 1.03;
/// Maximum number of A:F ratios to simulate, including the ratio shown.
const SIMULATED: usize = 8;

impl Decision {
    /// Compares the decode throughput of colocated and AFD deployments, with disaggregated prefill. Returns `None` if
    /// the scenario is invalid, or if the user entered all latencies, because the number of GPUs is then unknown.
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

    /// Returns AFD throughput per GPU ÷ colocated throughput per GPU.
    pub fn factor(&self) -> Option<f64> {
        Some(self.afd?.per_gpu / self.colocated?.per_gpu)
    }

    /// Returns the AFD simulations to run: first at the A:F ratio shown, then at ratios spread over the range. The
    /// second value is the number of ratios omitted because their simulation would need too much time or memory.
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

/// Returns the side (colocated or AFD) with more throughput; `factor` is AFD throughput ÷ colocated throughput.
pub fn winner(factor: f64) -> Winner {
    if factor >= SAME {
        Winner::Disaggregated
    } else if factor > 1.0 / SAME {
        Winner::Neither
    } else {
        Winner::Colocated
    }
}

/// Returns the scenario's plan and batch as a colocated candidate; `None` if they do not fit in memory.
fn as_it_is(scenario: &Scenario) -> Option<Way> {
    let fits = evaluate(scenario).is_ok_and(|now| now.memory.fits());
    fits.then(|| colocated_way(scenario, *scenario.plan.spec(), scenario.workload.batch))?
}

/// Returns the GPUs per attention rank and per FFN rank in the scenario's sharding. Returns `None` if the user
/// entered all latencies, because the hardware is then unknown.
fn instances(inputs: &Inputs) -> Option<(f64, f64)> {
    if entered_whole(inputs) {
        return None;
    }
    let halves = Halves::of(&inputs.scenario().ok()?).ok()?;
    let gpus = |half: &Scenario| f64::from(half.plan.gpus());
    Some((gpus(&halves.attention), gpus(&halves.ffn)))
}

/// Splits the scenario's GPUs between attention and the FFN at a permalink's A:F ratio, which counts ranks with the
/// scenario's sharding. The share of attention GPUs is that of a unit with this ratio.
pub fn divided(inputs: &Inputs, ratio: f64) -> Option<(u32, u32)> {
    let (each, feed_forward) = instances(inputs)?;
    let gpus = inputs.get(Number::Gpus)?;
    let share = ratio * each / (ratio * each + feed_forward);
    let most = (gpus / each).ceil() - 1.0;
    let attention = (share * gpus / each).round().clamp(1.0, most.max(1.0)) * each;
    (attention < gpus).then_some((attention as u32, (gpus - attention) as u32))
}

/// Returns the A:F ratio that a permalink uses for this split of the GPUs; the inverse of [`divided`].
pub fn ratio_of(inputs: &Inputs, attention: u32, ffn: u32) -> Option<f64> {
    let (each, feed_forward) = instances(inputs)?;
    let ratio = f64::from(attention) / f64::from(ffn) * feed_forward / each;
    ratio.is_finite().then_some(ratio)
}

/// Returns the ratios of all A:F splits in ascending order; a slider uses them as stops.
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
