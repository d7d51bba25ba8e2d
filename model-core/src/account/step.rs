//! Derivation trees of a decode step: sums over the parts of a step, and the time that the schedule overlaps.

use super::case::{Case, Factors, Measured};
use super::equation::Equation;
use super::load::{Loaded, Variable};
use super::operator::{Parts, Pass, sum};
use super::symbol::Symbol;
use super::tree::{Account, DEEPEST, How, Term};
use crate::calibration::term::CalibrationTerm;
use crate::calibration::{Fold, NamedCalibration, by_operator, engine, kernels};
use crate::cost::collective::{Collective, Message};
use crate::cost::formats::ProductFormats;
use crate::inputs::Number;
use crate::ops::{Load, OperatorRole, Operators, Place};
use crate::plan::Overlap;
use crate::schedule::drafter::{self, DraftBlock};
use crate::schedule::overhead::of_half;
use crate::schedule::{self, Block};

/// Number of tree levels that an operator’s node needs below it to derive the operator's time.
const OPERATOR: usize = 3;

/// Parts of a sum over layers, each with its weight (layers × passes).
#[derive(Debug, Clone, Default)]
pub struct Weighted {
    parts: Vec<Account>,
    weights: Vec<f64>,
}

impl Weighted {
    /// Adds a part with its weight.
    pub fn push(&mut self, part: Account, weight: f64) {
        self.parts.push(part);
        self.weights.push(weight);
    }

    fn extend(&mut self, other: Self) {
        self.parts.extend(other.parts);
        self.weights.extend(other.weights);
    }

    /// Turns the weighted sum into a node; `None` if it has no parts.
    pub fn folded(self, term: Term) -> Option<Account> {
        let how = How::LayerSum(self.weights);
        (!self.parts.is_empty()).then(|| Account::folded(term, how, self.parts))
    }

    /// Turns the weighted sum into a node that shows `value`; `None` if it has no parts.
    fn node(self, term: Term, value: f64) -> Option<Account> {
        let how = How::LayerSum(self.weights);
        (!self.parts.is_empty()).then(|| Account::of(term, value, how, self.parts))
    }
}

/// The parts of a decode step, summed over all its passes.
struct StepParts {
    roles: [Weighted; 4],
    overhead: Weighted,
    messages: Weighted,
    overlapped: Weighted,
}

/// Derives the time of a decode step. `room` is the number of tree levels available below the step's node.
pub fn step(case: &Case<'_>, room: usize) -> Account {
    let breakdown = &case.evaluation.breakdown;
    let overlap = case.scenario.plan.spec().overlap;
    let term = Term::Plain(Symbol::Step);
    let value = breakdown.step().get();
    let parts = of_step(case, room);
    let host = host_of_step(case);
    match overlap {
        Overlap::TwoBatch => {
            let (computing, overhead) = (parts.roles, parts.overhead);
            let communication = parts
                .messages
                .node(Term::Plain(Symbol::Communication), breakdown.messages.get());
            let computed = match room > OPERATOR + 2 {
                true => {
                    let parts = by_role(case, computing, overhead);
                    let symbol = Term::Plain(Symbol::Computing);
                    Account::folded(symbol, How::Sum, parts)
                }
                false => {
                    let mut all = Weighted::default();
                    for role in computing {
                        all.extend(role);
                    }
                    all.extend(overhead);
                    let how = How::LayerSum(all.weights);
                    Account::folded(Term::Plain(Symbol::Computing), how, all.parts)
                }
            };
            let how = How::Overlap {
                first: 1,
                second: usize::from(communication.is_some()),
            };
            let all = [computed].into_iter().chain(communication).chain(host);
            Account::of(term, value, how, all.collect())
        }
        Overlap::Sequential | Overlap::HopB => {
            let messages = parts
                .messages
                .node(Term::Plain(Symbol::Communication), breakdown.messages.get());
            let mut all = by_role(case, parts.roles, parts.overhead);
            all.extend(host);
            all.extend(messages);
            let hidden = breakdown.hidden.get();
            if hidden <= 0.0 {
                return Account::of(term, value, How::Sum, all);
            }
            let explicit = room > OPERATOR + 2;
            let symbol = Term::Plain(Symbol::Overlapped);
            let mut overlapped = parts.overlapped;
            if explicit && let Some(overlapped) = overlapped.clone().node(symbol, hidden) {
                let sequence = Term::Plain(Symbol::InSequence);
                let sequence = Account::folded(sequence, How::Sum, all);
                return Account::of(term, value, How::Difference, vec![sequence, overlapped]);
            }
            let mut weights = vec![1.0; all.len()];
            weights.extend(overlapped.weights.iter().map(|weight| -weight));
            all.append(&mut overlapped.parts);
            Account::of(term, value, How::LayerSum(weights), all)
        }
    }
}

