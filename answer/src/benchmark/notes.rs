//! Notes about a pasted benchmark, in words.

use crate::words::format;
use model_core::bench::{Contradiction, Format, Note};

/// Returns the display name of a benchmark format, such as "SGLang serving benchmark".
pub const fn format_name(format: Format) -> &'static str {
    match format {
        Format::VllmServe => "vllm bench serve",
        Format::VllmServeJson => "vllm bench serve result file",
        Format::SglangServing => "SGLang serving benchmark",
        Format::SglangServingJson => "SGLang serving result file",
        Format::SglangOneBatch => "SGLang bench_one_batch",
        Format::SglangOneBatchServer => "SGLang bench_one_batch_server result file",
        Format::SglangOneBatchServerText => "SGLang bench_one_batch_server",
        Format::TrtllmBench => "trtllm-bench",
        Format::AiperfJson => "AIPerf JSON",
        Format::AiperfCsv => "AIPerf CSV",
        Format::GenaiPerfCsv => "GenAI-Perf CSV",
        Format::Inferencex => "InferenceX",
        Format::LlmD => "llm-d benchmark report",
        Format::LlamaBench => "llama-bench",
        Format::VllmLog => "vLLM log",
        Format::SglangLog => "SGLang log",
        Format::TrtllmLog => "TensorRT-LLM log",
        Format::Typed => "typed time",
        Format::Command => "launch command",
    }
}

/// Writes a note as one sentence.
pub fn sentence(note: &Note) -> String {
    let number = |value: f64| format::sig3(value);
    match note {
        Note::Cut => "Longer than 1 MB: only the first 1 MB was read.".into(),
        Note::NothingRead => {
            "No benchmark output, log line or launch command was recognized. You can also type a time: “TPOT 62 ms \
                at batch 64”.".into()
        }
        Note::NoTime { format, .. } => {
            format!(
                "A {} result without TPOT: was streaming off?",
                format_name(*format)
            )
        }
        Note::Broken { line } => format!("The JSON from line {} on is incomplete.", line + 1),
        Note::MorePoints { read } => {
            format!("{read} runs: only the smallest and largest batch and six in between are used.")
        }
        Note::NoModel => "No model in the paste: the current one is used.".into(),
        Note::UnknownModel { name } => {
            format!("“{name}” is not in the catalog: paste its config.json, or select a model.")
        }
        Note::NoGpu => "No accelerator in the paste: select yours.".into(),
        Note::NoSharding => "No parallelism in the paste: the current one is used.".into(),
        Note::UnknownEngine => {
            "No published run uses this engine, so there is no error band.".into()
        }
        Note::OutputDerived => "Mean output length derived from end-to-end time.".into(),
        Note::PromptDerived => "Mean prompt length derived from the input and output rates.".into(),
        Note::FailedRequests { failed } => format!("{} requests failed.", format::count(*failed)),
        Note::EngineLimit { concurrency, limit } => format!(
            "The client had {} requests in flight; the engine runs at most {}.",
            format::count(*concurrency),
            format::count(*limit)
        ),
        Note::Waiting => "Requests were queued in the engine.".into(),
        Note::GraphOff => "CUDA graphs are off.".into(),
        Note::GraphMax(batch) => {
            format!("CUDA graphs cover batches up to {}.", format::count(*batch))
        }
        Note::P2pOff => "Peer-to-peer transfers or the engine’s all-reduce are off.".into(),
        Note::LengthsSpread => {
            "Lengths vary: the mean decode context is longer than prompt + output/2.".into()
        }
        Note::ShortRun { fill } => format!(
            "Short run: ramp-up and drain lowered the average concurrency to {} of the target.",
            format::share(*fill)
        ),
        Note::DraftsUnknown => "The paste lacks the number of draft tokens.".into(),
        Note::AcceptanceImpossible => {
            "The acceptance length is larger than the draft tokens allow.".into()
        }
        Note::AttentionDpUnknown => {
            "Attention DP is not in the paste and is assumed off. If it was on, change the parallelism.".into()
        }
        Note::HostBound { host, device } => format!(
            "CPU-bound: the host needs {} per iteration, the GPU {}.",
            format::duration(*host),
            format::duration(*device)
        ),
        Note::RankLines { ranks } => format!("Log lines of {ranks} DP ranks: their batches are summed."),
        Note::ItlIsStep => "Inter-token latency is the time of a step, not of a token.".into(),
        Note::Drafter(name) => {
            format!("Drafts by {name} are computed as MTP, whose cost differs.")
        }
        Note::DraftTree => "Drafts form a tree: only its depth is used.".into(),
        Note::Disaggregated => "Disaggregated: decode alone is compared.".into(),
        Note::PrefillWorker => "This worker runs prefill only: it does not decode.".into(),
        Note::PrefillNotModelled => {
            "Aggregated prefill is not modeled with PP or KVP: decode alone is compared.".into()
        }
        Note::StaticMemoryShare => {
            "--mem-fraction-static is a fraction of something else than reserve, so it is not used.".into()
        }
        Note::FreeMemoryShare => {
            "The KV cache’s share in the paste is of free memory, so it is not used as reserve.".into()
        }
        Note::PrefillMixed => "Every log line includes prefill of other requests.".into(),
        Note::DtypeUnknown => "Weight format unknown.".into(),
        Note::Stalls { ratio } => format!(
            "Mean TPOT is {} the median: the run had stalls.",
            format::factor(*ratio)
        ),
        Note::EarlyEnd { output, asked } => format!(
            "Outputs ended early: {} of {} tokens on average.",
            number(*output),
            number(*asked)
        ),
        Note::CacheHits { share } => {
            format!(
                "{} of prompt tokens were in the prefix cache.",
                format::share(*share)
            )
        }
        Note::Contradicts { what, used, other } => {
            let (what, used, other) = contradiction(*what, *used, *other);
            format!("{what}: {used}, but other lines give {other}. The first is used.")
        }
    }
}

fn contradiction(what: Contradiction, used: f64, other: f64) -> (&'static str, String, String) {
    let rate = |value: f64| format!("{}/s", format::sig3(value));
    let time = |value: f64| format::duration(value).to_string();
    match what {
        Contradiction::OutputRate => ("Output tokens", rate(used), rate(other)),
        Contradiction::RequestRate => ("Requests", rate(used), rate(other)),
        Contradiction::EndToEnd => ("End-to-end latency", time(used), time(other)),
        Contradiction::InFlight => (
            "Requests in decode",
            format::sig3(used),
            format::sig3(other),
        ),
        Contradiction::Chunks => ("Inter-token latency", time(used), time(other)),
    }
}
