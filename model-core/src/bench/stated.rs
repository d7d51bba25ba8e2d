//! A benchmark run as its file states it, before any derived quantities are computed.

use crate::named::named;

use super::said::{At, Said};

named! {
    /// Formats that can be read, with their identifiers in results.
    pub enum Format {
        /// Printed output of `vllm bench serve`.
        VllmServe = "vllm-serve",
        /// Result file of `vllm bench serve --save-result`.
        VllmServeJson = "vllm-serve-json",
        /// Printed output of `sglang.bench_serving`.
        SglangServing = "sglang-serving",
        /// Result file of `sglang.bench_serving`.
        SglangServingJson = "sglang-serving-json",
        /// Printed output of `sglang.bench_one_batch`.
        SglangOneBatch = "sglang-one-batch",
        /// Result file of `sglang.bench_one_batch_server`.
        SglangOneBatchServer = "sglang-one-batch-server",
        /// Printed output of `sglang.bench_one_batch_server`.
        SglangOneBatchServerText = "sglang-one-batch-server-text",
        /// Printed output of `trtllm-bench`.
        TrtllmBench = "trtllm-bench",
        /// JSON result file of AIPerf.
        AiperfJson = "aiperf-json",
        /// CSV result file of AIPerf.
        AiperfCsv = "aiperf-csv",
        /// CSV result file of genai-perf.
        GenaiPerfCsv = "genai-perf-csv",
        /// A result row, or a list of rows, of InferenceX.
        Inferencex = "inferencex",
        /// YAML report of llm-d.
        LlmD = "llm-d",
        /// Output of `llama-bench`: table, CSV or JSON.
        LlamaBench = "llama-bench",
        /// Periodic statistics in a vLLM log.
        VllmLog = "vllm-log",
        /// Decode-batch lines in an SGLang log.
        SglangLog = "sglang-log",
        /// Iteration lines in a TensorRT-LLM log.
        TrtllmLog = "trtllm-log",
        /// A time per token typed by hand.
        Typed = "typed",
        /// A launch command or engine settings, without a measurement.
        Command = "command",
    }
}

named! {
    /// Type of the stated number from which a time per output token is taken.
    pub enum TimeSource {
        /// Mean time per output token, stated as TPOT.
        MeanTpot = "mean TPOT",
        /// Mean time per output token, which AIPerf and genai-perf call inter token latency.
        MeanInterToken = "mean inter token latency",
        /// Reciprocal of one sequence's tokens/s.
        OneOverRate = "one over t/s",
        /// Number of running sequences ÷ the engine's tokens/s.
        RunningOverRate = "running over throughput",
        /// Batch size ÷ output tokens/s.
        BatchOverRate = "batch over output throughput",
        /// Median time of a decode step.
        MedianStep = "median step",
        /// Median host time of an iteration.
        MedianHostStep = "median host step",
    }
}

/// Numbers that a benchmark states about one run; times in seconds, lengths in tokens, rates per second.
#[derive(Debug, Clone, Default)]
pub struct Stated {
    /// Format that the run was read from.
    pub format: Option<Format>,
    /// Type of the stated number from which [`Self::tpot`] is taken; `None` for a mean TPOT.
    pub source: Option<TimeSource>,
    /// Mean TPOT, which excludes the TTFT.
    pub tpot: Said,
    /// Median TPOT.
    pub median_tpot: Said,
    /// Mean time between the chunks of a streamed response (ITL).
    pub itl: Said,
    /// True if the file states ITL per token rather than per step.
    pub itl_per_token: bool,
    /// Mean time to first token.
    pub ttft: Said,
    /// Mean end-to-end time of a request.
    pub e2e: Said,
    /// Max requests that the client has in flight.
    pub concurrency: Said,
    /// Mean number of requests in flight.
    pub in_flight: Said,
    /// Number of running sequences that the engine states for one replica, or the size of a static batch.
    pub running: Said,
    /// Number of completed requests.
    pub completed: Said,
    /// Number of failed requests.
    pub failed: Said,
    /// Duration of the run.
    pub duration: Said,
    /// Requests per second.
    pub request_rate: Said,
    /// Output tokens per second.
    pub output_rate: Said,
    /// Prompt tokens per second.
    pub input_rate: Said,
    /// Number of GPUs that the stated rates are divided by, if they are rates per GPU.
    pub rates_per: Said,
    /// Total prompt tokens of all requests.
    pub input_total: Said,
    /// Total output tokens of all requests.
    pub output_total: Said,
    /// Mean prompt length.
    pub prompt: Said,
    /// Mean output length.
    pub output: Said,
    /// Mean context length during decode, if the file states this length instead of prompt and output lengths.
    pub context: Said,
    /// Acceptance length: tokens generated per step and sequence.
    pub accept_length: Said,
    /// Acceptance rate: accepted ÷ drafted tokens.
    pub accept_rate: Said,
    /// Draft tokens per step.
    pub drafts: Said,
    /// Number of steps that used draft tokens during the run.
    pub draft_steps: Said,
    /// Total draft tokens during the run.
    pub draft_tokens: Said,
    /// Prefix cache hit rate: fraction of prompt tokens found in the cache.
    pub hit: Said,
    /// TTFT of a single request in an otherwise idle engine, and the prompt length of the request.
    pub idle_ttft: Option<At<(f64, f64)>>,
    /// True if only decode was measured: with a static batch, from a log without prefill, or in the decode pool of a
    /// disaggregated deployment.
    pub decode_only: bool,
    /// Range ratio and output length of a client that draws random lengths.
    pub random: Option<At<(f64, f64)>>,
    /// Additional log lines that the run was read from.
    pub more: Vec<u32>,
}

impl Stated {
    /// Creates an empty run of a format.
    pub fn of(format: Format) -> Self {
        Self {
            format: Some(format),
            ..Self::default()
        }
    }

    /// Returns most of the stated numbers, so that [`Self::lines`] can list their lines.
    fn said(&self) -> [Said; 25] {
        [
            self.tpot,
            self.median_tpot,
            self.itl,
            self.ttft,
            self.e2e,
            self.concurrency,
            self.in_flight,
            self.running,
            self.completed,
            self.failed,
            self.duration,
            self.request_rate,
            self.output_rate,
            self.input_rate,
            self.input_total,
            self.output_total,
            self.prompt,
            self.output,
            self.context,
            self.accept_length,
            self.accept_rate,
            self.drafts,
            self.draft_steps,
            self.draft_tokens,
            self.rates_per,
        ]
    }

    /// Returns the sorted, distinct lines that the run was read from.
    pub fn lines(&self) -> Vec<u32> {
        let idle = self.idle_ttft.map(|at| at.line);
        let rest = [
            idle,
            self.hit.map(|at| at.line),
            self.random.map(|at| at.line),
        ];
        let said = self.said().into_iter().flatten().map(|at| at.line);
        let mut lines: Vec<u32> = said.chain(rest.into_iter().flatten()).collect();
        lines.extend(&self.more);
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}
