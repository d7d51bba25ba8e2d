//! Invariants that the result of every scenario has to satisfy.

use std::cell::RefCell;

use model_core::cost::formats::ProductFormats;
use model_core::evaluate::{Evaluation, evaluate};
use model_core::inputs::Inputs;
use model_core::limits::limits;
use model_core::ops::{KernelClass, Kind};
use model_core::permalink;
use model_core::plan::Overlap;
use model_core::report::Reporter;
use model_core::scenario::Scenario;

use crate::numbers;

/// Relative difference that counts as rounding error; it is small because times and sizes are sums of few terms.
pub const ROUNDING: f64 = 1e-12;

/// Evaluates a valid scenario and checks all invariants; panics with the violated invariant.
pub fn check(inputs: &Inputs) -> (Scenario, Evaluation) {
    let scenario = match inputs.scenario() {
        Ok(scenario) => scenario,
        Err(refusals) => unreachable!("refused: {refusals:?}"),
    };
    let evaluation = match evaluate(&scenario) {
        Ok(evaluation) => evaluation,
        Err(refusal) => unreachable!("not evaluated: {refusal}"),
    };
    numbers_are_finite(&scenario, &evaluation);
    parts_make_the_whole(&scenario, &evaluation);
    nothing_is_faster_than_its_roof(&scenario, &evaluation);
    the_step_covers_every_lane(&scenario, &evaluation);
    the_link_says_the_same(inputs);
    the_report_says_the_same(inputs, &evaluation);
    (scenario, evaluation)
}

/// Returns true if `left` ≤ `right`, up to rounding.
pub fn at_most(left: f64, right: f64) -> bool {
    left <= right + ROUNDING * left.abs().max(right.abs())
}

/// Returns true if the two numbers are equal, up to rounding.
pub fn same(left: f64, right: f64) -> bool {
    at_most(left, right) && at_most(right, left)
}

fn numbers_are_finite(scenario: &Scenario, evaluation: &Evaluation) {
    let limits = limits(scenario).map(|limits| numbers::of_limits(&limits));
    assert!(
        limits.is_some(),
        "no limits for a scenario that is evaluated"
    );
    let all = numbers::of_evaluation(scenario, evaluation)
        .into_iter()
        .chain(limits.unwrap_or_default());
    for (name, value) in all {
        assert!(value.is_finite() && value >= 0.0, "{name} is {value}");
    }
}

fn parts_make_the_whole(scenario: &Scenario, evaluation: &Evaluation) {
    let parts = &evaluation.breakdown;
    let sum = parts.attention.get()
        + parts.dense.get()
        + parts.experts.get()
        + parts.head.get()
        + parts.messages.get()
        + parts.overhead.get()
        - parts.hidden.get();
    let step = evaluation.step.get();
    // The parts may be far larger than the step they leave after overlap.
    let scale = step + parts.hidden.get();
    assert!(
        (sum - step).abs() <= ROUNDING * scale,
        "parts {sum}, step {step}"
    );

    let memory = &evaluation.memory;
    let total = memory.attention_weights.get()
        + memory.expert_weights.get()
        + memory.dense_weights.get()
        + memory.embedding.get()
        + memory.kv_cache.get()
        + memory.activations.get();
    assert!(
        same(total, memory.total().get()),
        "memory {total} ≠ {:?}",
        memory.total()
    );
    assert_eq!(memory.fits(), memory.most() <= memory.usable);

    let workload = &scenario.workload;
    let gained = workload.speculation.yielded();
    let waits = evaluation
        .prefills
        .map_or(0.0, |prefills| prefills.per_token.get());
    let tpot = step / gained + waits;
    assert!(same(evaluation.tpot.get(), tpot), "TPOT");
    assert!(
        same(evaluation.tokens_per_user * evaluation.tpot.get(), 1.0),
        "tokens/s/user"
    );
    assert!(
        same(
            evaluation.tokens,
            workload.batch * evaluation.tokens_per_user
        ),
        "tokens/s"
    );
    let gpus = f64::from(scenario.cluster.gpus);
    assert!(
        same(evaluation.tokens_per_gpu * gpus, evaluation.tokens),
        "tokens/s/GPU"
    );
}

