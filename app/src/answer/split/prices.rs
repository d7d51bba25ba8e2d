//! The prices that clusters are compared by.

use model_core::hardware::catalog::prices_of_one_source;
use model_core::inputs::{Gpu, Number};
use model_core::source::Source;

use super::{SplitCase, compute_gpu};
use crate::answer::figures::price_text;

/// "H100 $11.06, H20 $4.63 an hour, [L] Table 1; other views $2"; `None` where a price is missing.
pub fn basis(case: &SplitCase) -> Option<String> {
    let (compute, memory) = (case.setup.compute_price?, case.setup.memory_price?);
    let inputs = &case.inputs;
    let source = match compute_gpu(inputs) {
        Gpu::Catalog(entry) => prices_of_one_source(entry, inputs.memory_gpu),
        Gpu::Custom => None,
    };
    let stated = [Number::ComputePrice, Number::MemoryPrice, Number::Price]
        .iter()
        .any(|price| inputs.stated(*price).is_some());
    let from = match source {
        Some((_, _, source)) if !stated => cited(&source),
        _ => "as stated".to_owned(),
    };
    let elsewhere = { inputs.get(Number::Price) }
        .filter(|price| inputs.compute_gpu.is_none() && price.to_bits() != compute.to_bits())
        .map_or_else(String::new, |price| {
            format!("; other views {}", price_text(price))
        });
    Some(format!(
        "{} {}, {} {} an hour, {from}{elsewhere}",
        case.compute_name(),
        price_text(compute),
        case.memory_name(),
        price_text(memory)
    ))
}

/// Short citation: "[L] Table 1" for a paper, else the source's title.
fn cited(source: &Source) -> String {
    match source.title.split_once(' ') {
        Some((letter, _)) if letter.starts_with('[') => {
            let place = source.locator.split(':').next().unwrap_or_default();
            format!("{letter} {place}")
        }
        _ => source.title.to_owned(),
    }
}
