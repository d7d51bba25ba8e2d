//! Distributions of prompt and output lengths, and the resulting mean number of cached tokens.

use super::random::Random;
use crate::apart::Scatter;
use crate::math;
use crate::trace::Trace;

impl LengthModel {
    /// Returns length distributions with means `prompt` and `output`. If a trace is chosen, its standard deviations are
    /// scaled with the means. For a trace without published standard deviations, lengths are geometric.
    pub fn of(scatter: Scatter, prompt: f64, output: f64) -> Self {
        let deviations = |trace: &'static Trace| Some((trace, trace.deviations?));
        let (prompt, output) = match (scatter, scatter.trace().and_then(deviations)) {
            (Scatter::Fixed, _) => (Distribution::Fixed(prompt), Distribution::Fixed(output)),
            (_, Some((trace, (of_prompt, of_output)))) => (
                Distribution::scattered(prompt, of_prompt / trace.prompt),
                Distribution::scattered(output, of_output / trace.output),
            ),
            _ => (
                Distribution::Geometric(prompt),
                Distribution::Geometric(output),
            ),
        };
        Self { prompt, output }
    }
}

/// A distribution of whole-number lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distribution {
    /// Every length equals the mean; a random draw rounds the mean to a whole number.
    Fixed(f64),
    /// Geometric distribution: P(D = n) = p (1 − p)ⁿ with p = 1/(1 + mean).
    Geometric(f64),
    /// Weibull distribution, rounded to whole tokens; exponential if k = 1.
    Weibull {
        /// Mean of the distribution.
        mean: f64,
        /// Standard deviation ÷ mean of the distribution.
        variation: f64,
        /// Shape parameter k of the Weibull distribution: 1 is the exponential distribution; a smaller k has a
        /// heavier tail.
        shape: f64,
        /// Scale parameter λ of the Weibull distribution, in the unit of the mean.
        scale: f64,
    },
}

impl Distribution {
    /// Returns the Weibull distribution with this mean and a standard deviation of `variation` × mean.
    ///
    /// Finds the parameters k and λ from mean = λ Γ(1 + 1/k) and variation² = Γ(1 + 2/k)/Γ(1 + 1/k)² − 1, by bisection
    /// in k.
    fn scattered(mean: f64, variation: f64) -> Self {
        let spread = |shape: f64| {
            let one = math::gamma(1.0 + 1.0 / shape);
            math::gamma(1.0 + 2.0 / shape) / (one * one) - 1.0
        };
        let (mut low, mut high) = (0.2, 20.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if spread(middle) > variation * variation {
                low = middle;
            } else {
                high = middle;
            }
        }
        Self::Weibull {
            mean,
            variation,
            shape: low,
            scale: mean / math::gamma(1.0 + 1.0 / low),
        }
    }

    /// Returns the mean of the distribution.
    pub const fn mean(self) -> f64 {
        match self {
            Self::Fixed(mean) | Self::Geometric(mean) | Self::Weibull { mean, .. } => mean,
        }
    }

    /// Returns the mean square of the length.
    pub fn mean_square(self) -> f64 {
        match self {
            Self::Fixed(mean) => mean * mean,
            // Variance (1 − p)/p² = μ (1 + μ).
            Self::Geometric(mean) => mean + 2.0 * mean * mean,
            Self::Weibull {
                mean, variation, ..
            } => mean * mean * (1.0 + variation * variation),
        }
    }

    /// Returns a sampler that draws random lengths from the distribution.
    pub fn sampler(self) -> Sampler {
        match self {
            Self::Fixed(mean) => Sampler::Fixed((mean + 0.5).floor() as u32),
            Self::Geometric(mean) if mean > 0.0 => {
                // 1/−ln(1 − p), with 1 − p = μ/(1 + μ).
                Sampler::Geometric(1.0 / math::ln((1.0 + mean) / mean))
            }
            Self::Geometric(_) => Sampler::Fixed(0),
            Self::Weibull { shape, scale, .. } => Sampler::Weibull {
                power: 1.0 / shape,
                scale,
            },
        }
    }
}

/// Returns the mean number of tokens that a running request has generated: E\[D (D + 1)\]/(2 E\[D + 1\]). `mean` and
/// `square` are the means of D and D².
pub fn renewal(mean: f64, square: f64) -> f64 {
    (square + mean) / (2.0 * (mean + 1.0))
}

