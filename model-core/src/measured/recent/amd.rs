//! Runs on MI300X and MI355X.

use super::{Open, RecentKind, RecentRun, run};

/// In the order of their publications.
pub const RUNS: &[RecentRun] = &[
    run("ix-dsv4pro-8k1k-mi355x-sglang-c1", RecentKind::Aggregated, 0.01752)
        .of("SGLang (amd/deepseek_v4 branch)", "DeepSeek-V4-Pro 1.6T-A49B", "8 MI355X")
        .under("TP=8, aggregated; concurrency 1; 8192 in, 1024 out; FP4; no")
        .printed("median TPOT (prefill in the same engine): 17.52 ms")
        .link("v=2&model=deepseek-v4-pro&gpu=mi355x&gpus=8&batch=1&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=0.53125&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/055969a7ae64/packages/app/content/blog/mi355x-deepseek-v4-pro-sglang-110x-in-26-days.mdx", "section \"The Numbers\", table 2026-05-21; single node, aggregated, ROCm side branch; DP attention on the high-concurrency arm (which rows is not stated except 256); tok/s/user 57.06, total tok/s/GPU 59.2"),
    run("ix-dsv4pro-8k1k-mi355x-sglang-c4", RecentKind::Aggregated, 0.02096)
        .of("SGLang (amd/deepseek_v4 branch)", "DeepSeek-V4-Pro 1.6T-A49B", "8 MI355X")
        .under("TP=8, aggregated; concurrency 4; 8192 in, 1024 out; FP4; no")
        .printed("median TPOT (prefill in the same engine): 20.96 ms")
        .link("v=2&model=deepseek-v4-pro&gpu=mi355x&gpus=8&batch=4&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=0.53125&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/055969a7ae64/packages/app/content/blog/mi355x-deepseek-v4-pro-sglang-110x-in-26-days.mdx", "section \"The Numbers\", table 2026-05-21; single node, aggregated, ROCm side branch; DP attention on the high-concurrency arm (which rows is not stated except 256); tok/s/user 47.71, total tok/s/GPU 198.5"),
    run("ix-dsv4pro-8k1k-mi355x-sglang-c8", RecentKind::Aggregated, 0.023940000000000003)
        .of("SGLang (amd/deepseek_v4 branch)", "DeepSeek-V4-Pro 1.6T-A49B", "8 MI355X")
        .under("TP=8, aggregated; concurrency 8; 8192 in, 1024 out; FP4; no")
        .printed("median TPOT (prefill in the same engine): 23.94 ms")
        .link("v=2&model=deepseek-v4-pro&gpu=mi355x&gpus=8&batch=7&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=0.53125&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/055969a7ae64/packages/app/content/blog/mi355x-deepseek-v4-pro-sglang-110x-in-26-days.mdx", "section \"The Numbers\", table 2026-05-21; single node, aggregated, ROCm side branch; DP attention on the high-concurrency arm (which rows is not stated except 256); tok/s/user 41.78, total tok/s/GPU 348.2"),
    run("ix-dsv4pro-8k1k-mi355x-sglang-c16", RecentKind::Aggregated, 0.02997)
        .of("SGLang (amd/deepseek_v4 branch)", "DeepSeek-V4-Pro 1.6T-A49B", "8 MI355X")
        .under("TP=8, aggregated; concurrency 16; 8192 in, 1024 out; FP4; no")
        .printed("median TPOT (prefill in the same engine): 29.97 ms")
        .link("v=2&model=deepseek-v4-pro&gpu=mi355x&gpus=8&batch=15&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=0.53125&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/055969a7ae64/packages/app/content/blog/mi355x-deepseek-v4-pro-sglang-110x-in-26-days.mdx", "section \"The Numbers\", table 2026-05-21; single node, aggregated, ROCm side branch; DP attention on the high-concurrency arm (which rows is not stated except 256); tok/s/user 33.37, total tok/s/GPU 561.3"),
    run("ix-dsv4pro-8k1k-mi355x-sglang-c32", RecentKind::Aggregated, 0.04168)
        .of("SGLang (amd/deepseek_v4 branch)", "DeepSeek-V4-Pro 1.6T-A49B", "8 MI355X")
        .under("TP=8, aggregated; concurrency 32; 8192 in, 1024 out; FP4; no")
        .printed("median TPOT (prefill in the same engine): 41.68 ms")
        .link("v=2&model=deepseek-v4-pro&gpu=mi355x&gpus=8&batch=30&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=0.53125&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/055969a7ae64/packages/app/content/blog/mi355x-deepseek-v4-pro-sglang-110x-in-26-days.mdx", "section \"The Numbers\", table 2026-05-21; single node, aggregated, ROCm side branch; DP attention on the high-concurrency arm (which rows is not stated except 256); tok/s/user 23.99, total tok/s/GPU 811.7"),
    run("ix-dsv4pro-8k1k-mi355x-sglang-c64", RecentKind::Aggregated, 0.05956)
        .of("SGLang (amd/deepseek_v4 branch)", "DeepSeek-V4-Pro 1.6T-A49B", "8 MI355X")
        .under("TP=8, aggregated; concurrency 64; 8192 in, 1024 out; FP4; no")
        .printed("median TPOT (prefill in the same engine): 59.56 ms")
        .link("v=2&model=deepseek-v4-pro&gpu=mi355x&gpus=8&batch=51&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=0.53125&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/055969a7ae64/packages/app/content/blog/mi355x-deepseek-v4-pro-sglang-110x-in-26-days.mdx", "section \"The Numbers\", table 2026-05-21; single node, aggregated, ROCm side branch; DP attention on the high-concurrency arm (which rows is not stated except 256); tok/s/user 16.79, total tok/s/GPU 959.6"),
    run("ix-dsv4pro-8k1k-mi355x-sglang-c128", RecentKind::Aggregated, 0.07269)
        .of("SGLang (amd/deepseek_v4 branch)", "DeepSeek-V4-Pro 1.6T-A49B", "8 MI355X")
        .under("TP=8, aggregated; concurrency 128; 8192 in, 1024 out; FP4; no")
        .printed("median TPOT (prefill in the same engine): 72.69 ms")
        .link("v=2&model=deepseek-v4-pro&gpu=mi355x&gpus=8&batch=101&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=0.53125&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/055969a7ae64/packages/app/content/blog/mi355x-deepseek-v4-pro-sglang-110x-in-26-days.mdx", "section \"The Numbers\", table 2026-05-21; single node, aggregated, ROCm side branch; DP attention on the high-concurrency arm (which rows is not stated except 256); tok/s/user 13.76, total tok/s/GPU 1556.0"),
    run("ix-dsv4pro-8k1k-mi355x-sglang-c256", RecentKind::Aggregated, 0.10675)
        .of("SGLang (amd/deepseek_v4 branch)", "DeepSeek-V4-Pro 1.6T-A49B", "8 MI355X")
        .under("TP=8 + DP attention, aggregated; concurrency 256; 8192 in, 1024 out; FP4; no")
        .printed("median TPOT (prefill in the same engine): 106.75 ms")
        .link("v=2&model=deepseek-v4-pro&gpu=mi355x&gpus=8&batch=214&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=8&ep=1&w_attn=1&w_ffn=0.53125&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .open(&[Open::Sharding])
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/055969a7ae64/packages/app/content/blog/mi355x-deepseek-v4-pro-sglang-110x-in-26-days.mdx", "section \"The Numbers\", table 2026-05-21; single node, aggregated, ROCm side branch; DP attention on the high-concurrency arm (which rows is not stated except 256); tok/s/user 9.37, total tok/s/GPU 2256.1"),
    run("ix-dsv4pro-8k1k-mi355x-sglang-c512", RecentKind::Aggregated, 0.1789)
        .of("SGLang (amd/deepseek_v4 branch)", "DeepSeek-V4-Pro 1.6T-A49B", "8 MI355X")
        .under("TP=8, aggregated; concurrency 512; 8192 in, 1024 out; FP4; no")
        .printed("median TPOT (prefill in the same engine): 178.9 ms")
        .link("v=2&model=deepseek-v4-pro&gpu=mi355x&gpus=8&batch=289&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=0.53125&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/055969a7ae64/packages/app/content/blog/mi355x-deepseek-v4-pro-sglang-110x-in-26-days.mdx", "section \"The Numbers\", table 2026-05-21; single node, aggregated, ROCm side branch; DP attention on the high-concurrency arm (which rows is not stated except 256); tok/s/user 5.59, total tok/s/GPU 1814.4"),
    run("ix-q35-8k1k-mi355x-fp8-tp2-c4", RecentKind::Aggregated, 0.01329)
        .of("SGLang v0.5.12", "Qwen3.5-397B-A17B", "2 MI355X")
        .under("TP=2, aggregated; concurrency 4; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 13.29 ms")
        .link("v=2&model=qwen3.5-397b-a17b&gpu=mi355x&gpus=2&batch=4&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=2&ffn_tp=2&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/01f0a6212700/packages/app/content/blog/mi355x-qwen3-5-sglang-v0-5-12-up-to-17x.mdx", "\"The Numbers\", table 2026-05-19 (SGLang v0.5.12 ROCm); KV precision not stated; total tok/s/GPU 1267.5, tok/s/user 75.22; lengths 0.8-1 of nominal"),
    run("ix-q35-8k1k-mi355x-fp8-tp2-c8", RecentKind::Aggregated, 0.01676)
        .of("SGLang v0.5.12", "Qwen3.5-397B-A17B", "2 MI355X")
        .under("TP=2, aggregated; concurrency 8; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 16.76 ms")
        .link("v=2&model=qwen3.5-397b-a17b&gpu=mi355x&gpus=2&batch=7&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=2&ffn_tp=2&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/01f0a6212700/packages/app/content/blog/mi355x-qwen3-5-sglang-v0-5-12-up-to-17x.mdx", "\"The Numbers\", table 2026-05-19 (SGLang v0.5.12 ROCm); KV precision not stated; total tok/s/GPU 2008.1, tok/s/user 59.67; lengths 0.8-1 of nominal"),
    run("ix-q35-8k1k-mi355x-fp8-tp2-c16", RecentKind::Aggregated, 0.0214)
        .of("SGLang v0.5.12", "Qwen3.5-397B-A17B", "2 MI355X")
        .under("TP=2, aggregated; concurrency 16; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 21.4 ms")
        .link("v=2&model=qwen3.5-397b-a17b&gpu=mi355x&gpus=2&batch=15&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=2&ffn_tp=2&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/01f0a6212700/packages/app/content/blog/mi355x-qwen3-5-sglang-v0-5-12-up-to-17x.mdx", "\"The Numbers\", table 2026-05-19 (SGLang v0.5.12 ROCm); KV precision not stated; total tok/s/GPU 3175.6, tok/s/user 46.73; lengths 0.8-1 of nominal"),
    run("ix-q35-8k1k-mi355x-fp8-tp2-c32", RecentKind::Aggregated, 0.03134)
        .of("SGLang v0.5.12", "Qwen3.5-397B-A17B", "2 MI355X")
        .under("TP=2, aggregated; concurrency 32; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 31.34 ms")
        .link("v=2&model=qwen3.5-397b-a17b&gpu=mi355x&gpus=2&batch=30&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=2&ffn_tp=2&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/01f0a6212700/packages/app/content/blog/mi355x-qwen3-5-sglang-v0-5-12-up-to-17x.mdx", "\"The Numbers\", table 2026-05-19 (SGLang v0.5.12 ROCm); KV precision not stated; total tok/s/GPU 4346.8, tok/s/user 31.91; lengths 0.8-1 of nominal"),
    run("ix-q35-8k1k-mi355x-fp8-tp4-c32", RecentKind::Aggregated, 0.02136)
        .of("SGLang v0.5.12", "Qwen3.5-397B-A17B", "4 MI355X")
        .under("TP=4, aggregated; concurrency 32; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 21.36 ms")
        .link("v=2&model=qwen3.5-397b-a17b&gpu=mi355x&gpus=4&batch=30&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=4&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/01f0a6212700/packages/app/content/blog/mi355x-qwen3-5-sglang-v0-5-12-up-to-17x.mdx", "\"The Numbers\", table 2026-05-19 (SGLang v0.5.12 ROCm); KV precision not stated; total tok/s/GPU 3171.8, tok/s/user 46.82; lengths 0.8-1 of nominal"),
    run("ix-q35-8k1k-mi355x-fp8-tp4-c64", RecentKind::Aggregated, 0.033530000000000004)
        .of("SGLang v0.5.12", "Qwen3.5-397B-A17B", "4 MI355X")
        .under("TP=4, aggregated; concurrency 64; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 33.53 ms")
        .link("v=2&model=qwen3.5-397b-a17b&gpu=mi355x&gpus=4&batch=61&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=4&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/01f0a6212700/packages/app/content/blog/mi355x-qwen3-5-sglang-v0-5-12-up-to-17x.mdx", "\"The Numbers\", table 2026-05-19 (SGLang v0.5.12 ROCm); KV precision not stated; total tok/s/GPU 4113.4, tok/s/user 29.83; lengths 0.8-1 of nominal"),
    run("ix-q35-8k1k-mi355x-fp8-tp4-c128", RecentKind::Aggregated, 0.05527)
        .of("SGLang v0.5.12", "Qwen3.5-397B-A17B", "4 MI355X")
        .under("TP=4, aggregated; concurrency 128; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 55.27 ms")
        .link("v=2&model=qwen3.5-397b-a17b&gpu=mi355x&gpus=4&batch=123&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=4&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/01f0a6212700/packages/app/content/blog/mi355x-qwen3-5-sglang-v0-5-12-up-to-17x.mdx", "\"The Numbers\", table 2026-05-19 (SGLang v0.5.12 ROCm); KV precision not stated; total tok/s/GPU 5019.6, tok/s/user 18.09; lengths 0.8-1 of nominal"),
    run("ix-q35-8k1k-mi355x-fp8-tp4-c256", RecentKind::Aggregated, 0.08653)
        .of("SGLang v0.5.12", "Qwen3.5-397B-A17B", "4 MI355X")
        .under("TP=4, aggregated; concurrency 256; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 86.53 ms")
        .link("v=2&model=qwen3.5-397b-a17b&gpu=mi355x&gpus=4&batch=247&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=4&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/01f0a6212700/packages/app/content/blog/mi355x-qwen3-5-sglang-v0-5-12-up-to-17x.mdx", "\"The Numbers\", table 2026-05-19 (SGLang v0.5.12 ROCm); KV precision not stated; total tok/s/GPU 6409.1, tok/s/user 11.56; lengths 0.8-1 of nominal"),
    run("ix-k25-8k1k-mi355x-tp8-c4", RecentKind::Aggregated, 0.013)
        .of("vLLM 0.18", "Kimi-K2.5", "8 MI355X")
        .under("TP=8 (+ EP), aggregated; concurrency 4; 8192 in, 1024 out; MXFP4; no")
        .printed("median TPOT (prefill in the same engine): 13 ms")
        .link("v=2&model=kimi-k2.5&gpu=mi355x&gpus=8&batch=4&prompt=7373&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=2&w_ffn=0.53125&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/dc6c25fe3d60/packages/app/content/blog/zh/mi355x-kimi-k2-5-vllm-aiter-7x-speedup.mdx", "table 2026-03-26 (vLLM 0.18, AITER, EP enabled by PR 936); TPOT printed in whole ms; total tok/s/GPU 337, tok/s/user 78.9; lengths 0.8-1 of nominal"),
    run("ix-k25-8k1k-mi355x-tp8-c8", RecentKind::Aggregated, 0.016)
        .of("vLLM 0.18", "Kimi-K2.5", "8 MI355X")
        .under("TP=8 (+ EP), aggregated; concurrency 8; 8192 in, 1024 out; MXFP4; no")
        .printed("median TPOT (prefill in the same engine): 16 ms")
        .link("v=2&model=kimi-k2.5&gpu=mi355x&gpus=8&batch=7&prompt=7373&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=2&w_ffn=0.53125&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/dc6c25fe3d60/packages/app/content/blog/zh/mi355x-kimi-k2-5-vllm-aiter-7x-speedup.mdx", "table 2026-03-26 (vLLM 0.18, AITER, EP enabled by PR 936); TPOT printed in whole ms; total tok/s/GPU 521, tok/s/user 60.8; lengths 0.8-1 of nominal"),
    run("ix-k25-8k1k-mi355x-tp8-c16", RecentKind::Aggregated, 0.02)
        .of("vLLM 0.18", "Kimi-K2.5", "8 MI355X")
        .under("TP=8 (+ EP), aggregated; concurrency 16; 8192 in, 1024 out; MXFP4; no")
        .printed("median TPOT (prefill in the same engine): 20 ms")
        .link("v=2&model=kimi-k2.5&gpu=mi355x&gpus=8&batch=15&prompt=7373&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=2&w_ffn=0.53125&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/dc6c25fe3d60/packages/app/content/blog/zh/mi355x-kimi-k2-5-vllm-aiter-7x-speedup.mdx", "table 2026-03-26 (vLLM 0.18, AITER, EP enabled by PR 936); TPOT printed in whole ms; total tok/s/GPU 870, tok/s/user 50.5; lengths 0.8-1 of nominal"),
    run("ix-k25-8k1k-mi355x-tp8-c32", RecentKind::Aggregated, 0.027)
        .of("vLLM 0.18", "Kimi-K2.5", "8 MI355X")
        .under("TP=8 (+ EP), aggregated; concurrency 32; 8192 in, 1024 out; MXFP4; no")
        .printed("median TPOT (prefill in the same engine): 27 ms")
        .link("v=2&model=kimi-k2.5&gpu=mi355x&gpus=8&batch=30&prompt=7373&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=2&w_ffn=0.53125&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/dc6c25fe3d60/packages/app/content/blog/zh/mi355x-kimi-k2-5-vllm-aiter-7x-speedup.mdx", "table 2026-03-26 (vLLM 0.18, AITER, EP enabled by PR 936); TPOT printed in whole ms; total tok/s/GPU 1255, tok/s/user 36.4; lengths 0.8-1 of nominal"),
    run("ix-k25-8k1k-mi355x-tp8-c64", RecentKind::Aggregated, 0.043)
        .of("vLLM 0.18", "Kimi-K2.5", "8 MI355X")
        .under("TP=8 (+ EP), aggregated; concurrency 64; 8192 in, 1024 out; MXFP4; no")
        .printed("median TPOT (prefill in the same engine): 43 ms")
        .link("v=2&model=kimi-k2.5&gpu=mi355x&gpus=8&batch=63&prompt=7373&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=2&w_ffn=0.53125&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/dc6c25fe3d60/packages/app/content/blog/zh/mi355x-kimi-k2-5-vllm-aiter-7x-speedup.mdx", "table 2026-03-26 (vLLM 0.18, AITER, EP enabled by PR 936); TPOT printed in whole ms; total tok/s/GPU 1647, tok/s/user 23.3; lengths 0.8-1 of nominal"),
    run("ix-k25-8k1k-mi355x-tp4-c4", RecentKind::Aggregated, 0.013)
        .of("vLLM 0.18", "Kimi-K2.5", "4 MI355X")
        .under("TP=4 (+ EP), aggregated; concurrency 4; 8192 in, 1024 out; MXFP4; no")
        .printed("median TPOT (prefill in the same engine): 13 ms")
        .link("v=2&model=kimi-k2.5&gpu=mi355x&gpus=4&batch=4&prompt=7373&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.53125&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/dc6c25fe3d60/packages/app/content/blog/zh/mi355x-kimi-k2-5-vllm-aiter-7x-speedup.mdx", "table 2026-03-26 (vLLM 0.18, AITER, EP enabled by PR 936); TPOT printed in whole ms; total tok/s/GPU 650, tok/s/user 76.2; lengths 0.8-1 of nominal"),
    run("ix-k25-8k1k-mi355x-tp4-c64", RecentKind::Aggregated, 0.053)
        .of("vLLM 0.18", "Kimi-K2.5", "4 MI355X")
        .under("TP=4 (+ EP), aggregated; concurrency 64; 8192 in, 1024 out; MXFP4; no")
        .printed("median TPOT (prefill in the same engine): 53 ms")
        .link("v=2&model=kimi-k2.5&gpu=mi355x&gpus=4&batch=63&prompt=7373&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.53125&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/dc6c25fe3d60/packages/app/content/blog/zh/mi355x-kimi-k2-5-vllm-aiter-7x-speedup.mdx", "table 2026-03-26 (vLLM 0.18, AITER, EP enabled by PR 936); TPOT printed in whole ms; total tok/s/GPU 2687, tok/s/user 19.0; lengths 0.8-1 of nominal"),
    run("sglcb-deepseek-v3_1-mi300x-i500-o505-c100", RecentKind::Aggregated, 0.07332999999999999)
        .of("SGLang", "DeepSeek-V3.1", "8 MI300X")
        .under("TP 8, aggregated; max concurrency 100, realised mean 91.02; realised mean 500 (nominal 1000/8000, uniform) in, realised mean 505 out; FP8 (as released); no")
        .printed("mean TPOT (prefill in the same engine): 73.33 ms")
        .link("v=2&model=deepseek-v3&gpu=mi300x&gpus=8&batch=89&prompt=500&output=505&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/sgl-project/sgl-cookbook/blob/7b5bd9c05e3d/docs/autoregressive/DeepSeek/DeepSeek-V3_1.md#L501", "benchmark block at line 501; 500 requests; mean TTFT 835.15 ms; output 1216.79 tok/s; lengths computed from the printed totals; engine version 0.5.6-0.5.9 or not stated; precision inferred from the checkpoint name, KV precision not stated; few requests (5 per slot) so the batch ramps"),
    run("sglcb-deepseek-v3_1-mi300x-i497-o4066-c64", RecentKind::Aggregated, 0.0533)
        .of("SGLang", "DeepSeek-V3.1", "8 MI300X")
        .under("TP 8, aggregated; max concurrency 64, realised mean 56.17; realised mean 497 (nominal 1000/8000, uniform) in, realised mean 4066 out; FP8 (as released); no")
        .printed("mean TPOT (prefill in the same engine): 53.3 ms")
        .link("v=2&model=deepseek-v3&gpu=mi300x&gpus=8&batch=56&prompt=497&output=4066&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/sgl-project/sgl-cookbook/blob/7b5bd9c05e3d/docs/autoregressive/DeepSeek/DeepSeek-V3_1.md#L662", "benchmark block at line 662; 320 requests; mean TTFT 317.68 ms; output 1056.05 tok/s; lengths computed from the printed totals; engine version 0.5.6-0.5.9 or not stated; precision inferred from the checkpoint name, KV precision not stated; few requests (5 per slot) so the batch ramps"),
    run("sglcb-deepseek-v3_1-mi300x-i4194-o422-c1", RecentKind::Aggregated, 0.02493)
        .of("SGLang", "DeepSeek-V3.1", "8 MI300X")
        .under("TP 8, aggregated; max concurrency 1, realised mean 1.00; realised mean 4194 (nominal 1000/8000, uniform) in, realised mean 422 out; FP8 (as released); no")
        .printed("mean TPOT (prefill in the same engine): 24.93 ms")
        .link("v=2&model=deepseek-v3&gpu=mi300x&gpus=8&batch=1&prompt=4194&output=422&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/sgl-project/sgl-cookbook/blob/7b5bd9c05e3d/docs/autoregressive/DeepSeek/DeepSeek-V3_1.md#L717", "benchmark block at line 717; 10 requests; mean TTFT 883.78 ms; output 36.87 tok/s; lengths computed from the printed totals; engine version 0.5.6-0.5.9 or not stated; precision inferred from the checkpoint name, KV precision not stated; few requests (5 per slot) so the batch ramps"),
];
