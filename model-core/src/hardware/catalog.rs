//! The catalogue of accelerators, one row each, with sources.
//!
//! A number that no source confirms is `None` or, where the model needs it, named in the row's caveat, which the page
//! shows. Prices come from one study where it has the part: list prices differ eightfold between sources, so prices
//! from different ones are never mixed silently.

use super::{Accelerator, Coverage, Family, Peaks};
use crate::named::same_text;
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
    /// Source of the numbers; of the capacity, where vendors print several.
    pub source: Source,
    /// Source of the rental price; `None` exactly when there is no price.
    pub price_source: Option<Source>,
    /// US dollars per GPU-hour for a large operator that owns it, by the same source.
    pub dollars_owned: Option<f64>,
    /// Shipping or announced.
    pub status: Status,
    /// Measured kernels that apply to it.
    pub coverage: Coverage,
    /// Assumed or disputed figures.
    pub caveat: Option<&'static str>,
}

/// Availability of an accelerator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// In customers' racks.
    Shipping,
    /// Announced; numbers may change.
    Announced,
}

/// Packages by their own names, and the row that has them.
pub const PACKAGES: [(&str, &str); 1] = [("r200", "vr200")];

/// The row with this identifier, or of the package of this name.
pub fn find(id: &str) -> Option<&'static Entry> {
    let row = PACKAGES.iter().find(|(package, _)| *package == id);
    let id = row.map_or(id, |(_, row)| row);
    CATALOG.iter().find(|entry| entry.id == id)
}

/// The default accelerator of version-1 links.
pub const DEFAULT: &Entry = by_id("h100");

/// The default memory device of a split in version-1 links: H20, as in [L].
pub const MEMORY_DEFAULT: &Entry = by_id("h20");

/// The row with an identifier in the code; an unknown one does not compile.
const fn by_id(id: &str) -> &'static Entry {
    let mut at = 0;
    while !same_text(CATALOG[at].id, id) {
        at += 1;
    }
    &CATALOG[at]
}

/// Prices of [L], on-demand in US dollars per GPU-hour: several times the rental prices of the rows, and therefore
/// never mixed with them.
const LAMINA_PRICES: [(&str, f64); 3] = [("h100", 11.06), ("h20", 4.63), ("tpu-v6e", 2.70)];

const LAMINA: Source = Source::new(
    paper::L,
    "Table 1: list prices on demand; H20 estimated there from the cost of whole systems",
);

/// Prices of two accelerators in US dollars per GPU-hour from one source: the rows' own where both have the same
/// source, else those of [L] Table 1.
///
/// Prices of different sources differ eightfold, so a comparison across them is meaningless.
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
/// Coverage outside both families: no measured kernels, Hopper's are used.
const BORROWED: Coverage = Coverage::Borrowed(Family::Hopper);

const GPU_SPECS: &str = "InferenceX, gpu-specs.ts (2026)";
/// One source of prices for every row that has one; it also gives owners' cost.
const RENTAL: Source = Source::new(
    "SemiAnalysis AI Cloud TCO model, as InferenceX ships it (November 2026)",
    "HW_REGISTRY of gpu-keys.ts: rented, retail tier",
);

/// Starts a row, in the units that vendors print.
const fn row(id: &'static str, name: &'static str, coverage: Coverage) -> Entry {
    Entry {
        id,
        name,
        accelerator: Accelerator {
            peaks: Peaks {
                bf16: None,
                fp8: None,
                fp4: None,
            },
            hbm: BytesPerSecond::ZERO,
            capacity: Bytes::ZERO,
            domain: 0,
            scale_up: BytesPerSecond::ZERO,
            scale_out: BytesPerSecond::ZERO,
            board_watts: None,
            dollars_per_hour: None,
        },
        source: Source::new("", ""),
        price_source: None,
        dollars_owned: None,
        status: Status::Shipping,
        coverage,
        caveat: None,
    }
}

