//! Versions of the link, each with its defaults for ever.

use crate::named::named;

named! {
    /// A version of the link.
    pub enum Version {
        /// Calibration `kernels-2026`, no memory kept free.
        V1 = "1",
        /// Calibration `kernels-2026-11`, a tenth of the memory kept free.
        V2 = "2",
    }
}

impl Version {
    /// Share of memory kept free where none is stated. Engines keep 5 to 15 % for graphs, buffers and fragmentation.
    pub const fn reserve(self) -> f64 {
        match self {
            Self::V1 => 0.0,
            Self::V2 => 0.1,
        }
    }
}
