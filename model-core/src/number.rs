//! Numeric keys of a permalink: identifier, notation, limits and default.

/// Notation in which a number is written as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// A whole number; the suffixes `k M G` mean 10³, 10⁶ and 10⁹.
    Count,
    /// Tokens of context; the suffixes `k` and `M` mean 2¹⁰ and 2²⁰.
    Context,
    /// Bandwidth in GB/s. With a suffix, `80G` and `0.08T` are bytes per second, and `400Gb` is bits per second.
    Bandwidth,
    /// Compute rate in TFLOP/s. With a suffix, `989T` and `0.989P` are equal.
    Tera,
    /// A number without a suffix.
    Plain,
}

/// Part of Ridgepoint's model that a numeric input belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberOf {
    /// Any scenario, whatever its mode.
    Scenario,
    /// A custom accelerator.
    CustomGpu,
    /// Model–attention disaggregation (`mode=split`).
    Lamina,
    /// AFD (`mode=ratio` or `mode=simulate`).
    Afd,
    /// Serving of whole requests: their rate, their SLO limits, and their prefill pool.
    Service,
    /// Memory as engines allocate it, from permalink version 3 on.
    EngineMemory,
}

/// Properties of a numeric key that do not depend on other keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spec {
    /// Key in a permalink.
    pub key: &'static str,
    /// Notation in which the value is written as text.
    pub notation: Notation,
    /// Smallest value in the range of the key.
    pub least: f64,
    /// True if the minimum itself is not allowed; for example, a bandwidth must be above zero.
    pub above_least: bool,
    /// Largest value in the range of the key.
    pub most: f64,
    /// Default value of the key, unless another key changes the default.
    pub default: Option<f64>,
    /// Part of Ridgepoint's model that the number belongs to.
    pub of: NumberOf,
}

const fn spec(key: &'static str, notation: Notation, least: f64, most: f64) -> Spec {
    Spec {
        key,
        notation,
        least,
        above_least: false,
        most,
        default: None,
        of: NumberOf::Scenario,
    }
}

const fn positive(key: &'static str, notation: Notation, most: f64) -> Spec {
    Spec {
        above_least: true,
        ..spec(key, notation, 0.0, most)
    }
}

const fn bytes(key: &'static str) -> Spec {
    spec(key, Notation::Plain, 0.5, 4.0)
}

/// Returns the properties of a permalink key for a factor of the plan, a GPU count, or a domain size.
const fn ways(key: &'static str) -> Spec {
    spec(key, Notation::Count, 1.0, 16_384.0)
}

/// Returns the properties of a permalink key for a time relative to the ideal time (at least 1).
const fn over_ideal(key: &'static str) -> Spec {
    spec(key, Notation::Plain, 1.0, 100.0)
}

/// Returns the properties of a permalink key that scales a hardware property or an overhead.
const fn scale(key: &'static str) -> Spec {
    spec(key, Notation::Plain, 0.01, 100.0).or(1.0)
}

impl Spec {
    const fn or(self, default: f64) -> Self {
        Self {
            default: Some(default),
            ..self
        }
    }

    const fn of(self, of: NumberOf) -> Self {
        Self { of, ..self }
    }
}

/// Declares each number once, in the order in which a permalink lists them.
macro_rules! numbers {
    ($($name:ident = $spec:expr;)+) => {
        /// A numeric input.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[allow(missing_docs, reason = "each variant is documented by its line below")]
        pub enum Number { $($name,)+ }

        impl Number {
            /// All numeric keys, in the order in which a permalink lists them.
            pub const ALL: [Self; [$(stringify!($name)),+].len()] = [$(Self::$name),+];

            /// Returns the key, notation, limits and default.
            pub const fn spec(self) -> Spec {
                use Notation::{Bandwidth, Context, Count, Plain, Tera};
                use NumberOf::{Afd, CustomGpu, EngineMemory, Lamina, Service};
                match self { $(Self::$name => $spec,)+ }
            }
        }
    };
}

