//! Tests how small input changes affect a shown number. The effects equal those of separate evaluations, and only
//! valid input values are tried.

use model_core::account::{Explained, Move, Quantity, moved, open};
use model_core::afd::decision::ShownUnit;
use model_core::evaluate::evaluate;
use model_core::inputs::{Inputs, Number};
use model_core::lamina::alternative::user_rate;
use model_core::lamina::{SplitSetup, evaluate as evaluate_split, slo};
use model_core::number::Notation;
use model_core::permalink;

fn inputs(link: &str) -> Inputs {
    permalink::read(link).current
}

fn of(inputs: &Inputs, quantity: Quantity) -> Vec<Move> {
    moved(inputs, Explained::Quantity(quantity))
}

fn found(moves: &[Move], number: Number) -> Option<&Move> {
    moves.iter().find(|one| one.number == number)
}

/// Checks that the reported effect of each input equals that of two evaluations, with the input at 0.99 and 1.01
/// times its value. Counts are rounded. The effects must be sorted, largest first.
fn as_by_hand(moves: &[Move], base: &Inputs, least: usize, at: impl Fn(&Inputs) -> Option<f64>) {
    let now = at(base).expect("a number");
    assert!(moves.len() >= least, "{moves:?}");
    for one in moves {
        for (change, factor) in one.change.iter().zip([0.99, 1.01]) {
            let counted = one.number.spec().notation == Notation::Count;
            let value = match counted {
                true => (one.now * factor).round(),
                false => one.now * factor,
            };
            let other = base.with(one.number, value);
            let stated = other.stated(one.number) == Some(value);
            let unchanged = (value - one.now).abs() <= 0.0;
            let by_hand = at(&other).filter(|_| stated && !unchanged);
            match (change, by_hand.map(|value| value / now - 1.0)) {
                (Some(change), Some(by_hand)) => {
                    let off = (change - by_hand).abs();
                    assert!(off < 1e-12, "{:?}: {change}, not {by_hand}", one.number);
                }
                (None, None) => {}
                other => panic!("{:?}: {other:?}", one.number),
            }
        }
    }
    assert!(moves.is_sorted_by(|one, other| one.size() >= other.size()));
    assert!(moves.iter().all(|one| one.size() > 0.0));
}

/// Returns the inputs with the plan, schedule, batch and context set explicitly to the scenario's values.
fn fixed(inputs: &Inputs) -> Inputs {
    let scenario = inputs.scenario().expect("a possible scenario");
    let batch = scenario.workload.batch;
    let context = scenario.workload.context;
    inputs
        .settled()
        .planned(scenario.plan.spec())
        .with(Number::Batch, batch)
        .with(Number::Context, context)
}

#[test]
fn colocated_moves_are_evaluations() {
    for link in [
        "v=1",
        "v=3",
        "v=3&gpu=h200&gpus=16&mtp=2&measured=40ms@1000",
    ] {
        let inputs = inputs(link);
        let base = fixed(&inputs);
        type Of = fn(&Inputs) -> Option<f64>;
        let evaluated: [(Quantity, Of); 3] = [
            (Quantity::Tpot, |inputs| {
                Some(evaluate(&inputs.scenario().ok()?).ok()?.tpot.get())
            }),
            (Quantity::PerGpu, |inputs| {
                Some(evaluate(&inputs.scenario().ok()?).ok()?.tokens_per_gpu)
            }),
            (Quantity::Memory, |inputs| {
                let memory = evaluate(&inputs.scenario().ok()?).ok()?.memory;
                Some(memory.most().get())
            }),
        ];
        for (quantity, at) in evaluated {
            as_by_hand(&of(&inputs, quantity), &base, 4, at);
        }
    }
}

