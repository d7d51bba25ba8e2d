//! Maps model and accelerator names found in benchmarks to catalog entries.

use crate::arch::catalog::{self as models, CATALOG};
use crate::hardware::catalog as gpus;

/// Weight formats that a checkpoint name can state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// FP8.
    Fp8,
    /// NVFP4, or FP4 for all weights.
    Fp4,
    /// BF16.
    Bf16,
    /// 4-bit weights with 16-bit compute or activations: INT4, AWQ, GPTQ, MXFP4.
    FourBits,
}

impl Weights {
    /// Returns the weight format denoted by a word of a checkpoint name or by the value of a quantization flag.
    pub fn of(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "fp8" | "fp8_block_scales" | "w8a8_fp8" | "fp8_e4m3" => Self::Fp8,
            "nvfp4" | "fp4" | "modelopt_fp4" => Self::Fp4,
            "bf16" | "bfloat16" => Self::Bf16,
            "int4" | "awq" | "awq_marlin" | "gptq" | "gptq_marlin" | "mxfp4" | "w4a16" => {
                Self::FourBits
            }
            _ => return None,
        })
    }
}

/// Words that may end a checkpoint's name without being part of the model's name.
const SUFFIXES: [&str; 15] = [
    "instruct", "chat", "thinking", "base", "it", "dynamic", "hf", "gguf", "moe", "w4afp8", "w8a8",
    "v2", "128e", "16e", "17b",
];

/// A model name as written in a benchmark, and the catalog model and weight format that it refers to.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelName {
    /// Checkpoint name without the owner (the part before the slash), truncated if long.
    pub name: String,
    /// Catalog entry of the model; `None` if the model is unknown.
    pub entry: Option<&'static models::Entry>,
    /// Weight format that the name states, if any.
    pub weights: Option<Weights>,
}

/// Max length of a checkpoint name, in characters; longer names are truncated.
const LONGEST: usize = 80;

/// Returns the model that a path or name refers to. Known suffixes, dates and weight formats are dropped from the end
/// of the name until a catalog entry matches.
pub fn model(path: &str) -> ModelName {
    let path = path
        .trim()
        .trim_matches(['"', '\'', '`'])
        .trim_end_matches('/');
    let last = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name: String = last.chars().take(LONGEST).collect();
    let lower = name.to_lowercase().replace([' ', '_'], "-");
    let lower = lower.trim_end_matches(".gguf");
    let mut rest = lower.strip_prefix("meta-").unwrap_or(lower);
    let mut weights = None;
    loop {
        let entry = row(rest);
        let dropped = rest.rsplit_once('-').filter(|(_, word)| {
            let date = word.len() == 4 && word.bytes().all(|digit| digit.is_ascii_digit());
            date || SUFFIXES.contains(word) || Weights::of(word).is_some()
        });
        match (entry, dropped) {
            (None, Some((before, word))) => {
                weights = weights.or_else(|| Weights::of(word));
                rest = before;
            }
            (entry, _) => {
                return ModelName {
                    name,
                    entry,
                    weights,
                };
            }
        }
    }
}

/// Returns the catalog entry whose identifier is `name`, or whose name equals `name` when spaces are written as
/// dashes.
fn row(name: &str) -> Option<&'static models::Entry> {
    let named = |entry: &&'static models::Entry| {
        let mut letters = entry.name.bytes().map(|letter| match letter {
            b' ' => b'-',
            letter => letter.to_ascii_lowercase(),
        });
        name.bytes().all(|letter| letters.next() == Some(letter)) && letters.next().is_none()
    };
    models::find(name).or_else(|| CATALOG.iter().find(named))
}

/// Accelerators whose names consist of several words, each with its catalog identifier.
const IN_WORDS: [(&[&str], &str); 8] = [
    (&["h100", "pcie"], "h100-pcie"),
    (&["h100", "nvl"], "h100-nvl"),
    (&["rtx", "pro", "6000"], "rtx-pro-6000"),
    (&["rtx", "5090"], "rtx-5090"),
    (&["rtx", "4090"], "rtx-4090"),
    (&["rtx", "3090"], "rtx-3090"),
    (&["strix", "halo"], "strix-halo"),
    (&["dgx", "spark"], "gb10"),
];

