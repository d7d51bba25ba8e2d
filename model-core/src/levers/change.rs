//! Changes to the inputs; each lever makes one.

use crate::arch::catalog::Entry;
use crate::bottleneck::Resource;
use crate::inputs::{Inputs, Model, Number};
use crate::plan::Overlap;

/// Groups of levers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeverGroup {
    /// Makes an infeasible scenario feasible.
    Fit,
    /// Uses another setting on the same GPUs.
    Settings,
    /// Uses better hardware, or more of it.
    Hardware,
    /// Serves a different workload.
    Workload,
}

impl LeverGroup {
    /// Returns the identifier of the lever group used in the JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Fit => "fit",
            Self::Settings => "settings",
            Self::Hardware => "hardware",
            Self::Workload => "workload",
        }
    }
}

/// Part of the hardware that can be improved by buying.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum HardwarePart {
    /// HBM bandwidth.
    Hbm,
    /// HBM capacity.
    Capacity,
    /// Peak FLOP/s of every format.
    Peak,
    /// Bandwidth between scale-up domains.
    ScaleOut,
    /// Bandwidth inside a scale-up domain.
    ScaleUp,
    /// Number of GPUs in a scale-up domain.
    Domain,
    /// Number of GPUs.
    Gpus,
    /// Collective latency α.
    Alpha,
    /// Kernel launch, framework and CPU overhead.
    Overhead,
}

impl HardwarePart {
    /// All hardware parts, in the order in which parts with equal gains are listed.
    pub const ALL: [Self; 9] = [
        Self::ScaleOut,
        Self::ScaleUp,
        Self::Hbm,
        Self::Peak,
        Self::Capacity,
        Self::Domain,
        Self::Gpus,
        Self::Alpha,
        Self::Overhead,
    ];

    /// Returns the identifier of the hardware part used in the JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Hbm => "hbm",
            Self::Capacity => "capacity",
            Self::Peak => "peak",
            Self::ScaleOut => "scale_out",
            Self::ScaleUp => "scale_up",
            Self::Domain => "domain",
            Self::Gpus => "gpus",
            Self::Alpha => "alpha",
            Self::Overhead => "overhead",
        }
    }

    /// Returns the permalink key that sets this hardware part.
    pub const fn number(self) -> Number {
        match self {
            Self::Hbm => Number::HbmScale,
            Self::Capacity => Number::CapacityScale,
            Self::Peak => Number::PeakScale,
            Self::ScaleOut => Number::ScaleOut,
            Self::ScaleUp => Number::ScaleUp,
            Self::Domain => Number::Domain,
            Self::Gpus => Number::Gpus,
            Self::Alpha => Number::LatencyScale,
            Self::Overhead => Number::OverheadScale,
        }
    }

    /// Returns the resources that this hardware part is bought to relieve; empty if it is not bought for a particular
    /// resource.
    pub const fn resources(self) -> &'static [Resource] {
        match self {
            Self::Hbm => &[Resource::Hbm],
            Self::Peak => &[Resource::Compute],
            Self::ScaleOut => &[Resource::ScaleOut],
            Self::ScaleUp => &[Resource::ScaleUp],
            Self::Domain => &[Resource::ScaleOut, Resource::ScaleUp, Resource::Latency],
            Self::Alpha => &[Resource::Latency],
            Self::Overhead => &[Resource::Launches],
            Self::Capacity | Self::Gpus => &[],
        }
    }

    /// Returns true for latencies and overheads, where a smaller value is better.
    pub const fn less_is_better(self) -> bool {
        matches!(self, Self::Alpha | Self::Overhead)
    }

    /// Returns the inputs with this hardware part doubled, or halved if it is a latency or overhead. A scale-up
    /// domain grows at most to the GPU count. If `better` is false, the part is made worse by the same factor.
    /// Returns `None` if the change has no effect here or the new value is outside the range of its permalink key.
    ///
    /// A changed GPU count need not be divisible by the plan's factors, because the search picks a new sharding.
    pub fn applied(self, inputs: &Inputs, better: bool) -> Option<Inputs> {
        let number = self.number();
        let now = inputs.get(number)?;
        let gpus = inputs.get(Number::Gpus)?;
        let domain = inputs.get(Number::Domain)?;
        let grows = better != self.less_is_better();
        let value = now * if grows { 2.0 } else { 0.5 };
        let value = match self {
            Self::Domain if better && domain >= gpus => return None,
            Self::Domain => value.min(gpus.max(1.0)).floor(),
            Self::Gpus if better && 2.0 * gpus > number.spec().most => return None,
            Self::Gpus if value.fract() != 0.0 => return None,
            Self::ScaleOut if gpus <= domain => return None,
            Self::ScaleUp if gpus <= 1.0 || domain <= 1.0 => return None,
            Self::Alpha if gpus <= 1.0 => return None,
            _ => value,
        };
        let mut with = *inputs;
        // Only an allowed and different value is a change.
        let moved = number.allows(value) && value.to_bits() != now.to_bits();
        (moved && with.state(number, Some(value))).then_some(with)
    }
}

