//! Choices of a scenario whose attention runs on separate GPUs (AFD, Lamina).

use crate::arch::{Arch, Mixer};
use crate::named::named;
use crate::trace::{TRACES, Trace};

named! {
    /// Source of the latencies.
    pub enum LatencySource {
        /// The operators of the scenario.
        Derived = "derived",
        /// DeepSeek-V3 on Ascend 910C as regressed from traces. Source: [R] Table 2 (also Table 4).
        Table2 = "table2",
    }
}

/// Scatter of prompt and output lengths around their means.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Scatter {
    /// Both geometric, on 0, 1, 2, … Source: [R] 3.3 for outputs.
    Geometric,
    /// Every request the same, rounded to whole tokens.
    Fixed,
    /// Lengths scattered as in a trace's requests.
    Of(&'static Trace),
}

impl Scatter {
    /// All values, in the order of lists.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Geometric, Self::Fixed]
            .into_iter()
            .chain(TRACES.iter().map(Self::Of))
    }

    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Geometric => "geometric",
            Self::Fixed => "fixed",
            Self::Of(trace) => trace.id,
        }
    }

    /// The value with this identifier.
    pub fn find(id: &str) -> Option<Self> {
        Self::all().find(|scatter| scatter.id() == id)
    }

    /// Trace of these lengths.
    pub const fn trace(self) -> Option<&'static Trace> {
        match self {
            Self::Of(trace) => Some(trace),
            Self::Geometric | Self::Fixed => None,
        }
    }
}

named! {
    /// Division of attention among the memory devices.
    pub enum Partition {
        /// By heads: even for any lengths, but the single MLA cache is then replicated on every device,
        /// and so are KV heads beyond one device each. Source: [L] 5, Figure 9 (b).
        Heads = "heads",
        /// By requests: every cache is stored once. Source: [L] 5, Figure 9 (a).
        /// Not modeled: the uneven lengths that make one device the slowest.
        Requests = "requests",
    }
}

impl Partition {
    /// By heads as [L] does, except where all heads share one cache.
    pub fn default_of(arch: &Arch) -> Self {
        let mut mixers = arch.mixers().iter();
        if mixers.all(|part| matches!(part.shape, Mixer::Grouped(_))) {
            Self::Heads
        } else {
            Self::Requests
        }
    }
}

named! {
    /// Queries sent ahead, so that attention over the earlier tokens runs while the new
    /// key and value are still projected and sent. Source: [L] 4.2.2.
    pub enum QEarly {
        /// Queries first.
        On = "on",
        /// Query, key and value in one transfer.
        Off = "off",
    }
}
