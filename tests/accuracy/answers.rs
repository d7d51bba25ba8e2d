//! Example questions with permalinks in `public/llms.txt`, and their answers, rounded as on the page.

use std::fmt::Write as _;

use guide::template::{Scenarios, parse};
use guide::value::Desk;

/// A question, its permalink without `?`, and the names of the result fields to show. A field name may be followed by
/// a format, written as in the guide's templates.
pub type Asked = (&'static str, &'static str, &'static [&'static str]);

const COLOCATED: &[&str] = &[
    "tpot_s",
    "tok_s_user",
    "tok_s_gpu",
    "usd_per_mtok",
    "memory_bytes.total",
    "limits.b_cap",
];

/// Example questions of `public/llms.txt`, each with its permalink and the result fields that answer it.
pub const ASKED: [Asked; 10] = [
    (
        "How fast is gpt-oss-120b on one H100?",
        "v=3&model=gpt-oss-120b&gpu=h100",
        COLOCATED,
    ),
    (
        "How fast is DeepSeek-V3 on 16 H200s?",
        "v=3&model=deepseek-v3&gpu=h200&gpus=16",
        COLOCATED,
    ),
    (
        "What limits DeepSeek-V3 on 72 H100s?",
        "v=3&gpus=72&batch=9216&context=2000",
        &[
            "tpot_s",
            "tok_s_gpu",
            "breakdown_s.messages",
            "breakdown_s.attention",
            "breakdown_s.moe",
            "limited_by.scale_out as %",
        ],
    ),
    (
        "Which batch meets 30 tok/s/user there?",
        "v=3&gpus=72&batch=9216&context=2000&slo=30",
        &[
            "tok_s_user",
            "levers.fit_batch.batch",
            "levers.fit_batch.tok_s_user",
            "levers.fit_batch.factor",
        ],
    ),
    (
        "What does a context of 32k cost Llama 3.1 405B on 8 B200s?",
        "v=3&model=llama-3.1-405b&gpu=b200&gpus=8&context=32k",
        COLOCATED,
    ),
    (
        "Does Qwen3 235B in FP8 fit on four MI300X?",
        "v=3&model=qwen3-235b-a22b&gpu=mi300x&gpus=4&precision=deepseek-fp8",
        COLOCATED,
    ),
    (
        "How large is the KV cache of Kimi K2 at 128k tokens?",
        "v=3&model=kimi-k2&gpu=gb200&gpus=32&tp=1&ep=32&context=128k&batch=64",
        &[
            "sequence_bytes.per_token",
            "sequence_bytes.total",
            "memory_bytes.kv_cache",
            "memory_bytes.total",
            "tpot_s",
        ],
    ),
    (
        "How many H200s do 50 chat requests per second need?",
        "v=3&view=service&gpu=h200&rate=50&prompt=4000&output=1000&hit=0.3&ttft=2&slo=25",
        &[
            "service.best.gpus",
            "service.best.usd_per_request",
            "service.best.gpus_aggregated",
            "service.best.gpus_disaggregated",
        ],
    ),
    (
        "Does AFD help DeepSeek-V3 on one NVL72 rack?",
        "v=3&gpu=gb200&mode=ratio&gpus=72&dp=72&ep=72&context=2000&view=disagg",
        &[
            "r_star_in_flight",
            "best_in_flight.tpot_s",
            "best_in_flight.tok_s_gpu_in_flight",
            "colocated_tok_s_gpu",
        ],
    ),
    (
        "What does Lamina reach with 16 H100s and 32 H20s?",
        "v=3&gpus=72&batch=9216&context=2000&mode=split&compute_gpus=16&memory_gpus=32&view=disagg",
        &[
            "batch",
            "step_s",
            "tok_s",
            "homogeneous.tok_s",
            "homogeneous.gpus",
        ],
    ),
];

/// Returns the answers in Markdown, or an error if a permalink is not fully readable or its result lacks a field.
pub fn answers() -> Result<String, String> {
    let mut desk = Desk::default();
    let mut text = String::new();
    for (question, link, fields) in ASKED {
        let mut shown = Vec::new();
        for field in fields {
            let (name, format) = field.split_once(' ').unwrap_or((field, ""));
            let template = parse(&format!("{name} ?{link} {format}"), &Scenarios::new())?;
            let filled = desk.fill(&template)?.ok_or("a number, not a claim")?;
            shown.push(format!("`{name}` {}", filled.text));
        }
        let _ = write!(text, "- {question} `?{link}`\n  {}\n", shown.join(" · "));
    }
    Ok(text)
}
