//! Accelerators, and clusters of them.

pub mod catalog;

use crate::named::named;
use crate::precision::Format;
use crate::units::{Bytes, BytesPerSecond, FlopPerSecond};

/// Display name of an accelerator that is not in the catalog.
pub const CUSTOM: &str = "Custom accelerator";

/// Peak dense FLOP/s by format; `None` if the accelerator does not support the format.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peaks {
    /// Peak of BF16, or of FP16 if the accelerator has no BF16.
    pub bf16: Option<FlopPerSecond>,
    /// Peak of FP8.
    pub fp8: Option<FlopPerSecond>,
    /// Peak of FP4.
    pub fp4: Option<FlopPerSecond>,
}

impl Peaks {
    /// Multiplies every peak by `factor`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        let scaled = |peak: Option<FlopPerSecond>| peak.map(|peak| peak * factor);
        Self {
            bf16: scaled(self.bf16),
            fp8: scaled(self.fp8),
            fp4: scaled(self.fp4),
        }
    }

    /// Returns the peak of one format.
    pub const fn of(&self, format: Format) -> Option<FlopPerSecond> {
        match format {
            Format::Bf16 => self.bf16,
            Format::Fp8 => self.fp8,
            Format::Fp4 => self.fp4,
        }
    }
}

/// One accelerator as its vendor describes it, with its usual links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accelerator {
    /// Peak dense FLOP/s by format.
    pub peaks: Peaks,
    /// HBM bandwidth.
    pub hbm: BytesPerSecond,
    /// HBM capacity; vendor GB are taken as GiB.
    pub capacity: Bytes,
    /// Total memory that the runtime reports.
    pub usable: Bytes,
    /// GPUs in one scale-up domain.
    pub domain: u32,
    /// Scale-up bandwidth per GPU, one direction.
    pub scale_up: BytesPerSecond,
    /// Scale-out bandwidth per GPU, one direction.
    pub scale_out: BytesPerSecond,
    /// Board power in watts, if the vendor publishes it.
    pub board_watts: Option<f64>,
    /// Price in US dollars per GPU-hour, if a source gives one.
    pub dollars_per_hour: Option<f64>,
}

impl Accelerator {
    /// Returns true if the accelerator has fewer than 100 BF16 FLOP per byte of HBM traffic, as H20 does.
    pub fn has_little_compute(&self) -> bool {
        const FLOP_PER_BYTE: f64 = 100.0;
        let ridge = |peak: FlopPerSecond| peak / self.hbm;
        self.peaks
            .bf16
            .is_some_and(|peak| ridge(peak) < FLOP_PER_BYTE)
    }
}

/// A cluster of `gpus` accelerators in scale-up domains of `domain` GPUs, joined by the scale-out network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster {
    /// Peak dense FLOP/s by format.
    pub peaks: Peaks,
    /// HBM bandwidth per GPU.
    pub hbm: BytesPerSecond,
    /// Memory per GPU: the vendor's capacity or, from permalink version 3 on, the total that the runtime reports.
    pub capacity: Bytes,
    /// Number of GPUs, N.
    pub gpus: u32,
    /// GPUs per scale-up domain, G.
    pub domain: u32,
    /// Scale-up bandwidth per GPU, one direction.
    pub scale_up: BytesPerSecond,
    /// Scale-out bandwidth per GPU, one direction.
    pub scale_out: BytesPerSecond,
}

impl Cluster {
    /// Returns n, the number of scale-up domains that `gpus` GPUs occupy: N/G, a real number, at least 1.
    ///
    /// For example, n is 1.5 for 24 GPUs in domains of 16. For a GPU in a full domain, the share (n − 1)/n of the
    /// GPUs is outside it.
    pub fn domains(&self, gpus: f64) -> f64 {
        (gpus / f64::from(self.domain)).max(1.0)
    }

    /// Returns the network that a group of `members` GPUs uses: scale-up if the group fits in one domain, else
    /// scale-out.
    pub const fn link(&self, members: u32) -> NetworkLink {
        if members <= self.domain {
            NetworkLink::ScaleUp
        } else {
            NetworkLink::ScaleOut
        }
    }

    /// Returns the bandwidth per GPU of a network, in one direction.
    pub const fn bandwidth(&self, link: NetworkLink) -> BytesPerSecond {
        match link {
            NetworkLink::ScaleUp => self.scale_up,
            NetworkLink::ScaleOut => self.scale_out,
        }
    }
}

/// Network that a collective uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkLink {
    /// The network inside a scale-up domain (NVLink, Infinity Fabric, ICI).
    ScaleUp,
    /// The network between scale-up domains (InfiniBand, RoCE).
    ScaleOut,
}

named! {
    /// A family of accelerators with one architecture, for which a calibration was measured.
    pub enum Family {
        /// Hopper, such as H100, H200, H800 and H20.
        Hopper = "hopper",
        /// Blackwell, such as B200, GB200, B300 and GB300.
        Blackwell = "blackwell",
        /// CDNA 3, such as MI300X and MI325X.
        Cdna3 = "cdna3",
        /// CDNA 4, such as MI355X.
        Cdna4 = "cdna4",
    }
}

impl Family {
    /// Returns true if only ranges of single kernels are public for the family, rather than a table of measured
    /// kernels.
    pub const fn is_range(self) -> bool {
        matches!(self, Self::Cdna3 | Self::Cdna4)
    }

    /// Returns the display name of the accelerator family.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hopper => "Hopper",
            Self::Blackwell => "Blackwell",
            Self::Cdna3 => "CDNA 3",
            Self::Cdna4 => "CDNA 4",
        }
    }
}

/// Extent to which measured kernels apply to an accelerator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// The calibration claims no measured kernels.
    Unclaimed,
    /// Kernels of the accelerator's family were measured.
    Measured(Family),
    /// Memory and communication were measured on the accelerator's family; compute was not.
    MemoryOnly(Family),
    /// A few kernels of the accelerator's family were measured, as ranges; all other kernels use another family's
    /// numbers.
    Range(Family),
    /// No kernels of the accelerator's family were measured; those of another family are used.
    Borrowed(Family),
}

impl Coverage {
    /// Returns the family whose measured kernels are used; `None` if the calibration claims none.
    pub const fn family(self) -> Option<Family> {
        match self {
            Self::Unclaimed => None,
            Self::Measured(family)
            | Self::MemoryOnly(family)
            | Self::Range(family)
            | Self::Borrowed(family) => Some(family),
        }
    }

    /// Returns the family whose measured kernels are used, Hopper by default.
    pub const fn family_or_hopper(self) -> Family {
        match self.family() {
            Some(family) => family,
            None => Family::Hopper,
        }
    }

    /// Returns the coverage under a calibration that has no kernel ranges and uses Hopper's kernels instead.
    #[must_use]
    pub const fn without_ranges(self) -> Self {
        match self {
            Self::Range(_) => Self::Borrowed(Family::Hopper),
            other => other,
        }
    }
}
