//! Benchmarks Ridgepoint itself on one core. Measures scenario evaluations and permalink reports per second, the time
//! of anchoring, and the time of one AFD simulation.
//!
//! Times vary on a shared machine, so compare ratios within one run. Where a stable figure is needed, count
//! instructions with `valgrind --tool=callgrind` (`-- count` runs a fixed 100,000 evaluations).

use std::hint::black_box;
use std::time::Instant;

use model_core::afd::simulate::Simulation;
use model_core::anchor::anchored;
use model_core::evaluate::evaluate;
use model_core::permalink;
use model_core::report::report;
use model_core::scenario::Scenario;

const LINKS: [&str; 4] = [
    "v=1",
    "v=1&model=kimi-k2&gpus=256&overlap=none&calibration=ideal",
    "v=1&model=llama-3.1-405b&gpus=64&gpu=gb200&precision=fp4&tp=8&kvp=8&ffn_tp=64&overlap=hop-b",
    "v=1&gpus=64&gpu=gb200&context=1M&batch=64&tp=1&kvp=64&dp=1&ep=64",
];

/// Permalink of an LLM with three groups of layers: dense first layers, then layers with two kinds of attention.
const THREE_GROUPS: &str = "v=1&model=kimi-k3&gpu=gb200";

/// Permalink with eight measurements. It uses permalink version 3, whose defaults are the slowest to evaluate.
const MEASURED: &str = "v=3&model=deepseek-v3&gpu=h200&serving=aggregated&prompt=4000&output=500\
    &measured=11ms@1,12ms@2,13ms@4,15ms@8,19ms@16,26ms@32,38ms@64x8000+500,60ms@128x9000";

fn main() {
    let scenarios = read(&LINKS);
    if std::env::args().any(|argument| argument == "count") {
        run(&scenarios, 100_000);
        return;
    }
    let evaluations = 4_000_000;
    let per_second = rate(evaluations, || run(&scenarios, evaluations));
    println!("evaluations/s     {per_second:>12.0}");
    for (name, link) in [
        ("default", "v=2"),
        ("version 1", LINKS[0]),
        ("three groups", THREE_GROUPS),
    ] {
        let scenarios = read(&[link]);
        let per_second = rate(evaluations, || run(&scenarios, evaluations));
        println!("  {name:<15} {per_second:>12.0}");
    }
    let links = 2_000;
    let per_second = rate(links, || {
        for index in 0..links {
            black_box(report(black_box(LINKS[index % LINKS.len()])));
        }
    });
    println!("links/s           {per_second:>12.0}");
    let measured = permalink::read(MEASURED).current;
    let count = 1_000;
    let per_second = rate(count, || {
        for _ in 0..count {
            black_box(anchored(black_box(&measured)));
        }
    });
    println!("anchoring         {:>9.3} ms", 1e3 / per_second);
    // [R]'s largest unit: 10,000 requests on each of 32 attention ranks with 256 sequences per micro-batch.
    let bundle = permalink::read("v=1&latencies=table2").current.bundle();
    if let Ok(bundle) = bundle {
        let start = Instant::now();
        black_box(Simulation::run(black_box(bundle.setup(32.0))));
        println!(
            "simulation 32A-1F {:>9.1} ms",
            start.elapsed().as_secs_f64() * 1e3
        );
    }
}

fn read(links: &[&str]) -> Vec<Scenario> {
    links
        .iter()
        .filter_map(|link| permalink::read(link).current.scenario().ok())
        .collect()
}

fn run(scenarios: &[Scenario], evaluations: usize) {
    for index in 0..evaluations {
        let mut scenario = scenarios[index % scenarios.len()];
        scenario.workload.batch = 64.0 + (index % 4096) as f64;
        let _ = black_box(evaluate(black_box(&scenario)));
    }
}

fn rate(count: usize, work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    count as f64 / start.elapsed().as_secs_f64()
}
