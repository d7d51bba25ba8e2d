//! A run as its file states it, before any arithmetic.

use crate::named::named;

use super::said::{At, Said};

named! {
    /// Formats that are read, by their identifiers in results.
    pub enum Format {
        /// `vllm bench serve`, printed.
        VllmServe = "vllm-serve",
        /// `vllm bench serve --save-result`.
        VllmServeJson = "vllm-serve-json",
        /// `sglang.bench_serving`, printed.
        SglangServing = "sglang-serving",
        /// Its result file.
        SglangServingJson = "sglang-serving-json",
        /// `sglang.bench_one_batch`, printed.
        SglangOneBatch = "sglang-one-batch",
        /// `sglang.bench_one_batch_server`, its result file.
        SglangOneBatchServer = "sglang-one-batch-server",
        /// The same, printed.
        SglangOneBatchServerText = "sglang-one-batch-server-text",
        /// `trtllm-bench`, printed.
        TrtllmBench = "trtllm-bench",
        /// AIPerf's JSON.
        AiperfJson = "aiperf-json",
        /// AIPerf's CSV.
        AiperfCsv = "aiperf-csv",
        /// genai-perf's CSV.
        GenaiPerfCsv = "genai-perf-csv",
        /// A row or list of InferenceX.
        Inferencex = "inferencex",
        /// A report of llm-d.
        LlmD = "llm-d",
        /// `llama-bench`: table, CSV or JSON.
        LlamaBench = "llama-bench",
        /// Statistics in the log of vLLM.
        VllmLog = "vllm-log",
        /// Batches in the log of SGLang.
        SglangLog = "sglang-log",
        /// Iterations in the log of TensorRT-LLM.
        TrtllmLog = "trtllm-log",
        /// A time per token typed by hand.
        Typed = "typed",
        /// A launch command or settings of an engine, without a measurement.
        Command = "command",
    }
}

named! {
    /// The statement that a time per output token was taken from.
    pub enum TimeSource {
        /// Mean time per output token.
        MeanTpot = "mean TPOT",
        /// The same by the name of AIPerf and genai-perf.
        MeanInterToken = "mean inter token latency",
        /// 1 ÷ tokens/s of one sequence.
        OneOverRate = "one over t/s",
        /// Running sequences ÷ tokens/s of an engine.
        RunningOverRate = "running over throughput",
        /// Batch ÷ output tokens/s.
        BatchOverRate = "batch over output throughput",
        /// Median time of a decode step.
        MedianStep = "median step",
        /// Median time of an iteration on the host.
        MedianHostStep = "median host step",
    }
}

/// Statements on one run: times in s, lengths in tokens, rates per second.
#[derive(Debug, Clone, Default)]
pub struct Stated {
    /// Format that it was read from.
    pub format: Option<Format>,
    /// Source of [`Self::tpot`]; `None` for a mean TPOT.
    pub source: Option<TimeSource>,
    /// Mean time per output token without the first.
    pub tpot: Said,
    /// Its median.
    pub median_tpot: Said,
    /// Mean time between stream chunks.
    pub itl: Said,
    /// True where the file states ITL per token, not per step.
    pub itl_per_token: bool,
    /// Mean time to first token.
    pub ttft: Said,
    /// Mean end-to-end time.
    pub e2e: Said,
    /// Max requests of the client in flight.
    pub concurrency: Said,
    /// Mean requests in flight.
    pub in_flight: Said,
    /// Sequences that the engine states as running in one replica, or of a static batch.
    pub running: Said,
    /// Completed requests.
    pub completed: Said,
    /// Failed requests.
    pub failed: Said,
    /// Duration.
    pub duration: Said,
    /// Requests per second.
    pub request_rate: Said,
    /// Output tokens per second.
    pub output_rate: Said,
    /// Prompt tokens per second.
    pub input_rate: Said,
    /// GPUs that the rates are divided by, where they are rates per GPU.
    pub rates_per: Said,
    /// Prompt tokens of all requests.
    pub input_total: Said,
    /// Output tokens of all requests.
    pub output_total: Said,
    /// Mean prompt.
    pub prompt: Said,
    /// Mean output.
    pub output: Said,
    /// Output tokens that each request asked for, where that is one number.
    pub asked_output: Said,
    /// Range in which output lengths were drawn evenly: longest − shortest.
    pub spread: Said,
    /// Mean context during decode, where stated instead of lengths.
    pub context: Said,
    /// Tokens of a step.
    pub accept_length: Said,
    /// Accepted ÷ drafted tokens.
    pub accept_rate: Said,
    /// Draft tokens of a step.
    pub drafts: Said,
    /// Steps with drafts, over the run.
    pub draft_steps: Said,
    /// Draft tokens, over the run.
    pub draft_tokens: Said,
    /// Share of prompts in the prefix cache.
    pub hit: Said,
    /// TTFT of one request in an idle engine, and its prompt.
    pub idle_ttft: Option<At<(f64, f64)>>,
    /// True for a static batch, or a log without prompts: decode alone.
    pub decode_only: bool,
    /// Range of lengths as a share, and the length, as a client of random lengths states them.
    pub random: Option<At<(f64, f64)>>,
    /// Further lines, of a log.
    pub more: Vec<u32>,
}

impl Stated {
    /// An empty run of a format.
    pub fn of(format: Format) -> Self {
        Self {
            format: Some(format),
            ..Self::default()
        }
    }

    /// Everything that has a line.
    fn said(&self) -> [Said; 27] {
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
            self.asked_output,
            self.spread,
            self.context,
            self.accept_length,
            self.accept_rate,
            self.drafts,
            self.draft_steps,
            self.draft_tokens,
            self.rates_per,
        ]
    }

    /// Lines that it was read from, in order, each once.
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

    /// True if it states a time or a rate of decode.
    pub fn is_measured(&self) -> bool {
        let said = [self.tpot, self.itl, self.ttft, self.e2e, self.output_rate];
        said.iter().any(Option::is_some) || self.idle_ttft.is_some()
    }
}
