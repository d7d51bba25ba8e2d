//! Reads YAML files: reports of llm-d, and settings of TensorRT-LLM.

use super::launch::{Launch, Object, Role, Server};
use super::names;
use super::said::{At, Said, factor};
use super::stated::{Format, Stated};
use super::tree::Tree;

/// Keys that may be the first key of an llm-d report.
const REPORT: [&str; 4] = ["version", "run", "scenario", "results"];
/// Keys that may be the first key of a TensorRT-LLM settings file.
const SETTINGS: [&str; 12] = [
    "enable_attention_dp",
    "kv_cache_config",
    "speculative_config",
    "cuda_graph_config",
    "moe_config",
    "max_batch_size",
    "max_num_tokens",
    "tensor_parallel_size",
    "moe_expert_parallel_size",
    "pipeline_parallel_size",
    "print_iter_log",
    "attention_dp_config",
];

/// Tests whether a line may be the first line of an llm-d report or a TensorRT-LLM settings file.
pub fn starts(line: &str) -> bool {
    let top = !line.starts_with([' ', '-', '#']);
    let key = super::yaml::entry(line).filter(|_| top).map(|(key, _)| key);
    key.is_some_and(|key| REPORT.contains(&key) || SETTINGS.contains(&key))
}

/// Reads the runs and settings in a file; returns `None` if it is neither an llm-d report nor TensorRT-LLM settings.
pub fn read(tree: &Tree) -> Option<Object> {
    let performance = tree.at(&["results", "request_performance", "aggregate"]);
    if performance.is_some() || tree.at(&["scenario", "stack"]).is_some() {
        // Without results, add an empty run, so that a note says that no time was read.
        let run =
            performance.map_or_else(|| Stated::of(Format::LlmD), |results| run(tree, results));
        let mut object = Object {
            runs: vec![run],
            ..Object::default()
        };
        stack(&mut object.launch, tree);
        if object
            .launch
            .role
            .is_some_and(|role| role.value != Role::Both)
        {
            object
                .runs
                .iter_mut()
                .for_each(|run| run.decode_only = true);
        }
        return Some(object);
    }
    let settings = tree
        .entries()
        .iter()
        .any(|(key, _)| SETTINGS.contains(&key.as_str()));
    settings.then(|| {
        let mut launch = Launch {
            server: Some(Server::Trtllm),
            ..Launch::default()
        };
        launch.take_tree(Server::Trtllm, "", tree);
        Object {
            runs: Vec::new(),
            launch,
        }
    })
}

/// Returns a mean, converting milliseconds and smaller units of time to seconds.
fn mean(tree: &Tree, path: &[&str]) -> Said {
    let entry = tree.at(path)?;
    let unit = entry.text("units").map_or("", |at| at.value);
    let unit = unit.split('/').next().unwrap_or(unit);
    let mean = entry.number("mean")?;
    Some(mean.map(|value| value * factor(unit)))
}

fn run(tree: &Tree, results: &Tree) -> Stated {
    let mean = |path: &[&str]| mean(results, path);
    let number = |path: &[&str]| results.at(path).and_then(Tree::as_number);
    let running = tree
        .at(&["results", "observability", "components", ""])
        .and_then(|component| self::mean(component, &["aggregate", "running_requests"]));
    let total = number(&["requests", "total"]);
    let failed = number(&["requests", "failures"]);
    let completed = match (total, failed) {
        (Some(total), Some(failed)) => Some(total.map(|total| total - failed.value)),
        _ => total,
    };
    Stated {
        tpot: mean(&["latency", "time_per_output_token"]),
        itl: mean(&["latency", "inter_token_latency"]),
        itl_per_token: true,
        ttft: mean(&["latency", "time_to_first_token"]),
        e2e: mean(&["latency", "request_latency"]),
        running: running.filter(|at| at.value > 0.0),
        completed: completed.filter(|at| at.value > 0.0),
        failed,
        request_rate: mean(&["throughput", "request_rate"]),
        output_rate: mean(&["throughput", "output_token_rate"]),
        prompt: mean(&["requests", "input_length"]),
        output: mean(&["requests", "output_length"]),
        ..Stated::of(Format::LlmD)
    }
}

/// Reads the engine settings of an llm-d report, from the first engine that runs decode.
fn stack(launch: &mut Launch, tree: &Tree) {
    let parts = tree.at(&["scenario", "stack"]).map_or(&[][..], Tree::items);
    let engine = |part: &&Tree| {
        let kind = part.at(&["standardized"]).and_then(|it| it.text("kind"));
        let role = part.at(&["standardized"]).and_then(|it| it.text("role"));
        let prefill = role.is_some_and(|role| role.value == "prefill");
        kind.is_some_and(|kind| kind.value == "inference_engine") && !prefill
    };
    let Some(part) = parts.iter().find(engine) else {
        return;
    };
    let Some(standard) = part.get("standardized") else {
        return;
    };
    let server = match standard.text("tool").map(|at| at.value) {
        Some(tool) if tool.contains("sglang") => Server::Sglang,
        Some(tool) if tool.contains("trt") || tool.contains("tensorrt") => Server::Trtllm,
        _ => Server::Vllm,
    };
    if let Some(args) = part.at(&["native", "args"]) {
        launch.take_tree(server, "", args);
    }
    launch.server = Some(server);
    launch.replicas = standard.number("replicas").filter(|at| at.value > 1.0);
    launch.role = launch
        .role
        .or(standard.text("role").and_then(|at| match at.value {
            "decode" => Some(At::new(Role::Decode, at.line)),
            _ => None,
        }));
    let name = standard.get("model").and_then(|model| model.text("name"));
    launch.model = name.map(|at| at.map(names::model));
    let Some(accelerator) = standard.get("accelerator") else {
        return;
    };
    let gpu = accelerator.text("model");
    launch.gpu = gpu.and_then(|at| Some(At::new(names::gpu(at.value)?, at.line)));
    if let Some(ways) = accelerator.get("parallelism") {
        let way = |key: &str| ways.number(key).filter(|at| at.value >= 1.0);
        launch.tp = launch.tp.or(way("tp"));
        launch.dp = launch.dp.or(way("dp"));
        launch.pp = launch.pp.or(way("pp"));
        let spread = way("ep").map(|at| at.map(|ways| ways > 1.0));
        match server {
            Server::Vllm => launch.spread = launch.spread.or(spread),
            Server::Sglang | Server::Trtllm => launch.ep = launch.ep.or(way("ep")),
        }
    }
}
