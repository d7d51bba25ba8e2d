//! Derivation trees of collective times: a latency plus bytes ÷ link bandwidth.

use super::case::{Case, Factors, Measured};
use super::equation::Equation;
use super::load::Variable;
use super::operator::Pass;
use super::symbol::Symbol;
use super::tree::{Account, Half, How, Term};
use crate::arch::{Ffn, Moe};
use crate::calibration::term::CalibrationTerm;
use crate::calibration::{by_operator::messages as by_operator, kernels};
use crate::cost::collective::{Collective, Message, Messages};
use crate::hardware::NetworkLink;
use crate::inputs::Number;
use crate::ops::{Load, Place, PromptForm, ffn};

/// Number of tree levels needed below a collective's node to show the collective's bytes as a separate node.
const WITH_BYTES: usize = 4;

impl Pass<'_> {
    /// Derives the collectives of one part of a layer. `room` is the number of tree levels available below each
    /// collective's node.
    pub fn collectives(&self, place: Place, messages: &[Message], room: usize) -> Vec<Account> {
        let each = |message: &Message| {
            if message.collective == Collective::ExpertAllToAll {
                let precision = self.subject.precision;
                let all = precision.dispatch + precision.combine;
                let dispatch = self.case.input(
                    Symbol::DispatchBytes,
                    Number::DispatchBytes,
                    precision.dispatch,
                );
                let combine = self.case.input(
                    Symbol::CombineBytes,
                    Number::CombineBytes,
                    precision.combine,
                );
                vec![
                    self.collective(place, message, Half::Dispatch, Some((dispatch, all)), room),
                    self.collective(place, message, Half::Combine, Some((combine, all)), room),
                ]
            } else {
                vec![self.collective(place, message, Half::Whole, None, room)]
            }
        };
        messages.iter().flat_map(each).collect()
    }

    fn collective(
        &self,
        place: Place,
        message: &Message,
        half: Half,
        share: Option<(Account, f64)>,
        room: usize,
    ) -> Account {
        let (bytes_of, latency_of) = match &share {
            Some((bytes, all)) => (bytes.value / all, 0.5),
            None => (1.0, 1.0),
        };
        let (slowed, kappa) = (&self.slowed, self.recorded);
        let terms = message_terms(self.case, message.collective, message.link);
        let mut parts = Vec::new();
        let latency = message.latency.get() * latency_of;
        if latency > 0.0 {
            let scale = (Number::LatencyScale, Symbol::LatencyScale);
            let key = Some(Number::LatencyMicros);
            let own = latency / kappa;
            let measured = terms.measured;
            let mut factors =
                self.case
                    .fixed(Symbol::FixedTime, &terms.start, key, own, scale, measured);
            factors.above.extend(slowed.iter().cloned());
            parts.push(factors.node(Term::Plain(Symbol::Latency)));
        }
        let bytes = message.bytes.get() * bytes_of;
        let moving = (message.time - message.latency).get() * bytes_of;
        if bytes > 0.0 {
            let width = share.map(|(bytes, _)| bytes);
            let mut sent = self.bytes(place, message, width);
            let factor = moving / (bytes / self.bandwidth(message.link)) / kappa;
            if room >= WITH_BYTES {
                let node = sent.node(Term::Plain(Symbol::Bytes)).shown_as(bytes);
                sent = Factors::one(node);
            }
            sent.above.extend(slowed.iter().cloned());
            let rate =
                self.case
                    .inefficiency(&terms.share, Number::NetworkFactor, factor, terms.measured);
            let sent = sent.and(rate).and(link(self.case, message.link));
            parts.push(sent.node(Term::Plain(Symbol::Transfer)));
        }
        let term = Term::Collective(message.collective, half);
        Account::folded(term, How::Sum, parts)
    }

    fn bandwidth(&self, link: NetworkLink) -> f64 {
        self.case.scenario.cluster.bandwidth(link).get()
    }

    /// Returns the bytes of a collective, per GPU and layer, as factors. For dispatch or combine, `width` gives the
    /// bytes per element.
    fn bytes(&self, place: Place, message: &Message, width: Option<Account>) -> Factors {
        let (case, plan) = (self.case, self.subject.plan);
        let spec = plan.spec();
        let moe = self.moe(place);
        let ring = |members: Vec<Account>| {
            let term = Term::Plain(Symbol::RingShare);
            Account::folded(term, How::Equation(Equation::RingShare), members)
        };
        let ffn_tp = || case.ways(Symbol::FfnTp, Number::FfnTp, spec.ffn_tp);
        match (message.collective, moe) {
            (Collective::AttentionAllReduce, _) => {
                self.hidden(Variable::GroupTokens).times(ring(self.group()))
            }
            (Collective::DenseAllReduce, _) => {
                let members = match plan.has_experts() {
                    true => self.group(),
                    false => vec![ffn_tp()],
                };
                self.hidden(Variable::GroupTokens).times(ring(members))
            }
            (Collective::ExpertAllReduce, Some(moe)) if !plan.tokens_replicated() => self
                .expert_tokens(moe)
                .times(self.working_width(moe))
                .times(self.activation_bytes())
                .times(ring(vec![ffn_tp()])),
            (Collective::ExpertAllReduce, Some(_))
                if self.subject.prompts != PromptForm::Equations =>
            {
                let gpus = case.ways(Symbol::Gpus, Number::Gpus, plan.gpus());
                self.hidden(Variable::Tokens).times(ring(vec![gpus]))
            }
            (Collective::ExpertAllReduce, Some(moe)) => self
                .hidden(Variable::Tokens)
                .times(self.routed_share(moe, Symbol::ResultShare, Equation::ResultShare))
                .times(ring(vec![ffn_tp()])),
            (Collective::ExpertAllGather, Some(moe)) => self
                .hidden(Variable::Tokens)
                .times(self.routed_share(moe, Symbol::ResultShare, Equation::GatheredShare)),
            (Collective::ExpertAllToAll, Some(moe)) => self.all_to_all(moe, message, width),
            (Collective::HelixExchange, _) => {
                let kvp = case.ways(Symbol::Kvp, Number::Kvp, spec.kvp);
                let share = How::Equation(Equation::OtherRanks);
                let share = Account::folded(Term::Plain(Symbol::RankShare), share, vec![kvp]);
                let rest = self
                    .loaded
                    .factors(Variable::GroupTokens)
                    .times(self.activation_bytes())
                    .over(case.ways(Symbol::Tp, Number::Tp, spec.tp))
                    .times(share);
                self.with_fact(Symbol::OutputWidth, message, rest)
            }
            _ => self.selection(place, message),
        }
    }

    fn selection(&self, place: Place, message: &Message) -> Factors {
        let case = self.case;
        let spec = self.subject.plan.spec();
        let kvp = || case.ways(Symbol::Kvp, Number::Kvp, spec.kvp);
        let others = How::Equation(Equation::Others);
        let others = Account::folded(Term::Plain(Symbol::OtherRanks), others, vec![kvp()]);
        let mut rest = self.loaded.factors(Variable::GroupTokens).times(others);
        let load = &self.loaded.load;
        let longer = Load {
            context: load.context * 2.0,
            ..*load
        };
        let again = Messages::of(case.scenario, &self.subject, place, &longer);
        let again = again
            .as_slice()
            .iter()
            .find(|other| other.collective == message.collective);
        let ratio = again.map_or(1.0, |again| again.bytes / message.bytes);
        if (ratio - 2.0).abs() < 1e-9 {
            rest = rest.and(self.loaded.context.clone()).over(kvp());
        }
        self.with_fact(Symbol::CandidateBytes, message, rest)
    }

    /// Multiplies `rest` by a model fact named `symbol`. The fact's value is chosen so that the product equals the
    /// collective's bytes.
    fn with_fact(&self, symbol: Symbol, message: &Message, rest: Factors) -> Factors {
        let value = message.bytes.get() / rest.value();
        Factors::one(self.case.model_fact(symbol, value)).and(rest)
    }

    fn all_to_all(&self, moe: &Moe, message: &Message, width: Option<Account>) -> Factors {
        let (case, plan) = (self.case, self.subject.plan);
        let spec = plan.spec();
        let mut parts = vec![
            case.ways(Symbol::Gpus, Number::Gpus, plan.gpus()),
            case.ways(Symbol::Domain, Number::Domain, case.scenario.cluster.domain),
            case.ways(Symbol::Pp, Number::Pp, spec.pp),
        ];
        let across = message.link == NetworkLink::ScaleOut;
        let pass = self.subject.prompts == PromptForm::Pass;
        let share = |symbol, equation, parts| {
            Account::folded(Term::Plain(symbol), How::Equation(equation), parts)
        };
        let limit = f64::from(spec.node_limit.unwrap_or(0));
        let copies = ffn::experts_per_token(moe, plan);
        let copies = case.model_fact(Symbol::Copies, copies);
        let share = match (across, pass) {
            (true, false) if spec.node_limit.is_none() => {
                share(Symbol::OutsideShare, Equation::OutsideShare, parts)
            }
            (false, false) => share(Symbol::InsideShare, Equation::InsideShare, parts),
            _ => {
                let domain = Symbol::Domain;
                if let (false, Some(of)) = (across, parts.get_mut(1)) {
                    *of = case.definition(domain, 1.0);
                }
                let limit = if across { limit } else { 0.0 };
                parts.push(copies);
                parts.push(case.input(Symbol::NodeLimit, Number::NodeLimit, limit));
                share(Symbol::RemoteShare, Equation::RemoteShare, parts)
            }
        };
        let mut sent = self.expert_tokens(moe).times(self.working_width(moe));
        sent.above.extend(width);
        sent.times(share)
    }

    fn moe(&self, place: Place) -> Option<&Moe> {
        let Place::Ffn(number) = place else {
            return None;
        };
        match self.subject.arch.ffns().get(number).map(|part| &part.shape) {
            Some(Ffn::Moe(moe)) => Some(moe),
            _ => None,
        }
    }

    /// Returns the number of GPUs in an attention group, tp·kvp, as factors.
    fn group(&self) -> Vec<Account> {
        let spec = self.subject.plan.spec();
        let factors = [
            self.case.ways(Symbol::Tp, Number::Tp, spec.tp),
            self.case.ways(Symbol::Kvp, Number::Kvp, spec.kvp),
        ];
        factors
            .into_iter()
            .filter(|part| part.value > 1.0)
            .collect()
    }

    /// Returns the activation bytes of all tokens that `variable` counts, as factors.
    fn hidden(&self, variable: Variable) -> Factors {
        let width = f64::from(self.subject.arch.hidden);
        self.loaded
            .factors(variable)
            .times(self.case.model_fact(Symbol::Hidden, width))
            .times(self.activation_bytes())
    }

    fn working_width(&self, moe: &Moe) -> Account {
        let width = moe.working_width(self.subject.arch.hidden);
        self.case.model_fact(Symbol::ExpertInput, f64::from(width))
    }

    fn activation_bytes(&self) -> Account {
        let bytes = self.subject.precision.activations;
        self.case
            .input(Symbol::ActivationBytes, Number::ActivationBytes, bytes)
    }

    fn routed_share(&self, moe: &Moe, symbol: Symbol, equation: Equation) -> Account {
        let spec = self.subject.plan.spec();
        let parts = vec![
            self.case
                .model_fact(Symbol::ExpertsPerToken, f64::from(moe.experts_per_token)),
            self.case.ways(Symbol::Ep, Number::Ep, spec.ep),
        ];
        Account::folded(Term::Plain(symbol), How::Equation(equation), parts)
    }
}

