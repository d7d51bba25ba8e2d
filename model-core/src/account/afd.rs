//! Derivation trees of AFD results: an xAyF unit, its attention and FFN ranks, and the communication between them.

use super::case::{Case, Factors};
use super::equation::Equation;
use super::load::Loaded;
use super::operator::Pass;
use super::quantity::Quantity;
use super::rank::Rank;
use super::step::Weighted;
use super::symbol::Symbol;
use super::tpot::{per_gpu, yielded};
use super::tree::{Account, How, Term};
use crate::afd::bundle::{Bundle, IN_FLIGHT};
use crate::afd::decision::ShownUnit;
use crate::afd::latency::LoadSpan;
use crate::afd::lengths::Distribution;
use crate::afd::own::{How as Way, Way as Compared};
use crate::afd::ratio::RatioPoint;
use crate::cost::collective::Collective;
use crate::evaluate::evaluate;
use crate::inputs::{Inputs, Mode, Number};
use crate::ops::{Load, OperatorRole};
use crate::scenario::Scenario;

pub(super) struct Unit<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) bundle: &'a Bundle,
    pub(super) point: &'a RatioPoint,
}

/// Returns the derivation tree of an AFD quantity; `None` if the unit has no such quantity.
pub fn account(stated: &Inputs, shown: &ShownUnit, quantity: Quantity) -> Option<Account> {
    let inputs = stated.settled().decoding().with_anchored(None);
    let divided = shown.decision.as_ref().is_none_or(|it| it.asked.is_some());
    let unit = Unit {
        inputs: &inputs,
        bundle: &shown.bundle,
        point: &shown.point,
    };
    match quantity {
        Quantity::AfdColocated => {
            colocated(&inputs, &shown.bundle, shown.decision.as_ref()?.colocated?)
        }
        _ if !divided => None,
        Quantity::AfdPerGpu => unit.per_gpu(shown.decision.is_some()),
        Quantity::AfdPerRank => unit.per_rank(),
        Quantity::AfdTpot => unit.tpot(),
        Quantity::AfdPerUser => unit.per_user(),
        Quantity::AfdAttention => unit.attention(),
        Quantity::AfdCommunication => unit.communication(),
        Quantity::AfdFfn => unit.ffn(),
        Quantity::AfdIdleAttention => unit.idle(Symbol::IdleAttention),
        Quantity::AfdIdleFfn => unit.idle(Symbol::IdleFfn),
        Quantity::AfdRatio => unit.division(&shown.decision.as_ref()?.asked?),
        Quantity::AfdBestRatio => unit.best_ratio(),
        Quantity::AfdMemory => unit.attention_memory(),
        Quantity::AfdFfnMemory => unit.ffn_memory(),
        _ => None,
    }
}

/// Returns the value of an AFD quantity; `None` if the unit has no such quantity.
pub fn value(bundle: &Bundle, point: &RatioPoint, quantity: Quantity) -> Option<f64> {
    Some(match quantity {
        Quantity::AfdPerGpu => bundle.derived.map(|_| point.per_weight_in_flight)?,
        Quantity::AfdPerRank => point.per_instance,
        Quantity::AfdTpot => point.tpot.get(),
        Quantity::AfdPerUser => 1.0 / point.tpot.get(),
        Quantity::AfdAttention => point.attention.get(),
        Quantity::AfdCommunication => point.messages.get(),
        Quantity::AfdFfn => point.ffn.get(),
        Quantity::AfdIdleAttention => point.idle_attention,
        Quantity::AfdIdleFfn => point.idle_ffn,
        Quantity::AfdMemory => bundle.attention_memory().most().get(),
        Quantity::AfdFfnMemory => bundle.ffn_memory(point.ratio).most().get(),
        Quantity::AfdBestRatio => bundle
            .derived
            .is_none()
            .then(|| bundle.answer().best.ratio)?,
        _ => return None,
    })
}

/// Returns the inputs of `way`, a colocated plan that AFD is compared with; `None` if `way` is an AFD unit.
pub fn colocated_inputs(inputs: &Inputs, bundle: &Bundle, way: &Compared) -> Option<Inputs> {
    let Way::Colocated(spec) = way.how else {
        return None;
    };
    let inputs = inputs
        .with_anchored(None)
        .in_mode(Mode::Colocated)
        .planned(&spec);
    let context = bundle.lengths.context();
    Some(
        inputs
            .with(Number::Batch, way.batch)
            .with(Number::Context, context),
    )
}

fn colocated(inputs: &Inputs, bundle: &Bundle, way: Compared) -> Option<Account> {
    let inputs = colocated_inputs(inputs, bundle, &way)?;
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    let settled = inputs.settled();
    let tree = per_gpu(&Case::new(&settled, &scenario, &evaluation));
    Some(tree.shown_as(way.per_gpu))
}

