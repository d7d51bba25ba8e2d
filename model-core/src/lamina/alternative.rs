//! A homogeneous cluster at about the price of a Lamina deployment.

use super::memory::batch_capacity as split_capacity;
use super::setup::SplitSetup;
use super::slo;
use super::step::{self, Split};
use crate::cost::memory::batch_capacity;
use crate::evaluate::{Evaluation, evaluate};
use crate::inputs::split::compute_source;
use crate::inputs::{Inputs, Number};
use crate::levers::{colocated, min_user_rate};
use crate::limits::largest;
use crate::math::divisors;
use crate::plan::Overlap;
use crate::scenario::Scenario;
use crate::units::Seconds;

/// A cluster of the compute accelerator alone, at about the price of a Lamina deployment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Homogeneous {
    /// The cluster with its plan and the batch it serves.
    pub scenario: Scenario,
    /// Evaluation of the cluster.
    pub evaluation: Evaluation,
    /// US dollars per hour of the whole cluster.
    pub dollars_per_hour: f64,
}

/// Ratios of a Lamina deployment's results to those of a homogeneous cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitGains {
    /// Batch of the Lamina deployment ÷ batch of the homogeneous cluster.
    pub batch: f64,
    /// Tokens per second of the Lamina deployment ÷ tokens per second of the homogeneous cluster.
    pub tokens: f64,
}

impl Homogeneous {
    /// Returns the gains of the Lamina deployment over this cluster; `None` if the Lamina deployment does not fit in
    /// memory.
    pub fn gains(&self, setup: &SplitSetup, split: &Split) -> Option<SplitGains> {
        split.fits().then(|| SplitGains {
            batch: setup.batch() / self.scenario.workload.batch,
            tokens: split.tokens / self.evaluation.tokens,
        })
    }

    /// Returns the tokens per US dollar of the cluster.
    pub fn tokens_per_dollar(&self) -> f64 {
        self.evaluation.tokens * 3600.0 / self.dollars_per_hour
    }

    /// Returns the attention kernel time of a step, without projections. This is the part that a Lamina deployment runs
    /// on memory devices.
    pub fn attention(&self) -> Seconds {
        let one: Seconds = self
            .evaluation
            .timed(&self.scenario)
            .filter(|timed| timed.operator.kind.needs_cache())
            .map(|timed| timed.time * f64::from(timed.layers))
            .sum();
        (one * self.scenario.plan.passes()).min(self.evaluation.breakdown.attention)
    }
}

/// Returns the tokens per US dollar of a homogeneous cluster and of the Lamina deployment, at `users` tok/s/user. An
/// entry is `None` if that deployment is too slow, does not fit in memory or has no price.
pub fn per_dollar(users: f64, other: Option<&Homogeneous>, split: &Split) -> [Option<f64>; 2] {
    let keeps = |speed: f64| slo::keeps(Some(users), speed);
    let colocated = other.filter(|other| keeps(other.evaluation.tokens_per_user));
    let works = split.fits() && keeps(split.tokens_per_user);
    [
        colocated.map(Homogeneous::tokens_per_dollar),
        split.tokens_per_dollar.filter(|_| works),
    ]
}

/// Rounding tolerance for a rate that is compared with itself.
const ROUNDED: f64 = 1.0 - 1e-12;

/// Returns u*, in tok/s/user: the interactivity at which a Lamina deployment and its alternative are compared.
///
/// If an SLO is set, u* is the SLO. Otherwise, it is the lower of the two deployments' rates at the user's batch, or at
/// as much of this batch as fits. In permalink versions 1 and 2, it is the colocated scenario's rate if either
/// deployment reaches that rate or a price is unknown.
pub fn user_rate(inputs: &Inputs) -> f64 {
    let named = min_user_rate(&colocated(inputs));
    if inputs.get(Number::Slo).is_some() {
        return named;
    }
    let reached = || {
        let asked = SplitSetup::of(inputs).ok()?;
        let room = split_capacity(&asked).floor();
        let setup = asked.with_batch(asked.batch().min(room).max(f64::from(asked.batches)));
        let split = step::evaluate(&setup).ok()?;
        let rate = split.tokens_per_user;
        let other = homogeneous(inputs, &setup);
        Some(ROUNDED * other.map_or(rate, |other| rate.min(other.evaluation.tokens_per_user)))
    };
    let priced = || SplitSetup::of(inputs).is_ok_and(|setup| setup.dollars_per_hour().is_some());
    let neither = || compared_at(inputs, named) == Some([None, None]) && priced();
    let open = inputs.version.starts_as_engines_do() || neither();
    open.then(reached).flatten().unwrap_or(named)
}

/// Returns [`per_dollar`] at u* ([`user_rate`]), with each of the two deployments at its largest batch; `None` if a
/// rule is broken.
pub fn compared(inputs: &Inputs) -> Option<[Option<f64>; 2]> {
    compared_at(inputs, user_rate(inputs))
}

fn compared_at(inputs: &Inputs, users: f64) -> Option<[Option<f64>; 2]> {
    let setup = slo::served(inputs, users).ok()?;
    let split = step::evaluate(&setup).ok()?;
    let other = homogeneous(&slo::at_speed(inputs, users), &setup);
    Some(per_dollar(users, other.as_ref(), &split))
}

