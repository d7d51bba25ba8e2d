//! The space of random scenarios: every sequence of choices gives a valid scenario.
//!
//! A scenario is made from a sequence of numbers, each of which selects one of several alternatives, the simplest
//! first. Property tests shrink these numbers toward zero, so that a failing scenario becomes simpler. The parity
//! test draws the numbers from a seeded generator.

use model_core::arch::{
    Arch, Compressed, ContextSpan, Dense, Ffn, GatedDelta, Grouped, Index, Kda, Latent, Lightning,
    Mamba2, Mixer, Moe, catalog as models,
};
use model_core::calibration::{Fold, NamedCalibration};
use model_core::hardware::Family;
use model_core::hardware::catalog as accelerators;
use model_core::inputs::{Gpu, Inputs, Model, Number, NumberOf};
use model_core::math::divisors;
use model_core::ops::{Fusion, LatentForm};
use model_core::plan::{Overlap, Plan, PlanSpec, Shared, least_experts_placed};
use model_core::precision::{Format, NamedPrecision};
use model_core::scenario::Scenario;
use model_core::workload::Engine;

/// Maximum number of choices per scenario; once the sequence of choices ends, the first (simplest) alternative is
/// taken.
pub const CHOICES: usize = 96;

/// Number of GPUs in the largest random deployment.
pub const MOST_GPUS: u32 = 512;

/// A stream of random choices, and the inputs that have been drawn with them so far.
struct Choices<'a>(&'a mut dyn Iterator<Item = u32>, Vec<Number>);

/// Inputs that are not drawn because separate tests cover them: replicas, hardware factors, and the number of replicas
/// to compare with.
const OF_OTHER_LAWS: [Number; 7] = [
    Number::Replicas,
    Number::HbmScale,
    Number::CapacityScale,
    Number::PeakScale,
    Number::LatencyScale,
    Number::OverheadScale,
    Number::Instances,
];

impl Choices<'_> {
    fn of<T: Copy>(&mut self, alternatives: &[T]) -> T {
        let draw = self.0.next().unwrap_or(0) as usize;
        alternatives[draw % alternatives.len()]
    }

    /// Returns true for one draw in `every`; the simplest draw, 0, gives false.
    fn one_in(&mut self, every: u32) -> bool {
        self.0.next().unwrap_or(0) % every == every - 1
    }

    /// Sets an input to one of the values with a probability of 1/3.
    fn perhaps(&mut self, inputs: &mut Inputs, number: Number, values: &[f64]) {
        let stated = self.one_in(3);
        let value = self.of(values);
        self.1.push(number);
        if stated {
            inputs.state(number, Some(value));
        }
    }
}

/// Returns the scenario that a sequence of choices gives.
pub fn inputs(source: &mut dyn Iterator<Item = u32>) -> Inputs {
    let mut choices = Choices(source, Vec::new());
    let mut inputs = Inputs::DEFAULT;
    choose_hardware(&mut choices, &mut inputs);
    inputs.model = model(&mut choices);
    choose_precision(&mut choices, &mut inputs);
    choose_plan(&mut choices, &mut inputs);
    choose_load(&mut choices, &mut inputs);
    choose_costs(&mut choices, &mut inputs);
    choose_others(&mut choices, &mut inputs);
    inputs
}

/// Chooses every remaining input that has a fixed default: the default, an end of the input's range, or the middle.
fn choose_others(choices: &mut Choices<'_>, inputs: &mut Inputs) {
    for number in Number::ALL {
        let spec = number.spec();
        let drawn = choices.1.contains(&number) || inputs.stated(number).is_some();
        let elsewhere = OF_OTHER_LAWS.contains(&number) || !number.describes(NumberOf::Scenario);
        if let (Some(default), false) = (spec.default, drawn || elsewhere) {
            let mut values = vec![
                default,
                spec.least,
                f64::midpoint(spec.least, spec.most),
                spec.most,
            ];
            values.retain(|value| number.allows(*value));
            choices.perhaps(inputs, number, &values);
        }
    }
}

/// Returns a seeded stream of random choices: the upper halves of splitmix64 outputs.
pub fn seeded(seed: u64) -> impl Iterator<Item = u32> {
    let mut state = seed;
    std::iter::from_fn(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Some(((z ^ (z >> 31)) >> 32) as u32)
    })
}

