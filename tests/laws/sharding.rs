//! Property tests of sharding: which work is replicated and which is divided.

use model_core::arch::{Arch, Layered, Mixer};
use model_core::cost::collective::Collective;
use model_core::cost::memory::sequence_bytes;
use model_core::evaluate::Evaluation;
use model_core::ops::Kind;
use model_core::plan::{Overlap, Plan};
use model_core::scenario::Scenario;
use model_core::schedule::block_time;
use model_core::sweep::strategy::kv_heads;
use model_core::workload::Serving;

use ridgepoint_tests::check::{at_most, same};

use super::{CASES, evaluated, law};

/// Returns the number of copies of the KV cache if attention heads are divided over `tp` shards, from [H] 1 and Figure
/// 2. A shard holds whole KV heads; for MLA, it holds the whole cache. `None` if layers differ in attention type or do
/// not attend to the full context.
fn copies(arch: &Arch, tp: u32) -> Option<f64> {
    let [Layered { shape, .. }] = arch.mixers() else {
        return None;
    };
    match shape {
        _ if !shape.is_full() => None,
        Mixer::Grouped(shape) => {
            Some(f64::from(tp * shape.kv_heads.div_ceil(tp)) / f64::from(shape.kv_heads))
        }
        _ => Some(f64::from(tp)),
    }
}

/// Checks that of all sharding dimensions only tp replicates the KV cache; dp, kvp and pp do not.
#[test]
fn cache_replication_by_tp() {
    law(CASES, |case| {
        let scenario = case.scenario();
        let Some(copies) = copies(&scenario.arch, scenario.plan.spec().tp) else {
            return;
        };
        let one = scenario.workload.batch * sequence_bytes(&scenario).total.get();
        let each = evaluated(&scenario).memory.kv_cache.get();
        let held = each * f64::from(scenario.cluster.gpus);
        assert!(same(held, one * copies), "{held} is not {copies} × {one}");
    });
}

/// Returns the scenario on more GPUs, with its tp multiplied by `tp` and its kvp by `kvp`; `None` if this plan is
/// invalid.
fn widened(scenario: &Scenario, tp: u32, kvp: u32) -> Option<Scenario> {
    let mut spec = *scenario.plan.spec();
    spec.tp *= tp;
    spec.kvp *= kvp;
    if scenario.arch.expert_layers() > 0 {
        spec.ffn_tp *= tp * kvp;
    }
    let mut wider = *scenario;
    wider.cluster.gpus *= tp * kvp;
    wider.plan = Plan::new(spec, &scenario.arch, wider.cluster.gpus).ok()?;
    Some(wider)
}

/// Returns the KV cache bytes that the attention kernels of a GPU read, for one layer of each type.
fn cache_read(scenario: &Scenario, evaluation: &Evaluation) -> f64 {
    let operators = evaluation.timed(scenario).map(|timed| timed.operator);
    let core = operators.filter(|operator| operator.kind.is_attention_core());
    core.map(|operator| operator.kv.get()).sum()
}

/// Checks the plateau of [H] Figure 1 (left). From tp = n_kv on, a larger tp reduces neither the cache reads nor the
/// cache memory of a GPU.
#[test]
fn cache_plateau_beyond_kv_heads() {
    law(CASES, |case| {
        let scenario = case.scenario();
        if copies(&scenario.arch, 1).is_none() {
            return;
        }
        let heads = kv_heads(&scenario.arch);
        // Decompressed keys and values are split with the heads ([B] V-C).
        let absorbed = case.inputs.latent == model_core::ops::LatentForm::Absorbed;
        let at_the_plateau = scenario.plan.spec().tp >= heads && absorbed;
        let Some(wider) = widened(&scenario, 2, 1) else {
            return;
        };
        let (few, many) = (evaluated(&scenario), evaluated(&wider));
        if at_the_plateau {
            assert_eq!(
                cache_read(&scenario, &few).to_bits(),
                cache_read(&wider, &many).to_bits()
            );
            assert_eq!(few.memory.kv_cache, many.memory.kv_cache);
        } else {
            assert!(at_most(
                cache_read(&wider, &many),
                cache_read(&scenario, &few)
            ));
        }
    });
}

/// Checks [H] Figure 1 (right): splitting the context over more GPUs divides the cache reads and cache memory of a
/// GPU, without a limit.
#[test]
fn context_shards_divide_reads() {
    law(CASES, |case| {
        let mut scenario = case.scenario();
        scenario.workload.serving = Serving::Decode;
        if !scenario.arch.attends_to_all() {
            return;
        }
        let factor = [2, 3, 8][case.draws[0] as usize % 3];
        let Some(wider) = widened(&scenario, 1, factor) else {
            return;
        };
        let (few, many) = (evaluated(&scenario), evaluated(&wider));
        let times = f64::from(factor);
        assert!(same(
            cache_read(&scenario, &few),
            cache_read(&wider, &many) * times
        ));
        assert!(same(
            few.memory.kv_cache.get(),
            many.memory.kv_cache.get() * times
        ));
        let qkv = |scenario: &Scenario, evaluation: &Evaluation| {
            let operators = evaluation.timed(scenario).map(|timed| timed.operator);
            let projections = operators.filter(|operator| {
                matches!(
                    operator.kind,
                    Kind::Qkv | Kind::Query | Kind::QueryUp | Kind::KvDown
                )
            });
            projections
                .map(|operator| operator.weights.get())
                .sum::<f64>()
        };
        // Every shard of the context projects all of its heads' queries ([H] 2.1.1).
        assert_eq!(qkv(&scenario, &few).to_bits(), qkv(&wider, &many).to_bits());
    });
}

/// Checks the time that HOP-B overlaps: the shorter of attention kernel and exchange, less one request's share of
/// that time. With one request, nothing is overlapped.
#[test]
fn hop_b_hides_all_but_one_requests_share() {
    law(CASES, |case| {
        if case.has_drafter() {
            return;
        }
        let mut inputs = case.inputs;
        inputs.overlap = Some(Overlap::HopB);
        let scenario = inputs.scenario().expect("a schedule breaks no rule");
        let evaluation = evaluated(&scenario);
        let requests = evaluation.load.sequences.max(1.0);
        let (mut shorter, mut rounding) = (0.0, 0.0);
        for block in evaluation.blocks(&scenario) {
            let rest = block.operators.only(|kind| !kind.is_attention_core());
            let [whole, rest] = [&block.operators, &rest].map(|operators| {
                let (rates, load) = (&evaluation.rates, &evaluation.load);
                block_time(&scenario, rates, block.role, operators, load).get()
            });
            let core = whole - rest;
            let mut messages = block.messages.as_slice().iter();
            let Some(exchange) =
                messages.find(|message| message.collective == Collective::HelixExchange)
            else {
                continue;
            };
            let (exchange, layers) = (exchange.time.get(), f64::from(block.layers));
            shorter += core.min(exchange) * layers;
            // `hidden` is a difference of these two times, so it has their rounding error.
            rounding += 1e-12 * (whole + exchange) * layers;
        }
        let hidden = evaluation.breakdown.hidden.get();
        let expected = shorter * (1.0 - 1.0 / requests);
        assert!(
            (hidden - expected).abs() <= rounding,
            "{hidden} of {shorter}"
        );
    });
}
