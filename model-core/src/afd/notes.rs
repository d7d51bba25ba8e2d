//! Notes on an AFD or Lamina result: ignored permalink keys, and interpretations of the papers.

use super::bundle::Bundle;
use crate::apart::LatencySource;
use crate::inputs::{Inputs, Number};

const SHARDING: [Number; 6] = [
    Number::Dp,
    Number::Tp,
    Number::Kvp,
    Number::Ep,
    Number::FfnTp,
    Number::Pp,
];

/// Returns the notes on an AFD result, in closed form or simulated.
pub fn of_ratio(inputs: &Inputs, bundle: &Bundle) -> Vec<String> {
    let mut notes = Vec::new();
    if inputs.latencies == LatencySource::Table2 {
        notes.push(
            "latencies=table2: the values of [R] Table 2 are in cycles of an undisclosed clock and taken as µs; \
                this affects times and rates, not ratios or idle shares".into(),
        );
    }
    if bundle.derived.is_none() {
        notes.push(
            "latencies are entered, so their GPU is unknown: per-GPU rates, topology GPUs and the colocated plan \
                are null; memory and GPUs per rank are the scenario's".into(),
        );
    }
    if inputs.stated(Number::Pp).is_some() {
        notes.push("pp applies only to the colocated plan; AFD ranks hold all layers".into());
    }
    let real = |number| inputs.get(number).unwrap_or(0.0);
    let from_context = inputs.lengths.trace().is_none()
        && inputs.latencies == LatencySource::Derived
        && inputs.stated(Number::MeanPrompt).is_none();
    if from_context && real(Number::Context) < real(Number::MeanOutput) {
        notes.push(
            "prompt = context − output would be below 0 and is set to 0: sequences then hold more tokens than context"
                .into(),
        );
    }
    notes
}

/// Returns the notes on a Lamina result.
pub fn of_split(inputs: &Inputs) -> Vec<String> {
    let mut notes = Vec::new();
    let ignored: Vec<_> = SHARDING
        .iter()
        .filter(|number| inputs.stated(**number).is_some())
        .map(|number| number.spec().key)
        .collect();
    if !ignored.is_empty() {
        notes.push(format!(
            "{} ignored with mode=split: both sides and the homogeneous cluster use separate plans",
            ignored.join(", ")
        ));
    }
    let stated = |own: Number| inputs.stated(own).is_some();
    let compute =
        stated(Number::ComputePrice) || (stated(Number::Price) && inputs.compute_gpu.is_none());
    let known =
        inputs.get(Number::ComputePrice).is_some() && inputs.get(Number::MemoryPrice).is_some();
    if compute != stated(Number::MemoryPrice) && known {
        let (one, other) = if compute {
            ("compute", "memory")
        } else {
            ("memory", "compute")
        };
        notes.push(format!(
            "you set the {one} price, but the {other} price is a sourced default: the costs are comparable only if \
                both prices are of the same type"
        ));
    }
    notes
}