fn choose_hardware(choices: &mut Choices<'_>, inputs: &mut Inputs) {
    if choices.one_in(4) {
        inputs.gpu = Gpu::Custom;
        let peaks = [1000.0, 0.5, 37.25, 9000.0];
        inputs.state(Number::PeakBf16, Some(choices.of(&peaks)));
        choices.perhaps(inputs, Number::PeakFp8, &peaks);
        choices.perhaps(inputs, Number::PeakFp4, &peaks);
        choices.perhaps(inputs, Number::Hbm, &[8000.0, 10.0, 864.5, 1e6]);
        choices.perhaps(inputs, Number::Capacity, &[192.0, 1.0, 24.5, 10_000.0]);
        choices.perhaps(inputs, Number::Watts, &[700.0, 75.5]);
        inputs.family = choices.of(&[
            None,
            Some(Family::Hopper),
            Some(Family::Blackwell),
            Some(Family::Cdna3),
            Some(Family::Cdna4),
        ]);
    } else {
        let rows: Vec<_> = accelerators::CATALOG.iter().collect();
        inputs.gpu = Gpu::Catalog(choices.of(&rows));
    }
    choices.perhaps(
        inputs,
        Number::Domain,
        &[8.0, 1.0, 2.0, 5.0, 16.0, 72.0, 512.0],
    );
    choices.perhaps(inputs, Number::ScaleUp, &[900.0, 1.0, 64.5, 1e5]);
    choices.perhaps(inputs, Number::ScaleOut, &[25.0, 0.125, 100.0, 1e4]);
}

fn model(choices: &mut Choices<'_>) -> Model {
    if choices.one_in(4) {
        Model::Custom(choices.of(&ODD_SHAPES))
    } else {
        let rows: Vec<_> = models::CATALOG.iter().collect();
        Model::Catalog(choices.of(&rows))
    }
}

fn choose_precision(choices: &mut Choices<'_>, inputs: &mut Inputs) {
    let named: Vec<NamedPrecision> = inputs.version.precisions().collect();
    inputs.precision = choices.of(&named);
    for number in [
        Number::AttentionWeightBytes,
        Number::FfnWeightBytes,
        Number::KvBytes,
        Number::IndexKeyBytes,
        Number::ActivationBytes,
        Number::DispatchBytes,
        Number::CombineBytes,
    ] {
        choices.perhaps(inputs, number, &[1.0, 0.5, 2.0, 4.0, 0.5625]);
    }
    let peaks = inputs.accelerator().peaks;
    let available: Vec<_> = Format::ALL
        .into_iter()
        .filter(|format| peaks.of(*format).is_some())
        .collect();
    let named = inputs.named_precision();
    let mut settle = |named: Format| {
        let other = choices.one_in(4);
        let format = choices.of(&available);
        (other || peaks.of(named).is_none()).then_some(format)
    };
    inputs.attention_format = settle(named.attention_format);
    inputs.ffn_format = settle(named.ffn_format);
}

fn choose_plan(choices: &mut Choices<'_>, inputs: &mut Inputs) {
    let arch = *inputs.model.arch();
    inputs.shared = choices.of(&Shared::ALL);
    inputs.overlap = Some(choices.of(&Overlap::ALL));
    let redundant = choices.of(&[0, 32, 1, 7, 64]);
    let mut room = MOST_GPUS;
    let mut factor = |choices: &mut Choices<'_>, allowed: &dyn Fn(u32) -> bool| {
        let sizes: Vec<_> = SIZES
            .into_iter()
            .filter(|size| *size <= room && allowed(*size))
            .collect();
        let chosen = choices.of(&sizes);
        room /= chosen;
        chosen
    };
    let groups = |group: u32| {
        arch.mixers().iter().all(|part| match part.shape {
            Mixer::Compressed(shape) => shape.out_groups.is_multiple_of(group),
            _ => true,
        })
    };
    let tp = factor(choices, &|size| arch.heads_divide(size) && groups(size));
    let kvp = if choices.one_in(2) {
        factor(choices, &|size| size <= 16 && groups(tp * size))
    } else {
        1
    };
    let pp = if choices.one_in(3) {
        factor(choices, &|size| size <= 8.min(arch.layers()))
    } else {
        1
    };
    let dp = factor(choices, &|_| true);
    let stage = dp * tp * kvp;
    let (ffn_tp, ep) = match least_experts_placed(&arch, inputs.shared, redundant) {
        None => (choices.of(&divisors(tp * kvp).collect::<Vec<_>>()), 1),
        Some(placed) => {
            let mut groups: Vec<_> = divisors(stage).collect();
            groups.retain(|ep| *ep <= placed);
            let ep = choices.of(&groups);
            (stage / ep, ep)
        }
    };
    for (number, value) in [
        (Number::Gpus, stage * pp),
        (Number::Dp, dp),
        (Number::Tp, tp),
        (Number::Kvp, kvp),
        (Number::Pp, pp),
        (Number::FfnTp, ffn_tp),
        (Number::Ep, ep),
        (Number::Redundant, redundant),
    ] {
        inputs.state(number, Some(f64::from(value)));
    }
    choices.perhaps(inputs, Number::Beta, &[1.0, 0.5, 0.97, 0.0625]);
    choices.perhaps(inputs, Number::NodeLimit, &[4.0, 1.0, 2.0, 1000.0]);
}

