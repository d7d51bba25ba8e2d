//! Preset scenarios from the papers and from measured runs, written as permalinks.

use crate::inputs::Version;
use crate::permalink::{self, Link, View};
use crate::source::{Source, paper};

/// A named preset scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// Identifier of the preset, which never changes.
    pub id: &'static str,
    /// The question that the preset's scenario answers.
    pub title: &'static str,
    /// One-line summary of the preset's scenario.
    pub detail: &'static str,
    /// The preset's permalink, without its leading `?`.
    pub link: &'static str,
    /// Source of the preset's scenario.
    pub source: Source,
}

const SGLANG_72: Source = Source::new(
    "SGLang, large-scale expert parallelism (May 2025); [A] 3.6",
    "decode on 9×8 H100",
);

const DEPLOYED: Source = Source::new(
    "Published model configurations",
    "catalog model shapes; deployments we chose",
);

const SERVICE: Source = Source::new("Traffic chosen by us", "typical lengths and limits");

impl Preset {
    /// Returns the view that this preset opens. The list of presets is grouped by view.
    pub fn view(&self) -> View {
        permalink::read(self.link).shown.view
    }

    /// Returns true if the preset's permalink version is not the newest. Most presets from papers have an older
    /// version, since they use the paper's calibration or latencies.
    pub fn is_of_paper(&self) -> bool {
        self.opened().current.version != Version::NEWEST
    }

    /// Returns the complete state of the page after opening this preset; nothing remains of the scenario shown
    /// before.
    pub fn opened(&self) -> Link {
        permalink::read(self.link)
    }

    /// Returns true if the preset's title, detail and source locator contain every word of `wanted`, ignoring case.
    pub fn found_by(&self, wanted: &str) -> bool {
        let words =
            format!("{} {} {}", self.title, self.detail, self.source.locator).to_ascii_lowercase();
        wanted
            .to_ascii_lowercase()
            .split_whitespace()
            .all(|word| words.contains(word))
    }
}

/// Inputs of [B] section III: 32 B200s in one NVLink domain, BF16 at full peak and bandwidth, without overlap.
macro_rules! b200s {
    ($($more:literal),*) => {
        concat!(
            "gpu=custom&precision=bf16&overlap=none&calibration=ideal&peak_bf16=2250&hbm=8000",
            "&capacity=192&gpus=32&domain=32&scale_up=900&beta=1&redundant=0" $(, $more)*
        )
    };
}

/// Pins a GPT-3 scenario on the same GPUs as `b200s!`, with four attention groups of eight GPUs.
macro_rules! gpt_3_pinned {
    ($($more:literal),*) => {
        concat!(
            "&a.model=gpt-3-175b&a.gpu=custom&a.precision=bf16&a.overlap=none&a.calibration=ideal",
            "&a.peak_bf16=2250&a.hbm=8000&a.capacity=192&a.gpus=32&a.domain=32&a.scale_up=900",
            "&a.beta=1&a.redundant=0&a.tp=8" $(, $more)*
        )
    };
}

