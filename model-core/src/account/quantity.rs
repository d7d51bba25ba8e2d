//! Results whose derivation can be opened.

use std::borrow::Cow;

use crate::named::named;

named! {
    /// A result whose derivation can be opened; its id is the value of `explain` in permalinks.
    pub enum Quantity {
        /// Time per output token (TPOT).
        Tpot = "tpot" => "TPOT",
        /// Interactivity: tokens per second for one user.
        PerUser = "tok_s_user" => "tok/s/user",
        /// Throughput per GPU: tokens per second ÷ GPUs.
        PerGpu = "tok_s_gpu" => "tok/s/GPU",
        /// US dollars per million tokens.
        Cost = "usd_per_mtok" => "$ per million tokens",
        /// Throughput: tokens per second of all replicas.
        Throughput = "tok_s" => "tokens/s",
        /// Time to first token.
        Ttft = "ttft" => "TTFT",
        /// Memory per GPU.
        Memory = "memory" => "memory per GPU",
        /// The largest batch that fits in memory.
        Capacity = "b_cap" => "max batch in memory",
        /// Time of one decode step.
        Step = "step" => "step time",
        /// Attention time of a step.
        Attention = "attention" => "attention",
        /// Time of a step's dense FFN layers.
        Dense = "dense_ffn" => "dense FFN",
        /// Time of a step's MoE layers.
        Experts = "moe" => "MoE",
        /// Time of a step's output head.
        Head = "head" => "output head",
        /// Communication time of a step.
        Communication = "messages" => "communication",
        /// Framework and CPU overhead of a step.
        Overhead = "overhead" => "overhead",
        /// Overlapped part of a step's time.
        Overlapped = "hidden" => "overlapped time",
        /// GPUs needed for the request rate; without a rate, GPUs of the smallest balanced pools.
        ServiceGpus = "service_gpus" => "GPUs",
        /// Time to first token when serving whole requests, including queueing.
        ServiceTtft = "service_ttft" => "TTFT",
        /// US dollars per 1,000 requests.
        ServiceCost = "service_usd" => "$ per 1,000 requests",
        /// Decode cost in US dollars per million output tokens.
        ServiceOutputCost = "service_usd_per_mtok" => "$ per million output tokens",
        /// Interactivity of the pools that serve whole requests: tokens per second for one user.
        ServicePerUser = "service_tok_s_user" => "tok/s/user",
        /// AFD throughput per GPU, with two micro-batches in flight.
        AfdPerGpu = "afd_tok_s_gpu" => "AFD tok/s/GPU",
        /// Simulated AFD throughput per GPU.
        AfdSimulated = "afd_simulated" => "AFD tok/s/GPU, simulated",
        /// AFD throughput per rank, for latencies that the user entered.
        AfdPerRank = "afd_tok_s_rank" => "AFD tok/s/rank",
        /// Time per output token (TPOT) with AFD.
        AfdTpot = "afd_tpot" => "AFD TPOT",
        /// Interactivity with AFD: tokens per second for one user.
        AfdPerUser = "afd_tok_s_user" => "AFD tok/s/user",
        /// Attention time of an AFD step.
        AfdAttention = "afd_attention" => "AFD attention",
        /// Communication time of an AFD step.
        AfdCommunication = "afd_messages" => "AFD communication",
        /// FFN time of an AFD step.
        AfdFfn = "afd_ffn" => "AFD FFN",
        /// Share of the cycle in which attention ranks are idle.
        AfdIdleAttention = "afd_idle_attention" => "attention idle",
        /// Share of the cycle in which FFN ranks are idle.
        AfdIdleFfn = "afd_idle_ffn" => "FFN idle",
        /// Throughput per GPU of the best colocated plan, with which AFD is compared.
        AfdColocated = "afd_colocated" => "colocated tok/s/GPU",
        /// A:F ratio (attention ranks per FFN rank) on the scenario's GPUs.
        AfdRatio = "afd_ratio" => "A:F ratio",
        /// The best A:F ratio for latencies that the user entered.
        AfdBestRatio = "afd_best_ratio" => "best ratio",
        /// Memory per GPU of an AFD attention rank.
        AfdMemory = "afd_memory" => "memory of an attention GPU",
        /// Memory per GPU of an AFD FFN rank.
        AfdFfnMemory = "afd_ffn_memory" => "memory of an FFN GPU",
        /// Throughput of a Lamina deployment, in tokens per second.
        LaminaTokens = "lamina_tok_s" => "Lamina tokens/s",
        /// Interactivity of a Lamina deployment: tokens per second for one user.
        LaminaPerUser = "lamina_tok_s_user" => "Lamina tok/s/user",
        /// Cost of a Lamina deployment, in US dollars per million tokens.
        LaminaCost = "lamina_usd_per_mtok" => "Lamina $ per million tokens",
        /// Time of one step of a Lamina deployment.
        LaminaStep = "lamina_step" => "Lamina step time",
        /// Time of one micro-batch on Lamina's compute devices.
        LaminaModel = "lamina_model" => "Lamina model time",
        /// Attention time of one micro-batch on Lamina's memory devices.
        LaminaAttention = "lamina_attention" => "Lamina attention",
        /// Network time of one micro-batch in a Lamina deployment.
        LaminaNetwork = "lamina_network" => "Lamina network",
        /// Time saved by overlap when queries are sent early, in a Lamina deployment.
        LaminaOverlapped = "lamina_hidden" => "Lamina overlapped time",
        /// Sequences that a Lamina deployment runs.
        LaminaBatch = "lamina_batch" => "Lamina sequences",
        /// The largest batch that fits on both sides of a Lamina deployment.
        LaminaCapacity = "lamina_b_cap" => "Lamina max batch in memory",
        /// Memory per compute device of a Lamina deployment.
        LaminaComputeMemory = "lamina_compute_memory" => "memory of a compute device",
        /// Memory per memory device of a Lamina deployment.
        LaminaMemory = "lamina_memory" => "memory of a memory device",
    }
}

