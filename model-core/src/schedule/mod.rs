//! Schedules: sums and overlaps of the times of a step.

pub mod drafter;
pub mod neighbors;
pub mod overhead;
pub mod prefill;

use crate::calibration::Fold;
use crate::cost::collective::{Collective, Messages};
use crate::cost::roofline::Rates;
use crate::ops::{Load, OperatorRole, Operators, Place, Subject};
use crate::plan::Overlap;
use crate::scenario::Scenario;
use crate::units::{Bytes, Seconds};

/// GPU time by part over one step, all layers.
///
/// attention + dense + experts + head + overhead + communication − overlapped is the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Breakdown {
    /// Attention with its projections.
    pub attention: Seconds,
    /// Dense FFN layers.
    pub dense: Seconds,
    /// Router, routed and shared experts.
    pub experts: Seconds,
    /// Output head.
    pub head: Seconds,
    /// Communication: every collective.
    pub messages: Seconds,
    /// Kernel launches, framework and CPU overhead.
    pub overhead: Seconds,
    /// The CPU's part of it, once a step.
    pub host: Seconds,
    /// The part of the above that is overlapped.
    pub hidden: Seconds,
}

impl Breakdown {
    /// Time the GPU computes or reads memory.
    pub fn compute(&self) -> Seconds {
        self.attention + self.dense + self.experts + self.head
    }

    /// One step.
    pub fn step(&self) -> Seconds {
        self.compute() + self.overhead + self.messages - self.hidden
    }

    /// Time of one part of the model.
    pub const fn of(&self, role: OperatorRole) -> Seconds {
        match role {
            OperatorRole::Attention => self.attention,
            OperatorRole::Dense => self.dense,
            OperatorRole::Experts => self.experts,
            OperatorRole::Head => self.head,
        }
    }
}

/// Times of one pass without any overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassTimes {
    /// Time by role, in the order of [`OperatorRole::ALL`].
    pub roles: [Seconds; 4],
    /// Communication.
    pub messages: Seconds,
    /// Framework overhead of all layers: o_L·L, half of it for each of mixer and FFN, and what an engine adds
    /// to each half.
    pub overhead: Seconds,
    /// Time that HOP-B would overlap.
    pub covered: Seconds,
}

/// One part of a layer: its operators, its communication, and the number of layers that have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// The part of the model.
    pub place: Place,
    /// Role of the operators.
    pub role: OperatorRole,
    /// Layers that have it.
    pub layers: u32,
    /// Operators of one layer.
    pub operators: Operators,
    /// Collectives of one layer.
    pub messages: Messages,
}

/// Calls `each` with every part of a pass: mixers, FFNs, the head. Communication takes `slowed` times as
/// long as alone.
pub fn for_each_block(
    scenario: &Scenario,
    subject: &Subject<'_>,
    load: &Load,
    slowed: f64,
    each: impl FnMut(&Block),
) {
    for_blocks_of(scenario, subject, load, slowed, |_| true, each);
}

/// Calls `each` with the parts of the `wanted` roles; no others are computed.
pub fn for_blocks_of(
    scenario: &Scenario,
    subject: &Subject<'_>,
    load: &Load,
    slowed: f64,
    wanted: impl Fn(OperatorRole) -> bool,
    mut each: impl FnMut(&Block),
) {
    let arch = &scenario.arch;
    let mut block = Block {
        place: Place::Head,
        role: OperatorRole::Head,
        layers: 0,
        operators: Operators::EMPTY,
        messages: Messages::EMPTY,
    };
    for place in Place::all(arch) {
        block.place = place;
        block.role = place.role(arch);
        if !wanted(block.role) {
            continue;
        }
        block.layers = place.layers(arch);
        subject.fill(&mut block.operators, place, load);
        block.messages.fill(scenario, subject, place, load);
        block.messages.slow(slowed);
        each(&block);
    }
}

impl PassTimes {
    /// `passes` passes with nothing overlapped.
    pub fn in_sequence(&self, passes: f64) -> Breakdown {
        let [attention, dense, experts, head] = self.roles.map(|time| time * passes);
        let messages = self.messages * passes;
        Breakdown {
            attention,
            dense,
            experts,
            head,
            messages,
            overhead: self.overhead * passes,
            host: Seconds::ZERO,
            hidden: Seconds::ZERO,
        }
    }
}

/// A step of equal passes.
///
/// Sequential: everything adds up ([A] eq 48). Two-batch: 2·max(compute, communication) of half a batch
/// ([A] eq 49). HOP-B: within each layer, the attention kernel and Helix's exchange overlap request by
/// request ([H] 2.1.3).
///
/// Framework overhead occupies the GPU like compute; CPU overhead is never overlapped.
pub fn step(scenario: &Scenario, rates: &Rates, load: &Load) -> Breakdown {
    let plan = &scenario.plan;
    let pass = pass(
        scenario,
        &scenario.subject(),
        rates,
        load,
        slowing(scenario),
    );
    let sequential = pass.in_sequence(plan.passes());
    let hidden = match plan.spec().overlap {
        Overlap::Sequential => Seconds::ZERO,
        Overlap::TwoBatch => (sequential.compute() + sequential.overhead).min(sequential.messages),
        Overlap::HopB => pass.covered,
    };
    let host = scenario
        .calibration
        .step_overhead(load.group_tokens * plan.passes());
    Breakdown {
        overhead: sequential.overhead + host,
        host,
        hidden,
        ..sequential
    }
}

/// Factor on communication: κ while it overlaps compute, else 1.
pub const fn slowing(scenario: &Scenario) -> f64 {
    match scenario.plan.spec().overlap {
        Overlap::TwoBatch => scenario.calibration.contention,
        Overlap::Sequential | Overlap::HopB => 1.0,
    }
}

