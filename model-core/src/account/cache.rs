//! Derivation trees of a sequence's KV cache and recurrent states.

use super::case::{Case, Factors};
use super::equation::Equation;
use super::memory_source::STARTS;
use super::step::Weighted;
use super::symbol::Symbol;
use super::tree::{Account, How, Term};
use super::work::whole_plan;
use crate::arch::{ContextSpan, Mixer};
use crate::cost::pages::{LayerPages, Pages, Sequence, drafter_mixer};
use crate::engine_memory::MemoryModel;
use crate::inputs::Number;
use crate::ops::LatentForm;
use crate::ops::reach::Cache;
use crate::precision::Precision;

/// Derives the total KV cache of an attention group's sequences.
pub fn of_group(case: &Case<'_>, sequences: Account) -> Account {
    let term = Term::Plain(Symbol::KvCache);
    Account::folded(term, How::Product, vec![sequences, of_sequence(case)])
}

/// Derives the KV cache and states that one sequence occupies on one GPU: the sum over all layers ÷ pp.
pub fn of_sequence(case: &Case<'_>) -> Account {
    let scenario = case.scenario;
    let (arch, spec) = (&scenario.arch, scenario.plan.spec());
    let speculation = &scenario.workload.speculation;
    let mut all = Weighted::default();
    let drafts = speculation.depth > 0;
    let sequence = match &scenario.memory_model {
        MemoryModel::Model => None,
        MemoryModel::Engine(habits) => Some(Sequence {
            context: scenario.workload.context,
            pass: habits.tokens,
            slots: speculation.carried(),
            drafters: if drafts { 1.0 } else { 0.0 },
        }),
    };
    let of = |mixer: &Mixer| match &sequence {
        None => parts(case, mixer),
        Some(sequence) => {
            let pages = Pages::of(arch, &scenario.precision, spec, sequence);
            let layer = pages.layer(mixer, &scenario.precision, spec, sequence);
            paged(case, mixer, &layer, sequence)
        }
    };
    let stages = f64::from(spec.pp);
    for part in arch.mixers() {
        for node in of(&part.shape) {
            all.push(node, f64::from(part.layers));
        }
    }
    if let (Some(mixer), true, true) = (drafter_mixer(arch), drafts, sequence.is_some()) {
        for node in of(mixer) {
            all.push(node, stages);
        }
    }
    let term = Term::Plain(Symbol::SequenceCache);
    let whole = all.folded(term);
    match (whole, spec.pp > 1) {
        (Some(node), true) => {
            let pp = case.ways(Symbol::Pp, Number::Pp, spec.pp);
            Account::quotient(term, vec![node], vec![pp])
        }
        (Some(node), false) => node,
        (None, _) => case.model_fact(Symbol::SequenceCache, 0.0),
    }
}

/// Derives the KV cache and states of one sequence, summed over all GPUs. Draft tokens and page rounding are ignored.
pub fn of_whole_sequence(case: &Case<'_>) -> Account {
    let mut whole = *case.scenario;
    whole.memory_model = MemoryModel::Model;
    whole.workload.speculation.depth = 0;
    if let Some(plan) = whole_plan(&case.scenario.subject()) {
        whole.plan = plan;
    }
    of_sequence(&case.with(&whole))
}

fn context(case: &Case<'_>) -> Account {
    let context = case.scenario.workload.context;
    case.input(Symbol::Context, Number::Context, context)
}

fn kvp(case: &Case<'_>) -> Account {
    case.ways(Symbol::Kvp, Number::Kvp, case.scenario.plan.spec().kvp)
}

/// Returns the context tokens that each GPU stores, S/kvp, as factors.
fn local(case: &Case<'_>) -> Factors {
    Factors::one(context(case)).over(kvp(case))
}

/// Splits the cache bytes of one layer, as computed by `of`, into KV elements and index keys. Each part is elements
/// over all heads × bytes per element, divided by tp if sharded.
fn bytes(case: &Case<'_>, mixer: &Mixer, of: fn(&Cache) -> f64) -> Vec<Factors> {
    let scenario = case.scenario;
    let precision = &scenario.precision;
    let tp = scenario.plan.spec().tp;
    let context = scenario.workload.context;
    let measure =
        |precision: &Precision, tp: u32| of(&Cache::of(mixer, precision, tp, context, 1.0));
    let none = Precision {
        kv: 0.0,
        kv_index: 0.0,
        ..*precision
    };
    let keys = Precision {
        kv_index: precision.kv_index,
        ..none
    };
    let rows = Precision {
        kv: precision.kv,
        ..none
    };
    let kv = case.input(Symbol::KvBytes, Number::KvBytes, precision.kv);
    let index = case.input(
        Symbol::IndexBytes,
        Number::IndexKeyBytes,
        precision.kv_index,
    );
    let mut found = Vec::new();
    for (of, symbol, width) in [
        (rows, Symbol::CacheEach, kv),
        (keys, Symbol::IndexEach, index),
    ] {
        let value = measure(&of, tp) - measure(&none, tp);
        if value <= 0.0 {
            continue;
        }
        let whole = measure(&of, 1) - measure(&none, 1);
        let sharded = whole / value > 1.0 + 1e-9;
        let factor = if sharded { f64::from(tp) } else { 1.0 };
        let elements = value * factor / width.value;
        let mut factors = Factors::one(case.model_fact(symbol, elements)).times(width);
        if sharded {
            factors = factors.over(case.ways(Symbol::Tp, Number::Tp, tp));
        }
        found.push(factors);
    }
    found
}