/// Max share by which a homogeneous cluster may cost more than the Lamina deployment; in [L], it costs 8.9% more.
const DEARER: f64 = 0.1;

/// Returns the homogeneous cluster at about the Lamina deployment's price, in the plan and schedule with the highest
/// throughput. It serves the batch of the Lamina deployment, or as much of it as fits and meets the SLO. With a trace,
/// each of the two deployments serves the largest batch that fits and meets the SLO.
///
/// Tries numbers of accelerators in this order and takes the first that holds the model. First come numbers that cost
/// as much as the Lamina deployment or up to 10% more, ascending. Then come lower numbers down to half, descending, and
/// finally higher numbers, ascending.
///
/// `None` if a price is not known, or if no cluster of up to 2n + 8 accelerators holds the model. Here, n accelerators
/// cost as much as the Lamina deployment.
///
/// Source: [L] 6.1, Table 5 (2 or 4 × H100 for a Lamina deployment of 20.32 or 40.64 dollars per hour).
pub fn homogeneous(inputs: &Inputs, setup: &SplitSetup) -> Option<Homogeneous> {
    let price = setup.compute_price.filter(|price| *price > 0.0)?;
    // Tolerance for rounding a quotient of prices to a whole number.
    const DUST: f64 = 1e-9;
    let exact = setup.dollars_per_hour()? / price;
    let least = Number::Gpus.spec().least;
    let most = Number::Gpus.spec().most;
    let fewest = (exact - DUST).ceil().max(least);
    let dearest = (exact * (1.0 + DEARER) + DUST).floor();
    let upper = (2.0 * fewest + 8.0).min(most);
    let of = |gpus: u32| {
        let (scenario, evaluation) = best_of_size(inputs, setup, gpus)?;
        Some(Homogeneous {
            scenario,
            evaluation,
            dollars_per_hour: price * f64::from(gpus),
        })
    };
    let whole = |gpus: f64| gpus.min(most) as u32;
    let near = (whole(fewest)..=whole(dearest)).find_map(of);
    let below = || {
        (whole(fewest / 2.0).max(1)..whole(fewest))
            .rev()
            .find_map(of)
    };
    let above = || (whole(fewest)..=whole(upper)).find_map(of);
    near.or_else(below).or_else(above)
}

/// Returns the plan and schedule of `gpus` accelerators with the highest throughput. Plans that meet the SLO are
/// preferred; plans that do not hold the model are skipped. Tries every tp that divides both the accelerator count
/// and the heads. Each tp is tried without overlap, with the scenario's schedule, and in two micro-batches if there
/// are enough sequences.
pub fn best_of_size(
    inputs: &Inputs,
    setup: &SplitSetup,
    gpus: u32,
) -> Option<(Scenario, Evaluation)> {
    let arch = inputs.model.arch();
    let asked = match setup.trace {
        Some(_) => f64::INFINITY,
        None => setup.asked,
    };
    let schedule = inputs.schedule();
    let overlaps = [Overlap::Sequential, Overlap::TwoBatch, schedule];
    let own = overlaps[..2].contains(&schedule);
    let overlaps = if own { &overlaps[..2] } else { &overlaps[..] };
    let mut best: Option<(Scenario, Evaluation)> = None;
    for tp in divisors(gpus).filter(|tp| arch.heads_divide(*tp)) {
        for overlap in overlaps {
            let mut other = sharded(inputs, gpus, tp);
            other.overlap = Some(*overlap);
            let Ok(mut scenario) = other.scenario() else {
                continue;
            };
            scenario.workload.context = setup.context();
            let room = batch_capacity(&scenario);
            if room < 1.0 {
                continue;
            }
            let batch = room.min(asked);
            scenario.workload.batch = batch;
            let halves = 2.0 * f64::from(scenario.plan.spec().dp);
            if *overlap == Overlap::TwoBatch && schedule != *overlap && batch < halves {
                continue;
            }
            let Ok(mut evaluation) = evaluate(&scenario) else {
                continue;
            };
            let slo = scenario.workload.slo;
            let keeps = |of: &Evaluation| slo::keeps(slo, of.tokens_per_user);
            if !keeps(&evaluation)
                && let Ok(edge) = largest(&scenario)
            {
                scenario.workload.batch = edge.batch.min(batch);
                let Ok(fewer) = evaluate(&scenario) else {
                    continue;
                };
                evaluation = fewer;
            }
            let serves = |of: &Evaluation| (keeps(of), of.tokens);
            if best.is_none_or(|(_, most)| serves(&evaluation) > serves(&most)) {
                best = Some((scenario, evaluation));
            }
        }
    }
    best
}

/// Returns inputs with attention over `tp` GPUs and the FFN in default sharding.
fn sharded(inputs: &Inputs, gpus: u32, tp: u32) -> Inputs {
    let mut other = compute_source(inputs);
    for number in [
        Number::Dp,
        Number::Kvp,
        Number::FfnTp,
        Number::Ep,
        Number::Pp,
    ] {
        other.state(number, None);
    }
    other.state(Number::Gpus, Some(f64::from(gpus)));
    other.state(Number::Tp, Some(f64::from(tp)));
    other
}
