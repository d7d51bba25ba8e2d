//! Scenarios for looking at the charts: the pictured one and unkind ones.

mod schedule;

pub use schedule::*;

use super::*;

use crate::theme::Role;

/// Attention, dense, experts, head and messages of the pictured scenario at a batch per GPU.
fn step_at(batch: f64, scale_out: f64) -> Step {
    let attention = 13.7 + 0.08437 * batch;
    let dense = 1.34 + 0.00025 * batch;
    let experts = 15.1 + 0.009375 * batch;
    let messages = 0.31172 * batch * 50.0 / scale_out;
    let [attention_s, dense_s, experts_s, head_s, scale_out_s] =
        [attention, dense, experts, 1.105, messages].map(|ms| ms / 1e3);
    Step {
        attention_s,
        dense_s,
        experts_s,
        head_s,
        scale_out_s,
        step_s: (attention_s + dense_s + experts_s + head_s).max(scale_out_s),
        ..Step::default()
    }
}

fn sample(batch_per_gpu: f64, scale_out: f64) -> StepSample {
    let step = step_at(batch_per_gpu, scale_out);
    StepSample {
        batch_per_gpu,
        step,
    }
}

const FORMATS: [(&str, f64); 2] = [("FP8", 1.979e15), ("BF16", 0.9895e15)];
const HBM: f64 = 3.35e12;

fn operator(name: &str, role: Role, peak: usize, intensity: f64, time_ms: f64) -> OperatorPoint {
    let (_, most) = FORMATS[peak];
    let left = intensity < most / HBM;
    OperatorPoint {
        name: name.to_owned(),
        role,
        peak,
        position: RooflinePosition {
            intensity_flop_per_byte: intensity,
            achieved_flop_per_s: (intensity * HBM / 2.0).min(most / 1.5),
        },
        bound: if left { Bound::Memory } else { Bound::Compute },
        time_s: time_ms / 1e3,
        share_of_step: time_ms / 55.3,
        reads_kv: role == Role::Attention && name == "attention",
        ridge_batch_per_gpu: (intensity > 0.0).then_some(295.0 / intensity * 256.0),
        pinned: None,
    }
}

fn roofs(hbm_bytes_per_s: f64) -> Roofs {
    let peaks = FORMATS.map(|(format, flop_per_s)| Peak {
        format: format.to_owned(),
        flop_per_s,
    });
    Roofs {
        hbm_bytes_per_s,
        peaks: peaks.into(),
    }
}

/// The pictured scenario's operators.
pub fn roofline() -> RooflineData {
    use Role::{Attention, Dense, Experts, Head};
    RooflineData {
        roofs: roofs(HBM),
        operators: vec![
            operator("q_down", Attention, 1, 213.0, 1.1),
            operator("q_up", Attention, 1, 218.0, 2.9),
            operator("kv_down", Attention, 1, 173.0, 0.5),
            operator("k_absorb", Attention, 1, 73.0, 1.0),
            operator("attention", Attention, 1, 216.0, 21.0),
            operator("v_absorb", Attention, 1, 73.0, 1.0),
            operator("out", Attention, 1, 244.0, 7.0),
            operator("kv_write", Attention, 1, 0.0, 0.1),
            operator("dense", Dense, 0, 310.0, 1.4),
            operator("router", Experts, 0, 120.0, 0.2),
            operator("experts", Experts, 0, 505.0, 17.3),
            operator("head", Head, 1, 256.0, 1.1),
        ],
        pinned_roofs: None,
        source: "FLOP and bytes of each operator, [A] eqs 25–38".to_owned(),
    }
}

/// The nine operators of the picture on the ideal roof.
pub fn roofline_pictured() -> RooflineData {
    let mut data = roofline();
    let left_out = ["dense", "router", "kv_write"];
    data.operators
        .retain(|of| !left_out.contains(&of.name.as_str()));
    for RooflinePosition {
        intensity_flop_per_byte: intensity,
        achieved_flop_per_s: achieved,
    } in data.operators.iter_mut().map(|of| &mut of.position)
    {
        *achieved = *intensity * HBM;
    }
    data
}

/// The roofline with a faster memory pinned.
pub fn roofline_pinned() -> RooflineData {
    let mut data = roofline();
    for operator in &mut data.operators {
        let mut pinned = operator.position;
        pinned.intensity_flop_per_byte *= 0.5;
        pinned.achieved_flop_per_s *= 0.72;
        operator.pinned = Some(pinned);
    }
    data.pinned_roofs = Some(roofs(4.8e12));
    data
}

fn pinned_step(now: StepSample, samples: &[StepSample]) -> PinnedStep {
    let step = |of: &StepSample| (of.batch_per_gpu, of.step.step_s);
    let envelope = samples.iter().map(step).collect();
    PinnedStep { now, envelope }
}

pub fn latency() -> LatencyData {
    let samples = |scale_out: f64| -> Vec<StepSample> {
        let batches = (0..=64).map(|i| f64::from(i) * 8.0);
        batches.map(|batch| sample(batch, scale_out)).collect()
    };
    LatencyData {
        now: sample(256.0, 50.0),
        attention: Vec::new(),
        overlaps: true,
        samples: samples(50.0),
        crossing_batch_per_gpu: Some(144.0),
        capacity_batch_per_gpu: Some(415.0),
        gpus: 72.0,
        pinned: Some(pinned_step(sample(256.0, 100.0), &samples(100.0))),
        source: "max(compute, messages), [A] eq 49".to_owned(),
    }
}

