//! Notes on a reading: codes with their data, to which sentences belong.

use std::borrow::Cow;

use super::stated::Format;

/// Statements of a paste that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contradiction {
    /// Output tokens/s and output tokens ÷ duration, over 2%.
    OutputRate,
    /// Requests/s and completed requests ÷ duration, over 2%.
    RequestRate,
    /// End-to-end time and TTFT + (n − 1)·TPOT, over 3%.
    EndToEnd,
    /// More sequences in decode than requests in flight, over 2%.
    InFlight,
    /// Time between chunks and TPOT × tokens per step, over 10%.
    Chunks,
}

/// A note on a reading.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// The paste was longer than 1 MB: only its first part was read.
    Cut,
    /// Nothing was recognized.
    NothingRead,
    /// A result of this format has no time per output token and no rate that gives one: streaming was off, or lines
    /// are missing.
    NoTime {
        /// Its format.
        format: Format,
        /// A line of it.
        line: u32,
    },
    /// JSON that ends early or is broken, from this line on.
    Broken {
        /// The line.
        line: u32,
    },
    /// More points than a link holds: some are listed only.
    MorePoints {
        /// Points that were read.
        read: usize,
    },
    /// The paste names no model.
    NoModel,
    /// The paste names a model that the catalog does not have.
    UnknownModel {
        /// Its name.
        name: String,
    },
    /// The paste names no accelerator.
    NoGpu,
    /// The paste states no sharding.
    NoSharding,
    /// No published run is of this engine.
    UnknownEngine,
    /// Output lengths follow from times, since the file states only their maximum.
    OutputDerived,
    /// Prompt lengths follow from rates, since the file states only their maximum.
    PromptDerived,
    /// Requests failed.
    FailedRequests {
        /// Their number.
        failed: f64,
    },
    /// The client had more requests in flight than the engine runs at once.
    EngineLimit {
        /// Requests of the client per replica.
        concurrency: f64,
        /// Sequences that the engine runs at most.
        limit: f64,
    },
    /// Requests waited in the engine while its log lines were printed.
    Waiting,
    /// CUDA graphs are off.
    GraphOff,
    /// CUDA graphs cover batches up to this.
    GraphMax(f64),
    /// Transfers between GPUs do not go directly, or not through the engine's own all-reduce.
    P2pOff,
    /// Lengths vary: the mean context is longer than prompt + output/2.
    LengthsSpread,
    /// Ramp-up and drain are a large part of the run.
    ShortRun {
        /// Requests in flight ÷ concurrency.
        fill: f64,
    },
    /// Tokens per step are stated, draft tokens are not.
    DraftsUnknown,
    /// Tokens per step are stated, but no acceptance rate gives them with that many drafts.
    AcceptanceImpossible,
    /// Attention DP is not stated, off is assumed.
    AttentionDpUnknown,
    /// The host needs longer for an iteration than the device.
    HostBound {
        /// Host time in s.
        host: f64,
        /// Device time in s.
        device: f64,
    },
    /// Log lines of several DP ranks: the batch is their sum.
    RankLines {
        /// Ranks.
        ranks: usize,
    },
    /// Time between chunks is that of a step, not of a token.
    ItlIsStep,
    /// Drafts come from another drafter than a layer of the model, whose cost is not a layer's.
    Drafter(&'static str),
    /// Drafts form a tree, of which only the depth is used.
    DraftTree,
    /// Prefill and decode run in separate workers.
    Disaggregated,
    /// The command starts a worker that does not decode.
    PrefillWorker,
    /// Aggregated prefill is not modeled with PP or KVP: decode alone is computed.
    PrefillNotModelled,
    /// SGLang's share of static memory is not a share of all memory.
    StaticMemoryShare,
    /// TensorRT-LLM's share is of free memory.
    FreeMemoryShare,
    /// All log lines have prompts before or in them.
    PrefillMixed,
    /// The format of the weights is unknown.
    DtypeUnknown,
    /// The mean TPOT is far above the median: the run stalled.
    Stalls {
        /// Mean ÷ median.
        ratio: f64,
    },
    /// Outputs ended before the length that was asked for.
    EarlyEnd {
        /// Mean output.
        output: f64,
        /// Asked.
        asked: f64,
    },
    /// Part of the prompts was in the prefix cache.
    CacheHits {
        /// Share.
        share: f64,
    },
    /// Two statements contradict each other; the first is used.
    Contradicts {
        /// Which.
        what: Contradiction,
        /// Value used.
        used: f64,
        /// Value that follows from other statements.
        other: f64,
    },
}

impl Note {
    /// Code in results.
    pub fn id(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Drafter(name) => return format!("drafter_{name}").into(),
            Self::GraphMax(batch) => return format!("graph_max_{batch}").into(),
            Self::Cut => "cut",
            Self::NothingRead => "nothing_read",
            Self::NoTime { .. } => "no_time",
            Self::Broken { .. } => "broken",
            Self::MorePoints { .. } => "more_points",
            Self::NoModel => "no_model",
            Self::UnknownModel { .. } => "unknown_model",
            Self::NoGpu => "no_gpu",
            Self::NoSharding => "no_sharding",
            Self::UnknownEngine => "unknown_engine",
            Self::OutputDerived => "output_derived",
            Self::PromptDerived => "prompt_derived",
            Self::FailedRequests { .. } => "failed_requests",
            Self::EngineLimit { .. } => "engine_limit",
            Self::Waiting => "waiting",
            Self::GraphOff => "graph_off",
            Self::P2pOff => "p2p_off",
            Self::LengthsSpread => "lengths_spread",
            Self::ShortRun { .. } => "short_run",
            Self::DraftsUnknown => "drafts_unknown",
            Self::AcceptanceImpossible => "acceptance_impossible",
            Self::AttentionDpUnknown => "attention_dp_unknown",
            Self::HostBound { .. } => "host_bound",
            Self::RankLines { .. } => "rank_lines",
            Self::ItlIsStep => "itl_is_step",
            Self::DraftTree => "draft_tree",
            Self::Disaggregated => "disaggregated",
            Self::PrefillWorker => "prefill_worker",
            Self::PrefillNotModelled => "prefill_not_modelled",
            Self::StaticMemoryShare => "static_memory_share",
            Self::FreeMemoryShare => "free_memory_share",
            Self::PrefillMixed => "prefill_mixed",
            Self::DtypeUnknown => "dtype_unknown",
            Self::Stalls { .. } => "stalls",
            Self::EarlyEnd { .. } => "early_end",
            Self::CacheHits { .. } => "cache_hits",
            Self::Contradicts { what, .. } => match what {
                Contradiction::OutputRate => "output_rate_contradicts",
                Contradiction::RequestRate => "request_rate_contradicts",
                Contradiction::EndToEnd => "e2e_contradicts",
                Contradiction::InFlight => "in_flight_contradicts",
                Contradiction::Chunks => "itl_contradicts",
            },
        })
    }
}
