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

/// Returns all divisors of `of` in ascending order; empty if `of` is 0.
pub fn divisors(of: u32) -> impl DoubleEndedIterator<Item = u32> {
    (1..=of).filter(move |divisor| of.is_multiple_of(*divisor))
}

/// Returns the largest divisor of `of` up to `most`, with at most √`of` trials; `None` if `of` or `most` is 0.
pub(crate) fn largest_divisor(of: u32, most: u32) -> Option<u32> {
    let mut largest = None;
    for divisor in (1..=of.isqrt()).filter(|divisor| of.is_multiple_of(*divisor)) {
        // Cofactors descend, and none is less than a divisor up to √`of`.
        if of / divisor <= most {
            return Some(of / divisor);
        }
        if divisor <= most {
            largest = Some(divisor);
        }
    }
    largest
}

/// Returns the largest whole number for which `holds` is true, and the smallest for which it is false.
///
/// Assumes: `holds` is true at `low` and false at `high`, and changes once between them.
pub(crate) fn bisect(mut low: f64, mut high: f64, mut holds: impl FnMut(f64) -> bool) -> [f64; 2] {
    while high - low > 1.0 {
        let middle = f64::midpoint(low, high).floor();
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_divisor_is_the_last_of_all() {
        for of in 0..=300 {
            for most in 0..=of + 1 {
                let last = divisors(of).take_while(|divisor| *divisor <= most).last();
                assert_eq!(largest_divisor(of, most), last, "of {of} up to {most}");
            }
        }
    }
}
