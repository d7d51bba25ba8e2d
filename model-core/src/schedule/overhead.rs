//! Overhead of an engine around the kernels of half a layer.

use crate::cost::formats::ProductFormats;
use crate::ops::OperatorRole;
use crate::scenario::Scenario;
use crate::units::{Bytes, Seconds};

/// Overhead of half a layer beyond its half of o_L, in a pass over `tokens` of an attention group of g GPUs:
/// o_q·q + o_x·\[experts\] + T·d·(a_h + a_h'/g + q·a_q (1 + 1/g))·ε/W_m, q = 1 if its products run in FP8 or FP4.
/// Zero under a calibration whose o_L covers it, and for the head.
///
/// Source: this project's measurements of an engine. The Lamina deployment over g is derived.
pub fn of_half(scenario: &Scenario, role: OperatorRole, tokens: f64) -> Seconds {
    let [starts, moving] = parts_of_half(scenario, role, tokens);
    starts + moving
}

/// The two parts of [`of_half`]: fixed times, and memory traffic.
pub fn parts_of_half(scenario: &Scenario, role: OperatorRole, tokens: f64) -> [Seconds; 2] {
    let Scenario {
        arch,
        cluster,
        precision,
        plan,
        calibration,
        ..
    } = scenario;
    let mut time = Seconds::ZERO;
    let (Some(engine), false) = (&calibration.engine, role == OperatorRole::Head) else {
        return [time; 2];
    };
    let formats = ProductFormats::of(cluster, precision, calibration);
    let quantized = formats.is_some_and(|formats| formats.quantizes(role));
    if quantized {
        time += engine.quantized;
    }
    if role == OperatorRole::Experts {
        time += engine.experts;
    }
    let each = f64::from(arch.hidden) * engine.bytes(quantized, f64::from(plan.group()));
    let moving = Bytes::new(tokens * each) / cluster.hbm * engine.memory;
    [time, moving]
}

/// The same over all layers.
pub fn of_layers(scenario: &Scenario, tokens: f64) -> Seconds {
    if scenario.calibration.engine.is_none() {
        return Seconds::ZERO;
    }
    let role = |role: OperatorRole| {
        of_half(scenario, role, tokens) * f64::from(role.layers(&scenario.arch))
    };
    role(OperatorRole::Attention) + role(OperatorRole::Dense) + role(OperatorRole::Experts)
}
