//! Formats that GEMMs compute in.

use crate::calibration::Calibration;
use crate::hardware::Cluster;
use crate::ops::OperatorRole;
use crate::precision::{Format, Precision};
use crate::units::FlopPerSecond;

/// A compute format with its peak.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeakFormat {
    /// The format.
    pub format: Format,
    /// Its peak.
    pub peak: FlopPerSecond,
}

/// Formats of GEMMs by part of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProductFormats {
    /// Projections of attention, of its index and of other mixers.
    pub projections: PeakFormat,
    /// The output head.
    pub head: PeakFormat,
    /// The FFN.
    pub ffn: PeakFormat,
}

impl ProductFormats {
    /// Formats of decode; `None` if the accelerator has no peak for one.
    ///
    /// Engines run projections of at most one byte in FP8, and leave the head in BF16.
    pub fn of(cluster: &Cluster, precision: &Precision, calibration: &Calibration) -> Option<Self> {
        let narrow = calibration.engine.is_some();
        Self::with(cluster, precision, narrow, calibration)
    }

    /// Formats of prefill, where projections of at most one byte run in FP8 under any calibration.
    ///
    /// Source: DeepGEMM's README, whose shapes are DeepSeek-V3's projections.
    pub fn of_prompts(
        cluster: &Cluster,
        precision: &Precision,
        calibration: &Calibration,
    ) -> Option<Self> {
        Self::with(cluster, precision, true, calibration)
    }

    fn with(
        cluster: &Cluster,
        precision: &Precision,
        narrow: bool,
        calibration: &Calibration,
    ) -> Option<Self> {
        let stated = precision.attention_format;
        let in_eight = narrow && precision.attention_weights <= 1.0 && stated == Format::Bf16;
        let projections = match cluster.peaks.fp8 {
            Some(_) if in_eight => Format::Fp8,
            _ => stated,
        };
        let head = match cluster.peaks.bf16 {
            Some(_) if calibration.engine.is_some() => Format::Bf16,
            _ => stated,
        };
        let of = |format| {
            let peak = cluster.peaks.of(format)?;
            Some(PeakFormat { format, peak })
        };
        Some(Self {
            projections: of(projections)?,
            head: of(head)?,
            ffn: of(precision.ffn_format)?,
        })
    }

    /// True if the products of a role run in FP8 or FP4, so that engines quantize their inputs.
    pub fn quantizes(&self, role: OperatorRole) -> bool {
        let of = match role {
            OperatorRole::Attention => &self.projections,
            OperatorRole::Dense | OperatorRole::Experts => &self.ffn,
            OperatorRole::Head => &self.head,
        };
        of.format != Format::Bf16
    }
}
