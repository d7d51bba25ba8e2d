//! What the split's money is counted in, and how both views come to count in the same.

use model_core::hardware::catalog::prices_of_one_source;
use model_core::scenario::{Gpu, Number};
use model_core::source::Source;

use super::{SplitCase, compute_gpu};
use crate::answer::Offer;
use crate::answer::figures::price_text;

/// The price basis in one line, and a way to use it everywhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Basis {
    /// "H100 $11.06, H20 $4.63 an hour, [L] Table 1; Explore counts $2".
    pub words: String,
    /// "Use $11.06 there": the same price for the scenario's own accelerator.
    pub offer: Option<Offer>,
}

/// The basis; `None` where a price is missing.
pub fn basis(case: &SplitCase) -> Option<Basis> {
    let (compute, memory) = (case.setup.compute_price?, case.setup.memory_price?);
    let inputs = &case.inputs;
    let source = match compute_gpu(inputs) {
        Gpu::Catalog(entry) => prices_of_one_source(entry, inputs.memory_gpu),
        Gpu::Custom => None,
    };
    let stated = inputs.stated(Number::ComputePrice).is_some()
        || inputs.stated(Number::MemoryPrice).is_some()
        || inputs.stated(Number::Price).is_some();
    let from = match source {
        Some((_, _, source)) if !stated => format!(", {}", cited(&source)),
        _ => ", as stated".to_owned(),
    };
    let mut words = format!(
        "{} {}, {} {} an hour{from}",
        case.compute_name(),
        price_text(compute),
        case.memory_name(),
        price_text(memory)
    );
    let own = inputs.compute_gpu.is_none();
    let elsewhere = inputs.get(Number::Price).filter(|_| own);
    let differs = elsewhere.is_none_or(|price| price.to_bits() != compute.to_bits());
    if let (true, Some(price)) = (differs, elsewhere) {
        words.push_str(&format!("; Explore counts {}", price_text(price)));
    }
    let offer = (own && differs).then(|| Offer {
        label: format!("Use {} there", price_text(compute)),
        help: "Count the scenario's own accelerator at this price in every view".to_owned(),
        inputs: inputs.with(Number::Price, compute).normalized(),
    });
    Some(Basis { words, offer })
}

/// "[L] Table 1" of a paper, whose letter says which; else the page's own name.
fn cited(source: &Source) -> String {
    match source.title.split_once(' ') {
        Some((letter, _)) if letter.starts_with('[') => {
            let place = source.locator.split(':').next().unwrap_or_default();
            format!("{letter} {place}")
        }
        _ => source.title.to_owned(),
    }
}
