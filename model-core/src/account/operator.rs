//! Derivation trees of operator times: compute, memory traffic and launch.

use super::case::{Case, Factors};
use super::equation::Equation;
use super::kernels::{self, KernelTerms};
use super::load::{Loaded, Variable};
use super::symbol::Symbol;
use super::tree::{Account, How, Operation, Term};
use super::work::{self, Work};
use crate::arch::{Ffn, Moe};
use crate::calibration::by_operator::experts::{ACTIVATIONS, FUSED};
use crate::calibration::kernels::POPULARITY;
use crate::cost::roofline::{ComputeForm, Rates, RooflineTerms};
use crate::inputs::Number;
use crate::ops::{KernelClass, Kind, Operator, Place, Popularity, Subject, ffn};
use crate::precision::Format;

/// A forward pass, with the data that all its operators share.
#[derive(Debug)]
pub struct Pass<'a> {
    /// The scenario with its inputs and evaluation.
    pub case: &'a Case<'a>,
    /// Model, plan and precision from which the operators are computed.
    pub subject: Subject<'a>,
    /// The load of the pass, as factors.
    pub loaded: Loaded,
    /// Compute and memory rates of the pass.
    pub rates: Rates,
    /// True if this is a drafter pass.
    pub draft: bool,
    /// Slowdown factors applied to communication in the pass.
    pub slowed: Vec<Account>,
    /// Product of the slowdown factors that the recorded collective times already include.
    pub recorded: f64,
}

/// Parts of an operator’s time, as derivation trees.
pub struct Parts {
    /// Compute time; `None` if the operator does no arithmetic.
    pub compute: Option<Account>,
    /// Memory traffic that overlaps with compute, so only the longer of the two adds to the time.
    pub memory: Vec<Account>,
    /// Launch latency and memory traffic that do not overlap with compute.
    pub rest: Vec<Account>,
}