impl Entry {
    const fn bf16(mut self, tera: f64) -> Self {
        self.accelerator.peaks.bf16 = Some(FlopPerSecond::from_tera(tera));
        self
    }

    const fn fp8(mut self, tera: f64) -> Self {
        self.accelerator.peaks.fp8 = Some(FlopPerSecond::from_tera(tera));
        self
    }

    const fn fp4(mut self, tera: f64) -> Self {
        self.accelerator.peaks.fp4 = Some(FlopPerSecond::from_tera(tera));
        self
    }

    /// HBM bandwidth and capacity; the printed gigabytes are read as GiB, in every row.
    const fn memory(mut self, gb_per_s: f64, printed_gb: f64) -> Self {
        self.accelerator.hbm = BytesPerSecond::from_gb(gb_per_s);
        self.accelerator.capacity = Bytes::from_gib(printed_gb);
        self
    }

    /// GPUs of a scale-up domain, and GB/s of scale-up and scale-out in one direction.
    const fn network(mut self, domain: u32, scale_up: f64, scale_out: f64) -> Self {
        self.accelerator.domain = domain;
        self.accelerator.scale_up = BytesPerSecond::from_gb(scale_up);
        self.accelerator.scale_out = BytesPerSecond::from_gb(scale_out);
        self
    }

    const fn watts(mut self, watts: f64) -> Self {
        self.accelerator.board_watts = Some(watts);
        self
    }

    const fn rented(mut self, dollars_per_hour: f64, source: Source) -> Self {
        self.accelerator.dollars_per_hour = Some(dollars_per_hour);
        self.price_source = Some(source);
        self
    }

    const fn owned(mut self, dollars_per_hour: f64) -> Self {
        self.dollars_owned = Some(dollars_per_hour);
        self
    }

    const fn source(mut self, title: &'static str, locator: &'static str) -> Self {
        self.source = Source::new(title, locator);
        self
    }

    const fn announced(mut self) -> Self {
        self.status = Status::Announced;
        self
    }

    const fn caveat(mut self, caveat: &'static str) -> Self {
        self.caveat = Some(caveat);
        self
    }
}

/// Every row has a peak, memory, a network and a source.
const _: () = {
    let mut at = 0;
    while at < CATALOG.len() {
        let Entry {
            accelerator,
            source,
            ..
        } = &CATALOG[at];
        assert!(accelerator.peaks.bf16.is_some() && accelerator.domain > 0);
        assert!(accelerator.hbm.get() > 0.0 && accelerator.capacity.get() > 0.0);
        assert!(accelerator.scale_up.get() > 0.0 && accelerator.scale_out.get() > 0.0);
        assert!(!source.title.is_empty() && !source.locator.is_empty());
        at += 1;
    }
};

