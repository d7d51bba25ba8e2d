//! Quantities of Lamina (model–attention disaggregation), and of the comparison across models and traces in [L].

use model_core::inputs::{Inputs, Number};
use model_core::lamina::alternative::homogeneous;
use model_core::lamina::bandwidth::minimum_bandwidth;
use model_core::lamina::{Split, SplitSetup, SplitSide, evaluate, memory};
use model_core::permalink;
use model_core::trace;

/// The models that [L] compares. Their degrees of parallelism are not listed here, because a Lamina deployment's
/// defaults are those of [L].
const MODELS: [&str; 3] = ["llama-33b", "llama-65b", "llama-3-70b"];

/// Function that computes a quantity over the twelve comparisons of [L] 6.1.
type OverGains = fn(&[Gain]) -> Option<f64>;

/// Returns the function that computes the quantity `name` over the twelve comparisons of [`gains`].
pub fn over_gains(name: &str) -> Option<OverGains> {
    Some(match name {
        "mean_batch_gain" => {
            |gains| Some(gains.iter().map(|gain| gain.batch).sum::<f64>() / gains.len() as f64)
        }
        "least_tok_s_gain" => |gains| gains.iter().map(|gain| gain.tokens).reduce(f64::min),
        "greatest_tok_s_gain" => |gains| gains.iter().map(|gain| gain.tokens).reduce(f64::max),
        _ => return None,
    })
}

/// Returns a quantity of the Lamina deployment that `inputs` define. Quantities over several deployments are in
/// [`over_gains`].
pub fn measure(inputs: &Inputs, name: &str) -> Option<f64> {
    match name {
        "greatest_min_bandwidth" => up_to_batch(inputs, |setup| {
            minimum_bandwidth(setup).map(|bandwidth| bandwidth.get())
        }),
        "greatest_share_hidden" => up_to_batch(inputs, |setup| {
            let split = evaluate(setup).ok().filter(Split::fits)?;
            Some(split.hidden.get() / (split.step + split.hidden).get())
        }),
        _ => one(inputs, name),
    }
}

fn one(inputs: &Inputs, name: &str) -> Option<f64> {
    let setup = SplitSetup::of(inputs).ok()?;
    let split = evaluate(&setup).ok()?;
    let other = || homogeneous(inputs, &setup);
    let layers = f64::from(setup.compute.arch.layers());
    Some(match name {
        "usd_per_hour" => setup.dollars_per_hour()?,
        "other_usd_per_hour" => other()?.dollars_per_hour,
        "other_gpus" => f64::from(other()?.scenario.cluster.gpus),
        "compute_gpus" => f64::from(setup.compute_gpus),
        "memory_gpus" => f64::from(setup.memory_gpus),
        "capacity" => split.capacity,
        "tok_s_gain" => split.tokens / other()?.evaluation.tokens,
        "min_bandwidth" => minimum_bandwidth(&setup)?.get(),
        "traffic" => split.traffic.total().get(),
        "network_per_layer" => split.times.network().get() / layers,
        "step" => split.step.get(),
        "tok_s" => split.tokens,
        "network" => split.times.network().get(),
        "mbu" => bandwidth_in_use(&setup, split.times.attention.get()),
        "attention" => split.times.attention.get(),
        "model" => split.times.model.get(),
        "weights" => split.memory[SplitSide::Compute as usize].weights.get(),
        "balance" => split.balance(),
        "model_intensity" => work(&setup).0,
        "mfu" => work(&setup).1,
        _ => return None,
    })
}

/// Returns the arithmetic intensity of all operators except attention, and the share of peak compute that they reach.
/// Communication is excluded.
fn work(setup: &SplitSetup) -> (f64, f64) {
    let scenario = &setup.compute;
    let operators = memory::operators(scenario, SplitSide::Compute, setup.batch_each());
    let (mut flop, mut bytes) = (0.0, 0.0);
    for (place, operators) in operators {
        let layers = f64::from(place.layers(&scenario.arch));
        for operator in operators.as_slice() {
            flop += operator.flop.get() * layers;
            bytes += operator.bytes().get() * layers;
        }
    }
    let time = evaluate(setup).map_or(f64::NAN, |split| {
        (split.times.model - split.times.collectives).get()
    });
    let peak = scenario.cluster.peaks.of(scenario.precision.ffn_format);
    let peak = peak.map_or(f64::NAN, |peak| peak.get());
    (flop / bytes, flop / time / peak)
}

/// Returns the share of the memory devices' bandwidth that attention uses if its time is `time_s` seconds.
fn bandwidth_in_use(setup: &SplitSetup, time_s: f64) -> f64 {
    let scenario = &setup.memory;
    let bytes: f64 = memory::operators(scenario, SplitSide::Memory, setup.batch_each())
        .into_iter()
        .map(|(place, operators)| {
            let each: f64 = operators.as_slice().iter().map(|op| op.bytes().get()).sum();
            each * f64::from(place.layers(&scenario.arch))
        })
        .sum();
    bytes / time_s / scenario.cluster.hbm.get()
}

/// Gains in batch and throughput of a Lamina deployment relative to the homogeneous cluster.
#[derive(Debug)]
pub struct Gain {
    batch: f64,
    tokens: f64,
}

/// Returns the twelve comparisons of [L] 6.1, with the calibration and all other inputs taken from `inputs`.
pub fn gains(inputs: &Inputs) -> Option<Vec<Gain>> {
    let mut gains = Vec::new();
    for model in MODELS {
        for trace in trace::of_lamina() {
            let mut asked = *inputs;
            asked.model = permalink::read(&format!("v=1&model={model}")).current.model;
            asked.trace = Some(trace);
            let setup = SplitSetup::of(&asked).ok()?;
            let split = evaluate(&setup).ok()?;
            let other = homogeneous(&asked, &setup)?;
            gains.push(Gain {
                batch: setup.batch() / other.scenario.workload.batch,
                tokens: split.tokens / other.evaluation.tokens,
            });
        }
    }
    Some(gains)
}

/// Returns the largest value of a quantity over all batches from one sequence to the scenario's batch.
fn up_to_batch(inputs: &Inputs, of: impl Fn(&SplitSetup) -> Option<f64>) -> Option<f64> {
    let setup = SplitSetup::of(inputs).ok()?;
    let most = inputs.get(Number::Batch)? as u32;
    (1..=most)
        .filter_map(|batch| of(&setup.with_batch(f64::from(batch))))
        .reduce(f64::max)
}