/// Derives one part of the step-time breakdown; `None` if the step has no such part.
pub fn part(case: &Case<'_>, role: OperatorRole) -> Option<Account> {
    let [attention, dense, experts, head] = of_step(case, DEEPEST).roles;
    let weighted = match role {
        OperatorRole::Attention => attention,
        OperatorRole::Dense => dense,
        OperatorRole::Experts => experts,
        OperatorRole::Head => head,
    };
    weighted.node(Term::Role(role), case.evaluation.breakdown.of(role).get())
}

/// Derives the communication time of a step; `None` if there is none.
pub fn communication(case: &Case<'_>) -> Option<Account> {
    let value = case.evaluation.breakdown.messages.get();
    let term = Term::Plain(Symbol::Communication);
    of_step(case, DEEPEST).messages.node(term, value)
}

/// Derives the framework and CPU overhead of a step; `None` if there is none.
pub fn overhead(case: &Case<'_>) -> Option<Account> {
    let breakdown = &case.evaluation.breakdown;
    let term = Term::Plain(Symbol::LayerOverhead);
    let framework = of_step(case, DEEPEST)
        .overhead
        .folded(term)
        .filter(|node| node.value > 0.0);
    let host = host_of_step(case);
    let parts: Vec<Account> = framework.into_iter().chain(host).collect();
    sum(Term::Plain(Symbol::Overhead), parts).map(|node| node.shown_as(breakdown.overhead.get()))
}

/// Derives the time that the schedule overlaps; `None` if nothing is overlapped.
pub fn overlapped(case: &Case<'_>) -> Option<Account> {
    let breakdown = &case.evaluation.breakdown;
    let hidden = breakdown.hidden.get();
    let term = Term::Plain(Symbol::Overlapped);
    let parts = of_step(case, DEEPEST - 1);
    match case.scenario.plan.spec().overlap {
        Overlap::Sequential => None,
        Overlap::HopB => parts.overlapped.node(term, hidden).filter(|_| hidden > 0.0),
        Overlap::TwoBatch => {
            let computing = by_role(case, parts.roles, parts.overhead);
            let computing = Account::folded(Term::Plain(Symbol::Computing), How::Sum, computing);
            let messages = Term::Plain(Symbol::Communication);
            let messages = parts.messages.node(messages, breakdown.messages.get())?;
            Some(Account::of(
                term,
                hidden,
                How::SmallerOf,
                vec![computing, messages],
            ))
        }
    }
}

/// Derives the time of one operator in a pass; `number` is its index in the list of operators in the results.
pub fn operator(case: &Case<'_>, number: usize) -> Option<Account> {
    let pass = Pass::of_decode(case, &case.evaluation.load, false);
    let blocks = case.evaluation.blocks(case.scenario);
    let mut all = blocks.iter().flat_map(|block| {
        block
            .operators
            .as_slice()
            .iter()
            .map(|one| (block.place, one))
    });
    let (place, operator) = all.nth(number)?;
    Some(pass.operator(place, operator))
}

