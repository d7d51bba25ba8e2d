//! Queues and running batches that follow from times of whole requests.

/// Expected time to first token without a queue, and the measured one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waiting {
    /// Expected seconds.
    pub expected: f64,
    /// Measured over expected.
    pub ratio: f64,
}

/// Ratio above which requests queue.
const QUEUES: f64 = 4.0;

impl Waiting {
    /// T_p·(1 + (C/g − 1)/(2w)) of `concurrency` C over g attention groups in w waves; T_p in an open loop.
    ///
    /// `measured`: mean TTFT; `idle`: prefill time of one prompt, T_p; both in seconds.
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

    /// True if requests wait longer than a burst explains.
    pub fn queues(&self) -> bool {
        self.ratio > QUEUES
    }
}

/// The batch at which a curve of (batch, seconds per token) gives a throughput in tokens/s; `None` outside it.
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
