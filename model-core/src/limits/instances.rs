//! Compares one large deployment with several small replicas on the same number of GPUs.

use super::growth::scenario_on;
use super::largest;
use crate::evaluate::with_batch;
use crate::hardware::Cluster;
use crate::inputs::{Inputs, Number};
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::units::BytesPerSecond;

/// Several small replicas and one large deployment on the same GPUs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instances {
    /// One small replica, as in the unchanged inputs.
    pub small: Scenario,
    /// Number of replicas.
    pub count: u32,
    /// One large deployment over all GPUs.
    pub large: Scenario,
    /// The large deployment in its stated schedule; with another interconnect, another schedule may be better.
    scheduled: Scenario,
}

impl Instances {
    /// Compares the stated number of replicas of `inputs` with one large deployment, in which the stated interconnect
    /// joins all GPUs.
    ///
    /// Source: [B] VII-C and Figure 12. Assumptions: All GPUs of the large deployment form one domain of the stated
    /// bandwidth, which [B] varies. Each replica gets an equal share of the sequences. A two-batch schedule becomes
    /// sequential if that serves more. If either deployment breaks rules, the error lists them.
    pub fn new(inputs: &Inputs) -> Result<Self, NoInstances> {
        let inputs = &inputs.like_others();
        let small = inputs.scenario().map_err(NoInstances::Refused)?;
        let count = inputs.get(Number::Instances).unwrap_or(1.0);
        let link = inputs
            .get(Number::Interconnect)
            .map_or(small.cluster.scale_out, BytesPerSecond::from_gb);
        let gpus = f64::from(small.cluster.gpus) * count;
        if !Number::Gpus.allows(gpus) {
            return Err(NoInstances::TooManyGpus { gpus });
        }
        // The domain must not change the default sharding.
        let grouped = inputs
            .with(Number::Gpus, gpus)
            .with(Number::Domain, f64::from(small.cluster.domain));
        let large = joined_by(&scenario_on(grouped).map_err(NoInstances::Refused)?, link);
        Ok(Self {
            small: better_schedule(&small),
            count: count as u32,
            large: better_schedule(&large),
            scheduled: large,
        })
    }

    /// Returns the throughput of one replica and of the large deployment, each at the largest batch that fits and meets
    /// the SLO. `None` if no batch does.
    pub fn best(&self) -> (Option<Reached>, Option<Reached>) {
        (best(&self.small), best(&self.large))
    }

    /// Returns the throughput of the large deployment relative to the replicas, each at its best batch.
    pub fn gain(&self) -> Option<f64> {
        let (small, large) = self.best();
        Some(large?.tokens_per_gpu / small?.tokens_per_gpu)
    }

    /// Returns the large deployment on another interconnect, with the schedule that serves more there.
    pub fn large_joined_by(&self, link: BytesPerSecond) -> Scenario {
        better_schedule(&joined_by(&self.scheduled, link))
    }

    /// Returns the interconnect bandwidth at which the replicas and the large deployment have equal throughput.
    pub fn break_even(&self) -> BreakEven {
        let Some(small) = best(&self.small) else {
            return BreakEven::Always;
        };
        // Tolerance for rounding if both deployments give the same result.
        let least = small.tokens_per_gpu * (1.0 - 1e-9);
        let wins = |gigabytes: f64| {
            let large = self.large_joined_by(BytesPerSecond::from_gb(gigabytes));
            best(&large).is_some_and(|large| large.tokens_per_gpu >= least)
        };
        let (mut low, mut high) = (SLOWEST, FASTEST);
        if wins(low) {
            return BreakEven::Always;
        }
        if !wins(high) {
            return BreakEven::Never;
        }
        while high / low > 1.001 {
            let middle = (low * high).sqrt();
            if wins(middle) {
                high = middle
            } else {
                low = middle
            }
        }
        BreakEven::At(BytesPerSecond::from_gb(high))
    }
}

/// Reasons why replicas and a large deployment cannot be compared.
#[derive(Debug, Clone, PartialEq)]
pub enum NoInstances {
    /// All replicas in total have more GPUs than one deployment may have.
    TooManyGpus {
        /// Total number of GPUs of all replicas.
        gpus: f64,
    },
    /// The small replica or the large deployment breaks these rules.
    Refused(Vec<Refusal>),
}

/// Slowest and fastest interconnect between which a break-even bandwidth is sought, in GB/s. The range extends from a
/// tenth of gigabit Ethernet to a thousand NVLinks.
const SLOWEST: f64 = 0.01;
const FASTEST: f64 = 1e6;

/// Interconnect bandwidth at and above which the large deployment wins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BreakEven {
    /// The large deployment wins at any bandwidth, or the replicas cannot run.
    Always,
    /// The large deployment wins at this bandwidth and above.
    At(BytesPerSecond),
    /// The large deployment loses at every bandwidth.
    Never,
}

/// Throughput reached at a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reached {
    /// Sequences per GPU.
    pub batch_per_gpu: f64,
    /// Throughput in tok/s/GPU.
    pub tokens_per_gpu: f64,
}

/// Returns the throughput with the largest batch that fits and meets the SLO.
pub fn best(scenario: &Scenario) -> Option<Reached> {
    let batch = largest(scenario).ok()?.batch;
    let evaluation = with_batch(scenario, batch).ok()?;
    Some(Reached {
        batch_per_gpu: batch / f64::from(scenario.cluster.gpus),
        tokens_per_gpu: evaluation.tokens_per_gpu,
    })
}

/// Returns the scenario, but with a sequential schedule instead of two-batch overlap if that serves more at its best
/// batch.
fn better_schedule(scenario: &Scenario) -> Scenario {
    let spec = *scenario.plan.spec();
    if spec.overlap != Overlap::TwoBatch {
        return *scenario;
    }
    let plain = PlanSpec {
        overlap: Overlap::Sequential,
        ..spec
    };
    let Ok(plan) = Plan::new(plain, &scenario.arch, scenario.cluster.gpus) else {
        return *scenario;
    };
    let other = Scenario { plan, ..*scenario };
    let rate = |of: &Scenario| best(of).map_or(0.0, |best| best.tokens_per_gpu);
    if rate(&other) > rate(scenario) {
        other
    } else {
        *scenario
    }
}

/// Returns the scenario with all its GPUs in one scale-up domain of bandwidth `link`.
fn joined_by(scenario: &Scenario, link: BytesPerSecond) -> Scenario {
    let gpus = scenario.cluster.gpus;
    Scenario {
        cluster: Cluster {
            domain: gpus,
            scale_up: link,
            ..scenario.cluster
        },
        ..*scenario
    }
}
