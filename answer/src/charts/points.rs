//! Operating points: one batch of one deployment, and the words shared by all charts.

use crate::chart::Digits;
use crate::chart::Rows;
use crate::chart::rows::Of;
use crate::picture::table::TipRow;
use crate::words::format;

/// Speed and throughput of a deployment at one batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OperatingPoint {
    /// Total sequences.
    pub batch: f64,
    /// Total GPUs.
    pub gpus: f64,
    pub tpot_s: f64,
    /// Tokens per second of one user.
    pub per_user: f64,
    /// Tokens per second of one GPU.
    pub per_gpu: f64,
    pub fits: bool,
}

impl OperatingPoint {
    pub fn batch_per_gpu(&self) -> f64 {
        self.batch / self.gpus
    }

    /// True if it has a place on a chart.
    pub fn draws(&self) -> bool {
        let good = |value: f64| value.is_finite() && value >= 0.0;
        let time = self.tpot_s > 0.0 && self.tpot_s.is_finite();
        time && good(self.batch_per_gpu()) && good(self.per_user) && good(self.per_gpu)
    }

    /// Its values: interactivity across, throughput up.
    pub fn at(&self) -> (f64, f64) {
        (self.per_user, self.per_gpu)
    }

    pub fn batch_words(&self) -> String {
        format!("{} per GPU", format::batch(self.batch_per_gpu()))
    }

    /// "18,432 total" or "out of memory".
    pub fn aside(&self) -> String {
        if self.fits {
            format!("{} total", format::count(self.batch))
        } else {
            "out of memory".to_owned()
        }
    }

    /// Its lines of a tooltip.
    pub fn tips(&self) -> Vec<TipRow> {
        Rows::of(&[*self]).point(|point| *point).tips()
    }

    /// "fits", or that it does not.
    pub fn fits_words(&self) -> &'static str {
        if self.fits { "fits" } else { "out of memory" }
    }
}

/// "1.40k tok/s/GPU".
pub fn per_gpu(rate: f64) -> String {
    format!("{} tok/s/GPU", format::si(rate))
}

/// "8.51 tok/s/user".
pub fn per_user(speed: f64) -> String {
    format!("{} tok/s/user", format::sig3(speed))
}

/// "79.8 ms", of as many.
pub fn millis(ms: f64) -> String {
    format!("{} ms", format::sig3(ms))
}

/// "18,432 sequences".
pub fn sequences(batch: f64) -> String {
    format!("{} sequences", format::count(batch))
}

impl<T> Of<'_, T> {
    /// Goes on with the columns of an operating point.
    #[must_use]
    pub fn point(self, point: impl Fn(&T) -> OperatingPoint) -> Self {
        self.col("batch", "sequences per GPU", |of| point(of).batch_per_gpu())
            .col("batch, total", "sequences", |of| point(of).batch)
            .col("interactivity", "tok/s/user", |of| point(of).per_user)
            .tip(Digits::Sig3, " tok/s/user")
            .col("throughput", "tok/s/GPU", |of| point(of).per_gpu)
            .tip(Digits::Si, " tok/s/GPU")
            .col("TPOT", "ms", |of| point(of).tpot_s * 1e3)
            .tip(Digits::Sig3, " ms")
            .col("fits in memory", "", |of| point(of).fits)
    }
}
