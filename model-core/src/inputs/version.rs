//! Versions of the link, each with its defaults for ever.

use crate::named::named;
use crate::precision::NamedPrecision;

named! {
    /// A version of the link.
    pub enum Version {
        /// Calibration `kernels-2026`, no memory reserve.
        V1 = "1",
        /// Calibration `kernels-2026-11`, a 10% memory reserve.
        V2 = "2",
        /// Calibration `kernels-2026-12`, the released checkpoint on the fewest GPUs that fit, engine memory.
        V3 = "3",
    }
}

impl Version {
    /// The version in which new links are written.
    pub const NEWEST: Self = Self::V3;

    /// True if defaults follow the model and the accelerator, and memory includes the engine's.
    pub const fn starts_as_engines_do(self) -> bool {
        matches!(self, Self::V3)
    }

    /// Default precision.
    pub const fn precision(self) -> NamedPrecision {
        match self {
            Self::V1 | Self::V2 => NamedPrecision::DeepseekFp8,
            Self::V3 => NamedPrecision::Released,
        }
    }

    /// The precisions that a link of this version names.
    pub fn precisions(self) -> impl Iterator<Item = NamedPrecision> {
        NamedPrecision::ALL.into_iter().filter(move |precision| {
            self.starts_as_engines_do() || *precision != NamedPrecision::Released
        })
    }

    /// Default tokens of context, without request lengths.
    pub const fn context(self) -> f64 {
        match self {
            Self::V1 | Self::V2 => 2000.0,
            Self::V3 => 8192.0,
        }
    }

    /// Default memory reserve. Engines reserve 5–15% for graphs, buffers and fragmentation.
    pub const fn reserve(self) -> f64 {
        match self {
            Self::V1 => 0.0,
            Self::V2 | Self::V3 => 0.1,
        }
    }
}
