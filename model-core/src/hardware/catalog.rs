//! The accelerators Ridgepoint knows, one row each, every row with its source.
//!
//! A number that no source confirms is `None` or, where the model cannot do without it, named in
//! the row's caveat, which the page shows. Prices come from one study where it has the part: list
//! prices differ eightfold between sources, so prices from different ones are never mixed silently.

use super::{Accelerator, Peaks};
use crate::cost::calibration::{Coverage, Family};
use crate::source::{Source, paper};
use crate::units::{Bytes, BytesPerSecond, FlopPerSecond};

/// A row of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// The identifier in links.
    pub id: &'static str,
    /// The name people use.
    pub name: &'static str,
    /// The numbers.
    pub accelerator: Accelerator,
    /// Where the numbers come from.
    pub source: Source,
    /// Where the price, which is one of renting, comes from; `None` exactly when there is no price.
    pub price_source: Option<Source>,
    /// What an hour costs a large operator that owns it, by the same source.
    pub dollars_owned: Option<f64>,
    /// Whether it can be had.
    pub status: Status,
    /// Whose kernels it runs, for a calibration measured on kernels.
    pub coverage: Coverage,
    /// What about this row is assumed or disputed.
    pub caveat: Option<&'static str>,
}

/// Whether an accelerator can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// In customers' racks.
    Shipping,
    /// Announced; numbers may change.
    Announced,
}

/// The row with this identifier.
pub fn find(id: &str) -> Option<&'static Entry> {
    CATALOG.iter().find(|entry| entry.id == id)
}

/// The default accelerator of version-1 links.
pub const DEFAULT: &Entry = &CATALOG[0];

/// The default memory device of a split in version-1 links: H20, as in [L].
pub const MEMORY_DEFAULT: &Entry = &CATALOG[2];

/// Prices of [L], on-demand in US dollars per GPU-hour; several times the rental prices of the rows,
/// and therefore never beside them.
const LAMINA_PRICES: [(&str, f64); 3] = [("h100", 11.06), ("h20", 4.63), ("tpu-v6e", 2.70)];

const LAMINA: Source = Source::new(
    paper::L,
    "Table 1: list prices on demand; H20 estimated there from the cost of whole systems",
);

/// Prices of two accelerators in US dollars per GPU-hour that one source gives for both: the rows'
/// own where both have one of the same source, else those of [L] Table 1.
///
/// Prices of different sources differ eightfold, so that a comparison across them says nothing.
pub fn prices_of_one_source(one: &Entry, other: &Entry) -> Option<(f64, f64, Source)> {
    let rows = || {
        let (first, second) = (
            one.accelerator.dollars_per_hour?,
            other.accelerator.dollars_per_hour?,
        );
        let source = one.price_source?;
        (Some(source) == other.price_source).then_some((first, second, source))
    };
    let lamina = || {
        let of = |entry: &Entry| {
            let found = LAMINA_PRICES.iter().find(|(id, _)| *id == entry.id)?;
            Some(found.1)
        };
        Some((of(one)?, of(other)?, LAMINA))
    };
    rows().or_else(lamina)
}

const HOPPER: Coverage = Coverage::Measured(Family::Hopper);
const BLACKWELL: Coverage = Coverage::Measured(Family::Blackwell);
/// Of accelerators outside both families no kernel was measured; Hopper's stand in.
const BORROWED: Coverage = Coverage::Borrowed(Family::Hopper);

const GPU_SPECS: &str = "InferenceX, gpu-specs.ts (2026)";
/// One basis for every row that has it. The same model counts owning at a large operator's cost.
const RENTAL: Source = Source::new(
    "SemiAnalysis AI Cloud TCO model, as InferenceX ships it (November 2026)",
    "HW_REGISTRY of gpu-keys.ts: rented, retail tier",
);

/// The columns of a row, in the units vendors print.
struct Row {
    /// TFLOP/s in BF16, FP8, FP4.
    tera: [Option<f64>; 3],
    hbm_gb_per_s: f64,
    capacity_gib: f64,
    domain: u32,
    scale_up_gb_per_s: f64,
    scale_out_gb_per_s: f64,
    watts: Option<f64>,
    dollars: Option<f64>,
}