#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) slope: (Symbol, Number),
    pub(super) intercept: (Symbol, Number),
}

const ATTENTION: Line = Line {
    slope: (Symbol::AttentionSlope, Number::AttentionSlopeMicros),
    intercept: (Symbol::AttentionIntercept, Number::AttentionInterceptMicros),
};
pub(super) const FFN: Line = Line {
    slope: (Symbol::FfnSlope, Number::FfnSlopeMicros),
    intercept: (Symbol::FfnIntercept, Number::FfnInterceptMicros),
};

impl Unit<'_> {
    /// Calls `look` with the scenario of one rank, evaluated at a batch of `sequences`.
    pub(super) fn with_case<T>(
        &self,
        half: &Scenario,
        sequences: f64,
        look: impl FnOnce(&Case<'_>) -> Option<T>,
    ) -> Option<T> {
        let mut half = *half;
        half.workload.batch = sequences;
        let evaluation = evaluate(&half).ok()?;
        look(&Case::new(self.inputs, &half, &evaluation))
    }

    /// Calls `look` with the evaluated scenario of the attention rank, which supplies the leaves of the xAyF unit's
    /// derivation trees.
    pub(super) fn leaves<T>(&self, look: impl FnOnce(&Case<'_>) -> Option<T>) -> Option<T> {
        let mut half = self.bundle.halves.attention;
        half.workload.context = half.workload.context.max(1.0);
        self.with_case(&half, self.bundle.slots, look)
    }

    pub(super) fn slots(&self, case: &Case<'_>) -> Account {
        case.input(Symbol::Slots, Number::Slots, self.bundle.slots)
    }

    pub(super) fn ratio(&self, case: &Case<'_>) -> Account {
        case.input(Symbol::Ratio, Number::Ratio, self.point.ratio)
    }

    pub(super) fn in_flight(case: &Case<'_>) -> Account {
        case.definition(Symbol::InFlight, IN_FLIGHT)
    }

    fn times(&self) -> Option<Vec<Account>> {
        Some(vec![self.attention()?, self.communication()?, self.ffn()?])
    }

    pub(super) fn tpot(&self) -> Option<Account> {
        let how = How::Equation(Equation::TwoInFlight);
        let term = Term::Plain(Symbol::Tpot);
        Some(Account::of(term, self.point.tpot.get(), how, self.times()?))
    }

    fn cycle(&self) -> Option<Account> {
        let term = Term::Plain(Symbol::Cycle);
        let value = self.point.cycle.get();
        Some(Account::of(term, value, How::LargerOf, self.times()?))
    }

    fn per_user(&self) -> Option<Account> {
        let one = self.leaves(|case| Some(case.definition(Symbol::OneToken, 1.0)))?;
        let value = 1.0 / self.point.tpot.get();
        let term = Term::Plain(Symbol::PerUser);
        Some(Account::quotient(term, vec![one], vec![self.tpot()?]).shown_as(value))
    }

    /// Derives AFD throughput per GPU. If `in_flight` is true, two micro-batches are in flight, as in the comparison
    /// with colocated plans. Otherwise, throughput is counted as in [R].
    pub(super) fn per_gpu(&self, in_flight: bool) -> Option<Account> {
        self.bundle.derived?;
        let (above, gpus) = self.leaves(|case| {
            let mut above = vec![self.slots(case), self.ratio(case)];
            if in_flight {
                above.push(Self::in_flight(case));
            }
            let ranks = Term::Plain(Symbol::AttentionGpus);
            let spec = *self.bundle.halves.attention.plan.spec();
            let of_attention = vec![
                self.ratio(case),
                case.ways(Symbol::Tp, Number::Tp, spec.tp),
                case.ways(Symbol::Kvp, Number::Kvp, spec.kvp),
            ];
            let of_ffn = self.bundle.halves.ffn.plan.gpus();
            let parts = vec![
                Account::folded(ranks, How::Product, of_attention),
                case.ways(Symbol::FfnGpus, Number::Ratio, of_ffn),
            ];
            let unit = Term::Plain(Symbol::UnitGpus);
            Some((above, Account::folded(unit, How::Sum, parts)))
        })?;
        let (time, value) = match in_flight {
            true => (self.tpot()?, self.point.per_weight_in_flight),
            false => (self.cycle()?, self.point.per_weight),
        };
        let term = Term::Plain(Symbol::AfdPerGpu);
        Some(Account::quotient(term, above, vec![gpus, time]).shown_as(value))
    }

    /// Derives AFD throughput per rank for latencies that the user entered. Source: [R] eqs 5–6.
    fn per_rank(&self) -> Option<Account> {
        if self.bundle.derived.is_some() {
            return None;
        }
        let (above, ranks) = self.leaves(|case| {
            let parts = vec![self.ratio(case), case.definition(Symbol::One, 1.0)];
            let ranks = Account::folded(Term::Plain(Symbol::Ranks), How::Sum, parts);
            Some((vec![self.slots(case), self.ratio(case)], ranks))
        })?;
        let term = Term::Plain(Symbol::AfdPerRank);
        let below = vec![ranks, self.cycle()?];
        Some(Account::quotient(term, above, below).shown_as(self.point.per_instance))
    }

    fn idle(&self, symbol: Symbol) -> Option<Account> {
        let mut parts = self.times()?;
        let value = match symbol {
            Symbol::IdleFfn => {
                parts.rotate_right(1);
                self.point.idle_ffn
            }
            _ => self.point.idle_attention,
        };
        let how = How::Equation(Equation::Idle);
        Some(Account::of(Term::Plain(symbol), value, how, parts))
    }

    /// Derives t_A, the attention time of a step.
    pub(super) fn attention(&self) -> Option<Account> {
        let tokens = self.bundle.token_load();
        let term = Term::Plain(Symbol::RankAttention);
        let node = match self.bundle.own_attention {
            true => self.attention_at(tokens.max(f64::MIN_POSITIVE), None),
            false => self.leaves(|case| {
                let load = vec![self.slots(case), self.context(case)];
                self.line(case, ATTENTION, load)
            }),
        };
        Some(node?.named(term).shown_as(self.point.attention.get()))
    }

    /// Derives t_F, the FFN time of a step.
    pub(super) fn ffn(&self) -> Option<Account> {
        let term = Term::Plain(Symbol::RankFfn);
        let node = match self.bundle.own_ffn {
            true => self.ffn_at(self.point.ratio * self.bundle.slots, None),
            false => self.leaves(|case| {
                let load = vec![self.slots(case), self.ratio(case)];
                self.line(case, FFN, load)
            }),
        };
        Some(node?.named(term).shown_as(self.point.ffn.get()))
    }

    /// Derives attention time, operator by operator, for `tokens` tokens in the KV caches of one attention rank.
    /// `load` is set if `tokens` differs from the mean over the horizon.
    fn attention_at(&self, tokens: f64, load: Option<f64>) -> Option<Account> {
        let slots = self.bundle.slots;
        let mut half = self.bundle.halves.attention;
        half.workload.context = tokens / slots;
        self.with_case(&half, slots, |case| {
            let context = match load {
                None if self.bundle.token_load() > 0.0 => {
                    self.context(case).shown_as(tokens / slots)
                }
                // Empty caches count as the smallest positive context.
                _ => case.input(Symbol::Context, Number::Context, tokens / slots),
            };
            let all = Factors::one(self.slots(case));
            let loaded = loaded(case, slots, all, Some(context));
            let samples = case.scenario.calibration.engine.is_some();
            let rank = Rank {
                pass: Pass::of_load(case, loaded),
                roles: &[OperatorRole::Attention, OperatorRole::Head],
                runs: |_| true,
                sends: |collective| {
                    matches!(
                        collective,
                        Collective::AttentionAllReduce
                            | Collective::HelixExchange
                            | Collective::SelectionExchange
                    )
                },
                overhead: true,
                samples,
                drafts: true,
            };
            per_token(case, rank.parts(), Symbol::RankAttention)
        })
    }

    /// Derives FFN time, operator by operator, for `rows` sequences. `load` is set if `rows` differs from the number
    /// of sequences at the unit's A:F ratio.
    fn ffn_at(&self, rows: f64, load: Option<f64>) -> Option<Account> {
        self.with_case(&self.bundle.halves.ffn, rows, |case| {
            let all = match load {
                None => Factors::one(self.slots(case)).times(self.ratio(case)),
                Some(_) => Factors::one(case.input(Symbol::Batch, Number::Slots, rows)),
            };
            let loaded = loaded(case, rows, all, None);
            let rank = Rank {
                pass: Pass::of_load(case, loaded),
                roles: &[OperatorRole::Dense, OperatorRole::Experts],
                runs: |_| true,
                sends: |collective| {
                    matches!(
                        collective,
                        Collective::ExpertAllReduce | Collective::DenseAllReduce
                    )
                },
                overhead: true,
                samples: false,
                drafts: true,
            };
            per_token(case, rank.parts(), Symbol::RankFfn)
        })
    }

    /// Derives the mean context length of a sequence over the horizon (a fixed number of requests per attention
    /// rank).
    fn context(&self, case: &Case<'_>) -> Account {
        let lengths = &self.bundle.lengths;
        let requests = f64::from(self.bundle.requests);
        let value = lengths.context_over(requests, self.bundle.slots);
        let prompt = case.input(
            Symbol::PromptLength,
            Number::MeanPrompt,
            lengths.prompt.mean(),
        );
        let output = case.input(
            Symbol::OutputLength,
            Number::MeanOutput,
            lengths.output.mean(),
        );
        let (equation, parts) = match lengths.output {
            Distribution::Geometric(_) => {
                let requests = case.input(Symbol::Requests, Number::Requests, requests);
                let parts = vec![prompt, output, requests, self.slots(case)];
                (Equation::HorizonContext, parts)
            }
            other => {
                let square = case.chosen(Symbol::LengthSquare, "lengths", other.mean_square());
                (Equation::LongRunContext, vec![prompt, output, square])
            }
        };
        let term = Term::Plain(Symbol::TokenLoad);
        Account::of(term, value, How::Equation(equation), parts)
    }

    /// Derives the latency slope·load + intercept from the coefficients that the user entered. A missing coefficient
    /// comes from a chord through the operator times at two loads.
    fn line(&self, case: &Case<'_>, line: Line, load: Vec<Account>) -> Option<Account> {
        let lines = &self.bundle.latencies;
        let ((slope_symbol, slope_key), (intercept_symbol, intercept_key)) =
            (line.slope, line.intercept);
        let attention = slope_key == Number::AttentionSlopeMicros;
        let (of, term) = match attention {
            true => (lines.attention, Term::Plain(Symbol::RankAttention)),
            false => (lines.ffn, Term::Plain(Symbol::RankFfn)),
        };
        let stated = |number| self.inputs.get(number).is_some();
        let slope = case.input(slope_symbol, slope_key, of.slope.get());
        let intercept = case.input(intercept_symbol, intercept_key, of.intercept.get());
        let (equation, known) = match (stated(slope_key), stated(intercept_key)) {
            (true, true) => {
                let grows = Account::folded(term, How::Product, [vec![slope], load].concat());
                return Some(Account::folded(term, How::Sum, vec![grows, intercept]));
            }
            (true, false) => (Equation::ChordIntercept, slope),
            (false, _) => (Equation::ChordSlope, intercept),
        };
        let mut parts = self.chord(case, attention)?;
        parts.push(known);
        parts.extend(load);
        Some(Account::folded(term, How::Equation(equation), parts))
    }

    /// Derives a rank's operator times at the two loads that define a chord. Returns both times, followed by both
    /// loads.
    fn chord(&self, case: &Case<'_>, attention: bool) -> Option<Vec<Account>> {
        let derived = self.bundle.derived?;
        let LoadSpan { low, high } = match attention {
            true => derived.tokens,
            false => derived.rows,
        };
        let halves = &self.bundle.halves;
        let time = |load: f64| {
            let (node, exact) = match attention {
                true => (
                    self.attention_at(load, Some(load))?,
                    halves.attention_time(self.bundle.slots, load)?,
                ),
                false => (self.ffn_at(load, Some(load))?, halves.ffn_time(load)?),
            };
            // A chord subtracts the two times, so every digit counts.
            Some(node.shown_as(exact.get()))
        };
        let load = |value| match attention {
            true => case.input(Symbol::SpanLoad, Number::MeanOutput, value),
            false => case.input(Symbol::SpanLoad, Number::Slots, value),
        };
        Some(vec![
            time(low)?.named(Term::Plain(Symbol::LowerTime)),
            time(high)?.named(Term::Plain(Symbol::HigherTime)),
            load(low),
            load(high),
        ])
    }
}

/// Returns the decode load of `sequences` sequences; `all` has the factors of the sequence count.
pub(super) fn loaded(
    case: &Case<'_>,
    sequences: f64,
    all: Factors,
    context: Option<Account>,
) -> Loaded {
    let plan = &case.scenario.plan;
    let load = Load::decode(sequences, plan, &case.scenario.workload);
    let own = Loaded::decode(case, &load);
    Loaded {
        all,
        context: context.map_or(own.context.clone(), Factors::one),
        ..own
    }
}

/// Returns a node for a sum over layers, divided by the tokens that a step yields per sequence.
fn per_token(case: &Case<'_>, parts: Weighted, symbol: Symbol) -> Option<Account> {
    let term = Term::Plain(symbol);
    let step = parts.folded(term)?;
    Some(match yielded(case) {
        None => step,
        Some(tokens) => Account::quotient(term, vec![step], vec![tokens]),
    })
}
