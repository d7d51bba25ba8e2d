//! Operating points (one batch of one deployment), and formats that all charts share.

use crate::chart::Digits;
use crate::chart::Rows;
use crate::chart::rows::Of;
use crate::picture::table::TipRow;
use crate::words::format;

/// Interactivity and throughput of a deployment at one batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OperatingPoint {
    /// Total batch, in sequences.
    pub batch: f64,
    /// Total number of GPUs.
    pub gpus: f64,
    pub tpot_s: f64,
    /// Interactivity, in tok/s/user.
    pub per_user: f64,
    /// Throughput, in tok/s/GPU.
    pub per_gpu: f64,
    pub fits: bool,
}

impl OperatingPoint {
    pub fn batch_per_gpu(&self) -> f64 {
        self.batch / self.gpus
    }

    /// Returns true if the point can be drawn on a chart.
    pub fn draws(&self) -> bool {
        let good = |value: f64| value.is_finite() && value >= 0.0;
        let time = self.tpot_s > 0.0 && self.tpot_s.is_finite();
        time && good(self.batch_per_gpu()) && good(self.per_user) && good(self.per_gpu)
    }

    /// Returns the coordinates on a chart: interactivity horizontally, throughput vertically.
    pub fn at(&self) -> (f64, f64) {
        (self.per_user, self.per_gpu)
    }

    pub fn batch_words(&self) -> String {
        format!("{} per GPU", format::batch(self.batch_per_gpu()))
    }

    /// Returns the secondary note of a tooltip: "18,432 total" or "out of memory".
    pub fn aside(&self) -> String {
        if self.fits {
            format!("{} total", format::count(self.batch))
        } else {
            "out of memory".to_owned()
        }
    }

    /// Returns the tooltip lines of the operating point.
    pub fn tips(&self) -> Vec<TipRow> {
        Rows::of(&[*self]).point(|point| *point).tips()
    }

    /// Returns "fits" or "out of memory".
    pub fn fits_words(&self) -> &'static str {
        if self.fits { "fits" } else { "out of memory" }
    }
}

/// Formats a throughput: "1.40k tok/s/GPU".
pub fn per_gpu(rate: f64) -> String {
    format!("{} tok/s/GPU", format::si(rate))
}

/// Formats an interactivity: "8.51 tok/s/user".
pub fn per_user(speed: f64) -> String {
    format!("{} tok/s/user", format::sig3(speed))
}

/// Formats a time in milliseconds: "79.8 ms".
pub fn millis(ms: f64) -> String {
    format!("{} ms", format::sig3(ms))
}

/// Formats a batch: "18,432 sequences".
pub fn sequences(batch: f64) -> String {
    format!("{} sequences", format::count(batch))
}

impl<T> Of<'_, T> {
    /// Appends the columns of an operating point.
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
