//! All numbers of a result by name, to check that they are finite and to compare their bits.

use model_core::cost::memory::sequence_bytes;
use model_core::evaluate::Evaluation;
use model_core::limits::Limits;
use model_core::scenario::Scenario;

/// The numbers of a result, each with its name.
pub type Numbers = Vec<(String, f64)>;

/// Returns all numbers of an evaluation, each with its name; all have to be finite and not negative.
pub fn of_evaluation(scenario: &Scenario, evaluation: &Evaluation) -> Numbers {
    let breakdown = &evaluation.breakdown;
    let memory = &evaluation.memory;
    let load = &evaluation.load;
    let mut numbers = named(&[
        ("step", evaluation.step.get()),
        ("tpot", evaluation.tpot.get()),
        ("tokens_per_user", evaluation.tokens_per_user),
        ("tokens", evaluation.tokens),
        ("tokens_per_gpu", evaluation.tokens_per_gpu),
        (
            "dollars_per_mtok",
            evaluation.dollars_per_mtok.unwrap_or(0.0),
        ),
        (
            "joules_per_token",
            evaluation.joules_per_token.unwrap_or(0.0),
        ),
        ("attention", breakdown.attention.get()),
        ("dense", breakdown.dense.get()),
        ("experts", breakdown.experts.get()),
        ("head", breakdown.head.get()),
        ("messages", breakdown.messages.get()),
        ("hidden", breakdown.hidden.get()),
        ("attention_weights", memory.attention_weights.get()),
        ("expert_weights", memory.expert_weights.get()),
        ("dense_weights", memory.dense_weights.get()),
        ("embedding", memory.embedding.get()),
        ("kv_cache", memory.kv_cache.get()),
        ("activations", memory.activations.get()),
        ("capacity", memory.capacity.get()),
        ("usable", memory.usable.get()),
        ("load.tokens", load.tokens),
        ("load.sequences", load.sequences),
        ("load.group_tokens", load.group_tokens),
        ("load.cached", load.cached()),
        ("load.head_tokens", load.head_tokens),
    ]);
    let sequence = sequence_bytes(scenario);
    for (what, value) in [
        ("per_token", sequence.per_token.get()),
        ("capped", sequence.capped.get()),
        ("state", sequence.state.get()),
        ("total", sequence.total.get()),
    ] {
        numbers.push((format!("sequence.{what}"), value));
    }
    for timed in evaluation.timed(scenario) {
        let operator = &timed.operator;
        for (what, value) in [
            ("flop", operator.flop.get()),
            ("weights", operator.weights.get()),
            ("kv", operator.kv.get()),
            ("activations", operator.activations.get()),
            ("intensity", timed.intensity),
            ("time", timed.time.get()),
        ] {
            numbers.push((format!("{}.{what}", operator.kind.id()), value));
        }
    }
    for message in evaluation.messages(scenario) {
        for (what, value) in [
            ("bytes", message.bytes.get()),
            ("latency", message.latency.get()),
            ("time", message.time.get()),
        ] {
            numbers.push((format!("{:?}.{what}", message.collective), value));
        }
    }
    numbers
}

/// Returns all numbers of a scenario's limits, each with its name.
pub fn of_limits(limits: &Limits) -> Numbers {
    named(&[
        ("ridge_attention", limits.ridge_attention),
        ("ridge_ffn", limits.ridge_ffn),
        ("b_attn", limits.b_attn),
        ("b_moe", limits.b_moe.unwrap_or(0.0)),
        ("b_rp", limits.b_rp),
        ("b_cap", limits.b_cap),
        ("b_slo", limits.b_slo.unwrap_or(0.0)),
    ])
}

fn named(numbers: &[(&str, f64)]) -> Numbers {
    numbers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), *value))
        .collect()
}
