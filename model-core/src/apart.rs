//! Options for a scenario that runs attention on separate GPUs (AFD or Lamina).

use crate::arch::{Arch, Mixer};
use crate::named::named;
use crate::trace::{TRACES, Trace};

named! {
    /// Source of the AFD latencies.
    pub enum LatencySource {
        /// AFD latencies are derived from the operators of the scenario.
        Derived = "derived",
        /// AFD latencies of DeepSeek-V3 on Ascend 910C, fitted to traces by regression. Source: [R] Table 2 (also
        /// Table 4).
        Table2 = "table2",
    }
}

/// Choice of how prompt and output lengths scatter around their means.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Scatter {
    /// Geometric distribution of prompt and output lengths, starting at 0. Source for outputs: [R] 3.3.
    Geometric,
    /// All requests have the same lengths, rounded to whole tokens.
    Fixed,
    /// Lengths have the same relative scatter as the requests of a trace.
    Of(&'static Trace),
}

impl Scatter {
    /// Returns all choices in display order.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Geometric, Self::Fixed]
            .into_iter()
            .chain(TRACES.iter().map(Self::Of))
    }

    /// Returns the identifier used in permalinks.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Geometric => "geometric",
            Self::Fixed => "fixed",
            Self::Of(trace) => trace.id,
        }
    }

    /// Finds the choice with this identifier; `None` if there is none.
    pub fn find(id: &str) -> Option<Self> {
        Self::all().find(|scatter| scatter.id() == id)
    }

    /// Returns the trace whose scatter of lengths is used; `None` for other choices.
    pub const fn trace(self) -> Option<&'static Trace> {
        match self {
            Self::Of(trace) => Some(trace),
            Self::Geometric | Self::Fixed => None,
        }
    }
}

named! {
    /// Choice of how Lamina divides attention among the memory devices.
    pub enum Partition {
        /// Each memory device has some of the heads, so the load is even for any sequence lengths. A single-head MLA
        /// cache is then replicated on every device. KV heads are also replicated if devices outnumber them. Source:
        /// [L] 5, Figure 9 (b).
        Heads = "heads",
        /// Each memory device has some of the requests, so every cache is stored once. Source: [L] 5, Figure 9 (a).
        /// Not modeled: uneven sequence lengths, which make one device the slowest.
        Requests = "requests",
    }
}

impl Partition {
    /// Returns the default division of Lamina's attention: by heads, as in [L], if every mixer is GQA; otherwise by
    /// requests.
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
    /// Option to send queries early, so that attention over the earlier tokens overlaps the projection and sending of
    /// the new key and value. Source: [L] 4.2.2.
    pub enum QEarly {
        /// Queries are sent before keys and values.
        On = "on",
        /// Query, key and value are sent in one transfer.
        Off = "off",
    }
}