fn by_role(case: &Case<'_>, roles: [Weighted; 4], overhead: Weighted) -> Vec<Account> {
    let breakdown = &case.evaluation.breakdown;
    let nodes = OperatorRole::ALL.into_iter().zip(roles);
    let nodes =
        nodes.filter_map(|(role, parts)| parts.node(Term::Role(role), breakdown.of(role).get()));
    let overhead = overhead.folded(Term::Plain(Symbol::LayerOverhead));
    nodes
        .chain(overhead.filter(|node| node.value > 0.0))
        .collect()
}

fn of_step(case: &Case<'_>, room: usize) -> StepParts {
    let scenario = case.scenario;
    let passes = scenario.plan.passes();
    let load = case.evaluation.load;
    let pass = Pass::of_decode(case, &load, false);
    let mut parts = StepParts {
        roles: [const { Weighted::EMPTY }; 4],
        overhead: Weighted::default(),
        messages: Weighted::default(),
        overlapped: Weighted::default(),
    };
    for block in case.evaluation.blocks(scenario) {
        let weight = f64::from(block.layers) * passes;
        pass.add(&mut parts, &block, block.role, weight, room);
        if let (Some(half), true) = (pass.half(block.role), block.role != OperatorRole::Head) {
            parts.overhead.push(half, weight);
        }
    }
    let layers = scenario.arch.whole_layers() * passes;
    if let Some((layer, halves)) = pass.layer() {
        parts.overhead.push(layer, layers * halves);
    }
    drafted(case, &mut parts, passes, room);
    parts
}

impl Weighted {
    const EMPTY: Self = Self {
        parts: Vec::new(),
        weights: Vec::new(),
    };
}

fn drafted(case: &Case<'_>, parts: &mut StepParts, passes: f64, room: usize) {
    let scenario = case.scenario;
    if !scenario.calibration.drafter {
        return;
    }
    let mut drafts: Vec<DraftBlock> = Vec::new();
    drafter::for_each_block(
        scenario,
        &scenario.subject(),
        &case.evaluation.load,
        schedule::slowing(scenario),
        |draft| drafts.push(*draft),
    );
    for draft in drafts {
        let pass = Pass::of_decode(case, &draft.load, true);
        let weight = draft.passes * passes;
        pass.add(parts, &draft.block, draft.role, weight, room);
        if let Some((layer, halves)) = pass.layer().filter(|_| draft.halves > 0.0) {
            let weight = halves * (draft.halves / 2.0) * weight;
            parts.overhead.push(layer, weight);
        }
        if let Some(half) = pass.half(draft.role).filter(|_| draft.halves > 0.0) {
            parts.overhead.push(half, draft.halves * weight);
        }
    }
}

impl<'a> Pass<'a> {
    /// Returns a decode pass with this load; `draft` is true for a drafter pass.
    pub fn of_decode(case: &'a Case<'a>, load: &Load, draft: bool) -> Self {
        Self {
            draft,
            ..Self::of_load(case, Loaded::decode(case, load))
        }
    }

    /// Returns a decode pass with the load `loaded`, given as factors.
    pub fn of_load(case: &'a Case<'a>, loaded: Loaded) -> Self {
        let slowed: Vec<Account> = contention(case).into_iter().collect();
        Self {
            case,
            subject: case.scenario.subject(),
            loaded,
            rates: case.evaluation.rates,
            draft: false,
            recorded: slowed.iter().map(|factor| factor.value).product(),
            slowed,
        }
    }

    /// Returns this pass with the drafter’s load.
    pub fn drafting(&self, load: &Load) -> Self {
        let loaded = Loaded {
            all: self.loaded.all.clone(),
            context: self.loaded.context.clone(),
            ..Loaded::decode(self.case, load)
        };
        Self {
            draft: true,
            ..Self::of_load(self.case, loaded)
        }
    }

