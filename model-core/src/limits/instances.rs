//! One large deployment against many small ones on as many GPUs.

use super::growth::scenario_on;
use super::largest;
use crate::evaluate::with_batch;
use crate::hardware::Cluster;
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::scenario::refusal::Refusal;
use crate::scenario::{Inputs, Number, Scenario};
use crate::units::BytesPerSecond;

/// Two ways to use the same GPUs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instances {
    /// One of the small ones: the inputs as they are.
    pub small: Scenario,
    /// How many of them there are.
    pub count: u32,
    /// One deployment over all their GPUs.
    pub large: Scenario,
    /// The same as the scenario schedules it: over another link another schedule may serve more.
    scheduled: Scenario,
}

impl Instances {
    /// `inputs` as one of their stated number of instances, against one that joins the GPUs of all by
    /// a network of the stated interconnect bandwidth.
    ///
    /// Source: [B] VII-C and Figure 12. Assumes: every GPU of the large one is in one domain of that
    /// bandwidth, as [B] varies it; each instance gets an equal share of the sequences; where the scenario
    /// overlaps two batches, either may as well do without.
    /// Errors: the rules that either breaks.
    pub fn new(inputs: &Inputs) -> Result<Self, NoInstances> {
        let small = inputs.scenario().map_err(NoInstances::Refused)?;
        let count = inputs.get(Number::Instances).unwrap_or(1.0);
        let link = inputs
            .get(Number::Interconnect)
            .map_or(small.cluster.scale_out, BytesPerSecond::from_gb);
        let gpus = f64::from(small.cluster.gpus) * count;
        if !Number::Gpus.allows(gpus) {
            return Err(NoInstances::TooManyGpus { gpus });
        }
        // The sharding within a domain must not change with the size of the domain.
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

    /// The best either does: with the largest batch that fits and meets the SLO. `None` where not
    /// even one sequence does.
    pub fn best(&self) -> (Option<Reached>, Option<Reached>) {
        (best(&self.small), best(&self.large))
    }

    /// Throughput of the large one over that of the small ones, each at its best.
    pub fn gain(&self) -> Option<f64> {
        let (small, large) = self.best();
        Some(large?.tokens_per_gpu / small?.tokens_per_gpu)
    }

    /// The large one joined by another interconnect, in the schedule that serves more there.
    pub fn large_joined_by(&self, link: BytesPerSecond) -> Scenario {
        better_schedule(&joined_by(&self.scheduled, link))
    }

    /// The interconnect at which the large one does as well as the small ones.
    pub fn break_even(&self) -> BreakEven {
        let Some(small) = best(&self.small) else {
            return BreakEven::Always;
        };
        // Where both compute the same, rounding must not decide.
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

/// Reasons why there is no such pair.
#[derive(Debug, Clone, PartialEq)]
pub enum NoInstances {
    /// All of them have more GPUs than a deployment may.
    TooManyGpus {
        /// How many.
        gpus: f64,
    },
    /// One of the two breaks these rules.
    Refused(Vec<Refusal>),
}

/// GB/s between which a break-even is sought: a tenth of gigabit Ethernet, a thousand NVLinks.
const SLOWEST: f64 = 0.01;
const FASTEST: f64 = 1e6;

/// The bandwidth from which the large deployment wins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BreakEven {
    /// At any bandwidth: the small ones cannot run, or lose whatever joins the large one.
    Always,
    /// From this bandwidth on.
    At(BytesPerSecond),
    /// At none.
    Never,
}

/// Throughput at a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reached {
    /// Sequences per GPU.
    pub batch_per_gpu: f64,
    /// Tokens per second and GPU.
    pub tokens_per_gpu: f64,
}

/// Throughput with the largest batch that fits and meets the SLO.
pub fn best(scenario: &Scenario) -> Option<Reached> {
    let batch = largest(scenario).ok()?.batch;
    let evaluation = with_batch(scenario, batch).ok()?;
    Some(Reached {
        batch_per_gpu: batch / f64::from(scenario.cluster.gpus),
        tokens_per_gpu: evaluation.tokens_per_gpu,
    })
}

/// The scenario, or where two batches overlap, the same without, if it then serves more at its best.
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

/// The scenario with all its GPUs in one domain of `link`.
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
