//! What holds for every chart whatever its data and size, and a way to look at them.

use super::fixtures;
use super::recorder::Recorder;
use super::*;
use crate::theme::{DARK, LIGHT, Role};

/// A small generator of reproducible numbers (xorshift).
struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }

    /// A positive number of any size, equally likely in every decade.
    fn decades(&mut self, low: f64, high: f64) -> f64 {
        low * libm::pow(high / low, self.unit())
    }

    fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    fn size(&mut self) -> (f64, f64) {
        let width = [328.0, 358.0, 530.0, 1000.0, self.between(300.0, 1300.0)];
        width[(self.unit() * 5.0) as usize % 5]
            .min(1300.0)
            .into_size()
    }
}

trait IntoSize {
    fn into_size(self) -> (f64, f64);
}

impl IntoSize for f64 {
    fn into_size(self) -> (f64, f64) {
        (self.round(), chart_height_px(self))
    }
}

/// Draws and checks what every drawing owes its reader.
fn check<F: Figure + std::fmt::Debug>(
    figure: &F,
    (width, height): (f64, f64),
    stretch: f64,
) -> Hits {
    let mut hits = Hits::default();
    let mut focus = None;
    for round in 0..3 {
        let mut surface = Recorder::new(width, height);
        surface.stretch = stretch;
        hits = figure.draw(&mut surface, &LIGHT, focus).unwrap();
        let says = || format!("round {round}, {width}×{height}, focus {focus:?}, {figure:?}");
        for text in &surface.texts {
            assert!(
                !text.text.contains("NaN") && !text.text.contains("inf"),
                "{} in {}",
                text.text,
                says()
            );
            for part in &text.boxes {
                let canvas = geometry::rect(-0.6, -0.6, width + 0.6, height + 0.6);
                assert!(
                    canvas.holds(part),
                    "“{}” at {part:?} is clipped: {}",
                    text.text,
                    says()
                );
            }
        }
        for (index, a) in surface.texts.iter().enumerate() {
            for b in &surface.texts[index + 1..] {
                let touch = a.boxes.iter().any(|x| {
                    b.boxes
                        .iter()
                        .any(|y| x.grown(-0.3).overlaps(&y.grown(-0.3)))
                });
                assert!(
                    !touch,
                    "“{}” and “{}” overlap: {:?} {:?} {}",
                    a.text,
                    b.text,
                    a.boxes,
                    b.boxes,
                    says()
                );
            }
        }
        for (x, y) in &surface.places {
            assert!(
                (-3000.0..5000.0).contains(x) && (-3000.0..5000.0).contains(y),
                "{x}, {y} far off: {}",
                says()
            );
        }
        focus = hits.step(focus, if round == 0 { 0 } else { 7 });
    }
    for index in 0..hits.len() {
        assert!(
            figure.tooltip(index).is_some(),
            "no tooltip {index} of {}",
            hits.len()
        );
        let (x, y) = hits.anchor_px(index).unwrap();
        assert!(
            x >= -1.0 && x <= width + 1.0 && y.is_finite(),
            "{x}, {y} outside: {figure:?}"
        );
    }
    assert!(
        !figure.finding().is_empty() && figure.finding().chars().count() <= 60,
        "{}",
        figure.finding()
    );
    let table = figure.table();
    assert!(
        table
            .rows
            .iter()
            .all(|row| row.len() == table.columns.len())
    );
    hits
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
        scale_out_s: time(0.7),
        scale_up_s: time(0.4),
        step_s: 0.0,
    };
    step.step_s = step.compute_s().max(step.messages_s());
    step
}

