//! Runs on B200, without SGLang's cookbook.

use super::{Open, RecentKind, RecentRun, run};

/// In the order of their publications.
pub const RUNS: &[RecentRun] = &[
    run("trt-dsv32-b200-bs1-mtp3", RecentKind::Steady, 0.0032344)
        .of("TensorRT-LLM", "DeepSeek-V3.2-Exp", "4 B200")
        .under("TP 4; batch 1; 8192 in, 1024 out; NVFP4, FP8 KV; 3 drafts (acceptance not stated)")
        .printed("mean TPOT: 3.2344 ms")
        .link("v=2&model=deepseek-v3.2&gpu=b200&gpus=4&batch=1&prompt=8192&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=4&ep=1&w_attn=1&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none&mtp=3&acceptance=0.7701")
        .open(&[Open::Acceptance])
        .source("https://github.com/NVIDIA/TensorRT-LLM/blob/0eca69b8c8c6/docs/source/blogs/tech_blog/blog15_Optimizing_DeepSeek_V32_on_NVIDIA_Blackwell_GPUs.md", "\"Expected results\" of Min-latency: TTFT 425.99 ms, 312.07 tok/s/user, 68.54 output tok/s/GPU; synthetic data"),
    run("trt-dsv32-b200-dep8-c256-mtp1", RecentKind::Aggregated, 0.0985219)
        .of("TensorRT-LLM", "DeepSeek-V3.2-Exp", "8 B200")
        .under("attention DP 8 + EP 8, aggregated; concurrency 256 (32 a GPU); 8192 in, 1024 out; NVFP4, FP8 KV; 1 draft (acceptance not stated)")
        .printed("mean TPOT (prefill in the same engine): 98.5219 ms")
        .link("v=2&model=deepseek-v3.2&gpu=b200&gpus=8&batch=849&prompt=8192&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none&mtp=1&acceptance=0.85")
        .open(&[Open::Acceptance, Open::Batch])
        .source("https://github.com/NVIDIA/TensorRT-LLM/blob/0eca69b8c8c6/docs/source/blogs/tech_blog/blog15_Optimizing_DeepSeek_V32_on_NVIDIA_Blackwell_GPUs.md", "\"Expected results\" of Max-throughput: 768 requests, TTFT 19,538 ms, 1,077.28 output tok/s/GPU, 8,618.2 tok/s output, 77,563.9 total"),
    run("trt-dsv32-b200-bs1-mtp3-ttft", RecentKind::Prefill, 0.42599000000000004)
        .of("TensorRT-LLM", "DeepSeek-V3.2-Exp", "4 B200")
        .under("TP 4; one prompt; 8192 in,  out; NVFP4, FP8 KV")
        .printed("mean TTFT: 425.99 ms")
        .link("v=2&model=deepseek-v3.2&gpu=b200&gpus=4&batch=4&prompt=8192&output=1&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=4&ep=1&w_attn=1&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/NVIDIA/TensorRT-LLM/blob/0eca69b8c8c6/docs/source/blogs/tech_blog/blog15_Optimizing_DeepSeek_V32_on_NVIDIA_Blackwell_GPUs.md", "same run; TTFT of an idle engine: 8192/0.426/4 = 4.8k tok/s/GPU"),
    run("ix-m3-1024-1024-b200-tp8-c4", RecentKind::Aggregated, 0.0162)
        .of("vLLM", "MiniMax-M3 428B", "8 B200")
        .under("TP=8 EP=1, aggregated; concurrency 4; 1024 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 16.2 ms")
        .link("v=2&model=minimax-m3&gpu=b200&gpus=8&batch=4&prompt=922&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/64acb8b7f70a/packages/app/content/blog/minimax-m3-vllm-fp8-h200-vs-b200-low-concurrency.mdx", "section \"The Numbers\", table ISL/OSL 1024/1024; InferenceX 2026-06-13 (run 27451860491), image vllm/vllm-openai:minimax-m3; total tok/s/GPU in same row 59.0; day-0 image: B200 on DeepGEMM MoE has a high floor at low batch; KV precision not stated"),
    run("ix-m3-1024-1024-b200-tp8-c8", RecentKind::Aggregated, 0.01736)
        .of("vLLM", "MiniMax-M3 428B", "8 B200")
        .under("TP=8 EP=1, aggregated; concurrency 8; 1024 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 17.36 ms")
        .link("v=2&model=minimax-m3&gpu=b200&gpus=8&batch=8&prompt=922&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/64acb8b7f70a/packages/app/content/blog/minimax-m3-vllm-fp8-h200-vs-b200-low-concurrency.mdx", "section \"The Numbers\", table ISL/OSL 1024/1024; InferenceX 2026-06-13 (run 27451860491), image vllm/vllm-openai:minimax-m3; total tok/s/GPU in same row 111.0; day-0 image: B200 on DeepGEMM MoE has a high floor at low batch; KV precision not stated"),
    run("ix-m3-1024-1024-b200-tp8-c16", RecentKind::Aggregated, 0.01979)
        .of("vLLM", "MiniMax-M3 428B", "8 B200")
        .under("TP=8 EP=1, aggregated; concurrency 16; 1024 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 19.79 ms")
        .link("v=2&model=minimax-m3&gpu=b200&gpus=8&batch=16&prompt=922&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/64acb8b7f70a/packages/app/content/blog/minimax-m3-vllm-fp8-h200-vs-b200-low-concurrency.mdx", "section \"The Numbers\", table ISL/OSL 1024/1024; InferenceX 2026-06-13 (run 27451860491), image vllm/vllm-openai:minimax-m3; total tok/s/GPU in same row 196.9; day-0 image: B200 on DeepGEMM MoE has a high floor at low batch; KV precision not stated"),
    run("ix-m3-1024-1024-b200-tp8-c32", RecentKind::Aggregated, 0.02556)
        .of("vLLM", "MiniMax-M3 428B", "8 B200")
        .under("TP=8 EP=1, aggregated; concurrency 32; 1024 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 25.56 ms")
        .link("v=2&model=minimax-m3&gpu=b200&gpus=8&batch=31&prompt=922&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/64acb8b7f70a/packages/app/content/blog/minimax-m3-vllm-fp8-h200-vs-b200-low-concurrency.mdx", "section \"The Numbers\", table ISL/OSL 1024/1024; InferenceX 2026-06-13 (run 27451860491), image vllm/vllm-openai:minimax-m3; total tok/s/GPU in same row 302.8; day-0 image: B200 on DeepGEMM MoE has a high floor at low batch; KV precision not stated"),
    run("ix-m3-1024-1024-b200-tp8-c64", RecentKind::Aggregated, 0.036)
        .of("vLLM", "MiniMax-M3 428B", "8 B200")
        .under("TP=8 EP=1, aggregated; concurrency 64; 1024 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 36.0 ms")
        .link("v=2&model=minimax-m3&gpu=b200&gpus=8&batch=63&prompt=922&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/64acb8b7f70a/packages/app/content/blog/minimax-m3-vllm-fp8-h200-vs-b200-low-concurrency.mdx", "section \"The Numbers\", table ISL/OSL 1024/1024; InferenceX 2026-06-13 (run 27451860491), image vllm/vllm-openai:minimax-m3; total tok/s/GPU in same row 436.7; day-0 image: B200 on DeepGEMM MoE has a high floor at low batch; KV precision not stated"),
    run("ix-m3-8192-1024-b200-tp8-c4", RecentKind::Aggregated, 0.015880000000000002)
        .of("vLLM", "MiniMax-M3 428B", "8 B200")
        .under("TP=8 EP=1, aggregated; concurrency 4; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 15.88 ms")
        .link("v=2&model=minimax-m3&gpu=b200&gpus=8&batch=4&prompt=7373&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/64acb8b7f70a/packages/app/content/blog/minimax-m3-vllm-fp8-h200-vs-b200-low-concurrency.mdx", "section \"The Numbers\", table ISL/OSL 8192/1024; InferenceX 2026-06-13 (run 27451860491), image vllm/vllm-openai:minimax-m3; total tok/s/GPU in same row 271.8; day-0 image: B200 on DeepGEMM MoE has a high floor at low batch; KV precision not stated"),
    run("ix-m3-8192-1024-b200-tp8-c8", RecentKind::Aggregated, 0.01761)
        .of("vLLM", "MiniMax-M3 428B", "8 B200")
        .under("TP=8 EP=1, aggregated; concurrency 8; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 17.61 ms")
        .link("v=2&model=minimax-m3&gpu=b200&gpus=8&batch=8&prompt=7373&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/64acb8b7f70a/packages/app/content/blog/minimax-m3-vllm-fp8-h200-vs-b200-low-concurrency.mdx", "section \"The Numbers\", table ISL/OSL 8192/1024; InferenceX 2026-06-13 (run 27451860491), image vllm/vllm-openai:minimax-m3; total tok/s/GPU in same row 486.8; day-0 image: B200 on DeepGEMM MoE has a high floor at low batch; KV precision not stated"),
    run("ix-m3-8192-1024-b200-tp8-c16", RecentKind::Aggregated, 0.019969999999999998)
        .of("vLLM", "MiniMax-M3 428B", "8 B200")
        .under("TP=8 EP=1, aggregated; concurrency 16; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 19.97 ms")
        .link("v=2&model=minimax-m3&gpu=b200&gpus=8&batch=15&prompt=7373&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/64acb8b7f70a/packages/app/content/blog/minimax-m3-vllm-fp8-h200-vs-b200-low-concurrency.mdx", "section \"The Numbers\", table ISL/OSL 8192/1024; InferenceX 2026-06-13 (run 27451860491), image vllm/vllm-openai:minimax-m3; total tok/s/GPU in same row 860.3; day-0 image: B200 on DeepGEMM MoE has a high floor at low batch; KV precision not stated"),
    run("ix-m3-8192-1024-b200-tp8-c32", RecentKind::Aggregated, 0.02475)
        .of("vLLM", "MiniMax-M3 428B", "8 B200")
        .under("TP=8 EP=1, aggregated; concurrency 32; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 24.75 ms")
        .link("v=2&model=minimax-m3&gpu=b200&gpus=8&batch=30&prompt=7373&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/64acb8b7f70a/packages/app/content/blog/minimax-m3-vllm-fp8-h200-vs-b200-low-concurrency.mdx", "section \"The Numbers\", table ISL/OSL 8192/1024; InferenceX 2026-06-13 (run 27451860491), image vllm/vllm-openai:minimax-m3; total tok/s/GPU in same row 1385.2; day-0 image: B200 on DeepGEMM MoE has a high floor at low batch; KV precision not stated"),
    run("ix-m3-8192-1024-b200-tp8-c64", RecentKind::Aggregated, 0.035)
        .of("vLLM", "MiniMax-M3 428B", "8 B200")
        .under("TP=8 EP=1, aggregated; concurrency 64; 8192 in, 1024 out; FP8; no")
        .printed("median TPOT (prefill in the same engine): 35.0 ms")
        .link("v=2&model=minimax-m3&gpu=b200&gpus=8&batch=62&prompt=7373&output=922&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/64acb8b7f70a/packages/app/content/blog/minimax-m3-vllm-fp8-h200-vs-b200-low-concurrency.mdx", "section \"The Numbers\", table ISL/OSL 8192/1024; InferenceX 2026-06-13 (run 27451860491), image vllm/vllm-openai:minimax-m3; total tok/s/GPU in same row 2006.7; day-0 image: B200 on DeepGEMM MoE has a high floor at low batch; KV precision not stated"),
    run("aisim-k25-b200-8k1k-c512", RecentKind::Aggregated, 0.089548)
        .of("vLLM (prefill_schedule_interval 4)", "Kimi-K2.5", "8 B200")
        .under("DP8 attention, EP8, aggregated; concurrency 512; 8192 in, 1024 out; NVFP4; no")
        .printed("TPOT measured (\"Silicon TPOT\"): 89.548 ms")
        .link("v=2&model=kimi-k2.5&gpu=b200&gpus=8&batch=512&prompt=8192&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/305e46b405610c8744412921fe782aa8409b38b3/benchmarks/evidence/accuracy/replay-evidence.md", "section \"vLLM prefill cadence qualification\"; prefill in the same engine on every 4th step; mean or median not said"),
    run("aisim-k25-b200-8k1k-c1024", RecentKind::Aggregated, 0.14323)
        .of("vLLM (prefill_schedule_interval 4)", "Kimi-K2.5", "8 B200")
        .under("DP8 attention, EP8, aggregated; concurrency 1024; 8192 in, 1024 out; NVFP4; no")
        .printed("TPOT measured (\"Silicon TPOT\"): 143.23 ms")
        .link("v=2&model=kimi-k2.5&gpu=b200&gpus=8&batch=1024&prompt=8192&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/305e46b405610c8744412921fe782aa8409b38b3/benchmarks/evidence/accuracy/replay-evidence.md", "section \"vLLM prefill cadence qualification\"; prefill in the same engine on every 4th step; mean or median not said"),
];