/// Every accelerator.
#[rustfmt::skip]
pub const CATALOG: &[Entry] = &[
    row("h100", "H100 SXM", HOPPER)
        .bf16(989.0)
        .fp8(1979.0)
        .memory(3350.0, 80.0)
        .network(8, 450.0, 50.0)
        .watts(700.0)
        .source(paper::L, "Table 1; NVLink and CX7 figures as [A] Table 2")
        .rented(2.0, RENTAL)
        .owned(1.17),
    row("h800", "H800 SXM", HOPPER)
        .bf16(989.0)
        .fp8(1979.0)
        .memory(3352.0, 80.0)
        .network(8, 200.0, 50.0)
        .source("Ant Group and SGLang on H20 and H800 (September 2025)", "hardware table")
        .rented(2.0, Source::new("DeepSeek, Inference System Overview (February 2025)", "cost assumption"))
        .caveat("Half of H100's NVLink; under load the BF16 peak is throttled to about 865 TFLOP/s."),
    row("h20", "H20 96 GB", Coverage::MemoryOnly(Family::Hopper))
        .bf16(148.0)
        .fp8(296.0)
        .memory(4000.0, 96.0)
        .network(8, 450.0, 25.0)
        .watts(400.0)
        .source("Ant Group and SGLang on H20 and H800 (September 2025)", "hardware table; board power [L] Table 1")
        .caveat("Scale-out is four 400 Gb/s ports for eight GPUs as Ant builds it; [L] assumes a port per GPU (50 GB/s)."),
    row("h200", "H200 SXM", HOPPER)
        .bf16(989.0)
        .fp8(1979.0)
        .memory(4800.0, 141.0)
        .network(8, 450.0, 50.0)
        .watts(700.0)
        .source(paper::B, "Table I; links and board power InferenceX, gpu-specs.ts")
        .rented(2.9, RENTAL)
        .owned(1.22),
    row("b200", "B200 SXM", BLACKWELL)
        .bf16(2250.0)
        .fp8(4500.0)
        .fp4(9000.0)
        .memory(8000.0, 180.0)
        .network(8, 900.0, 50.0)
        .watts(1000.0)
        .source(GPU_SPECS, "B200 SXM; 180 GB printed: 1,440 GB of the eight in a DGX B200")
        .rented(3.7, RENTAL)
        .owned(1.73)
        .caveat("[B] counts 192 GB. Some B200 systems have 100 GB/s of scale-out."),
    row("gb200", "GB200 NVL72", BLACKWELL)
        .bf16(2500.0)
        .fp8(5000.0)
        .fp4(10000.0)
        .memory(8000.0, 186.0)
        .network(72, 900.0, 50.0)
        .watts(1200.0)
        .source(GPU_SPECS, "GB200 NVL72; 186 GB printed: 372 GB of the two in a superchip")
        .rented(4.0, RENTAL)
        .owned(1.86)
        .caveat("Early announcements had 192 GB. Racks are joined by 50 to 100 GB/s per GPU; 50 is taken."),
    row("b300", "B300 SXM", BLACKWELL)
        .bf16(2250.0)
        .fp8(4500.0)
        .fp4(13500.0)
        .memory(8000.0, 288.0)
        .network(8, 900.0, 100.0)
        .watts(1200.0)
        .source(GPU_SPECS, "B300 SXM; 288 GB printed")
        .rented(4.25, RENTAL)
        .owned(2.26)
        .caveat("Systems report 268 GB. FP4 is given as 13.5 or 14 PFLOP/s."),
    row("gb300", "GB300 NVL72", BLACKWELL)
        .bf16(2500.0)
        .fp8(5000.0)
        .fp4(15000.0)
        .memory(8000.0, 288.0)
        .network(72, 900.0, 100.0)
        .watts(1400.0)
        .source(GPU_SPECS, "GB300 NVL72; 288 GB printed")
        .rented(5.0, RENTAL)
        .owned(2.31)
        .caveat("Systems report 278 GB."),
    row("mi300x", "MI300X", Coverage::Range(Family::Cdna3))
        .bf16(1307.0)
        .fp8(2615.0)
        .memory(5300.0, 192.0)
        .network(8, 448.0, 50.0)
        .watts(750.0)
        .source(GPU_SPECS, "MI300X; board power MLPerf 4.1 system file")
        .rented(1.3, RENTAL)
        .owned(0.95)
        .caveat("Scale-up is a full mesh of seven links; one peer sees 64 GB/s of it."),
    row("mi325x", "MI325X", Coverage::Range(Family::Cdna3))
        .bf16(1307.4)
        .fp8(2615.0)
        .memory(6000.0, 256.0)
        .network(8, 448.0, 50.0)
        .watts(1000.0)
        .source(paper::B, "Table I; links InferenceX, gpu-specs.ts")
        .rented(1.6, RENTAL)
        .owned(1.1),
    row("mi355x", "MI355X", Coverage::Range(Family::Cdna4))
        .bf16(2516.0)
        .fp8(5033.0)
        .fp4(10066.0)
        .memory(8000.0, 288.0)
        .network(8, 538.0, 50.0)
        .watts(1400.0)
        .source(GPU_SPECS, "MI355X; scale-up seven links of 76.8 GB/s")
        .rented(2.9, RENTAL)
        .owned(1.5),
    row("a100", "A100 SXM 80 GB", BORROWED)
        .bf16(312.0)
        .memory(2039.0, 80.0)
        .network(8, 300.0, 25.0)
        .watts(400.0)
        .source(paper::B, "Table I; links and board power aiconfigurator, a100_sxm.yaml"),
    row("v100", "V100 SXM2 32 GB", BORROWED)
        .bf16(125.0)
        .memory(900.0, 32.0)
        .network(8, 150.0, 12.5)
        .source(paper::B, "Table I")
        .caveat("The peak is FP16: V100 has no BF16. Links and domain are assumed, no source confirms them."),
    row("l40s", "L40S", BORROWED)
        .bf16(362.0)
        .fp8(733.0)
        .memory(864.0, 48.0)
        .network(1, 32.0, 50.0)
        .watts(350.0)
        .source("aiconfigurator", "l40s.yaml")
        .caveat("No NVLink: a domain is one GPU, and PCIe joins the rest of a host."),
    row("tpu-v5p", "TPU v5p", BORROWED)
        .bf16(459.0)
        .fp8(459.0)
        .memory(2765.0, 95.0)
        .network(8960, 600.0, 6.25)
        .source(paper::B, "Table I; Google Cloud TPU7x documentation, comparison table")
        .caveat("The scale-up network is a 3D torus, taken here as all-to-all. FP8 runs at the BF16 rate."),
    row("tpu-v6e", "TPU v6e", BORROWED)
        .bf16(918.0)
        .fp8(918.0)
        .memory(1638.0, 32.0)
        .network(256, 400.0, 12.5)
        .source("Google Cloud TPU v6e documentation", "system architecture")
        .rented(2.7, Source::new(paper::L, "Table 1"))
        .caveat("The scale-up network is a 2D torus, taken here as all-to-all. FP8 runs at the BF16 rate."),
    row("tpu-v7", "TPU v7", BORROWED)
        .bf16(2307.0)
        .fp8(4614.0)
        .memory(7380.0, 192.0)
        .network(9216, 600.0, 12.5)
        .watts(980.0)
        .source("Google Cloud TPU7x documentation", "comparison table")
        .rented(2.0, RENTAL)
        .owned(1.21)
        .caveat("The scale-up network is a 3D torus, taken here as all-to-all. [B] has 7,400 GB/s of HBM."),
    row("ascend-910c", "Ascend 910C", BORROWED)
        .bf16(752.0)
        .memory(3200.0, 128.0)
        .network(384, 392.0, 50.0)
        .source("Huawei CloudMatrix384 (arXiv 2506.12708)", "hardware overview")
        .caveat("One package of two dies; some reports count a die, half of everything."),
    row("vr200", "VR200 NVL72", BORROWED)
        .bf16(4000.0)
        .fp8(17500.0)
        .fp4(35000.0)
        .memory(19200.0, 288.0)
        .network(72, 1500.0, 200.0)
        .watts(1800.0)
        .source("NVIDIA Vera Rubin NVL72 product page (September 2026)", "rack figures over 72 packages, 288 GB printed; board power InferenceX, gpu-keys.ts")
        .rented(8.5, RENTAL)
        .owned(3.61)
        .caveat("HBM is also given as 22 TB/s and NVLink as 1.8 TB/s; the product page has less. The 50 PFLOP/s of FP4 that are advertised count compression. Scale-out and board power are third-party figures."),
    row("mi455x", "MI455X Helios", BORROWED)
        .bf16(5030.0)
        .fp8(20130.0)
        .fp4(40260.0)
        .memory(23300.0, 432.0)
        .network(72, 1800.0, 300.0)
        .watts(2500.0)
        .source("AMD Instinct MI455X product page (October 2026)", "peaks, HBM4 of 432 GB, UALoE")
        .announced()
        .caveat("Launched in July 2026, first racks late in the year. Board power is a press figure; early announcements had 19.6 TB/s of HBM. No price is known."),
    row("trainium2", "Trainium2", BORROWED)
        .bf16(667.0)
        .fp8(1299.0)
        .memory(2900.0, 96.0)
        .network(64, 512.0, 25.0)
        .source("AWS Neuron documentation", "Trainium2 and Trn2 architecture")
        .rented(2.24, Source::new("AWS capacity block of trn2.48xlarge, ap-south-2 (3 October 2026)", "24 hours over 16 chips"))
        .caveat("NeuronLink is a torus with less bandwidth between instances, taken here as all-to-all; its figures are read as both directions together. The price is a reserved block, not the rental of the other rows."),
    row("trainium3", "Trainium3", BORROWED)
        .bf16(671.0)
        .fp8(2517.0)
        .fp4(2517.0)
        .memory(4900.0, 144.0)
        .network(144, 1024.0, 25.0)
        .source("AWS Neuron documentation", "Trainium3 and Trn3 architecture")
        .caveat("FP4 weights are computed at the FP8 rate. Sources disagree on NeuronLink: half of 2,048 GB/s is taken. No price is known."),
    row("gaudi3", "Gaudi 3", BORROWED)
        .bf16(1835.0)
        .fp8(1835.0)
        .memory(3670.0, 128.0)
        .network(8, 525.0, 75.0)
        .watts(900.0)
        .source("Intel, Hot Chips 2024", "Gaudi 3 (HL-325L): peaks, HBM2E of 128 GB, 24 ports of 200 Gb/s")
        .caveat("21 of its 24 ports are taken to join the eight of a board, three to leave it. No price is known."),
    row("ascend-950pr", "Ascend 950PR", BORROWED)
        .bf16(500.0)
        .fp8(1000.0)
        .fp4(2000.0)
        .memory(1600.0, 128.0)
        .network(8192, 1000.0, 50.0)
        .watts(600.0)
        .source("Huawei Connect (September 2025), as reported", "950PR, 128 GB; board power of the Atlas 350 card")
        .caveat("BF16 is assumed at half of FP8, and 2 TB/s of UnifiedBus read as both directions together. Scale-out is a stand-in; a domain of 8,192 does not use it. No price is known."),
    row("ascend-950dt", "Ascend 950DT", BORROWED)
        .bf16(500.0)
        .fp8(1000.0)
        .fp4(2000.0)
        .memory(4000.0, 144.0)
        .network(8192, 1000.0, 50.0)
        .source("Huawei Connect (September 2025), as reported", "950DT, 144 GB")
        .announced()
        .caveat("BF16 is assumed at half of FP8, and 2 TB/s of UnifiedBus read as both directions together. Scale-out is a stand-in; a domain of 8,192 does not use it. No price is known."),
    row("gb10", "GB10 DGX Spark", Coverage::Borrowed(Family::Blackwell))
        .bf16(213.0)
        .fp8(214.0)
        .fp4(500.0)
        .memory(273.0, 128.0)
        .network(1, 25.0, 25.0)
        .watts(140.0)
        .source("NVIDIA DGX Spark product page and user guide", "hardware overview, 128 GB of LPDDR5X printed; BF16 and FP8 as measured, aiconfigurator, gb10.yaml")
        .caveat("FP4 is half of the 1 PFLOP/s that are printed with sparsity; 427 TFLOP/s were measured. No BF16 or FP8 peak is printed. CPU and GPU share memory and its bandwidth: about 119 GiB are the GPU's. A domain is one machine, and 200 Gb/s join several. No price is known."),
];
