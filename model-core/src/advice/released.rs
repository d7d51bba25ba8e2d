//! The format that a model's maker released it in.

use crate::precision::NamedPrecision;
use crate::scenario::Model;
use crate::source::Source;

/// Models whose maker publishes weights in eight bits, with the repository.
const EIGHT_BITS: [(&str, Source); 4] = [
    (
        "deepseek-v3",
        Source::new("Hugging Face", "deepseek-ai/DeepSeek-V3, trained in FP8"),
    ),
    (
        "deepseek-r1",
        Source::new("Hugging Face", "deepseek-ai/DeepSeek-R1, trained in FP8"),
    ),
    (
        "kimi-k2",
        Source::new("Hugging Face", "moonshotai/Kimi-K2-Instruct, block FP8"),
    ),
    (
        "qwen3-235b-a22b",
        Source::new("Hugging Face", "Qwen/Qwen3-235B-A22B-FP8"),
    ),
];

/// The precision of the weights that the model's maker published, where it is one of the named ones and
/// narrower than two bytes: what serving it in costs nothing, not even a doubt.
pub fn released(model: &Model) -> Option<(NamedPrecision, Source)> {
    let Model::Catalog(entry) = model else {
        return None;
    };
    EIGHT_BITS
        .iter()
        .find(|(id, _)| *id == entry.id)
        .map(|(_, source)| (NamedPrecision::DeepseekFp8, *source))
}
