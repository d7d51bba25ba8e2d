//! Permalink versions, each with defaults that never change.

use crate::named::named;
use crate::precision::NamedPrecision;

named! {
    /// A version of the permalink format.
    pub enum Version {
        /// Uses calibration `kernels-2026` and no memory reserve.
        V1 = "1",
        /// Uses calibration `kernels-2026-11` and a 10% memory reserve.
        V2 = "2",
        /// Uses calibration `kernels-2026-12`, the released checkpoint on the fewest GPUs that fit, and engine
        /// memory.
        V3 = "3",
    }
}

impl Version {
    /// The version in which new permalinks are written.
    pub const NEWEST: Self = Self::V3;

    /// Returns true if defaults follow the model and the accelerator, and memory use includes that of the engine.
    pub const fn starts_as_engines_do(self) -> bool {
        matches!(self, Self::V3)
    }

    /// Returns the default precision of this permalink version.
    pub const fn precision(self) -> NamedPrecision {
        match self {
            Self::V1 | Self::V2 => NamedPrecision::DeepseekFp8,
            Self::V3 => NamedPrecision::Released,
        }
    }

    /// Returns the precisions that a permalink of this version can name.
    pub fn precisions(self) -> impl Iterator<Item = NamedPrecision> {
        NamedPrecision::ALL.into_iter().filter(move |precision| {
            self.starts_as_engines_do() || *precision != NamedPrecision::Released
        })
    }

    /// Returns the default context of this permalink version in tokens, used if no request lengths are set.
    pub const fn context(self) -> f64 {
        match self {
            Self::V1 | Self::V2 => 2000.0,
            Self::V3 => 8192.0,
        }
    }

    /// Returns the default memory reserve of this permalink version. Engines reserve 5–15% for graphs, buffers and
    /// fragmentation.
    pub const fn reserve(self) -> f64 {
        match self {
            Self::V1 => 0.0,
            Self::V2 | Self::V3 => 0.1,
        }
    }
}
