//! The part of a pass that one type of device runs: an AFD rank, or one side of a Lamina deployment.

use super::operator::Pass;
use super::step::{Weighted, host};
use crate::cost::collective::{Collective, Message};
use crate::ops::{Kind, OperatorRole};
use crate::schedule::{Block, drafter, for_blocks_of};

/// Work of one type of device in a pass.
pub struct Rank<'a> {
    /// The pass whose work is divided among device types.
    pub pass: Pass<'a>,
    /// Roles of layers (attention, dense FFN, experts, output head) that the device runs.
    pub roles: &'static [OperatorRole],
    /// Predicate on an operator's kind: true if the device runs such operators.
    pub runs: fn(Kind) -> bool,
    /// Predicate on collectives: true if the device takes part in the collective.
    pub sends: fn(Collective) -> bool,
    /// True if the device has framework overhead. Half of a layer's overhead belongs to the mixer (attention), half
    /// to the FFN.
    pub overhead: bool,
    /// True if the device samples tokens, which adds the CPU overhead of a step.
    pub samples: bool,
    /// True if the device runs part of the drafter. Then drafter layers with one of the device's roles are included.
    pub drafts: bool,
}

impl Rank<'_> {
    /// Returns the parts of the device's time, summed over all layers.
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

    /// Adds to `all` the operators and collectives of one part of a layer, each with weight `by` (such as the number
    /// of layers).
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

    /// Adds the drafter's work on this device to `all`; returns the number of half layers (mixer or FFN) that this
    /// adds.
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
