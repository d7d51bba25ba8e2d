//! What the deployment is asked to do.

/// A steady decode load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Workload {
    /// Sequences running at once over the whole deployment, B.
    pub batch: f64,
    /// Mean tokens of context per sequence, S.
    pub context: f64,
    /// Speculative decoding.
    pub speculation: Speculation,
    /// Least tokens per second and user that is acceptable.
    pub slo: Option<f64>,
}

/// Speculative decoding with a multi-token-prediction head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speculation {
    /// Tokens drafted per step, δ; 0 for plain decoding.
    pub depth: u32,
    /// Probability that a drafted token is accepted, p.
    pub acceptance: f64,
}

impl Speculation {
    /// Tokens a sequence carries through a step: 1 + δ.
    pub fn carried(&self) -> f64 {
        1.0 + f64::from(self.depth)
    }

    /// Expected tokens a sequence gains per step: y = 1 + p + … + p^δ.
    pub fn yielded(&self) -> f64 {
        let mut sum = 1.0;
        let mut term = 1.0;
        for _ in 0..self.depth {
            term *= self.acceptance;
            sum += term;
        }
        sum
    }
}