numbers! {
    PeakBf16 = positive("peak_bf16", Tera, 1e9).of(CustomGpu);
    PeakFp8 = positive("peak_fp8", Tera, 1e9).of(CustomGpu);
    PeakFp4 = positive("peak_fp4", Tera, 1e9).of(CustomGpu);
    Hbm = positive("hbm", Bandwidth, 1e9).or(3350.0).of(CustomGpu);
    Capacity = positive("capacity", Plain, 1e9).or(80.0).of(CustomGpu);
    Watts = positive("watts", Plain, 1e6).of(CustomGpu);
    Gpus = spec("gpus", Count, 1.0, 4096.0).or(72.0);
    Replicas = spec("replicas", Count, 1.0, 1024.0).or(1.0);
    Domain = ways("domain");
    ScaleUp = positive("scale_up", Bandwidth, 1e9);
    ScaleOut = positive("scale_out", Bandwidth, 1e9);
    HbmScale = scale("hbm_x"); CapacityScale = scale("capacity_x"); PeakScale = scale("peak_x");
    Batch = spec("batch", Count, 1.0, 1e7).or(18_432.0);
    Context = spec("context", Context, 1.0, 16.0 * 1_048_576.0);
    Beta = positive("beta", Plain, 1.0).or(0.8);
    Redundant = spec("redundant", Count, 0.0, 4096.0).or(32.0);
    AttentionWeightBytes = bytes("w_attn"); FfnWeightBytes = bytes("w_ffn"); KvBytes = bytes("kv");
    IndexKeyBytes = bytes("kv_index"); ActivationBytes = bytes("act"); DispatchBytes = bytes("dispatch");
    CombineBytes = bytes("combine");
    Dp = ways("dp"); Tp = ways("tp"); Kvp = ways("kvp").or(1.0); FfnTp = ways("ffn_tp"); Ep = ways("ep");
    Pp = ways("pp").or(1.0);
    MemoryFactor = over_ideal("e_mem"); AttentionFactor = over_ideal("e_attn");
    FfnFactor = over_ideal("e_ffn"); NetworkFactor = over_ideal("e_net");
    LatencyMicros = spec("alpha_us", Plain, 0.0, 100_000.0);
    OverheadMicros = spec("overhead_us", Plain, 0.0, 100_000.0);
    LayerMicros = spec("layer_us", Plain, 0.0, 100_000.0);
    HostMicros = spec("host_us", Plain, 0.0, 100_000.0);
    PrefillMicros = spec("prefill_us", Plain, 0.0, 100_000.0).or(0.0);
    LatencyScale = scale("alpha_x"); OverheadScale = scale("overhead_x");
    SpeculationDepth = spec("mtp", Count, 0.0, 8.0).or(0.0);
    Acceptance = spec("acceptance", Plain, 0.0, 1.0).or(0.8);
    AcceptLength = spec("accept_len", Plain, 1.0, 9.0); AcceptRate = spec("accept_rate", Plain, 0.0, 1.0);
    NodeLimit = ways("node_limit");
    Reserve = spec("reserve", Plain, 0.0, 0.9).or(0.0);
    EngineGib = spec("engine_gib", Plain, 0.0, 1e6).of(EngineMemory);
    WeightsGib = spec("weights_gib", Plain, 0.0, 1e6).of(EngineMemory);
    EncoderGib = spec("encoder_gib", Plain, 0.0, 1e6).of(EngineMemory);
    TableGib = spec("table_gib", Plain, 0.0, 1e6).of(EngineMemory);
    StateBytes = spec("state_bytes", Count, 1.0, 8.0).of(EngineMemory);
    Slo = positive("slo", Plain, 1e6);
    TargetCost = positive("target_usd", Plain, 1e9);
    TargetThroughput = positive("target_tok_s", Count, 1e12);
    Price = spec("price", Plain, 0.0, 1e6);
    Instances = spec("instances", Count, 2.0, 256.0).or(8.0);
    Interconnect = positive("interconnect", Bandwidth, 1e9);
    ComputeGpus = spec("compute_gpus", Count, 1.0, 4096.0).of(Lamina);
    MemoryGpus = spec("memory_gpus", Count, 1.0, 4096.0).of(Lamina);
    Net = positive("net", Bandwidth, 1e9).of(Lamina);
    // Round trip of the network stack of [L], in µs ([L] 6.3); NCCL takes 66.6 µs.
    NetMicros = spec("net_us", Plain, 0.0, 10_000.0).or(33.0).of(Lamina);
    SlowDown = positive("slow_down", Plain, 10.0).or(0.2).of(Lamina);
    Batches = spec("batches", Count, 1.0, 16.0).or(2.0).of(Lamina);
    Budget = positive("budget", Plain, 1e7).of(Lamina);
    ComputePrice = spec("compute_price", Plain, 0.0, 1e6).of(Lamina);
    MemoryPrice = spec("memory_price", Plain, 0.0, 1e6).of(Lamina);
    AttentionSlopeMicros = spec("alpha_a_us", Plain, 0.0, 1e9).of(Afd);
    AttentionInterceptMicros = spec("beta_a_us", Plain, 0.0, 1e9).of(Afd);
    FfnSlopeMicros = positive("alpha_f_us", Plain, 1e9).of(Afd);
    FfnInterceptMicros = spec("beta_f_us", Plain, 0.0, 1e9).of(Afd);
    MessageSlopeMicros = spec("alpha_c_us", Plain, 0.0, 1e9).of(Afd);
    MessageInterceptMicros = spec("beta_c_us", Plain, 0.0, 1e9).of(Afd);
    Slots = spec("slots", Count, 1.0, 65_536.0).of(Afd);
    MeanPrompt = spec("prompt", Context, 0.0, 16.0 * 1_048_576.0);
    MeanOutput = spec("output", Context, 0.0, 1_048_576.0);
    Hit = spec("hit", Plain, 0.0, 0.999).or(0.0);
    Chunk = spec("chunk", Context, 256.0, 1_048_576.0).or(16_384.0);
    Rate = spec("rate", Plain, 0.001, 1e6).of(Service);
    Ttft = spec("ttft", Plain, 0.001, 1000.0).of(Service);
    Util = spec("util", Plain, 0.1, 0.99).or(0.8).of(Service);
    PrefillGpus = spec("prefill_gpus", Count, 1.0, 4096.0).of(Service);
    PrefillTp = ways("prefill_tp").of(Service);
    PrefillPrice = spec("price_prefill", Plain, 0.0, 1e6).of(Service);
    Ratio = positive("r", Plain, 16_384.0).of(Afd);
    FfnInstances = spec("ffn_instances", Count, 1.0, 64.0).or(1.0).of(Afd);
    Requests = spec("requests", Count, 1.0, 1e6).or(10_000.0).of(Afd);
    Seed = spec("seed", Count, 0.0, 4_294_967_295.0).or(1.0).of(Afd);
}

