//! Tests the calibration `kernels-2026-12` on the engine whose measurements gave its constants.

use model_core::measured::{Edit, compare};
use ridgepoint_tests::runs::engine_steps;
use serde::Deserialize;

use crate::curve::{Point, holds, whole};

#[derive(Deserialize)]
struct File {
    layers: Layers,
    prompts: Vec<Prompts>,
}

/// Measured decode steps of a model that was cut to a few layers: batch, context, and time in ms.
#[derive(Deserialize)]
struct Layers {
    link: String,
    steps: Vec<(u32, u32, f64)>,
}

/// Measured prefill times of single prompts: number of tokens, and time in ms.
#[derive(Deserialize)]
struct Prompts {
    model: String,
    link: String,
    times: Vec<(u32, f64)>,
}

fn file() -> File {
    let text = include_str!("../golden/kernels-2026-12/engine.toml");
    toml::from_str(text).expect("it is TOML")
}

const CALIBRATION: &str = "calibration=kernels-2026-12";

/// Returns the decode steps of complete models, with the tolerance of each.
fn of_models() -> Vec<(Point, f64)> {
    let steps = engine_steps().map(|run| {
        let found = compare(run, &Edit::keys(CALIBRATION)).expect(run.id);
        let point = Point {
            row: run.id.to_owned(),
            measured: found.measured.get(),
            model: found.computed.get(),
        };
        // At this batch, the FP8 GEMMs of Qwen3-32B run with an inefficient tile.
        let bad_tile = run.id.starts_with("h200-qwen3-32b-b32-");
        (point, if bad_tile { 0.13 } else { 0.10 })
    });
    steps.collect()
}

/// Returns the decode steps of a model cut to three layers, each with its tolerance.
fn of_layers() -> Vec<(Point, f64)> {
    let Layers { link, steps } = file().layers;
    let step = |(batch, context, millis): (u32, u32, f64)| {
        let keys = format!("{link}&batch={batch}&context={context}&{CALIBRATION}");
        let point = Point {
            row: format!("three layers, batch {batch}, context {context}"),
            measured: millis * 1e-3,
            model: whole(&keys).1.tpot.get(),
        };
        // The host loop takes at least 2.4 ms, and CUTLASS GEMMs in blocks of 128 are slower.
        let tolerance = match batch {
            1 => 0.43,
            8 => 0.16,
            _ => 0.10,
        };
        (point, tolerance)
    };
    steps.into_iter().map(step).collect()
}

#[test]
fn open_decode_points() {
    let all: Vec<(Point, f64)> = of_models().into_iter().chain(of_layers()).collect();
    assert_eq!(all.len(), 50);
    for (point, tolerance) in &all {
        let error = point.model / point.measured - 1.0;
        assert!(error.abs() <= *tolerance, "{}: {error:+.3}", point.row);
    }
    let points: Vec<Point> = all.into_iter().map(|(point, _)| point).collect();
    holds(
        "decode steps of vLLM on one H200",
        &points,
        0.05,
        "the constants of engine overhead come from these points",
    );
}

/// Checks the times of single prompts: prefill, plus the output head and sampling of one token.
#[test]
fn open_prompts() {
    let mut points = Vec::new();
    for Prompts { model, link, times } in file().prompts {
        for (tokens, millis) in times {
            let keys =
                format!("{link}&batch=1&prompt={tokens}&output=1&serving=aggregated&{CALIBRATION}");
            let (_, evaluation) = whole(&keys);
            let prompt = evaluation.prefills.expect("prompts are read beside decode");
            let last = evaluation.breakdown.head + evaluation.breakdown.host;
            points.push(Point {
                row: format!("{model}, {tokens} tokens"),
                measured: millis * 1e-3,
                model: (prompt.each + last).get(),
            });
        }
    }
    assert_eq!(points.len(), 14);
    holds(
        "single prompts of vLLM on one H200",
        &points,
        0.05,
        "prefill's traffic comes from these points, its products do not",
    );
}
