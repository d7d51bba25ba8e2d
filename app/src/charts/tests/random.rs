//! Random data of every kind a model could hand over, reproducible from a seed.

mod frontiers;
mod schedule;

pub use frontiers::plans;
pub use schedule::*;

use crate::charts::*;
use crate::theme::Role;

/// A small generator of reproducible numbers (xorshift).
pub struct Dice(pub u64);

impl Dice {
    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }

    /// A positive number of any size, equally likely in every decade.
    pub fn decades(&mut self, low: f64, high: f64) -> f64 {
        low * libm::pow(high / low, self.unit())
    }

    /// True as often as `share`.
    pub fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// The size of a chart: the usual ones and any between.
    pub fn size(&mut self) -> (f64, f64) {
        let widths = [
            328.0,
            358.0,
            530.0,
            1000.0,
            self.between(300.0, 1300.0).round(),
        ];
        let width = widths[(self.unit() * 5.0) as usize % 5];
        (width, chart_height_px(width))
    }
}

fn random_step(dice: &mut Dice, scale: f64) -> Step {
    let mut time = |share: f64| {
        if dice.chance(share) {
            dice.decades(1e-3, 1.0) * scale
        } else {
            0.0
        }
    };
    let mut step = Step {
        attention_s: time(0.95),
        dense_s: time(0.6),
        experts_s: time(0.7),
        head_s: time(0.8),
        overhead_s: 0.0,
        host_s: 0.0,
        prompts_s: 0.0,
        scale_out_s: time(0.7),
        scale_up_s: time(0.4),
        step_s: 0.0,
    };
    step.overhead_s = step.head_s * 0.4;
    step.host_s = step.dense_s * 0.1;
    step.prompts_s = step.dense_s * 0.3;
    step.step_s = step.busy_s().max(step.messages_s()) + step.host_s + step.prompts_s;
    step
}

/// Some measured systems anywhere.
pub fn measured_marks(dice: &mut Dice) -> Vec<MeasuredMark> {
    let count = 1 + (dice.unit() * 4.0) as usize;
    (0..count)
        .map(|index| {
            let (per_user, per_gpu) = (dice.between(5.0, 60.0), dice.decades(100.0, 4e3));
            MeasuredMark {
                name: format!("256 per GPU on {} H100", 8 << index),
                run: "EP 72, steady decode".into(),
                point: OperatingPoint {
                    batch: 4096.0,
                    gpus: 64.0,
                    tpot_s: 1.0 / per_user,
                    per_user,
                    per_gpu,
                    fits: true,
                },
                differs: vec!["72 → 64 GPUs".into(), "batch 18,432 → 4,096".into()],
                source: "somewhere".into(),
            }
        })
        .collect()
}

/// A random latency chart.
pub fn latency(dice: &mut Dice) -> LatencyData {
    let scale = dice.decades(1e-6, 1e3);
    let (base, slope) = (random_step(dice, scale), random_step(dice, scale));
    let last = dice.decades(0.5, 1e6).ceil();
    let overlaps = dice.chance(0.6);
    let at = |batch: f64| {
        let mix = |a: f64, b: f64| a + b * batch / last;
        let mut step = Step {
            attention_s: mix(base.attention_s, slope.attention_s),
            dense_s: mix(base.dense_s, slope.dense_s),
            experts_s: mix(base.experts_s, slope.experts_s),
            head_s: mix(base.head_s, slope.head_s),
            overhead_s: mix(base.overhead_s, slope.overhead_s),
            host_s: mix(base.host_s, slope.host_s),
            prompts_s: mix(base.prompts_s, slope.prompts_s),
            scale_out_s: mix(base.scale_out_s, slope.scale_out_s),
            scale_up_s: mix(base.scale_up_s, slope.scale_up_s),
            step_s: 0.0,
        };
        let (busy, messages) = (step.busy_s(), step.messages_s());
        step.step_s = step.host_s
            + step.prompts_s
            + if overlaps {
                busy.max(messages)
            } else {
                busy + messages
            };
        StepSample {
            batch_per_gpu: batch,
            step,
        }
    };
    let number = (dice.unit() * 70.0) as u32;
    let batch = |share: f64| {
        if last > 8.0 {
            (share * last).round()
        } else {
            share * last
        }
    };
    let attention = if dice.chance(0.3) {
        let first = dice.unit();
        [("gated delta", first), ("window 128", 1.0 - first)]
            .map(|(name, share)| (name.to_owned(), share))
            .to_vec()
    } else {
        Vec::new()
    };
    let mut maybe = |share: f64| dice.chance(share).then(|| batch(dice.unit()));
    let (crossing, capacity, now, pinned) = (maybe(0.6), maybe(0.9), maybe(1.0), maybe(0.5));
    LatencyData {
        now: at(now.unwrap_or(1.0)),
        attention,
        overlaps,
        samples: (0..=number)
            .map(|i| at(last * f64::from(i) / f64::from(number.max(1))))
            .collect(),
        crossing_batch_per_gpu: crossing,
        capacity_batch_per_gpu: capacity,
        gpus: 72.0,
        pinned: pinned.map(|batch| PinnedStep {
            now: at(batch),
            envelope: (0..20)
                .map(|i| {
                    (
                        last * f64::from(i) / 19.0,
                        at(last * f64::from(i) / 19.0).step.step_s * 0.7,
                    )
                })
                .collect(),
        }),
        source: String::new(),
    }
}

