//! AFD as simulated: the closed form with the time that the simulation measures.

use super::afd::Unit;
use super::symbol::Symbol;
use super::tree::{Account, How, Term};
use crate::afd::decision::ShownUnit;
use crate::afd::own::AfdUnit;
use crate::afd::simulate::SimulationEnd;
use crate::inputs::Inputs;
use crate::source::Source;

/// Results of a simulation that its account needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// Tokens per second and rank, requests still running included.
    pub per_instance: f64,
    /// Time of the slowest over the mean attention rank.
    pub straggling: f64,
}

impl Run {
    /// The results of a simulation.
    pub const fn of(end: &SimulationEnd) -> Self {
        Self {
            per_instance: end.per_instance_generated,
            straggling: end.straggling,
        }
    }

    /// Tokens per second and GPU of a unit of these GPUs.
    pub fn per_gpu(&self, unit: &AfdUnit) -> f64 {
        let ranks = f64::from(unit.instances) + 1.0;
        self.per_instance * ranks / f64::from(unit.attention + unit.ffn)
    }
}

/// Source of simulated numbers.
const SIMULATION: Source = Source::new("simulation of this unit", "[R] 5.2, eqs 21–23");

/// The account of the throughput of a simulated unit; `None` if it is not of the scenario’s GPUs.
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
    /// Simulated tokens per second and GPU: the closed form, its TPOT times the simulated over the closed-form time. The
    /// barrier of the attention ranks is one part of that factor, everything else of the run the other.
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
