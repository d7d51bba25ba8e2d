//! Changes of the inputs, from which every lever is made.

use crate::arch::catalog::Entry;
use crate::bottleneck::Resource;
use crate::inputs::{Inputs, Model, Number};
use crate::plan::Overlap;

/// Kinds of levers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeverGroup {
    /// Makes an infeasible scenario feasible.
    Fit,
    /// Another setting on the same GPUs.
    Settings,
    /// Better hardware, or more of it.
    Hardware,
    /// Another workload.
    Workload,
}

impl LeverGroup {
    /// Identifier in the JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Fit => "fit",
            Self::Settings => "settings",
            Self::Hardware => "hardware",
            Self::Workload => "workload",
        }
    }
}

/// A part of the hardware that can be bought.
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
    /// GPUs in a scale-up domain.
    Domain,
    /// GPUs.
    Gpus,
    /// Collective latency α.
    Alpha,
    /// Kernel launch, framework and CPU overhead.
    Overhead,
}

impl HardwarePart {
    /// All parts; equal ones are listed in this order.
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

    /// Identifier in the JSON.
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

    /// The link key that states it.
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

    /// Resources that it is bought for; empty where it is for any.
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

    /// True for latencies and overheads.
    pub const fn less_is_better(self) -> bool {
        matches!(self, Self::Alpha | Self::Overhead)
    }

    /// The inputs with twice as much of the part (half the latency), or if not `better` half as much; `None` if
    /// that means nothing here or leaves the range of its key.
    ///
    /// The GPU count need not divide evenly: their sharding is left to the search.
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
    /// The feasible batch with the most throughput.
    FitBatch,
    /// The smallest GPU count for the stated batch.
    FitGpus,
    /// The least other change that makes the stated batch feasible.
    FitOther,
    /// A remedy of a refusal: another value of one number.
    FitValue(Number),
    /// The batch with the most throughput.
    Batch,
    /// Another schedule.
    Overlap(Overlap),
    /// The best sharding with its schedule.
    Plan,
    /// The number of equal replicas on all GPUs with the most throughput, each with its best plan.
    Replicas,
    /// Weights in the released precision.
    Precision,
    /// MTP draft tokens.
    Mtp,
    /// FP8 KV cache.
    Kv,
    /// No redundant experts.
    Redundant,
    /// Balanced experts, β = 1.
    Beta,
    /// The best combination of settings that are not assumed.
    All,
    /// The best combination of all settings but β.
    AllAssumed,
    /// Twice the part, or half the latency.
    Part(HardwarePart),
    /// The best two parts at once.
    Pair(HardwarePart, HardwarePart),
    /// Half the context.
    Context,
}

impl Change {
    /// Identifier in the JSON.
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

    /// Kind of the lever.
    pub const fn group(self) -> LeverGroup {
        match self {
            Self::FitBatch | Self::FitGpus | Self::FitOther | Self::FitValue(_) => LeverGroup::Fit,
            Self::Part(_) | Self::Pair(..) => LeverGroup::Hardware,
            Self::Context => LeverGroup::Workload,
            _ => LeverGroup::Settings,
        }
    }

    /// True if the gain depends on what the model does not compute: acceptance, answer quality, balance.
    pub const fn assumed(self) -> bool {
        matches!(
            self,
            Self::Mtp | Self::Kv | Self::Redundant | Self::Beta | Self::AllAssumed
        )
    }

    /// Resources that it relieves; empty where it is no matter of one.
    pub const fn resources(self) -> &'static [Resource] {
        match self {
            Self::Part(part) => part.resources(),
            Self::Beta => &[Resource::Balance],
            _ => &[],
        }
    }

    /// True for a combination that includes `part`.
    pub fn combines(self, part: Self) -> bool {
        let setting = part.group() == LeverGroup::Settings && part != Self::Beta && part != self;
        match self {
            Self::All => setting && !part.assumed(),
            Self::AllAssumed => setting,
            Self::Pair(one, other) => part == Self::Part(one) || part == Self::Part(other),
            // Each is evaluated at its best batch.
            _ => self.group() == LeverGroup::Settings && part == Self::Batch && part != self,
        }
    }

    /// True if it is listed in the table, not in the strip.
    pub const fn only_in_table(self) -> bool {
        matches!(self, Self::Beta | Self::Context)
    }
}

/// The model's catalog row, if it comes with an MTP head.
fn drafting(model: &Model) -> Option<&'static Entry> {
    match model {
        Model::Catalog(entry) if entry.drafts => Some(entry),
        Model::Catalog(_) | Model::Custom(_) => None,
    }
}

/// Inputs with other numbers of draft tokens, 0 to 3, for a model with an MTP head.
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

/// The inputs with a KV cache of one byte per element, where it has more.
pub fn fp8_cache(inputs: &Inputs) -> Option<Inputs> {
    let wider = inputs.get(Number::KvBytes).is_some_and(|bytes| bytes > 1.0);
    wider.then(|| inputs.with(Number::KvBytes, 1.0))
}

/// The inputs without redundant experts, where there are any.
pub fn without_redundant(inputs: &Inputs) -> Option<Inputs> {
    let some = inputs
        .get(Number::Redundant)
        .is_some_and(|copies| copies > 0.0);
    (some && inputs.model.arch().is_moe()).then(|| inputs.with(Number::Redundant, 0.0))
}

/// The inputs with balanced experts, where they are not.
pub fn balanced(inputs: &Inputs) -> Option<Inputs> {
    let below = inputs.get(Number::Beta).is_some_and(|beta| beta < 1.0);
    (below && inputs.model.arch().is_moe()).then(|| inputs.with(Number::Beta, 1.0))
}

/// The inputs with half the context.
pub fn half_context(inputs: &Inputs) -> Option<Inputs> {
    let context = inputs.get(Number::Context)?;
    (context >= 2.0).then(|| inputs.with(Number::Context, (context / 2.0).floor()))
}

/// GPUs of a host. Replicas do not divide one; heads may be split within it whether or not a scale-up network joins
/// them.
pub const HOST: u32 = 8;

/// The same GPUs with other replica counts: whole hosts, no unused GPU, replica sizes that a link may
/// state. Plan and batch are open.
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
