//! Derivation trees of a GPU's memory and of the largest batch that fits.

use super::cache;
use super::case::{Case, Factors};
use super::engine;
use super::equation::Equation;
use super::load::Loaded;
use super::memory_source::STARTS;
use super::operator::{Pass, sum};
use super::step::Weighted;
use super::symbol::Symbol;
use super::tree::{Account, How, Term};
use crate::arch::{Ffn, Moe};
use crate::cost::memory::{
    batch_capacity, drafter, expansions, expert_padding, expert_parts, held_whole,
};
use crate::engine_memory::{Habits, MemoryModel};
use crate::inputs::Number;
use crate::ops::{Kind, Load, Operator, OperatorRole, Operators, Place, ffn};
use crate::units::Bytes;

/// Derives the memory of the most loaded GPU.
pub fn most(case: &Case<'_>) -> Account {
    let memory = &case.evaluation.memory;
    let habits = habits(case);
    let mut parts = weights(case, habits);
    let groups = groups(case);
    parts.push(cache::of_group(case, groups.clone()));
    if memory.activations > Bytes::ZERO {
        parts.push(Account::folded(
            Term::Plain(Symbol::Activations),
            How::Product,
            vec![groups, activations(case)],
        ));
    }
    if let Some(habits) = habits {
        let dp = f64::from(case.scenario.plan.spec().dp);
        parts.push(engine::of(case, habits, case.scenario.workload.batch / dp));
    }
    let value = memory.most().get();
    Account::of(Term::Plain(Symbol::Memory), value, How::Sum, parts)
}

/// Derives usable memory: a GPU's memory minus the reserve.
pub fn usable(case: &Case<'_>) -> Account {
    let scenario = case.scenario;
    let capacity = scenario.cluster.capacity.get();
    let parts = vec![
        case.gpu_fact(Symbol::GpuMemory, Number::Capacity, capacity),
        case.input(Symbol::Free, Number::Reserve, 1.0 - scenario.reserve),
    ];
    Account::folded(Term::Plain(Symbol::Usable), How::Product, parts)
}

/// Relative changes tried on the available memory. If available memory ÷ bytes per sequence is nearly a whole number,
/// one of them reproduces the rounding of the evaluation.
pub const ROUNDINGS: [f64; 3] = [0.0, 5e-13, -5e-13];

/// Derives the largest batch that fits in memory: dp·⌊available memory ÷ bytes per sequence⌋. Returns `None` if no
/// sequence fits.
pub fn capacity(case: &Case<'_>) -> Option<Account> {
    let scenario = case.scenario;
    let value = batch_capacity(scenario);
    let spec = scenario.plan.spec();
    let found = value / f64::from(spec.dp);
    if value <= 0.0 {
        return None;
    }
    let habits = habits(case);
    let term = Term::Plain(Symbol::GroupSequences);
    let floor = |engine: Option<Account>, growth: Option<Account>| {
        let mut taken = vec![usable(case)];
        taken.extend(weights(case, habits));
        taken.extend(engine);
        let room = Account::folded(Term::Plain(Symbol::Room), How::Difference, taken);
        let mut each = vec![cache::of_sequence(case)];
        if case.evaluation.memory.activations > Bytes::ZERO {
            each.push(activations(case));
        }
        each.extend(growth);
        let each = Account::folded(Term::Plain(Symbol::SequenceBytes), How::Sum, each);
        let fit = |room: Account| {
            let how = How::Equation(Equation::Fit);
            Account::folded(term, how, vec![room, each.clone()])
        };
        let value = room.value;
        ROUNDINGS
            .map(|by| fit(room.clone().shown_as(value * (1.0 + by))))
            .into_iter()
            .find(|whole| (whole.value - found).abs() < 0.5)
            .unwrap_or_else(|| fit(room))
    };
    let least = |parts: Vec<Account>| Account::folded(term, How::SmallerOf, parts);
    let fits = |node: &Account| (node.value - found).abs() < 0.5;
    let whole = match habits {
        None => floor(None, None),
        Some(habits) => {
            let at = |sequences: f64| floor(Some(engine::of(case, habits, sequences)), None);
            let (engine, growth) = engine::growing(case, habits, found);
            let grows = floor(Some(engine), Some(growth));
            let (profiled, full) = (at(habits.sequences), at(found));
            let most = case.constant(Symbol::PassSequences, habits.sequences.floor(), STARTS);
            let candidates = [
                profiled.clone(),
                least(vec![profiled.clone(), grows.clone()]),
                full.clone(),
                least(vec![full, grows]),
                least(vec![profiled.clone(), most]),
            ];
            candidates.into_iter().find(fits).unwrap_or(profiled)
        }
    };
    let parts = vec![case.ways(Symbol::Dp, Number::Dp, spec.dp), whole];
    Some(Account::of(
        Term::Plain(Symbol::Capacity),
        value,
        How::Product,
        parts,
    ))
}

