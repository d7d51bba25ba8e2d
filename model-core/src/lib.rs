//! The performance model of Ridgepoint: finds what limits an LLM deployment, and what would help.
//!
//! A decode step is a list of operators. A plan shards them over GPUs, and a schedule
//! adds up their times or overlaps them. The models of five papers are
//! special cases of this one:
//!
//! - \[A\] DeepSeek inference theoretical model, \[B\] the new LLM bottleneck, \[H\] Helix parallelism,
//!   \[R\] attention/FFN ratios, \[L\] model–attention disaggregation.
//!
//! Data flows one way, in the order of the modules below. [`inputs::Inputs`] (from
//! [`permalink`]) become a checked [`scenario::Scenario`], which [`evaluate`](evaluate::evaluate)
//! turns into an [`evaluate::Evaluation`]. [`limits`], [`levers`] and [`needs`] answer further
//! questions by evaluating again.
//!
//! The crate is a library of pure functions: no clock, no IO, no threads, no web. Native and wasm
//! builds give bit-identical results.

pub mod account;
pub mod afd;
pub mod anchor;
pub mod apart;
pub mod arch;
pub mod bench;
pub mod bottleneck;
pub mod calibration;
pub mod candidates;
pub mod compare;
pub mod correction;
pub mod cost;
pub mod diagnosis;
pub mod engine_memory;
pub mod evaluate;
pub mod extrapolation;
mod fields;
pub mod hardware;
pub mod inputs;
pub mod label;
pub mod lamina;
pub mod levers;
pub mod limits;
pub mod math;
pub mod measured;
pub mod measurement;
mod named;
pub mod needs;
pub mod number;
pub mod ops;
pub mod order;
pub mod pareto;
pub mod permalink;
pub mod plan;
pub mod precision;
pub mod preset;
pub mod refusal;
pub mod report;
pub mod scenario;
pub mod schedule;
pub mod search;
mod sent;
pub mod service;
pub mod shape;
pub mod source;
pub mod specs;
pub mod startup_log;
pub mod sweep;
pub mod timeline;
pub mod trace;
pub mod turning;
pub mod units;
pub mod workload;
