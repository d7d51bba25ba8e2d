//! Scenarios for looking at the charts: the pictured one and unkind ones.

mod schedule;

pub use schedule::*;

use super::*;

use crate::theme::Role;

/// Attention, dense, experts, head and messages of the pictured scenario at a batch per GPU, in seconds.
fn step_at(batch: f64, scale_out: f64) -> Step {
    let compute = [
        13.7 + 0.08437 * batch,
        1.34 + 0.00025 * batch,
        15.1 + 0.009375 * batch,
        1.105,
    ];
    let messages = 0.31172 * batch * 50.0 / scale_out;
    let [attention, dense, experts, head] = compute.map(|ms| ms / 1e3);
    Step {
        attention_s: attention,
        dense_s: dense,
        experts_s: experts,
        head_s: head,
        overhead_s: 0.0,
        host_s: 0.0,
        prompts_s: 0.0,
        scale_out_s: messages / 1e3,
        scale_up_s: 0.0,
        step_s: (attention + dense + experts + head).max(messages / 1e3),
    }
}

fn operator(name: &str, role: Role, peak: usize, intensity: f64, time_ms: f64) -> OperatorPoint {
    let peaks = [1.979e15, 0.9895e15];
    let achieved = (intensity * 3.35e12 / 2.0).min(peaks[peak] / 1.5);
    OperatorPoint {
        name: name.to_owned(),
        role,
        peak,
        position: RooflinePosition {
            intensity_flop_per_byte: intensity,
            achieved_flop_per_s: achieved,
        },
        bound: if intensity < peaks[peak] / 3.35e12 {
            Bound::Memory
        } else {
            Bound::Compute
        },
        time_s: time_ms / 1e3,
        share_of_step: time_ms / 55.3,
        reads_kv: role == Role::Attention && name == "attention",
        ridge_batch_per_gpu: (intensity > 0.0).then_some(295.0 / intensity * 256.0),
        pinned: None,
    }
}

