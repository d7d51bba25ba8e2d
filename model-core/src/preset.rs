//! Preset scenarios of the papers and of measured systems, as links.

use crate::permalink::{self, Link, View};
use crate::source::{Source, paper};

/// A named scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// A stable identifier.
    pub id: &'static str,
    /// The question it answers.
    pub title: &'static str,
    /// Summary of the scenario, in one line.
    pub detail: &'static str,
    /// The link, without `?`.
    pub link: &'static str,
    /// Source of the scenario.
    pub source: Source,
}

const SGLANG_72: Source = Source::new(
    "SGLang, large-scale expert parallelism (May 2025); [A] 3.6",
    "decode on 9×8 H100",
);

const LAYERED: Source = Source::new(
    "Configurations as their authors published them",
    "shapes of the catalogue; deployments of our own choice",
);

const SERVICE: Source = Source::new(
    "Traffic of our own choice",
    "lengths and limits as of common uses",
);

impl Preset {
    /// The view it opens, by which presets are grouped.
    pub fn view(&self) -> View {
        permalink::read(self.link).shown.view
    }

    /// The complete link: opening it leaves nothing of another scenario behind.
    pub fn opened(&self) -> Link {
        permalink::read(self.link)
    }

    /// Search: title, detail and place in the source contain every word of `wanted`, ignoring case.
    pub fn found_by(&self, wanted: &str) -> bool {
        let words =
            format!("{} {} {}", self.title, self.detail, self.source.locator).to_ascii_lowercase();
        wanted
            .to_ascii_lowercase()
            .split_whitespace()
            .all(|word| words.contains(word))
    }
}

/// [B] III: 32 B200s in one NVLink domain, everything in BF16 at full speed, nothing overlapped.
macro_rules! b200s {
    ($($more:literal),*) => {
        concat!(
            "gpu=custom&precision=bf16&overlap=none&calibration=ideal&peak_bf16=2250&hbm=8000",
            "&capacity=192&gpus=32&domain=32&scale_up=900&beta=1&redundant=0" $(, $more)*
        )
    };
}

/// The same GPUs pinned with GPT-3, in four groups of eight.
macro_rules! gpt_3_pinned {
    ($($more:literal),*) => {
        concat!(
            "&a.model=gpt-3-175b&a.gpu=custom&a.precision=bf16&a.overlap=none&a.calibration=ideal",
            "&a.peak_bf16=2250&a.hbm=8000&a.capacity=192&a.gpus=32&a.domain=32&a.scale_up=900",
            "&a.beta=1&a.redundant=0&a.tp=8" $(, $more)*
        )
    };
}

