//! Random data of every kind a model could hand over, reproducible from a seed.

use crate::charts::curve::{CurveLine, CurvePoint};
use crate::charts::measured::Shape;
use crate::charts::plans::{PlanLine, PlanNow, PlanPoint, Value};
use crate::charts::*;
use crate::theme::{Role, Series};

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

    /// A value as often as `share`, else nothing.
    pub fn sometimes(&mut self, share: f64, value: impl FnOnce(&mut Self) -> f64) -> f64 {
        if self.chance(share) { value(self) } else { 0.0 }
    }

    /// A whole number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.unit() * end as f64) as usize % end
    }

    /// One of some.
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// The width of a chart: a usual one or any between.
    pub fn width(&mut self) -> f64 {
        let any = self.between(300.0, 1300.0).round();
        self.one(&[328.0, 358.0, 530.0, 1000.0, any])
    }
}

/// What a deployment does at a batch, all of its GPUs alike.
pub fn operating(batch: f64, gpus: f64, tpot_s: f64, fits: bool) -> OperatingPoint {
    OperatingPoint {
        batch,
        gpus,
        tpot_s,
        per_user: 1.0 / tpot_s,
        per_gpu: batch / tpot_s / gpus,
        fits,
    }
}

/// Some measured systems anywhere.
fn measured_marks(dice: &mut Dice) -> Vec<MeasuredMark> {
    let count = 1 + (dice.unit() * 4.0) as usize;
    let mark = |index: usize| {
        let (per_user, per_gpu) = (dice.between(5.0, 60.0), dice.decades(100.0, 4e3));
        let point = operating(4096.0, 64.0, 1.0 / per_user, true);
        MeasuredMark {
            name: format!("256 per GPU on {} H100", 8 << index),
            run: "EP 72, steady decode".into(),
            point: OperatingPoint {
                per_user,
                per_gpu,
                ..point
            },
            dollars_per_mtok: dice.chance(0.7).then(|| dice.decades(0.05, 10.0)),
            differs: vec!["72 → 64 GPUs".into(), "batch 18,432 → 4,096".into()],
            source: "somewhere".into(),
        }
    };
    (0..count).map(mark).collect()
}

pub fn roofline(dice: &mut Dice) -> RooflineData {
    let hbm = dice.decades(1e10, 1e14);
    let formats = 1 + (dice.unit() * 3.0) as usize;
    let formats = ["FP8", "BF16", "FP4"].into_iter().take(formats);
    let mut peak = |format: &str| Peak {
        format: format.to_owned(),
        flop_per_s: hbm * dice.decades(3.0, 3000.0),
    };
    let peaks: Vec<Peak> = formats.map(&mut peak).collect();
    let tight = dice.chance(0.3);
    let spread = if tight { 1.05 } else { dice.decades(1.1, 1e5) };
    let middle = dice.decades(0.1, 5000.0);
    let number = (dice.unit() * 16.0) as usize;
    let names = [
        "q_down",
        "attention",
        "k_absorb",
        "experts",
        "shared",
        "head",
    ];
    let operator = |index: usize| {
        let peak = dice.below(peaks.len());
        let mut position = || {
            let none = dice.chance(0.05);
            let mut intensity = || middle * dice.decades(1.0 / spread, spread);
            let intensity = if none { 0.0 } else { intensity() };
            let most = (intensity * hbm).min(peaks[peak].flop_per_s);
            RooflinePosition {
                intensity_flop_per_byte: intensity,
                achieved_flop_per_s: most * dice.between(0.2, 1.0),
            }
        };
        let (position, pinned) = (position(), position());
        OperatorPoint {
            name: names[index % 6].to_owned(),
            role: Role::ALL[index % 4],
            peak,
            position,
            bound: Bound::Memory,
            time_s: 1e-3,
            share_of_step: dice.unit(),
            reads_kv: index % 6 == 1,
            ridge_batch_per_gpu: dice.chance(0.5).then_some(dice.decades(1.0, 1e6)),
            pinned: dice.chance(0.5).then_some(pinned),
        }
    };
    let operators = (0..number).map(operator).collect();
    let roofs = |hbm_bytes_per_s| Roofs {
        hbm_bytes_per_s,
        peaks: peaks.clone(),
    };
    RooflineData {
        pinned_roofs: dice.chance(0.2).then(|| roofs(hbm * 2.0)),
        roofs: roofs(hbm),
        operators,
        source: String::new(),
    }
}

