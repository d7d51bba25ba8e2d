//! Reads JSON result files: identifies the tool that wrote an object and reads the numbers in it.

use super::launch::{Launch, Object, Server};
use super::names;
use super::said::{At, Said, factor};
use super::stated::{Format, Stated};
use super::tree::{Node, Tree};

/// Reads the runs and settings in a JSON object; returns `None` if no known tool wrote the object.
pub fn read(tree: &Tree) -> Option<Object> {
    let serving = ["mean_tpot_ms", "mean_ttft_ms", "output_throughput"];
    if tree.has("infmax_model_prefix") {
        Some(inferencex(tree))
    } else if tree.has("inter_token_latency") || tree.has("output_sequence_length") {
        Some(aiperf(tree))
    } else if tree.has("n_gen") && tree.has("avg_ts") {
        Some(super::llama::object(tree))
    } else if tree.has("last_ttft") && tree.has("batch_size") {
        Some(one_batch_server(tree))
    } else if tree.has("completed") && serving.iter().any(|key| tree.has(key)) {
        Some(serving_result(tree))
    } else {
        None
    }
}

fn scaled(said: Said, factor: f64) -> Said {
    said.map(|at| at.map(|value| value * factor))
}

/// Reads a result file of `vllm bench serve` or `sglang.bench_serving`.
fn serving_result(tree: &Tree) -> Object {
    let sglang = [
        "server_info",
        "total_input_text_tokens",
        "mean_e2e_latency_ms",
    ];
    let sglang = sglang.iter().any(|key| tree.has(key));
    let format = match sglang {
        true => Format::SglangServingJson,
        false => Format::VllmServeJson,
    };
    let number = |key: &str| tree.number(key);
    let millis = |key: &str| scaled(tree.number(key), 1e-3);
    let first = |keys: [&str; 2]| keys.iter().find_map(|key| number(key));
    let random = number("random_output_len").zip(number("random_range_ratio"));
    let run = Stated {
        tpot: millis("mean_tpot_ms"),
        median_tpot: millis("median_tpot_ms"),
        itl: millis("mean_itl_ms"),
        itl_per_token: sglang,
        ttft: millis("mean_ttft_ms"),
        e2e: millis("mean_e2e_latency_ms").or(millis("mean_e2el_ms")),
        concurrency: number("max_concurrency"),
        in_flight: number("concurrency"),
        completed: number("completed"),
        failed: number("failed"),
        duration: number("duration"),
        request_rate: number("request_throughput"),
        output_rate: number("output_throughput"),
        input_rate: number("input_throughput"),
        input_total: number("total_input_tokens"),
        output_total: number("total_output_tokens"),
        accept_length: first(["spec_decode_acceptance_length", "accept_length"]),
        draft_steps: number("spec_decode_num_drafts"),
        draft_tokens: number("spec_decode_draft_tokens"),
        random: random.map(|(length, ratio)| ratio.map(|ratio| (ratio, length.value))),
        ..Stated::of(format)
    };
    let mut launch = Launch::default();
    let (server, settings) = match tree.get("server_info") {
        Some(info) => (Server::Sglang, info),
        None => (Server::Vllm, tree),
    };
    launch.take_tree(server, "", settings);
    if launch.is_sharded() {
        launch.server = Some(server);
    }
    if let Some(model) = tree.text("model_id").or(tree.text("model")) {
        launch.model = Some(model.map(names::model));
    }
    let keys = ["gpu", "gpu_name", "gpu_type", "hardware", "accelerator"];
    let gpu = keys.iter().find_map(|key| tree.text(key));
    launch.gpu = gpu.and_then(|at| Some(At::new(names::gpu(at.value)?, at.line)));
    Object {
        runs: vec![run],
        launch,
    }
}

fn one_batch_server(tree: &Tree) -> Object {
    let number = |key: &str| tree.number(key);
    let steady = number("steady_state_output_throughput");
    let mut run = Stated {
        running: number("batch_size"),
        prompt: number("input_len"),
        output: number("output_len"),
        output_rate: steady.or(number("output_throughput")),
        ttft: number("last_ttft"),
        accept_length: number("acc_length"),
        hit: number("cache_hit_rate"),
        decode_only: true,
        ..Stated::of(Format::SglangOneBatchServer)
    };
    super::blocks::one_batch_server(&mut run);
    Object {
        runs: vec![run],
        launch: Launch::default(),
    }
}