/// All presets. A URL without a query opens the first preset, which is a measured system.
pub const PRESETS: &[Preset] = &[
    Preset {
        id: "v3-72-h100-measured",
        title: "What limits DeepSeek-V3 as SGLang ran it?",
        detail: "9×8 H100, SGLang’s settings: 256 sequences per GPU, 2,050-token context, balanced experts",
        link: "v=3&gpus=72&context=2050&beta=1&reserve=0.12&engine_gib=0",
        source: SGLANG_72,
    },
    Preset {
        id: "gpt-oss-h100",
        title: "What limits gpt-oss-120b on one H100?",
        detail: "4 users, 4,000-token context, released MXFP4 weights",
        link: "v=3&model=gpt-oss-120b&gpu=h100&gpus=1&batch=4&context=4000",
        source: DEPLOYED,
    },
    Preset {
        id: "qwen3-rtx-4090",
        title: "What limits a 30B MoE on one RTX 4090?",
        detail: "Qwen3-30B-A3B in 4 bits, one user, 8,000-token context",
        link: "v=3&model=qwen3-30b-a3b&gpu=rtx-4090&gpus=1&batch=1&context=8000&w_attn=0.5&w_ffn=0.5",
        source: DEPLOYED,
    },
    Preset {
        id: "v3.2-sparse",
        title: "What does sparse attention gain at 128k?",
        detail: "DeepSeek-V3.2 on a GB200 NVL72, 576 sequences of 128k tokens; V3 pinned",
        link: concat!(
            "v=3&model=deepseek-v3.2&gpu=gb200&gpus=72&dp=72&ep=72&batch=576&context=128k",
            "&a.model=deepseek-v3&a.gpu=gb200&a.gpus=72&a.dp=72&a.ep=72&a.batch=576&a.context=128k"
        ),
        source: DEPLOYED,
    },
    Preset {
        id: "v4-pro-gb200",
        title: "Is DeepSeek-V4-Pro slower than V3.2?",
        detail: "1,152 sequences of 64k tokens on a GB200 NVL72; V3.2 pinned",
        link: concat!(
            "v=3&model=deepseek-v4-pro&gpu=gb200&gpus=72&dp=72&ep=72&batch=1152&context=64k",
            "&a.v=3&a.model=deepseek-v3.2&a.gpu=gb200&a.gpus=72&a.dp=72&a.ep=72&a.batch=1152&a.context=64k"
        ),
        source: DEPLOYED,
    },
    Preset {
        id: "v3-imbalance",
        title: "What does expert imbalance cost?",
        detail: "DeepSeek-V3 on 32 H200, expert balancedness 0.6; perfect balance pinned",
        link: concat!(
            "v=3&gpu=h200&gpus=32&batch=4096&context=4k&beta=0.6",
            "&a.v=3&a.gpu=h200&a.gpus=32&a.batch=4096&a.context=4k&a.beta=1"
        ),
        source: DEPLOYED,
    },
    Preset {
        id: "v3.2-mtp",
        title: "What do draft tokens gain?",
        detail: "DeepSeek-V3.2 on 16 H200, 256 sequences of 8k tokens, 2 draft tokens per step vs. none (pinned)",
        link: concat!(
            "v=3&model=deepseek-v3.2&gpu=h200&gpus=16&batch=256&context=8k&mtp=2",
            "&a.model=deepseek-v3.2&a.gpu=h200&a.gpus=16&a.batch=256&a.context=8k"
        ),
        source: DEPLOYED,
    },
    Preset {
        id: "qwen3.5-hybrid",
        title: "How many 128k requests fit with hybrid attention?",
        detail: "Qwen3.5 397B on 8 H200, requests of 128k tokens; Qwen3 235B pinned",
        link: concat!(
            "v=3&model=qwen3.5-397b-a17b&gpu=h200&gpus=8&batch=8&context=128k",
            "&a.model=qwen3-235b-a22b&a.gpu=h200&a.gpus=8&a.batch=8&a.context=128k&view=limits"
        ),
        source: DEPLOYED,
    },
    Preset {
        id: "k2.5-vr200",
        title: "What does a VR200 rack gain for Kimi K2.5?",
        detail: "72 VR200, 1,152 sequences of 64k tokens; a GB200 rack pinned",
        link: concat!(
            "v=3&model=kimi-k2.5&gpu=vr200&gpus=72&dp=72&ep=72&batch=1152&context=64k",
            "&a.model=kimi-k2.5&a.gpu=gb200&a.gpus=72&a.dp=72&a.ep=72&a.batch=1152&a.context=64k"
        ),
        source: DEPLOYED,
    },
    Preset {
        id: "qwen3-235b-plan",
        title: "Which plan is best for Qwen3-235B on 32 H200?",
        detail: "ISL 3,000, OSL 800, ≥ 25 tok/s/user",
        link: "v=3&view=plans&model=qwen3-235b-a22b&gpu=h200&gpus=32&prompt=3000&output=800&slo=25",
        source: DEPLOYED,
    },
    Preset {
        id: "v3.2-candidates",
        title: "Which GPUs are cheapest for DeepSeek-V3.2?",
        detail: "H200, B200, GB200 and MI355X, each at its best plan; ≥ 40 tok/s/user",
        link: "v=3&view=plans&model=deepseek-v3.2&gpu=h200&slo=40&context=8k&candidates=h200,b200,gb200,mi355x",
        source: DEPLOYED,
    },
    Preset {
        id: "v3-apart-nvl72",
        title: "Does AFD help DeepSeek-V3 on an NVL72?",
        detail: "72 GB200 in one rack, colocated vs. AFD",
        link: "v=3&gpu=gb200&mode=ratio&gpus=72&dp=72&ep=72&context=2000&view=disagg",
        source: Source::new(paper::R, "4.4; latencies computed from operators"),
    },
    Preset {
        id: "service-chat",
        title: "How many H200s does my chat traffic need?",
        detail: "DeepSeek-V3, 50 req/s, ISL 4,000, OSL 1,000, 30% cached; TTFT ≤ 2 s, ≥ 25 tok/s/user",
        link: "v=3&view=service&gpu=h200&rate=50&prompt=4000&output=1000&hit=0.3&ttft=2&slo=25",
        source: SERVICE,
    },
    Preset {
        id: "service-documents",
        title: "Is a prefill pool worth it for long documents?",
        detail: "DeepSeek-V3 on GB200, 20 req/s, ISL 32,000, OSL 500; TTFT ≤ 3 s, ≥ 30 tok/s/user",
        link: "v=3&view=service&gpu=gb200&rate=20&prompt=32000&output=500&ttft=3&slo=30",
        source: SERVICE,
    },
    Preset {
        id: "service-agents",
        title: "What do agents cost at a 95% cache hit rate?",
        detail: "DeepSeek-V3 on H200, 30 req/s, ISL 60,000, OSL 400; TTFT ≤ 1.5 s, ≥ 40 tok/s/user",
        link: "v=3&view=service&gpu=h200&rate=30&prompt=60000&output=400&hit=0.95&ttft=1.5&slo=40",
        source: SERVICE,
    },
    Preset {
        id: "v3-48-gb200",
        title: "[A] 3.6: what does an NVL72 rack change?",
        detail: "12×4 GPUs of a GB200 NVL72, 768 sequences per GPU, no overlap; 72 H100 pinned; [A]’s calibration",
        link: "v=1&gpu=gb200&gpus=48&batch=36864&overlap=none&calibration=aleph-alpha-2025&a.calibration=aleph-alpha-2025",
        source: Source::new(
            paper::A,
            "3.6, the 12×4 B200 setup; SGLang on GB200, part 1 (June 2025)",
        ),
    },
    Preset {
        id: "k2-72-h100",
        title: "[A] Figure 15: is Kimi K2 slower than V3?",
        detail: "384 experts but half the attention heads, on 9×8 H100; V3 pinned; [A]’s calibration",
        link: "v=1&model=kimi-k2&calibration=aleph-alpha-2025&batch=9216&a.calibration=aleph-alpha-2025&a.batch=9216",
        source: Source::new(paper::A, "Figure 15"),
    },
    Preset {
        id: "v3-context",
        title: "[A] Figure 16: what does long context cost?",
        detail: "32k vs. 2k tokens, 1,024 sequences on 9×8 H100; [A]’s calibration",
        link: "v=1&calibration=aleph-alpha-2025&batch=1024&context=32k&a.calibration=aleph-alpha-2025&a.batch=1024",
        source: Source::new(paper::A, "Figure 16"),
    },
    Preset {
        id: "v3-slo-20",
        title: "[A] Figure 17: max batch at 20 tok/s/user?",
        detail: "9×8 H100, SLO 20 tok/s/user; [A]’s calibration",
        link: "v=1&calibration=aleph-alpha-2025&batch=9216&slo=20&view=limits",
        source: Source::new(paper::A, "Figure 17"),
    },
    Preset {
        id: "b-figure-3",
        title: "[B] Figure 3: max R1 throughput on 32 B200?",
        detail: "[B]’s calibration, BF16; GPT-3 pinned; [B] states up to 53.67× GPT-3’s throughput",
        link: concat!(
            "v=1&model=deepseek-r1&",
            b200s!("&batch=4096&context=8k"),
            gpt_3_pinned!("&a.batch=96&a.context=8k"),
            "&view=limits&metric=tok_s_gpu"
        ),
        source: Source::new(paper::B, "IV-A and Figure 3"),
    },
    Preset {
        id: "b-figure-8",
        title: "[B] Figure 8: how many sequences fit on 32 GPUs?",
        detail: "DeepSeek-R1 in BF16 on 192 GB GPUs, 2,048 sequences of 8k tokens; [B]’s calibration",
        link: concat!(
            "v=1&model=deepseek-r1&",
            b200s!("&batch=2048&context=8k"),
            "&view=limits"
        ),
        source: Source::new(paper::B, "VI-A and Figure 8"),
    },
    Preset {
        id: "b-figure-12",
        title: "[B] Figure 12: one 256-GPU replica or eight of 32?",
        detail: "[B]’s calibration, 16k tokens, 300 GB/s interconnect: [B] prefers the large replica",
        link: concat!(
            "v=1&model=deepseek-r1&",
            b200s!("&batch=2048&context=16k"),
            "&interconnect=300&view=papers&figure=b-figure-12"
        ),
        source: Source::new(paper::B, "VII-C and Figure 12"),
    },
    Preset {
        id: "r1-helix-plans",
        title: "[H] Figure 5: best plan for R1 at 1M tokens?",
        detail: "Helix vs. TP, TP × PP and DP + EP on 1–64 GB200; [H]’s calibration: 11.5 µs per collective",
        link: "v=1&view=plans&model=deepseek-r1&gpu=gb200&gpus=64&batch=32&context=1M&beta=1&redundant=0&precision=fp4&overlap=hop-b&kvp=64&ep=32&calibration=helix&search_gpus=1,2,4,8,16,32,64&search_batch=4096&batch_steps=1&search_overlap=none",
        source: Source::new(paper::H, "3.2, Figure 5"),
    },
    Preset {
        id: "405b-helix-plans",
        title: "[H] Figure 6: best plan for Llama-405B at 1M?",
        detail: "Helix vs. TP, TP × PP and Medha on 1–64 GB200; [H]’s calibration: 11.5 µs per collective",
        link: "v=1&view=plans&model=llama-3.1-405b&gpu=gb200&gpus=64&batch=4&context=1M&precision=fp4&overlap=hop-b&tp=8&kvp=8&ffn_tp=64&calibration=helix&search_gpus=1,2,4,8,16,32,64&search_batch=4096&batch_steps=1&search_overlap=none",
        source: Source::new(paper::H, "3.2, Figure 6"),
    },
    Preset {
        id: "r-ratio",
        title: "[R] 5.3: how many attention ranks per FFN rank?",
        detail: "[R]’s latencies: micro-batch size 256, ISL 100, OSL 500",
        link: "v=1&mode=ratio&latencies=table2&view=disagg",
        source: Source::new(paper::R, "5.3, Figures 4 and 5"),
    },
    Preset {
        id: "l-kimi-70b",
        title: "[L] 6.1: is Lamina worth it for Llama 3 70B?",
        detail: "Kimi conversation trace: 2 H100 + 4 H20 vs. 4 H100; [L]’s calibration",
        link: concat!(
            "v=3&model=llama-3-70b&gpus=4&batch=42&context=12206&precision=bf16&overlap=none",
            "&calibration=lamina&reserve=0.09&engine_gib=0&mode=split&trace=kimi-conv&view=disagg"
        ),
        source: Source::new(paper::L, "6.1, Table 5 and Figure 10"),
    },
    Preset {
        id: "l-figure-4",
        title: "[L] Figure 4: how fast must the network be?",
        detail: "Llama 3 70B on 2 H100 and 2 H20, 4k tokens, up to 300 sequences; no inefficiencies, as in [L]",
        link: concat!(
            "v=1&model=llama-3-70b&gpus=4&batch=34&context=4k&precision=bf16&overlap=none",
            "&calibration=ideal&mode=split&compute_gpus=2&memory_gpus=2&batches=1",
            "&view=papers&figure=l-figure-4"
        ),
        source: Source::new(paper::L, "3.1, Figure 4 (a)"),
    },
];

