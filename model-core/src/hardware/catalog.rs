//! The catalog of accelerators, one row each, with sources.
//!
//! A number that no source confirms is `None`. If Ridgepoint's performance model needs such a number, the row's
//! caveat names it, and the page shows the caveat. Prices come from a single study for every accelerator that the
//! study covers. List prices differ eightfold between sources, so prices from different sources are never mixed
//! silently.

use super::{Accelerator, Coverage, Family, Peaks};
use crate::named::same_text;
use crate::source::{Source, paper};
use crate::units::{Bytes, BytesPerSecond, FlopPerSecond};

/// An accelerator in the catalog.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// Identifier in permalinks.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Hardware numbers of the accelerator.
    pub accelerator: Accelerator,
    /// Source of the hardware numbers and, where vendors print several capacities, of the capacity used.
    pub source: Source,
    /// Source of the rental price; `None` exactly when there is no price.
    pub price_source: Option<Source>,
    /// Cost in US dollars per GPU-hour for a large operator that owns the accelerator. It has the same source as the
    /// rental price.
    pub dollars_owned: Option<f64>,
    /// Availability: shipping or announced.
    pub status: Status,
    /// Extent to which measured kernels apply to the accelerator.
    pub coverage: Coverage,
    /// True if [`Accelerator::usable`] was read from a start-up log, false if it is an assumed share of the vendor's
    /// capacity.
    pub usable_reported: bool,
    /// Note on assumed or disputed figures.
    pub caveat: Option<&'static str>,
}

/// Availability of an accelerator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// In use in customers' racks.
    Shipping,
    /// Announced only; its numbers may change.
    Announced,
}

/// Names of packages and systems, each with the identifier of the catalog row that covers it.
pub const PACKAGES: [(&str, &str); 2] = [("r200", "vr200"), ("dgx-spark", "gb10")];

/// Returns the row with this identifier, or the row that covers the package or system of this name.
pub fn find(id: &str) -> Option<&'static Entry> {
    let row = PACKAGES.iter().find(|(package, _)| *package == id);
    let id = row.map_or(id, |(_, row)| row);
    CATALOG.iter().find(|entry| entry.id == id)
}

/// Default accelerator of version-1 permalinks.
pub const DEFAULT: &Entry = by_id("h100");

/// Default memory device of a Lamina deployment in version-1 permalinks: H20, as in [L].
pub const MEMORY_DEFAULT: &Entry = by_id("h20");

/// Returns the row with an identifier that is fixed in the code; an unknown identifier does not compile.
const fn by_id(id: &str) -> &'static Entry {
    let mut at = 0;
    while !same_text(CATALOG[at].id, id) {
        at += 1;
    }
    &CATALOG[at]
}

/// On-demand prices from [L], in US dollars per GPU-hour. They are several times the rental prices of the rows, and
/// are therefore never mixed with them.
const LAMINA_PRICES: [(&str, f64); 3] = [("h100", 11.06), ("h20", 4.63), ("tpu-v6e", 2.70)];

const LAMINA: Source = Source::new(
    paper::L,
    "Table 1: on-demand list prices; H20’s is estimated there from the cost of whole systems",
);

/// Returns the prices of two accelerators from one source, in US dollars per GPU-hour. If both rows have the same
/// price source, their prices are returned; otherwise, those of [L] Table 1, or `None` if one of them is not in that
/// table.
///
/// Prices from different sources differ eightfold, so a comparison across sources is meaningless.
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
/// Coverage of an accelerator outside the measured families: it has no measured kernels, so Hopper's are used.
const BORROWED: Coverage = Coverage::Borrowed(Family::Hopper);

const AICONFIGURATOR: &str = "ai-dynamo/aiconfigurator @095f58a, systems";
const GPU_SPECS: &str = "InferenceX, gpu-specs.ts (2026)";
/// Source of the rental price of every accelerator that this study covers; the study also gives the cost to owners.
const RENTAL: Source = Source::new(
    "SemiAnalysis AI Cloud TCO model, as InferenceX ships it (November 2026)",
    "HW_REGISTRY of gpu-keys.ts: rented, retail tier",
);

/// Starts a catalog row; builder methods then add its numbers, in the units that vendors use.
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
            usable: Bytes::ZERO,
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
        usable_reported: false,
        caveat: None,
    }
}

