//! Mathematical functions, based on `libm`.
//!
//! `sqrt`, `floor` and `ceil` of `f64` agree on every platform. `ln` and `pow` differ in their last bits between the
//! platform's C library and wasm. Therefore, one implementation of them is compiled for both.

/// Returns the natural logarithm of `x`.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Returns `base` to the power `exponent`.
pub fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// Returns e to the power `x`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Returns the gamma function of `x`.
pub fn gamma(x: f64) -> f64 {
    libm::tgamma(x)
}

/// Returns the logarithm of `x` to base 10.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}
