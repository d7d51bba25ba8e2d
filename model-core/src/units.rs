//! Quantities as small newtypes over `f64` in base SI units.
//!
//! The unit is named in the constructor and in the accessor; only operators with a meaning exist
//! (`Bytes / BytesPerSecond = Seconds`). Decimal and binary prefixes are different constructors.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize)]
        pub struct $name(f64);

        impl $name {
            /// Nothing of it.
            pub const ZERO: Self = Self(0.0);

            /// From the base SI unit.
            pub const fn new(value: f64) -> Self {
                Self(value)
            }

            /// In the base SI unit.
            pub const fn get(self) -> f64 {
                self.0
            }

            /// The larger of two.
            pub fn max(self, other: Self) -> Self {
                Self(self.0.max(other.0))
            }

            /// The smaller of two.
            pub fn min(self, other: Self) -> Self {
                Self(self.0.min(other.0))
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }

        impl Div<f64> for $name {
            type Output = Self;
            fn div(self, divisor: f64) -> Self {
                Self(self.0 / divisor)
            }
        }

        impl Div for $name {
            type Output = f64;
            fn div(self, other: Self) -> f64 {
                self.0 / other.0
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
                parts.fold(Self::ZERO, Add::add)
            }
        }
    };
}

quantity! {
    /// A size in memory or on a link, in bytes.
    Bytes
}
quantity! {
    /// Work in floating-point operations; one multiply–accumulate is two.
    Flop
}
quantity! {
    /// A duration in seconds.
    Seconds
}
quantity! {
    /// A bandwidth in bytes per second; of a link, in one direction.
    BytesPerSecond
}
quantity! {
    /// A rate of dense compute in FLOP per second.
    FlopPerSecond
}

impl Bytes {
    /// From GiB (2³⁰ bytes), the unit memory capacities are read in.
    pub const fn from_gib(gib: f64) -> Self {
        Self(gib * 1_073_741_824.0)
    }

    /// In GiB (2³⁰ bytes).
    pub const fn as_gib(self) -> f64 {
        self.0 / 1_073_741_824.0
    }
}

impl Seconds {
    /// From microseconds.
    pub const fn from_micros(micros: f64) -> Self {
        Self(micros * 1e-6)
    }

    /// In microseconds.
    pub const fn as_micros(self) -> f64 {
        self.0 * 1e6
    }

    /// In milliseconds.
    pub const fn as_millis(self) -> f64 {
        self.0 * 1e3
    }
}

impl BytesPerSecond {
    /// From GB/s (10⁹ bytes per second).
    pub const fn from_gb(gigabytes: f64) -> Self {
        Self(gigabytes * 1e9)
    }

    /// In GB/s (10⁹ bytes per second).
    pub const fn as_gb(self) -> f64 {
        self.0 / 1e9
    }
}

impl FlopPerSecond {
    /// From TFLOP/s (10¹² per second).
    pub const fn from_tera(tera: f64) -> Self {
        Self(tera * 1e12)
    }

    /// In TFLOP/s (10¹² per second).
    pub const fn as_tera(self) -> f64 {
        self.0 / 1e12
    }
}

impl Div<BytesPerSecond> for Bytes {
    type Output = Seconds;
    fn div(self, bandwidth: BytesPerSecond) -> Seconds {
        Seconds(self.0 / bandwidth.0)
    }
}

impl Div<FlopPerSecond> for Flop {
    type Output = Seconds;
    fn div(self, rate: FlopPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}

/// Arithmetic intensity of work over traffic, or a ridge point of peak over bandwidth, in FLOP per byte.
impl Div<Bytes> for Flop {
    type Output = f64;
    fn div(self, bytes: Bytes) -> f64 {
        self.0 / bytes.0
    }
}

impl Div<Seconds> for Flop {
    type Output = FlopPerSecond;
    fn div(self, time: Seconds) -> FlopPerSecond {
        FlopPerSecond(self.0 / time.0)
    }
}

/// The ridge point: FLOP per byte at which a roof turns flat.
impl Div<BytesPerSecond> for FlopPerSecond {
    type Output = f64;
    fn div(self, bandwidth: BytesPerSecond) -> f64 {
        self.0 / bandwidth.0
    }
}