pub fn habits<'a>(case: &Case<'a>) -> Option<&'a Habits> {
    match &case.scenario.memory_model {
        MemoryModel::Model => None,
        MemoryModel::Engine(habits) => Some(habits),
    }
}

/// Derives ⌈B/dp⌉, the number of sequences in the most loaded attention group.
fn groups(case: &Case<'_>) -> Account {
    let batch = case.input(Symbol::Batch, Number::Batch, case.scenario.workload.batch);
    let dp = case.ways(Symbol::Dp, Number::Dp, case.scenario.plan.spec().dp);
    let mean = Account::quotient(Term::Plain(Symbol::GroupSequences), vec![batch], vec![dp]);
    Account::folded(
        Term::Plain(Symbol::GroupSequences),
        How::RoundedUp,
        vec![mean],
    )
}

/// Returns a pass whose load is every resident sequence of a batch of size `batch`.
fn resident<'a>(case: &'a Case<'a>, batch: f64) -> Pass<'a> {
    let scenario = case.scenario;
    let plan = &scenario.plan;
    let load = Load::decode(batch / f64::from(plan.spec().pp), plan, &scenario.workload);
    let mut loaded = Loaded::decode(case, &load);
    let of_dp = case.ways(Symbol::Dp, Number::Dp, plan.spec().dp);
    loaded.all = Factors::one(of_dp).over(case.ways(Symbol::Pp, Number::Pp, plan.spec().pp));
    Pass {
        loaded,
        ..Pass::of_decode(case, &load, false)
    }
}

/// Derives a GPU's weights, part by part.
pub fn weights(case: &Case<'_>, habits: Option<&Habits>) -> Vec<Account> {
    let memory = &case.evaluation.memory;
    if let Some(stated) = habits.and_then(|habits| habits.weights) {
        return vec![case.input(Symbol::AllWeights, Number::WeightsGib, stated.get())];
    }
    let copied = habits.map(|_| {
        let factor = held_whole(&case.scenario.arch);
        case.constant(Symbol::HeldWhole, factor, STARTS)
    });
    let finish = |name: Symbol, node: Option<Account>, value: Bytes| {
        let node = node.filter(|_| value > Bytes::ZERO)?;
        let own = copied.clone().filter(|factor| factor.value > 1.0);
        Some(match own {
            Some(factor) => Account::of(
                Term::Plain(name),
                value.get(),
                How::Product,
                vec![node, factor],
            ),
            None => node.named(Term::Plain(name)).shown_as(value.get()),
        })
    };
    let [attention, dense] =
        [OperatorRole::Attention, OperatorRole::Dense].map(|role| of_role(case, role));
    let attention = match (attention, habits) {
        (Some(node), Some(_)) if expansions(case.scenario) > Bytes::ZERO => {
            let parts = vec![node, expanded(case)];
            Some(Account::folded(
                Term::Plain(Symbol::AttentionWeights),
                How::Sum,
                parts,
            ))
        }
        (node, _) => node,
    };
    let parts = [
        finish(
            Symbol::AttentionWeights,
            attention,
            memory.attention_weights,
        ),
        finish(
            Symbol::MoeWeights,
            experts(case, habits),
            memory.expert_weights,
        ),
        finish(Symbol::DenseWeights, dense, memory.dense_weights),
        finish(
            Symbol::Embedding,
            Some(embedding(case, habits)),
            memory.embedding,
        ),
    ];
    parts
        .into_iter()
        .flatten()
        .chain(beside(case, habits))
        .collect()
}

fn of_role(case: &Case<'_>, role: OperatorRole) -> Option<Account> {
    let arch = &case.scenario.arch;
    held(case, |place, _| place.role(arch) == role)
}