impl Number {
    /// Keys for the bytes per element of weights, KV cache, activations, dispatch and combine.
    pub const FORMATS: [Self; 6] = [
        Self::AttentionWeightBytes,
        Self::FfnWeightBytes,
        Self::KvBytes,
        Self::ActivationBytes,
        Self::DispatchBytes,
        Self::CombineBytes,
    ];

    /// Keys for the factors of the plan.
    pub const SHARDING: [Self; 6] = [
        Self::Dp,
        Self::Tp,
        Self::Kvp,
        Self::FfnTp,
        Self::Ep,
        Self::Pp,
    ];

    /// Keys that scale the chip's HBM bandwidth, HBM capacity and peak FLOP/s.
    pub const CHIP_SCALES: [Self; 3] = [Self::HbmScale, Self::CapacityScale, Self::PeakScale];

    /// Returns the numeric input that has this permalink key.
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

    /// Returns true if the number belongs to this part of Ridgepoint's model.
    pub fn describes(self, part: NumberOf) -> bool {
        self.spec().of == part
    }

    /// Minimum magnitude of a nonzero number. Anything smaller is meaningless, and dividing by it could overflow.
    pub const FINEST: f64 = 1e-18;

    /// Tests whether `value` is within the range of the key.
    pub fn allows(self, value: f64) -> bool {
        let spec = self.spec();
        if value != 0.0 && value.abs() < Self::FINEST {
            return false;
        }
        let above = if spec.above_least {
            value > spec.least
        } else {
            value >= spec.least
        };
        let whole = spec.notation != Notation::Count || value.fract() == 0.0;
        value.is_finite() && above && value <= spec.most && whole
    }
}