/// Checks that no operator exceeds the accelerator's peak FLOP/s or memory bandwidth, and that no collective exceeds
/// the bandwidth of its interconnect link.
fn nothing_is_faster_than_its_roof(scenario: &Scenario, evaluation: &Evaluation) {
    let Scenario {
        cluster,
        precision,
        calibration,
        ..
    } = scenario;
    let formats = ProductFormats::of(cluster, precision, calibration);
    let formats = formats.unwrap_or_else(|| unreachable!("it was evaluated"));
    for timed in evaluation.timed(scenario) {
        let operator = &timed.operator;
        let format = match (operator.kind.role().id(), operator.kernel) {
            ("attention", KernelClass::Projection) => formats.projections.format,
            ("attention", _) => precision.attention_format,
            ("head", _) => formats.head.format,
            _ => formats.ffn.format,
        };
        // Hyper-connections count only bytes; indexer scores have a separate format.
        let own = matches!(operator.kind, Kind::Residual | Kind::IndexScore);
        let peak = match calibration.operators {
            Some(_) if own => f64::INFINITY,
            _ => {
                let peak = cluster.peaks.of(format);
                peak.map_or(f64::NAN, |peak| peak.get())
            }
        };
        let time = timed.time.get();
        let name = operator.kind.id();
        assert!(
            at_most(operator.flop.get() / peak, time),
            "{name} beats the peak"
        );
        let read = operator.bytes().get() / cluster.hbm.get();
        assert!(at_most(read, time), "{name} beats the memory");
    }
    for message in evaluation.messages(scenario) {
        let bandwidth = cluster.bandwidth(message.link).get();
        let (name, time) = (message.collective, message.time.get());
        assert!(
            at_most(message.bytes.get() / bandwidth, time),
            "{name:?} beats its link"
        );
        assert!(
            message.latency <= message.time,
            "{name:?} is shorter than its latency"
        );
    }
}

/// Checks that no step is shorter than its compute or its communication, and that only overlap shortens a step.
fn the_step_covers_every_lane(scenario: &Scenario, evaluation: &Evaluation) {
    let breakdown = &evaluation.breakdown;
    let (compute, messages) = (breakdown.compute().get(), breakdown.messages.get());
    let (step, hidden) = (evaluation.step.get(), breakdown.hidden.get());
    // Framework overhead occupies the GPU, as compute does; CPU overhead is separate.
    let beside = (breakdown.compute() + breakdown.overhead - breakdown.host).get();
    assert!(
        at_most(compute, step),
        "the step {step} beats its compute {compute}"
    );
    assert!(
        at_most(messages, step),
        "the step {step} beats its messages {messages}"
    );
    // The rounding error of a difference of overheads grows with the overheads.
    let dust = ROUNDING * (beside + breakdown.overhead.get());
    assert!(
        hidden <= beside.min(messages) + dust,
        "more is hidden than there is"
    );
    match scenario.plan.spec().overlap {
        Overlap::Sequential => assert_eq!(hidden.to_bits(), 0, "hidden without overlap"),
        Overlap::TwoBatch => assert!((hidden - beside.min(messages)).abs() <= dust, "hidden"),
        Overlap::HopB => {}
    }
}

/// Checks that the permalink written for a scenario reads back as the same scenario, and that writing this scenario
/// gives the same permalink.
fn the_link_says_the_same(inputs: &Inputs) {
    let text = permalink::write_inputs(inputs);
    let link = permalink::read(&text);
    assert!(link.notes.is_empty(), "{text}: {:?}", link.notes);
    assert_eq!(link.pinned, None, "{text}");
    assert_eq!(link.current, inputs.normalized(), "{text}");
    assert_eq!(permalink::write(&link), text);
    assert_eq!(inputs.normalized().scenario(), inputs.scenario(), "{text}");
}

thread_local! {
    /// Reporter that prints results; it caches the residuals of calibrations.
    static REPORTER: RefCell<Reporter> = RefCell::default();
}

/// Result fields that may be null because an input is missing.
const OPTIONAL: [&str; 5] = ["usd_per_mtok", "joule_per_tok", "b_moe", "b_slo", "ttft_s"];

/// Checks that the printed result of a scenario is JSON without missing numbers, and that the numbers equal those of
/// the evaluation.
fn the_report_says_the_same(inputs: &Inputs, evaluation: &Evaluation) {
    let text = permalink::write_inputs(inputs);
    let answer = REPORTER.with_borrow_mut(|reporter| reporter.report(&text));
    let json = serde_json::to_value(answer).unwrap_or_default();
    assert_eq!(json["ok"], true, "{json}");
    no_nulls(&json, "");
    let number = |pointer: &str| json.pointer(pointer).and_then(|value| value.as_f64());
    assert_eq!(number("/step_s"), Some(evaluation.step.get()));
    assert_eq!(number("/tok_s_gpu"), Some(evaluation.tokens_per_gpu));
    assert_eq!(
        number("/breakdown_s/hidden"),
        Some(evaluation.breakdown.hidden.get())
    );
    assert_eq!(
        number("/memory_bytes/total"),
        Some(evaluation.memory.total().get())
    );
    let operators = json["operators"].as_array().map(Vec::len);
    let scenario = inputs
        .scenario()
        .unwrap_or_else(|_| unreachable!("it was evaluated"));
    assert_eq!(operators, Some(evaluation.timed(&scenario).count()));
}

fn no_nulls(json: &serde_json::Value, at: &str) {
    match json {
        serde_json::Value::Object(fields) => {
            for (key, value) in fields {
                if !OPTIONAL.contains(&key.as_str()) {
                    no_nulls(value, key);
                }
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| no_nulls(item, at)),
        value => assert!(!value.is_null(), "{at} is null"),
    }
}
