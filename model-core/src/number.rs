//! The numeric keys of a link: identifier, range and notation.

/// A numeric input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is documented by its row in `spec`")]
pub enum Number {
    Gpus,
    Domain,
    ScaleUp,
    ScaleOut,
    Batch,
    Context,
    Beta,
    Redundant,
    AttentionWeightBytes,
    FfnWeightBytes,
    KvBytes,
    IndexKeyBytes,
    ActivationBytes,
    DispatchBytes,
    CombineBytes,
    Dp,
    Tp,
    Kvp,
    FfnTp,
    Ep,
    Pp,
    MemoryFactor,
    AttentionFactor,
    FfnFactor,
    NetworkFactor,
    LatencyMicros,
    OverheadMicros,
    LayerMicros,
    HostMicros,
    SpeculationDepth,
    Acceptance,
    NodeLimit,
    Reserve,
    Slo,
    TargetCost,
    TargetThroughput,
    Price,
    PeakBf16,
    PeakFp8,
    PeakFp4,
    Hbm,
    Capacity,
    Watts,
    Replicas,
    HbmScale,
    CapacityScale,
    PeakScale,
    LatencyScale,
    OverheadScale,
    Instances,
    Interconnect,
    ComputeGpus,
    MemoryGpus,
    Net,
    NetMicros,
    SlowDown,
    Batches,
    Budget,
    ComputePrice,
    MemoryPrice,
    AttentionSlopeMicros,
    AttentionInterceptMicros,
    FfnSlopeMicros,
    FfnInterceptMicros,
    MessageSlopeMicros,
    MessageInterceptMicros,
    Slots,
    MeanPrompt,
    MeanOutput,
    Ratio,
    FfnInstances,
    Requests,
    Seed,
    Hit,
    Chunk,
    Rate,
    Ttft,
    Util,
    PrefillGpus,
    PrefillTp,
    PrefillPrice,
}

/// Notation of a number in text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// A whole number; `k M G` are 10³, 10⁶, 10⁹.
    Count,
    /// Tokens of context; `k` and `M` are 2¹⁰ and 2²⁰, as people use them.
    Context,
    /// GB/s; `80G` and `0.08T` are bytes per second, `400Gb` bits.
    Bandwidth,
    /// TFLOP/s; `989T` and `0.989P` say the same.
    Tera,
    /// A plain number.
    Plain,
}

/// Properties of a numeric key that do not depend on other keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spec {
    /// The key in a link.
    pub key: &'static str,
    /// Notation in text.
    pub notation: Notation,
    /// The least value.
    pub least: f64,
    /// True where the least value itself is refused (a bandwidth above zero).
    pub above_least: bool,
    /// The greatest value.
    pub most: f64,
}

const fn spec(key: &'static str, notation: Notation, least: f64, most: f64) -> Spec {
    Spec {
        key,
        notation,
        least,
        above_least: false,
        most,
    }
}

const fn positive(key: &'static str, notation: Notation, most: f64) -> Spec {
    Spec {
        key,
        notation,
        least: 0.0,
        above_least: true,
        most,
    }
}

impl Number {
    /// Factors of the sharding.
    pub const SHARDING: [Self; 6] = [
        Self::Dp,
        Self::Tp,
        Self::Kvp,
        Self::FfnTp,
        Self::Ep,
        Self::Pp,
    ];

    /// All numeric keys, in the order a link writes them.
    pub const ALL: [Self; 81] = [
        Self::PeakBf16,
        Self::PeakFp8,
        Self::PeakFp4,
        Self::Hbm,
        Self::Capacity,
        Self::Watts,
        Self::Gpus,
        Self::Replicas,
        Self::Domain,
        Self::ScaleUp,
        Self::ScaleOut,
        Self::HbmScale,
        Self::CapacityScale,
        Self::PeakScale,
        Self::Batch,
        Self::Context,
        Self::Beta,
        Self::Redundant,
        Self::AttentionWeightBytes,
        Self::FfnWeightBytes,
        Self::KvBytes,
        Self::IndexKeyBytes,
        Self::ActivationBytes,
        Self::DispatchBytes,
        Self::CombineBytes,
        Self::Dp,
        Self::Tp,
        Self::Kvp,
        Self::FfnTp,
        Self::Ep,
        Self::Pp,
        Self::MemoryFactor,
        Self::AttentionFactor,
        Self::FfnFactor,
        Self::NetworkFactor,
        Self::LatencyMicros,
        Self::OverheadMicros,
        Self::LayerMicros,
        Self::HostMicros,
        Self::LatencyScale,
        Self::OverheadScale,
        Self::SpeculationDepth,
        Self::Acceptance,
        Self::NodeLimit,
        Self::Reserve,
        Self::Slo,
        Self::TargetCost,
        Self::TargetThroughput,
        Self::Price,
        Self::Instances,
        Self::Interconnect,
        Self::ComputeGpus,
        Self::MemoryGpus,
        Self::Net,
        Self::NetMicros,
        Self::SlowDown,
        Self::Batches,
        Self::Budget,
        Self::ComputePrice,
        Self::MemoryPrice,
        Self::AttentionSlopeMicros,
        Self::AttentionInterceptMicros,
        Self::FfnSlopeMicros,
        Self::FfnInterceptMicros,
        Self::MessageSlopeMicros,
        Self::MessageInterceptMicros,
        Self::Slots,
        Self::MeanPrompt,
        Self::MeanOutput,
        Self::Hit,
        Self::Chunk,
        Self::Rate,
        Self::Ttft,
        Self::Util,
        Self::PrefillGpus,
        Self::PrefillTp,
        Self::PrefillPrice,
        Self::Ratio,
        Self::FfnInstances,
        Self::Requests,
        Self::Seed,
    ];

