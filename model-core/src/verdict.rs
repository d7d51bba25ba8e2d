//! What binds a deployment, and what would help: every gain is found by evaluating again.

use crate::evaluate::{Evaluation, evaluate};
use crate::hardware::Link;
use crate::ops::Role;
use crate::order::sort_by;
use crate::plan::Overlap;
use crate::scenario::Scenario;
use crate::sensitivity::{Compared, Resource, improved};
use crate::units::{BytesPerSecond, Seconds};

/// What one improvement brings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    /// What is improved: doubled, or β brought to 1, or latencies halved.
    pub resource: Resource,
    /// Throughput afterwards over throughput before, as [`Compared`] compares them.
    pub throughput: f64,
}

/// What binds, and what would help.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// What is looked at: the scenario, with an SLO at the largest batch that meets it, as the gains are.
    pub at: Compared,
    /// The resource that fills the largest part of the step's critical path.
    pub binds: Resource,
    /// How long that resource is busy in a step, at most the step; of a link, with the starts of its messages.
    pub busy: Seconds,
    /// Whether it does so alone: improving it is worth something, and improving nothing else that takes time is worth more.
    pub alone: bool,
    /// The part of the model in which it is busiest; `None` for messages and latency.
    pub part: Option<Role>,
    /// Time in a step in which the GPUs neither compute nor read memory.
    pub idle: Seconds,
    /// Gains, one for every resource that may help, largest first, in steps of half a percent.
    pub gains: [Gain; Resource::HELPING.len()],
}

impl Verdict {
    /// The gain of one resource.
    pub fn gain(&self, resource: Resource) -> f64 {
        self.gains
            .iter()
            .find(|gain| gain.resource == resource)
            .map_or(1.0, |gain| gain.throughput)
    }
}

/// Gains within this factor are alike.
const AS_MUCH: f64 = 1.02;

/// A gain below this is little.
const WORTH: f64 = 1.05;

/// Explains an evaluation of `scenario`.
pub fn verdict(scenario: &Scenario, evaluation: &Evaluation) -> Verdict {
    let at = Compared::of(scenario, evaluation);
    let mut gains = Resource::HELPING.map(|resource| Gain {
        resource,
        throughput: improved(scenario, resource).map_or(1.0, |better| {
            evaluate(&better).map_or(1.0, |better| better.tokens / at.evaluation.tokens)
        }),
    });
    let steps = |gain: &Gain| (gain.throughput * 200.0).round();
    sort_by(&mut gains, |left, right| {
        steps(right).total_cmp(&steps(left))
    });
    let (scenario, evaluation) = (&at.scenario, &at.evaluation);
    let busy = busy_times(scenario, evaluation);
    let (binds, time, part) = busy
        .iter()
        .copied()
        .reduce(|most, next| if next.1 > most.1 { next } else { most })
        .unwrap_or((Resource::Compute, Seconds::ZERO, None));
    let time = match binds {
        Resource::ScaleOut => time + starts(scenario, evaluation, Link::ScaleOut),
        Resource::ScaleUp => time + starts(scenario, evaluation, Link::ScaleUp),
        _ => time,
    };
    let gain = |of: Resource| gains.iter().find(|gain| gain.resource == of);
    let gain = |of: Resource| gain(of).map_or(1.0, |gain| gain.throughput);
    let most = Resource::BINDING.map(gain).into_iter().fold(1.0, f64::max);
    let breakdown = &evaluation.breakdown;
    let idle = evaluation.step - breakdown.compute() - breakdown.overhead;
    Verdict {
        at,
        binds,
        busy: time.min(evaluation.step),
        alone: gain(binds) >= WORTH && most <= gain(binds) * AS_MUCH,
        part,
        idle: idle.max(Seconds::ZERO),
        gains,
    }
}

type Busy = (Resource, Seconds, Option<Role>);

/// How long each resource keeps the step busy, on the side of the schedule that sets its length.
fn busy_times(scenario: &Scenario, evaluation: &Evaluation) -> Vec<Busy> {
    let breakdown = &evaluation.breakdown;
    let two_batch = scenario.plan.spec().overlap == Overlap::TwoBatch;
    let messages_bind = breakdown.messages > beside(scenario, evaluation);
    let mut busy = Vec::with_capacity(Resource::BINDING.len());
    let mut latency = Seconds::ZERO;
    if !two_batch || messages_bind {
        latency += message_times(scenario, evaluation, &mut busy);
    }
    if !two_batch || !messages_bind {
        latency += compute_times(scenario, evaluation, &mut busy);
    }
    busy.push((Resource::Latency, latency, None));
    let overhead = match (two_batch, messages_bind) {
        // What runs beside longer messages does not lengthen the step; the host's time always does.
        (true, true) => scenario.calibration.host,
        _ => breakdown.overhead,
    };
    busy.push((Resource::Overhead, overhead, None));
    busy
}

