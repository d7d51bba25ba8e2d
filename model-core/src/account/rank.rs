//! A pass of which one kind of device runs only some operators: a rank of AFD, a side of a Lamina deployment.

use super::operator::Pass;
use super::step::{Weighted, host};
use crate::cost::collective::{Collective, Message};
use crate::ops::{Kind, OperatorRole};
use crate::schedule::{Block, drafter, for_blocks_of};

/// Work of one kind of device in a pass.
pub struct Rank<'a> {
    /// The pass.
    pub pass: Pass<'a>,
    /// Roles that it runs.
    pub roles: &'static [OperatorRole],
    /// Operators that it runs.
    pub runs: fn(Kind) -> bool,
    /// Collectives that it takes part in.
    pub sends: fn(Collective) -> bool,
    /// True if it has framework overhead: half of a layer's for each of mixer and FFN.
    pub overhead: bool,
    /// True if it samples, with the CPU overhead of a step.
    pub samples: bool,
    /// True if it runs its share of the drafter.
    pub drafts: bool,
}

impl Rank<'_> {
    /// The parts of its time over all layers.
    pub fn parts(&self) -> Weighted {
        let pass = &self.pass;
        let scenario = pass.case.scenario;
        let mut all = Weighted::default();
        let mut blocks: Vec<Block> = Vec::new();
        let wanted = |role| self.roles.contains(&role);
        for_blocks_of(
            scenario,
            &pass.subject,
            &pass.loaded.load,
            1.0,
            wanted,
            |block| {
                blocks.push(*block);
            },
        );
        let mut halves = 0.0;
        for block in blocks {
            let weight = f64::from(block.layers);
            self.add(&mut all, pass, &block, block.role, weight);
            if self.overhead && block.role != OperatorRole::Head {
                halves += weight;
                if let Some(half) = pass.half(block.role) {
                    all.push(half, weight);
                }
            }
        }
        if self.drafts {
            halves += self.drafted(&mut all);
        }
        if let Some((layer, count)) = pass.layer().filter(|_| self.overhead) {
            all.push(layer, count * halves / 2.0);
        }
        if let Some(host) = self
            .samples
            .then(|| host(pass.case, &pass.loaded, 1.0))
            .flatten()
        {
            all.push(host, 1.0);
        }
        all
    }

    /// Adds operators and collectives of a part of a layer.
    fn add(&self, all: &mut Weighted, pass: &Pass<'_>, of: &Block, role: OperatorRole, by: f64) {
        let own = Block {
            operators: of.operators.only(self.runs),
            ..*of
        };
        if !own.operators.as_slice().is_empty() {
            for time in pass.block(&own, role) {
                all.push(time, by);
            }
        }
        let sends = |message: &&Message| (self.sends)(message.collective);
        let sent: Vec<Message> = of
            .messages
            .as_slice()
            .iter()
            .filter(sends)
            .copied()
            .collect();
        for sent in pass.collectives(of.place, &sent, 0) {
            all.push(sent, by);
        }
    }

    /// Adds the drafter; returns its halves of a layer.
    fn drafted(&self, all: &mut Weighted) -> f64 {
        let case = self.pass.case;
        let scenario = case.scenario;
        if !scenario.calibration.drafter {
            return 0.0;
        }
        let mut drafts = Vec::new();
        let load = &self.pass.loaded.load;
        drafter::for_each_block(scenario, &self.pass.subject, load, 1.0, |draft| {
            if self.roles.contains(&draft.role) {
                drafts.push(*draft);
            }
        });
        let mut halves = 0.0;
        for draft in drafts {
            let pass = self.pass.drafting(&draft.load);
            self.add(all, &pass, &draft.block, draft.role, draft.passes);
            if draft.halves > 0.0 {
                halves += draft.halves * draft.passes;
                if let Some(half) = pass.half(draft.role) {
                    all.push(half, draft.halves * draft.passes);
                }
            }
        }
        halves
    }
}