/// A random roofline chart.
pub fn roofline(dice: &mut Dice) -> RooflineData {
    let hbm = dice.decades(1e10, 1e14);
    let peaks: Vec<Peak> = ["FP8", "BF16", "FP4"]
        .iter()
        .take(1 + (dice.unit() * 3.0) as usize)
        .map(|format| Peak {
            format: (*format).to_owned(),
            flop_per_s: hbm * dice.decades(3.0, 3000.0),
        })
        .collect();
    let spread = if dice.chance(0.3) {
        1.05
    } else {
        dice.decades(1.1, 1e5)
    };
    let middle = dice.decades(0.1, 5000.0);
    let number = (dice.unit() * 16.0) as usize;
    let operators = (0..number)
        .map(|i| {
            let peak = (dice.unit() * peaks.len() as f64) as usize % peaks.len();
            let mut position = || {
                let intensity = if dice.chance(0.05) {
                    0.0
                } else {
                    middle * dice.decades(1.0 / spread, spread)
                };
                RooflinePosition {
                    intensity_flop_per_byte: intensity,
                    achieved_flop_per_s: (intensity * hbm).min(peaks[peak].flop_per_s)
                        * dice.between(0.2, 1.0),
                }
            };
            let (position, pinned) = (position(), position());
            OperatorPoint {
                name: [
                    "q_down",
                    "attention",
                    "k_absorb",
                    "experts",
                    "shared",
                    "head",
                ][i % 6]
                    .to_owned(),
                role: Role::ALL[i % 4],
                peak,
                position,
                bound: Bound::Memory,
                time_s: 1e-3,
                share_of_step: dice.unit(),
                reads_kv: i % 6 == 1,
                ridge_batch_per_gpu: dice.chance(0.5).then_some(dice.decades(1.0, 1e6)),
                pinned: dice.chance(0.5).then_some(pinned),
            }
        })
        .collect();
    RooflineData {
        pinned_roofs: dice.chance(0.2).then(|| Roofs {
            hbm_bytes_per_s: hbm * 2.0,
            peaks: peaks.clone(),
        }),
        roofs: Roofs {
            hbm_bytes_per_s: hbm,
            peaks,
        },
        operators,
        source: String::new(),
    }
}

/// A random pareto chart.
pub fn pareto(dice: &mut Dice) -> ParetoData {
    let (alpha, beta, gamma) = (
        dice.decades(1e-4, 1.0),
        dice.decades(1e-8, 1e-2),
        dice.decades(1e-8, 1e-2),
    );
    let at = |batch: f64, most: f64, gain: f64| {
        let step = (alpha + beta * batch).max(gamma * batch) / gain;
        OperatingPoint {
            batch: batch * 72.0,
            gpus: 72.0,
            tpot_s: step,
            per_user: 1.0 / step,
            per_gpu: batch / step,
            fits: batch <= most,
        }
    };
    let last = dice.decades(1.0, 1e5);
    let most = dice.between(0.0, 1.5) * last;
    let number = (dice.unit() * 70.0) as u32;
    let curve = |gain: f64| -> Vec<OperatingPoint> {
        (1..=number)
            .map(|i| at(last * f64::from(i) / f64::from(number), most, gain))
            .collect()
    };
    let gain = dice.decades(0.3, 3.0);
    let now = (dice.unit() * last).max(0.01);
    ParetoData {
        curve: curve(1.0),
        now: at(now, most, 1.0),
        marks_batch_per_gpu: (1..9)
            .map(|i| (last * f64::from(i) / 9.0).round())
            .collect(),
        plan: "DP 72 · EP 72".to_owned(),
        slo_tokens_per_s_per_user: dice.chance(0.5).then(|| dice.decades(0.01, 2.0) / alpha),
        capacity_batch_per_gpu: dice.chance(0.9).then_some(most.floor()),
        knee: {
            let flat = dice.chance(0.6);
            let _ = flat && dice.chance(0.5);
            flat
        }
        .then(|| at(alpha / beta, most, 1.0)),
        pinned: dice.chance(0.6).then(|| PinnedPareto {
            label: "100 GB/s scale-out".to_owned(),
            curve: curve(gain),
            now: at(dice.unit() * last + 0.01, most, gain),
        }),
        measured: if dice.chance(0.3) {
            measured_marks(dice)
        } else {
            Vec::new()
        },
        source: String::new(),
    }
}

/// A random memory chart.
pub fn memory(dice: &mut Dice) -> MemoryData {
    let capacity = dice.decades(1e9, 1e13);
    let roles = [
        Role::Attention,
        Role::Dense,
        Role::Experts,
        Role::Head,
        Role::Kv,
        Role::Activations,
    ];
    let parts = roles
        .into_iter()
        .map(|role| MemoryPart {
            role,
            name: role.name().to_owned(),
            bytes: if dice.chance(0.8) {
                capacity * dice.decades(1e-4, 1.0)
            } else {
                0.0
            },
            note: String::new(),
        })
        .collect();
    MemoryData {
        parts,
        capacity_bytes: capacity,
        reserve_bytes: if dice.chance(0.4) {
            capacity * dice.between(0.0, 0.3)
        } else {
            0.0
        },
        accelerator: if dice.chance(0.5) {
            "H100"
        } else {
            "RTX PRO 6000 Blackwell"
        }
        .to_owned(),
        batch_per_gpu: dice.decades(0.01, 1e6).ceil(),
        capacity_batch_per_gpu: dice.chance(0.8).then(|| dice.decades(1.0, 1e6).ceil()),
        pinned: dice.chance(0.5).then(|| PinnedMemory {
            total_bytes: capacity * dice.decades(0.01, 3.0),
            capacity_bytes: capacity,
        }),
        source: String::new(),
    }
}