/// Derives the weights stored on one device: those of the operators selected by `holds`, summed over all layers.
pub fn held(case: &Case<'_>, holds: impl Fn(Place, &Operator) -> bool) -> Option<Account> {
    let arch = &case.scenario.arch;
    let pass = resident(case, case.scenario.workload.batch);
    let mut all = Weighted::default();
    for place in Place::all(arch) {
        let list = pass.subject.operators(place, &pass.loaded.load);
        for operator in list.as_slice().iter().filter(|of| holds(place, of)) {
            for factors in pass.weights(place, operator) {
                let factors = factors.over(pp(case));
                let term = Term::Operator(pass.operation(place, operator), Symbol::WeightSize);
                all.push(factors.node(term), f64::from(place.layers(arch)));
            }
        }
    }
    all.folded(Term::Plain(Symbol::AllWeights))
}

fn pp(case: &Case<'_>) -> Account {
    case.ways(Symbol::Pp, Number::Pp, case.scenario.plan.spec().pp)
}

/// Derives the second copy of MLA’s expansion weights, at two bytes per element.
fn expanded(case: &Case<'_>) -> Account {
    let spec = case.scenario.plan.spec();
    let tp = case.ways(Symbol::Tp, Number::Tp, spec.tp);
    let elements = expansions(case.scenario).get() / 2.0 * f64::from(spec.tp);
    Factors::one(case.model_fact(Symbol::Weights, elements))
        .times(case.constant(Symbol::WeightBytes, 2.0, STARTS))
        .over(tp)
        .over(pp(case))
        .node(Term::Plain(Symbol::Expansion))
}

/// Derives a GPU's MoE weights (experts and routers), summed over all MoE layers.
fn experts(case: &Case<'_>, habits: Option<&Habits>) -> Option<Account> {
    let arch = &case.scenario.arch;
    let mut all = Weighted::default();
    for part in arch.moes() {
        for node in of_moe(case, &part.shape, habits) {
            all.push(node, f64::from(part.layers));
        }
    }
    all.folded(Term::Plain(Symbol::MoeWeights))
}

fn of_moe(case: &Case<'_>, moe: &Moe, habits: Option<&Habits>) -> Vec<Account> {
    let (scenario, subject) = (case.scenario, case.scenario.subject());
    let (plan, precision) = (&scenario.plan, &scenario.precision);
    let spec = plan.spec();
    let parts = expert_parts(moe, &subject);
    let width = || {
        case.input(
            Symbol::WeightBytes,
            Number::FfnWeightBytes,
            precision.ffn_weights,
        )
    };
    let placed = vec![
        case.model_fact(Symbol::Experts, f64::from(moe.experts)),
        case.chosen(Symbol::OnGrid, "shared", ffn::on_grid(moe, plan)),
        case.ways(Symbol::Redundant, Number::Redundant, spec.redundant),
        case.ways(Symbol::Ep, Number::Ep, spec.ep),
    ];
    let how = How::Equation(Equation::Resident);
    let on_gpu = Account::folded(Term::Plain(Symbol::Resident), how, placed);
    let ffn_tp = f64::from(spec.ffn_tp);
    let each = parts.resident * ffn_tp / on_gpu.value;
    let mut grid = Factors::one(on_gpu)
        .times(case.model_fact(Symbol::ExpertWeights, each))
        .times(width())
        .over(case.ways(Symbol::FfnTp, Number::FfnTp, spec.ffn_tp))
        .over(pp(case));
    if let Some(habits) = habits {
        let padding = expert_padding(moe, habits);
        if padding > 1.0 {
            grid = grid.times(case.constant(Symbol::Padding, padding, STARTS));
        }
    }
    let mut nodes = vec![grid.node(Term::Plain(Symbol::GridWeights))];
    let stated = habits.is_none() || (precision.dense_weights - precision.ffn_weights).abs() <= 0.0;
    let rest = |elements: f64, symbol| {
        let width = if stated {
            width()
        } else {
            case.chosen(Symbol::WeightBytes, "precision", precision.dense_weights)
        };
        let factors = Factors::one(case.model_fact(Symbol::Weights, elements)).times(width);
        factors.over(pp(case)).node(Term::Plain(symbol))
    };
    if parts.shared > 0.0 {
        nodes.push(rest(parts.shared, Symbol::SharedWeights));
    }
    if parts.latent > 0.0 {
        nodes.push(rest(parts.latent, Symbol::LatentWeights));
    }
    let router = f64::from(scenario.arch.hidden) * f64::from(moe.experts);
    let router = Factors::one(case.model_fact(Symbol::Weights, router)).times(match habits {
        None => width(),
        Some(_) => case.constant(Symbol::WeightBytes, precision.embedding, STARTS),
    });
    nodes.push(router.over(pp(case)).node(Term::Plain(Symbol::Router)));
    nodes
}

