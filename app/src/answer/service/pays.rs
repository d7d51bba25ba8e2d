//! Chart data of "Do pools pay?".

use super::ServiceShown;
use crate::charts::{PayPoint, PaysData};
use model_core::inputs::{Inputs, Number};
use model_core::service::answer::ComparedCosts;
use worker::pays::PaysAnswer;

/// The scenario on the plane of an answer; no plane before the first.
pub fn pays_data(answer: Option<&PaysAnswer>, shown: &ServiceShown, inputs: &Inputs) -> PaysData {
    let finding = match shown.over {
        Some(over) => format!("pools cost {over:.2}× of aggregated"),
        None => "not both can serve".to_owned(),
    };
    let point = |of: &ComparedCosts| PayPoint {
        pools: of.pools,
        aggregated: of.aggregated,
    };
    let of = |axis: fn(&PaysAnswer) -> Vec<f64>| answer.map_or_else(Vec::new, axis);
    let (prompt, output) = shown.lengths;
    PaysData {
        prompts: of(|answer| answer.lengths.prompts.clone()),
        outputs: of(|answer| answer.lengths.outputs.clone()),
        points: answer.map_or_else(Vec::new, |answer| answer.found.iter().map(point).collect()),
        now: shown.over.map(|over| (prompt, output, over)),
        in_gpus: !inputs.get(Number::Price).is_some_and(|price| price > 0.0),
        finding,
        source: "replicas not rounded up, at least one each".to_owned(),
    }
}