    fn add(
        &self,
        parts: &mut StepParts,
        block: &Block,
        role: OperatorRole,
        weight: f64,
        room: usize,
    ) {
        let [attention, dense, experts, head] = &mut parts.roles;
        let list = match role {
            OperatorRole::Attention => attention,
            OperatorRole::Dense => dense,
            OperatorRole::Experts => experts,
            OperatorRole::Head => head,
        };
        for time in self.block(block, role) {
            list.push(time, weight);
        }
        let messages = block.messages.as_slice();
        let levels = match self.case.scenario.plan.spec().overlap {
            Overlap::HopB => 3,
            Overlap::Sequential | Overlap::TwoBatch => 2,
        };
        for sent in self.collectives(block.place, messages, room.saturating_sub(levels)) {
            parts.messages.push(sent, weight);
        }
        if self.case.scenario.plan.spec().overlap == Overlap::HopB
            && let Some(covered) = self.covered(block, messages)
        {
            parts.overlapped.push(covered, weight);
        }
    }

    /// Derives the times of a block's operators in one layer. Returns a single time for the whole block if the
    /// calibration measured whole blocks.
    pub fn block(&self, block: &Block, role: OperatorRole) -> Vec<Account> {
        let operators = block.operators.as_slice();
        match self.case.scenario.calibration.fold {
            Fold::Operator => operators
                .iter()
                .map(|operator| self.operator(block.place, operator))
                .collect(),
            Fold::Block => {
                let node = self.folded_block(block.place, role, &block.operators);
                node.into_iter().collect()
            }
        }
    }

