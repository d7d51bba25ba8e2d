//! JSON fields of AFD results and of the AFD simulation; documented in `docs/links.md`.

use super::bundle::Bundle;
use super::derive::Derived;
use super::latency::{Exchange, LatencyLine, LoadSpan};
use super::ratio::{ClosedForm, RatioPoint};
use super::simulate::{Setup, Simulation, SimulationEnd};
use super::topology::Topology;
use crate::cost::memory::Memory;
use crate::evaluate::{Evaluation, evaluate};
use crate::fields::fields;
use crate::inputs::{Inputs, Mode};
use crate::refusal::Refusal;
use crate::shape::Valid;

fields! {
    /// JSON result of AFD.
    RatioAnswer(
        inputs: &Inputs,
        bundle: &Bundle,
        answer: &ClosedForm,
        asked: &RatioPoint,
        memory: &[Memory; 2],
        colocated: Option<Evaluation>,
        notes: Vec<String>,
    ) {
        ok: Valid<true> = Valid::IS,
        mode: &'static str = inputs.mode.id(),
        latencies: LatencyFields = latencies(inputs, bundle, asked.ratio),
        slots: f64 = bundle.slots,
        token_load: f64 = answer.token_load,
        token_load_limit: f64 = answer.token_load_limit,
        r_attention: f64 = answer.r_attention,
        r_communication: f64 = answer.r_communication,
        r_links: Option<f64> = answer.r_links,
        r_peak: f64 = answer.r_peak,
        r_star: f64 = answer.best.ratio,
        r_star_limit: f64 = answer.limit.ratio,
        r_star_in_flight: f64 = answer.best_in_flight.ratio,
        regime: &'static str = asked.regime.id(),
        best: RatioPointFields = RatioPointFields::of(bundle, &answer.best),
        best_in_flight: RatioPointFields = RatioPointFields::of(bundle, &answer.best_in_flight),
        at: RatioPointFields = RatioPointFields::of(bundle, asked),
        topologies: Vec<TopologyFields> =
            bundle.topologies().iter().map(|topology| TopologyFields::of(bundle, topology)).collect(),
        attention_gpus: f64 = bundle.gpus().0,
        ffn_gpus: f64 = bundle.gpus().1,
        memory_bytes: RatioMemory = RatioMemory::of(memory),
        fits: bool = memory.iter().all(Memory::fits),
        does_not_fit: Vec<&'static str> = ["attention", "ffn"]
            .into_iter()
            .zip(memory)
            .filter(|(_, memory)| !memory.fits())
            .map(|(side, _)| side)
            .collect(),
        colocated_tok_s_gpu: Option<f64> = colocated.map(|all| all.tokens_per_gpu),
        colocated_tok_s_user: Option<f64> = colocated.map(|all| all.tokens_per_user),
        #[serde(skip_serializing_if = "Option::is_none")]
        simulation: Option<SimulationFields> = None,
        notes: Vec<String> = notes,
    }
}

fields! {
    /// JSON fields for the latencies of an AFD step, each as a line over a load.
    LatencyFields(
        inputs: &Inputs,
        bundle: &Bundle,
        exchange: &Exchange,
        loads: [Option<LoadFields>; 2],
    ) {
        source: &'static str = inputs.latencies.id(),
        attention: LineFields = LineFields::of(&bundle.latencies.attention),
        ffn: LineFields = LineFields::of(&bundle.latencies.ffn),
        weights: Option<LineFields> = LineFields::unless_zero(&bundle.latencies.weights),
        communication: LineFields = LineFields::of(&exchange.attention),
        ffn_links: Option<LineFields> = LineFields::unless_zero(&exchange.ffn),
        attention_loads: Option<LoadFields> = loads[0],
        ffn_loads: Option<LoadFields> = loads[1],
    }
}

fields! {
    /// The two loads through which a derived latency line is drawn, and the line's relative error at the load in use.
    #[derive(Clone, Copy)]
    LoadFields(span: LoadSpan, error: f64) {
        low: f64 = span.low,
        high: f64 = span.high,
        error: f64 = error,
    }
}

fields! {
    /// A latency line: slope·load + intercept.
    LineFields(line: &LatencyLine) {
        slope_s: f64 = line.slope.get(),
        intercept_s: f64 = line.intercept.get(),
    }
}

impl LineFields {
    fn unless_zero(line: &LatencyLine) -> Option<Self> {
        (*line != LatencyLine::ZERO).then(|| Self::of(line))
    }
}

fields! {
    /// Times and rates of an xAyF unit at one A:F ratio.
    RatioPointFields(bundle: &Bundle, point: &RatioPoint) {
        r: f64 = point.ratio,
        regime: &'static str = point.regime.id(),
        cycle_s: f64 = point.cycle.get(),
        attention_s: f64 = point.attention.get(),
        communication_s: f64 = point.messages.get(),
        ffn_s: f64 = point.ffn.get(),
        tpot_s: f64 = point.tpot.get(),
        tok_s_user: f64 = 1.0 / point.tpot.get(),
        tok_s_instance: f64 = point.per_instance,
        tok_s_gpu: Option<f64> = per_gpu(bundle, point.per_weight),
        tok_s_instance_in_flight: f64 = point.per_instance_in_flight,
        tok_s_gpu_in_flight: Option<f64> = per_gpu(bundle, point.per_weight_in_flight),
        idle_attention: f64 = point.idle_attention,
        idle_ffn: f64 = point.idle_ffn,
    }
}

