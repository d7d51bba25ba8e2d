//! The scenario with more or less of one resource.

use super::{Change, Obstacle, Resource};
use crate::cost::memory::batch_capacity;
use crate::hardware::Peaks;
use crate::plan::Plan;
use crate::scenario::Scenario;
use crate::scenario::refusal::Refusal;
use crate::units::FlopPerSecond;

/// The scenario with `factor` times the resource and everything else as it is.
///
/// β stays at most 1; copies of experts and domains are whole. The plan keeps its sharding: fewer
/// copies may leave an expert group without an expert, which is refused, not repaired.
///
/// With the capacity the batch changes so that it takes the same share of what fits:
/// B′ = ⌊B · B_cap′/B_cap⌋, at least one. Where B itself does not fit, it stays.
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
            other.workload.batch = batch_for_capacity(scenario, &other)?;
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
            other.calibration.latency = other.calibration.latency * factor;
            other.calibration.overhead = other.calibration.overhead * factor;
        }
    }
    if other == *scenario {
        Err(Obstacle::Bound)
    } else {
        Ok(other)
    }
}

/// The batch that takes the same share of `other`'s capacity as the present one of `scenario`'s.
fn batch_for_capacity(scenario: &Scenario, other: &Scenario) -> Result<f64, Obstacle> {
    let now = scenario.workload.batch;
    let (had, has) = (batch_capacity(scenario), batch_capacity(other));
    // Beyond the capacity, or below one sequence per group, of which capacities are multiples.
    if now > had {
        return Ok(now);
    }
    if has <= 0.0 {
        return Err(Obstacle::NoRoom);
    }
    Ok((now * (has / had)).floor().clamp(1.0, has))
}

/// The scenario with what helps: twice the resource, β at 1, or half the latency; `None` where that
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