/// Every preset; an address without a query opens the first, a system whose published speed is 4 % off its prediction.
pub const PRESETS: &[Preset] = &[
    Preset {
        id: "v3-72-h100-measured",
        title: "What limits DeepSeek-V3 as SGLang ran it?",
        detail: "9×8 H100 as SGLang ran them: 256 sequences per GPU, 2,050 tokens, experts balanced",
        link: "v=2&context=2050&beta=1",
        source: SGLANG_72,
    },
    Preset {
        id: "v3-32-h100",
        title: "Can four nodes serve DeepSeek-V3?",
        detail: "4×8 H100, 1,024 sequences, 2,000 tokens, no redundant experts",
        link: "v=1&calibration=aleph-alpha-2025&gpus=32&batch=1024&redundant=0",
        source: Source::new(paper::A, "3.6, the 4×8 H100 set-up of Figures 13 and 14"),
    },
    Preset {
        id: "v3-72-h100",
        title: "What limits DeepSeek-V3 on 72 H100s?",
        detail: "9×8 H100, 256 sequences per GPU, 2,000 tokens, balancedness 0.8",
        link: "v=1",
        source: SGLANG_72,
    },
    Preset {
        id: "v3-48-gb200",
        title: "What does an NVL72 rack change?",
        detail: "12×4 GPUs of a GB200 NVL72, 768 sequences per GPU, no overlap; 72 H100 pinned",
        link: "v=1&gpu=gb200&gpus=48&batch=36864&overlap=none&calibration=aleph-alpha-2025&a.calibration=aleph-alpha-2025",
        source: Source::new(
            paper::A,
            "3.6, the 12×4 B200 set-up; SGLang on GB200, part 1 (June 2025)",
        ),
    },
    Preset {
        id: "k2-72-h100",
        title: "Is Kimi K2 slower than DeepSeek-V3?",
        detail: "384 experts but half the heads, on 9×8 H100; V3 pinned",
        link: "v=1&model=kimi-k2&calibration=aleph-alpha-2025&batch=9216&a.calibration=aleph-alpha-2025&a.batch=9216",
        source: Source::new(paper::A, "Figure 15"),
    },
    Preset {
        id: "v3-context",
        title: "What does long context cost?",
        detail: "32k against 2k tokens, 1,024 sequences on 9×8 H100",
        link: "v=1&calibration=aleph-alpha-2025&batch=1024&context=32k&a.calibration=aleph-alpha-2025&a.batch=1024",
        source: Source::new(paper::A, "Figure 16"),
    },
    Preset {
        id: "v3-kv-room",
        title: "How many 32k requests fit on four nodes?",
        detail: "4×8 H100, 32,768 tokens of context, 256 sequences",
        link: "v=1&calibration=aleph-alpha-2025&gpus=32&batch=256&context=32k&redundant=0&view=limits",
        source: Source::new(paper::A, "4, the 20 GB of KV room per GPU"),
    },
    Preset {
        id: "v3-slo-20",
        title: "How large a batch keeps 20 tokens/s per user?",
        detail: "9×8 H100 with an SLO of 20 tokens/s",
        link: "v=1&calibration=aleph-alpha-2025&batch=9216&slo=20&view=limits",
        source: Source::new(paper::A, "Figure 17"),
    },
    Preset {
        id: "v3.2-sparse",
        title: "What does sparse attention buy at 128k?",
        detail: "DeepSeek-V3.2 on a GB200 NVL72, 576 sequences of 128k tokens; V3 pinned",
        link: "v=1&model=deepseek-v3.2&gpu=gb200&gpus=72&batch=576&context=128k&overlap=none&a.model=deepseek-v3&a.gpu=gb200&a.gpus=72&a.batch=576&a.context=128k&a.overlap=none",
        source: LAYERED,
    },
    Preset {
        id: "qwen3.5-hybrid",
        title: "Does a hybrid still fill memory?",
        detail: "Qwen3.5 397B on 8 H200, requests of 128k tokens; Qwen3 235B pinned",
        link: "v=1&model=qwen3.5-397b-a17b&gpu=h200&gpus=8&batch=16&context=128k&redundant=0&overlap=none&a.model=qwen3-235b-a22b&a.gpu=h200&a.gpus=8&a.batch=16&a.context=128k&a.redundant=0&a.overlap=none&view=limits",
        source: LAYERED,
    },
    Preset {
        id: "gpt-oss-window",
        title: "What does a window of 128 save?",
        detail: "gpt-oss-120b on 8 H100, 48 requests of 128k; the same with every layer full pinned",
        link: concat!(
            "v=1&model=gpt-oss-120b&gpus=8&batch=48&context=128k&redundant=0&overlap=none",
            "&a.model=custom&a.arch=eyJoaWRkZW4iOjI4ODAsInZvY2FiIjoyMDEwODgsImxheWVycyI6MzYsImF0dGVudGlvbiI6eyJncm91cGVkIjp7ImhlYWRzIjo2NCwia3ZfaGVhZHMiOjgsImhlYWRfZGltIjo2NH19LCJmZm4iOnsibW9lIjp7ImV4cGVydHMiOjEyOCwiZXhwZXJ0c19wZXJfdG9rZW4iOjQsImV4cGVydF93aWR0aCI6Mjg4MH19fQ",
            "&a.gpus=8&a.batch=48&a.context=128k&a.redundant=0&a.overlap=none"
        ),
        source: LAYERED,
    },
    Preset {
        id: "k2.5-vr200",
        title: "How far does a VR200 rack carry Kimi K2.5?",
        detail: "72 VR200, 1,152 sequences of 64k tokens; a GB200 rack pinned",
        link: "v=1&model=kimi-k2.5&gpu=vr200&gpus=72&batch=1152&context=64k&overlap=none&a.model=kimi-k2.5&a.gpu=gb200&a.gpus=72&a.batch=1152&a.context=64k&a.overlap=none&view=limits",
        source: LAYERED,
    },
    Preset {
        id: "b-figure-3",
        title: "How far do 32 B200s carry DeepSeek-R1?",
        detail: "BF16, GPT-3 pinned: [B] finds up to 53.67× its throughput",
        link: concat!(
            "v=1&model=deepseek-r1&",
            b200s!("&batch=4096&context=8k"),
            gpt_3_pinned!("&a.batch=96&a.context=8k"),
            "&view=limits&metric=tok_s_gpu"
        ),
        source: Source::new(paper::B, "IV-A and Figure 3"),
    },
    Preset {
        id: "b-figure-9",
        title: "What does a larger batch buy DeepSeek-R1?",
        detail: "8k tokens on 32 B200, GPT-3 pinned: [B] fits 7,360 against 124",
        link: concat!(
            "v=1&model=deepseek-r1&",
            b200s!("&batch=1024&context=8k"),
            gpt_3_pinned!("&a.batch=64&a.context=8k"),
            "&view=limits"
        ),
        source: Source::new(paper::B, "VII-A and Figure 9"),
    },
    Preset {
        id: "b-figure-8",
        title: "What does each GPU hold as more are used?",
        detail: "DeepSeek-R1 in BF16 on 192 GB GPUs, 2,048 sequences of 8k tokens",
        link: concat!(
            "v=1&model=deepseek-r1&",
            b200s!("&batch=2048&context=8k"),
            "&view=limits"
        ),
        source: Source::new(paper::B, "VI-A and Figure 8"),
    },
    Preset {
        id: "b-figure-12",
        title: "One instance of 256 GPUs or eight of 32?",
        detail: "16k tokens, joined at 300 GB/s: [B] finds the large one better",
        link: concat!(
            "v=1&model=deepseek-r1&",
            b200s!("&batch=2048&context=16k"),
            "&interconnect=300&view=plans&search_overlap=none"
        ),
        source: Source::new(paper::B, "VII-C and Figure 12"),
    },
    Preset {
        id: "r1-helix-plans",
        title: "Which plan serves DeepSeek-R1 at a million tokens?",
        detail: "Helix against TP, TP × PP and DP + EP on 1 to 64 GB200; 11.5 µs per collective",
        link: "v=1&view=plans&model=deepseek-r1&gpu=gb200&gpus=64&batch=32&context=1M&beta=1&redundant=0&precision=fp4&overlap=hop-b&kvp=64&ep=32&calibration=helix&search_gpus=1,2,4,8,16,32,64&search_batch=4096&batch_steps=1&search_overlap=none",
        source: Source::new(paper::H, "3.2, Figure 5"),
    },
    Preset {
        id: "405b-helix-plans",
        title: "Which plan serves Llama-405B at a million tokens?",
        detail: "Helix against TP, TP × PP and Medha on 1 to 64 GB200; 11.5 µs per collective",
        link: "v=1&view=plans&model=llama-3.1-405b&gpu=gb200&gpus=64&batch=4&context=1M&precision=fp4&overlap=hop-b&tp=8&kvp=8&ffn_tp=64&calibration=helix&search_gpus=1,2,4,8,16,32,64&search_batch=4096&batch_steps=1&search_overlap=none",
        source: Source::new(paper::H, "3.2, Figure 6"),
    },
    Preset {
        id: "service-chat",
        title: "How many H200s does my chat traffic need?",
        detail: "DeepSeek-V3, 50 requests/s of 4,000 + 1,000 tokens; first token in 2 s, 25 tok/s per user",
        link: "v=2&view=service&gpu=h200&rate=50&prompt=4000&output=1000&hit=0.3&ttft=2&slo=25",
        source: SERVICE,
    },
    Preset {
        id: "service-documents",
        title: "Is a prefill pool worth it for long documents?",
        detail: "DeepSeek-V3 on GB200, 20 requests/s of 32,000 + 500 tokens; first token in 3 s, 30 tok/s per user",
        link: "v=2&view=service&gpu=gb200&rate=20&prompt=32000&output=500&ttft=3&slo=30",
        source: SERVICE,
    },
    Preset {
        id: "service-agents",
        title: "What do agents cost with 95% of prompts cached?",
        detail: "DeepSeek-V3 on H200, 30 requests/s of 60,000 + 400 tokens; first token in 1.5 s, 40 tok/s per user",
        link: "v=2&view=service&gpu=h200&rate=30&prompt=60000&output=400&hit=0.95&ttft=1.5&slo=40",
        source: SERVICE,
    },
    Preset {
        id: "service-deepseek",
        title: "How many H800s does DeepSeek's own traffic need?",
        detail: "Prefill of EP 32 and decode of EP 144, 1,759 requests/s of 4,000 + 1,105 tokens, 56% cached; 1,814 GPUs on average",
        link: "v=2&view=service&gpu=h800&rate=1759&prompt=4000&output=1105&hit=0.563&pools=disaggregated&gpus=144&ep=144&prefill_gpus=32&slo=20",
        source: Source::new(
            "DeepSeek-V3/R1 inference system overview (February 2025)",
            "608B input tokens, 342B of them cached, 168B output tokens and 226.75 nodes on average in 24 hours; their length of 4,000 is ours",
        ),
    },
    Preset {
        id: "r-ratio",
        title: "How many attention instances feed one feed-forward?",
        detail: "[R]'s own bundle: 256 slots, prompts of 100 and outputs of 500 tokens",
        link: "v=1&mode=ratio&latencies=table2&view=disagg",
        source: Source::new(paper::R, "5.3, Figures 4 and 5"),
    },
    Preset {
        id: "r-long-prompts",
        title: "Do longer prompts ask for more attention?",
        detail: "The same with prompts of 500 tokens: 17.3 to 1 instead of 9.3",
        link: "v=1&mode=ratio&latencies=table2&prompt=500&view=disagg",
        source: Source::new(paper::R, "5.4, Figure 7"),
    },
    Preset {
        id: "v3-apart-nvl72",
        title: "Should DeepSeek-V3's attention live apart in an NVL72?",
        detail: "The 72 GB200 of a rack, together or divided between attention and experts",
        link: "v=1&gpu=gb200&mode=ratio&gpus=72&view=disagg",
        source: Source::new(paper::R, "4.4, latencies from the operators"),
    },
    Preset {
        id: "l-kimi-70b",
        title: "Should attention live apart?",
        detail: "Llama 3 70B for Kimi's conversations: 2 H100 + 4 H20 against 4 H100",
        link: concat!(
            "v=1&model=llama-3-70b&gpus=4&batch=42&context=12206&precision=bf16&overlap=none",
            "&calibration=lamina&reserve=0.1&mode=split&trace=kimi-conv&view=disagg"
        ),
        source: Source::new(paper::L, "6.1, Table 5 and Figure 10"),
    },
    Preset {
        id: "l-figure-4",
        title: "How fast must a split's network be?",
        detail: "Llama 3 70B over 2 H100 and 2 H20, 4k tokens, up to 300 sequences",
        link: concat!(
            "v=1&model=llama-3-70b&gpus=4&batch=34&context=4k&precision=bf16&overlap=none",
            "&calibration=ideal&mode=split&compute_gpus=2&memory_gpus=2&batches=1&view=disagg"
        ),
        source: Source::new(paper::L, "3.1, Figure 4 (a)"),
    },
    Preset {
        id: "v3-split",
        title: "Does DeepSeek-V3's attention pay apart?",
        detail: "16 H100 and 32 H20 for the batch and context of 72 H100",
        link: "v=1&mode=split&view=disagg",
        source: Source::new(paper::L, "3, applied to latent attention"),
    },
];
