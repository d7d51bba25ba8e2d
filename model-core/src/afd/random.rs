//! Seeded random numbers that are the same on every machine.

use crate::math;

/// The SplitMix64 generator: a 64-bit counter passed through a mixing function.
///
/// state += 0x9E3779B97F4A7C15, then two rounds of xor-shift and multiplication. Every seed has the full period of
/// 2⁶⁴. Neighboring seeds give unrelated numbers after the first one.
///
/// Source: Steele, Lea, Flood, *Fast splittable pseudorandom number generators* (OOPSLA 2014), Figure 16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Starts the random sequence that belongs to `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns the next 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Draws a uniform number above 0 and at most 1, in steps of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / 9_007_199_254_740_992.0;
        ((self.bits() >> 11) + 1) as f64 * STEP
    }

    /// Draws an exponential number with mean 1: −ln U.
    pub fn exponential(&mut self) -> f64 {
        -math::ln(self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the first numbers of seed 1234567, as published with the reference implementation.
    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        let first: Vec<u64> = (0..5).map(|_| random.bits()).collect();
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn uniform_range_and_mean() {
        let mut random = Random::new(7);
        let numbers: Vec<f64> = (0..100_000).map(|_| random.unit()).collect();
        assert!(numbers.iter().all(|number| *number > 0.0 && *number <= 1.0));
        let mean = numbers.iter().sum::<f64>() / 1e5;
        // Standard deviation of the mean: 0.289/√100,000 = 0.0009.
        assert!((mean - 0.5).abs() < 0.004, "{mean}");
    }
}