fn choose_load(choices: &mut Choices<'_>, inputs: &mut Inputs) {
    let batches = [1024.0, 1.0, 2.0, 37.0, 512.0, 18_432.0, 300_001.0, 1e7];
    inputs.state(Number::Batch, Some(choices.of(&batches)));
    let contexts = [2048.0, 1.0, 100.5, 4989.0, 131_072.0, 16_777_216.0];
    inputs.state(Number::Context, Some(choices.of(&contexts)));
    choices.perhaps(inputs, Number::SpeculationDepth, &[1.0, 2.0, 8.0]);
    choices.perhaps(inputs, Number::Acceptance, &[0.5, 0.0, 1.0]);
    choices.perhaps(inputs, Number::Slo, &[20.0, 0.01, 400.0]);
}

fn choose_costs(choices: &mut Choices<'_>, inputs: &mut Inputs) {
    inputs.calibration = choices.of(&NamedCalibration::ALL);
    inputs.latent = choices.of(&LatentForm::ALL);
    let mut mixers = inputs.model.arch().mixers().iter();
    if mixers.any(|part| matches!(part.shape, Mixer::Latent(shape) if shape.index.is_some())) {
        inputs.latent = LatentForm::Absorbed;
    }
    inputs.fusion = choices.of(&Fusion::ALL);
    inputs.fold = choices.of(&[None, Some(Fold::Operator), Some(Fold::Block)]);
    for number in [
        Number::MemoryFactor,
        Number::AttentionFactor,
        Number::FfnFactor,
        Number::NetworkFactor,
    ] {
        choices.perhaps(inputs, number, &[1.0, 1.75, 12.5]);
    }
    choices.perhaps(inputs, Number::LatencyMicros, &[10.0, 0.5, 1000.0]);
    choices.perhaps(inputs, Number::OverheadMicros, &[5.0, 0.25, 100.0]);
    choices.perhaps(inputs, Number::LayerMicros, &[32.0, 0.5, 1000.0]);
    choices.perhaps(inputs, Number::HostMicros, &[6100.0, 10.0]);
    choices.perhaps(inputs, Number::Reserve, &[0.1, 0.9]);
    choices.perhaps(inputs, Number::Hit, &[0.5, 0.0, 0.999]);
    choices.perhaps(inputs, Number::Chunk, &[8192.0, 256.0, 1_048_576.0]);
    let whole = |number| inputs.get(number) == Some(1.0);
    if whole(Number::Kvp) && whole(Number::Pp) && choices.one_in(4) {
        inputs.engine = Engine::Aggregated;
        inputs.state(
            Number::MeanPrompt,
            Some(choices.of(&[1000.0, 0.0, 50_000.5])),
        );
        inputs.state(
            Number::MeanOutput,
            Some(choices.of(&[500.0, 1.0, 20_000.0])),
        );
    }
    choices.perhaps(inputs, Number::Price, &[2.5, 0.0]);
}

/// Sizes of a plan's dimensions such as `tp` and `ep`, ordered so that simple ones come first.
const SIZES: [u32; 14] = [1, 2, 4, 8, 3, 9, 16, 5, 32, 64, 72, 128, 256, 512];

const fn dense(width: u32, matrices: u32) -> Ffn {
    Ffn::Dense(Dense { width, matrices })
}

const NONE: usize = usize::MAX;

