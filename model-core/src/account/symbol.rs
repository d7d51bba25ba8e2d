//! Names, symbols and units of quantities, as in the symbol table of `docs/model.md`.

use super::section::Section;

/// The unit of a value, in base SI units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
    /// Bytes per second.
    BytesPerSecond,
    /// FLOP.
    Flop,
    /// FLOP per second.
    FlopPerSecond,
    /// Tokens.
    Tokens,
    /// Tokens per second.
    TokensPerSecond,
    /// Requests per second.
    RequestsPerSecond,
    /// Sequences.
    Sequences,
    /// GPUs.
    Gpus,
    /// Elements of a matrix or vector.
    Elements,
    /// A share from 0 to 1.
    Share,
    /// A factor that multiplies a time.
    Factor,
    /// US dollars per hour.
    DollarsPerHour,
    /// US dollars per million tokens.
    DollarsPerMillion,
    /// US dollars per 1,000 requests.
    DollarsPerThousand,
    /// A number without a unit.
    Number,
}

impl Unit {
    /// Returns the unit's identifier in JSON and in the symbol table.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Bytes => "B",
            Self::BytesPerSecond => "B/s",
            Self::Flop => "FLOP",
            Self::FlopPerSecond => "FLOP/s",
            Self::Tokens => "tokens",
            Self::TokensPerSecond => "tok/s",
            Self::RequestsPerSecond => "req/s",
            Self::Sequences => "sequences",
            Self::Gpus => "GPUs",
            Self::Elements => "elements",
            Self::Share => "share",
            Self::Factor => "factor",
            Self::DollarsPerHour => "USD/h",
            Self::DollarsPerMillion => "USD/Mtok",
            Self::DollarsPerThousand => "USD/kreq",
            Self::Number => "1",
        }
    }
}

/// Declares the quantities, each with its name, symbol, unit, and the section of `docs/model.md` that has its
/// equation.
macro_rules! symbols {
    ($($name:ident = $words:literal, $symbol:literal, $unit:ident, $section:ident;)+) => {
        /// A quantity that has a row in the symbol table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Symbol { $(#[doc = $words] $name,)+ }

        impl Symbol {
            /// Every quantity, in symbol-table order.
            pub const ALL: [Self; [$($words),+].len()] = [$(Self::$name),+];

            /// Returns the quantity's name, in the vocabulary of the field.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $words,)+ }
            }

            /// Returns the symbol used in formulas.
            pub const fn symbol(self) -> &'static str {
                match self { $(Self::$name => $symbol,)+ }
            }

            /// Returns the unit of the quantity.
            pub const fn unit(self) -> Unit {
                match self { $(Self::$name => Unit::$unit,)+ }
            }

            /// Returns the section of `docs/model.md` that has the quantity's equation; [`Section::Symbols`] if it
            /// has no equation.
            pub const fn section(self) -> Section {
                match self { $(Self::$name => Section::$section,)+ }
            }
        }
    };
}