/// One change of the inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Change {
    /// Uses the feasible batch with the highest throughput.
    FitBatch,
    /// Uses the smallest GPU count that makes the stated batch feasible.
    FitGpus,
    /// Makes the stated batch feasible by the smallest change other than the batch or the GPU count.
    FitOther,
    /// Changes one number so that a refused scenario becomes valid.
    FitValue(Number),
    /// Uses the batch with the highest throughput.
    Batch,
    /// Uses another schedule.
    Overlap(Overlap),
    /// Uses the best sharding with its best schedule.
    Plan,
    /// Splits all GPUs into equal replicas, each with its best plan. Uses the replica count with the highest
    /// throughput.
    Replicas,
    /// Uses weights in the precision in which they were released.
    Precision,
    /// Uses another number of MTP draft tokens.
    Mtp,
    /// Uses an FP8 KV cache.
    Kv,
    /// Uses no redundant experts.
    Redundant,
    /// Assumes balanced experts, β = 1.
    Beta,
    /// Uses the best combination of the settings whose gain needs no assumption.
    All,
    /// Uses the best combination of all settings except β.
    AllAssumed,
    /// Doubles a hardware part, or halves it if it is a latency or overhead.
    Part(HardwarePart),
    /// Improves two hardware parts at once: the pair with the highest gain.
    Pair(HardwarePart, HardwarePart),
    /// Halves the context.
    Context,
}

impl Change {
    /// Returns the identifier that the JSON uses for the change.
    pub const fn id(self) -> &'static str {
        match self {
            Self::FitBatch => "fit_batch",
            Self::FitGpus => "fit_gpus",
            Self::FitOther => "fit_other",
            Self::FitValue(_) => "fit_value",
            Self::Batch => "batch",
            Self::Overlap(_) => "overlap",
            Self::Plan => "plan",
            Self::Replicas => "replicas",
            Self::Precision => "precision",
            Self::Mtp => "mtp",
            Self::Kv => "kv",
            Self::Redundant => "redundant",
            Self::Beta => "beta",
            Self::All => "all",
            Self::AllAssumed => "all_assumed",
            Self::Part(part) => part.id(),
            Self::Pair(..) => "pair",
            Self::Context => "context",
        }
    }

    /// Returns the group of the lever.
    pub const fn group(self) -> LeverGroup {
        match self {
            Self::FitBatch | Self::FitGpus | Self::FitOther | Self::FitValue(_) => LeverGroup::Fit,
            Self::Part(_) | Self::Pair(..) => LeverGroup::Hardware,
            Self::Context => LeverGroup::Workload,
            _ => LeverGroup::Settings,
        }
    }

    /// Returns true if the gain depends on something that Ridgepoint does not compute: acceptance, answer quality, or
    /// balance.
    pub const fn assumed(self) -> bool {
        matches!(
            self,
            Self::Mtp | Self::Kv | Self::Redundant | Self::Beta | Self::AllAssumed
        )
    }

    /// Returns the resources that the change relieves; empty if it does not concern a particular resource.
    pub const fn resources(self) -> &'static [Resource] {
        match self {
            Self::Part(part) => part.resources(),
            Self::Beta => &[Resource::Balance],
            _ => &[],
        }
    }

    /// Returns true if this change includes the change `part`. A combination or pair includes its components. Any other
    /// setting includes [`Self::Batch`], because it is evaluated at its best batch.
    pub fn combines(self, part: Self) -> bool {
        let setting = part.group() == LeverGroup::Settings && part != Self::Beta && part != self;
        match self {
            Self::All => setting && !part.assumed(),
            Self::AllAssumed => setting,
            Self::Pair(one, other) => part == Self::Part(one) || part == Self::Part(other),
            // Each setting is evaluated at its best batch.
            _ => self.group() == LeverGroup::Settings && part == Self::Batch && part != self,
        }
    }

    /// Returns true if the lever appears only in the full table, not in the short list.
    pub const fn only_in_table(self) -> bool {
        matches!(self, Self::Beta | Self::Context)
    }
}

