//! Operating points: one batch of one deployment, and what every chart of them says alike.

use super::hits::TipRow;
use crate::format;
use crate::picture::table::{Columns, Table};

/// Speed and throughput of a deployment at one batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OperatingPoint {
    /// Sequences in all.
    pub batch: f64,
    /// GPUs in all.
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

    /// Tells if it has a place on a chart.
    pub fn draws(&self) -> bool {
        let good = |value: f64| value.is_finite() && value >= 0.0;
        let time = self.tpot_s > 0.0 && self.tpot_s.is_finite();
        time && good(self.batch_per_gpu()) && good(self.per_user) && good(self.per_gpu)
    }

    /// Its values: speed of a user across, throughput up.
    pub fn at(&self) -> (f64, f64) {
        (self.per_user, self.per_gpu)
    }

    pub fn batch_words(&self) -> String {
        format!("{} per GPU", format::batch(self.batch_per_gpu()))
    }

    /// "18,432 in all", or that it does not fit.
    pub fn aside(&self) -> String {
        if self.fits {
            format!("{} in all", format::count(self.batch))
        } else {
            "does not fit".to_owned()
        }
    }

    /// Its lines of a tooltip.
    pub fn tips(&self) -> Vec<TipRow> {
        Table::of([*self]).point(|point| *point).tips()
    }

    /// "fits", or that it does not.
    pub fn fits_words(&self) -> &'static str {
        if self.fits { "fits" } else { "does not fit" }
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

impl<T> Columns<T> {
    /// Goes on with the columns of an operating point.
    #[must_use]
    pub fn point(self, point: impl Fn(&T) -> OperatingPoint) -> Self {
        self.col("batch", "sequences per GPU", |of| point(of).batch_per_gpu())
            .col("batch in all", "sequences", |of| point(of).batch)
            .col("interactivity", "tokens/s per user", |of| {
                point(of).per_user
            })
            .tip(per_user)
            .col("throughput", "tokens/s per GPU", |of| point(of).per_gpu)
            .tip(per_gpu)
            .col("time per output token", "ms", |of| point(of).tpot_s * 1e3)
            .tip(millis)
            .col("fits in memory", "", |of| point(of).fits)
    }
}

/// "SLO: met", where there is one.
pub fn slo_row(met: Option<bool>) -> Option<TipRow> {
    met.map(|met| TipRow::plain("SLO", if met { "met" } else { "missed" }))
}

/// The points of a curve that have a place on it: all but the smallest batches, whose throughput is next to nothing and
/// whose speed would stretch the axis over empty space. The table has them.
pub fn worth_drawing(curve: &[OperatingPoint], now: &OperatingPoint) -> Vec<OperatingPoint> {
    let points = || curve.iter().filter(|point| point.draws());
    let most = points().map(|point| point.per_gpu).fold(0.0, f64::max);
    points()
        .filter(|point| {
            point.per_gpu >= ON_THE_AXIS * most || point.batch_per_gpu() >= now.batch_per_gpu()
        })
        .copied()
        .collect()
}

/// Throughput, as a share of the curve's greatest, below which a point lies on the axis.
const ON_THE_AXIS: f64 = 0.005;