/// Ratio of the memory that a runtime reports (in GiB) to the HBM that the vendor states (in GB). From H100, H200,
/// B200, GB200, A100 and MI300X.
const OF_HBM: f64 = 0.99;
/// Ratio of the memory that a runtime reports (in GiB) to the GDDR that the vendor states (in GB). From RTX 5090, RTX
/// 3090 and RTX PRO 6000.
const OF_GDDR: f64 = 0.98;
/// Ratio of the memory that a runtime reports (in GiB) to the GDDR6 that the vendor states (in GB), with error
/// correction on. From L40S.
const OF_GDDR_ECC: f64 = 0.92;
/// Fraction of the unified memory of CPU and GPU that the GPU can use: 110 of 128 GB, as configured on a Strix Halo
/// system.
const OF_SHARED: f64 = 110.0 / 128.0;

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

    /// Sets HBM bandwidth and capacity (vendor GB are taken as GiB in every row). The runtime is assumed to report
    /// 99% of this capacity.
    const fn memory(mut self, gb_per_s: f64, printed_gb: f64) -> Self {
        self.accelerator.hbm = BytesPerSecond::from_gb(gb_per_s);
        self.accelerator.capacity = Bytes::from_gib(printed_gb);
        self.accelerator.usable = Bytes::from_gib(printed_gb * OF_HBM);
        self
    }

    /// Sets the total memory that a runtime reports, assumed to be `share` of the vendor's capacity.
    const fn usable_share(mut self, share: f64) -> Self {
        self.accelerator.usable = Bytes::new(self.accelerator.capacity.get() * share);
        self
    }

    /// Sets the total memory that a runtime reports, in GiB, as read from a start-up log.
    const fn usable(mut self, gib: f64) -> Self {
        self.accelerator.usable = Bytes::from_gib(gib);
        self.usable_reported = true;
        self
    }

    /// Sets the GPUs per scale-up domain, and the scale-up and scale-out bandwidth per GPU in GB/s, one direction.
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

/// Checks at compile time that every row has a BF16 peak, memory, a network and a source.
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

