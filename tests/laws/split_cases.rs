//! Regression tests of Lamina deployments.

use model_core::inputs::Inputs;
use model_core::lamina::alternative::{best_of_size, homogeneous};
use model_core::lamina::search::{budget, search};
use model_core::lamina::{SplitRefusal as Refusal, SplitSetup, evaluate};
use model_core::permalink;
use model_core::plan::Overlap;

fn inputs(link: &str) -> Inputs {
    permalink::read(link).current
}

fn setup(inputs: &Inputs) -> SplitSetup {
    SplitSetup::of(inputs).expect("a possible split")
}

/// Checks that the homogeneous cluster with which Lamina is compared has its best schedule, whatever overlap the
/// scenario sets. For a dense model this is no overlap, because two-batch overlap would read the weights twice.
#[test]
fn the_alternative_has_the_best_schedule() {
    let link = "v=1&mode=split&model=llama-33b&precision=bf16&trace=azure-conv&calibration=aleph-alpha-2025";
    let gain = |overlap: &str| {
        let inputs = inputs(&format!("{link}{overlap}"));
        let setup = setup(&inputs);
        let split = evaluate(&setup).expect("finite");
        let other = homogeneous(&inputs, &setup).expect("it has a price");
        other.gains(&setup, &split).expect("it fits").tokens
    };
    let gains = ["", "&overlap=none", "&overlap=two-batch"].map(gain);
    assert!((gains[0] - 1.282).abs() < 0.002, "{gains:?}");
    assert!((gains[0] / gains[1] - 1.0).abs() < 1e-12, "{gains:?}");
    assert!((gains[0] / gains[2] - 1.0).abs() < 1e-12, "{gains:?}");
    // An MoE over a slow network gains by overlapping.
    let moe = inputs("v=1&mode=split&overlap=none&calibration=aleph-alpha-2025");
    let (scenario, _) = best_of_size(&moe, &setup(&moe), 72).expect("it fits");
    assert_eq!(scenario.plan.spec().overlap, Overlap::TwoBatch);
}

/// Checks the size of the homogeneous cluster with which Lamina is compared. It is the largest one that costs at most
/// a tenth more than the Lamina deployment. The cluster may cost much more only if fewer GPUs do not hold the model.
#[test]
fn the_alternative_costs_about_as_much() {
    let count = |prices: &str| {
        let inputs = inputs(&format!(
            "v=1&mode=split&model=llama-33b&precision=bf16&compute_gpus=2&memory_gpus=2&batch=16&context=2000&{prices}"
        ));
        let setup = setup(&inputs);
        let other = homogeneous(&inputs, &setup).expect("it has a price");
        (
            setup.dollars_per_hour().expect("it has a price"),
            other.scenario.cluster.gpus,
        )
    };
    // The cost of four GPUs; less than a tenth below that of five; more than a tenth below that of five.
    assert_eq!(count("compute_price=2&memory_price=2"), (8.0, 4));
    assert_eq!(count("compute_price=2&memory_price=2.6").1, 5);
    assert_eq!(count("compute_price=2&memory_price=2.2").1, 4);
    // 405 billion weights of 2 bytes need at least 11 GPUs of 80 GB; a tp that divides 128 heads makes it 16.
    let inputs = inputs(
        "v=1&mode=split&model=llama-3.1-405b&precision=bf16&compute_gpus=16&memory_gpus=16&batch=16&compute_price=4&memory_price=0.1",
    );
    let other = homogeneous(&inputs, &setup(&inputs)).expect("it has a price");
    assert_eq!(other.scenario.cluster.gpus, 16);
    let cheap = inputs.with(model_core::inputs::Number::MemoryPrice, 0.0);
    let cheap = cheap.with(model_core::inputs::Number::ComputeGpus, 16.0);
    assert!(homogeneous(&cheap, &setup(&cheap)).is_some());
}

fn answered(link: &str) -> serde_json::Value {
    serde_json::to_value(model_core::report::report(link)).expect("a result is JSON")
}

/// Checks that no gains are reported for a Lamina deployment that does not fit in memory.
#[test]
fn a_split_without_room_has_no_gains() {
    let link = "v=1&mode=split&model=llama-3-70b&precision=bf16&calibration=lamina";
    let answer = answered(link);
    assert_eq!(answer["fits"], false);
    assert!(answer["homogeneous"]["batch_gain"].is_null());
    assert!(answer["homogeneous"]["tok_s_gain"].is_null());
    assert!(answer["homogeneous"]["tok_s"].is_number());
    assert!(
        answer["notes"].to_string().contains("does not fit"),
        "{answer}"
    );
    let less = answered(&format!("{link}&batch=256"));
    assert_eq!(less["fits"], true);
    assert!(less["homogeneous"]["tok_s_gain"].is_number());
}

/// Checks that a memory device without FP4 causes exactly one refusal, which names attention as the reason.
#[test]
fn a_missing_format_is_missed_once() {
    let link = inputs("v=1&mode=split&gpu=b200&memory_gpu=h20&fmt_attn=fp4");
    let refusals = SplitSetup::of(&link).expect_err("no FP4");
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    assert_eq!(refusals[0].key(), "memory_gpu");
    assert!(
        refusals[0].to_string().contains("attention needs FP4"),
        "{}",
        refusals[0]
    );
}

/// Checks that a Lamina deployment is refused if it has more micro-batches in flight than sequences.
#[test]
fn every_batch_has_a_sequence() {
    let link = "v=1&mode=split&model=llama-3-70b&precision=bf16&batch=2";
    assert!(SplitSetup::of(&inputs(link)).is_ok());
    let refusals = SplitSetup::of(&inputs(&format!("{link}&batches=3&compute_gpus=8")))
        .expect_err("two for three");
    assert!(
        matches!(refusals[..], [Refusal::Sequences { batches: 3, .. }]),
        "{refusals:?}"
    );
    assert_eq!(refusals[0].key(), "batches");
}

#[test]
fn the_default_budget_buys_the_split_itself() {
    let inputs = inputs(
        "v=1&mode=split&model=llama-33b&precision=bf16&compute_gpus=2&memory_gpus=2&batch=16&context=2000&compute_price=2&memory_price=2.2",
    );
    let setup = setup(&inputs);
    let budget = budget(&inputs, &setup).expect("it has a price");
    let found = search(&inputs, budget);
    assert!(
        found
            .candidates
            .iter()
            .any(|found| (found.compute_gpus, found.memory_gpus) == (2, 2))
    );
}

#[test]
fn ignored_keys_and_mixed_prices_are_noted() {
    let notes = |link: &str| answered(link)["notes"].to_string();
    let base = "v=1&mode=split&model=llama-3-70b&precision=bf16&batch=64";
    assert_eq!(notes(base), "[]");
    let ignored = notes(&format!("{base}&gpus=8&tp=4&pp=2"));
    assert!(ignored.contains("tp, pp ignored"), "{ignored}");
    assert!(notes(&format!("{base}&price=5")).contains("you set the compute price"));
    assert!(notes(&format!("{base}&memory_price=5")).contains("you set the memory price"));
    assert_eq!(notes(&format!("{base}&price=5&memory_price=2")), "[]");
}
