//! Runs on Vera Rubin NVL72, and GB10 (DGX Spark).

use super::{RecentKind, RecentRun, run};

/// In the order of their publications.
pub const RUNS: &[RecentRun] = &[
    run("vr-glm52-tp4-prefill-b1-n1024-p0", RecentKind::Prefill, 0.0368324)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 1 prompts, 1024 new tokens each, 0 tokens cached before; 1024 in,  out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one prefill forward: 36.8324 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=4&prompt=1024&output=1&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 34.9049 ms in the same row"),
    run("vr-glm52-tp4-prefill-b1-n8192-p0", RecentKind::Prefill, 0.20237839999999999)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 1 prompts, 8192 new tokens each, 0 tokens cached before; 8192 in,  out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one prefill forward: 202.3784 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=4&prompt=8192&output=1&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 196.0992 ms in the same row"),
    run("vr-glm52-tp4-prefill-b1-n16384-p0", RecentKind::Prefill, 0.3871901)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 1 prompts, 16384 new tokens each, 0 tokens cached before; 16384 in,  out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one prefill forward: 387.1901 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=4&prompt=16384&output=1&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 378.5329 ms in the same row"),
    run("vr-glm52-tp4-decode-b1-k1024", RecentKind::Steady, 0.006974)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 1 sequences in all; 1025 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 6.974 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=1&context=1025&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 5.7822 ms in the same row"),
    run("vr-glm52-tp4-decode-b3-k1024", RecentKind::Steady, 0.0071976)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 3 sequences in all; 1025 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 7.1976 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=3&context=1025&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 6.5475 ms in the same row"),
    run("vr-glm52-tp4-decode-b8-k1024", RecentKind::Steady, 0.00875)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 8 sequences in all; 1025 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 8.75 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=8&context=1025&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 8.2678 ms in the same row"),
    run("vr-glm52-tp4-decode-b29-k1024", RecentKind::Steady, 0.011819000000000001)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 29 sequences in all; 1025 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 11.819 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=29&context=1025&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 11.3239 ms in the same row"),
    run("vr-glm52-tp4-decode-b31-k1024", RecentKind::Steady, 0.0118522)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 31 sequences in all; 1025 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 11.8522 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=31&context=1025&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 11.5524 ms in the same row"),
    run("vr-glm52-tp4-decode-b32-k1024", RecentKind::Steady, 0.0120179)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 32 sequences in all; 1025 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 12.0179 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=32&context=1025&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 11.6666 ms in the same row"),
    run("vr-glm52-tp4-decode-b1-k8192", RecentKind::Steady, 0.0069280999999999995)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 1 sequences in all; 8193 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 6.9281 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=1&context=8193&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 5.9751 ms in the same row"),
    run("vr-glm52-tp4-decode-b3-k8192", RecentKind::Steady, 0.007547399999999999)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 3 sequences in all; 8193 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 7.5474 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=3&context=8193&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 6.6459 ms in the same row"),
    run("vr-glm52-tp4-decode-b8-k8192", RecentKind::Steady, 0.008820999999999999)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 8 sequences in all; 8193 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 8.821 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=8&context=8193&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 8.3668 ms in the same row"),
    run("vr-glm52-tp4-decode-b29-k8192", RecentKind::Steady, 0.0122791)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 29 sequences in all; 8193 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 12.2791 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=29&context=8193&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 11.6197 ms in the same row"),
    run("vr-glm52-tp4-decode-b31-k8192", RecentKind::Steady, 0.0123696)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 31 sequences in all; 8193 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 12.3696 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=31&context=8193&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 11.836 ms in the same row"),
    run("vr-glm52-tp4-decode-b32-k8192", RecentKind::Steady, 0.0124937)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 32 sequences in all; 8193 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 12.4937 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=32&context=8193&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 11.9441 ms in the same row"),
    run("vr-glm52-tp4-decode-b1-k32768", RecentKind::Steady, 0.0071904000000000004)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 1 sequences in all; 32769 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 7.1904 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=1&context=32769&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 6.1329 ms in the same row"),
    run("vr-glm52-tp4-decode-b3-k32768", RecentKind::Steady, 0.007810699999999999)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 3 sequences in all; 32769 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 7.8107 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=3&context=32769&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 6.7889 ms in the same row"),
    run("vr-glm52-tp4-decode-b8-k32768", RecentKind::Steady, 0.0091542)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 8 sequences in all; 32769 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 9.1542 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=8&context=32769&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 8.5756 ms in the same row"),
    run("vr-glm52-tp4-decode-b29-k32768", RecentKind::Steady, 0.0126421)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 29 sequences in all; 32769 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 12.6421 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=29&context=32769&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 13.7716 ms in the same row"),
    run("vr-glm52-tp4-decode-b31-k32768", RecentKind::Steady, 0.0127762)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 31 sequences in all; 32769 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 12.7762 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=31&context=32769&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 14.1897 ms in the same row"),
    run("vr-glm52-tp4-decode-b32-k32768", RecentKind::Steady, 0.012968400000000001)
        .of("SGLang 0.5.18 (NVIDIA build)", "GLM-5.2", "4 Vera Rubin NVL72 (SM107)")
        .under("TP4 attention, MoE TP4 EP1; 32 sequences in all; 32769 in, (one step) out; NVFP4 experts, BF16 projections, FP8 KV; no")
        .printed("time of one decode forward: 12.9684 ms")
        .link("v=2&model=glm-5.2&gpu=vr200&gpus=4&batch=32&context=32769&beta=0.9&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/ai-dynamo/aisimulate/blob/78d208ef0cd8cea9eab904aea157d7c2d3f2efef/benchmarks/evidence/accuracy/vr-nvl72-glm52.md", "Native mean ms of the table (CUDA events around the forward, slowest rank, mean of 15 steps; sampling and batch building outside); CUDA graphs; radix cache off; no drafts; AISimulate predicted 14.3983 ms in the same row"),
    run("vllm-nemo3super-spark-1834-dec", RecentKind::Steady, 0.042735042735042736)
        .of("vLLM", "Nemotron-3-Super-120B-A12B", "1 GB10 (DGX Spark)")
        .under("one GPU; batch 1; 1834 in, 108 out; NVFP4; not stated")
        .printed("decode tokens/s: 23.4 tok/s/user")
        .link("v=2&model=nemotron-3-super-120b-a12b&gpu=custom&peak_bf16=125&peak_fp8=250&peak_fp4=500&hbm=273&capacity=119&family=blackwell&gpus=1&batch=1&prompt=1834&output=108&beta=1&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=1&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-06-01-vllm-dgx-spark.md", "Table 2, median of three runs"),
    run("vllm-nemo3super-spark-1834-pre", RecentKind::Prefill, 1.118974984746797)
        .of("vLLM", "Nemotron-3-Super-120B-A12B", "1 GB10 (DGX Spark)")
        .under("one GPU; one prompt; 1834 in,  out; NVFP4; not stated")
        .printed("prefill tokens/s: 1639 tok/s/GPU")
        .link("v=2&model=nemotron-3-super-120b-a12b&gpu=custom&peak_bf16=125&peak_fp8=250&peak_fp4=500&hbm=273&capacity=119&family=blackwell&gpus=1&batch=1&prompt=1834&output=1&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=1&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-06-01-vllm-dgx-spark.md", "Table 2"),
    run("vllm-nemo3super-spark-7234-dec", RecentKind::Steady, 0.04366812227074236)
        .of("vLLM", "Nemotron-3-Super-120B-A12B", "1 GB10 (DGX Spark)")
        .under("one GPU; batch 1; 7234 in, 124 out; NVFP4; not stated")
        .printed("decode tokens/s: 22.9 tok/s/user")
        .link("v=2&model=nemotron-3-super-120b-a12b&gpu=custom&peak_bf16=125&peak_fp8=250&peak_fp4=500&hbm=273&capacity=119&family=blackwell&gpus=1&batch=1&prompt=7234&output=124&beta=1&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=1&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-06-01-vllm-dgx-spark.md", "Table 2, median of three runs"),
    run("vllm-nemo3super-spark-7234-pre", RecentKind::Prefill, 3.8397027600849256)
        .of("vLLM", "Nemotron-3-Super-120B-A12B", "1 GB10 (DGX Spark)")
        .under("one GPU; one prompt; 7234 in,  out; NVFP4; not stated")
        .printed("prefill tokens/s: 1884 tok/s/GPU")
        .link("v=2&model=nemotron-3-super-120b-a12b&gpu=custom&peak_bf16=125&peak_fp8=250&peak_fp4=500&hbm=273&capacity=119&family=blackwell&gpus=1&batch=1&prompt=7234&output=1&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=1&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-06-01-vllm-dgx-spark.md", "Table 2"),
];