/// The pictured steps with every one changed, so that nothing crosses.
fn latency_with(change: impl Fn(&mut Step)) -> LatencyData {
    let mut data = latency();
    let samples = data.samples.iter_mut().chain([&mut data.now]);
    samples.for_each(|sample| change(&mut sample.step));
    data.crossing_batch_per_gpu = None;
    data
}

/// The same without overlap.
pub fn latency_sequential() -> LatencyData {
    let mut data = latency_with(|step| step.step_s = step.compute_s() + step.messages_s());
    data.overlaps = false;
    data
}

/// Fast links, two networks: messages hide behind compute.
pub fn latency_compute_bound() -> LatencyData {
    let mut data = latency_with(|step| {
        step.scale_up_s = step.scale_out_s / 16.0;
        step.scale_out_s /= 4.0;
        step.step_s = step.compute_s().max(step.messages_s());
    });
    let LatencyData { now, samples, .. } = latency();
    data.pinned = Some(pinned_step(now, &samples));
    data
}

fn pareto_point(batch: f64, scale_out: f64) -> OperatingPoint {
    let step = step_at(batch, scale_out).step_s;
    OperatingPoint {
        batch: batch * 72.0,
        gpus: 72.0,
        tpot_s: step,
        per_user: 1.0 / step,
        per_gpu: batch / step,
        fits: batch <= 415.0,
    }
}

fn pareto_pinned(label: &str, scale_out: f64) -> PinnedPareto {
    PinnedPareto {
        label: label.to_owned(),
        curve: pareto_curve(scale_out),
        now: pareto_point(256.0, scale_out),
    }
}

fn pareto_curve(scale_out: f64) -> Vec<OperatingPoint> {
    let each = (1..=64).map(|i| f64::from(i) * 8.0);
    let mut batches: Vec<f64> = each.chain([1.0, 144.0, 415.0]).collect();
    batches.sort_by(f64::total_cmp);
    batches.dedup();
    let point = |batch| pareto_point(batch, scale_out);
    batches.into_iter().map(point).collect()
}

pub fn pareto() -> ParetoData {
    ParetoData {
        curve: pareto_curve(50.0),
        now: pareto_point(256.0, 50.0),
        marks_batch_per_gpu: vec![32.0, 64.0, 96.0, 128.0, 192.0, 384.0],
        plan: "DP 72 · EP 72".to_owned(),
        slo_tokens_per_s_per_user: Some(10.0),
        capacity_batch_per_gpu: Some(415.0),
        knee: Some(pareto_point(144.0, 50.0)),
        pinned: Some(pareto_pinned("100 GB/s scale-out", 100.0)),
        measured: Vec::new(),
        source: "1 ÷ step and batch ÷ step, [A] eqs 50–51".to_owned(),
    }
}

/// A batch beyond the memory, and a pinned scenario that is worse.
pub fn pareto_out_of_memory() -> ParetoData {
    ParetoData {
        now: pareto_point(464.0, 50.0),
        pinned: Some(pareto_pinned("25 GB/s scale-out", 25.0)),
        slo_tokens_per_s_per_user: None,
        ..pareto()
    }
}

const GIB: f64 = 1_073_741_824.0;

fn part(role: Role, name: &str, gib: f64, note: &str) -> MemoryPart {
    MemoryPart {
        role,
        name: name.to_owned(),
        bytes: gib * GIB,
        note: note.to_owned(),
    }
}

/// The pictured memory, holding a batch per GPU.
pub fn memory(batch: f64) -> MemoryData {
    use Role::{Attention, Dense, Experts, Head, Kv};
    let [each, spread] = [
        "0.131 per sequence: 2,000 tokens × 61 layers × 1,152 B",
        "5 per layer, 289 over 72 GPUs rounded up",
    ];
    MemoryData {
        parts: vec![
            part(Attention, "attention", 10.6, "replicated on all 72 GPUs"),
            part(Dense, "dense", 1.11, "3 leading layers"),
            part(Experts, "experts", 12.0, spread),
            part(Head, "embedding, head", 1.73, "replicated"),
            part(Kv, "KV cache", 0.1309 * batch, each),
        ],
        capacity_bytes: 80.0 * GIB,
        reserve_bytes: 0.0,
        accelerator: "H100".to_owned(),
        batch_per_gpu: batch,
        capacity_batch_per_gpu: Some(415.0),
        pinned: None,
        source: "[A] 3.1, [B] eq 11".to_owned(),
    }
}

/// Activations, a reserve and a pinned scenario.
pub fn memory_with_reserve() -> MemoryData {
    let mut data = memory(256.0);
    let largest = "the largest operator's";
    let activations = part(Role::Activations, "activations", 3.2e9 / GIB, largest);
    data.parts.push(activations);
    data.reserve_bytes = 0.08 * data.capacity_bytes;
    data.pinned = Some(PinnedMemory {
        total_bytes: 0.55 * data.capacity_bytes,
        capacity_bytes: data.capacity_bytes,
    });
    data
}