pub fn pareto(dice: &mut Dice) -> ParetoData {
    let (alpha, beta) = (dice.decades(1e-4, 1.0), dice.decades(1e-8, 1e-2));
    let gamma = dice.decades(1e-8, 1e-2);
    let at = |batch: f64, most: f64, gain: f64| {
        let step = (alpha + beta * batch).max(gamma * batch) / gain;
        let point = operating(batch * 72.0, 72.0, step, batch <= most);
        OperatingPoint {
            per_gpu: batch / step,
            ..point
        }
    };
    let last = dice.decades(1.0, 1e5);
    let most = dice.between(0.0, 1.5) * last;
    let number = (dice.unit() * 70.0) as u32;
    let batch = |index| last * f64::from(index) / f64::from(number);
    let curve = |gain: f64| (1..=number).map(|i| at(batch(i), most, gain)).collect();
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
            flat.then(|| at(alpha / beta, most, 1.0))
        },
        pinned: dice.chance(0.6).then(|| PinnedPareto {
            label: "100 GB/s scale-out".to_owned(),
            curve: curve(gain),
            now: at(dice.unit() * last + 0.01, most, gain),
        }),
        measured: match dice.chance(0.3) {
            true => measured_marks(dice),
            false => Vec::new(),
        },
        source: String::new(),
    }
}

