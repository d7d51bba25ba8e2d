//! Reads pasted benchmarks: tool output, result files, engine logs and launch commands.
//!
//! A paste is first cleaned ([`clean`](mod@clean)); then each line goes to the first reader that recognizes it
//! (`gather`). Runs are converted to measured points by Little's law ([`point`]), and settings to permalink keys
//! (`layout`). Points and keys form a [`Reading`], which can be applied to a scenario. All steps are pure functions
//! of the text and take time proportional to its length.
//!
//! The formats are taken from the sources of vllm-project/vllm, sgl-project/sglang, NVIDIA/TensorRT-LLM,
//! ai-dynamo/aiperf, SemiAnalysisAI/InferenceX, llm-d/llm-d-benchmark and ggml-org/llama.cpp, up to November 2026.

mod blocks;
mod checks;
pub mod clean;
mod command;
mod csv;
pub mod fact;
mod flags;
mod gather;
mod json;
mod launch;
mod layout;
mod llama;
mod logs;
mod names;
pub mod note;
mod objects;
pub mod point;
mod reader;
mod reading;
mod report;
mod said;
mod stated;
mod tree;
mod typed;
mod yaml;

pub use fact::{Fact, How, Value};
pub use launch::Server;
pub use note::{Contradiction, Note};
pub use point::{Point, Throughput};
pub use reader::{acceptance, read};
pub use reading::{IdleTtft, ReadLine, Reading};
pub use said::At;
pub use stated::{Format, TimeSource};