impl Pass<'_> {
    /// Returns the identity (kind, part of the model, drafter or not) of an operator in this pass.
    pub const fn operation(&self, place: Place, operator: &Operator) -> Operation {
        Operation {
            kind: operator.kind,
            place,
            draft: self.draft,
        }
    }

    /// Derives the time of an operator in one layer.
    pub fn operator(&self, place: Place, operator: &Operator) -> Account {
        let parts = self.parts(place, operator);
        let first = usize::from(parts.compute.is_some());
        let how = How::Overlap {
            first,
            second: parts.memory.len(),
        };
        let all = parts.compute.into_iter().chain(parts.memory);
        let term = Term::Operator(self.operation(place, operator), Symbol::OperatorTime);
        let time = self.rates.time(operator).get();
        Account::folded(term, how, all.chain(parts.rest).collect()).shown_as(time)
    }

    /// Derives the compute, traffic and launch times of an operator.
    pub fn parts(&self, place: Place, operator: &Operator) -> Parts {
        let terms = self.rates.terms(operator);
        let kernel = kernels::terms(self.case, operator.kernel, self.loaded.load.prompt);
        let mut rest: Vec<Account> = kernel.launch(self.case, &terms).into_iter().collect();
        let mut memory = Vec::new();
        let moving = kernel.memory(self.case, &terms);
        let weights = self.weights(place, operator);
        self.push(
            &mut memory,
            operator,
            place,
            Symbol::WeightReads,
            weights,
            &moving,
        );
        let mut cache = self.work(place, operator, Work::Cache);
        if terms.added_tokens > 0.0 {
            let added = self.work(place, operator, Work::CachePerContext);
            let padding = kernel.padding(self.case, &terms);
            cache.extend(added.into_iter().map(|one| one.times(padding.clone())));
        }
        self.push(
            &mut memory,
            operator,
            place,
            Symbol::CacheReads,
            cache,
            &moving,
        );
        let activations = self.activations(place, operator);
        if terms.sorting.is_some() {
            let sorted = self.sorting(&terms);
            let symbol = Symbol::Sorting;
            self.push(&mut rest, operator, place, symbol, activations, &sorted);
        } else {
            let symbol = Symbol::ActivationTraffic;
            self.push(&mut memory, operator, place, symbol, activations, &moving);
        }
        Parts {
            compute: self.compute(place, operator, &terms, &kernel),
            memory,
            rest,
        }
    }

    fn work(&self, place: Place, operator: &Operator, work: Work) -> Vec<Factors> {
        let of = (place, operator.kind, self.draft);
        work::factors(self.case, &self.subject, &self.loaded, of, work)
    }

    /// Appends a node named `symbol` to `list`: the sum of all `work` terms, each multiplied by `rate`.
    fn push(
        &self,
        list: &mut Vec<Account>,
        operator: &Operator,
        place: Place,
        symbol: Symbol,
        work: Vec<Factors>,
        rate: &Factors,
    ) {
        let term = Term::Operator(self.operation(place, operator), symbol);
        let nodes = work.into_iter().map(|one| one.and(rate.clone()).node(term));
        list.extend(sum(term, nodes.collect()));
    }

    fn compute(
        &self,
        place: Place,
        operator: &Operator,
        terms: &RooflineTerms,
        kernel: &KernelTerms,
    ) -> Option<Account> {
        let operation = self.operation(place, operator);
        if terms.form == ComputeForm::Vectors {
            let mut rows = Factors::default();
            if operator.rows > 1.0 {
                for one in self.rows(place, operator) {
                    rows = rows.and(one);
                }
            }
            let term = Term::Operator(operation, Symbol::Vectors);
            let moving = kernel.memory(self.case, terms);
            let nodes = self.weights(place, operator).into_iter();
            let nodes = nodes.map(|one| one.and(rows.clone()).and(moving.clone()).node(term));
            return sum(term, nodes.collect());
        }
        if !terms.compute.get().is_finite() || operator.flop.get() <= 0.0 {
            return None;
        }
        let mut flop = self.flop(place, operator);
        if terms.added_tokens > 0.0 {
            let padding = kernel.padding(self.case, terms);
            let added = self.work(place, operator, Work::FlopPerContext);
            flop.extend(added.into_iter().map(|one| one.times(padding.clone())));
        }
        let mut rate = kernel.compute(self.case, terms);
        if operator.kernel == KernelClass::SparsePrefill && terms.padding > 1.0 {
            rate = rate.times(self.head_padding(place, operator, kernel, terms));
        } else if terms.form == ComputeForm::Tiles {
            rate = rate.times(kernel.tile(self.case));
            for rows in self.rows(place, operator) {
                rate = rate.and_over(rows);
            }
        }
        let term = Term::Operator(operation, Symbol::OperatorCompute);
        let nodes = flop.into_iter().map(|one| one.and(rate.clone()).node(term));
        sum(term, nodes.collect())
    }

    /// Derives the padding factor ⌈h/r⌉ r/h of h heads in tiles of r rows.
    fn head_padding(
        &self,
        place: Place,
        operator: &Operator,
        kernel: &KernelTerms,
        terms: &RooflineTerms,
    ) -> Account {
        let mut parts = vec![kernel.head_tile(self.case)];
        for rows in self.work(place, operator, Work::Rows) {
            parts.extend(rows.above);
            parts.extend(rows.below);
        }
        let how = How::Equation(Equation::HeadPadding);
        Account::of(Term::Plain(Symbol::HeadPadding), terms.padding, how, parts)
    }

    fn flop(&self, place: Place, operator: &Operator) -> Vec<Factors> {
        let Some(moe) = self.routed(place, operator) else {
            return self.work(place, operator, Work::Flop);
        };
        let tokens = self.expert_tokens(moe).and(self.over_ffn_tp());
        let each = 2.0 * self.expert_weights(moe);
        vec![Factors::one(self.case.model_fact(Symbol::FlopExpert, each)).and(tokens)]
    }

    /// Returns the weights of an operator in bytes, as factors.
    pub fn weights(&self, place: Place, operator: &Operator) -> Vec<Factors> {
        let Some(moe) = self.routed(place, operator) else {
            return self.work(place, operator, Work::Weights);
        };
        let case = self.case;
        let bytes = self.subject.precision.ffn_weights;
        let rest = Factors::one(self.read(moe))
            .times(case.input(Symbol::WeightBytes, Number::FfnWeightBytes, bytes))
            .and(self.over_ffn_tp());
        let each = self.expert_weights(moe);
        vec![Factors::one(case.model_fact(Symbol::ExpertWeights, each)).and(rest)]
    }

    /// Returns the activations of an operator in bytes, as factors.
    pub fn activations(&self, place: Place, operator: &Operator) -> Vec<Factors> {
        let Some(moe) = self.routed(place, operator) else {
            return self.work(place, operator, Work::Activations);
        };
        let rest = self.expert_tokens(moe).times(self.boundary());
        let width = f64::from(moe.working_width(self.subject.arch.hidden));
        vec![Factors::one(self.case.model_fact(Symbol::ExpertInput, width)).and(rest)]
    }

    fn rows(&self, place: Place, operator: &Operator) -> Vec<Factors> {
        match self.routed(place, operator) {
            Some(moe) => vec![
                self.expert_tokens(moe)
                    .and_over(Factors::one(self.read(moe))),
            ],
            None => self.work(place, operator, Work::Rows),
        }
    }

    /// Returns the MoE shape of a routed-expert operator; `None` for other operators.
    fn routed(&self, place: Place, operator: &Operator) -> Option<&Moe> {
        let Place::Ffn(number) = place else {
            return None;
        };
        match self.subject.arch.ffns().get(number).map(|part| &part.shape) {
            Some(Ffn::Moe(moe)) if operator.kind == Kind::Experts => Some(moe),
            _ => None,
        }
    }

    /// Returns the number of weights of one routed expert.
    fn expert_weights(&self, moe: &Moe) -> f64 {
        let width = f64::from(moe.working_width(self.subject.arch.hidden));
        f64::from(moe.matrices) * width * f64::from(moe.expert_width)
    }

    fn over_ffn_tp(&self) -> Factors {
        let ffn_tp = self.subject.plan.spec().ffn_tp;
        Factors::default().over(self.case.ways(Symbol::FfnTp, Number::FfnTp, ffn_tp))
    }

    /// Derives the sum of the bytes per dispatched element and the bytes per combined element.
    pub fn boundary(&self) -> Account {
        let (case, precision) = (self.case, self.subject.precision);
        let parts = vec![
            case.input(
                Symbol::DispatchBytes,
                Number::DispatchBytes,
                precision.dispatch,
            ),
            case.input(
                Symbol::CombineBytes,
                Number::CombineBytes,
                precision.combine,
            ),
        ];
        Account::folded(Term::Plain(Symbol::BoundaryBytes), How::Sum, parts)
    }

    /// Returns the tokens routed to the busiest GPU’s experts, t = B k′/(ep β), as factors: batch tokens B, experts
    /// per token k′, balancedness β.
    pub fn expert_tokens(&self, moe: &Moe) -> Factors {
        let (case, plan) = (self.case, self.subject.plan);
        let copies = ffn::experts_per_token(moe, plan);
        self.loaded
            .factors(Variable::Tokens)
            .times(case.model_fact(Symbol::Copies, copies))
            .over(case.ways(Symbol::Ep, Number::Ep, plan.spec().ep))
            .over(case.input(Symbol::Balance, Number::Beta, plan.beta()))
    }

    /// Derives the number of experts that the busiest GPU reads.
    fn read(&self, moe: &Moe) -> Account {
        let (case, plan) = (self.case, self.subject.plan);
        let (spec, fact) = (plan.spec(), |symbol, value| case.model_fact(symbol, value));
        let popularity = self.subject.popularity;
        let skew = match *popularity == Popularity::UNIFORM {
            true => case.calibrated(&[], Symbol::Skew, None, 0.25, super::case::Measured::Plain),
            false => {
                let family = case.scenario.calibration.coverage.family_or_hopper();
                let value = POPULARITY.of(family);
                let measured = super::case::Measured::Plain;
                case.calibrated(&[&POPULARITY], Symbol::Skew, None, value, measured)
            }
        };
        let mut parts = vec![
            fact(Symbol::Experts, f64::from(moe.experts)),
            fact(Symbol::ExpertsPerToken, f64::from(moe.experts_per_token)),
            case.chosen(Symbol::OnGrid, "shared", ffn::on_grid(moe, plan)),
            case.ways(Symbol::Redundant, Number::Redundant, spec.redundant),
            case.ways(Symbol::Ep, Number::Ep, spec.ep),
            case.input(Symbol::Balance, Number::Beta, plan.beta()),
            skew,
        ];
        parts.extend(match self.loaded.load.prompt {
            true => [
                case.definition(Symbol::Pp, 1.0),
                case.input(Symbol::Chunks, Number::Chunk, self.loaded.load.chunks),
            ],
            false => self.loaded.divisors(case),
        });
        parts.extend(self.loaded.factors(Variable::Tokens).above);
        let read = ffn::experts_loaded(moe, plan, popularity, &self.loaded.load);
        let term = Term::Plain(Symbol::Read);
        Account::folded(term, How::Equation(Equation::ExpertsRead), parts).shown_as(read)
    }

    /// Returns the time that fused experts take per activation byte, as factors. It is inefficiency ε × bytes moved
    /// per element ÷ HBM bandwidth ÷ (dispatch + combine bytes per element).
    fn sorting(&self, terms: &RooflineTerms) -> Factors {
        let (case, precision) = (self.case, self.subject.precision);
        let measured = super::case::Measured::Experts;
        let row = match precision.ffn_format {
            Format::Bf16 => 0,
            Format::Fp8 if precision.ffn_weights < 0.75 => 2,
            Format::Fp8 => 1,
            Format::Fp4 => 3,
        };
        let family = case.scenario.calibration.coverage.family_or_hopper();
        let bytes = FUSED[row].bytes.of(family);
        let moved = case.calibrated(
            &[&FUSED[row].bytes],
            Symbol::BytesEach,
            None,
            bytes,
            measured,
        );
        let rate = terms.sorting.map_or(f64::INFINITY, |rate| rate.get());
        let boundary = precision.dispatch + precision.combine;
        let factor = case.scenario.cluster.hbm.get() * boundary / (bytes * rate);
        let key = Number::MemoryFactor;
        case.inefficiency(&[&ACTIVATIONS], key, factor, measured)
            .and(case.hbm())
            .times(moved)
            .and_over(Factors::one(self.boundary()))
    }
}

/// Sums nodes into one node named `term`; a single node is renamed instead. Returns `None` if there are no nodes.
pub fn sum(term: Term, mut nodes: Vec<Account>) -> Option<Account> {
    match nodes.len() {
        0 => None,
        1 => nodes.pop().map(|one| one.named(term)),
        _ => Some(Account::folded(term, How::Sum, nodes)),
    }
}
