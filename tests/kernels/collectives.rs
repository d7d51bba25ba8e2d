//! Tests the collective latency α_c and the bandwidth efficiencies of all-reduce (σ_r) and all-gather (σ_ag), on
//! measurements of NCCL and of the engines' custom all-reduce.

use model_core::cost::collective::Collective;
use serde::Deserialize;

use crate::curve::{Point, blackwell, holds, run};

#[derive(Deserialize)]
struct File {
    nccl: Vec<Nccl>,
    graph: Vec<Graph>,
    constants: Constants,
}

#[derive(Deserialize)]
struct Nccl {
    gpu: String,
    gpus: u32,
    op: String,
    small_us: f64,
    big_ms: f64,
}

#[derive(Deserialize)]
struct Graph {
    engine: String,
    gpu: String,
    cells: Vec<(f64, f64)>,
}

#[derive(Deserialize)]
struct Constants {
    kernel_us: f64,
    message_us: f64,
    bandwidth: f64,
}

/// Size of NCCL's large transfers, in bytes.
const LARGE: f64 = 536_870_912.0;

fn file() -> File {
    toml::from_str(include_str!("../golden/kernels-2026/collectives.toml")).expect("it is TOML")
}

fn message(link: &str, which: Collective) -> f64 {
    let (scenario, evaluation) = run(link);
    evaluation
        .messages(&scenario)
        .iter()
        .find(|message| message.collective == which)
        .map_or(0.0, |message| message.time.get())
}

/// Returns the model's time for an all-reduce of `bytes`. The payload is hidden states of Llama 70B, 16,384 bytes per
/// token.
fn all_reduce(gpu: &str, gpus: u32, bytes: f64) -> f64 {
    let batch = (bytes / 16_384.0).max(1.0);
    let link = format!(
        "model=llama-3-70b&gpu={gpu}&gpus={gpus}&dp=1&tp={gpus}&ffn_tp={gpus}&batch={batch}&precision=bf16"
    );
    message(&link, Collective::AttentionAllReduce)
}

/// Returns the model's time for an all-gather of `bytes` over all GPUs. The payload is the expert outputs of Qwen3,
/// 8,192 bytes per token.
fn all_gather(gpu: &str, gpus: u32, bytes: f64) -> f64 {
    let batch = bytes / f64::from(gpus) / 8192.0;
    let link = format!(
        "model=qwen3-235b-a22b&gpu={gpu}&gpus={gpus}&dp=1&tp={gpus}&ffn_tp=1&ep={gpus}&redundant=0&beta=1&batch={batch}&precision=bf16"
    );
    message(&link, Collective::ExpertAllGather)
}

#[test]
fn large_collective_times() {
    let time = |op: &str| match op {
        "all_reduce" => all_reduce,
        _ => all_gather,
    };
    for (name, op, is_blackwell) in [
        ("σ_r, Hopper", "all_reduce", false),
        ("σ_r, Blackwell", "all_reduce", true),
        ("σ_ag, Hopper", "all_gather", false),
        ("σ_ag, Blackwell", "all_gather", true),
    ] {
        let points: Vec<Point> = file()
            .nccl
            .iter()
            .filter(|row| row.op == op && blackwell(&row.gpu) == is_blackwell)
            .map(|row| Point {
                row: row.gpu.clone(),
                measured: row.big_ms * 1e-3,
                model: time(op)(&row.gpu, row.gpus, LARGE),
            })
            .collect();
        holds(
            name,
            &points,
            0.06,
            "four and eight GPUs of a family share a number",
        );
    }
}

/// Checks that the calibration's collective latency equals the recorded constant, 10 µs. It is between NCCL's latency
/// in CUDA graphs and its latency when launched separately. GEMM latency and HBM efficiency also equal their recorded
/// constants.
#[test]
fn start_of_collectives() {
    let file = file();
    let (scenario, _) = run("gpu=h100&gpus=8");
    let start = scenario.calibration.messages.all_reduce.start.get() * 1e6;
    let range = |numbers: Vec<f64>| {
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(0.0, f64::max);
        (least, most)
    };
    let launched = range(file.nccl.iter().map(|row| row.small_us).collect());
    let recorded = range(file.graph.iter().map(|row| row.cells[0].1).collect());
    println!(
        "α_c: {start} µs; NCCL launched {:.1} to {:.1} µs, recorded in a graph {:.1} to {:.1} µs",
        launched.0, launched.1, recorded.0, recorded.1
    );
    assert!(recorded.1 <= start && start <= launched.0);
    assert!((start - file.constants.message_us).abs() < 1e-9);
    let gemm = scenario.calibration.starts.gemm.get() * 1e6;
    assert!((gemm - file.constants.kernel_us).abs() < 1e-9);
    assert!((1.0 / scenario.calibration.memory - file.constants.bandwidth).abs() < 1e-9);
}

/// Checks the engines' custom all-reduce, which was not used for the calibration. Compared with NCCL, it starts
/// sooner but reaches a smaller share of the link bandwidth.
#[test]
fn recorded_all_reduces() {
    let points: Vec<Point> = file()
        .graph
        .iter()
        .flat_map(|row| {
            row.cells.iter().map(|(bytes, micros)| Point {
                row: format!("{} on {}, {bytes} B", row.engine, row.gpu),
                measured: micros * 1e-6,
                model: all_reduce(&row.gpu, 8, *bytes),
            })
        })
        .collect();
    holds(
        "α_c and σ_r beside engines' own all-reduce",
        &points,
        0.55,
        "of a few kilobytes they take 3 to 7 µs where α_c has 10; of megabytes up to twice as long as NCCL's share",
    );
    for point in points {
        let micros = (point.model - point.measured) * 1e6;
        assert!(micros.abs() < 36.0, "{}: {micros} µs", point.row);
    }
}
