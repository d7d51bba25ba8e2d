//! Prefill replicas, and prefill beside decode, against independently computed ones.

use model_core::evaluate::evaluate;
use model_core::number::Number;
use model_core::permalink::read;
use model_core::schedule::prefill::{replica, replica_plan};
use serde::Deserialize;

use crate::curve::agrees;

#[derive(Deserialize)]
struct File {
    replica: Vec<Expected>,
    aggregated: Vec<Aggregated>,
}

#[derive(Deserialize)]
struct Expected {
    kind: String,
    link: String,
    gpus: u32,
    tp: u32,
    new: f64,
    cached: f64,
    chunks: f64,
    prompts_per_pass: f64,
    tokens_per_pass: f64,
    sequence_s: f64,
    two_batch_s: Option<f64>,
    pass_s: f64,
    compute_s: f64,
    messages_s: f64,
    pass_one_prompt_s: f64,
    rate: f64,
    tok_s_gpu: f64,
}

#[derive(Deserialize)]
struct Aggregated {
    kind: String,
    link: String,
    step_s: f64,
    prefill_s: f64,
    tpot_s: f64,
}

fn file() -> File {
    toml::from_str(include_str!("../golden/service/examples.toml")).expect("it is TOML")
}

#[test]
fn passes_of_a_prefill_replica() {
    let examples = file().replica;
    assert_eq!(examples.len(), 16);
    for example in examples {
        let name = format!("{}: {}", example.kind, example.link);
        let gpus = example.gpus;
        let mut inputs = read(&example.link).current;
        inputs.unshard();
        inputs.state(Number::Gpus, Some(f64::from(gpus)));
        let mut scenario = inputs.scenario().expect("the scenario is valid");
        scenario.plan = replica_plan(&scenario, gpus, example.tp).expect("the plan is valid");
        let found = replica(
            &scenario,
            inputs.stated(Number::MeanPrompt).expect("it is stated"),
        )
        .expect("every format has a peak");
        agrees(&name, "new", found.prompt.new, example.new);
        agrees(&name, "cached", found.prompt.cached, example.cached);
        agrees(&name, "chunks", found.prompt.chunks, example.chunks);
        agrees(&name, "together", found.together, example.prompts_per_pass);
        agrees(&name, "tokens", found.tokens(), example.tokens_per_pass);
        agrees(
            &name,
            "sequence",
            found.pass.sequence().get(),
            example.sequence_s,
        );
        assert_eq!(
            found.pass.two_batch.is_some(),
            example.two_batch_s.is_some(),
            "{name}"
        );
        if let (Some(found), Some(expected)) = (found.pass.two_batch, example.two_batch_s) {
            agrees(&name, "two batches", found.get(), expected);
        }
        agrees(&name, "pass", found.pass.time().get(), example.pass_s);
        agrees(
            &name,
            "compute",
            found.pass.compute.get(),
            example.compute_s,
        );
        agrees(
            &name,
            "messages",
            found.pass.messages.get(),
            example.messages_s,
        );
        agrees(
            &name,
            "alone",
            found.alone.time().get(),
            example.pass_one_prompt_s,
        );
        agrees(&name, "rate", found.rate, example.rate);
        agrees(
            &name,
            "tokens/s/GPU",
            found.tokens_per_gpu(gpus),
            example.tok_s_gpu,
        );
    }
}

#[test]
fn whole_prompts_beside_decode() {
    let examples = file().aggregated;
    assert_eq!(examples.len(), 2);
    for example in examples {
        let name = format!("{}: {}", example.kind, example.link);
        let scenario = read(&example.link).current.scenario();
        let found = evaluate(&scenario.expect("the scenario is valid")).expect("it is evaluated");
        agrees(&name, "step", found.step.get(), example.step_s);
        let each = found.prefills.map_or(0.0, |prefills| prefills.each.get());
        agrees(&name, "prefill", each, example.prefill_s);
        agrees(&name, "tpot", found.tpot.get(), example.tpot_s);
    }
}
