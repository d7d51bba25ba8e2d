//! Number formats in which GEMMs compute.

use crate::calibration::Calibration;
use crate::hardware::Cluster;
use crate::ops::OperatorRole;
use crate::precision::{Format, Precision};
use crate::units::FlopPerSecond;

/// A compute format with its peak FLOP/s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeakFormat {
    /// Number format in which a GEMM computes.
    pub format: Format,
    /// Peak FLOP/s in this format.
    pub peak: FlopPerSecond,
}

/// Number formats in which GEMMs compute, by part of the LLM.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProductFormats {
    /// Compute format of the projections in attention, in its indexer and in other mixers.
    pub projections: PeakFormat,
    /// Compute format of the output head.
    pub head: PeakFormat,
    /// Compute format of the FFN.
    pub ffn: PeakFormat,
}

impl ProductFormats {
    /// Returns the formats used in decode; `None` if the accelerator has no peak rate for one of them.
    ///
    /// If the calibration has engine terms, BF16 projections whose weights have at most one byte run in FP8, and the
    /// output head runs in BF16.
    pub fn of(cluster: &Cluster, precision: &Precision, calibration: &Calibration) -> Option<Self> {
        let narrow = calibration.engine.is_some();
        Self::with(cluster, precision, narrow, calibration)
    }

    /// Returns the formats used in prefill, where projections whose weights have at most one byte run in FP8 under
    /// any calibration.
    ///
    /// Source: DeepGEMM's README, whose GEMM shapes are DeepSeek-V3's projections.
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

    /// True if the GEMMs of this part of the LLM run in FP8 or FP4, so that engines quantize their inputs.
    pub fn quantizes(&self, role: OperatorRole) -> bool {
        let of = match role {
            OperatorRole::Attention => &self.projections,
            OperatorRole::Dense | OperatorRole::Experts => &self.ffn,
            OperatorRole::Head => &self.head,
        };
        of.format != Format::Bf16
    }
}
