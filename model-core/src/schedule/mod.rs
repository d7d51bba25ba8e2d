//! Which times of a step add up and which hide behind each other.

pub mod timeline;

use crate::arch::Arch;
use crate::cost::calibration::{Calibration, Fold};
use crate::cost::collective::{Collective, Messages};
use crate::cost::roofline::Rates;
use crate::ops::{Load, Operators, Role};
use crate::plan::{Overlap, Plan};
use crate::units::{Bytes, Seconds};

/// GPU time by part over one step, all layers.
///
/// attention + dense + experts + head + overhead + messages − hidden is the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Breakdown {
    /// Attention with its projections.
    pub attention: Seconds,
    /// Dense feed-forward layers.
    pub dense: Seconds,
    /// Router, routed and shared experts.
    pub experts: Seconds,
    /// Output head.
    pub head: Seconds,
    /// Every collective.
    pub messages: Seconds,
    /// Launches and serving around the kernels, and host time.
    pub overhead: Seconds,
    /// The part of the above that another part covers.
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
    pub const fn of(&self, role: Role) -> Seconds {
        match role {
            Role::Attention => self.attention,
            Role::Dense => self.dense,
            Role::Experts => self.experts,
            Role::Head => self.head,
        }
    }
}

/// Times of one pass without any overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassTimes {
    /// Time by part of the model, in the order of [`Role::ALL`].
    pub roles: [Seconds; 4],
    /// Time of every collective.
    pub messages: Seconds,
    /// Serving overhead of all layers, o_L·L.
    pub overhead: Seconds,
}

impl PassTimes {
    /// `passes` such passes with nothing hidden.
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
            hidden: Seconds::ZERO,
        }
    }
}

/// A step of `passes` equal passes.
///
/// Sequential: everything adds up ([A] eq 48). Two-batch: 2·max(compute, messages) of half a batch
/// ([A] eq 49). HOP-B: within each layer, attention's core and Helix's exchange overlap request by
/// request ([H] 2.1.3).
///
/// Serving overhead occupies the GPU like compute; host time is hidden by nothing.
pub fn step(
    arch: &Arch,
    plan: &Plan,
    calibration: &Calibration,
    rates: &Rates,
    operators: &Operators,
    messages: &Messages,
    load: &Load,
) -> Breakdown {
    let pass = pass(arch, calibration, rates, operators, messages, load);
    let sequential = pass.in_sequence(plan.passes());
    let hidden = match plan.spec().overlap {
        Overlap::Sequential => Seconds::ZERO,
        Overlap::TwoBatch => (sequential.compute() + sequential.overhead).min(sequential.messages),
        Overlap::HopB => hidden_by_hop_b(rates, operators, messages, load) * f64::from(arch.layers),
    };
    Breakdown {
        overhead: sequential.overhead + calibration.host,
        hidden,
        ..sequential
    }
}

/// Times of one pass by part, all layers.
pub fn pass(
    arch: &Arch,
    calibration: &Calibration,
    rates: &Rates,
    operators: &Operators,
    messages: &Messages,
    load: &Load,
) -> PassTimes {
    PassTimes {
        roles: compute(arch, calibration.fold, rates, operators, load),
        messages: messages.time(),
        overhead: calibration.layer_overhead * f64::from(arch.layers),
    }
}

/// Time of the operators of one pass by part, all layers.
pub fn compute(
    arch: &Arch,
    fold: Fold,
    rates: &Rates,
    operators: &Operators,
    load: &Load,
) -> [Seconds; 4] {
    let layer = match fold {
        Fold::Operator => operator_fold(rates, operators),
        Fold::Block => block_fold(arch, rates, operators, load),
    };
    let mut roles = [Seconds::ZERO; 4];
    for ((total, time), role) in roles.iter_mut().zip(layer).zip(Role::ALL) {
        *total = time * f64::from(role.layers(arch));
    }
    roles
}

/// Each operator as slow as its own roof, one after the other. Source: [B].
fn operator_fold(rates: &Rates, operators: &Operators) -> [Seconds; 4] {
    let mut layer = [Seconds::ZERO; 4];
    for operator in operators.as_slice() {
        layer[operator.kind.role() as usize] += rates.time(operator);
    }
    layer
}

/// Each block as slow as all its arithmetic or all its memory traffic.
///
/// A block's traffic is weights, KV and its boundary: 2 t d elements of one byte for attention,
/// dispatched and combined tokens for experts, none for dense layers and the head.
///
/// Source: [A] eqs 46–47 and 3.1.
fn block_fold(arch: &Arch, rates: &Rates, operators: &Operators, load: &Load) -> [Seconds; 4] {
    let mut compute = [Seconds::ZERO; 4];
    let mut bytes = [Bytes::ZERO; 4];
    let mut overhead = [Seconds::ZERO; 4];
    for operator in operators.as_slice() {
        let role = operator.kind.role();
        compute[role as usize] += rates.compute(operator);
        bytes[role as usize] += operator.weights + operator.kv;
        overhead[role as usize] += rates.start(operator.kind);
        if role == Role::Experts {
            bytes[role as usize] += operator.activations;
        }
    }
    bytes[Role::Attention as usize] += Bytes::new(2.0 * load.group_tokens * f64::from(arch.hidden));
    let mut layer = [Seconds::ZERO; 4];
    for (index, time) in layer.iter_mut().enumerate() {
        *time = compute[index].max(rates.moving(bytes[index])) + overhead[index];
    }
    layer
}

/// What HOP-B saves per layer: the core and the exchange in sequence, less their overlap.
///
/// With c = core/b and q = exchange/b of b requests, the overlap takes core + q where attention is
/// the longer (c ≥ q), else c + exchange. [H] Figure 3 prints 17 units for 8 requests of 2 and 1.2;
/// its own numbers give 17.2.
fn hidden_by_hop_b(
    rates: &Rates,
    operators: &Operators,
    messages: &Messages,
    load: &Load,
) -> Seconds {
    let core: Seconds = operators
        .as_slice()
        .iter()
        .filter(|operator| operator.kind.is_attention_core())
        .map(|operator| rates.time(operator))
        .sum();
    let exchange: Seconds = messages
        .as_slice()
        .iter()
        .filter(|message| message.collective == Collective::HelixExchange)
        .map(|message| message.time)
        .sum();
    core + exchange - hop_b(core, exchange, load.sequences)
}

/// Time of attention's core and the exchange, overlapped over `requests` (at least one).
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
    fn hop_b_overlaps_eight_requests_as_helix_draws_them() {
        let time = hop_b(Seconds::new(16.0), Seconds::new(9.6), 8.0);
        assert!((time.get() - 17.2).abs() < 1e-12);
    }
}