/// Model shapes that no catalog contains. Their features include one head, no query rank, every expert used by each
/// token, two shared experts, and one layer. The shapes include every type of attention layer and index.
const ODD_SHAPES: [Arch; 7] = [
    Arch::uniform(
        512,
        1000,
        4,
        Mixer::Grouped(Grouped::new(16, 1, 32)),
        dense(1500, 2),
    ),
    Arch::after_dense(
        (2048, 102_400),
        (1, 10_944),
        26,
        Mixer::Latent(Latent {
            heads: 16,
            q_rank: None,
            kv_rank: 512,
            head_dim: 128,
            rope_dim: 64,
            value_dim: 96,
            gate: false,
            index: None,
        }),
        Moe::new(64, 6, 2, 1408),
    ),
    Arch::uniform(
        64,
        7,
        1,
        Mixer::Grouped(Grouped::new(3, 3, 5)),
        Ffn::Moe(Moe::new(4, 4, 3, 11)),
    ),
    Arch::uniform(1, 1, 1, Mixer::Grouped(Grouped::new(1, 1, 1)), dense(1, 3)),
    Arch::of(
        4096,
        100_000,
        &[
            Mixer::Kda(Kda {
                heads: 32,
                head_dim: 64,
                full_rank_gate: false,
                full_rank_decay: true,
                conv: 3,
                state_bytes: 2,
            }),
            Mixer::Latent(Latent {
                heads: 32,
                q_rank: Some(1024),
                kv_rank: 512,
                head_dim: 128,
                rope_dim: 0,
                value_dim: 64,
                gate: true,
                index: Some(Index {
                    pool: 16,
                    ..Index::new(16, 128, 2048)
                }),
            }),
            Mixer::Grouped(Grouped {
                value_dim: 64,
                q_rank: Some(1024),
                gate: true,
                sinks: true,
                span: ContextSpan::Chunk(16_384),
                ..Grouped::new(32, 8, 128)
            }),
        ],
        &[
            dense(9216, 3),
            Ffn::Moe(Moe {
                shared_width: 2048,
                matrices: 2,
                latent: Some(1024),
                ..Moe::new(64, 4, 1, 1536)
            }),
        ],
        &[(2, 0, 0), (12, 0, 1), (4, 1, 1), (2, 2, 0)],
    )
    .with_residual_streams(4),
    Arch::of(
        2048,
        50_000,
        &[
            Mixer::Mamba2(Mamba2 {
                heads: 64,
                head_dim: 64,
                groups: 8,
                state_dim: 128,
                conv: 4,
                state_bytes: 4,
            }),
            Mixer::Grouped(Grouped {
                key_is_value: true,
                span: ContextSpan::Index(Index {
                    block: 128,
                    per_kv_head: true,
                    ..Index::new(4, 128, 2048)
                }),
                ..Grouped::new(64, 4, 128)
            }),
            Mixer::Lightning(Lightning {
                heads: 32,
                head_dim: 128,
                state_bytes: 4,
            }),
            Mixer::GatedDelta(GatedDelta {
                key_heads: 16,
                value_heads: 32,
                key_dim: 128,
                value_dim: 128,
                conv: 4,
                state_bytes: 4,
            }),
        ],
        &[
            Ffn::Moe(Moe::new(16, 2, 1, 1024)),
            dense(8192, 2),
            Ffn::Moe(Moe::new(96, 4, 0, 512)),
        ],
        &[
            (8, 0, NONE),
            (8, NONE, 0),
            (2, 1, 1),
            (3, 2, 2),
            (3, 3, NONE),
        ],
    )
    .with_tied_embedding(),
    Arch::of(
        4096,
        129_280,
        &[
            Mixer::Compressed(compressed(None, None)),
            Mixer::Compressed(compressed(Some(4), Some(Index::new(64, 128, 512)))),
            Mixer::Compressed(compressed(Some(128), None)),
            Mixer::Grouped(Grouped {
                span: ContextSpan::Window(128),
                ..Grouped::new(32, 32, 96)
            }),
        ],
        &[Ffn::Moe(Moe::new(48, 6, 1, 2048)), dense(4096, 3)],
        &[(1, 0, 0), (5, 1, 0), (4, 2, 0), (2, 3, 1)],
    )
    .with_residual_streams(2)
    .with_residual_rank(64),
];

const fn compressed(ratio: Option<u32>, index: Option<Index>) -> Compressed {
    Compressed {
        heads: 64,
        head_dim: 512,
        q_rank: 1024,
        window: 128,
        sinks: true,
        out_groups: 8,
        out_rank: 256,
        ratio,
        overlap: index.is_some(),
        index,
    }
}

/// Returns every plan on `gpus` GPUs that [`Plan::new`] accepts.
pub fn every_plan(scenario: &Scenario, gpus: u32, overlap: Overlap) -> Vec<Plan> {
    let divisors: Vec<u32> = (1..=gpus)
        .filter(|size| gpus.is_multiple_of(*size))
        .collect();
    let mut plans = Vec::new();
    for &pp in &divisors {
        for &dp in &divisors {
            for &tp in &divisors {
                for &kvp in &divisors {
                    for &ffn_tp in &divisors {
                        for &ep in &divisors {
                            let spec = PlanSpec {
                                dp,
                                tp,
                                kvp,
                                ffn_tp,
                                ep,
                                pp,
                                overlap,
                                ..*scenario.plan.spec()
                            };
                            plans.extend(Plan::new(spec, &scenario.arch, gpus));
                        }
                    }
                }
            }
        }
    }
    plans
}