/// The link that messages keep busiest, and its least bandwidth per GPU at which they hide behind compute; `None`
/// without two-batch overlap, and where no bandwidth within a factor of a thousand makes or breaks it.
pub fn hides_from(
    scenario: &Scenario,
    evaluation: &Evaluation,
) -> Option<(Resource, BytesPerSecond)> {
    if scenario.plan.spec().overlap != Overlap::TwoBatch {
        return None;
    }
    let mut times = Vec::with_capacity(2);
    message_times(scenario, evaluation, &mut times);
    let (link, ..) = times
        .into_iter()
        .filter(|(_, time, _)| time.get() > 0.0)
        .reduce(|most, next| if next.1 > most.1 { next } else { most })?;
    let mut other = *scenario;
    let now = match link {
        Resource::ScaleOut => scenario.cluster.scale_out,
        _ => scenario.cluster.scale_up,
    };
    let mut hides = |factor: f64| -> Option<bool> {
        match link {
            Resource::ScaleOut => other.cluster.scale_out = now * factor,
            _ => other.cluster.scale_up = now * factor,
        }
        let evaluation = evaluate(&other).ok()?;
        Some(evaluation.breakdown.messages <= beside(scenario, &evaluation))
    };
    let (mut without, mut with) = (1e-3, 1e3);
    if hides(without)? || !hides(with)? {
        return None;
    }
    // The thousandth part of a per mille.
    while with / without > 1.0 + 1e-6 {
        let middle = (with * without).sqrt();
        *if hides(middle)? {
            &mut with
        } else {
            &mut without
        } = middle;
    }
    Some((link, now * with))
}

/// What a pass's messages may take beside it without lengthening a step of two batches: compute with its overhead.
pub fn beside(scenario: &Scenario, evaluation: &Evaluation) -> Seconds {
    let breakdown = &evaluation.breakdown;
    breakdown.compute() + breakdown.overhead - scenario.calibration.host
}

/// What the starts of messages over a link take in a step.
fn starts(scenario: &Scenario, evaluation: &Evaluation, link: Link) -> Seconds {
    let passes = scenario.plan.passes();
    let messages = evaluation.messages(scenario);
    let over = messages.iter().filter(|message| message.link == link);
    over.fold(Seconds::ZERO, |all, message| {
        all + message.latency * (f64::from(message.layers) * passes)
    })
}

/// Times of the two networks; returns the latency in them.
fn message_times(scenario: &Scenario, evaluation: &Evaluation, busy: &mut Vec<Busy>) -> Seconds {
    let passes = scenario.plan.passes();
    let messages = evaluation.messages(scenario);
    let mut latency = Seconds::ZERO;
    for (link, resource) in [
        (Link::ScaleOut, Resource::ScaleOut),
        (Link::ScaleUp, Resource::ScaleUp),
    ] {
        let mut time = Seconds::ZERO;
        for message in messages.iter().filter(|message| message.link == link) {
            let times = f64::from(message.layers) * passes;
            time += (message.time - message.latency) * times;
            latency += message.latency * times;
        }
        busy.push((resource, time, None));
    }
    latency
}

/// Times of arithmetic and of memory traffic, each block counted where it is bound; returns the
/// overhead in them.
fn compute_times(scenario: &Scenario, evaluation: &Evaluation, busy: &mut Vec<Busy>) -> Seconds {
    let passes = scenario.plan.passes();
    let mut largest = [(Seconds::ZERO, Role::Attention); 2];
    let mut totals = [Seconds::ZERO; 2];
    let mut overhead = Seconds::ZERO;
    for role in Role::ALL {
        let mut sides = [Seconds::ZERO; 2];
        let mut fixed = Seconds::ZERO;
        for timed in evaluation
            .timed(scenario)
            .filter(|t| t.operator.kind.role() == role)
        {
            let times = f64::from(timed.layers) * passes;
            let rates = &evaluation.rates;
            sides[0] += rates.memory(&timed.operator) * times;
            sides[1] += rates.compute(&timed.operator) * times;
            fixed += rates.start(timed.operator.kind) * times;
        }
        overhead += fixed;
        let side = usize::from(sides[1] > sides[0]);
        let time = (evaluation.breakdown.of(role) - fixed).max(Seconds::ZERO);
        totals[side] += time;
        if time > largest[side].0 {
            largest[side] = (time, role);
        }
    }
    busy.push((Resource::Hbm, totals[0], Some(largest[0].1)));
    busy.push((Resource::Compute, totals[1], Some(largest[1].1)));
    overhead
}
