//! Queueing, and the number of running sequences, derived from measured times of whole requests.

/// TTFT expected without a queue, and the ratio of measured to expected TTFT.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waiting {
    /// TTFT expected without a queue, in seconds.
    pub expected: f64,
    /// Measured TTFT ÷ expected TTFT.
    pub ratio: f64,
}

/// Measured TTFT ÷ expected TTFT above which requests count as queued.
const QUEUES: f64 = 4.0;

impl Waiting {
    /// Computes the expected TTFT and the ratio of measured to expected TTFT. In an open loop, the expected TTFT is
    /// T_p. With a client `concurrency` of C over g attention groups in w waves of requests, it is
    /// `T_p·(1+(C/g−1)/(2w))`.
    ///
    /// `measured` is the mean TTFT, and `idle` is the prefill time of one prompt, T_p; both are in seconds.
    pub fn of(
        measured: f64,
        idle: f64,
        concurrency: Option<f64>,
        completed: Option<f64>,
        groups: f64,
    ) -> Self {
        let expected = concurrency.map_or(idle, |concurrency| {
            let waves = completed.map_or(1.0, |completed| (completed / concurrency).max(1.0));
            let each = (concurrency / groups).max(1.0);
            idle * (1.0 + (each - 1.0) / (2.0 * waves))
        });
        Self {
            expected,
            ratio: measured / expected,
        }
    }

    /// True if requests wait longer than a burst of arrivals explains.
    pub fn queues(&self) -> bool {
        self.ratio > QUEUES
    }
}

/// Returns the batch at which a curve of (batch, seconds per token) reaches a throughput of `tokens` per second;
/// `None` if the curve does not reach it.
pub fn batch_for(curve: &[(f64, f64)], tokens: f64) -> Option<f64> {
    curve.windows(2).find_map(|pair| {
        let [(few, fast), (many, slow)] = *pair else {
            return None;
        };
        let rates = few / fast..=many / slow;
        if !rates.contains(&tokens) {
            return None;
        }
        // Times are linear between two points: B = r·(T + (B − few)·slope).
        let slope = (slow - fast) / (many - few);
        let batch = tokens * (fast - few * slope) / (1.0 - tokens * slope);
        batch.is_finite().then_some(batch.clamp(few, many))
    })
}