    /// Key, notation and range.
    pub const fn spec(self) -> Spec {
        use Notation::{Bandwidth, Context, Count, Plain, Tera};
        match self {
            Self::Gpus => spec("gpus", Count, 1.0, 4096.0),
            Self::Replicas => spec("replicas", Count, 1.0, 1024.0),
            Self::HbmScale => spec("hbm_x", Plain, 0.01, 100.0),
            Self::CapacityScale => spec("capacity_x", Plain, 0.01, 100.0),
            Self::PeakScale => spec("peak_x", Plain, 0.01, 100.0),
            Self::LatencyScale => spec("alpha_x", Plain, 0.01, 100.0),
            Self::OverheadScale => spec("overhead_x", Plain, 0.01, 100.0),
            Self::Domain => spec("domain", Count, 1.0, 16_384.0),
            Self::ScaleUp => positive("scale_up", Bandwidth, 1e9),
            Self::ScaleOut => positive("scale_out", Bandwidth, 1e9),
            Self::Batch => spec("batch", Count, 1.0, 1e7),
            Self::Context => spec("context", Context, 1.0, 16.0 * 1_048_576.0),
            Self::Beta => positive("beta", Plain, 1.0),
            Self::Redundant => spec("redundant", Count, 0.0, 4096.0),
            Self::AttentionWeightBytes => spec("w_attn", Plain, 0.5, 4.0),
            Self::FfnWeightBytes => spec("w_ffn", Plain, 0.5, 4.0),
            Self::KvBytes => spec("kv", Plain, 0.5, 4.0),
            Self::IndexKeyBytes => spec("kv_index", Plain, 0.5, 4.0),
            Self::ActivationBytes => spec("act", Plain, 0.5, 4.0),
            Self::DispatchBytes => spec("dispatch", Plain, 0.5, 4.0),
            Self::CombineBytes => spec("combine", Plain, 0.5, 4.0),
            Self::Dp => spec("dp", Count, 1.0, 16_384.0),
            Self::Tp => spec("tp", Count, 1.0, 16_384.0),
            Self::Kvp => spec("kvp", Count, 1.0, 16_384.0),
            Self::FfnTp => spec("ffn_tp", Count, 1.0, 16_384.0),
            Self::Ep => spec("ep", Count, 1.0, 16_384.0),
            Self::Pp => spec("pp", Count, 1.0, 16_384.0),
            Self::MemoryFactor => spec("e_mem", Plain, 1.0, 100.0),
            Self::AttentionFactor => spec("e_attn", Plain, 1.0, 100.0),
            Self::FfnFactor => spec("e_ffn", Plain, 1.0, 100.0),
            Self::NetworkFactor => spec("e_net", Plain, 1.0, 100.0),
            Self::LatencyMicros => spec("alpha_us", Plain, 0.0, 100_000.0),
            Self::OverheadMicros => spec("overhead_us", Plain, 0.0, 100_000.0),
            Self::LayerMicros => spec("layer_us", Plain, 0.0, 100_000.0),
            Self::HostMicros => spec("host_us", Plain, 0.0, 100_000.0),
            Self::SpeculationDepth => spec("mtp", Count, 0.0, 8.0),
            Self::Acceptance => spec("acceptance", Plain, 0.0, 1.0),
            Self::NodeLimit => spec("node_limit", Count, 1.0, 16_384.0),
            Self::Reserve => spec("reserve", Plain, 0.0, 0.9),
            Self::Slo => positive("slo", Plain, 1e6),
            Self::TargetCost => positive("target_usd", Plain, 1e9),
            Self::TargetThroughput => positive("target_tok_s", Count, 1e12),
            Self::Price => spec("price", Plain, 0.0, 1e6),
            Self::PeakBf16 => positive("peak_bf16", Tera, 1e9),
            Self::PeakFp8 => positive("peak_fp8", Tera, 1e9),
            Self::PeakFp4 => positive("peak_fp4", Tera, 1e9),
            Self::Hbm => positive("hbm", Bandwidth, 1e9),
            Self::Capacity => positive("capacity", Plain, 1e9),
            Self::Watts => positive("watts", Plain, 1e6),
            Self::Instances => spec("instances", Count, 2.0, 256.0),
            Self::Interconnect => positive("interconnect", Bandwidth, 1e9),
            Self::ComputeGpus => spec("compute_gpus", Count, 1.0, 4096.0),
            Self::MemoryGpus => spec("memory_gpus", Count, 1.0, 4096.0),
            Self::Net => positive("net", Bandwidth, 1e9),
            Self::NetMicros => spec("net_us", Plain, 0.0, 10_000.0),
            Self::SlowDown => positive("slow_down", Plain, 10.0),
            Self::Batches => spec("batches", Count, 1.0, 16.0),
            Self::Budget => positive("budget", Plain, 1e7),
            Self::ComputePrice => spec("compute_price", Plain, 0.0, 1e6),
            Self::MemoryPrice => spec("memory_price", Plain, 0.0, 1e6),
            Self::AttentionSlopeMicros => spec("alpha_a_us", Plain, 0.0, 1e9),
            Self::AttentionInterceptMicros => spec("beta_a_us", Plain, 0.0, 1e9),
            Self::FfnSlopeMicros => positive("alpha_f_us", Plain, 1e9),
            Self::FfnInterceptMicros => spec("beta_f_us", Plain, 0.0, 1e9),
            Self::MessageSlopeMicros => spec("alpha_c_us", Plain, 0.0, 1e9),
            Self::MessageInterceptMicros => spec("beta_c_us", Plain, 0.0, 1e9),
            Self::Slots => spec("slots", Count, 1.0, 65_536.0),
            Self::MeanPrompt => spec("prompt", Context, 0.0, 16.0 * 1_048_576.0),
            Self::MeanOutput => spec("output", Context, 0.0, 1_048_576.0),
            Self::Ratio => positive("r", Plain, 16_384.0),
            Self::FfnInstances => spec("ffn_instances", Count, 1.0, 64.0),
            Self::Requests => spec("requests", Count, 1.0, 1e6),
            Self::Hit => spec("hit", Plain, 0.0, 0.999),
            Self::Chunk => spec("chunk", Context, 256.0, 1_048_576.0),
            Self::Rate => spec("rate", Plain, 0.001, 1e6),
            Self::Ttft => spec("ttft", Plain, 0.001, 1000.0),
            Self::Util => spec("util", Plain, 0.1, 0.99),
            Self::PrefillGpus => spec("prefill_gpus", Count, 1.0, 4096.0),
            Self::PrefillTp => spec("prefill_tp", Count, 1.0, 16_384.0),
            Self::PrefillPrice => spec("price_prefill", Plain, 0.0, 1e6),
            Self::Seed => spec("seed", Count, 0.0, 4_294_967_295.0),
        }
    }

