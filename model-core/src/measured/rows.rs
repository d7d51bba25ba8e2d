//! All measured runs.

use super::row::Measurement;
use super::{
    cloudmatrix, deepseek, inferencex, offline, offline_layers, offline_qwen, sglang, tensorrt,
    vllm,
};

/// Every row, by publication.
pub fn rows() -> impl Iterator<Item = &'static Measurement> {
    [
        deepseek::ROWS,
        sglang::ROWS,
        vllm::ROWS,
        cloudmatrix::ROWS,
        tensorrt::ROWS,
        inferencex::ROWS,
        offline::ROWS,
        offline_qwen::ROWS,
        offline_layers::ROWS,
    ]
    .into_iter()
    .flatten()
}