/// Derives the weights of the input embedding and output head.
fn embedding(case: &Case<'_>, habits: Option<&Habits>) -> Account {
    let scenario = case.scenario;
    let (arch, spec) = (&scenario.arch, scenario.plan.spec());
    let copies = if arch.tied { 1.0 } else { 2.0 };
    let elements = copies * f64::from(arch.vocab) * f64::from(arch.hidden);
    let precision = &scenario.precision;
    let width = match habits {
        None => case.input(
            Symbol::WeightBytes,
            Number::AttentionWeightBytes,
            precision.attention_weights,
        ),
        Some(_) => case.constant(Symbol::WeightBytes, precision.embedding, STARTS),
    };
    Factors::one(case.model_fact(Symbol::Weights, elements))
        .times(width)
        .over(case.ways(Symbol::Tp, Number::Tp, spec.tp))
        .over(case.ways(Symbol::Kvp, Number::Kvp, spec.kvp))
        .node(Term::Plain(Symbol::Embedding))
}

/// Derives the weights outside the layers: encoder, drafter and lookup tables.
fn beside(case: &Case<'_>, habits: Option<&Habits>) -> Option<Account> {
    let habits = habits?;
    let scenario = case.scenario;
    let mut parts = Vec::new();
    if habits.encoder > Bytes::ZERO {
        parts.push(case.input(Symbol::Encoder, Number::EncoderGib, habits.encoder.get()));
    }
    if scenario.workload.speculation.depth > 0 {
        const LAYERS: f64 = 1.3;
        let layer = drafter(scenario, habits).get() / LAYERS;
        let factors = vec![
            case.constant(Symbol::DrafterLayers, LAYERS, STARTS),
            case.model_fact(Symbol::LayerBytes, layer),
        ];
        parts.push(Account::folded(
            Term::Plain(Symbol::Drafter),
            How::Product,
            factors,
        ));
    }
    if habits.table > Bytes::ZERO {
        parts.push(case.input(Symbol::Tables, Number::TableGib, habits.table.get()));
    }
    let node = sum(Term::Plain(Symbol::Beside), parts)?;
    Some(node.shown_as(case.evaluation.memory.beside.get()))
}

/// Derives, for each part of the LLM, the largest activation among the operators that a device runs.
pub fn largest(pass: &Pass<'_>, runs: impl Fn(Place, &Operator) -> bool) -> Vec<Account> {
    let mut nodes = Vec::new();
    for place in Place::all(&pass.case.scenario.arch) {
        let list: Operators = pass.subject.operators(place, &pass.loaded.load);
        let own = list.as_slice().iter().filter(|of| runs(place, of));
        let most =
            own.max_by(|one, other| one.activations.get().total_cmp(&other.activations.get()));
        let Some(operator) = most else { continue };
        let term = Term::Operator(pass.operation(place, operator), Symbol::Activations);
        let factors = pass.activations(place, operator);
        let parts = factors.into_iter().map(|one| one.node(term)).collect();
        nodes.extend(sum(term, parts));
    }
    nodes
}

/// Derives the largest activations when every attention group runs one sequence.
pub fn activations(case: &Case<'_>) -> Account {
    let scenario = case.scenario;
    let arch = &scenario.arch;
    let pass = resident(case, f64::from(scenario.plan.spec().dp));
    let memory = &case.evaluation.memory;
    let sequences = scenario.workload.batch / f64::from(scenario.plan.spec().dp);
    let value = memory.activations.get() / sequences;
    let counts = |place: Place, operator: &Operator| match place {
        Place::Ffn(number) => {
            let shape = arch.ffns().get(number).map(|part| &part.shape);
            !matches!(shape, Some(Ffn::Moe(_))) || operator.kind == Kind::Experts
        }
        _ => true,
    };
    let mut nodes = match habits(case) {
        None => largest(&pass, counts),
        Some(_) => Vec::new(),
    };
    nodes.extend(cache::decompressed(case));
    let term = Term::Plain(Symbol::Activations);
    Account::of(term, value, How::LargerOf, nodes)
}