    /// The number with this key.
    pub fn find(key: &str) -> Option<Self> {
        // Names of [R], as in links of release 0.1.
        let key = match key {
            "mu_p" => "prompt",
            "mu_d" => "output",
            _ => key,
        };
        Self::ALL
            .into_iter()
            .find(|number| number.spec().key == key)
    }

    /// Factors on the chip's own numbers.
    pub const CHIP_SCALES: [Self; 3] = [Self::HbmScale, Self::CapacityScale, Self::PeakScale];

    /// True for numbers of a custom accelerator.
    pub const fn describes_custom_gpu(self) -> bool {
        matches!(
            self,
            Self::PeakBf16
                | Self::PeakFp8
                | Self::PeakFp4
                | Self::Hbm
                | Self::Capacity
                | Self::Watts
        )
    }

    /// True for numbers of model–attention disaggregation (`mode=split`).
    pub const fn describes_split(self) -> bool {
        matches!(
            self,
            Self::ComputeGpus
                | Self::MemoryGpus
                | Self::Net
                | Self::NetMicros
                | Self::SlowDown
                | Self::Batches
                | Self::Budget
                | Self::ComputePrice
                | Self::MemoryPrice
        )
    }

    /// True for numbers of AFD (`mode=ratio`, `simulate`).
    pub const fn describes_ratio(self) -> bool {
        matches!(
            self,
            Self::AttentionSlopeMicros
                | Self::AttentionInterceptMicros
                | Self::FfnSlopeMicros
                | Self::FfnInterceptMicros
                | Self::MessageSlopeMicros
                | Self::MessageInterceptMicros
                | Self::Slots
                | Self::Ratio
                | Self::FfnInstances
                | Self::Requests
                | Self::Seed
        )
    }

    /// True for numbers that only whole requests have: their rate, their limits, their prefill pool.
    pub const fn describes_service(self) -> bool {
        matches!(
            self,
            Self::Rate
                | Self::Ttft
                | Self::Util
                | Self::PrefillGpus
                | Self::PrefillTp
                | Self::PrefillPrice
        )
    }

    /// Tests whether `value` lies in the range of the key.
    pub fn allows(self, value: f64) -> bool {
        let spec = self.spec();
        let above = if spec.above_least {
            value > spec.least
        } else {
            value >= spec.least
        };
        let whole = spec.notation != Notation::Count || value.fract() == 0.0;
        value.is_finite() && above && value <= spec.most && whole
    }
}