/// The deployment that a quantity describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The scenario's colocated deployment.
    Scenario,
    /// The pools that serve whole requests.
    Service,
    /// The xAyF unit of the AFD view.
    Afd,
    /// The Lamina deployment: attention on memory devices, everything else on compute devices.
    Lamina,
}

impl Quantity {
    /// Returns the deployment that this quantity describes.
    pub const fn subject(self) -> Subject {
        use Quantity as Q;
        match self {
            Q::ServiceGpus
            | Q::ServiceTtft
            | Q::ServiceCost
            | Q::ServiceOutputCost
            | Q::ServicePerUser => Subject::Service,
            Q::AfdPerGpu
            | Q::AfdPerRank
            | Q::AfdTpot
            | Q::AfdPerUser
            | Q::AfdAttention
            | Q::AfdCommunication
            | Q::AfdFfn
            | Q::AfdIdleAttention
            | Q::AfdIdleFfn
            | Q::AfdColocated
            | Q::AfdSimulated
            | Q::AfdRatio
            | Q::AfdBestRatio
            | Q::AfdMemory
            | Q::AfdFfnMemory => Subject::Afd,
            Q::LaminaTokens
            | Q::LaminaPerUser
            | Q::LaminaCost
            | Q::LaminaStep
            | Q::LaminaModel
            | Q::LaminaAttention
            | Q::LaminaNetwork
            | Q::LaminaOverlapped
            | Q::LaminaBatch
            | Q::LaminaCapacity
            | Q::LaminaComputeMemory
            | Q::LaminaMemory => Subject::Lamina,
            _ => Subject::Scenario,
        }
    }
}

/// A result whose derivation a permalink can open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Explained {
    /// One of the named results.
    Quantity(Quantity),
    /// The time of one operator, by its index in the results (from 0).
    Operator(u8),
}

impl Explained {
    /// Returns the value of the permalink key `explain` for this result; operators are numbered from 1.
    pub fn id(self) -> Cow<'static, str> {
        match self {
            Self::Quantity(quantity) => quantity.id().into(),
            Self::Operator(number) => format!("operator-{}", u16::from(number) + 1).into(),
        }
    }

    /// Returns the result named by a value of the permalink key `explain`; `None` if the value is unknown.
    pub fn of_id(id: &str) -> Option<Self> {
        let operator = |id: &str| {
            let number: u8 = id.strip_prefix("operator-")?.parse().ok()?;
            Some(Self::Operator(number.checked_sub(1)?))
        };
        let quantity = Quantity::ALL.into_iter().find(|one| one.id() == id);
        quantity.map(Self::Quantity).or_else(|| operator(id))
    }
}