pub fn memory(dice: &mut Dice) -> MemoryData {
    use Role::{Activations, Attention, Dense, Experts, Head, Kv};
    let capacity = dice.decades(1e9, 1e13);
    let part = |role: Role| {
        let bytes = dice.sometimes(0.8, |dice| capacity * dice.decades(1e-4, 1.0));
        MemoryPart {
            role,
            name: role.name().to_owned(),
            bytes,
            note: String::new(),
        }
    };
    let parts = [Attention, Dense, Experts, Head, Kv, Activations].map(part);
    let reserve = dice.chance(0.4).then(|| dice.between(0.0, 0.3));
    let short = dice.chance(0.5);
    MemoryData {
        parts: parts.into(),
        capacity_bytes: capacity,
        reserve_bytes: capacity * reserve.unwrap_or(0.0),
        accelerator: if short {
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

/// Frontiers of any shape, some empty, some of one point, some hidden; scenarios anywhere or nowhere.
pub fn plans(dice: &mut Dice) -> PlansData {
    let (user, gpu) = (dice.decades(1e-3, 1e5), dice.decades(1e-3, 1e5));
    let slo = dice.chance(0.6).then(|| user * dice.decades(0.01, 100.0));
    let names = [
        ("H200 SXM", "H200"),
        ("GB200 NVL72", "GB200"),
        ("Helix + HOP-B", "Helix + HOP-B"),
        ("TPU v5p", "TPU v5p"),
        ("deepseek-fp8", "deepseek-fp8"),
        ("MI300X", "MI300X"),
        ("Ascend 910C", "Ascend 910C"),
    ];
    let shown = 1 + (dice.unit() * 6.99) as usize;
    let line = |(place, (name, short)): (usize, (&str, &str))| {
        let count = dice.one(&[0, 1, 2, 14, 60]);
        let speed = |_| user * dice.decades(0.05, 20.0);
        let mut users: Vec<f64> = (0..count).map(speed).collect();
        users.sort_by(|one, other| other.total_cmp(one));
        let mut rate = gpu * dice.decades(0.01, 100.0);
        let priced = dice.chance(0.6);
        let point = |user| {
            rate *= dice.between(1.0, 1.4);
            PlanPoint {
                point: OperatingPoint {
                    gpus: dice.between(1.0, 4096.0).round(),
                    batch: dice.decades(1.0, 1e7).round(),
                    tpot_s: 1.0 / user,
                    per_user: user,
                    per_gpu: rate,
                    fits: true,
                },
                family: "Helix + HOP-B",
                sharding: "TP 8 · KVP 8 · EP 64".into(),
                schedule: "no overlap",
                accelerator: "GB200 NVL72",
                precision: "fp4",
                dollars_per_mtok: priced.then(|| 1e3 / rate),
            }
        };
        let points: Vec<PlanPoint> = users.into_iter().map(point).collect();
        let meets = |point: &PlanPoint| slo.is_none_or(|slo| point.point.per_user >= slo);
        let (series, dashed) = match place {
            0 => (Series::Own, false),
            place => Series::other(place - 1),
        };
        PlanLine {
            name: name.to_owned(),
            short: short.to_owned(),
            series,
            dashed,
            hidden: dice.chance(0.1),
            best: points.iter().rposition(meets),
            points,
        }
    };
    let lines = names.into_iter().take(shown).enumerate().map(line);
    let lines = lines.collect();
    let anywhere = |dice: &mut Dice| PlanNow {
        point: OperatingPoint {
            batch: dice.decades(1.0, 1e7).round(),
            per_user: dice.decades(1e-6, 1e8),
            per_gpu: gpu * dice.decades(0.01, 100.0),
            fits: dice.chance(0.5),
            ..OperatingPoint::default()
        },
        dollars_per_mtok: dice.chance(0.7).then(|| dice.decades(0.01, 100.0)),
        label: "two-batch overlap".into(),
    };
    PlansData {
        now: dice.chance(0.7).then(|| anywhere(dice)),
        pinned: dice.chance(0.3).then(|| anywhere(dice)),
        value: match dice.chance(0.7) {
            true => Value::PerGpu,
            false => Value::Dollars,
        },
        log: dice.chance(0.4),
        slo_tokens_per_s_per_user: slo,
        lit: dice.chance(0.2).then_some(1),
        marked: dice.chance(0.3).then_some(3),
        measured: match dice.chance(0.3) {
            true => measured_marks(dice),
            false => Vec::new(),
        },
        lines,
        source: "[H] 3.2".into(),
    }
}

pub fn measured(dice: &mut Dice) -> MeasuredData {
    let count = (dice.unit() * 60.0) as usize;
    let point = |index: usize| {
        let measured = dice.decades(10.0, 2e4);
        let predicted = measured * dice.decades(0.4, 2.5);
        MeasuredPoint {
            name: format!("DeepSeek-R1, {index}×8 H200"),
            run: String::new(),
            group: "steady decode",
            unknown: String::new(),
            measured,
            predicted,
            range: (predicted * 0.9, predicted * 1.2),
            formerly: dice.chance(0.5).then(|| measured * dice.decades(0.2, 5.0)),
            counts: dice.chance(0.5),
            shape: [Shape::Disc, Shape::Ring, Shape::Cross][index % 3],
            source: String::new(),
        }
    };
    MeasuredData {
        points: (0..count).map(point).collect(),
        finding: "Some of them".into(),
    }
}

pub fn curve(dice: &mut Dice) -> CurveData {
    let line = |name| CurveLine {
        name,
        role: None,
        points: (1..40)
            .map(|step| (f64::from(step), dice.decades(1.0, 1e3)))
            .collect(),
        fits: (dice.unit() * 40.0) as usize,
        printed: vec![CurvePoint {
            x: 7.0,
            y: dice.decades(1.0, 1e3),
            place: "Figure 1".into(),
        }],
    };
    CurveData {
        lines: ["16k tokens", "2k tokens"].map(line).into(),
        x: "batch",
        y: "least GB/s per device",
        log: (dice.chance(0.5), dice.chance(0.5)),
        bound: dice.chance(0.5).then_some((30.0, "“at most 30”")),
        rule: dice.chance(0.5).then_some((20.0, "the paper’s SLO")),
        finding: "Least bandwidth by batch",
        source: String::new(),
    }
}
