//! Pasted benchmarks: what output, result files, logs and launch commands of engines state.
//!
//! A paste is cleaned ([`clean`](mod@clean)), each line goes to the first reader that knows it (`gather`), runs become
//! points by Little's law ([`point`]), settings become keys of a link (`layout`), and both a [`Reading`], which makes a
//! scenario. All of it is a pure function of the text, in time proportional to its length.
//!
//! Formats were read in the sources of vllm-project/vllm, sgl-project/sglang, NVIDIA/TensorRT-LLM, ai-dynamo/aiperf,
//! SemiAnalysisAI/InferenceX, llm-d/llm-d-benchmark and ggml-org/llama.cpp, to November 2026.

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
