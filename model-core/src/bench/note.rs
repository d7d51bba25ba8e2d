//! Notes on what was read from a paste, as codes with data; the sentences for the codes are defined elsewhere.

use std::borrow::Cow;

use super::stated::Format;

/// Two numbers stated in a pasted text that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contradiction {
    /// Output tokens/s differs from output tokens ÷ duration by more than 2%.
    OutputRate,
    /// Requests/s differs from completed requests ÷ duration by more than 2%.
    RequestRate,
    /// End-to-end time differs from TTFT + (n − 1)·TPOT by more than 3%, with output length n.
    EndToEnd,
    /// The number of sequences in decode exceeds the client's concurrency by more than 2%.
    InFlight,
    /// The time between chunks differs by more than 10% from TPOT × tokens per step (vLLM) or from TPOT (SGLang).
    Chunks,
}

/// A note on what was read from a paste.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// The paste was longer than 1 MB or 20,000 lines, so only its first part was read.
    Cut,
    /// Nothing in the paste was recognized.
    NothingRead,
    /// A result contains neither a time per output token nor a rate from which to compute it: streaming was off, or
    /// lines are missing.
    NoTime {
        /// Format of the result.
        format: Format,
        /// First line of the result.
        line: u32,
    },
    /// The text ends before the JSON starting on this line is complete.
    Broken {
        /// Line on which the JSON starts.
        line: u32,
    },
    /// The paste has more measured points than a permalink can hold; the additional points are listed but not used.
    MorePoints {
        /// Number of measured points read.
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
    /// No run of this engine has been published, so no error band is known for it.
    UnknownEngine,
    /// Output lengths are computed from times, because the result file states only their maximum.
    OutputDerived,
    /// Prompt lengths are computed from rates, because the result file states only their maximum.
    PromptDerived,
    /// Some requests failed.
    FailedRequests {
        /// Number of failed requests.
        failed: f64,
    },
    /// The client had more requests in flight than the engine runs at once.
    EngineLimit {
        /// Max requests that the client has in flight, over all replicas.
        concurrency: f64,
        /// Max sequences that one replica runs at once.
        limit: f64,
    },
    /// Requests were waiting in the engine's queue when the log lines were printed.
    Waiting,
    /// CUDA graphs are disabled.
    GraphOff,
    /// CUDA graphs are used only for batches up to this size.
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
    /// The stated tokens per step cannot be reached with the stated number of draft tokens at any acceptance rate.
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
    /// The log has lines of several DP ranks; the batch is the sum over these ranks.
    RankLines {
        /// Number of DP ranks that printed log lines.
        ranks: usize,
    },
    /// The stated time between chunks is the time per step, not per token.
    ItlIsStep,
    /// The drafter is not a layer of the LLM, but its cost is computed as if it were. Holds the drafter's name.
    Drafter(&'static str),
    /// Draft tokens form a tree; only its depth is used.
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
    /// For at least one rank, prefill ran in or just before the step of every log line at full load.
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
        /// Output length in tokens that the requests asked for.
        asked: f64,
    },
    /// Some of the prompt tokens were found in the prefix cache.
    CacheHits {
        /// Prefix cache hit rate.
        share: f64,
    },
    /// Two stated numbers contradict each other; the value `used` is used and `other` is not.
    Contradicts {
        /// Pair of numbers that contradict each other.
        what: Contradiction,
        /// The contradictory value that is used.
        used: f64,
        /// The contradictory value that is not used: a stated number, or one derived from stated numbers.
        other: f64,
    },
}

impl Note {
    /// Returns the identifier of the note in results.
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
