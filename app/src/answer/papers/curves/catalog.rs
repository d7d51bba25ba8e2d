//! Figures of the papers: sweep, axes and claim of each.

use super::{Along, Of, Plan, Sweep};
use crate::theme::Role;
use model_core::inputs::Number;
use model_core::permalink::Curve;
use model_core::sweep::Family;

/// A line that shows the quantity of its case or link.
pub(super) const fn sweep(name: &'static str, of: Of) -> Sweep {
    Sweep {
        name,
        role: None,
        of,
        measure: None,
        per: &[],
        x: None,
        printed: &[],
        runs: &[],
    }
}

const fn case(name: &'static str, locator: &'static str) -> Sweep {
    sweep(name, Of::Case(locator))
}

const fn of(
    name: &'static str,
    link: &'static str,
    measure: (&'static str, &'static str),
) -> Sweep {
    Sweep {
        measure: Some(measure),
        ..sweep(name, Of::Link(link))
    }
}

const fn coloured(role: Role, sweep: Sweep) -> Sweep {
    Sweep {
        role: Some(role),
        ..sweep
    }
}

/// A batch, in all.
const BATCH: Along = Along::Keys(Number::Batch, &[("batch", 1.0)]);
const SLOTS: Along = Along::Keys(Number::Slots, &[("slots", 1.0)]);
const CONTEXT: Along = Along::Keys(Number::Context, &[("context", 1.0)]);
const RATIO: Along = Along::Keys(Number::Ratio, &[("r", 1.0)]);

const PLAN: Plan = Plan {
    id: Curve::A10,
    x: "",
    y: "",
    log: (true, false),
    along: BATCH,
    per_gpu: false,
    printed: true,
    fits: false,
    ends: (1.0, 512.0),
    powers: false,
    bound: None,
    rule: None,
    sweeps: &[],
    finding: "",
    claim: "",
};

/// [A]'s three systems.
const SMALL: &str = "v=1&gpus=32&redundant=0&calibration=aleph-alpha-2025";
const LARGE: &str = "v=1&calibration=aleph-alpha-2025";
const NVL72: &str = "v=1&gpu=gb200&gpus=48&calibration=aleph-alpha-2025";

/// [B]'s 32 and 64 B200 in one domain, and in nodes of eight.
macro_rules! b200 {
    ($rest:literal) => {
        concat!(
            "v=1&gpu=custom&peak_bf16=2250&hbm=8000&capacity=192&precision=bf16&calibration=ideal&overlap=none&beta=1&redundant=0&scale_up=900&",
            $rest
        )
    };
}

/// [H]'s search.
macro_rules! helix {
    ($model:literal) => {
        concat!(
            "v=1&gpu=gb200&precision=fp4&calibration=helix&overlap=none&context=1M&gpus=64&batch=4096&beta=1&redundant=0&alpha_us=11.5&model=",
            $model
        )
    };
}

/// [R]'s latencies, and [L]'s splits.
const TABLE_2: &str = "v=1&mode=ratio&latencies=table2&calibration=aleph-alpha-2025";
const TABLE_2_ALONE: &str = "v=1&mode=ratio&latencies=table2&calibration=aleph-alpha-2025&r=1";
macro_rules! lamina {
    ($rest:literal) => {
        concat!(
            "v=1&precision=bf16&overlap=none&mode=split&calibration=lamina&",
            $rest
        )
    };
}

