//! Schedules: compute the step time by summing the times of its parts and overlapping some of them.

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

/// GPU time of one step over all layers, by part.
///
/// The step time is attention + dense + experts + head + overhead + communication − overlapped time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Breakdown {
    /// Time of attention, including its projections.
    pub attention: Seconds,
    /// Time of dense FFN layers.
    pub dense: Seconds,
    /// Time of the router, routed experts and shared experts.
    pub experts: Seconds,
    /// Time of the output head.
    pub head: Seconds,
    /// Communication time of all collectives.
    pub messages: Seconds,
    /// Time of framework, engine and CPU overhead. Kernel launch latencies are included in the times above.
    pub overhead: Seconds,
    /// CPU overhead, once per step; it is included in `overhead`.
    pub host: Seconds,
    /// Overlapped time: the sum of all parts minus the step time.
    pub hidden: Seconds,
}

impl Breakdown {
    /// Returns the time of attention, FFNs and output head: compute, memory access and kernel launches. Framework,
    /// engine and CPU overhead are not included.
    pub fn compute(&self) -> Seconds {
        self.attention + self.dense + self.experts + self.head
    }

    /// Returns the step time.
    pub fn step(&self) -> Seconds {
        self.compute() + self.overhead + self.messages - self.hidden
    }

    /// Returns the time of one part of the model: compute, memory access and kernel launches.
    pub const fn of(&self, role: OperatorRole) -> Seconds {
        match role {
            OperatorRole::Attention => self.attention,
            OperatorRole::Dense => self.dense,
            OperatorRole::Experts => self.experts,
            OperatorRole::Head => self.head,
        }
    }
}

/// Times of one pass over all layers, without overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassTimes {
    /// Compute, memory and launch time by operator role, in the order of [`OperatorRole::ALL`].
    pub roles: [Seconds; 4],
    /// Communication time of the pass.
    pub messages: Seconds,
    /// Framework overhead o_L·L of all layers, half of it for mixers and half for FFNs. Includes the additional
    /// engine overhead of each half-layer.
    pub overhead: Seconds,
    /// Time of the pass that HOP-B would overlap, over all layers.
    pub covered: Seconds,
}

/// One part of the model: its operators and collectives in one layer, and the number of layers that have this part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Identifies the part: a mixer, an FFN or the output head.
    pub place: Place,
    /// Role of the operators: attention, dense FFN, experts or output head.
    pub role: OperatorRole,
    /// Number of layers that have this part.
    pub layers: u32,
    /// Operators of this part of the model in one layer.
    pub operators: Operators,
    /// Collectives of this part of the model in one layer.
    pub messages: Messages,
}

/// Calls `each` with every part of a pass: mixers, FFNs and the output head. Communication takes `slowed` times as
/// long as without overlap.
pub fn for_each_block(
    scenario: &Scenario,
    subject: &Subject<'_>,
    load: &Load,
    slowed: f64,
    each: impl FnMut(&Block),
) {
    for_blocks_of(scenario, subject, load, slowed, |_| true, each);
}

/// Calls `each` with every part of a pass if `wanted` returns true for its operator role. Other parts are not computed.
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
    /// Returns the times of `passes` identical passes in sequence, without overlap.
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

/// Returns the times of a step, which consists of equal passes.
///
/// Sequential schedule: all times add up ([A] eq 48). Two-batch overlap: 2·max(compute, communication) of half a
/// batch ([A] eq 49). HOP-B: within each layer, the attention kernel and Helix's exchange overlap request by request
/// ([H] 2.1.3).
///
/// Framework overhead occupies the GPU as compute does; CPU overhead is never overlapped.
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

/// Returns the factor by which communication time is multiplied: κ under two-batch overlap, else 1. HOP-B does not
/// slow communication.
pub const fn slowing(scenario: &Scenario) -> f64 {
    match scenario.plan.spec().overlap {
        Overlap::TwoBatch => scenario.calibration.contention,
        Overlap::Sequential | Overlap::HopB => 1.0,
    }
}

/// Returns the times of one pass over all layers, by part.
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

/// Returns the time of one part's operators in one layer. The calibration determines whether the roofline is taken
/// per operator or per block.
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

/// Returns the time of a block under one roofline: the longer of its total compute and its total memory traffic, plus
/// launch latencies.
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

/// Returns the time of a block's memory traffic, if all its operators share one roofline.
///
/// The traffic consists of weights, KV cache and state, plus activations at the block's boundary. For attention,
/// these activations are 2 t d one-byte elements, for t tokens and model dimension d. For experts, they are the
/// dispatched and combined tokens. Dense layers and the output head have none.
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

/// Returns the time that HOP-B saves in one layer with this part. It is the time of the attention core and the
/// exchange in sequence, minus their overlapped time. Zero if the part has no exchange.
///
/// For b requests, let c = core/b and q = exchange/b. The overlapped time is core + q if attention is longer (c ≥ q),
/// else c + exchange. [H] Figure 3 prints 17 units for 8 requests with c = 2 and q = 1.2; these values give 17.2.
pub fn covered_by_hop_b(scenario: &Scenario, rates: &Rates, block: &Block, load: &Load) -> Seconds {
    let mut sent = block.messages.as_slice().iter();
    let exchange = sent.find(|message| message.collective == Collective::HelixExchange);
    let Some(exchange) = exchange.map(|message| message.time) else {
        return Seconds::ZERO;
    };
    let core = core_time(scenario, rates, block, load);
    core + exchange - hop_b(core, exchange, load.sequences)
}

/// Returns the attention core's time in one layer: the block's time minus the time that the block would take without
/// the core.
///
/// If the roofline is taken per block, this differs from the time of the core alone when the other operators are
/// compute-bound.
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

/// Returns the time of the attention kernel and Helix's exchange, which overlap request by request. `requests` is the
/// number of requests (at least one).
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
