//! Physical quantities as newtypes over `f64`, in base SI units.
//!
//! The names of constructors and accessors contain the unit. Only operators that make physical sense are implemented
//! (`Bytes / BytesPerSecond = Seconds`). Decimal and binary prefixes have separate constructors.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize)]
        pub struct $name(f64);

        impl $name {
            /// Zero of this quantity.
            pub const ZERO: Self = Self(0.0);

            /// Creates the quantity from a value in its base SI unit.
            pub const fn new(value: f64) -> Self {
                Self(value)
            }

            /// Returns the value in the base SI unit.
            pub const fn get(self) -> f64 {
                self.0
            }

            /// Returns the larger of two quantities.
            pub fn max(self, other: Self) -> Self {
                Self(self.0.max(other.0))
            }

            /// Returns the smaller of two quantities.
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
    /// An amount of data in bytes, in memory or in a transfer.
    Bytes
}
quantity! {
    /// Floating-point operations; one multiply–accumulate counts as two.
    Flop
}
quantity! {
    /// A duration in seconds.
    Seconds
}
quantity! {
    /// A bandwidth in bytes per second. For an interconnect, it is the bandwidth in one direction.
    BytesPerSecond
}
quantity! {
    /// A rate of dense compute, in FLOP per second.
    FlopPerSecond
}

impl Bytes {
    /// Creates a size from GiB (2³⁰ bytes), the unit in which memory capacities are read.
    pub const fn from_gib(gib: f64) -> Self {
        Self(gib * 1_073_741_824.0)
    }

    /// Returns the size in GiB (2³⁰ bytes).
    pub const fn as_gib(self) -> f64 {
        self.0 / 1_073_741_824.0
    }
}

impl Seconds {
    /// Creates a duration from microseconds.
    pub const fn from_micros(micros: f64) -> Self {
        Self(micros * 1e-6)
    }

    /// Returns the duration in microseconds.
    pub const fn as_micros(self) -> f64 {
        self.0 * 1e6
    }

    /// Returns the duration in milliseconds.
    pub const fn as_millis(self) -> f64 {
        self.0 * 1e3
    }
}

impl BytesPerSecond {
    /// Creates a bandwidth from GB/s (10⁹ bytes per second).
    pub const fn from_gb(gigabytes: f64) -> Self {
        Self(gigabytes * 1e9)
    }

    /// Returns the bandwidth in GB/s (10⁹ bytes per second).
    pub const fn as_gb(self) -> f64 {
        self.0 / 1e9
    }
}

impl FlopPerSecond {
    /// Creates a compute rate from TFLOP/s (10¹² FLOP per second).
    pub const fn from_tera(tera: f64) -> Self {
        Self(tera * 1e12)
    }

    /// Returns the compute rate in TFLOP/s (10¹² FLOP per second).
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

/// Divides work by memory traffic; the result is the arithmetic intensity in FLOP per byte.
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

/// Divides peak compute by bandwidth; the result is the ridge point of the roofline in FLOP per byte.
impl Div<BytesPerSecond> for FlopPerSecond {
    type Output = f64;
    fn div(self, bandwidth: BytesPerSecond) -> f64 {
        self.0 / bandwidth.0
    }
}
