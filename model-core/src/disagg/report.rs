//! The fields of a ratio and of its simulation in results: see `docs/links.md`.

use serde::Serialize;

use super::bundle::Bundle;
use super::derive::Derived;
use super::latency::{Exchange, Line, Span};
use super::ratio::Point;
use super::simulate::{Simulation, SimulationEnd};
use crate::cost::memory::Memory;
use crate::evaluate::evaluate;
use crate::scenario::refusal::Refusal;
use crate::scenario::{Inputs, Mode};

/// A ratio, as a result prints it.
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct RatioAnswer {
    pub ok: bool,
    pub mode: &'static str,
    pub latencies: LatencyFields,
    pub slots: f64,
    pub token_load: f64,
    pub token_load_limit: f64,
    pub r_attention: f64,
    pub r_communication: f64,
    pub r_links: Option<f64>,
    pub r_peak: f64,
    pub r_star: f64,
    pub r_star_limit: f64,
    pub r_star_in_flight: f64,
    pub regime: &'static str,
    pub best: PointFields,
    pub best_in_flight: PointFields,
    pub at: PointFields,
    pub topologies: Vec<TopologyFields>,
    pub attention_gpus: f64,
    pub ffn_gpus: f64,
    pub memory_bytes: BothSides,
    pub fits: bool,
    pub does_not_fit: Vec<&'static str>,
    pub colocated_tok_s_gpu: Option<f64>,
    pub colocated_tok_s_user: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulation: Option<SimulationFields>,
    pub notes: Vec<String>,
}

/// Latencies of a step, as lines.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct LatencyFields {
    pub source: &'static str,
    pub attention: LineFields,
    pub ffn: LineFields,
    pub weights: Option<LineFields>,
    pub communication: LineFields,
    pub ffn_links: Option<LineFields>,
    pub attention_loads: Option<LoadFields>,
    pub ffn_loads: Option<LoadFields>,
}

/// The loads between which a derived line was drawn, and how far it is off where it is used.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct LoadFields {
    pub low: f64,
    pub high: f64,
    pub error: f64,
}

/// slope·load + intercept.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct LineFields {
    pub slope_s: f64,
    pub intercept_s: f64,
}

/// A bundle at one ratio.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct PointFields {
    pub r: f64,
    pub regime: &'static str,
    pub cycle_s: f64,
    pub attention_s: f64,
    pub communication_s: f64,
    pub ffn_s: f64,
    pub tpot_s: f64,
    pub tok_s_user: f64,
    pub tok_s_instance: f64,
    pub tok_s_gpu: Option<f64>,
    pub tok_s_instance_in_flight: f64,
    pub tok_s_gpu_in_flight: Option<f64>,
    pub idle_attention: f64,
    pub idle_ffn: f64,
}

/// Whole instances.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct TopologyFields {
    pub attention_instances: u32,
    pub ffn_instances: u32,
    pub gpus: Option<f64>,
    pub tok_s_instance: f64,
    pub tok_s_gpu: Option<f64>,
    pub loss: f64,
    pub tok_s_instance_in_flight: f64,
    pub tok_s_gpu_in_flight: Option<f64>,
    pub loss_in_flight: f64,
}

/// Memory of a GPU of either half.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct BothSides {
    pub attention: SideMemory,
    pub ffn: SideMemory,
}

/// Memory of a GPU of one half.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct SideMemory {
    pub weights: f64,
    pub kv_cache: f64,
    pub activations: f64,
    pub total: f64,
    pub usable: f64,
}

/// What a simulation measured.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct SimulationFields {
    pub attention_instances: u32,
    pub ffn_instances: u32,
    pub r: f64,
    pub seed: u64,
    pub tok_s_instance: f64,
    pub tok_s_instance_generated: f64,
    pub theory_tok_s_instance: f64,
    pub theory_tok_s_instance_in_flight: f64,
    pub tpot_s: f64,
    pub idle_attention: f64,
    pub idle_ffn: f64,
    pub straggling: f64,
    pub steps: u64,
    pub completed: u64,
    pub elapsed_s: f64,
}

/// Evaluates `mode=ratio` or `mode=simulate`.
pub fn report(inputs: &Inputs, mut notes: Vec<String>) -> Result<RatioAnswer, Vec<Refusal>> {
    let bundle = inputs.bundle()?;
    notes.extend(super::notes::of_ratio(inputs, &bundle));
    let answer = bundle.answer();
    let asked = bundle.asked();
    let topologies = bundle.topologies();
    finite(&[&answer.best, &answer.limit, &answer.best_in_flight, &asked])?;
    let simulation = match inputs.mode {
        Mode::Simulate => Some(simulate(&bundle, asked.ratio)?),
        _ => None,
    };
    let attention = bundle.attention_memory();
    let ffn = bundle.ffn_memory(asked.ratio);
    let does_not_fit: Vec<_> = [("attention", &attention), ("ffn", &ffn)]
        .into_iter()
        .filter(|(_, memory)| !memory.fits())
        .map(|(side, _)| side)
        .collect();
    // What entered latencies were measured on is not known, so that no GPU of the scenario compares.
    let colocated = bundle
        .derived
        .and_then(|_| evaluate(&inputs.scenario().ok()?).ok());
    let (attention_gpus, ffn_gpus) = bundle.gpus();
    let topologies = topologies.into_iter().map(|topology| TopologyFields {
        attention_instances: topology.attention,
        ffn_instances: topology.ffn,
        gpus: bundle.derived.map(|_| topology.gpus),
        tok_s_instance: topology.point.per_instance,
        tok_s_gpu: per_gpu(&bundle, topology.point.per_weight),
        loss: topology.loss,
        tok_s_instance_in_flight: topology.point.per_instance_in_flight,
        tok_s_gpu_in_flight: per_gpu(&bundle, topology.point.per_weight_in_flight),
        loss_in_flight: topology.loss_in_flight,
    });
    Ok(RatioAnswer {
        ok: true,
        mode: inputs.mode.id(),
        latencies: latencies(inputs, &bundle, asked.ratio),
        slots: bundle.slots,
        token_load: answer.token_load,
        token_load_limit: answer.token_load_limit,
        r_attention: answer.r_attention,
        r_communication: answer.r_communication,
        r_links: answer.r_links,
        r_peak: answer.r_peak,
        r_star: answer.best.ratio,
        r_star_limit: answer.limit.ratio,
        r_star_in_flight: answer.best_in_flight.ratio,
        regime: asked.regime.id(),
        best: fields(&bundle, &answer.best),
        best_in_flight: fields(&bundle, &answer.best_in_flight),
        at: fields(&bundle, &asked),
        topologies: topologies.collect(),
        attention_gpus,
        ffn_gpus,
        memory_bytes: BothSides {
            attention: side(&attention),
            ffn: side(&ffn),
        },
        fits: does_not_fit.is_empty(),
        does_not_fit,
        colocated_tok_s_gpu: colocated.map(|all| all.tokens_per_gpu),
        colocated_tok_s_user: colocated.map(|all| all.tokens_per_user),
        simulation,
        notes,
    })
}

