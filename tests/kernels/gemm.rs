//! Tests three GEMM constants on measured times of DeepGEMM, to which none of them was fitted: launch latency τ_g, HBM
//! efficiency σ_m, and compute efficiency σ_g.

use model_core::ops::{KernelClass, Kind, Operator, PerToken};
use model_core::units::{Bytes, Flop};
use serde::Deserialize;

use crate::curve::{Point, holds, run};

#[derive(Deserialize)]
struct File {
    row: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    m: f64,
    n: f64,
    k: f64,
    tflops: f64,
}

fn points(rows: fn(f64) -> bool) -> Vec<Point> {
    let file: File =
        toml::from_str(include_str!("../golden/kernels-2026/gemm.toml")).expect("it is TOML");
    let (_, evaluation) = run("gpu=h800&gpus=8");
    file.row
        .iter()
        .filter(|row| rows(row.m))
        .map(|&Row { m, n, k, tflops }| {
            let flop = 2.0 * m * n * k;
            // The router is the GEMM that runs in the FFN's FP8.
            let operator = Operator {
                kernel: KernelClass::Ffn,
                kind: Kind::Router,
                flop: Flop::new(flop),
                weights: Bytes::new(n * k),
                activations: Bytes::new(m * k + 2.0 * m * n),
                kv: Bytes::ZERO,
                rows: m,
                per_context_token: PerToken::NONE,
            };
            Point {
                row: format!("{m} × {n} × {k}"),
                measured: flop / (tflops * 1e12),
                model: evaluation.rates.time(&operator).get(),
            }
        })
        .collect()
}

#[test]
fn small_product_times() {
    holds(
        "τ_g and σ_m, DeepGEMM with 64 and 128 rows",
        &points(|rows| rows < 1000.0),
        0.12,
        "DeepGEMM is timed without its launch, about 1 µs of 8 to 50",
    );
}

#[test]
fn large_product_times() {
    holds(
        "σ_g, DeepGEMM with 4,096 rows",
        &points(|rows| rows > 1000.0),
        0.30,
        "shares range from 0.30 to 0.69 by shape: prefill is marked as extrapolated",
    );
}