const fn tera(value: Option<f64>) -> Option<FlopPerSecond> {
    match value {
        Some(tera) => Some(FlopPerSecond::from_tera(tera)),
        None => None,
    }
}

impl Row {
    const fn build(self) -> Accelerator {
        Accelerator {
            peaks: Peaks {
                bf16: tera(self.tera[0]),
                fp8: tera(self.tera[1]),
                fp4: tera(self.tera[2]),
            },
            hbm: BytesPerSecond::from_gb(self.hbm_gb_per_s),
            capacity: Bytes::from_gib(self.capacity_gib),
            domain: self.domain,
            scale_up: BytesPerSecond::from_gb(self.scale_up_gb_per_s),
            scale_out: BytesPerSecond::from_gb(self.scale_out_gb_per_s),
            board_watts: self.watts,
            dollars_per_hour: self.dollars,
        }
    }
}

/// Every accelerator.
pub const CATALOG: &[Entry] = &[
    Entry {
        id: "h100",
        name: "H100 SXM",
        accelerator: Row {
            tera: [Some(989.0), Some(1979.0), None],
            hbm_gb_per_s: 3350.0,
            capacity_gib: 80.0,
            domain: 8,
            scale_up_gb_per_s: 450.0,
            scale_out_gb_per_s: 50.0,
            watts: Some(700.0),
            dollars: Some(2.0),
        }
        .build(),
        source: Source::new(paper::L, "Table 1; NVLink and CX7 figures as [A] Table 2"),
        price_source: Some(RENTAL),
        coverage: HOPPER,
        dollars_owned: Some(1.17),
        status: Status::Shipping,
        caveat: None,
    },
    Entry {
        id: "h800",
        name: "H800 SXM",
        accelerator: Row {
            tera: [Some(989.0), Some(1979.0), None],
            hbm_gb_per_s: 3352.0,
            capacity_gib: 80.0,
            domain: 8,
            scale_up_gb_per_s: 200.0,
            scale_out_gb_per_s: 50.0,
            watts: None,
            dollars: Some(2.0),
        }
        .build(),
        source: Source::new(
            "Ant Group and SGLang on H20 and H800 (September 2025)",
            "hardware table",
        ),
        price_source: Some(Source::new(
            "DeepSeek, Inference System Overview (February 2025)",
            "cost assumption",
        )),
        coverage: HOPPER,
        dollars_owned: None,
        status: Status::Shipping,
        caveat: Some(
            "Half of H100's NVLink; under load the BF16 peak is throttled to about 865 TFLOP/s.",
        ),
    },
    Entry {
        id: "h20",
        name: "H20 96 GB",
        accelerator: Row {
            tera: [Some(148.0), Some(296.0), None],
            hbm_gb_per_s: 4000.0,
            capacity_gib: 96.0,
            domain: 8,
            scale_up_gb_per_s: 450.0,
            scale_out_gb_per_s: 25.0,
            watts: Some(400.0),
            dollars: None,
        }
        .build(),
        source: Source::new(
            "Ant Group and SGLang on H20 and H800 (September 2025)",
            "hardware table; board power [L] Table 1",
        ),
        price_source: None,
        coverage: Coverage::MemoryOnly(Family::Hopper),
        dollars_owned: None,
        status: Status::Shipping,
        caveat: Some(
            "Scale-out is four 400 Gb/s ports for eight GPUs as Ant builds it; [L] assumes a port per GPU (50 GB/s).",
        ),
    },
    Entry {
        id: "h200",
        name: "H200 SXM",
        accelerator: Row {
            tera: [Some(989.0), Some(1979.0), None],
            hbm_gb_per_s: 4800.0,
            capacity_gib: 141.0,
            domain: 8,
            scale_up_gb_per_s: 450.0,
            scale_out_gb_per_s: 50.0,
            watts: Some(700.0),
            dollars: Some(2.9),
        }
        .build(),
        source: Source::new(
            paper::B,
            "Table I; links and board power InferenceX, gpu-specs.ts",
        ),
        price_source: Some(RENTAL),
        coverage: HOPPER,
        dollars_owned: Some(1.22),
        status: Status::Shipping,
        caveat: None,
    },
    Entry {
        id: "b200",
        name: "B200 SXM",
        accelerator: Row {
            tera: [Some(2250.0), Some(4500.0), Some(9000.0)],
            hbm_gb_per_s: 8000.0,
            capacity_gib: 180.0,
            domain: 8,
            scale_up_gb_per_s: 900.0,
            scale_out_gb_per_s: 50.0,
            watts: Some(1000.0),
            dollars: Some(3.7),
        }
        .build(),
        source: Source::new(GPU_SPECS, "B200 SXM; MLPerf 5.1 system name for 180 GB"),
        price_source: Some(RENTAL),
        coverage: BLACKWELL,
        dollars_owned: Some(1.73),
        status: Status::Shipping,
        caveat: Some(
            "[B] counts 192 GB; systems report 180. Some B200 systems have 100 GB/s of scale-out.",
        ),
    },
    Entry {
        id: "gb200",
        name: "GB200 NVL72",
        accelerator: Row {
            tera: [Some(2500.0), Some(5000.0), Some(10000.0)],
            hbm_gb_per_s: 8000.0,
            capacity_gib: 186.0,
            domain: 72,
            scale_up_gb_per_s: 900.0,
            scale_out_gb_per_s: 50.0,
            watts: Some(1200.0),
            dollars: Some(4.0),
        }
        .build(),
        source: Source::new(GPU_SPECS, "GB200 NVL72; MLPerf system name for 186 GB"),
        price_source: Some(RENTAL),
        coverage: BLACKWELL,
        dollars_owned: Some(1.86),
        status: Status::Shipping,
        caveat: Some(
            "192 GB are printed, 186 usable. Racks are joined by 50 to 100 GB/s per GPU; 50 is taken.",
        ),
    },
    Entry {
        id: "b300",
        name: "B300 SXM",
        accelerator: Row {
            tera: [Some(2250.0), Some(4500.0), Some(13500.0)],
            hbm_gb_per_s: 8000.0,
            capacity_gib: 268.0,
            domain: 8,
            scale_up_gb_per_s: 900.0,
            scale_out_gb_per_s: 100.0,
            watts: Some(1200.0),
            dollars: Some(4.25),
        }
        .build(),
        source: Source::new(GPU_SPECS, "B300 SXM"),
        price_source: Some(RENTAL),
        coverage: BLACKWELL,
        dollars_owned: Some(2.26),
        status: Status::Shipping,
        caveat: Some("288 GB are printed, 268 usable. FP4 is given as 13.5 or 14 PFLOP/s."),
    },
    Entry {
        id: "gb300",
        name: "GB300 NVL72",
        accelerator: Row {
            tera: [Some(2500.0), Some(5000.0), Some(15000.0)],
            hbm_gb_per_s: 8000.0,
            capacity_gib: 278.0,
            domain: 72,
            scale_up_gb_per_s: 900.0,
            scale_out_gb_per_s: 100.0,
            watts: Some(1400.0),
            dollars: Some(5.0),
        }
        .build(),
        source: Source::new(GPU_SPECS, "GB300 NVL72"),
        price_source: Some(RENTAL),
        coverage: BLACKWELL,
        dollars_owned: Some(2.31),
        status: Status::Shipping,
        caveat: Some("288 GB are printed, 278 usable."),
    },
    Entry {
        id: "mi300x",
        name: "MI300X",
        accelerator: Row {
            tera: [Some(1307.0), Some(2615.0), None],
            hbm_gb_per_s: 5300.0,
            capacity_gib: 192.0,
            domain: 8,
            scale_up_gb_per_s: 448.0,
            scale_out_gb_per_s: 50.0,
            watts: Some(750.0),
            dollars: Some(1.3),
        }
        .build(),
        source: Source::new(GPU_SPECS, "MI300X; board power MLPerf 4.1 system file"),
        price_source: Some(RENTAL),
        coverage: BORROWED,
        dollars_owned: Some(0.95),
        status: Status::Shipping,
        caveat: Some("Scale-up is a full mesh of seven links; one peer sees 64 GB/s of it."),
    },
    Entry {
        id: "mi325x",
        name: "MI325X",
        accelerator: Row {
            tera: [Some(1307.4), Some(2615.0), None],
            hbm_gb_per_s: 6000.0,
            capacity_gib: 256.0,
            domain: 8,
            scale_up_gb_per_s: 448.0,
            scale_out_gb_per_s: 50.0,
            watts: Some(1000.0),
            dollars: Some(1.6),
        }
        .build(),
        source: Source::new(paper::B, "Table I; links InferenceX, gpu-specs.ts"),
        price_source: Some(RENTAL),
        coverage: BORROWED,
        dollars_owned: Some(1.1),
        status: Status::Shipping,
        caveat: None,
    },
    Entry {
        id: "mi355x",
        name: "MI355X",
        accelerator: Row {
            tera: [Some(2516.0), Some(5033.0), Some(10066.0)],
            hbm_gb_per_s: 8000.0,
            capacity_gib: 288.0,
            domain: 8,
            scale_up_gb_per_s: 538.0,
            scale_out_gb_per_s: 50.0,
            watts: Some(1400.0),
            dollars: Some(2.9),
        }
        .build(),
        source: Source::new(GPU_SPECS, "MI355X; scale-up seven links of 76.8 GB/s"),
        price_source: Some(RENTAL),
        coverage: BORROWED,
        dollars_owned: Some(1.5),
        status: Status::Shipping,
        caveat: None,
    },
    Entry {
        id: "a100",
        name: "A100 SXM 80 GB",
        accelerator: Row {
            tera: [Some(312.0), None, None],
            hbm_gb_per_s: 2039.0,
            capacity_gib: 80.0,
            domain: 8,
            scale_up_gb_per_s: 300.0,
            scale_out_gb_per_s: 25.0,
            watts: Some(400.0),
            dollars: None,
        }
        .build(),
        source: Source::new(
            paper::B,
            "Table I; links and board power aiconfigurator, a100_sxm.yaml",
        ),
        price_source: None,
        coverage: BORROWED,
        dollars_owned: None,
        status: Status::Shipping,
        caveat: None,
    },
    Entry {
        id: "v100",
        name: "V100 SXM2 32 GB",
        accelerator: Row {
            tera: [Some(125.0), None, None],
            hbm_gb_per_s: 900.0,
            capacity_gib: 32.0,
            domain: 8,
            scale_up_gb_per_s: 150.0,
            scale_out_gb_per_s: 12.5,
            watts: None,
            dollars: None,
        }
        .build(),
        source: Source::new(paper::B, "Table I"),
        price_source: None,
        coverage: BORROWED,
        dollars_owned: None,
        status: Status::Shipping,
        caveat: Some(
            "The peak is FP16: V100 has no BF16. Links and domain are assumed, no source confirms them.",
        ),
    },
    Entry {
        id: "l40s",
        name: "L40S",
        accelerator: Row {
            tera: [Some(362.0), Some(733.0), None],
            hbm_gb_per_s: 864.0,
            capacity_gib: 48.0,
            domain: 1,
            scale_up_gb_per_s: 32.0,
            scale_out_gb_per_s: 50.0,
            watts: Some(350.0),
            dollars: None,
        }
        .build(),
        source: Source::new("aiconfigurator", "l40s.yaml"),
        price_source: None,
        coverage: BORROWED,
        dollars_owned: None,
        status: Status::Shipping,
        caveat: Some("No NVLink: a domain is one GPU, and PCIe joins the rest of a host."),
    },
    Entry {
        id: "tpu-v5p",
        name: "TPU v5p",
        accelerator: Row {
            tera: [Some(459.0), Some(459.0), None],
            hbm_gb_per_s: 2765.0,
            capacity_gib: 95.0,
            domain: 8960,
            scale_up_gb_per_s: 600.0,
            scale_out_gb_per_s: 6.25,
            watts: None,
            dollars: None,
        }
        .build(),
        source: Source::new(
            paper::B,
            "Table I; Google Cloud TPU7x documentation, comparison table",
        ),
        price_source: None,
        coverage: BORROWED,
        dollars_owned: None,
        status: Status::Shipping,
        caveat: Some(
            "The scale-up network is a 3D torus, taken here as all-to-all. FP8 runs at the BF16 rate.",
        ),
    },
    Entry {
        id: "tpu-v6e",
        name: "TPU v6e",
        accelerator: Row {
            tera: [Some(918.0), Some(918.0), None],
            hbm_gb_per_s: 1638.0,
            capacity_gib: 32.0,
            domain: 256,
            scale_up_gb_per_s: 400.0,
            scale_out_gb_per_s: 12.5,
            watts: None,
            dollars: Some(2.7),
        }
        .build(),
        source: Source::new("Google Cloud TPU v6e documentation", "system architecture"),
        price_source: Some(Source::new(paper::L, "Table 1")),
        coverage: BORROWED,
        dollars_owned: None,
        status: Status::Shipping,
        caveat: Some(
            "The scale-up network is a 2D torus, taken here as all-to-all. FP8 runs at the BF16 rate.",
        ),
    },
    Entry {
        id: "tpu-v7",
        name: "TPU v7",
        accelerator: Row {
            tera: [Some(2307.0), Some(4614.0), None],
            hbm_gb_per_s: 7380.0,
            capacity_gib: 192.0,
            domain: 9216,
            scale_up_gb_per_s: 600.0,
            scale_out_gb_per_s: 12.5,
            watts: Some(980.0),
            dollars: Some(2.0),
        }
        .build(),
        source: Source::new("Google Cloud TPU7x documentation", "comparison table"),
        price_source: Some(RENTAL),
        coverage: BORROWED,
        dollars_owned: Some(1.21),
        status: Status::Shipping,
        caveat: Some(
            "The scale-up network is a 3D torus, taken here as all-to-all. [B] has 7,400 GB/s of HBM.",
        ),
    },
    Entry {
        id: "ascend-910c",
        name: "Ascend 910C",
        accelerator: Row {
            tera: [Some(752.0), None, None],
            hbm_gb_per_s: 3200.0,
            capacity_gib: 128.0,
            domain: 384,
            scale_up_gb_per_s: 392.0,
            scale_out_gb_per_s: 50.0,
            watts: None,
            dollars: None,
        }
        .build(),
        source: Source::new(
            "Huawei CloudMatrix384 (arXiv 2506.12708)",
            "hardware overview",
        ),
        price_source: None,
        coverage: BORROWED,
        dollars_owned: None,
        status: Status::Shipping,
        caveat: Some("One package of two dies; some reports count a die, half of everything."),
    },
    Entry {
        id: "vr200",
        name: "VR200 NVL72",
        accelerator: Row {
            tera: [Some(4000.0), Some(17500.0), Some(35000.0)],
            hbm_gb_per_s: 19200.0,
            capacity_gib: 268.2,
            domain: 72,
            scale_up_gb_per_s: 1500.0,
            scale_out_gb_per_s: 200.0,
            watts: Some(1800.0),
            dollars: Some(8.5),
        }
        .build(),
        source: Source::new(
            "NVIDIA Vera Rubin NVL72 product page (September 2026)",
            "rack figures over 72 packages; board power InferenceX, gpu-keys.ts",
        ),
        price_source: Some(RENTAL),
        coverage: BORROWED,
        dollars_owned: Some(3.61),
        status: Status::Shipping,
        caveat: Some(
            "HBM is also given as 22 TB/s and NVLink as 1.8 TB/s; the product page has less. The 50 PFLOP/s of FP4 that are advertised count compression. Scale-out and board power are third-party figures.",
        ),
    },
    Entry {
        id: "mi455x",
        name: "MI455X Helios",
        accelerator: Row {
            tera: [Some(5030.0), Some(20130.0), Some(40260.0)],
            hbm_gb_per_s: 23300.0,
            capacity_gib: 402.3,
            domain: 72,
            scale_up_gb_per_s: 1800.0,
            scale_out_gb_per_s: 300.0,
            watts: Some(2500.0),
            dollars: None,
        }
        .build(),
        source: Source::new(
            "AMD Instinct MI455X product page (October 2026)",
            "peaks, HBM4, UALoE",
        ),
        price_source: None,
        coverage: BORROWED,
        dollars_owned: None,
        status: Status::Announced,
        caveat: Some(
            "Launched in July 2026, first racks late in the year. 432 GB are printed. Board power is a press figure; early announcements had 19.6 TB/s of HBM. No price is known.",
        ),
    },
    Entry {
        id: "trainium2",
        name: "Trainium2",
        accelerator: Row {
            tera: [Some(667.0), Some(1299.0), None],
            hbm_gb_per_s: 2900.0,
            capacity_gib: 96.0,
            domain: 64,
            scale_up_gb_per_s: 512.0,
            scale_out_gb_per_s: 25.0,
            watts: None,
            dollars: Some(2.24),
        }
        .build(),
        source: Source::new(
            "AWS Neuron documentation",
            "Trainium2 and Trn2 architecture",
        ),
        price_source: Some(Source::new(
            "AWS capacity block of trn2.48xlarge, ap-south-2 (3 October 2026)",
            "24 hours over 16 chips",
        )),
        coverage: BORROWED,
        dollars_owned: None,
        status: Status::Shipping,
        caveat: Some(
            "NeuronLink is a torus with less bandwidth between instances, taken here as all-to-all; its figures are read as both directions together. The price is a reserved block, not the rental of the other rows.",
        ),
    },
    Entry {
        id: "trainium3",
        name: "Trainium3",
        accelerator: Row {
            tera: [Some(671.0), Some(2517.0), Some(2517.0)],
            hbm_gb_per_s: 4900.0,
            capacity_gib: 144.0,
            domain: 144,
            scale_up_gb_per_s: 1024.0,
            scale_out_gb_per_s: 25.0,
            watts: None,
            dollars: None,
        }
        .build(),
        source: Source::new(
            "AWS Neuron documentation",
            "Trainium3 and Trn3 architecture",
        ),
        price_source: None,
        coverage: BORROWED,
        dollars_owned: None,
        status: Status::Shipping,
        caveat: Some(
            "FP4 weights are computed at the FP8 rate. Sources disagree on NeuronLink: half of 2,048 GB/s is taken. No price is known.",
        ),
    },
    Entry {
        id: "gaudi3",
        name: "Gaudi 3",
        accelerator: Row {
            tera: [Some(1835.0), Some(1835.0), None],
            hbm_gb_per_s: 3670.0,
            capacity_gib: 119.2,
            domain: 8,
            scale_up_gb_per_s: 525.0,
            scale_out_gb_per_s: 75.0,
            watts: Some(900.0),
            dollars: None,
        }
        .build(),
        source: Source::new(
            "Intel, Hot Chips 2024",
            "Gaudi 3 (HL-325L): peaks, HBM2E, 24 ports of 200 Gb/s",
        ),
        price_source: None,
        coverage: BORROWED,
        dollars_owned: None,
        status: Status::Shipping,
        caveat: Some(
            "21 of its 24 ports are taken to join the eight of a board, three to leave it. 128 GB are printed. No price is known.",
        ),
    },
    Entry {
        id: "ascend-950pr",
        name: "Ascend 950PR",
        accelerator: Row {
            tera: [Some(500.0), Some(1000.0), Some(2000.0)],
            hbm_gb_per_s: 1600.0,
            capacity_gib: 119.2,
            domain: 8192,
            scale_up_gb_per_s: 1000.0,
            scale_out_gb_per_s: 50.0,
            watts: Some(600.0),
            dollars: None,
        }
        .build(),
        source: Source::new(
            "Huawei Connect (September 2025), as reported",
            "950PR; board power of the Atlas 350 card",
        ),
        price_source: None,
        coverage: BORROWED,
        dollars_owned: None,
        status: Status::Shipping,
        caveat: Some(
            "BF16 is assumed at half of FP8, and 2 TB/s of UnifiedBus read as both directions together. Scale-out is a stand-in; a domain of 8,192 does not use it. 128 GB are printed. No price is known.",
        ),
    },
    Entry {
        id: "ascend-950dt",
        name: "Ascend 950DT",
        accelerator: Row {
            tera: [Some(500.0), Some(1000.0), Some(2000.0)],
            hbm_gb_per_s: 4000.0,
            capacity_gib: 134.1,
            domain: 8192,
            scale_up_gb_per_s: 1000.0,
            scale_out_gb_per_s: 50.0,
            watts: None,
            dollars: None,
        }
        .build(),
        source: Source::new(
            "Huawei Connect (September 2025), as reported",
            "950DT; memory as the chip white paper has it",
        ),
        price_source: None,
        coverage: BORROWED,
        dollars_owned: None,
        status: Status::Announced,
        caveat: Some(
            "BF16 is assumed at half of FP8, and 2 TB/s of UnifiedBus read as both directions together. Scale-out is a stand-in; a domain of 8,192 does not use it. 144 GB are printed. No price is known.",
        ),
    },
];
