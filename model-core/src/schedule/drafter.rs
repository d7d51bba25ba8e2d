//! The drafter of speculative decoding: one layer, a head and a projection.

use super::{Block, overhead};
use crate::arch::LayerGroup;
use crate::cost::collective::Messages;
use crate::ops::{Kind, Load, OperatorRole, Operators, Place, Subject, drafter_projection};
use crate::scenario::Scenario;
use crate::units::Seconds;

/// A part of a drafter pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DraftBlock {
    /// Operators and collectives of the only layer.
    pub block: Block,
    /// Role of its operators.
    pub role: OperatorRole,
    /// Load of the pass.
    pub load: Load,
    /// Equal passes.
    pub passes: f64,
    /// Halves of a layer that it is: 1 for a mixer or an FFN, 0 for the head and the projection.
    pub halves: f64,
}

impl DraftBlock {
    /// Engine overhead beyond o_L, over every pass.
    pub fn engine_overhead(&self, scenario: &Scenario) -> Seconds {
        let each = overhead::of_half(scenario, self.role, self.load.group_tokens);
        each * (self.halves * self.passes)
    }
}

/// Calls `each` with every part of the drafter's passes: for δ drafted tokens one over all b(1+δ) tokens of the step,
/// whose last states the drafter needs, and δ − 1 over one token per sequence. Each is one layer of the last group
/// with mixer and FFN, its communication, the head, and a projection of two hidden states into one.
///
/// Source: DeepSeek-V3 technical report §2.2, SGLang's EAGLE worker. Assumes: the drafter's layer is as the model's
/// last. Not modeled: its time in prefill, its memory.
pub fn for_each_block(
    scenario: &Scenario,
    subject: &Subject<'_>,
    load: &Load,
    slowed: f64,
    mut each: impl FnMut(&DraftBlock),
) {
    let depth = scenario.workload.speculation.depth;
    let Some(group) = layer_of(scenario.arch.groups()).filter(|_| depth > 0) else {
        return;
    };
    pass(scenario, subject, group, (load, 1.0), slowed, &mut each);
    if depth > 1 {
        let one = load.one_token_each();
        let passes = f64::from(depth - 1);
        pass(scenario, subject, group, (&one, passes), slowed, &mut each);
    }
}

/// The last group that has a mixer and an FFN; the last, if none has.
fn layer_of(groups: &[LayerGroup]) -> Option<&LayerGroup> {
    let whole = |group: &&LayerGroup| group.mixer.is_some() && group.ffn.is_some();
    groups.iter().rev().find(whole).or(groups.last())
}

fn pass(
    scenario: &Scenario,
    subject: &Subject<'_>,
    group: &LayerGroup,
    (load, passes): (&Load, f64),
    slowed: f64,
    each: &mut impl FnMut(&DraftBlock),
) {
    let arch = &scenario.arch;
    let places = [
        group.mixer.map(|at| Place::Mixer(usize::from(at))),
        group.ffn.map(|at| Place::Ffn(usize::from(at))),
        Some(Place::Head),
    ];
    let mut draft = DraftBlock {
        block: Block {
            place: Place::Head,
            role: OperatorRole::Attention,
            layers: 1,
            operators: Operators::EMPTY,
            messages: Messages::EMPTY,
        },
        role: OperatorRole::Attention,
        load: *load,
        passes,
        halves: 0.0,
    };
    draft
        .block
        .operators
        .push(drafter_projection(Kind::InProj, subject, load));
    each(&draft);
    for place in places.into_iter().flatten() {
        draft.role = place.role(arch);
        draft.halves = if place == Place::Head { 0.0 } else { 1.0 };
        draft.block.place = place;
        draft.block.role = draft.role;
        subject.fill(&mut draft.block.operators, place, load);
        draft.block.messages.fill(scenario, subject, place, load);
        draft.block.messages.slow(slowed);
        each(&draft);
    }
}
