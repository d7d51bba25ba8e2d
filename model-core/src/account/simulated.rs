//! Derivation tree of simulated AFD throughput: the closed-form throughput, with the closed-form time scaled to the
//! simulated time.

use super::afd::Unit;
use super::symbol::Symbol;
use super::tree::{Account, How, Term};
use crate::afd::decision::ShownUnit;
use crate::afd::own::AfdUnit;
use crate::afd::simulate::SimulationEnd;
use crate::inputs::Inputs;
use crate::source::Source;

/// Results of an AFD simulation that its derivation tree needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// Simulated tokens per second ÷ ranks, including tokens of unfinished requests.
    pub per_instance: f64,
    /// Attention time of the slowest rank ÷ mean attention time over ranks.
    pub straggling: f64,
}

impl Run {
    /// Extracts the results needed by a derivation tree from a finished simulation.
    pub const fn of(end: &SimulationEnd) -> Self {
        Self {
            per_instance: end.per_instance_generated,
            straggling: end.straggling,
        }
    }

    /// Returns tokens per second ÷ GPUs, for a unit with the GPUs of `unit`.
    pub fn per_gpu(&self, unit: &AfdUnit) -> f64 {
        let ranks = f64::from(unit.instances) + 1.0;
        self.per_instance * ranks / f64::from(unit.attention + unit.ffn)
    }
}

const SIMULATION: Source = Source::new("simulation of this unit", "[R] 5.2, eqs 21–23");

/// Builds the derivation tree of an xAyF unit's simulated throughput; `None` if the unit does not run on the
/// scenario’s GPUs.
pub fn simulated(stated: &Inputs, shown: &ShownUnit, run: &Run) -> Option<Account> {
    let inputs = stated.settled().decoding().with_anchored(None);
    let unit = Unit {
        inputs: &inputs,
        bundle: &shown.bundle,
        point: &shown.point,
    };
    unit.simulated(&shown.decision.as_ref()?.asked?, run)
}

impl Unit<'_> {
    /// Derives simulated throughput per GPU: the closed form, with TPOT multiplied by simulated ÷ closed-form time.
    /// That factor is the product of two parts: waiting for the slowest attention rank, and all other effects of the
    /// simulation.
    fn simulated(&self, unit: &AfdUnit, run: &Run) -> Option<Account> {
        let value = run.per_gpu(unit);
        let closed = self.per_gpu(true)?;
        let longer = closed.value / value;
        let factor = self.leaves(|case| {
            let measured = |symbol, value| case.constant(symbol, value, SIMULATION);
            let parts = vec![
                measured(Symbol::Straggling, run.straggling),
                measured(Symbol::RunRest, longer / run.straggling),
            ];
            Some(Account::folded(
                Term::Plain(Symbol::Variation),
                How::Product,
                parts,
            ))
        })?;
        let mut parts = closed.parts;
        parts.push(factor);
        let tree = Account::of(Term::Plain(Symbol::AfdSimulated), value, closed.how, parts);
        longer.is_finite().then_some(tree)
    }
}
