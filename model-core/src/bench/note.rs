//! Notes on a reading, as codes with data; the sentences for them are defined elsewhere.

use std::borrow::Cow;

use super::stated::Format;

/// Two stated numbers of a paste that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contradiction {
    /// Output tokens/s differs from output tokens ÷ duration by more than 2%.
    OutputRate,
    /// Requests/s differs from completed requests ÷ duration by more than 2%.
    RequestRate,
    /// End-to-end time differs from TTFT + (n − 1)·TPOT by more than 3%.
    EndToEnd,
    /// The sequences in decode exceed the requests in flight by more than 2%.
    InFlight,
    /// The time between chunks differs from TPOT × tokens per step by more than 10%.
    Chunks,
}

/// A note on what was read from a paste.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// The paste was longer than 1 MB, so only its first part was read.
    Cut,
    /// Nothing was recognized.
    NothingRead,
    /// A result in this format has no time per output token, nor a rate to compute it from. Streaming was off, or
    /// lines are missing.
    NoTime {
        /// Format of the result.
        format: Format,
        /// First line of the result.
        line: u32,
    },
    /// JSON that starts on this line is incomplete or invalid.
    Broken {
        /// Line on which the JSON starts.
        line: u32,
    },
    /// The paste has more points than a permalink can hold; the additional points are only listed.
    MorePoints {
        /// Number of points read.
        read: usize,
    },
    /// The paste names no model.
    NoModel,
    /// The paste names a model that is not in the catalog.
    UnknownModel {
        /// Name of the model.
        name: String,
    },
    /// The paste names no accelerator.
    NoGpu,
    /// The paste states no parallelism.
    NoSharding,
    /// There is no published run of this engine, and hence no error band.
    UnknownEngine,
    /// Output lengths are computed from times, because the file states only the max length.
    OutputDerived,
    /// Prompt lengths are computed from rates, because the file states only the max length.
    PromptDerived,
    /// Some requests failed.
    FailedRequests {
        /// Number of failed requests.
        failed: f64,
    },
    /// The client had more requests in flight than the engine runs at once.
    EngineLimit {
        /// Requests that the client has in flight per replica.
        concurrency: f64,
        /// Max sequences that the engine runs at once.
        limit: f64,
    },
    /// Requests were queued in the engine while it printed the log lines.
    Waiting,
    /// CUDA graphs are disabled.
    GraphOff,
    /// CUDA graphs cover batches only up to this size.
    GraphMax(f64),
    /// Direct (P2P) transfers between GPUs, or the engine's custom all-reduce, are disabled.
    P2pOff,
    /// Request lengths vary, so the mean context is longer than prompt + output/2.
    LengthsSpread,
    /// Ramp-up and drain are a large part of the run.
    ShortRun {
        /// Mean requests in flight ÷ client concurrency.
        fill: f64,
    },
    /// Speculative decoding is on, but the number of draft tokens is not stated.
    DraftsUnknown,
    /// No acceptance rate yields the stated tokens per step with the stated number of draft tokens.
    AcceptanceImpossible,
    /// Attention DP is not stated and is assumed to be off.
    AttentionDpUnknown,
    /// An iteration takes longer on the host than on the device.
    HostBound {
        /// Host time per iteration, in seconds.
        host: f64,
        /// Device time per iteration, in seconds.
        device: f64,
    },
    /// The log has lines of several DP ranks; the batch is their sum.
    RankLines {
        /// Number of ranks.
        ranks: usize,
    },
    /// The stated time between chunks is the time per step, not per token.
    ItlIsStep,
    /// Draft tokens come from a drafter that is not a layer of the model; the model computes its cost as if it were
    /// one.
    Drafter(&'static str),
    /// Draft tokens form a tree, of which only the depth is used.
    DraftTree,
    /// Prefill and decode run in separate workers.
    Disaggregated,
    /// The command starts a prefill-only worker.
    PrefillWorker,
    /// Prefill cannot be modeled in aggregated serving with PP or KVP, so only decode is computed.
    PrefillNotModelled,
    /// SGLang's static memory fraction cannot be converted to a fraction of total memory.
    StaticMemoryShare,
    /// TensorRT-LLM's memory fraction refers to free memory, not total memory.
    FreeMemoryShare,
    /// Prefill ran in or just before every log line.
    PrefillMixed,
    /// The weight format is unknown.
    DtypeUnknown,
    /// The mean TPOT is far above the median, so the run stalled.
    Stalls {
        /// Mean TPOT ÷ median TPOT.
        ratio: f64,
    },
    /// Outputs ended before they reached the requested length.
    EarlyEnd {
        /// Mean output length in tokens.
        output: f64,
        /// Requested output length in tokens.
        asked: f64,
    },
    /// Part of the prompt tokens was found in the prefix cache.
    CacheHits {
        /// Prefix cache hit rate.
        share: f64,
    },
    /// Two stated numbers contradict each other; `used` is the one used.
    Contradicts {
        /// Pair of numbers that contradict each other.
        what: Contradiction,
        /// The value that is used.
        used: f64,
        /// The value that follows from other stated numbers.
        other: f64,
    },
}

impl Note {
    /// Returns the code of the note in results.
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
