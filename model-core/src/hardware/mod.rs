//! Accelerators and clusters.

pub mod catalog;

use crate::named::named;
use crate::precision::Format;
use crate::units::{Bytes, BytesPerSecond, FlopPerSecond};

/// Name of an accelerator without a row in the catalog.
pub const CUSTOM: &str = "Custom accelerator";

/// Peak dense compute by format; `None` if the accelerator does not support the format.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peaks {
    /// BF16, or FP16 where that is what the accelerator has.
    pub bf16: Option<FlopPerSecond>,
    /// FP8.
    pub fp8: Option<FlopPerSecond>,
    /// FP4.
    pub fp4: Option<FlopPerSecond>,
}

impl Peaks {
    /// Every peak times `factor`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        let scaled = |peak: Option<FlopPerSecond>| peak.map(|peak| peak * factor);
        Self {
            bf16: scaled(self.bf16),
            fp8: scaled(self.fp8),
            fp4: scaled(self.fp4),
        }
    }

    /// The peak of one format.
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
    /// Peak dense compute by format.
    pub peaks: Peaks,
    /// HBM bandwidth.
    pub hbm: BytesPerSecond,
    /// HBM capacity; vendor GB are taken as GiB.
    pub capacity: Bytes,
    /// Memory that the runtime reports as total.
    pub usable: Bytes,
    /// GPUs in one scale-up domain.
    pub domain: u32,
    /// Scale-up bandwidth per GPU, one direction.
    pub scale_up: BytesPerSecond,
    /// Scale-out bandwidth per GPU, one direction.
    pub scale_out: BytesPerSecond,
    /// Board power in watts, if the vendor states it.
    pub board_watts: Option<f64>,
    /// Price in US dollars per GPU-hour, if a source states one.
    pub dollars_per_hour: Option<f64>,
}

impl Accelerator {
    /// True below 100 BF16 FLOP per byte of HBM traffic, as on H20.
    pub fn has_little_compute(&self) -> bool {
        const FLOP_PER_BYTE: f64 = 100.0;
        let ridge = |peak: FlopPerSecond| peak / self.hbm;
        self.peaks
            .bf16
            .is_some_and(|peak| ridge(peak) < FLOP_PER_BYTE)
    }
}

/// `gpus` accelerators in scale-up domains of `domain`, joined by the scale-out network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster {
    /// Peak dense compute by format.
    pub peaks: Peaks,
    /// HBM bandwidth per GPU.
    pub hbm: BytesPerSecond,
    /// HBM capacity per GPU.
    pub capacity: Bytes,
    /// GPU count, N.
    pub gpus: u32,
    /// GPUs per scale-up domain, G.
    pub domain: u32,
    /// Scale-up bandwidth per GPU, one direction.
    pub scale_up: BytesPerSecond,
    /// Scale-out bandwidth per GPU, one direction.
    pub scale_out: BytesPerSecond,
}

impl Cluster {
    /// Scale-up domains that `gpus` GPUs occupy: N/G, a real number, at least 1.
    ///
    /// With 24 GPUs in domains of 16 this is 1.5, so that (n − 1)/n is the share of a GPU's peers outside a full
    /// domain.
    pub fn domains(&self, gpus: f64) -> f64 {
        (gpus / f64::from(self.domain)).max(1.0)
    }

    /// The network of a group of `members` GPUs: scale-up if it fits one domain.
    pub const fn link(&self, members: u32) -> NetworkLink {
        if members <= self.domain {
            NetworkLink::ScaleUp
        } else {
            NetworkLink::ScaleOut
        }
    }

    /// Bandwidth per GPU of a link, one direction.
    pub const fn bandwidth(&self, link: NetworkLink) -> BytesPerSecond {
        match link {
            NetworkLink::ScaleUp => self.scale_up,
            NetworkLink::ScaleOut => self.scale_out,
        }
    }
}

/// Network of a collective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkLink {
    /// Inside a scale-up domain (NVLink, Infinity Fabric, ICI).
    ScaleUp,
    /// Between domains (InfiniBand, RoCE).
    ScaleOut,
}

named! {
    /// Accelerators of one architecture, for which a calibration was measured.
    pub enum Family {
        /// H100, H200, H800, H20.
        Hopper = "hopper",
        /// B200, GB200, B300, GB300.
        Blackwell = "blackwell",
        /// MI300X, MI325X.
        Cdna3 = "cdna3",
        /// MI355X.
        Cdna4 = "cdna4",
    }
}

impl Family {
    /// True if no table of kernels is public, only ranges of single ones.
    pub const fn is_range(self) -> bool {
        matches!(self, Self::Cdna3 | Self::Cdna4)
    }

    /// The name people use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hopper => "Hopper",
            Self::Blackwell => "Blackwell",
            Self::Cdna3 => "CDNA 3",
            Self::Cdna4 => "CDNA 4",
        }
    }
}

/// Measured kernels that apply to an accelerator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// The calibration claims no measured kernels.
    Unclaimed,
    /// Kernels of its family.
    Measured(Family),
    /// Memory and communication of its family, no compute.
    MemoryOnly(Family),
    /// A few kernels of its family, as ranges; another family's for the rest.
    Range(Family),
    /// None: another family's are used.
    Borrowed(Family),
}

impl Coverage {
    /// Family whose numbers are used.
    pub const fn family(self) -> Option<Family> {
        match self {
            Self::Unclaimed => None,
            Self::Measured(family)
            | Self::MemoryOnly(family)
            | Self::Range(family)
            | Self::Borrowed(family) => Some(family),
        }
    }

    /// Family whose numbers are used, Hopper by default.
    pub const fn family_or_hopper(self) -> Family {
        match self.family() {
            Some(family) => family,
            None => Family::Hopper,
        }
    }

    /// Coverage under a calibration without ranges: Hopper's kernels are used.
    #[must_use]
    pub const fn without_ranges(self) -> Self {
        match self {
            Self::Range(_) => Self::Borrowed(Family::Hopper),
            other => other,
        }
    }
}