/// Returns the accelerator that a text names, matching whole words: `NVIDIA-H200`, `b200-nv_1`, `8 x MI300X`.
pub fn gpu(text: &str) -> Option<&'static gpus::Entry> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = words(&lower).collect();
    let has = |word: &&str| words.contains(word);
    let several = IN_WORDS.iter().find(|(all, _)| all.iter().all(has));
    let single = || words.iter().find_map(|word| gpus::find(word));
    several.and_then(|(_, id)| gpus::find(id)).or_else(single)
}

/// Returns the accelerator in a sentence, and its count if a number adjoins the name, as in `8 H200`, `8x H200`,
/// `H200 x8`.
pub fn counted_gpu(text: &str) -> Option<(&'static gpus::Entry, Option<f64>)> {
    let found = gpu(text)?;
    let lower = text.to_lowercase();
    let words: Vec<&str> = words(&lower).filter(|word| *word != "nvidia").collect();
    let at = words.iter().position(|word| found.id.starts_with(word))?;
    let number = |word: &&str| {
        let digits = word.trim_end_matches('x').trim_start_matches('x');
        let count: f64 = digits.parse().ok()?;
        (1.0..=4096.0).contains(&count).then_some(count)
    };
    let before = words[..at].iter().rev().find(|word| **word != "x");
    let before = before.and_then(number);
    let behind = match &words[at + 1..] {
        ["x", count, ..] => number(count),
        [count, ..] if count.starts_with('x') => number(count),
        _ => None,
    };
    Some((found, before.or(behind)))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let apart = |mark: char| !mark.is_alphanumeric();
    text.split(apart).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn checkpoints_name_models_and_weights() {
        for (path, id, weights) in [
            (
                "nvidia/DeepSeek-R1-0528-FP4",
                "deepseek-r1",
                Some(Weights::Fp4),
            ),
            ("deepseek-ai/DeepSeek-V3.1", "deepseek-v3", None),
            ("meta-llama/Llama-3.3-70B-Instruct", "llama-3-70b", None),
            (
                "meta-llama/Meta-Llama-3.1-70B-Instruct-AWQ",
                "llama-3-70b",
                Some(Weights::FourBits),
            ),
            (
                "Qwen/Qwen3-235B-A22B-Instruct-2507-FP8",
                "qwen3-235b-a22b",
                Some(Weights::Fp8),
            ),
            ("nvidia/Kimi-K2.5-NVFP4", "kimi-k2.5", Some(Weights::Fp4)),
            (
                "gpt-oss 120B MXFP4 MoE",
                "gpt-oss-120b",
                Some(Weights::FourBits),
            ),
            (
                "/models/zai-org/GLM-5.2-FP8/",
                "glm-5.2",
                Some(Weights::Fp8),
            ),
            (
                "mistralai/Mistral-Large-3-675B-Instruct-2512",
                "mistral-large-3",
                None,
            ),
        ] {
            let found = model(path);
            assert_eq!(found.entry.map(|entry| entry.id), Some(id), "{path}");
            assert_eq!(found.weights, weights, "{path}");
        }
        let own = model("org/our-model-FP8");
        assert_eq!((own.entry, own.weights), (None, Some(Weights::Fp8)));
        assert_eq!(own.name, "our-model-FP8");
    }

    #[test]
    fn accelerators_are_whole_words() {
        let id = |text: &str| gpu(text).map(|entry| entry.id);
        assert_eq!(id("b200-nv_1"), Some("b200"));
        assert_eq!(id("NVIDIA-H200"), Some("h200"));
        assert_eq!(id("NVIDIA B200, memory 178.35 GB"), Some("b200"));
        assert_eq!(id("NVIDIA H100 PCIe"), Some("h100-pcie"));
        assert_eq!(id("NVIDIA H100 80GB HBM3"), Some("h100"));
        assert_eq!(id("GeForce RTX 4090"), Some("rtx-4090"));
        assert_eq!(id("xb200y"), None);
        let counted = |text: &str| counted_gpu(text).map(|(entry, count)| (entry.id, count));
        assert_eq!(
            counted("Node has 8 H200, engine"),
            Some(("h200", Some(8.0)))
        );
        assert_eq!(counted("on 8x H200"), Some(("h200", Some(8.0))));
        assert_eq!(counted("8 x H200"), Some(("h200", Some(8.0))));
        assert_eq!(counted("H200 x8"), Some(("h200", Some(8.0))));
        assert_eq!(counted("H200 x 8"), Some(("h200", Some(8.0))));
        assert_eq!(counted("an H200 node"), Some(("h200", None)));
    }
}
