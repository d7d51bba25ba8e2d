//! Engine overhead around the kernels of half a layer (a mixer or an FFN).

use crate::cost::formats::ProductFormats;
use crate::ops::OperatorRole;
use crate::scenario::Scenario;
use crate::units::{Bytes, Seconds};

/// Returns the engine overhead of half a layer, without the half of o_L (framework overhead per layer) that is
/// counted elsewhere. The pass has T = `tokens` tokens per attention group of g GPUs. Formula: o_q·q +
/// o_x·\[experts\] + T·d·(a_h + a_h'/g + q·a_q (1 + 1/g))·ε/W_m. Here q = 1 if the GEMMs run in FP8 or FP4, else 0.
/// Zero for the output head, and under a calibration whose o_L already covers this overhead.
///
/// Source: this project's measurements of an engine. The division by g is derived, not measured.
pub fn of_half(scenario: &Scenario, role: OperatorRole, tokens: f64) -> Seconds {
    let [starts, moving] = parts_of_half(scenario, role, tokens);
    starts + moving
}

/// Returns the two parts of the engine overhead of [`of_half`]: fixed time, and memory-traffic time.
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

/// Returns the engine overhead beyond o_L (framework overhead per layer), summed over all layers.
pub fn of_layers(scenario: &Scenario, tokens: f64) -> Seconds {
    if scenario.calibration.engine.is_none() {
        return Seconds::ZERO;
    }
    let role = |role: OperatorRole| {
        of_half(scenario, role, tokens) * f64::from(role.layers(&scenario.arch))
    };
    role(OperatorRole::Attention) + role(OperatorRole::Dense) + role(OperatorRole::Experts)
}
