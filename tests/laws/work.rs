//! Property tests of work: sharding moves work and weights between GPUs, and none disappears.

use model_core::arch::params::{self, parameters};
use model_core::arch::{Arch, Ffn, Layered, Mixer};
use model_core::evaluate::Evaluation;
use model_core::inputs::Number;
use model_core::ops::{Kind, Place, ffn};
use model_core::plan::Overlap;
use model_core::precision::Precision;
use model_core::scenario::Scenario;

use ridgepoint_tests::check::{at_most, same};

use super::{CASES, evaluated, law};

/// Returns the FLOP of all GPUs in a step. With p pipeline stages, a GPU holds 1/p of the layers but runs them for p
/// micro-batches, so p cancels.
fn total_flop(scenario: &Scenario, evaluation: &Evaluation) -> f64 {
    let passes = scenario.plan.passes() * f64::from(scenario.cluster.gpus);
    let per_gpu = evaluation
        .timed(scenario)
        .map(|timed| timed.operator.flop.get() * f64::from(timed.layers));
    per_gpu.sum::<f64>() * passes
}

#[test]
fn stages_do_not_change_the_work() {
    law(CASES, |case| {
        let one = case.inputs.with(Number::Pp, 1.0);
        let gpus =
            one.get(Number::Gpus).unwrap_or(1.0) / case.inputs.get(Number::Pp).unwrap_or(1.0);
        let one = one.with(Number::Gpus, gpus);
        let stages = f64::from(case.draws[0] % 4 + 1);
        let batch = one.get(Number::Batch).unwrap_or(1.0);
        // Each stage has as many GPUs, and each micro-batch as many sequences, as the single-stage deployment.
        let many = one
            .with(Number::Pp, stages)
            .with(Number::Gpus, gpus * stages);
        let Ok(many) = many.scenario() else { return };
        let mut many = many;
        many.workload.batch = batch * stages;
        let one = one.scenario().expect("one stage is possible");
        let (few, all) = (evaluated(&one), evaluated(&many));
        let (few, all) = (total_flop(&one, &few), total_flop(&many, &all));
        assert!(same(few * stages, all), "{few} × {stages} ≠ {all}");
        assert!(
            same(evaluated(&one).step.get(), evaluated(&many).step.get()),
            "a token's way"
        );
    });
}

/// Returns the FLOP per token, summed over all GPUs, from the model shape alone. It applies to decoding without draft
/// tokens and with balanced experts; `None` unless all layers have one full-attention type.
fn flop_of_shape(arch: &Arch, context: f64) -> Option<f64> {
    let shape = parameters(arch);
    let [Layered { shape: mixer, .. }] = arch.mixers() else {
        return None;
    };
    let core = match mixer {
        _ if !mixer.is_full() => return None,
        Mixer::Grouped(shape) => 4.0 * f64::from(shape.heads) * context * f64::from(shape.head_dim),
        // In absorbed form the weights are the same, and attention runs on latent vectors.
        Mixer::Latent(shape) => {
            let widths = 2.0 * f64::from(shape.kv_rank) + f64::from(shape.rope_dim);
            2.0 * f64::from(shape.heads) * context * widths
        }
        _ => return None,
    };
    // `active` counts the weights per token; each takes one multiply–accumulate.
    let total = 2.0 * shape.active + f64::from(arch.layers()) * core;
    total.is_finite().then_some(total)
}

/// Checks that without replication a step computes exactly the work of its tokens. A tp above the number of KV heads
/// replicates KV heads; a tp or kvp above one replicates MLA's down-projections.
#[test]
fn step_flop_equals_token_flop() {
    law(CASES, |case| {
        let balanced = case
            .inputs
            .with(Number::Beta, 1.0)
            .with(Number::Tp, 1.0)
            .with(Number::Kvp, 1.0)
            .without(Number::SpeculationDepth)
            .without(Number::Dp);
        let mut inputs = balanced;
        inputs.latent = model_core::ops::LatentForm::Absorbed;
        if !inputs.model.arch().is_moe() {
            inputs = inputs.with(Number::FfnTp, 1.0);
        }
        let scenario = inputs.scenario().expect("dp completes any number of GPUs");
        let evaluation = evaluated(&scenario);
        let Some(each) = flop_of_shape(&scenario.arch, scenario.workload.context) else {
            return;
        };
        let needed = each * scenario.workload.batch;
        let done = total_flop(&scenario, &evaluation);
        // With ffn_tp > 1 and dp > 1, each GPU has all tokens of its group, so the shares add up, too.
        assert!((done / needed - 1.0).abs() < 1e-9, "{done} ≠ {needed}");
    });
}