pub(super) static FIGURES: [Plan; Curve::ALL.len()] = [
    Plan {
        x: "tokens, log",
        y: "activated experts of 256",
        sweeps: &[case("E[U]", "3.1.2 and Figure 10")],
        finding: "Activated experts by tokens",
        claim: "With 128 tokens nearly all of 256 experts are activated, with few only some. Reproduced: one equation.",
        ..PLAN
    },
    Plan {
        id: Curve::A13,
        x: "sequences per GPU, log",
        y: "tokens/s per GPU",
        log: (true, false),
        per_gpu: true,
        fits: true,
        ends: (8.0, 1536.0),
        sweeps: &[
            of("4×8 H100", SMALL, ("tok_s_gpu", "tokens/s")),
            Sweep {
                runs: &["sgl-h100-ep72-2k"],
                ..of("9×8 H100", LARGE, ("tok_s_gpu", "tokens/s"))
            },
            Sweep {
                runs: &["sgl-gb200-p2-fp8nvfp4"],
                ..of("48 GB200", NVL72, ("tok_s_gpu", "tokens/s"))
            },
        ],
        finding: "Three systems by batch",
        claim: "The model works well on several systems, and is too slow for small batches, where fewer experts are activated than it assumes. \
                The circles are the published runs of SGLang; the later one runs FP4, which the paper's model does not.",
        ..PLAN
    },
    Plan {
        id: Curve::A14,
        x: "sequences per GPU",
        y: "tokens/s per GPU",
        log: (false, false),
        per_gpu: true,
        fits: true,
        ends: (8.0, 512.0),
        sweeps: &[
            of("4×8 H100", SMALL, ("tok_s_gpu", "tokens/s")),
            of("9×8 H100", LARGE, ("tok_s_gpu", "tokens/s")),
            of("48 GB200", NVL72, ("tok_s_gpu", "tokens/s")),
        ],
        finding: "Throughput by batch",
        claim: "At 512 per GPU, 4×8 H100 is more efficient than 9×8, which communication binds, though it has no memory for it. It comes out: dotted \
                is what does not fit.",
        ..PLAN
    },
    Plan {
        id: Curve::A15,
        x: "sequences per GPU",
        y: "tokens/s per GPU",
        log: (false, false),
        per_gpu: true,
        fits: true,
        ends: (8.0, 512.0),
        sweeps: &[
            of("DeepSeek-V3", LARGE, ("tok_s_gpu", "tokens/s")),
            of(
                "Kimi K2",
                "v=1&model=kimi-k2&calibration=aleph-alpha-2025",
                ("tok_s_gpu", "tokens/s"),
            ),
        ],
        finding: "Kimi K2 beside DeepSeek-V3",
        claim: "Kimi K2 is somewhat slower than DeepSeek-V3, most where memory binds. With 384 experts alone it is; Kimi K2 itself has half the \
                heads, and is the faster of the two.",
        ..PLAN
    },
    Plan {
        id: Curve::A16,
        x: "context, log",
        y: "ms per token",
        along: CONTEXT,
        fits: true,
        ends: (1024.0, 131_072.0),
        powers: true,
        sweeps: &[
            of(
                "14 per GPU",
                "v=1&batch=1024&calibration=aleph-alpha-2025",
                ("tpot", "ms"),
            ),
            of(
                "64 per GPU",
                "v=1&batch=4608&calibration=aleph-alpha-2025",
                ("tpot", "ms"),
            ),
            of("256 per GPU", LARGE, ("tpot", "ms")),
        ],
        finding: "Time per token by context",
        claim: "Context costs decode far less than in proportion, but its cache leaves room for few sequences. Reproduced; dotted \
                parts do not fit.",
        ..PLAN
    },
    Plan {
        id: Curve::A17,
        x: "tokens/s per user",
        y: "sequences per GPU",
        log: (false, true),
        along: Along::Keys(Number::Slo, &[("slo", 1.0)]),
        ends: (8.0, 32.0),
        rule: Some((20.0, "the paper’s SLO")),
        sweeps: &[
            Sweep {
                per: &["gpus"],
                ..of("4×8 H100", SMALL, ("limits.batch_at_slo", "1"))
            },
            Sweep {
                per: &["gpus"],
                ..of("9×8 H100", LARGE, ("limits.batch_at_slo", "1"))
            },
            Sweep {
                per: &["gpus"],
                ..of("48 GB200", NVL72, ("limits.batch_at_slo", "1"))
            },
        ],
        finding: "Largest batch under an SLO",
        claim: "At 20 tokens/s the NVL72 serves by far the largest batches, and small deployments suffer most. Reproduced, except memory.",
        ..PLAN
    },
    Plan {
        id: Curve::B3,
        x: "context, log",
        y: "throughput over GPT-3, ×",
        along: CONTEXT,
        ends: (1024.0, 262_144.0),
        powers: true,
        sweeps: &[case("DeepSeek-R1", "IV-A and Figure 3")],
        finding: "DeepSeek-R1 over GPT-3, both full",
        claim: "DeepSeek-R1 serves up to 53.67 times as much as GPT-3 on the same GPUs. Reproduced at the longest context that leaves GPT-3 a sequence.",
        ..PLAN
    },
    Plan {
        id: Curve::B7,
        x: "tensor parallelism, log",
        y: "µs of a layer’s attention, log",
        log: (true, true),
        along: Along::Keys(Number::Gpus, &[("gpus", 1.0), ("tp", 1.0)]),
        ends: (1.0, 8.0),
        powers: true,
        sweeps: &[
            Sweep {
                measure: Some(("operator.role:attention.time", "µs")),
                ..case(
                    "reordered, 256",
                    "Figure 7, deg_TP 8 on reordered attention at a large",
                )
            },
            Sweep {
                measure: Some(("operator.role:attention.time", "µs")),
                ..case(
                    "not reordered, 256",
                    "Figure 7, deg_TP 8 on attention without",
                )
            },
            Sweep {
                measure: Some(("operator.role:attention.time", "µs")),
                ..case(
                    "reordered, 1",
                    "Figure 7, deg_TP 8 on reordered attention at a small",
                )
            },
        ],
        finding: "Latency of attention by TP",
        claim: "Tensor parallelism hardly shortens reordered attention of a large batch, since every GPU reads the whole latent cache. Reproduced.",
        ..PLAN
    },
    Plan {
        id: Curve::B8,
        x: "GPUs, log",
        y: "GB per GPU",
        along: Along::Keys(Number::Gpus, &[("gpus", 1.0)]),
        ends: (16.0, 256.0),
        powers: true,
        sweeps: &[
            Sweep {
                printed: &[(256.0, "Figure 8, experts of DeepSeek-R1 on each of 256")],
                ..coloured(
                    Role::Experts,
                    of(
                        "experts",
                        b200!("model=deepseek-r1&domain=32&gpus=32&batch=256"),
                        ("memory.expert_weights", "GB"),
                    ),
                )
            },
            coloured(
                Role::Attention,
                of(
                    "attention",
                    b200!("model=deepseek-r1&domain=32&gpus=32&batch=256"),
                    ("memory.attention_weights", "GB"),
                ),
            ),
        ],
        finding: "Memory of a GPU by their number",
        claim: "Experts shrink with every GPU, attention weights do not: each GPU keeps them whole. Reproduced, to whole experts.",
        ..PLAN
    },
    Plan {
        id: Curve::B9,
        x: "ms per token, log",
        y: "tokens/s in all, log",
        log: (true, true),
        fits: true,
        ends: (32.0, 16_384.0),
        powers: true,
        sweeps: &[
            Sweep {
                x: Some(("tpot", "ms")),
                ..of(
                    "DeepSeek-R1",
                    b200!("model=deepseek-r1&domain=32&gpus=32&context=8192"),
                    ("tok_s", "tokens/s"),
                )
            },
            Sweep {
                x: Some(("tpot", "ms")),
                ..of(
                    "GPT-3",
                    b200!("model=gpt-3-175b&domain=32&gpus=32&tp=8&context=8192"),
                    ("tok_s", "tokens/s"),
                )
            },
        ],
        finding: "Throughput against latency, 8k tokens",
        claim: "DeepSeek-R1 comes near its ridge point; GPT-3 runs out of memory at 124 sequences, long before. Reproduced; dotted parts do not fit.",
        ..PLAN
    },
    Plan {
        id: Curve::B10,
        x: "sequences, log",
        y: "tokens/s in all",
        fits: true,
        ends: (256.0, 65_536.0),
        powers: true,
        sweeps: &[
            of(
                "2k tokens",
                b200!("model=deepseek-r1&domain=72&gpus=64&context=2048"),
                ("tok_s", "tokens/s"),
            ),
            of(
                "8k tokens",
                b200!("model=deepseek-r1&domain=72&gpus=64&context=8192"),
                ("tok_s", "tokens/s"),
            ),
            of(
                "32k tokens",
                b200!("model=deepseek-r1&domain=72&gpus=64&context=32768"),
                ("tok_s", "tokens/s"),
            ),
        ],
        finding: "64 GPUs by batch and context",
        claim: "Twice the GPUs reach the batch that fills the experts, but not the one that fills attention, which doubles too. Reproduced at 8k tokens.",
        ..PLAN
    },
    Plan {
        id: Curve::B11,
        x: "sequences, log",
        y: "tokens/s in all",
        fits: true,
        ends: (256.0, 65_536.0),
        powers: true,
        sweeps: &[
            of(
                "NVLink",
                b200!("model=deepseek-r1&domain=32&gpus=32&context=2048"),
                ("tok_s", "tokens/s"),
            ),
            of(
                "InfiniBand",
                b200!("model=deepseek-r1&domain=8&scale_out=100&gpus=32&context=2048"),
                ("tok_s", "tokens/s"),
            ),
        ],
        finding: "InfiniBand beside NVLink",
        claim: "Slower links between groups of eight raise the time of communication dramatically and shrink the batch that an SLO allows. It comes out.",
        ..PLAN
    },
    Plan {
        id: Curve::B12,
        x: "interconnect, GB/s, log",
        y: "one of 256 GPUs over 8 × 32, ×",
        along: Along::Keys(Number::Interconnect, &[("interconnect", 1.0)]),
        ends: (50.0, 1800.0),
        bound: Some((1.0, "break-even")),
        sweeps: &[
            case("2k tokens", "VII-C and Figure 12 (a), gain"),
            case("16k tokens", "VII-C and Figure 12 (b), gain"),
        ],
        finding: "One replica over eight",
        claim: "One replica of 256 GPUs needs 900 GB/s to equal eight of 32 at 2k tokens, and 300 GB/s at 16k. Both reproduced.",
        ..PLAN
    },
    Plan {
        id: Curve::H1,
        x: "tensor parallelism, log",
        y: "µs of reading a layer, log",
        log: (true, true),
        along: Along::Keys(Number::Gpus, &[("gpus", 1.0), ("tp", 1.0)]),
        ends: (1.0, 64.0),
        powers: true,
        sweeps: &[
            coloured(
                Role::Kv,
                case("KV cache", "Figure 1 (left), KV cache, TP 1"),
            ),
            coloured(
                Role::Weights,
                case("weights", "Figure 1 (left), weights, TP 1"),
            ),
        ],
        finding: "The cache stops shrinking at TP 8",
        claim: "Beyond as many GPUs as KV heads, tensor parallelism no longer shortens reading the cache. Reproduced with the paper’s own formulas.",
        ..PLAN
    },
    Plan {
        id: Curve::H1Context,
        x: "context, log",
        y: "µs of reading a layer, log",
        log: (true, true),
        along: CONTEXT,
        ends: (65_536.0, 4_194_304.0),
        powers: true,
        sweeps: &[coloured(
            Role::Kv,
            case(
                "KV cache, TP 8",
                "Figure 1 (middle), KV cache, TP 8, S 128k",
            ),
        )],
        finding: "Reading grows with the context",
        claim: "Reading the cache grows in proportion to the context and overtakes the weights. Reproduced with the paper’s own formulas.",
        ..PLAN
    },
    Plan {
        id: Curve::H1Split,
        x: "KVP, log",
        y: "µs of reading a layer, log",
        log: (true, true),
        along: Along::Keys(Number::Kvp, &[("kvp", 1.0), ("gpus", 8.0), ("ffn_tp", 8.0)]),
        ends: (1.0, 8.0),
        powers: true,
        sweeps: &[
            coloured(
                Role::Kv,
                case(
                    "KV cache, TPA 8",
                    "Figure 1 (right), KV cache, TPA 8, KVP 2",
                ),
            ),
            coloured(
                Role::Weights,
                case("weights", "Figure 1 (right), weights, TPA 8, KVP 8"),
            ),
        ],
        finding: "KVP shrinks both",
        claim: "Splitting the context over GPUs shrinks cache and weights alike. Reproduced for the cache; the weights are a quarter less here, since the \
                output projection is split over all GPUs, as the paper’s text has it.",
        ..PLAN
    },
    Plan {
        id: Curve::H3,
        x: "requests",
        y: "units of time",
        log: (false, false),
        along: Along::Requests,
        ends: (1.0, 8.0),
        sweeps: &[
            Sweep {
                printed: &[(8.0, "Figure 3, top: eight requests")],
                ..case("in lockstep", "Figure 3, top: eight requests")
            },
            Sweep {
                printed: &[
                    (8.0, "Figure 3, bottom: the same with HOP-B, as printed"),
                    (8.0, "Figure 3, bottom, from the figure"),
                ],
                ..case("HOP-B", "Figure 3, bottom, from the figure")
            },
        ],
        finding: "HOP-B by requests",
        claim: "Overlapping the exchange request by request takes eight requests from 25.6 to 17 units. Reproduced: 17.2, from the figure’s own numbers.",
        ..PLAN
    },
    Plan {
        id: Curve::H5,
        x: "tokens/s per user",
        y: "tokens/s per GPU, log",
        log: (false, true),
        along: Along::Frontiers(&[&[Family::HelixHopB], &Family::BASELINES]),
        sweeps: &[
            of("Helix", helix!("deepseek-r1"), ("tok_s_gpu", "tokens/s")),
            of(
                "the best other",
                helix!("deepseek-r1"),
                ("tok_s_gpu", "tokens/s"),
            ),
        ],
        finding: "DeepSeek-R1 at a million tokens",
        claim: "Helix reaches 1.5 times the speed, and 32 times the throughput at equal speed. Both reproduced within 15%.",
        ..PLAN
    },
    Plan {
        id: Curve::H6,
        x: "tokens/s per user",
        y: "tokens/s per GPU, log",
        log: (false, true),
        along: Along::Frontiers(&[&[Family::HelixHopB], &Family::BASELINES]),
        sweeps: &[
            of("Helix", helix!("llama-3.1-405b"), ("tok_s_gpu", "tokens/s")),
            of(
                "the best other",
                helix!("llama-3.1-405b"),
                ("tok_s_gpu", "tokens/s"),
            ),
        ],
        finding: "Llama 3.1 405B at a million tokens",
        claim: "Helix reaches 1.13 times the speed, and 4 times the throughput at equal speed. Both reproduced within 15%.",
        ..PLAN
    },
    Plan {
        id: Curve::H7,
        x: "tokens/s per user",
        y: "tokens/s per GPU, log",
        log: (false, true),
        along: Along::Frontiers(&[&[Family::HelixHopB], &[Family::Helix]]),
        sweeps: &[
            of("HOP-B", helix!("llama-3.1-405b"), ("tok_s_gpu", "tokens/s")),
            of(
                "without",
                helix!("llama-3.1-405b"),
                ("tok_s_gpu", "tokens/s"),
            ),
        ],
        finding: "Helix with and without HOP-B",
        claim: "Without HOP-B, Llama 3.1 405B loses about 12 % of a user’s tokens and DeepSeek-R1 1 %. Not reproduced with \
                the one latency that fits the four gains: more is lost.",
        ..PLAN
    },
    Plan {
        id: Curve::R4,
        x: "attention ranks per FFN rank",
        y: "tokens per 1,000 cycles and rank",
        log: (false, false),
        along: RATIO,
        ends: (1.0, 32.0),
        rule: Some((9.3, "r* ≈ 9.3")),
        sweeps: &[of("closed form", TABLE_2, ("ratio.per_instance", "1"))],
        finding: "Throughput by ratio",
        claim: "Throughput per rank is greatest at a ratio of 9.3 and falls beyond. The closed form peaks there; the simulation’s peak is a row below.",
        ..PLAN
    },
    Plan {
        id: Curve::R5,
        x: "attention ranks per FFN rank",
        y: "idle time, %",
        log: (false, false),
        along: RATIO,
        ends: (1.0, 32.0),
        bound: Some((60.0, "“above 60 %” at both ends")),
        sweeps: &[
            coloured(
                Role::Attention,
                of("attention", TABLE_2, ("ratio.idle_attention", "%")),
            ),
            coloured(Role::Experts, of("FFN", TABLE_2, ("ratio.idle_ffn", "%"))),
        ],
        finding: "Idle time by ratio",
        claim: "The FFN idles more than 60 % at a ratio of 1, attention at 32, and both least at about 8. Reproduced, except one point at a ratio of 1.",
        ..PLAN
    },
    Plan {
        id: Curve::R6,
        x: "sequences per micro-batch and attention rank, log",
        y: "best ratio",
        along: SLOTS,
        ends: (64.0, 1024.0),
        sweeps: &[
            case("100 + 500", "Figure 6: B = 128"),
            case("500 + 500", "Figure 7: μ_P = μ_D = 500"),
            case("100 + 100", "Figure 7: μ_P = μ_D = 100"),
        ],
        finding: "Best ratio by micro-batch, prompt + output",
        claim: "The best ratio grows moderately with the batch: 7.08, 9.34 and 10.31 at 128, 256 and 512. It comes out.",
        ..PLAN
    },
    Plan {
        id: Curve::R7,
        x: "mean output, tokens, log",
        y: "best ratio",
        along: Along::Keys(Number::MeanOutput, &[("mu_d", 1.0), ("output", 1.0)]),
        ends: (50.0, 1000.0),
        sweeps: &[
            case("prompt 100", "Figure 7: μ_P = μ_D = 100"),
            case("prompt 500", "Figure 7: μ_P = μ_D = 500"),
        ],
        finding: "Best ratio by output",
        claim: "Longer outputs and longer prompts need more attention: from 2.17 to 9.30 to 17.25. Reproduced.",
        ..PLAN
    },
    Plan {
        id: Curve::R8,
        x: "sequences per micro-batch and attention rank",
        y: "µs",
        log: (false, false),
        along: SLOTS,
        ends: (16.0, 512.0),
        sweeps: &[
            coloured(
                Role::Attention,
                of("attention", TABLE_2_ALONE, ("ratio.t_attention", "µs")),
            ),
            coloured(
                Role::Experts,
                of("FFN", TABLE_2_ALONE, ("ratio.t_ffn", "µs")),
            ),
            coloured(
                Role::Messages,
                of(
                    "communication",
                    TABLE_2_ALONE,
                    ("ratio.t_communication", "µs"),
                ),
            ),
        ],
        finding: "Latencies by micro-batch, one to one",
        claim: "All three latencies are lines in their load: attention in the tokens it keeps, here at the mean of 600 per slot. They are the paper’s Table 2.",
        ..PLAN
    },
    Plan {
        id: Curve::L2,
        x: "batch",
        y: "share of the peak, %",
        log: (false, false),
        ends: (1.0, 300.0),
        sweeps: &[
            case("roofline", "2.2.1 and Figure 2"),
            case("measured kernels", "2.2.1, the same with the memory"),
        ],
        finding: "All but attention leaves the peak unused",
        claim: "Everything but attention uses less than 20 % of the peak up to a batch of 100. A roofline gives more; reproduced with the kernels’ share of bandwidth.",
        ..PLAN
    },
    Plan {
        id: Curve::L3,
        x: "batch",
        y: "share of HBM bandwidth, %",
        log: (false, false),
        ends: (1.0, 100.0),
        bound: Some((70.0, "“above 70 %”")),
        sweeps: &[
            of(
                "4k tokens, H100",
                lamina!(
                    "model=llama-3-70b&batches=1&compute_gpus=2&memory_gpus=2&memory_gpu=h100&context=4k"
                ),
                ("split.mbu", "%"),
            ),
            of(
                "4k tokens, H20",
                lamina!(
                    "model=llama-3-70b&batches=1&compute_gpus=2&memory_gpus=2&memory_gpu=h20&context=4k"
                ),
                ("split.mbu", "%"),
            ),
        ],
        finding: "Attention keeps the memory busy",
        claim: "Attention uses above 70 % of the bandwidth even at a batch of 20, on an H20 too. Reproduced by construction: \
                the calibration takes its 75 % from there.",
        ..PLAN
    },
    Plan {
        id: Curve::L4,
        x: "batch",
        y: "least GB/s per device",
        log: (false, false),
        ends: (1.0, 300.0),
        bound: Some((30.0, "“at most 30”")),
        sweeps: &[
            Sweep {
                measure: Some(("split.min_bandwidth", "GB/s")),
                ..case(
                    "4k tokens",
                    "3.1 and Figure 4 (a), DOP (2,2) at 4096 tokens, α",
                )
            },
            Sweep {
                measure: Some(("split.min_bandwidth", "GB/s")),
                ..case("8k tokens", "3.1 and Figure 4 (a), DOP (2,2) at 8192")
            },
        ],
        finding: "Least bandwidth by batch, DOP (2,2)",
        claim: "At most 30 GB/s keep the network to a fifth more time. Reproduced, read as of each device on the narrower side.",
        ..PLAN
    },
    Plan {
        id: Curve::L10,
        x: "tokens of a request, mean, log",
        y: "throughput over equal price, ×",
        along: Along::Traces,
        bound: Some((1.161, "least printed: 1.16×")),
        sweeps: &[
            of(
                "LLaMA-33B",
                lamina!("reserve=0.1&model=llama-33b"),
                ("split.tok_s_gain", "1"),
            ),
            of(
                "LLaMA-65B",
                lamina!("reserve=0.1&model=llama-65b"),
                ("split.tok_s_gain", "1"),
            ),
            of(
                "LLaMA3-70B",
                lamina!("reserve=0.1&model=llama-3-70b"),
                ("split.tok_s_gain", "1"),
            ),
        ],
        finding: "Gain at equal cost, four traces",
        claim: "For the same cost Lamina serves 16.1 to 90.1 % more than vLLM. Eleven of twelve gain here, the largest far less: vLLM’s own losses are not modelled.",
        ..PLAN
    },
    Plan {
        id: Curve::L11,
        x: "$ per hour",
        y: "tokens/s",
        log: (false, false),
        along: Along::Keys(Number::MemoryGpus, &[("memory_gpus", 1.0)]),
        ends: (2.0, 8.0),
        sweeps: &[
            Sweep {
                x: Some(("split.usd_per_hour", "$/h")),
                ..of(
                    "LLaMA-65B, 2 H100",
                    lamina!(
                        "reserve=0.1&trace=azure-conv&model=llama-65b&compute_gpus=2&memory_gpus=4"
                    ),
                    ("split.tok_s", "tokens/s"),
                )
            },
            Sweep {
                x: Some(("split.usd_per_hour", "$/h")),
                ..of(
                    "LLaMA-65B, 4 H100",
                    lamina!(
                        "reserve=0.1&trace=azure-conv&model=llama-65b&compute_gpus=4&memory_gpus=4"
                    ),
                    ("split.tok_s", "tokens/s"),
                )
            },
        ],
        finding: "Throughput by price, Azure-Conv",
        claim: "More memory devices raise throughput rapidly, more compute devices only mildly. Reproduced; the figure’s bars are not printed as numbers.",
        ..PLAN
    },
    Plan {
        id: Curve::L12,
        x: "batch",
        y: "ms per step",
        log: (false, false),
        ends: (1.0, 300.0),
        sweeps: &[
            coloured(
                Role::Experts,
                of(
                    "model",
                    lamina!("batches=1&model=llama-3-70b&compute_gpus=2&memory_gpus=4&context=4k"),
                    ("split.model", "ms"),
                ),
            ),
            coloured(
                Role::Attention,
                of(
                    "attention",
                    lamina!("batches=1&model=llama-3-70b&compute_gpus=2&memory_gpus=4&context=4k"),
                    ("split.attention", "ms"),
                ),
            ),
            coloured(
                Role::Messages,
                of(
                    "network",
                    lamina!("batches=1&model=llama-3-70b&compute_gpus=2&memory_gpus=4&context=4k"),
                    ("split.network", "ms"),
                ),
            ),
        ],
        finding: "Parts of a step by batch",
        claim: "The model’s time sets small batches and stays nearly constant; attention and network grow with the batch. Reproduced.",
        ..PLAN
    },
];