fn finite(points: &[&Point]) -> Result<(), Vec<Refusal>> {
    let ordinary = points.iter().all(|point| {
        let Point {
            ratio,
            cycle,
            tpot,
            per_instance,
            per_weight,
            ..
        } = **point;
        [ratio, cycle.get(), tpot.get(), per_instance, per_weight]
            .into_iter()
            .all(|value| value.is_finite() && value > 0.0)
    });
    if ordinary {
        Ok(())
    } else {
        Err(vec![Refusal::NotFinite])
    }
}

fn simulate(bundle: &Bundle, ratio: f64) -> Result<SimulationFields, Vec<Refusal>> {
    let setup = bundle.setup(ratio);
    if let Some(refusal) = setup.refusal() {
        return Err(vec![refusal]);
    }
    let outcome = Simulation::run(setup).ok_or_else(|| vec![Refusal::NotFinite])?;
    let SimulationEnd {
        ratio,
        per_instance,
        per_instance_generated,
        tpot,
        idle_attention,
        idle_ffn,
        straggling,
        steps,
        completed,
        elapsed,
        ..
    } = outcome;
    let results = [per_instance, per_instance_generated, tpot.get(), straggling];
    if !results.iter().all(|value| value.is_finite()) {
        return Err(vec![Refusal::NotFinite]);
    }
    let theory = bundle.at(ratio);
    Ok(SimulationFields {
        attention_instances: setup.attention_instances,
        ffn_instances: setup.ffn_instances,
        r: ratio,
        seed: setup.seed,
        tok_s_instance: per_instance,
        tok_s_instance_generated: per_instance_generated,
        theory_tok_s_instance: theory.per_instance,
        theory_tok_s_instance_in_flight: theory.per_instance_in_flight,
        tpot_s: tpot.get(),
        idle_attention,
        idle_ffn,
        straggling,
        steps,
        completed,
        elapsed_s: elapsed.get(),
    })
}

fn latencies(inputs: &Inputs, bundle: &Bundle, ratio: f64) -> LatencyFields {
    let Exchange { attention, ffn } = bundle.exchange(ratio, bundle.ffn_instances);
    let own = |line: &Line| (*line != Line::ZERO).then(|| fields_of(line));
    let (of_attention, of_ffn) = bundle.line_errors(ratio);
    let loads = |error: Option<f64>, span: fn(&Derived) -> Span| {
        let (error, Span { low, high }) = (error?, span(bundle.derived.as_ref()?));
        Some(LoadFields { low, high, error })
    };
    LatencyFields {
        source: inputs.latencies.id(),
        attention: fields_of(&bundle.latencies.attention),
        ffn: fields_of(&bundle.latencies.ffn),
        weights: own(&bundle.latencies.weights),
        communication: fields_of(attention),
        ffn_links: own(ffn),
        attention_loads: loads(of_attention, |derived| derived.tokens),
        ffn_loads: loads(of_ffn, |derived| derived.rows),
    }
}

const fn fields_of(line: &Line) -> LineFields {
    LineFields {
        slope_s: line.slope.get(),
        intercept_s: line.intercept.get(),
    }
}

fn fields(bundle: &Bundle, point: &Point) -> PointFields {
    PointFields {
        r: point.ratio,
        regime: point.regime.id(),
        cycle_s: point.cycle.get(),
        attention_s: point.attention.get(),
        communication_s: point.messages.get(),
        ffn_s: point.ffn.get(),
        tpot_s: point.tpot.get(),
        tok_s_user: 1.0 / point.tpot.get(),
        tok_s_instance: point.per_instance,
        tok_s_gpu: per_gpu(bundle, point.per_weight),
        tok_s_instance_in_flight: point.per_instance_in_flight,
        tok_s_gpu_in_flight: per_gpu(bundle, point.per_weight_in_flight),
        idle_attention: point.idle_attention,
        idle_ffn: point.idle_ffn,
    }
}

/// Entered latencies do not say how many GPUs they were measured on.
fn per_gpu(bundle: &Bundle, per_weight: f64) -> Option<f64> {
    bundle.derived.map(|_| per_weight)
}

fn side(memory: &Memory) -> SideMemory {
    SideMemory {
        weights: memory.weights().get(),
        kv_cache: memory.kv_cache.get(),
        activations: memory.activations.get(),
        total: memory.total().get(),
        usable: memory.usable.get(),
    }
}
