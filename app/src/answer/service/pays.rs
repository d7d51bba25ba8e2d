//! Chart data of "Do pools pay?".

use super::ServiceShown;
use crate::charts::{PayPoint, PaysData};
use model_core::inputs::{Inputs, Number};
use model_core::service::answer::Compared;
use worker::pays::PaysAnswer;

/// The scenario on the plane of an answer.
pub fn pays_data(answer: &PaysAnswer, shown: &ServiceShown, inputs: &Inputs) -> PaysData {
    let finding = match shown.over {
        Some(over) => format!("pools cost {over:.2}× of aggregated"),
        None => "not both can serve".to_owned(),
    };
    let point = |of: &Compared| PayPoint {
        pools: of.pools,
        aggregated: of.aggregated,
    };
    let (prompt, output) = shown.lengths;
    PaysData {
        prompts: answer.lengths.prompts.clone(),
        outputs: answer.lengths.outputs.clone(),
        points: answer.found.iter().map(point).collect(),
        now: shown.over.map(|over| (prompt, output, over)),
        in_gpus: !inputs.get(Number::Price).is_some_and(|price| price > 0.0),
        finding,
        source: "replicas not rounded up, at least one each".to_owned(),
    }
}
