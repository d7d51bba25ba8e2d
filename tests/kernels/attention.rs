//! Tests three constants of the attention kernel on measured times of MLA kernels: compute efficiency σ_a, fixed
//! latency τ_a and padding tokens s₀.

use model_core::ops::Kind;
use serde::Deserialize;

use crate::curve::{Point, blackwell, holds, run};

#[derive(Deserialize)]
struct File {
    table: Vec<Table>,
}

#[derive(Deserialize)]
struct Table {
    gpu: String,
    cache: String,
    cells: Vec<(f64, f64, f64)>,
}

/// Returns measured and computed attention times for an accelerator family and a KV cache format, with compute in
/// `format`.
fn points(is_blackwell: bool, cache: &str, format: &str) -> Vec<Point> {
    let file: File =
        toml::from_str(include_str!("../golden/kernels-2026/attention.toml")).expect("it is TOML");
    let bytes = if cache == "fp8" { 1 } else { 2 };
    file.table
        .iter()
        .filter(|table| blackwell(&table.gpu) == is_blackwell && table.cache == cache)
        .flat_map(|table| {
            table.cells.iter().map(move |(batch, context, millis)| {
                let gpu = &table.gpu;
                let link = format!(
                    "gpu={gpu}&gpus=1&redundant=0&beta=1&batch={batch}&context={context}&kv={bytes}&fmt_attn={format}"
                );
                let (scenario, evaluation) = run(&link);
                let core = evaluation
                    .timed(&scenario)
                    .find(|timed| timed.operator.kind == Kind::Attention);
                Point {
                    row: format!("{gpu}, {batch} sequences of {context}"),
                    measured: millis * 1e-3,
                    model: core.map_or(0.0, |timed| timed.time.get()),
                }
            })
        })
        .collect()
}

#[test]
fn core_times() {
    holds(
        "σ_a, τ_a and s₀, Hopper",
        &points(false, "bf16", "bf16"),
        0.05,
        "two GPUs share a column, and one sequence runs on few of their multiprocessors",
    );
    holds(
        "σ_a, τ_a and s₀, Blackwell",
        &points(true, "bf16", "bf16"),
        0.16,
        "64 sequences of 1,024 tokens take two thirds of what a line through the longer ones gives",
    );
}

/// Checks attention-kernel times with an FP8 KV cache, which were not used for the calibration. With an FP8 cache,
/// Hopper computes in BF16 and Blackwell in FP8.
#[test]
fn eight_bit_cache_core_times() {
    holds(
        "the same with an FP8 cache, Hopper",
        &points(false, "fp8", "bf16"),
        0.20,
        "its kernels are faster than those with a BF16 cache, by up to 15 %",
    );
    holds(
        "the same with an FP8 cache, Blackwell",
        &points(true, "fp8", "fp8"),
        0.25,
        "measured in BF16 alone",
    );
}
