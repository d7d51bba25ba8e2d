//! The scenario with more or less of one resource.

use super::{Change, Obstacle, Resource};
use crate::cost::memory::batch_capacity;
use crate::evaluate::{Evaluation, with_batch};
use crate::hardware::Peaks;
use crate::limits::{NoBatch, largest};
use crate::plan::Plan;
use crate::scenario::Scenario;
use crate::scenario::refusal::Refusal;
use crate::units::FlopPerSecond;

/// What every change of a scenario is compared with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compared {
    /// The scenario, its batch as it is compared.
    pub scenario: Scenario,
    /// The same evaluated.
    pub evaluation: Evaluation,
    /// Whether the batch is the largest that fits and meets the SLO, before and after the change.
    pub at_largest: bool,
}

impl Compared {
    /// With an SLO that some batch meets, a resource is worth what it adds to the largest of them: more of
    /// what the SLO forbids or memory cannot use is worth nothing. Otherwise the scenario is compared
    /// with itself.
    pub fn of(scenario: &Scenario, evaluation: &Evaluation) -> Self {
        let best = scenario
            .workload
            .slo
            .and_then(|_| largest(scenario).ok())
            .and_then(|largest| Some((largest.batch, with_batch(scenario, largest.batch).ok()?)));
        let mut scenario = *scenario;
        match best {
            Some((batch, evaluation)) => {
                scenario.workload.batch = batch;
                Self {
                    scenario,
                    evaluation,
                    at_largest: true,
                }
            }
            None => Self {
                scenario,
                evaluation: *evaluation,
                at_largest: false,
            },
        }
    }
}

/// The scenario with `factor` times the resource and everything else as it is, but for the batch.
///
/// β stays at most 1; copies of experts and domains are whole. The plan keeps its sharding: fewer
/// copies may leave an expert group without an expert, which is refused, not repaired.
///
/// With an SLO that some batch meets, the batch is the largest that then fits and meets it. Without, it
/// stays, but that of the capacity: a batch that fills the memory grows with it, B′ = ⌊B · B_cap′/B_cap⌋,
/// and one that no longer fits shrinks to what does. While the memory is not full, more of it changes
/// nothing. Where B itself does not fit, it stays.
pub fn changed(scenario: &Scenario, resource: Resource, factor: f64) -> Result<Scenario, Obstacle> {
    let mut other = *scenario;
    let cluster = &mut other.cluster;
    match resource {
        Resource::Compute => {
            let times = |peak: Option<FlopPerSecond>| peak.map(|peak| peak * factor);
            cluster.peaks = Peaks {
                bf16: times(cluster.peaks.bf16),
                fp8: times(cluster.peaks.fp8),
                fp4: times(cluster.peaks.fp4),
            };
        }
        Resource::Hbm => cluster.hbm = cluster.hbm * factor,
        Resource::ScaleUp => cluster.scale_up = cluster.scale_up * factor,
        Resource::ScaleOut => cluster.scale_out = cluster.scale_out * factor,
        Resource::Domain => {
            cluster.domain = (f64::from(cluster.domain) * factor).floor().max(1.0) as u32;
        }
        Resource::Capacity => {
            cluster.capacity = cluster.capacity * factor;
        }
        Resource::Balance | Resource::Redundant => {
            let mut spec = *scenario.plan.spec();
            if resource == Resource::Balance {
                spec.beta = (spec.beta * factor).min(1.0);
            } else {
                spec.redundant = (f64::from(spec.redundant) * factor).floor() as u32;
            }
            let plan = Plan::new(spec, &scenario.arch, cluster.gpus);
            other.plan = plan.map_err(|broken| {
                let first = broken.first().copied();
                Obstacle::Impossible(first.unwrap_or(Refusal::NotFinite))
            })?;
        }
        Resource::Latency => {
            let calibration = &mut other.calibration;
            calibration.messages = calibration.messages.with_starts_scaled(factor);
            calibration.starts = calibration.starts.scaled(factor);
        }
        Resource::Overhead => {
            let calibration = &mut other.calibration;
            calibration.layer_overhead = calibration.layer_overhead * factor;
            calibration.host = calibration.host * factor;
        }
    }
    if other == *scenario {
        return Err(Obstacle::Bound);
    }
    if scenario.workload.slo.is_some() && largest(scenario).is_ok() {
        let largest = largest(&other).map_err(|none| match none {
            NoBatch::Memory => Obstacle::NoRoom,
            NoBatch::Slo => Obstacle::MissesSlo,
        })?;
        other.workload.batch = largest.batch;
    } else if resource == Resource::Capacity {
        other.workload.batch = batch_for_capacity(scenario, &other)?;
    }
    Ok(other)
}

/// The batch that `other`'s capacity holds of `scenario`'s, or what it makes of a full one.
fn batch_for_capacity(scenario: &Scenario, other: &Scenario) -> Result<f64, Obstacle> {
    let now = scenario.workload.batch;
    let (had, has) = (batch_capacity(scenario), batch_capacity(other));
    if now > had {
        return Ok(now);
    }
    if has < 1.0 {
        return Err(Obstacle::NoRoom);
    }
    let groups = f64::from(scenario.plan.spec().dp);
    let full = now + groups > had;
    Ok(if full && has > had {
        (now * (has / had)).floor().min(has)
    } else {
        now.min(has)
    })
}

/// The scenario with what helps: twice the resource, β at 1, or half the fixed times; `None` where that
/// means nothing.
pub fn improved(scenario: &Scenario, resource: Resource) -> Option<Scenario> {
    let factor = match resource {
        // As far as it goes.
        Resource::Balance => f64::MAX,
        resource if resource.less_is_better() => Change::Half.factor(),
        _ => Change::Twice.factor(),
    };
    changed(scenario, resource, factor).ok()
}