/// Derives a layer's cache without paging: the part that grows with context, the part capped by a window, and the
/// state.
fn parts(case: &Case<'_>, mixer: &Mixer) -> Vec<Account> {
    let name = Term::Plain(Symbol::LayerCache);
    let grow = bytes(case, mixer, |cache| cache.grow).into_iter();
    let grow = grow.map(|one| one.and(local(case)).node(name));
    let cap = bytes(case, mixer, |cache| cache.cap).into_iter();
    let cap = cap.map(|one| one.over(kvp(case)).node(name));
    grow.chain(cap).chain(state(case, mixer, 0.0)).collect()
}

/// Derives a sequence's recurrent state in one layer, including all copies; it takes at least `least` bytes. Returns
/// `None` if the layer has no state.
fn state(case: &Case<'_>, mixer: &Mixer, least: f64) -> Option<Account> {
    let scenario = case.scenario;
    let speculation = &scenario.workload.speculation;
    let tp = scenario.plan.spec().tp;
    let context = scenario.workload.context;
    let slots = if mixer.is_recurrent() {
        speculation.carried()
    } else {
        1.0
    };
    let one = |tp| Cache::of(mixer, &scenario.precision, tp, context, 1.0).state;
    let value = one(tp);
    let term = Term::Plain(Symbol::State);
    let own = (value > 0.0).then(|| {
        let sharded = one(1) / value > 1.0 + 1e-9;
        let factor = if sharded { f64::from(tp) } else { 1.0 };
        let mut factors = Factors::one(case.model_fact(Symbol::State, value * factor));
        if slots > 1.0 {
            factors = factors.times(case.input(Symbol::Carried, Number::SpeculationDepth, slots));
        }
        if sharded {
            factors = factors.over(case.ways(Symbol::Tp, Number::Tp, tp));
        }
        factors.node(term)
    })?;
    Some(if least > own.value {
        case.constant(Symbol::PageBytes, least, STARTS)
    } else {
        own
    })
}

fn paged(case: &Case<'_>, mixer: &Mixer, layer: &LayerPages, sequence: &Sequence) -> Vec<Account> {
    if layer.page <= 0.0 {
        return state(case, mixer, layer.least).into_iter().collect();
    }
    let name = Term::Plain(Symbol::LayerCache);
    let page = || case.constant(Symbol::Page, layer.page, STARTS);
    let grow = bytes(case, mixer, |cache| cache.grow).into_iter();
    let pages = || {
        let parts = vec![context(case), kvp(case), page()];
        let how = How::Equation(Equation::Pages);
        Account::of(Term::Plain(Symbol::PageCount), layer.pages, how, parts)
    };
    let mut nodes: Vec<Account> = grow
        .map(|one| one.times(pages()).times(page()).node(name))
        .collect();
    nodes.extend(window(case, mixer, layer, sequence));
    nodes.extend(state(case, mixer, 0.0));
    nodes
}

/// Derives the cache of a sliding window in whole pages. The window stores min(S, W + T) tokens, for context S,
/// window W and T tokens per pass.
fn window(
    case: &Case<'_>,
    mixer: &Mixer,
    layer: &LayerPages,
    sequence: &Sequence,
) -> Option<Account> {
    const PAGE: f64 = 16.0;
    let last = match mixer {
        Mixer::Grouped(shape) => match shape.span {
            ContextSpan::Window(last) | ContextSpan::Chunk(last) => f64::from(last),
            ContextSpan::Full | ContextSpan::Index(_) => return None,
        },
        Mixer::Compressed(shape) => f64::from(shape.window),
        _ => return None,
    };
    let spec = case.scenario.plan.spec();
    let page = || case.constant(Symbol::Page, PAGE, STARTS);
    let parts = vec![
        context(case),
        case.model_fact(Symbol::Window, last),
        case.input(Symbol::PassTokens, Number::Chunk, sequence.pass),
        kvp(case),
        page(),
    ];
    let how = How::Equation(Equation::WindowPages);
    let pages = Account::folded(Term::Plain(Symbol::PageCount), how, parts);
    let row = layer.window / (pages.value * PAGE);
    let width = case.input(Symbol::KvBytes, Number::KvBytes, case.scenario.precision.kv);
    let elements = row / width.value;
    let mut factors =
        Factors::one(case.model_fact(Symbol::CacheEach, elements * f64::from(spec.tp)));
    factors = factors.times(width).times(pages).times(page());
    let factors = factors.over(case.ways(Symbol::Tp, Number::Tp, spec.tp));
    Some(factors.node(Term::Plain(Symbol::LayerCache)))
}

/// Derives the bytes of one sequence's decompressed keys and values in one layer, per GPU. Plain (non-absorbed) MLA
/// writes them. Returns `None` for any other attention.
pub fn decompressed(case: &Case<'_>) -> Option<Account> {
    let scenario = case.scenario;
    if scenario.kernel.latent != LatentForm::Plain {
        return None;
    }
    let widths = scenario
        .arch
        .mixers()
        .iter()
        .filter_map(|part| match &part.shape {
            Mixer::Latent(shape) => {
                let width = f64::from(shape.head_dim)
                    + f64::from(shape.rope_dim)
                    + f64::from(shape.value_dim);
                Some(f64::from(shape.heads) * width)
            }
            _ => None,
        });
    let width = widths.reduce(f64::max)?;
    let spec = scenario.plan.spec();
    let bytes = scenario.precision.activations;
    let factors = local(case)
        .times(case.model_fact(Symbol::ActivationEach, width))
        .times(case.input(Symbol::ActivationBytes, Number::ActivationBytes, bytes))
        .over(case.ways(Symbol::Tp, Number::Tp, spec.tp))
        .over(case.ways(Symbol::Pp, Number::Pp, spec.pp));
    Some(factors.node(Term::Plain(Symbol::Decompressed)))
}
