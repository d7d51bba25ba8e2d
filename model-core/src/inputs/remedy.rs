//! Changes of an invalid plan to the nearest valid ones.

use super::{Inputs, Number};
use crate::order::sort_by;
use crate::refusal::{Half, Refusal};

const SHARDING: [Number; 6] = [
    Number::Ep,
    Number::FfnTp,
    Number::Dp,
    Number::Tp,
    Number::Kvp,
    Number::Pp,
];

impl Refusal {
    /// Returns the permalink key that caused the refusal. If several keys are possible causes, returns one that the
    /// user set, or `gpus` if none is set.
    pub fn key(&self, inputs: &Inputs) -> &'static str {
        let stated = |candidates: &[Number]| {
            candidates
                .iter()
                .find(|number| inputs.stated(**number).is_some())
                .map_or("gpus", |number| number.spec().key)
        };
        match self {
            Self::AttentionProduct { .. } => {
                stated(&[Number::Dp, Number::Tp, Number::Kvp, Number::Pp])
            }
            Self::FfnProduct { .. } => stated(&[Number::Ep, Number::FfnTp, Number::Pp]),
            Self::Stages { .. } => "pp",
            Self::Heads { .. } | Self::MixerHeads { .. } | Self::OutputGroups { .. } => "tp",
            Self::PlainWithIndex => "mla",
            Self::ExpertGroups { .. } | Self::NoExperts { .. } => "ep",
            Self::FfnGroup { .. } => "ffn_tp",
            Self::NoPeak {
                half: Half::Attention,
                ..
            } => "fmt_attn",
            Self::NoPeak {
                half: Half::Ffn, ..
            } => "fmt_ffn",
            Self::Lengths { number }
            | Self::RequestLength { number }
            | Self::AggregatedPlan { number, .. } => number.spec().key,
            Self::AcceptLength { .. } => "mtp",
            Self::LongSimulation { .. } => "requests",
            Self::EndlessSimulation { .. } => "output",
            Self::LargeSimulation { .. } => "r",
            Self::NotFinite => "v",
        }
    }
}

/// Returns up to `most` single changes that repair `inputs`, each with the number it changes. Changes of the key that
/// `refusal` names come first, then changes of the GPU count. Last come resets of the plan's set factors to their
/// defaults.
///
/// Every remedy was checked: its scenario is valid.
pub fn remedies(inputs: &Inputs, refusal: &Refusal, most: usize) -> Vec<(Number, Inputs)> {
    let cause = Number::find(refusal.key(inputs));
    let mut found: Vec<(Number, Inputs)> = Vec::new();
    for number in cause.into_iter().chain([Number::Gpus]) {
        for remedy in nearest(inputs, number) {
            if !found.contains(&remedy) {
                found.push(remedy);
            }
        }
    }
    for number in SHARDING {
        if Some(number) != cause && inputs.stated(number).is_some() {
            let repaired = inputs.without(number);
            if repaired.scenario().is_ok() && repaired.get(number).is_some() {
                found.push((number, repaired));
            }
        }
    }
    found.truncate(most);
    found
}

/// Returns the closest valid values below and above the current one, the nearer first.
fn nearest(inputs: &Inputs, number: Number) -> Vec<(Number, Inputs)> {
    let Some(present) = inputs.get(number) else {
        return Vec::new();
    };
    let spec = number.spec();
    let tries = |value: f64| {
        let candidate = inputs.with(number, value);
        let valid = number.allows(value) && candidate.scenario().is_ok();
        valid.then_some((value, candidate))
    };
    let reach = (spec.most - spec.least).min(1024.0) as u32;
    let below = (1..=reach).find_map(|step| tries(present - f64::from(step)));
    let above = (1..=reach).find_map(|step| tries(present + f64::from(step)));
    let mut both: Vec<(f64, Inputs)> = below.into_iter().chain(above).collect();
    sort_by(&mut both, |left, right| {
        let distance = |(value, _): &(f64, Inputs)| (value - present).abs();
        distance(left).total_cmp(&distance(right))
    });
    both.into_iter()
        .map(|(_, repaired)| (number, repaired))
        .collect()
}
