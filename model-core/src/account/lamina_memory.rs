//! Derivation trees of Lamina memory: one device of either side, and the largest batch that fits.

use super::case::Case;
use super::equation::Equation;
use super::lamina::Deployment;
use super::memory::ROUNDINGS;
use super::symbol::Symbol;
use super::tree::{Account, How, Term};
use super::{cache, memory};
use crate::arch::Mixer;
use crate::inputs::Number;
use crate::lamina::SplitSide;
use crate::ops::LatentForm;

impl Deployment<'_> {
    pub(super) fn memory(&self, side: SplitSide) -> Option<Account> {
        let value = self.split.memory[side as usize].total();
        let symbol = match side {
            SplitSide::Compute => Symbol::ComputeMemory,
            SplitSide::Memory => Symbol::DeviceMemory,
        };
        self.with_case(side, |case| {
            let mut parts = weights(case, side);
            parts.extend(self.growing(case, side));
            Some(Account::of(
                Term::Plain(symbol),
                value.get(),
                How::Sum,
                parts,
            ))
        })
    }

    /// Derives the device memory that grows with the batch. Both sides need the largest activation of one
    /// micro-batch; the memory side also stores the KV cache of all micro-batches.
    fn growing(&self, case: &Case<'_>, side: SplitSide) -> Vec<Account> {
        let scenario = case.scenario;
        let dp = || case.ways(Symbol::Dp, Number::Dp, scenario.plan.spec().dp);
        let group = Term::Plain(Symbol::GroupSequences);
        let mut parts = Vec::new();
        if side == SplitSide::Memory {
            let sequences = Account::quotient(group, vec![self.batch(case)], vec![dp()]);
            parts.push(cache::of_group(case, sequences));
        }
        let mut mixers = scenario.arch.mixers().iter();
        let latent = mixers.any(|part| matches!(part.shape, Mixer::Latent(_)));
        let plain = scenario.kernel.latent == LatentForm::Plain;
        let term = Term::Plain(Symbol::Activations);
        if side == SplitSide::Memory && latent && plain {
            let each = self.micro_batch(case).over(dp()).node(group);
            let all = vec![each, memory::activations(case)];
            parts.push(Account::folded(term, How::Product, all));
            return parts;
        }
        let pass = self.pass(case);
        let own = |of: &crate::ops::Operator| of.kind.needs_cache() == (side == SplitSide::Memory);
        let nodes = memory::largest(&pass, |_, operator| own(operator));
        if !nodes.is_empty() {
            parts.push(Account::folded(term, How::LargerOf, nodes));
        }
        parts
    }

    /// Derives the largest whole batch that fits on both Lamina sides; `None` if not even one sequence fits.
    pub(super) fn capacity(&self) -> Option<Account> {
        let value = self.split.capacity;
        let one = Deployment {
            setup: &self.setup.with_batch(1.0),
            one: true,
            ..*self
        };
        let sides = [SplitSide::Compute, SplitSide::Memory];
        let found = ROUNDINGS.into_iter().find_map(|rounding| {
            let sides = sides.map(|side| one.fitting(side, rounding));
            let parts = sides.into_iter().collect::<Option<Vec<Account>>>()?;
            let node = Account::folded(Term::Plain(Symbol::BothSides), How::SmallerOf, parts);
            ((node.value - value).abs() < 0.5).then_some(node)
        });
        found.filter(|_| value > 0.0)
    }

    /// Derives how many whole sequences fit on one side: ⌊available memory ÷ bytes per sequence⌋. The available
    /// memory is first changed by the relative amount `rounding`.
    fn fitting(&self, side: SplitSide, rounding: f64) -> Option<Account> {
        self.with_case(side, |case| {
            let mut taken = vec![memory::usable(case)];
            taken.extend(weights(case, side));
            let room = Account::folded(Term::Plain(Symbol::Room), How::Difference, taken);
            let room = room.clone().shown_as(room.value * (1.0 + rounding));
            let growing = self.growing(case, side);
            let each = Account::folded(Term::Plain(Symbol::SequenceBytes), How::Sum, growing);
            let how = How::Equation(Equation::Fit);
            Some(Account::folded(
                Term::Plain(Symbol::SideBatch),
                how,
                vec![room, each],
            ))
        })
    }

    /// Derives the batch that Lamina serves: the number of sequences that fit, or fewer if limited by the SLO or the
    /// user's batch. Returns `None` if the requested batch does not fit.
    pub(super) fn served(&self) -> Option<Account> {
        let batch = self.setup.batch();
        let capacity = self.capacity()?;
        let mut parts = Vec::new();
        if batch < capacity.value {
            let asked = self.inputs.get(Number::Batch);
            parts.push(self.leaves(|case| {
                Some(match asked == Some(batch) {
                    true => case.input(Symbol::Batch, Number::Batch, batch),
                    false => case.input(Symbol::SloBatch, Number::Slo, batch),
                })
            })?);
        }
        parts.push(capacity);
        let node = Account::folded(Term::Plain(Symbol::LaminaBatch), How::SmallerOf, parts);
        Some(node).filter(|node| (node.value - batch).abs() <= 0.0)
    }
}

fn weights(case: &Case<'_>, side: SplitSide) -> Vec<Account> {
    match side {
        SplitSide::Compute => memory::weights(case, memory::habits(case)),
        SplitSide::Memory => {
            let held = memory::held(case, |_, operator| operator.kind.needs_cache());
            held.into_iter().collect()
        }
    }
}
