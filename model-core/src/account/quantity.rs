//! Quantities that have an account.

use std::borrow::Cow;

use crate::named::named;

named! {
    /// A quantity that opens; `explain` in links.
    pub enum Quantity {
        /// Time per output token.
        Tpot = "tpot" => "TPOT",
        /// Tokens per second of one user.
        PerUser = "tok_s_user" => "tok/s/user",
        /// Tokens per second and GPU.
        PerGpu = "tok_s_gpu" => "tok/s/GPU",
        /// US dollars per million tokens.
        Cost = "usd_per_mtok" => "$ per million tokens",
        /// Tokens per second of all replicas.
        Throughput = "tok_s" => "tokens/s",
        /// Time to first token.
        Ttft = "ttft" => "TTFT",
        /// Memory per GPU.
        Memory = "memory" => "memory per GPU",
        /// The largest batch that fits.
        Capacity = "b_cap" => "max batch in memory",
        /// One step.
        Step = "step" => "step time",
        /// Attention of a step.
        Attention = "attention" => "attention",
        /// Dense FFN layers of a step.
        Dense = "dense_ffn" => "dense FFN",
        /// Experts of a step.
        Experts = "moe" => "MoE",
        /// Output head of a step.
        Head = "head" => "output head",
        /// Communication of a step.
        Communication = "messages" => "communication",
        /// Overhead of a step.
        Overhead = "overhead" => "overhead",
        /// Overlapped time of a step.
        Overlapped = "hidden" => "overlapped time",
        /// GPUs that serve the rate; without a rate, of the smallest balanced set.
        ServiceGpus = "service_gpus" => "GPUs",
        /// Time to first token of whole requests.
        ServiceTtft = "service_ttft" => "TTFT",
        /// US dollars per 1,000 requests.
        ServiceCost = "service_usd" => "$ per 1,000 requests",
        /// US dollars of decode per million output tokens.
        ServiceOutputCost = "service_usd_per_mtok" => "$ per million output tokens",
        /// Tokens per second of one user of whole requests.
        ServicePerUser = "service_tok_s_user" => "tok/s/user",
        /// Tokens per second and GPU of AFD, two micro-batches in flight.
        AfdPerGpu = "afd_tok_s_gpu" => "AFD tok/s/GPU",
        /// Tokens per second and GPU of AFD as simulated.
        AfdSimulated = "afd_simulated" => "AFD tok/s/GPU, simulated",
        /// Tokens per second and rank of AFD with entered latencies.
        AfdPerRank = "afd_tok_s_rank" => "AFD tok/s/rank",
        /// Time per output token of AFD.
        AfdTpot = "afd_tpot" => "AFD TPOT",
        /// Tokens per second of one user of AFD.
        AfdPerUser = "afd_tok_s_user" => "AFD tok/s/user",
        /// Attention time of an AFD step.
        AfdAttention = "afd_attention" => "AFD attention",
        /// Communication of an AFD step.
        AfdCommunication = "afd_messages" => "AFD communication",
        /// FFN time of an AFD step.
        AfdFfn = "afd_ffn" => "AFD FFN",
        /// Share of a step in which attention ranks are idle.
        AfdIdleAttention = "afd_idle_attention" => "attention idle",
        /// Share of a step in which FFN ranks are idle.
        AfdIdleFfn = "afd_idle_ffn" => "FFN idle",
        /// Tokens per second and GPU of the best colocated plan that AFD is compared with.
        AfdColocated = "afd_colocated" => "colocated tok/s/GPU",
        /// Attention ranks per FFN rank, on the GPUs of the scenario.
        AfdRatio = "afd_ratio" => "A:F ratio",
        /// The best ratio of entered latencies.
        AfdBestRatio = "afd_best_ratio" => "best ratio",
        /// Memory of a GPU of an attention rank.
        AfdMemory = "afd_memory" => "memory of an attention GPU",
        /// Memory of a GPU of an FFN rank.
        AfdFfnMemory = "afd_ffn_memory" => "memory of an FFN GPU",
        /// Tokens per second of a Lamina deployment.
        LaminaTokens = "lamina_tok_s" => "Lamina tokens/s",
        /// Tokens per second of one user of a Lamina deployment.
        LaminaPerUser = "lamina_tok_s_user" => "Lamina tok/s/user",
        /// US dollars per million tokens of a Lamina deployment.
        LaminaCost = "lamina_usd_per_mtok" => "Lamina $ per million tokens",
        /// One step of a micro-batch of a Lamina deployment.
        LaminaStep = "lamina_step" => "Lamina step time",
        /// Time of a micro-batch on the compute devices.
        LaminaModel = "lamina_model" => "Lamina model",
        /// Time of a micro-batch on the memory devices.
        LaminaAttention = "lamina_attention" => "Lamina attention",
        /// Network time of a micro-batch.
        LaminaNetwork = "lamina_network" => "Lamina network",
        /// Time that early queries overlap.
        LaminaOverlapped = "lamina_hidden" => "Lamina overlapped time",
        /// Sequences of a Lamina deployment.
        LaminaBatch = "lamina_batch" => "Lamina sequences",
        /// The largest batch that fits both sides.
        LaminaCapacity = "lamina_b_cap" => "Lamina max batch in memory",
        /// Memory of a compute device.
        LaminaComputeMemory = "lamina_compute_memory" => "memory of a compute device",
        /// Memory of a memory device.
        LaminaMemory = "lamina_memory" => "memory of a memory device",
    }
}

/// Deployment of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The scenario, colocated.
    Scenario,
    /// The pools that serve whole requests.
    Service,
    /// The xAyF unit of the AFD view.
    Afd,
    /// The Lamina deployment.
    Lamina,
}

impl Quantity {
    /// The deployment that it describes.
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

/// A number that a link opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Explained {
    /// A quantity.
    Quantity(Quantity),
    /// The time of an operator, by its number in the results, from 0.
    Operator(u8),
}

impl Explained {
    /// The value of `explain` in links; operators count from 1.
    pub fn id(self) -> Cow<'static, str> {
        match self {
            Self::Quantity(quantity) => quantity.id().into(),
            Self::Operator(number) => format!("operator-{}", u16::from(number) + 1).into(),
        }
    }

    /// The number that a value of `explain` means.
    pub fn of_id(id: &str) -> Option<Self> {
        let operator = |id: &str| {
            let number: u8 = id.strip_prefix("operator-")?.parse().ok()?;
            Some(Self::Operator(number.checked_sub(1)?))
        };
        let quantity = Quantity::ALL.into_iter().find(|one| one.id() == id);
        quantity.map(Self::Quantity).or_else(|| operator(id))
    }
}