    /// Derives the time of a whole block. It is the larger of the block's total compute and total memory traffic,
    /// plus launches.
    fn folded_block(
        &self,
        place: Place,
        role: OperatorRole,
        operators: &Operators,
    ) -> Option<Account> {
        let (mut first, mut second, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for operator in operators.as_slice() {
            let parts: Parts = self.parts(place, operator);
            first.extend(parts.compute);
            rest.extend(parts.rest);
            let kept = parts.memory.into_iter().filter(|part| match part.term {
                Term::Operator(_, Symbol::ActivationTraffic) => role == OperatorRole::Experts,
                _ => true,
            });
            second.extend(kept);
        }
        if role == OperatorRole::Attention {
            second.push(self.boundary_traffic());
        }
        if first.is_empty() && second.is_empty() {
            return None;
        }
        let how = How::Overlap {
            first: first.len(),
            second: second.len(),
        };
        let all = first.into_iter().chain(second).chain(rest).collect();
        let time = schedule::block_time(
            self.case.scenario,
            &self.rates,
            role,
            operators,
            &self.loaded.load,
        );
        let node = Account::folded(Term::Plain(Symbol::Block), how, all).shown_as(time.get());
        Some(node)
    }

    /// Derives the traffic of attention's inputs and outputs: 2 t d one-byte elements, for t tokens and model width
    /// d.
    fn boundary_traffic(&self) -> Account {
        let case = self.case;
        let width = 2.0 * f64::from(self.subject.arch.hidden);
        let moved = self
            .loaded
            .factors(Variable::GroupTokens)
            .times(case.model_fact(Symbol::ActivationEach, width));
        let factor = case.scenario.calibration.memory;
        let rate = case.inefficiency(&[], Number::MemoryFactor, factor, Measured::Plain);
        let moved = moved.and(rate).and(case.hbm());
        moved.node(Term::Plain(Symbol::ActivationTraffic))
    }

    /// Derives the time that HOP-B overlap saves in one layer; `None` if the layer has no KV-parallel exchange.
    fn covered(&self, block: &Block, messages: &[Message]) -> Option<Account> {
        let case = self.case;
        let exchanged = |message: &&Message| message.collective == Collective::HelixExchange;
        let exchange: Vec<Message> = messages.iter().filter(exchanged).copied().collect();
        let exchange = self.collectives(block.place, &exchange, OPERATOR).pop()?;
        let cores = |operators: &Operators, core: bool| {
            operators.only(|kind| kind.is_attention_core() == core)
        };
        let sequences = self.loaded.factors(Variable::Sequences);
        let sequences = sequences.node(Term::Plain(Symbol::GroupSequences));
        let mut parts = vec![exchange, sequences];
        let equation = match case.scenario.calibration.fold {
            Fold::Operator => {
                let cores = cores(&block.operators, true);
                let nodes = cores.as_slice().iter();
                parts.extend(nodes.map(|operator| self.operator(block.place, operator)));
                Equation::HopB
            }
            Fold::Block => {
                let others = cores(&block.operators, false);
                parts.push(self.folded_block(block.place, block.role, &block.operators)?);
                parts.push(self.folded_block(block.place, block.role, &others)?);
                Equation::HopBFolded
            }
        };
        let how = How::Equation(equation);
        Some(Account::folded(Term::Plain(Symbol::Overlapped), how, parts))
    }

    /// Derives the framework overhead of a layer and the number of times it occurs per layer. This number is 2 if the
    /// overhead is a calibration constant measured on half layers, else 1.
    pub fn layer(&self) -> Option<(Account, f64)> {
        let case = self.case;
        let calibration = &case.scenario.calibration;
        let time = calibration.layer_overhead.get();
        let terms: &[&'static CalibrationTerm] = match case.inputs.calibration {
            NamedCalibration::Kernels2026 => &[&kernels::LAYER_OVERHEAD],
            NamedCalibration::Kernels202611 => &[&by_operator::LAYER_OVERHEAD],
            NamedCalibration::Kernels202612 => &[&engine::HALF],
            _ => &[],
        };
        let stated = case.inputs.stated(Number::LayerMicros).is_some();
        let halves = match case.inputs.calibration {
            NamedCalibration::Kernels202612 if !stated => 2.0,
            _ => 1.0,
        };
        let scale = (Number::OverheadScale, Symbol::OverheadScale);
        let key = Some(Number::LayerMicros);
        let factors = case.fixed(
            Symbol::FixedTime,
            terms,
            key,
            time / halves,
            scale,
            Measured::Overhead,
        );
        let name = Term::Plain(Symbol::LayerOverhead);
        (time > 0.0).then(|| (factors.node(name), halves))
    }

    /// Derives the engine overhead of one half layer (mixer or FFN) with this role; `None` if there is none.
    pub fn half(&self, role: OperatorRole) -> Option<Account> {
        let case = self.case;
        let scenario = case.scenario;
        let terms = scenario.calibration.engine.as_ref()?;
        let time = of_half(scenario, role, self.loaded.load.group_tokens).get();
        if time <= 0.0 {
            return None;
        }
        let formats = ProductFormats::of(
            &scenario.cluster,
            &scenario.precision,
            &scenario.calibration,
        );
        let quantized = formats.is_some_and(|formats| formats.quantizes(role));
        let mut parts = Vec::new();
        let mut fixed = |term: &'static CalibrationTerm, value: f64| {
            if value > 0.0 {
                let scale = (Number::OverheadScale, Symbol::OverheadScale);
                let factors = case.fixed(
                    Symbol::FixedTime,
                    &[term],
                    None,
                    value,
                    scale,
                    Measured::Overhead,
                );
                parts.push(factors.node(Term::Constant(term)));
            }
        };
        if quantized {
            fixed(&engine::QUANTIZED, terms.quantized.get());
        }
        if role == OperatorRole::Experts {
            fixed(&engine::EXPERTS, terms.experts.get());
        }
        let mut moved = vec![(&engine::MOVED[0], false), (&engine::MOVED[1], true)];
        if quantized {
            moved.extend([
                (&engine::QUANTIZED_MOVED, false),
                (&engine::QUANTIZED_MOVED, true),
            ]);
        }
        parts.extend(
            moved
                .into_iter()
                .map(|(term, divided)| self.traffic(term, divided)),
        );
        let term = Term::Plain(Symbol::Half);
        Some(Account::of(term, time, How::Sum, parts))
    }