fn random_latency(dice: &mut Dice) -> LatencyData {
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
            scale_out_s: mix(base.scale_out_s, slope.scale_out_s),
            scale_up_s: mix(base.scale_up_s, slope.scale_up_s),
            step_s: 0.0,
        };
        let (compute, messages) = (step.compute_s(), step.messages_s());
        step.step_s = if overlaps {
            compute.max(messages)
        } else {
            compute + messages
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
    let mut maybe = |share: f64| dice.chance(share).then(|| batch(dice.unit()));
    let (crossing, capacity, now, pinned) = (maybe(0.6), maybe(0.9), maybe(1.0), maybe(0.5));
    LatencyData {
        now: at(now.unwrap_or(1.0)),
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

fn random_roofline(dice: &mut Dice) -> RooflineData {
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

fn random_pareto(dice: &mut Dice) -> ParetoData {
    let (alpha, beta, gamma) = (
        dice.decades(1e-4, 1.0),
        dice.decades(1e-8, 1e-2),
        dice.decades(1e-8, 1e-2),
    );
    let at = |batch: f64, most: f64, gain: f64| {
        let step = (alpha + beta * batch).max(gamma * batch) / gain;
        ParetoPoint {
            batch_per_gpu: batch,
            tokens_per_s_per_user: 1.0 / step,
            tokens_per_s_per_gpu: batch / step,
            fits: batch <= most,
        }
    };
    let last = dice.decades(1.0, 1e5);
    let most = dice.between(0.0, 1.5) * last;
    let number = (dice.unit() * 70.0) as u32;
    let curve = |gain: f64| -> Vec<ParetoPoint> {
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
        gpus: 72.0,
        slo_tokens_per_s_per_user: dice.chance(0.5).then(|| dice.decades(0.01, 2.0) / alpha),
        capacity_batch_per_gpu: dice.chance(0.9).then_some(most.floor()),
        knee: dice.chance(0.6).then(|| Knee {
            point: at(alpha / beta, most, 1.0),
            flat_beyond: dice.chance(0.5),
        }),
        pinned: dice.chance(0.6).then(|| PinnedPareto {
            label: "100 GB/s scale-out".to_owned(),
            curve: curve(gain),
            now: at(dice.unit() * last + 0.01, most, gain),
        }),
        source: String::new(),
    }
}

fn random_memory(dice: &mut Dice) -> MemoryData {
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

const ROUNDS: u64 = 300;

fn for_each_seed(mut test: impl FnMut(&mut Dice, (f64, f64), f64)) {
    for seed in 1..=ROUNDS {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let size = dice.size();
        // Narrower and wider fonts than the table's.
        let stretch = dice.between(0.92, 1.18);
        test(&mut dice, size, stretch);
    }
}

#[test]
fn rooflines_are_readable_at_any_size() {
    for_each_seed(|dice, size, stretch| {
        check(&random_roofline(dice), size, stretch);
    });
}

#[test]
fn steps_are_readable_at_any_size() {
    for_each_seed(|dice, (width, _), stretch| {
        check(
            &random_latency(dice),
            (width, LatencyData::height_px(width)),
            stretch,
        );
    });
}

#[test]
fn pareto_curves_are_readable_at_any_size() {
    for_each_seed(|dice, size, stretch| {
        check(&random_pareto(dice), size, stretch);
    });
}

#[test]
fn memory_is_readable_at_any_size() {
    for_each_seed(|dice, (width, _), stretch| {
        check(
            &random_memory(dice),
            (width, MemoryData::height_px(width)),
            stretch,
        );
    });
}

#[test]
fn empty_data_is_a_designed_state() {
    let size = (530.0, 268.0);
    let mut roofline = fixtures::roofline();
    roofline.operators.clear();
    assert!(check(&roofline, size, 1.0).is_empty());
    roofline.roofs.peaks.clear();
    assert!(check(&roofline, size, 1.0).is_empty());
    roofline.roofs.hbm_bytes_per_s = f64::NAN;
    assert!(check(&roofline, size, 1.0).is_empty());

    let mut latency = fixtures::latency();
    latency.samples.clear();
    latency.now.step = Step::default();
    latency.pinned = None;
    assert!(check(&latency, size, 1.0).is_empty());
    latency.now.step.step_s = f64::INFINITY;
    check(&latency, size, 1.0);

    let mut pareto = fixtures::pareto();
    pareto.curve.clear();
    pareto.now.tokens_per_s_per_user = f64::NAN;
    pareto.pinned = None;
    pareto.knee = None;
    assert!(check(&pareto, size, 1.0).is_empty());

    let mut memory = fixtures::memory(256.0);
    memory.parts.clear();
    assert!(check(&memory, size, 1.0).is_empty());
}

#[test]
fn tiny_canvases_do_not_panic() {
    for (width, height) in [(1.0, 1.0), (20.0, 400.0), (400.0, 20.0), (90.0, 90.0)] {
        let mut surface = Recorder::new(width, height);
        fixtures::roofline()
            .draw(&mut surface, &DARK, Some(3))
            .unwrap();
        fixtures::latency()
            .draw(&mut surface, &DARK, Some(3))
            .unwrap();
        fixtures::pareto()
            .draw(&mut surface, &DARK, Some(3))
            .unwrap();
        fixtures::memory(512.0)
            .draw(&mut surface, &DARK, Some(3))
            .unwrap();
    }
}

#[test]
fn a_drawing_says_the_numbers() {
    fn texts<F: Figure>(figure: &F) -> String {
        let mut surface = Recorder::new(530.0, F::height_px(530.0));
        figure.draw(&mut surface, &LIGHT, None).unwrap();
        surface
            .texts
            .into_iter()
            .map(|written| written.text)
            .collect::<Vec<_>>()
            .join("|")
    }
    let says = |drawn: &str, parts: &[&str]| {
        for part in parts {
            assert!(drawn.contains(part), "{part} is missing in {drawn}");
        }
    };
    says(
        &texts(&fixtures::roofline()),
        &[
            "FP8 1,979",
            "BF16 989.5",
            "HBM 3.35 TB/s",
            "295",
            "591",
            "memory-bound",
            "compute-bound",
            "attention",
            " 216",
        ],
    );
    says(
        &texts(&fixtures::latency()),
        &[
            "attention 35.3",
            "scale-out messages 79.8",
            "idle 24.5",
            "79.8",
            "compute at 144",
            "beyond 415",
            "now: 256 per GPU",
        ],
    );
    says(
        &texts(&fixtures::pareto()),
        &[
            "now: 256 per GPU",
            "DP 72 · EP 72",
            "1.44×",
            "misses SLO",
            "beyond 415",
            "144 per GPU: the same",
            "64 per GPU",
        ],
    );
    says(
        &texts(&fixtures::memory(256.0)),
        &["33.5", "12.0", "10.6", "now 256", "415", "80 H100", "21.0"],
    );
    says(
        &texts(&fixtures::memory(512.0)),
        &["over by", "12.5", "now 512", "67.0"],
    );
}

#[test]
fn findings_say_what_binds() {
    assert_eq!(
        fixtures::roofline_pictured().finding(),
        "All nine operators sit left of their ridge"
    );
    assert_eq!(
        fixtures::latency().finding(),
        "Compute hides behind messages"
    );
    assert_eq!(
        fixtures::latency_sequential().finding(),
        "41% computes, 59% waits for messages"
    );
    assert_eq!(
        fixtures::pareto().finding(),
        "Beyond 144 per GPU only latency grows"
    );
    assert_eq!(
        fixtures::memory(256.0).finding(),
        "59.0 of 80 GiB, room for 415 per GPU"
    );
    assert_eq!(
        fixtures::memory(512.0).finding(),
        "12.5 GiB too much, all of it KV cache"
    );
}

#[test]
fn an_svg_is_well_formed_and_says_its_finding() {
    let svg = svg::render(&fixtures::latency(), &LIGHT, (530.0, 268.0));
    assert!(svg.contains("<title>Compute hides behind messages</title>"));
    assert!(svg.contains(">scale-out messages 79.8</text>"));
    assert!(!svg.contains("NaN"));
    assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    assert!(svg.len() < 40_000, "{} bytes", svg.len());
}

/// Writes every fixture as SVG to look at: `cargo test -p app --lib charts -- --ignored pictures`.
#[test]
#[ignore = "writes files to look at"]
fn pictures() {
    let folder = std::env::temp_dir().join("ridgepoint-charts");
    std::fs::create_dir_all(&folder).unwrap();
    for (scheme, theme) in [("light", LIGHT), ("dark", DARK)] {
        for (width, tag) in [
            (328.0, "small"),
            (358.0, "phone"),
            (530.0, "wide"),
            (1000.0, "huge"),
        ] {
            fn save<F: Figure>(
                folder: &std::path::Path,
                name: &str,
                figure: &F,
                theme: &Theme,
                width: f64,
                focus: Option<usize>,
            ) {
                let mut surface = svg::SvgSurface::new(width, F::height_px(width));
                figure.draw(&mut surface, theme, focus).unwrap();
                std::fs::write(
                    folder.join(name),
                    surface.document(theme, &figure.finding()),
                )
                .unwrap();
            }
            let name = |chart: &str| format!("{chart}-{tag}-{scheme}.svg");
            let at = |index: usize| Some(index);
            save(
                &folder,
                &name("roofline-pictured"),
                &fixtures::roofline_pictured(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("roofline"),
                &fixtures::roofline(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("roofline-hover"),
                &fixtures::roofline_pinned(),
                &theme,
                width,
                at(8),
            );
            save(
                &folder,
                &name("latency"),
                &fixtures::latency(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("latency-hover"),
                &fixtures::latency(),
                &theme,
                width,
                at(40),
            );
            save(
                &folder,
                &name("latency-sequential"),
                &fixtures::latency_sequential(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("latency-compute"),
                &fixtures::latency_compute_bound(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("pareto"),
                &fixtures::pareto(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("pareto-worse"),
                &fixtures::pareto_out_of_memory(),
                &theme,
                width,
                at(20),
            );
            save(
                &folder,
                &name("memory"),
                &fixtures::memory(256.0),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("memory-over"),
                &fixtures::memory(512.0),
                &theme,
                width,
                at(4),
            );
            save(
                &folder,
                &name("memory-reserve"),
                &fixtures::memory_with_reserve(),
                &theme,
                width,
                None,
            );
            for seed in 1..=6_u64 {
                let dice = &mut Dice(seed.wrapping_mul(0xD129_0F21_77C1_3A55) | 1);
                save(
                    &folder,
                    &name(&format!("random-roofline-{seed}")),
                    &random_roofline(dice),
                    &theme,
                    width,
                    None,
                );
                save(
                    &folder,
                    &name(&format!("random-latency-{seed}")),
                    &random_latency(dice),
                    &theme,
                    width,
                    None,
                );
                save(
                    &folder,
                    &name(&format!("random-pareto-{seed}")),
                    &random_pareto(dice),
                    &theme,
                    width,
                    None,
                );
                save(
                    &folder,
                    &name(&format!("random-memory-{seed}")),
                    &random_memory(dice),
                    &theme,
                    width,
                    None,
                );
            }
        }
    }
}
