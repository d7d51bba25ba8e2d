//! The drafter of speculative decoding, which consists of one layer, an output head and a projection.

use super::{Block, overhead};
use crate::arch::LayerGroup;
use crate::cost::collective::Messages;
use crate::ops::{Kind, Load, OperatorRole, Operators, Place, Subject, drafter_projection};
use crate::scenario::Scenario;
use crate::units::Seconds;

/// One part of a drafter pass: the projection, mixer, FFN or output head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DraftBlock {
    /// Operators and collectives of this part of the drafter, for its single layer.
    pub block: Block,
    /// Role of the operators in `block`, such as attention or output head.
    pub role: OperatorRole,
    /// Tokens and sequences that one drafter pass processes.
    pub load: Load,
    /// Number of identical drafter passes.
    pub passes: f64,
    /// Number of half-layers in this part of the drafter: 1 for a mixer or an FFN, 0 for the output head and the
    /// projection.
    pub halves: f64,
}

impl DraftBlock {
    /// Returns the engine overhead of this part of the drafter beyond o_L (framework overhead per layer), summed over
    /// all passes.
    pub fn engine_overhead(&self, scenario: &Scenario) -> Seconds {
        let each = overhead::of_half(scenario, self.role, self.load.group_tokens);
        each * (self.halves * self.passes)
    }
}

/// Calls `each` with every part of the drafter's passes. For δ draft tokens, the first pass covers all b(1+δ) tokens
/// of the step, since the drafter needs the last states of these tokens. The other δ − 1 passes each cover one token
/// per sequence. A pass runs one model layer: the mixer and FFN, with their communication, of the last layer group
/// that has both. It also runs the output head, and a projection of two states into one.
///
/// Source: DeepSeek-V3 technical report §2.2, SGLang's EAGLE worker. Assumes: the drafter's layer is like the model's
/// last layer. Not modeled: the drafter's prefill time and its memory.
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

/// Returns the last layer group that has both a mixer and an FFN; if there is none, the last group.
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