/// All accelerators in the catalog.
#[rustfmt::skip]
pub const CATALOG: &[Entry] = &[
    row("h100", "H100 SXM", HOPPER)
        .bf16(989.0)
        .fp8(1979.0)
        .memory(3350.0, 80.0)
        .usable(79.2)
        .network(8, 450.0, 50.0)
        .watts(700.0)
        .source(paper::L, "Table 1; NVLink and CX7 figures from [A] Table 2")
        .rented(2.0, RENTAL)
        .owned(1.17),
    row("h800", "H800 SXM", HOPPER)
        .bf16(989.0)
        .fp8(1979.0)
        .memory(3352.0, 80.0)
        .network(8, 200.0, 50.0)
        .source("Ant Group and SGLang on H20 and H800 (September 2025)", "hardware table")
        .rented(2.0, Source::new("DeepSeek, Inference System Overview (February 2025)", "cost assumption"))
        .caveat("NVLink has about half of H100's bandwidth; under load, the BF16 peak is throttled to about 865 \
            TFLOP/s."),
    row("h20", "H20 96 GB", Coverage::MemoryOnly(Family::Hopper))
        .bf16(148.0)
        .fp8(296.0)
        .memory(4000.0, 96.0)
        .usable(95.2)
        .network(8, 450.0, 25.0)
        .watts(400.0)
        .source("Ant Group and SGLang on H20 and H800 (September 2025)", "hardware table; board power from [L] Table 1")
        .caveat("Ant’s servers have four 400 Gb/s scale-out ports for eight GPUs; [L] assumes a port per GPU (50 \
            GB/s)."),
    row("h200", "H200 SXM", HOPPER)
        .bf16(989.0)
        .fp8(1979.0)
        .memory(4800.0, 141.0)
        .usable(139.8)
        .network(8, 450.0, 50.0)
        .watts(700.0)
        .source(paper::B, "Table I; links and board power from InferenceX, gpu-specs.ts")
        .rented(2.9, RENTAL)
        .owned(1.22),
    row("b200", "B200 SXM", BLACKWELL)
        .bf16(2250.0)
        .fp8(4500.0)
        .fp4(9000.0)
        .memory(8000.0, 180.0)
        .usable(178.4)
        .network(8, 900.0, 50.0)
        .watts(1000.0)
        .source(GPU_SPECS, "B200 SXM; states 180 GB: 1,440 GB for the eight GPUs of a DGX B200")
        .rented(3.7, RENTAL)
        .owned(1.73)
        .caveat("[B] uses 192 GB. Some B200 systems have 100 GB/s of scale-out."),
    row("gb200", "GB200 NVL72", BLACKWELL)
        .bf16(2500.0)
        .fp8(5000.0)
        .fp4(10000.0)
        .memory(8000.0, 186.0)
        .usable(184.3)
        .network(72, 900.0, 50.0)
        .watts(1200.0)
        .source(GPU_SPECS, "GB200 NVL72; states 186 GB: 372 GB for the two GPUs of a superchip")
        .rented(4.0, RENTAL)
        .owned(1.86)
        .caveat("Early announcements gave 192 GB. Scale-out is 50 to 100 GB/s per GPU; 50 is used."),
    row("b300", "B300 SXM", BLACKWELL)
        .bf16(2250.0)
        .fp8(4500.0)
        .fp4(13500.0)
        .memory(8000.0, 288.0)
        .usable(268.0)
        .network(8, 900.0, 100.0)
        .watts(1200.0)
        .source(GPU_SPECS, "B300 SXM; states 288 GB")
        .rented(4.25, RENTAL)
        .owned(2.26)
        .caveat("Systems report 268 GB of memory. Sources give 13.5 or 14 PFLOP/s for FP4."),
    row("gb300", "GB300 NVL72", BLACKWELL)
        .bf16(2500.0)
        .fp8(5000.0)
        .fp4(15000.0)
        .memory(8000.0, 288.0)
        .usable(276.6)
        .network(72, 900.0, 100.0)
        .watts(1400.0)
        .source(GPU_SPECS, "GB300 NVL72; states 288 GB")
        .rented(5.0, RENTAL)
        .owned(2.31)
        .caveat("Systems report 278 GB of memory."),
    row("mi300x", "MI300X", Coverage::Range(Family::Cdna3))
        .bf16(1307.0)
        .fp8(2615.0)
        .memory(5300.0, 192.0)
        .usable(191.7)
        .network(8, 448.0, 50.0)
        .watts(750.0)
        .source(GPU_SPECS, "MI300X; board power from the MLPerf 4.1 system file")
        .rented(1.3, RENTAL)
        .owned(0.95)
        .caveat("Scale-up is a full mesh of seven links; the link to each peer has 64 GB/s."),
    row("mi325x", "MI325X", Coverage::Range(Family::Cdna3))
        .bf16(1307.4)
        .fp8(2615.0)
        .memory(6000.0, 256.0)
        .network(8, 448.0, 50.0)
        .watts(1000.0)
        .source(paper::B, "Table I; links from InferenceX, gpu-specs.ts")
        .rented(1.6, RENTAL)
        .owned(1.1),
    row("mi355x", "MI355X", Coverage::Range(Family::Cdna4))
        .bf16(2516.0)
        .fp8(5033.0)
        .fp4(10066.0)
        .memory(8000.0, 288.0)
        .usable(284.0)
        .network(8, 538.0, 50.0)
        .watts(1400.0)
        .source(GPU_SPECS, "MI355X; scale-up: seven links of 76.8 GB/s")
        .rented(2.9, RENTAL)
        .owned(1.5),
    row("a100", "A100 SXM 80 GB", BORROWED)
        .bf16(312.0)
        .memory(2039.0, 80.0)
        .usable(79.2)
        .network(8, 300.0, 25.0)
        .watts(400.0)
        .source(paper::B, "Table I; links and board power from aiconfigurator, a100_sxm.yaml"),
    row("v100", "V100 SXM2 32 GB", BORROWED)
        .bf16(125.0)
        .memory(900.0, 32.0)
        .network(8, 150.0, 12.5)
        .source(paper::B, "Table I")
        .caveat("The peak is FP16: V100 has no BF16. Links and domain are assumed."),
    row("l40s", "L40S", BORROWED)
        .bf16(362.0)
        .fp8(733.0)
        .memory(864.0, 48.0)
        .usable(44.4)
        .network(1, 32.0, 50.0)
        .watts(350.0)
        .source("aiconfigurator", "l40s.yaml")
        .caveat("No NVLink: one GPU per domain, PCIe between GPUs of a host."),
    row("tpu-v5p", "TPU v5p", BORROWED)
        .bf16(459.0)
        .fp8(459.0)
        .memory(2765.0, 95.0)
        .network(8960, 600.0, 6.25)
        .source(paper::B, "Table I; Google Cloud TPU7x documentation, comparison table")
        .caveat("The scale-up network is a 3D torus, modeled as all-to-all. FP8 runs at the BF16 rate."),
    row("tpu-v6e", "TPU v6e", BORROWED)
        .bf16(918.0)
        .fp8(918.0)
        .memory(1638.0, 32.0)
        .network(256, 400.0, 12.5)
        .source("Google Cloud TPU v6e documentation", "system architecture")
        .rented(2.7, Source::new(paper::L, "Table 1"))
        .caveat("The scale-up network is a 2D torus, modeled as all-to-all. FP8 runs at the BF16 rate."),
    row("tpu-v7", "TPU v7", BORROWED)
        .bf16(2307.0)
        .fp8(4614.0)
        .memory(7380.0, 192.0)
        .network(9216, 600.0, 12.5)
        .watts(980.0)
        .source("Google Cloud TPU7x documentation", "comparison table")
        .rented(2.0, RENTAL)
        .owned(1.21)
        .caveat("The scale-up network is a 3D torus, modeled as all-to-all. [B] uses 7,400 GB/s of HBM bandwidth."),
    row("ascend-910c", "Ascend 910C", BORROWED)
        .bf16(752.0)
        .memory(3200.0, 128.0)
        .network(384, 392.0, 50.0)
        .source("Huawei CloudMatrix384 (arXiv 2506.12708)", "hardware overview")
        .caveat("Figures are for one package with two dies; some reports are per die."),
    row("vr200", "VR200 NVL72", BORROWED)
        .bf16(4000.0)
        .fp8(17500.0)
        .fp4(35000.0)
        .memory(19200.0, 288.0)
        .network(72, 1500.0, 200.0)
        .watts(1800.0)
        .source("NVIDIA Vera Rubin NVL72 product page (September 2026)", "rack figures ÷ 72 packages, states 288 \
            GB; board power from InferenceX, gpu-keys.ts")
        .rented(8.5, RENTAL)
        .owned(3.61)
        .caveat("Other sources give 22 TB/s of HBM and 1.8 TB/s of NVLink; the product page gives less. The \
            advertised 50 PFLOP/s of FP4 include compression. Scale-out and board power are third-party figures."),
    row("mi455x", "MI455X Helios", BORROWED)
        .bf16(5030.0)
        .fp8(20130.0)
        .fp4(40260.0)
        .memory(23300.0, 432.0)
        .network(72, 1800.0, 300.0)
        .watts(2500.0)
        .source("AMD Instinct MI455X product page (October 2026)", "peaks, 432 GB of HBM4, UALoE")
        .announced()
        .caveat("Launched in July 2026; first racks expected late in the year. Board power is a press figure; \
            early announcements gave 19.6 TB/s of HBM. No list price."),
    row("trainium2", "Trainium2", BORROWED)
        .bf16(667.0)
        .fp8(1299.0)
        .memory(2900.0, 96.0)
        .network(64, 512.0, 25.0)
        .source("AWS Neuron documentation", "Trainium2 and Trn2 architecture")
        .rented(2.24, Source::new("AWS capacity block of trn2.48xlarge, ap-south-2 (3 October 2026)", "price of 24 hours ÷ 16 chips"))
        .caveat("NeuronLink is a torus with less bandwidth between hosts, modeled as all-to-all; its figures are \
            taken as bidirectional. The price is for a reserved capacity block; other rows have rental prices."),
    row("trainium3", "Trainium3", BORROWED)
        .bf16(671.0)
        .fp8(2517.0)
        .fp4(2517.0)
        .memory(4900.0, 144.0)
        .network(144, 1024.0, 25.0)
        .source("AWS Neuron documentation", "Trainium3 and Trn3 architecture")
        .caveat("FP4 weights are computed at the FP8 rate. Sources disagree on NeuronLink; half of 2,048 GB/s is \
            used. No list price."),
    row("gaudi3", "Gaudi 3", BORROWED)
        .bf16(1835.0)
        .fp8(1835.0)
        .memory(3670.0, 128.0)
        .network(8, 525.0, 75.0)
        .watts(900.0)
        .source("Intel, Hot Chips 2024", "Gaudi 3 (HL-325L): peaks, 128 GB of HBM2E, 24 ports of 200 Gb/s")
        .caveat("Of its 24 ports, 21 are assumed to connect the eight GPUs of a board, and three to scale out. No \
            list price."),
    row("ascend-950pr", "Ascend 950PR", BORROWED)
        .bf16(500.0)
        .fp8(1000.0)
        .fp4(2000.0)
        .memory(1600.0, 128.0)
        .network(8192, 1000.0, 50.0)
        .watts(600.0)
        .source("Huawei Connect (September 2025), as reported", "950PR, 128 GB; board power of the Atlas 350 card")
        .caveat("The BF16 peak is assumed to be half of FP8, and UnifiedBus’s 2 TB/s to be bidirectional. \
            Scale-out is assumed; deployments within a domain of 8,192 do not use it. No list price."),
    row("ascend-950dt", "Ascend 950DT", BORROWED)
        .bf16(500.0)
        .fp8(1000.0)
        .fp4(2000.0)
        .memory(4000.0, 144.0)
        .network(8192, 1000.0, 50.0)
        .source("Huawei Connect (September 2025), as reported", "950DT, 144 GB")
        .announced()
        .caveat("The BF16 peak is assumed to be half of FP8, and UnifiedBus’s 2 TB/s to be bidirectional. \
            Scale-out is assumed; deployments within a domain of 8,192 do not use it. No list price."),
    row("gb10", "GB10 DGX Spark", Coverage::Borrowed(Family::Blackwell))
        .bf16(213.0)
        .fp8(214.0)
        .fp4(500.0)
        .memory(273.0, 128.0)
        .usable(121.6)
        .network(1, 25.0, 25.0)
        .watts(140.0)
        .source("NVIDIA DGX Spark product page and user guide", "hardware overview (states 128 GB of LPDDR5X); \
            BF16 and FP8 measured (aiconfigurator, gb10.yaml)")
        .caveat("The FP4 peak is half of the 1 PFLOP/s published with sparsity; 427 TFLOP/s were measured. No BF16 \
            or FP8 peak is published. CPU and GPU share memory and bandwidth; about 119 GiB are available to the \
            GPU. A domain is one machine, with 200 Gb/s between machines. No list price."),
    // PCIe cards: a domain is the eight cards of a host, with the bandwidth of one card's link. There is no switch for
    // all-to-all traffic, and the host's PCIe bridges may have less bandwidth.
    row("rtx-pro-6000", "RTX PRO 6000 Blackwell", Coverage::Borrowed(Family::Blackwell))
        .bf16(467.8)
        .fp8(935.6)
        .fp4(1871.2)
        .memory(1792.0, 96.0)
        .usable(95.0)
        .network(8, 64.0, 50.0)
        .watts(600.0)
        .source(AICONFIGURATOR, "rtx_pro_6000_server.yaml, at 2,430 MHz")
        .caveat("The sm_120 instructions differ from B200’s. PCIe 5 with peer-to-peer, no NVLink. Peaks at its \
            boost clock are 7% higher; the Server Edition is also quoted with 1,597 GB/s of memory bandwidth. \
            Scale-out is assumed."),
    row("rtx-5090", "GeForce RTX 5090", Coverage::Borrowed(Family::Blackwell))
        .bf16(209.5)
        .fp8(419.0)
        .fp4(1676.0)
        .memory(1792.0, 32.0)
        .usable(31.37)
        .network(8, 64.0, 12.5)
        .watts(575.0)
        .source("Spheron, RTX 5090 specifications (May 2026)", "bandwidth, power, 838 TFLOP/s of FP16 with sparsity")
        .caveat("The sm_120 instructions differ from B200’s. BF16 and FP8 peaks are half of the printed rates, \
            because GeForce halves them with FP32 accumulation. PCIe 5 without peer-to-peer: real collectives go \
            through host memory and are slower. Scale-out is assumed."),
    row("rtx-4090", "GeForce RTX 4090", BORROWED)
        .bf16(165.2)
        .fp8(330.3)
        .memory(1008.0, 24.0)
        .usable_share(OF_GDDR)
        .network(8, 32.0, 12.5)
        .watts(450.0)
        .source("hmc-tech.com, RTX 4090 vs. RTX PRO 5000", "dense rates with FP32 accumulation")
        .caveat("PCIe 4 without peer-to-peer: real collectives go through host memory and are slower. Scale-out is \
            assumed."),
    row("rtx-3090", "GeForce RTX 3090", BORROWED)
        .bf16(71.0)
        .memory(936.0, 24.0)
        .usable(23.57)
        .network(8, 32.0, 12.5)
        .watts(350.0)
        .source("Jarred Walton, GeForce RTX 3090 specifications (November 2022)", "bandwidth, power, 142 TFLOP/s of FP16")
        .caveat("The BF16 peak is half of the printed FP16 rate, because GeForce halves it with FP32 accumulation. \
            PCIe 4; an NVLink bridge between two cards is not modeled. Scale-out is assumed."),
    row("l4", "L4", BORROWED)
        .bf16(121.0)
        .fp8(242.0)
        .memory(300.0, 24.0)
        .usable_share(OF_GDDR_ECC)
        .network(8, 32.0, 12.5)
        .watts(72.0)
        .source(AICONFIGURATOR, "l4.yaml")
        .caveat("PCIe 4, no NVLink. Scale-out is assumed."),
    row("a10g", "A10G", BORROWED)
        .bf16(70.0)
        .memory(600.0, 24.0)
        .usable_share(OF_GDDR_ECC)
        .network(8, 32.0, 12.5)
        .source("Baseten, A10 vs. A10G for inference", "memory, bandwidth, BF16; an A10 has 125 TFLOP/s")
        .caveat("A variant for one cloud, without a public data sheet. PCIe 4, no NVLink. Scale-out is assumed."),
    row("h100-pcie", "H100 PCIe", HOPPER)
        .bf16(756.5)
        .fp8(1513.0)
        .memory(2000.0, 80.0)
        .network(8, 64.0, 50.0)
        .watts(350.0)
        .source(AICONFIGURATOR, "h100_pcie.yaml")
        .caveat("The card uses PCIe 5, but collectives were measured over NVLink. Bridges between two cards are \
            not modeled."),
    row("h100-nvl", "H100 NVL", HOPPER)
        .bf16(835.0)
        .fp8(1671.0)
        .memory(3900.0, 94.0)
        .network(2, 300.0, 50.0)
        .watts(400.0)
        .source("NVIDIA H100 data sheet, as reported", "halves of the rates with sparsity; bridge of 600 GB/s both ways")
        .caveat("One card of a bridged pair. PCIe joins the pairs of a host; it is modeled as 50 GB/s of scale-out."),
    row("gh200", "GH200 96 GB", HOPPER)
        .bf16(989.0)
        .fp8(1979.0)
        .memory(4000.0, 96.0)
        .usable(94.5)
        .network(1, 50.0, 50.0)
        .source("NVIDIA Grace Performance Tuning Guide", "GH200 specifications; peaks of the same GPU in H100 SXM")
        .caveat("One superchip; NVLink joins the GPU to its CPU, not to other GPUs. The network between superchips \
            is assumed. The 144 GB variant has 4,900 GB/s of HBM bandwidth."),
    row("mi350x", "MI350X", Coverage::Range(Family::Cdna4))
        .bf16(2306.0)
        .fp8(4613.0)
        .fp4(9227.0)
        .memory(8000.0, 288.0)
        .network(8, 538.0, 50.0)
        .watts(1000.0)
        .source("AMD, Hot Chips 2025, as reported", "1,000 W, 2.2 GHz, 288 GB, 8 TB/s")
        .caveat("Peaks are scaled from MI355X by clock, 2.2 vs. 2.4 GHz; links are those of MI355X."),
    row("strix-halo", "Ryzen AI Max+ 395", BORROWED)
        .bf16(59.4)
        .memory(256.0, 128.0)
        .usable_share(OF_SHARED)
        .network(1, 1.25, 1.25)
        .watts(120.0)
        .source("llm-tracker, Strix Halo", "40 CUs of 512 FLOP per clock at 2.9 GHz; 212 GB/s and 36.9 TFLOP/s measured; power as reported")
        .caveat("CPU and GPU share memory and its bandwidth; in the measured system, the GPU has 110 GB. RDNA \
            kernels belong to no measured family. The network between machines is assumed."),
    row("m4-max", "Apple M4 Max, 40 GPU cores", BORROWED)
        .bf16(17.2)
        .memory(546.0, 128.0)
        .usable_share(0.75)
        .network(1, 1.25, 1.25)
        .source("notebookcheck.net, M4 Max vs. Ryzen AI Max+ 395", "bandwidth; FP16 scaled by cores from 13.74 \
            TFLOP/s for 32 cores (hmc-tech.com)")
        .caveat("CPU and GPU share memory; by default, the GPU has three quarters of it. No engine with paged \
            batching was measured on it, and its kernels belong to no measured family. The network between \
            machines is assumed."),
];
