//! Prices used to compare Lamina with the colocated cluster.

use model_core::hardware::catalog::prices_of_one_source;
use model_core::inputs::{Gpu, Number};

use super::{SplitCase, compute_gpu};
use crate::figures::price_text;

/// Describes the prices and their source: "H100 $11.06/h, H20 $4.63/h, [L] Table 1; other views use $2". Returns
/// `None` if a price is missing.
pub fn basis(case: &SplitCase) -> Option<String> {
    let (compute, memory) = (case.setup.compute_price?, case.setup.memory_price?);
    let inputs = &case.inputs;
    let source = match compute_gpu(inputs) {
        Gpu::Catalog(entry) => prices_of_one_source(entry, inputs.memory_gpu),
        Gpu::Custom => None,
    };
    let stated = [Number::ComputePrice, Number::MemoryPrice, Number::Price]
        .iter()
        .any(|price| inputs.stated(*price).is_some())
        || inputs.prices.given().next().is_some();
    let from = match source {
        Some((_, _, source)) if !stated => source.short(),
        _ => "as set".to_owned(),
    };
    let elsewhere = { inputs.get(Number::Price) }
        .filter(|price| inputs.compute_gpu.is_none() && price.to_bits() != compute.to_bits())
        .map_or_else(String::new, |price| {
            format!("; other views use {}", price_text(price))
        });
    Some(format!(
        "{} {}/h, {} {}/h, {from}{elsewhere}",
        case.compute_name(),
        price_text(compute),
        case.memory_name(),
        price_text(memory)
    ))
}
