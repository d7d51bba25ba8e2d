//! Derivation trees of the A:F ratio on the scenario’s GPUs, and of the best ratio for latencies that the user
//! entered.

use super::afd::{FFN, Unit};
use super::case::Case;
use super::equation::Equation;
use super::symbol::Symbol;
use super::tree::{Account, How, Term};
use crate::afd::own::AfdUnit;
use crate::inputs::Number;

impl Unit<'_> {
    /// Derives attention ranks per FFN rank: GPUs of all attention ranks ÷ GPUs per attention rank.
    pub(super) fn division(&self, division: &AfdUnit) -> Option<Account> {
        let value = f64::from(division.instances);
        self.leaves(|case| {
            let spec = *self.bundle.halves.attention.plan.spec();
            let gpus = division.attention + division.ffn;
            let parts = vec![
                case.ways(Symbol::Gpus, Number::Gpus, gpus),
                case.ways(Symbol::FfnGpus, Number::Ratio, division.ffn),
            ];
            let attention = Term::Plain(Symbol::AttentionGpus);
            let above = vec![Account::folded(attention, How::Difference, parts)];
            let below = vec![
                case.ways(Symbol::Tp, Number::Tp, spec.tp),
                case.ways(Symbol::Kvp, Number::Kvp, spec.kvp),
            ];
            let term = Term::Plain(Symbol::AfRatio);
            Some(Account::quotient(term, above, below).shown_as(value))
        })
    }

    /// Derives the best A:F ratio, r* = max(r_A, r_C, r_peak), or a single attention rank if no latency line bounds the
    /// unit. FFN time equals attention time at r_A, and communication time at r_C. Throughput peaks at r_peak. Source:
    /// [R] eqs 15–19.
    pub(super) fn best_ratio(&self) -> Option<Account> {
        if self.bundle.derived.is_some() {
            return None;
        }
        let best = self.bundle.answer().best.ratio;
        let line = self.bundle.latencies.ffn;
        let [attention, exchange] = [self.attention()?, self.communication()?];
        let term = Term::Plain(Symbol::BestRatio);
        self.leaves(|case| {
            let slope = || case.input(FFN.slope.0, FFN.slope.1, line.slope.get());
            let intercept = || case.input(FFN.intercept.0, FFN.intercept.1, line.intercept.get());
            let reached = |symbol, time: Account| {
                let parts = vec![time, intercept()];
                let above = Account::folded(Term::Plain(Symbol::RowTime), How::Difference, parts);
                let below = vec![slope(), self.slots(case)];
                Account::quotient(Term::Plain(symbol), vec![above], below)
            };
            let peak = Account::folded(
                Term::Plain(Symbol::PeakRatio),
                How::Equation(Equation::PeakRatio),
                vec![intercept(), slope(), self.slots(case)],
            );
            let parts = vec![
                reached(Symbol::AttentionRatio, attention),
                reached(Symbol::ExchangeRatio, exchange),
                peak,
            ];
            let bounded = Account::folded(term, How::LargerOf, parts);
            let candidates = [bounded, self.one_rank(case, term)];
            let near = |of: &Account| (of.value - best).abs() <= 1e-12 * best;
            Some(candidates.into_iter().find(near)?.shown_as(best))
        })
    }

    /// Returns the A:F ratio of a single attention rank, 1/y for y FFN ranks.
    fn one_rank(&self, case: &Case<'_>, term: Term) -> Account {
        let ranks = self.bundle.ffn_instances;
        let above = vec![case.definition(Symbol::One, 1.0)];
        let below = vec![case.ways(Symbol::FfnRanks, Number::FfnInstances, ranks)];
        Account::quotient(term, above, below)
    }
}
