//! Derivation trees of the communication between AFD attention and FFN ranks.

use super::afd::Unit;
use super::case::{Case, Factors};
use super::messages::message_terms;
use super::operator::Pass;
use super::step::Weighted;
use super::symbol::Symbol;
use super::tpot::yielded;
use super::tree::{Account, How, Term};
use crate::cost::collective::Collective;
use crate::inputs::Number;
use crate::ops::{OperatorRole, ffn};
use crate::units::Seconds;

impl Unit<'_> {
    /// Derives the round-trip time between attention and FFN ranks: the time at the attention end or at the FFN end,
    /// whichever is longer. Source: [R] eqs 4 and 34–38.
    pub(super) fn communication(&self) -> Option<Account> {
        let bundle = self.bundle;
        let near = self.point.ratio <= bundle.ratio_within_domain(bundle.ffn_instances);
        let rows = self.point.ratio * bundle.slots;
        let exchange = bundle.exchange(self.point.ratio, bundle.ffn_instances);
        let links = exchange.ffn.at(rows);
        self.with_case(&bundle.halves.ffn, rows, |case| {
            let stated = [Number::MessageSlopeMicros, Number::MessageInterceptMicros]
                .map(|number| self.inputs.get(number).is_some());
            // With latencies that the user entered, there is no separate line for the network inside a domain.
            let near = near && bundle.latencies.domain.is_some();
            let own = self.end(case, near, stated, true)?;
            let mut parts = vec![own];
            if links > Seconds::ZERO {
                parts.push(self.end(case, near, [false; 2], false)?);
            }
            let term = Term::Plain(Symbol::RankExchange);
            let value = self.point.messages.get();
            Some(Account::of(term, value, How::LargerOf, parts))
        })
    }

    /// Derives the communication time of one end: an attention rank with its micro-batch, or the FFN rank with the
    /// sequences of all attention ranks.
    fn end(
        &self,
        case: &Case<'_>,
        near: bool,
        stated: [bool; 2],
        attention: bool,
    ) -> Option<Account> {
        let lines = &self.bundle.latencies;
        let halves = &self.bundle.halves;
        let line = match near {
            true => &lines.near,
            false => &lines.far,
        };
        let (link, cost) = halves.network(near);
        let terms = message_terms(case, Collective::ExpertAllToAll, link);
        let measured = terms.measured;
        let slots = self.slots(case);
        let transfer = Term::Plain(Symbol::Transfer);
        let moved = if stated[0] {
            let slope = lines.far.attention.slope.get();
            let slope = case.input(Symbol::ExchangeSlope, Number::MessageSlopeMicros, slope);
            Account::folded(transfer, How::Product, vec![slope, slots])
        } else {
            let mut sent = Factors::one(self.row_bytes(case, attention)?).times(slots);
            if !attention {
                sent = sent.times(self.ratio(case));
            }
            let carried = case.scenario.workload.speculation.carried();
            if carried > 1.0 {
                sent = sent.times(case.input(Symbol::Carried, Number::SpeculationDepth, carried));
            }
            if let Some(tokens) = yielded(case) {
                sent = sent.over(tokens);
            }
            let key = Number::NetworkFactor;
            let rate = case.inefficiency(&terms.share, key, cost.factor, measured);
            let sent = sent.and(rate).and(super::messages::link(case, link));
            if attention {
                let spec = *halves.attention.plan.spec();
                let tp = case.ways(Symbol::Tp, Number::Tp, spec.tp);
                let kvp = case.ways(Symbol::Kvp, Number::Kvp, spec.kvp);
                sent.over(tp).over(kvp).node(transfer)
            } else {
                sent.node(transfer)
            }
        };
        let mut parts = vec![moved];
        let latency = line.attention.intercept;
        if stated[1] {
            let key = Number::MessageInterceptMicros;
            parts.push(case.input(Symbol::ExchangeIntercept, key, latency.get()));
        } else if latency > Seconds::ZERO {
            let arch = &case.scenario.arch;
            let layers = f64::from(arch.dense_layers() + arch.expert_layers());
            let scale = (Number::LatencyScale, Symbol::LatencyScale);
            let key = Some(Number::LatencyMicros);
            let start = cost.start.get();
            let mut all = case
                .fixed(Symbol::FixedTime, &terms.start, key, start, scale, measured)
                .times(case.definition(Symbol::BothWays, 2.0))
                .times(case.model_fact(Symbol::Layers, layers));
            if let Some(tokens) = yielded(case) {
                all = all.over(tokens);
            }
            parts.push(all.node(Term::Plain(Symbol::Latency)));
        }
        let symbol = match attention {
            true => Symbol::OwnLinks,
            false => Symbol::FfnLinks,
        };
        Some(Account::folded(Term::Plain(symbol), How::Sum, parts))
    }

    /// Derives the bytes that one sequence moves over all layers. An attention rank counts everything it sends and
    /// receives; the FFN rank counts only the share of its busiest GPU.
    fn row_bytes(&self, case: &Case<'_>, attention: bool) -> Option<Account> {
        let scenario = case.scenario;
        let (arch, plan) = (&scenario.arch, &scenario.plan);
        let spec = plan.spec();
        let term = Term::Plain(Symbol::RowBytes);
        let pass = Pass::of_decode(case, &case.evaluation.load, false);
        let mut all = Weighted::default();
        for part in arch.moes() {
            let width = f64::from(part.shape.working_width(arch.hidden));
            let copies = ffn::experts_per_token(&part.shape, plan);
            let copies = case.model_fact(Symbol::Copies, copies);
            let ep = case.ways(Symbol::Ep, Number::Ep, spec.ep);
            let routed = Factors::one(case.model_fact(Symbol::ExpertInput, width));
            let routed = routed.times(pass.boundary());
            let routed = match attention {
                true => {
                    let places = Term::Plain(Symbol::Destinations);
                    routed.times(Account::folded(places, How::SmallerOf, vec![copies, ep]))
                }
                false => {
                    let balance = case.input(Symbol::Balance, Number::Beta, plan.beta());
                    routed.times(copies).over(ep).over(balance)
                }
            };
            all.push(routed.node(term), f64::from(part.layers));
        }
        let dense = f64::from(OperatorRole::Dense.layers(arch));
        if dense > 0.0 {
            let bytes = scenario.precision.activations;
            let width = f64::from(arch.hidden);
            let mut whole = Factors::one(case.model_fact(Symbol::Hidden, width))
                .times(case.input(Symbol::ActivationBytes, Number::ActivationBytes, bytes))
                .times(case.definition(Symbol::BothWays, 2.0));
            if !attention {
                let gpus = plan.gpus();
                whole = whole.over(case.ways(Symbol::FfnGpus, Number::Ratio, gpus));
            }
            all.push(whole.node(term), dense);
        }
        all.folded(term)
    }
}
