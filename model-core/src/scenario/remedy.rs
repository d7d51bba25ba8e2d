//! The nearest valid choices around an impossible plan.

use super::inputs::Inputs;
use super::number::Number;
use super::refusal::{Half, Refusal};
use crate::order::sort_by;

/// A single change that makes the scenario possible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Remedy {
    /// The number to change.
    pub number: Number,
    /// Its new value; `None` returns it to its default.
    pub value: Option<f64>,
    /// The value it would then have.
    pub becomes: f64,
}

const SHARDING: [Number; 6] = [
    Number::Ep,
    Number::FfnTp,
    Number::Dp,
    Number::Tp,
    Number::Kvp,
    Number::Pp,
];

impl Refusal {
    /// The link key that caused it: the stated one where there is a choice.
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
            Self::Lengths { number } | Self::AggregatedPlan { number, .. } => number.spec().key,
            Self::LongSimulation { .. } => "requests",
            Self::EndlessSimulation { .. } => "output",
            Self::LargeSimulation { .. } => "r",
            Self::NotFinite => "v",
        }
    }
}

/// Up to `most` single changes that repair `inputs`: first around the key that `refusal` names, then
/// the number of GPUs, then stated shardings back to their defaults.
///
/// Every remedy was tried: the scenario it leads to is valid.
pub fn remedies(inputs: &Inputs, refusal: &Refusal, most: usize) -> Vec<Remedy> {
    let cause = Number::find(refusal.key(inputs));
    let mut found = Vec::new();
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
            if let (true, Some(becomes)) = (repaired.scenario().is_ok(), repaired.get(number)) {
                found.push(Remedy {
                    number,
                    value: None,
                    becomes,
                });
            }
        }
    }
    found.truncate(most);
    found
}

/// The closest valid value below and above the present one.
fn nearest(inputs: &Inputs, number: Number) -> Vec<Remedy> {
    let Some(present) = inputs.get(number) else {
        return Vec::new();
    };
    let spec = number.spec();
    let tries = |value: f64| {
        let candidate = inputs.with(number, value);
        let valid = number.allows(value) && candidate.scenario().is_ok();
        valid.then_some(Remedy {
            number,
            value: Some(value),
            becomes: value,
        })
    };
    let reach = (spec.most - spec.least).min(1024.0) as u32;
    let below = (1..=reach).find_map(|step| tries(present - f64::from(step)));
    let above = (1..=reach).find_map(|step| tries(present + f64::from(step)));
    let mut both: Vec<Remedy> = below.into_iter().chain(above).collect();
    sort_by(&mut both, |left, right| {
        let distance = |remedy: &Remedy| (remedy.becomes - present).abs();
        distance(left).total_cmp(&distance(right))
    });
    both
}