fields! {
    /// An xAyF unit that consists of whole ranks.
    TopologyFields(bundle: &Bundle, topology: &Topology) {
        attention_instances: u32 = topology.attention,
        ffn_instances: u32 = topology.ffn,
        gpus: Option<f64> = per_gpu(bundle, topology.gpus),
        tok_s_instance: f64 = topology.point.per_instance,
        tok_s_gpu: Option<f64> = per_gpu(bundle, topology.point.per_weight),
        loss: f64 = topology.loss,
        tok_s_instance_in_flight: f64 = topology.point.per_instance_in_flight,
        tok_s_gpu_in_flight: Option<f64> = per_gpu(bundle, topology.point.per_weight_in_flight),
        loss_in_flight: f64 = topology.loss_in_flight,
    }
}

fields! {
    /// Memory of an attention GPU and of an FFN GPU.
    RatioMemory(memory: &[Memory; 2]) {
        attention: SideMemory = SideMemory::of(&memory[0]),
        ffn: SideMemory = SideMemory::of(&memory[1]),
    }
}

fields! {
    /// Memory of one GPU of an attention or FFN rank.
    SideMemory(memory: &Memory) {
        weights: f64 = memory.weights().get(),
        kv_cache: f64 = memory.kv_cache.get(),
        activations: f64 = memory.activations.get(),
        total: f64 = memory.total().get(),
        usable: f64 = memory.usable.get(),
    }
}

fields! {
    /// JSON result of a simulation.
    SimulationFields(setup: &Setup, end: &SimulationEnd, theory: &RatioPoint) {
        attention_instances: u32 = setup.attention_instances,
        ffn_instances: u32 = setup.ffn_instances,
        r: f64 = end.ratio,
        seed: u64 = setup.seed,
        tok_s_instance: f64 = end.per_instance,
        tok_s_instance_generated: f64 = end.per_instance_generated,
        theory_tok_s_instance: f64 = theory.per_instance,
        theory_tok_s_instance_in_flight: f64 = theory.per_instance_in_flight,
        tpot_s: f64 = end.tpot.get(),
        idle_attention: f64 = end.idle_attention,
        idle_ffn: f64 = end.idle_ffn,
        straggling: f64 = end.straggling,
        steps: u64 = end.steps,
        completed: u64 = end.completed,
        elapsed_s: f64 = end.elapsed.get(),
    }
}

/// Evaluates AFD for `mode=ratio` or `mode=simulate`.
pub fn report(inputs: &Inputs, mut notes: Vec<String>) -> Result<RatioAnswer, Vec<Refusal>> {
    let bundle = inputs.bundle()?;
    notes.extend(super::notes::of_ratio(inputs, &bundle));
    let answer = bundle.answer();
    let asked = bundle.asked();
    finite(&[&answer.best, &answer.limit, &answer.best_in_flight, &asked])?;
    let simulation = match inputs.mode {
        Mode::Simulate => Some(simulate(&bundle, asked.ratio)?),
        _ => None,
    };
    let memory = [bundle.attention_memory(), bundle.ffn_memory(asked.ratio)];
    // If the user entered all latencies, their hardware is unknown, so no per-GPU comparison is possible.
    let colocated = bundle
        .derived
        .and_then(|_| evaluate(&inputs.scenario().ok()?).ok());
    Ok(RatioAnswer {
        simulation,
        ..RatioAnswer::of(inputs, &bundle, &answer, &asked, &memory, colocated, notes)
    })
}

fn finite(points: &[&RatioPoint]) -> Result<(), Vec<Refusal>> {
    let ordinary = points.iter().all(|point| {
        let RatioPoint {
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
    let end = Simulation::run(setup).ok_or_else(|| vec![Refusal::NotFinite])?;
    let results = [
        end.per_instance,
        end.per_instance_generated,
        end.tpot.get(),
        end.straggling,
    ];
    if !results.iter().all(|value| value.is_finite()) {
        return Err(vec![Refusal::NotFinite]);
    }
    Ok(SimulationFields::of(&setup, &end, &bundle.at(end.ratio)))
}

fn latencies(inputs: &Inputs, bundle: &Bundle, ratio: f64) -> LatencyFields {
    let (of_attention, of_ffn) = bundle.line_errors(ratio);
    let loads = |error: Option<f64>, span: fn(&Derived) -> LoadSpan| {
        Some(LoadFields::of(span(bundle.derived.as_ref()?), error?))
    };
    let loads = [
        loads(of_attention, |derived| derived.tokens),
        loads(of_ffn, |derived| derived.rows),
    ];
    let exchange = bundle.exchange(ratio, bundle.ffn_instances);
    LatencyFields::of(inputs, bundle, exchange, loads)
}

/// Returns a value that depends on the number of GPUs, such as throughput per GPU. Returns `None` if the user entered
/// all latencies, because the number of GPUs is then unknown.
fn per_gpu(bundle: &Bundle, per_weight: f64) -> Option<f64> {
    bundle.derived.map(|_| per_weight)
}
