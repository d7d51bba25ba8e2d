//! Runs on B200, one request in engines of one persistent kernel.

use super::{Open, RecentKind, RecentRun, run};

/// In the order of their publications.
pub const RUNS: &[RecentRun] = &[
    run("ix-glm5-8k1k-b200-tilert-bs1", RecentKind::Persistent, 0.0029411764705882353)
        .of("TileRT decode + vLLM prefill", "GLM-5/5.1 744B", "8 B200")
        .under("one 8-GPU decode node (prefill node apart on vLLM); batch 1 (one in-flight request per decode node); 8192 in, 1024 out; FP8; yes (count not stated here)")
        .printed("interactivity: 340.0 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=7373&output=922&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none&mtp=3&acceptance=0.7701")
        .open(&[Open::Acceptance, Open::Sharding])
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/3b414ae86c68/packages/app/content/blog/ultra-high-interactivity-on-nvidia.mdx", "section \"TileRT Results\" and bar-chart alt text; total 160.4 tok/s/GPU at this point; persistent-kernel decode; acceptance not stated; prefill GPUs not stated in this section"),
    run("ix-glm5-1k1k-b200-tilert-bs1", RecentKind::Persistent, 0.0020234722784297854)
        .of("TileRT decode + vLLM prefill", "GLM-5/5.1 744B", "8 B200")
        .under("one 8-GPU decode node (prefill node apart on vLLM); batch 1; 1024 in, 1024 out; FP8; yes (count not stated here)")
        .printed("interactivity: 494.2 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=922&output=922&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none&mtp=3&acceptance=0.7701")
        .open(&[Open::Acceptance, Open::Sharding])
        .source("https://github.com/SemiAnalysisAI/InferenceX-app/blob/3b414ae86c68/packages/app/content/blog/ultra-high-interactivity-on-nvidia.mdx", "section \"TileRT Results\"; acceptance not stated"),
    run("tilert-glm51-b200-bs1-isl1k", RecentKind::Persistent, 0.0033222591362126247)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 1024 in, 1024 out; FP8 (KV fp8); no")
        .printed("tokens/s per user: 301 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=1024&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .open(&[Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"without MTP\"; input length printed as 1K..192K (k taken as 1024); sharding of weights not stated in the post"),
    run("tilert-glm51-b200-bs1-isl1k-mtp", RecentKind::Persistent, 0.0016181229773462784)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 1024 in, 1024 out; FP8 (KV fp8); yes, mean acceptance length 3.2")
        .printed("tokens/s per user: 618 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=1024&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none&mtp=3&acceptance=0.85274")
        .open(&[Open::Drafts, Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"with MTP (AC 3.2)\"; number of drafts not stated (peak at acceptance length 4.0)"),
    run("tilert-glm51-b200-bs1-isl16k", RecentKind::Persistent, 0.0049504950495049506)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 16384 in, 1024 out; FP8 (KV fp8); no")
        .printed("tokens/s per user: 202 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=16384&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .open(&[Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"without MTP\"; input length printed as 1K..192K (k taken as 1024); sharding of weights not stated in the post"),
    run("tilert-glm51-b200-bs1-isl16k-mtp", RecentKind::Persistent, 0.0022172949002217295)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 16384 in, 1024 out; FP8 (KV fp8); yes, mean acceptance length 3.2")
        .printed("tokens/s per user: 451 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=16384&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none&mtp=3&acceptance=0.85274")
        .open(&[Open::Drafts, Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"with MTP (AC 3.2)\"; number of drafts not stated (peak at acceptance length 4.0)"),
    run("tilert-glm51-b200-bs1-isl32k", RecentKind::Persistent, 0.005076142131979695)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 32768 in, 1024 out; FP8 (KV fp8); no")
        .printed("tokens/s per user: 197 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=32768&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .open(&[Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"without MTP\"; input length printed as 1K..192K (k taken as 1024); sharding of weights not stated in the post"),
    run("tilert-glm51-b200-bs1-isl32k-mtp", RecentKind::Persistent, 0.002331002331002331)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 32768 in, 1024 out; FP8 (KV fp8); yes, mean acceptance length 3.2")
        .printed("tokens/s per user: 429 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=32768&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none&mtp=3&acceptance=0.85274")
        .open(&[Open::Drafts, Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"with MTP (AC 3.2)\"; number of drafts not stated (peak at acceptance length 4.0)"),
    run("tilert-glm51-b200-bs1-isl64k", RecentKind::Persistent, 0.005434782608695652)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 65536 in, 1024 out; FP8 (KV fp8); no")
        .printed("tokens/s per user: 184 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=65536&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .open(&[Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"without MTP\"; input length printed as 1K..192K (k taken as 1024); sharding of weights not stated in the post"),
    run("tilert-glm51-b200-bs1-isl64k-mtp", RecentKind::Persistent, 0.0024630541871921183)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 65536 in, 1024 out; FP8 (KV fp8); yes, mean acceptance length 3.2")
        .printed("tokens/s per user: 406 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=65536&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none&mtp=3&acceptance=0.85274")
        .open(&[Open::Drafts, Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"with MTP (AC 3.2)\"; number of drafts not stated (peak at acceptance length 4.0)"),
    run("tilert-glm51-b200-bs1-isl128k", RecentKind::Persistent, 0.005681818181818182)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 131072 in, 1024 out; FP8 (KV fp8); no")
        .printed("tokens/s per user: 176 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=131072&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .open(&[Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"without MTP\"; input length printed as 1K..192K (k taken as 1024); sharding of weights not stated in the post"),
    run("tilert-glm51-b200-bs1-isl128k-mtp", RecentKind::Persistent, 0.0026455026455026454)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 131072 in, 1024 out; FP8 (KV fp8); yes, mean acceptance length 3.2")
        .printed("tokens/s per user: 378 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=131072&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none&mtp=3&acceptance=0.85274")
        .open(&[Open::Drafts, Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"with MTP (AC 3.2)\"; number of drafts not stated (peak at acceptance length 4.0)"),
    run("tilert-glm51-b200-bs1-isl160k", RecentKind::Persistent, 0.005780346820809248)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 163840 in, 1024 out; FP8 (KV fp8); no")
        .printed("tokens/s per user: 173 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=163840&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .open(&[Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"without MTP\"; input length printed as 1K..192K (k taken as 1024); sharding of weights not stated in the post"),
    run("tilert-glm51-b200-bs1-isl160k-mtp", RecentKind::Persistent, 0.002717391304347826)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 163840 in, 1024 out; FP8 (KV fp8); yes, mean acceptance length 3.2")
        .printed("tokens/s per user: 368 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=163840&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none&mtp=3&acceptance=0.85274")
        .open(&[Open::Drafts, Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"with MTP (AC 3.2)\"; number of drafts not stated (peak at acceptance length 4.0)"),
    run("tilert-glm51-b200-bs1-isl192k", RecentKind::Persistent, 0.005917159763313609)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 196608 in, 1024 out; FP8 (KV fp8); no")
        .printed("tokens/s per user: 169 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=196608&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .open(&[Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"without MTP\"; input length printed as 1K..192K (k taken as 1024); sharding of weights not stated in the post"),
    run("tilert-glm51-b200-bs1-isl192k-mtp", RecentKind::Persistent, 0.002840909090909091)
        .of("TileRT v0.1.5 (persistent kernel)", "GLM-5.1", "8 B200")
        .under("TP-like over 8 GPUs, one GPU specialised as sparse indexer; batch 1; 196608 in, 1024 out; FP8 (KV fp8); yes, mean acceptance length 3.2")
        .printed("tokens/s per user: 352 tok/s/user")
        .link("v=2&model=glm-5&gpu=b200&gpus=8&batch=1&prompt=196608&output=1024&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none&mtp=3&acceptance=0.85274")
        .open(&[Open::Drafts, Open::Sharding])
        .source("https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a5807/_posts/2026-07-14-vllm-tilert-pd.md (figure glm5_tilert_mtp.png)", "value printed on the bar \"with MTP (AC 3.2)\"; number of drafts not stated (peak at acceptance length 4.0)"),
];