/// The pictured scenario's operators.
pub fn roofline() -> RooflineData {
    use Role::{Attention, Dense, Experts, Head};
    RooflineData {
        roofs: Roofs {
            hbm_bytes_per_s: 3.35e12,
            peaks: vec![
                Peak {
                    format: "FP8".to_owned(),
                    flop_per_s: 1.979e15,
                },
                Peak {
                    format: "BF16".to_owned(),
                    flop_per_s: 0.9895e15,
                },
            ],
        },
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
    data.operators
        .retain(|o| !["dense", "router", "kv_write"].contains(&o.name.as_str()));
    for operator in &mut data.operators {
        operator.position.achieved_flop_per_s = operator.position.intensity_flop_per_byte * 3.35e12;
    }
    data
}

/// The pictured steps.
pub fn latency() -> LatencyData {
    let sample = |batch: f64, scale_out: f64| StepSample {
        batch_per_gpu: batch,
        step: step_at(batch, scale_out),
    };
    LatencyData {
        now: sample(256.0, 50.0),
        attention: Vec::new(),
        overlaps: true,
        samples: (0..=64).map(|i| sample(f64::from(i) * 8.0, 50.0)).collect(),
        crossing_batch_per_gpu: Some(144.0),
        capacity_batch_per_gpu: Some(415.0),
        gpus: 72.0,
        pinned: Some(PinnedStep {
            now: sample(256.0, 100.0),
            envelope: (0..=64)
                .map(|i| {
                    (
                        f64::from(i) * 8.0,
                        step_at(f64::from(i) * 8.0, 100.0).step_s,
                    )
                })
                .collect(),
        }),
        source: "max(compute, messages), [A] eq 49".to_owned(),
    }
}

/// The same without overlap.
pub fn latency_sequential() -> LatencyData {
    let mut data = latency();
    let sequential = |step: &mut Step| {
        step.step_s =
            step.attention_s + step.dense_s + step.experts_s + step.head_s + step.scale_out_s;
    };
    data.overlaps = false;
    sequential(&mut data.now.step);
    data.samples
        .iter_mut()
        .for_each(|sample| sequential(&mut sample.step));
    data.crossing_batch_per_gpu = None;
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

/// The pictured curve.
pub fn pareto() -> ParetoData {
    let curve = |scale_out: f64| -> Vec<OperatingPoint> {
        let batches = [1.0]
            .into_iter()
            .chain((1..=64).map(|i| f64::from(i) * 8.0))
            .chain([144.0, 415.0]);
        let mut batches: Vec<f64> = batches.collect();
        batches.sort_by(f64::total_cmp);
        batches.dedup();
        batches
            .into_iter()
            .map(|batch| pareto_point(batch, scale_out))
            .collect()
    };
    ParetoData {
        curve: curve(50.0),
        now: pareto_point(256.0, 50.0),
        marks_batch_per_gpu: vec![32.0, 64.0, 96.0, 128.0, 192.0, 384.0],
        plan: "DP 72 · EP 72".to_owned(),
        slo_tokens_per_s_per_user: Some(10.0),
        capacity_batch_per_gpu: Some(415.0),
        knee: Some(pareto_point(144.0, 50.0)),
        pinned: Some(PinnedPareto {
            label: "100 GB/s scale-out".to_owned(),
            curve: curve(100.0),
            now: pareto_point(256.0, 100.0),
        }),
        measured: Vec::new(),
        source: "1 ÷ step and batch ÷ step, [A] eqs 50–51".to_owned(),
    }
}

/// The pictured memory, holding a batch per GPU.
pub fn memory(batch: f64) -> MemoryData {
    const GIB: f64 = 1_073_741_824.0;
    let part = |role, name: &str, gib: f64, note: &str| MemoryPart {
        role,
        name: name.to_owned(),
        bytes: gib * GIB,
        note: note.to_owned(),
    };
    MemoryData {
        parts: vec![
            part(
                Role::Attention,
                "attention",
                10.6,
                "replicated on all 72 GPUs",
            ),
            part(Role::Dense, "dense", 1.11, "3 leading layers"),
            part(
                Role::Experts,
                "experts",
                12.0,
                "5 per layer, 289 over 72 GPUs rounded up",
            ),
            part(Role::Head, "embedding, head", 1.73, "replicated"),
            part(
                Role::Kv,
                "KV cache",
                0.1309 * batch,
                "0.131 per sequence: 2,000 tokens × 61 layers × 1,152 B",
            ),
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

/// The roofline with a faster memory pinned.
pub fn roofline_pinned() -> RooflineData {
    let mut data = roofline();
    for operator in &mut data.operators {
        let mut pinned = operator.position;
        pinned.intensity_flop_per_byte *= 0.5;
        pinned.achieved_flop_per_s *= 0.72;
        operator.pinned = Some(pinned);
    }
    data.pinned_roofs = Some(Roofs {
        hbm_bytes_per_s: 4.8e12,
        peaks: data.roofs.peaks.clone(),
    });
    data
}

/// Fast links, two networks: messages hide behind compute.
pub fn latency_compute_bound() -> LatencyData {
    let mut data = latency();
    let faster = |step: &mut Step| {
        step.scale_up_s = step.scale_out_s / 16.0;
        step.scale_out_s /= 4.0;
        step.step_s = step.compute_s().max(step.messages_s());
    };
    faster(&mut data.now.step);
    data.samples
        .iter_mut()
        .for_each(|sample| faster(&mut sample.step));
    data.crossing_batch_per_gpu = None;
    data.pinned = Some(PinnedStep {
        now: latency().now,
        envelope: latency()
            .samples
            .iter()
            .map(|sample| (sample.batch_per_gpu, sample.step.step_s))
            .collect(),
    });
    data
}

/// A batch beyond the memory, and a pinned scenario that is worse.
pub fn pareto_out_of_memory() -> ParetoData {
    let mut data = pareto();
    data.now = pareto_point(464.0, 50.0);
    if let Some(pinned) = &mut data.pinned {
        pinned.label = "25 GB/s scale-out".to_owned();
        pinned.now = pareto_point(256.0, 25.0);
        pinned.curve = data
            .curve
            .iter()
            .map(|p| pareto_point(p.batch_per_gpu().max(1.0), 25.0))
            .collect();
    }
    data.slo_tokens_per_s_per_user = None;
    data
}

/// Activations, a reserve and a pinned scenario.
pub fn memory_with_reserve() -> MemoryData {
    let mut data = memory(256.0);
    data.parts.push(MemoryPart {
        role: Role::Activations,
        name: "activations".to_owned(),
        bytes: 3.2e9,
        note: "the largest operator's".to_owned(),
    });
    data.reserve_bytes = 0.08 * data.capacity_bytes;
    data.pinned = Some(PinnedMemory {
        total_bytes: 0.55 * data.capacity_bytes,
        capacity_bytes: data.capacity_bytes,
    });
    data
}