/// Returns the model's catalog entry if the model comes with an MTP head.
fn drafting(model: &Model) -> Option<&'static Entry> {
    match model {
        Model::Catalog(entry) if entry.drafts => Some(entry),
        Model::Catalog(_) | Model::Custom(_) => None,
    }
}

/// Returns one copy of the inputs for each number of draft tokens from 0 to 3, except the current one; empty if the
/// model has no MTP head.
pub fn drafts(inputs: &Inputs) -> Vec<Inputs> {
    if drafting(&inputs.model).is_none() {
        return Vec::new();
    }
    let now = inputs.get(Number::SpeculationDepth).unwrap_or(0.0);
    (0..=3)
        .map(f64::from)
        .filter(|depth| depth.to_bits() != now.to_bits())
        .map(|depth| inputs.with(Number::SpeculationDepth, depth))
        .collect()
}

/// Returns the inputs with a KV cache of one byte per element; `None` if it is already that small.
pub fn fp8_cache(inputs: &Inputs) -> Option<Inputs> {
    let wider = inputs.get(Number::KvBytes).is_some_and(|bytes| bytes > 1.0);
    wider.then(|| inputs.with(Number::KvBytes, 1.0))
}

/// Returns the inputs without redundant experts; `None` if there are none.
pub fn without_redundant(inputs: &Inputs) -> Option<Inputs> {
    let some = inputs
        .get(Number::Redundant)
        .is_some_and(|copies| copies > 0.0);
    (some && inputs.model.arch().is_moe()).then(|| inputs.with(Number::Redundant, 0.0))
}

/// Returns the inputs with balanced experts; `None` if they are already balanced.
pub fn balanced(inputs: &Inputs) -> Option<Inputs> {
    let below = inputs.get(Number::Beta).is_some_and(|beta| beta < 1.0);
    (below && inputs.model.arch().is_moe()).then(|| inputs.with(Number::Beta, 1.0))
}

/// Returns the inputs with half the context; `None` if the context is below 2 tokens.
pub fn half_context(inputs: &Inputs) -> Option<Inputs> {
    let context = inputs.get(Number::Context)?;
    (context >= 2.0).then(|| inputs.with(Number::Context, (context / 2.0).floor()))
}

/// GPUs per host. Replicas are not allowed to split a host. Heads may be split within a host, even without a scale-up
/// network.
pub const HOST: u32 = 8;

/// Returns one copy of the inputs for each way to divide the same GPUs into replicas, except the current one. If there
/// are several replicas, each consists of whole hosts. No GPU is left over, and the replica size is within the range
/// of its permalink key. The plan and the batch are left open.
pub fn divisions(inputs: &Inputs) -> Vec<Inputs> {
    let whole = |number| inputs.get(number).unwrap_or(1.0);
    let (replicas, gpus) = (whole(Number::Replicas), whole(Number::Gpus));
    let all = replicas * gpus;
    let most = Number::Replicas.spec().most.min(all) as u32;
    (1..=most)
        .map(f64::from)
        .filter(|count| {
            let each = all / count;
            let hosts = each % f64::from(HOST) == 0.0 || *count <= 1.0;
            all % count == 0.0
                && hosts
                && each <= Number::Gpus.spec().most
                && count.to_bits() != replicas.to_bits()
        })
        .map(|count| {
            let mut divided = *inputs;
            divided.unshard();
            divided
                .with(Number::Replicas, count)
                .with(Number::Gpus, all / count)
        })
        .collect()
}