/// Returns the mean of one AIPerf metric, in SI units.
fn mean(tree: &Tree, key: &str) -> Said {
    let entry = tree.get(key)?;
    let unit = entry.text("unit").map_or("", |at| at.value);
    scaled(entry.number("avg"), factor(unit))
}

fn aiperf(tree: &Tree) -> Object {
    let path = |path: &[&str]| tree.at(path).and_then(Tree::as_number);
    let run = Stated {
        source: Some(super::stated::TimeSource::MeanInterToken),
        tpot: mean(tree, "inter_token_latency"),
        itl: mean(tree, "inter_chunk_latency"),
        ttft: mean(tree, "time_to_first_token"),
        e2e: mean(tree, "request_latency"),
        concurrency: path(&["input_config", "loadgen", "concurrency"]),
        completed: mean(tree, "request_count"),
        failed: mean(tree, "error_request_count"),
        duration: mean(tree, "benchmark_duration"),
        request_rate: mean(tree, "request_throughput"),
        output_rate: mean(tree, "output_token_throughput"),
        prompt: mean(tree, "input_sequence_length"),
        output: mean(tree, "output_sequence_length"),
        ..Stated::of(Format::AiperfJson)
    };
    let name = tree.at(&["input_config", "endpoint", "model_names", ""]);
    let model = name.and_then(|name| match &name.node {
        Node::Text(text) => Some(At::new(names::model(text), name.line)),
        _ => None,
    });
    Object {
        runs: vec![run],
        launch: Launch {
            model,
            ..Launch::default()
        },
    }
}

/// Reads a result row of InferenceX. Its times are in seconds and its rates are per GPU; its prompt and output
/// lengths are only maxima.
fn inferencex(tree: &Tree) -> Object {
    let number = |key: &str| tree.number(key);
    let apart = tree.flag("disagg").filter(|at| at.value);
    let of_decode = |key: &str| {
        let decode = apart.and(number(&format!("decode_{key}")));
        decode.or(number(key)).filter(|at| at.value >= 1.0)
    };
    let attention_dp = apart
        .and(tree.flag("decode_dp_attention"))
        .or(tree.flag("dp_attention"));
    let (tp, pp) = (of_decode("tp"), of_decode("pp"));
    let stages = pp.map_or(1.0, |at| at.value);
    let world = tp.map(|at| at.map(|ways| ways * stages));
    let decode_gpus = apart.and(number("num_decode_gpu"));
    let run = Stated {
        tpot: number("mean_tpot"),
        median_tpot: number("median_tpot"),
        itl: number("mean_itl"),
        itl_per_token: true,
        ttft: number("mean_ttft"),
        e2e: number("mean_e2el"),
        concurrency: number("conc"),
        output_rate: number("output_tput_per_gpu"),
        input_rate: number("input_tput_per_gpu").filter(|_| apart.is_none()),
        rates_per: decode_gpus.or(world),
        decode_only: apart.is_some(),
        ..Stated::of(Format::Inferencex)
    };
    let framework = tree.text("framework");
    let server = framework.map_or(Server::Vllm, |at| match at.value {
        name if name.contains("sglang") => Server::Sglang,
        name if name.contains("trt") => Server::Trtllm,
        _ => Server::Vllm,
    });
    let text = |key: &str| tree.text(key);
    let drafts = text("spec_decoding").filter(|at| at.value != "none");
    let mut launch = Launch {
        server: Some(server),
        world: true,
        tp,
        pp,
        ep: of_decode("ep"),
        dcp: of_decode("dcp_size"),
        attention_dp: Some(attention_dp.unwrap_or(At::new(false, tree.line))),
        model: text("model").map(|at| at.map(names::model)),
        weights: text("precision")
            .and_then(|at| Some(At::new(names::Weights::of(at.value)?, at.line))),
        gpu: text("hw").and_then(|at| Some(At::new(names::gpu(at.value)?, at.line))),
        ..Launch::default()
    };
    launch.role = apart.map(|at| at.map(|_| super::launch::Role::Decode));
    // The number of drafts is in the recipe, not in the row.
    launch.drafts_open = drafts.map(|at| at.map(|_| ()));
    Object {
        runs: vec![run],
        launch,
    }
}