/// Draws random lengths by inverting the cumulative distribution function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sampler {
    /// Returns the same length in every draw.
    Fixed(u32),
    /// Geometric length ⌊E·x⌋, where E is an exponential random number with mean 1; the field is x.
    Geometric(f64),
    /// Rounded Weibull length ⌊λ E^(1/k) + ½⌋, where E is an exponential random number with mean 1.
    Weibull {
        /// Exponent 1/k, for the Weibull shape parameter k.
        power: f64,
        /// Weibull scale parameter λ.
        scale: f64,
    },
}

impl Sampler {
    /// Draws a length of at most 2³⁰ tokens.
    pub fn draw(self, random: &mut Random) -> u32 {
        const MOST: f64 = 1_073_741_824.0;
        match self {
            Self::Fixed(length) => length,
            Self::Geometric(scale) => (random.exponential() * scale).min(MOST) as u32,
            Self::Weibull { power, scale } => {
                let length = scale * math::pow(random.exponential(), power) + 0.5;
                length.min(MOST) as u32
            }
        }
    }
}

/// Distributions of a request's prompt and output lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LengthModel {
    /// Prompt length P, in tokens.
    pub prompt: Distribution,
    /// Output length D in tokens, not counting the last token.
    pub output: Distribution,
}

impl LengthModel {
    /// Returns the mean number of decode steps of a request: μ_D + 1, including the step of the request's last token.
    pub fn steps(&self) -> f64 {
        self.output.mean() + 1.0
    }

    /// Returns the long-run mean number of tokens in a sequence's KV cache.
    ///
    /// It is μ_P + E\[D (D + 1)\]/(2 E\[D + 1\]) for prompt length P and output length D. A request is observed at
    /// each of its D + 1 steps, so long requests count more. For geometric outputs, the value is μ_P + μ_D.
    ///
    /// Source: [R] eq 14; renewal theory for other distributions.
    pub fn context(&self) -> f64 {
        self.prompt.mean() + renewal(self.output.mean(), self.output.mean_square())
    }

    /// Returns the mean number of tokens in a sequence's KV cache while `requests` requests are served, `slots` at a
    /// time, starting with fresh requests.
    ///
    /// For geometric outputs: μ_P + μ_D − μ_D (1 − (1 − p)^K)/(K p) with K = N/(B p) steps and p = 1/(1 + μ_D). Here
    /// N is `requests` and B is `slots`. Other distributions have no such closed form and use the long-run mean.
    ///
    /// Source: [R] eqs 12–13.
    pub fn context_over(&self, requests: f64, slots: f64) -> f64 {
        let Distribution::Geometric(mean) = self.output else {
            return self.context();
        };
        let p = 1.0 / (1.0 + mean);
        let rounds = requests / slots;
        let steps = rounds / p;
        let begun = mean * (1.0 - math::pow(1.0 - p, steps)) / rounds;
        self.prompt.mean() + (mean - begun).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_the_moments_they_should() {
        for lengths in Scatter::all() {
            let trace = lengths.trace();
            let (prompt, output) =
                trace.map_or((300.0, 120.0), |trace| (trace.prompt, trace.output));
            let model = LengthModel::of(lengths, prompt, output);
            for distribution in [model.prompt, model.output] {
                let sampler = distribution.sampler();
                let mut random = Random::new(3);
                let (mut sum, mut squares) = (0.0, 0.0);
                let draws = 400_000;
                for _ in 0..draws {
                    let length = f64::from(sampler.draw(&mut random));
                    sum += length;
                    squares += length * length;
                }
                let mean = sum / f64::from(draws);
                let square = squares / f64::from(draws);
                let near = |found: f64, expected: f64, tolerance: f64| {
                    assert!(
                        (found / expected - 1.0).abs() < tolerance,
                        "{lengths:?} {distribution:?}: {found}, not {expected}"
                    );
                };
                near(mean, distribution.mean(), 0.015);
                near(square, distribution.mean_square(), 0.06);
            }
        }
    }

    #[test]
    fn geometric_long_run_context() {
        let model = LengthModel::of(Scatter::Geometric, 100.0, 500.0);
        assert!((model.context() - 600.0).abs() < 1e-9);
        let over = model.context_over(10_000.0, 256.0);
        // [R] eq 13: 600 − 500·256/10,000 (K is so long that the power vanishes).
        assert!(
            (over - (600.0 - 500.0 * 256.0 / 10_000.0)).abs() < 1e-6,
            "{over}"
        );
        assert!(model.context_over(1e12, 256.0) > 599.999);
        // Equal requests are half done on average.
        let fixed = LengthModel::of(Scatter::Fixed, 100.0, 500.0);
        assert!((fixed.context() - 350.0).abs() < 1e-9);
    }
}