#[cfg(test)]
mod tests {

    use super::*;
    use crate::evaluate::evaluate;
    use crate::inputs::Mode;

    #[test]
    fn presets_have_todays_defaults_or_name_their_paper() {
        for preset in PRESETS {
            let link = preset.opened();
            assert_eq!(link.notes, [], "{}", preset.id);
            let newest = link.current.version == Version::NEWEST;
            let named = ["[A]", "[B]", "[H]", "[R]", "[L]"];
            let named = named.iter().any(|paper| preset.title.starts_with(paper));
            assert!(newest || named, "{}", preset.id);
        }
    }

    #[test]
    fn the_first_is_written_as_it_is() {
        assert_eq!(permalink::write(&PRESETS[0].opened()), PRESETS[0].link);
    }

    #[test]
    fn presets_of_today_fit() {
        for preset in PRESETS {
            let link = preset.opened();
            let service = link.shown.view == View::Service || link.current.mode != Mode::Colocated;
            for inputs in [Some(link.current), link.pinned].into_iter().flatten() {
                if service || inputs.version != Version::NEWEST {
                    continue;
                }
                let found = evaluate(&inputs.scenario().unwrap()).unwrap();
                assert!(found.memory.fits(), "{}: {:?}", preset.id, found.memory);
            }
        }
    }
}