/// Returns the bytes of one copy of the weights. Attention and embeddings have the precision of attention weights,
/// all other parts that of FFN weights.
fn one_copy(arch: &Arch, precision: &Precision) -> f64 {
    let shape = parameters(arch);
    let mixers: f64 = arch
        .mixers()
        .iter()
        .map(|part| f64::from(part.layers) * params::mixer(&part.shape, arch.hidden))
        .sum();
    let attention = mixers * precision.attention_weights;
    let embeddings = shape.embeddings * precision.attention_weights;
    let rest = shape.total - mixers - shape.embeddings;
    attention + embeddings + rest * precision.ffn_weights
}

#[test]
fn gpus_hold_all_weights() {
    law(CASES, |case| {
        let scenario = case.scenario();
        let memory = evaluated(&scenario).memory;
        let held = memory.weights().get() * f64::from(scenario.cluster.gpus);
        let copy = one_copy(&scenario.arch, &scenario.precision);
        assert!(at_most(copy, held), "{held} of {copy}");
    });
}

#[test]
fn one_gpu_holds_exactly_one_copy() {
    law(CASES, |case| {
        let mut alone = case
            .inputs
            .with(Number::Gpus, 1.0)
            .with(Number::Redundant, 0.0);
        for number in Number::SHARDING {
            alone = alone.with(number, 1.0);
        }
        let scenario = alone.scenario().expect("one GPU is possible");
        let evaluation = evaluated(&scenario);
        // Residual-stream maps are in no parameter count.
        if scenario.arch.residual_streams > 1 {
            return;
        }
        let copy = one_copy(&scenario.arch, &scenario.precision);
        assert!(same(evaluation.memory.weights().get(), copy), "{copy}");
        assert!(
            evaluation.messages(&scenario).is_empty(),
            "a single GPU sends nothing"
        );
    });
}

/// Checks the number of experts that the busiest GPU reads. It is at most the number of its resident experts, and at
/// least the smaller of one and its tokens per expert.
#[test]
fn bounds_of_experts_read() {
    law(CASES, |case| {
        let scenario = case.scenario();
        let evaluation = evaluated(&scenario);
        let plan = &scenario.plan;
        for timed in evaluation.timed(&scenario) {
            let (Kind::Experts, Place::Ffn(number)) = (timed.operator.kind, timed.place) else {
                continue;
            };
            let Some(Ffn::Moe(moe)) = scenario.arch.ffns().get(number).map(|part| part.shape)
            else {
                continue;
            };
            let width = f64::from(moe.working_width(scenario.arch.hidden));
            let expert = f64::from(moe.matrices) * width * f64::from(moe.expert_width);
            let one = expert / f64::from(plan.spec().ffn_tp) * scenario.precision.ffn_weights;
            let read = timed.operator.weights.get() / one;
            let resident = f64::from(plan.experts_placed(&moe)) / f64::from(plan.spec().ep);
            assert!(at_most(read, resident.ceil()), "reads {read} of {resident}");
            let tokens = ffn::expert_tokens(&moe, plan, &evaluation.load);
            assert!(at_most(tokens.min(1.0), read), "reads {read}");
        }
    });
}

/// Checks that the schedule does not change memory use: even under two-batch overlap, activations cover the whole
/// batch, not half of it.
#[test]
fn schedules_do_not_change_the_memory() {
    law(CASES, |case| {
        let memories = Overlap::ALL.map(|overlap| {
            let mut inputs = case.inputs;
            inputs.overlap = Some(overlap);
            evaluated(&inputs.scenario().expect("a schedule breaks no rule")).memory
        });
        assert_eq!(memories[0], memories[1]);
        assert_eq!(memories[0], memories[2]);
    });
}
