//! Functions of analysis, over `libm`.
//!
//! `sqrt`, `floor` and `ceil` of `f64` agree everywhere; `ln` and `pow` of the platform's C library
//! and of wasm differ in their last bits, so they come from one implementation compiled for both.

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// `base` to the power `exponent`.
pub fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// e to the power `x`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// The gamma function.
pub fn gamma(x: f64) -> f64 {
    libm::tgamma(x)
}

/// Logarithm to base 10.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}