symbols! {
    Tpot = "TPOT", "TPOT", Seconds, Rates;
    PerUser = "tok/s/user", "1/TPOT", TokensPerSecond, Rates;
    PerGpu = "tok/s/GPU", "B/(N·TPOT)", TokensPerSecond, Rates;
    Throughput = "tokens/s", "B/TPOT", TokensPerSecond, Rates;
    Cost = "cost of a million tokens", "USD/Mtok", DollarsPerMillion, Cost;
    Step = "step time", "T", Seconds, Step;
    Decoding = "decode per token", "T/y", Seconds, Rates;
    Prefilling = "prefill of other requests, per token", "p·f·T_p", Seconds, OtherPrefill;
    Ttft = "TTFT", "TTFT", Seconds, Ttft;
    Prompt = "prefill of one prompt", "T_p", Seconds, Ttft;
    PromptPasses = "prompt passes per token", "p·f", Number, OtherPrefill;
    Yield = "acceptance length", "y", Tokens, AcceptanceLength;
    Memory = "memory per GPU", "M", Bytes, Memory;
    Capacity = "max batch in memory", "b_cap", Sequences, Capacity;
    GpuMemory = "memory of a GPU", "M_gpu", Bytes, Symbols;
    Free = "share of memory not reserved", "(1 − reserve)", Share, Symbols;
    Usable = "usable memory", "M_use", Bytes, Memory;
    Room = "memory for KV cache", "M_pool", Bytes, Capacity;
    SequenceBytes = "memory of a sequence", "m_s", Bytes, Capacity;
    AllWeights = "weights", "M_w", Bytes, Memory;
    AttentionWeights = "attention weights", "M_attn", Bytes, Memory;
    MoeWeights = "MoE weights", "M_moe", Bytes, Memory;
    DenseWeights = "dense FFN weights", "M_dense", Bytes, Memory;
    Embedding = "embedding and head", "M_emb", Bytes, Memory;
    Expansion = "second copy of the MLA expansion", "M_exp", Bytes, EngineMemory;
    HeldWhole = "factor for weights replicated on all GPUs", "η", Factor, Symbols;
    WeightSize = "weights of an operator", "m_w", Bytes, Memory;
    GridWeights = "resident experts", "m_e", Bytes, Memory;
    SharedWeights = "replicated shared experts", "m_se", Bytes, Memory;
    LatentWeights = "latent projections", "m_l", Bytes, Memory;
    Router = "router", "m_r", Bytes, Memory;
    Resident = "experts on a GPU", "e_gpu", Number, Memory;
    Padding = "padding of expert width", "π_e", Factor, Symbols;
    Beside = "encoder, drafter and tables", "M_more", Bytes, EngineMemory;
    Encoder = "encoder", "M_enc", Bytes, EngineMemory;
    Drafter = "drafter", "M_draft", Bytes, EngineMemory;
    DrafterLayers = "layers of a drafter", "1.3", Number, Symbols;
    LayerBytes = "weights of the last layer", "m_last", Bytes, Symbols;
    Tables = "lookup tables", "M_tab", Bytes, EngineMemory;
    KvCache = "KV cache", "M_kv", Bytes, KvCache;
    SequenceCache = "KV cache of a sequence", "m_kv", Bytes, KvCache;
    LayerCache = "KV cache of a layer", "m_layer", Bytes, KvCache;
    State = "state of a layer", "m_state", Bytes, KvCache;
    PageBytes = "page of a recurrent layer", "m_page", Bytes, KvCache;
    Page = "tokens per page", "p", Tokens, Symbols;
    PageCount = "pages", "n_p", Number, KvCache;
    Window = "window", "W", Tokens, Symbols;
    Activations = "activations", "M_x", Bytes, Memory;
    Decompressed = "decompressed keys and values", "m_dec", Bytes, Memory;
    Engine = "engine memory", "M_eng", Bytes, EngineMemory;
    Outside = "memory outside the allocator", "N_e", Bytes, EngineMemory;
    Graphs = "CUDA graphs", "C_e", Bytes, EngineMemory;
    LargestPass = "largest pass", "A_e", Bytes, EngineMemory;
    Forward = "forward pass", "A_f", Bytes, EngineMemory;
    ForwardEach = "activation bytes per token of a forward pass", "a_f", Bytes, Symbols;
    Sampler = "sampler", "A_s", Bytes, EngineMemory;
    Logits = "logits", "m_log", Bytes, EngineMemory;
    LogitCopies = "copies of the logits", "c_l", Number, Symbols;
    LogitBytes = "bytes per logit", "4", Bytes, Symbols;
    Vocabulary = "vocabulary", "v", Elements, Symbols;
    HiddenStates = "hidden states of a pass", "m_h", Bytes, EngineMemory;
    IndexLogits = "index logits", "m_il", Bytes, EngineMemory;
    PassTokens = "tokens of the largest pass", "C", Tokens, Symbols;
    PassSequences = "sequences of the largest pass", "S_e", Sequences, EngineMemory;
    Longest = "longest sequence", "S_max", Tokens, Symbols;
    Computing = "compute", "t_comp", Seconds, Step;
    Communication = "communication", "t_comm", Seconds, Step;
    Overhead = "overhead", "t_over + t_host", Seconds, Step;
    LayerOverhead = "framework overhead", "t_over", Seconds, Step;
    Host = "CPU overhead", "t_host", Seconds, Step;
    HostOfStep = "CPU overhead per step", "o_step", Seconds, Step;
    HostOfTokens = "CPU overhead of sampled tokens", "o_tok", Seconds, Step;
    InSequence = "step without overlap", "T_seq", Seconds, Step;
    Overlapped = "overlapped time", "t_hid", Seconds, HopB;
    EarlyQuery = "time overlapped by early queries", "t_early", Seconds, LaminaNetwork;
    Half = "engine overhead of half a layer", "o_half", Seconds, Step;
    Traffic = "engine traffic", "t_h", Seconds, Step;
    Block = "block", "t_block", Seconds, Operators;
    OperatorTime = "operator", "t_op", Seconds, Operators;
    OperatorCompute = "compute of an operator", "t_flop", Seconds, Operators;
    Vectors = "compute as matrix–vector products", "t_vec", Seconds, Operators;
    WeightReads = "weight reads", "t_w", Seconds, Operators;
    CacheReads = "KV cache and state traffic", "t_kv", Seconds, Operators;
    ActivationTraffic = "activation traffic", "t_x", Seconds, Operators;
    Sorting = "activation traffic of fused experts", "t_sort", Seconds, Operators;
    Launch = "kernel launch", "τ", Seconds, Operators;
    Latency = "latency of a collective", "α", Seconds, Collectives;
    Transfer = "transfer", "t_net", Seconds, Collectives;
    Bytes = "bytes of a collective", "V", Bytes, Collectives;
    FlopEach = "FLOP per token", "f", Flop, Symbols;
    FlopPair = "FLOP per token per cached token", "f_s", Flop, Symbols;
    FlopExpert = "FLOP per token per expert", "f_e", Flop, Symbols;
    Weights = "weights", "n_w", Elements, Symbols;
    ExpertWeights = "weights of an expert", "n_e", Elements, Symbols;
    CacheEach = "KV elements per token", "e_kv", Elements, Symbols;
    IndexEach = "index-key elements per token", "e_i", Elements, Symbols;
    ActivationEach = "activation elements per token", "e_x", Elements, Symbols;
    BytesEach = "other bytes per token", "e_b", Bytes, Symbols;
    BytesSequence = "state bytes per sequence", "e_s", Bytes, Symbols;
    OutputWidth = "attention output width", "n_h·d_v", Elements, Symbols;
    CandidateBytes = "top-k candidate bytes/token", "e_c", Bytes, Symbols;
    Hidden = "hidden size", "d", Elements, Symbols;
    ExpertInput = "expert input width", "z", Elements, Symbols;
    Read = "experts read", "E_r", Number, ExpertsRead;
    Experts = "experts", "E", Number, Symbols;
    ExpertsPerToken = "experts per token", "k", Number, Symbols;
    Copies = "experts per token on the EP grid", "k′", Number, Symbols;
    OnGrid = "shared experts on the EP grid", "E_s", Number, Symbols;
    Redundant = "redundant experts", "R", Number, Symbols;
    Balance = "expert balancedness", "β", Share, Symbols;
    Skew = "routing share of the hottest quarter of experts", "φ", Share, Symbols;
    Batch = "batch", "B", Sequences, Symbols;
    GroupSequences = "sequences of an attention group", "b", Sequences, Capacity;
    Carried = "tokens per sequence per step", "(1 + δ)", Tokens, Symbols;
    Drafted = "draft tokens", "δ", Tokens, Symbols;
    Acceptance = "acceptance rate", "p_a", Share, Symbols;
    Context = "context", "S", Tokens, Symbols;
    Fresh = "uncached share of a prompt", "(1 − h)", Share, Symbols;
    Chunks = "chunks of a prompt", "J", Number, Symbols;
    Prompts = "prompts per pass per attention group", "m", Number, Symbols;
    Pairs = "query–key pairs of a prompt", "n_qk", Number, Ttft;
    KeyRows = "key rows of a pass", "R", Tokens, Ttft;
    Held = "share of SMs used by communication", "ω", Share, Symbols;
    PrefillHost = "host time of prefill, per layer", "o_p", Seconds, Ttft;
    Layers = "layers", "L", Number, Symbols;
    Pass = "prefill pass", "t_p", Seconds, Ttft;
    HeadPadding = "padding of heads to tiles", "π", Factor, Operators;
    PromptLength = "prompt length", "ISL", Tokens, Symbols;
    OutputLength = "output length", "o", Tokens, Symbols;
    Waits = "DP ranks wait for each other", "w", Number, Symbols;
    Gpus = "GPUs", "N", Gpus, Symbols;
    Replicas = "replicas", "n_r", Number, Symbols;
    Dp = "data parallelism", "dp", Number, Symbols;
    Tp = "tensor parallelism", "tp", Number, Symbols;
    Kvp = "KV parallelism", "kvp", Number, Symbols;
    FfnTp = "FFN tensor parallelism", "tp_f", Number, Symbols;
    Ep = "expert parallelism", "ep", Number, Symbols;
    Pp = "pipeline stages", "pp", Number, Symbols;
    Passes = "passes per step", "n_m", Number, Symbols;
    Domain = "GPUs per domain", "G", Gpus, Symbols;
    NodeLimit = "max domains of a token’s experts", "M", Number, Symbols;
    RingShare = "all-reduce traffic factor", "2 (m − 1)/m", Number, Collectives;
    OutsideShare = "share that leaves the domain", "(n − 1)/n", Share, Collectives;
    InsideShare = "share inside the domain", "1/n", Share, Collectives;
    RemoteShare = "remote domains per expert", "r/k′", Number, Collectives;
    RankShare = "share from other ranks", "(m − 1)/m", Share, Collectives;
    OtherRanks = "other ranks", "(m − 1)", Number, Collectives;
    ResultShare = "share of expert outputs", "min(1, k/ep)", Share, Collectives;
    WeightBytes = "bytes per weight", "w", Bytes, Symbols;
    KvBytes = "bytes per KV element", "c", Bytes, Symbols;
    IndexBytes = "bytes per index-key element", "c_i", Bytes, Symbols;
    ActivationBytes = "bytes per activation", "x", Bytes, Symbols;
    DispatchBytes = "bytes per dispatched element", "x_d", Bytes, Symbols;
    CombineBytes = "bytes per combined element", "x_c", Bytes, Symbols;
    BoundaryBytes = "dispatch + combine bytes per element", "(x_d + x_c)", Bytes, Collectives;
    Peak = "peak FLOP/s", "P", FlopPerSecond, Symbols;
    Bandwidth = "HBM bandwidth", "W_m", BytesPerSecond, Symbols;
    ScaleUp = "scale-up bandwidth", "W_u", BytesPerSecond, Symbols;
    ScaleOut = "scale-out bandwidth", "W_o", BytesPerSecond, Symbols;
    Inefficiency = "time ÷ ideal time", "ε", Factor, Symbols;
    Efficiency = "efficiency", "σ", Share, Symbols;
    Contention = "communication slowdown under overlap", "κ", Factor, Symbols;
    FixedTime = "fixed time", "τ₀", Seconds, Symbols;
    Tile = "rows per tile", "r", Number, Symbols;
    Heads = "rows per query token", "h", Number, Symbols;
    PaddingTokens = "padding tokens per sequence", "s₀", Tokens, Symbols;
    Correction = "correction from measurements", "e^θ", Factor, Symbols;
    AddedPrefill = "prefill time added by measurements", "h_m", Seconds, Symbols;
    LatencyScale = "factor on latencies", "α_x", Factor, Symbols;
    OverheadScale = "factor on launch and overhead", "o_x", Factor, Symbols;
    PeakScale = "peak FLOP/s factor", "P_x", Factor, Symbols;
    BandwidthScale = "factor on HBM bandwidth", "W_x", Factor, Symbols;
    Price = "price of a GPU-hour", "USD/h", DollarsPerHour, Symbols;
    Hour = "seconds per hour", "3600", Seconds, Symbols;
    Million = "tokens per million", "10⁶", Tokens, Symbols;
    OneToken = "one token", "1", Tokens, Symbols;
    One = "one", "1", Number, Symbols;
    AfdPerGpu = "tok/s/GPU of AFD", "2rB_m/(N·TPOT)", TokensPerSecond, AfdInFlight;
    AfdSimulated = "simulated tok/s/GPU of AFD", "2rB_m/(N·TPOT·s)", TokensPerSecond, AfdSimulation;
    Variation = "simulated ÷ closed-form time", "s", Factor, AfdSimulation;
    Straggling = "slowest ÷ mean attention time", "s_max", Factor, Symbols;
    RunRest = "other simulation effects", "s_run", Factor, Symbols;
    AfdPerRank = "tok/s/rank of AFD", "rB_m/((r + 1) τ_c)", TokensPerSecond, AfdRatio;
    Cycle = "AFD cycle", "τ_c", Seconds, AfdRatio;
    RankAttention = "attention time", "t_A", Seconds, AfdLatencies;
    RankExchange = "communication between ranks", "t_C", Seconds, AfdLatencies;
    RankFfn = "FFN time", "t_F", Seconds, AfdLatencies;
    OwnLinks = "communication of an attention rank", "t_C,A", Seconds, AfdLatencies;
    FfnLinks = "communication of the FFN rank", "t_C,F", Seconds, AfdLatencies;
    IdleAttention = "attention idle", "1 − t_A/τ_c", Share, AfdRatio;
    IdleFfn = "FFN idle", "1 − t_F/τ_c", Share, AfdRatio;
    Slots = "sequences per micro-batch and attention rank", "B_m", Sequences, Symbols;
    Ratio = "attention ranks per FFN rank", "r", Number, Symbols;
    AfRatio = "attention ranks per FFN rank on these GPUs", "N_A/(tp·kvp)", Number, AfdRatio;
    BestRatio = "best ratio", "r*", Number, AfdRatio;
    AttentionRatio = "ratio where FFN time = attention time", "r_A", Number, AfdRatio;
    ExchangeRatio = "ratio where FFN = communication time", "r_C", Number, AfdRatio;
    PeakRatio = "ratio at peak throughput", "r_peak", Number, AfdRatio;
    RowTime = "FFN time − intercept", "(t − β_F)", Seconds, AfdRatio;
    FfnRanks = "FFN ranks", "y", Number, Symbols;
    Ranks = "ranks ÷ FFN ranks", "(r + 1)", Number, AfdRatio;
    InFlight = "micro-batches in flight", "2", Number, Symbols;
    UnitGpus = "GPUs ÷ FFN ranks", "N", Gpus, AfdRatio;
    AttentionGpus = "GPUs of attention ranks", "N_A", Gpus, AfdRatio;
    FfnGpus = "GPUs of an FFN rank", "N_F", Gpus, Symbols;
    RowBytes = "bytes moved per sequence, all layers", "V_r", Bytes, AfdLatencies;
    Destinations = "destinations of a token", "min(k′, ep)", Number, AfdLatencies;
    BothWays = "directions", "2", Number, Symbols;
    RankMemory = "memory of an attention GPU", "M_A", Bytes, AfdMemory;
    FfnMemory = "memory of an FFN GPU", "M_F", Bytes, AfdMemory;
    TokenLoad = "context over the horizon", "S̄", Tokens, AfdLoad;
    Requests = "requests per attention rank", "N_r", Number, Symbols;
    LengthSquare = "mean square of the output length", "E(D²)", Number, Symbols;
    AttentionSlope = "attention time per cached token", "α_A", Seconds, AfdLatencies;
    AttentionIntercept = "attention time without tokens", "β_A", Seconds, AfdLatencies;
    FfnSlope = "FFN time per sequence", "α_F", Seconds, AfdLatencies;
    FfnIntercept = "FFN time without sequences", "β_F", Seconds, AfdLatencies;
    ExchangeSlope = "communication per sequence", "α_C", Seconds, AfdLatencies;
    ExchangeIntercept = "communication without sequences", "β_C", Seconds, AfdLatencies;
    SpanLoad = "load of a chord", "T", Number, Symbols;
    HigherTime = "time at the higher load", "t₂", Seconds, AfdLatencies;
    LowerTime = "time at the lower load", "t₁", Seconds, AfdLatencies;
    LaminaTokens = "tokens/s of Lamina", "B·y/T", TokensPerSecond, LaminaRotation;
    LaminaPerUser = "tok/s/user of Lamina", "y/T", TokensPerSecond, LaminaRotation;
    LaminaStep = "Lamina step time", "T", Seconds, LaminaRotation;
    ComputeMemory = "memory of a compute device", "M_a", Bytes, LaminaBatch;
    DeviceMemory = "memory of a memory device", "M_b", Bytes, LaminaBatch;
    BothSides = "max batch that fits both sides", "b_cap", Sequences, LaminaBatch;
    SideBatch = "max batch that fits one side", "b_side", Sequences, LaminaBatch;
    LaminaBatch = "Lamina sequences", "B", Sequences, LaminaBatch;
    SloBatch = "max batch at the SLO", "b_slo", Sequences, Symbols;
    Turnaround = "turnaround of a micro-batch", "t_turn", Seconds, LaminaRotation;
    ModelBusy = "busy time of compute devices", "t_model,busy", Seconds, LaminaRotation;
    AttentionBusy = "busy time of memory devices", "t_attn,busy", Seconds, LaminaRotation;
    NetworkBusy = "busy time of links", "t_net,busy", Seconds, LaminaRotation;
    ModelTime = "model time, compute devices", "t_model", Seconds, Lamina;
    DeviceAttention = "attention on memory devices", "t_attn", Seconds, Lamina;
    NetworkTime = "network between devices", "t_net", Seconds, LaminaNetwork;
    KeyValueTime = "projection of keys and values", "t_kvp", Seconds, LaminaNetwork;
    SendQuery = "sending queries", "t_q", Seconds, LaminaNetwork;
    SendKeyValue = "sending keys and values", "t_kv", Seconds, LaminaNetwork;
    SendOutput = "sending outputs", "t_o", Seconds, LaminaNetwork;
    RoundTrips = "round trips", "t_rt", Seconds, LaminaNetwork;
    RoundTrip = "round trip", "rtt", Seconds, Symbols;
    MicroBatches = "micro-batches", "j", Number, Symbols;
    ModelReplicas = "replicas of the model", "n_r", Number, Symbols;
    Links = "links of a micro-batch", "n_l", Number, Symbols;
    AllLinks = "links of the smaller side", "N_l", Number, Symbols;
    SentElements = "elements sent per token", "e_n", Elements, Symbols;
    Net = "network bandwidth of a device", "W_n", BytesPerSecond, Symbols;
    ComputeGpus = "compute devices", "a", Gpus, Symbols;
    MemoryGpus = "memory devices", "b", Gpus, Symbols;
    Hourly = "price of all devices", "USD/h", DollarsPerHour, Lamina;
    HourlyCompute = "price of the compute devices", "USD/h", DollarsPerHour, Lamina;
    HourlyMemory = "price of the memory devices", "USD/h", DollarsPerHour, Lamina;
    ServiceGpus = "GPUs of all replicas", "N", Gpus, Pools;
    PrefillGpus = "GPUs of the prefill pool", "N_p", Gpus, Pools;
    DecodeGpus = "GPUs of the decode pool", "N_d", Gpus, Pools;
    ReplicaGpus = "GPUs of a replica", "G", Gpus, Symbols;
    RequestRate = "request rate", "λ", RequestsPerSecond, Symbols;
    Utilization = "max planned utilization", "ρ", Share, Symbols;
    TtftLimit = "TTFT limit", "TTFT_max", Seconds, Symbols;
    Queueing = "queueing", "W", Seconds, Queueing;
    ReplicaPass = "passes of a prompt", "J·t_p", Seconds, Ttft;
    LonePass = "prefill pass of one prompt", "t_p,1", Seconds, Ttft;
    KvTransfer = "KV transfer", "t_kv", Seconds, Ttft;
    Thousand = "requests per thousand", "1000", Number, Symbols;
    RequestCost = "cost of 1,000 requests", "USD/kreq", DollarsPerThousand, Pools;
    OutputCost = "cost of a million output tokens", "USD/Mtok", DollarsPerMillion, Pools;
    PrefillPrice = "price of a prefill GPU-hour", "USD/h", DollarsPerHour, Symbols;
}