    /// Derives the engine's extra memory traffic in half a layer. If `divided`, the traffic is sharded over the
    /// attention group; otherwise every GPU of the group has all the traffic.
    fn traffic(&self, term: &'static CalibrationTerm, divided: bool) -> Account {
        let case = self.case;
        let scenario = case.scenario;
        let family = scenario.calibration.coverage.family_or_hopper();
        let measured = Measured::Overhead;
        let each = case.calibrated(&[term], Symbol::BytesEach, None, term.of(family), measured);
        let width = f64::from(scenario.arch.hidden);
        let factor = scenario
            .calibration
            .engine
            .map_or(1.0, |engine| engine.memory);
        let key = Number::MemoryFactor;
        let mut factors = self
            .loaded
            .factors(Variable::GroupTokens)
            .times(case.model_fact(Symbol::Hidden, width))
            .times(each)
            .and(case.inefficiency(&[&engine::MOVED_SHARE], key, factor, measured))
            .and(case.hbm());
        if divided {
            let spec = scenario.plan.spec();
            factors = factors
                .over(case.ways(Symbol::Tp, Number::Tp, spec.tp))
                .over(case.ways(Symbol::Kvp, Number::Kvp, spec.kvp));
        }
        factors.node(Term::Plain(Symbol::Traffic))
    }
}

/// Returns the slowdown κ of communication that overlaps compute; `None` if the schedule does not slow communication.
fn contention(case: &Case<'_>) -> Option<Account> {
    let factor = schedule::slowing(case.scenario);
    let terms: &[&'static CalibrationTerm] = match case.by_kernel() {
        true => &[&kernels::CONTENTION],
        false => &[],
    };
    let slows = (factor - 1.0).abs() > 0.0;
    slows.then(|| {
        case.calibrated(
            terms,
            Symbol::Contention,
            None,
            factor,
            Measured::Contention,
        )
    })
}

/// Derives the CPU overhead of a decode step; `None` if there is none.
fn host_of_step(case: &Case<'_>) -> Option<Account> {
    let load = case.evaluation.load;
    let all = case.scenario.plan.passes();
    host(case, &Loaded::decode(case, &load), all)
}

/// Derives the CPU overhead of a step that consists of `count` passes with load `passes`; `None` if there is none.
pub fn host(case: &Case<'_>, passes: &Loaded, count: f64) -> Option<Account> {
    let calibration = &case.scenario.calibration;
    let tokens = passes.load.group_tokens * count;
    let value = calibration.step_overhead(tokens).get();
    if value <= 0.0 {
        return None;
    }
    let scale = (Number::OverheadScale, Symbol::OverheadScale);
    let key = Some(Number::HostMicros);
    let terms: &[&'static CalibrationTerm] = match case.inputs.calibration {
        NamedCalibration::Kernels202612 => &[&engine::STEP],
        NamedCalibration::Kernels2026 | NamedCalibration::Kernels202611 => &[&kernels::HOST],
        _ => &[],
    };
    let measured = Measured::Overhead;
    let own = calibration.host.get();
    let mut parts = Vec::new();
    if own > 0.0 {
        let fixed = case.fixed(Symbol::FixedTime, terms, key, own, scale, measured);
        parts.push(fixed.node(Term::Plain(Symbol::HostOfStep)));
    }
    let sampled = calibration
        .engine
        .map_or(0.0, |engine| engine.sampled.get());
    if sampled > 0.0 {
        let terms = [&engine::SAMPLED];
        let each = case.fixed(Symbol::FixedTime, &terms, None, sampled, scale, measured);
        // Leave out the division by passes: every pass of a step samples.
        let all = Factors {
            below: passes
                .all
                .below
                .iter()
                .filter(|part| part.term != Term::Plain(Symbol::Passes))
                .cloned()
                .collect(),
            ..passes.all.clone()
        };
        let tokens = Loaded {
            all,
            ..passes.clone()
        }
        .factors(Variable::GroupTokens);
        let all = each.and(tokens);
        parts.push(all.node(Term::Plain(Symbol::HostOfTokens)));
    }
    let name = Term::Plain(Symbol::Host);
    Some(Account::of(name, value, How::Sum, parts))
}