/// Checks that invalid input changes are left out: values out of range, counts that rounding leaves unchanged, and
/// invalid plans. For times, weight sizes that match no number format are left out too.
#[test]
fn impossible_moves_are_left_out() {
    // Balancedness is at most 1.
    let moves = of(&inputs("v=1&beta=1"), Quantity::Tpot);
    let beta = found(&moves, Number::Beta).expect("it moves TPOT");
    assert!(
        beta.change[0].is_some() && beta.change[1].is_none(),
        "{beta:?}"
    );
    // 1% of 72 GPUs rounds to no change, and so does 1% of each plan setting.
    let moves = of(&inputs("v=1&gpus=72"), Quantity::Tpot);
    for number in Number::SHARDING.into_iter().chain([Number::Gpus]) {
        assert!(found(&moves, number).is_none(), "{number:?}");
    }
    // 1% of 100 GPUs is one GPU, but this plan cannot use 99 or 101 GPUs.
    let moves = of(&inputs("v=1&gpus=100&dp=100&ep=100"), Quantity::Tpot);
    assert!(found(&moves, Number::Gpus).is_none());
    // 1% more bytes per weight matches no number format: the effect on times is left out, that on memory is not.
    let moves = of(&inputs("v=3"), Quantity::Tpot);
    assert!(found(&moves, Number::AttentionWeightBytes).is_none());
    let moves = of(&inputs("v=3"), Quantity::Memory);
    assert!(found(&moves, Number::AttentionWeightBytes).is_some());
    // An invalid plan has no TPOT, so no input has an effect on it.
    assert!(of(&inputs("v=1&gpus=7&tp=2"), Quantity::Tpot).is_empty());
}

#[test]
fn an_operators_moves_are_evaluations() {
    let inputs = inputs("v=1");
    let base = fixed(&inputs);
    let at = |inputs: &Inputs| {
        let scenario = inputs.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        Some(evaluation.timed(&scenario).nth(3)?.time.get())
    };
    let moves = moved(&inputs, Explained::Operator(3));
    as_by_hand(&moves, &base, 3, at);
}

/// Checks that changing an input does not change the AFD unit's GPUs, ranks or micro-batches.
#[test]
fn moves_of_a_unit_keep_the_unit() {
    let inputs = inputs("v=1&gpus=32&batch=1024");
    let shown = ShownUnit::of(&inputs).expect("a unit");
    let unit = shown.decision.and_then(|it| it.asked).expect("a split");
    let base = fixed(&inputs).decoding();
    let at = |inputs: &Inputs| {
        let bundle = unit.bundle(inputs)?;
        Some(bundle.at(f64::from(unit.instances)).tpot.get())
    };
    let moves = of(&inputs, Quantity::AfdTpot);
    as_by_hand(&moves, &base, 3, at);
    for number in [Number::Ratio, Number::Slots, Number::Gpus, Number::Tp] {
        assert!(found(&moves, number).is_none(), "{number:?}");
    }
}

#[test]
fn moves_of_lamina_keep_the_devices() {
    let inputs = inputs("v=3&gpus=72&batch=9216&context=2000&mode=split");
    let setup = slo::served(&inputs, user_rate(&inputs)).expect("a deployment");
    let base = fixed(&inputs)
        .without(Number::Slo)
        .with(Number::ComputeGpus, f64::from(setup.compute_gpus))
        .with(Number::MemoryGpus, f64::from(setup.memory_gpus));
    let at = |inputs: &Inputs| {
        let setup = SplitSetup::of(inputs).ok()?.with_batch(setup.batch());
        Some(evaluate_split(&setup).ok()?.tokens)
    };
    let moves = of(&inputs, Quantity::LaminaTokens);
    as_by_hand(&moves, &base, 3, at);
    assert!(found(&moves, Number::ComputeGpus).is_none());
}

/// Checks that an input change leaves the plan and batch of the replicas unchanged. Longer prompts raise TTFT, and a
/// higher price raises the cost.
#[test]
fn moves_of_a_service_keep_the_replicas() {
    let inputs = inputs("v=3&gpu=h200&rate=50&prompt=4000&output=1000&hit=0.3&ttft=2&slo=25");
    let moves = of(&inputs, Quantity::ServiceTtft);
    let longer = found(&moves, Number::MeanPrompt).expect("prompts move TTFT");
    assert!(longer.change[1] > Some(0.0), "{longer:?}");
    let moves = of(&inputs, Quantity::ServiceCost);
    let price = found(&moves, Number::Price).expect("the price moves the cost");
    for (change, by) in price.change.iter().zip([-0.01, 0.01]) {
        let change = change.expect("possible");
        assert!((change - by).abs() < 1e-9, "{price:?}");
    }
    assert!(found(&moves, Number::Gpus).is_none());
}

/// Checks that TPOT, opened as an account (tree of formulas), has the same value in every mode of a permalink.
#[test]
fn the_mode_does_not_matter() {
    let what = Explained::Quantity(Quantity::Tpot);
    let colocated = open(&inputs("v=1"), what).map(|tree| tree.value);
    for mode in ["ratio", "split", "simulate"] {
        let other = open(&inputs(&format!("v=1&mode={mode}")), what);
        assert_eq!(other.map(|tree| tree.value), colocated, "{mode}");
    }
}