/// Returns 1 ÷ a link's bandwidth, as factors.
pub fn link(case: &Case<'_>, link: NetworkLink) -> Factors {
    let (symbol, number) = match link {
        NetworkLink::ScaleUp => (Symbol::ScaleUp, Number::ScaleUp),
        NetworkLink::ScaleOut => (Symbol::ScaleOut, Number::ScaleOut),
    };
    Factors {
        above: Vec::new(),
        below: vec![case.input(symbol, number, case.scenario.cluster.bandwidth(link).get())],
    }
}

/// Returns the calibration terms that apply to a collective over a link.
pub fn message_terms(case: &Case<'_>, collective: Collective, link: NetworkLink) -> MessageTerms {
    if !case.by_kernel() {
        return MessageTerms {
            start: Vec::new(),
            share: Vec::new(),
            measured: Measured::Plain,
        };
    }
    let across = link == NetworkLink::ScaleOut;
    let (start, share): (Vec<_>, Vec<_>) = if across {
        (vec![&kernels::ACROSS_START], vec![&kernels::ACROSS])
    } else {
        match collective {
            Collective::ExpertAllToAll | Collective::HelixExchange => (
                vec![
                    &by_operator::ALL_TO_ALL_START,
                    &kernels::ALL_TO_ALL_START,
                    &kernels::ACROSS_START,
                ],
                vec![
                    &by_operator::ALL_TO_ALL,
                    &kernels::ALL_TO_ALL,
                    &crate::calibration::prefill::ALL_TO_ALL,
                ],
            ),
            Collective::ExpertAllGather | Collective::SelectionExchange => (
                vec![&by_operator::ALL_GATHER_START, &kernels::ALL_REDUCE_START],
                vec![&kernels::ALL_GATHER],
            ),
            _ => (
                vec![
                    &by_operator::OWN_START,
                    &by_operator::BULK_START,
                    &kernels::ALL_REDUCE_START,
                ],
                vec![&by_operator::OWN, &by_operator::BULK, &kernels::ALL_REDUCE],
            ),
        }
    };
    // Under `kernels-2026`, the terms of that calibration's own tables come first.
    let ordered = |mut terms: Vec<&'static CalibrationTerm>| {
        if case.scenario.calibration.operators.is_none() {
            terms.reverse();
        }
        terms
    };
    MessageTerms {
        start: ordered(start),
        share: ordered(share),
        measured: if across {
            Measured::Across
        } else {
            Measured::Inside
        },
    }
}

/// Calibration terms that apply to a collective over its link.
pub struct MessageTerms {
    /// Candidate latency terms of a collective, in lookup order.
    pub start: Vec<&'static CalibrationTerm>,
    /// Candidate bandwidth-efficiency terms of a collective, in lookup order.
    pub share: Vec<&'static CalibrationTerm>,
    /// Measurements that the collective's terms are fitted to.
    pub measured: Measured,
}