/// Times of one pass by part, all layers.
pub fn pass(
    scenario: &Scenario,
    subject: &Subject<'_>,
    rates: &Rates,
    load: &Load,
    slowed: f64,
) -> PassTimes {
    let mut times = PassTimes {
        roles: [Seconds::ZERO; 4],
        messages: Seconds::ZERO,
        overhead: Seconds::ZERO,
        covered: Seconds::ZERO,
    };
    for_each_block(scenario, subject, load, slowed, |block| {
        let layers = f64::from(block.layers);
        let time = block_time(scenario, rates, block.role, &block.operators, load);
        times.roles[block.role as usize] += time * layers;
        for message in block.messages.as_slice() {
            times.messages += message.time * layers;
        }
        times.covered += covered_by_hop_b(scenario, rates, block, load) * layers;
    });
    times.overhead = scenario.calibration.layer_overhead * scenario.arch.whole_layers()
        + overhead::of_layers(scenario, load.group_tokens);
    if scenario.calibration.drafter && !load.prompt {
        drafter::for_each_block(scenario, subject, load, slowed, |draft| {
            let time = block_time(
                scenario,
                rates,
                draft.role,
                &draft.block.operators,
                &draft.load,
            );
            times.roles[draft.role as usize] += time * draft.passes;
            times.messages += draft.block.messages.each_layer() * draft.passes;
            times.overhead +=
                scenario.calibration.layer_overhead * (draft.halves / 2.0 * draft.passes);
            times.overhead += draft.engine_overhead(scenario);
            times.covered +=
                covered_by_hop_b(scenario, rates, &draft.block, &draft.load) * draft.passes;
        });
    }
    times
}

/// Time of the operators of one part in one layer, by the calibration's fold.
pub fn block_time(
    scenario: &Scenario,
    rates: &Rates,
    role: OperatorRole,
    operators: &Operators,
    load: &Load,
) -> Seconds {
    match scenario.calibration.fold {
        Fold::Operator => operators
            .as_slice()
            .iter()
            .map(|operator| rates.time(operator))
            .sum(),
        Fold::Block => block_fold(scenario.arch.hidden, rates, role, operators, load),
    }
}

/// Time of a block bound by all its compute or all its memory traffic.
fn block_fold(
    hidden: u32,
    rates: &Rates,
    role: OperatorRole,
    operators: &Operators,
    load: &Load,
) -> Seconds {
    let (mut compute, mut overhead) = (Seconds::ZERO, Seconds::ZERO);
    for operator in operators.as_slice() {
        compute += rates.compute(operator);
        overhead += rates.start(operator);
    }
    compute.max(block_moving(hidden, rates, role, operators, load)) + overhead
}

/// Time of a block's memory traffic, if its operators share one roof.
///
/// Its traffic is weights, KV and state, and its boundary: 2 t d elements of one byte for attention,
/// dispatched and combined tokens for experts, none for dense layers and the head.
///
/// Source: [A] eqs 46–47 and 3.1.
pub fn block_moving(
    hidden: u32,
    rates: &Rates,
    role: OperatorRole,
    operators: &Operators,
    load: &Load,
) -> Seconds {
    let mut bytes = Bytes::ZERO;
    for operator in operators.as_slice() {
        bytes += operator.weights + operator.kv;
        if role == OperatorRole::Experts {
            bytes += operator.activations;
        }
    }
    if role == OperatorRole::Attention {
        bytes += Bytes::new(2.0 * load.group_tokens * f64::from(hidden));
    }
    rates.moving(bytes)
}

/// Time that HOP-B saves in a layer with this part: core and exchange in sequence, less their overlap; zero without
/// an exchange.
///
/// With c = core/b and q = exchange/b of b requests, the overlap takes core + q where attention is
/// the longer (c ≥ q), else c + exchange. [H] Figure 3 prints 17 units for 8 requests of 2 and 1.2;
/// its own numbers give 17.2.
pub fn covered_by_hop_b(scenario: &Scenario, rates: &Rates, block: &Block, load: &Load) -> Seconds {
    let mut sent = block.messages.as_slice().iter();
    let exchange = sent.find(|message| message.collective == Collective::HelixExchange);
    let Some(exchange) = exchange.map(|message| message.time) else {
        return Seconds::ZERO;
    };
    let core = core_time(scenario, rates, block, load);
    core + exchange - hop_b(core, exchange, load.sequences)
}

/// Attention core time in one layer: the block's time minus its time without the core.
///
/// In the block fold this differs from the core's own time if the rest of the block is compute-bound.
pub fn core_time(scenario: &Scenario, rates: &Rates, block: &Block, load: &Load) -> Seconds {
    let time = |operators| block_time(scenario, rates, block.role, operators, load);
    match scenario.calibration.fold {
        Fold::Operator => block
            .operators
            .as_slice()
            .iter()
            .filter(|operator| operator.kind.is_attention_core())
            .map(|operator| rates.time(operator))
            .sum(),
        Fold::Block => {
            time(&block.operators) - time(&block.operators.only(|kind| !kind.is_attention_core()))
        }
    }
}

/// Time of the attention kernel and the exchange, overlapped over `requests` (at least one).
///
/// Source: [H] 2.1.3.
pub fn hop_b(core: Seconds, exchange: Seconds, requests: f64) -> Seconds {
    let requests = requests.max(1.0);
    if core >= exchange {
        core + exchange / requests
    } else {
        core / requests + exchange
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hop_b_of_helix_figure_3() {
        let time = hop_b(Seconds::new(16.0), Seconds::new(9.6), 8.0);
        assert!((time.get() - 17.2).abs() < 1e-12);
    }
}
